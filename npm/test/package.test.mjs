// Tests of the installed npm package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { GrundyError, load } from "../dist/index.js";
import { fresh, module, root, text } from "./engine.mjs";

const engine = await load(module);

test("every question of the engine has its function", () => {
  const { help } = JSON.parse(fresh().ask("nosuch", "{}")).error;
  const names = help.replace("known questions: ", "").split(", ");
  const types = readFileSync(`${root}npm/dist/answers.d.ts`, "utf8");
  const listed = types.slice(types.indexOf("export interface Questions"));
  const playing = engine.play("nim(3)");
  for (const name of names) {
    // Tablebases are folders on disk, which the engine in WebAssembly cannot read.
    if (name === "probe" || name === "tables") continue;
    assert.ok(typeof engine[name] === "function" || typeof playing[name] === "function", name);
    assert.match(listed, new RegExp(`\\b${name}: \\{`), name);
  }
});

test("questions are asked as functions", () => {
  assert.equal(engine.solve("nim(3, 4, 5)").grundy, 2);
  assert.equal(engine.solve("nim(3, 4, 5)", { play: "misere" }).outcome, "N");
  assert.ok(engine.explain("nim(3, 4)", { pictures: true }).svg.startsWith("<svg"));
  assert.deepEqual(engine.table("kayles(n)", ["n=0..5"]).grundy, [0, 1, 2, 3, 1, 4]);
  const period = engine.period("kayles(n)", { certificate: "c.json" });
  assert.equal(period.period, 12);
  assert.equal(engine.verify(period.files["c.json"]).valid, true);
  assert.equal(engine.verify(JSON.parse(period.files["c.json"])).valid, true);
  assert.equal(engine.quotient("take_and_break('0.123', n)").order, 20);
  assert.equal(engine.label("moves.csv", { files: { "moves.csv": "from,to\na,b\nb,c\n" } }).positions.length, 3);
  assert.equal(engine.matrix([[1, 2], ["7/2", 0]]).value, "14/9");
  assert.equal(engine.tree("tic_toe()").value, "X");
  assert.equal(engine.value("literal('{2|-1}')").temperature, "3/2");
  assert.deepEqual(engine.find("domineering", { equals: "1", within: "2x2" }).positions, ['domineering([".", "."])']);
  assert.equal(engine.temperatures("domineering", { within: "2x2", count: 3 }).count, 3);
  assert.equal(engine.born(1).count, 4);
  assert.equal(engine.compare("nim(2)", "nim(3)").relation, "||");
  assert.equal(engine.nimber("2 * 4").value, 8);
  assert.ok(engine.draw("nim(3)").svg.startsWith("<svg"));
  assert.equal(engine.exercises("nim", { count: 2 }).exercises.length, 2);
  assert.equal(engine.practice("nim", { seed: 1 }).ask, "outcome");
  assert.equal(engine.help("nim").name, "nim");
  assert.ok(engine.help().groups.length > 3);
});

test("a game is played", () => {
  const begun = engine.play("nim(3, 4)");
  const moved = begun.move("1 1");
  assert.equal(moved.board().position, "nim(3, 1)");
  assert.equal(begun.board().position, "nim(3, 4)");
  const reply = moved.reply({ level: 10 });
  assert.equal(moved.move(reply.move).board().position, "nim(1, 1)");
  assert.equal(moved.analyse().standing, "win");
  assert.equal(moved.hint(1).standing, "win");
  assert.equal(moved.review().mistakes.length, 1);
  assert.deepEqual(moved.move(reply.move).back(2).moves, begun.moves);
});

test("whole numbers keep all their digits", () => {
  assert.equal(engine.solve("nim(18446744073709551615)").grundy, 18446744073709551615n);
  assert.equal(engine.exercises("nim", { seed: 18446744073709551615n, count: 1 }).seed, 18446744073709551615n);
});

test("errors are thrown with their place", () => {
  const error = (() => {
    try {
      engine.solve("nim(3, )4");
    } catch (error) {
      return error;
    }
  })();
  assert.ok(error instanceof GrundyError && error instanceof Error);
  assert.equal(error.kind, "syntax");
  assert.deepEqual(error.place, { offset: 8, line: 1, column: 9 });
  assert.throws(() => engine.solve("nime(3)", { lang: "zh" }), { kind: "unknown_name", help: /nim/, message: /[\u4e00-\u9fff]/ });
  assert.throws(() => engine.solve("game(f, 1)", { rules: "def f(" }), { in: "rules" });
});

test("an abort signal stops the work", () => {
  const controller = new AbortController();
  const options = { max: 3_000_000, signal: controller.signal, limits: { seconds: 600 }, onProgress: () => controller.abort() };
  assert.throws(() => engine.period("take_and_break('0.16', n)", options), { name: "AbortError" });
  assert.throws(() => engine.solve("nim(3)", { signal: AbortSignal.abort(new Error("never")) }), /never/);
  assert.equal(engine.solve("nim(3)").grundy, 3);
});

test("the engine loads from a URL, bytes or a response", async () => {
  const file = new URL("../dist/grundy.wasm", import.meta.url);
  const bytes = readFileSync(file);
  const response = () => new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
  for (const source of [undefined, file, String(file), bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), response(), Promise.resolve(response()), new Response(bytes)]) {
    assert.equal((await load(source)).solve("nim(3)").grundy, 3);
  }
  await assert.rejects(load(new Response("", { status: 404 })), /404/);
  await assert.rejects(load(new Uint8Array(3)), WebAssembly.CompileError);
});

test("the limits of an engine are the defaults of its questions", async () => {
  const bounded = await load(module, { positions: 10 });
  assert.equal(bounded.label("chomp(4, 4, 4)").stopped.limit, "positions");
  assert.equal(bounded.label("chomp(4, 4, 4)", { limits: { positions: 1000 } }).vertices, 34);
});

test("the package contains exactly the files it needs", () => {
  const folder = mkdtempSync(join(tmpdir(), "grundy-npm-"));
  try {
    const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: `${root}npm`, encoding: "utf8" }));
    const files = packed[0].files.map(({ path }) => path).sort();
    const code = ["engine", "error", "index", "json", "questions"].flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
    const expected = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", "dist/grundy.wasm", "dist/answers.d.ts", "dist/keys.d.ts", ...code];
    assert.deepEqual(files, expected.sort());

    // The example in README.md must work with the installed package.
    const home = join(folder, "node_modules", "grundy");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed[0].filename), "--strip-components=1", "-C", home]);
    const example = /```js\n([\s\S]*?)```/.exec(text("npm/README.md"))[1];
    writeFileSync(join(folder, "example.mjs"), example);
    const said = execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
    const expectedWords = [...example.matchAll(/\/\/ (.*)$/gm)].map(([, words]) => words);
    assert.deepEqual(said.trim().split("\n"), expectedWords);

    // The example must also type-check.
    symlinkSync(`${root}npm/node_modules/typescript`, join(folder, "node_modules", "typescript"));
    writeFileSync(join(folder, "example.mts"), example);
    const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
    for (const resolution of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
      const [kind, how] = resolution;
      const options = ["--noEmit", "--strict", "--target", "es2022", "--module", kind, "--moduleResolution", how, "--types", ""];
      execFileSync(process.execPath, [compiler, ...options, "example.mts"], { cwd: folder, stdio: "inherit" });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
