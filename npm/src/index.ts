// The npm package: the engine for combinatorial games, without a server.
import type { Name, Questions } from "./answers.ts";
import { Engine, type Files, type Limits, type Source, compile } from "./engine.ts";
import { GrundyError, troubleIn } from "./error.ts";
import { parseJson, writeJson } from "./json.ts";
import { type Answer, type Options, Questioner } from "./questions.ts";

export type * from "./answers.ts";
export type { Whole } from "./json.ts";
export type { Limits, Progress, Source } from "./engine.ts";
export type { Aborting, Answer, Asked, Keys, Options, Rows } from "./questions.ts";
export { Engine, compile } from "./engine.ts";
export { GrundyError } from "./error.ts";
export { Playing, Questioner } from "./questions.ts";

/**
 * Returns whether these are the contents of files by name. Anything else is passed to the engine,
 * which rejects it.
 */
function isFiles(files: unknown): files is Files {
  if (typeof files !== "object" || files === null || Array.isArray(files)) return false;
  const texts = Object.values(files);
  return texts.length > 0 && texts.every((text) => typeof text === "string");
}

/** The engine on the calling thread. Each method returns the answer synchronously. */
export class Grundy extends Questioner<false> {
  readonly #engine: Engine;
  readonly #limits: Limits;

  constructor(module: WebAssembly.Module, limits: Limits = {}) {
    super();
    this.#engine = new Engine(module);
    this.#limits = limits;
  }

  ask<N extends Name>(name: N, question: Questions[N]["question"], options: Options = {}): Answer<N> {
    const { onProgress, signal, limits } = options;
    const stop = () => {
      if (signal?.aborted) throw signal.reason ?? new DOMException("the request was aborted", "AbortError");
    };
    stop();
    const callbacks = { onProgress, aborted: signal && (() => signal.aborted) };
    const { files: givenFiles, ...rest } = question as { files?: unknown };
    const files = isFiles(givenFiles) ? { ...givenFiles } : null;
    const json = writeJson(files ? rest : question);
    const text = this.#engine.ask(name, json, { ...this.#limits, ...limits }, callbacks, files);
    stop();
    const answer = parseJson(text);
    if (files && Object.keys(files).length > 0) Object.assign(answer as object, { files });
    const trouble = troubleIn(answer);
    if (trouble) throw new GrundyError(trouble);
    return answer as Answer<N>;
  }
}

/**
 * Loads the engine, by default from the file next to this one. `limits` are the defaults for all
 * requests.
 */
export async function load(source?: Source, limits: Limits = {}): Promise<Grundy> {
  return new Grundy(await compile(source), limits);
}
