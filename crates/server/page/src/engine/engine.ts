// The one way from the page to the engine. Who answers, a server or workers, is said where the page begins: main.tsx, static.tsx.
import type { Word } from "../words.ts";
import type { Name, Questions, Trouble } from "./answers.ts";

/** How far long work has come. */
export interface Progress {
  text: string;
  done?: number;
  of?: number;
}

export interface Engine {
  /** What is said where nobody answers: on top of the page, and in the place of an answer. */
  readonly words: { offline: Word; offline_here: Word };

  /** Whether it may have tablebases: a server may, a page of its own has none. */
  readonly tables: boolean;

  /** The answer to a question. Fails with an {@link EngineError}, or an abort of the signal. */
  ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal): Promise<Questions[N]["answer"]>;

  /** The same for what takes long: progress is told, and aborting the signal cancels the work. */
  job<N extends Name>(
    name: N,
    question: Questions[N]["question"],
    progress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<Questions[N]["answer"]>;

  /** Whether there is an answer at all. */
  alive(signal: AbortSignal): Promise<boolean>;
}

/** What is wrong with a question, or the kind `offline` where nobody answers. */
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

/** What every question of the page says of who asks: sentences name settings by their labels here. */
export const ASKER = { interface: "page" } as const;

/** Keys of an answer that say nothing of its own: a limit stopped the work before there was more. */
const BARE = new Set(["id", "game", "play", "outcome", "status", "stopped", "stats", "plain", "files"]);

/** Questions whose views show what is known where a limit stopped the work. */
const PARTIAL = new Set<Name>(["solve", "value"]);

/** Fails with the limit that stopped the work, where the answer has nothing else. */
export function answered<T>(name: Name, answer: T): T {
  const stopped = (answer as { stopped?: Trouble }).stopped;
  if (stopped && !PARTIAL.has(name) && Object.keys(answer as object).every((key) => BARE.has(key))) throw new EngineError(stopped);
  return answer;
}

export const offline = (): EngineError => new EngineError({ kind: "offline", message: "" });

export const aborted = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
