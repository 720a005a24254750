//! A solved position.

use crate::answer::{SolutionView, Written};
use crate::phrase;
use crate::{Audience, plain};
use grundy::solve::Status;
use grundy::{Play, Position, Solution};

use crate::report::{AnySerialize, Report, Words};

/// A position and what was found out about it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The position.
    pub position: Position,
    /// Normal or misère play.
    pub play: Play,
    /// Who wins, with what value, by which moves.
    pub solution: Solution,
    /// The genus, where it was asked for; nothing inside where a limit withholds it.
    pub genus: Option<Written>,
}

impl Solved {
    /// Returns the solution as it is printed.
    #[must_use]
    pub fn view(&self) -> SolutionView {
        let mut view = SolutionView::new(&self.position, self.play, &self.solution);
        view.genus.clone_from(&self.genus);
        view
    }
}

impl Report for Solved {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(Self::view(self))
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let genus = self
            .genus
            .clone()
            .map(|Written(genus)| genus.unwrap_or_else(|| phrase("genus_withheld", language)));
        plain::solution(&self.position, self.play, &self.solution, genus, language)
    }

    fn is_partial(&self) -> bool {
        let withheld = self.genus == Some(Written(None));
        self.solution.status == Status::Partial || !self.solution.moves_complete || withheld
    }
}
