// An engine that answers again what it was asked before: stepping back and forth asks nothing new.
import type { Name, Questions } from "./answers.ts";
import type { Engine } from "./engine.ts";

const KEPT = 400;

export function remembering(engine: Engine): Engine {
  const answers = new Map<string, unknown>();
  return {
    words: engine.words,
    tables: engine.tables,
    async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
      // What lies in a folder may be more another time.
      if (name === "tables") return engine.ask(name, question, signal);
      const key = `${name} ${JSON.stringify(question)}`;
      if (answers.has(key)) {
        const known = answers.get(key) as Questions[N]["answer"];
        answers.delete(key);
        answers.set(key, known);
        return known;
      }
      const answer = await engine.ask(name, question, signal);
      // What a limit cut short may come out better another time.
      const { complete, status } = answer as { complete?: boolean; status?: string };
      if (complete !== false && status !== "partial") answers.set(key, answer);
      const oldest = answers.keys().next();
      if (answers.size > KEPT && !oldest.done) answers.delete(oldest.value);
      return answer;
    },
    job: (name, question, progress, signal) => engine.job(name, question, progress, signal),
    alive: (signal) => engine.alive(signal),
  };
}
