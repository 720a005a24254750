//! Sums of games that need not end, by the values of their parts.

use std::ops::ControlFlow;

use crate::limits::{Flow, Limits, Stop};
use crate::position::Position;
use crate::step::Move;
use crate::term::VisitValued;
use crate::theory::NormalPlay;
use crate::values::Tables;
use crate::values::loopy::{Loopy, LoopyPart, Stage};

/// The values of all parts of all terms.
pub(super) fn parts(
    position: &Position,
    tables: &mut Tables<NormalPlay>,
    limits: &Limits<'_>,
) -> Result<Vec<Vec<LoopyPart>>, Stop> {
    let terms = position.terms().iter();
    terms.map(|term| term.loopy_parts(tables, limits)).collect()
}

/// Visits the moves to P-positions with the stage of the position after each.
pub(super) fn winning_moves(
    position: &Position,
    values: &[Vec<LoopyPart>],
    tables: &mut Tables<NormalPlay>,
    limits: &Limits<'_>,
    visit: &mut dyn FnMut(usize, Stage, &dyn Fn() -> Move, &dyn Fn() -> Position) -> Flow,
) -> Result<(), Stop> {
    let all: Vec<&LoopyPart> = values.iter().flatten().collect();
    let mut number = 0;
    for (component, (term, parts)) in position.terms().iter().zip(values).enumerate() {
        for index in 0..parts.len() {
            let others = all.iter().enumerate().filter(|&(i, _)| i != number);
            let others = others.fold(LoopyPart::END, |sum, (_, part)| sum.plus(part));
            number += 1;
            // An infinite part elsewhere stays infinite, and no infinite sum is a P-position.
            if matches!(others.value, Loopy::Infinite(_)) {
                continue;
            }
            let keep: VisitValued<'_> = &mut |left, name, to| {
                let sum = others.plus(left);
                if sum.value == Loopy::Finite(0) {
                    visit(component, sum.stage, name, &|| {
                        position.after(component, to())
                    })
                } else {
                    ControlFlow::Continue(())
                }
            };
            if term.loopy_moves(index, tables, limits, keep)? {
                return Ok(());
            }
        }
    }
    Ok(())
}
