// Long computations that continue while other views are shown. There is one job of each kind, with
// its progress and its result.
import { useEffect, useState } from "preact/hooks";
import type { Questions, Trouble } from "../engine/answers.ts";
import { type Engine, type Progress, isAbort } from "../engine/engine.ts";
import { troubleOf } from "../state/request.ts";

type JobName = "period" | "quotient";

export interface Job<N extends JobName> {
  question: Questions[N]["question"];
  progress: Progress | null;
  answer: Questions[N]["answer"] | null;
  trouble: Trouble | null;
  running: boolean;
  cancelled: boolean;
}

interface JobStart<N extends JobName> {
  engine: Engine;
  question: Job<N>["question"];
  /** Called when the computation has ended. */
  onEnd(current: Job<N>): void;
  /** Returns the request to send after this error, or `null` to report the error. */
  fallback?(trouble: Trouble): Job<N>["question"] | null;
}

function longJob<N extends JobName>(name: N) {
  let current: Job<N> | null = null;
  let stop: AbortController | null = null;
  const listeners = new Set<(current: Job<N> | null) => void>();

  function publish(next: Job<N> | null): void {
    current = next;
    for (const listener of listeners) listener(next);
  }

  /** Starts a computation, after cancelling the current one. */
  function start({ engine, question, onEnd, fallback }: JobStart<N>): void {
    stop?.abort();
    const controller = new AbortController();
    stop = controller;
    publish({ question, progress: null, answer: null, trouble: null, running: true, cancelled: false });
    const update = (next: Partial<Job<N>>) => {
      if (controller.signal.aborted || !current) return;
      publish({ ...current, ...next });
    };
    const send = (question: Job<N>["question"]) => engine.job(name, question, (progress) => update({ progress }), controller.signal);
    const retry = (error: unknown) => {
      const other = controller.signal.aborted || isAbort(error) ? null : (fallback?.(troubleOf(error)) ?? null);
      if (other === null) throw error;
      return send(other);
    };
    send(question)
      .catch(retry)
      .then(
        (answer) => {
          update({ answer, running: false });
          if (current && !controller.signal.aborted) onEnd(current);
        },
        (error: unknown) => {
          if (controller.signal.aborted || isAbort(error)) return;
          update({ trouble: troubleOf(error), running: false });
          if (current) onEnd(current);
        },
      );
  }

  function cancel(): void {
    stop?.abort();
    if (current?.running) publish({ ...current, running: false, cancelled: true });
  }

  function useJob(): Job<N> | null {
    const [now, setNow] = useState(current);
    useEffect(() => {
      setNow(current);
      listeners.add(setNow);
      return () => void listeners.delete(setNow);
    }, []);
    return now;
  }

  return { start, cancel, useJob };
}

export const periods = longJob("period");
export const quotients = longJob("quotient");
