// Tests of the parsers and printers of the editors, without a browser.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "grundy-editors-"));
after(() => rmSync(folder, { recursive: true }));

let page;
before(async () => {
  const names = ["editors/literal", "editors/sketch", "editors/figures", "editors/shapes", "editors/pageBoard", "editors/fallingEdges", "tables/family", "tables/copies", "matrix/grid", "tree/counts", "graph/layers"];
  // Names exported by two files are ambiguous, so the namespace object omits them.
  const contents = names.map((name, index) => `import * as m${index} from "./${name}.ts";`).join("\n") + `\nexport const all = { ${names.map((_, index) => `...m${index}`).join(", ")} };\nexport { shapeOf } from "./editors/shapes.ts"; export { csv as tableCsv } from "./tables/copies.ts";`;
  const outfile = join(folder, "page.mjs");
  await build({ stdin: { contents, resolveDir: here("../src"), loader: "ts" }, bundle: true, format: "esm", platform: "neutral", mainFields: ["module"], conditions: ["import"], outfile, logLevel: "error" });
  const built = await import(outfile);
  page = { ...built.all, shapeOf: built.shapeOf, tableCsv: built.tableCsv };
});

test("terms and literals round-trip unchanged", () => {
  const { termsOf, callText, readCall } = page;
  const text = 'nim(3, 4) + 2 * kayles(5)+domineering(["..+", ".#"]) + f("a\\"b", x=True)';
  const terms = termsOf(text);
  assert.deepEqual(terms.map((term) => [text.slice(term.from, term.to) === term.text, term.call?.name ?? null]), [[true, "nim"], [true, null], [true, "domineering"], [true, "f"]]);
  for (const call of ["nim(3, 4, 5)", 'col("0-1", "..")', "northcott(8, [[0, 3], [2, 7]])", "game(moves, (1, 2))", "game(moves, (3,))", 'k_in_a_row(["..", ".."], 2, diagonals=False)', 'graph({"a": ["b"], "b": []}, "a")', 'f("a\\"b")'])
    assert.equal(callText(readCall(call)), call);
  for (const call of ["nim(n + 1)", "nim(3", "nim(3) x", "3", "nim(1.5)", 'f("a)', "nim(g(3))"]) assert.equal(readCall(call), null, call);
});

test("pictures round-trip through the editor", () => {
  const { FIGURES, readCall, callText } = page;
  for (const call of ['hackenbush("0-1 1-2:b 1-3:r 3-3 0-1")', 'hackenbush("")', 'hackenbush("1-2 2-3", 1)', 'hackenbush("1-2 5-3:r", ground=[1, 5])', 'node_kayles("0-1 1-2 5")', 'snort("0-1", ".LR")', 'graph({"a": ["b", "a"], "b": []}, "b")']) {
    const read = readCall(call);
    const figure = FIGURES[read.name];
    assert.equal(callText(figure.write(figure.read(read), read)), call);
  }
  assert.equal(FIGURES.hackenbush.read(readCall('hackenbush("0-1:x")')), null);
  for (const wrong of ['hackenbush("0-1", [])', 'hackenbush("0-1", ["a"])', 'hackenbush("0-1", 0, 1)', 'hackenbush("0-1", earth=1)'])
    assert.equal(FIGURES.hackenbush.read(readCall(wrong)), null, wrong);
});

test("the editor matches the shape of the position", () => {
  const { shapeOf, readCall } = page;
  const what = (text) => shapeOf(readCall(text))?.what ?? null;
  assert.equal(what("nim(3, 4)"), "form");
  assert.equal(what("nimble(3, 4)"), "strip");
  assert.equal(what("nimble(3, 400)"), "form");
  assert.equal(what("chomp(4, 3)"), "bar");
  assert.equal(what('cram(["..", ".#"])'), "letters");
  assert.equal(what('cram(["..", ".#."])'), null);
  assert.equal(what("tic_toe()"), "letters");
  assert.equal(what('hackenbush("0-1")'), "figure");
  assert.equal(what("game(moves, 3)"), null);
});

test("families, their variables and members", () => {
  const { familyOf, variablesOf, memberOf, readRanges, functionsOf } = page;
  assert.equal(familyOf("kayles(9)", 2), "kayles(n)");
  assert.equal(familyOf("subtraction([1, 3, 4], 20)", 2), "subtraction([1, 3, 4], n)");
  assert.equal(familyOf("take_and_break('0.137', 20)", 1), "take_and_break('0.137', n)");
  assert.equal(familyOf("nim(3, 4, 5)", 2), "nim(a, b, 5)");
  assert.equal(familyOf('kayles_row("11")', 1), null);
  assert.deepEqual(variablesOf("nim(a, b) + kayles(a)"), ["a", "b"]);
  assert.deepEqual(variablesOf("game(moves, n)", functionsOf("def moves(n):\n  return []")), ["n"]);
  assert.equal(memberOf("nim(a, b) + f('a', n)", { a: 3, b: 14 }), "nim(3, 14) + f('a', n)");
  assert.deepEqual(readRanges("n=0..20,x"), [{ name: "n", from: 0, to: 20 }]);
});

test("tables are copied in order", () => {
  const { tableCsv, bfile, oeisTerms } = page;
  const one = { family: "f(n)", variables: ["n"], from: [1], to: [3], grundy: [0, 1, 2n], outcome: ["P", "N", "N"] };
  assert.equal(tableCsv(one), "n,grundy,outcome\n1,0,P\n2,1,N\n3,2,N\n");
  assert.equal(bfile(one), "1 0\n2 1\n3 2\n");
  const two = { family: "f(a,b)", variables: ["a", "b"], from: [0, 0], to: [1, 1], grundy: [[0, 1], [2, 3]], outcome: [["P", "N"], ["N", "N"]] };
  assert.equal(tableCsv(two), "a,b,grundy,outcome\n0,0,0,P\n0,1,1,N\n1,0,2,N\n1,1,3,N\n");
  assert.equal(bfile(two), null);
  assert.deepEqual(oeisTerms(two), ["0", "2", "1"]);
  assert.deepEqual(oeisTerms({ ...one, grundy: undefined }), ["1"]);
});

test("boards of rule files place moves where positions differ", () => {
  const { pageBoard } = page;
  const board = (term, ...to) => ({ position: term, terms: [term], moves: to.map((after, index) => ({ component: 0, at: [index], write: String(index), move: `move <${index}>`, to: after })) });
  const moves = (svg) => (svg?.match(/class="move"/g) ?? []).length;
  assert.equal(moves(pageBoard(board('game(moves, "..")', 'game(moves, "X.")', 'game(moves, ".X")', 'game(moves, "XX")'))), 2);
  assert.equal(moves(pageBoard(board("game(moves, (3, 4))", "game(moves, (2, 4))", "game(moves, (2, 3))", "game(moves, (3, 5))"))), 1);
  assert.equal(moves(pageBoard(board('game(rules, "TT.F")', 'game(rules, "T.TF")'))), 1);
  assert.equal(pageBoard(board('game(moves, {"a": 1})')), null);
  assert.equal(pageBoard(board("nim(3)", "nim(2)")), null);
  assert.ok(!pageBoard(board('game(moves, "<&")', 'game(moves, "<X")')).includes("<&"));
});

test("falling edges are those missing after the move", () => {
  const { fallingEdges } = page;
  const board = { terms: ['hackenbush("0-1 1-2 1-3:b 0-1")'] };
  const move = (at, to) => ({ component: 0, at: [at], write: "", move: "", to });
  assert.deepEqual(fallingEdges(board, move(1, 'hackenbush("0-1 1-3:b 0-1")')), [1]);
  assert.deepEqual(fallingEdges(board, move(3, 'hackenbush("0-1 1-2 1-3:b")')), [3]);
  assert.deepEqual(fallingEdges({ terms: ['hackenbush("0-1 1-2 1-3:b")'] }, move(0, 'hackenbush("")')), [0, 1, 2]);
  assert.deepEqual(fallingEdges({ terms: ["nim(3)"] }, move(0, "nim(2)")), []);
});

test("typed and pasted matrices are parsed", () => {
  const { readGrid, readNames, namesText, gameText, fitting, gridText, hasSeveralCells, overlay, fractionValue } = page;
  assert.deepEqual(readGrid("1,2;3"), [["1", "2"], ["3", ""]]);
  assert.equal(gridText([["1", "1/2"], ["-3", "a,b;c"]]), "1,1/2;-3,abc");
  for (const text of ["1\t−2", "1 2", "[[1]]", "1,5", "{{1}}", "1 & 2", "| 1 |"]) assert.ok(hasSeveralCells(text), text);
  for (const text of ["1/2", " 1 / 3 ", "-2.5\n"]) assert.ok(!hasSeveralCells(text), text);
  const names = { rows: ["up", "down"], columns: [] };
  assert.deepEqual(readNames(namesText(names)), names);
  assert.deepEqual(readNames("broken"), { rows: [], columns: [] });
  assert.deepEqual(fitting(names, [["1"]]), { rows: [], columns: [] });
  assert.equal(gameText([["1"], ["2"]], names), '{"matrix":[["1"],["2"]],"row_names":["up","down"]}');
  assert.equal(gameText([["1", "2"]], { rows: [], columns: [] }), "1,2");
  assert.deepEqual(overlay([["1"]], [["2", "3"]], 1, 0), [["1", "0"], ["2", "3"]]);
  assert.equal(fractionValue("3/4"), 0.75);
});

test("large numbers are readable", () => {
  const { counted } = page;
  assert.equal(counted(16384, "en", "?"), "16,384");
  assert.equal(counted("288142696552654827835398", "en", "?"), "≈ 2.88 · 10²³");
  assert.equal(counted(null, "en", "?"), "?");
});
