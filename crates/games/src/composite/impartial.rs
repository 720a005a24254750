//! The impartial version of any game: `impartial(G)`.
//!
//! Rules. Both players may make every move that either player has in G. A move that both players
//! have in G counts once. The value of `impartial(G)` depends on the form of G, not only on the
//! value of G: `impartial(literal("1"))` is a heap of 1, and dominated moves remain. If a position
//! of G splits into components, it also splits in this game, since only the moves matter. For the
//! same reason, positions of G that are equal up to symmetry are equal in this game.
//!
//! No theorem is known. Values come from search.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;
use rustc_hash::FxHashSet;

use crate::argument::{Argument, Arguments, type_error};
use crate::boards::cram::Cram;
use crate::kit::board::Board;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Beginner, Ends, Moves};
use grundy_engine::rules::{
    Capabilities, Captions, EveryOption, MemoryUse, Pictures, Ruleset, Termination, Visit,
};

/// The rules under which each player has the moves of both players in G. A part is a component of
/// G.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Impartial;

/// Approximate overhead of a memory allocation, in bytes.
const ALLOCATION: usize = 32;

/// A component of a game with arbitrary rules.
#[derive(Clone, Debug)]
pub struct AnyPart(pub Arc<dyn AnyTerm>);

impl PartialEq for AnyPart {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&*other.0)
    }
}

impl Eq for AnyPart {}

impl Hash for AnyPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

/// Reads `impartial(G)`.
///
/// A game that is already impartial is returned unchanged. The game `impartial(domineering(board))`
/// is `cram(board)`.
///
/// # Errors
/// Anything but one game in which the last move decides and either player may begin.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Position, registry, ruleset::impartial};
/// let board = registry::construct("domineering", &[(None, Argument::Board(2, 3))])?;
/// let items = [(None, Argument::Game(Position::from(board)))];
/// let cram = Position::from(impartial::construct(&Arguments { items: &items })?);
/// assert_eq!(cram.to_string(), r#"cram(["...", "..."])"#);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((index, game))] = arguments.bind(["G"], 1)? else {
        unreachable!("bind has seen to it that the game is there");
    };
    let Argument::Game(position) = game else {
        return Err(type_error(&message!("a game"), game, &[index]));
    };
    let Some(term) = position.only_term() else {
        let message = message!("expected one game, found a sum");
        return Err(Diagnostic::new(Kind::Type, message)
            .at([index])
            .help(message!(
                "write impartial(G) + impartial(H), which has the same moves as impartial(G + H)"
            )));
    };
    let nature = term.nature();
    if nature.ends == Ends::Payoff
        || nature.moves == Moves::Partizan && nature.beginner != Beginner::Either
    {
        let message =
            message!("expected a game in which the last move decides and either player may begin");
        return Err(Diagnostic::illegal(message).at([index]));
    }
    if nature.is_impartial() {
        return Ok(Arc::clone(term));
    }
    // The game is Cram, which has a symmetry theorem and a search specialized to its boards.
    if term.name() == "domineering"
        && let Some(boards) = term.any_parts().downcast_ref::<Vec<Board>>()
    {
        return Ok(Term::new(Cram, boards.clone()).into());
    }
    let parts = term.parts().into_iter().map(AnyPart).collect();
    Ok(Term::new(Impartial, parts).into())
}

impl Ruleset for Impartial {
    type Part = AnyPart;

    fn name(&self) -> &'static str {
        "impartial"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, AnyPart> {
        Capabilities {
            every_option: Some(self),
            // A loop of G is also a loop of this game, and custom rules may have loops.
            termination: Termination::Unproved,
            captions: Some(self),
            pictures: Some(self),
            memory_use: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, index: usize, part: &AnyPart, visit: Visit<'_, AnyPart>) -> Flow {
        // A move that both players have is one option, and so are two moves to equal positions.
        let mut seen: FxHashSet<Vec<AnyPart>> = FxHashSet::default();
        self.every_option(Player::Left, index, part, &mut |left, name| {
            if seen.insert(left.to_vec()) {
                visit(left, name)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    fn components(&self, part: &AnyPart, visit: &mut dyn FnMut(AnyPart)) {
        part.0
            .components(&mut |component| visit(AnyPart(component)));
    }

    fn write(&self, parts: &[AnyPart]) -> String {
        // Parts of one game are joined into one term again, so that the text contains only one
        // `impartial`.
        let joined_term = parts.split_first().and_then(|(first, rest)| {
            first
                .0
                .joined(&rest.iter().map(|part| &*part.0).collect::<Vec<_>>())
        });
        match joined_term {
            Some(whole) => format!("impartial({})", whole.text()),
            None => "impartial(nim())".to_owned(),
        }
    }
}

impl EveryOption<AnyPart> for Impartial {
    fn every_option(
        &self,
        _: Player,
        index: usize,
        part: &AnyPart,
        visit: Visit<'_, AnyPart>,
    ) -> Flow {
        // Left's moves come first, so a move that both players have gets the name of Left's move.
        Player::BOTH.into_iter().try_for_each(|player| {
            part.0.moves_as(player, index, &mut |name, to| {
                let left: Vec<AnyPart> = to().parts().into_iter().map(AnyPart).collect();
                visit(&left, name)
            })
        })
    }
}

impl Captions<AnyPart> for Impartial {
    fn caption(&self, part: &AnyPart) -> String {
        part.0.caption()
    }
}

impl Pictures<AnyPart> for Impartial {
    fn picture(&self, parts: &[AnyPart]) -> Picture {
        match parts {
            [only] => only.0.picture(),
            _ => Picture::Text(self.write(parts)),
        }
    }
}

impl MemoryUse<AnyPart> for Impartial {
    fn bytes(&self, parts: &[AnyPart]) -> usize {
        // The term and its list of parts are separate allocations.
        let own = |term: &dyn AnyTerm| size_of_val(term) + 2 * ALLOCATION + term.bytes();
        parts.iter().map(|part| own(&*part.0)).sum()
    }
}
