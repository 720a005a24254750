// Families, that is, expressions with free variables, processed as text.

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const WORDS = new Set(["True", "False", "None"]);

export interface Range {
  name: string;
  from: number;
  to: number;
}

/** Returns the text with quoted parts blanked out, so that offsets stay the same. */
const withoutStrings = (text: string): string => text.replace(QUOTED, (part) => "\u0000".repeat(part.length));

/** Returns the free variables in order of occurrence. */
export function variablesOf(text: string, functions: Set<string> = new Set()): string[] {
  const names = [...withoutStrings(text).matchAll(/[A-Za-z_]\w*(?!\w*\s*[(\w])/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !WORDS.has(name) && !functions.has(name));
}

/** Returns the names defined by a rule file, which are no free variables. */
export const functionsOf = (rules: string): Set<string> => new Set([...rules.matchAll(/^def\s+(\w+)|^([A-Za-z_]\w*)\s*=/gm)].flatMap(([, one, other]) => one ?? other ?? []).concat(["moves", "rules", "left", "right"]));

/** Returns a family that contains a position: up to `most` of its numbers become variables. */
export function familyOf(position: string, most: number): string | null {
  const blank = withoutStrings(position);
  const numbers = [...blank.matchAll(/(?<![\w.\]])\d+(?![\w.])/g)].filter(({ index }) => {
    // Numbers in lists describe rules, such as sets of moves, and are kept.
    const before = blank.slice(0, index);
    return (before.match(/\[/g)?.length ?? 0) === (before.match(/\]/g)?.length ?? 0);
  });
  if (numbers.length === 0) return null;
  const chosen = numbers.slice(0, most);
  const names = chosen.length === 1 ? ["n"] : ["a", "b"];
  let text = position;
  [...chosen].reverse().forEach((match, index) => {
    const name = names[chosen.length - 1 - index] ?? "n";
    text = text.slice(0, match.index) + name + text.slice(match.index + match[0].length);
  });
  return text;
}

/** Returns a member of a family. */
export function memberOf(family: string, values: Record<string, number>): string {
  const blank = withoutStrings(family);
  let text = "";
  let at = 0;
  for (const match of blank.matchAll(/[A-Za-z_]\w*/g)) {
    const value = values[match[0]];
    if (value === undefined || /^\s*\(/.test(blank.slice(match.index + match[0].length))) continue;
    text += family.slice(at, match.index) + String(value);
    at = match.index + match[0].length;
  }
  return text + family.slice(at);
}

export function readRanges(text: string): Range[] {
  return text.split(",").flatMap((piece) => {
    const [, name, from, to] = /^\s*([A-Za-z_]\w*)=(\d{1,9})\.\.(\d{1,9})\s*$/.exec(piece) ?? [];
    return name === undefined ? [] : [{ name, from: Number(from), to: Number(to) }];
  });
}

export const rangeText = ({ name, from, to }: Range): string => `${name}=${from}..${to}`;
