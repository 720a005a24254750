//! Recognition of games of one heap in a rule file, with a proof.
//!
//! The options of all numbers n >= N are found by symbolic evaluation. They have the form n - t, or
//! they are sums of x and n - t - x. From them follow the digits of a take-and-break code. For n <
//! N, the options of the rule are compared with those of the code.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use grundy_core::dynamic::{DynamicMove, DynamicPosition, DynamicRules};
use grundy_core::heap::{Code, HeapRules, TakeSet};
use grundy_core::{Limits, Player, Stop};
use grundy_notation::parse;

use super::RuleFile;
use crate::symbolic::{self, Budget, Constraint, Names, Number, Region, SymbolicOption, Undecided};

/// The numbers N that are tried. For smaller numbers the rule itself is run.
const STARTS: [u64; 4] = [16, 64, 256, 1024];

/// The options that leave n - take chips.
#[derive(Debug, Default)]
struct Taken {
    /// `true` if one heap is left, and `Some(false)` if perhaps.
    single: Option<bool>,
    /// `true` if a move to two heaps is possible.
    splits: bool,
    /// The sizes x of one of two heaps, for which the move exists.
    regions: Vec<Region>,
    /// The constant sizes x of one of two heaps, for which the move exists.
    points: BTreeSet<i128>,
}

/// Returns the digits of the code for moves that leave at least one heap: bit 1 for one heap and
/// bit 2 for two heaps. The options are those of all n >= `least`.
fn digits(
    options: &[SymbolicOption],
    least: u64,
    budget: &mut Budget<'_>,
) -> Result<BTreeMap<u64, u64>, Undecided> {
    let all = Region::from(i128::from(least));
    let mut taken: BTreeMap<u64, Taken> = BTreeMap::new();
    for option in options {
        match option.heaps[..] {
            [left] => single(&all, option, left, least, &mut taken, budget)?,
            [first, second] => split(&all, option, [first, second], least, &mut taken)?,
            _ => return Err(Undecided),
        }
    }
    let mut digits = BTreeMap::new();
    for (take, known) in taken {
        let mut digit = 0;
        match known.single {
            Some(true) => digit |= 2,
            // In this case the option exists for some n only.
            Some(false) => return Err(Undecided),
            None => {}
        }
        if known.splits {
            covers(&all, take, known, budget)?;
            digit |= 4;
        }
        if take == 0 && digit & 2 != 0 {
            return Err(Undecided);
        }
        if digit != 0 {
            digits.insert(take, digit);
        }
    }
    Ok(digits)
}

/// Returns the number of chips, if it is less than `least`. The constant n - t has t chips less.
fn take(t: i128, least: u64) -> Result<u64, Undecided> {
    let t = u64::try_from(t).map_err(|_| Undecided)?;
    (t < least).then_some(t).ok_or(Undecided)
}

/// Adds a move to one heap.
fn single(
    all: &Region,
    option: &SymbolicOption,
    left: Number,
    least: u64,
    taken: &mut BTreeMap<u64, Taken>,
    budget: &mut Budget<'_>,
) -> Result<(), Undecided> {
    if left.d != 1 || left.n != 1 {
        return Err(Undecided);
    }
    let mut add = |take: u64, is_certain: bool| {
        let single = &mut taken.entry(take).or_default().single;
        *single = Some(*single == Some(true) || is_certain);
    };
    if left.a == 0 {
        add(take(-left.c, least)?, option.when.is_empty());
        return Ok(());
    }
    // The number of chips is -a' a - c'. It must have finitely many values.
    let region = all.with(option.when.iter().copied());
    let below = Constraint::new(0, -left.a, -left.c)?;
    let above = Constraint::new(0, left.a, left.c + i128::from(least))?;
    if !region.with([below]).is_empty() || !region.with([above]).is_empty() {
        return Err(Undecided);
    }
    for t in 1..least {
        budget.charge(region.steps())?;
        let equal = equal_to(left.a, left.c + i128::from(t))?;
        if region.with(equal).is_empty() {
            continue;
        }
        // a = -(c' + t) / a', which is an integer only if a' is 1 or -1.
        let a = match left.a {
            1 => -(left.c + i128::from(t)),
            -1 => left.c + i128::from(t),
            _ => return Err(Undecided),
        };
        let mut holds = option.when.iter();
        let is_certain = holds
            .all(|c| Constraint::new(c.n, 0, c.c + c.a * a).is_ok_and(|at_a| all.implies(at_a)));
        add(t, is_certain);
    }
    Ok(())
}

/// Returns the constraints that a' a + c' = 0.
fn equal_to(a: i128, c: i128) -> Result<[Constraint; 2], Undecided> {
    Ok([Constraint::new(0, a, c)?, Constraint::new(0, -a, -c)?])
}

/// Adds a move to two heaps, each of which may be empty.
fn split(
    all: &Region,
    option: &SymbolicOption,
    [x, y]: [Number; 2],
    least: u64,
    taken: &mut BTreeMap<u64, Taken>,
) -> Result<(), Undecided> {
    if x.d != 1 || y.d != 1 || x.n + y.n != 1 || x.a + y.a != 0 {
        return Err(Undecided);
    }
    let t = take(-(x.c + y.c), least)?;
    let known = taken.entry(t).or_default();
    let region = all.with(option.when.iter().copied());
    let negative = |of: Number| Constraint::new(of.n, of.a, of.c + 1);
    let empty = |of: Number| Constraint::new(of.n, of.a, of.c);
    for heap in [x, y] {
        if !region.with([negative(heap)?]).is_empty() {
            return Err(Undecided);
        }
    }
    let positive = |of: Number| Constraint::new(-of.n, -of.a, 1 - of.c);
    known.splits |= !region.with([positive(x)?, positive(y)?]).is_empty();
    for heap in [x, y] {
        if region.with([empty(heap)?]).is_empty() {
            continue;
        }
        // An empty heap leaves a move to one heap. It exists for every n if the constraints hold at
        // the place where the heap is empty.
        let mut is_certain = option.when.is_empty() && heap.n == 0 && heap.a == 0;
        if heap.a.abs() == 1 {
            // a = -(n' n + c') / a'.
            let mut holds = option.when.iter();
            is_certain = holds.all(|c| {
                let (n, constant) = (c.n - c.a * heap.n * heap.a, c.c - c.a * heap.c * heap.a);
                Constraint::new(n, 0, constant).is_ok_and(|at| all.implies(at))
            });
        }
        known.single = Some(known.single == Some(true) || is_certain);
    }
    if x.a == 0 {
        let heap = if x.n == 0 { x } else { y };
        if option.when.is_empty() && heap.n == 0 {
            known.points.insert(heap.c);
        }
        return Ok(());
    }
    if x.a.abs() != 1 {
        return Ok(());
    }
    // The constraints on a become constraints on the size of each heap: a = (x - n' n - c') / a'.
    for heap in [x, y] {
        let constraints: Result<Vec<Constraint>, Undecided> = option
            .when
            .iter()
            .map(|c| {
                Constraint::new(
                    c.n - c.a * heap.a * heap.n,
                    c.a * heap.a,
                    c.c - c.a * heap.a * heap.c,
                )
            })
            .collect();
        known.regions.push(Region(constraints?));
    }
    Ok(())
}

/// Proves that all sizes x with 1 <= x and 2 x <= n - take occur.
fn covers(all: &Region, take: u64, known: Taken, budget: &mut Budget<'_>) -> Result<(), Undecided> {
    let mut regions = known.regions;
    // Consecutive sizes are one region.
    let mut points = known.points.into_iter().peekable();
    while let Some(first) = points.next() {
        let mut last = first;
        while let Some(next) = points.next_if_eq(&(last + 1)) {
            last = next;
        }
        regions.push(Region(vec![
            Constraint::new(0, -1, first)?,
            Constraint::new(0, 1, -last)?,
        ]));
    }
    let needed = all.with([
        Constraint::new(0, -1, 1)?,
        Constraint::new(-1, 2, i128::from(take))?,
    ]);
    let mut pending = vec![(needed, 0)];
    while let Some((needed, next)) = pending.pop() {
        budget.charge(needed.steps())?;
        if needed.is_empty() {
            continue;
        }
        let region = regions.get(next).ok_or(Undecided)?;
        let mut inside = needed;
        for &constraint in &region.0 {
            let outside = inside.with([constraint.negated()]);
            budget.charge(outside.steps())?;
            if !outside.is_empty() {
                pending.push((outside, next + 1));
            }
            inside.0.push(constraint);
        }
    }
    Ok(())
}

impl RuleFile {
    /// Returns the rules of a heap game that is the same as `game(name, n)` for each n >= 0: the
    /// heap n has the same options. Recognizes subtraction games with finite sets, and codes of
    /// take-and-break games with finitely many digits. All numbers and digits are at places below
    /// 1,024. The answer is proved. `None` means that no proof was found.
    ///
    /// The rules are evaluated for an unknown number n >= N, for several N of at most 1,024. For
    /// smaller n, the rules are run and their options are compared.
    ///
    /// # Errors
    /// The limit that stopped the search for a proof. The number of steps of the proof is limited
    /// as well, but then the answer is `None`.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::heap::{HeapRules, TakeSet};
    /// use grundy_rules::{Allowance, RuleFile};
    /// let source = "
    /// def moves(n):
    ///     return [n - k for k in (1, 3, 4) if k <= n]
    /// def squares(n):
    ///     return [n - k * k for k in range(1, n + 1) if k * k <= n]
    /// ";
    /// let file = RuleFile::read("own.star", source, Allowance::default())?;
    /// let known = HeapRules::Subtraction(TakeSet::Finite(vec![1, 3, 4]));
    /// let limits = Limits::default();
    /// assert_eq!(file.recognize("moves", &limits)?, Some(known));
    /// assert_eq!(file.recognize("squares", &limits)?, None);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn recognize(&self, name: &str, limits: &Limits<'_>) -> Result<Option<HeapRules>, Stop> {
        let is_partizan = self.function("left").is_some() && self.function("right").is_some();
        if is_partizan || self.function("value").is_some() {
            return Ok(None);
        }
        let Some((name, function)) = self.moves_function(name) else {
            return Ok(None);
        };
        let game = self.impartial_rules(name, function);
        let globals = self.shared.initial.all_globals();
        // The first number N for which the proof succeeds, and the digits.
        let found = parse::with_rules(self.source(), |statements| {
            let names = Names::of(statements, globals);
            let mut starts = STARTS.into_iter();
            let proved = starts.find_map(|least| {
                let mut budget = Budget::new(limits);
                let options = symbolic::options(name, i128::from(least), &names, &mut budget);
                let digits = options.and_then(|options| digits(&options, least, &mut budget));
                match (digits, budget.into_stop()) {
                    (Ok(digits), _) => Some(Ok((least, digits))),
                    (Err(Undecided), Some(stop)) => Some(Err(stop)),
                    (Err(Undecided), None) => None,
                }
            });
            Ok(proved.transpose())
        });
        // The file was parsed before, so another error is not expected.
        let Ok(found) = found else {
            return Ok(None);
        };
        match found? {
            Some((least, digits)) => rules(digits, least, &*game, limits),
            None => Ok(None),
        }
    }
}

/// A set of options, each of which is a sorted list of heaps that are not empty.
type HeapOptions = BTreeSet<Vec<u64>>;

/// Returns the options of a number, if they are sums of numbers.
fn options(game: &dyn DynamicRules, n: u64) -> Result<Option<HeapOptions>, Stop> {
    let mut moves: Vec<DynamicMove> = Vec::new();
    let Ok(number) = i64::try_from(n) else {
        return Ok(None);
    };
    let position = DynamicPosition::Int(number);
    match game.options(Player::Left, &position, &mut moves) {
        Ok(()) => {
            let heaps = moves.iter().map(|to| sorted_heaps(to.result.positions()));
            Ok(heaps.collect())
        }
        Err(Stop::Rules(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Returns a sum of numbers as a sorted list of heaps that are not empty.
fn sorted_heaps(positions: &[DynamicPosition]) -> Option<Vec<u64>> {
    let mut heaps = Vec::new();
    for position in positions {
        let heap = u64::try_from(position.to_integer()?).ok()?;
        if heap > 0 {
            heaps.push(heap);
        }
    }
    heaps.sort_unstable();
    Some(heaps)
}

/// Returns the rules with these digits, if their options agree with those of the rule for each n of
/// less than twice `least`. The proof holds for all n >= `least`, and the rest of the comparison is
/// a second check.
fn rules(
    mut digits: BTreeMap<u64, u64>,
    least: u64,
    game: &dyn DynamicRules,
    limits: &Limits<'_>,
) -> Result<Option<HeapRules>, Stop> {
    let mut small: Vec<HeapOptions> = Vec::new();
    for n in 0..2 * least {
        limits.poll()?;
        match options(game, n)? {
            Some(options) => small.push(options),
            None => return Ok(None),
        }
    }
    // A move that takes the whole heap is seen at the heap of this size only.
    for (take, options) in (1..least).zip(&small[1..]) {
        if options.contains(&Vec::new()) {
            *digits.entry(take).or_default() |= 1;
        }
    }
    let Some(&last) = digits.keys().next_back() else {
        return Ok(None);
    };
    let rules = if digits.values().all(|digit| *digit == 3) {
        HeapRules::Subtraction(TakeSet::Finite(digits.into_keys().collect()))
    } else {
        let listed = (0..=last).map(|take| digits.get(&take).copied().unwrap_or(0));
        HeapRules::TakeAndBreak(Code::repeating(listed.collect(), 0))
    };
    for (n, options) in (0..).zip(&small) {
        limits.poll()?;
        let mut expected = HeapOptions::new();
        let _ = rules.options(n, &mut |heaps| {
            let mut heaps: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
            heaps.sort_unstable();
            expected.insert(heaps);
            ControlFlow::Continue(())
        });
        if expected != *options {
            return Ok(None);
        }
    }
    Ok(Some(rules))
}
