// Tests the search of a built book: a word of each of several chapters must find that chapter.
//
//     node scripts/search_book.mjs FOLDER

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const folder = process.argv[2];
const files = readdirSync(folder);
const file = (pattern) => {
  const found = files.find((name) => pattern.test(name));
  if (!found) throw new Error(`no file like ${pattern} in ${folder}`);
  return readFileSync(join(folder, found), "utf8");
};

// The scripts of the book are made for a browser: they define globals.
const page = { window: { search: {} } };
page.self = page.window;
vm.createContext(page);
vm.runInContext(file(/^elasticlunr.*\.js$/), page);
vm.runInContext(file(/^searchindex.*\.js$/), page);
const data = page.window.search;
const index = (page.elasticlunr ?? page.window.elasticlunr).Index.load(data.index);

const expected = {
  thermograph: /values/,
  hackenbush: /hackenbush/,
  tablebase: /tablebases/,
  starlark: /rules/,
  misère: /misere/,
};
for (const [word, chapter] of Object.entries(expected)) {
  const hits = index.search(word, data.search_options).map((hit) => data.doc_urls[hit.ref]);
  if (!hits.some((url) => chapter.test(url))) {
    throw new Error(`the search for ${word} finds ${hits.slice(0, 5)}`);
  }
}
console.log(`the search finds ${Object.keys(expected).length} words`);
