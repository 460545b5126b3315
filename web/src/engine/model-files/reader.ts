import { FileFault } from "./contents.ts";

/** Reads little-endian numbers and text in order. What is not there is a fault. */
export class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  take(count: number): Uint8Array {
    if (!(count >= 0 && count <= this.left)) throw new FileFault("damaged", `${count} bytes are expected at byte ${this.at}, where ${this.left} are left`);
    return this.#bytes.subarray(this.at, (this.at += count));
  }

  text(count: number): string {
    return new TextDecoder().decode(this.take(count)).replace(/\0[^]*$/, "");
  }

  u16(): number {
    this.take(2);
    return this.#view.getUint16(this.at - 2, true);
  }

  u32(): number {
    this.take(4);
    return this.#view.getUint32(this.at - 4, true);
  }

  /** Beyond 2^53 it is not exact, and too large for anything. */
  u64(): number {
    this.take(8);
    return Number(this.#view.getBigUint64(this.at - 8, true));
  }

  /** A number of things that take `each` bytes at least. */
  count(each: number): number {
    const count = this.u64();
    if (count > this.left / each) throw new FileFault("damaged", `it is to hold ${count} parts, for which there are no bytes`);
    return count;
  }

  /** A protobuf's number. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.take(1)[0]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 56) throw new FileFault("damaged", `no number at byte ${this.at}`);
    }
  }
}
