// The attributes of an embedded board.
import type { Language } from "../engine/answers.ts";
import { FIRST_GAME, START, type State, type Theme } from "../state/state.ts";

export const ATTRIBUTES = ["game", "play", "rules", "moves", "begins", "lang", "theme", "answer", "opponent", "level"];

/** The attribute that determines the display of the outcome: after a click, always, or never. */
export type AnswerVisibility = "on-request" | "shown" | "never";

export interface Settings {
  /** The initial state of the board. */
  state: State;
  answer: AnswerVisibility;
}

/** The selector of the rules in a child script, which are easier to write than in an attribute. */
export const RULES = 'script[type="text/x-grundy-rules"]';

function language(element: Element): Language {
  const attribute = element.closest("[lang]")?.getAttribute("lang") ?? "";
  return attribute.toLowerCase().startsWith("zh") ? "zh" : "en";
}

const oneOf = <T extends string>(text: string | null, allowed: readonly T[], fallback: T): T => allowed.find((one) => one === text) ?? fallback;

export function settingsOf(element: Element): Settings {
  const attribute = (name: string) => element.getAttribute(name);
  const moves = (attribute("moves") ?? "").split(";").map((move) => move.trim()).filter((move) => move !== "");
  const opponent = oneOf(attribute("opponent"), ["none", "first", "second"], "none");
  const level = Number(attribute("level") ?? START.level);
  const state: State = {
    ...START,
    game: attribute("game")?.trim() || FIRST_GAME,
    play: oneOf(attribute("play"), ["normal", "misere"], "normal"),
    rules: attribute("rules") ?? element.querySelector(RULES)?.textContent?.trim() ?? "",
    moves,
    at: moves.length,
    begins: oneOf(attribute("begins"), ["left", "right"], "left"),
    view: opponent === "none" ? "analyse" : "play",
    // The attribute is the seat of the program, so the reader has the other one.
    seat: opponent === "first" ? "second" : opponent === "second" ? "first" : "both",
    level: Number.isInteger(level) && level >= 0 && level <= 10 ? level : START.level,
    lang: language(element),
    theme: oneOf<Theme>(attribute("theme"), ["light", "dark", "system"], "system"),
  };
  return { state, answer: oneOf<AnswerVisibility>(attribute("answer"), ["on-request", "shown", "never"], "on-request") };
}
