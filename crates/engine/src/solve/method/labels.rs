//! The method of retrograde analysis of all reachable positions. It is tried last and always
//! applies.

use std::sync::Arc;

use super::{MethodInput, Solver, Work};
use crate::solve::reached::Reached;
use crate::solve::solution::Solution;
use grundy_base::limits::Stop;

/// Solves a position by labelling every reachable position. Never returns `None`.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let reached = Reached::new(question.position, question.play, question.limits)?;
    solver.searched += Work {
        positions: reached.sums() as u64,
        hits: 0,
    };
    // The solution keeps the labels, which explanations and best play need.
    let reached = Arc::new(reached);
    Solution::from_labels(
        question.position,
        &reached,
        question.wanted,
        question.limits,
    )
}
