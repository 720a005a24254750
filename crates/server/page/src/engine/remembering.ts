// A cache of answers, so that navigation in a match sends no requests. Concurrent identical
// requests share one computation.
import type { Name, Questions } from "./answers.ts";
import type { Engine } from "./engine.ts";

const KEPT = 400;

/** A pending request, and the number of callers that wait for it. */
interface Flight {
  answer: Promise<unknown>;
  stop: AbortController;
  waiting: number;
}

export function remembering(engine: Engine): Engine {
  const answers = new Map<string, unknown>();
  const flights = new Map<string, Flight>();

  const keep = (key: string, answer: unknown) => {
    // A partial answer may be complete the next time, so it is not cached.
    const { complete, status } = answer as { complete?: boolean; status?: string };
    if (complete !== false && status !== "partial") answers.set(key, answer);
    const oldest = answers.keys().next();
    if (answers.size > KEPT && !oldest.done) answers.delete(oldest.value);
  };
  const begin = <N extends Name>(key: string, name: N, question: Questions[N]["question"]): Flight => {
    const stop = new AbortController();
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const answer = engine.ask(name, question, stop.signal).then(
      (answer) => {
        land();
        keep(key, answer);
        return answer;
      },
      (error: unknown) => {
        land();
        throw error;
      },
    );
    const flight: Flight = { answer, stop, waiting: 0 };
    flights.set(key, flight);
    return flight;
  };

  return {
    words: engine.words,
    tables: engine.tables,
    async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
      // The folder of tablebases may change, so its listing is not cached.
      if (name === "tables") return engine.ask(name, question, signal);
      const key = `${name} ${JSON.stringify(question)}`;
      if (answers.has(key)) {
        const known = answers.get(key) as Questions[N]["answer"];
        answers.delete(key);
        answers.set(key, known);
        return known;
      }
      if (signal.aborted) throw new DOMException("", "AbortError");
      const flight = flights.get(key) ?? begin(key, name, question);
      flight.waiting += 1;
      return new Promise<Questions[N]["answer"]>((resolve, reject) => {
        const leave = () => {
          flight.waiting -= 1;
          // The request is aborted when its last caller is gone.
          if (flight.waiting === 0) {
            if (flights.get(key) === flight) flights.delete(key);
            flight.stop.abort();
          }
          reject(new DOMException("", "AbortError"));
        };
        signal.addEventListener("abort", leave, { once: true });
        flight.answer.then(
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
