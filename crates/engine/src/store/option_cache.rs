//! Lists of options that are made once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Store;
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// The options of components of one store, cached once they have been listed in full.
#[derive(Debug, Default)]
pub(crate) struct OptionCache {
    options: FxHashMap<(u32, Player), Arc<[u32]>>,
    bytes: u64,
}

impl OptionCache {
    /// Returns the options that `player` has in a component, as [`Store::list_options`] gives them.
    pub(crate) fn options(
        &mut self,
        store: &mut Store,
        id: u32,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Arc<[u32]>, Stop> {
        if let Some(known) = self.options.get(&(id, player)) {
            return Ok(Arc::clone(known));
        }
        let listed = list(store, id, player, limits)?;
        self.bytes += 64 + size_of_val(&*listed) as u64;
        self.options.insert((id, player), Arc::clone(&listed));
        Ok(listed)
    }

    /// Returns the bytes held, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Lists the options of a component that is asked about only once: nothing is cached.
pub(crate) fn list(
    store: &mut Store,
    id: u32,
    player: Player,
    limits: &Limits<'_>,
) -> Result<Arc<[u32]>, Stop> {
    let mut flat = Vec::new();
    store.list_options(id, player, &mut flat, limits)?;
    Ok(flat.into())
}
