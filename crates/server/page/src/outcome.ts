// The colours and names of outcomes. The outcomes themselves come from the engine.
import type { Grundy, Player, Solution, Standing } from "./engine/answers.ts";
import type { Say, Word } from "./words.ts";

/** The colours of the palette, by the outcome for the player to move. */
export type Tint = "win" | "lose" | "draw" | "none";

export const tintOfStanding = (standing: Standing | null | undefined): Tint =>
  standing === "win" || standing === "lose" ? standing : standing === undefined || standing === null ? "none" : "draw";

/** Returns the colour of an outcome; a win of Left or of Right has none. */
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

/** Returns the letter of an outcome; win, tie and loss are those of the player to move. */
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

/** Returns an outcome in a phrase: its letter, or the result in a game with ties. */
export const outcomePhrase = (outcome: string, say: Say): string =>
  outcome === "win" || outcome === "tie" || outcome === "lose" ? say(`worth_${outcome}`) : outcome;

/** Returns the key of the name of a player. */
export const playerWord = (player: Player): Word => `player_${player}`;

/** Returns the sentence that states the winner. */
export function outcomeSentence(outcome: string | undefined, partizan: boolean, say: Say): string {
  switch (outcome) {
    case undefined:
      return say("outcome_unknown");
    case "N":
      return say(partizan ? "outcome_n_own" : "outcome_n");
    case "P":
      return say(partizan ? "outcome_p_own" : "outcome_p");
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

/** Returns the text of a Grundy value. */
export const grundyText = (grundy: Grundy): string =>
  typeof grundy === "object" ? `∞{${grundy.infinity.map(String).join(", ")}}` : String(grundy);

/** Returns a sentence that explains a Grundy value. */
export function grundyMeaning(grundy: Grundy, say: Say): string {
  if (typeof grundy !== "object") return Number(grundy) === 0 ? say("value_zero") : say("value_heap", { value: String(grundy) });
  return grundy.infinity.length === 0 ? say("value_infinite_empty") : say("value_infinite", { values: grundy.infinity.map(String).join(", ") });
}

export const standingWord = (standing: Standing): Word => `standing_${standing}`;

/** Returns the number of winning moves of a solution. */
export function winningCount(solution: Solution): number {
  const moves = solution.winning_moves;
  if (!moves) return 0;
  return Array.isArray(moves) ? moves.length : moves.left.length + moves.right.length;
}
