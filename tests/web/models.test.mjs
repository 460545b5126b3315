// Models that a page fetches from a host of their own, keeps, and has offline afterwards: in Chromium, bundled by Vite.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { hosted, Installed } from "../package/installed.mjs";
import { launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";

const fileOf = (path) => readFileSync(new URL(path.replace("/models/", ""), hosted));
const dot = fileOf("en-fr-dot.safetensors");

describe("models of a page", () => {
  let installed, browser, out, server, host, context, page, complaints, expected, asked, answer;

  before(async () => {
    installed = await Installed.install();
    const folder = installed.path("models");
    out = join(folder, "out");
    mkdirSync(folder);
    writeFileSync(join(folder, "index.html"), '<!doctype html><title></title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>');
    writeFileSync(join(folder, "main.js"), `
      import { Translator } from "softalign";
      import * as models from "softalign/models";
      globalThis.softalign = { Translator, ...models };
    `);
    await build({ root: folder, configFile: false, logLevel: "warn", build: { outDir: out, assetsInlineLimit: 0, target: "es2022" } });
    server = await serve(out);
    host = createServer((request, response) => {
      asked.push(request);
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("cache-control", "no-store"); // Chromium's own cache takes broken connections up, too
      answer(response, request);
    });
    await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.close();
    host?.closeAllConnections();
    host?.close();
    await installed?.remove();
  });
  beforeEach(async () => {
    asked = [];
    answer = whole;
    expected = /^$/;
    server.answers.clear();
    server.requests.length = 0;
    context = await browser.newContext();
    page = await context.newPage();
    complaints = watch(page);
    await open();
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
  });

  const whole = (response, { url }) => {
    const bytes = fileOf(url);
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  };
  const base = () => `http://127.0.0.1:${host.address().port}/models/`;

  async function open(address = server.url) {
    await page.goto(address);
    await page.waitForFunction(() => globalThis.softalign);
  }

  /** What a translation says, or the error. */
  const translate = (options) =>
    page.evaluate(async ({ base, ...options }) => {
      globalThis.softalign.setModelBase(base);
      const translator = await globalThis.softalign.Translator.create({ sourceLanguage: "en", targetLanguage: "fr", ...options });
      const translation = await translator.translate("I am cold.");
      translator.destroy();
      return translation;
    }, options).catch(({ message }) => message);

  const availability = () => page.evaluate(() => globalThis.softalign.Translator.availability({ sourceLanguage: "en", targetLanguage: "fr" }));
  const dotIs = () => page.evaluate(async () => {
    const { availability, cached } = (await globalThis.softalign.listModels()).find(({ id }) => id === "en-fr-dot");
    return [availability, cached];
  });
  const keptModels = () => page.evaluate(async () => (await (await caches.open("softalign-models")).keys()).map(({ url }) => url));

  test("come from another origin, once, and are there offline afterwards", async () => {
    assert.deepEqual(await dotIs(), ["downloadable", false]);
    assert.match(await translate({ model: "en-fr-dot", base: base() }), /froid/);
    assert.equal(asked.length, 1);
    assert.deepEqual(await dotIs(), ["available", true]);
    answer = (response) => response.destroy();
    await open();
    assert.match(await translate({ model: "en-fr-dot" }), /froid/, "and nobody needs to know where they were");
    assert.equal(asked.length, 1);
  });

  test("that the package carries are kept, too", async () => {
    assert.equal(await availability(), "downloadable");
    const first = await translate({});
    assert.match(first, /froid/);
    assert.equal(await availability(), "available");
    server.answers.set(/safetensors$/, (response) => response.destroy());
    await open();
    assert.equal(await availability(), "available");
    assert.equal(await translate({}), first);
    assert.equal(server.requests.filter((path) => path.endsWith(".safetensors")).length, 1);
  });

  test("that the package carries come from the base, too, if there is one", async () => {
    assert.match(await translate({ base: base() }), /froid/);
    assert.deepEqual(asked.map(({ url }) => url), ["/models/en-fr-transformer.safetensors"]);
    assert.deepEqual(server.requests.filter((path) => path.endsWith(".safetensors")), []);
  });

  test("are fetched anew if what was kept is damaged", async () => {
    await translate({ model: "en-fr-dot", base: base() });
    await page.evaluate(async () => {
      const cache = await caches.open("softalign-models");
      for (const request of await cache.keys()) await cache.put(request, new Response("damaged"));
    });
    assert.match(await translate({ model: "en-fr-dot", base: base() }), /froid/);
    assert.equal(asked.length, 2);
    assert.match(await translate({ model: "en-fr-dot", base: base() }), /froid/);
    assert.equal(asked.length, 2);
  });

  test("are fetched once for two", async () => {
    const two = await Promise.all([translate({ model: "en-fr-dot", base: base() }), translate({ model: "en-fr-dot", base: base() })]);
    for (const translation of two) assert.match(translation, /froid/);
    assert.equal(asked.length, 1);
  });

  test("are taken up where the connection broke if the host lets pages see how, else begun anew", async () => {
    expected = /ERR_|Failed to load/;
    for (const open of [true, false]) {
      asked = [];
      await page.evaluate(() => globalThis.softalign.deleteAllModels());
      answer = (response, { method, headers }) => {
        if (open) {
          response.setHeader("access-control-expose-headers", "etag, content-range");
          response.setHeader("access-control-allow-headers", "range, if-range");
        }
        if (method === "OPTIONS") return response.writeHead(204).end();
        const from = Number(headers.range?.match(/\d+/)[0] ?? 0);
        const range = { "content-range": `bytes ${from}-${dot.length - 1}/${dot.length}` };
        response.writeHead(from ? 206 : 200, { "content-length": dot.length - from, etag: '"1"', ...(from && range) });
        const gets = asked.filter((request) => request.method === "GET").length;
        if (gets > 1) response.end(dot.subarray(from));
        // The bytes first, or the browser reports the end before it hands them on.
        else response.write(dot.subarray(0, 1_000_000), () => setTimeout(() => response.destroy(), 300));
      };
      assert.match(await translate({ model: "en-fr-dot", base: base() }), /froid/);
      const ranges = asked.filter(({ method }) => method === "GET").map(({ headers }) => headers.range !== undefined);
      assert.deepEqual(ranges, [false, open]);
    }
  });

  test("that are aborted or wrong are not kept", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-length": dot.length });
      response.write(dot.subarray(0, 1_000_000));
    };
    const aborted = await page.evaluate(async (base) => {
      globalThis.softalign.setModelBase(base);
      const controller = new AbortController();
      const onProgress = () => controller.abort("enough");
      return globalThis.softalign.prefetchModel("en-fr-dot", { signal: controller.signal, onProgress }).catch((reason) => reason);
    }, base());
    assert.equal(aborted, "enough");
    answer = (response) => response.end(Buffer.from(dot).reverse());
    assert.match(await translate({ model: "en-fr-dot", base: base() }), /en-fr-dot\.safetensors is not model en-fr-dot: its SHA-256 is/);
    assert.deepEqual(await keptModels(), []);
  });

  test("can be fetched ahead and deleted", async () => {
    const seen = await page.evaluate(async (base) => {
      globalThis.softalign.setModelBase(base);
      const seen = [];
      await globalThis.softalign.prefetchModel("en-fr-dot", { onProgress: (fraction) => seen.push(fraction) });
      return seen;
    }, base());
    assert.equal(seen.at(-1), 1);
    assert.equal((await keptModels()).length, 1);
    assert.equal(await page.evaluate(() => globalThis.softalign.deleteModel("en-fr-dot")), true);
    assert.deepEqual([await keptModels(), await dotIs()], [[], ["downloadable", false]]);
    await page.evaluate(() => globalThis.softalign.deleteAllModels());
    assert.equal(await page.evaluate(() => caches.has("softalign-models")), false);
  });

  test("that nobody said the place of say so", async () => {
    expected = /404/;
    assert.match(await translate({ model: "en-fr-dot" }), /model en-fr-dot is not in the package: .*setModelBase/);
  });

  test("work where nothing can be kept or hashed: on a page without HTTPS", async () => {
    await page.route("http://plain.example/**", (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith("/models/")) asked.push(pathname);
      const own = join(out, pathname === "/" ? "index.html" : pathname);
      return route.fulfill({ path: pathname.startsWith("/models/") ? fileURLToPath(new URL(pathname.slice(8), hosted)) : own });
    });
    await open("http://plain.example/");
    assert.deepEqual(await page.evaluate(() => [isSecureContext, "caches" in globalThis, crypto.subtle]), [false, false, undefined]);
    for (let i = 0; i < 2; ++i) assert.match(await translate({ model: "en-fr-dot", base: "/models" }), /froid/);
    assert.equal(asked.length, 2);
    assert.deepEqual(await dotIs(), ["downloadable", false]);
    const refused = await page.evaluate(() => globalThis.softalign.prefetchModel("en-fr-dot").catch(({ message }) => message));
    assert.match(refused, /cannot keep it/);
  });
});
