// What tests of the built pages share: a browser, a host whose answers can be broken, a visitor.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach } from "node:test";
import { axe, fromRoot, launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";

const built = fromRoot("build/web");
const axeSource = readFileSync(fromRoot("node_modules/axe-core/axe.min.js"), "utf8");
/** Generous: other work may share the machine. */
const patience = 120_000;

/** For `describe`: why its tests cannot run, or false. */
export const missing = existsSync(`${built}/index.html`) ? false : "build/web is missing: npm run build";

/** Inside a `describe`. Every test starts with a sound host; at its end nothing but `expected` may have been complained of. */
export function visits() {
  const visit = { page: undefined, context: undefined, server: undefined, expected: /^$/, open, noticed, sound };
  let browser;
  let complaints = [];
  let addresses = [];

  before(async () => {
    visit.server = await serve(built);
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
  });
  afterEach(async () => {
    await visit.context?.close();
    assert.deepEqual(complaints.filter((line) => !visit.expected.test(line)), []);
    for (const address of addresses) assert.ok(address.startsWith(visit.server.url) || address.startsWith("blob:"), address);
  });

  async function open(name, options = {}) {
    await visit.context?.close();
    visit.context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    visit.page = await visit.context.newPage();
    visit.page.setDefaultTimeout(patience);
    complaints = watch(visit.page);
    addresses = [];
    visit.context.on("request", (request) => addresses.push(request.url()));
    await visit.page.goto(`${visit.server.url}${name}`, { waitUntil: "domcontentloaded" });
    return visit.page;
  }

  /** What axe finds, in a page that was opened with `bypassCSP`. */
  function noticed() {
    return axe(visit.page, axeSource);
  }

  /** Nothing sticks out to the side. */
  async function sound() {
    const [width, inner] = await visit.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(width <= inner, `${width} px wide in ${inner}`);
  }
  return visit;
}
