// The texts for the state of a match: the player to move, the result and the moves.
import type { BoardAnswer, JudgedMove, MadeMove, Move, Player } from "../engine/answers.ts";
import { outcomePhrase, standingWord } from "../outcome.ts";
import type { State } from "../state/state.ts";
import type { Say } from "../words.ts";

const OTHER: Record<Player, Player> = { first: "second", second: "first", left: "right", right: "left" };

const USUAL = new Set(["first", "second", "left", "right"]);

const withProgram = (state: State): boolean => state.view === "play" && state.seat !== "both";

/** Returns whether the reader is to move in a match against the program. */
const readersTurn = (board: BoardAnswer, state: State): boolean => (board.turn % 2 === 0) === (state.seat === "first");

/** Returns the name of a player in the game, such as X, unless it is one of the usual names. */
function ownName(board: BoardAnswer, player: Player): string | undefined {
  const name = board.players[player === "left" || player === "first" ? 0 : 1];
  return USUAL.has(name.toLowerCase()) ? undefined : name;
}

export const playerName = (board: BoardAnswer, player: Player, say: Say): string =>
  ownName(board, player) ?? say(`player_${player}`);

/** Returns the text for the player to move. */
export function toMoveWords(board: BoardAnswer, state: State, say: Say): string {
  if (withProgram(state)) return say(readersTurn(board, state) ? "your_move" : "program_to_move");
  const name = ownName(board, board.mover);
  return name === undefined ? say(`to_move_${board.mover}`) : say("to_move_named", { player: name });
}

/** Returns the text for the result of the match. */
export function resultWords(board: BoardAnswer, state: State, say: Say): string {
  if (board.standing === "tie") return say("result_tie");
  if (board.standing !== "win" && board.standing !== "lose") return say("result_draw");
  const moverWins = board.standing === "win";
  if (withProgram(state)) return say(moverWins === readersTurn(board, state) ? "result_you" : "result_program");
  const winner = moverWins ? board.mover : OTHER[board.mover];
  const name = ownName(board, winner);
  return name === undefined ? say(`result_${winner}`) : say("result_named", { player: name });
}

/** Returns the text of a move, with its player in partizan games. */
export const nextMoveWords = (move: Move, board: BoardAnswer, say: Say): string =>
  board.own_moves && ownName(board, board.mover) === undefined ?
    say("move_of", { player: say(`player_${board.mover}`), move: move.move })
  : move.move;

/** Returns the text of a past move, with its player. */
export const pastMoveWords = (move: MadeMove, board: BoardAnswer, say: Say): string =>
  say("move_of", { player: playerName(board, move.by, say), move: move.move });

/** Returns the text for the outcome after a move, or an empty text if it is not known. */
export function leavesWords(move: JudgedMove, say: Say): string {
  if (!move.leaves) return "";
  const leaves = say("leaves", { outcome: outcomePhrase(move.leaves.outcome, say) });
  return move.for_mover ? say("leaves_and", { leaves, standing: say(standingWord(move.for_mover)) }) : leaves;
}
