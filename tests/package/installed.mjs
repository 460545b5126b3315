// The package as a stranger gets it: packed, and installed by name in a folder of its own.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
export const root = fileURLToPath(new URL("../..", import.meta.url));
/** All models as a developer would host them; the package carries some. */
export const hosted = pathToFileURL(join(root, "dist/models/"));

export class Installed {
  /** The scratch project; its node_modules holds softalign. */
  folder;
  /** What `npm pack` said of the tarball: name, size, files. */
  tarball;

  static async install() {
    const installed = new Installed();
    installed.folder = await realpath(await mkdtemp(join(tmpdir(), "softalign-package-")));
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", installed.folder], { cwd: root });
    [installed.tarball] = JSON.parse(stdout);
    process.env.SOFTALIGN_CACHE = installed.path("cache"); // for this process and all that it starts
    await installed.write("package.json", '{ "name": "stranger", "private": true, "type": "module" }\n');
    await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", `./${installed.tarball.filename}`], {
      cwd: installed.folder,
    });
    return installed;
  }

  /** Everything the package exports, imported by name from the scratch project. */
  async import() {
    await this.write("entry.mjs", 'export * from "softalign";\nexport * from "softalign/models";\n');
    return import(pathToFileURL(join(this.folder, "entry.mjs")).href);
  }

  path(...names) {
    return join(this.folder, ...names);
  }

  read(name) {
    return readFile(this.path("node_modules", "softalign", name));
  }

  async write(name, text) {
    await writeFile(this.path(name), text);
  }

  /** Runs a module of the scratch project in a Node of its own. */
  async node(source, flags = []) {
    await this.write("main.mjs", source);
    return run(process.execPath, [...flags, "main.mjs"], { cwd: this.folder });
  }

  async remove() {
    await rm(this.folder, { recursive: true, force: true });
  }
}
