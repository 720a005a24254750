// A pool of workers, each of which answers one request at a time. If a request is aborted during
// its computation, its worker is terminated and replaced.
import type { FromWorker, EngineRequest } from "./message.ts";

/** The part of the `Worker` interface that is used here. */
export interface PoolWorker {
  postMessage(message: { request: EngineRequest }): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?(): void }) => void) | null;
}

type ProgressMessage = Extract<FromWorker, { progress: unknown }>["progress"];

interface Task {
  request: EngineRequest;
  progress: ((progress: ProgressMessage) => void) | undefined;
  signal: AbortSignal;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

/** The failure of a worker: it exceeded its time limit or crashed. */
export class WorkerFailure extends Error {
  readonly timedOut: boolean;

  constructor(timedOut: boolean, message = "") {
    super(message);
    this.timedOut = timedOut;
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

export class WorkerPool {
  readonly #startWorker: () => Promise<PoolWorker>;
  readonly #maxWorkers: number;
  readonly #idle: PoolWorker[] = [];
  readonly #queue: Task[] = [];
  #workerCount = 0;

  /** Creates a pool of at most `maxWorkers` workers, which are started on demand. */
  constructor(startWorker: () => Promise<PoolWorker>, maxWorkers: number) {
    this.#startWorker = startWorker;
    this.#maxWorkers = maxWorkers;
  }

  ask(request: EngineRequest, signal: AbortSignal, progress?: (progress: ProgressMessage) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new DOMException("", "AbortError"));
        return;
      }
      this.#queue.push({ request, progress, signal, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    for (let index = this.#queue.length - 1; index >= 0; index -= 1) {
      const task = this.#queue[index];
      if (!task?.signal.aborted) continue;
      this.#queue.splice(index, 1);
      task.reject(new DOMException("", "AbortError"));
    }
    if (this.#queue.length === 0) return;
    const worker = this.#idle.pop();
    if (worker) {
      const task = this.#queue.shift();
      if (task) this.#run(worker, task);
      return;
    }
    if (this.#workerCount >= this.#maxWorkers) return;
    this.#workerCount += 1;
    this.#startWorker().then(
      (worker) => {
        this.#idle.push(worker);
        this.#schedule();
      },
      (error: unknown) => {
        this.#workerCount -= 1;
        for (const task of this.#queue.splice(0)) task.reject(error);
      },
    );
  }

  #run(worker: PoolWorker, task: Task): void {
    const { request, progress, signal, resolve, reject } = task;
    let terminationTimer: ReturnType<typeof setTimeout> | undefined;
    const detach = () => {
      clearTimeout(silenceTimer);
      clearTimeout(terminationTimer);
      signal.removeEventListener("abort", abort);
      worker.onmessage = null;
      worker.onerror = null;
    };
    const replace = (error: unknown) => {
      detach();
      worker.terminate();
      this.#workerCount -= 1;
      reject(error);
      this.#schedule();
    };
    const silenceTimer = setTimeout(() => replace(new WorkerFailure(true)), request.limits.seconds * 1000 + SILENCE);
    const abort = () => {
      reject(new DOMException("", "AbortError"));
      terminationTimer = setTimeout(() => replace(new DOMException("", "AbortError")), GRACE);
    };
    signal.addEventListener("abort", abort, { once: true });
    worker.onmessage = ({ data }) => {
      if ("progress" in data) {
        if (!signal.aborted) progress?.(data.progress);
        return;
      }
      if (!("answer" in data)) return;
      detach();
      this.#idle.push(worker);
      resolve(data.answer);
      this.#schedule();
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      replace(new WorkerFailure(false, event.message));
    };
    worker.postMessage({ request });
  }
}
