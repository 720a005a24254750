// Tests of consecutive requests, several engines, progress and aborts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerOf, fresh, text } from "./engine.mjs";

const PERIOD = { game: "take_and_break('0.16', n)", max: 3_000_000 };

test("answers do not depend on earlier questions", () => {
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
  // A request sees neither the files nor the rules of an earlier one.
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
      answerOf(engine, "label", { game: "nim(20, 20)" });
      answerOf(engine, "solve", { game: "game(moves, 200)", rules: text("examples/rules/squares.star") });
      sizes.push(Math.max(...[...seen].map((memory) => buffer.call(memory).byteLength)));
    }
  } finally {
    Object.defineProperty(bytes, "buffer", { configurable: true, get: buffer });
  }
  assert.equal(sizes.at(-1), sizes[5], "after five rounds everything has its place");
});

test("progress is reported during the work", () => {
  const told = [];
  const answer = answerOf(fresh(), "period", PERIOD, { seconds: 600 }, { onProgress: (progress) => told.push(progress) });
  assert.ok(!answer.error);
  assert.ok(told.length > 0);
  for (const { text, done, of } of told) {
    assert.equal(typeof text, "string");
    assert.ok(done <= of && of === PERIOD.max);
  }
  assert.deepEqual(told.map(({ done }) => done), told.map(({ done }) => done).sort((a, b) => a - b));
});

test("a listener can stop the work by throwing or by its result", () => {
  const engine = fresh();
  const callbacks = { onProgress: () => { throw new TypeError("enough"); } };
  assert.throws(() => engine.ask("period", JSON.stringify(PERIOD), { seconds: 600 }, callbacks), /enough/);
  let heard = false;
  // A computation so long that it cannot finish before the next callback.
  const long = { ...PERIOD, game: "grundys_game(n)" };
  const stopped = answerOf(engine, "period", long, { seconds: 600 }, { onProgress: () => (heard = true), aborted: () => heard });
  assert.ok(stopped.error?.message === "interrupted" || stopped.status === "partial", JSON.stringify(stopped));
  assert.equal(answerOf(engine, "solve", { game: "nim(3)" }).grundy, 3);
});

test("engines are independent, also while one of them works", () => {
  const [one, other] = [fresh(), fresh()];
  let within;
  const answer = answerOf(one, "period", PERIOD, { seconds: 600 }, {
    onProgress: () => {
      within ??= [answerOf(one, "solve", { game: "nim(5)" }).grundy, answerOf(other, "solve", { game: "nim(6)" }).grundy];
    },
  });
  assert.ok(!answer.error);
  assert.deepEqual(within, [5, 6]);
});

test("only the clock of the host is used", () => {
  // The clock stands still, so no time limit is ever exceeded.
  const now = performance.now;
  performance.now = () => 0;
  try {
    assert.equal(answerOf(fresh(), "solve", { game: "grundys_game(3000)" }, { seconds: 0.001 }).status, "exact");
  } finally {
    performance.now = now;
  }
});
