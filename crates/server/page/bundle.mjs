// Bundling of scripts and styles. The output is deterministic.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const COMMON = { absWorkingDir: here("."), bundle: true, minify: true, charset: "utf8", logLevel: "warning" };

/** Bundles a script; `more` has additional options of esbuild. */
export const script = (source, outfile, more = {}) =>
  build({
    ...COMMON,
    entryPoints: [source],
    outfile,
    format: "esm",
    target: "es2022",
    loader: { ".star": "text" },
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    ...more,
  });

export const style = (source, outfile) => build({ ...COMMON, entryPoints: [source], outfile });

const LIMIT = 150 * 1024;

/**
 * Prints the sizes of files, raw and compressed. If requested, checks that the sum is below the
 * size limit of the page.
 */
export async function weigh(folder, names, limited) {
  let compressed = 0;
  for (const name of names) {
    const bytes = await readFile(folder + name);
    const small = gzipSync(bytes, { level: 9 }).length;
    compressed += small;
    console.log(`${name}: ${bytes.length} bytes, ${small} compressed`);
  }
  if (limited && compressed > LIMIT) throw new Error(`${names.join(", ")}: ${compressed} bytes compressed, more than 150 KB`);
}
