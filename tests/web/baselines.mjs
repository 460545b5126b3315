// Pictures of the key views, and what makes two of them alike. Alone, it renews the reviewed ones: node tests/web/baselines.mjs [NAME...]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { PNG } from "pngjs";
import { fromRoot, launch } from "./browser.mjs";
import { serve } from "./server.mjs";

export const folder = fromRoot("tests/web/baselines/");

const drawn = (page) => page.locator("attention-figure").getByRole("gridcell").first().waitFor();
const phone = { viewport: { width: 400, height: 800 } };

/** Nothing here is measured: costs are, but only when someone asks for them. */
export const views = {
  "grid-light": { shown: drawn },
  "grid-dark": { options: { colorScheme: "dark" }, shown: drawn },
  "grid-phone": { options: phone, shown: drawn },
  threads: { address: "#picture=threads", shown: (page) => page.locator("attention-figure").getByRole("option").first().waitFor() },
  uses: {
    address: "uses.html",
    async shown(page) {
      for (const [use, button] of [["tagger", "Label the words"], ["sentiment", "Judge it"], ["masked", "Show its words"]]) {
        await page.getByRole("button", { name: button }).click();
        await page.locator(`${use}-lab .word-row button`).first().waitFor();
      }
      await page.mouse.move(0, 0);
    },
  },
  how: { address: "how.html", shown: (page) => page.locator("figure").nth(4).waitFor() },
};

/** One pixel of a baseline for so many of the page's in both directions: how a browser smooths its letters is then lost. */
const scale = 4;

/** A picture of the whole page, scaled down. `edit` may change the page before. */
export async function take(browser, url, { address = "", options, shown }, edit = async () => {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", serviceWorkers: "block", ...options,
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${url}${address}`, { waitUntil: "load" });
    await shown(page);
    // Typed and chosen things are seen without the outline of who has the focus.
    await page.evaluate(() => document.fonts.ready.then(() => document.activeElement?.blur()));
    await edit(page);
    const picture = await page.screenshot({ fullPage: true, animations: "disabled" });
    return smaller(PNG.sync.read(picture));
  } finally {
    await context.close();
  }
}

function smaller({ width, height, data }) {
  const small = new PNG({ width: Math.floor(width / scale), height: Math.floor(height / scale) });
  for (let y = 0; y < small.height; ++y) {
    for (let x = 0; x < small.width; ++x) {
      for (let c = 0; c < 4; ++c) {
        let sum = 0;
        for (let dy = 0; dy < scale; ++dy) for (let dx = 0; dx < scale; ++dx) sum += data[4 * ((scale * y + dy) * width + scale * x + dx) + c];
        // Few shades make small files, and the comparison does not see the difference.
        small.data[4 * (y * small.width + x) + c] = c === 3 ? 255 : Math.min(255, 8 * Math.round(sum / scale ** 2 / 8));
      }
    }
  }
  return small;
}

/** Compared are the mean colours of tiles of this many pixels: they notice that a line of text is gone, not that it moved a little. */
const tile = 12;
/** How different they may be, out of 255. */
const tolerated = 10;
/** How many of its pixels a picture may be longer or shorter. */
const lengthTolerated = 3;

/** The largest difference, and in words if it is too large; `diff` shows where: the darker, the more. */
export function difference(actual, baseline) {
  if (actual.width !== baseline.width || Math.abs(actual.height - baseline.height) > lengthTolerated) {
    const size = ({ width, height }) => `${scale * width} x ${scale * height}`;
    return { text: `it is ${size(actual)}, the baseline ${size(baseline)}`, worst: 255, diff: actual };
  }
  const { width } = actual;
  const height = Math.min(actual.height, baseline.height);
  const diff = new PNG({ width, height });
  let worst = 0;
  let text;
  for (let top = 0; top < height; top += tile) {
    for (let left = 0; left < width; left += tile) {
      const [bottom, right] = [Math.min(top + tile, height), Math.min(left + tile, width)];
      const sums = [0, 0, 0];
      for (let y = top; y < bottom; ++y) {
        for (let i = 4 * (y * width + left); i < 4 * (y * width + right); i += 4) {
          for (let c = 0; c < 3; ++c) sums[c] += actual.data[i + c] - baseline.data[i + c];
        }
      }
      const most = Math.max(...sums.map(Math.abs)) / ((bottom - top) * (right - left));
      for (let y = top; y < bottom; ++y) {
        diff.data.fill(255 - Math.min(255, 8 * most), 4 * (y * width + left), 4 * (y * width + right));
        for (let x = left; x < right; ++x) diff.data[4 * (y * width + x) + 3] = 255;
      }
      if (most <= worst) continue;
      worst = most;
      if (most > tolerated) text = `it differs by ${most.toFixed(0)} of 255 at ${scale * left} px from the left, ${scale * top} px from the top`;
    }
  }
  return { text, worst, diff };
}

export const baselineOf = (name) => PNG.sync.read(readFileSync(`${folder}${name}.png`));
export const bytesOf = (picture) => PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 });

/** Serves the built pages with a font that is waited for: else a slow machine shows another one, now and then. */
export async function host() {
  const built = fromRoot("build/web");
  const server = await serve(built);
  server.answers.set(/\.css$/, (response, path) => {
    response.writeHead(200, { "content-type": "text/css" });
    response.end(readFileSync(`${built}${path}`, "utf8").replaceAll(/font-display: ?optional/g, "font-display:block"));
  });
  return server;
}

if (process.argv[1] === fromRoot("tests/web/baselines.mjs")) {
  const wanted = process.argv.slice(2);
  const server = await host();
  const browser = await launch();
  mkdirSync(folder, { recursive: true });
  for (const [name, view] of Object.entries(views)) {
    if (wanted.length === 0 || wanted.includes(name)) writeFileSync(`${folder}${name}.png`, bytesOf(await take(browser, server.url, view)));
  }
  await browser.close();
  server.close();
}
