//! Retrograde analysis of everything reachable: the last resort, which always applies.

use std::sync::Arc;

use super::{MethodInput, Solver, Work};
use crate::solve::reached::Reached;
use crate::solve::solution::Solution;
use grundy_base::limits::Stop;

/// Labels every reachable position. Never declines.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let reached = Reached::new(question.position, question.play, question.limits)?;
    solver.searched += Work {
        positions: reached.sums() as u64,
        hits: 0,
    };
    // The labels stay with the solution, since explanations and best play need them.
    let reached = Arc::new(reached);
    Solution::from_labels(
        question.position,
        &reached,
        question.wanted,
        question.limits,
    )
}
