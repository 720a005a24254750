// Long work that goes on while other views are seen: one job at a time, its progress, its end.
import { useEffect, useState } from "preact/hooks";
import type { PeriodAnswer, Trouble } from "../engine/answers.ts";
import type { Questions } from "../engine/answers.ts";
import { type Engine, type Progress, aborted } from "../engine/engine.ts";
import { troubleOf } from "../state/asked.ts";

export interface Work {
  question: Questions["period"]["question"];
  progress: Progress | null;
  answer: PeriodAnswer | null;
  trouble: Trouble | null;
  running: boolean;
  cancelled: boolean;
}

let work: Work | null = null;
let stop: AbortController | null = null;
const listeners = new Set<(work: Work | null) => void>();

function tell(next: Work | null): void {
  work = next;
  for (const listener of listeners) listener(next);
}

/** Begins the work; what was going on is cancelled. `ended` hears of its end. */
export function begin(engine: Engine, question: Work["question"], ended: (work: Work) => void): void {
  stop?.abort();
  const own = new AbortController();
  stop = own;
  tell({ question, progress: null, answer: null, trouble: null, running: true, cancelled: false });
  const part = (next: Partial<Work>) => {
    if (own.signal.aborted || !work) return;
    tell({ ...work, ...next });
  };
  engine.job("period", question, (progress) => part({ progress }), own.signal).then(
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

export function cancel(): void {
  stop?.abort();
  if (work?.running) tell({ ...work, running: false, cancelled: true });
}

export function useWork(): Work | null {
  const [now, setNow] = useState(work);
  useEffect(() => {
    setNow(work);
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}
