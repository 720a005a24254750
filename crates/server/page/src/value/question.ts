// Requests for values, and the same requests as text for other tools.
import type { ValueQuestion } from "../engine/answers.ts";
import { shellWord } from "../copying/copies.ts";
import type { State } from "../state/state.ts";

/** The time limit for a value, in seconds. */
export const SECONDS = 20;

/** The operators on values, in the order of the menu. */
export const CHANGES = ["cool", "freeze", "heat", "overheat", "norton"] as const;
export type Change = (typeof CHANGES)[number];

/** The default operands. */
const DEFAULT_OPERANDS: Record<Exclude<Change, "freeze">, string> = { cool: "1/2", heat: "1", overheat: "1,1", norton: "^" };

/** Returns the operator and the operand stored in the URL. */
export function changeOf(state: State): { change: Change; by: string } | null {
  const change = CHANGES.find((one) => one === state.more["value.change"]);
  if (change === undefined) return null;
  return { change, by: change === "freeze" ? "" : (state.more["value.by"] ?? DEFAULT_OPERANDS[change]) };
}

export const operatorKeys = (made: { change: Change; by: string } | null): Partial<ValueQuestion> =>
  made === null ? {}
  : made.change === "freeze" ? { freeze: true }
  : { [made.change]: made.by };

/** Returns the request for the value of a position. */
export function valueOf(state: State, game: string, more: Partial<ValueQuestion> = {}): ValueQuestion {
  return { game, lang: state.lang, timeout: SECONDS, latex: true, ...(state.rules === "" ? {} : { rules: state.rules }), ...more };
}

/** Returns the expression of a second game, which may be entered as a value. */
export const gameOf = (text: string): string => (/(?<![A-Za-z])(?!tiny\(|miny\()[a-z_][a-z_0-9]+\(/.test(text) ? text : `literal(${JSON.stringify(text)})`);

export const valueCommand = (game: string, made: ReturnType<typeof changeOf>): string =>
  `grundy value ${shellWord(game)}${made === null ? "" : made.change === "freeze" ? " --freeze" : ` --${made.change}=${shellWord(made.by)}`}`;

export const valuePython = (game: string, made: ReturnType<typeof changeOf>): string =>
  `grundy.value(${JSON.stringify(game)}${made === null ? "" : made.change === "freeze" ? ", freeze=True" : `, ${made.change}=${JSON.stringify(made.by)}`})`;

/** Formats a number of sixteenths as a fraction in lowest terms. */
export function sixteenths(count: number): string {
  let [above, below] = [count, 16];
  while (below > 1 && above % 2 === 0) [above, below] = [above / 2, below / 2];
  return below === 1 ? String(above) : `${above}/${below}`;
}

/** Returns the number of sixteenths in a fraction, or `null` if it is not an integer. */
export function inSixteenths(text: string): number | null {
  const [, above, below = "1"] = /^\s*(\d+)(?:\/(\d+))?\s*$/.exec(text) ?? [];
  const count = (Number(above) * 16) / Number(below);
  return above !== undefined && Number.isInteger(count) ? count : null;
}
