//! What a search keeps: answers by their sums, compared in full, and when there is no more room the dear ones only.

use super::moves::Candidate;
use super::{Facts, Search, Sum, Unsettled};
use crate::effort;
use crate::limits::Stop;
use crate::outcome::Worth;
use crate::player::Player;

/// What is known of a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// What it is worth to the player to move; `None` while the question is on the way to its answer.
    pub(super) worth: Option<Worth>,
    /// Positions that were searched for it.
    effort: u32,
}

impl Known {
    /// A question on the way to its answer.
    pub(super) const OPEN: Self = Self {
        worth: None,
        effort: u32::MAX,
    };

    /// An answer that took so many positions.
    pub(super) fn after(worth: Worth, positions: u64) -> Self {
        Self {
            worth: Some(worth),
            effort: u32::try_from(positions).unwrap_or(u32::MAX),
        }
    }

    /// How dear it was: questions on the way are the dearest.
    fn class(self) -> usize {
        match self.worth {
            None => CLASSES - 1,
            Some(_) => effort::class(self.effort.into()).into(),
        }
    }
}

/// Classes of effort, by powers of two.
const CLASSES: usize = u32::BITS as usize + 2;

/// About how many bytes a component takes with what is known of it.
pub(super) const COMPONENT: u64 = 400;

impl Search<'_> {
    /// Keeps what is known of a sum; whether something was known already.
    pub(super) fn keep(&mut self, sum: Sum, player: Player, known: Known) -> bool {
        self.held += sum.kept();
        self.stored += 1;
        self.known[player as usize].insert(sum, known).is_some()
    }

    /// Fails when the work has to end.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.limits.check(self.stored, 0)?;
        self.limits
            .check(1, self.held + self.values.theory.forms.bytes())?;
        self.limits.poll()
    }

    /// Whether it is time to forget something.
    pub(super) fn is_full(&self) -> bool {
        self.held > self.room
    }

    /// Forgets the cheaper half of the answers, and all components that do not come up in the others, on the way or in the question.
    /// What is forgotten is found again when it is needed: answers stay what they are.
    pub(super) fn forget(&mut self, way: &[Unsettled], next: &Sum) -> Result<(), Stop> {
        let mut classes = [0; CLASSES];
        for (sum, known) in self.known.iter().flatten() {
            // The components of a sum, and what cancels them, are kept with it.
            classes[known.class()] += sum.kept() + 2 * COMPONENT * sum.rest.len() as u64;
        }
        // Questions on the way stay.
        let least = effort::least_kept(&classes, self.room / 2).min(CLASSES - 1);
        self.known
            .iter_mut()
            .for_each(|known| known.retain(|_, known| known.class() >= least));
        let mut needed = vec![false; self.facts.len()];
        let on_the_way = way.iter().flat_map(|open| {
            let options = open.options.as_slice().iter();
            options.filter_map(Candidate::sum).chain([&open.sum])
        });
        let sums = (self.known.iter().flatten().map(|(sum, _)| sum)).chain(on_the_way);
        let ids = sums.chain([next]).flat_map(|sum| sum.rest.iter());
        for &id in ids.chain(&self.asked) {
            needed[id as usize] = true;
            if let Some(negative) = self.negatives[id as usize] {
                needed[negative as usize] = true;
            }
        }
        self.held = 100 * self.appraisals.len() as u64;
        self.held += way.iter().map(|open| open.held).sum::<u64>();
        for (sum, _) in self.known.iter().flatten() {
            self.held += sum.kept();
        }
        for (id, facts) in self.facts.iter_mut().enumerate() {
            if needed[id] {
                facts.options = [None, None];
                self.held += COMPONENT;
            } else {
                *facts = Facts::default();
                self.negatives[id] = None;
            }
        }
        self.space.forget(&|id| needed[id as usize]);
        if self.held > self.room / 8 * 7 {
            return Err(Stop::Memory(self.limits.memory));
        }
        Ok(())
    }
}

impl Sum {
    /// About how many bytes it takes among what is known.
    fn kept(&self) -> u64 {
        16 + self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::limits::Limits;
    use crate::outcome::Play;
    use crate::position::Position;
    use crate::registry::construct;
    use crate::values::Valuation;

    /// What was forgotten is found again: with room for a few hundred components the answers are those of a search that keeps all.
    #[test]
    fn forgetting_changes_no_answer() {
        let limits = Limits::default();
        for (name, rows) in [
            ("domineering", &["......"; 5][..]),
            ("domineering", &[".......", "..#....", ".......", "......."]),
            ("domineering", &["......"; 6]),
            ("clobber", &["xoxo", "oxox", "xoxo", "oxox"]),
            ("konane", &["xoxo", "o..x", "xoxo", "oxox"]),
            ("amazons", &["x...", "....", "...o"]),
        ] {
            let rows = rows.iter().map(|row| Argument::Text((*row).into()));
            let board = construct(name, &[(None, Argument::List(rows.collect()))]).unwrap();
            let position = Position::from(board);
            let mut answers = Vec::new();
            for room in [u64::MAX, 300_000] {
                let mut search =
                    Search::new(&position, Play::Normal, Valuation::default(), &limits);
                search.room = room;
                let sum = search.sum(&position).unwrap();
                let worths = Player::BOTH.map(|player| search.worth(sum.clone(), player).unwrap());
                let kept = search
                    .known
                    .iter()
                    .map(|known| known.len() as u64)
                    .sum::<u64>();
                answers.push((worths, search.stored, kept));
            }
            let [(all, ..), (few, stored, kept)] = answers[..] else {
                unreachable!("there are two")
            };
            assert_eq!(all, few, "{position}");
            // Something was forgotten wherever there was much.
            assert!(
                stored < 4_000 || 2 * kept < stored,
                "{position}: {kept} of {stored}"
            );
        }
    }
}
