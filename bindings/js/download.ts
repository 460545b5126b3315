import type { OnProgress } from "./create-monitor.js";
import { SoftalignError } from "./errors.js";
import { abortable, isLocalFile, readLocalFile } from "./runtime.js";

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

/** What only those say who know what they fetch. */
export interface KnownDownloadOptions extends DownloadOptions {
  /** How many bytes to expect, for the progress, where the server does not say. */
  size?: number;
  /** How to use the browser's cache. */
  cache?: RequestCache;
}

/** The server answered, but not with what was asked for. */
export class RefusedError extends SoftalignError {
  readonly status: number;

  constructor(url: URL, { status, statusText }: Response) {
    super("network", `could not download ${url.href}: ${status} ${statusText}`.trim());
    this.status = status;
  }
}

/** Passes on only what is more than anything before: a download that begins anew takes no step back. */
export function rising(onProgress: OnProgress | undefined): OnProgress {
  let last = 0;
  return (fraction) => {
    if (fraction <= last) return;
    last = fraction;
    onProgress?.(fraction);
  };
}

/**
 * The bytes at an address: from disk for `file:` addresses under Node, by `fetch` otherwise. A connection that breaks
 * is taken up again where the server allows it, or from the beginning.
 * @throws {SoftalignError} `network` naming address and status; `unavailable` for an unreadable file.
 */
export async function download(url: URL, options: KnownDownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  options.signal?.throwIfAborted();
  try {
    return isLocalFile(url) ? await readLocalFile(url, options.signal) : await receive(url, options);
  } catch (cause) {
    // fetch and readFile wrap the reason in different ways; callers get it as they gave it.
    options.signal?.throwIfAborted();
    if (!isLocalFile(url)) throw cause;
    throw new SoftalignError("unavailable", `could not read ${url.href}: ${describe(cause)}`, { cause });
  }
}

/**
 * A successful response, its body still to be read.
 * @throws {SoftalignError} `network` naming address and status.
 */
export async function request(url: URL, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    throw failure(url, describe(cause), cause);
  }
  if (!response.ok) throw new RefusedError(url, response);
  return response;
}

/** How often a connection that broke is taken up again, and the pause before, in milliseconds; each is twice as long as the last. */
const retries = 3;
const firstPause = 200;

/** What has arrived. */
interface Part {
  chunks: Uint8Array[];
  length: number;
  /** How the server names this version of the file, if it can give the rest of just that. */
  version: string | null;
}

async function receive(url: URL, options: KnownDownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, cache, size } = options;
  const onProgress = rising(options.onProgress);
  const part: Part = { chunks: [], length: 0, version: null };
  for (let attempt = 0, begun = false; ; ++attempt) {
    try {
      // The last time from the beginning: a server of another origin may forbid these headers.
      const headers = part.version && attempt < retries ? { range: `bytes=${part.length}-`, "if-range": part.version } : {};
      const response = await request(url, { headers, ...(signal && { signal }), ...(cache && { cache }) });
      begun = true;
      await readBody(url, response, part, onProgress, size);
      return concatenate(part);
    } catch (error) {
      // What does not even begin is reported at once, and so is what trying again cannot help.
      const broken = begun && error instanceof SoftalignError;
      // After the last byte there is no rest to be had.
      const isOver = error instanceof RefusedError && error.status === 416 && part.version !== null;
      if (isOver) part.version = null;
      if (!broken || (error instanceof RefusedError && !isOver) || attempt === retries || signal?.aborted) throw error;
    }
    await abortable(new Promise((resolve) => setTimeout(resolve, firstPause << attempt)), signal);
  }
}

/** Reads a response into what has arrived before: the rest of it, or all of it anew. */
async function readBody(url: URL, response: Response, part: Part, onProgress: OnProgress, size = 0): Promise<void> {
  const { headers, body } = response;
  if (response.status !== 206) {
    const version = headers.get("etag");
    // Offsets into compressed bytes are of no use, and a weak name may be that of other bytes.
    const resumable = !headers.has("content-encoding") && version?.startsWith('"');
    Object.assign(part, { chunks: [], length: 0, version: resumable ? version : null });
  } else if (!headers.get("content-range")?.startsWith(`bytes ${part.length}-`)) {
    part.version = null;
    throw failure(url, `asked for the bytes from ${part.length} on, the server gave ${headers.get("content-range")}`);
  }
  // With a content encoding the length is that of the compressed bytes, which nobody sees.
  const announced = headers.has("content-encoding") ? 0 : Number(headers.get("content-length"));
  const end = announced && part.length + announced;
  const total = end || size;
  const reader = body?.getReader();
  for (;;) {
    const read = await reader?.read().catch((cause: unknown) => {
      throw failure(url, describe(cause), cause);
    });
    if (!read || read.done) break;
    part.chunks.push(read.value);
    part.length += read.value.length;
    if (part.length < total) onProgress(part.length / total);
  }
  // Of another origin nobody sees the encoding either.
  if (part.length < end && part.length !== size) throw failure(url, `the connection ended after ${part.length} of ${end} bytes`);
}

function concatenate({ chunks, length }: Part): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function failure(url: URL, why: string, cause?: unknown): SoftalignError {
  return new SoftalignError("network", `could not download ${url.href}: ${why}`, cause === undefined ? {} : { cause });
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Node's fetch says "fetch failed" and keeps what failed in the cause.
  const inner = cause.cause;
  return inner instanceof Error && inner.message ? `${cause.message} (${inner.message})` : cause.message;
}
