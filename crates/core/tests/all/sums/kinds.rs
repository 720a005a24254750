//! The games of the library, each with a generator of small random positions.

use super::random::Random;
use super::rules::{Term, boards, cakes, coins, edges, heaps, pieces, stones, strips, turning};

/// A game with a generator of its positions.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The rule file of the game, if it is not built in.
    pub(crate) file: Option<&'static str>,
    /// The function that returns a random position. Its second argument is the approximate size of
    /// the position, from 1 to 4.
    pub(crate) term: fn(&mut Random, i64) -> Term,
}

const fn built_in(name: &'static str, term: fn(&mut Random, i64) -> Term) -> Kind {
    let file = None;
    Kind { name, file, term }
}

/// Number of kinds at the end of [`KINDS`] that are loopy or partizan.
pub(crate) const LOOPY_OR_PARTIZAN: usize = 17;

/// All games that may occur in a sum. The loopy and partizan ones come last.
pub(crate) const KINDS: &[Kind] = &[
    built_in("nim", heaps::nim),
    built_in("subtraction", heaps::subtraction),
    built_in("subtraction of a named set", heaps::named_subtraction),
    built_in("all_but", heaps::all_but),
    built_in("at_least_half", heaps::at_least_half),
    built_in("at_most_half", heaps::at_most_half),
    built_in("at_most", heaps::at_most),
    built_in("nim_except", heaps::nim_except),
    built_in("take_and_break", heaps::take_and_break),
    built_in("kayles", heaps::kayles),
    built_in("dawsons_chess", heaps::dawsons_chess),
    built_in("dawsons_kayles", heaps::dawsons_kayles),
    built_in("treblecross", heaps::treblecross),
    built_in("officers", heaps::officers),
    built_in("grundys_game", heaps::grundys_game),
    built_in("laskers_nim", heaps::laskers_nim),
    built_in("fibonacci_nim", heaps::fibonacci_nim),
    built_in("nimble", coins::nimble),
    built_in("strip_coins", coins::strip_coins),
    built_in("staircase_nim", coins::staircase_nim),
    built_in("northcott", coins::northcott),
    built_in("rook", pieces::rook),
    built_in("queen", pieces::queen),
    built_in("king", pieces::king),
    built_in("knight", pieces::knight),
    built_in("wythoff", pieces::wythoff),
    built_in("euclid", pieces::euclid),
    built_in("moore_nim", heaps::moore_nim),
    built_in("chomp", pieces::chomp),
    built_in("turning_turtles", turning::turning_turtles),
    built_in("mock_turtles", turning::mock_turtles),
    built_in("ruler", turning::ruler),
    built_in("twins", turning::twins),
    built_in("hackenbush", edges::green_hackenbush),
    built_in("graph without cycles", edges::graph_without_cycles),
    built_in("cram", boards::cram),
    built_in("node_kayles", edges::node_kayles),
    built_in("arc_kayles", edges::arc_kayles),
    built_in("geography", edges::geography),
    built_in("kayles_row", strips::kayles_row),
    built_in("treblecross_row", strips::treblecross_row),
    built_in("calendar", pieces::calendar),
    built_in("graph", edges::graph),
    built_in("coloured hackenbush", edges::coloured_hackenbush),
    built_in("domineering", boards::domineering),
    built_in("toads_and_frogs", strips::toads_and_frogs),
    built_in("toppling_dominoes", strips::toppling_dominoes),
    built_in("elephants", strips::elephants),
    built_in("push", strips::push),
    built_in("ski_jumps", stones::ski_jumps),
    built_in("clobber", stones::clobber),
    built_in("cannibal_clobber", stones::cannibal_clobber),
    built_in("nogo", stones::nogo),
    built_in("fission", stones::fission),
    built_in("konane", stones::konane),
    built_in("amazons", stones::amazons),
    built_in("cutcake", cakes::cutcake),
    built_in("maundy_cake", cakes::maundy_cake),
    built_in("partizan_subtraction", heaps::partizan_subtraction),
    built_in("col", edges::col),
    built_in("snort", edges::snort),
];
