//! An interner of misère canonical forms. Every form is either even or G + * for an even form G.
//! Each even form is stored once, and G + * needs no entry besides the entry of G.

use grundy_base::index::{Index, hash};
use grundy_base::{Limits, Stop};
use rustc_hash::FxHashMap;

use crate::class::Class;
use crate::form::Form;
use crate::sums::Sums;

/// An interner of the misère canonical forms of impartial games. It also caches their properties.
///
/// Two games are equal in misère play if adding any third game to both gives sums with the same
/// outcome. The *canonical form* of a game is the simplest game equal to it. It is obtained by
/// removing reversible moves, and no other simplification exists (P. M. Grundy, C. A. B. Smith,
/// Disjunctive games with the last player losing, 1956; On Numbers and Games, theorems 75 to 77).
///
/// The forms of sums become large quickly. So every method that may create forms takes [`Limits`].
/// Its `positions` bounds the number of forms, and its `memory` bounds the bytes.
#[derive(Debug)]
pub struct Forms {
    // Invariant: the number of an option is smaller than the number of its form. Nodes are only
    // appended, so a stored form never changes.
    nodes: Vec<Node>,
    /// The options of all stored forms: a sorted list of options for each form, one list after the
    /// other.
    pool: Vec<Form>,
    index: Index,
    /// The even nimbers 0, *2, *4, ... that have been computed.
    nimbers: Vec<Form>,
    pub(crate) sums: FxHashMap<u64, Form>,
    /// The approximate size of the sums that are being computed, in bytes.
    pub(crate) open_bytes: u64,
    pub(crate) mates: FxHashMap<Form, Form>,
    pub(crate) classes: FxHashMap<u32, Class>,
    /// The digits of all known genera: a list of digits for each genus, one list after the other.
    pub(crate) digits: Vec<u32>,
    /// For each even form with a known genus, the range of its digits in `digits`.
    pub(crate) genera: FxHashMap<u32, [u32; 2]>,
    /// The cache for sums whose genus is computed without their canonical form.
    pub(crate) sum_genera: Sums,
    /// For each pair (G, H): a game T such that G + T is a P-position and H + T is not.
    pub(crate) witnesses: FxHashMap<(Form, Form), Form>,
    /// The number of steps so far. The limits are checked once every 256 steps.
    steps: u32,
}

/// The stored data of an even form (see [`Form::is_even`]).
#[derive(Debug)]
struct Node {
    /// The index in `Forms::pool` at which the options of the form start. They end where the
    /// options of the next form start.
    start: u32,
    birthday: u32,
    /// The nim-value of the form in normal play.
    grundy: u32,
    /// The nim-value of the form in misère play.
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
            open_bytes: 0,
            mates: FxHashMap::default(),
            classes: FxHashMap::default(),
            digits: Vec::new(),
            genera: FxHashMap::default(),
            sum_genera: Sums::default(),
            witnesses: FxHashMap::default(),
            steps: 0,
        };
        forms.index.make_room(0, 1, &|_| 0);
        forms.index.number(hash::<[Form]>(&[]), 0, |_| {
            unreachable!("the index is empty")
        });
        forms
    }
}

impl Forms {
    /// Returns the number of stored forms. Only even forms (see [`Form::is_even`]) are stored.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // The form 0 is always stored. The nimber *5 needs only *2 and *4 in addition.
    /// assert_eq!(forms.count(), 1);
    /// forms.nimber(5, &limits)?;
    /// assert_eq!(forms.count(), 3);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the approximate size of the interner in bytes.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let before = forms.bytes();
    /// // The even nimbers up to *200 have 0 + 2 + ... + 200 options, of 4 bytes each.
    /// forms.nimber(200, &limits)?;
    /// assert!(forms.bytes() > before + 4 * 10_100);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.index.bytes();
        let lists = (self.pool.capacity() + self.digits.capacity() + self.nimbers.capacity()) * 4;
        // A hash map has one control byte for each entry, and at most seven eighths of its entries
        // are used.
        let maps = self.sums.capacity() * 20
            + self.mates.capacity() * 11
            + self.classes.capacity() * 11
            + self.genera.capacity() * 16
            + self.witnesses.capacity() * 16;
        (nodes + lists + maps) as u64 + self.sum_genera.bytes() + self.open_bytes
    }

    /// Counts a step. Checks the limits once every 256 steps.
    pub(crate) fn step(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            limits.check(self.nodes.len() as u64, 0)?;
            limits.check(1, self.bytes())?;
            limits.poll()?;
        }
        Ok(())
    }

    /// Returns the options of the canonical form, each once, in no particular order.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let three = forms.nimber(3, &limits)?;
    /// let values = forms.options(three).map(|option| forms.grundy(option));
    /// let mut values: Vec<u32> = values.collect();
    /// values.sort_unstable();
    /// assert_eq!(values, [0, 1, 2]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn options(&self, form: Form) -> impl Iterator<Item = Form> + '_ {
        // The options of G + * are G and all G' + *, where G' is an option of G.
        let star = form.star();
        let moved = self.stored(form).iter().map(move |o| Form(o.0 ^ star));
        moved.chain((star == 1).then_some(form.even_part()))
    }

    /// Returns the number of options of the canonical form.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let five = forms.nimber(5, &limits)?;
    /// assert_eq!(forms.option_count(five), 5);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn option_count(&self, form: Form) -> usize {
        self.stored(form).len() + form.star() as usize
    }

    /// Returns whether `option` is an option of the canonical form.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, three] = [forms.nimber(2, &limits)?, forms.nimber(3, &limits)?];
    /// assert!(forms.has_option(three, two));
    /// assert!(!forms.has_option(two, three));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One binary search.
    #[must_use]
    pub fn has_option(&self, form: Form, option: Form) -> bool {
        // `option` is an option of G + * if it is G itself, or if `option` + * is an option of G.
        let star = form.star();
        if star == 1 && option == form.even_part() {
            return true;
        }
        self.stored(form)
            .binary_search(&Form(option.0 ^ star))
            .is_ok()
    }

    /// Returns the sorted options of the even part of the form (see [`Form::even_part`]).
    fn stored(&self, form: Form) -> &[Form] {
        let node = form.node();
        let end = (self.nodes.get(node + 1)).map_or(self.pool.len(), |next| next.start as usize);
        &self.pool[self.nodes[node].start as usize..end]
    }

    /// Returns the birthday of the form: the largest number of moves in a play of the canonical
    /// form.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.birthday(twice), 4);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn birthday(&self, form: Form) -> u32 {
        self.nodes[form.node()].birthday + form.star()
    }

    /// Returns the nim-value of the form in normal play.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, five] = [forms.nimber(2, &limits)?, forms.nimber(5, &limits)?];
    /// let sum = forms.plus(two, five, &limits)?;
    /// assert_eq!(forms.grundy(sum), 7);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn grundy(&self, form: Form) -> u32 {
        self.nodes[form.node()].grundy ^ form.star()
    }

    /// Returns the nim-value of the form in misère play: the n for which G + *n is a P-position.
    ///
    /// The value is 1 for the form 0. For other forms it is the mex of the misère nim-values of the
    /// options.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// assert_eq!(forms.misere_grundy(Form::ZERO), 1);
    /// assert_eq!(forms.misere_grundy(Form::STAR), 0);
    /// // The only option of this game is *2. So its value is 0, as in normal play.
    /// let two = forms.nimber(2, &limits)?;
    /// let game = forms.of_options(&[two], &limits)?;
    /// assert_eq!(forms.misere_grundy(game), 0);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn misere_grundy(&self, form: Form) -> u32 {
        self.nodes[form.node()].misere ^ form.star()
    }

    /// Returns whether the form is a P-position in misère play, that is, lost for the player to
    /// move.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // A player without a move wins, so 0 is an N-position and * is a P-position.
    /// assert!(!forms.is_p(Form::ZERO));
    /// assert!(forms.is_p(Form::STAR));
    /// let two = forms.nimber(2, &limits)?;
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert!(forms.is_p(twice));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn is_p(&self, form: Form) -> bool {
        self.misere_grundy(form) == 0
    }

    /// Returns n if the form is *n, a heap of Nim with n counters.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, five] = [forms.nimber(2, &limits)?, forms.nimber(5, &limits)?];
    /// assert_eq!(forms.nim_heap(five), Some(5));
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.nim_heap(twice), None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn nim_heap(&self, form: Form) -> Option<u32> {
        self.nodes[form.node()]
            .is_nimber
            .then(|| self.birthday(form))
    }

    /// Returns \*n, a heap of Nim with n counters.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// assert_eq!(forms.nimber(1, &limits)?, Form::STAR);
    /// let six = forms.nimber(6, &limits)?;
    /// assert_eq!(forms.option_count(six), 6);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Stores about n^2 / 4 options in total, since all even nimbers up to \*n are stored.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn nimber(&mut self, n: u32, limits: &Limits<'_>) -> Result<Form, Stop> {
        limits.check(u64::from(n), u64::from(n))?;
        while self.nimbers.len() <= n as usize / 2 {
            // *(2k + 1) is *2k + *, so only the even nimbers are stored.
            let below = (self.nimbers.iter()).flat_map(|&even| [even, even.plus_star()]);
            let mut below: Vec<Form> = below.collect();
            below.sort_unstable();
            let next = self.of_sorted(&below, limits)?;
            self.nimbers.push(next);
        }
        Ok(Form(self.nimbers[n as usize / 2].0 | n & 1))
    }

    /// Copies a form and its followers from another interner, and returns the form in this one.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, mut others) = (Forms::default(), Forms::default());
    /// let limits = Limits::default();
    /// let five = others.nimber(5, &limits)?;
    /// let game = others.of_options(&[five], &limits)?;
    /// let copied = forms.import(&others, game, &limits)?;
    /// assert_eq!(forms.write(copied, 100, &limits)?.unwrap(), "*[*5]");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One visit to each follower, with the time to build its form from its options.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn import(&mut self, other: &Self, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        // Only even parts are copied: the form G + * is found from the even form G.
        let mut copied: FxHashMap<Form, Form> = FxHashMap::default();
        let copy = |copied: &FxHashMap<Form, Form>, form: Form| {
            let even = *copied.get(&form.even_part())?;
            Some(Form(even.0 ^ form.star()))
        };
        let mut open = vec![form.even_part()];
        while let Some(&next) = open.last() {
            if copied.contains_key(&next) {
                open.pop();
                continue;
            }
            let missing = other.stored(next).iter().map(|option| option.even_part());
            let before = open.len();
            open.extend(missing.filter(|option| !copied.contains_key(option)));
            if open.len() > before {
                continue;
            }
            let options = other
                .stored(next)
                .iter()
                .filter_map(|&option| copy(&copied, option));
            let options: Vec<Form> = options.collect();
            let found = self.of_options(&options, limits)?;
            copied.insert(next, found);
            open.pop();
        }
        Ok(copy(&copied, form).unwrap_or(Form::ZERO))
    }

    /// Returns the canonical form of the game G with these options. In G, both players have the
    /// same options.
    ///
    /// A form H is equal to G if the following conditions hold. First, G has all options that H
    /// has. Second, every other option of the game G has a move to H and is therefore reversible.
    /// Third, if H = 0, then the game G is an N-position, since the player to move at 0 wins.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// // The option *2 is reversible through *.
    /// assert_eq!(forms.of_options(&[Form::ZERO, two], &limits)?, Form::STAR);
    /// // In normal play, this game is equal to 0.
    /// let game = forms.of_options(&[two], &limits)?;
    /// assert_ne!(game, Form::ZERO);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// The candidates for H are the options of a single option of G, the last in sorted order. At
    /// most one lookup is made for each pair of a candidate and an option of G.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn of_options(&mut self, options: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut sorted = options.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        self.of_sorted(&sorted, limits)
    }

    /// Returns the same form as [`Forms::of_options`]. The options must be sorted and without
    /// duplicates.
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
        // The form without options is stored from the beginning. So here the list is not empty.
        let last = options[options.len() - 1];
        // Each option has a smaller number than its form. Suppose that H is a form through which
        // some options are reversible. Then H is an option of the last option in the list, and the
        // options of H are those before H in the list. Hence the only candidates for H are the
        // options of the last option.
        let back = (self.options(last)).find(|&h| self.reverts_to(options, h));
        if let Some(form) = back {
            return Ok(form);
        }
        // The options of G + * are G and all G' + *, where G' is an option of G. If G is even, it
        // has the largest number among them.
        if last.is_even() && self.are_options(options, last.plus_star()) {
            return Ok(last.plus_star());
        }
        self.push(options, key, limits)
    }

    /// Returns whether G = H for the game G with the options `options`. The conditions are those of
    /// [`Forms::of_options`]: all options of G that H lacks are reversible through H. The game H
    /// must not be an option of G.
    fn reverts_to(&self, options: &[Form], h: Form) -> bool {
        let (before, after) = options.split_at(options.partition_point(|&g| g < h));
        // For Nim heaps, most candidates pass all other tests but fail this test of the options
        // after H. It fails at once, so it comes first.
        after.iter().all(|&g| self.has_option(g, h))
            && self.are_options(before, h)
            && (h != Form::ZERO || options.iter().any(|&g| self.is_p(g)))
    }

    /// Returns whether `options` are exactly the options of the form H.
    fn are_options(&self, options: &[Form], h: Form) -> bool {
        self.option_count(h) == options.len()
            && self
                .options(h)
                .all(|option| options.binary_search(&option).is_ok())
    }

    /// Stores an even form with these options, and returns it.
    fn push(&mut self, options: &[Form], key: u64, limits: &Limits<'_>) -> Result<Form, Stop> {
        let id = self.nodes.len() as u32;
        // A form is twice the number of its node, plus 1 if * is added. This must fit into 32 bits.
        if id >= u32::MAX >> 1 {
            return Err(Stop::Positions(limits.positions));
        }
        let Ok(end) = u32::try_from(self.pool.len() + options.len()) else {
            return Err(Stop::Memory(limits.memory));
        };
        limits.check(u64::from(id) + 1, 0)?;
        let born = options.iter().map(|&g| self.birthday(g)).max();
        let born = born.map_or(0, |born| born + 1);
        let value = |of: &dyn Fn(Form) -> u32| {
            grundy_base::mex(options.iter().map(|&g| u64::from(of(g)))) as u32
        };
        // If n distinct options are Nim heaps below *n, they are all of these heaps. Then the form
        // is *n.
        let is_nimber = (options.iter()).all(|g| self.nodes[g.node()].is_nimber)
            && options.len() == born as usize;
        let node = Node {
            start: end - options.len() as u32,
            birthday: born,
            grundy: value(&|g| self.grundy(g)),
            misere: value(&|g| self.misere_grundy(g)),
            is_nimber,
        };
        // The hash of a stored node is computed from its options. So the index is taken out of
        // `self` while `self` is borrowed.
        let mut index = std::mem::take(&mut self.index);
        index.make_room(self.nodes.len(), self.nodes.len() + 1, &|node| {
            hash(self.stored(Form(node << 1)))
        });
        index.number(key, id, |_| false);
        self.index = index;
        self.pool.extend_from_slice(options);
        self.nodes.push(node);
        Ok(Form(id << 1))
    }

    /// Returns all positions of a form, including the form itself, each once. The options of a
    /// position precede it.
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
        // Options have smaller numbers than their forms. So in ascending order they come first.
        found.sort_unstable();
        Ok(found)
    }
}
