// What the page and its workers say to each other.
import type { Limits, Progress } from "../../../../../npm/src/engine.ts";

export interface Wanted {
  name: string;
  /** The question as JSON. */
  question: string;
  limits: Required<Limits>;
  /** Whether somebody wants to hear how far it is. */
  watched: boolean;
}

/** To a worker: first the compiled engine, then questions, one at a time. */
export type ToWorker = { module: WebAssembly.Module } | { wanted: Wanted };

/** From a worker: that it has the engine, how far it is, and the answer as JSON. */
export type FromWorker = { ready: true } | { progress: Progress } | { answer: string };
