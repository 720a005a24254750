// The engine in the browser: workers answer all requests, and no data leaves the page.
import type { Name, Question, Questions } from "./answers.ts";
import { WorkerPool, WorkerFailure } from "./workerPool.ts";
import { PAGE_KEYS, type Engine, EngineError, requireResults, type Progress, isAbort, offlineError } from "./engine.ts";
import { engineFiles } from "./engineFiles.ts";
import { parseJson, writeJson } from "./json.ts";
import type { EngineRequest } from "./message.ts";
import { speaker } from "../words.ts";

/** The limits of the server, so that both reject the same requests. */
const QUESTION_LIMITS = { seconds: 10, positions: 5_000_000, memory: 128 * 2 ** 20 };
const JOB_LIMITS = { seconds: 600, positions: 20_000_000, memory: 384 * 2 ** 20 };

/** Requests of the board have their own worker, so that long computations do not delay them. */
const BOARD_REQUESTS = new Set<Name>(["board", "draw", "help"]);
const ANALYSIS_WORKERS = 3;
const JOB_WORKERS = 2;

const isForbidden = (error: unknown): boolean => typeof WebAssembly === "undefined" || error instanceof WebAssembly.CompileError;

/** Returns the engine in a folder. Everything on a page shares one engine with its workers. */
export function wasm(folder: URL): Engine {
  const { startWorker, load } = engineFiles(folder);
  const pools = { board: new WorkerPool(startWorker, 1), thinking: new WorkerPool(startWorker, ANALYSIS_WORKERS), jobs: new WorkerPool(startWorker, JOB_WORKERS) };

  async function answer(pool: WorkerPool, name: Name, question: Question, limits: EngineRequest["limits"], signal: AbortSignal, progress?: (progress: Progress) => void) {
    let text: string;
    try {
      text = await pool.ask({ name, question: writeJson({ ...PAGE_KEYS, ...question }), limits, reportProgress: progress !== undefined }, signal, progress);
    } catch (error) {
      if (isAbort(error)) throw error;
      const say = speaker(question.lang ?? "en");
      if (error instanceof WorkerFailure) throw new EngineError(error.timedOut ? { kind: "limit", message: "" } : { kind: "internal", message: say("engine_fell") });
      // A retry is pointless if the browser or a content security policy forbids WebAssembly.
      throw isForbidden(error) ? new EngineError({ kind: "internal", message: say("engine_refused") }) : offlineError();
    }
    const parsed = parseJson(text) as { error?: EngineError["trouble"] };
    if (parsed.error) throw new EngineError(parsed.error);
    return requireResults(name, parsed);
  }

  return {
    words: { offline: "engine_missing", offline_here: "engine_missing_here" },
    tables: false,

    async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
      const pool = BOARD_REQUESTS.has(name) ? pools.board : pools.thinking;
      return (await answer(pool, name, question, QUESTION_LIMITS, signal)) as Questions[N]["answer"];
    },

    async job<N extends Name>(
      name: N,
      question: Questions[N]["question"],
      progress: (progress: Progress) => void,
      signal: AbortSignal,
    ) {
      return (await answer(pools.jobs, name, question, JOB_LIMITS, signal, progress)) as Questions[N]["answer"];
    },

    async alive() {
      try {
        await load();
        return true;
      } catch {
        return false;
      }
    },
  };
}
