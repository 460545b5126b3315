// Sets up, builds and serves the page, to this machine only: npm start [-- --port=N]
import { buildAll } from "./build.mjs";
import { setUp } from "./setup.mjs";
import { inRoot, main, stage, Stop } from "./terminal.mjs";

function wantedPort() {
  const given = process.argv.slice(2);
  if (given.length === 0) return undefined;
  const port = Number(given[0].match(/^--port=(\d+)$/)?.[1]);
  if (given.length > 1 || !(port > 0 && port < 65536)) throw new Stop(`unknown: ${given.join(" ")}; expected --port=NUMBER`);
  return port;
}

await main(async () => {
  const port = wantedPort();
  await stage("Setting up", () => setUp());
  await buildAll();

  const { preview } = await import("vite"); // here, because setting up installs it
  const server = await preview({
    configFile: inRoot("web/vite.config.ts"),
    logLevel: "warn",
    // Without a wish the next free port will do.
    preview: { host: "127.0.0.1", port: port ?? 4173, strictPort: port !== undefined, open: false },
  });
  console.log(`\nThe page is at ${server.resolvedUrls.local[0]} (Ctrl+C stops)`);
});
