// From this page to the same one in another language, which is another document: what a visitor has given is put away for the moment
// between the two. It stays in this browser, and is gone from the store as soon as a page of this name opens.

/** As forms have it: files, and what is typed. */
export type Given = FormData;

const kStore = "softalign-given";
const kAddress = "./given";

/** Puts away what `given` answers, if anything, when a link is followed in this tab. */
export function carryOver(link: HTMLAnchorElement, given: () => Given | undefined): void {
  link.addEventListener("click", (event) => {
    const form = given();
    if (!form || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void putAway(form).finally(() => location.assign(link.href));
  });
}

async function putAway(form: Given): Promise<void> {
  try {
    await (await caches.open(kStore)).put(kAddress, new Response(form));
    sessionStorage.setItem(kStore, "put away");
  } catch {
    // Without storage, or in a full one, it has to be given again.
  }
}

/** What this tab has put away, if anything. */
export async function takeBack(): Promise<Given | undefined> {
  try {
    const isOurs = sessionStorage.getItem(kStore) !== null;
    sessionStorage.removeItem(kStore);
    if (!(await caches.has(kStore))) return undefined;
    const found = isOurs ? await (await (await caches.open(kStore)).matchAll())[0]?.formData() : undefined;
    await caches.delete(kStore);
    return found;
  } catch {
    return undefined;
  }
}
