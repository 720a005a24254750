// A parser of values for typesetting: `{3/4v[3]*||Tiny(2)|+-1}`. It does not interpret them.

export type Piece =
  /** A number; the denominator is `below`, or two to the power of `power`. */
  | { kind: "number"; above: string; below?: string; power?: string }
  /** An arrow or a star, with an index or an exponent. */
  | { kind: "sign"; sign: string; after?: string; over?: string }
  /** A bar or comma between options, or a sign in a sum. */
  | { kind: "between"; text: string }
  | { kind: "group"; open: string; close: string; pieces: Piece[] }
  /** Tiny and Miny, which are typeset with their game as an index. */
  | { kind: "tiny"; sign: string; of: Piece[] };

const TOKEN = /(?<tiny>Tiny|Miny)\(|(?<pm>\+-)|(?<number>-?\d+(?:\/(?:\d+|\(2\^\d+\)))?)|(?<star>\*)(?<nimber>\d*)|(?<arrows>\^\^?|vv?)(?:\[(?<sum>\d+)\]|<(?<power>\d+)>|(?<times>\d+))?|(?<bars>\|+)|(?<open>[{(])|(?<close>[)}])|(?<between>[,+-])|\s+/y;

const CLOSES: Record<string, string> = { "{": "}", "(": ")" };
/** The limits above which a value is shown as text, since the formula would be unreadable. */
const MAX_LENGTH = 1200;
const MAX_DEPTH = 32;

/** Returns the exponent of a denominator written as `(2^100)`. */
const powerOfTwo = (below: string): string | undefined => /^\(2\^(\d+)\)$/.exec(below)?.[1];

/** Converts a number of an answer, such as `-1/2` or `3/(2^100)`, to floating point. */
export function asNumber(text: string): number {
  const [above = "0", below = "1"] = text.split("/");
  const power = powerOfTwo(below);
  return Number(above) / (power === undefined ? Number(below) : 2 ** Number(power));
}

/** Parses a value; returns `null` if the text is invalid or too long. */
export function parseValue(text: string): Piece[] | null {
  if (text.length > MAX_LENGTH) return null;
  const root: Piece[] = [];
  const open: { pieces: Piece[]; close: string }[] = [{ pieces: root, close: "" }];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)?.groups;
    const inner = open.at(-1);
    if (!found || !inner) return null;
    const put = (piece: Piece) => inner.pieces.push(piece);
    const enter = (pieces: Piece[], close: string) => open.push({ pieces, close });
    if (found.tiny) {
      const of: Piece[] = [];
      put({ kind: "tiny", sign: found.tiny === "Tiny" ? "+" : "−", of });
      enter(of, ")");
    } else if (found.pm) put({ kind: "sign", sign: "±" });
    else if (found.number) {
      const [above = "", below] = found.number.replace("-", "−").split("/");
      const power = below && powerOfTwo(below);
      put({ kind: "number", above, ...(power ? { power } : below === undefined ? {} : { below }) });
    } else if (found.star) put({ kind: "sign", sign: "∗", ...(found.nimber ? { after: found.nimber } : {}) });
    else if (found.arrows) {
      const sign = { "^": "↑", "^^": "⇑", v: "↓", vv: "⇓" }[found.arrows] ?? "";
      const over = found.sum === undefined ? found.power : `[${found.sum}]`;
      put({ kind: "sign", sign, ...(found.times === undefined ? {} : { after: found.times }), ...(over === undefined ? {} : { over }) });
    } else if (found.bars) put({ kind: "between", text: found.bars });
    else if (found.between) put({ kind: "between", text: found.between.replace("-", "−") });
    else if (found.open) {
      const [pieces, close] = [[] as Piece[], CLOSES[found.open] ?? ""];
      put({ kind: "group", open: found.open, close, pieces });
      enter(pieces, close);
    } else if (found.close) {
      if (open.length === 1 || inner.close !== found.close) return null;
      open.pop();
    }
    if (open.length > MAX_DEPTH) return null;
  }
  return open.length === 1 ? root : null;
}
