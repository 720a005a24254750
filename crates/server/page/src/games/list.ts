// The list of games, and the names of games in an expression.
import type { GameGroups, Language, Listed } from "../engine/answers.ts";
import { type RequestState, useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";

export function useGames(): RequestState<GameGroups> {
  const { state } = usePage();
  return useRequest("help", { lang: state.lang }, { keep: true });
}

export const allGames = (groups: GameGroups | null): Listed[] => groups?.groups.flatMap((group) => group.games) ?? [];

/** Returns the text with its quoted parts emptied. */
const withoutStrings = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** Returns the names of games called in an expression, without duplicates. */
export function namesIn(text: string, games: Listed[]): string[] {
  const names = [...withoutStrings(text).matchAll(/([a-z_][a-z_0-9]*)\s*\(/g)].map((call) => call[1] ?? "");
  return [...new Set(names)].filter((name) => games.some((game) => game.name === name));
}

/** Returns the title of a game, or its name if there is none. */
export const gameTitle = (game: Listed, lang: Language): string =>
  game.title ?? (lang === "en" ? game.name.replaceAll("_", " ") : game.name);
