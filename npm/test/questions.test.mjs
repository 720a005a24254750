// One question after the other, several engines, progress and stopping.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, fresh, text } from "./engine.mjs";

const PERIOD = { game: "take_and_break('0.16', n)", max: 3_000_000 };

test("every question is answered as if it were the first", () => {
  const questions = [
    ["solve", { game: "kayles(7) + nim(3)" }],
    ["solve", { game: "game(moves, 9)", rules: text("examples/rules/squares.star") }],
    ["solve", { game: "game(moves, 9)" }],
    ["value", { game: "domineering(board(3, 4))" }],
    ["label", { game: "chomp(3, 3)", output: "a.csv" }],
    ["period", { game: "kayles(n)", certificate: "c.json" }],
    ["verify", { file: "c.json" }],
    ["practice", { game: "nim", seed: 3 }],
    ["quotient", { game: "take_and_break('0.123', n)" }],
    ["solve", { game: "nim(" }],
    ["solve", { game: "grundys_game(40000)", rules: "x = 1" }],
    ["help", { game: "nim", lang: "zh" }],
  ];
  const alone = questions.map(([name, question]) => fresh().ask(name, JSON.stringify(question)));
  const engine = fresh();
  const before = questions.map(([name, question]) => engine.ask(name, JSON.stringify(question)));
  const after = questions.toReversed().map(([name, question]) => engine.ask(name, JSON.stringify(question)));
  assert.deepEqual(before, alone);
  assert.deepEqual(after.toReversed(), alone);
  // What one question wrote another does not find, nor the rules that one brought.
  assert.match(alone[2], /no rule file is open/);
  assert.equal(JSON.parse(alone[6]).error.kind, "io");
});

test("memory does not grow with questions", () => {
  const engine = fresh();
  const sizes = [];
  const bytes = WebAssembly.Memory.prototype;
  const buffer = Object.getOwnPropertyDescriptor(bytes, "buffer").get;
  const seen = new Set();
  Object.defineProperty(bytes, "buffer", {
    configurable: true,
    get() {
      seen.add(this);
      return buffer.call(this);
    },
  });
  try {
    for (let round = 0; round < 40; round += 1) {
      asked(engine, "label", { game: "nim(20, 20)" });
      asked(engine, "solve", { game: "game(moves, 200)", rules: text("examples/rules/squares.star") });
      sizes.push(Math.max(...[...seen].map((memory) => buffer.call(memory).byteLength)));
    }
  } finally {
    Object.defineProperty(bytes, "buffer", { configurable: true, get: buffer });
  }
  assert.equal(sizes.at(-1), sizes[5], "after five rounds everything has its place");
});

test("progress is told while the work goes on", () => {
  const told = [];
  const answer = asked(fresh(), "period", PERIOD, { seconds: 600 }, { onProgress: (progress) => told.push(progress) });
  assert.ok(!answer.error);
  assert.ok(told.length > 0);
  for (const { text, done, of } of told) {
    assert.equal(typeof text, "string");
    assert.ok(done <= of && of === PERIOD.max);
  }
  assert.deepEqual(told.map(({ done }) => done), told.map(({ done }) => done).sort((a, b) => a - b));
});

test("a listener ends the work, by what it throws or by what it says", () => {
  const engine = fresh();
  const watching = { onProgress: () => { throw new TypeError("enough"); } };
  assert.throws(() => engine.ask("period", JSON.stringify(PERIOD), { seconds: 600 }, watching), /enough/);
  let heard = false;
  // So long that no machine has come to its end when the listener is asked again.
  const long = { ...PERIOD, game: "grundys_game(n)" };
  const stopped = asked(engine, "period", long, { seconds: 600 }, { onProgress: () => (heard = true), aborted: () => heard });
  assert.ok(stopped.error?.message === "interrupted" || stopped.status === "partial", JSON.stringify(stopped));
  assert.equal(asked(engine, "solve", { game: "nim(3)" }).grundy, 3);
});

test("engines stand beside each other, also while one of them works", () => {
  const [one, other] = [fresh(), fresh()];
  let within;
  const answer = asked(one, "period", PERIOD, { seconds: 600 }, {
    onProgress: () => {
      within ??= [asked(one, "solve", { game: "nim(5)" }).grundy, asked(other, "solve", { game: "nim(6)" }).grundy];
    },
  });
  assert.ok(!answer.error);
  assert.deepEqual(within, [5, 6]);
});

test("there is no clock but the host's", () => {
  // The time stands still, and nothing is ever late.
  const now = performance.now;
  performance.now = () => 0;
  try {
    assert.equal(asked(fresh(), "solve", { game: "grundys_game(3000)" }, { seconds: 0.001 }).status, "exact");
  } finally {
    performance.now = now;
  }
});
