// What is asked and what comes back: docs/api.md, as types.
import type { Whole } from "./json.ts";
import type { Envelope, Keys } from "./keys.ts";

export type Play = "normal" | "misere";
export type Language = "en" | "zh";
export type Player = "first" | "second" | "left" | "right";
export type Standing = "win" | "lose" | "tie" | "draw";

/** A question of any name. */
export type Question = Envelope & { game?: string; play?: Play };

export type BoardQuestion = Asked<"board">;
export type PracticeQuestion = Asked<"practice">;
export type ValueQuestion = Asked<"value">;

export interface Place {
  offset: number;
  line: number;
  column: number;
}

export interface Trouble {
  kind: string;
  message: string;
  /** `rules` where it is wrong there, not in the question. */
  in?: "rules";
  at?: Place | null;
  help?: string;
}

export interface Move {
  component: number;
  at: Whole[];
  write: string;
  move: string;
  /** Left out where it would be too much to send. */
  to?: string;
}

export interface MadeMove extends Move {
  by: Player;
}

/** A Grundy value: a number, or the value of a loopy game. */
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

/** A move in the answer of `solve`. */
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
  /** In misère play, where it was asked for; nothing inside where a limit withholds it. */
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
  /** As it is told with pictures: its number where it begins a point, its sentence, and what stands below it in characters. */
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
  play: Play;
  position: string;
  turn: number;
  saved: string;
  /** The names of the players, Left or the first one first. */
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
  /** The method in words. */
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
  /** The answers there are, where they are few. */
  choices?: string[];
  judged?: "right" | "wrong" | "unread";
  text?: string;
  solution?: Solution;
  steps?: Step[];
}

export interface Listed {
  name: string;
  /** What people call it. */
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

/** Something that the values of a table seem to be, or are. */
export interface Finding {
  status: "exact" | "proved" | "observed" | "partial";
  text: string;
}

export interface TableAnswer {
  family: string;
  variables: string[];
  from: number[];
  to: number[];
  /** One list, or one for each value of the first variable. */
  grundy?: (Grundy | null)[] | (Grundy | null)[][];
  outcome?: (string | null)[] | (string | null)[][];
  genus?: (string | null)[] | (string | null)[][];
  findings?: Finding[];
  files?: Record<string, string>;
}

export interface PeriodAnswer {
  family: string;
  preperiod?: number;
  period?: number;
  saltus?: number;
  status: "exact" | "proved" | "observed" | "partial";
  /** What proves it, in words. */
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
  /** Whether the sums behave as those of Nim heaps. */
  tame: boolean;
  elements: string[];
  idempotents: string[];
  kernel: string[];
  transitions: number;
  files?: Record<string, string>;
}

/** A tablebase that the server has. */
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
  /** From here on: where one was asked for. */
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

/** The labels themselves, where they do not go into one of the `files`. */
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
  /** The canonical form as text. This and all that may be left out is so where a limit was reached. */
  value?: string;
  /** `...` stands for parts of the value, whose text would be longer than a megabyte. */
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
  /** Quantities that were not computed, as they may take long or a limit was reached. */
  left_out?: string[];
  status: Solution["status"];
  method: string;
  stopped?: Trouble;
  files?: Record<string, string>;
}

/** The answer in misère play; what may be left out is so where a limit was reached. */
export interface MisereValueAnswer {
  game: string;
  outcome?: string;
  genus?: string;
  class?: string;
  /** The canonical form as `literal` reads it; nothing inside where it is too long. */
  form?: string | null;
  birthday?: number;
  mate?: string | null;
  status: Solution["status"];
  stopped?: Trouble;
}

export type Relation = "=" | "<" | ">" | "||";

export interface CompareAnswer {
  games: [string, string];
  /** `!=` in misère play only. */
  relation: Relation | "!=";
  /** A game that tells the two apart in misère play; nothing inside where it is too long. */
  witness?: string | null;
}

export interface FoundAnswer {
  positions: string[];
  looked_at: Whole;
  /** Whether there are no others. */
  complete: boolean;
  status: Solution["status"];
  stopped?: Trouble;
}

export interface TemperaturesAnswer {
  count: number;
  /** How many of the positions have a temperature that is not known. */
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

/** A question by its name: its own keys, and those of every question. */
export type Asked<N extends keyof Keys> = Envelope & Keys[N];

/** Every question by its name, with its answer. A view that asks something new adds a line. */
export interface Questions {
  board: { question: Asked<"board">; answer: BoardAnswer };
  analyse: { question: Asked<"analyse">; answer: Analysis };
  reply: { question: Asked<"reply">; answer: Reply };
  hint: { question: Asked<"hint">; answer: Hint };
  review: { question: Asked<"review">; answer: Review };
  practice: { question: Asked<"practice">; answer: PracticeAnswer };
  solve: { question: Asked<"solve">; answer: Solution };
  explain: { question: Asked<"explain">; answer: Explanation };
  draw: { question: Asked<"draw">; answer: Drawing };
  table: { question: Asked<"table">; answer: TableAnswer };
  period: { question: Asked<"period">; answer: PeriodAnswer };
  quotient: { question: Asked<"quotient">; answer: QuotientAnswer };
  matrix: { question: Asked<"matrix">; answer: MatrixAnswer };
  tree: { question: Asked<"tree">; answer: TreeAnswer };
  value: { question: Asked<"value">; answer: ValueAnswer };
  compare: { question: Asked<"compare">; answer: CompareAnswer };
  find: { question: Asked<"find">; answer: FoundAnswer };
  temperatures: { question: Asked<"temperatures">; answer: TemperaturesAnswer };
  born: { question: Asked<"born">; answer: BornAnswer };
  verify: { question: Asked<"verify">; answer: Verification };
  label: { question: Asked<"label">; answer: LabelAnswer };
  tables: { question: Asked<"tables">; answer: { tables?: TableCard[] } & Partial<TableCard> };
  nimber: { question: Asked<"nimber">; answer: NimberAnswer };
  exercises: { question: Asked<"exercises">; answer: ExercisesAnswer };
  help: { question: Asked<"help">; answer: GameGroups & GameSheet };
}

export type Name = keyof Questions;
