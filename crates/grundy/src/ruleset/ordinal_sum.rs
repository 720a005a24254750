//! One game on top of another: `ordinal_sum(G, H)`.
//!
//! Rules. A player moves in G or in H, and a move in G ends H: {G^L, G:H^L | G^R, G:H^R}. An edge of Hackenbush with a picture on its
//! top is such a sum. The form of G counts and not its value: {*|*} is 0, and {*|*}:3 is no 3. Of H the value is enough (J. H. Conway,
//! On Numbers and Games, 1976, chapter 15; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 7).
//!
//! Once a move has been made in G the game goes on as that alone, and is written so.

use std::sync::Arc;

use grundy_base::message;

use super::impartial::AnyPart;
use super::{Knowledge, Nature, Ruleset, Show, Theorem, Visit};
use crate::argument::{Argument, Arguments, wrong_type};
use crate::limits::Flow;
use crate::player::Player;
use crate::position::{AnyTerm, Position, Term};
use crate::rules::{Beginner, Ends, Moves};
use crate::step::Move;
use crate::{Diagnostic, Kind};

/// The value of an ordinal sum.
pub const ORDINAL: Theorem = Theorem {
    method: "ordinal sum",
    name: "the value of an ordinal sum",
    statement: "G:H = {G^L, G:H^L | G^R, G:H^R} depends on the options of G and on the value of H, whatever the form of H",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// The same for impartial games.
pub const MISSING: Theorem = Theorem {
    method: "ordinal sum of nimbers",
    name: "the value of an ordinal sum of impartial games",
    statement: "if H is worth *h, G:H is worth the number after the h least ones that no option of G is worth",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// Ordinal sums inside one another, at most.
const DEEP: u32 = 40;

/// The rules of ordinal sums; a part is one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OrdinalSum;

/// A game, and what stands on top of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stacked {
    base: Position,
    top: Position,
    /// Whether the players have own moves in the sum that this is part of: all parts of it are of one kind.
    own: bool,
    /// Ordinal sums inside one another here.
    depth: u32,
}

/// Reads `ordinal_sum(G, H)`.
///
/// # Errors
/// Anything but two games in which the last move decides and either player may begin.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some(base), Some(top)] = arguments.bind(["G", "H"], 2)? else {
        unreachable!("bind has seen to it that both games are there");
    };
    let game = |(place, game): (usize, &Argument)| {
        let Argument::Game(position) = game else {
            return Err(wrong_type(&message!("a game"), game, &[place]));
        };
        let nature = position.nature();
        let fixed = nature.moves == Moves::Own && nature.beginner != Beginner::Either;
        if nature.ends == Ends::Payoff || fixed {
            let message = message!(
                "a game in which the last move decides and either player may begin is expected here"
            );
            return Err(Diagnostic::illegal(message).at([place]));
        }
        let depth = 1 + depth(position);
        if depth > DEEP {
            let message = message!(
                "at most {most} ordinal sums may stand inside one another",
                most = DEEP
            );
            return Err(Diagnostic::new(Kind::Range, message).at([place]));
        }
        Ok((position.clone(), depth))
    };
    let ((base, below), (top, above)) = (game(base)?, game(top)?);
    let own = [&base, &top].map(|game| game.nature().moves == Moves::Own);
    let part = Stacked {
        base,
        top,
        own: own != [false, false],
        depth: below.max(above),
    };
    Ok(Term::new(OrdinalSum, vec![part]).into())
}

/// How many ordinal sums stand inside one another in a position.
fn depth(position: &Position) -> u32 {
    let depths = position.terms().iter().map(|term| {
        let parts = term.any_parts();
        if let Some(sums) = parts.downcast_ref::<Vec<Stacked>>() {
            return sums.iter().map(|sum| sum.depth).max().unwrap_or(0);
        }
        // `impartial` stands in itself nowhere, so this goes one step down.
        let inside = parts.downcast_ref::<Vec<AnyPart>>().into_iter().flatten();
        let inside = inside.map(|part| depth(&Arc::clone(&part.0).into()));
        inside.max().unwrap_or(0)
    });
    depths.max().unwrap_or(0)
}

impl Stacked {
    /// What is left when a move in the base has led to `base`: the game goes on as that.
    fn ended(&self, base: Position) -> Self {
        Self {
            base,
            top: Position::default(),
            ..*self
        }
    }

    fn with_top(&self, top: Position) -> Self {
        Self {
            base: self.base.clone(),
            top,
            ..*self
        }
    }

    /// Whether nothing stands on top.
    fn is_bare(&self) -> bool {
        self.top.terms().is_empty()
    }
}

/// The canonical components of a position.
fn components(position: &Position) -> Vec<Arc<dyn AnyTerm>> {
    let mut components = Vec::new();
    for term in position.terms() {
        term.components(&mut |component| components.push(component));
    }
    components
}

/// Whether neither player has a move; rules that have no answer will say so when they are asked for their moves.
fn is_over(position: &Position) -> bool {
    let stuck = |player| matches!(position.has_move(player), Ok(false));
    Player::BOTH.into_iter().all(stuck)
}

/// `at` of a move in the base or on top: which of the two, the term where that has several, and what it is there.
fn named(name: Move, on_top: bool, inside: &Position, term: usize) -> Move {
    let mut at = vec![u64::from(on_top)];
    if inside.terms().len() > 1 {
        at.push(term as u64);
    }
    at.extend(name.at);
    Move::new(at, name.action)
}

/// All moves of a player, by what lists those of the games inside.
fn visit_moves(
    part: &Stacked,
    visit: Visit<'_, Stacked>,
    mut moves: impl FnMut(
        &Position,
        &mut dyn FnMut(usize, &dyn Fn() -> Move, &dyn Fn() -> Position) -> Flow,
    ) -> Flow,
) -> Flow {
    moves(&part.base, &mut |term, name, to| {
        visit(&[part.ended(to())], &|| {
            let name = name();
            if part.is_bare() {
                // The rest of a game is played as it is.
                return bare(name, &part.base, term);
            }
            named(name, false, &part.base, term)
        })
    })?;
    moves(&part.top, &mut |term, name, to| {
        visit(&[part.with_top(to())], &|| {
            named(name(), true, &part.top, term)
        })
    })
}

/// A move where nothing stands on top any more.
fn bare(name: Move, inside: &Position, term: usize) -> Move {
    if inside.terms().len() == 1 {
        return name;
    }
    let mut at = vec![term as u64];
    at.extend(name.at);
    Move::new(at, name.action)
}

impl Ruleset for OrdinalSum {
    type Part = Stacked;

    fn name(&self) -> &'static str {
        "ordinal_sum"
    }

    fn show(&self) -> &dyn Show<Stacked> {
        self
    }

    fn knowledge(&self) -> &dyn Knowledge<Stacked> {
        self
    }

    fn nature(&self, part: &Stacked) -> Nature {
        if part.own {
            Nature::PARTIZAN
        } else {
            Nature::IMPARTIAL
        }
    }

    fn options(&self, player: Player, _: usize, part: &Stacked, visit: Visit<'_, Stacked>) -> Flow {
        visit_moves(part, visit, |inside, visit| inside.moves(player, visit))
    }

    fn every_option(
        &self,
        player: Player,
        _: usize,
        part: &Stacked,
        visit: Visit<'_, Stacked>,
    ) -> Flow {
        visit_moves(part, visit, |inside, visit| {
            inside.every_move(player, visit)
        })
    }

    fn components(&self, part: &Stacked, visit: &mut dyn FnMut(Stacked)) {
        let (base, top) = (components(&part.base), components(&part.top));
        // What stands on a game without moves is there alone, and a game with nothing on its top falls apart as it does.
        let alone = if part.is_bare() || is_over(&part.top) {
            base
        } else if is_over(&part.base) {
            top
        } else {
            return visit(Stacked {
                base: Position::of(base),
                top: Position::of(top),
                ..*part
            });
        };
        for component in alone {
            visit(part.ended(component.into()));
        }
    }
}

impl Knowledge<Stacked> for OrdinalSum {
    fn ordinal<'a>(&self, part: &'a Stacked) -> Option<[&'a Position; 2]> {
        Some([&part.base, &part.top])
    }

    fn negative(&self, part: &Stacked) -> Option<Stacked> {
        Some(Stacked {
            base: part.base.negated().ok()?,
            top: part.top.negated().ok()?,
            ..*part
        })
    }

    /// The games inside may have loops.
    fn known_to_end(&self) -> bool {
        false
    }
}

impl Show<Stacked> for OrdinalSum {
    fn write(&self, parts: &[Stacked]) -> String {
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

    fn written_as_sum(&self) -> bool {
        true
    }

    fn at_begins_with_the_part(&self, parts: &[Stacked]) -> bool {
        matches!(parts, [only] if !only.is_bare() || only.base.terms().len() > 1)
    }

    fn held(&self, parts: &[Stacked]) -> usize {
        let all = parts.iter().flat_map(|part| [&part.base, &part.top]);
        let terms = all.flat_map(Position::terms);
        terms.map(|term| term.held()).sum()
    }
}
