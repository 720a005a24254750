// Tests of the worker pool: termination, replacement, and waiting requests.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

let folder, WorkerPool, WorkerFailure;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "grundy-pool-"));
  const outfile = join(folder, "workerPool.mjs");
  await build({ entryPoints: [here("../src/engine/workerPool.ts")], outfile, bundle: true, format: "esm", logLevel: "error" });
  ({ WorkerPool, WorkerFailure } = await import(pathToFileURL(outfile).href));
});
after(() => rm(folder, { recursive: true }));

/** Returns fake workers that a test controls. */
function fakeWorkers() {
  const all = [];
  const startWorker = async () => {
    const worker = { requests: [], ended: false, onmessage: null, onerror: null };
    worker.postMessage = ({ request }) => worker.requests.push(request.name);
    worker.terminate = () => (worker.ended = true);
    all.push(worker);
    return worker;
  };
  return { all, startWorker };
}

const request = (name, seconds = 10) => ({ name, question: "{}", limits: { seconds, positions: 1, memory: 1 }, reportProgress: false });
const free = () => new AbortController().signal;
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

test("requests beyond the worker limit wait, and each gets its own answer", async () => {
  const { all, startWorker } = fakeWorkers();
  const pool = new WorkerPool(startWorker, 2);
  const answers = ["a", "b", "c"].map((name) => pool.ask(request(name), free()));
  await pause();
  assert.deepEqual(all.map((worker) => worker.requests), [["a"], ["b"]]);
  all[1].onmessage({ data: { answer: "of b" } });
  await pause();
  assert.deepEqual(all[1].requests, ["b", "c"]);
  all[1].onmessage({ data: { answer: "of c" } });
  all[0].onmessage({ data: { answer: "of a" } });
  assert.deepEqual(await Promise.all(answers), ["of a", "of b", "of c"]);
});

test("a cancelled worker is replaced, a cancelled waiting request never starts", async () => {
  const { all, startWorker } = fakeWorkers();
  const pool = new WorkerPool(startWorker, 1);
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [pool.ask(request("long"), first.signal), pool.ask(request("stale"), second.signal), pool.ask(request("next"), free())];
  answers.forEach((answer) => answer.catch(() => undefined));
  await pause();
  second.abort();
  first.abort();
  await assert.rejects(answers[0], { name: "AbortError" });
  await pause(80);
  assert.equal(all[0].ended, true);
  assert.deepEqual(all.map((worker) => worker.requests), [["long"], ["next"]]);
  await assert.rejects(answers[1], { name: "AbortError" });
  all[1].onmessage({ data: { answer: "here" } });
  assert.equal(await answers[2], "here");
});

test("a worker that answers soon after a cancellation is kept", async () => {
  const { all, startWorker } = fakeWorkers();
  const pool = new WorkerPool(startWorker, 1);
  const stop = new AbortController();
  const answers = pool.ask(request("short"), stop.signal);
  answers.catch(() => undefined);
  await pause();
  stop.abort();
  all[0].onmessage({ data: { answer: "too late" } });
  await pause(80);
  assert.equal(all[0].ended, false);
  const next = pool.ask(request("next"), free());
  await pause();
  all[0].onmessage({ data: { answer: "here" } });
  assert.equal(await next, "here");
});

test("a crashed or silent worker is replaced for the next request", async () => {
  const { all, startWorker } = fakeWorkers();
  const pool = new WorkerPool(startWorker, 1);
  const fallen = pool.ask(request("fall"), free());
  await pause();
  all[0].onerror({ message: "it fell" });
  await assert.rejects(fallen, (error) => error instanceof WorkerFailure && !error.timedOut && error.message === "it fell");
  // A worker counts as silent five seconds after its time limit.
  const silent = pool.ask(request("silent", -4.95), free());
  await assert.rejects(silent, (error) => error instanceof WorkerFailure && error.timedOut);
  const next = pool.ask(request("next"), free());
  await pause();
  all[2].onmessage({ data: { answer: "here" } });
  assert.equal(await next, "here");
  assert.deepEqual(all.map((worker) => worker.ended), [true, true, false]);
});

test("if no worker starts, all waiting requests fail and can be repeated", async () => {
  const { all, startWorker } = fakeWorkers();
  let broken = true;
  const pool = new WorkerPool(() => (broken ? Promise.reject(new Error("no file")) : startWorker()), 1);
  await assert.rejects(pool.ask(request("a"), free()), { message: "no file" });
  broken = false;
  const answers = pool.ask(request("b"), free());
  await pause();
  all[0].onmessage({ data: { answer: "here" } });
  assert.equal(await answers, "here");
});
