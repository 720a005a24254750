// Tests that the engine answers the golden requests of the command line (testdata/golden) with the
// same bytes.
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { fresh, root, text } from "./engine.mjs";

/**
 * Limits as generous as those of the command line, so that no golden test depends on the speed of
 * WebAssembly.
 */
const PATIENT = { seconds: 600, positions: 50_000_000, memory: 4 * 2 ** 30 };

/** Returns the runs and batch lines of a golden file, with the expected output. */
function questions(file) {
  const runs = [];
  const lines = text(`testdata/golden/${file}`).split("\n");
  let batch = null;
  for (const line of lines) {
    if (line.startsWith("$ ")) {
      runs.push({ run: line.slice(2), said: [] });
    } else if (line.startsWith("! ")) {
      batch = JSON.parse(line.slice(2));
    } else if (line.startsWith("? ")) {
      runs.push({ batch, line: line.slice(2), said: [] });
    } else if (line.startsWith("  ")) {
      runs.at(-1).said.push(line.slice(2));
    }
  }
  return runs;
}

/** Options of the command line that the engine lacks: options of a terminal, and work on disk. */
const ELSEWHERE = new Set(["--tablebase", "--checkpoint", "--resume", "--what", "--bfile", "--csv", "--dot", "--all", "--no-moves"]);
const COMMANDS = new Set(["man", "fly", "play", "probe", "batch", "serve"]);
const FLAGS = new Set([
  "proof", "genus", "best_move", "pattern", "full", "graph", "explain", "labels", "optimal", "latex", "alpha_beta", "trace", "stream",
  "remoteness", "frequencies", "freeze", "form", "merge", "outcome", "draw_levels",
]);
const NUMBERS = new Set(["max", "list", "seed", "count", "extreme", "level"]);

/** The name of the file that represents standard input. */
const INPUT = "input.csv";

const isFile = (path) => existsSync(path) && statSync(path).isFile();

/**
 * Translates arguments of the command line to the name, keys and limits of a request. Returns
 * `null` if the engine has no such request. `shelf` has the files that earlier requests of the same
 * golden file wrote.
 */
function question([name, ...rest], said, shelf) {
  if (COMMANDS.has(name)) return null;
  const keys = {};
  const limits = { ...PATIENT };
  const positional = [];
  const bring = (given) => {
    const file = given === "-" ? INPUT : given;
    if (shelf.has(file)) keys.files = { ...keys.files, [file]: shelf.get(file) };
    else if (isFile(root + file)) keys.files = { ...keys.files, [file]: text(file) };
    return file;
  };
  while (rest.length > 0) {
    const argument = rest.shift();
    if (argument === "--json") continue;
    if (ELSEWHERE.has(argument)) return null;
    if (!argument.startsWith("--") || argument === "-") {
      positional.push(argument);
      continue;
    }
    const key = argument.slice(2).replaceAll("-", "_");
    const value = () => rest.shift() ?? "";
    if (key === "misere") {
      // A quotient always concerns misère play.
      if (name !== "quotient") keys.play = "misere";
    } else if (key === "max_positions") limits.positions = Number(value());
    else if (key === "picture") {
      // The engine does not read pictures. The expected answer has the position that the program
      // read.
      value();
      const { game } = JSON.parse(said.join(""));
      if (game === undefined) return null;
      positional.push(game);
    } else if (key === "rules") {
      const file = value();
      if (!isFile(root + file)) return null;
      keys.rules = text(file);
    } else if (key === "genus" && name === "table") keys.of = "genus";
    else if (key === "born" && name === "value") [name, keys.day] = ["born", Number(value())];
    else if (key === "find") [name, keys.game] = ["find", value()];
    else if (key === "random") [name, keys.count] = ["temperatures", Number(value())];
    else if (FLAGS.has(key) || (key === "table" && name === "tree")) keys[key] = true;
    else if (NUMBERS.has(key)) keys[key] = Number(value());
    else keys[key] = value();
  }
  if (!Number.isSafeInteger(limits.positions)) return null;
  const [first, ...others] = positional;
  // Birthdays in misère play are not supported.
  if (name === "born" && keys.play) return null;
  if (first === undefined && !["help", "born", "find", "temperatures"].includes(name)) return null;
  if (name === "matrix" || name === "verify") keys.file = bring(first);
  else if (name === "label" || name === "tree") keys.game = bring(first);
  else if (first !== undefined) keys.game = first;
  if (name === "table" || name === "exercises") keys.ranges = others;
  else if (name === "compare") [keys.with] = others;
  else if (others.length > 0) return null;
  // An expression may read a graph from a file.
  for (const [, file] of (keys.game ?? "").matchAll(/["']([^"']*\.[a-z]+)["']/g)) bring(file);
  if (keys.versus?.endsWith(".txt")) bring(keys.versus);
  // Messages of the program name the options of the command line.
  keys.interface = "terminal";
  return { name, keys, limits };
}

/** Returns the answer without the files that it wrote, which are added to `shelf`. */
function withoutFiles(answer, shelf) {
  const { files } = JSON.parse(answer);
  if (files === undefined || !answer.includes('"files":{')) return answer;
  for (const [name, file] of Object.entries(files)) shelf.set(name, file);
  return answer.slice(0, answer.lastIndexOf('"files":{')).replace(/,$/, "") + "}";
}

/**
 * Returns the expected and the actual answer in comparable form. The expected error is the whole
 * output, the actual one is part of an answer. Messages about rules name the rule file only in the
 * first. The actual answer has an additional key, the name of the theorem for a period.
 */
function compared(asked, said, answer) {
  const bytes = said.join("\n").trim() || "{}";
  if (bytes.includes('"error":')) {
    const [there, here] = [JSON.parse(bytes).error, JSON.parse(answer).error];
    // The message about a missing file comes from the operating system.
    if (there.kind === "io") return [there.kind, here?.kind];
    const file = / (\w+\.star)\b|^(\w+\.star)\b/.exec(there.message);
    const text = JSON.stringify(there).replace("standard input", INPUT);
    return [file ? text.replace(file[1] ?? file[2], "rules") : text, JSON.stringify(here)];
  }
  // The program prints each row of a table on its own line.
  if (asked.name === "label") return [JSON.stringify(JSON.parse(bytes)), answer];
  return [bytes, asked.name === "period" ? answer.replace(/,"theorem_text":"[^"]*"/, "") : answer];
}

/** Requests that the command line rejects by its option grammar or answers by itself. */
const BY_ITSELF = [
  /^\["help", ("--json"|"games"|"notation"|"game"|"slove"|"notatoin")/,
  /invalid value|` must be at least 1|is too large for `|required arguments|cannot be used with|unexpected argument|unexpected value|has no option|is missing|missing key `|no position given|invalid number `|unexpected range|requires a file|looks like an option/,
];

let all = 0;

for (const file of readdirSync(`${root}testdata/golden`)) {
  test(`golden: ${file}`, (t) => {
    const engine = fresh();
    const shelf = new Map();
    let [same, elsewhere] = [0, 0];
    const different = [];
    for (const { run, batch, line, said } of questions(file)) {
      let asked = null;
      if (BY_ITSELF.some((pattern) => pattern.test(run ?? "") || pattern.test(said.join("")))) {
        elsewhere += 1;
        continue;
      }
      if (run !== undefined) {
        // A list of arguments, followed by the standard input.
        const [, list, input] = /^(\[.*?\]) ?("(?:[^"\\]|\\.)*")?$/.exec(run);
        if (input) shelf.set(INPUT, JSON.parse(input));
        if (list.includes('"--json"')) asked = question(JSON.parse(list), said, shelf);
      } else {
        let object = null;
        try {
          object = line.startsWith("{") ? JSON.parse(line) : { game: line };
        } catch {
          // The expected answer is an error about this malformed line.
        }
        const options = batch.filter((argument) => argument !== "--jsonl" && argument !== "-");
        if (typeof object?.game === "string" && !("with" in object) && !(batch[0] === "value" && "expect" in object)) {
          asked = question([...options, object.game], said, shelf);
          // Messages in batches name JSON keys, not options.
          asked.keys = { ...asked.keys, interface: "json", ...object };
        }
      }
      if (!asked) {
        elsewhere += 1;
        continue;
      }
      const answer = withoutFiles(engine.ask(asked.name, JSON.stringify(asked.keys), asked.limits).trim(), shelf);
      const [there, here] = compared(asked, said, answer);
      if (there === here) same += 1;
      else different.push(`${run ?? line}\n- ${there.slice(0, 600)}\n+ ${here?.slice(0, 600)}`);
    }
    all += same;
    t.diagnostic(`${same} the same, ${elsewhere} not asked of the engine`);
    assert.equal(different.length, 0, `${different.length} different:\n${different.slice(0, 20).join("\n")}`);
  });
}

test("most golden questions are compared", () => {
  assert.ok(all > 1400, `${all}`);
});
