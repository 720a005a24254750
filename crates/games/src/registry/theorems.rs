//! The theorems that each game relies on.

use grundy_engine::rules::{BOUTON, NAMED_VALUES, Theorem};
use grundy_engine::values::{canonical, grundy, loopy};

use crate::boards::{chomp, clobber, corner_piece, cram};
use crate::cakes::{cutcake, maundy_cake};
use crate::coins::{coin_turning, nimble, northcott, strip_coins};
use crate::graphs::{geography, hackenbush};
use crate::heaps::{
    at_most, calendar, euclid, fibonacci_nim, halves, laskers_nim, moore_nim, nim_except,
    staircase_nim, subtraction,
};
use crate::strips::{elephants, rows, toads_and_frogs};

/// The theorem by which an observed period of the values of an octal game is proved.
pub const GUY_SMITH: Theorem = Theorem {
    method: "periodicity",
    name: "Guy-Smith periodicity theorem",
    statement: "if the values of an octal game with last digit d_k have period p from n0 to 2 \
                n0 + p + k, they have period p from n0 onwards",
    source: "R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956), 514-526",
};

/// The theorem that the values of subtraction games with finite sets are periodic.
pub const FINITE_SUBTRACTION: Theorem = Theorem {
    method: "periodicity",
    name: "periodicity theorem for finite subtraction sets",
    statement: "if the set is finite, the values are eventually periodic, since each value \
                depends only on a fixed number of preceding values, which have finitely many \
                combinations",
    source: "S. W. Golomb, A mathematical investigation of games of \"take-away\", J. Combin. Theory 1 (1966), 443-458",
};

/// The theorem that the values of all-but games are arithmetic periodic.
pub const ALL_BUT: Theorem = Theorem {
    method: "periodicity",
    name: "arithmetic periodicity theorem for all-but games",
    statement: "there are p and s with g(n + p) = g(n) + s for all sufficiently large n",
    source: "docs/theory.md, All-but games",
};

/// Returns the theorems that give values or outcomes of the game `name`. The most informative
/// theorem comes first.
///
/// Some of the theorems hold only for certain positions, as their statements say. If a game has no
/// theorem, its values come from search, or are computed heap by heap.
///
/// ```
/// use grundy_core::registry::theorems;
/// assert_eq!(theorems("wythoff")[0].name, "Wythoff's theorem");
/// assert!(theorems("grundys_game").is_empty());
/// ```
#[must_use]
pub fn theorems(name: &str) -> &'static [&'static Theorem] {
    match name {
        "nim" | "rook" => &[&BOUTON],
        "nimble" => &[&nimble::COINS, &nimble::COINS_MISERE],
        "subtraction" => &[
            &FINITE_SUBTRACTION,
            &subtraction::RESIDUES,
            &subtraction::PAIRS,
            &subtraction::DIVISORS,
            &subtraction::PROPER_DIVISORS,
        ],
        "all_but" => &[&ALL_BUT],
        "at_least_half" => &[&halves::AT_LEAST_HALF],
        "at_most_half" => &[&halves::AT_MOST_HALF],
        "at_most" => &[&at_most::AT_MOST],
        "nim_except" => &[&nim_except::FORBIDDEN],
        "take_and_break" | "dawsons_chess" | "dawsons_kayles" => &[&GUY_SMITH],
        "kayles" | "kayles_row" => &[&rows::KAYLES],
        "laskers_nim" => &[&laskers_nim::LASKER],
        "fibonacci_nim" => &[&fibonacci_nim::WHINIHAN],
        "moore_nim" => &[&moore_nim::MOORE, &moore_nim::MOORE_MISERE],
        "wythoff" | "queen" => &[&corner_piece::WYTHOFF],
        "king" => &[&corner_piece::KING],
        "knight" => &[&corner_piece::KNIGHT],
        "euclid" => &[&euclid::EUCLID],
        "chomp" => &[&chomp::STEALING, &chomp::TWO_ROWS, &chomp::ONE_ROW],
        "cram" => &[&cram::SYMMETRY],
        "treblecross_row" => &[&rows::TREBLECROSS],
        "northcott" => &[&northcott::NORTHCOTT],
        "calendar" => &[&calendar::CALENDAR],
        "strip_coins" => &[&strip_coins::GAPS],
        "staircase_nim" => &[&staircase_nim::ODD_STEPS],
        "turning_turtles" | "mock_turtles" | "ruler" | "twins" => &[&coin_turning::COIN_TURNING],
        "hackenbush" => &[
            &hackenbush::COLON,
            &hackenbush::FUSION,
            &hackenbush::NUMBER_TREES,
            &hackenbush::TREES,
        ],
        "geography" => &[&geography::MATCHING],
        "graph" => &[&loopy::SMITH_FRAENKEL],
        "ordinal_sum" => &[&canonical::ORDINAL, &grundy::ORDINAL_SUM_OF_NIMBERS],
        "literal" => &[&NAMED_VALUES],
        "toads_and_frogs" => &[&toads_and_frogs::FREE],
        "elephants" => &[&elephants::GAPS],
        "cannibal_clobber" => &[&clobber::ONE_COLOUR],
        "cutcake" => &[&cutcake::POWERS],
        "maundy_cake" => &[&maundy_cake::CHAINS],
        _ => &[],
    }
}
