// The context shared by all components.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Analysis, BoardAnswer, BoardQuestion, Hint, Question } from "../engine/answers.ts";
import type { Engine } from "../engine/engine.ts";
import type { Say } from "../words.ts";
import type { RequestState } from "./request.ts";
import { type State, movesText } from "./state.ts";

/** The properties of the current view that concern the board. */
export interface ViewProperties {
  id: string;
  layout: "beside" | "wide" | "alone";
  /** `true` if the moves on the board are analysed and marked. */
  marks: boolean;
}

export interface Page {
  state: State;
  view: ViewProperties;
  /** Changes the state; `push` adds an entry to the browser history. */
  change(update: (state: State) => State, how?: "replace" | "push"): void;
  engine: Engine;
  /** The number of reconnections, after which failed requests are retried. */
  connection: number;
  /** Reports that the engine is not reachable. */
  reportOffline(): void;
  say: Say;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** `true` if the dark theme is shown. */
  dark: boolean;
}

export interface HintState {
  stage: number;
  answer: Hint | null;
  trouble: string | null;
}

/** The state of the board, shared by the board and the views. */
export interface Match {
  board: RequestState<BoardAnswer>;
  analysis: RequestState<Analysis>;
  /** Prefetches the answers after a move that is pressed but not yet made. */
  prefetch(write: string): void;
  /** Makes a move. */
  play(write: string): void;
  /** `true` if the reader is to move. */
  readerMayMove: boolean;
  /** `true` if the answer belongs to the current state, not to the previous one. */
  fresh: boolean;
  /** `true` while the program computes its reply. */
  thinking: boolean;
  /** The `write` of the move highlighted on the board. */
  highlighted: string | null;
  highlight(write: string | null): void;
  /** The hint requested in this position. */
  hint: HintState | null;
  /** Requests a hint, and then the next stage. */
  nextHint(): void;
  /** Highlights a best move. */
  showBestMove(): void;
  /** Undo and redo. */
  undo(): void;
  redo(): void;
}

export const PageContext = createContext<Page | null>(null);
export const MatchContext = createContext<Match | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("no page");
  return page;
}

export function useMatch(): Match {
  const table = useContext(MatchContext);
  if (!table) throw new Error("no table");
  return table;
}

/** Returns the keys of every request in this state. */
export function commonKeys(state: State): Question & { game: string } {
  const question: Question & { game: string } = { game: state.game, play: state.play, lang: state.lang };
  if (state.rules !== "") question.rules = state.rules;
  return question;
}

/** Returns the keys of requests about the match. */
export function matchKeys(state: State): BoardQuestion {
  const question: BoardQuestion = { ...commonKeys(state), moves: movesText(state) };
  if (state.begins === "right") question.begins = "right";
  if (state.table !== "") question.table = state.table;
  return question;
}
