// The rule files of the examples, with a starting position for each.
import chomp from "../../../../../examples/rules/chomp.star";
import dawson from "../../../../../examples/rules/dawsons_chess.star";
import euclid from "../../../../../examples/rules/euclid_equal.star";
import shares from "../../../../../examples/rules/fair_shares.star";
import kayles from "../../../../../examples/rules/kayles.star";
import pass from "../../../../../examples/rules/nim_with_a_pass.star";
import dollar from "../../../../../examples/rules/silver_dollar.star";
import sos from "../../../../../examples/rules/sos.star";
import squares from "../../../../../examples/rules/squares.star";
import ticTacToe from "../../../../../examples/rules/tic_tac_toe.star";
import toads from "../../../../../examples/rules/toads_and_frogs.star";
import wythoff from "../../../../../examples/rules/wythoff.star";

export interface Example {
  rules: string;
  game: string;
}

export const EXAMPLES: Example[] = [
  { rules: squares, game: "game(moves, 10)" },
  { rules: sos, game: 'game(moves, ".......")' },
  { rules: ticTacToe, game: 'game(moves, ".........")' },
  { rules: toads, game: 'game(rules, "TT.FF")' },
  { rules: wythoff, game: "game(moves, (5, 8))" },
  { rules: kayles, game: "game(moves, 9)" },
  { rules: dawson, game: "game(moves, 9)" },
  { rules: chomp, game: "game(moves, (4, 4, 4))" },
  { rules: pass, game: "game(moves, ((1, 2, 3), 1))" },
  { rules: euclid, game: "game(moves, (7, 10))" },
  { rules: dollar, game: "game(moves, (1, 3, 7, 8))" },
  { rules: shares, game: "game(moves, (3, 4))" },
];

/** Returns the title of an example, that is, the beginning of its first comment. */
export const titleOf = (rules: string): string => /^#\s*(.+?)[:.;]/.exec(rules)?.[1] ?? "";

export const EMPTY_RULES = `def moves(n):
    return [n - k for k in (1, 2, 3) if k <= n]
`;
export const EMPTY_GAME = "game(moves, 10)";
