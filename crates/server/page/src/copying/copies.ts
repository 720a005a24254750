// The position as source text for other tools.
import type { Play } from "../engine/answers.ts";

/** Quotes a text as one word of a POSIX shell. */
export const shellWord = (text: string): string => (/["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`);

export const command = (position: string, play: Play): string =>
  `grundy solve ${shellWord(position)}${play === "misere" ? " --misere" : ""}`;

export const python = (position: string, play: Play): string =>
  `grundy.solve(${JSON.stringify(position)}${play === "misere" ? ', play="misere"' : ""})`;
