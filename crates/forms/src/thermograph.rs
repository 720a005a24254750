//! Thermographs: what a game is worth to each side when every move costs a tax of t.
//!
//! J. H. Conway, On Numbers and Games, 1976, chapter 9; E. R. Berlekamp, The economist's view of
//! combinatorial games, Games of No Chance, 1996, for temperatures from -1 on.

use grundy_base::{Dyadic, Player};

/// A wall: points (t, value) from t = -1 up, only where the slope changes; constant beyond the
/// last. Left's walls fall by 1 or stand, Right's rise by 1 or stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wall(Vec<(Dyadic, Dyadic)>);

/// Both walls up to the foot of the mast.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
}

/// The lowest temperature that is looked at.
const LOWEST: Dyadic = Dyadic::integer(-1);

impl Wall {
    /// Returns the points (t, value), t rising, the first at -1.
    #[must_use]
    pub fn points(&self) -> &[(Dyadic, Dyadic)] {
        &self.0
    }

    /// Returns the value at a temperature of at least -1.
    #[must_use]
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let after = self.0.partition_point(|(time, _)| time <= t);
        let (t0, value) = &self.0[after.max(1) - 1];
        let Some((_, next)) = self.0.get(after) else {
            return value.clone();
        };
        let run = t - t0;
        match next.cmp(value) {
            std::cmp::Ordering::Less => value - &run,
            std::cmp::Ordering::Equal => value.clone(),
            std::cmp::Ordering::Greater => value + &run,
        }
    }

    /// Returns the sum of some walls from temperature 0 on, as points (t, value): its slope changes
    /// at these points alone, and from the last one on it is constant.
    ///
    /// # Complexity
    /// O(n log n) for walls of n points together.
    pub fn sum_from_zero<'a>(walls: impl IntoIterator<Item = &'a Self>) -> Vec<(Dyadic, Dyadic)> {
        let (mut value, mut slope) = (Dyadic::ZERO, 0i64);
        let mut changes: Vec<(&Dyadic, i64)> = Vec::new();
        for wall in walls {
            value = &value + &wall.at(&Dyadic::ZERO);
            for pair in wall.0.windows(2) {
                let [(from, before), (to, after)] = pair else {
                    continue;
                };
                let run = after.cmp(before) as i64;
                if to.sign().is_gt() {
                    changes.push((to, -run));
                    if from.sign().is_gt() {
                        changes.push((from, run));
                    } else {
                        slope += run;
                    }
                }
            }
        }
        changes.sort_unstable();
        let (mut points, mut last) = (vec![(Dyadic::ZERO, value.clone())], &Dyadic::ZERO);
        for (t, change) in changes {
            if t > last {
                value = &value + &(t - last).times(slope);
                points.push((t.clone(), value.clone()));
                last = t;
            }
            slope += change;
        }
        points
    }

    fn negated(&self) -> Self {
        let points = self.0.iter();
        Self(points.map(|(t, value)| (t.clone(), -value)).collect())
    }

    /// Leaves out the points where the slope does not change.
    fn straightened(points: Vec<(Dyadic, Dyadic)>) -> Self {
        let slope = |a: &(Dyadic, Dyadic), b: &(Dyadic, Dyadic)| b.1.cmp(&a.1);
        let mut kept: Vec<(Dyadic, Dyadic)> = Vec::with_capacity(points.len());
        for point in points {
            if kept.last().is_some_and(|last| last.0 == point.0) {
                continue;
            }
            if let [.., before, last] = &kept[..]
                && slope(before, last) == slope(last, &point)
            {
                kept.pop();
            }
            kept.push(point);
        }
        // Beyond the last point the wall stands.
        while let [.., before, last] = &kept[..]
            && slope(before, last).is_eq()
        {
            kept.pop();
        }
        Self(kept)
    }

    /// Returns all temperatures at which one of two walls bends or the two cross.
    fn joints(&self, other: &Self) -> Vec<Dyadic> {
        let mut times: Vec<Dyadic> = self.0.iter().chain(&other.0).map(|p| p.0.clone()).collect();
        times.sort_unstable();
        times.dedup();
        let mut crossings = Vec::new();
        for pair in times.windows(2) {
            let [gap, then] = [&pair[0], &pair[1]].map(|t| &self.at(t) - &other.at(t));
            if gap.sign() != then.sign() && gap.sign().is_ne() && then.sign().is_ne() {
                // The gap closes by 1 or 2 a unit of temperature.
                let change = (&then - &gap).abs();
                let run = &pair[1] - &pair[0];
                let steps = if change == run {
                    gap.abs()
                } else {
                    gap.abs().shifted(-1)
                };
                crossings.push(&pair[0] + &steps);
            }
        }
        times.extend(crossings);
        times.sort_unstable();
        times
    }

    /// Returns the greater of two walls, everywhere.
    fn upper(&self, other: &Self) -> Self {
        let times = self.joints(other).into_iter();
        let points = times.map(|t| {
            let value = self.at(&t).max(other.at(&t));
            (t, value)
        });
        Self::straightened(points.collect())
    }
}

impl Thermograph {
    /// That of a number: a mast over walls that lean as far as the options of the number do.
    #[must_use]
    pub fn of_number(number: &Dyadic) -> Self {
        let left = number_wall(number);
        let right = number_wall(&-number).negated();
        Self { left, right }
    }

    /// Returns about how many bytes [`Thermograph::of_number`] takes. With a denominator of 2^k a
    /// wall has up to 2k points, whose numbers have up to k bits.
    #[must_use]
    pub fn bytes_of_number(number: &Dyadic) -> u64 {
        let k = u64::from(number.exponent());
        k * (100 + k / 4)
    }

    /// From those of the options of a game that is no number.
    ///
    /// # Panics
    /// When a player has no option: such a game is a number.
    #[must_use]
    pub fn of_options<'a>(
        left: impl IntoIterator<Item = &'a Self>,
        right: impl IntoIterator<Item = &'a Self>,
    ) -> Self {
        let most = left.into_iter().map(|option| option.right.clone());
        let most = most.reduce(|a, b| a.upper(&b)).expect("an option of Left");
        let least = right.into_iter().map(|option| option.left.negated());
        let least = least
            .reduce(|a, b| a.upper(&b))
            .expect("an option of Right");
        scaffolds(&most, &least.negated())
    }

    /// Returns the wall of Left, or of Right.
    #[must_use]
    pub fn wall(&self, player: Player) -> &Wall {
        player.of([&self.left, &self.right])
    }

    /// Where the mast stands.
    #[must_use]
    pub fn mean(&self) -> &Dyadic {
        &self.foot().1
    }

    /// Where the mast begins.
    #[must_use]
    pub fn temperature(&self) -> &Dyadic {
        // One of the walls may stand before: the mast begins where the later one ends.
        &self.foot().0
    }

    fn foot(&self) -> &(Dyadic, Dyadic) {
        let last = |wall: &'_ Wall| wall.0.len() - 1;
        let [left, right] = [&self.left, &self.right].map(|wall| &wall.0[last(wall)]);
        left.max(right)
    }

    /// That of the negative.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self {
            left: self.right.negated(),
            right: self.left.negated(),
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let points = self.left.0.iter().chain(&self.right.0);
        let of_point = |(t, value): &(Dyadic, Dyadic)| 32 + t.bytes() + value.bytes();
        96 + points.map(of_point).sum::<u64>()
    }

    /// Points of both walls for whoever reads them: from t = -1 up where the slope changes, both
    /// ending at the foot of the mast.
    #[must_use]
    pub fn walls(&self) -> [Vec<(Dyadic, Dyadic)>; 2] {
        let foot = self.foot();
        [&self.left, &self.right].map(|wall| {
            let mut points = wall.0.clone();
            if points.last().is_some_and(|last| last.0 < foot.0) {
                points.push(foot.clone());
            }
            points
        })
    }
}

/// Returns the left wall of a number, from the foot of its mast down to -1.
///
/// With x = m/2^k the left wall is that of x - 1/2^k, an option, to the right and taxed: it leans
/// as long as that number's own mast stands, and then it is the left wall of the number to which
/// Right would answer.
fn number_wall(number: &Dyadic) -> Wall {
    let mut x = number.clone();
    let mut down = vec![(-&x.step(), x.clone())];
    while !x.is_integer() {
        let option = &x - &x.step();
        let step = option.step();
        x = &option + &step;
        down.push((-&step, x.clone()));
        if option.is_integer() {
            break;
        }
        // The mast of x stands down to where its own walls begin.
        down.push((-&x.step(), x.clone()));
    }
    down.push((LOWEST, x));
    down.reverse();
    Wall::straightened(down)
}

/// Left's best right wall less t and Right's best left wall plus t, up to where they meet.
fn scaffolds(most: &Wall, least: &Wall) -> Thermograph {
    let mut times = most.joints(least);
    // Beyond all joints both stand, and the tax closes the gap.
    let last = times[times.len() - 1].clone();
    let gap = &most.at(&last) - &least.at(&last);
    if (&gap - &last.shifted(1)).sign().is_gt() {
        times.push(gap.shifted(-1));
    }
    let value = |t: &Dyadic| [&most.at(t) - t, &least.at(t) + t];
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut before: Option<(Dyadic, Dyadic)> = None;
    for t in times {
        let [high, low] = value(&t);
        let gap = &high - &low;
        if gap.sign().is_gt() {
            left.push((t.clone(), high));
            right.push((t.clone(), low));
            before = Some((t, gap));
            continue;
        }
        let foot = match before {
            // The gap closed on the way here, by 1 or 2 a unit.
            Some((since, open)) if gap.sign().is_lt() => {
                let change = &open - &gap;
                let run = &t - &since;
                let steps = if change == run {
                    open
                } else {
                    open.shifted(-1)
                };
                &since + &steps
            }
            _ => t,
        };
        let [high, _] = value(&foot);
        left.push((foot.clone(), high.clone()));
        right.push((foot, high));
        break;
    }
    Thermograph {
        left: Wall::straightened(left),
        right: Wall::straightened(right),
    }
}
