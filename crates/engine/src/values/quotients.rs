//! Misère quotients of heap games. A misère quotient is a commutative monoid, in which each heap
//! has an element. The product of the elements of the heaps in a sum determines the outcome of the
//! sum. Only finite quotients are found.
//!
//! The theorems are in `docs/theory.md`, "Misère quotients".

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_misere::quotient::{Family, Repetition, Search, VisitPieces};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Engine, Evidence, PartRef, PartValue, Reach, Theory, Valuation, Work};
use crate::nature::Nature;
use crate::position::Position;
use crate::store::{Store, lists};
use crate::theorem::Structure;
use grundy_base::limits::{Flow, Halt, Limits, Stop};
use grundy_base::player::Player;
use grundy_heap::{HeapRules, Memory};

/// The heaps 1, 2, 3, ... of one or several heap games, in the order of their sizes. The heaps are
/// numbered, and are called pieces. With r games, piece i is a heap of size floor(i / r) + 1 in
/// game i mod r.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heaps {
    rules: Vec<HeapRules>,
    largest: Option<u32>,
}

impl Heaps {
    /// Creates the family of all heaps of some heap games. If `largest` is given, the family
    /// consists of the heaps up to that size.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::values::quotients::Heaps;
    /// use grundy_misere::quotient::Family;
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// assert_eq!(Heaps::new(vec![kayles.clone()], Some(20)).pieces(), Some(20));
    /// assert_eq!(Heaps::new(vec![kayles], None).pieces(), None);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(rules: Vec<HeapRules>, largest: Option<u32>) -> Self {
        Self { rules, largest }
    }

    fn count(&self) -> u32 {
        self.rules.len() as u32
    }

    /// Returns the index of the piece that is a heap of size `heap` in the game with the index
    /// `rules`. Returns `None` for the empty heap.
    ///
    /// # Errors
    /// [`Stop::NoValue`] if the heap is too large to be numbered.
    fn piece(&self, rules: u32, heap: u64) -> Result<Option<u32>, Stop> {
        let Some(before) = heap.checked_sub(1) else {
            return Ok(None);
        };
        // Pieces are numbered in the order of their sizes, so the options of a piece have smaller
        // numbers.
        let piece = before
            .checked_mul(u64::from(self.count()))
            .and_then(|first| first.checked_add(u64::from(rules)))
            .and_then(|piece| u32::try_from(piece).ok());
        piece.map(Some).ok_or(Stop::NoValue)
    }

    /// Returns the size of the heap that is the piece with the index `piece`.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::values::quotients::Heaps;
    /// let rules = |code| Code::parse(code).map(HeapRules::TakeAndBreak);
    /// let heaps = Heaps::new(vec![rules("0.77")?, rules("0.137")?], None);
    /// // The two games alternate, so pieces 2 and 3 are heaps of two chips.
    /// assert_eq!([0, 1, 2, 3].map(|piece| heaps.heap(piece)), [1, 1, 2, 2]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn heap(&self, piece: u32) -> u32 {
        piece / self.count() + 1
    }
}

impl Family for Heaps {
    fn pieces(&self) -> Option<u32> {
        Some(self.largest? * self.count())
    }

    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow {
        let rules = piece % self.count();
        let heap = u64::from(self.heap(piece));
        let mut pieces = Vec::new();
        self.rules[rules as usize].options(heap, &mut |heaps| {
            pieces.clear();
            for &heap in heaps {
                match self.piece(rules, heap) {
                    Ok(piece) => pieces.extend(piece),
                    Err(stop) => return ControlFlow::Break(Halt::Stop(stop)),
                }
            }
            visit(&pieces)
        })
    }

    fn pieces_per_round(&self) -> u32 {
        self.count()
    }

    /// Returns the number n of pieces (heaps in the order of their sizes) that suffice to prove a
    /// period. If the quotient elements of the first n pieces repeat with this preperiod and
    /// period, then those of all pieces repeat. Returns `None` if the rules allow no such proof.
    ///
    /// Suppose that a move leaves at most s heaps and takes at most k chips. Suppose also that the
    /// elements of the heaps below s(m + p) + k repeat with period p from heap m on. Let n + p be
    /// the next heap, so n + p >= s(m + p) + k. An option of this heap contains a heap of at least
    /// m + p chips. Replacing that heap by one that is smaller by p gives an option of the heap n
    /// with the same element. Conversely, each option of n gives one of n + p. Hence n and n + p
    /// have options with the same elements, so n + p gets the element of n. In this way, no new
    /// element appears from heap sm + sp + k on.
    fn pieces_needed(&self, preperiod: u32, period: u32) -> Option<u64> {
        let count = u64::from(self.count());
        let (from, period) = (
            u64::from(preperiod).div_ceil(count) + 1,
            u64::from(period) / count,
        );
        let heaps = self.rules.iter().map(|rules| match rules.memory() {
            Memory::Window(k) => (from + period).checked_add(k),
            Memory::Splits { s, k } => s.checked_mul(from + period)?.checked_add(k),
            Memory::AllBut(_) | Memory::Everything => None,
        });
        let heaps = heaps.collect::<Option<Vec<u64>>>()?.into_iter().max()?;
        heaps.checked_mul(count)
    }
}

/// All components reachable from some positions. They are numbered, and are called pieces. The
/// components reachable from a piece have smaller numbers than the piece.
#[derive(Debug, Default)]
pub struct Components {
    store: Store,
    /// The id in the store of each piece, which is a numbered component.
    pieces: Vec<u32>,
    numbers: FxHashMap<u32, u32>,
    /// The options of each piece, which is a numbered component. An option is a list of the numbers
    /// of pieces.
    options: Vec<Vec<Vec<u32>>>,
}

impl Components {
    /// Adds all components reachable from a position, and numbers the new ones. Returns the numbers
    /// (the pieces) of the components of the position.
    ///
    /// # Errors
    /// The limit that was reached, [`Stop::NotImpartial`] if the players have different moves, or
    /// [`Stop::Cyclic`] if a position repeats.
    ///
    /// # Complexity
    /// One visit to every option of every new component.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::quotients::Components;
    /// use grundy_core::{Limits, Position, Term};
    /// let (mut components, limits) = (Components::default(), Limits::default());
    /// let nim = |heaps| Position::from(Term::new(Nim, heaps));
    /// assert_eq!(components.add(&nim(vec![2, 1]), &limits)?, [1, 2]);
    /// assert_eq!(components.add(&nim(vec![3, 1]), &limits)?, [1, 3]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn add(&mut self, position: &Position, limits: &Limits<'_>) -> Result<Vec<u32>, Stop> {
        if !position.nature().is_impartial() {
            return Err(Stop::NotImpartial);
        }
        let mut start = Vec::new();
        position.enter(&mut self.store, &mut start);
        // The path of the depth-first search, with the options of each component. If a component on
        // the path is reached again, there is a cycle.
        let mut path: Vec<(u32, Vec<Vec<u32>>)> = Vec::new();
        let mut on_path: FxHashSet<u32> = FxHashSet::default();
        let mut next: Vec<u32> = start.clone();
        while let Some(id) = next.pop() {
            if !self.numbers.contains_key(&id) {
                if !on_path.insert(id) {
                    return Err(Stop::Cyclic);
                }
                path.push((id, self.options_of(id, limits)?));
            }
            // If all options of the last component on the path are numbered, number it too.
            // Otherwise continue with an option that is not numbered.
            while let Some((id, options)) = path.last() {
                let unknown = options.iter().flatten();
                if let Some(&unknown) = unknown.clone().find(|id| !self.numbers.contains_key(id)) {
                    next.push(unknown);
                    break;
                }
                let number = |id: &u32| self.numbers[id];
                let options = options
                    .iter()
                    .map(|option| option.iter().map(number).collect());
                let (id, options) = (*id, options.collect());
                self.numbers.insert(id, self.pieces.len() as u32);
                self.pieces.push(id);
                self.options.push(options);
                on_path.remove(&id);
                path.pop();
            }
        }
        let mut pieces: Vec<u32> = start.iter().map(|id| self.numbers[id]).collect();
        pieces.sort_unstable();
        Ok(pieces)
    }

    fn options_of(&mut self, id: u32, limits: &Limits<'_>) -> Result<Vec<Vec<u32>>, Stop> {
        limits.poll()?;
        limits.check(self.pieces.len() as u64, 64)?;
        let mut flat = Vec::new();
        (self.store).list_options(id, Player::Left, &mut flat, limits)?;
        let mut options: Vec<Vec<u32>> = lists(&flat).map(<[u32]>::to_vec).collect();
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }

    /// Returns the canonical notation of the component with the number `piece`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::quotients::Components;
    /// use grundy_core::{Limits, Position, Term};
    /// let mut components = Components::default();
    /// components.add(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
    /// assert_eq!([0, 1, 2].map(|piece| components.write(piece)), ["nim(0)", "nim(1)", "nim(2)"]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn write(&self, piece: u32) -> String {
        self.store.write(self.pieces[piece as usize])
    }
}

impl Family for Components {
    fn pieces(&self) -> Option<u32> {
        Some(self.pieces.len() as u32)
    }

    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow {
        let mut options = self.options[piece as usize].iter();
        options.try_for_each(|option| visit(option))
    }
}

/// Largest number of transitions that one question may compute to find a quotient. A transition is
/// the element of a sum, together with the set of the elements of its options.
const MAX_TRANSITIONS: u64 = 100_000;
/// Largest number of times that the limits are polled in the search for one quotient, over all
/// questions. A search with this number of polls takes about one or two seconds.
const MAX_POLLS: u64 = 2_000;

/// The quotient of the heaps under some rules, up to the largest heap added so far.
#[derive(Debug)]
struct KnownQuotient {
    search: Search<Heaps>,
    repetition: Option<Repetition>,
    /// `true` if adding the next heap exceeded the bounds on the work.
    given_up: bool,
    /// Number of polls of the limits so far, over all questions.
    polls: AtomicU64,
}

/// The misère quotients of heap games found so far.
#[derive(Debug, Default)]
pub struct Quotients {
    known: Vec<KnownQuotient>,
    /// The index in `known` of the quotient for the current question.
    current: usize,
    work: Work,
}

impl Quotients {
    /// Finds a quotient for the games whose heaps occur in `heaps`, and makes it the current
    /// quotient. The quotient covers all heaps of these games up to the largest size in `heaps`.
    /// Returns whether the quotient was found.
    ///
    /// # Errors
    /// An interruption, or the limit on the time.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::heap::{HeapRules, TakeSet};
    /// use grundy_core::{Limits, values::quotients::Quotients};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut quotients = Quotients::default();
    /// assert!(quotients.prepare(&[(&rules, 100)], &Limits::default())?);
    /// // The heaps are equal to *1, *2 and 0, which generate a quotient with six elements.
    /// assert_eq!(quotients.search().monoid().order(), 6);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn prepare(
        &mut self,
        heaps: &[(&HeapRules, u64)],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let mut rules: Vec<HeapRules> = Vec::new();
        for (other, _) in heaps {
            if !rules.contains(other) {
                rules.push((*other).clone());
            }
        }
        // Sort the rules, so that the same rules in another order give the same quotient.
        rules.sort_by_cached_key(|rules| format!("{rules:?}"));
        let largest = heaps.iter().map(|&(_, heap)| heap).max().unwrap_or(0);
        let family = Heaps::new(rules, None);
        let known = self.known.iter_mut();
        let known = known.map(|known| known.search.family().rules == family.rules);
        self.current = known.into_iter().position(|same| same).unwrap_or_else(|| {
            self.known.push(KnownQuotient {
                search: Search::new(family),
                repetition: None,
                given_up: false,
                polls: AtomicU64::new(0),
            });
            self.known.len() - 1
        });
        let known = &mut self.known[self.current];
        // Limit the attempt, since another method can answer the question if the quotient is too
        // large.
        let bounded = Limits {
            positions: limits.positions.min(MAX_TRANSITIONS),
            ..*limits
        };
        let before = known.search.pieces();
        let found = known.reach(largest, &bounded);
        self.work.count(u64::from(known.search.pieces() - before));
        found
    }

    /// Returns the search for the current quotient.
    ///
    /// # Panics
    /// Panics if no quotient was prepared.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::heap::{HeapRules, TakeSet};
    /// use grundy_core::{Limits, values::quotients::Quotients};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1]));
    /// let mut quotients = Quotients::default();
    /// quotients.prepare(&[(&rules, 1)], &Limits::default())?;
    /// // In misère play, a heap of one chip is a P-position.
    /// let search = quotients.search();
    /// assert!(search.monoid().is_p(search.element(0)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn search(&self) -> &Search<Heaps> {
        &self.known[self.current].search
    }

    /// Returns the preperiod and the period of the elements of the heaps in the current quotient,
    /// if a period is proved.
    ///
    /// ```
    /// use grundy_core::heap::{HeapRules, TakeSet};
    /// use grundy_core::{Limits, values::quotients::Quotients};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut quotients = Quotients::default();
    /// quotients.prepare(&[(&rules, 100)], &Limits::default())?;
    /// let repetition = quotients.repetition().expect("a proof");
    /// assert_eq!((repetition.preperiod, repetition.period), (0, 3));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn repetition(&self) -> Option<Repetition> {
        self.known.get(self.current)?.repetition
    }

    /// Returns the size of the largest heap whose element is known without the period.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{Limits, values::quotients::Quotients};
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let mut quotients = Quotients::default();
    /// quotients.prepare(&[(&kayles, 3), (&kayles, 5)], &Limits::default())?;
    /// assert_eq!(quotients.largest_heap(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn largest_heap(&self) -> u32 {
        let search = self.search();
        search.pieces() / search.family().count()
    }

    /// Returns the size of the smallest heap that has the same element as `heap` by the period, and
    /// the length of the period. Returns `None` if `heap` is smaller than the first heap of the
    /// second period, or if no period is proved.
    ///
    /// ```
    /// use grundy_core::heap::{HeapRules, TakeSet};
    /// use grundy_core::{Limits, values::quotients::Quotients};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut quotients = Quotients::default();
    /// quotients.prepare(&[(&rules, 100)], &Limits::default())?;
    /// assert_eq!(quotients.reduced_heap(100), Some((1, 3)));
    /// assert_eq!(quotients.reduced_heap(2), None);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn reduced_heap(&self, heap: u64) -> Option<(u64, u64)> {
        let Repetition { preperiod, period } = self.repetition()?;
        let count = u64::from(self.search().family().count());
        let from = u64::from(preperiod).div_ceil(count) + 1;
        let period = u64::from(period) / count;
        (heap >= from + period).then(|| (from + (heap - from) % period, period))
    }

    fn element(&self, rules: &HeapRules, heap: u64) -> Result<u32, Stop> {
        let search = &self.known.get(self.current).ok_or(Stop::NoValue)?.search;
        let family = search.family();
        let number = family.rules.iter().position(|other| other == rules);
        let number = number.ok_or(Stop::NoValue)? as u32;
        let heap = self.reduced_heap(heap).map_or(heap, |(reduced, _)| reduced);
        match family.piece(number, heap)? {
            None => Ok(0),
            Some(piece) if piece < search.pieces() => Ok(search.element(piece)),
            Some(_) => Err(Stop::NoValue),
        }
    }
}

impl KnownQuotient {
    /// Extends the quotient up to heaps of size `largest`, or until a period is proved. Returns
    /// `false` if the search would exceed the bounds on its work.
    fn reach(&mut self, largest: u64, limits: &Limits<'_>) -> Result<bool, Stop> {
        let pieces = largest.saturating_mul(u64::from(self.search.family().count()));
        let polls = &self.polls;
        // The bound counts polls instead of time, so that the result does not depend on the speed
        // of the machine.
        let interrupted = || {
            let polls = polls.fetch_add(1, Ordering::Relaxed);
            let stop = limits.poll().err();
            stop.or((polls >= MAX_POLLS).then_some(Stop::NoValue))
        };
        let limits = &Limits {
            interrupted: &interrupted,
            ..*limits
        };
        while self.repetition.is_none() && u64::from(self.search.pieces()) < pieces {
            // Do not repeat an attempt that failed: the next heap would exceed the bounds again.
            if self.given_up {
                return Ok(false);
            }
            match self.search.advance(limits) {
                Ok(_) => self.repetition = self.search.repetition(),
                // These stops come from the limits of the caller. The other limits only bound this
                // attempt.
                Err(stop @ (Stop::Interrupted | Stop::Time)) => return Err(stop),
                Err(_) => self.given_up = true,
            }
        }
        Ok(true)
    }
}

impl Theory for Quotients {
    /// The index of an element of the current quotient.
    type Value = u32;
    const EMPTY_SUM: u32 = 0;
    const REACH: Reach = Reach::Options;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.quotients
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        (!nature.is_impartial()).then_some(Stop::NotImpartial)
    }

    fn add(&mut self, &a: &u32, &b: &u32, _: &Limits<'_>) -> Result<u32, Stop> {
        Ok(self.search().monoid().times(a, b))
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        _: &Limits<'_>,
    ) -> Result<Option<PartValue<u32>>, Stop> {
        let (parts, index) = part.facts(&engine.store);
        let Structure::Heap(heap, size) = parts.structure_of(index) else {
            return Err(Stop::NoValue);
        };
        let value = engine.quotients.theory.element(heap, size)?;
        let evidence = Evidence::Recurrence;
        Ok(Some(PartValue { value, evidence }))
    }

    fn work(&self) -> Work {
        self.work
    }
}
