// Tests that hostile requests do not crash the engine, and of its error messages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "../dist/index.js";
import { answerOf, fresh } from "./engine.mjs";

const NIM = { game: "nim(3, 4)" };
/** Returns the kind of the error, or of the limit that stopped the computation. */
const kind = (engine, name, question, limits, callbacks) => {
  const answer = answerOf(engine, name, question, limits, callbacks);
  return (answer.stopped ?? answer.error)?.kind;
};
const works = (engine) => assert.equal(answerOf(engine, "solve", NIM).grundy, 7);

test("malformed questions are rejected", () => {
  const engine = fresh();
  for (const text of ["", "[", "[".repeat(100_000), '{"game":'.repeat(100_000), "null", '{"game": 3}', "\0", "{}", '{"game":"\\ud800"}']) {
    const answer = JSON.parse(engine.ask("solve", text));
    assert.ok(answer.error, text.slice(0, 20));
    assert.notEqual(answer.error.kind, "internal", text.slice(0, 20));
  }
  assert.equal(kind(engine, "nosuch", {}), "unknown_name");
  assert.equal(kind(engine, "", {}), "unknown_name");
  assert.equal(kind(engine, "solve\0", {}), "unknown_name");
  works(engine);
});

test("deep and long inputs have the limits of the command line", () => {
  const engine = fresh();
  const deep = (depth) => "(".repeat(depth) + "nim(1)" + ")".repeat(depth);
  assert.deepEqual(answerOf(engine, "solve", { game: deep(100_000) }).error.at, { offset: 200, line: 1, column: 201 });
  assert.equal(answerOf(engine, "solve", { game: deep(190) }).grundy, 1);
  assert.equal(kind(engine, "solve", { game: `nim(${"1,".repeat(5e6)}1)` }), "syntax");
  const sum = (terms) => Array(terms).fill("nim(1)");
  assert.equal(answerOf(engine, "solve", { game: sum(900).join("+") }).grundy, 0);
  assert.equal(kind(engine, "solve", { game: sum(9000).join("+") }), "syntax");
  assert.equal(answerOf(engine, "solve", { game: `sum_of([${sum(9000)}])` }).grundy, 0);
});

test("too deep rules are an error, and the engine still works", () => {
  const engine = fresh();
  for (const [before, after] of [
    ["return [n - 1] if n > 0 ", "and 1 "],
    ["return [n - 1] if n > 0 ", "+ 1 "],
    ["return [n - 1] if n > 0 and ", "not "],
  ]) {
    for (const operators of [1, 100, 1000, 19_000, 30_000]) {
      const rules = `def moves(n): ${before}${after.repeat(operators)}${after === "not " ? "0 " : ""}else []`;
      const answer = answerOf(engine, "solve", { game: "game(moves, 3)", rules });
      if (operators <= 100) assert.ok(!answer.error, JSON.stringify(answer));
      else assert.ok(!answer.error || ["limit", "syntax"].includes(answer.error.kind), JSON.stringify(answer));
    }
    works(engine);
  }
});

test("endless rules are stopped by steps, time or the host", () => {
  const engine = fresh();
  const rules = "def moves(n):\n    for i in range(1000000000000):\n        n += 1\n    return []";
  const endless = { game: "game(moves, 3)", rules };
  // The time limit, or on a fast machine the limit on the steps of a rule.
  const timed = answerOf(engine, "solve", endless, { seconds: 0.1 });
  assert.equal((timed.stopped ?? timed.error).kind, "limit");
  // An abort by the host.
  let looks = 0;
  const stopped = answerOf(engine, "solve", endless, { seconds: 600 }, { aborted: () => (looks += 1) > 5 });
  assert.equal(stopped.error.kind, "limit");
  assert.equal(stopped.error.message, "interrupted");
  // The limit on steps, without a clock.
  const recursive = "def f(n): return f(n + 1)\ndef moves(n): return f(n)";
  assert.equal(kind(engine, "solve", { game: "game(moves, 3)", rules: recursive }, { seconds: 600 }), "limit");
  const growing = { game: "game(moves, 0)", rules: "def moves(n): return [n + 1]" };
  assert.equal(kind(engine, "label", growing, { seconds: 600, positions: 1000 }), "limit");
  works(engine);
});

test("memory limits are enforced", () => {
  const engine = fresh();
  assert.equal(kind(engine, "label", { game: "nim(200, 200, 200)" }, { memory: 16 * 2 ** 20 }), "limit");
  assert.equal(kind(engine, "solve", { game: "subtraction('primes', 1000000000000)" }, { memory: 16 * 2 ** 20 }), "limit");
  // A number beyond the address space is no larger limit than the whole memory.
  assert.equal(kind(engine, "solve", { game: "subtraction('primes', 18446744073709551615)" }, { memory: 2 ** 60 }), "limit");
  assert.equal(answerOf(engine, "solve", { game: "kayles(18446744073709551615)" }, { memory: 2 ** 60 }).status, "proved");
  works(engine);
});

/** Returns the same module with its memory limited to `pages` pages of 64 KiB. */
function bounded(bytes, pages) {
  const number = (at) => {
    let [value, shift, end] = [0, 0, at];
    for (let more = true; more; end += 1, shift += 7) {
      value |= (bytes[end] & 127) << shift;
      more = bytes[end] > 127;
    }
    return [value >>> 0, end];
  };
  const written = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...written(value >>> 7)]);
  for (let at = 8; at < bytes.length; ) {
    const [length, from] = number(at + 1);
    if (bytes[at] !== 5) {
      at = from + length;
      continue;
    }
    // The memory section declares one memory without a maximum: count 1, flags 0, minimum.
    assert.deepEqual([...bytes.subarray(from, from + 2)], [1, 0]);
    const section = [1, 1, ...written(number(from + 2)[0]), ...written(pages)];
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([5, ...written(section.length), ...section]), bytes.subarray(from + length)]);
  }
  throw new Error("no memory");
}

test("exhausted memory is a limit, and the engine still works", async () => {
  const bytes = readFileSync(new URL("../dist/grundy.wasm", import.meta.url));
  const engine = new Engine(await WebAssembly.compile(bounded(bytes, 640)));
  const unbounded = { memory: 2 ** 60, positions: 2 ** 50, seconds: 600 };
  for (const [name, question] of [
    ["label", { game: "nim(300, 300, 300)" }],
    ["solve", { game: "nim(1)", rules: "#".repeat(60_000_000) }],
  ]) {
    const { error } = answerOf(engine, name, question, unbounded);
    assert.equal(error?.kind, "limit", JSON.stringify(error));
    assert.match(error.message, /memory/);
    works(engine);
  }
});

test("a defect is reported in the language of the question", () => {
  // No request is known to trigger a defect, so this calls the formatting of the message directly.
  const { exports } = new WebAssembly.Instance(fresh().module, { host: { time: () => 0, tell: () => {} } });
  const errorOf = (how, language, words) => {
    const bytes = new TextEncoder().encode(words);
    const room = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
    exports.failed(how, language);
    const [at, length] = [exports.answer(), exports.answer_length()];
    return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length))).error;
  };
  assert.deepEqual(errorOf(0, 0, "lost"), { kind: "internal", message: "internal error: lost", at: null });
  assert.equal(errorOf(0, 1, "lost").message, "内部错误：lost");
  assert.equal(errorOf(1, 0, "").kind, "limit");
  assert.equal(errorOf(2, 0, "").kind, "limit");
  assert.match(errorOf(2, 1, "").message, /[\u4e00-\u9fff]/);
});
