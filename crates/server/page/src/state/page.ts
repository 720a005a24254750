// What every part of the page shares.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Analysis, BoardAnswer, BoardQuestion, Hint, Question } from "../engine/answers.ts";
import type { Engine } from "../engine/engine.ts";
import type { Say } from "../words.ts";
import type { Asked } from "./asked.ts";
import { type State, movesText } from "./state.ts";

/** What the board has to know of the view beside it. */
export interface Shown {
  id: string;
  layout: "beside" | "wide" | "alone";
  /** Whether the moves on the board are analysed and marked. */
  marks: boolean;
}

export interface Page {
  state: State;
  view: Shown;
  /** Changes the state; `push` makes an entry in the history of the browser. */
  change(update: (state: State) => State, how?: "replace" | "push"): void;
  engine: Engine;
  /** Counts how often the engine came back: what failed is asked again. */
  connection: number;
  /** To be told when nobody answers. */
  lost(): void;
  say: Say;
  /** Says something to screen readers. */
  announce(text: string): void;
  /** The colours that are shown. */
  dark: boolean;
}

export interface GivenHint {
  stage: number;
  answer: Hint | null;
  trouble: string | null;
}

/** What stands on the board, shared by the board and the views beside it. */
export interface Table {
  board: Asked<BoardAnswer>;
  analysis: Asked<Analysis>;
  /** A move is pressed and about to be played: what it leads to is asked for already. */
  press(write: string): void;
  /** Plays a move. */
  play(write: string): void;
  /** Whether the reader may move now. */
  yours: boolean;
  /** Whether the board is that of the state, not still the one before. */
  fresh: boolean;
  /** Whether the program looks for its move. */
  thinking: boolean;
  /** The move that is pointed out on the board, by its `write`. */
  pointed: string | null;
  point(write: string | null): void;
  /** The hint that was asked for in this position. */
  hint: GivenHint | null;
  /** Asks for a hint, and then for more. */
  nextHint(): void;
  /** Points out a best move. */
  best(): void;
  /** Takes back, and makes again what was taken back. */
  back(): void;
  forth(): void;
}

export const PageContext = createContext<Page | null>(null);
export const TableContext = createContext<Table | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("no page");
  return page;
}

export function useTable(): Table {
  const table = useContext(TableContext);
  if (!table) throw new Error("no table");
  return table;
}

/** The keys of every question in this state. */
export function common(state: State): Question & { game: string } {
  const question: Question & { game: string } = { game: state.game, play: state.play, lang: state.lang };
  if (state.rules !== "") question.rules = state.rules;
  return question;
}

/** The keys of questions about the game being played. */
export function played(state: State): BoardQuestion {
  const question: BoardQuestion = { ...common(state), moves: movesText(state) };
  if (state.begins === "right") question.begins = "right";
  if (state.table !== "") question.table = state.table;
  return question;
}
