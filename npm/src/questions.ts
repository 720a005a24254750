// The requests as methods. Required keys are positional parameters, all others are named.
import type { Name, Questions } from "./answers.ts";
import type { Limits, Progress } from "./engine.ts";

/** The callbacks and limits of a request. */
export interface Options {
  /** Called about ten times a second with the progress of a long computation. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborts the computation. */
  signal?: Aborting | undefined;
  limits?: Limits | undefined;
}

/** An `AbortSignal`, or any object with a flag that aborts the computation. */
export interface Aborting {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** The optional keys of a request, and the options of the computation. */
export type Keys<N extends Name, Needed extends PropertyKey = "game"> = Omit<Questions[N]["question"], Needed> & Options;

export type Answer<N extends Name> = Questions[N]["answer"];

/** The result of a method: the answer itself, or a promise of it. */
export type Asked<N extends Name, Later> = Later extends true ? Promise<Answer<N>> : Answer<N>;

/** A matrix as rows of numbers, with fractions as texts; or the text of a matrix file. */
export type Rows = string | readonly (readonly (number | string)[])[];

/** The requests of an engine that answers synchronously (`Later` is `false`) or with promises. */
export abstract class Questioner<Later extends boolean> {
  /** Answers a request of the given name, with the keys listed in docs/api.md. */
  abstract ask<N extends Name>(name: N, question: Questions[N]["question"], options?: Options): Asked<N, Later>;

  #ask<N extends Name>(name: N, required: object, keys: Keys<N, never> | Keys<N> | Options): Asked<N, Later> {
    const { onProgress, signal, limits, ...question } = keys as Options & object;
    return this.ask(name, { ...required, ...question } as Questions[N]["question"], { onProgress, signal, limits });
  }

  /** Solves a position: its outcome, value and winning moves. */
  solve(game: string, keys: Keys<"solve"> = {}): Asked<"solve", Later> {
    return this.#ask("solve", { game }, keys);
  }

  /** Solves a position and explains the solution step by step. */
  explain(game: string, keys: Keys<"explain"> = {}): Asked<"explain", Later> {
    return this.#ask("explain", { game }, keys);
  }

  /** Computes the values of a family: `table("kayles(n)", ["n=0..100"])`. */
  table(game: string, ranges: readonly string[], keys: Keys<"table", "game" | "ranges"> = {}): Asked<"table", Later> {
    return this.#ask("table", { game, ranges }, keys);
  }

  /** Finds and proves the period of a family of heaps: `period("kayles(n)")`. */
  period(game: string, keys: Keys<"period"> = {}): Asked<"period", Later> {
    return this.#ask("period", { game }, keys);
  }

  /** Computes the misère quotient of a family. */
  quotient(game: string, keys: Keys<"quotient"> = {}): Asked<"quotient", Later> {
    return this.#ask("quotient", { game }, keys);
  }

  /** Verifies a certificate, given as text or as an object. */
  verify(certificate: string | object, keys: Keys<"verify", "file" | "files"> = {}): Asked<"verify", Later> {
    const text = typeof certificate === "string" ? certificate : JSON.stringify(certificate);
    return this.#ask("verify", { file: "certificate.json", files: { "certificate.json": text } }, keys);
  }

  /** Labels all positions reachable from `game`, a position or the name of one of the `files`. */
  label(game: string, keys: Keys<"label"> = {}): Asked<"label", Later> {
    return this.#ask("label", { game }, keys);
  }

  /** Computes the value and optimal strategies of a matrix game. */
  matrix(rows: Rows, keys: Keys<"matrix", "file" | "files"> = {}): Asked<"matrix", Later> {
    const text = typeof rows === "string" ? rows : rows.map((row) => row.join(",")).join("\n");
    return this.#ask("matrix", { file: "matrix.csv", files: { "matrix.csv": text } }, keys);
  }

  /** Computes the game tree. */
  tree(game: string, keys: Keys<"tree"> = {}): Asked<"tree", Later> {
    return this.#ask("tree", { game }, keys);
  }

  /** Computes the value of a partizan game: canonical form, stops, mean, temperature. */
  value(game: string, keys: Keys<"value"> = {}): Asked<"value", Later> {
    return this.#ask("value", { game }, keys);
  }

  /** Finds positions of a game with a given value. */
  find(game: string, keys: Keys<"find">): Asked<"find", Later> {
    return this.#ask("find", { game }, keys);
  }

  /** Computes the temperatures of the positions of a game. */
  temperatures(game: string, keys: Keys<"temperatures">): Asked<"temperatures", Later> {
    return this.#ask("temperatures", { game }, keys);
  }

  /** Lists the games born by a day. */
  born(day: number, keys: Keys<"born", "day"> = {}): Asked<"born", Later> {
    return this.#ask("born", { day }, keys);
  }

  /** Compares two games. */
  compare(game: string, other: string, keys: Keys<"compare", "game" | "with"> = {}): Asked<"compare", Later> {
    return this.#ask("compare", { game, with: other }, keys);
  }

  /** Evaluates an expression in nimbers: `nimber("2 * 4")`. */
  nimber(expression: string, keys: Keys<"nimber"> = {}): Asked<"nimber", Later> {
    return this.#ask("nimber", { game: expression }, keys);
  }

  /** Draws a position. */
  draw(game: string, keys: Keys<"draw"> = {}): Asked<"draw", Later> {
    return this.#ask("draw", { game }, keys);
  }

  /** Generates a sheet of exercises with answers. */
  exercises(game: string, keys: Keys<"exercises"> = {}): Asked<"exercises", Later> {
    return this.#ask("exercises", { game }, keys);
  }

  /** Asks a practice question, or judges an answer to one. */
  practice(game: string, keys: Partial<Keys<"practice">> = {}): Asked<"practice", Later> {
    return this.#ask("practice", { game }, keys);
  }

  /** Describes a game, or lists all games by group. */
  help(game?: string, keys: Keys<"help"> = {}): Asked<"help", Later> {
    return this.#ask("help", game === undefined ? {} : { game }, keys);
  }

  /** Starts a match of a game, from this position. */
  play(game: string, keys: Keys<"board", "game" | "moves"> = {}): Playing<Later> {
    return new Playing(this, game, keys);
  }
}

/** A match: a starting position and the moves made. It is immutable. */
export class Playing<Later extends boolean> {
  readonly game: string;
  /** The moves made, as text: `"0 1"`, `"take 2 from heap 1"`. */
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

  /** Returns the match after another move, given as text or as a move that `board` lists. */
  move(move: string | { readonly write: string }): Playing<Later> {
    const text = typeof move === "string" ? move : move.write;
    return new Playing(this.#engine, this.game, this.#keys, [...this.moves, text]);
  }

  /** Returns the match before the last moves. */
  back(moves = 1): Playing<Later> {
    const remaining = Math.max(this.moves.length - moves, 0);
    return new Playing(this.#engine, this.game, this.#keys, this.moves.slice(0, remaining));
  }

  /** Returns the board and the legal moves. */
  board(): Asked<"board", Later> {
    return this.#ask("board");
  }

  /** Solves the position and judges each of its moves. */
  analyse(): Asked<"analyse", Later> {
    return this.#ask("analyse");
  }

  /** Returns the program's reply; `level` is 0 to 10. */
  reply(how: { level?: number; seed?: number } = {}): Asked<"reply", Later> {
    return this.#ask("reply", how);
  }

  /** Returns a hint: 1 for the outcome, 2 for the best move, 3 for the reasons. */
  hint(stage = 1): Asked<"hint", Later> {
    return this.#ask("hint", { stage });
  }

  /** Returns the outcome before each move, and the mistakes. */
  review(): Asked<"review", Later> {
    return this.#ask("review");
  }
}
