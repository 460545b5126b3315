import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { CreateMonitor, download } from "../../dist/download.js";

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

let server;
let base;
before(async () => {
  server = createServer((request, response) => routes[request.url](response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
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

  test("tells its progress and leaves the end to its caller", async () => {
    const seen = [];
    await download(url("/whole"), { onProgress: (fraction) => seen.push(fraction) });
    assert.ok(seen.length > 0);
    assert.deepEqual(seen, seen.slice().sort((a, b) => a - b));
    assert.ok(seen.every((fraction) => fraction > 0 && fraction < 1));
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
