// A cache of answers, so that navigation in a match sends no requests. Concurrent identical
// requests share one computation.
import type { Name, Questions } from "./answers.ts";
import type { Engine } from "./engine.ts";

const MAX_ANSWERS = 400;

/** A pending request, and the number of callers that wait for it. */
interface PendingRequest {
  answer: Promise<unknown>;
  stop: AbortController;
  callers: number;
}

export function cachedEngine(engine: Engine): Engine {
  const answers = new Map<string, unknown>();
  const pendingRequests = new Map<string, PendingRequest>();

  const store = (key: string, answer: unknown) => {
    // A partial answer may be complete the next time, so it is not cached.
    const { complete, status } = answer as { complete?: boolean; status?: string };
    if (complete !== false && status !== "partial") answers.set(key, answer);
    const oldest = answers.keys().next();
    if (answers.size > MAX_ANSWERS && !oldest.done) answers.delete(oldest.value);
  };
  const start = <N extends Name>(key: string, name: N, question: Questions[N]["question"]): PendingRequest => {
    const stop = new AbortController();
    const settle = () => {
      if (pendingRequests.get(key) === pending) pendingRequests.delete(key);
    };
    const answer = engine.ask(name, question, stop.signal).then(
      (answer) => {
        settle();
        store(key, answer);
        return answer;
      },
      (error: unknown) => {
        settle();
        throw error;
      },
    );
    const pending: PendingRequest = { answer, stop, callers: 0 };
    pendingRequests.set(key, pending);
    return pending;
  };

  return {
    words: engine.words,
    tables: engine.tables,
    async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
      // The folder of tablebases may change, so its listing is not cached.
      if (name === "tables") return engine.ask(name, question, signal);
      const key = `${name} ${JSON.stringify(question)}`;
      if (answers.has(key)) {
        const cached = answers.get(key) as Questions[N]["answer"];
        answers.delete(key);
        answers.set(key, cached);
        return cached;
      }
      if (signal.aborted) throw new DOMException("", "AbortError");
      const pending = pendingRequests.get(key) ?? start(key, name, question);
      pending.callers += 1;
      return new Promise<Questions[N]["answer"]>((resolve, reject) => {
        const leave = () => {
          pending.callers -= 1;
          // The request is aborted when all of its callers have aborted it.
          if (pending.callers === 0) {
            if (pendingRequests.get(key) === pending) pendingRequests.delete(key);
            pending.stop.abort();
          }
          reject(new DOMException("", "AbortError"));
        };
        signal.addEventListener("abort", leave, { once: true });
        pending.answer.then(
          (answer) => {
            signal.removeEventListener("abort", leave);
            resolve(answer as Questions[N]["answer"]);
          },
          (error: unknown) => {
            signal.removeEventListener("abort", leave);
            reject(error);
          },
        );
      });
    },
    job: (name, question, progress, signal) => engine.job(name, question, progress, signal),
    alive: (signal) => engine.alive(signal),
  };
}
