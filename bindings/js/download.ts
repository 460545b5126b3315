import { SoftalignError } from "./errors.js";
import { isLocalFile, readLocalFile } from "./runtime.js";

/** Told the part that has arrived, 0..1; 1 comes only at the very end. */
export type OnProgress = (fraction: number) => void;

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

/**
 * The bytes at an address: from disk for `file:` addresses under Node, by `fetch` otherwise.
 * @throws {SoftalignError} `network` naming address and status; `unavailable` for an unreadable file.
 */
export async function download(url: URL, options: DownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  options.signal?.throwIfAborted();
  try {
    if (isLocalFile(url)) return await readLocalFile(url, options.signal);
    return await readBody(url, await request(url, options.signal), options.onProgress);
  } catch (cause) {
    // fetch and readFile wrap the reason in different ways; callers get it as they gave it.
    options.signal?.throwIfAborted();
    if (cause instanceof SoftalignError) throw cause;
    if (isLocalFile(url)) {
      throw new SoftalignError("unavailable", `could not read ${url.href}: ${describe(cause)}`, { cause });
    }
    throw failure(url, describe(cause), cause);
  }
}

/**
 * A successful response, its body still to be read.
 * @throws {SoftalignError} `network` naming address and status.
 */
export async function request(url: URL, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (cause) {
    throw failure(url, describe(cause), cause);
  }
  if (!response.ok) throw failure(url, `${response.status} ${response.statusText}`.trim());
  return response;
}

async function readBody(url: URL, response: Response, onProgress?: OnProgress): Promise<Uint8Array<ArrayBuffer>> {
  // With a content encoding the length is that of the compressed bytes, which nobody sees.
  const length = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length"));
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.length;
    if (length > received) onProgress?.(received / length);
  }
  if (received < length) throw failure(url, `the connection ended after ${received} of ${length} bytes`);
  const bytes = new Uint8Array(received);
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

/** A step of a download, in the shape of the platform's `ProgressEvent`. */
export class DownloadProgressEvent extends Event {
  /** The part that has arrived, from 0 to 1. */
  readonly loaded: number;
  readonly total = 1;
  readonly lengthComputable = true;

  constructor(loaded: number) {
    super("downloadprogress");
    this.loaded = loaded;
  }
}

/**
 * What `create({ monitor })` hands to its caller, as in the W3C Translator API:
 * `monitor(m) { m.addEventListener("downloadprogress", (e) => show(e.loaded)); }`
 */
export class CreateMonitor extends EventTarget {
  ondownloadprogress: ((event: DownloadProgressEvent) => void) | null = null;
  #last = -1;
  #closed = false;

  /**
   * Reports progress, in rising steps of 1/65536 so that the number tells nothing about exact sizes.
   * @internal
   */
  report(fraction: number): void {
    const loaded = Math.floor(Math.min(Math.max(fraction, 0), 1) * 65536) / 65536;
    if (loaded <= this.#last || this.#closed) return;
    this.#last = loaded;
    const event = new DownloadProgressEvent(loaded);
    this.dispatchEvent(event);
    this.ondownloadprogress?.(event);
  }

  /**
   * Nothing is reported once `create` has settled.
   * @internal
   */
  close(): void {
    this.#closed = true;
  }

  override addEventListener(
    type: "downloadprogress",
    listener: ((event: DownloadProgressEvent) => void) | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | ((event: DownloadProgressEvent) => void) | null,
    options?: AddEventListenerOptions | boolean,
  ): void {
    super.addEventListener(type, listener as EventListenerOrEventListenerObject | null, options);
  }
}
