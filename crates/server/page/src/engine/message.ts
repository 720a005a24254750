// The messages between the page and its workers.
import type { Limits, Progress } from "../../../../../npm/src/engine.ts";

export interface EngineRequest {
  name: string;
  /** The request as JSON. */
  question: string;
  limits: Required<Limits>;
  /** `true` if progress is to be reported. */
  reportProgress: boolean;
}

/** A message to a worker: first the compiled engine, then requests, one at a time. */
export type ToWorker = { module: WebAssembly.Module } | { request: EngineRequest };

/** A message from a worker: that it has the engine, its progress, or the answer as JSON. */
export type FromWorker = { ready: true } | { progress: Progress } | { answer: string };
