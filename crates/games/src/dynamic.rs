//! Custom games: rules supplied at run time by a callback that lists the options of a position.
//!
//! A [`DynamicRules`] object contains the rules. It is backed by a rule file or by a callable of
//! another language. All its positions have the type [`DynamicPosition`]. [`DynamicGame`] turns
//! rules of any nature into a ruleset. Sums, misère play, tables, search and play therefore work as
//! for any other game.

mod position;
mod ranks;

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

pub use crate::kit::endless::endless_of;
pub use position::{DynamicPosition, Foreign};
pub use ranks::Ranks;

use grundy_forms::{Form, Forms};
use rustc_hash::FxHashSet;

use crate::composite::literal::{Game, LiteralRules};
use crate::kit::endless::endless_remark;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::RankedGame;
use grundy_engine::rules::{
    ByTheorem, Capabilities, Captions, EveryOption, ForeignParts, Nature, Payoffs, Ranking,
    Ruleset, Teaching, Termination, TextStyle, Theorems, Visit,
};
use grundy_engine::term::{AnyTerm, parts_of};

/// The position or positions after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveResult {
    /// A single position.
    One(DynamicPosition),
    /// A sum of positions, possibly empty.
    Sum(Vec<DynamicPosition>),
}

impl MoveResult {
    /// Returns the positions of the sum. A single position is a sum of one.
    ///
    /// ```
    /// use grundy_core::dynamic::{DynamicPosition, MoveResult};
    /// let heap = DynamicPosition::Int;
    /// assert_eq!(MoveResult::One(heap(5)).positions(), [heap(5)]);
    /// assert_eq!(MoveResult::Sum(vec![heap(2), heap(3)]).positions(), [heap(2), heap(3)]);
    /// ```
    #[must_use]
    pub fn positions(&self) -> &[DynamicPosition] {
        match self {
            Self::One(position) => std::slice::from_ref(position),
            Self::Sum(positions) => positions,
        }
    }
}

/// A move: its label, if it has one, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicMove {
    /// The name that the rules give the move.
    pub label: Option<Arc<str>>,
    /// The position or the sum after the move.
    pub result: MoveResult,
}

/// The rules of a custom game. They must be deterministic: equal calls return equal results.
pub trait DynamicRules: Any + Debug + Send + Sync {
    /// Returns the name of the rules. It is the first argument of `game(...)` in the notation.
    fn name(&self) -> &str;

    /// Returns whether the object `other` contains the same rules as this one.
    fn same(&self, other: &dyn DynamicRules) -> bool {
        let _ = other;
        false
    }

    /// Returns the nature of the game.
    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    /// Returns the original rules, if these rules were made from them by exchanging the players.
    /// Otherwise returns `None`.
    fn exchanged(&self) -> Option<&Arc<dyn DynamicRules>> {
        None
    }

    /// Returns the numbering of the positions, if the rules supply one.
    fn ranks(&self) -> Option<&dyn Ranks> {
        None
    }

    /// Appends every option of `player` in `position` to `moves`.
    ///
    /// Impartial rules ignore `player`.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail.
    fn options(
        &self,
        player: Player,
        position: &DynamicPosition,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop>;

    /// Returns the result of the game for the player to move in `position`, which has no options.
    ///
    /// # Errors
    /// [`Stop::Rules`] if the rules fail.
    fn payoff(&self, position: &DynamicPosition) -> Result<PayoffResult, Stop> {
        let _ = position;
        Ok(PayoffResult::Lose)
    }
}

/// Rules with the players exchanged.
#[derive(Debug)]
struct Exchanged(Arc<dyn DynamicRules>);

impl DynamicRules for Exchanged {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn same(&self, other: &dyn DynamicRules) -> bool {
        let other = other.exchanged();
        // Rules with the players exchanged are the same if their originals are the same.
        other.is_some_and(|other| Arc::ptr_eq(&self.0, other) || self.0.same(&**other))
    }

    fn nature(&self) -> Nature {
        let nature = self.0.nature();
        Nature {
            endless: nature.endless.map(Player::other),
            ..nature
        }
    }

    // Exchanging twice gives the original rules. `DynamicGame::exchanged` relies on this: wrappers
    // never nest, and G and -(-G) have the same rules.
    fn exchanged(&self) -> Option<&Arc<dyn DynamicRules>> {
        Some(&self.0)
    }

    fn options(
        &self,
        player: Player,
        position: &DynamicPosition,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop> {
        self.0.options(player.other(), position, moves)
    }
}

/// The ruleset of custom games, written `game(...)` in the notation. Two such rulesets are equal if
/// their rules are the same.
///
/// ```
/// use std::sync::Arc;
/// use grundy_core::dynamic::{DynamicMove, MoveResult, DynamicGame, DynamicPosition, DynamicRules};
/// use grundy_core::{Diagnostic, Kind, Limits, Player, Position, Solver, Stop, Term, message};
///
/// /// Remove one or two from a number.
/// #[derive(Debug)]
/// struct OneOrTwo;
///
/// impl DynamicRules for OneOrTwo {
///     fn name(&self) -> &str {
///         "moves"
///     }
///
///     fn options(
///         &self,
///         _: Player,
///         position: &DynamicPosition,
///         moves: &mut Vec<DynamicMove>,
///     ) -> Result<(), Stop> {
///         let &DynamicPosition::Int(n) = position else {
///             let wrong = Diagnostic::new(Kind::Type, message!("a number is expected"));
///             return Err(Stop::Rules(Arc::new(wrong)));
///         };
///         for taken in (1..=2).filter(|&taken| taken <= n) {
///             let result = MoveResult::One(DynamicPosition::Int(n - taken));
///             moves.push(DynamicMove { label: None, result });
///         }
///         Ok(())
///     }
/// }
///
/// let game = DynamicGame(Arc::new(OneOrTwo));
/// let position = Position::from(Term::new(game, vec![DynamicPosition::Int(5)]));
/// assert_eq!(position.to_string(), "game(moves, 5)");
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// ```
#[derive(Clone, Debug)]
pub struct DynamicGame(pub Arc<dyn DynamicRules>);

impl PartialEq for DynamicGame {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.same(&*other.0)
    }
}

impl Eq for DynamicGame {}

impl Hash for DynamicGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Only the name is hashed. `same` may equate objects at different addresses, so an address
        // would break the contract between `Eq` and `Hash`.
        self.0.name().hash(state);
    }
}

impl DynamicGame {
    /// Returns the finished value (see [`DynamicPosition::Game`]) of a position under these rules.
    ///
    /// A position stores the value for the original rules. If these rules are the original rules
    /// with the players exchanged, the value is the negative of the stored game.
    fn finished(&self, game: &Game) -> Game {
        match self.0.exchanged() {
            Some(_) => game.exchanged(),
            None => game.clone(),
        }
    }

    /// Visits the moves of `player` in a finished value, that is, in a game given by its options
    /// (see [`DynamicPosition::Game`]).
    fn moves_in(
        &self,
        player: Player,
        index: usize,
        game: &Game,
        visit: Visit<'_, DynamicPosition>,
    ) -> Flow {
        LiteralRules.options(player, index, &self.finished(game), &mut |left, name| {
            let left = left
                .iter()
                .map(|game| DynamicPosition::Game(self.finished(game)));
            visit(&left.collect::<Vec<DynamicPosition>>(), &|| {
                let Move { mut at, action } = name();
                if index > 0 {
                    at.insert(0, index as u64);
                }
                Move::new(at, action)
            })
        })
    }

    /// Returns all moves of `player`. They are collected before the first is visited, because a
    /// visitor may call the same rules.
    fn moves(&self, player: Player, position: &DynamicPosition) -> Result<Vec<DynamicMove>, Stop> {
        let mut moves = Vec::new();
        self.0.options(player, position, &mut moves)?;
        Ok(moves)
    }
}

impl Ruleset for DynamicGame {
    type Part = DynamicPosition;

    fn name(&self) -> &'static str {
        "game"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, DynamicPosition> {
        Capabilities {
            theorems: Some(self),
            payoffs: Some(self),
            every_option: Some(self),
            ranks: Some(self),
            foreign_parts: Some(self),
            // The rules are arbitrary code, so it is not known that play ends.
            termination: Termination::Unproved,
            captions: Some(self),
            teaching: Some(self),
            text: TextStyle {
                sum: true,
                ..TextStyle::default()
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &DynamicPosition) -> Nature {
        self.0.nature()
    }

    fn options(
        &self,
        player: Player,
        index: usize,
        position: &DynamicPosition,
        visit: Visit<'_, DynamicPosition>,
    ) -> Flow {
        if let DynamicPosition::Game(game) = position {
            return self.moves_in(player, index, game, visit);
        }
        let moves = match self.moves(player, position) {
            Ok(moves) => moves,
            Err(stop) => return ControlFlow::Break(stop.into()),
        };
        // Moves to the same position are one option. Its name is that of the first of them.
        let mut seen = FxHashSet::default();
        moves.iter().enumerate().try_for_each(|(number, mv)| {
            if !seen.insert(mv.result.positions()) {
                return ControlFlow::Continue(());
            }
            visit(mv.result.positions(), &|| named(index, number, mv))
        })
    }

    fn components(&self, position: &DynamicPosition, visit: &mut dyn FnMut(DynamicPosition)) {
        match position {
            DynamicPosition::Game(game) => {
                LiteralRules.components(game, &mut |game| visit(DynamicPosition::Game(game)));
            }
            _ => visit(position.clone()),
        }
    }

    fn exchanged(&self) -> Option<Self> {
        // An impartial game is its own negative. `Exchanged` exchanges moves only. Hence rules with
        // payoffs or with a fixed beginner have no negative.
        let nature = self.0.nature();
        if nature.is_impartial() {
            return Some(self.clone());
        }
        let decided = Nature {
            endless: None,
            ..nature
        };
        (decided == Nature::PARTIZAN).then(|| match self.0.exchanged() {
            Some(original) => Self(Arc::clone(original)),
            None => Self(Arc::new(Exchanged(Arc::clone(&self.0)))),
        })
    }

    // Rules with the players exchanged have no name in the notation. Their terms are therefore
    // written as negatives of terms of the original rules.
    fn write(&self, parts: &[DynamicPosition]) -> String {
        if parts.is_empty() {
            return "sum_of([])".to_owned();
        }
        let parts = parts.iter();
        let texts: Vec<String> = parts
            .map(|position| {
                if let DynamicPosition::Game(game) = position {
                    return self.finished(game).to_string();
                }
                let sign = if self.0.exchanged().is_some() {
                    "-"
                } else {
                    ""
                };
                format!("{sign}game({}, {position})", self.0.name())
            })
            .collect();
        texts.join(" + ")
    }
}

impl Theorems<DynamicPosition> for DynamicGame {
    fn form(
        &self,
        position: &DynamicPosition,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        match position {
            DynamicPosition::Game(game) => LiteralRules.form(&self.finished(game), forms, limits),
            _ => Ok(None),
        }
    }
}

impl Payoffs<DynamicPosition> for DynamicGame {
    fn payoff(&self, position: &DynamicPosition, _: Player) -> Result<PayoffResult, Stop> {
        match position {
            // In a finished value the player without a move loses.
            DynamicPosition::Game(_) => Ok(PayoffResult::Lose),
            _ => self.0.payoff(position),
        }
    }
}

impl EveryOption<DynamicPosition> for DynamicGame {
    fn every_option(
        &self,
        player: Player,
        index: usize,
        position: &DynamicPosition,
        visit: Visit<'_, DynamicPosition>,
    ) -> Flow {
        if let DynamicPosition::Game(game) = position {
            return self.moves_in(player, index, game, visit);
        }
        let moves = match self.moves(player, position) {
            Ok(moves) => moves,
            Err(stop) => return ControlFlow::Break(stop.into()),
        };
        let mut numbered = moves.iter().enumerate();
        numbered
            .try_for_each(|(number, mv)| visit(mv.result.positions(), &|| named(index, number, mv)))
    }
}

impl Ranking<DynamicPosition> for DynamicGame {
    fn ranked(&self, positions: &[DynamicPosition]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        // Only single positions have ranks. A sum of several positions has none.
        let [position] = positions else {
            return Ok(None);
        };
        let game = ranks::RankedDynamicGame::new(&self.0, position)?;
        Ok(game.map(|game| Arc::new(game) as Arc<dyn RankedGame>))
    }
}

impl ForeignParts<DynamicPosition> for DynamicGame {
    /// Returns the position that is written as the terms `read`, if these are a single game
    /// `literal(...)`. The position is then a finished value (see [`DynamicPosition::Game`]).
    fn read_as(&self, read: &[Arc<dyn AnyTerm>]) -> Option<DynamicPosition> {
        match parts_of::<LiteralRules>(read)? {
            [game] => Some(DynamicPosition::Game(self.finished(game))),
            _ => None,
        }
    }
}

impl Teaching<DynamicPosition> for DynamicGame {
    fn remarks(&self, _: &[DynamicPosition]) -> Vec<Step> {
        endless_remark(self.0.nature().endless)
    }
}

impl Captions<DynamicPosition> for DynamicGame {
    fn caption(&self, position: &DynamicPosition) -> String {
        position.to_string()
    }
}

/// Creates the move `mv` in the part with the index `index`. `number` is the index of the move in
/// the list of the player's moves. The name of the move is its label, or else the position after
/// it.
fn named(index: usize, number: usize, mv: &DynamicMove) -> Move {
    let at = if index == 0 {
        vec![number as u64]
    } else {
        vec![index as u64, number as u64]
    };
    if let Some(label) = &mv.label {
        return Move::new(at, Step::new("own_move").with("label", &**label));
    }
    let texts: Vec<String> = mv
        .result
        .positions()
        .iter()
        .map(DynamicPosition::to_string)
        .collect();
    let to = match texts.as_slice() {
        [] => "0".to_owned(),
        texts => texts.join(" + "),
    };
    Move::new(at, Step::new("own_go_to").with("to", to))
}
