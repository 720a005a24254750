//! The method of retrograde analysis of all reachable positions. It applies to every question, and
//! is tried last.

use std::sync::Arc;

use super::{MethodInput, Solver, Work};
use crate::solve::reachable_sums::ReachableSums;
use crate::solve::solution::Solution;
use grundy_base::limits::Stop;

/// Solves a position by computing the outcome and the remoteness of every reachable position. Never
/// returns `None`.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let reached = ReachableSums::new(question.position, question.play, question.limits)?;
    solver.searched += Work {
        positions: reached.sums() as u64,
        hits: 0,
    };
    // The solution contains the labels, since explanations and best play need them.
    let reached = Arc::new(reached);
    Solution::from_labels(
        question.position,
        &reached,
        question.wanted,
        question.limits,
    )
}
