import { type NodeFileSystem, nodeModule, nodeProcess } from "./runtime.js";

/**
 * Where downloaded models are kept, by the SHA-256 of their bytes: a new version of a model is a new entry. Under Node
 * that is a folder, in browsers the Cache API's cache "softalign-models".
 */
export interface ModelStore {
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  has(sha256: string): Promise<boolean>;
  put(sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** @returns whether it was there. */
  delete(sha256: string): Promise<boolean>;
  clear(): Promise<void>;
}

/** A cache wants addresses for its keys; this one belongs to nobody. */
const keyOf = (sha256: string) => `https://softalign.invalid/${sha256}`;
const cacheName = "softalign-models";

const cacheStore = (cache: Cache): ModelStore => ({
  async get(sha256) {
    const response = await cache.match(keyOf(sha256));
    return response && new Uint8Array(await response.arrayBuffer());
  },
  has: async (sha256) => (await cache.match(keyOf(sha256))) !== undefined,
  put: (sha256, bytes) => cache.put(keyOf(sha256), new Response(bytes)),
  delete: (sha256) => cache.delete(keyOf(sha256)),
  clear: async () => void (await caches.delete(cacheName)),
});

const folderStore = (fs: NodeFileSystem, folder: string): ModelStore => {
  const pathOf = (sha256: string) => `${folder}/${sha256}.safetensors`;
  const has = (sha256: string) => fs.stat(pathOf(sha256)).then(() => true, () => false);
  return {
    has,
    get: async (sha256) => ((await has(sha256)) ? fs.readFile(pathOf(sha256)) : undefined),
    async put(sha256, bytes) {
      await fs.mkdir(folder, { recursive: true });
      // Renamed when it is complete, so that another process never sees a part of it.
      const unfinished = `${pathOf(sha256)}.${crypto.randomUUID()}`;
      try {
        await fs.writeFile(unfinished, bytes, { flag: "wx" });
        await fs.rename(unfinished, pathOf(sha256));
      } catch (error) {
        await fs.rm(unfinished).catch(() => {});
        throw error;
      }
    },
    async delete(sha256) {
      const present = await has(sha256);
      if (present) await fs.rm(pathOf(sha256));
      return present;
    },
    async clear() {
      // The folder may be one that its owner keeps other things in.
      const names = await fs.readdir(folder).catch(() => []);
      await Promise.all(names.filter((name) => /^[0-9a-f]{64}\.safetensors/.test(name)).map((name) => fs.rm(`${folder}/${name}`)));
    },
  };
};

async function cacheFolder({ env, platform }: NonNullable<typeof nodeProcess>): Promise<string> {
  if (env.SOFTALIGN_CACHE) return env.SOFTALIGN_CACHE;
  if (env.XDG_CACHE_HOME) return `${env.XDG_CACHE_HOME}/softalign`;
  if (platform === "win32" && env.LOCALAPPDATA) return `${env.LOCALAPPDATA}/softalign`;
  const { homedir } = await nodeModule<{ homedir(): string }>("os");
  return `${homedir()}/${platform === "darwin" ? "Library/Caches" : ".cache"}/softalign`;
}

/** The store of this run-time, or undefined where there is none: on a page without HTTPS, say, or where it is forbidden. */
export async function openModelStore(): Promise<ModelStore | undefined> {
  try {
    return nodeProcess
      ? folderStore(await nodeModule<NodeFileSystem>("fs/promises"), await cacheFolder(nodeProcess))
      : cacheStore(await caches.open(cacheName));
  } catch {
    return undefined;
  }
}
