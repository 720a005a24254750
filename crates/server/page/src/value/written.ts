// The text of a value, read for typesetting: `{3/4v[3]*||Tiny(2)|+-1}`. What a value is, is the server's to say.

export type Piece =
  /** The denominator is digits, or `power` of two. */
  | { kind: "number"; above: string; below?: string; power?: string }
  /** An arrow or a star, with what stands behind it or above it. */
  | { kind: "sign"; sign: string; after?: string; over?: string }
  /** Bars and commas between options, and signs of sums. */
  | { kind: "between"; text: string }
  | { kind: "group"; open: string; close: string; pieces: Piece[] }
  /** Tiny and Miny, which books write as a sign with the game below it. */
  | { kind: "tiny"; sign: string; of: Piece[] };

const TOKEN = /(?<tiny>Tiny|Miny)\(|(?<pm>\+-)|(?<number>-?\d+(?:\/(?:\d+|\(2\^\d+\)))?)|(?<star>\*)(?<nimber>\d*)|(?<arrows>\^\^?|vv?)(?:\[(?<sum>\d+)\]|<(?<power>\d+)>|(?<times>\d+))?|(?<bars>\|+)|(?<open>[{(])|(?<close>[)}])|(?<between>[,+-])|\s+/y;

const CLOSES: Record<string, string> = { "{": "}", "(": ")" };
/** What is larger stays text: nobody reads it as a formula. */
const LONGEST = 1200;
const DEEPEST = 32;

/** The exponent of a denominator that is written `(2^100)`. */
const powerOfTwo = (below: string): string | undefined => /^\(2\^(\d+)\)$/.exec(below)?.[1];

/** A number of an answer as a number of the machine: `-1/2`, `3/(2^100)`. */
export function asNumber(text: string): number {
  const [above = "0", below = "1"] = text.split("/");
  const power = powerOfTwo(below);
  return Number(above) / (power === undefined ? Number(below) : 2 ** Number(power));
}

/** The pieces of a value, or nothing where the text is none or too large. */
export function written(text: string): Piece[] | null {
  if (text.length > LONGEST) return null;
  const whole: Piece[] = [];
  const open: { pieces: Piece[]; close: string }[] = [{ pieces: whole, close: "" }];
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
    if (open.length > DEEPEST) return null;
  }
  return open.length === 1 ? whole : null;
}
