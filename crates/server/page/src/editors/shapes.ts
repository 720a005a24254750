// The choice of an editor for a call, by its name and the shapes of its arguments.
import { FIGURES, type Figure } from "./figures.ts";
import { type Call, type Literal, list, number, numbersIn, rowsIn, text } from "./literal.ts";

/** The letters of a square, in the order in which clicks cycle through them. */
const LETTERS: Record<string, string> = {
  cram: ".#",
  domineering: ".#",
  k_in_a_row: ".XO",
  toads_and_frogs: ".TF",
  toppling_dominoes: "LRE",
  elephants: ".ER",
  clobber: "xo.",
  cannibal_clobber: "xo.",
  nogo: ".xo#",
  fission: ".x#",
  konane: "xo.#",
  amazons: ".xo#",
  kayles_row: "10",
  treblecross_row: ".X",
};
/** Games played on one row. */
const ROWS = new Set(["toads_and_frogs", "toppling_dominoes", "elephants", "kayles_row", "treblecross_row"]);
/**
 * Games whose numbers are squares of a strip, with the number of the first square and the maximum
 * number of pieces on a square.
 */
const STRIPS: Record<string, { first: number; most: number }> = {
  nimble: { first: 0, most: 9 },
  strip_coins: { first: 0, most: 1 },
  turning_turtles: { first: 1, most: 1 },
  mock_turtles: { first: 1, most: 1 },
  ruler: { first: 1, most: 1 },
  twins: { first: 1, most: 1 },
};
/** The length above which the squares of a strip are not shown. */
const STRIP = 40;
const SIDE = 24;
/**
 * The number of dots or lines above which a drawing is edited as text, since single ones could not
 * be selected.
 */
export const MAX_DRAWN = 600;

/** Games written without their board, with a call that shows it. */
const EXPANDED_CALLS: Record<string, Call> = {
  tic_tac_toe: { name: "k_in_a_row", args: [{ value: list(["...", "...", "..."].map(text)) }, { value: number(3) }] },
  tic_toe: {
    name: "k_in_a_row",
    args: [{ value: list(["..", ".."].map(text)) }, { value: number(2) }, { key: "diagonals", value: { kind: "word", value: "False" } }],
  },
};

/** A drawing with more dots or lines than can be edited. */
interface Large {
  what: "large";
}

export type Shape =
  | { what: "figure"; figure: Figure; call: Call }
  | { what: "letters"; letters: string; single: boolean; call: Call }
  | { what: "strip"; first: number; most: number; call: Call }
  | { what: "bar"; call: Call }
  | { what: "form"; call: Call };

const plainNumbers = (call: Call): number[] | null => {
  if (call.args.some((argument) => argument.key !== undefined)) return null;
  return numbersIn(list(call.args.map((argument) => argument.value)));
};

/** Returns whether a literal can be edited with steppers, checkboxes and fields. */
export function isEditable(literal: Literal): boolean {
  switch (literal.kind) {
    case "number":
    case "text":
      return true;
    case "word":
      return literal.value === "True" || literal.value === "False";
    case "list":
      return literal.items.every((item) => item.kind === "number" || numbersIn(item) !== null);
    case "map":
      return false;
  }
}

/** Returns the editor for a call, or `null` if it is edited as text. */
export function shapeOf(original: Call | null): Shape | Large | null {
  if (!original) return null;
  const call = original.args.length === 0 ? (EXPANDED_CALLS[original.name] ?? original) : original;
  const figure = FIGURES[call.name];
  if (figure) {
    const sketch = figure.read(call);
    if (!sketch) return null;
    return Math.max(sketch.dots.length, sketch.lines.length) <= MAX_DRAWN ? { what: "figure", figure, call } : { what: "large" };
  }
  const letters = LETTERS[call.name];
  const rows = letters === undefined ? null : rowsIn(call.args[0]?.value);
  if (letters !== undefined && rows && rows.length <= SIDE && [...(rows[0] ?? "")].length <= (rows.length > 1 ? SIDE : STRIP)) {
    return { what: "letters", letters, single: ROWS.has(call.name), call };
  }
  const numbers = plainNumbers(call);
  const strip = STRIPS[call.name];
  if (strip && numbers && numbers.every((place) => place >= strip.first && place < STRIP)) return { what: "strip", ...strip, call };
  if (call.name === "chomp" && numbers && numbers.length <= SIDE && numbers.every((row) => row >= 0 && row <= SIDE)) return { what: "bar", call };
  if (call.args.length > 0 && call.args.every((argument) => isEditable(argument.value))) return { what: "form", call };
  return null;
}
