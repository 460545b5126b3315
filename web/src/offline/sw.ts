// The page without a connection: a service worker that keeps all files of one build, except the weights, which the package keeps
// itself. It stands at the root of the page under a name that stays.
//
// A new build comes with a new list, so browsers install it beside the old one. It takes over when the last tab of the old one
// is closed: until then those find the files they were made with.

export {}; // a module, so that it may say what its globals are
declare const self: ServiceWorkerGlobalScope;

/** What the build puts here: a hash of all files, those whose names change with their contents, and the others. */
declare const kBuild: { version: string; hashed: string[]; named: string[] };

/** When a connection that does not answer counts as none, in milliseconds. */
const kPatience = 4000;

const { version, hashed, named } = kBuild;
const scope = new URL(self.registration.scope);
// Another copy of the page may be in another folder of this host: it has caches of its own.
const family = `softalign-page ${scope.pathname} `;
const cacheName = family + version;
const addressOf = (file: string) => new URL(file, scope).href;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));

self.addEventListener("activate", (event) => event.waitUntil(deleteOlder().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file !== undefined) event.respondWith(hashed.includes(file) ? keptFirst(event.request, file) : freshFirst(event.request, file));
});

/** The file of this build that is asked for, if it is one. What stands behind "?" and "#" does not count for pages. */
function fileOf({ method, mode, url }: Request): string | undefined {
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
  const name = pathname.slice(scope.pathname.length);
  const files = [...hashed, ...named];
  // Some hosts leave out the ending of pages.
  if (mode === "navigate") return [name.replace(/(^|\/)$/, "$1index.html"), `${name}.html`].find((file) => files.includes(file));
  return search === "" && files.includes(name) ? name : undefined;
}

/** Fails if one file cannot be had: then there is no service worker, or still the earlier one. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(cacheName);
  const keep = async (file: string, response: Response) => {
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    // The browser takes no answer for a page that was a redirection.
    await cache.put(addressOf(file), response.redirected ? new Response(response.body, response) : response);
  };
  await Promise.all([
    // Of these, what the page or an earlier build has fetched already is not fetched again.
    ...hashed.map(async (file) => {
      const address = addressOf(file);
      await keep(file, (await caches.match(address)) ?? (await fetch(address, { cache: "force-cache" })));
    }),
    ...named.map(async (file) => keep(file, await fetch(addressOf(file), { cache: "no-cache" }))),
  ]);
}

async function deleteOlder(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(family) && name !== cacheName).map((name) => caches.delete(name)));
}

async function kept(file: string): Promise<Response | undefined> {
  const cache = await caches.open(cacheName);
  return cache.match(addressOf(file));
}

async function keptFirst(request: Request, file: string): Promise<Response> {
  return (await kept(file)) ?? fetch(request);
}

/** A page names its files by their contents, so that a newer one works with this worker, too. */
async function freshFirst(request: Request, file: string): Promise<Response> {
  const old = await kept(file);
  if (!old) return fetch(request);
  const fresh = fetch(request).then((response) => (response.status < 500 ? response : old), () => old);
  return Promise.race([fresh, new Promise<Response>((resolve) => setTimeout(() => resolve(old), kPatience))]);
}
