// The attributes of an embedded board.
import type { Language } from "../engine/answers.ts";
import { FIRST_GAME, START, type State, type Theme } from "../state/state.ts";

export const ATTRIBUTES = ["game", "play", "rules", "moves", "begins", "lang", "theme", "answer", "opponent", "level"];

/** The time at which the outcome is shown. */
export type Answering = "on-request" | "shown" | "never";

export interface Settings {
  /** The initial state of the board. */
  state: State;
  answer: Answering;
}

/** The selector of the rules in a child script, which are easier to write than in an attribute. */
export const RULES = 'script[type="text/x-grundy-rules"]';

function language(element: Element): Language {
  const said = element.closest("[lang]")?.getAttribute("lang") ?? "";
  return said.toLowerCase().startsWith("zh") ? "zh" : "en";
}

const oneOf = <T extends string>(text: string | null, known: readonly T[], usual: T): T => known.find((one) => one === text) ?? usual;

export function settingsOf(element: Element): Settings {
  const said = (name: string) => element.getAttribute(name);
  const moves = (said("moves") ?? "").split(";").map((move) => move.trim()).filter((move) => move !== "");
  const opponent = oneOf(said("opponent"), ["none", "first", "second"], "none");
  const level = Number(said("level") ?? START.level);
  const state: State = {
    ...START,
    game: said("game")?.trim() || FIRST_GAME,
    play: oneOf(said("play"), ["normal", "misere"], "normal"),
    rules: said("rules") ?? element.querySelector(RULES)?.textContent?.trim() ?? "",
    moves,
    at: moves.length,
    begins: oneOf(said("begins"), ["left", "right"], "left"),
    view: opponent === "none" ? "analyse" : "play",
    // The attribute is the seat of the program, so the reader has the other one.
    seat: opponent === "first" ? "second" : opponent === "second" ? "first" : "both",
    level: Number.isInteger(level) && level >= 0 && level <= 10 ? level : START.level,
    lang: language(element),
    theme: oneOf<Theme>(said("theme"), ["light", "dark", "system"], "system"),
  };
  return { state, answer: oneOf<Answering>(said("answer"), ["on-request", "shown", "never"], "on-request") };
}
