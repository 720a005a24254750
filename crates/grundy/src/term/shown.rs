//! How a term is written, named and drawn.

use super::Term;
use crate::picture::Picture;
use crate::rules::Ruleset;
use crate::step::Step;

/// How a term is written, named and drawn.
pub trait Shown {
    /// Canonical notation.
    fn text(&self) -> String;
    /// Whether it is written as a sum of its parts.
    fn written_as_sum(&self) -> bool;
    /// Whether the first number of `at` says which of several games inside is moved in.
    fn at_begins_with_the_part(&self) -> bool;
    /// A short name within its game.
    fn caption(&self) -> String;
    /// The names of the players, where they have others than usual.
    fn players(&self) -> Option<[&'static str; 2]>;
    /// What the term looks like.
    fn picture(&self) -> Picture;
    /// What has to be said before anything else.
    fn remarks(&self) -> Vec<Step>;
    /// About how many bytes the term holds in memory.
    fn held(&self) -> usize;
}

impl<R: Ruleset> Shown for Term<R> {
    fn text(&self) -> String {
        self.rules.show().write(&self.parts)
    }

    fn written_as_sum(&self) -> bool {
        self.rules.show().written_as_sum()
    }

    fn at_begins_with_the_part(&self) -> bool {
        self.rules.show().at_begins_with_the_part()
    }

    fn caption(&self) -> String {
        match &self.parts[..] {
            [part] => self.rules.show().caption(part),
            _ => self.text(),
        }
    }

    fn players(&self) -> Option<[&'static str; 2]> {
        self.rules.show().players()
    }

    fn picture(&self) -> Picture {
        self.rules.show().picture(&self.parts)
    }

    fn remarks(&self) -> Vec<Step> {
        self.rules.show().remarks(&self.parts)
    }

    fn held(&self) -> usize {
        self.rules.show().held(&self.parts)
    }
}
