// How outcomes look and what they are called. What they are is the server's to say.
import type { Grundy, Player, Solution, Standing } from "./engine/answers.ts";
import type { Say, Word } from "./words.ts";

/** The colours of the palette by what stands for the player to move. */
export type Tint = "win" | "lose" | "draw" | "none";

export const tintOfStanding = (standing: Standing | null | undefined): Tint =>
  standing === "win" || standing === "lose" ? standing : standing === undefined || standing === null ? "none" : "draw";

/** The colour of an outcome by itself; one side's win has none. */
export function tintOfOutcome(outcome: string | undefined): Tint {
  switch (outcome) {
    case "N":
    case "win":
      return "win";
    case "P":
    case "lose":
      return "lose";
    case "D":
    case "tie":
    case "draw":
      return "draw";
    default:
      return "none";
  }
}

/** The letter of an outcome; a win, a tie or a loss is that of the player to move. */
export function glyph(outcome: string | undefined): string {
  switch (outcome) {
    case undefined:
      return "?";
    case "win":
      return "N";
    case "lose":
      return "P";
    case "tie":
      return "=";
    default:
      return outcome;
  }
}

/** The outcome of a position in a phrase: its letter, or what it is worth. */
export const outcomePhrase = (outcome: string, say: Say): string =>
  outcome === "win" || outcome === "tie" || outcome === "lose" ? say(`worth_${outcome}`) : outcome;

/** Who a player is. */
export const playerWord = (player: Player): Word => `player_${player}`;

/** The sentence of an outcome: who wins. */
export function outcomeSentence(outcome: string | undefined, ownMoves: boolean, say: Say): string {
  switch (outcome) {
    case undefined:
      return say("outcome_unknown");
    case "N":
      return say(ownMoves ? "outcome_n_own" : "outcome_n");
    case "P":
      return say(ownMoves ? "outcome_p_own" : "outcome_p");
    case "D":
      return say("outcome_d");
    case "L":
      return say("outcome_l");
    case "R":
      return say("outcome_r");
    case "win":
      return say("outcome_win");
    case "tie":
      return say("outcome_tie");
    case "lose":
      return say("outcome_lose");
    case "LD":
    case "RD":
    case "DL":
    case "DR":
      return say(`outcome_${outcome.toLowerCase() as "ld" | "rd" | "dl" | "dr"}`);
    default:
      return outcome;
  }
}

/** A Grundy value as it is written. */
export const grundyText = (grundy: Grundy): string =>
  typeof grundy === "object" ? `∞{${grundy.infinity.map(String).join(", ")}}` : String(grundy);

/** What a Grundy value means, in a sentence. */
export function grundyMeaning(grundy: Grundy, say: Say): string {
  if (typeof grundy !== "object") return Number(grundy) === 0 ? say("value_zero") : say("value_heap", { value: String(grundy) });
  return grundy.infinity.length === 0 ? say("value_infinite_empty") : say("value_infinite", { values: grundy.infinity.map(String).join(", ") });
}

export const standingWord = (standing: Standing): Word => `standing_${standing}`;

/** The winning moves of a solution, as one list. */
export function winningCount(solution: Solution): number {
  const moves = solution.winning_moves;
  if (!moves) return 0;
  return Array.isArray(moves) ? moves.length : moves.left.length + moves.right.length;
}
