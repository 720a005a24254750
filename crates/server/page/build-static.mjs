// Builds the page without a server: node build-static.mjs FOLDER ENGINE.wasm
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { here, script, style, weigh } from "./bundle.mjs";

const [folder, engine] = process.argv.slice(2);
if (!folder || !engine) throw new Error("node build-static.mjs FOLDER ENGINE.wasm");
const out = `${folder}/`;
await mkdir(out, { recursive: true });

// The bundles are classic scripts, since browsers load no modules from local files.
const IMPORT_META = { "import.meta.url": "location.href" };
const classic = (define = {}) => ({ format: "iife", define: { ...IMPORT_META, ...define }, external: ["node:fs/promises"] });
await script("src/static.tsx", `${out}app.js`, classic());
await style("src/style/app.css", `${out}app.css`);
await script("src/engine/worker.ts", `${out}worker.js`, classic());
await copyFile(here("src/icon.svg"), `${out}icon.svg`);
await copyFile(engine, `${out}grundy.wasm`);

const page = await readFile(here("src/index.html"), "utf8");
/**
 * The content security policy: the page may load and run only files in its folder. Images from
 * blobs are needed to save pictures, and workers from blobs for a page opened from the disk.
 */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "worker-src 'self' blob:; base-uri 'none'; form-action 'none'";
const html = page
  .replace('<meta charset="utf-8">\n', (charset) => `${charset}<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`)
  .replace('<script type="module" src="app.js">', '<script defer src="app.js">')
  .replace("The command line does not: grundy help", "");
if (!html.includes(POLICY) || !html.includes("<script defer")) throw new Error("src/index.html has another form");
await writeFile(`${out}index.html`, html);

// A local page can load scripts only, so this script contains the files that it would fetch. Pages
// on a host do not request it.
const localFiles = { worker: await readFile(`${out}worker.js`, "utf8"), engine: gzipSync(await readFile(engine), { level: 9 }).toString("base64") };
await writeFile(`${out}from-disk.js`, `globalThis.grundyFromDisk = ${JSON.stringify(localFiles)};\n`);

await script("src/element/element.tsx", `${out}grundy-board.js`, { ...classic({ STYLE: JSON.stringify(await sheet()) }), plugins: [await usedTexts()] });

// The files cached for offline use. A hash of their contents identifies the version.
const cachedFiles = ["index.html", "app.js", "app.css", "icon.svg", "worker.js", "grundy.wasm"];
const hash = createHash("sha256");
for (const name of cachedFiles) hash.update(await readFile(out + name));
await script("src/static/offline.ts", `${out}offline.js`, classic({ FILES: JSON.stringify(["./", ...cachedFiles]), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) }));

await weigh(out, ["app.js", "app.css", "worker.js"], true);
await weigh(out, ["grundy-board.js", "offline.js", "grundy.wasm"], false);

/**
 * Returns the style of an embedded board: that of the page within the shadow root, in which the
 * embedding page can set every token.
 */
async function sheet() {
  const read = (name) => readFile(here(`src/style/${name}.css`), "utf8");
  const tokens = (await read("tokens")).replace(/--([a-z-]+):\s*([^;]+);/g, "--$1: var(--grundy-$1, $2);");
  const parts = await Promise.all(["base", "controls", "picture", "board", "views"].map(read));
  const all = [tokens, ...parts, await readFile(here("src/element/element.css"), "utf8")].join("\n");
  const inside = all
    .replace(/:root\[data-theme="dark"\]/g, ':host([data-theme="dark"])')
    .replace(/:root\b/g, ":host")
    .replace(/^html\b/gm, ":host");
  return (await transform(inside, { loader: "css", minify: true, charset: "utf8" })).code.trim();
}

/** Returns a plugin that reduces the lists of texts to those that an embedded board uses. */
async function usedTexts() {
  const probe = `${out}.probe.js`;
  const { metafile } = await script("src/element/element.tsx", probe, { ...classic({ STYLE: '""' }), metafile: true });
  await rm(probe);
  const used = Object.entries(Object.values(metafile.outputs)[0].inputs).filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && /\.tsx?$/.test(path));
  const source = (await Promise.all(used.map(([path]) => readFile(here(path), "utf8")))).join("\n");
  const begins = [...source.matchAll(/`([a-z_]+_)\$\{/g)].map(([, begin]) => begin);
  const isUsed = (word) => source.includes(`"${word}"`) || begins.some((begin) => word.startsWith(begin));
  return {
    name: "used-texts",
    setup(build) {
      build.onLoad({ filter: /sentences\/page\..*\.json$/ }, async ({ path }) => {
        const words = Object.entries(JSON.parse(await readFile(path, "utf8"))).filter(([word]) => isUsed(word));
        return { contents: JSON.stringify(Object.fromEntries(words)), loader: "json" };
      });
    },
  };
}
