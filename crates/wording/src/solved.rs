//! The report of a solved position.

use crate::answer::{OptionalText, SolutionView};
use crate::phrase;
use crate::{Audience, plain};
use grundy_core::solve::Status;
use grundy_core::{Play, Position, Solution};

use crate::report::{AnySerialize, Report, Words, stopped};

/// A position with its solution, as an answer that can be printed.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The position.
    pub position: Position,
    /// Normal or misère play.
    pub play: Play,
    /// The outcome, the value and the winning moves.
    pub solution: Solution,
    /// The genus, if it was requested. The text is missing if the genus could not be computed
    /// within a limit.
    pub genus: Option<OptionalText>,
}

impl Solved {
    /// Returns the answer as JSON.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver};
    /// use grundy_notation::read_position;
    /// use grundy_wording::solved::Solved;
    /// let (position, play) = (read_position("nim(3, 4, 5)")?, Play::Normal);
    /// let solution = Solver::default().solve(&position, play, &Limits::default())?;
    /// let solved = Solved { position, play, solution, genus: None };
    /// assert_eq!(serde_json::to_value(solved.view())?["grundy"], 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> SolutionView {
        let mut view = SolutionView::new(&self.position, self.play, &self.solution);
        view.genus.clone_from(&self.genus);
        view
    }
}

impl Report for Solved {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let mut view = Self::view(self);
        let stop = self.solution.stopped.as_ref();
        view.stopped = stopped(stop, "", words.audience()).map(Box::new);
        Box::new(view)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let genus = self
            .genus
            .clone()
            .map(|OptionalText(genus)| genus.unwrap_or_else(|| phrase("genus_withheld", language)));
        plain::solution(&self.position, self.play, &self.solution, genus, language)
    }

    fn is_partial(&self) -> bool {
        // The genus may be missing although the solution itself is complete.
        let genus_is_missing = self.genus == Some(OptionalText(None));
        self.solution.status == Status::Partial || !self.solution.moves_complete || genus_is_missing
    }
}
