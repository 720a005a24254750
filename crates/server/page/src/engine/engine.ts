// The interface between the page and the engine. The entry points main.tsx and static.tsx choose a
// server or workers.
import type { Word } from "../words.ts";
import type { Name, Questions, Trouble } from "./answers.ts";

/** The progress of a long computation. */
export interface Progress {
  text: string;
  done?: number;
  of?: number;
}

export interface Engine {
  /**
   * The messages shown if the engine is not reachable: at the top of the page, and in place of an
   * answer.
   */
  readonly words: { offline: Word; offline_here: Word };

  /** `true` if tablebases may exist; only servers have them. */
  readonly tables: boolean;

  /** Answers a request. Rejects with an {@link EngineError}, or if the signal is aborted. */
  ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal): Promise<Questions[N]["answer"]>;

  /**
   * Answers a long request and reports its progress. Aborting the signal cancels the computation.
   */
  job<N extends Name>(
    name: N,
    question: Questions[N]["question"],
    progress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<Questions[N]["answer"]>;

  /** Returns whether the engine responds. */
  alive(signal: AbortSignal): Promise<boolean>;
}

/** An error of the engine; its kind is `offline` if the engine is not reachable. */
export class EngineError extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.message);
    this.trouble = trouble;
  }

  get offline(): boolean {
    return this.trouble.kind === "offline";
  }
}

/**
 * The keys of every request from the page. They make messages name settings by their labels on the
 * page.
 */
export const PAGE_KEYS = { interface: "page" } as const;

/**
 * Keys that carry no result. An answer with no other key was stopped by a limit before it had any.
 */
const KEYS_WITHOUT_RESULT = new Set(["id", "game", "play", "outcome", "status", "stopped", "stats", "plain", "files"]);

/** Requests whose views display partial results. */
const PARTIAL_REQUESTS = new Set<Name>(["solve", "value"]);

/** Throws the limit that stopped the computation if the answer contains no results. */
export function requireResults<T>(name: Name, answer: T): T {
  const stopped = (answer as { stopped?: Trouble }).stopped;
  if (stopped && !PARTIAL_REQUESTS.has(name) && Object.keys(answer as object).every((key) => KEYS_WITHOUT_RESULT.has(key))) throw new EngineError(stopped);
  return answer;
}

export const offlineError = (): EngineError => new EngineError({ kind: "offline", message: "" });

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
