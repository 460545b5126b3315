// Every page of the build has this: from the first visit on, it works without a connection.

import { firstTranslation } from "../page/first-translation.ts";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";

/** Also where the page is not kept, there is nothing to say: it works as before. */
async function keep(): Promise<void> {
  // Absent without HTTPS and where it is forbidden.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  await loaded();
  try {
    await workers.register(language === "en" ? "./sw.js" : "../sw.js");
    // From here on, requests of this page are answered by the service worker.
    if (!workers.controller) await new Promise((resolve) => workers.addEventListener("controllerchange", resolve, { once: true }));
    const { listModels } = await import("softalign/models");
    const models = await listModels();
    if (!models.some(({ cached }) => cached)) return;
  } catch {
    return;
  }
  // At the very end, where it moves nothing.
  document.querySelector("footer")?.append(Object.assign(document.createElement("p"), { className: "offline", textContent: words.common.offline }));
}

/** What the visitor waits for goes first: the page, and the first translation where there is one. */
function loaded(): Promise<unknown> {
  if (!document.querySelector("translation-text")) {
    return document.readyState === "complete" ? Promise.resolve() : new Promise((resolve) => addEventListener("load", resolve));
  }
  return firstTranslation();
}

void keep();
