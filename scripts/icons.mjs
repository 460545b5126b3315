// Draws web/public/icon-*.png from icon.svg, for systems that take no SVG: node scripts/icons.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { inRoot } from "./terminal.mjs";

const svg = readFileSync(inRoot("web/public/icon.svg"), "utf8");
// Systems cut it to a shape of theirs: the ground goes to the edge, the drawing stays within the inner 80 %.
const maskable = svg.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"').replace(/<rect width="32" height="32" rx="7"/, '<rect x="-4" y="-4" width="40" height="40"');

const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, drawing, size] of [["icon-192", svg, 192], ["icon-512", svg, 512], ["icon-maskable", maskable, 512]]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  writeFileSync(inRoot(`web/public/${name}.png`), await page.screenshot({ omitBackground: true }));
}
await browser.close();
