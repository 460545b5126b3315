// What tells callers of the progress of a download. Declared apart from what only the package needs.

/** Told the part that has arrived, 0..1; 1 comes only at the very end. */
export type OnProgress = (fraction: number) => void;

// As this run-time's declarations have them: those of Node have no names for them.
type Listener = NonNullable<Parameters<EventTarget["addEventListener"]>[1]>;
type ListenerOptions = Parameters<EventTarget["addEventListener"]>[2];

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
    options?: ListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: Listener | null,
    options?: ListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: Listener | ((event: DownloadProgressEvent) => void) | null,
    options?: ListenerOptions,
  ): void {
    super.addEventListener(type, listener as Listener | null, options);
  }

  override removeEventListener(
    type: string,
    listener: Listener | ((event: DownloadProgressEvent) => void) | null,
    options?: ListenerOptions,
  ): void {
    super.removeEventListener(type, listener as Listener | null, options);
  }
}
