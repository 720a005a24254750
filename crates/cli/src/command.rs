//! The commands, a file each.

pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod guide;
pub(crate) mod matrix;
pub(crate) mod nimber;
pub(crate) mod pattern;
pub(crate) mod period;
pub(crate) mod play;
pub(crate) mod solve;
pub(crate) mod table;
pub(crate) mod verify;
