//! Lists of options that a valuation made before a limit stopped it. All theories use them.
//!
//! A valuation lists the options of many components before it finds the first value. The lists are
//! kept, so that the next question about the same components continues from them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nature::Moves;
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// The memory limit divided by this number is the memory for kept lists.
const KEPT: u64 = 8;

/// Approximate number of bytes of an entry of the map, without its list.
const ENTRY: u64 = 64;

/// The progress of a list of options in a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// The offset at which Right's options begin. It is set once Left's options are complete, if
    /// the players have different moves.
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

/// The kept lists of options, by the number of the component.
#[derive(Debug, Default)]
pub(super) struct Listed {
    lists: FxHashMap<u32, List>,
    bytes: u64,
}

/// Returns whether a later question may continue the work after this stop. The other limits count,
/// so with the same limits a question has the same result each time.
pub(super) fn is_resumed_after(stop: &Stop) -> bool {
    matches!(stop, Stop::Time | Stop::Interrupted)
}

impl Listed {
    /// Appends all options of a component to `out`, beginning with those in its kept list. If a
    /// limit stops the work, `listing` describes the progress.
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
        let own = parts.nature_of(index).moves == Moves::Own;
        if let Some(kept) = self.take(id) {
            out.extend_from_slice(&kept.options);
            // The list may come from a theory that does not distinguish the players, and have an
            // empty part for Right.
            *listing = Listing {
                right: kept.listing.right.filter(|_| own),
                ..kept.listing
            };
            limits.check(1, 4 * out.len() as u64)?;
        }
        if listing.complete {
            return Ok(());
        }
        if listing.right.is_none() {
            let before = lists(&out[start..]).count();
            store.list_further_options(id, Player::Left, before, out, limits)?;
        }
        if own {
            let right = *listing.right.get_or_insert(out.len() - start);
            let before = lists(&out[start + right..]).count();
            store.list_further_options(id, Player::Right, before, out, limits)?;
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

    /// Keeps lists, in the given order, until their share of the memory is full. If the new lists
    /// need the room, the older ones are dropped.
    pub(super) fn keep<'a>(
        &mut self,
        new: impl Iterator<Item = (u32, &'a [u32], Listing)> + Clone,
        limits: &Limits<'_>,
    ) {
        let room = limits.memory / KEPT;
        let needed: u64 = new.clone().map(|(_, options, _)| bytes(options)).sum();
        if self.bytes.saturating_add(needed) > room {
            // The new lists belong to the question that will be asked again, so drop all old ones.
            *self = Self::default();
        }
        for (id, options, listing) in new {
            let needed = bytes(options);
            if self.bytes + needed > room {
                break;
            }
            self.take(id);
            self.bytes += needed;
            let options = options.into();
            self.lists.insert(id, List { options, listing });
        }
    }

    /// Adds to `to` all components that occur in the kept lists.
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
    ENTRY + size_of_val(options) as u64
}
