// The place of an error in a text: bytes to letters.
import type { Place, Trouble } from "../engine/answers.ts";

export interface Cut {
  before: string;
  marked: string;
  after: string;
}

/** The text in three: before the place, the word at it, the rest. */
export function cutAt(text: string, place: Place): Cut {
  const bytes = new TextEncoder().encode(text);
  const before = new TextDecoder().decode(bytes.slice(0, place.offset));
  const rest = text.slice(before.length);
  const marked = /^([\p{L}\p{N}_]+|"[^"]*"?|[\s\S])/u.exec(rest)?.[0] ?? " ";
  return { before, marked, after: rest.slice(marked.length) };
}

/** Whether a trouble is in the rules, not in the expression. */
export const inRules = (trouble: Trouble): boolean => trouble.in === "rules";
