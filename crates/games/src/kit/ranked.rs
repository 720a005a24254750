//! Games whose positions are numbered: no position is stored, and a table has a cell for each number.

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_graphs::implicit::dense::{self, Pass, PassQuestion, Ranked, Reversible};

/// The first positions of a game.
struct First<'a, G> {
    game: &'a G,
    positions: u64,
}

impl<G: Ranked> Ranked for First<'_, G> {
    fn len(&self) -> u64 {
        self.positions
    }

    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool) {
        self.game.options(position, visit);
    }

    fn beat(&self) -> u64 {
        self.game.beat().min(1 << 12)
    }
}

impl<G: Reversible> Reversible for First<'_, G> {
    fn sources(&self, position: u64, mut visit: impl FnMut(u64)) {
        self.game.sources(position, |source| {
            if source < self.positions {
                visit(source);
            }
        });
    }
}

/// Goes on with a pass over the first cells of such a game alone.
pub(crate) fn beginning<G: Reversible>(
    game: &G,
    cells: u64,
    question: PassQuestion,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let positions = cells.min(game.len());
    go_on(&First { game, positions }, question, play, pass, limits)
}

/// Goes on with a pass over a game whose moves can be taken back: by the sieve where that answers the question.
pub(crate) fn go_on<G: Reversible>(
    game: &G,
    question: PassQuestion,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    match question {
        PassQuestion::Remoteness => dense::sieve_on(game, play, pass, limits),
        PassQuestion::Outcome | PassQuestion::Grundy => {
            dense::go_on(game, question, play, pass, limits)
        }
    }
}
