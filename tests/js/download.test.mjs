import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { CreateMonitor } from "../../dist/create-monitor.js";
import { download } from "../../dist/download.js";

const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));

// Gzip makes it longer, so that the length of what is sent is no length of what arrives.
const noise = randomBytes(1000);

const routes = {
  "/whole": (response) => response.writeHead(200, { "content-length": body.length }).end(body),
  "/unsized": (response) => response.writeHead(200).end(body),
  "/gzip": (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body)),
  "/noise": (response) => {
    const sent = gzipSync(noise);
    response.writeHead(200, { "content-encoding": "gzip", "content-length": sent.length }).end(sent);
  },
  "/missing": (response) => response.writeHead(404).end("no"),
  "/broken": (response) => response.writeHead(500).end("no"),
  "/cut": (response) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 1000), () => response.destroy());
  },
  "/slow": (response) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 1000));
  },
};

// Routes that break off once, and what comes then.
const cut = (response, headers) => {
  response.writeHead(200, { "content-length": body.length, ...headers });
  response.write(body.subarray(0, 100_000), () => response.destroy());
};
const rest = (response, { range }) => {
  const from = Number(/^bytes=(\d+)-$/.exec(range)[1]);
  response.writeHead(206, { "content-range": `bytes ${from}-${body.length - 1}/${body.length}`, "content-length": body.length - from });
  response.end(body.subarray(from));
};
const other = Buffer.from(body).reverse();
Object.assign(routes, {
  "/resumed": [(response) => cut(response, { etag: '"1"' }), rest],
  "/resumed-twice": [
    (response) => cut(response, { etag: '"1"' }),
    (response, { range }) => {
      const from = Number(/^bytes=(\d+)-$/.exec(range)[1]);
      response.writeHead(206, { "content-range": `bytes ${from}-${body.length - 1}/${body.length}`, "content-length": body.length - from });
      response.write(body.subarray(from, from + 50_000), () => response.destroy());
    },
    rest,
  ],
  "/replaced": [(response) => cut(response, { etag: '"1"' }), (response) => response.writeHead(200, { etag: '"2"' }).end(other)],
  "/nameless": [(response) => cut(response, {}), routes["/whole"]],
  "/weak": [(response) => cut(response, { etag: 'W/"1"' }), routes["/whole"]],
  "/compressed": [
    (response) => {
      response.writeHead(200, { etag: '"1"', "content-encoding": "gzip" });
      response.write(gzipSync(body).subarray(0, 1000), () => response.destroy());
    },
    routes["/gzip"],
  ],
  "/elsewhere": [
    (response) => cut(response, { etag: '"1"' }),
    (response) => response.writeHead(206, { "content-range": `bytes 7-${body.length - 1}/${body.length}` }).end(body.subarray(7)),
    routes["/whole"],
  ],
  "/silent": [(response) => cut(response, { etag: '"1"' }), (response) => response.destroy(), rest],
  "/forbidding": [
    (response) => cut(response, { etag: '"1"' }),
    (response) => response.destroy(),
    (response) => response.destroy(),
    routes["/whole"],
  ],
  "/deaf": (response) => response.destroy(),
  "/over": [
    (response) => {
      response.writeHead(200, { etag: '"1"' });
      response.write(body, () => response.destroy());
    },
    (response) => response.writeHead(416, { "content-range": `bytes */${body.length}` }).end(),
    routes["/whole"],
  ],
  "/withdrawn": [(response) => cut(response, { etag: '"1"' }), routes["/missing"]],
});

let server;
let base;
let asked = [];
before(async () => {
  server = createServer((request, response) => {
    const { url: path, headers } = request;
    const route = routes[path];
    const answer = Array.isArray(route) ? route[asked.filter((each) => each.path === path).length] : route;
    asked.push({ path, range: headers.range, version: headers["if-range"] });
    answer(response, headers);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
});

const url = (path) => new URL(path, base);

describe("download", () => {
  for (const path of ["/whole", "/unsized", "/gzip"]) {
    test(`brings all bytes: ${path}`, async () => {
      assert.deepEqual(Buffer.from(await download(url(path))), body);
    });
  }

  test("is not misled by the length of compressed bytes", async () => {
    assert.deepEqual(Buffer.from(await download(url("/noise"))), noise);
  });

  test("nor where the encoding is hidden, as it is of other origins, but the size is known", async (t) => {
    t.mock.method(globalThis, "fetch", async () => new Response(noise, { headers: { "content-length": "1023" } }));
    assert.deepEqual(Buffer.from(await download(url("/noise"), { size: noise.length })), noise);
  });

  test("tells its progress and leaves the end to its caller", async () => {
    const seen = [];
    await download(url("/whole"), { onProgress: (fraction) => seen.push(fraction) });
    assert.ok(seen.length > 0);
    assert.deepEqual(seen, seen.slice().sort((a, b) => a - b));
    assert.ok(seen.every((fraction) => fraction > 0 && fraction < 1));
  });

  test("takes the length from who knows it, if the server does not say", async () => {
    for (const path of ["/unsized", "/gzip"]) {
      const seen = [];
      await download(url(path), { size: 2 * body.length, onProgress: (fraction) => seen.push(fraction) });
      assert.equal(seen.at(-1), 0.5, path);
    }
    const seen = [];
    await download(url("/unsized"), { size: 1000, onProgress: (fraction) => seen.push(fraction) });
    assert.deepEqual(seen, [], "more than expected is no part");
  });

  test("rejects with what its listener throws, at once", async () => {
    const thrown = new RangeError("mine");
    const onProgress = () => {
      throw thrown;
    };
    await assert.rejects(download(url("/whole"), { onProgress }), (error) => error === thrown);
    assert.equal(asked.length, 1);
  });

  test("names address and status when the server refuses", async () => {
    await assert.rejects(download(url("/missing")), { code: "network", message: `could not download ${base}/missing: 404 Not Found` });
    await assert.rejects(download(url("/broken")), { code: "network", message: /\/broken: 500 Internal Server Error$/ });
  });

  test("names the address when nobody answers", async () => {
    const closed = createServer();
    await new Promise((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${closed.address().port}/model`;
    await new Promise((resolve) => closed.close(resolve));
    await assert.rejects(download(new URL(address)), (error) => {
      assert.equal(error.code, "network");
      assert.ok(error.message.includes(address), error.message);
      assert.match(error.message, /ECONNREFUSED/);
      return true;
    });
  });

  test("does not take a part for the whole", async () => {
    await assert.rejects(download(url("/cut")), { code: "network", message: /\/cut: / });
  });

  test("does not trust a fetch that ends early without a word", async (t) => {
    t.mock.method(globalThis, "fetch", async () => new Response(body.subarray(0, 1000), { headers: { "content-length": "2000" } }));
    await assert.rejects(download(url("/whole")), { code: "network", message: /after 1000 of 2000 bytes$/ });
  });

  test("stops when aborted, with the reason as it was given", async () => {
    const controller = new AbortController();
    const reason = { why: "changed my mind" };
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(download(url("/slow"), { signal: controller.signal }), (error) => error === reason);
    await assert.rejects(download(url("/whole"), { signal: controller.signal }), (error) => error === reason);
  });

  test("reads files, and says which one it cannot read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "softalign-"));
    try {
      await writeFile(join(folder, "model"), body);
      assert.deepEqual(Buffer.from(await download(pathToFileURL(join(folder, "model")))), body);
      await assert.rejects(download(pathToFileURL(join(folder, "none"))), { code: "unavailable", message: /none: ENOENT/ });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a connection that breaks", () => {
  const ranges = () => asked.map(({ range }) => range && Number(/^bytes=(\d+)-$/.exec(range)[1]));

  for (const [path, tries] of [["/resumed", 2], ["/resumed-twice", 3], ["/silent", 3]]) {
    test(`is taken up where it broke, if the server can: ${path}`, async () => {
      const seen = [];
      assert.deepEqual(Buffer.from(await download(url(path), { onProgress: (fraction) => seen.push(fraction) })), body);
      assert.equal(asked.length, tries);
      assert.equal(ranges()[0], undefined);
      for (const [i, { version }] of asked.entries()) assert.equal(version, i ? '"1"' : undefined);
      for (const [i, from] of ranges().entries()) assert.ok(i === 0 || from > 0, String(ranges()));
      assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
    });
  }

  for (const path of ["/nameless", "/weak", "/compressed"]) {
    test(`is begun anew, if the server cannot: ${path}`, async () => {
      const seen = [];
      const options = { size: body.length, onProgress: (fraction) => seen.push(fraction) };
      assert.deepEqual(Buffer.from(await download(url(path), options)), body);
      assert.deepEqual(ranges(), [undefined, undefined]);
      assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b), "progress does not go back");
    });
  }

  test("is begun anew if the file has changed, or another part than asked for comes", async () => {
    assert.deepEqual(Buffer.from(await download(url("/replaced"))), other);
    assert.equal(asked.length, 2);
    asked = [];
    assert.deepEqual(Buffer.from(await download(url("/elsewhere"))), body);
    assert.equal(ranges()[2], undefined);
  });

  test("is begun anew if it broke after the last byte, of which there is no rest", async () => {
    assert.deepEqual(Buffer.from(await download(url("/over"))), body);
    assert.deepEqual(ranges(), [undefined, body.length, undefined]);
  });

  test("is begun anew the last time, whatever the server said it could", async () => {
    assert.deepEqual(Buffer.from(await download(url("/forbidding"))), body);
    assert.deepEqual(ranges().map((from) => from !== undefined), [false, true, true, false]);
  });

  test("is given up after three more tries", async () => {
    await assert.rejects(download(url("/cut")), { code: "network", message: /\/cut: / });
    assert.equal(asked.length, 4);
  });

  test("is not taken up when the server refuses, nor what did not even begin", async () => {
    await assert.rejects(download(url("/withdrawn")), { code: "network", message: /404/ });
    assert.equal(asked.length, 2);
    for (const path of ["/missing", "/deaf"]) {
      asked = [];
      await assert.rejects(download(url(path)), { code: "network" });
      assert.equal(asked.length, 1);
    }
  });

  test("can be aborted in the pause before the next try", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 100);
    await assert.rejects(download(url("/cut"), { signal: controller.signal }), (reason) => reason === "enough");
    assert.equal(asked.length, 1);
  });
});

describe("the monitor", () => {
  test("tells rising steps of 1/65536, each once", () => {
    const monitor = new CreateMonitor();
    const seen = [];
    monitor.addEventListener("downloadprogress", ({ loaded, total, lengthComputable }) => {
      assert.equal(total, 1);
      assert.equal(lengthComputable, true);
      seen.push(loaded);
    });
    for (const fraction of [0, 0, 0.000001, 1 / 3, 1 / 3, 0.2, 0.99999999, 1, 1]) monitor.report(fraction);
    assert.deepEqual(seen, [0, 21845 / 65536, 65535 / 65536, 1]);
  });

  test("tells nothing once closed", () => {
    const monitor = new CreateMonitor();
    const seen = [];
    monitor.ondownloadprogress = ({ loaded }) => seen.push(loaded);
    monitor.report(0.5);
    monitor.close();
    monitor.report(1);
    assert.deepEqual(seen, [0.5]);
  });
});
