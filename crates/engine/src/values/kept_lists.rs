//! Lists of options that were made before a limit stopped an evaluation. All theories use them.
//!
//! An evaluation lists the options of many components before it finds the first value. These lists
//! of options are kept. So the next request for the same values need not list the options again.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nature::Moves;
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// Divisor of the memory limit: kept lists may take the fraction 1 / `MEMORY_SHARE` of the memory
/// limit.
const MEMORY_SHARE: u64 = 8;

/// Approximate number of bytes of an entry in the map of kept lists, without the options.
const ENTRY_BYTES: u64 = 64;

/// The state of a list of options that is being filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// The offset in the list at which Right's options begin. It is `None` until all of Left's
    /// options are in the list. If both players have the same moves, all options count as Left's.
    pub(super) right: Option<usize>,
    /// `true` if all options are in the list.
    pub(super) complete: bool,
}

/// The options of a component that have been listed so far.
#[derive(Debug)]
struct List {
    options: Box<[u32]>,
    listing: Listing,
}

/// The lists of options that are kept after a limit has stopped an evaluation, by the id of the
/// component.
#[derive(Debug, Default)]
pub(super) struct KeptLists {
    lists: FxHashMap<u32, List>,
    bytes: u64,
}

/// Returns whether a later request may continue work that ended with `stop`. This holds for a time
/// limit and an interruption. All other limits are counts, which the same request would reach
/// again.
pub(super) fn is_resumed_after(stop: &Stop) -> bool {
    matches!(stop, Stop::Time | Stop::Interrupted)
}

impl KeptLists {
    /// Appends all options of a component to `out`, beginning with those in its kept list, which is
    /// removed. If a limit stops the work, `listing` is the state of the list in `out`.
    pub(super) fn list(
        &mut self,
        store: &mut Store,
        id: u32,
        listing: &mut Listing,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let start = out.len();
        let (parts, index) = store.part(id);
        let is_partizan = parts.nature_of(index).moves == Moves::Partizan;
        if let Some(kept) = self.take(id) {
            out.extend_from_slice(&kept.options);
            // The list may come from a theory that does not distinguish the players. Such a list
            // has an empty part for Right, which is ignored here.
            *listing = Listing {
                right: kept.listing.right.filter(|_| is_partizan),
                ..kept.listing
            };
            limits.check(1, 4 * out.len() as u64)?;
        }
        if listing.complete {
            return Ok(());
        }
        if listing.right.is_none() {
            let listed = lists(&out[start..]).count();
            store.list_further_options(id, Player::Left, listed, out, limits)?;
        }
        if is_partizan {
            let right = *listing.right.get_or_insert(out.len() - start);
            let listed = lists(&out[start + right..]).count();
            store.list_further_options(id, Player::Right, listed, out, limits)?;
        }
        listing.complete = true;
        Ok(())
    }

    /// Returns whether the kept list of a component contains all its options.
    pub(super) fn is_complete(&self, id: u32) -> bool {
        let kept = self.lists.get(&id);
        kept.is_some_and(|kept| kept.listing.complete)
    }

    fn take(&mut self, id: u32) -> Option<List> {
        let list = self.lists.remove(&id)?;
        self.bytes -= bytes(&list.options);
        Some(list)
    }

    /// Keeps the lists `new`, in the given order, until the memory for kept lists is full. If the
    /// memory has no room for both the older lists and all the new ones, drops the older lists
    /// first.
    pub(super) fn keep<'a>(
        &mut self,
        new: impl Iterator<Item = (u32, &'a [u32], Listing)> + Clone,
        limits: &Limits<'_>,
    ) {
        let max_bytes = limits.memory / MEMORY_SHARE;
        let needed: u64 = new.clone().map(|(_, options, _)| bytes(options)).sum();
        if self.bytes.saturating_add(needed) > max_bytes {
            // The new lists belong to the latest question, which is most likely to be repeated. So
            // drop all old ones.
            *self = Self::default();
        }
        for (id, options, listing) in new {
            let needed = bytes(options);
            if self.bytes + needed > max_bytes {
                break;
            }
            self.take(id);
            self.bytes += needed;
            let options = options.into();
            self.lists.insert(id, List { options, listing });
        }
    }

    /// Adds to `to` the ids of all components that have a kept list or occur in a kept list.
    pub(super) fn add_components(&self, to: &mut FxHashSet<u32>) {
        for (&id, list) in &self.lists {
            to.insert(id);
            to.extend(lists(&list.options).flatten());
        }
    }

    /// Returns the approximate number of bytes that the kept lists occupy.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Returns the approximate number of bytes of a kept list with these options.
fn bytes(options: &[u32]) -> u64 {
    ENTRY_BYTES + size_of_val(options) as u64
}
