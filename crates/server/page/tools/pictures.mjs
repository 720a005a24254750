// Takes screenshots of every view and every board for review, in both themes, on desktop and phone
// sizes, and some in Chinese.
//
//     GRUNDY=target/release/grundy npm run pictures FOLDER [views|boards|chinese|readme] [WORD]
//
// WORD selects screenshots whose names contain it. With ASSETS=1 the latest build of the page is
// shown. Prints warnings of the browser, elements wider than the screen, and text outside its
// picture.
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { open, state } from "../test/browser.mjs";

const [folder, part = "all", word = ""] = process.argv.slice(2);
if (!folder) throw new Error("where to? node tools/pictures.mjs FOLDER");
const rules = (name) => readFileSync(fileURLToPath(new URL(`../../../../examples/rules/${name}.star`, import.meta.url)), "utf8");

const HACKENBUSH = 'hackenbush("0-1 1-2:b 1-3:r 0-4:b 4-5:r 5-6:b")';
const VIEWS = {
  first: "",
  analyse: state({ game: "nim(3, 4, 5) + kayles(7)", moves: "0: 0 1" }),
  "analyse-partizan": state({ game: "domineering(board(3, 4))", moves: "0 0 1 0" }),
  "analyse-misere": state({ game: "kayles(5, 9, 12)", play: "misere" }),
  error: "#nimm(3)",
  explain: state({ game: "nim(3, 4, 5) + kayles(7)", view: "explain" }),
  "explain-one": state({ game: "nim(13, 12, 8)", view: "explain", steps: "one", step: "1" }),
  "explain-partizan": state({ game: HACKENBUSH, view: "explain" }),
  value: state({ game: 'domineering(["...", "..#", "..."])', view: "value", "value.change": "cool" }),
  "value-misere": state({ game: "kayles(5)", play: "misere", view: "value", "value.full": "yes" }),
  "value-many": state({ game: "domineering(board(2, 2))", view: "value", "value.many": "random", "value.many.game": "clobber", "value.many.within": "2x3", "value.many.sample": "30" }),
  play: state({ game: 'kayles_row("1101111")', view: "play", you: "both" }),
  "play-over": state({ game: "nim(1, 2)", moves: "0 0;1 0", view: "play" }),
  practice: state({ game: "nim(3, 4, 5)", view: "practice" }),
  "practice-move": state({ game: "chomp(4, 4, 4)", view: "practice", ask: "move" }),
  table: state({ game: "subtraction([1, 3, 4], 9)", view: "table" }),
  "table-map": state({ game: "wythoff(3, 5)", view: "table" }),
  "table-genus": state({ game: "kayles(5)", view: "table", "table.family": "kayles(a, b)", "table.of": "genus", "table.ranges": "a=0..9,b=0..9" }),
  period: state({ game: "kayles(5)", view: "period" }),
  quotient: state({ game: "kayles(9)", view: "quotient" }),
  graph: state({ game: "nim(2, 3)", view: "graph" }),
  "graph-loopy": state({ game: 'graph([["a", "b"], ["b", "a"], ["b", "c"], ["c", "d"], ["d", "b"], ["a", "e"]], "a")', view: "graph", "graph.whole": "yes" }),
  tree: state({ game: "tic_toe()", view: "tree" }),
  matrix: state({ game: "nim(1)", view: "matrix", matrix: "4,1,-3;3,2,5;0,1,6", "matrix.dominance": "weak" }),
  edit: state({ game: HACKENBUSH, view: "edit" }),
  "edit-squares": state({ game: 'domineering(["...", "..#"]) + nim(3)', view: "edit" }),
  "edit-strip": state({ game: "nimble(3, 4, 4)", view: "edit" }),
  "edit-form": state({ game: "northcott(8, [[0, 3], [2, 7]])", view: "edit" }),
  "edit-graph": state({ game: 'col("0-1 1-2 2-0", ".L.")', view: "edit" }),
  rules: state({ game: "game(moves, 10)", rules: rules("squares"), view: "rules" }),
  "rules-wrong": state({ game: "game(moves, 5)", rules: "def moves(n):\n    return [m]\n", view: "rules" }),
  lecture: state({ game: "nim(3, 4, 5)", view: "lecture", list: "nim(3, 4, 5)\nkayles(7)\nchomp(3, 4)" }),
  show: state({ game: "nim(13, 12, 8)", view: "show", step: "1", list: "nim(13, 12, 8)\nkayles(7)" }),
  "show-partizan": state({ game: HACKENBUSH, view: "show", step: "1" }),
  games: state({ game: "nim(1)", view: "games" }),
};

/** The screenshots of the README, in the size of the window. */
const README = {
  page: ["light", "#nim(3,4,5)"],
  "set-up": ["light", state({ game: 'hackenbush("0-1 1-2:b 1-3 2-4 3-4 3-5:r 0-6 6-7:r 6-8:b 7-8")', view: "edit" })],
  lecture: ["light", state({ game: "nim(13, 12, 8)", view: "show", step: "3", list: "nim(13, 12, 8)\nkayles(7)" })],
  table: ["dark", state({ game: "wythoff(3, 5)", view: "table", "table.family": "wythoff(a, b)", "table.ranges": "a=0..10,b=0..26" })],
};

/** Boards in addition to the examples of the games. */
const MORE = {
  "sum-two": { game: "nim(3, 4) + kayles(7)" },
  "sum-many": { game: `nim(3, 4, 5) + chomp(4, 3) + ${HACKENBUSH} + domineering(board(3, 3))` },
  "nim-large": { game: "nim(1, 12, 40, 1000)" },
  "nim-many": { game: "nim(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)" },
  "kayles-heaps": { game: "kayles(20, 15)" },
  "cram-large": { game: "cram(board(6, 8))" },
  "hackenbush-house": { game: 'hackenbush("0-1 1-2 2-3 3-0 2-4:b 3-4:r 4-5:b 4-6:r 5-7 6-7")' },
  "domineering-large": { game: "domineering(board(6, 6))" },
  "northcott-many": { game: "northcott(8, [[0, 3], [2, 7], [1, 4], [5, 6]])" },
  "after-moves": { game: "tic_tac_toe()", moves: "1 1;0 0" },
  "rules-row": { rules: rules("sos"), game: 'game(moves, ".......")' },
  "rules-grid": { rules: rules("tic_tac_toe"), game: 'game(moves, ".........")' },
  "rules-toads": { rules: rules("toads_and_frogs"), game: 'game(rules, "TT.FF")' },
  "rules-wythoff": { rules: rules("wythoff"), game: "game(moves, (5, 8))" },
  "rules-kayles": { rules: rules("kayles"), game: "game(moves, 9)" },
  "rules-chomp": { rules: rules("chomp"), game: "game(moves, (4, 4, 4))" },
  "rules-pass": { rules: rules("nim_with_a_pass"), game: "game(moves, ((1, 2, 3), 1))" },
  "rules-coins": { rules: rules("silver_dollar"), game: "game(moves, (1, 3, 7, 8))" },
};

const DEVICES = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

/** Runs in the page and returns the faults that a program can detect. */
function faults() {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`wider than the screen: ${document.documentElement.scrollWidth}`);
  for (const svg of document.querySelectorAll("svg[viewBox]")) {
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      if (box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)) found.push(`outside its picture: ${text.textContent}`);
    }
  }
  for (const element of document.querySelectorAll("button, label, h1, h2, h3, th, td, dt, dd, summary")) {
    if (element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible") found.push(`cut off: ${element.textContent.slice(0, 40)}`);
  }
  return found;
}

/** Waits until the page is stable; for a board, until it is analysed. */
async function settled(page, group) {
  const told = group === "boards" ? page.locator("#board .touch svg, #board .note").and(page.locator(":visible")).first() : null;
  if (told) await Promise.all([told, page.locator(".verdict h2, .trouble").first()].map((one) => one.waitFor({ timeout: 12_000 }).catch(() => undefined)));
  else await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector(".slow.long") === null, null, { timeout: 12_000 }).catch(() => undefined);
  await page.waitForTimeout(120);
}

const session = await open();
process.on("uncaughtException", async (error) => {
  console.error(error);
  await session.close();
  process.exit(1);
});
const wanted = (group, name) => (part === "all" || part === group) && name.includes(word);
for (const [device, settings] of Object.entries(DEVICES)) {
  for (const theme of ["light", "dark"]) {
    const reader = await session.reader({ ...settings, colorScheme: theme, reducedMotion: "reduce" });
    const { page, go } = reader;
    const take = async (group, name, hash, whole) => {
      await go(hash);
      await settled(page, group);
      // Scrolls, so that the pictures that are requested on demand are loaded.
      if (whole && name === "games") {
        const tall = await page.evaluate(() => document.documentElement.scrollHeight);
        for (let y = 0; y < tall; y += 600) {
          await page.evaluate((to) => scrollTo(0, to), y);
          await page.waitForTimeout(250);
        }
        await page.evaluate(() => scrollTo(0, 0));
        await settled(page, group);
      }
      for (const fault of await page.evaluate(faults)) console.log(`${group} ${name} ${device} ${theme}: ${fault}`);
      await mkdir(`${folder}/${group}`, { recursive: true });
      const path = `${folder}/${group}/${name}-${device}-${theme}.png`;
      const board = page.locator("#board");
      if (whole || (await board.count()) === 0) await page.screenshot({ path, fullPage: whole });
      else await board.screenshot({ path });
    };
    for (const [name, hash] of Object.entries(VIEWS)) if (wanted("views", name)) await take("views", name, hash, true);
    if (device === "desk" && part === "readme") {
      for (const [name, [ground, hash]] of Object.entries(README)) {
        if (ground !== theme || !name.includes(word)) continue;
        await go(hash);
        await settled(page, part);
        await mkdir(folder, { recursive: true });
        await page.screenshot({ path: `${folder}/${name}.png` });
      }
    }
    if (theme === "light" && (part === "all" || part === "chinese")) {
      for (const [name, hash] of Object.entries(VIEWS)) {
        if (!wanted("chinese", name)) continue;
        await take("chinese", name, hash === "" ? "#game=nim(3,4,5)&lang=zh" : hash.includes("=") ? `${hash}&lang=zh` : `#game=${hash.slice(1)}&lang=zh`, true);
      }
    }
    if (part === "all" || part === "boards") {
      await go();
      const { groups } = await page.evaluate(async () => (await fetch("api/v1/help", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ lang: "en" }) })).json());
      for (const { name, example } of groups.flatMap((group) => group.games)) if (wanted("boards", name)) await take("boards", name, state({ game: example }), false);
      for (const [name, keys] of Object.entries(MORE)) if (wanted("boards", name)) await take("boards", `more-${name}`, state(keys), false);
    }
    reader.sound();
    await reader.close();
  }
}
await session.close();
