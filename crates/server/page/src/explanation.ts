// The steps of an explanation, grouped by their numbers.
import type { Step } from "./engine/answers.ts";

/** A main step with its substeps. */
export interface Stage {
  number: number;
  head: Step;
  under: Step[];
}

/**
 * Groups the steps. A numbered step starts a group; without any numbers, a step without indentation
 * does.
 */
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

/** Returns the sentence of a step. */
export const sentence = (step: Step): string => (step.sentence ?? step.text).trim();
