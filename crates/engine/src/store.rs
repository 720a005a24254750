//! An interner of components. A component is a part of any ruleset in canonical form, and it is
//! identified by a number.
//!
//! A part is entered under its rules. It is split into components, which are represented by numbers
//! from then on. Labels, searches, explanations and theories of values work on these numbers. Each
//! ruleset has a table of its components, and only the table knows the type of the parts. The store
//! knows no ruleset and no theory.
//!
//! A store may instead number the parts as written, without splitting them. This is for callers
//! that distinguish positions by their notation.

pub(crate) mod directory;
pub(crate) mod erased;
pub(crate) mod option_cache;

use std::any::{Any, TypeId};
use std::fmt::Debug;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::directory::{Client, Directory};
use self::erased::{AnyTerm, PartFacts};
use crate::move_counts::Reserve;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// The objects that a store numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// The canonical components of parts. A part may have several.
    #[default]
    Components,
    /// The parts as written, which are not split into components.
    AsWritten,
}

/// The key of some rules: the type of the rules, and the hash of their contents.
pub(crate) type RulesKey = (TypeId, u64);

/// An option of a component. Its components are either known or new.
pub(crate) struct ScannedOption<'a> {
    /// The numbers of the known components.
    pub(crate) known: &'a [u32],
    /// The number of new components.
    pub(crate) new: usize,
    /// The reserves of Left and of Right in the new components, if these have reserves.
    pub(crate) reserves: Option<[Reserve; 2]>,
    /// Number of moves of the next player in the new components, if they were counted.
    pub(crate) moves: u32,
}

/// Upper bound of the number of moves counted in a component. Counting stops above it.
pub(crate) const COUNTED: u64 = 1_000;

/// The table of the components of one ruleset. The arguments `place` are indices in the table, and
/// the numbers returned are those of the store.
pub(crate) trait ComponentTable: Debug + Any + Send + Sync {
    /// Returns all components as parts, in the order of their places.
    fn components(&self) -> &dyn PartFacts;

    /// Appends to `out` the options of `player` in a component, each as its length followed by the
    /// numbers of its components. The first `before` options are left out. If a limit stops the
    /// work, every option that was appended is complete.
    fn list_options(
        &mut self,
        place: u32,
        player: Player,
        before: usize,
        ids: &mut Directory,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Visits the options of `player` in a component, the most promising first. New components get
    /// no numbers, and numbered components that are not `known` count as new. Counts the moves of
    /// `next` in the new components. Returns whether the visitor broke.
    fn scan_options(
        &self,
        place: u32,
        player: Player,
        next: Option<Player>,
        known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop>;

    /// Appends to `out` the components of the option with index `option`, in the order of
    /// [`ComponentTable::scan_options`].
    fn pick_option(
        &mut self,
        place: u32,
        player: Player,
        option: u32,
        ids: &mut Directory,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop>;

    /// Visits the options of an impartial component, each as a list of the keys of its components.
    /// The key of a packed component is its word. The key of any other component is its number,
    /// marked by [`NUMBERED`].
    fn visit_keys(
        &mut self,
        place: u32,
        ids: &mut Directory,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the number of the component that cancels this one in normal play, if the rules have
    /// one.
    fn negative(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Returns the number of the component that this one becomes after a move in another component,
    /// if it changes.
    fn passed(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Creates a term with the components at these places as its parts.
    fn gathered(&self, places: &mut dyn Iterator<Item = u32>) -> Arc<dyn AnyTerm>;

    /// Frees all components that are not `kept`, together with their numbers.
    fn retain(&mut self, kept: &dyn Fn(u32) -> bool, ids: &mut Directory);

    /// Returns the approximate number of bytes that the table occupies.
    fn bytes(&self) -> u64;
}

/// Number of the newest tables that are compared with some rules before the rules are hashed.
const NEWEST: usize = 4;

/// The bit that marks a key as the number of a component. It is not set in a packed word.
pub(crate) const NUMBERED: u64 = 1 << 63;

/// The components of any rulesets, each with its number.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::store::Store;
/// use grundy::{Limits, Player, Position, Term};
/// let heap = Position::from(Term::new(Nim, vec![2]));
/// let mut store = Store::default();
/// let (mut heaps, mut options) = (Vec::new(), Vec::new());
/// heap.enter(&mut store, &mut heaps);
/// store.list_options(heaps[0], Player::Left, &mut options, &Limits::default())?;
/// assert_eq!(options.len(), 4);                 // to 1 and to 0: a length and a number each
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Store {
    numbering: Numbering,
    tables: Vec<Box<dyn ComponentTable>>,
    by_rules: FxHashMap<RulesKey, Vec<u32>>,
    directory: Directory,
}

impl Store {
    /// Creates a store that numbers the parts as written, instead of their canonical components.
    pub(crate) fn as_written() -> Self {
        Self {
            numbering: Numbering::AsWritten,
            ..Self::default()
        }
    }

    /// Returns the kind of objects that the store numbers.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Returns the newest table for which `is` returns `true`, among the last few. Most questions
    /// use the latest rules, so this avoids hashing their contents.
    pub(crate) fn find_newest(&self, is: impl Fn(&dyn ComponentTable) -> bool) -> Option<u32> {
        let newest = self.tables.iter().enumerate().rev().take(NEWEST);
        let mut right = newest.filter(|(_, table)| is(&***table));
        right.next().map(|(number, _)| number as u32)
    }

    /// Returns the table with this key for which `is` returns `true`.
    pub(crate) fn find_table(
        &self,
        key: RulesKey,
        is: impl Fn(&dyn ComponentTable) -> bool,
    ) -> Option<u32> {
        let tables = self.by_rules.get(&key)?.iter();
        tables.copied().find(|&table| is(self.table(table)))
    }

    /// Adds the table that `new` creates from its number. Returns the number.
    pub(crate) fn add_table(
        &mut self,
        key: RulesKey,
        new: impl FnOnce(u32) -> Box<dyn ComponentTable>,
    ) -> u32 {
        let table = self.tables.len() as u32;
        self.tables.push(new(table));
        self.by_rules.entry(key).or_default().push(table);
        table
    }

    /// Returns the table with this number.
    pub(crate) fn table(&self, table: u32) -> &dyn ComponentTable {
        &*self.tables[table as usize]
    }

    /// Returns the table with this number, and the directory of all components.
    pub(crate) fn table_mut(&mut self, table: u32) -> (&mut dyn ComponentTable, &mut Directory) {
        (&mut *self.tables[table as usize], &mut self.directory)
    }

    /// Returns the number of the table that contains a component.
    pub(crate) fn table_of(&self, id: u32) -> u32 {
        self.directory.get(id).0
    }

    /// Returns the parts of the table that contains a component, and the index of the component
    /// among them.
    #[must_use]
    pub fn part(&self, id: u32) -> (&dyn PartFacts, usize) {
        let (table, place) = self.directory.get(id);
        (self.table(table).components(), place as usize)
    }

    /// Returns the table that contains a component, the index of the component in the table, and
    /// the directory.
    fn located(&mut self, id: u32) -> (&mut dyn ComponentTable, u32, &mut Directory) {
        let (table, place) = self.directory.get(id);
        (
            &mut *self.tables[table as usize],
            place,
            &mut self.directory,
        )
    }

    /// Returns whether the number of components has doubled since components were last freed.
    pub(crate) fn has_doubled(&self) -> bool {
        self.directory.has_doubled()
    }

    /// Frees all components that are neither `kept` nor pinned. Their numbers will be reused. The
    /// time is proportional to the number of components.
    pub(crate) fn retain(&mut self, kept: &dyn Fn(u32) -> bool) {
        let directory = &mut self.directory;
        // Copy the pins first, since the tables change the directory while `kept` reads them.
        let pinned: Vec<bool> = (0..directory.len() as u32)
            .map(|id| directory.is_pinned(id))
            .collect();
        let kept = |id: u32| pinned[id as usize] || kept(id);
        for table in &mut self.tables {
            table.retain(&kept, directory);
        }
        // Each table has freed its numbers in its own order, so sort the list of free numbers.
        directory.trim();
    }

    /// Returns whether there is a component with this number.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.directory.is_used(id)
    }

    /// Starts a question. From now on the limits count the components that are entered.
    pub(crate) fn begin_question(&mut self) {
        self.directory.begin_question();
    }

    /// Runs `work` for the search over sums. The components that it enters are counted separately.
    pub(crate) fn for_search<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.directory.enter_for(Client::Search);
        // `work` returns its errors as part of its result, so the client is restored in every case.
        let done = work(self);
        self.directory.enter_for(before);
        done
    }

    /// Returns a number that is greater than the number of every component.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Returns whether no component has been entered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends to `out` the options of `player` in a component, each as its length followed by the
    /// numbers of its components.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Rules`] if rules given at run time fail.
    pub fn list_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.list_further_options(id, player, 0, out, limits)
    }

    /// Appends to `out` the options of `player` in a component, except the first `before` options.
    /// If a limit stops the work, every option that was appended is complete.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Rules`] if rules given at run time fail.
    pub(crate) fn list_further_options(
        &mut self,
        id: u32,
        player: Player,
        before: usize,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let (table, place, ids) = self.located(id);
        table.list_options(place, player, before, ids, out, limits)
    }

    /// Visits the options of `player` in a component, without giving numbers to new components.
    /// Numbered components that are not `known` count as new. Counts the moves of `next` in the new
    /// components. Returns whether the visitor broke.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail, or the error of the visitor.
    pub(crate) fn scan_options(
        &self,
        id: u32,
        player: Player,
        next: Option<Player>,
        known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop> {
        let (table, place) = self.directory.get(id);
        (self.table(table)).scan_options(place, player, next, known, visit)
    }

    /// Appends to `out` the components of the option with index `option`, in the order of
    /// [`Store::scan_options`].
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    pub(crate) fn pick_option(
        &mut self,
        id: u32,
        player: Player,
        option: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        let (table, place, ids) = self.located(id);
        table.pick_option(place, player, option, ids, out)
    }

    /// Visits the options of an impartial component, each as a list of the keys of its components.
    pub(crate) fn visit_keys(
        &mut self,
        id: u32,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let (table, place, ids) = self.located(id);
        table.visit_keys(place, ids, limits, visit)
    }

    /// Returns the payoff of a component without options, in normal play, for the player to move.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    pub fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop> {
        let (parts, index) = self.part(id);
        parts.payoff_of(index, to_move)
    }

    /// Returns the number of the component that cancels this one in normal play, if there is one.
    pub fn negative(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.negative(place, ids)
    }

    /// Returns the number of the component that this one becomes after a move in another component,
    /// if it changes.
    pub(crate) fn passed(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.passed(place, ids)
    }

    /// Creates a term whose parts are these components of one table.
    pub(crate) fn gathered(&self, table: u32, ids: &[u32]) -> Arc<dyn AnyTerm> {
        let mut places = ids.iter().map(|&id| self.directory.get(id).1);
        self.table(table).gathered(&mut places)
    }

    /// Returns the canonical notation of a component.
    #[must_use]
    pub fn write(&self, id: u32) -> String {
        let (parts, index) = self.part(id);
        parts.text_of(index)
    }

    /// Returns the approximate number of bytes that the store occupies.
    pub(crate) fn bytes(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.bytes()).sum();
        tables + self.directory.bytes()
    }
}

/// Returns an iterator over the options in the format of [`Store::list_options`], each as a list of
/// components.
pub(crate) fn lists(mut flat: &[u32]) -> impl Iterator<Item = &[u32]> {
    // One buffer of lengths and numbers avoids an allocation for each option.
    std::iter::from_fn(move || {
        let (&length, rest) = flat.split_first()?;
        let (list, rest) = rest.split_at(length as usize);
        flat = rest;
        Some(list)
    })
}
