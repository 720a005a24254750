//! Forms by number: each value once, with what is asked of it all the time.

use std::ops::Range;
use std::sync::Arc;

use grundy_base::index::{Index, hash};
use grundy_base::{Dyadic, Limits, Player, Stop};
use rustc_hash::FxHashMap;

use crate::answers::{Answers, Comparison};
use crate::block::Block;
use crate::form::Form;
use crate::packed::Packed;
use crate::thermograph::Thermograph;

/// Canonical forms, each once, and all that was worked out about them.
///
/// Sums and comparisons are remembered. Forms grow quickly with the birthday: 1, 4, 22 and 1,474
/// games are born by day 0, 1, 2 and 3, so whatever may make forms asks [`Limits`]: `positions`
/// bounds the forms, `memory` the bytes.
#[derive(Debug)]
pub struct Forms {
    nodes: Vec<Node>,
    /// Options, list after list, each in order.
    pool: Vec<Form>,
    packed: Vec<(Packed, Form)>,
    packed_index: Index,
    braces: Vec<Form>,
    braces_index: Index,
    /// The options of packed forms that were asked for, by the form, the player and how many were
    /// wanted.
    unpacked: FxHashMap<(Form, Player, u64), Range<u32>>,
    pub(crate) not_above: Answers,
    /// The way of the last comparison, empty.
    pub(crate) asked: Vec<Comparison>,
    pub(crate) sums: FxHashMap<u64, Form>,
    pub(crate) weights: FxHashMap<Form, Form>,
    pub(crate) thermographs: FxHashMap<Form, Arc<Thermograph>>,
    /// The values of parts of pictures with circuits.
    pub(crate) blocks: FxHashMap<Block, Form>,
    /// ↑[1], ↑[2], ... and ↑^1, ↑^2, ... as far as they were asked for.
    pub(crate) ups: [Vec<Form>; 2],
    /// Steps since the limits were last looked at.
    steps: u32,
    /// Bytes that thermographs, blocks and large numbers hold.
    pub(crate) held: u64,
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    negative: Form,
    /// The left stop and the right stop.
    stops: [Dyadic; 2],
    birthday: Dyadic,
    all_small: bool,
}

/// Where a form is written.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Its place among the packed ones.
    Packed(u32),
    /// Where Left's options start in the pool, where Right's start, and where these end.
    Braces([u32; 3]),
}

/// Nimbers up to this one are unpacked whole.
const UNPACKED: u64 = 32;

/// About how many bytes a nimber takes that is made only to be looked at.
const UNPACKED_BYTES: u64 = 400;

impl Default for Forms {
    fn default() -> Self {
        // Room for the forms of a short question, so that their lists do not grow step by step.
        let mut forms = Self {
            nodes: Vec::with_capacity(64),
            pool: Vec::with_capacity(128),
            packed: Vec::with_capacity(16),
            packed_index: Index::default(),
            braces: Vec::new(),
            braces_index: Index::default(),
            unpacked: FxHashMap::default(),
            not_above: Answers::default(),
            asked: Vec::new(),
            sums: FxHashMap::default(),
            weights: FxHashMap::default(),
            thermographs: FxHashMap::default(),
            blocks: FxHashMap::default(),
            ups: [Vec::new(), Vec::new()],
            steps: 0,
            held: 0,
        };
        let zero = forms.of_packed(&Packed::ZERO);
        debug_assert_eq!(zero, Form::ZERO);
        forms
    }
}

impl Forms {
    /// How many forms there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes are held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.pool.capacity() * 4;
        let packed = self.packed.capacity() * size_of::<(Packed, Form)>();
        let indexes = self.packed_index.bytes() + self.braces_index.bytes();
        // A hash map holds a control byte an entry and is at most seven eighths full.
        let remembered = self.sums.capacity() * 20;
        (nodes + packed + indexes + remembered + self.unpacked.capacity() * 40) as u64
            + self.not_above.bytes()
            + self.held
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

    /// Returns the form of a number, ups and a nimber.
    pub fn of_packed(&mut self, packed: &Packed) -> Form {
        let found = self.packed_index.find(hash(packed), |place| {
            self.packed[place as usize].0 == *packed
        });
        if let Some(place) = found {
            return self.packed[place as usize].1;
        }
        let negative = packed.negative();
        let form = self.push_packed(packed.clone());
        if negative != *packed {
            let opposite = self.push_packed(negative);
            self.oppose(form, opposite);
        }
        form
    }

    /// Returns the form of a number.
    pub fn of_number(&mut self, number: Dyadic) -> Form {
        self.of_packed(&Packed::of_number(number))
    }

    /// Returns the form of an integer.
    pub fn of_integer(&mut self, integer: i64) -> Form {
        self.of_number(Dyadic::integer(integer))
    }

    fn push_packed(&mut self, packed: Packed) -> Form {
        let place = self.packed.len() as u32;
        self.held += packed.number.bytes();
        let form = self.push(Node {
            kind: Kind::Packed(place),
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
        packed_index.make_room(all.len(), all.len() + 1, |place| {
            hash(&all[place as usize].0)
        });
        packed_index.number(hash(&packed), place, |_| false);
        all.push((packed, form));
        form
    }

    /// Returns a new form, which is its own negative for now.
    fn push(&mut self, mut node: Node) -> Form {
        let form = Form(self.nodes.len() as u32);
        node.negative = form;
        self.nodes.push(node);
        form
    }

    fn oppose(&mut self, form: Form, opposite: Form) {
        self.nodes[form.0 as usize].negative = opposite;
        self.nodes[opposite.0 as usize].negative = form;
    }

    /// Returns the form with these options, which are those of a canonical form that takes braces:
    /// in order, each once.
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
        if left_of_negative != left || right_of_negative != right {
            let opposite = self.push_braces(&left_of_negative, &right_of_negative);
            self.oppose(form, opposite);
        }
        form
    }

    fn find_braces(&self, left: &[Form], right: &[Form]) -> Option<Form> {
        let found = self.braces_index.find(hash(&(left, right)), |place| {
            let written = self.braces(self.braces[place as usize]);
            written == Some([left, right])
        });
        found.map(|place| self.braces[place as usize])
    }

    fn push_braces(&mut self, left: &[Form], right: &[Form]) -> Form {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(left);
        let middle = self.pool.len() as u32;
        self.pool.extend_from_slice(right);
        let end = self.pool.len() as u32;
        let most = left.iter().map(|&g| self.right_stop(g)).max();
        let least = right.iter().map(|&g| self.left_stop(g)).min();
        let [most, least] = [most, least].map(|stop| {
            let stop = stop.expect("what takes braces has options of both players");
            stop.clone()
        });
        let born = left.iter().chain(right).map(|&g| self.birthday(g)).max();
        let birthday = born.map_or(Dyadic::ZERO, |born| born + &Dyadic::ONE);
        let all_small = left.iter().chain(right).all(|&g| self.is_all_small(g));
        let form = self.push(Node {
            kind: Kind::Braces([start, middle, end]),
            negative: Form::ZERO,
            stops: [most, least],
            birthday,
            all_small,
        });
        let place = self.braces.len() as u32;
        let mut index = std::mem::take(&mut self.braces_index);
        index.make_room(self.braces.len(), self.braces.len() + 1, |place| {
            let [l, r] = self.braces(self.braces[place as usize]).unwrap_or_default();
            hash(&(l, r))
        });
        index.number(hash(&(left, right)), place, |_| false);
        self.braces_index = index;
        self.braces.push(form);
        form
    }

    /// Returns the options of Left and of Right as they are written, where the form takes braces.
    #[must_use]
    pub fn braces(&self, form: Form) -> Option<[&[Form]; 2]> {
        match self.nodes[form.0 as usize].kind {
            Kind::Packed(_) => None,
            Kind::Braces(ends) => {
                let [start, middle, end] = ends.map(|end| end as usize);
                Some([&self.pool[start..middle], &self.pool[middle..end]])
            }
        }
    }

    /// Number, ups and nimber, where the form is made of these alone.
    #[must_use]
    pub fn packed(&self, form: Form) -> Option<&Packed> {
        match self.nodes[form.0 as usize].kind {
            Kind::Packed(place) => Some(&self.packed[place as usize].0),
            Kind::Braces(_) => None,
        }
    }

    /// Returns the number that the form is.
    #[must_use]
    pub fn number(&self, form: Form) -> Option<&Dyadic> {
        let packed = self.packed(form)?;
        packed.is_number().then_some(&packed.number)
    }

    /// Returns the negative.
    #[must_use]
    pub fn negative(&self, form: Form) -> Form {
        self.nodes[form.0 as usize].negative
    }

    /// What play ends in when Left begins and both want the best number.
    #[must_use]
    pub fn left_stop(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].stops[0]
    }

    /// What play ends in when Right begins.
    #[must_use]
    pub fn right_stop(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].stops[1]
    }

    /// Returns the day on which it is born: an integer.
    #[must_use]
    pub fn birthday(&self, form: Form) -> &Dyadic {
        &self.nodes[form.0 as usize].birthday
    }

    /// Returns whether in all positions of it both players can move or neither.
    #[must_use]
    pub fn is_all_small(&self, form: Form) -> bool {
        self.nodes[form.0 as usize].all_small
    }

    /// Returns the number that it is infinitesimally close to.
    #[must_use]
    pub fn number_part(&self, form: Form) -> Option<&Dyadic> {
        let [left, right] = &self.nodes[form.0 as usize].stops;
        (left == right).then_some(left)
    }

    /// Returns a nimber that no position of the form is equal to, nor any greater one.
    pub(crate) fn far(&self, form: Form) -> u64 {
        let born = self.birthday(form).to_i64();
        born.map_or(u64::MAX, |born| born as u64 + 1)
    }

    /// Where the options of a player stand in the pool; of the nimbers among those of x + *m only
    /// the ones up to `far`.
    pub(crate) fn options(
        &mut self,
        form: Form,
        player: Player,
        far: u64,
        limits: &Limits<'_>,
    ) -> Result<Range<u32>, Stop> {
        let place = match self.nodes[form.0 as usize].kind {
            Kind::Braces([start, middle, end]) => {
                return Ok(match player {
                    Player::Left => start..middle,
                    Player::Right => middle..end,
                });
            }
            Kind::Packed(place) => place as usize,
        };
        let star = self.packed[place].0.star;
        let most = far.saturating_add(1).max(UNPACKED).min(star);
        if let Some(known) = self.unpacked.get(&(form, player, most)) {
            return Ok(known.clone());
        }
        limits.check(most, UNPACKED_BYTES)?;
        limits.check(1, self.bytes().saturating_add(most.saturating_mul(4)))?;
        // Of nimbers the least come first, and there are no other options beside many.
        let options = self.packed[place].0.options(player);
        let wanted = most.max(UNPACKED) as usize;
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

    /// What stands at a place in the pool.
    pub(crate) fn pooled(&self, place: u32) -> Form {
        self.pool[place as usize]
    }

    /// What stands in a range of the pool.
    pub(crate) fn listed(&self, range: Range<u32>) -> &[Form] {
        &self.pool[range.start as usize..range.end as usize]
    }

    /// Returns the options of a player in the canonical form, in no order that means anything. Of a
    /// nimber with millions of options as many as the limits let through.
    ///
    /// # Errors
    /// A nimber with more options than the limits allow positions.
    pub fn options_of(
        &mut self,
        form: Form,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let range = self.all_options(form, player, limits)?;
        Ok(self.listed(range).to_vec())
    }

    /// Returns the range of the pool with the options of [`Forms::options_of`].
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
