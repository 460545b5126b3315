import { message } from "../model-files/inspect.ts";
import { Reader } from "../model-files/reader.ts";
import type { Piece } from "./protocol.ts";

/** What SentencePiece writes for white space. */
const kSpace = "\u2581";

/** The pieces of a SentencePiece model, by number. */
export class Vocabulary {
  readonly #pieces: string[] = [];
  readonly end: number;
  readonly unknown: number;

  constructor(model: Uint8Array) {
    const reader = new Reader(model);
    while (reader.left > 0) {
      const { field, value } = message(reader);
      if (field !== 1 || typeof value === "number") continue;
      this.#pieces.push(new TextDecoder().decode(message(new Reader(value)).value as Uint8Array));
    }
    this.end = this.#pieces.indexOf("</s>");
    this.unknown = this.#pieces.indexOf("<unk>");
  }

  get size(): number {
    return this.#pieces.length;
  }

  piece(id: number): Piece {
    const text = this.#pieces[id]!;
    if (id === this.end) return { text: "", begins: true };
    // White space alone is a piece, too, and not the end.
    return { text: text.replace(kSpace, "") || " ", begins: text.startsWith(kSpace) };
  }
}
