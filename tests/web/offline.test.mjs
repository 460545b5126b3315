// The built pages without a connection: the host is shut down, and visited again.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { createServer } from "vite";
import { assertStill, fromRoot, launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";
import { soon } from "./soon.mjs";
import { missing } from "./visit.mjs";

const built = fromRoot("build/web");
/** Generous: other work may share the machine. */
const patience = 120_000;
const firstLoadLimit = 1e6;

describe("without a connection", { skip: missing }, () => {
  let browser, folder, server, context, page, complaints, expected;
  before(async () => (browser = await launch()));
  after(() => browser?.close());
  beforeEach(async () => {
    expected = /^$/;
    complaints = [];
    folder = mkdtempSync(join(tmpdir(), "softalign-host-"));
    cpSync(built, folder, { recursive: true });
    server = await serve(folder);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(patience);
  });
  afterEach(async () => {
    await context.close();
    server.close();
    rmSync(folder, { recursive: true });
    assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
  });

  async function open(path = "") {
    page = await context.newPage();
    const own = watch(page);
    page.on("close", () => complaints.push(...own));
    await page.goto(`${server.url}${path}`, { waitUntil: "domcontentloaded" });
    return page;
  }

  const note = () => page.locator("footer .offline");
  const installed = () => page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const controlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  const cached = (family) => page.evaluate(async (family) => {
    const all = {};
    for (const name of await caches.keys()) {
      if (name.startsWith(family)) all[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
    }
    return all;
  }, family);

  /** Types an English sentence and waits until the grid has its words. */
  async function translates(text) {
    await page.getByRole("textbox", { name: "English", exact: true }).fill(text);
    await page.waitForFunction((words) => {
      const headers = document.querySelector("attention-figure alignment-grid").shadowRoot.querySelectorAll("[role=columnheader]");
      return headers.length > 0 && words.every((word) => [...headers].some(({ textContent }) => textContent === word));
    }, text.match(/\w+/g));
    return page.locator("translation-text").innerText();
  }

  async function label() {
    await page.getByRole("button", { name: "Label the words" }).click();
    await page.locator("tagger-lab .word-row button").first().waitFor();
  }

  test("before the weights, a first visit downloads less than 1 MB; the rest comes after the first translation, and nothing twice", async (t) => {
    await open();
    await note().waitFor();
    const bytes = (paths) => paths.reduce((sum, path) => sum + statSync(join(folder, path.replace(/\/$/, "/index.html"))).size, 0);
    const asked = server.requests.filter((path) => !path.endsWith(".safetensors"));
    // The reader, below, is the first to come after the translation, or the service worker is.
    const first = asked.slice(0, asked.findIndex((path) => /^\/(sw\.js|assets\/reading-lab-)/.test(path)));
    assert.ok(first.some((path) => path.endsWith(".wasm")) && first.some((path) => path.endsWith(".woff2")), first.join(" "));
    t.diagnostic(`first load before the weights: ${(bytes(first) / 1e3).toFixed(0)} kB, then ${(bytes(asked.slice(first.length)) / 1e3).toFixed(0)} kB`);
    assert.ok(bytes(first) < firstLoadLimit, `${bytes(first)} bytes: ${first.join(" ")}`);
    assert.equal(server.requests.filter((path) => path.endsWith(".safetensors")).length, 1);
    const assets = asked.filter((path) => path.startsWith("/assets/"));
    assert.equal(new Set(assets).size, assets.length, assets.sort().join(" "));
  });

  test("everything is kept but the weights, which the package keeps", async () => {
    await open();
    await note().waitFor();
    const [kept] = Object.values(await cached("softalign-page"));
    const files = readdirSync(folder, { recursive: true }).filter((file) => statSync(join(folder, file)).isFile());
    const expected = files.filter((file) => file !== "sw.js" && !file.endsWith(".safetensors")).map((file) => `${server.url}${file}`);
    assert.deepEqual(kept.sort(), expected.sort());
    await soon.deepEqual(async () => Object.values(await cached("softalign-models")).map((keys) => keys.length), [1]);
  });

  test("the page says so, when it is true, and nothing moves for it", async () => {
    await open("how.html");
    await installed();
    await page.waitForTimeout(300);
    await soon.equal(() => note().count(), 0, "no network is kept yet");
    await context.close();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    let arrive;
    const held = new Promise((resolve) => (arrive = resolve));
    server.answers.set(/sw\.js$/, async (response, path) => {
      await held;
      response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(join(folder, path)));
    });
    await open();
    await page.getByRole("gridcell").first().waitFor();
    const since = await page.evaluate(async () => {
      scrollTo(0, document.documentElement.scrollHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return performance.now();
    });
    await soon.equal(() => note().count(), 0);
    arrive();
    await note().waitFor();
    await page.waitForTimeout(300);
    await soon.match(() => note().innerText(), /without a connection/);
    await assertStill(page, { since });
    await page.close();
  });

  test("every page opens and works, at any of its addresses", async () => {
    await open();
    const online = await page.locator("translation-text").innerText().then(() => translates("Where is my book?"));
    await note().waitFor();
    await page.close();
    await open("uses.html");
    await label();
    await page.close();
    server.close();

    for (const address of ["", "index.html", "?from=home#text=I+am+cold.&model=transformer"]) {
      await open(address);
      await soon.equal(() => translates("Where is my book?"), online);
      await note().waitFor();
      // The font, too, and all that the page names.
      await soon.ok(() => page.evaluate(() => document.fonts.ready.then(() => [...document.fonts].every(({ status }) => status === "loaded"))));
      await page.close();
    }
    await open("uses?a=1");
    await label();
    await page.getByRole("link", { name: "How it works" }).click();
    await page.locator("figure canvas").first().waitFor();
    await page.close();
    const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"));
    assert.ok(pages.length >= 10, pages.join(" "));
    for (const name of pages) {
      await open(name);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const links = await page.locator("link[rel=stylesheet], link[rel=manifest], script[src], meta[name=theme-color]").count();
      assert.ok(links >= 5, `${name} has the manifest, the colours, styles and scripts`);
      await page.waitForLoadState("load");
      await page.close();
    }
  });

  test("a network that was not loaded says that it cannot be downloaded, and the others stay", async () => {
    expected = /Failed to load|ERR_/;
    await open();
    await note().waitFor();
    server.close();
    await page.getByRole("radio", { name: "Additive" }).check({ force: true });
    await soon.match(() => page.getByRole("alert").innerText(), /could not be downloaded/);
    await page.getByRole("radio", { name: "Transformer" }).check({ force: true });
    await translates("We read on.");
    await page.close();
  });

  test("in a folder of a host, it keeps to that folder", async () => {
    const beside = mkdtempSync(join(tmpdir(), "softalign-host-"));
    const elsewhere = await serve(beside);
    try {
      cpSync(built, join(beside, "a/b"), { recursive: true });
      cpSync(built, join(beside, "a/c"), { recursive: true });
      writeFileSync(join(beside, "index.html"), "<!doctype html><title>other</title><link rel=icon href=data:,>");
      cpSync(join(beside, "index.html"), join(beside, "a/b/extra.html"));
      server.close();
      server = elsewhere;
      for (const copy of ["a/b/index.html", "a/c/index.html"]) {
        await open(copy);
        await note().waitFor();
        await page.close();
      }
      await open("index.html");
      await soon.equal(controlled, false);
      // The copies do not delete what the other one keeps; the model is there once for both.
      await soon.equal(async () => Object.keys(await cached("softalign-page")).length, 2);
      await soon.equal(async () => Object.values(await cached("softalign-models"))[0].length, 1);
      // What is not of the page goes to the host, also from within.
      await page.goto(`${server.url}a/b/extra.html`);
      await soon.deepEqual(async () => [await page.title(), await controlled()], ["other", true]);
      await page.close();
      server.close();
      await open("a/b/index.html");
      await translates("I am cold.");
      await page.close();
    } finally {
      elsewhere.close();
      rmSync(beside, { recursive: true });
    }
  });

  /** Another build of the pages: other words, and a worker of another name. The old files are gone. */
  function release() {
    const assets = join(folder, "assets");
    const rename = (old) => {
      const name = old.replace(/-.{8}\.js$/, "-AAAAAAAA.js");
      if (name === old) return;
      renameSync(join(assets, old), join(assets, name));
      for (const file of readdirSync(folder, { recursive: true }).filter((file) => /\.(js|html)$/.test(file))) {
        const text = readFileSync(join(folder, file), "utf8");
        if (!text.includes(old)) continue;
        writeFileSync(join(folder, file), text.replaceAll(old, name));
        if (file.startsWith("assets")) rename(file.slice("assets/".length));
      }
    };
    rename(readdirSync(assets).find((file) => file.startsWith("uses-worker-")));
    const edit = (file, change) => writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
    for (const file of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"))) edit(file, (text) => text.replace("<h1>", "<h1>New: "));
    edit("sw.js", (text) => text.replace(/"version":"\w+"/, '"version":"next"'));
  }

  test("a new build shows at the next visit, leaves open tabs as they are, and takes the place of the old one", async () => {
    await open();
    await note().waitFor();
    await page.close();
    const tab = await open("uses.html");
    await soon.equal(controlled, true);
    const [before] = Object.keys(await cached("softalign-page"));
    release();
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update();
      while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    // This tab asks for its worker now, which the host does not have any more.
    await label();
    await open("how.html");
    await page.getByRole("heading", { name: "New: How it is computed" }).waitFor();
    await soon.equal(async () => Object.keys(await cached("softalign-page")).length, 2);
    await page.close();
    await tab.close();
    // Browsers do not say when they have noticed that no tab is left.
    let versions = [];
    for (let i = 0; i < 20 && (versions.length !== 1 || versions[0] === before); ++i) {
      await open("how.html");
      versions = Object.keys(await cached("softalign-page"));
      await page.close();
    }
    assert.equal(versions.length, 1);
    assert.notEqual(versions[0], before);
    server.close();
    await open("uses.html");
    await page.getByRole("heading", { name: /^New: / }).waitFor();
    await label();
    await page.close();
  });

  test("a host in trouble, or one that does not answer, is as good as none", async () => {
    await open();
    await note().waitFor();
    await page.close();
    for (const answer of [(response) => response.writeHead(503).end("busy"), () => {}]) {
      server.answers.clear();
      server.answers.set(/./, answer);
      await open("?a#b");
      await translates("We read on.");
      await page.close();
    }
  });

  for (const [what, pattern] of [["has no service worker", /sw\.js$/], ["has lost one of the files", /how-worker/]]) {
    test(`where the host ${what}, the page is as it was`, async () => {
      expected = /^Failed to load resource|^A bad HTTP response code \(404\)/; // what the browser says itself
      server.answers.set(pattern, (response) => response.writeHead(404).end());
      await open();
      await translates("Where is my book?");
      await page.waitForFunction(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return !registration?.installing;
      });
      await page.waitForTimeout(500);
      await soon.deepEqual(async () => [await controlled(), await note().count()], [false, 0]);
      await translates("We read on.");
      await page.close();
    });
  }

  test("browsers find it can be installed", async () => {
    await open();
    await installed();
    const devtools = await context.newCDPSession(page);
    const { errors, data } = await devtools.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    await soon.deepEqual(async () => (await devtools.send("Page.getInstallabilityErrors")).installabilityErrors
      .filter(({ errorId }) => errorId !== "in-incognito"), []);
    const { icons } = JSON.parse(data);
    const sizes = await page.evaluate((sources) => Promise.all(sources.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    })), icons.map(({ src }) => src));
    icons.forEach(({ sizes: told }, i) => assert.ok(told === "any" || told === sizes[i], `${told} is ${sizes[i]}`));
    // The colours around the page are those of its ground.
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      const [told, ground] = await page.evaluate(() => {
        const drawn = (colour) => {
          const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data].join();
        };
        const meta = [...document.querySelectorAll("meta[name=theme-color]")].find(({ media }) => matchMedia(media).matches);
        return [drawn(meta.content), drawn(getComputedStyle(document.documentElement).backgroundColor)];
      });
      assert.equal(told, ground, scheme);
    }
    await page.close();
  });

  test("while developing there is none of it", async () => {
    const vite = await createServer({ configFile: fromRoot("web/vite.config.ts"), server: { middlewareMode: true, watch: null }, logLevel: "silent" });
    try {
      const html = await vite.transformIndexHtml("/index.html", readFileSync(fromRoot("web/index.html"), "utf8"));
      assert.match(html, /src\/main\.ts/);
      assert.doesNotMatch(html, /offline|webmanifest/);
    } finally {
      await vite.close();
    }
  });
});
