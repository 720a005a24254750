//! Lists of options that were made before a limit stopped a valuation, for all theories.
//!
//! A valuation lists the options of many components before it finds the first value. The lists are
//! kept, so that the next question about the same components resumes there.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nature::Moves;
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// Divisor of the memory limit that gives the share of kept lists.
const KEPT: u64 = 8;

/// Approximate size of an entry of the map without its list, in bytes.
const ENTRY: u64 = 64;

/// The state of a list of options in a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// The offset of Right's options, if Right has separate options and Left's are complete.
    pub(super) right: Option<usize>,
    /// `true` if there are no further options.
    pub(super) complete: bool,
}

/// The options of a component listed so far.
#[derive(Debug)]
struct List {
    options: Box<[u32]>,
    listing: Listing,
}

/// Kept lists of options, by component number.
#[derive(Debug, Default)]
pub(super) struct Listed {
    lists: FxHashMap<u32, List>,
    bytes: u64,
}

/// Returns whether a later question may resume the work after this stop. Limits that count are
/// deterministic: within them, a question has the same result each time.
pub(super) fn is_resumed_after(stop: &Stop) -> bool {
    matches!(stop, Stop::Time | Stop::Interrupted)
}

impl Listed {
    /// Appends all options of a component to a buffer, starting with its kept list. If a limit
    /// stops the work, `listing` describes the progress.
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
            // A theory that does not distinguish the players may have kept an empty list for Right.
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

    /// Returns whether all options of a component are in its kept list.
    pub(super) fn is_complete(&self, id: u32) -> bool {
        let kept = self.lists.get(&id);
        kept.is_some_and(|kept| kept.listing.complete)
    }

    fn take(&mut self, id: u32) -> Option<List> {
        let list = self.lists.remove(&id)?;
        self.bytes -= bytes(&list.options);
        Some(list)
    }

    /// Keeps lists in order until their share of the memory is full. Older lists are dropped if the
    /// new ones need the room.
    pub(super) fn keep<'a>(
        &mut self,
        new: impl Iterator<Item = (u32, &'a [u32], Listing)> + Clone,
        limits: &Limits<'_>,
    ) {
        let room = limits.memory / KEPT;
        let needed: u64 = new.clone().map(|(_, options, _)| bytes(options)).sum();
        if self.bytes.saturating_add(needed) > room {
            // The new lists belong to the question that will be repeated, so drop all old ones.
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

    /// Adds the components that the lists refer to.
    pub(super) fn add_components(&self, to: &mut FxHashSet<u32>) {
        for (&id, list) in &self.lists {
            to.insert(id);
            to.extend(lists(&list.options).flatten());
        }
    }

    /// Returns the approximate number of bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Returns the approximate size of a kept list in bytes.
fn bytes(options: &[u32]) -> u64 {
    ENTRY + size_of_val(options) as u64
}
