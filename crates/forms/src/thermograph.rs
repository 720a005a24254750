//! Thermographs: the stops of a game as functions of a tax t that every move costs.
//!
//! After J. H. Conway, On Numbers and Games, 1976, chapter 9. Temperatures start at -1 as in E. R.
//! Berlekamp, The economist's view of combinatorial games, Games of No Chance, 1996.

use grundy_base::{Dyadic, Player};

/// A wall of a thermograph, given by the points (t, value) at which its slope changes, from t = -1
/// upward. After the last point it is constant. The slopes of a left wall are -1 or 0, and those of
/// a right wall are 1 or 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wall(Vec<(Dyadic, Dyadic)>);

/// The left wall and the right wall of a thermograph. The mast begins where they meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
}

/// Lowest temperature of a thermograph.
const LOWEST: Dyadic = Dyadic::integer(-1);

impl Wall {
    /// Returns the points (t, value) of the wall in ascending order of t. The first point is at t =
    /// -1.
    ///
    /// ```
    /// use grundy_base::{Limits, Player};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let thermograph = forms.thermograph(hot, &limits)?;
    /// // The left wall is 2 - t up to the temperature 5/4.
    /// let points = thermograph.wall(Player::Left).points();
    /// let points: Vec<String> = points.iter().map(|(t, value)| format!("{t}: {value}")).collect();
    /// assert_eq!(points, ["-1: 3", "5/4: 3/4"]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn points(&self) -> &[(Dyadic, Dyadic)] {
        &self.0
    }

    /// Returns the value of the wall at temperature t, which must be at least -1.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits, Player};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let thermograph = forms.thermograph(hot, &limits)?;
    /// // From t = 0 to t = 5/4, the right wall is -1/2 + t.
    /// let wall = thermograph.wall(Player::Right);
    /// assert_eq!(wall.at(&Dyadic::ONE), Dyadic::new(1, 1));
    /// assert_eq!(wall.at(&Dyadic::integer(2)), Dyadic::new(3, 2));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let after = self.0.partition_point(|(time, _)| time <= t);
        let (t0, value) = &self.0[after.max(1) - 1];
        let Some((_, next)) = self.0.get(after) else {
            return value.clone();
        };
        let run = t - t0;
        // Slopes are -1, 0 or 1. So comparing the values at the two ends of a piece gives its
        // slope.
        match next.cmp(value) {
            std::cmp::Ordering::Less => value - &run,
            std::cmp::Ordering::Equal => value.clone(),
            std::cmp::Ordering::Greater => value + &run,
        }
    }

    /// Returns the sum of several walls for temperatures t >= 0, as points (t, value). The slope of
    /// the sum changes only at these points. After the last one the sum is constant.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Limits, Player};
    /// use grundy_forms::{Forms, Wall, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // The left walls are 1 - t up to t = 1, and 2 - t up to t = 2.
    /// let games = ["+-1", "+-2"].map(|game| text::read(game, &mut forms, &limits).unwrap());
    /// let thermographs = games.map(|game| forms.thermograph(game, &limits).unwrap());
    /// let sum = Wall::sum_from_zero(thermographs.iter().map(|graph| graph.wall(Player::Left)));
    /// let sum: Vec<String> = sum.iter().map(|(t, value)| format!("{t}: {value}")).collect();
    /// assert_eq!(sum, ["0: 3", "1: 1", "2: 0"]);
    /// ```
    ///
    /// # Complexity
    /// O(n log n) for walls with n points in total.
    pub fn sum_from_zero<'a>(walls: impl IntoIterator<Item = &'a Self>) -> Vec<(Dyadic, Dyadic)> {
        let (mut value, mut slope) = (Dyadic::ZERO, 0i64);
        let mut changes: Vec<(&Dyadic, i64)> = Vec::new();
        for wall in walls {
            // The changes of slope are visited in ascending order of t. The variable `slope` is the
            // slope of the sum just after `last`. Pieces that begin at t <= 0 contribute to the
            // initial slope.
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

    /// Returns the wall with all values negated.
    fn negated(&self) -> Self {
        let points = self.0.iter();
        Self(points.map(|(t, value)| (t.clone(), -value)).collect())
    }

    /// Returns the wall through the given points. Points at which its slope does not change are
    /// left out.
    fn straightened(points: Vec<(Dyadic, Dyadic)>) -> Self {
        let slope = |a: &(Dyadic, Dyadic), b: &(Dyadic, Dyadic)| b.1.cmp(&a.1);
        let mut kept: Vec<(Dyadic, Dyadic)> = Vec::with_capacity(points.len());
        for point in points {
            // A bend and a crossing may be at the same temperature. Then the first of the two
            // points is enough.
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
        // After its last point the wall is constant. So a last piece of slope 0 is left out.
        while let [.., before, last] = &kept[..]
            && slope(before, last).is_eq()
        {
            kept.pop();
        }
        Self(kept)
    }

    /// Returns all temperatures at which one of the two walls bends or at which they cross.
    fn joints(&self, other: &Self) -> Vec<Dyadic> {
        let mut times: Vec<Dyadic> = self.0.iter().chain(&other.0).map(|p| p.0.clone()).collect();
        times.sort_unstable();
        times.dedup();
        let mut crossings = Vec::new();
        for pair in times.windows(2) {
            let [gap, then] = [&pair[0], &pair[1]].map(|t| &self.at(t) - &other.at(t));
            if gap.sign() != then.sign() && gap.sign().is_ne() && then.sign().is_ne() {
                // Both slopes are -1, 0 or 1 and differ. So the distance of the walls changes by 1
                // or 2 for each unit of t.
                let change = (&then - &gap).abs();
                let run = &pair[1] - &pair[0];
                let steps = if change == run {
                    gap.abs()
                } else {
                    gap.abs().times_power_of_two(-1)
                };
                crossings.push(&pair[0] + &steps);
            }
        }
        times.extend(crossings);
        times.sort_unstable();
        times
    }

    /// Returns the wall whose value is the maximum of two walls at each temperature.
    fn upper(&self, other: &Self) -> Self {
        // Between two adjacent joints both walls are straight and do not cross. So their maximum is
        // straight as well.
        let times = self.joints(other).into_iter();
        let points = times.map(|t| {
            let value = self.at(&t).max(other.at(&t));
            (t, value)
        });
        Self::straightened(points.collect())
    }
}

impl Thermograph {
    /// Returns the thermograph of a number. If the denominator is 2^k, the mast begins at
    /// temperature -1/2^k. Below this temperature, the walls are computed from the options of the
    /// number.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Thermograph;
    /// let thermograph = Thermograph::of_number(&Dyadic::new(3, 2));
    /// assert_eq!(*thermograph.mean(), Dyadic::new(3, 2));
    /// assert_eq!(*thermograph.temperature(), Dyadic::new(-1, 2));
    /// ```
    #[must_use]
    pub fn of_number(number: &Dyadic) -> Self {
        let left = number_wall(number);
        let right = number_wall(&-number).negated();
        Self { left, right }
    }

    /// Returns the approximate size in bytes of [`Thermograph::of_number`]. If the denominator is
    /// 2^k, a wall has at most 2k points, whose coordinates have at most k bits after the point.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Thermograph;
    /// assert_eq!(Thermograph::bytes_of_number(&Dyadic::integer(7)), 0);
    /// let tiny = Dyadic::from_bigint(1.into(), 1000);
    /// assert_eq!(Thermograph::bytes_of_number(&tiny), 350_000);
    /// ```
    #[must_use]
    pub fn bytes_of_number(number: &Dyadic) -> u64 {
        let k = u64::from(number.exponent());
        k * (100 + k / 4)
    }

    /// Returns the thermograph of a game from the thermographs of its options. The game must not be
    /// a number.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Thermograph;
    /// // The game {2|-1/2}.
    /// let options = [Dyadic::integer(2), Dyadic::new(-1, 1)];
    /// let [left, right] = options.map(|number| Thermograph::of_number(&number));
    /// let thermograph = Thermograph::of_options([&left], [&right]);
    /// assert_eq!(*thermograph.mean(), Dyadic::new(3, 2));
    /// assert_eq!(*thermograph.temperature(), Dyadic::new(5, 2));
    /// ```
    ///
    /// # Panics
    /// Panics if a player has no option, since the game is then a number.
    #[must_use]
    pub fn of_options<'a>(
        left: impl IntoIterator<Item = &'a Self>,
        right: impl IntoIterator<Item = &'a Self>,
    ) -> Self {
        // The minimum over Right's options is computed as the maximum of the negated walls.
        let most = left.into_iter().map(|option| option.right.clone());
        let most = most.reduce(|a, b| a.upper(&b)).expect("an option of Left");
        let least = right.into_iter().map(|option| option.left.negated());
        let least = least
            .reduce(|a, b| a.upper(&b))
            .expect("an option of Right");
        scaffolds(&most, &least.negated())
    }

    /// Returns the wall of a player.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits, Player};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let thermograph = forms.thermograph(hot, &limits)?;
    /// // At t = 0 the walls are at the stops.
    /// assert_eq!(thermograph.wall(Player::Left).at(&Dyadic::ZERO), Dyadic::integer(2));
    /// assert_eq!(thermograph.wall(Player::Right).at(&Dyadic::ZERO), Dyadic::new(-1, 1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn wall(&self, player: Player) -> &Wall {
        player.of([&self.left, &self.right])
    }

    /// Returns the mean: the value at the mast.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{4||2|0}", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.thermograph(hot, &limits)?.mean(), Dyadic::new(5, 1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> &Dyadic {
        &self.foot().1
    }

    /// Returns the temperature: the t at which the mast begins.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{4||2|0}", &mut forms, &limits).unwrap();
    /// assert_eq!(*forms.thermograph(hot, &limits)?.temperature(), Dyadic::new(3, 1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn temperature(&self) -> &Dyadic {
        // One wall may become vertical before the other. The mast begins where both are vertical.
        &self.foot().0
    }

    /// Returns the foot of the mast as (t, value).
    fn foot(&self) -> &(Dyadic, Dyadic) {
        let last = |wall: &'_ Wall| wall.0.len() - 1;
        let [left, right] = [&self.left, &self.right].map(|wall| &wall.0[last(wall)]);
        left.max(right)
    }

    /// Returns the thermograph of the negative of the game.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let negated = forms.thermograph(hot, &limits)?.negated();
    /// assert_eq!(*negated.mean(), Dyadic::new(-3, 2));
    /// let negative = forms.negative(hot);
    /// assert_eq!(*forms.thermograph(negative, &limits)?, negated);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn negated(&self) -> Self {
        Self {
            left: self.right.negated(),
            right: self.left.negated(),
        }
    }

    /// Returns the approximate size of the thermograph in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let points = self.left.0.iter().chain(&self.right.0);
        let of_point = |(t, value): &(Dyadic, Dyadic)| 32 + t.bytes() + value.bytes();
        96 + points.map(of_point).sum::<u64>()
    }

    /// Returns the points of the left wall and the right wall for drawing. They are the points from
    /// t = -1 upward at which the slope changes. Both walls end at the foot of the mast.
    ///
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1}", &mut forms, &limits).unwrap();
    /// let [left, right] = forms.thermograph(hot, &limits)?.walls();
    /// let foot = (Dyadic::new(3, 1), Dyadic::new(1, 1));
    /// assert_eq!(left, [(Dyadic::integer(-1), Dyadic::integer(3)), foot.clone()]);
    /// assert_eq!(right, [(Dyadic::integer(-1), Dyadic::integer(-2)), foot]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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

/// Returns the left wall of a number.
///
/// The points are computed from the foot of the mast downward to t = -1. For x = m/2^k, let y be
/// Left's option x - 1/2^k, and let z be Right's option of y. The left wall of x is the right wall
/// of y, minus t. At the temperatures of the mast of y, the right wall of y is constant, so the
/// left wall of x has slope -1. Below this mast, the right wall of y is the left wall of z, plus t.
/// So there the left wall of x is the left wall of z.
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
        // The mast of x begins at the foot of its walls.
        down.push((-&x.step(), x.clone()));
    }
    down.push((LOWEST, x));
    down.reverse();
    Wall::straightened(down)
}

/// Returns the thermograph from the scaffolds. `most` is the maximum of the right walls of Left's
/// options, and the left scaffold is `most` minus t. `least` is the minimum of the left walls of
/// Right's options, and the right scaffold is `least` plus t. The walls are the scaffolds up to the
/// point where the scaffolds meet.
fn scaffolds(most: &Wall, least: &Wall) -> Thermograph {
    let mut times = most.joints(least);
    // After the last joint both walls are constant. So the tax reduces the gap by 2 for each unit
    // of t.
    let last = times[times.len() - 1].clone();
    let gap = &most.at(&last) - &least.at(&last);
    if (&gap - &last.times_power_of_two(1)).sign().is_gt() {
        times.push(gap.times_power_of_two(-1));
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
            // The gap closed between the previous point and this one. It shrank by 1 or 2 for each
            // unit of t.
            Some((since, open)) if gap.sign().is_lt() => {
                let change = &open - &gap;
                let run = &t - &since;
                let steps = if change == run {
                    open
                } else {
                    open.times_power_of_two(-1)
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
