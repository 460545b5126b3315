import type { Token } from "softalign";
import { message } from "../model-files/inspect.ts";
import { Reader } from "../model-files/reader.ts";
import type { Piece } from "./protocol.ts";

/** What SentencePiece writes for white space. */
const kSpace = "\u2581";

/** The simplest sign of its kind; of none, white space. As the engine has them (src/text/tokenizer.cc). */
function simpleSign(sign: string): string {
  if (/[\u2018-\u201b\u2032\u00b4`]/.test(sign)) return "'";
  if (/[\u201c-\u201f\u2033\u00ab\u00bb]/.test(sign)) return '"';
  return /[\u2010-\u2015\u2212]/.test(sign) ? "-" : " ";
}

/** The pieces of a SentencePiece model, by number. */
export class Vocabulary {
  readonly #pieces: string[] = [];
  readonly #ids = new Map<string, number>();

  constructor(model: Uint8Array) {
    const reader = new Reader(model);
    while (reader.left > 0) {
      const { field, value } = message(reader);
      if (field !== 1 || typeof value === "number") continue;
      const text = new TextDecoder().decode(message(new Reader(value)).value as Uint8Array);
      this.#ids.set(text, this.#pieces.length);
      this.#pieces.push(text);
    }
  }

  get size(): number {
    return this.#pieces.length;
  }

  get end(): number {
    return this.#ids.get("</s>")!;
  }

  get unknown(): number {
    return this.#ids.get("<unk>")!;
  }

  piece(id: number): Piece {
    const text = this.#pieces[id]!;
    if (id === this.end) return { text: "", begins: true };
    return { text: text.replace(kSpace, ""), begins: text.startsWith(kSpace) };
  }

  /**
   * The numbers of a text's tokens, the last of which is its end. White space before a token is a part of its piece. Signs
   * that are not in the vocabulary are read as what is; what else is not is the unknown piece.
   */
  ids(text: string, tokens: readonly Token[]): number[] {
    return tokens.map(({ start, end }, i) => {
      if (i === tokens.length - 1) return this.end;
      const isSpaced = i === 0 || start > tokens[i - 1]!.end;
      const own = text.slice(start, end).normalize("NFKC");
      return this.#idOf(own, isSpaced) ?? this.#idOf(this.#known(own), isSpaced) ?? this.unknown;
    });
  }

  #idOf(text: string, isSpaced: boolean): number | undefined {
    return this.#ids.get((isSpaced || text.startsWith(" ") ? kSpace : "") + text.trim().replaceAll(" ", kSpace));
  }

  #known(text: string): string {
    const has = (sign: string) => this.#ids.has(sign) || this.#ids.has(kSpace + sign);
    return text.replace(/[\p{P}\p{S}]/gu, (sign) => [sign, simpleSign(sign)].find(has) ?? " ");
  }
}
