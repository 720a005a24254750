//! Options of components, listed once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Space;
use crate::limits::{Limits, Stop};
use crate::player::Player;

/// The options of the components of a space, each remembered once it has been listed as a whole.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    options: FxHashMap<(u32, Player), Arc<[u32]>>,
    bytes: u64,
}

impl Listed {
    /// The options that `player` has in component `id`, as [`Space::push_options`] gives them.
    pub(crate) fn options(
        &mut self,
        space: &mut Space,
        id: u32,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Arc<[u32]>, Stop> {
        if let Some(known) = self.options.get(&(id, player)) {
            return Ok(Arc::clone(known));
        }
        let listed = list(space, id, player, limits)?;
        self.bytes += 64 + size_of_val(&*listed) as u64;
        self.options.insert((id, player), Arc::clone(&listed));
        Ok(listed)
    }

    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The same for a component that is not asked about again: nothing is remembered.
pub(crate) fn list(
    space: &mut Space,
    id: u32,
    player: Player,
    limits: &Limits<'_>,
) -> Result<Arc<[u32]>, Stop> {
    let mut flat = Vec::new();
    space.push_options(id, player, &mut flat, limits)?;
    Ok(flat.into())
}
