// Builds the package into dist/. The types of requests and answers are shared with the web page and
// copied from there.
import { execFileSync } from "node:child_process";
import { copyFile, cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = "../crates/server/page/src/engine/";

await rm(here("build"), { recursive: true, force: true });
await cp(here("src"), here("build"), { recursive: true });
for (const shared of ["answers.ts", "json.ts", "keys.ts"]) await copyFile(here(PAGE + shared), here(`build/${shared}`));
// dist/ may contain the WebAssembly module already, which this script does not build. Everything
// else is deleted first.
await mkdir(here("dist"), { recursive: true });
for (const file of await readdir(here("dist"))) if (file !== "grundy.wasm") await rm(here(`dist/${file}`));
execFileSync(process.execPath, [here("node_modules/typescript/bin/tsc"), "-p", here(".")], { stdio: "inherit" });
// Files with types only compile to empty modules.
for (const types of ["answers.js", "keys.js"]) await rm(here(`dist/${types}`));
// The declarations import the TypeScript sources, which are not part of the package.
for (const file of await readdir(here("dist"))) {
  if (!file.endsWith(".d.ts")) continue;
  const text = await readFile(here(`dist/${file}`), "utf8");
  await writeFile(here(`dist/${file}`), text.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"'));
}
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) await copyFile(here(`../${licence}`), here(licence));
