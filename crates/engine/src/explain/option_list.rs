//! The options of a position, if there are few enough to explain each of them.

use std::ops::ControlFlow;

use crate::position::Position;
use grundy_base::limits::{Halt, Stop, stopped_early};

/// Returns the options of a position, each with the result of `judge`.
///
/// Returns `None` if there are more than `max_options` options, or if `judge` returns `None` for an
/// option. Also returns `None` if a limit on positions or memory is reached. The explanation then
/// omits the options.
pub(super) fn options<T>(
    position: &Position,
    max_options: usize,
    judge: &mut dyn FnMut(&Position) -> Result<Option<T>, Stop>,
) -> Result<Option<Vec<(Position, T)>>, Stop> {
    let mut judged = Vec::new();
    let flow = position.moves(position.first_player(), &mut |_, _, to| {
        if judged.len() == max_options {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        match judge(&to) {
            Ok(Some(result)) => judged.push((to, result)),
            Ok(None) => return ControlFlow::Break(Halt::Enough),
            Err(stop) => return ControlFlow::Break(stop.into()),
        }
        ControlFlow::Continue(())
    });
    // If the time is up or the work is interrupted, the whole explanation fails, so return the
    // error.
    match stopped_early(flow) {
        Ok(too_many) => Ok((!too_many).then_some(judged)),
        Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}
