//! The store of components: parts of any rulesets in canonical form, each by a number.
//!
//! A part is entered under its rules, and from then on its components are numbers. Labels,
//! searches, explanations and theories of values work on these. Each ruleset has a table of its
//! own, which is the only code that knows the type of the parts. The store knows no ruleset and no
//! theory.
//!
//! A store may also number parts as written, for callers that tell positions apart by their text.

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

/// The parts that a store numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Canonical components; a part may have several.
    #[default]
    Components,
    /// Each part as written.
    AsWritten,
}

/// The type of some rules and the hash of their contents.
pub(crate) type RulesKey = (TypeId, u64);

/// An option of a component, whose own components may be new.
pub(crate) struct ScannedOption<'a> {
    /// The components that are known.
    pub(crate) known: &'a [u32],
    /// The number of the other components.
    pub(crate) new: usize,
    /// The reserves of the players in the other components.
    pub(crate) reserves: Option<[Reserve; 2]>,
    /// The moves that the next player has in the other components, if they are counted.
    pub(crate) moves: u32,
}

/// The largest count of the moves in a component; beyond it they are not counted.
pub(crate) const COUNTED: u64 = 1_000;

/// The components of one ruleset. Its methods take places in the table and give numbers of the
/// store.
pub(crate) trait ComponentTable: Debug + Any + Send + Sync {
    /// Returns the components as parts, in the order of their places.
    fn components(&self) -> &dyn PartFacts;

    /// Appends the options that `player` has in a component, each as its length and its components,
    /// except the first ones, of which there are `before`. If a limit stops the work, those that
    /// were appended are whole.
    fn list_options(
        &mut self,
        place: u32,
        player: Player,
        before: usize,
        ids: &mut Directory,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Visits the options that `player` has in a component, in the order of their promise, without
    /// numbering new components. Those that are not `known` count as new. Counts the moves of
    /// `next` in the new ones. Returns whether the visitor broke.
    fn scan_options(
        &self,
        place: u32,
        player: Player,
        next: Option<Player>,
        known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop>;

    /// Appends the components of one of the scanned options, by its place among them.
    fn pick_option(
        &mut self,
        place: u32,
        player: Player,
        option: u32,
        ids: &mut Directory,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop>;

    /// Visits the options of an impartial component, each as the keys of its components: the word
    /// of a packed one, else its number marked by [`NUMBERED`].
    fn visit_keys(
        &mut self,
        place: u32,
        ids: &mut Directory,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the component that cancels this one in normal play, if the rules have one.
    fn negative(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Returns the component after a move elsewhere, if that makes a difference.
    fn passed(&mut self, place: u32, ids: &mut Directory) -> Option<u32>;

    /// Makes a term of components.
    fn gathered(&self, places: &mut dyn Iterator<Item = u32>) -> Arc<dyn AnyTerm>;

    /// Forgets all other components, and frees their numbers.
    fn retain(&mut self, kept: &dyn Fn(u32) -> bool, ids: &mut Directory);

    /// Returns the bytes held, about.
    fn bytes(&self) -> u64;
}

/// Tables that are looked at before their rules are hashed.
const NEWEST: usize = 4;

/// Marks a key that is the number of a component, and no word.
pub(crate) const NUMBERED: u64 = 1 << 63;

/// Components of any rulesets, by numbers.
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
    /// Makes a store that numbers parts as written, not their canonical components.
    pub(crate) fn as_written() -> Self {
        Self {
            numbering: Numbering::AsWritten,
            ..Self::default()
        }
    }

    /// Returns what the store numbers.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Returns the newest table that `is` right, of a few: most questions are about the rules that
    /// came last, which are then found without a hash of all their contents.
    pub(crate) fn find_newest(&self, is: impl Fn(&dyn ComponentTable) -> bool) -> Option<u32> {
        let newest = self.tables.iter().enumerate().rev().take(NEWEST);
        let mut right = newest.filter(|(_, table)| is(&***table));
        right.next().map(|(number, _)| number as u32)
    }

    /// Returns the table of some rules, by the hash of their contents.
    pub(crate) fn find_table(
        &self,
        key: RulesKey,
        is: impl Fn(&dyn ComponentTable) -> bool,
    ) -> Option<u32> {
        let tables = self.by_rules.get(&key)?.iter();
        tables.copied().find(|&table| is(self.table(table)))
    }

    /// Adds a table. `new` makes it of its number.
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

    /// Returns a table, and the directory of all components.
    pub(crate) fn table_mut(&mut self, table: u32) -> (&mut dyn ComponentTable, &mut Directory) {
        (&mut *self.tables[table as usize], &mut self.directory)
    }

    /// Returns the table of a component.
    pub(crate) fn table_of(&self, id: u32) -> u32 {
        self.directory.get(id).0
    }

    /// Returns a component as a part of its table, by its index there.
    #[must_use]
    pub fn part(&self, id: u32) -> (&dyn PartFacts, usize) {
        let (table, place) = self.directory.get(id);
        (self.table(table).components(), place as usize)
    }

    /// Returns the table of a component, and its place there.
    fn located(&mut self, id: u32) -> (&mut dyn ComponentTable, u32, &mut Directory) {
        let (table, place) = self.directory.get(id);
        (
            &mut *self.tables[table as usize],
            place,
            &mut self.directory,
        )
    }

    /// Returns whether most components have been entered since some were freed last.
    pub(crate) fn has_doubled(&self) -> bool {
        self.directory.has_doubled()
    }

    /// Forgets all components that are neither `kept` nor pinned, in time proportional to the
    /// components that there are. Their numbers are given to components that are new later.
    pub(crate) fn retain(&mut self, kept: &dyn Fn(u32) -> bool) {
        let directory = &mut self.directory;
        let pinned: Vec<bool> = (0..directory.len() as u32)
            .map(|id| directory.is_pinned(id))
            .collect();
        let kept = |id: u32| pinned[id as usize] || kept(id);
        for table in &mut self.tables {
            table.retain(&kept, directory);
        }
        directory.trim();
    }

    /// Returns whether a number is that of a component.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.directory.is_used(id)
    }

    /// Begins a question: limits count the components that are entered from now on.
    pub(crate) fn begin_question(&mut self) {
        self.directory.begin_question();
    }

    /// Does some work for the search, for which the components that it enters are counted apart.
    pub(crate) fn for_search<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.directory.enter_for(Client::Search);
        let done = work(self);
        self.directory.enter_for(before);
        done
    }

    /// Returns a number that is greater than those of all components.
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
    /// The limit that was reached, or rules that have no answer.
    pub fn list_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.list_further_options(id, player, 0, out, limits)
    }

    /// Appends the options that `player` has in a component, except the first ones, of which there
    /// are `before`. If a limit stops the work, those that were appended are whole.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
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
    /// Rules that have no answer, or the error of the visitor.
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

    /// Appends the components of one of the scanned options, by its place among them.
    ///
    /// # Errors
    /// Rules that have no answer.
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
    /// Rules that have no answer.
    pub fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop> {
        let (parts, index) = self.part(id);
        parts.payoff_of(index, to_move)
    }

    /// Returns the component that cancels this one in normal play, if there is one.
    pub fn negative(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.negative(place, ids)
    }

    /// Returns the component after a move elsewhere, if that makes a difference.
    pub(crate) fn passed(&mut self, id: u32) -> Option<u32> {
        let (table, place, ids) = self.located(id);
        table.passed(place, ids)
    }

    /// Makes a term of components of one table.
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

    /// Returns the bytes held, about.
    pub(crate) fn bytes(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.bytes()).sum();
        tables + self.directory.bytes()
    }
}

/// Returns the lists inside what [`Store::list_options`] appended.
pub(crate) fn lists(mut flat: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let (&length, rest) = flat.split_first()?;
        let (list, rest) = rest.split_at(length as usize);
        flat = rest;
        Some(list)
    })
}
