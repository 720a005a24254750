// The location of an error in a text, converted from bytes to characters.
import type { Place, Trouble } from "../engine/answers.ts";

export interface Cut {
  before: string;
  marked: string;
  after: string;
}

/** Splits a text into the part before the location, the word there, and the rest. */
export function cutAt(text: string, place: Place): Cut {
  const bytes = new TextEncoder().encode(text);
  const before = new TextDecoder().decode(bytes.slice(0, place.offset));
  const rest = text.slice(before.length);
  const marked = /^([\p{L}\p{N}_]+|"[^"]*"?|[\s\S])/u.exec(rest)?.[0] ?? " ";
  return { before, marked, after: rest.slice(marked.length) };
}

/** Returns whether an error is in the rules, not in the expression. */
export const isInRules = (trouble: Trouble): boolean => trouble.in === "rules";
