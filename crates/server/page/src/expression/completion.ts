// Completion of the name at the caret, and the call that contains the caret.
import type { Listed } from "../engine/answers.ts";

const MAX_OFFERED = 8;

/** Returns whether the end of the text is inside quotes. */
function endsInQuotes(before: string): boolean {
  const open = before.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  return /["']/.test(open);
}

export interface Completion {
  /** The range of text that is replaced. */
  from: number;
  to: number;
  games: Listed[];
}

/**
 * Returns the games whose name begins with the word before the caret, then those that contain it.
 */
export function completion(text: string, caret: number, games: Listed[]): Completion | null {
  const before = text.slice(0, caret);
  const word = /[a-z_][a-z_0-9]*$/i.exec(before)?.[0].toLowerCase();
  if (word === undefined || endsInQuotes(before)) return null;
  const after = /^[a-z_0-9]*/i.exec(text.slice(caret))?.[0] ?? "";
  const begins = games.filter((game) => game.name.startsWith(word));
  const contains = word.length < 2 ? [] : games.filter((game) => !game.name.startsWith(word) && game.name.includes(word));
  const offered = [...begins, ...contains].slice(0, MAX_OFFERED);
  if (offered.length === 0 || (offered.length === 1 && offered[0]?.name === word + after && text[caret + after.length] === "(")) return null;
  return { from: caret - word.length, to: caret + after.length, games: offered };
}

/** Returns the name of the innermost call around the caret. */
export function callAround(text: string, caret: number): string | null {
  let depth = 0;
  const before = text.slice(0, caret).replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (part) => "\"".padEnd(part.length, "\""));
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const letter = before[at];
    if (letter === ")" ) depth += 1;
    else if (letter === "(") {
      if (depth === 0) {
        const name = /[a-z_][a-z_0-9]*\s*$/.exec(before.slice(0, at))?.[0].trim();
        if (name) return name;
      } else depth -= 1;
    }
  }
  return null;
}
