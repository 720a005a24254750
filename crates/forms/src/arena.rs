//! An interner of canonical forms: it stores each value once. It also stores those properties of
//! each form that are used most often.

use std::ops::Range;
use std::sync::Arc;

use grundy_base::index::{Index, hash};
use grundy_base::{Dyadic, Limits, Player, Stop};
use rustc_hash::FxHashMap;

use crate::block::Block;
use crate::comparison_cache::{Comparison, ComparisonCache};
use crate::form::Form;
use crate::packed::Packed;
use crate::thermograph::Thermograph;

/// An interner of canonical forms. It also caches their properties.
///
/// Sums and comparisons are cached. The number of games born by day n grows quickly: 1, 4, 22 and
/// 1,474 for n = 0, 1, 2 and 3. So every method that may create forms takes [`Limits`]. Its
/// `positions` bounds the number of forms, and its `memory` bounds the bytes.
#[derive(Debug)]
pub struct Forms {
    // Invariants: nodes are only appended, so a form never becomes invalid. A form in braces is
    // created after its options. A form and its negative are created together.
    nodes: Vec<Node>,
    /// The options of all forms, one list after the other. Each list is sorted.
    pool: Vec<Form>,
    /// The packed forms, which are stored as a number, a multiple of up and a nimber. Each one is
    /// paired with its index among all forms.
    packed: Vec<(Packed, Form)>,
    packed_index: Index,
    /// All forms that are stored in braces, that is, with lists of options.
    braces: Vec<Form>,
    braces_index: Index,
    /// The options of packed forms, as ranges of indices in `pool`. The key consists of the form,
    /// the player whose options they are, and the number of nimbers that are listed.
    unpacked: FxHashMap<(Form, Player, u64), Range<u32>>,
    /// The cache of comparisons a <= b.
    pub(crate) comparisons: ComparisonCache,
    /// A list that is empty between comparisons. The next comparison reuses its memory.
    pub(crate) comparison_stack: Vec<Comparison>,
    pub(crate) sums: FxHashMap<u64, Form>,
    pub(crate) weights: FxHashMap<Form, Form>,
    pub(crate) thermographs: FxHashMap<Form, Arc<Thermograph>>,
    /// The values of blocks of Hackenbush pictures. A block is a maximal connected subpicture
    /// without a cut vertex. Only blocks with a circuit have an entry.
    pub(crate) blocks: FxHashMap<Block, Form>,
    /// The forms ↑[1], ↑[2], ... and the forms ↑^1, ↑^2, ... that have been computed.
    pub(crate) ups: [Vec<Form>; 2],
    /// The number of steps of computations so far, such as the start of a comparison or a sum. The
    /// limits are checked once every 256 steps.
    steps: u32,
    /// The size of thermographs, blocks and large numbers, in bytes.
    pub(crate) extra_bytes: u64,
}

/// The stored properties of a form.
#[derive(Debug)]
struct Node {
    storage: Storage,
    negative: Form,
    /// The left stop and the right stop.
    stops: [Dyadic; 2],
    birthday: Dyadic,
    all_small: bool,
}

/// The way in which the options of a form are stored.
#[derive(Clone, Copy, Debug)]
enum Storage {
    /// A packed form, with its index in `Forms::packed`.
    Packed(u32),
    /// A form with lists of options. The three indices in `Forms::pool` are the start of Left's
    /// options, the start of Right's options, and the end of Right's options.
    Braces([u32; 3]),
}

/// Largest n for which the list of options of the nimber *n is always complete. For a larger
/// nimber, options that are not needed may be left out of the list.
const MIN_UNPACKED: u64 = 32;

/// Approximate size of a nimber that is created as an option, in bytes.
const NIMBER_BYTES: u64 = 400;

impl Default for Forms {
    fn default() -> Self {
        // The lists have room for the forms of a small request, so that they need not grow in many
        // steps.
        let mut forms = Self {
            nodes: Vec::with_capacity(64),
            pool: Vec::with_capacity(128),
            packed: Vec::with_capacity(16),
            packed_index: Index::default(),
            braces: Vec::new(),
            braces_index: Index::default(),
            unpacked: FxHashMap::default(),
            comparisons: ComparisonCache::default(),
            comparison_stack: Vec::new(),
            sums: FxHashMap::default(),
            weights: FxHashMap::default(),
            thermographs: FxHashMap::default(),
            blocks: FxHashMap::default(),
            ups: [Vec::new(), Vec::new()],
            steps: 0,
            extra_bytes: 0,
        };
        let zero = forms.of_packed(&Packed::ZERO);
        debug_assert_eq!(zero, Form::ZERO);
        forms
    }
}

impl Forms {
    /// Returns the number of forms.
    ///
    /// ```
    /// use grundy_forms::Forms;
    /// let mut forms = Forms::default();
    /// // The form 0 is always stored. A form and its negative are stored together.
    /// assert_eq!(forms.count(), 1);
    /// forms.of_integer(3);
    /// assert_eq!(forms.count(), 3);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the approximate size of the interner in bytes.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::Forms;
    /// let mut forms = Forms::default();
    /// let before = forms.bytes();
    /// assert_eq!(forms.born_by(3, &Limits::default())?.len(), 1474);
    /// assert!(forms.bytes() > before + 1474 * 100);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.pool.capacity() * 4;
        let packed = self.packed.capacity() * size_of::<(Packed, Form)>();
        let indexes = self.packed_index.bytes() + self.braces_index.bytes();
        // A hash map has one control byte for each entry, and at most seven eighths of its entries
        // are used.
        let cached = self.sums.capacity() * 20;
        (nodes + packed + indexes + cached + self.unpacked.capacity() * 40) as u64
            + self.comparisons.bytes()
            + self.extra_bytes
    }

    /// Counts one step of a computation, such as the start of a comparison or a sum. Checks the
    /// limits once every 256 steps.
    pub(crate) fn step(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            limits.check(self.nodes.len() as u64, 0)?;
            limits.check(1, self.bytes())?;
            limits.poll()?;
        }
        Ok(())
    }

    /// Returns the form of the given value: a number plus a multiple of up plus a nimber.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, Packed, text};
    /// let mut forms = Forms::default();
    /// let up = forms.of_packed(&Packed::ups(1, 0));
    /// assert_eq!(forms.write(up), "^");
    /// assert_eq!(text::read("{0|*}", &mut forms, &Limits::default()), Ok(up));
    /// ```
    pub fn of_packed(&mut self, packed: &Packed) -> Form {
        let found = self
            .packed_index
            .find(hash(packed), |slot| self.packed[slot as usize].0 == *packed);
        if let Some(slot) = found {
            return self.packed[slot as usize].1;
        }
        let negative = packed.negative();
        let form = self.push_packed(packed.clone());
        if negative != *packed {
            let opposite = self.push_packed(negative);
            self.link_negatives(form, opposite);
        }
        form
    }

    /// Returns the form of a number.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let mut forms = Forms::default();
    /// let number = forms.of_number(Dyadic::new(3, 2));
    /// assert_eq!(forms.write(number), "3/4");
    /// assert_eq!(text::read("{1/2|1}", &mut forms, &Limits::default()), Ok(number));
    /// ```
    pub fn of_number(&mut self, number: Dyadic) -> Form {
        self.of_packed(&Packed::of_number(number))
    }

    /// Returns the form of an integer.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let mut forms = Forms::default();
    /// let three = forms.of_integer(3);
    /// assert_eq!(text::read("{2|}", &mut forms, &Limits::default()), Ok(three));
    /// ```
    pub fn of_integer(&mut self, integer: i64) -> Form {
        self.of_number(Dyadic::integer(integer))
    }

    /// Stores a packed form that is not stored yet.
    fn push_packed(&mut self, packed: Packed) -> Form {
        let slot = self.packed.len() as u32;
        self.extra_bytes += packed.number.bytes();
        let form = self.push(Node {
            storage: Storage::Packed(slot),
            negative: Form::ZERO,
            stops: [packed.number.clone(), packed.number.clone()],
            birthday: packed.birthday(),
            all_small: packed.number == Dyadic::ZERO,
        });
        let Self {
            packed: all,
            packed_index,
            ..
        } = self;
        packed_index.make_room(all.len(), all.len() + 1, &|slot| {
            hash(&all[slot as usize].0)
        });
        packed_index.number(hash(&packed), slot, |_| false);
        all.push((packed, form));
        form
    }

    /// Stores a node and returns its form. The form counts as its own negative until
    /// `link_negatives` is called.
    fn push(&mut self, mut node: Node) -> Form {
        let form = Form(self.nodes.len() as u32);
        node.negative = form;
        self.nodes.push(node);
        form
    }

    /// Records that two forms are the negatives of each other.
    fn link_negatives(&mut self, form: Form, opposite: Form) {
        self.nodes[form.0 as usize].negative = opposite;
        self.nodes[opposite.0 as usize].negative = form;
    }

    /// Returns the form with these options. The caller must pass the options of a canonical form
    /// that is not packed. Each list must be sorted and contain no duplicates.
    pub(crate) fn of_braces(&mut self, left: &[Form], right: &[Form]) -> Form {
        if let Some(known) = self.find_braces(left, right) {
            return known;
        }
        let negated = |options: &[Form]| {
            let mut options: Vec<Form> = options.iter().map(|&g| self.negative(g)).collect();
            options.sort_unstable();
            options
        };
        let (left_of_negative, right_of_negative) = (negated(right), negated(left));
        let form = self.push_braces(left, right);
        // The negative is stored at the same time, so that `negative` only needs a lookup.
        if left_of_negative != left || right_of_negative != right {
            let opposite = self.push_braces(&left_of_negative, &right_of_negative);
            self.link_negatives(form, opposite);
        }
        form
    }

    fn find_braces(&self, left: &[Form], right: &[Form]) -> Option<Form> {
        let found = self.braces_index.find(hash(&(left, right)), |slot| {
            let written = self.braces(self.braces[slot as usize]);
            written == Some([left, right])
        });
        found.map(|slot| self.braces[slot as usize])
    }

    fn push_braces(&mut self, left: &[Form], right: &[Form]) -> Form {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(left);
        let middle = self.pool.len() as u32;
        self.pool.extend_from_slice(right);
        let end = self.pool.len() as u32;
        // The form is not a number. So its left stop is the greatest right stop of a left option.
        let most = left.iter().map(|&g| self.right_stop(g)).max();
        let least = right.iter().map(|&g| self.left_stop(g)).min();
        let [most, least] = [most, least].map(|stop| {
            let stop = stop.expect("what takes braces has options of both players");
            stop.clone()
        });
        let born = left.iter().chain(right).map(|&g| self.birthday(g)).max();
        let birthday = born.map_or(Dyadic::ZERO, |born| born + &Dyadic::ONE);
        // A form in braces has options of both players. So it is all-small if and only if all its
        // options are all-small.
        let all_small = left.iter().chain(right).all(|&g| self.is_all_small(g));
        let form = self.push(Node {
            storage: Storage::Braces([start, middle, end]),
            negative: Form::ZERO,
            stops: [most, least],
            birthday,
            all_small,
        });
        let slot = self.braces.len() as u32;
        let mut index = std::mem::take(&mut self.braces_index);
        index.make_room(self.braces.len(), self.braces.len() + 1, &|slot| {
            let [l, r] = self.braces(self.braces[slot as usize]).unwrap_or_default();
            hash(&(l, r))
        });
        index.number(hash(&(left, right)), slot, |_| false);
        self.braces_index = index;
        self.braces.push(form);
        form
    }

    /// Returns Left's options and Right's options of a form that is stored in braces, that is, with
    /// lists of options. Returns `None` if the form is packed.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let [left, right] = [forms.of_integer(2), forms.of_number(Dyadic::new(-1, 1))];
    /// assert_eq!(forms.braces(hot), Some([&[left][..], &[right][..]]));
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.braces(up), None);
    /// ```
    #[must_use]
    pub fn braces(&self, form: Form) -> Option<[&[Form]; 2]> {
        match self.nodes[form.0 as usize].storage {
            Storage::Packed(_) => None,
            Storage::Braces(ends) => {
                let [start, middle, end] = ends.map(|end| end as usize);
                Some([&self.pool[start..middle], &self.pool[middle..end]])
            }
        }
    }

    /// Returns the number, the multiple of up and the nimber whose sum is the form. Returns `None`
    /// if the form is not such a sum, so that it is stored in braces.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, Packed, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let form = text::read("1/2 + ^ + *", &mut forms, &limits).unwrap();
    /// let packed = Packed { number: Dyadic::new(1, 1), ups: 1, star: 1 };
    /// assert_eq!(forms.packed(form), Some(&packed));
    /// let switch = text::read("{1|-1}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.packed(switch), None);
    /// ```
    #[must_use]
    pub fn packed(&self, form: Form) -> Option<&Packed> {
        match self.nodes[form.0 as usize].storage {
            Storage::Packed(slot) => Some(&self.packed[slot as usize].0),
            Storage::Braces(_) => None,
        }
    }

    /// Returns the number that is equal to the form, or `None` if the form is not a number.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let half = text::read("{0|1}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.number(half), Some(&Dyadic::new(1, 1)));
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.number(up), None);
    /// ```
    #[must_use]
    pub fn number(&self, form: Form) -> Option<&Dyadic> {
        let packed = self.packed(form)?;
        packed.is_number().then_some(&packed.number)
    }

    /// Returns the negative of the form.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{3||2|1}", &mut forms, &limits).unwrap();
    /// let negative = forms.negative(hot);
    /// assert_eq!(forms.write(negative), "{-1|-2||-3}");
    /// ```
    #[must_use]
    pub fn negative(&self, form: Form) -> Form {
        self.nodes[form.0 as usize].negative
    }

    /// Returns the left stop: the first number that play reaches if Left begins. Left tries to make
    /// this number large, and Right tries to make it small.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // Left moves to {5|2}, and Right answers to 2.
    /// let hot = text::read("{5|2||0}", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.left_stop(hot), Dyadic::integer(2));
    /// ```
    #[must_use]
    pub fn left_stop(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].stops[0]
    }

    /// Returns the right stop: the first number that play reaches if Right begins. Left tries to
    /// make this number large, and Right tries to make it small.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // Right moves to {1|-1}, and Left answers to 1.
    /// let hot = text::read("{3||1|-1}", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.right_stop(hot), Dyadic::integer(1));
    /// ```
    #[must_use]
    pub fn right_stop(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].stops[1]
    }

    /// Returns the birthday of the form, which is an integer.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.birthday(up), Dyadic::integer(2));
    /// let quarter = text::read("1/4", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.birthday(quarter), Dyadic::integer(3));
    /// ```
    #[must_use]
    pub fn birthday(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].birthday
    }

    /// Returns whether the form is all-small. This means that in every position either both players
    /// can move or neither can.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// assert!(forms.is_all_small(up));
    /// // Tiny(1) = {0||0|-1} is an infinitesimal, but only Right can move in its position -1.
    /// let tiny = text::read("Tiny(1)", &mut forms, &limits).unwrap();
    /// assert!(!forms.is_all_small(tiny));
    /// ```
    #[must_use]
    pub fn is_all_small(&self, form: Form) -> bool {
        self.nodes[form.0 as usize].all_small
    }

    /// Returns the number from which the form differs by an infinitesimal, or `None` if there is no
    /// such number.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let near_half = text::read("1/2 + ^ + *", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.number_part(near_half), Some(&Dyadic::new(1, 1)));
    /// let switch = text::read("{1|-1}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.number_part(switch), None);
    /// ```
    #[must_use]
    pub fn number_part(&self, form: Form) -> Option<&Dyadic> {
        let [left, right] = &self.nodes[form.0 as usize].stops;
        (left == right).then_some(left)
    }

    /// Returns a number n such that no position of the form is equal to *n or a greater nimber.
    pub(crate) fn far_star(&self, form: Form) -> u64 {
        // The nimber *n is born on day n, and no position is born later than the form.
        let born = self.birthday(form).to_i64();
        born.map_or(u64::MAX, |born| born as u64 + 1)
    }

    /// Returns the options of a player, as a range of indices in `Forms::pool`. If the form is x +
    /// *m, its options x + *n with n greater than `far_star` may be left out.
    pub(crate) fn options(
        &mut self,
        form: Form,
        player: Player,
        far_star: u64,
        limits: &Limits<'_>,
    ) -> Result<Range<u32>, Stop> {
        let slot = match self.nodes[form.0 as usize].storage {
            Storage::Braces([start, middle, end]) => {
                return Ok(match player {
                    Player::Left => start..middle,
                    Player::Right => middle..end,
                });
            }
            Storage::Packed(slot) => slot as usize,
        };
        let star = self.packed[slot].0.star;
        // All options of a small nimber are stored, so that requests with different `far_star`
        // share one list.
        let most = far_star.saturating_add(1).max(MIN_UNPACKED).min(star);
        if let Some(known) = self.unpacked.get(&(form, player, most)) {
            return Ok(known.clone());
        }
        limits.check(most, NIMBER_BYTES)?;
        limits.check(1, self.bytes().saturating_add(most.saturating_mul(4)))?;
        // If the value contains a multiple of up, it has few options. Otherwise all options are
        // nimbers, the least first.
        let options = self.packed[slot].0.options(player);
        let wanted = most.max(MIN_UNPACKED) as usize;
        let mut options: Vec<Form> = (options.take(wanted))
            .map(|option| self.of_packed(&option))
            .collect();
        options.sort_unstable();
        let start = self.pool.len() as u32;
        self.pool.extend(options);
        let range = start..self.pool.len() as u32;
        self.unpacked.insert((form, player, most), range.clone());
        Ok(range)
    }

    /// Returns the form at the index `slot` in `Forms::pool`, which stores the options of all
    /// forms.
    pub(crate) fn pool_item(&self, slot: u32) -> Form {
        self.pool[slot as usize]
    }

    /// Returns the forms in a range of indices in `Forms::pool`, which stores the options of all
    /// forms.
    pub(crate) fn pool_slice(&self, range: Range<u32>) -> &[Form] {
        &self.pool[range.start as usize..range.end as usize]
    }

    /// Returns the options of a player in the canonical form, in no particular order.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Limits, Player};
    /// use grundy_forms::{Form, Forms, Packed};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // The canonical form of ^ is {0|*}.
    /// let up = forms.of_packed(&Packed::ups(1, 0));
    /// let star = forms.of_packed(&Packed::nimber(1));
    /// assert_eq!(forms.options_of(up, Player::Left, &limits)?, [Form::ZERO]);
    /// assert_eq!(forms.options_of(up, Player::Right, &limits)?, [star]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached. A nimber may have more options than the limits allow.
    pub fn options_of(
        &mut self,
        form: Form,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let range = self.all_options(form, player, limits)?;
        Ok(self.pool_slice(range).to_vec())
    }

    /// Returns the options that [`Forms::options_of`] returns, as a range of indices in
    /// `Forms::pool`.
    pub(crate) fn all_options(
        &mut self,
        form: Form,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Range<u32>, Stop> {
        let star = self.packed(form).map_or(0, |packed| packed.star);
        self.options(form, player, star, limits)
    }
}
