// Unit tests without a browser: URLs, numbers, locations, texts; and that the built page matches
// its sources.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "grundy-page-"));
after(() => rmSync(folder, { recursive: true }));

let page;
before(async () => {
  const names = ["state/address", "state/state", "engine/json", "expression/location", "expression/completion", "copying/copies", "tables/copies", "games/list", "board/direction", "explanation", "value/parseValue", "value/question", "engine/cached"];
  const contents = names.map((name) => `export * from "./${name}.ts";`).join("\n") + '\nexport { filled } from "./words.ts";';
  const outfile = join(folder, "page.mjs");
  await build({ stdin: { contents, resolveDir: here("../src"), loader: "ts" }, bundle: true, format: "esm", platform: "neutral", mainFields: ["module"], conditions: ["import"], outfile, logLevel: "error" });
  page = await import(outfile);
});

test("a bare expression is a valid address", () => {
  const { readAddress, writeAddress, START } = page;
  assert.equal(readAddress("#nim(3,4,5)", START).game, "nim(3,4,5)");
  assert.equal(readAddress("#hackenbush(%220-1%201-2%22)", START).game, 'hackenbush("0-1 1-2")');
  assert.equal(readAddress("#100%", START).game, "100%");
  assert.equal(readAddress("", START).game, START.game);
  assert.equal(writeAddress({ ...START, game: "nim(3, 4)" }), "#nim(3,%204)");
});

test("every state round-trips through its address", () => {
  const { readAddress, writeAddress, START } = page;
  const states = [
    START,
    { ...START, game: 'domineering(["..", ".#"])', play: "misere", moves: ["0: 0 1", "1: 2"], at: 1, view: "play", seat: "second", level: 4, begins: "right" },
    { ...START, game: "game(moves, 5)", rules: 'def moves(n):\n    return [n - 1] if n % 2 == 1 & n > "=" else []\n', view: "table", more: { "table.ranges": "n=0..20", x: "a&b=c" } },
    { ...START, list: ["nim(1, 2)", 'chomp(3, 4) + kayles(7)'], view: "show", step: 3, lang: "zh" },
    { ...START, game: "view=1" },
  ];
  for (const state of states) {
    const address = writeAddress(state);
    assert.doesNotMatch(address, /[\s"<>]/);
    assert.deepEqual(readAddress(address, { ...START, lang: state.lang }), state);
  }
});

test("numbers above 2^53 are exact", () => {
  const { parseJson } = page;
  assert.deepEqual(parseJson('{"at": [9007199254740993, -18446744073709551615, 7], "text": "9007199254740993 \\" 12345678901234567890", "x": 1.25e3}'), {
    at: [9007199254740993n, -18446744073709551615n, 7],
    text: '9007199254740993 " 12345678901234567890',
    x: 1250,
  });
  assert.deepEqual(parseJson('{"a": 1}'), { a: 1 });
});

test("the place of an error is a byte offset", () => {
  const { cutAt } = page;
  const at = (offset) => ({ offset, line: 1, column: 1 });
  assert.deepEqual(cutAt("nim(3) + nimm(4)", at(9)), { before: "nim(3) + ", marked: "nimm", after: "(4)" });
  assert.deepEqual(cutAt('"中文" ?', at(9)), { before: '"中文" ', marked: "?", after: "" });
  assert.deepEqual(cutAt("nim(3", at(5)), { before: "nim(3", marked: " ", after: "" });
});

test("names are completed where a name is expected", () => {
  const { completion, callAround, namesIn } = page;
  const games = ["nim", "nimble", "moore_nim", "kayles", "kayles_row"].map((name) => ({ name, signature: `${name}(n)`, summary: "", example: "" }));
  const names = (text, caret = text.length) => completion(text, caret, games)?.games.map((game) => game.name) ?? null;
  assert.deepEqual(names("ni"), ["nim", "nimble", "moore_nim"]);
  assert.deepEqual(names("nim(3) + kay"), ["kayles", "kayles_row"]);
  assert.equal(names('kayles_row("ni'), null);
  assert.equal(names("nim(3)"), null);
  assert.equal(callAround("nim(3) + kayles(", 16), "kayles");
  assert.equal(callAround('kayles_row("nim(") + nim(3', 26), "nim");
  assert.equal(callAround("nim(3)", 6), null);
  assert.deepEqual(namesIn('nim(3) + kayles_row("nimble(") + 2 * nim(4) + unheard(3)', games), ["nim", "kayles_row"]);
});

test("copied commands are quoted for their language", () => {
  const { command, python } = page;
  assert.equal(command("nim(3, 4)", "misere"), 'grundy solve "nim(3, 4)" --misere');
  assert.equal(command("f('a\"')", "normal"), `grundy solve 'f('\\''a"'\\'')'`);
  assert.equal(python('x("\\")', "misere"), 'grundy.solve("x(\\"\\\\\\")", play="misere")');
});

test("arrow keys go to the nearest place in their direction", () => {
  const { nearest } = page;
  const spots = [{ x: 0, y: 0 }, { x: 10, y: 1 }, { x: 20, y: 0 }, { x: 0, y: 10 }, { x: 9, y: 12 }];
  assert.equal(nearest(spots, 0, [1, 0]), 1);
  assert.equal(nearest(spots, 0, [0, 1]), 3);
  assert.equal(nearest(spots, 3, [0, -1]), 0);
  assert.equal(nearest(spots, 0, [-1, 0]), -1);
});

test("steps are numbered in order", () => {
  const { stages } = page;
  const step = (text, number) => ({ code: "x", args: {}, text, ...(number ? { number } : {}) });
  assert.deepEqual(stages([step("a", 1), step("  b"), step("c", 2)]).map(({ number, under }) => [number, under.length]), [[1, 1], [2, 0]]);
  assert.deepEqual(stages([step("a"), step("  b"), step("c")]).map(({ number, under }) => [number, under.length]), [[1, 1], [2, 0]]);
});

test("both languages have the same keys and placeholders", () => {
  const words = (name) => JSON.parse(readFileSync(here(`../../../wording/src/sentences/page.${name}.json`), "utf8"));
  const [en, zh] = [words("en"), words("zh-CN")];
  assert.deepEqual(Object.keys(en), Object.keys(zh));
  const places = (text) => [...text.matchAll(/\{[a-z_0-9]+\}/g)].map(String).sort();
  for (const key of Object.keys(en)) {
    assert.deepEqual(places(en[key]), places(zh[key]), key);
    assert.match(zh[key], /\p{Script=Han}|^\{|^[A-Z]/u, key);
  }
  assert.equal(page.filled("{a} and {b} {c}", { a: 1, b: "{a}" }), "1 and {a} {c}");
});

test("every text of the page is used", () => {
  const sources = execFileSync("find", [here("../src"), "-name", "*.ts", "-o", "-name", "*.tsx"], { encoding: "utf8" }).trim().split("\n").map((path) => readFileSync(path, "utf8")).join("\n");
  const words = Object.keys(JSON.parse(readFileSync(here("../../../wording/src/sentences/page.en.json"), "utf8")));
  const made = [...sources.matchAll(/`([a-z_]+_)\$\{/g)].map(([, begin]) => begin);
  const idle = words.filter((word) => !sources.includes(`"${word}"`) && !made.some((begin) => word.startsWith(begin)));
  assert.deepEqual(idle, []);
});

test("the committed page is up to date", () => {
  execFileSync(process.execPath, [here("../build.mjs"), folder]);
  for (const name of ["index.html", "app.js", "app.css", "icon.svg"]) {
    assert.ok(readFileSync(join(folder, name)).equals(readFileSync(here(`../../assets/${name}`))), `${name} is outdated: npm run build`);
  }
});

test("the text of a value is parsed for typesetting", () => {
  const { parseValue, asNumber } = page;
  const number = (above, below) => ({ kind: "number", above, ...(below ? { below } : {}) });
  const bars = (text) => ({ kind: "between", text });
  assert.deepEqual(parseValue("{2|-1/2}"), [{ kind: "group", open: "{", close: "}", pieces: [number("2"), bars("|"), number("−1", "2")] }]);
  assert.deepEqual(parseValue("3/4v[3]*2"), [number("3", "4"), { kind: "sign", sign: "↓", over: "[3]" }, { kind: "sign", sign: "∗", after: "2" }]);
  assert.deepEqual(parseValue("-3/(2^100)^2"), [{ kind: "number", above: "−3", power: "100" }, { kind: "sign", sign: "↑", after: "2" }]);
  assert.deepEqual(["-1/2", "3", "3/(2^2)", "1/(2^9999)"].map(asNumber), [-0.5, 3, 0.75, 0]);
  assert.deepEqual(parseValue("^^*"), [{ kind: "sign", sign: "⇑" }, { kind: "sign", sign: "∗" }]);
  assert.deepEqual(parseValue("^5"), [{ kind: "sign", sign: "↑", after: "5" }]);
  assert.deepEqual(parseValue("v<2>"), [{ kind: "sign", sign: "↓", over: "2" }]);
  assert.deepEqual(parseValue("+-1"), [{ kind: "sign", sign: "±" }, number("1")]);
  assert.deepEqual(parseValue("-2Miny({2|1})")?.[1], { kind: "tiny", sign: "−", of: parseValue("{2|1}") });
  // Invalid values, and values too long for a formula, stay text.
  for (const text of ["{2|1", "2}", "{2)", "on", "1 % 2", "{".repeat(40) + "}".repeat(40), "1,".repeat(1000)]) assert.equal(parseValue(text), null, text.slice(0, 40));
});

test("a second game is an expression or a value", () => {
  const { gameOf } = page;
  for (const text of ["nim(3)", "-domineering(board(2, 3))", "2 * kayles(5)", 'literal("1") + nim(2)']) assert.equal(gameOf(text), text);
  for (const text of ["1/2", "{2|*}", "v[3]*", "Tiny(2)", "tiny(2)", "-2Miny(1)"]) assert.equal(gameOf(text), `literal(${JSON.stringify(text)})`);
});

test("temperatures of the slider are written like values", () => {
  const { sixteenths, inSixteenths } = page;
  for (let count = 0; count <= 64; count += 1) assert.equal(inSixteenths(sixteenths(count)), count);
  assert.deepEqual([0, 1, 4, 8, 16, 20].map(sixteenths), ["0", "1/16", "1/4", "1/2", "1", "5/4"]);
  for (const text of ["", "1/3", "x", "-1", "1/32"]) assert.equal(inSixteenths(text), null, text);
});

test("value questions as commands and as Python", () => {
  const { changeOf, valueCommand, valuePython, START } = page;
  const made = (more) => changeOf({ ...START, more });
  assert.equal(made({}), null);
  assert.equal(valueCommand("nim(3)", made({ "value.change": "cool" })), 'grundy value "nim(3)" --cool="1/2"');
  assert.equal(valueCommand("nim(3)", made({ "value.change": "freeze", "value.by": "7" })), 'grundy value "nim(3)" --freeze');
  assert.equal(valuePython("nim(3)", made({ "value.change": "norton", "value.by": "^^" })), 'grundy.value("nim(3)", norton="^^")');
});

test("concurrent equal requests are sent once and cancelled after the last", async () => {
  const asked = [];
  const ask = (name, question, signal) => new Promise((resolve) => asked.push({ name, question, signal, resolve }));
  const engine = page.cachedEngine({ ask });
  const [pressed, played] = [new AbortController(), new AbortController()];
  const ahead = engine.ask("board", { game: "nim(3)" }, pressed.signal);
  const board = engine.ask("board", { game: "nim(3)" }, played.signal);
  assert.equal(asked.length, 1);
  pressed.abort();
  await assert.rejects(ahead, { name: "AbortError" });
  assert.equal(asked[0].signal.aborted, false);
  asked[0].resolve({ position: "nim(3)" });
  assert.deepEqual(await board, { position: "nim(3)" });
  assert.deepEqual(await engine.ask("board", { game: "nim(3)" }, new AbortController().signal), { position: "nim(3)" });
  assert.equal(asked.length, 1);
  const left = new AbortController();
  const other = engine.ask("board", { game: "nim(4)" }, left.signal);
  left.abort();
  await assert.rejects(other, { name: "AbortError" });
  assert.equal(asked[1].signal.aborted, true);
  // The aborted request is not cached, so a new caller sends it again.
  void engine.ask("board", { game: "nim(4)" }, new AbortController().signal);
  assert.equal(asked.length, 3);
});

test("the P-positions of a table are listed", () => {
  const { pPositions } = page;
  const table = { family: "f", variables: ["n"], from: [2], to: [6] };
  assert.equal(pPositions({ ...table, grundy: [0, 1, 2, 0, 3] }), "2\n5\n");
  assert.equal(pPositions({ ...table, outcome: ["N", "P", "D", "P", "N"] }), "3\n5\n");
  const pairs = { family: "f", variables: ["a", "b"], from: [0, 1], to: [1, 2] };
  assert.equal(pPositions({ ...pairs, grundy: [[0, 1], [2, 0]] }), "0 1\n1 2\n");
});
