//! The options of a position, if they are few enough to be explained one by one.

use std::ops::ControlFlow;

use crate::position::Position;
use grundy_base::limits::{Halt, Stop, ended};

/// Returns the options of a position, each with the result of `judge` for it.
///
/// Returns `None` if there are more than `most` options, if `judge` returns `None` for one, or if a
/// limit on positions or memory is reached. The argument remains valid without the options.
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
    // The limit on the time and an interruption end the whole explanation, so they are returned as
    // errors.
    match ended(flow) {
        Ok(too_many) => Ok((!too_many).then_some(told)),
        Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}
