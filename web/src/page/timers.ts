/** Things to do after a while, by name: what is put off again is done once, the later time. */
export class Timers {
  readonly #timers = new Map<string, number>();

  later(name: string, milliseconds: number, body: () => void): void {
    this.cancel(name);
    this.#timers.set(name, window.setTimeout(body, milliseconds));
  }

  cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
  }
}
