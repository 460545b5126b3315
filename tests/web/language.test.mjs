// The French pages, driven as a visitor would, and what both languages say.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { createServer } from "vite";
import { artifacts, assertStill, fromRoot } from "./browser.mjs";
import { importFixture } from "./build.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

// Numbers are those of a French page.
globalThis.document = { documentElement: { lang: "fr" } };
const { english, french } = await importFixture("language");
delete globalThis.document;
const names = ["index", "align", "yours", "uses", "how"];
/** How many scripts with words a page has: those of all pages, its own, and one part with much to say. */
const scriptsOf = (name) => (name === "how" ? 3 : 2);
const built = fromRoot("build/web");

/** What stands between the words that a saying is given. */
const kGiven = "\u2603";

/** All sayings as [place, text]; functions are asked for theirs. */
function sayings(words, place = "") {
  if (typeof words === "string") return [[place, words]];
  if (typeof words === "function") {
    for (const given of [kGiven, 2]) {
      try {
        return sayings(words(...Array(6).fill(given)), place);
      } catch {
        // It takes something else.
      }
    }
    return [];
  }
  return Object.entries(words ?? {}).flatMap(([key, each]) => sayings(each, place ? `${place}.${key}` : key));
}

const ours = sayings(french);
const theirs = sayings(english);

test("French says all that English says, but for what it may leave out", () => {
  const places = (all) => [...new Set(all.map(([place]) => place))].sort();
  assert.deepEqual(places(ours), places(theirs));
  assert.ok(theirs.length > 400, String(theirs.length));
  for (const [place, text] of ours) assert.ok(text.trim() !== "" || /nothing$|before$|after$/.test(place), place);
});

test("French is set as French is: no-break spaces, guillemets, apostrophes", () => {
  for (const [place, text] of ours) {
    assert.doesNotMatch(text, / [;?!%»]| :(?= |$)|« /, `${place}: an ordinary space in ${text}`);
    assert.doesNotMatch(text.replace(/<[^>]*>|&nbsp;/g, ""), /\p{L}'\p{L}|[“”"]|\p{L}[;?!»]|[\p{L}»]:(?=\s|$)|«\S/u, `${place}: ${text}`);
  }
});

describe("in French", { skip: missing }, () => {
  const visit = visits();
  const { open } = visit;

  /** Every text and every name that the page has for people, of its own language. */
  const said = () => visit.page.evaluate(() => {
    const texts = [document.title, document.querySelector("meta[name=description]").content];
    const take = (node) => {
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.lang === "en" || node.matches("script, style, textarea")) return;
        for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"]) texts.push(node.getAttribute(name) ?? "");
        texts.push(node.ariaLabel ?? "");
        if (node.shadowRoot) take(node.shadowRoot);
      }
      for (const child of node.childNodes) take(child);
    };
    take(document.body);
    return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
  });

  const plain = (text) => text.replace(/<[^>]*>/g, "").replaceAll("&nbsp;", " ").replace(/\s+/g, " ").trim();
  const known = new Set(ours.map(([, text]) => plain(text)));
  const onlyEnglish = theirs.map(([, text]) => plain(text)).filter((text) => !known.has(text));
  const whole = new Set(onlyEnglish);
  /** What is long enough to be English and nothing else. */
  const parts = [...new Set(onlyEnglish.flatMap((text) => text.split(kGiven)).map((text) => text.trim()).filter((text) => /\w+\W+\w+/.test(text) && text.length > 8))];

  async function speaksFrench(what) {
    await soon.equal(() => visit.page.evaluate(() => document.documentElement.lang), "fr");
    const texts = await said();
    assert.ok(texts.length > 20);
    const wrong = texts.filter((text) => whole.has(text) || parts.some((part) => text.includes(part)));
    assert.deepEqual([...new Set(wrong)], [], what);
    await visit.sound();
  }

  const cell = (name) => visit.page.locator("attention-figure").getByRole("gridcell", { name }).first();

  test("the first page: all of it, in each of its states", async () => {
    const page = await open("fr/", { fresh: true });
    await cell(/^cold vers /).waitFor();
    await speaksFrench("at first");
    await soon.match(() => page.locator("footer .offline").innerText(), /hors connexion/);
    await page.locator("view-options summary").click();
    await page.getByRole("checkbox", { name: "Sommes des lignes et des colonnes" }).check();
    await page.getByRole("radio", { name: "Liens nets" }).check({ force: true });
    await page.getByRole("radio", { name: "Anglais trié" }).check({ force: true });
    await page.getByRole("checkbox", { name: "Nos propres liens" }).check();
    await cell(/^cold vers froid, \d,\d\d, relié, lien sûr$/).hover();
    await speaksFrench("view");
    await page.getByRole("button", { name: "Modifier l’attention" }).click();
    await cell(/^home vers froid/).click();
    await page.getByText("Avec vos changements").first().waitFor();
    await cell(/1,00.*modifié$/).waitFor();
    await speaksFrench("changed");
    await page.locator("all-heads summary").click();
    await page.getByRole("radio", { name: "Tête 1, couche 2, celle de l’alignement" }).waitFor();
    await speaksFrench("heads");
    await page.getByRole("radio", { name: "Fils" }).check({ force: true });
    await page.locator("attention-figure alignment-threads").getByRole("option", { name: /^cold\s: / }).hover();
    await page.getByRole("button", { name: "Lire" }).click();
    await page.locator("reading-lab").getByRole("gridcell", { name: /^FBI vers is, \d,\d\d$/ }).hover();
    await speaksFrench("threads, reader");
    await page.getByRole("button", { name: "SVG" }).first().click();
    await page.getByText("Fichier enregistré.").waitFor();
    await page.getByRole("radio", { name: "Aucune" }).check({ force: true });
    await page.getByRole("heading", { name: "Sans attention, il n’y a pas d’alignement à dessiner" }).waitFor();
    await page.getByText("Les chiffres").click();
    await page.getByRole("cell", { name: "36,9" }).waitFor();
    await page.locator("#english").fill("I am cold. I am hungry.");
    await page.getByText("Phrase 2 sur 2").waitFor();
    await speaksFrench("none");
  });

  test("two texts of one's own", async () => {
    const page = await open("fr/align.html");
    await page.getByText(/^Le plus surprenant\s: verte, avec 1\d,\d\sbits \(1 chance sur \d+\s\d{3}\)\. Le réseau attendait «\srouge\s»\./).waitFor();
    await page.locator("#words button").nth(3).hover();
    await speaksFrench("aligned");
    await page.locator("source-text.target textarea").fill("");
    await page.getByText("Écrivez ou collez un texte français").waitFor();
    await speaksFrench("nothing to align");
  });

  test("other uses", async () => {
    const page = await open("fr/uses.html");
    for (const [use, button] of [["tagger", "Étiqueter les mots"], ["sentiment", "Juger"], ["masked", "Montrer ses mots"]]) {
      await page.getByRole("button", { name: button }).click();
      await page.locator(`${use}-lab .word-row button`).first().hover();
    }
    await soon.match(() => page.locator("tagger-lab .word-row").innerText(), /déterminant/);
    await soon.match(() => page.locator(".verdict").innerText(), /^Éloge, sûr à /);
    await soon.match(() => page.locator("masked-lab .guesses").innerText(), /\d\s%/);
    await speaksFrench("all three");
  });

  test("a model of one's own, and files that are none", async () => {
    const page = await open("fr/yours.html");
    await speaksFrench("at first");
    const file = (name, buffer) => ({ name, mimeType: "application/octet-stream", buffer });
    await page.locator("#files").setInputFiles([file("note.bin", Buffer.from("nothing")), file("moi.safetensors", readFileSync(fromRoot("models/en-fr-dot/model.safetensors")))]);
    await page.getByText("moi.safetensors est en service (traduction : anglais → français).").waitFor();
    await page.getByRole("heading", { name: "Français" }).waitFor();
    await page.locator("pair-figure").getByRole("gridcell").first().hover();
    await soon.match(() => page.getByRole("alert").innerText(), /note\.bin n’est pas un modèle\./);
    await soon.match(() => page.locator("#facts").innerText(), /2,7 Mo[^]*anglais vers français[^]*fragments/);
    await page.locator("#contents summary").click();
    await speaksFrench("in use");
  });

  test("how it is computed, with a decimal comma", async () => {
    const page = await open("fr/how.html");
    await page.getByRole("heading", { name: "Sinusoïdale" }).waitFor();
    await soon.match(() => page.locator(".readout").first().innerText(), /sa voisine 0,\d\d/);
    await page.getByRole("button", { name: "Mesurer dans ce navigateur" }).click();
    await page.getByRole("button", { name: "Arrêter" }).waitFor();
    await page.waitForFunction(() => /\d,\d/.test(document.querySelector("cost-table table.all").textContent));
    await page.getByRole("button", { name: "Arrêter" }).click();
    await soon.match(() => page.locator("cost-table tbody").innerText(), /16,8 millions/);
    await speaksFrench("measured");
  });

  test("what goes wrong is said in French, what the program says of it in English", async () => {
    visit.expected = /404/;
    visit.server.answers.set(/safetensors$/, (response) => response.writeHead(404).end());
    const page = await open("fr/");
    await page.getByRole("alert").getByText("Ce qui s’est passé exactement").click();
    await soon.match(() => page.getByRole("alert").innerText(), /^Le traducteur n’a pas pu être téléchargé\.\s+Vérifiez votre connexion/);
    await soon.match(() => page.getByRole("alert").locator("[lang=en]").innerText(), /404/);
    await speaksFrench("failed");
    visit.server.answers.clear();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await cell(/^cold vers /).waitFor();
  });

  test("a text that no address can keep stays with the tab: in the other language, reloaded, until there is another", async () => {
    const page = await open("");
    const long = "Where is my book? ".repeat(150);
    await cell(/^cold to /).waitFor();
    await page.locator("#english").fill(long);
    await page.getByText(/of 150$/).waitFor();
    await page.getByRole("link", { name: "Français" }).click();
    await page.waitForURL(/\/fr\/#model=/);
    await soon.equal(() => page.locator("#english").inputValue(), long);
    await page.reload();
    await soon.equal(() => page.locator("#english").inputValue(), long);
    // A link's own text comes first, and then nothing is left of it.
    await page.goto(`${visit.server.url}fr/#text=I+am+late.`);
    await page.reload();
    await soon.equal(() => page.locator("#english").inputValue(), "I am late.");
    await page.locator("#english").fill("I am cold.");
    await page.waitForURL(/text=I\+am\+cold/);
    await page.goto(`${visit.server.url}`);
    await soon.notEqual(() => page.locator("#english").inputValue(), long);
    await soon.equal(() => page.evaluate(() => sessionStorage.getItem("long text")), null);
  });

  test("the way to the other language keeps what is shown, and is remembered", async () => {
    const page = await open("#model=dot&picture=threads&level=piece");
    await page.locator("attention-figure").getByRole("option").first().waitFor();
    await page.locator("#english").fill("Where is my book?");
    await page.getByRole("link", { name: "Français" }).click(); // before the address is written
    await page.waitForURL(/\/fr\/#text=Where\+is\+my\+book%3F&model=dot&level=piece&picture=threads$/);
    await soon.equal(() => page.getByRole("textbox", { name: "Anglais", exact: true }).inputValue(), "Where is my book?");
    await soon.equal(() => page.getByRole("radio", { name: "Produit scalaire" }).isChecked(), true);
    await page.locator("attention-figure alignment-threads").getByRole("option", { name: /^book\s: / }).waitFor();
    // Whoever comes back without saying which language has the one that was chosen, of any page.
    for (const [from, to] of [["", "fr/"], ["index.html?a#level=piece", "fr/?a#level=piece"], ["how.html", "fr/how.html"]]) {
      await page.goto("about:blank");
      await page.goto(visit.server.url + from);
      await page.waitForURL((url) => url.href.startsWith(visit.server.url + to));
    }
    await page.getByRole("link", { name: "Aligner" }).click();
    await page.waitForURL(/\/fr\/align\.html$/);
    await page.getByRole("link", { name: "English" }).click();
    await page.waitForURL(`${visit.server.url}align.html`);
    await page.goto(visit.server.url);
    await page.getByRole("textbox", { name: "English" }).waitFor();
    assert.equal(page.url().split("#")[0], visit.server.url);
    // A link to a French page is a choice, too.
    await page.goto(`${visit.server.url}fr/uses.html`);
    await soon.equal(() => page.locator("h1").innerText(), "À quoi l’attention sert encore");
  });

  test("a browser that speaks French is offered it, and not led away", async () => {
    const isOffered = () => visit.page.evaluate(() => document.documentElement.dataset.offer);
    const page = await open("how.html", { locale: "fr-CH" });
    await page.getByRole("heading", { name: "Sinusoidal" }).waitFor();
    await soon.equal(() => isOffered(), "fr");
    await page.getByRole("link", { name: "Français" }).click();
    await page.getByRole("heading", { name: "Sinusoïdale" }).waitFor();
    await soon.equal(() => isOffered(), undefined);
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Sinusoidal" }).waitFor();
    await soon.equal(() => isOffered(), undefined, "English was chosen");
    await open("how.html", { locale: "de-DE" });
    await soon.equal(() => isOffered(), undefined);
  });

  test("each page names itself in the other language, and downloads the words of one", async () => {
    for (const name of names) {
      const file = name === "index" ? "" : `${name}.html`;
      for (const [language, folder] of [["en", ""], ["fr", "fr/"]]) {
        visit.server.requests.length = 0;
        const page = await open(folder + file, { serviceWorkers: "block" });
        await page.waitForLoadState("load");
        const links = await page.locator("link[rel=alternate], a.language").evaluateAll((all) => all.map(({ hreflang, href }) => [hreflang, href]));
        const here = { en: `${visit.server.url}${file}`, fr: `${visit.server.url}fr/${file}` };
        const other = language === "en" ? "fr" : "en";
        assert.deepEqual(links, [["en", here.en], ["fr", here.fr], [other, here[other]]]);
        const asked = visit.server.requests.filter((path) => /\.(en|fr)-[\w-]{8}\.js$/.test(path));
        assert.equal(asked.length, scriptsOf(name), asked.join(" "));
        assert.ok(asked.every((path) => path.includes(`.${language}-`)), asked.join(" "));
      }
    }
  });

  test("French costs a visitor no more than English, before the weights", async (t) => {
    const sizes = {};
    for (const address of ["", "fr/"]) {
      visit.server.requests.length = 0;
      const page = await open(address, { serviceWorkers: "block" });
      await page.waitForFunction(() => performance.getEntriesByName("first-translation").length > 0);
      const asked = visit.server.requests.filter((path) => !/\.safetensors$|\/reading-lab-/.test(path));
      sizes[address] = asked.reduce((sum, path) => sum + statSync(built + path.replace(/\/$/, "/index.html")).size, 0);
    }
    t.diagnostic(`first load before the weights: English ${(sizes[""] / 1e3).toFixed(0)} kB, French ${(sizes["fr/"] / 1e3).toFixed(0)} kB`);
    assert.ok(sizes["fr/"] < 1e6 && Math.abs(sizes["fr/"] - sizes[""]) < 5e3);
  });

  test("nothing moves as the page comes", async () => {
    const page = await open("fr/");
    await page.waitForFunction(() => performance.getEntriesByName("first-translation").length > 0);
    await page.waitForTimeout(300);
    await assertStill(page);
  });

  test("without a connection both languages work", async () => {
    const page = await open("fr/", { fresh: true });
    await page.locator("footer .offline").waitFor();
    await visit.context.setOffline(true);
    await page.goto(`${visit.server.url}fr/`);
    await cell(/^cold vers /).waitFor();
    await page.getByRole("link", { name: "Fonctionnement" }).click();
    await page.getByRole("heading", { name: "Sinusoïdale" }).waitFor();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Sinusoidal" }).waitFor();
    for (const name of names) {
      await page.goto(`${visit.server.url}fr/${name}`);
      await soon.equal(() => page.locator("h1").innerText(), french.pages[name].title);
    }
    visit.expected = /ERR_INTERNET_DISCONNECTED/; // what a page asks the host for although it is away
  });

  test("it can be installed in French", async () => {
    const page = await open("fr/");
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector("link[rel=manifest]");
      const { lang, start_url, scope, ...rest } = await (await fetch(href)).json();
      return { lang, start: new URL(start_url, href).href, scope: new URL(scope, href).href, rest };
    });
    assert.deepEqual([manifest.lang, manifest.start, manifest.scope], ["fr", `${visit.server.url}fr/`, visit.server.url]);
    const { lang: _, start_url: __, scope: ___, name, description, ...same } = JSON.parse(readFileSync(`${built}/manifest.webmanifest`, "utf8"));
    assert.notEqual(manifest.rest.name, name);
    assert.notEqual(manifest.rest.description, description);
    assert.deepEqual({ ...manifest.rest, name: undefined, description: undefined }, { ...same, name: undefined, description: undefined });
  });

  test("360 px, light and dark: nothing sticks out on any page, and the header is one line and the ways", async () => {
    for (const colorScheme of ["light", "dark"]) {
      for (const name of names) {
        const page = await open(`fr/${name}.html`, { viewport: { width: 360, height: 780 }, colorScheme });
        await page.waitForLoadState("load");
        await page.waitForTimeout(1500);
        await visit.sound();
        const [mark, link, button] = await page.locator(".wordmark, .language, #theme").evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2));
        assert.ok(Math.abs(mark - button) < 3 && Math.abs(link - button) < 3, `${mark}, ${link}, ${button}`);
        await page.screenshot({ path: `${artifacts}french-${name}-${colorScheme}-phone.png`, fullPage: true });
      }
    }
  });

  test("axe finds nothing", async () => {
    const page = await open("fr/", { bypassCSP: true });
    await page.getByRole("button", { name: "Lire" }).click();
    await page.locator("reading-lab").getByRole("gridcell").first().waitFor();
    await page.locator("view-options summary").click();
    assert.deepEqual(await visit.noticed(), []);
  });

  test("the elements speak the language around them, English where it is none of theirs", async () => {
    const page = await open("fr/");
    await cell(/^cold vers /).waitFor();
    const spoken = await page.evaluate(async () => {
      const data = { source: ["a", "b"], target: ["c"], attention: [[0.25, 0.75]] };
      const names = {};
      for (const lang of ["", "en", "fr-CA", "de"]) {
        const around = document.createElement("div");
        if (lang) around.lang = lang;
        const grid = document.createElement("alignment-grid");
        const threads = document.createElement("alignment-threads");
        // The language is found out of a shadow, too.
        around.attachShadow({ mode: "open" }).append(grid, threads);
        document.querySelector("main").append(around);
        grid.options = threads.options = { sums: true };
        grid.data = threads.data = data;
        await new Promise((resolve) => setTimeout(resolve, 200));
        const find = (element, selector) => element.shadowRoot.querySelector(selector);
        names[lang] = [
          find(grid, "[role=grid]").ariaLabel, find(grid, ".cell:last-of-type, .cell").ariaLabel, find(grid, ".foot .sum").textContent,
          find(grid, "slot[name=legend]").textContent, find(threads, "[role=option]").ariaLabel, find(grid, ".ticks").textContent,
          grid.toSvg().includes(">0,25<"),
        ];
      }
      return names;
    });
    const inEnglish = ["Attention: target down, source across", "a to c, 0.25", "0.25", "Weight", "a: c 0.25", "00.250.50.751", false];
    const inFrench = ["Attention\u00a0: cible en lignes, source en colonnes", "a vers c, 0,25", "0,25", "Poids", "a\u00a0: c 0,25", "00,250,50,751", true];
    assert.deepEqual(spoken, { "": inFrench, en: inEnglish, "fr-CA": inFrench, de: inEnglish });
  });
});

describe("while developing", () => {
  let vite, url;
  before(async () => {
    vite = await createServer({ configFile: fromRoot("web/vite.config.ts"), server: { watch: null, port: 0, hmr: false }, optimizeDeps: { noDiscovery: true }, logLevel: "silent" });
    await vite.listen();
    [url] = vite.resolvedUrls.local;
  });
  after(() => vite?.close());

  test("every page is there in both languages, without having a file of its own", async () => {
    assert.ok(!readdirSync(fromRoot("web")).includes("fr"));
    for (const [language, folder] of [["en", ""], ["fr", "fr/"]]) {
      for (const [name, path] of [["index", ""], ...names.map((name) => [name, `${name}.html`])]) {
        const html = await (await fetch(url + folder + path, { headers: { accept: "text/html" } })).text();
        assert.ok(html.includes(`<html lang="${language}">`), folder + path);
        assert.doesNotMatch(html, /\{\{/);
        const scripts = [...html.matchAll(/src="(\/src\/words\/[^"]+)"/g)].map(([, path]) => path);
        assert.equal(scripts.length, scriptsOf(name));
        for (const path of scripts) {
          assert.ok(path.startsWith(`/src/words/${language}/`));
          assert.match(await (await fetch(new URL(path, url))).text(), /speak\(/);
        }
        assert.ok(html.indexOf("/src/words/") < html.search(/\/src\/(\w+\/)?main\.ts/), "words come first");
      }
    }
  });
});
