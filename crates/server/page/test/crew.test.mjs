// Tests of the worker pool: termination, replacement, and waiting requests.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

let folder, Crew, Lost;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "grundy-crew-"));
  const outfile = join(folder, "crew.mjs");
  await build({ entryPoints: [here("../src/engine/crew.ts")], outfile, bundle: true, format: "esm", logLevel: "error" });
  ({ Crew, Lost } = await import(pathToFileURL(outfile).href));
});
after(() => rm(folder, { recursive: true }));

/** Returns fake workers that a test controls. */
function hands() {
  const all = [];
  const engage = async () => {
    const hand = { asked: [], ended: false, onmessage: null, onerror: null };
    hand.postMessage = ({ wanted }) => hand.asked.push(wanted.name);
    hand.terminate = () => (hand.ended = true);
    all.push(hand);
    return hand;
  };
  return { all, engage };
}

const wanted = (name, seconds = 10) => ({ name, question: "{}", limits: { seconds, positions: 1, memory: 1 }, watched: false });
const free = () => new AbortController().signal;
const soon = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

test("requests beyond the worker limit wait, and each gets its own answer", async () => {
  const { all, engage } = hands();
  const crew = new Crew(engage, 2);
  const answers = ["a", "b", "c"].map((name) => crew.ask(wanted(name), free()));
  await soon();
  assert.deepEqual(all.map((hand) => hand.asked), [["a"], ["b"]]);
  all[1].onmessage({ data: { answer: "of b" } });
  await soon();
  assert.deepEqual(all[1].asked, ["b", "c"]);
  all[1].onmessage({ data: { answer: "of c" } });
  all[0].onmessage({ data: { answer: "of a" } });
  assert.deepEqual(await Promise.all(answers), ["of a", "of b", "of c"]);
});

test("a cancelled worker is replaced, a cancelled waiting request never starts", async () => {
  const { all, engage } = hands();
  const crew = new Crew(engage, 1);
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [crew.ask(wanted("long"), first.signal), crew.ask(wanted("stale"), second.signal), crew.ask(wanted("next"), free())];
  asked.forEach((answer) => answer.catch(() => undefined));
  await soon();
  second.abort();
  first.abort();
  await assert.rejects(asked[0], { name: "AbortError" });
  await soon(80);
  assert.equal(all[0].ended, true);
  assert.deepEqual(all.map((hand) => hand.asked), [["long"], ["next"]]);
  await assert.rejects(asked[1], { name: "AbortError" });
  all[1].onmessage({ data: { answer: "here" } });
  assert.equal(await asked[2], "here");
});

test("a worker that answers soon after a cancellation is kept", async () => {
  const { all, engage } = hands();
  const crew = new Crew(engage, 1);
  const stop = new AbortController();
  const asked = crew.ask(wanted("short"), stop.signal);
  asked.catch(() => undefined);
  await soon();
  stop.abort();
  all[0].onmessage({ data: { answer: "too late" } });
  await soon(80);
  assert.equal(all[0].ended, false);
  const next = crew.ask(wanted("next"), free());
  await soon();
  all[0].onmessage({ data: { answer: "here" } });
  assert.equal(await next, "here");
});

test("a crashed or silent worker is replaced for the next request", async () => {
  const { all, engage } = hands();
  const crew = new Crew(engage, 1);
  const fallen = crew.ask(wanted("fall"), free());
  await soon();
  all[0].onerror({ message: "it fell" });
  await assert.rejects(fallen, (error) => error instanceof Lost && !error.late && error.message === "it fell");
  // A worker counts as silent five seconds after its time limit.
  const silent = crew.ask(wanted("silent", -4.95), free());
  await assert.rejects(silent, (error) => error instanceof Lost && error.late);
  const next = crew.ask(wanted("next"), free());
  await soon();
  all[2].onmessage({ data: { answer: "here" } });
  assert.equal(await next, "here");
  assert.deepEqual(all.map((hand) => hand.ended), [true, true, false]);
});

test("if no worker starts, all waiting requests fail and can be repeated", async () => {
  const { all, engage } = hands();
  let broken = true;
  const crew = new Crew(() => (broken ? Promise.reject(new Error("no file")) : engage()), 1);
  await assert.rejects(crew.ask(wanted("a"), free()), { message: "no file" });
  broken = false;
  const asked = crew.ask(wanted("b"), free());
  await soon();
  all[0].onmessage({ data: { answer: "here" } });
  assert.equal(await asked, "here");
});
