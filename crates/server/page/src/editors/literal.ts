// A parser for sums of calls with numbers, texts, lists and maps as arguments. Any other expression
// is kept as text.

export type Literal =
  | { kind: "number"; value: number }
  | { kind: "text"; value: string }
  | { kind: "word"; value: string }
  | { kind: "list"; items: Literal[]; round?: boolean }
  | { kind: "map"; entries: [Literal, Literal][] };

export interface Argument {
  key?: string;
  value: Literal;
}

export interface Call {
  name: string;
  args: Argument[];
}

/** A term of a sum, with its position in the text. */
export interface Term {
  text: string;
  from: number;
  to: number;
  /** The parsed call, or `null` if the term is any other expression. */
  call: Call | null;
}

class ParseFailure extends Error {}

/** A recursive-descent parser of literals. */
class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
  }

  private peek(): string {
    this.space();
    return this.text[this.at] ?? "";
  }

  private take(what: string): void {
    if (this.peek() !== what) throw new ParseFailure();
    this.at += 1;
  }

  private match(pattern: RegExp): string | null {
    this.space();
    const found = pattern.exec(this.text.slice(this.at));
    if (!found || found.index !== 0) return null;
    this.at += found[0].length;
    return found[0];
  }

  end(): void {
    if (this.peek() !== "") throw new ParseFailure();
  }

  /** Parses the items of a list up to the closing bracket. */
  private list<T>(close: string, item: () => T): { items: T[]; comma: boolean } {
    const items: T[] = [];
    let comma = false;
    for (;;) {
      if (this.peek() === close) break;
      items.push(item());
      comma = this.peek() === ",";
      if (!comma) break;
      this.at += 1;
    }
    this.take(close);
    return { items, comma };
  }

  literal(): Literal {
    const next = this.peek();
    if (next === "[") {
      this.at += 1;
      return { kind: "list", items: this.list("]", () => this.literal()).items };
    }
    if (next === "(") {
      this.at += 1;
      const { items, comma } = this.list(")", () => this.literal());
      const [only] = items;
      return items.length === 1 && only && !comma ? only : { kind: "list", items, round: true };
    }
    if (next === "{") {
      this.at += 1;
      const { items } = this.list("}", (): [Literal, Literal] => {
        const key = this.literal();
        this.take(":");
        return [key, this.literal()];
      });
      return { kind: "map", entries: items };
    }
    const text = this.match(/"(?:[^"\\\n]|\\["\\'])*"|'(?:[^'\\\n]|\\["\\'])*'/);
    if (text !== null) return { kind: "text", value: text.slice(1, -1).replace(/\\(.)/g, "$1") };
    const number = this.match(/-?\d{1,15}(?![\d.\w])/);
    if (number !== null) return { kind: "number", value: Number(number) };
    const word = this.match(/[A-Za-z_]\w*(?!\s*[\w(.])/);
    if (word !== null) return { kind: "word", value: word };
    throw new ParseFailure();
  }

  call(): Call {
    const name = this.match(/[a-z_]\w*/);
    if (name === null) throw new ParseFailure();
    this.take("(");
    const { items } = this.list(")", (): Argument => {
      const key = this.match(/[a-z_]\w*(?=\s*=[^=])/);
      if (key === null) return { value: this.literal() };
      this.take("=");
      return { key, value: this.literal() };
    });
    return { name, args: items };
  }
}

/** Parses a text as a call, or returns `null`. */
export function readCall(text: string): Call | null {
  try {
    const parser = new Parser(text);
    const call = parser.call();
    parser.end();
    return call;
  } catch (error) {
    if (error instanceof ParseFailure) return null;
    throw error;
  }
}

/** Returns the terms of a sum: the text split at each plus outside brackets and quotes. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  let depth = 0;
  let from = 0;
  let quote = "";
  const cut = (end: number) => {
    const piece = text.slice(from, end);
    const before = piece.length - piece.trimStart().length;
    const term = piece.trim();
    terms.push({ text: term, from: from + before, to: from + before + term.length, call: readCall(term) });
    from = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (quote !== "") {
      if (letter === "\\") at += 1;
      else if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) depth -= 1;
    else if (letter === "+" && depth === 0) cut(at);
  }
  cut(text.length);
  return terms;
}

export const number = (value: number): Literal => ({ kind: "number", value });
export const text = (value: string): Literal => ({ kind: "text", value });
export const list = (items: Literal[]): Literal => ({ kind: "list", items });

export function literalText(literal: Literal): string {
  switch (literal.kind) {
    case "number":
    case "word":
      return String(literal.value);
    case "text":
      return `"${literal.value.replace(/["\\]/g, "\\$&")}"`;
    case "list": {
      const inside = literal.items.map(literalText).join(", ");
      if (!literal.round) return `[${inside}]`;
      return literal.items.length === 1 ? `(${inside},)` : `(${inside})`;
    }
    case "map":
      return `{${literal.entries.map(([key, value]) => `${literalText(key)}: ${literalText(value)}`).join(", ")}}`;
  }
}

export const callText = ({ name, args }: Call): string =>
  `${name}(${args.map(({ key, value }) => (key === undefined ? "" : `${key}=`) + literalText(value)).join(", ")})`;

/** Returns the numbers of a list that contains nothing else, or `null`. */
export function numbersIn(literal: Literal | undefined): number[] | null {
  if (literal?.kind !== "list") return null;
  const numbers = literal.items.map((item) => (item.kind === "number" ? item.value : NaN));
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** Returns the rows of a text or of a list of texts of equal length, or `null`. */
export function rowsIn(literal: Literal | undefined): string[] | null {
  if (literal?.kind === "text") return [literal.value];
  if (literal?.kind !== "list" || literal.items.length === 0) return null;
  const rows = literal.items.map((item) => (item.kind === "text" ? item.value : null));
  if (!rows.every((row) => row !== null)) return null;
  return rows.every((row) => [...row].length === [...(rows[0] ?? "")].length) ? rows : null;
}
