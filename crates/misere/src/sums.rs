//! Genera of sums of which no form is made.

use grundy_base::{Limits, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::genus::of_options;

/// What has a genus: games by number, whose options are sums of such games.
pub(crate) trait Parts {
    /// Shows the options of a part, each as a list of parts in any order.
    fn options(&self, part: u32, visit: &mut dyn FnMut(&[u32]));

    /// Returns whether the part is 0, which makes no difference in a sum.
    fn is_zero(&self, part: u32) -> bool;

    /// Returns whether the part is *, which only changes every digit by xor 1.
    fn is_star(&self, part: u32) -> bool;
}

/// The digits of sums, by their parts in order without 0 and *.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    known: FxHashMap<Box<[u32]>, [u32; 2]>,
    digits: Vec<u32>,
    /// Bytes of the keys, and of what is on the way.
    keys: u64,
    open: u64,
    /// Sums looked at since the limits were last looked at.
    steps: u32,
}

/// A sum on the way: its parts, and its options as sums, each with 1 where * is added.
struct Open {
    parts: Box<[u32]>,
    options: Vec<(Box<[u32]>, u32)>,
    next: usize,
}

/// Bytes of a list of parts.
fn held(parts: &[u32]) -> u64 {
    size_of_val(parts) as u64 + 8
}

impl Sums {
    pub(crate) fn bytes(&self) -> u64 {
        let entries = self.known.capacity() * (size_of::<(Box<[u32]>, [u32; 2])>() + 1);
        (entries + self.digits.capacity() * 4) as u64 + self.keys + self.open
    }

    /// Returns the digits of a sum, and 1 where all of them are to be changed by xor 1.
    ///
    /// # Complexity
    /// One visit to each position of the sum, whatever the order of its parts.
    pub(crate) fn digits(
        &mut self,
        parts: &[u32],
        game: &dyn Parts,
        limits: &Limits<'_>,
    ) -> Result<(&[u32], u32), Stop> {
        let (parts, star) = without_stars(parts.iter().copied(), game);
        self.open = 0;
        let mut way = vec![self.open(parts.clone(), game, limits)?];
        while let Some(last) = way.last_mut() {
            let options = last.options[last.next..].iter();
            let known = options.take_while(|(parts, _)| self.known.contains_key(parts));
            last.next += known.count();
            if let Some((parts, _)) = last.options.get(last.next) {
                let parts = parts.clone();
                let next = self.open(parts, game, limits)?;
                way.push(next);
                continue;
            }
            let options: Vec<(&[u32], u32)> = (last.options.iter())
                .map(|(parts, star)| (self.of(parts), *star))
                .collect();
            let digits = of_options(&options);
            let Some(done) = way.pop() else { break };
            self.open -= done.bytes();
            self.keep(done.parts, &digits, limits)?;
        }
        Ok((self.of(&parts), star))
    }

    fn of(&self, parts: &[u32]) -> &[u32] {
        let [start, end] = self.known[parts];
        &self.digits[start as usize..end as usize]
    }

    fn keep(&mut self, parts: Box<[u32]>, digits: &[u32], limits: &Limits<'_>) -> Result<(), Stop> {
        let start = self.digits.len() as u32;
        let Ok(end) = u32::try_from(self.digits.len() + digits.len()) else {
            return Err(Stop::Memory(limits.memory));
        };
        self.digits.extend_from_slice(digits);
        self.keys += held(&parts);
        self.known.insert(parts, [start, end]);
        Ok(())
    }

    /// Returns a sum whose options are to be known.
    fn open(
        &mut self,
        parts: Box<[u32]>,
        game: &dyn Parts,
        limits: &Limits<'_>,
    ) -> Result<Open, Stop> {
        let open = Open::new(parts, game);
        self.open += open.bytes();
        limits.check(self.known.len() as u64, 0)?;
        limits.check(1, self.bytes())?;
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            limits.poll()?;
        }
        Ok(open)
    }
}

impl Open {
    fn new(parts: Box<[u32]>, game: &dyn Parts) -> Self {
        let mut options = FxHashSet::default();
        for (place, &part) in parts.iter().enumerate() {
            if place > 0 && parts[place - 1] == part {
                continue;
            }
            let others = || parts[..place].iter().chain(&parts[place + 1..]).copied();
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

    fn bytes(&self) -> u64 {
        let options = self.options.iter().map(|(parts, _)| held(parts) + 32);
        held(&self.parts) + options.sum::<u64>()
    }
}

/// Returns the parts in order without 0 and *, and 1 where an odd number of them is *.
fn without_stars(parts: impl Iterator<Item = u32>, game: &dyn Parts) -> (Box<[u32]>, u32) {
    let mut star = 0;
    let mut left: Vec<u32> = Vec::new();
    for part in parts {
        if game.is_star(part) {
            star ^= 1;
        } else if !game.is_zero(part) {
            left.push(part);
        }
    }
    left.sort_unstable();
    (left.into(), star)
}
