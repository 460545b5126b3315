import { type Contents, FileFault, kLargest } from "./contents.ts";
import { readMarianBin, readNpz } from "./marian.ts";
import { Reader } from "./reader.ts";
import { readSafetensors } from "./safetensors.ts";

const begins = (bytes: Uint8Array, ...with_: number[]) => with_.every((byte, i) => bytes[i] === byte);

/** What a file holds, by how it begins; the name only helps to say what a file that begins as none may have been. */
export function inspect(bytes: Uint8Array, name: string): Contents {
  if (bytes.length === 0) throw new FileFault("empty", "it has no bytes");
  if (begins(bytes, 0xf5, 0x17, 0x34, 0x01, 0xd5, 0x48, 0x1a, 0xf1)) return readShortlist(bytes);
  if (begins(bytes, 0x50, 0x4b, 3, 4)) return readNpz(bytes);
  if (begins(bytes, 1, 0, 0, 0, 0, 0, 0, 0)) return readMarianBin(bytes);
  if (bytes[8] === 0x7b && begins(bytes.subarray(4), 0, 0, 0, 0)) return readSafetensors(bytes);
  // SentencePiece's models are lists of pieces, each of them a text first.
  if (bytes[0] === 0x0a && (bytes[2] === 0x0a || bytes[3] === 0x0a)) return readVocabulary(bytes);
  const isNamed = /\.(safetensors|npz|spm)(\.gz)?$/i.test(name);
  throw new FileFault(isNamed ? "damaged" : "unknown", isNamed ? "it does not begin as such files do" : "it begins as no model does");
}

function readShortlist(bytes: Uint8Array): Contents {
  const reader = new Reader(bytes);
  reader.take(8 + 8 + 8 + 8); // the mark, a checksum, how many words are frequent, and likely
  const words = reader.u64() - 1;
  const entries = reader.u64();
  reader.take(8 * (words + 1) + 4 * entries);
  return { kind: "shortlist", words, entries };
}

const kMethods = ["", "unigram", "BPE", "words", "characters"];

function readVocabulary(bytes: Uint8Array): Contents {
  const reader = new Reader(bytes);
  let pieces = 0;
  let method = "unigram";
  while (reader.left > 0) {
    const { field, value } = message(reader);
    if (field === 1) ++pieces;
    if (field !== 2 || typeof value === "number") continue;
    const trainer = new Reader(value);
    while (trainer.left > 0) {
      const option = message(trainer);
      if (option.field === 3) method = kMethods[Number(option.value)] || "unigram";
    }
  }
  return { kind: "vocabulary", pieces, method };
}

/** The next field of a protobuf. */
export function message(reader: Reader): { field: number; value: number | Uint8Array } {
  const key = reader.varint();
  const read = { 0: () => reader.varint(), 1: () => reader.take(8), 2: () => reader.take(reader.varint()), 5: () => reader.take(4) }[key & 7];
  if (!read) throw new FileFault("damaged", `it is no list of pieces at byte ${reader.at}`);
  return { field: Math.floor(key / 8), value: read() };
}

/** Without its compression, if it has one. */
export async function decompressed(file: File, most = kLargest): Promise<File> {
  if (file.size > most) throw new FileFault("large", `it has ${file.size} bytes`);
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!begins(start, 0x1f, 0x8b)) return file;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new FileFault("damaged", "its gzip compression is broken");
    });
    if (done) return new File(parts, file.name.replace(/\.gz$/i, ""));
    size += value.length;
    if (size > most) {
      void reader.cancel();
      throw new FileFault("large", `it has more than ${most} bytes when decompressed`);
    }
    parts.push(value);
  }
}
