//! An interner of components. A component is a part of a game in canonical form. The interner gives
//! each component a number, its id.
//!
//! When a part is entered, its rules split it into components. Labels, searches, explanations and
//! theories of values refer to a component by its id. Each ruleset has a table of its components.
//! Only the code of the table depends on the type of the parts, and the store depends on no ruleset
//! and no theory.
//!
//! A store may instead give ids to the parts as written, without splitting them. Callers that
//! distinguish positions by their notation use such a store.

pub(crate) mod directory;
pub(crate) mod erased;
pub(crate) mod option_cache;

use std::any::{Any, TypeId};
use std::fmt::{self, Debug};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::directory::{Client, Directory};
use self::erased::{AnyTerm, PartFacts};
use crate::move_counts::Reserve;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;

/// The objects to which a store gives ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// The canonical components of parts. A part may have several components.
    #[default]
    Components,
    /// The parts as written, which are not split into components.
    AsWritten,
}

/// The key by which a store finds the table for given rules: the type of the rules, and the hash of
/// their contents.
pub(crate) type RulesKey = (TypeId, u64);

/// An option of a component, as visited by [`Store::scan_options`]. Each component of the option
/// counts as known or as new.
pub(crate) struct ScannedOption<'a> {
    /// The ids (in the store) of the known components.
    pub(crate) known: &'a [u32],
    /// Count of the new components.
    pub(crate) new: usize,
    /// The sums of the reserves of Left and of Right in the new components, or `None` if a new
    /// component has no reserves.
    pub(crate) reserves: Option<[Reserve; 2]>,
    /// Number of moves of the next player in all new components together, or 0 if they were not
    /// counted.
    pub(crate) moves: u32,
}

/// Largest number of moves that are counted in a component. Counting stops when this number is
/// exceeded.
pub(crate) const MAX_COUNTED_MOVES: u64 = 1_000;

/// The table of the components of one ruleset. An argument `place` is the index of a component in
/// this table. Results contain the ids of components, which are valid in the whole store.
pub(crate) trait ComponentTable: Any + Send + Sync {
    /// Returns all components as parts, in the order of their indices.
    fn components(&self) -> &dyn PartFacts;

    /// Appends to `out` the options of `player` in a component. Each option is encoded as the
    /// count of its components, followed by their ids in the store. The first `before` options are
    /// skipped. If a limit stops the work, every option that was appended is complete.
    fn list_options(
        &mut self,
        place: u32,
        player: Player,
        before: usize,
        ids: &mut Directory,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Visits the options of `player` in a component, in the order of
    /// [`MoveOrder`](crate::rules::MoveOrder) if the rules have one. Components that are not in the
    /// table get no ids. A component counts as new if it is not in the table, or if `known` returns
    /// `false` for its id. If `next` is given, counts the moves of this player in the new
    /// components. Returns whether `visit` stopped the iteration.
    fn scan_options(
        &self,
        place: u32,
        player: Player,
        next: Option<Player>,
        known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop>;

    /// Appends to `out` the ids (in the store) of the components of one option. `option` is the
    /// index of the option in the order of [`ComponentTable::scan_options`].
    fn pick_option(
        &mut self,
        place: u32,
        player: Player,
        option: u32,
        ids: &mut Directory,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop>;

    /// Visits the options of an impartial component, each as a list of the keys of its components.
    /// If a component can be packed into a word, the word is its key. Otherwise the key is the id
    /// of the component with the bit [`NUMBER_BIT`] set.
    fn visit_keys(
        &mut self,
        place: u32,
        ids: &mut Directory,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the id of the negative of a component. The sum of a component and its negative is 0
    /// in normal play. Returns `None` if the rules cannot express the negative, or if the game is
    /// impartial and may not end.
    fn negative(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Returns the id of the component into which this component changes when a move is made in
    /// another component of the sum. Returns `None` if this component does not change.
    fn after_move_elsewhere(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Creates a term whose parts are the components with these indices.
    fn term_of(&self, places: &mut dyn Iterator<Item = u32>) -> Arc<dyn AnyTerm>;

    /// Frees all components for whose ids `kept` returns `false`, together with these ids.
    fn retain(&mut self, kept: &dyn Fn(u32) -> bool, ids: &mut Directory);

    /// Returns the approximate number of bytes that the table occupies.
    fn bytes(&self) -> u64;
}

impl Debug for dyn ComponentTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.components().fmt(f)
    }
}

/// Number of tables, beginning with the newest, that are compared with given rules before these
/// rules are hashed.
const NEWEST: usize = 4;

/// The bit that is set in the key of a component if the key contains the id of the component. The
/// bit is not set if the key is a packed word.
pub(crate) const NUMBER_BIT: u64 = 1 << 63;

/// The components of any rulesets, each with its id.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::store::Store;
/// use grundy_core::{Limits, Player, Position, Term};
/// let heap = Position::from(Term::new(Nim, vec![2]));
/// let mut store = Store::default();
/// let (mut heaps, mut options) = (Vec::new(), Vec::new());
/// heap.enter(&mut store, &mut heaps);
/// store.list_options(heaps[0], Player::Left, &mut options, &Limits::default())?;
/// assert_eq!(options.len(), 4);                 // to 1 and to 0: a length and a number each
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Store {
    numbering: Numbering,
    tables: Vec<Box<dyn ComponentTable>>,
    by_rules: FxHashMap<RulesKey, Vec<u32>>,
    directory: Directory,
}

impl Store {
    /// Creates a store that gives ids to the parts as written, instead of their canonical
    /// components.
    pub(crate) fn as_written() -> Self {
        Self {
            numbering: Numbering::AsWritten,
            ..Self::default()
        }
    }

    /// Returns the kind of objects to which the store gives ids.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Returns the index of the newest table for which `matches` returns `true`. Only the
    /// [`NEWEST`] newest tables are tested. Most questions use the rules of a recent table, so this
    /// usually avoids hashing the rules.
    pub(crate) fn find_newest(&self, matches: &dyn Fn(&dyn ComponentTable) -> bool) -> Option<u32> {
        let newest = self.tables.iter().enumerate().rev().take(NEWEST);
        let mut found = newest.filter(|(_, table)| matches(&***table));
        found.next().map(|(number, _)| number as u32)
    }

    /// Returns the index of the table with this key for which `matches` returns `true`.
    pub(crate) fn find_table(
        &self,
        key: RulesKey,
        matches: &dyn Fn(&dyn ComponentTable) -> bool,
    ) -> Option<u32> {
        let tables = self.by_rules.get(&key)?.iter();
        tables.copied().find(|&table| matches(self.table(table)))
    }

    /// Adds a table and returns its index. `new` creates the table, given this index.
    pub(crate) fn add_table(
        &mut self,
        key: RulesKey,
        new: &dyn Fn(u32) -> Box<dyn ComponentTable>,
    ) -> u32 {
        let table = self.tables.len() as u32;
        self.tables.push(new(table));
        self.by_rules.entry(key).or_default().push(table);
        table
    }

    /// Returns the table with this index.
    pub(crate) fn table(&self, table: u32) -> &dyn ComponentTable {
        &*self.tables[table as usize]
    }

    /// Returns the table with this index, and the directory of all components.
    pub(crate) fn table_mut(&mut self, table: u32) -> (&mut dyn ComponentTable, &mut Directory) {
        (&mut *self.tables[table as usize], &mut self.directory)
    }

    /// Returns the index of the table that contains a component.
    pub(crate) fn table_of(&self, id: u32) -> u32 {
        self.directory.get(id).0
    }

    /// Returns all components of the table that contains a given component, as parts under the same
    /// rules. Also returns the index of the given component among them.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, store::Store};
    /// let (mut store, mut ids) = (Store::default(), Vec::new());
    /// Position::from(Term::new(Nim, vec![5, 3])).enter(&mut store, &mut ids);
    /// let (parts, index) = store.part(ids[1]);
    /// assert_eq!((parts.part_count(), parts.text_of(index)), (2, "nim(3)".into()));
    /// ```
    #[must_use]
    pub fn part(&self, id: u32) -> (&dyn PartFacts, usize) {
        let (table, place) = self.directory.get(id);
        (self.table(table).components(), place as usize)
    }

    /// Returns the table that contains a component, the index of the component in the table, and
    /// the directory.
    fn locate_mut(&mut self, id: u32) -> (&mut dyn ComponentTable, u32, &mut Directory) {
        let (table, place) = self.directory.get(id);
        (
            &mut *self.tables[table as usize],
            place,
            &mut self.directory,
        )
    }

    /// Returns whether the number of components has more than doubled since components were last
    /// freed. There is an additional margin for small numbers of components.
    pub(crate) fn has_doubled(&self) -> bool {
        self.directory.has_doubled()
    }

    /// Frees all components that are not pinned and for whose ids `kept` returns `false`. The store
    /// uses their ids again for new components. The time is proportional to the number of all
    /// components.
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

    /// Returns whether there is a component with this id.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.directory.is_used(id)
    }

    /// Starts a question. The limits count the components that are entered from now on.
    pub(crate) fn begin_question(&mut self) {
        self.directory.begin_question();
    }

    /// Runs `work` on the store for the search over sums. The components that `work` enters are
    /// counted separately from those that other code enters.
    pub(crate) fn for_search<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let previous = self.directory.set_client(Client::Search);
        // If `work` fails, the error is part of `result`, so the previous client is restored in
        // this case too.
        let result = work(self);
        self.directory.set_client(previous);
        result
    }

    /// Returns an exclusive upper bound of the ids in use. It may exceed the number of components,
    /// since some smaller ids may be free.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, store::Store};
    /// let mut store = Store::default();
    /// Position::from(Term::new(Nim, vec![5, 3, 5])).enter(&mut store, &mut Vec::new());
    /// assert_eq!(store.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Returns whether the store contains no components.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, store::Store};
    /// let mut store = Store::default();
    /// assert!(store.is_empty());
    /// Position::from(Term::new(Nim, vec![5])).enter(&mut store, &mut Vec::new());
    /// assert!(!store.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends to `out` the options of `player` in a component. Each option is encoded as the
    /// count of its components, followed by their ids in the store.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with [`Stop::Rules`] if rules given at run time
    /// fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Player, Position, Term, store::Store};
    /// let (mut store, mut ids, mut options) = (Store::default(), Vec::new(), Vec::new());
    /// Position::from(Term::new(Nim, vec![2])).enter(&mut store, &mut ids);
    /// store.list_options(ids[0], Player::Left, &mut options, &Limits::default())?;
    /// // Each option is one component.
    /// assert_eq!(options, [1, 1, 1, 2]);
    /// assert_eq!([store.write(1), store.write(2)], ["nim(0)", "nim(1)"]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn list_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.list_further_options(id, player, 0, out, limits)
    }

    /// Appends to `out` the options of `player` in a component, in the format of
    /// [`Store::list_options`]. The first `before` options are skipped. If a limit stops the work,
    /// every option that was appended is complete.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with [`Stop::Rules`] if rules given at run time
    /// fail.
    pub(crate) fn list_further_options(
        &mut self,
        id: u32,
        player: Player,
        before: usize,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let (table, place, ids) = self.locate_mut(id);
        table.list_options(place, player, before, ids, out, limits)
    }

    /// Visits the options of `player` in a component, without entering their components. A
    /// component counts as new if it is not in the store, or if `known` returns `false` for its id.
    /// If `next` is given, counts the moves of this player in the new components. Returns whether
    /// `visit` stopped the iteration.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail, or with the error of the
    /// visitor.
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

    /// Appends to `out` the ids of the components of one option. `option` is the index of the
    /// option in the order of [`Store::scan_options`].
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    pub(crate) fn pick_option(
        &mut self,
        id: u32,
        player: Player,
        option: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        let (table, place, ids) = self.locate_mut(id);
        table.pick_option(place, player, option, ids, out)
    }

    /// Visits the options of an impartial component, each as a list of the keys of its components.
    /// A key is a packed word, or the id of a component with the bit [`NUMBER_BIT`] set.
    pub(crate) fn visit_keys(
        &mut self,
        id: u32,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let (table, place, ids) = self.locate_mut(id);
        table.visit_keys(place, ids, limits, visit)
    }

    /// Returns the payoff of a component without options, in normal play, for the player to move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::argument::Argument;
    /// use grundy_core::{PayoffResult, Player, Position, registry, store::Store};
    /// let (mut store, mut ids) = (Store::default(), Vec::new());
    /// let full = Argument::List(vec![Argument::Text("XO".into())]);
    /// let board = [(None, full), (None, Argument::Int(2))];
    /// Position::from(registry::construct("k_in_a_row", &board)?).enter(&mut store, &mut ids);
    /// assert_eq!(store.payoff(ids[0], Player::Left)?, PayoffResult::Tie);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn payoff(&self, id: u32, to_move: Player) -> Result<PayoffResult, Stop> {
        let (parts, index) = self.part(id);
        parts.payoff_of(index, to_move)
    }

    /// Returns the id of the negative of a component. The sum of a component and its negative is 0
    /// in normal play. Returns `None` if the rules cannot express the negative, or if the game is
    /// impartial and may not end.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Position, Term, store::Store};
    /// let (mut store, mut ids) = (Store::default(), Vec::new());
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"TT.F".to_vec()]));
    /// strip.enter(&mut store, &mut ids);
    /// let negative = store.negative(ids[0]).expect("the rules have negatives");
    /// assert_eq!(store.write(negative), "toads_and_frogs(\"T.FF\")");
    /// ```
    pub fn negative(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.locate_mut(id);
        table.negative(place, ids)
    }

    /// Returns the id of the component into which this component changes when a move is made in
    /// another component of the sum. Returns `None` if this component does not change.
    pub(crate) fn after_move_elsewhere(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.locate_mut(id);
        table.after_move_elsewhere(place, ids)
    }

    /// Creates a term whose parts are these components of one table.
    pub(crate) fn term_of(&self, table: u32, ids: &[u32]) -> Arc<dyn AnyTerm> {
        let mut places = ids.iter().map(|&id| self.directory.get(id).1);
        self.table(table).term_of(&mut places)
    }

    /// Returns the canonical notation of a component.
    ///
    /// ```
    /// use grundy_core::{Position, argument::Argument, registry, store::Store};
    /// let (mut store, mut ids) = (Store::default(), Vec::new());
    /// let board = Argument::List(vec![Argument::Text(".#..".into())]);
    /// Position::from(registry::construct("cram", &[(None, board)])?).enter(&mut store, &mut ids);
    /// // The single square has no move, so it is not a component.
    /// let texts: Vec<String> = ids.iter().map(|&id| store.write(id)).collect();
    /// assert_eq!(texts, ["cram([\"..\"])"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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

/// Returns an iterator over options in the format of [`Store::list_options`]. Each option is a list
/// of the ids of its components.
pub(crate) fn lists(mut flat: &[u32]) -> impl Iterator<Item = &[u32]> {
    // This format avoids an allocation for each option.
    std::iter::from_fn(move || {
        let (&length, rest) = flat.split_first()?;
        let (list, rest) = rest.split_at(length as usize);
        flat = rest;
        Some(list)
    })
}
