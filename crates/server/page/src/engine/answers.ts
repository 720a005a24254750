// The types of requests and answers, described in docs/api.md.
import type { Whole } from "./json.ts";
import type { Envelope, Keys } from "./keys.ts";

export type Play = "normal" | "misere";
export type Language = "en" | "zh";
export type Player = "first" | "second" | "left" | "right";
export type Standing = "win" | "lose" | "tie" | "draw";

/** The keys that requests of every kind may have, and those of most requests about a game. */
export type Question = Envelope & { game?: string; play?: Play };

export type BoardQuestion = QuestionOf<"board">;
export type PracticeQuestion = QuestionOf<"practice">;
export type ValueQuestion = QuestionOf<"value">;

export interface Place {
  offset: number;
  line: number;
  column: number;
}

export interface Trouble {
  kind: string;
  message: string;
  /** `rules` if the location is in the rules, not in the request. */
  in?: "rules";
  at?: Place | null;
  help?: string;
  /** The readings of an ambiguous text, as expressions. */
  readings?: string[];
}

export interface Move {
  component: number;
  at: Whole[];
  write: string;
  move: string;
  /** The position after the move; missing if it would be too long. */
  to?: string;
}

export interface MadeMove extends Move {
  by: Player;
}

/** A Grundy value: a number, or the infinite value of a loopy position. */
export type Grundy = Whole | { infinity: Whole[] };

export interface Leaves {
  outcome: string;
  grundy?: Grundy;
  value?: string;
}

export interface JudgedMove extends Move {
  leaves?: Leaves;
  for_mover?: Standing;
  remoteness?: Whole;
}

/** A move in the answer to `solve`. */
export interface WinningMove {
  move: string;
  at: Whole[];
  component?: number;
  to: string;
}

export interface Solution {
  game: string;
  play: Play;
  outcome?: string;
  grundy?: Grundy;
  value?: string;
  /** The genus in misère play, if requested; `null` if a limit was reached. */
  genus?: string | null;
  remoteness?: Whole | null | { left: Whole | null; right: Whole | null };
  status: "exact" | "proved" | "observed" | "partial";
  method?: string;
  method_text?: string;
  theorem?: string | { name: string; statement?: string; source?: string };
  winning_moves?: WinningMove[] | { left: WinningMove[]; right: WinningMove[] };
  winning_moves_complete?: boolean;
}

export interface Step {
  code: string;
  args: Record<string, unknown>;
  text: string;
  /**
   * Present in answers with pictures: the number of a main step, its sentence, and the lines of
   * text below it.
   */
  number?: number;
  sentence?: string;
  below?: string;
  svg?: string;
}

export interface Explanation extends Solution {
  steps: Step[];
  svg?: string;
  files?: Record<string, string>;
}

export interface BoardAnswer {
  game: string;
  /** The expression that `game` was understood as, if it is not in the notation. */
  understood?: string;
  /** Remarks about how a graph in the expression was read. */
  notes?: string[];
  play: Play;
  position: string;
  turn: number;
  saved: string;
  /** The names of the players, Left or the first player first. */
  players: [string, string];
  own_moves: boolean;
  mover: Player;
  over: boolean;
  standing: Standing | null;
  terms: string[];
  svg?: string;
  moves: Move[];
  complete: boolean;
  made: MadeMove[];
}

export interface Analysis {
  position: string;
  mover: Player;
  standing?: Standing | null;
  solution: Solution;
  text?: string;
  /** The description of the method. */
  method_text?: string;
  moves: JudgedMove[];
  complete: boolean;
}

export interface Reply {
  move: Move;
  saved: string;
}

export interface Hint {
  standing?: Standing | null;
  text: string;
  move?: Move;
  steps?: Step[];
}

export interface Review {
  strip: { outcome: string; standing: Standing }[];
  mistakes: { turn: number; move: string; by: Player; from: Standing; to: Standing }[];
}

export type Ask = "outcome" | "value" | "move";

export interface PracticeAnswer {
  position: string;
  ask: Ask;
  question: string;
  mover: Player;
  svg?: string;
  /** The possible answers, if there are few. */
  choices?: string[];
  judged?: "right" | "wrong" | "unread";
  text?: string;
  solution?: Solution;
  steps?: Step[];
}

export interface Listed {
  name: string;
  /** The common name of the game. */
  title?: string;
  signature: string;
  summary: string;
  example: string;
}

export interface GameGroups {
  groups: { group: string; title: string; games: Listed[] }[];
}

export interface Theorem {
  name: string;
  statement: string;
  source: string;
}

export interface GameSheet extends Listed {
  group: string;
  rules: string;
  arguments: string;
  answer?: string;
  theorem: Theorem | null;
  more_theorems?: Theorem[];
  reference: string;
}

export interface Drawing {
  svg?: string;
  tikz?: string;
  dot?: string;
  terminal?: string;
}

/** A pattern in the values of a table, observed or proved. */
export interface Finding {
  status: "exact" | "proved" | "observed" | "partial";
  text: string;
}

export interface TableAnswer {
  family: string;
  variables: string[];
  from: number[];
  to: number[];
  /** A list, or a list for each value of the first variable. */
  grundy?: (Grundy | null)[] | (Grundy | null)[][];
  outcome?: (string | null)[] | (string | null)[][];
  genus?: (string | null)[] | (string | null)[][];
  findings?: Finding[];
  /** The first numbers whose positions are P-positions, if patterns were requested. */
  p_numbers?: number[];
  /** The addresses of searches in the OEIS. */
  oeis?: { grundy?: string; p_positions?: string };
  /** The source of a program that computes the values, if it was requested. */
  program?: string;
  files?: Record<string, string>;
}

export interface PeriodAnswer {
  family: string;
  /** The built-in family with the same moves as a family of a rule file. */
  recognised_as?: string;
  preperiod?: number;
  period?: number;
  saltus?: number;
  status: "exact" | "proved" | "observed" | "partial";
  /** The description of the theorem that proves the period. */
  theorem_text?: string;
  checked_to?: number;
  largest?: Whole;
  frequencies?: [Whole, number][];
  sparse_space?: { rare_heaps: number };
  files?: Record<string, string>;
}

export interface QuotientAnswer {
  family: string;
  order: number;
  p_order: number;
  status: "proved" | "observed" | "partial";
  preperiod?: number;
  period?: number;
  checked_to?: number;
  generators: (number | string)[];
  presentation: string;
  p: string[];
  name: string | null;
  /** `true` if the sums behave as sums of Nim heaps. */
  tame: boolean;
  elements: string[];
  idempotents: string[];
  kernel: string[];
  transitions: number;
  files?: Record<string, string>;
}

/** A tablebase on the server. */
export interface TableCard {
  table: string;
  game: string;
  play: Play;
  kind: "impartial" | "partizan" | "ties";
  positions: Whole;
  outcomes: { N: Whole; P: Whole; D: Whole };
  longest: Whole;
  values: boolean;
  ranked: boolean;
  bytes: Whole;
  playable: boolean;
  /** This key and those below are only in the answer for a single tablebase. */
  hardest?: string[];
  command?: string;
  rules?: string | null;
  svg?: string;
}

export interface LabelledPosition {
  position: string;
  outcome: string;
  remoteness: Whole | null;
  grundy?: Grundy | null;
  move?: string | null;
  [key: string]: unknown;
}

/** The labels, unless the request writes them to one of the `files`. */
export interface LabelAnswer {
  play?: Play;
  vertices?: Whole;
  edges?: Whole;
  positions?: LabelledPosition[];
  files?: Record<string, string>;
}

export interface NimberAnswer {
  value: Whole;
  steps?: Step[];
}

export interface ExercisesAnswer {
  game: string;
  play: Play;
  level: number;
  seed: Whole;
  exercises: { position: string; ask: Ask; question: string; answer?: Solution }[];
}

export interface Verification {
  accepted?: boolean;
  valid?: boolean;
  [key: string]: unknown;
}

export interface MatrixAnswer {
  /** Numbers are fractions, as texts. */
  value: string;
  /** What the row player and the column player get, if the payoffs of both are given. */
  values?: [string, string];
  constant?: string;
  row_names?: string[];
  col_names?: string[];
  notes?: string[];
  certificate: { matrix: string[][] };
  row_strategy: string[];
  col_strategy: string[];
  saddle_points: [number, number][] | { row: number; column: number }[];
  maximin: string;
  minimax: string;
  row_unique: boolean;
  col_unique: boolean;
  rows: number;
  columns: number;
  status: Solution["status"];
  dominance?: {
    steps: { player: "row" | "col"; strategy: number; by: [number, string][]; strict: boolean }[];
    rows: number[];
    columns: number[];
    keeps_all_optimal: boolean;
  };
  extreme?: Record<"row" | "col", { strategies: string[][]; complete: boolean }>;
  files?: Record<string, string>;
}

export interface Decision {
  position: string;
  way: string[];
  move: string;
}

export interface Strategy {
  guarantees: string;
  decisions: Decision[];
}

export interface TreeAnswer {
  game: string;
  players: [string, string];
  value: string;
  instances?: Whole;
  nodes?: Whole;
  positions?: Whole;
  positions_up_to_symmetry?: Whole;
  wins?: Record<string, Whole>;
  longest?: number;
  strategies?: Record<string, Whole | string | null>;
  winning_strategies?: Record<string, Whole | string | null>;
  optimal_strategies?: Record<string, Whole | string | null>;
  strategies_different_in_play?: Record<string, Whole | string | null>;
  alpha_beta?: {
    nodes: Whole;
    cut_offs: number;
    value: string;
    listed: {
      position: string;
      way: string[];
      player: string;
      after: string;
      left_out: number;
      reached: string;
      bound: string;
      bound_by_move: number;
    }[];
  };
  table?: Record<string, Strategy>;
  files?: Record<string, string>;
}

export interface ValueAnswer {
  game: string;
  /** The canonical form as text. Optional keys are missing if a limit was reached. */
  value?: string;
  /**
   * `true` if parts of the value are replaced by `...`, since its text would exceed one megabyte.
   */
  value_cut?: true;
  latex?: string;
  outcome: string;
  /** Numbers are texts, such as "-1/2". */
  left_stop: string;
  right_stop: string;
  mean: string;
  temperature: string;
  number_part: string | null;
  atomic_weight?: string | null;
  reduced?: string;
  birthday?: Whole | string;
  incentives?: { left: string[]; right: string[] };
  uptimal?: string;
  /** The quantities that were not computed, because they are expensive or a limit was reached. */
  left_out?: string[];
  status: Solution["status"];
  method: string;
  stopped?: Trouble;
  files?: Record<string, string>;
}

/** The answer in misère play; optional keys are missing if a limit was reached. */
export interface MisereValueAnswer {
  game: string;
  outcome?: string;
  genus?: string;
  class?: string;
  /** The canonical form, as an argument of `literal`; `null` if it is too long. */
  form?: string | null;
  birthday?: number;
  mate?: string | null;
  status: Solution["status"];
  stopped?: Trouble;
}

export type Relation = "=" | "<" | ">" | "||";

export interface CompareAnswer {
  games: [string, string];
  /** `!=` occurs in misère play only. */
  relation: Relation | "!=";
  /** A game that distinguishes the two in misère play; `null` if it is too long. */
  witness?: string | null;
}

export interface FoundAnswer {
  positions: string[];
  looked_at: Whole;
  /** `true` if the list is complete. */
  complete: boolean;
  status: Solution["status"];
  stopped?: Trouble;
}

export interface TemperaturesAnswer {
  count: number;
  /** The number of positions with unknown temperature. */
  unknown: number;
  mean: string | null;
  deviation: string | null;
  histogram: { from: string; to: string; count: number }[];
  hottest: { game: string; temperature: string }[];
  status: Solution["status"];
  stopped?: Trouble;
}

export interface BornAnswer {
  day: number;
  count: number;
  games: string[];
  files?: Record<string, string>;
}

/** A request by its name: its keys, and those of every request. */
export type QuestionOf<N extends keyof Keys> = Envelope & Keys[N];

/** All requests with their answers, by name. Add a line for each new request of a view. */
export interface Questions {
  board: { question: QuestionOf<"board">; answer: BoardAnswer };
  analyse: { question: QuestionOf<"analyse">; answer: Analysis };
  reply: { question: QuestionOf<"reply">; answer: Reply };
  hint: { question: QuestionOf<"hint">; answer: Hint };
  review: { question: QuestionOf<"review">; answer: Review };
  practice: { question: QuestionOf<"practice">; answer: PracticeAnswer };
  solve: { question: QuestionOf<"solve">; answer: Solution };
  explain: { question: QuestionOf<"explain">; answer: Explanation };
  draw: { question: QuestionOf<"draw">; answer: Drawing };
  table: { question: QuestionOf<"table">; answer: TableAnswer };
  period: { question: QuestionOf<"period">; answer: PeriodAnswer };
  quotient: { question: QuestionOf<"quotient">; answer: QuotientAnswer };
  matrix: { question: QuestionOf<"matrix">; answer: MatrixAnswer };
  tree: { question: QuestionOf<"tree">; answer: TreeAnswer };
  value: { question: QuestionOf<"value">; answer: ValueAnswer };
  compare: { question: QuestionOf<"compare">; answer: CompareAnswer };
  find: { question: QuestionOf<"find">; answer: FoundAnswer };
  temperatures: { question: QuestionOf<"temperatures">; answer: TemperaturesAnswer };
  born: { question: QuestionOf<"born">; answer: BornAnswer };
  verify: { question: QuestionOf<"verify">; answer: Verification };
  label: { question: QuestionOf<"label">; answer: LabelAnswer };
  tables: { question: QuestionOf<"tables">; answer: { tables?: TableCard[] } & Partial<TableCard> };
  nimber: { question: QuestionOf<"nimber">; answer: NimberAnswer };
  exercises: { question: QuestionOf<"exercises">; answer: ExercisesAnswer };
  help: { question: QuestionOf<"help">; answer: GameGroups & GameSheet };
}

export type Name = keyof Questions;
