// The engine in the browser: workers answer all requests, and no data leaves the page.
import type { Name, Question, Questions } from "./answers.ts";
import { Crew, Lost } from "./crew.ts";
import { ASKER, type Engine, EngineError, answered, type Progress, aborted, offline } from "./engine.ts";
import { house } from "./house.ts";
import { parseJson, writeJson } from "./json.ts";
import type { Wanted } from "./message.ts";
import { speaker } from "../words.ts";

/** The limits of the server, so that both reject the same requests. */
const QUESTION = { seconds: 10, positions: 5_000_000, memory: 128 * 2 ** 20 };
const JOB = { seconds: 600, positions: 20_000_000, memory: 384 * 2 ** 20 };

/** Requests of the board have their own worker, so that long computations do not delay them. */
const BOARD = new Set<Name>(["board", "draw", "help"]);
const THINKING = 3;
const JOBS = 2;

const refused = (error: unknown): boolean => typeof WebAssembly === "undefined" || error instanceof WebAssembly.CompileError;

/** Returns the engine in a folder. Everything on a page shares one engine with its workers. */
export function wasm(folder: URL): Engine {
  const { engage, load } = house(folder);
  const crews = { board: new Crew(engage, 1), thinking: new Crew(engage, THINKING), jobs: new Crew(engage, JOBS) };

  async function answer(crew: Crew, name: Name, question: Question, limits: Wanted["limits"], signal: AbortSignal, progress?: (progress: Progress) => void) {
    let text: string;
    try {
      text = await crew.ask({ name, question: writeJson({ ...ASKER, ...question }), limits, watched: progress !== undefined }, signal, progress);
    } catch (error) {
      if (aborted(error)) throw error;
      const say = speaker(question.lang ?? "en");
      if (error instanceof Lost) throw new EngineError(error.late ? { kind: "limit", message: "" } : { kind: "internal", message: say("engine_fell") });
      // A retry is pointless if the browser or a content security policy forbids WebAssembly.
      throw refused(error) ? new EngineError({ kind: "internal", message: say("engine_refused") }) : offline();
    }
    const found = parseJson(text) as { error?: EngineError["trouble"] };
    if (found.error) throw new EngineError(found.error);
    return answered(name, found);
  }

  return {
    words: { offline: "engine_missing", offline_here: "engine_missing_here" },
    tables: false,

    async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
      const crew = BOARD.has(name) ? crews.board : crews.thinking;
      return (await answer(crew, name, question, QUESTION, signal)) as Questions[N]["answer"];
    },

    async job<N extends Name>(
      name: N,
      question: Questions[N]["question"],
      progress: (progress: Progress) => void,
      signal: AbortSignal,
    ) {
      return (await answer(crews.jobs, name, question, JOB, signal, progress)) as Questions[N]["answer"];
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
