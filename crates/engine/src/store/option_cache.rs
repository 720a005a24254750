//! A cache of the options of components.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Store;
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// The cached lists of options of the components of one store. Only complete lists are cached.
#[derive(Debug, Default)]
pub(crate) struct OptionCache {
    options: FxHashMap<(u32, Player), Arc<[u32]>>,
    bytes: u64,
}

impl OptionCache {
    /// Returns the options of `player` in a component, in the format of [`Store::list_options`].
    pub(crate) fn options(
        &mut self,
        store: &mut Store,
        id: u32,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Arc<[u32]>, Stop> {
        if let Some(cached) = self.options.get(&(id, player)) {
            return Ok(Arc::clone(cached));
        }
        let listed = list(store, id, player, limits)?;
        // Add 64 bytes as an estimate for the entry of the map and for the counters of the `Arc`.
        self.bytes += 64 + size_of_val(&*listed) as u64;
        self.options.insert((id, player), Arc::clone(&listed));
        Ok(listed)
    }

    /// Returns the approximate number of bytes that the cache occupies.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Returns the options of `player` in a component without caching them, for a component that is
/// visited only once.
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
