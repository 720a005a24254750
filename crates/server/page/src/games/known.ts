// The games that there are, and which of them an expression names.
import type { GameGroups, Language, Listed } from "../engine/answers.ts";
import { type Asked, useAsked } from "../state/asked.ts";
import { usePage } from "../state/page.ts";

export function useGames(): Asked<GameGroups> {
  const { state } = usePage();
  return useAsked("help", { lang: state.lang }, { keep: true });
}

export const allGames = (groups: GameGroups | null): Listed[] => groups?.groups.flatMap((group) => group.games) ?? [];

/** The text without what stands in quotation marks. */
const bare = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** The names of games called in an expression, each once. */
export function namesIn(text: string, known: Listed[]): string[] {
  const names = [...bare(text).matchAll(/([a-z_][a-z_0-9]*)\s*\(/g)].map((call) => call[1] ?? "");
  return [...new Set(names)].filter((name) => known.some((game) => game.name === name));
}

/** What a game is called: its title, else its name, in English as words. */
export const called = (game: Listed, lang: Language): string =>
  game.title ?? (lang === "en" ? game.name.replaceAll("_", " ") : game.name);
