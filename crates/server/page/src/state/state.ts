// The state of the page, all of it, and how it changes.
import type { Language, Play } from "../engine/answers.ts";

export type Theme = "light" | "dark" | "system";
/** Which turns are the reader's when playing: both, or the first or second player's. */
export type Seat = "both" | "first" | "second";

export interface State {
  /** Where the game began, as it was written. */
  game: string;
  play: Play;
  /** Rules of one's own, the text of a rule file. */
  rules: string;
  /** The tablebase in which positions are looked up, by its name; without one they are solved. */
  table: string;
  /** All moves made, those taken back included. */
  moves: string[];
  /** How many of them stand. */
  at: number;
  /** Who moves first where Left and Right have moves of their own. */
  begins: "left" | "right";
  view: string;
  /** The step of the explanation that is shown, from 0. */
  step: number;
  seat: Seat;
  /** The strength of the program, 0 to 10. */
  level: number;
  /** Positions prepared for a lecture. */
  list: string[];
  lang: Language;
  theme: Theme;
  /** What single views keep in the address, by their own keys. */
  more: Record<string, string>;
}

export const FIRST_GAME = "nim(3, 4, 5)";

export const START: State = {
  game: FIRST_GAME,
  play: "normal",
  rules: "",
  table: "",
  moves: [],
  at: 0,
  begins: "left",
  view: "analyse",
  step: 0,
  seat: "first",
  level: 10,
  list: [],
  lang: "en",
  theme: "system",
  more: {},
};

/** Another game from its beginning. */
export const opened = (state: State, game: string, play: Play = state.play): State => ({
  ...state,
  game,
  play,
  table: game === state.game ? state.table : "",
  moves: [],
  at: 0,
  begins: game === state.game ? state.begins : "left",
  step: 0,
});

/** One more move; what was taken back is gone. */
export const moved = (state: State, write: string): State => ({
  ...state,
  moves: [...state.moves.slice(0, state.at), write],
  at: state.at + 1,
  step: 0,
});

/** At another moment of the same game. */
export const stepped = (state: State, at: number): State => ({
  ...state,
  at: Math.max(0, Math.min(at, state.moves.length)),
  step: 0,
});

/** The moves that stand, as the server reads them. */
export const movesText = (state: State): string => state.moves.slice(0, state.at).join("; ");
