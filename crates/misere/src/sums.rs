//! Genera of sums, computed without canonical forms.

use grundy_base::{Limits, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::genus::of_options;

/// A list of games that are parts of sums, given by their indices. Each option of a game is a sum
/// of games of the list.
pub(crate) trait Parts {
    /// Visits the options of a part. Each option is a list of parts in any order.
    fn options(&self, part: u32, visit: &mut dyn FnMut(&[u32]));

    /// Returns whether the part has value 0, so that it can be left out of a sum.
    fn is_zero(&self, part: u32) -> bool;

    /// Returns whether the part has value *. Adding such a part to a sum replaces every digit d of
    /// the genus of the sum by d xor 1.
    fn is_star(&self, part: u32) -> bool;
}

/// A cache of the digits of the genera of sums. The key of a sum is the sorted list of its parts,
/// without 0 and *.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// For each sum, the range of its digits in `digits`.
    ranges: FxHashMap<Box<[u32]>, [u32; 2]>,
    /// The digits of all sums, list after list.
    digits: Vec<u32>,
    /// The size of all keys, in bytes.
    keys: u64,
    /// The size of the sums that are being computed, in bytes.
    open_bytes: u64,
    /// The number of sums visited so far. The limits are polled once every 256 sums.
    steps: u32,
}

/// A sum whose digits are being computed: its parts and its options. Each option has its parts and
/// a number, which is 1 if * is added to the parts and otherwise 0.
struct OpenSum {
    parts: Box<[u32]>,
    options: Vec<(Box<[u32]>, u32)>,
    /// The index of the first option that is possibly missing from the cache. The digits of all
    /// earlier options are in the cache.
    next: usize,
}

/// Returns the approximate size in bytes of a list of parts.
fn list_bytes(parts: &[u32]) -> u64 {
    size_of_val(parts) as u64 + 8
}

impl Sums {
    /// Returns the approximate size of the cache in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = self.ranges.capacity() * (size_of::<(Box<[u32]>, [u32; 2])>() + 1);
        (entries + self.digits.capacity() * 4) as u64 + self.keys + self.open_bytes
    }

    /// Returns the genus digits of a sum without its stars. Also returns 1 if the number of stars
    /// is odd, and otherwise 0. The digits of the whole sum are these digits, each combined with
    /// that number by xor.
    ///
    /// # Complexity
    /// Each position of the sum is visited once, where the order of its parts does not count.
    pub(crate) fn digits(
        &mut self,
        parts: &[u32],
        game: &dyn Parts,
        limits: &Limits<'_>,
    ) -> Result<(&[u32], u32), Stop> {
        let (parts, star) = without_stars(parts.iter().copied(), game);
        self.open_bytes = 0;
        // The stack is explicit, since a long play could overflow the call stack.
        let mut stack = vec![self.open_sum(parts.clone(), game, limits)?];
        while let Some(last) = stack.last_mut() {
            // Entries are never removed from the cache. So an option that was found need not be
            // looked up again.
            let options = last.options[last.next..].iter();
            let known = options.take_while(|(parts, _)| self.ranges.contains_key(parts));
            last.next += known.count();
            if let Some((parts, _)) = last.options.get(last.next) {
                let parts = parts.clone();
                let next = self.open_sum(parts, game, limits)?;
                stack.push(next);
                continue;
            }
            let options: Vec<(&[u32], u32)> = (last.options.iter())
                .map(|(parts, star)| (self.cached(parts), *star))
                .collect();
            let digits = of_options(&options);
            let Some(done) = stack.pop() else { break };
            self.open_bytes -= done.bytes();
            self.store(done.parts, &digits, limits)?;
        }
        Ok((self.cached(&parts), star))
    }

    /// Returns the digits of a sum. They must be in the cache.
    fn cached(&self, parts: &[u32]) -> &[u32] {
        let [start, end] = self.ranges[parts];
        &self.digits[start as usize..end as usize]
    }

    /// Stores the digits of a sum in the cache.
    fn store(
        &mut self,
        parts: Box<[u32]>,
        digits: &[u32],
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let start = self.digits.len() as u32;
        let Ok(end) = u32::try_from(self.digits.len() + digits.len()) else {
            return Err(Stop::Memory(limits.memory));
        };
        self.digits.extend_from_slice(digits);
        self.keys += list_bytes(&parts);
        self.ranges.insert(parts, [start, end]);
        Ok(())
    }

    /// Starts the computation of the digits of a sum. Lists the options of the sum, whose digits
    /// must be computed before those of the sum.
    fn open_sum(
        &mut self,
        parts: Box<[u32]>,
        game: &dyn Parts,
        limits: &Limits<'_>,
    ) -> Result<OpenSum, Stop> {
        let open = OpenSum::new(parts, game);
        self.open_bytes += open.bytes();
        limits.check(self.ranges.len() as u64, 0)?;
        limits.check(1, self.bytes())?;
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            limits.poll()?;
        }
        Ok(open)
    }
}

impl OpenSum {
    fn new(parts: Box<[u32]>, game: &dyn Parts) -> Self {
        let mut options = FxHashSet::default();
        for (index, &part) in parts.iter().enumerate() {
            // Equal parts are adjacent and have the same options, so the second one is skipped.
            if index > 0 && parts[index - 1] == part {
                continue;
            }
            let others = || parts[..index].iter().chain(&parts[index + 1..]).copied();
            game.options(part, &mut |option| {
                options.insert(without_stars(others().chain(option.iter().copied()), game));
            });
        }
        Self {
            parts,
            options: options.into_iter().collect(),
            next: 0,
        }
    }

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> u64 {
        let options = self.options.iter().map(|(parts, _)| list_bytes(parts) + 32);
        list_bytes(&self.parts) + options.sum::<u64>()
    }
}

/// Returns the parts of a sum without 0 and *, sorted. Also returns 1 if the number of stars is
/// odd, and otherwise 0.
fn without_stars(parts: impl Iterator<Item = u32>, game: &dyn Parts) -> (Box<[u32]>, u32) {
    let mut star = 0;
    let mut others: Vec<u32> = Vec::new();
    for part in parts {
        if game.is_star(part) {
            star ^= 1;
        } else if !game.is_zero(part) {
            others.push(part);
        }
    }
    others.sort_unstable();
    (others.into(), star)
}
