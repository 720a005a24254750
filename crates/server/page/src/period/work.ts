// Long computations that continue while other views are shown. There is one job of each kind, with
// its progress and its result.
import { useEffect, useState } from "preact/hooks";
import type { Questions, Trouble } from "../engine/answers.ts";
import { type Engine, type Progress, aborted } from "../engine/engine.ts";
import { troubleOf } from "../state/asked.ts";

type Long = "period" | "quotient";

export interface Work<N extends Long> {
  question: Questions[N]["question"];
  progress: Progress | null;
  answer: Questions[N]["answer"] | null;
  trouble: Trouble | null;
  running: boolean;
  cancelled: boolean;
}

interface Beginning<N extends Long> {
  engine: Engine;
  question: Work<N>["question"];
  /** Called at the end. */
  ended(work: Work<N>): void;
  /** Returns the request to try after a rejection, or `null`. */
  instead?(trouble: Trouble): Work<N>["question"] | null;
}

function longWork<N extends Long>(name: N) {
  let work: Work<N> | null = null;
  let stop: AbortController | null = null;
  const listeners = new Set<(work: Work<N> | null) => void>();

  function tell(next: Work<N> | null): void {
    work = next;
    for (const listener of listeners) listener(next);
  }

  /** Starts a computation, after cancelling the current one. */
  function begin({ engine, question, ended, instead }: Beginning<N>): void {
    stop?.abort();
    const own = new AbortController();
    stop = own;
    tell({ question, progress: null, answer: null, trouble: null, running: true, cancelled: false });
    const part = (next: Partial<Work<N>>) => {
      if (own.signal.aborted || !work) return;
      tell({ ...work, ...next });
    };
    const job = (asked: Work<N>["question"]) => engine.job(name, asked, (progress) => part({ progress }), own.signal);
    const again = (error: unknown) => {
      const other = own.signal.aborted || aborted(error) ? null : (instead?.(troubleOf(error)) ?? null);
      if (other === null) throw error;
      return job(other);
    };
    job(question)
      .catch(again)
      .then(
        (answer) => {
          part({ answer, running: false });
          if (work && !own.signal.aborted) ended(work);
        },
        (error: unknown) => {
          if (own.signal.aborted || aborted(error)) return;
          part({ trouble: troubleOf(error), running: false });
          if (work) ended(work);
        },
      );
  }

  function cancel(): void {
    stop?.abort();
    if (work?.running) tell({ ...work, running: false, cancelled: true });
  }

  function useWork(): Work<N> | null {
    const [now, setNow] = useState(work);
    useEffect(() => {
      setNow(work);
      listeners.add(setNow);
      return () => void listeners.delete(setNow);
    }, []);
    return now;
  }

  return { begin, cancel, useWork };
}

export const periods = longWork("period");
export const quotients = longWork("quotient");
