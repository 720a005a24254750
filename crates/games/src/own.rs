//! Games of one's own: rules given at run time by whoever can answer "which positions are one move away".
//!
//! A [`Rules`] object answers for positions of a single type, [`Place`]; a rule file, or a callable of another
//! language, stands behind it. [`Own`] makes a ruleset of it, of whatever nature the rules are, so that sums, misère play,
//! tables, search and play work as for any other game.

mod place;
mod ranks;

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

pub use place::{Foreign, Place};
pub use ranks::Ranks;

use grundy_forms::{Form, Forms};
use rustc_hash::FxHashSet;

use crate::composite::literal::{Game, Written};
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::Worth;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::RankedGame;
use grundy_engine::rules::{
    Capabilities, Captions, EveryOption, ForeignParts, Known, Nature, Payoffs, Ranking, Ruleset,
    Termination, TextStyle, Theorems, Visit,
};
use grundy_engine::term::{AnyTerm, parts_of};

/// What a move leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// One position.
    One(Place),
    /// A sum of positions, perhaps of none.
    Sum(Vec<Place>),
}

impl Left {
    /// The positions of the sum.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        match self {
            Self::One(place) => std::slice::from_ref(place),
            Self::Sum(places) => places,
        }
    }
}

/// A move: its label, if it has one, and what it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMove {
    /// What the rules call it.
    pub label: Option<Arc<str>>,
    /// What it leaves.
    pub left: Left,
}

/// The rules of a game of one's own. The same question must get the same answer each time.
pub trait Rules: Any + Debug + Send + Sync {
    /// How the rules are called in the notation: the first argument of `game(...)`.
    fn name(&self) -> &str;

    /// Whether others are these rules once more, made apart from them.
    fn same(&self, other: &dyn Rules) -> bool {
        let _ = other;
        false
    }

    /// What kind of game it is.
    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    /// The rules that these are with the players exchanged, where they are that.
    fn exchanged(&self) -> Option<&Arc<dyn Rules>> {
        None
    }

    /// How the positions are numbered, where the rules say it.
    fn ranks(&self) -> Option<&dyn Ranks> {
        None
    }

    /// Appends every option that `player` has in `place`; where both have the same moves the player is of no account.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer.
    fn options(&self, player: Player, place: &Place, moves: &mut Vec<OwnMove>) -> Result<(), Stop>;

    /// What `place`, which has no option, is worth to the player who would be to move.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer.
    fn payoff(&self, place: &Place) -> Result<Worth, Stop> {
        let _ = place;
        Ok(Worth::Lose)
    }
}

/// Rules with the players exchanged.
#[derive(Debug)]
struct Exchanged(Arc<dyn Rules>);

impl Rules for Exchanged {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn same(&self, other: &dyn Rules) -> bool {
        let other = other.exchanged();
        other.is_some_and(|other| Arc::ptr_eq(&self.0, other) || self.0.same(&**other))
    }

    fn nature(&self) -> Nature {
        self.0.nature()
    }

    fn exchanged(&self) -> Option<&Arc<dyn Rules>> {
        Some(&self.0)
    }

    fn options(&self, player: Player, place: &Place, moves: &mut Vec<OwnMove>) -> Result<(), Stop> {
        self.0.options(player.other(), place, moves)
    }
}

/// The ruleset `game`. Two are equal when the same rules stand behind them.
///
/// ```
/// use std::sync::Arc;
/// use grundy::own::{OwnMove, Left, Own, Place, Rules};
/// use grundy::{Diagnostic, Kind, Limits, Player, Position, Solver, Stop, Term, message};
///
/// /// Remove one or two from a number.
/// #[derive(Debug)]
/// struct OneOrTwo;
///
/// impl Rules for OneOrTwo {
///     fn name(&self) -> &str {
///         "moves"
///     }
///
///     fn options(&self, _: Player, place: &Place, moves: &mut Vec<OwnMove>) -> Result<(), Stop> {
///         let &Place::Int(n) = place else {
///             return Err(Stop::Rules(Arc::new(Diagnostic::new(Kind::Type, message!("a number is expected")))));
///         };
///         for taken in (1..=2).filter(|&taken| taken <= n) {
///             moves.push(OwnMove { label: None, left: Left::One(Place::Int(n - taken)) });
///         }
///         Ok(())
///     }
/// }
///
/// let position = Position::from(Term::new(Own(Arc::new(OneOrTwo)), vec![Place::Int(5)]));
/// assert_eq!(position.to_string(), "game(moves, 5)");
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// ```
#[derive(Clone, Debug)]
pub struct Own(pub Arc<dyn Rules>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.same(&*other.0)
    }
}

impl Eq for Own {}

impl Hash for Own {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl Own {
    /// A finished value as it is in these rules: the players may have been exchanged since it was written.
    fn finished(&self, game: &Game) -> Game {
        match self.0.exchanged() {
            Some(_) => game.exchanged(),
            None => game.clone(),
        }
    }

    /// The moves in a finished value.
    fn moves_in(&self, player: Player, index: usize, game: &Game, visit: Visit<'_, Place>) -> Flow {
        Written.options(player, index, &self.finished(game), &mut |left, name| {
            let left = left.iter().map(|game| Place::Game(self.finished(game)));
            visit(&left.collect::<Vec<Place>>(), &|| {
                let Move { mut at, action } = name();
                if index > 0 {
                    at.insert(0, index as u64);
                }
                Move::new(at, action)
            })
        })
    }

    /// All moves at once: who visits them may ask the same rules again.
    fn moves(&self, player: Player, place: &Place) -> Result<Vec<OwnMove>, Stop> {
        let mut moves = Vec::new();
        self.0.options(player, place, &mut moves)?;
        Ok(moves)
    }
}

impl Ruleset for Own {
    type Part = Place;

    fn name(&self) -> &'static str {
        "game"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Place> {
        Capabilities {
            theorems: Some(self),
            payoffs: Some(self),
            every_option: Some(self),
            ranks: Some(self),
            foreign_parts: Some(self),
            termination: Termination::Unproved,
            captions: Some(self),
            text: TextStyle {
                sum: true,
                ..TextStyle::default()
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Place) -> Nature {
        self.0.nature()
    }

    fn options(
        &self,
        player: Player,
        index: usize,
        place: &Place,
        visit: Visit<'_, Place>,
    ) -> Flow {
        if let Place::Game(game) = place {
            return self.moves_in(player, index, game, visit);
        }
        let moves = match self.moves(player, place) {
            Ok(moves) => moves,
            Err(stop) => return ControlFlow::Break(stop.into()),
        };
        // What leads to the same position is one move, that of the first.
        let mut before = FxHashSet::default();
        moves.iter().enumerate().try_for_each(|(number, mv)| {
            if !before.insert(mv.left.places()) {
                return ControlFlow::Continue(());
            }
            visit(mv.left.places(), &|| named(index, number, mv))
        })
    }

    fn components(&self, place: &Place, visit: &mut dyn FnMut(Place)) {
        match place {
            Place::Game(game) => {
                Written.components(game, &mut |game| visit(Place::Game(game)));
            }
            _ => visit(place.clone()),
        }
    }

    fn exchanged(&self) -> Option<Self> {
        let nature = self.0.nature();
        if nature.is_impartial() {
            return Some(self.clone());
        }
        (nature == Nature::PARTIZAN).then(|| match self.0.exchanged() {
            Some(original) => Self(Arc::clone(original)),
            None => Self(Arc::new(Exchanged(Arc::clone(&self.0)))),
        })
    }

    fn write(&self, parts: &[Place]) -> String {
        if parts.is_empty() {
            return "sum_of([])".to_owned();
        }
        let parts = parts.iter();
        let texts: Vec<String> = parts
            .map(|place| {
                if let Place::Game(game) = place {
                    return self.finished(game).to_string();
                }
                let sign = if self.0.exchanged().is_some() {
                    "-"
                } else {
                    ""
                };
                format!("{sign}game({}, {place})", self.0.name())
            })
            .collect();
        texts.join(" + ")
    }
}

impl Theorems<Place> for Own {
    fn form(
        &self,
        place: &Place,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Known<Form>>, Stop> {
        match place {
            Place::Game(game) => Written.form(&self.finished(game), forms, limits),
            _ => Ok(None),
        }
    }
}

impl Payoffs<Place> for Own {
    fn payoff(&self, place: &Place, _: Player) -> Result<Worth, Stop> {
        match place {
            Place::Game(_) => Ok(Worth::Lose),
            _ => self.0.payoff(place),
        }
    }
}

impl EveryOption<Place> for Own {
    fn every_option(
        &self,
        player: Player,
        index: usize,
        place: &Place,
        visit: Visit<'_, Place>,
    ) -> Flow {
        if let Place::Game(game) = place {
            return self.moves_in(player, index, game, visit);
        }
        let moves = match self.moves(player, place) {
            Ok(moves) => moves,
            Err(stop) => return ControlFlow::Break(stop.into()),
        };
        let mut numbered = moves.iter().enumerate();
        numbered.try_for_each(|(number, mv)| visit(mv.left.places(), &|| named(index, number, mv)))
    }
}

impl Ranking<Place> for Own {
    fn ranked(&self, places: &[Place]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [place] = places else { return Ok(None) };
        let game = ranks::RankedOwn::new(&self.0, place)?;
        Ok(game.map(|game| Arc::new(game) as Arc<dyn RankedGame>))
    }
}

impl ForeignParts<Place> for Own {
    /// A finished value is written as the game that it is.
    fn read_as(&self, read: &[Arc<dyn AnyTerm>]) -> Option<Place> {
        match parts_of::<Written>(read)? {
            [game] => Some(Place::Game(self.finished(game))),
            _ => None,
        }
    }
}

impl Captions<Place> for Own {
    fn caption(&self, place: &Place) -> String {
        place.to_string()
    }
}

/// The name of a move: the label, or where it goes.
fn named(index: usize, number: usize, mv: &OwnMove) -> Move {
    let at = if index == 0 {
        vec![number as u64]
    } else {
        vec![index as u64, number as u64]
    };
    if let Some(label) = &mv.label {
        return Move::new(at, Step::new("own_move").with("label", &**label));
    }
    let texts: Vec<String> = mv.left.places().iter().map(Place::to_string).collect();
    let to = match texts.as_slice() {
        [] => "0".to_owned(),
        texts => texts.join(" + "),
    };
    Move::new(at, Step::new("own_go_to").with("to", to))
}
