//! Options that are told one by one, as far as they are few.

use std::ops::ControlFlow;

use crate::position::Position;
use grundy_base::limits::{Halt, Stop, ended};

/// Returns the options of a position, each with what `judge` says of it; nothing where there are
/// more than `most`, where it says nothing of one of them, or where that is more work than the
/// limits allow: what is told without them is still true.
pub(super) fn options<T>(
    position: &Position,
    most: usize,
    judge: &mut dyn FnMut(&Position) -> Result<Option<T>, Stop>,
) -> Result<Option<Vec<(Position, T)>>, Stop> {
    let mut told = Vec::new();
    let flow = position.moves(position.first_player(), &mut |_, _, to| {
        if told.len() == most {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        match judge(&to) {
            Ok(Some(said)) => told.push((to, said)),
            Ok(None) => return ControlFlow::Break(Halt::Enough),
            Err(stop) => return ControlFlow::Break(stop.into()),
        }
        ControlFlow::Continue(())
    });
    match ended(flow) {
        Ok(too_many) => Ok((!too_many).then_some(told)),
        Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}
