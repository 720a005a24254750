// The steps of an explanation, put together as they are numbered.
import type { Step } from "./engine/answers.ts";

/** A step with those that belong under it. */
export interface Stage {
  number: number;
  head: Step;
  under: Step[];
}

/** Steps with a number begin a point; where none is numbered, those whose text is not set in. */
export function stages(steps: Step[]): Stage[] {
  const numbered = steps.some((step) => step.number !== undefined);
  const begins = (step: Step) => (numbered ? step.number !== undefined : !/^\s/.test(step.text));
  const all: Stage[] = [];
  for (const step of steps) {
    const last = all.at(-1);
    if (last && !begins(step)) last.under.push(step);
    else all.push({ number: step.number ?? all.length + 1, head: step, under: [] });
  }
  return all;
}

/** What a step says. */
export const sentence = (step: Step): string => (step.sentence ?? step.text).trim();
