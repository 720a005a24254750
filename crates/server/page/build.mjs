// Builds the page into ../assets, or another folder that is named. The same sources give the same bytes.
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const assets = process.argv[2] ? `${process.argv[2]}/` : here("../assets/");

await mkdir(assets, { recursive: true });
await build({
  absWorkingDir: here("."),
  entryPoints: { app: "src/main.tsx" },
  outdir: assets,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".star": "text" },
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});
await build({
  absWorkingDir: here("."),
  entryPoints: { app: "src/style/app.css" },
  outdir: assets,
  bundle: true,
  minify: true,
  charset: "utf8",
  logLevel: "warning",
});
await copyFile(here("src/index.html"), assets + "index.html");
await copyFile(here("src/icon.svg"), assets + "icon.svg");

let compressed = 0;
for (const name of ["app.js", "app.css"]) {
  const bytes = await readFile(assets + name);
  const small = gzipSync(bytes, { level: 9 }).length;
  compressed += small;
  console.log(`${name}: ${bytes.length} bytes, ${small} compressed`);
}
if (compressed > 150 * 1024) throw new Error(`the page is ${compressed} bytes compressed, more than 150 KB`);
