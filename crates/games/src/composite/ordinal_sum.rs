//! Ordinal sums: `ordinal_sum(G, H)`.
//!
//! Rules. G is the base and H is on top of it. A player moves in G or in H, and a move in G removes
//! H: G:H = {G^L, G:H^L | G^R, G:H^R}. An edge of Hackenbush with a picture on top of it is such a
//! sum. The value of G:H depends on the form of G: {*|*} is 0, but {*|*}:3 is not 3. The form of H
//! does not matter, only its value (J. H. Conway, On Numbers and Games, 1976, chapter 15; E. R.
//! Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 7).
//!
//! After a move in G, play continues in the option of G alone. Each term of this option becomes a
//! part without a top, which is written in the notation of the term. A term that is itself an
//! ordinal sum contributes its own parts.

use std::sync::Arc;

use grundy_base::message;

use super::impartial::AnyPart;
use crate::argument::{Argument, Arguments, type_error};
use grundy_base::limits::Flow;
use grundy_base::player::Player;
use grundy_base::step::Move;
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Position, Term, VisitMove};
use grundy_engine::rules::{Beginner, Ends, Moves};
use grundy_engine::rules::{
    Capabilities, EveryOption, ForeignParts, MemoryUse, Nature, Negation, Operands, Ruleset,
    Termination, TextStyle, Visit,
};

/// Maximal nesting depth of ordinal sums.
const MAX_DEPTH: u32 = 40;

/// The rules of ordinal sums. A part is one ordinal sum.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OrdinalSum {
    /// `true` if G or H is partizan. All positions that arise from G:H then count as partizan.
    partizan: bool,
}

/// The ordinal sum of `base` and `top`. If `top` is empty, the sum is equal to `base`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumPart {
    base: Position,
    top: Position,
}

/// Reads `ordinal_sum(G, H)`.
///
/// # Errors
/// Anything but two games in which the last move decides and either player may begin.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::ruleset::{nim::Nim, ordinal_sum};
/// use grundy_core::{Limits, Position, Solver, Term};
/// let heap = |n| (None, Argument::Game(Position::from(Term::new(Nim, vec![n]))));
/// let items = [heap(1), heap(2)];
/// let position = Position::from(ordinal_sum::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some(base), Some(top)] = arguments.bind(["G", "H"], 2)? else {
        unreachable!("bind has seen to it that both games are there");
    };
    let game = |(place, game): (usize, &Argument)| {
        let Argument::Game(position) = game else {
            return Err(type_error(&message!("a game"), game, &[place]));
        };
        let nature = position.nature();
        let fixed = nature.moves == Moves::Partizan && nature.beginner != Beginner::Either;
        if nature.ends == Ends::Payoff || fixed {
            let message = message!(
                "expected a game in which the last move decides and either player may begin"
            );
            return Err(Diagnostic::illegal(message).at([place]));
        }
        // Hashing, comparing and writing recurse through nested sums, so the depth is bounded here.
        if depth(position) >= MAX_DEPTH {
            let message = message!(
                "ordinal sums may be nested at most {most} deep",
                most = MAX_DEPTH
            );
            return Err(Diagnostic::new(Kind::Range, message).at([place]));
        }
        Ok(position.clone())
    };
    let (base, top) = (game(base)?, game(top)?);
    let partizan = [&base, &top].map(|game| game.nature().moves == Moves::Partizan);
    let rules = OrdinalSum {
        partizan: partizan != [false, false],
    };
    let parts = if top.terms().is_empty() {
        bare_parts(base.terms())
    } else {
        vec![SumPart { base, top }]
    };
    Ok(Term::new(rules, parts).into())
}

/// Returns the terms of `game` as parts of an ordinal-sum position. A term that is itself an
/// ordinal sum gives its own parts. Any other term gives one part, whose base is the term and whose
/// top is empty.
fn bare_parts(game: &[Arc<dyn AnyTerm>]) -> Vec<SumPart> {
    let mut parts = Vec::new();
    for term in game {
        // The parts of a term that is an ordinal sum itself are added directly instead of nested.
        if let Some(stacked) = term.any_parts().downcast_ref::<Vec<SumPart>>() {
            parts.extend_from_slice(stacked);
        } else {
            parts.push(SumPart {
                base: Arc::clone(term).into(),
                top: Position::default(),
            });
        }
    }
    parts
}

/// Returns the nesting depth of the ordinal sums in a position.
fn depth(position: &Position) -> u32 {
    let depths = position.terms().iter().map(|term| {
        let parts = term.any_parts();
        if let Some(sums) = parts.downcast_ref::<Vec<SumPart>>() {
            let inside = sums.iter().flat_map(|sum| [&sum.base, &sum.top]);
            return 1 + inside.map(depth).max().unwrap_or(0);
        }
        // A part of `impartial` is never `impartial` itself, so this recursion adds only one level.
        let inside = parts.downcast_ref::<Vec<AnyPart>>().into_iter().flatten();
        let inside = inside.map(|part| depth(&Arc::clone(&part.0).into()));
        inside.max().unwrap_or(0)
    });
    depths.max().unwrap_or(0)
}

impl SumPart {
    /// Returns whether the top is empty.
    fn is_bare(&self) -> bool {
        self.top.terms().is_empty()
    }
}

/// Returns the canonical components of a position.
fn components(position: &Position) -> Vec<Arc<dyn AnyTerm>> {
    let mut components = Vec::new();
    for term in position.terms() {
        term.components(&mut |component| components.push(component));
    }
    components
}

/// Returns whether neither player has a move.
///
/// If the rules fail, the result is `false`. The error is reported when the moves are listed.
fn is_over(position: &Position) -> bool {
    let stuck = |player| matches!(position.has_move(player), Ok(false));
    Player::BOTH.into_iter().all(stuck)
}

/// Creates a move from the move `name` inside the base or the top of a part.
///
/// The path begins with the index of the part plus 1, except in the first part. Then, if the part
/// is the first one or has a top, the path contains 0 for the base or 1 for the top. If this base
/// or top has several terms, the index of the term follows. The path inside the term comes last.
fn move_in_part(name: Move, index: usize, part: &SumPart, on_top: bool, term: usize) -> Move {
    let mut at = Vec::new();
    if index > 0 {
        // For the first part, the path begins with 0 or 1, so later parts begin with 2 or more.
        at.push(index as u64 + 1);
    }
    if index == 0 || !part.is_bare() {
        at.push(u64::from(on_top));
    }
    let inside = if on_top { &part.top } else { &part.base };
    if inside.terms().len() > 1 {
        at.push(term as u64);
    }
    at.extend(name.at);
    Move::new(at, name.action)
}

/// Visits all moves in a part. The callback `moves` is called with the base and then with the top.
/// It must visit the moves in the position that is passed to it.
fn visit_moves(
    index: usize,
    part: &SumPart,
    visit: Visit<'_, SumPart>,
    mut moves: impl FnMut(&Position, VisitMove<'_>) -> Flow,
) -> Flow {
    moves(&part.base, &mut |term, name, to| {
        visit(&bare_parts(to().terms()), &|| {
            move_in_part(name(), index, part, false, term)
        })
    })?;
    moves(&part.top, &mut |term, name, to| {
        let stacked = SumPart {
            base: part.base.clone(),
            top: to(),
        };
        visit(&[stacked], &|| {
            move_in_part(name(), index, part, true, term)
        })
    })
}

impl Ruleset for OrdinalSum {
    type Part = SumPart;

    fn name(&self) -> &'static str {
        "ordinal_sum"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, SumPart> {
        Capabilities {
            negation: Some(self),
            operands: Some(self),
            every_option: Some(self),
            foreign_parts: Some(self),
            // The games G and H may have loops.
            termination: Termination::Unproved,
            memory_use: Some(self),
            text: TextStyle {
                sum: true,
                at_begins_with_part: true,
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &SumPart) -> Nature {
        if self.partizan {
            Nature::PARTIZAN
        } else {
            Nature::IMPARTIAL
        }
    }

    fn options(
        &self,
        player: Player,
        index: usize,
        part: &SumPart,
        visit: Visit<'_, SumPart>,
    ) -> Flow {
        visit_moves(index, part, visit, |inside, visit| {
            inside.moves(player, visit)
        })
    }

    fn components(&self, part: &SumPart, visit: &mut dyn FnMut(SumPart)) {
        let (base, top) = (components(&part.base), components(&part.top));
        // If neither player has a move in G, only the moves of H remain, and vice versa. The
        // remaining game splits into its components.
        let remaining = if part.is_bare() || is_over(&part.top) {
            base
        } else if is_over(&part.base) {
            top
        } else {
            return visit(SumPart {
                base: Position::of_terms(base),
                top: Position::of_terms(top),
            });
        };
        bare_parts(&remaining).into_iter().for_each(visit);
    }

    fn write(&self, parts: &[SumPart]) -> String {
        let parts = parts.iter().map(|part| {
            if part.is_bare() {
                part.base.to_string()
            } else {
                format!("ordinal_sum({}, {})", part.base, part.top)
            }
        });
        let texts: Vec<String> = parts.collect();
        if texts.is_empty() {
            return Position::default().to_string();
        }
        texts.join(" + ")
    }
}

impl Negation<SumPart> for OrdinalSum {
    fn negative(&self, part: &SumPart) -> Option<SumPart> {
        Some(SumPart {
            base: part.base.negated().ok()?,
            top: part.top.negated().ok()?,
        })
    }
}

impl Operands<SumPart> for OrdinalSum {
    fn operands<'a>(&self, part: &'a SumPart) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]> {
        Some([part.base.terms(), part.top.terms()])
    }
}

impl EveryOption<SumPart> for OrdinalSum {
    fn every_option(
        &self,
        player: Player,
        index: usize,
        part: &SumPart,
        visit: Visit<'_, SumPart>,
    ) -> Flow {
        visit_moves(index, part, visit, |inside, visit| {
            inside.every_move(player, visit)
        })
    }
}

impl ForeignParts<SumPart> for OrdinalSum {
    /// Returns the part that is written as the terms `read`. Returns `None` if these terms do not
    /// give exactly one part.
    fn read_as(&self, read: &[Arc<dyn AnyTerm>]) -> Option<SumPart> {
        let mut parts = bare_parts(read);
        (parts.len() == 1).then(|| parts.remove(0))
    }
}

impl MemoryUse<SumPart> for OrdinalSum {
    fn bytes(&self, parts: &[SumPart]) -> usize {
        let all = parts.iter().flat_map(|part| [&part.base, &part.top]);
        let terms = all.flat_map(Position::terms);
        terms.map(|term| term.bytes()).sum()
    }
}
