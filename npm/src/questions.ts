// The questions as functions: what is always needed comes first, everything else by its key.
import type { Name, Questions } from "./answers.ts";
import type { Limits, Progress } from "./engine.ts";

/** Whom to tell how far the work is, what ends it, and what it may use. */
export interface Options {
  /** Is told now and then how far the work is, where it takes long. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the work. */
  signal?: Aborting | undefined;
  limits?: Limits | undefined;
}

/** An `AbortSignal`, or anything that says whether the work is to end. */
export interface Aborting {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** The keys of a question that may be left out, and the options of the work. */
export type Keys<N extends Name, Needed extends PropertyKey = "game"> = Omit<Questions[N]["question"], Needed> & Options;

export type Answer<N extends Name> = Questions[N]["answer"];

/** What answers: the value itself, or a promise of it. */
export type Asked<N extends Name, Later> = Later extends true ? Promise<Answer<N>> : Answer<N>;

/** A matrix as rows of numbers, fractions as texts; or a text as a file has it. */
export type Rows = string | readonly (readonly (number | string)[])[];

/** The questions of an engine that answers at once (`Later` is false), or of one that promises to. */
export abstract class Questioner<Later extends boolean> {
  /** The answer to the question of a name, with the keys that docs/api.md lists. */
  abstract ask<N extends Name>(name: N, question: Questions[N]["question"], options?: Options): Asked<N, Later>;

  #ask<N extends Name>(name: N, needed: object, keys: Keys<N, never> | Keys<N> | Options): Asked<N, Later> {
    const { onProgress, signal, limits, ...question } = keys as Options & object;
    return this.ask(name, { ...needed, ...question } as Questions[N]["question"], { onProgress, signal, limits });
  }

  /** Who wins, with what value, and by which moves. */
  solve(game: string, keys: Keys<"solve"> = {}): Asked<"solve", Later> {
    return this.#ask("solve", { game }, keys);
  }

  /** The same with the reasons, step by step. */
  explain(game: string, keys: Keys<"explain"> = {}): Asked<"explain", Later> {
    return this.#ask("explain", { game }, keys);
  }

  /** Values of a family: `table("kayles(n)", ["n=0..100"])`. */
  table(game: string, ranges: readonly string[], keys: Keys<"table", "game" | "ranges"> = {}): Asked<"table", Later> {
    return this.#ask("table", { game, ranges }, keys);
  }

  /** The period of a heap game, proved: `period("kayles(n)")`. */
  period(game: string, keys: Keys<"period"> = {}): Asked<"period", Later> {
    return this.#ask("period", { game }, keys);
  }

  /** The misère quotient of a family. */
  quotient(game: string, keys: Keys<"quotient"> = {}): Asked<"quotient", Later> {
    return this.#ask("quotient", { game }, keys);
  }

  /** Whether a certificate is right: the text of one, or the object. */
  verify(certificate: string | object, keys: Keys<"verify", "file" | "files"> = {}): Asked<"verify", Later> {
    const text = typeof certificate === "string" ? certificate : JSON.stringify(certificate);
    return this.#ask("verify", { file: "certificate.json", files: { "certificate.json": text } }, keys);
  }

  /** Labels of everything that can be reached; `game` is a position, or the name of one of the `files`. */
  label(game: string, keys: Keys<"label"> = {}): Asked<"label", Later> {
    return this.#ask("label", { game }, keys);
  }

  /** The value and the optimal strategies of a matrix game. */
  matrix(rows: Rows, keys: Keys<"matrix", "file" | "files"> = {}): Asked<"matrix", Later> {
    const text = typeof rows === "string" ? rows : rows.map((row) => row.join(",")).join("\n");
    return this.#ask("matrix", { file: "matrix.csv", files: { "matrix.csv": text } }, keys);
  }

  /** The game tree. */
  tree(game: string, keys: Keys<"tree"> = {}): Asked<"tree", Later> {
    return this.#ask("tree", { game }, keys);
  }

  /** What a partizan game is worth: canonical form, stops, mean, temperature. */
  value(game: string, keys: Keys<"value"> = {}): Asked<"value", Later> {
    return this.#ask("value", { game }, keys);
  }

  /** Positions of a game that equal a value. */
  find(game: string, keys: Keys<"find">): Asked<"find", Later> {
    return this.#ask("find", { game }, keys);
  }

  /** How hot the positions of a game are. */
  temperatures(game: string, keys: Keys<"temperatures">): Asked<"temperatures", Later> {
    return this.#ask("temperatures", { game }, keys);
  }

  /** The games born by a day. */
  born(day: number, keys: Keys<"born", "day"> = {}): Asked<"born", Later> {
    return this.#ask("born", { day }, keys);
  }

  /** How two games compare. */
  compare(game: string, other: string, keys: Keys<"compare", "game" | "with"> = {}): Asked<"compare", Later> {
    return this.#ask("compare", { game, with: other }, keys);
  }

  /** Arithmetic of nimbers: `nimber("2 * 4")`. */
  nimber(expression: string, keys: Keys<"nimber"> = {}): Asked<"nimber", Later> {
    return this.#ask("nimber", { game: expression }, keys);
  }

  /** A picture of a position. */
  draw(game: string, keys: Keys<"draw"> = {}): Asked<"draw", Later> {
    return this.#ask("draw", { game }, keys);
  }

  /** A sheet of exercises with answers. */
  exercises(game: string, keys: Keys<"exercises"> = {}): Asked<"exercises", Later> {
    return this.#ask("exercises", { game }, keys);
  }

  /** A question to somebody, or what an answer to it is worth. */
  practice(game: string, keys: Partial<Keys<"practice">> = {}): Asked<"practice", Later> {
    return this.#ask("practice", { game }, keys);
  }

  /** What a game is, or all games by groups. */
  help(game?: string, keys: Keys<"help"> = {}): Asked<"help", Later> {
    return this.#ask("help", game === undefined ? {} : { game }, keys);
  }

  /** A game to be played: it begins here, and moves are made on it. */
  play(game: string, keys: Keys<"board", "game" | "moves"> = {}): Playing<Later> {
    return new Playing(this, game, keys);
  }
}

/** A game being played: where it began, and the moves made. */
export class Playing<Later extends boolean> {
  readonly game: string;
  /** The moves made, each as people write it: `"0 1"`, `"take 2 from heap 1"`. */
  readonly moves: readonly string[];
  readonly #engine: Questioner<Later>;
  readonly #keys: Keys<"board", "game" | "moves">;

  constructor(engine: Questioner<Later>, game: string, keys: Keys<"board", "game" | "moves">, moves: readonly string[] = []) {
    this.game = game;
    this.moves = moves;
    this.#engine = engine;
    this.#keys = keys;
  }

  #ask<N extends "board" | "analyse" | "reply" | "hint" | "review">(name: N, more: object = {}): Asked<N, Later> {
    const { onProgress, signal, limits, ...keys } = this.#keys;
    const question = { game: this.game, moves: this.moves.join(";"), ...keys, ...more };
    return this.#engine.ask(name, question as Questions[N]["question"], { onProgress, signal, limits });
  }

  /** The game after one more move, which is a text or one of the moves that `board` lists. */
  move(move: string | { readonly write: string }): Playing<Later> {
    const written = typeof move === "string" ? move : move.write;
    return new Playing(this.#engine, this.game, this.#keys, [...this.moves, written]);
  }

  /** The game before the last moves. */
  back(moves = 1): Playing<Later> {
    const left = Math.max(this.moves.length - moves, 0);
    return new Playing(this.#engine, this.game, this.#keys, this.moves.slice(0, left));
  }

  /** What stands on the board, and what may be done. */
  board(): Asked<"board", Later> {
    return this.#ask("board");
  }

  /** The position solved, and each of its moves. */
  analyse(): Asked<"analyse", Later> {
    return this.#ask("analyse");
  }

  /** The program's move here; `level` is 0 to 10. */
  reply(how: { level?: number; seed?: number } = {}): Asked<"reply", Later> {
    return this.#ask("reply", how);
  }

  /** A hint: 1 who wins, 2 the best move, 3 the reasons. */
  hint(stage = 1): Asked<"hint", Later> {
    return this.#ask("hint", { stage });
  }

  /** How it stood before each move, and which were mistakes. */
  review(): Asked<"review", Later> {
    return this.#ask("review");
  }
}
