//! Rankings of positions, which a custom game may supply.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use grundy_base::{Message, message};

use super::{DynamicGame, DynamicMove, DynamicPosition, DynamicRules, MoveResult};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_engine::RankedGame;
use grundy_engine::rules::{Ends, Nature};
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{self, Pass, PassQuantity};

/// A numbering of the positions of a custom game from 0 to `size() - 1`.
///
/// The numbering is user code. It is tested on a sample before a table is computed. In addition,
/// every option that is visited while the table is filled is checked.
pub trait Ranks {
    /// Returns the number of positions.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail.
    fn size(&self) -> Result<i64, Stop>;

    /// Returns the rank of a position.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail.
    fn rank(&self, position: &DynamicPosition) -> Result<i64, Stop>;

    /// Returns the position with the rank `rank`.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail.
    fn unrank(&self, rank: u64) -> Result<DynamicPosition, Stop>;

    /// Returns whether the rules claim that every option has a smaller rank than its position.
    fn order_is_topological(&self) -> bool;

    /// Appends the ranks of the options of `player` in the position with the rank `rank`.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail, or if a move leads to a sum, which has no rank.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<i64>) -> Result<(), Stop>;

    /// Creates the error for an inconsistent numbering. `what` describes the inconsistency.
    fn refuse(&self, what: &Message) -> Stop;
}

/// Number of ranks that are tested before a table is computed. If there are fewer ranks, all of
/// them are tested.
const SAMPLE: u64 = 1000;

/// Number of positions between two checks of the clock. It is small because the rules are slow.
const POLL_INTERVAL: u64 = 1 << 8;

/// A custom game with numbered positions.
#[derive(Debug)]
pub(super) struct RankedDynamicGame {
    rules: Arc<dyn DynamicRules>,
    size: u64,
    topological: bool,
    nature: Nature,
}

/// Returns the ranks to test. If `size` is at most [`SAMPLE`], these are all ranks. Otherwise they
/// are the last rank and [`SAMPLE`] ranks that are evenly spread, beginning with the first rank.
fn sample_ranks(size: u64) -> impl Iterator<Item = u64> {
    // Multiples of the golden ratio, taken modulo 1, leave no large gap (V. T. Sos, 1958). The
    // constant is 2^64 divided by the golden ratio, and the 128-bit product scales the fraction
    // to `size`.
    let step = move |i: u64| {
        ((u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(size)) >> 64) as u64
    };
    let many = size > SAMPLE;
    let last = many.then_some(size - 1);
    let others = (0..size.min(SAMPLE)).map(move |i| if many { step(i) } else { i });
    last.into_iter().chain(others)
}

impl RankedDynamicGame {
    /// Creates the game after testing the numbering in its rules. Returns `None` if the rules have
    /// no numbering.
    pub(super) fn new(
        rules: &Arc<dyn DynamicRules>,
        start: &DynamicPosition,
    ) -> Result<Option<Self>, Stop> {
        let Some(ranks) = rules.ranks() else {
            return Ok(None);
        };
        let size = ranks.size()?;
        let size = u64::try_from(size).ok().filter(|&size| size > 0);
        let size = size.ok_or_else(|| ranks.refuse(&message!("size() is less than 1")))?;
        let new = Self {
            rules: Arc::clone(rules),
            size,
            topological: ranks.order_is_topological(),
            nature: rules.nature(),
        };
        new.rank_of(ranks, start)?;
        for rank in sample_ranks(size) {
            new.check_rank(ranks, rank)?;
        }
        Ok(Some(new))
    }

    /// Returns the rank of `position`. Checks that `unrank` maps this rank back to `position`.
    fn rank_of(&self, ranks: &dyn Ranks, position: &DynamicPosition) -> Result<u64, Stop> {
        let rank = ranks.rank(position)?;
        let checked =
            self.check_range(ranks, rank, || message!("rank({place})", place = position))?;
        let back = ranks.unrank(checked)?;
        if back == *position {
            return Ok(checked);
        }
        Err(ranks.refuse(&message!(
            "rank({place}) is {rank}, but unrank({rank}) is {back}",
            place = position,
            rank,
            back
        )))
    }

    fn check_range(
        &self,
        ranks: &dyn Ranks,
        rank: i64,
        what: impl Fn() -> Message,
    ) -> Result<u64, Stop> {
        let checked = u64::try_from(rank).ok().filter(|&rank| rank < self.size);
        checked.ok_or_else(|| {
            ranks.refuse(&message!(
                "{what} is {rank}, but ranks range from 0 to size() - 1 = {last}",
                what = what(),
                rank,
                last = self.size - 1
            ))
        })
    }

    /// Checks the numbering at the position with this rank: `rank` inverts `unrank`, and every
    /// option has a valid rank. Also checks that no move contradicts a claimed topological order.
    fn check_rank(&self, ranks: &dyn Ranks, rank: u64) -> Result<(), Stop> {
        let position = ranks.unrank(rank)?;
        let back = ranks.rank(&position)?;
        if u64::try_from(back) != Ok(rank) {
            return Err(ranks.refuse(&message!(
                "unrank({rank}) is {place}, but rank({place}) is {back}",
                rank,
                place = position,
                back
            )));
        }
        let mut moves: Vec<DynamicMove> = Vec::new();
        for &player in self.nature.beginners() {
            self.rules.options(player, &position, &mut moves)?;
        }
        for mv in &moves {
            let MoveResult::One(option) = &mv.result else {
                return Err(ranks.refuse(&message!(
                    "a move from {place} leads to a sum, which has no rank",
                    place = position
                )));
            };
            let to = self.rank_of(ranks, option)?;
            self.check_order(ranks, rank, to)?;
        }
        Ok(())
    }

    /// Checks that the move from the rank `from` to the rank `to` agrees with the claim that every
    /// option has a smaller rank. Without this claim, every move is accepted.
    fn check_order(&self, ranks: &dyn Ranks, from: u64, to: u64) -> Result<(), Stop> {
        if to < from || !self.topological {
            return Ok(());
        }
        // The positions are decoded only for the message, after the check has failed.
        let [position, option] = [ranks.unrank(from)?, ranks.unrank(to)?];
        Err(ranks.refuse(&message!(
            "order_is_topological is wrong: {place} has rank {from}, but its option {option} has rank {to}, which is not lower",
            option,
            to,
            place = position,
            from
        )))
    }

    fn ranks(&self) -> Result<&dyn Ranks, Stop> {
        self.rules.ranks().ok_or(Stop::NoValue)
    }

    /// Appends the ranks of the options of `player` in the position with the rank `rank` to the
    /// list `to`, after checking each of them. `unchecked` is a buffer for the ranks that the rules
    /// return.
    fn append_checked_options(
        &self,
        player: Player,
        rank: u64,
        unchecked: &mut Vec<i64>,
        to: &mut Vec<u64>,
    ) -> Result<(), Stop> {
        let ranks = self.ranks()?;
        unchecked.clear();
        ranks.options(player, rank, unchecked)?;
        for &option in &*unchecked {
            // The closure runs on failure only: `unrank` is a call into user code.
            let option = self.check_range(ranks, option, || {
                let place = ranks.unrank(rank);
                let place = place.map_or_else(|_| rank.to_string(), |place| place.to_string());
                message!("the rank of an option of {place}", place)
            })?;
            self.check_order(ranks, rank, option)?;
            to.push(option);
        }
        Ok(())
    }
}

impl RankedGame for RankedDynamicGame {
    fn positions(&self) -> u64 {
        self.size
    }

    fn nature(&self) -> Nature {
        self.nature
    }

    fn is_topological(&self) -> bool {
        self.topological
    }

    // A position of other rules, or one outside the numbering, has no rank. This is not an error:
    // the caller falls back to a search.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop> {
        let Some([position]) = parts_of::<DynamicGame>(terms) else {
            return Ok(None);
        };
        let ranks = self.ranks()?;
        let rank = u64::try_from(ranks.rank(position)?).ok();
        let Some(rank) = rank.filter(|&rank| rank < self.size) else {
            return Ok(None);
        };
        Ok((ranks.unrank(rank)? == *position).then_some(rank))
    }

    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop> {
        let position = self.ranks()?.unrank(rank)?;
        Ok(Term::new(DynamicGame(Arc::clone(&self.rules)), vec![position]).into())
    }

    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        self.append_checked_options(player, rank, &mut Vec::new(), ranks)
    }

    fn resume(
        &self,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let cells = self.turns().saturating_mul(self.size);
        self.sample(cells, question, play, pass, limits)
    }

    fn sample(
        &self,
        cells: u64,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        // A dense pass fills the table in the order of the ranks. Every option must be labelled
        // before the positions that it is an option of.
        if !self.topological || self.nature.ends == Ends::Payoff {
            return Err(Stop::Cyclic);
        }
        // In a dense pass `options` cannot return an error. The first error is stored, and the next
        // poll of `interrupted` ends the pass with this error.
        let failed = OnceLock::new();
        let pass_cells = PassCells {
            game: self,
            cells: cells.min(self.turns().saturating_mul(self.size)),
            turns: self.turns(),
            unchecked: RefCell::default(),
            ranks: RefCell::default(),
            failed: &failed,
        };
        let failure = || failed.get().map(|(_, stop): &(u64, Stop)| stop.clone());
        let interrupted = || failure().or_else(|| (limits.interrupted)());
        let limits = Limits {
            interrupted: &interrupted,
            ..*limits
        };
        let ended = dense::resume(&pass_cells, question, play, pass, &limits);
        let Some((cell, stop)) = failed.get() else {
            return ended;
        };
        // Cells from the failing one to the next poll were computed from missing options, so they
        // may be wrong. All earlier cells are valid, and the pass can be resumed after them.
        pass.cells.truncate(*cell as usize);
        pass.done = pass.cells.len() as u64;
        Err(stop.clone())
    }
}

/// The cells of the table of a custom game. A cell is a position with a player to move. A dense
/// pass computes the cells one by one, in the order of the ranks of the positions.
///
/// After an error in the rules, `options` visits no more options. The cells computed after the
/// error are discarded.
struct PassCells<'a> {
    game: &'a RankedDynamicGame,
    cells: u64,
    turns: u64,
    unchecked: RefCell<Vec<i64>>,
    ranks: RefCell<Vec<u64>>,
    /// The cell at which the rules failed first, and the error.
    failed: &'a OnceLock<(u64, Stop)>,
}

impl dense::Ranked for PassCells<'_> {
    fn len(&self) -> u64 {
        self.cells
    }

    fn poll_interval(&self) -> u64 {
        POLL_INTERVAL
    }

    fn options(&self, cell: u64, mut visit: impl FnMut(u64) -> bool) {
        if self.failed.get().is_some() {
            return;
        }
        // The cells of a position are adjacent, one for each player who may be to move. The order
        // of the cells is topological because the order of the ranks is.
        let (rank, turn) = (cell / self.turns, cell % self.turns);
        let player = self.game.nature.beginners()[turn as usize];
        let mut ranks = self.ranks.borrow_mut();
        ranks.clear();
        if let Err(stop) = self.game.append_checked_options(
            player,
            rank,
            &mut self.unchecked.borrow_mut(),
            &mut ranks,
        ) {
            let _ = self.failed.set((cell, stop));
            return;
        }
        // Both players alternate, so the cell of an option is that of the other player.
        let next = (turn + 1) % self.turns;
        let _ = ranks
            .iter()
            .all(|&option| visit(option * self.turns + next));
    }
}
