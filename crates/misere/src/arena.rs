//! Forms by number: each value once, and G + * beside G.

use grundy_base::index::{Index, hash};
use grundy_base::{Limits, Stop};
use rustc_hash::FxHashMap;

use crate::class::Class;
use crate::form::Form;
use crate::sums::Sums;

/// Misère canonical forms of impartial games, each once, and all that was worked out about them.
///
/// Two games are equal in misère play if no third game, added to both, tells them apart by who
/// wins. The *canonical form* is the simplest game equal to a given one; it is found by leaving out
/// reversible moves, and there is no other simplification (P. M. Grundy, C. A. B. Smith,
/// Disjunctive games with the last player losing, 1956; On Numbers and Games, theorems 75 to 77).
///
/// Forms of sums grow quickly, so whatever may make forms asks [`Limits`]: `positions` bounds the
/// forms, `memory` the bytes.
#[derive(Debug)]
pub struct Forms {
    nodes: Vec<Node>,
    /// Options, list after list, each in order.
    pool: Vec<Form>,
    index: Index,
    /// 0, *2, *4, ... as far as they were asked for.
    nimbers: Vec<Form>,
    pub(crate) sums: FxHashMap<u64, Form>,
    /// Bytes of the sums on the way.
    pub(crate) adding: u64,
    pub(crate) mates: FxHashMap<Form, Form>,
    pub(crate) classes: FxHashMap<u32, Class>,
    /// Digits of genera, list after list, and where those of an even form stand.
    pub(crate) digits: Vec<u32>,
    pub(crate) genera: FxHashMap<u32, [u32; 2]>,
    /// Sums of which only the genus is known.
    pub(crate) unformed: Sums,
    /// Games T with G + T a P-position and H + T none, by G and H.
    pub(crate) witnesses: FxHashMap<(Form, Form), Form>,
    /// Steps since the limits were last looked at.
    steps: u32,
}

/// An even form.
#[derive(Debug)]
struct Node {
    /// Where its options start in the pool; they end where the next one's start.
    start: u32,
    birthday: u32,
    /// The nim-value in normal play.
    grundy: u32,
    /// The nim-value in misère play.
    misere: u32,
    is_nimber: bool,
}

impl Default for Forms {
    fn default() -> Self {
        let zero = Node {
            start: 0,
            birthday: 0,
            grundy: 0,
            misere: 1,
            is_nimber: true,
        };
        let mut forms = Self {
            nodes: vec![zero],
            pool: Vec::new(),
            index: Index::default(),
            nimbers: vec![Form::ZERO],
            sums: FxHashMap::default(),
            adding: 0,
            mates: FxHashMap::default(),
            classes: FxHashMap::default(),
            digits: Vec::new(),
            genera: FxHashMap::default(),
            unformed: Sums::default(),
            witnesses: FxHashMap::default(),
            steps: 0,
        };
        forms.index.make_room(0, 1, |_| 0);
        forms.index.number(hash::<[Form]>(&[]), 0, |_| {
            unreachable!("the index is empty")
        });
        forms
    }
}

impl Forms {
    /// How many even forms there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes are held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.index.bytes();
        let lists = (self.pool.capacity() + self.digits.capacity() + self.nimbers.capacity()) * 4;
        // A hash map holds a control byte an entry and is at most seven eighths full.
        let maps = self.sums.capacity() * 20
            + self.mates.capacity() * 11
            + self.classes.capacity() * 11
            + self.genera.capacity() * 16
            + self.witnesses.capacity() * 16;
        (nodes + lists + maps) as u64 + self.unformed.bytes() + self.adding
    }

    /// Counts a step of work, and fails when it has to end.
    pub(crate) fn step(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            limits.check(self.nodes.len() as u64, 0)?;
            limits.check(1, self.bytes())?;
            limits.poll()?;
        }
        Ok(())
    }

    /// Returns the options of the canonical form, each once, in no order that means anything.
    pub fn options(&self, form: Form) -> impl Iterator<Item = Form> + '_ {
        // What can be reached from G + * is G, and G' + * for every option G' of G.
        let star = form.star();
        let moved = self.stored(form).iter().map(move |o| Form(o.0 ^ star));
        moved.chain((star == 1).then_some(form.even_part()))
    }

    /// How many options the canonical form has.
    #[must_use]
    pub fn option_count(&self, form: Form) -> usize {
        self.stored(form).len() + form.star() as usize
    }

    /// Returns whether the canonical form has this option.
    ///
    /// # Complexity
    /// A binary search.
    #[must_use]
    pub fn has_option(&self, form: Form, option: Form) -> bool {
        let star = form.star();
        if star == 1 && option == form.even_part() {
            return true;
        }
        self.stored(form)
            .binary_search(&Form(option.0 ^ star))
            .is_ok()
    }

    /// Returns the options of the even part, in order.
    fn stored(&self, form: Form) -> &[Form] {
        let node = form.node();
        let end = (self.nodes.get(node + 1)).map_or(self.pool.len(), |next| next.start as usize);
        &self.pool[self.nodes[node].start as usize..end]
    }

    /// Returns the most moves that can be made in the canonical form.
    #[must_use]
    pub fn birthday(&self, form: Form) -> u32 {
        self.nodes[form.node()].birthday + form.star()
    }

    /// Returns the nim-value in normal play.
    #[must_use]
    pub fn grundy(&self, form: Form) -> u32 {
        self.nodes[form.node()].grundy ^ form.star()
    }

    /// Returns the nim-value in misère play: the n for which G + *n is a P-position; 1 for 0, else
    /// the least number that is the misère nim-value of no option.
    #[must_use]
    pub fn misere_grundy(&self, form: Form) -> u32 {
        self.nodes[form.node()].misere ^ form.star()
    }

    /// Returns whether the player who has just moved wins in misère play.
    #[must_use]
    pub fn is_p(&self, form: Form) -> bool {
        self.misere_grundy(form) == 0
    }

    /// n, where the form is a heap of Nim with n counters.
    #[must_use]
    pub fn nim_heap(&self, form: Form) -> Option<u32> {
        self.nodes[form.node()]
            .is_nimber
            .then(|| self.birthday(form))
    }

    /// \*n, a heap of Nim with n counters.
    ///
    /// # Complexity
    /// n^2 / 4 options are stored, those of smaller heaps with it.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn nimber(&mut self, n: u32, limits: &Limits<'_>) -> Result<Form, Stop> {
        limits.check(u64::from(n), u64::from(n))?;
        while self.nimbers.len() <= n as usize / 2 {
            let below = (self.nimbers.iter()).flat_map(|&even| [even, even.plus_star()]);
            let mut below: Vec<Form> = below.collect();
            below.sort_unstable();
            let next = self.of_sorted(&below, limits)?;
            self.nimbers.push(next);
        }
        Ok(Form(self.nimbers[n as usize / 2].0 | n & 1))
    }

    /// Returns the canonical form of the game in which both players may move to each of these.
    ///
    /// H is the canonical form of G if the options of H are options of G and every other option of
    /// G has H among its own options, so that a move there can be taken back to H; and where H is
    /// 0, G must be an N-position, for a player who meets 0 wins without a move.
    ///
    /// # Complexity
    /// k options are looked at once for each option of the last of them that has so many options as
    /// there are smaller ones here.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn of_options(&mut self, options: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut sorted = options.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        self.of_sorted(&sorted, limits)
    }

    /// As [`Forms::of_options`], of options in order, each once.
    pub(crate) fn of_sorted(
        &mut self,
        options: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.step(limits)?;
        let key = hash(options);
        let known = (self.index).find(key, |node| self.stored(Form(node << 1)) == options);
        if let Some(node) = known {
            return Ok(Form(node << 1));
        }
        // 0 is known from the beginning, so there is a last option.
        let last = options[options.len() - 1];
        // Options have smaller numbers than what they are options of. So a form to which some
        // options go back is an option of the last one, and its own options are just those that
        // come before it.
        let back = (self.options(last)).find(|&h| self.goes_back(options, h));
        if let Some(form) = back {
            return Ok(form);
        }
        if last.is_even() && self.are_options(options, last.plus_star()) {
            return Ok(last.plus_star());
        }
        self.push(options, key, limits)
    }

    /// Returns whether the game with these options is H, which is none of them.
    fn goes_back(&self, options: &[Form], h: Form) -> bool {
        let (before, after) = options.split_at(options.partition_point(|&g| g < h));
        // In a heap of Nim every smaller one has just the options before it, and then comes itself:
        // that is seen at once.
        after.iter().all(|&g| self.has_option(g, h))
            && self.are_options(before, h)
            && (h != Form::ZERO || options.iter().any(|&g| self.is_p(g)))
    }

    /// Returns whether these are just the options of H.
    fn are_options(&self, options: &[Form], h: Form) -> bool {
        self.option_count(h) == options.len()
            && self
                .options(h)
                .all(|option| options.binary_search(&option).is_ok())
    }

    /// Stores an even form.
    fn push(&mut self, options: &[Form], key: u64, limits: &Limits<'_>) -> Result<Form, Stop> {
        let place = self.nodes.len() as u32;
        if place >= u32::MAX >> 1 {
            return Err(Stop::Positions(limits.positions));
        }
        let Ok(end) = u32::try_from(self.pool.len() + options.len()) else {
            return Err(Stop::Memory(limits.memory));
        };
        limits.check(u64::from(place) + 1, 0)?;
        let born = options.iter().map(|&g| self.birthday(g)).max();
        let born = born.map_or(0, |born| born + 1);
        let value = |of: &dyn Fn(Form) -> u32| {
            grundy_base::mex(options.iter().map(|&g| u64::from(of(g)))) as u32
        };
        // As many heaps of Nim as the largest of them and 0 allow are all of them.
        let is_nimber = (options.iter()).all(|g| self.nodes[g.node()].is_nimber)
            && options.len() == born as usize;
        let node = Node {
            start: end - options.len() as u32,
            birthday: born,
            grundy: value(&|g| self.grundy(g)),
            misere: value(&|g| self.misere_grundy(g)),
            is_nimber,
        };
        let mut index = std::mem::take(&mut self.index);
        index.make_room(self.nodes.len(), self.nodes.len() + 1, |node| {
            hash(self.stored(Form(node << 1)))
        });
        index.number(key, place, |_| false);
        self.index = index;
        self.pool.extend_from_slice(options);
        self.nodes.push(node);
        Ok(Form(place << 1))
    }

    /// Returns the positions of a form, itself too, each once, options before what they are options
    /// of.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(crate) fn positions(&mut self, form: Form, limits: &Limits<'_>) -> Result<Vec<Form>, Stop> {
        let mut seen = rustc_hash::FxHashSet::from_iter([form]);
        let mut found = vec![form];
        let mut next = 0;
        while let Some(&form) = found.get(next) {
            self.step(limits)?;
            limits.check(found.len() as u64, 16)?;
            next += 1;
            let new = self.options(form).filter(|&option| seen.insert(option));
            found.extend(new);
        }
        // Options have smaller numbers.
        found.sort_unstable();
        Ok(found)
    }
}
