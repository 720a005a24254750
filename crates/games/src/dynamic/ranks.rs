//! Ranks that the rules of a game of one's own give their positions.

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
use grundy_graphs::implicit::dense::{self, Pass, PassQuestion};

/// How rules number their positions from 0 on. What they say is tried out before it is relied on,
/// and every move of a pass is looked at.
pub trait Ranks {
    /// How many positions there are.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer, here and below.
    fn size(&self) -> Result<i64, Stop>;

    /// Returns the rank of a position.
    ///
    /// # Errors
    /// As above.
    fn rank(&self, place: &DynamicPosition) -> Result<i64, Stop>;

    /// Returns the position of a rank.
    ///
    /// # Errors
    /// As above.
    fn unrank(&self, rank: u64) -> Result<DynamicPosition, Stop>;

    /// Returns whether they say that options have smaller ranks.
    fn order_is_topological(&self) -> bool;

    /// Appends the ranks of the options that a player has in the position of a rank.
    ///
    /// # Errors
    /// As above, and moves to sums, which have no rank.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<i64>) -> Result<(), Stop>;

    /// Returns a refusal of what they say.
    fn refuse(&self, what: &Message) -> Stop;
}

/// Ranks that are tried out before anything is begun: so many, or all.
const TRIED: u64 = 1000;

/// Positions between two looks at the clock: rules take their time.
const BEAT: u64 = 1 << 8;

/// A game of one's own by ranks.
#[derive(Debug)]
pub(super) struct RankedDynamicGame {
    rules: Arc<dyn DynamicRules>,
    size: u64,
    topological: bool,
    nature: Nature,
}

/// Ranks for trying out: the first, the last and others between them, or all.
fn tried(size: u64) -> impl Iterator<Item = u64> {
    // Steps by the golden ratio leave no large gap (V. T. Sos, 1958).
    let step = move |i: u64| {
        ((u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(size)) >> 64) as u64
    };
    let many = size > TRIED;
    let last = many.then_some(size - 1);
    let others = (0..size.min(TRIED)).map(move |i| if many { step(i) } else { i });
    last.into_iter().chain(others)
}

impl RankedDynamicGame {
    /// Returns the game of some rules from `start` on; nothing where they give no ranks.
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
        for rank in tried(size) {
            new.try_out(ranks, rank)?;
        }
        Ok(Some(new))
    }

    /// Returns the rank of a position that has to have one.
    fn rank_of(&self, ranks: &dyn Ranks, place: &DynamicPosition) -> Result<u64, Stop> {
        let rank = ranks.rank(place)?;
        let found = self.within(ranks, rank, || message!("rank({place})", place))?;
        let back = ranks.unrank(found)?;
        if back == *place {
            return Ok(found);
        }
        Err(ranks.refuse(&message!(
            "rank({place}) is {rank}, and unrank({rank}) is {back}",
            place,
            rank,
            back
        )))
    }

    fn within(
        &self,
        ranks: &dyn Ranks,
        rank: i64,
        what: impl Fn() -> Message,
    ) -> Result<u64, Stop> {
        let found = u64::try_from(rank).ok().filter(|&rank| rank < self.size);
        found.ok_or_else(|| {
            ranks.refuse(&message!(
                "{what} is {rank}, and ranks go from 0 to {last}, one less than size()",
                what = what(),
                rank,
                last = self.size - 1
            ))
        })
    }

    /// Whether ranks and moves fit together at one position.
    fn try_out(&self, ranks: &dyn Ranks, rank: u64) -> Result<(), Stop> {
        let place = ranks.unrank(rank)?;
        let back = ranks.rank(&place)?;
        if u64::try_from(back) != Ok(rank) {
            return Err(ranks.refuse(&message!(
                "unrank({rank}) is {place}, and rank({place}) is {back}",
                rank,
                place,
                back
            )));
        }
        let mut moves: Vec<DynamicMove> = Vec::new();
        for &player in self.nature.beginners() {
            self.rules.options(player, &place, &mut moves)?;
        }
        for mv in &moves {
            let MoveResult::One(option) = &mv.left else {
                return Err(ranks.refuse(&message!(
                    "a move of {place} leaves a sum, which has no rank",
                    place
                )));
            };
            let to = self.rank_of(ranks, option)?;
            self.check_order(ranks, rank, to)?;
        }
        Ok(())
    }

    /// Whether an option has a smaller rank, where that was said.
    fn check_order(&self, ranks: &dyn Ranks, from: u64, to: u64) -> Result<(), Stop> {
        if to < from || !self.topological {
            return Ok(());
        }
        let [place, option] = [ranks.unrank(from)?, ranks.unrank(to)?];
        Err(ranks.refuse(&message!(
            "order_is_topological is not so: {option} of rank {to} is an option of {place} of rank {from}",
            option,
            to,
            place,
            from
        )))
    }

    fn ranks(&self) -> Result<&dyn Ranks, Stop> {
        self.rules.ranks().ok_or(Stop::NoValue)
    }

    /// Appends the ranks of options, which are checked.
    fn look(
        &self,
        player: Player,
        rank: u64,
        found: &mut Vec<i64>,
        to: &mut Vec<u64>,
    ) -> Result<(), Stop> {
        let ranks = self.ranks()?;
        found.clear();
        ranks.options(player, rank, found)?;
        for &option in &*found {
            let option = self.within(ranks, option, || {
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

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop> {
        let Some([place]) = parts_of::<DynamicGame>(terms) else {
            return Ok(None);
        };
        let ranks = self.ranks()?;
        let rank = u64::try_from(ranks.rank(place)?).ok();
        let Some(rank) = rank.filter(|&rank| rank < self.size) else {
            return Ok(None);
        };
        Ok((ranks.unrank(rank)? == *place).then_some(rank))
    }

    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop> {
        let place = self.ranks()?.unrank(rank)?;
        Ok(Term::new(DynamicGame(Arc::clone(&self.rules)), vec![place]).into())
    }

    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        self.look(player, rank, &mut Vec::new(), ranks)
    }

    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let cells = self.turns().saturating_mul(self.size);
        self.beginning(cells, question, play, pass, limits)
    }

    fn beginning(
        &self,
        cells: u64,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        if !self.topological || self.nature.ends == Ends::Payoff {
            return Err(Stop::Cyclic);
        }
        let failed = OnceLock::new();
        let asking = Asking {
            game: self,
            cells: cells.min(self.turns().saturating_mul(self.size)),
            turns: self.turns(),
            found: RefCell::default(),
            ranks: RefCell::default(),
            failed: &failed,
        };
        let why = || failed.get().map(|(_, stop): &(u64, Stop)| stop.clone());
        let interrupted = || why().or_else(|| (limits.interrupted)());
        let within = Limits {
            interrupted: &interrupted,
            ..*limits
        };
        let ended = dense::go_on(&asking, question, play, pass, &within);
        let Some((cell, stop)) = failed.get() else {
            return ended;
        };
        // What came after it is worth nothing.
        pass.cells.truncate(*cell as usize);
        pass.done = pass.cells.len() as u64;
        Err(stop.clone())
    }
}

/// Cells as a dense pass asks for them. Where the rules fail it is handed nothing more, and what it
/// made of that is thrown away.
struct Asking<'a> {
    game: &'a RankedDynamicGame,
    cells: u64,
    turns: u64,
    found: RefCell<Vec<i64>>,
    ranks: RefCell<Vec<u64>>,
    /// The cell that they failed at, and why.
    failed: &'a OnceLock<(u64, Stop)>,
}

impl dense::Ranked for Asking<'_> {
    fn len(&self) -> u64 {
        self.cells
    }

    fn beat(&self) -> u64 {
        BEAT
    }

    fn options(&self, cell: u64, mut visit: impl FnMut(u64) -> bool) {
        if self.failed.get().is_some() {
            return;
        }
        let (rank, turn) = (cell / self.turns, cell % self.turns);
        let player = self.game.nature.beginners()[turn as usize];
        let mut ranks = self.ranks.borrow_mut();
        ranks.clear();
        if let Err(stop) = self
            .game
            .look(player, rank, &mut self.found.borrow_mut(), &mut ranks)
        {
            let _ = self.failed.set((cell, stop));
            return;
        }
        let next = (turn + 1) % self.turns;
        let _ = ranks
            .iter()
            .all(|&option| visit(option * self.turns + next));
    }
}
