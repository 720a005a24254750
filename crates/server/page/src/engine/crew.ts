// A pool of workers, each of which answers one request at a time. If a request is aborted during
// its computation, its worker is terminated and replaced.
import type { FromWorker, Wanted } from "./message.ts";

/** The part of the `Worker` interface that is used here. */
export interface Hand {
  postMessage(message: { wanted: Wanted }): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?(): void }) => void) | null;
}

type Heard = Extract<FromWorker, { progress: unknown }>["progress"];

interface Task {
  wanted: Wanted;
  progress: ((progress: Heard) => void) | undefined;
  signal: AbortSignal;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

/** The failure of a worker: it exceeded its time limit or crashed. */
export class Lost extends Error {
  readonly late: boolean;

  constructor(late: boolean, message = "") {
    super(message);
    this.late = late;
  }
}

/**
 * The delay in milliseconds before the worker of an aborted request is terminated. An unused answer
 * is cheaper than a new worker.
 */
const GRACE = 40;
/**
 * The engine has its own time limit. A worker that is silent for this many milliseconds beyond it
 * is considered hung.
 */
const SILENCE = 5000;

export class Crew {
  readonly #engage: () => Promise<Hand>;
  readonly #most: number;
  readonly #idle: Hand[] = [];
  readonly #waiting: Task[] = [];
  #hands = 0;

  /** Creates a pool of at most `most` workers, which are started on demand. */
  constructor(engage: () => Promise<Hand>, most: number) {
    this.#engage = engage;
    this.#most = most;
  }

  ask(wanted: Wanted, signal: AbortSignal, progress?: (progress: Heard) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new DOMException("", "AbortError"));
        return;
      }
      this.#waiting.push({ wanted, progress, signal, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    for (let index = this.#waiting.length - 1; index >= 0; index -= 1) {
      const task = this.#waiting[index];
      if (!task?.signal.aborted) continue;
      this.#waiting.splice(index, 1);
      task.reject(new DOMException("", "AbortError"));
    }
    if (this.#waiting.length === 0) return;
    const hand = this.#idle.pop();
    if (hand) {
      const task = this.#waiting.shift();
      if (task) this.#work(hand, task);
      return;
    }
    if (this.#hands >= this.#most) return;
    this.#hands += 1;
    this.#engage().then(
      (fresh) => {
        this.#idle.push(fresh);
        this.#next();
      },
      (error: unknown) => {
        this.#hands -= 1;
        for (const task of this.#waiting.splice(0)) task.reject(error);
      },
    );
  }

  #work(hand: Hand, task: Task): void {
    const { wanted, progress, signal, resolve, reject } = task;
    let dismissal: ReturnType<typeof setTimeout> | undefined;
    const free = () => {
      clearTimeout(silence);
      clearTimeout(dismissal);
      signal.removeEventListener("abort", abort);
      hand.onmessage = null;
      hand.onerror = null;
    };
    const dismiss = (error: unknown) => {
      free();
      hand.terminate();
      this.#hands -= 1;
      reject(error);
      this.#next();
    };
    const silence = setTimeout(() => dismiss(new Lost(true)), wanted.limits.seconds * 1000 + SILENCE);
    const abort = () => {
      reject(new DOMException("", "AbortError"));
      dismissal = setTimeout(() => dismiss(new DOMException("", "AbortError")), GRACE);
    };
    signal.addEventListener("abort", abort, { once: true });
    hand.onmessage = ({ data }) => {
      if ("progress" in data) {
        if (!signal.aborted) progress?.(data.progress);
        return;
      }
      if (!("answer" in data)) return;
      free();
      this.#idle.push(hand);
      resolve(data.answer);
      this.#next();
    };
    hand.onerror = (event) => {
      event.preventDefault?.();
      dismiss(new Lost(false, event.message));
    };
    hand.postMessage({ wanted });
  }
}
