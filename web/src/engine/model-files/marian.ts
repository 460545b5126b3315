// Marian's weights, as it writes them: a .bin of its own, or an archive of numpy arrays.

import { type Contents, FileFault, type TensorInfo } from "./contents.ts";
import { Reader } from "./reader.ts";

const kOptions = "special:model.yml";
const kTypes: Record<number, string> = { 0x101: "I8", 0x404: "F32", 0x4101: "I8" };

export function readMarianBin(bytes: Uint8Array): Contents {
  const reader = new Reader(bytes);
  reader.u64(); // the version, 1
  const items = Array.from({ length: reader.count(32) }, () =>
    ({ name: reader.u64(), type: reader.u64(), rank: reader.u64(), size: reader.u64() }));
  const names = items.map(({ name }) => reader.text(name));
  const shapes = items.map(({ rank }) => {
    if (rank > 8) throw new FileFault("damaged", `a tensor has ${rank} dimensions`);
    return Array.from({ length: rank }, () => reader.u32());
  });
  reader.take(reader.u64());
  const tensors: TensorInfo[] = [];
  let options = "";
  items.forEach(({ type, size }, i) => {
    const name = names[i]!;
    if (name === kOptions) options = reader.text(size);
    else {
      reader.take(size);
      tensors.push({ name, type: kTypes[type] ?? `type ${type}`, shape: shapes[i]! });
    }
  });
  return { kind: "weights", tensors, options: optionsOf(options) };
}

const kMember = 0x04034b50;
const kNumpyTypes: Record<string, string> = { "<f4": "F32", "<f2": "F16", "<f8": "F64", "|i1": "I8", "|u1": "U8", "<i4": "I32", "<i8": "I64" };

export function readNpz(bytes: Uint8Array): Contents {
  const reader = new Reader(bytes);
  const tensors: TensorInfo[] = [];
  let options = "";
  while (reader.left >= 4 && reader.u32() === kMember) {
    reader.take(4); // the version and flags
    if (reader.u16() !== 0) throw new FileFault("damaged", "its arrays are compressed, which Marian does not do");
    reader.take(8); // time, date and checksum
    let size = reader.u32();
    reader.take(4);
    const [nameSize, extraSize] = [reader.u16(), reader.u16()];
    const name = reader.text(nameSize).replace(/\.npy$/, "");
    const extra = new Reader(reader.take(extraSize));
    if (size === 0xffffffff && extraSize >= 20) {
      extra.take(12);
      size = extra.u64();
    }
    const array = new Reader(reader.take(size));
    const { type, shape } = numpyHeader(array);
    if (name === kOptions) options = array.text(array.left);
    else tensors.push({ name, type, shape });
  }
  if (tensors.length === 0) throw new FileFault("unknown", "an archive without arrays");
  return { kind: "weights", tensors, options: optionsOf(options) };
}

function numpyHeader(array: Reader): { type: string; shape: number[] } {
  if (array.text(6) !== "\u{fffd}NUMPY") throw new FileFault("unknown", "an archive of something else than arrays");
  const isOld = array.take(2)[0] === 1;
  const header = array.text(isOld ? array.u16() : array.u32());
  const descr = /'descr': *'([^']*)'/.exec(header)?.[1] ?? "";
  const shape = /'shape': *\(([^)]*)\)/.exec(header)?.[1] ?? "";
  return { type: kNumpyTypes[descr] ?? descr, shape: shape.split(",").map((d) => d.trim()).filter((d) => d !== "").map(Number) };
}

/** Lines of "name: value"; of lists in lines of their own, the values with commas between. */
function optionsOf(yaml: string): Record<string, string> {
  const options: Record<string, string> = {};
  let last = "";
  for (const line of yaml.split("\n")) {
    const [, name, value] = /^([\w-]+): *(.*)$/.exec(line) ?? [];
    const [, item] = /^ *- *(.*)$/.exec(line) ?? [];
    if (name !== undefined) options[(last = name)] = value!;
    else if (item !== undefined && last) options[last] = options[last] ? `${options[last]}, ${item}` : item;
  }
  return options;
}
