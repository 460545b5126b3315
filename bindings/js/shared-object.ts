import type { Host } from "./engine.js";
import type { EngineObject } from "./engine-object.js";

interface Entry {
  /** While it is made, a promise; then a weak reference, so that what its users drop without freeing it can be collected. */
  object: Promise<EngineObject> | WeakRef<EngineObject>;
  users: number;
}

/** What is in use in each engine, by what it was made of. What an engine held goes with it. */
const inUse = new WeakMap<Host, Map<string, Entry>>();

/**
 * One object of an engine for all who ask for the same: equal models are in memory once. Each user gets a handle of its own,
 * and the object's memory is given back when the last of them is freed.
 * @param made says of what the object is made: equal names, equal objects.
 */
export async function shared(host: Host, made: string, make: () => Promise<EngineObject>): Promise<EngineObject> {
  let entries = inUse.get(host);
  if (!entries) inUse.set(host, (entries = new Map<string, Entry>()));
  const known = entries.get(made);
  let held = known?.object instanceof WeakRef ? known.object.deref() : known?.object;
  const entry = known && held ? known : { object: (held = make()), users: 0 };
  entries.set(made, entry);
  ++entry.users;
  const leave = () => {
    if (--entry.users === 0 && entries.get(made) === entry) entries.delete(made);
    return entry.users === 0;
  };
  const object = await Promise.resolve(held).catch((error: unknown) => {
    leave();
    throw error;
  });
  entry.object = new WeakRef(object);
  let freed = false;
  return {
    host: object.host,
    call: (method, args) => object.call(method, args),
    free() {
      if (freed) return;
      freed = true;
      if (leave()) object.free();
    },
  };
}
