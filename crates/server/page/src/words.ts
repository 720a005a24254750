// The texts of the page in both languages: flat lists with `{name}` placeholders.
import en from "../../../wording/src/sentences/page.en.json";
import zh from "../../../wording/src/sentences/page.zh-CN.json";
import type { Language } from "./engine/answers.ts";

export type Word = keyof typeof en;
export type Say = (word: Word, values?: Record<string, string | number | bigint>) => string;

const lists: Record<Language, Record<Word, string>> = { en, zh };

/** Replaces the placeholders of a text; a placeholder without a value is kept. */
export function filled(wording: string, values: Record<string, string | number | bigint>): string {
  return wording.replace(/\{([a-z_0-9]+)\}/g, (place, name: string) => String(values[name] ?? place));
}

export const speaker =
  (lang: Language): Say =>
  (word, values = {}) =>
    filled(lists[lang][word] ?? lists.en[word] ?? word, values);
