//! Games of one's own: rules given at run time by whoever can answer "which positions are one move away".
//!
//! A [`Rules`] object answers for positions of a single type, [`Place`]; a rule file, or a callable of another
//! language, stands behind it. [`Own`] makes a ruleset of it, so that sums, misère play, tables, search and play
//! work as for any other game; [`OwnPartizan`] does the same where Left and Right have different moves, and [`OwnTies`]
//! where the end may be a tie.

mod impartial;
mod partizan;
mod place;
mod ties;

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use impartial::Own;
pub use partizan::OwnPartizan;
pub use place::Place;
pub use ties::OwnTies;

use crate::step::{Move, Step};
use crate::ties::Value;

/// Whose moves are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// Either player's: an impartial game.
    Either,
    /// Left's.
    Left,
    /// Right's.
    Right,
}

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
pub struct Choice {
    /// What the rules call it.
    pub label: Option<Arc<str>>,
    /// What it leaves.
    pub left: Left,
}

/// The rules could not answer. They remember why, for whoever made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// The rules of a game of one's own. The same question must get the same answer each time.
pub trait Rules: Debug + Send + Sync + 'static {
    /// How the rules are called in the notation: the first argument of `game(...)`.
    fn name(&self) -> &str;

    /// Appends every option of `place`.
    ///
    /// # Errors
    /// Rules that have no answer here.
    fn options(&self, mover: Mover, place: &Place, choices: &mut Vec<Choice>)
    -> Result<(), Failed>;

    /// What `place`, which has no option, is worth to the player who would be to move.
    ///
    /// # Errors
    /// Rules that have no answer here.
    fn verdict(&self, place: &Place) -> Result<Value, Failed> {
        let _ = place;
        Ok(Value::Lose)
    }
}

/// `game(name, place)` for every part.
fn write(name: &str, parts: &[Place]) -> String {
    if parts.is_empty() {
        return "sum_of([])".to_owned();
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|place| format!("game({name}, {place})"))
        .collect();
    texts.join(" + ")
}

/// Visits the options of a part. Where the rules fail this breaks, although `visit` did not.
fn visit_options(
    rules: &dyn Rules,
    mover: Mover,
    (index, place): (usize, &Place),
    visit: &mut dyn FnMut(&[Place], &dyn Fn() -> Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // All of them first: `visit` may ask the same rules again.
    let mut choices = Vec::new();
    if rules.options(mover, place, &mut choices).is_err() {
        return ControlFlow::Break(());
    }
    choices.iter().enumerate().try_for_each(|(number, choice)| {
        visit(choice.left.places(), &|| named(index, number, choice))
    })
}

/// The name of a move: the label, or where it goes.
fn named(index: usize, number: usize, choice: &Choice) -> Move {
    let at = if index == 0 {
        vec![number as u64]
    } else {
        vec![index as u64, number as u64]
    };
    if let Some(label) = &choice.label {
        return Move::new(at, Step::new("own_move").with("label", &**label));
    }
    let texts: Vec<String> = choice.left.places().iter().map(Place::to_string).collect();
    let to = match texts.as_slice() {
        [] => "0".to_owned(),
        texts => texts.join(" + "),
    };
    Move::new(at, Step::new("own_go_to").with("to", to))
}
