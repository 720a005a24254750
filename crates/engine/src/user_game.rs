//! Rulesets of user-defined games. Such a game is a type that implements [`Game`] or
//! [`PartizanGame`].

use std::any::TypeId;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use grundy_base::limits::{Flow, Stop};
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_graphs::game::{Game, PartizanGame};
use rustc_hash::FxHashSet;

use crate::nature::{Ends, Nature};
use crate::position::{Position, Term};
use crate::rules::{Capabilities, Captions, Payoffs, Ruleset, Termination, TextStyle, Visit};

impl Position {
    /// Returns a position of a user-defined impartial game.
    ///
    /// If the type `G` has no fields, all its values are the same game, and a solver shares cached
    /// results between their positions. If it has fields, every call creates a separate game. To
    /// create several positions of one game, use [`Position::of_shared`].
    ///
    /// ```
    /// use grundy_core::{Game, Limits, Play, Position, Solver};
    ///
    /// /// Take 1, 3 or 4 chips.
    /// struct Take;
    ///
    /// impl Game for Take {
    ///     type Position = u32;
    ///
    ///     fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
    ///         [1, 3, 4].into_iter().filter_map(move |k| n.checked_sub(k))
    ///     }
    /// }
    ///
    /// let mut solver = Solver::default();
    /// let values = (0..10).map(|n| solver.grundy(&Position::of(Take, n), &Limits::default()));
    /// assert_eq!(values.collect::<Result<Vec<_>, _>>()?, [0, 1, 0, 1, 2, 3, 2, 0, 1, 0]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn of<G: Game>(game: G, position: G::Position) -> Self {
        Self::of_shared(&Arc::new(game), position)
    }

    /// Returns a position of a user-defined impartial game. Positions with the same `Arc` belong to
    /// the same game.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use grundy_core::{Game, Limits, Position, Solver};
    ///
    /// /// Take a number of chips from the list.
    /// struct Take(Vec<u32>);
    ///
    /// impl Game for Take {
    ///     type Position = u32;
    ///
    ///     fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
    ///         self.0.iter().filter_map(move |&k| n.checked_sub(k))
    ///     }
    /// }
    ///
    /// let game = Arc::new(Take(vec![1, 2]));
    /// let heaps = [4, 8].map(|n| Position::of_shared(&game, n));
    /// let sum = Position::sum(heaps.iter().flat_map(Position::terms).cloned().collect())?;
    /// assert_eq!(Solver::default().grundy(&sum, &Limits::default())?, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_shared<G: Game>(game: &Arc<G>, position: G::Position) -> Self {
        UserRules::position(Impartial(Arc::clone(game)), position)
    }

    /// Returns a position of a user-defined partizan game. As in [`Position::of`], every call
    /// creates a separate game if the type `G` has fields. To create several positions of one game,
    /// use [`Position::of_partizan_shared`].
    ///
    /// ```
    /// use grundy_core::{Limits, OutcomeClass, PartizanGame, Play, Position, Solver};
    ///
    /// /// Left takes one chip, and Right takes two.
    /// struct OneOrTwo;
    ///
    /// impl PartizanGame for OneOrTwo {
    ///     type Position = u32;
    ///
    ///     fn left(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(1)
    ///     }
    ///
    ///     fn right(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(2)
    ///     }
    /// }
    ///
    /// let heap = Position::of_partizan(OneOrTwo, 2);
    /// let solution = Solver::default().solve(&heap, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::N);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn of_partizan<G: PartizanGame>(game: G, position: G::Position) -> Self {
        Self::of_partizan_shared(&Arc::new(game), position)
    }

    /// Returns a position of a user-defined partizan game. Positions with the same `Arc` belong to
    /// the same game.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use grundy_core::{Limits, OutcomeClass, PartizanGame, Play, Position, Solver};
    ///
    /// /// Each player takes a fixed number of chips.
    /// struct Take([u32; 2]);
    ///
    /// impl PartizanGame for Take {
    ///     type Position = u32;
    ///
    ///     fn left(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(self.0[0])
    ///     }
    ///
    ///     fn right(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(self.0[1])
    ///     }
    /// }
    ///
    /// let game = Arc::new(Take([1, 2]));
    /// let heap = |n| Position::of_partizan_shared(&game, n);
    /// // A heap of two chips has the value {1 | 0}, and two of them have the value 1.
    /// let sum = Position::sum([heap(2).terms(), heap(2).terms()].concat())?;
    /// let solution = Solver::default().solve(&sum, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::L);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_partizan_shared<G: PartizanGame>(game: &Arc<G>, position: G::Position) -> Self {
        let rules = Partizan {
            game: Arc::clone(game),
            exchanged: false,
        };
        UserRules::position(rules, position)
    }
}

/// The methods that the ruleset of a user-defined game needs. They are the same for impartial and
/// partizan games.
trait Rules: Clone + Eq + Hash + Send + Sync + 'static {
    type Position: Clone + fmt::Debug + Eq + Hash + Send + Sync + 'static;

    const HAS_TERMINAL_VALUES: bool;

    fn name(&self) -> &'static str;
    fn nature(&self) -> Nature;
    fn options(&self, player: Player, position: &Self::Position) -> Vec<Self::Position>;
    fn describe(&self, position: &Self::Position) -> String;
    fn name_move(&self, from: &Self::Position, to: &Self::Position) -> Option<String>;
    fn components(&self, position: &Self::Position) -> Vec<Self::Position>;
    /// Returns the first option of a player, without computing the others.
    fn first_option(&self, player: Player, position: &Self::Position) -> Option<Self::Position>;

    fn terminal_value(&self, position: &Self::Position) -> Option<PayoffResult>;
    /// Returns the rules with the players exchanged.
    fn exchanged(&self) -> Self;
    fn is_exchanged(&self) -> bool;
}

/// Returns whether two values are the same game. All values of a type without fields are the same
/// game.
fn same<G>(one: &Arc<G>, other: &Arc<G>) -> bool {
    size_of::<G>() == 0 || Arc::ptr_eq(one, other)
}

struct Impartial<G>(Arc<G>);

impl<G> Clone for Impartial<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<G> PartialEq for Impartial<G> {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0)
    }
}

impl<G> Eq for Impartial<G> {}

impl<G: 'static> Hash for Impartial<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The type of a game need not be hashable. Different games of one type have equal hashes,
        // and `eq` distinguishes them.
        TypeId::of::<G>().hash(state);
    }
}

impl<G: Game> Rules for Impartial<G> {
    type Position = G::Position;

    const HAS_TERMINAL_VALUES: bool = G::HAS_TERMINAL_VALUES;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    fn options(&self, _: Player, position: &G::Position) -> Vec<G::Position> {
        self.0.options(position).into_iter().collect()
    }

    fn describe(&self, position: &G::Position) -> String {
        self.0.describe(position)
    }

    fn name_move(&self, from: &G::Position, to: &G::Position) -> Option<String> {
        self.0.name_move(from, to)
    }

    fn components(&self, position: &G::Position) -> Vec<G::Position> {
        let components = self.0.components(position).into_iter();
        // Return canonical components, so that components that are equal up to symmetry share
        // cached results.
        components.map(|part| self.0.symmetry(part)).collect()
    }

    fn first_option(&self, _: Player, position: &G::Position) -> Option<G::Position> {
        self.0.options(position).into_iter().next()
    }

    fn terminal_value(&self, position: &G::Position) -> Option<PayoffResult> {
        self.0.terminal_value(position)
    }

    fn exchanged(&self) -> Self {
        self.clone()
    }

    fn is_exchanged(&self) -> bool {
        false
    }
}

struct Partizan<G> {
    game: Arc<G>,
    /// `true` if the moves of Left and Right are exchanged.
    exchanged: bool,
}

impl<G> Clone for Partizan<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            exchanged: self.exchanged,
        }
    }
}

impl<G> PartialEq for Partizan<G> {
    fn eq(&self, other: &Self) -> bool {
        self.exchanged == other.exchanged && same(&self.game, &other.game)
    }
}

impl<G> Eq for Partizan<G> {}

impl<G: 'static> Hash for Partizan<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (TypeId::of::<G>(), self.exchanged).hash(state);
    }
}

impl<G: PartizanGame> Rules for Partizan<G> {
    type Position = G::Position;

    const HAS_TERMINAL_VALUES: bool = G::HAS_TERMINAL_VALUES;

    fn name(&self) -> &'static str {
        self.game.name()
    }

    fn nature(&self) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, position: &G::Position) -> Vec<G::Position> {
        if (player == Player::Left) == self.exchanged {
            self.game.right(position).into_iter().collect()
        } else {
            self.game.left(position).into_iter().collect()
        }
    }

    fn describe(&self, position: &G::Position) -> String {
        self.game.describe(position)
    }

    fn name_move(&self, from: &G::Position, to: &G::Position) -> Option<String> {
        self.game.name_move(from, to)
    }

    fn components(&self, position: &G::Position) -> Vec<G::Position> {
        let components = self.game.components(position).into_iter();
        components.map(|part| self.game.symmetry(part)).collect()
    }

    fn first_option(&self, player: Player, position: &G::Position) -> Option<G::Position> {
        if (player == Player::Left) == self.exchanged {
            self.game.right(position).into_iter().next()
        } else {
            self.game.left(position).into_iter().next()
        }
    }

    fn terminal_value(&self, position: &G::Position) -> Option<PayoffResult> {
        self.game.terminal_value(position)
    }

    fn exchanged(&self) -> Self {
        Self {
            exchanged: !self.exchanged,
            ..self.clone()
        }
    }

    fn is_exchanged(&self) -> bool {
        self.exchanged
    }
}

/// The ruleset of a user-defined game.
#[derive(Clone, PartialEq, Eq, Hash)]
struct UserRules<R> {
    rules: R,
    /// `true` if the result is given by the terminal values, and not by the last move.
    has_payoffs: bool,
}

impl<R: Rules> fmt::Debug for UserRules<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UserRules")
            .field(&self.rules.name())
            .finish()
    }
}

/// Number of moves of the play that shows whether a game has terminal values.
const PLAY_LENGTH: u32 = 100;

impl<R: Rules> UserRules<R> {
    fn position(rules: R, position: R::Position) -> Position {
        let has_payoffs = R::HAS_TERMINAL_VALUES || first_play_has_value(&rules, &position);
        Position::from(Term::new(Self { rules, has_payoffs }, vec![position]))
    }
}

/// Returns whether the play in which both players choose their first option ends with a terminal
/// value. Left begins. A play that is too long counts as one without a terminal value.
fn first_play_has_value<R: Rules>(rules: &R, start: &R::Position) -> bool {
    let play = AssertUnwindSafe(|| {
        let mut position = start.clone();
        for turn in 0..PLAY_LENGTH {
            let player = if turn % 2 == 0 {
                Player::Left
            } else {
                Player::Right
            };
            match rules.first_option(player, &position) {
                Some(to) => position = to,
                None => return rules.terminal_value(&position).is_some(),
            }
        }
        false
    });
    // If the rules panic, the panic is reported when the position is solved.
    catch_unwind(play).unwrap_or(false)
}

impl<R: Rules> Ruleset for UserRules<R> {
    type Part = R::Position;

    fn name(&self) -> &'static str {
        self.rules.name()
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, R::Position> {
        Capabilities {
            payoffs: Some(self),
            captions: Some(self),
            // It is not proved that every play of this game ends, so the solvers must detect
            // repeated positions.
            termination: Termination::Unproved,
            text: TextStyle {
                sum: true,
                ..TextStyle::default()
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &R::Position) -> Nature {
        let ends = if self.has_payoffs {
            Ends::Payoff
        } else {
            Ends::LastMove
        };
        Nature {
            ends,
            ..self.rules.nature()
        }
    }

    fn options(
        &self,
        player: Player,
        index: usize,
        part: &R::Position,
        visit: Visit<'_, R::Position>,
    ) -> Flow {
        let options = self.rules.options(player, part);
        if options.is_empty() && !self.has_payoffs {
            assert!(
                self.rules.terminal_value(part).is_none(),
                "the position {} has a terminal value, but the first play of the game found none: set HAS_TERMINAL_VALUES to true",
                self.rules.describe(part)
            );
        }
        // Several moves to the same position count as one move, which gets the name of the first.
        let mut visited = FxHashSet::default();
        options.iter().enumerate().try_for_each(|(number, to)| {
            if !visited.insert(to) {
                return ControlFlow::Continue(());
            }
            visit(std::slice::from_ref(to), &|| {
                let at = [index as u64, number as u64];
                // Most positions have a single part. So the index of the part is omitted for a move
                // in the first part.
                let at = if index == 0 { &at[1..] } else { &at[..] };
                let action = match self.rules.name_move(part, to) {
                    Some(label) => Step::new("own_move").with("label", label),
                    None => Step::new("own_go_to").with("to", self.rules.describe(to)),
                };
                Move::new(at.to_vec(), action)
            })
        })
    }

    fn exchanged(&self) -> Option<Self> {
        // A game with terminal values cannot be part of a sum, so it needs no negative.
        (!self.has_payoffs).then(|| Self {
            rules: self.rules.exchanged(),
            has_payoffs: false,
        })
    }

    fn write(&self, parts: &[R::Position]) -> String {
        let sign = if self.rules.is_exchanged() { "-" } else { "" };
        let name = self.rules.name();
        let parts = parts.iter().map(|part| self.rules.describe(part));
        let texts: Vec<String> = parts.map(|part| format!("{sign}{name}({part})")).collect();
        if texts.is_empty() {
            return "sum_of([])".to_owned();
        }
        texts.join(" + ")
    }

    fn components(&self, part: &R::Position, visit: &mut dyn FnMut(R::Position)) {
        self.rules.components(part).into_iter().for_each(visit);
    }
}

impl<R: Rules> Payoffs<R::Position> for UserRules<R> {
    fn payoff(&self, part: &R::Position, _: Player) -> Result<PayoffResult, Stop> {
        // A player who cannot move loses, unless the rules give another result.
        Ok(self
            .rules
            .terminal_value(part)
            .unwrap_or(PayoffResult::Lose))
    }
}

impl<R: Rules> Captions<R::Position> for UserRules<R> {
    fn caption(&self, part: &R::Position) -> String {
        self.rules.describe(part)
    }
}
