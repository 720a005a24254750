// The keys of every question, generated from the structs in crates/analysis/src/question:
// GRUNDY_BLESS=1 cargo test -p grundy-analysis typescript
import type { Whole } from "./json.ts";

/** Keys that every question may have. */
export interface Envelope {
  id?: unknown;
  lang?: "en" | "zh";
  interface?: "json" | "page" | "python" | "terminal";
  timeout?: number;
  limits?: { positions?: Whole; memory?: Whole; output?: Whole };
  rules?: string;
  files?: Record<string, string>;
  plain?: boolean;
}

/** The keys of each question, by its name. */
export interface Keys {
  solve: {
    game: string;
    outcome?: boolean;
    no_moves?: boolean;
    remoteness?: boolean;
    genus?: boolean;
    expect?: unknown;
    stats?: boolean;
    play?: "normal" | "misere";
  };
  explain: {
    game: string;
    proof?: boolean;
    pictures?: boolean;
    svg?: string;
    html?: string;
    play?: "normal" | "misere";
  };
  table: {
    game: string;
    ranges?: string[];
    svg?: string;
    of?: "grundy" | "outcome" | "value" | "temperature" | "mean" | "atomic_weight" | "genus" | "remoteness";
    full?: boolean;
    pattern?: boolean;
    code?: "cpp" | "python";
    play?: "normal" | "misere";
  };
  period: {
    game: string;
    max?: Whole;
    certificate?: string;
    stream?: boolean;
    values?: string;
    frequencies?: boolean;
    svg?: string;
    code?: "cpp" | "python";
    play?: "normal" | "misere";
  };
  quotient: {
    game: string;
    max?: number;
    certificate?: string;
    svg?: string;
    play?: "normal" | "misere";
  };
  verify: {
    file: string;
  };
  label: {
    game: string;
    output?: string;
    certificate?: string;
    format?: "csv" | "dot" | "gml" | "graphml" | "json" | "text";
    best_move?: boolean;
    draw_levels?: boolean;
    ranked?: boolean;
    values?: boolean;
    plan?: boolean;
    play?: "normal" | "misere";
  };
  probe: {
    table?: string;
    game: string;
    no_moves?: boolean;
    stats?: boolean;
    play?: "normal" | "misere";
  };
  tables: {
    table?: string;
  };
  matrix: {
    file: string;
    trace?: boolean;
    svg?: string;
    dominance?: "strict" | "weak" | "mixed";
    extreme?: number;
    row_strategy?: string;
    col_strategy?: string;
    certificate?: string;
  };
  tree: {
    game: string;
    svg?: string;
    merge?: boolean;
    alpha_beta?: boolean;
    table?: boolean;
    list?: number;
    optimal?: boolean;
    versus?: string;
    efg?: string;
    play?: "normal" | "misere";
  };
  value: {
    game: string;
    cool?: string;
    heat?: string;
    overheat?: string;
    norton?: string;
    freeze?: boolean;
    form?: boolean;
    latex?: boolean;
    svg?: string;
    expect?: unknown;
    stats?: boolean;
    of?: string[];
    full?: boolean;
    play?: "normal" | "misere";
  };
  find: {
    game: string;
    equals: string;
    within: string;
    count?: number;
  };
  temperatures: {
    game: string;
    within: string;
    count?: number;
    seed?: Whole;
  };
  born: {
    day?: number;
    svg?: string;
  };
  compare: {
    game: string;
    with: string;
    explain?: boolean;
    play?: "normal" | "misere";
  };
  nimber: {
    game: string;
    explain?: boolean;
  };
  draw: {
    game?: string;
    labels?: boolean;
    graph?: boolean;
    form?: "svg" | "dot" | "tikz" | "terminal";
    ascii?: boolean;
    title?: boolean;
    moves?: boolean;
    buttons?: boolean;
    dark?: boolean;
    thermographs?: string[];
    play?: "normal" | "misere";
  };
  exercises: {
    game: string;
    ranges?: string[];
    count?: number;
    level?: number;
    seed?: Whole;
    only?: "questions" | "answers";
    play?: "normal" | "misere";
  };
  help: {
    game?: string;
  };
  board: {
    game: string;
    play?: "normal" | "misere";
    begins?: "left" | "right";
    moves?: string;
    table?: string;
    dark?: boolean;
  };
  analyse: {
    game: string;
    play?: "normal" | "misere";
    begins?: "left" | "right";
    moves?: string;
    table?: string;
  };
  reply: {
    game: string;
    play?: "normal" | "misere";
    begins?: "left" | "right";
    moves?: string;
    table?: string;
    level?: number;
    seed?: Whole;
  };
  hint: {
    game: string;
    play?: "normal" | "misere";
    begins?: "left" | "right";
    moves?: string;
    table?: string;
    stage?: number;
  };
  review: {
    game: string;
    play?: "normal" | "misere";
    begins?: "left" | "right";
    moves?: string;
    table?: string;
  };
  practice: {
    game: string;
    ranges?: string[];
    play?: "normal" | "misere";
    ask?: "outcome" | "value" | "move";
    level?: number;
    seed?: Whole;
    answer?: string;
  };
}
