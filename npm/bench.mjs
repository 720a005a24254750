// A benchmark of the WebAssembly engine against the native program, run alternately on one machine.
//
//     node npm/bench.mjs PROGRAM [ROUNDS]
//
// PROGRAM is for example target/release/grundy; ROUNDS defaults to 5. Prints the minimum time over
// all rounds, in milliseconds. The time of the program is that of a whole run minus that of a
// trivial run. The time of the engine is that of the request. Both read the same files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./dist/index.js";

const [program = "target/release/grundy", rounds = "5"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "grundy-bench-"));
const BENCH_LIMITS = { seconds: 600, positions: 50_000_000, memory: 3 * 2 ** 30 };

/** The moves of an acyclic game: each of a million vertices has edges to later ones. */
function moves(edges) {
  const lines = ["from,to"];
  let state = 12345;
  for (let edge = 0; edge < edges; edge += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const from = Math.floor(edge / 3);
    lines.push(`v${from},v${from + 1 + (state % 1000)}`);
  }
  return `${lines.join("\n")}\n`;
}
const graph = moves(1_000_000);
const file = join(folder, "moves.csv");
writeFileSync(file, graph);

const board = (rows, columns) => `board(${rows}, ${columns})`;
const questions = [
  ["solve nim(3, 4, 5) + kayles(7)", ["solve", "nim(3, 4, 5) + kayles(7)", "--json"], (engine) => engine.solve("nim(3, 4, 5) + kayles(7)", { limits: BENCH_LIMITS })],
  ["solve domineering(board(5, 5))", ["solve", `domineering(${board(5, 5)})`, "--json"], (engine) => engine.solve(`domineering(${board(5, 5)})`, { limits: BENCH_LIMITS })],
  ["solve cram(board(4, 7))", ["solve", `cram(${board(4, 7)})`, "--json"], (engine) => engine.solve(`cram(${board(4, 7)})`, { limits: BENCH_LIMITS })],
  ["solve cram(board(5, 7))", ["solve", `cram(${board(5, 7)})`, "--json"], (engine) => engine.solve(`cram(${board(5, 7)})`, { limits: BENCH_LIMITS })],
  ["table kayles(n) n=0..1000000", ["table", "kayles(n)", "n=0..1000000", "--json"], (engine) => engine.ask("table", { game: "kayles(n)", ranges: ["n=0..1000000"] }, { limits: BENCH_LIMITS })],
  ["period 0.16 to 1000000", ["period", 'take_and_break("0.16", n)', "--max", "1000000", "--json"], (engine) => engine.period('take_and_break("0.16", n)', { max: 1_000_000, limits: BENCH_LIMITS })],
  ["period 0.007 to 100000", ["period", 'take_and_break("0.007", n)', "--max", "100000", "--json"], (engine) => engine.period('take_and_break("0.007", n)', { max: 100_000, limits: BENCH_LIMITS })],
  ["label, 1000000 moves", ["label", file, "--output", join(folder, "labels.csv"), "--json"], (engine) => engine.label("moves.csv", { output: "labels.csv", files: { "moves.csv": graph }, limits: BENCH_LIMITS })],
  ["rule file, squares to 20000", ["table", "--rules", "examples/rules/squares.star", "game(moves, n)", "n=0..20000", "--json"], (engine) => engine.table("game(moves, n)", ["n=0..20000"], { rules: readFileSync("examples/rules/squares.star", "utf8"), limits: BENCH_LIMITS })],
  ["value of domineering(board(4, 5))", ["value", `domineering(${board(4, 5)})`, "--json"], (engine) => engine.value(`domineering(${board(4, 5)})`, { limits: BENCH_LIMITS })],
];

const timed = (work) => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};
// A period that is not found is a valid answer with its own exit status, so only status 2 is an
// error.
const native = (args) =>
  timed(() => {
    const { status, error } = spawnSync(program, args, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 30 });
    if (error || status === null || status === 2) throw error ?? new Error(`no answer to ${args.join(" ")}`);
  });

const engine = await load(undefined, BENCH_LIMITS);
const startup = Math.min(...Array.from({ length: 20 }, () => native(["nimber", "1"])));
console.log(`an empty run of the program: ${startup.toFixed(1)} ms\n`);
console.log("| question | program, ms | engine, ms | ratio |\n|---|---|---|---|");
for (const [name, args, ask] of questions) {
  let [engineTime, programTime] = [Infinity, Infinity];
  for (let round = 0; round < Number(rounds); round += 1) {
    programTime = Math.min(programTime, native(args) - startup);
    engineTime = Math.min(engineTime, timed(() => ask(engine)));
  }
  programTime = Math.max(programTime, 0.1);
  console.log(`| ${name} | ${programTime.toFixed(1)} | ${engineTime.toFixed(1)} | ${(engineTime / programTime).toFixed(2)} |`);
}
rmSync(folder, { recursive: true });
