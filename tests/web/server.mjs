// Serves a built folder on 127.0.0.1, as a plain web host would, and lets a test break what it serves.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".png": "image/png", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
};

/**
 * @param {string} folder
 * @param {Record<string, string>} headers of every file that is there
 * @returns {Promise<{ url: string, answers: Map<RegExp, (response: import("node:http").ServerResponse, path: string) => void>,
 *   requests: string[], close(): void }>} `answers` are tried first, by path.
 */
export async function serve(folder, headers = {}) {
  const answers = new Map();
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    requests.push(path);
    for (const [pattern, answer] of answers) if (pattern.test(path)) return answer(response, path);
    const file = join(folder, normalize(path.replace(/\/$/, "/index.html")));
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": stat.size,
      ...headers,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    answers,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
