//! Interner of components: parts of any ruleset in canonical form, each with a number.
//!
//! A part is entered under its rules and split into components, which are numbers from then on.
//! Labels, searches, explanations and theories of values work on these numbers. Each ruleset has a
//! table, which is the only code that knows the type of the parts. The store knows no ruleset and
//! no theory.
//!
//! A store may also number parts as written, for callers that distinguish positions by their text.

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

/// The unit that a store numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Canonical components. A part may have several.
    #[default]
    Components,
    /// Each part as written.
    AsWritten,
}

/// The type of some rules and the hash of their contents.
pub(crate) type RulesKey = (TypeId, u64);

/// An option of a component, in which some components may be new.
pub(crate) struct ScannedOption<'a> {
    /// The components that are known.
    pub(crate) known: &'a [u32],
    /// The number of the other components.
    pub(crate) new: usize,
    /// The reserves of the players in the other components.
    pub(crate) reserves: Option<[Reserve; 2]>,
    /// Number of moves of the next player in the other components, if they are counted.
    pub(crate) moves: u32,
}

/// Upper bound of the count of moves in a component. Counting stops beyond it.
pub(crate) const COUNTED: u64 = 1_000;

/// The components of one ruleset. The methods take places in the table and return numbers of the
/// store.
pub(crate) trait ComponentTable: Debug + Any + Send + Sync {
    /// Returns the components as parts, in the order of their places.
    fn components(&self) -> &dyn PartFacts;

    /// Appends the options that `player` has in a component, each as its length and its components.
    /// The first `before` options are skipped. If a limit stops the work, all appended options are
    /// complete.
    fn list_options(
        &mut self,
        place: u32,
        player: Player,
        before: usize,
        ids: &mut Directory,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Visits the options that `player` has in a component, most promising first. New components
    /// get no numbers, and those that are not `known` count as new. Counts the moves of `next` in
    /// the new ones. Returns whether the visitor broke.
    fn scan_options(
        &self,
        place: u32,
        player: Player,
        next: Option<Player>,
        known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop>;

    /// Appends the components of one of the scanned options, by its index.
    fn pick_option(
        &mut self,
        place: u32,
        player: Player,
        option: u32,
        ids: &mut Directory,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop>;

    /// Visits the options of an impartial component, each as the keys of its components. The key is
    /// the word of a packed component, else its number marked by [`NUMBERED`].
    fn visit_keys(
        &mut self,
        place: u32,
        ids: &mut Directory,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the component that cancels this one in normal play, if the rules have one.
    fn negative(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Returns the component after a move in another component, if that changes it.
    fn passed(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Creates a term from components.
    fn gathered(&self, places: &mut dyn Iterator<Item = u32>) -> Arc<dyn AnyTerm>;

    /// Frees all components that are not `kept`, and their numbers.
    fn retain(&mut self, kept: &dyn Fn(u32) -> bool, ids: &mut Directory);

    /// Returns the approximate number of bytes in use.
    fn bytes(&self) -> u64;
}

/// Number of the newest tables that are searched before the rules are hashed.
const NEWEST: usize = 4;

/// Marks a key that is the number of a component and not a packed word.
pub(crate) const NUMBERED: u64 = 1 << 63;

/// Interned components of any rulesets.
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
    /// Creates a store that numbers parts as written instead of their canonical components.
    pub(crate) fn as_written() -> Self {
        Self {
            numbering: Numbering::AsWritten,
            ..Self::default()
        }
    }

    /// Returns the unit that the store numbers.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Returns the newest matching table among the last few. Most questions are about the latest
    /// rules, so this avoids a hash of their contents.
    pub(crate) fn find_newest(&self, is: impl Fn(&dyn ComponentTable) -> bool) -> Option<u32> {
        let newest = self.tables.iter().enumerate().rev().take(NEWEST);
        let mut right = newest.filter(|(_, table)| is(&***table));
        right.next().map(|(number, _)| number as u32)
    }

    /// Returns the table of some rules, given the hash of their contents.
    pub(crate) fn find_table(
        &self,
        key: RulesKey,
        is: impl Fn(&dyn ComponentTable) -> bool,
    ) -> Option<u32> {
        let tables = self.by_rules.get(&key)?.iter();
        tables.copied().find(|&table| is(self.table(table)))
    }

    /// Adds a table, which `new` creates from its number.
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

    /// Returns a table.
    pub(crate) fn table(&self, table: u32) -> &dyn ComponentTable {
        &*self.tables[table as usize]
    }

    /// Returns a table and the directory of all components.
    pub(crate) fn table_mut(&mut self, table: u32) -> (&mut dyn ComponentTable, &mut Directory) {
        (&mut *self.tables[table as usize], &mut self.directory)
    }

    /// Returns the table of a component.
    pub(crate) fn table_of(&self, id: u32) -> u32 {
        self.directory.get(id).0
    }

    /// Returns a component as a part of its table, by its index in the table.
    #[must_use]
    pub fn part(&self, id: u32) -> (&dyn PartFacts, usize) {
        let (table, place) = self.directory.get(id);
        (self.table(table).components(), place as usize)
    }

    /// Returns the table of a component, its place in the table, and the directory.
    fn located(&mut self, id: u32) -> (&mut dyn ComponentTable, u32, &mut Directory) {
        let (table, place) = self.directory.get(id);
        (
            &mut *self.tables[table as usize],
            place,
            &mut self.directory,
        )
    }

    /// Returns whether the number of components has doubled since the last round of freeing.
    pub(crate) fn has_doubled(&self) -> bool {
        self.directory.has_doubled()
    }

    /// Frees all components that are neither `kept` nor pinned, in time proportional to the number
    /// of components. Their numbers are reused.
    pub(crate) fn retain(&mut self, kept: &dyn Fn(u32) -> bool) {
        let directory = &mut self.directory;
        // Copied first, because the tables change the directory while `kept` reads the pins.
        let pinned: Vec<bool> = (0..directory.len() as u32)
            .map(|id| directory.is_pinned(id))
            .collect();
        let kept = |id: u32| pinned[id as usize] || kept(id);
        for table in &mut self.tables {
            table.retain(&kept, directory);
        }
        // The tables have freed numbers in their own order, so restore the order of the free list.
        directory.trim();
    }

    /// Returns whether a number belongs to a component.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.directory.is_used(id)
    }

    /// Starts a question. The limits count the components entered from now on.
    pub(crate) fn begin_question(&mut self) {
        self.directory.begin_question();
    }

    /// Runs some work for the search. Components that it enters are counted separately.
    pub(crate) fn for_search<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.directory.enter_for(Client::Search);
        // `work` reports errors in its result, so the client is restored in every case.
        let done = work(self);
        self.directory.enter_for(before);
        done
    }

    /// Returns a number greater than those of all components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Returns whether no component has been entered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the options that `player` has in a component, each as its length and its components.
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

    /// Appends the options that `player` has in a component, except the first `before`. If a limit
    /// stops the work, all appended options are complete.
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

    /// Visits the options that `player` has in a component without numbering new components. Those
    /// that are not `known` count as new. Counts the moves of `next` in the new ones. Returns
    /// whether the visitor broke.
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

    /// Appends the components of one of the scanned options, by its index.
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

    /// Visits the options of an impartial component, each as the keys of its components.
    pub(crate) fn visit_keys(
        &mut self,
        id: u32,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let (table, place, ids) = self.located(id);
        table.visit_keys(place, ids, limits, visit)
    }

    /// Returns the payoff of a component without options to the player to move, in normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    pub fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop> {
        let (parts, index) = self.part(id);
        parts.payoff_of(index, to_move)
    }

    /// Returns the component that cancels this one in normal play, if there is one.
    pub fn negative(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.negative(place, ids)
    }

    /// Returns the component after a move in another component, if that changes it.
    pub(crate) fn passed(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.passed(place, ids)
    }

    /// Creates a term from components of one table.
    pub(crate) fn gathered(&self, table: u32, ids: &[u32]) -> Arc<dyn AnyTerm> {
        let mut places = ids.iter().map(|&id| self.directory.get(id).1);
        self.table(table).gathered(&mut places)
    }

    /// Writes a component in canonical notation.
    #[must_use]
    pub fn write(&self, id: u32) -> String {
        let (parts, index) = self.part(id);
        parts.text_of(index)
    }

    /// Returns the approximate number of bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.bytes()).sum();
        tables + self.directory.bytes()
    }
}

/// Returns the lists in the format of [`Store::list_options`].
pub(crate) fn lists(mut flat: &[u32]) -> impl Iterator<Item = &[u32]> {
    // One flat buffer of lengths and numbers replaces an allocation per option.
    std::iter::from_fn(move || {
        let (&length, rest) = flat.split_first()?;
        let (list, rest) = rest.split_at(length as usize);
        flat = rest;
        Some(list)
    })
}
