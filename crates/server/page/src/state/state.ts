// The whole state of the page, and its transitions.
import type { Language, Play } from "../engine/answers.ts";

export type Theme = "light" | "dark" | "system";
/** The players whose moves the reader makes: both of them, the first, or the second. */
export type Seat = "both" | "first" | "second";

export interface State {
  /** The starting position, as entered. */
  game: string;
  play: Play;
  /** The text of the user's rule file. */
  rules: string;
  /** The name of the tablebase in which positions are looked up; if empty, they are solved. */
  table: string;
  /** All moves, including those that were undone. */
  moves: string[];
  /** The number of moves that are not undone. */
  at: number;
  /** The first player in partizan games. */
  begins: "left" | "right";
  view: string;
  /** The current step of the explanation, counted from 0. */
  step: number;
  seat: Seat;
  /** The level of the program, 0 to 10. */
  level: number;
  /** The positions prepared for a lecture. */
  list: string[];
  lang: Language;
  theme: Theme;
  /** The keys that single views store in the URL. */
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

/** Starts another game. */
export const openGame = (state: State, game: string, play: Play = state.play): State => ({
  ...state,
  game,
  play,
  table: game === state.game ? state.table : "",
  moves: [],
  at: 0,
  begins: game === state.game ? state.begins : "left",
  step: 0,
});

/** Makes a move, which discards the undone moves. */
export const makeMove = (state: State, write: string): State => ({
  ...state,
  moves: [...state.moves.slice(0, state.at), write],
  at: state.at + 1,
  step: 0,
});

/** Goes to another point of the match. */
export const goToMove = (state: State, at: number): State => ({
  ...state,
  at: Math.max(0, Math.min(at, state.moves.length)),
  step: 0,
});

/** Returns the current moves as text of a request. */
export const movesText = (state: State): string => state.moves.slice(0, state.at).join("; ");
