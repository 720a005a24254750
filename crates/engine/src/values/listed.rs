//! The options of components that were listed before a limit stopped their valuation, for all
//! theories.
//!
//! A valuation lists the options of many components before it knows the first value. These lists
//! are kept, so that the next question about the same components resumes there.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nature::Moves;
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// The part of the memory that kept lists may take, 1 in so many.
const KEPT: u64 = 8;

/// About how many bytes an entry of the map takes beside the list itself.
const ENTRY: u64 = 64;

/// The state of a list of options in a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// The place of Right's options after the beginning of the list, if these are others than
    /// Left's and Left's are complete.
    pub(super) right: Option<usize>,
    /// `true` if there are no further options.
    pub(super) complete: bool,
}

/// The options of a component, as far as they were listed.
#[derive(Debug)]
struct List {
    options: Box<[u32]>,
    listing: Listing,
}

/// Lists of options by the numbers of their components.
#[derive(Debug, Default)]
pub(super) struct Listed {
    lists: FxHashMap<u32, List>,
    bytes: u64,
}

/// Returns whether a later question may resume the work that this stopped. Limits that count are
/// not among these: within them, a question has the same answer each time.
pub(super) fn is_resumed_after(stop: &Stop) -> bool {
    matches!(stop, Stop::Time | Stop::Interrupted)
}

impl Listed {
    /// Appends all options of a component to a buffer. Resumes its kept list, if there is one. If a
    /// limit stops the work, `listing` says how far it came.
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
            // A theory that tells no player from the other may have kept an empty list of Right's.
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

    /// Keeps lists, the first ones if there is no room for all. Older lists make room for them.
    pub(super) fn keep<'a>(
        &mut self,
        new: impl Iterator<Item = (u32, &'a [u32], Listing)> + Clone,
        limits: &Limits<'_>,
    ) {
        let room = limits.memory / KEPT;
        let needed: u64 = new.clone().map(|(_, options, _)| bytes(options)).sum();
        if self.bytes.saturating_add(needed) > room {
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

    /// Adds the components that lists refer to.
    pub(super) fn add_components(&self, to: &mut FxHashSet<u32>) {
        for (&id, list) in &self.lists {
            to.insert(id);
            to.extend(lists(&list.options).flatten());
        }
    }

    /// Returns the bytes held, about.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Returns the bytes of a kept list.
fn bytes(options: &[u32]) -> u64 {
    ENTRY + size_of_val(options) as u64
}
