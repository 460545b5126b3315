// What tests of the built pages share: a browser, a host whose answers can be broken, a visitor.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach } from "node:test";
import { axe, fromRoot, launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";

const built = fromRoot("build/web");
const axeSource = readFileSync(fromRoot("node_modules/axe-core/axe.min.js"), "utf8");
/** Generous: other work may share the machine. */
export const patience = 120_000;

/** For `describe`: why its tests cannot run, or false. */
export const missing = existsSync(`${built}/index.html`) ? false : "build/web is missing: npm run build";

// Nothing is waited for that is only there to be watched.
const usual = { viewport: { width: 1280, height: 900 }, colorScheme: "light", reducedMotion: "reduce" };

/**
 * Inside a `describe`. Every test starts with a sound host; at its end nothing but `expected` may have been complained of.
 * Visits share one page, which keeps what the browser has compiled and downloaded but nothing that the page itself wrote down:
 * opening takes a third of the time. A first visit, whose downloads matter, is `fresh`; so is one to a host that was broken.
 */
export function visits() {
  const visit = { page: undefined, context: undefined, server: undefined, expected: /^$/, open, noticed, sound };
  let browser, shared, own, complaints, addresses;

  before(async () => {
    // As a good host would have it; without, browsers keep no compiled code.
    visit.server = await serve(built, { "cache-control": "max-age=3600" });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    visit.server?.close();
  });
  beforeEach(() => {
    visit.server.answers.clear();
    visit.server.requests.length = 0;
    visit.expected = /^$/;
    complaints = [];
    addresses = [];
  });
  afterEach(async () => {
    await own?.close();
    own = undefined;
    const [said, asked] = [complaints.filter((line) => !visit.expected.test(line)), [...addresses]];
    if (shared) await forget(shared.page);
    assert.deepEqual(said, []);
    for (const address of asked) assert.ok(address.startsWith(visit.server.url) || address.startsWith("blob:"), address);
  });

  async function newPage(options) {
    const context = await browser.newContext({ ...usual, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    watch(page, (line) => complaints.push(line));
    context.on("request", (request) => addresses.push(request.url()));
    return { context, page };
  }

  /** Leaves the page, and nothing behind: what it writes down as it is left, too. */
  async function forget(page) {
    if (page.url().startsWith(visit.server.url)) {
      visit.server.answers.clear();
      await page.goto(`${visit.server.url}icon.svg`);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    }
    await page.goto("about:blank");
  }

  /** `options` as Playwright's new context has them, and `fresh`: with nothing downloaded yet, and the service worker. */
  async function open(name = "", { fresh = false, ...options } = {}) {
    await own?.close();
    own = undefined;
    const { viewport = usual.viewport, colorScheme = usual.colorScheme, ...others } = options;
    if (fresh || visit.server.answers.size > 0 || Object.keys(others).length > 0) {
      ({ context: own, page: visit.page } = await newPage(options));
      visit.context = own;
    } else {
      shared ??= await newPage({ serviceWorkers: "block" });
      ({ context: visit.context, page: visit.page } = shared);
      await forget(visit.page);
      await visit.page.setViewportSize(viewport);
      await visit.page.emulateMedia({ colorScheme });
    }
    complaints = [];
    addresses = [];
    await visit.page.goto(new URL(name, visit.server.url).href, { waitUntil: "domcontentloaded" });
    return visit.page;
  }

  /** What axe finds, in the page. */
  function noticed() {
    return axe(visit.page, axeSource);
  }

  /** Nothing sticks out to the side, in the page's own font. */
  async function sound() {
    const [width, inner] = await visit.page.evaluate(async () => {
      await document.fonts.ready;
      return [document.documentElement.scrollWidth, innerWidth];
    });
    assert.ok(width <= inner, `${width} px wide in ${inner}`);
  }
  return visit;
}
