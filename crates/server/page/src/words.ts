// The page's own words in both languages: flat lists, `{name}` placeholders, nothing else.
import en from "../../../wording/src/sentences/page.en.json";
import zh from "../../../wording/src/sentences/page.zh-CN.json";
import type { Language } from "./engine/answers.ts";

export type Word = keyof typeof en;
export type Say = (word: Word, values?: Record<string, string | number | bigint>) => string;

const lists: Record<Language, Record<Word, string>> = { en, zh };

/** The wording with its places filled; what has no value stays as it is written. */
export function filled(wording: string, values: Record<string, string | number | bigint>): string {
  return wording.replace(/\{([a-z_0-9]+)\}/g, (place, name: string) => String(values[name] ?? place));
}

export const speaker =
  (lang: Language): Say =>
  (word, values = {}) =>
    filled(lists[lang][word] ?? lists.en[word] ?? word, values);
