//! Approximate values of sums, in fixed-point numbers: bounds by the moves in reserve, and expected
//! values for move ordering.

use grundy_forms::{Form, Packed};

use super::Search;
use crate::answers::sums::Sum;
use crate::move_counts::Reserve;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// The approximate value of a form, in units of 1 / [`Reserve::UNIT`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Appraisal {
    /// The reserves of Left and of Right, if they fit the range of numbers.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The mean of the form. For an all-small form, also the mean of its atomic weight.
    pub(super) expected: [i64; 2],
}

/// Largest number of terms for which the reserves of a sum are added.
// Reserves are limited so that a thousand of them add up without overflow.
const TERMS: usize = 1_000;

/// Adds two pairs of reserves, those of Left and those of Right separately.
pub(super) fn joined([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a + c, b + d]
}

/// Subtracts the second pair of reserves from the first, those of Left and those of Right
/// separately.
pub(super) fn without([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a - c, b - d]
}

/// Returns whether reserves contain counts of moves, and not only a bound of the value.
pub(super) fn are_counted(reserves: &[Reserve; 2]) -> bool {
    reserves.iter().any(|side| side.against > 0)
}

/// Returns the result for `player`, who is to move, if the reserves decide it.
pub(super) fn by_reserves(reserves: &[Reserve; 2], player: Player) -> Option<Worth> {
    let [own, other] = [player, player.other()].map(|player| &reserves[player as usize]);
    if own.wins(true) {
        Some(Worth::Win)
    } else if other.wins(false) {
        Some(Worth::Lose)
    } else {
        None
    }
}

/// Converts a number to units of 1 / [`Reserve::UNIT`], rounded down and limited to the range of
/// `i64`.
fn parts(number: &Dyadic) -> i64 {
    const PARTS: i32 = Reserve::UNIT.trailing_zeros() as i32;
    let parts = number.shifted(PARTS).floor();
    let far = if parts.sign().is_lt() {
        i64::MIN
    } else {
        i64::MAX
    };
    parts.to_i64().unwrap_or(far)
}

impl Search<'_> {
    /// Returns the result of a sum for `player`, who is to move, if the reserves decide it.
    pub(super) fn counted(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        // Sums that contain only forms are compared exactly in `bounded`.
        if sum.rest.is_empty() {
            return Ok(None);
        }
        let reserves = self.reserves(sum)?;
        Ok(reserves.and_then(|reserves| by_reserves(&reserves, player)))
    }

    /// Returns the reserves of Left and of Right in a sum, if all its terms have reserves.
    pub(super) fn reserves(&mut self, sum: &Sum) -> Result<Option<[Reserve; 2]>, Stop> {
        if !self.valued || sum.rest.len() + sum.forms.len() > TERMS {
            return Ok(None);
        }
        let Some(mut all) = of_packed(&sum.packed) else {
            return Ok(None);
        };
        for &id in &sum.rest {
            let Some(reserves) = self.facts[id].reserves else {
                return Ok(None);
            };
            all = joined(all, reserves);
        }
        for &form in &sum.forms {
            let Some(reserves) = self.appraisal(form)?.reserves else {
                return Ok(None);
            };
            all = joined(all, reserves);
        }
        Ok(Some(all))
    }

    /// Returns an estimate of the value of a sum, and an estimate of its atomic weight in ups.
    ///
    /// The estimates add up the means of forms. A component without a form counts as the midpoint
    /// of its bounds.
    pub(super) fn expected(&mut self, sum: &Sum) -> Result<[i64; 2], Stop> {
        // The estimates only order the moves, so a saturated sum cannot make an answer wrong.
        let mut total = parts(&sum.packed.number);
        let mut ups = sum.packed.ups.saturating_mul(Reserve::UNIT);
        for &form in &sum.forms {
            let expected = self.appraisal(form)?.expected;
            total = total.saturating_add(expected[0]);
            ups = ups.saturating_add(expected[1]);
        }
        for &id in &sum.rest {
            let expected = self.facts[id].expected;
            total = total.saturating_add(expected[0]);
            ups = ups.saturating_add(expected[1]);
        }
        Ok([total, ups])
    }

    /// Returns the appraisal of a form, and stores it for later calls.
    pub(super) fn appraisal(&mut self, form: Form) -> Result<Appraisal, Stop> {
        if let Some(&known) = self.appraisals.get(&form) {
            return Ok(known);
        }
        let (forms, limits) = (&mut self.engine.short.theory.forms, self.limits);
        let mut sides = [None; 2];
        for (side, form) in sides.iter_mut().zip([form, forms.negative(form)]) {
            // A form is greater than or equal to every number below its right stop. If it is not at
            // least the right stop itself, subtract one unit.
            let stop = forms.right_stop(form).clone();
            let least = parts(&stop);
            let number = forms.of_number(stop);
            let reached = forms.at_most(number, form, limits)?;
            *side = Reserve::of_number(least.saturating_sub(i64::from(!reached)));
        }
        // The mean of an all-small form is 0, so its atomic weight is more informative.
        let expected = match forms.atomic_weight(form, limits)? {
            Some(weight) => [0, parts(&forms.mean(weight, limits)?)],
            None => [parts(&forms.mean(form, limits)?), 0],
        };
        let [left, right] = sides;
        let appraisal = Appraisal {
            reserves: left.zip(right).map(|(left, right)| [left, right]),
            expected,
        };
        // About the number of bytes of an entry, see `Search::forget`.
        self.held += 100;
        self.appraisals.insert(form, appraisal);
        Ok(appraisal)
    }
}

/// Returns the reserves of Left and of Right in a number with ups and a nimber.
fn of_packed(packed: &Packed) -> Option<[Reserve; 2]> {
    // If the ups with the nimber are at least 0, the sum is at least its number. If they are at
    // most 0, it is at most its number. If they are confused with 0, neither bound is attained.
    let [above, below] = match Packed::ups(packed.ups, packed.star).sign() {
        Some(sign) => [sign.is_ge(), sign.is_le()],
        None => [false; 2],
    };
    let side = |number: &Dyadic, reached: bool| {
        Reserve::of_number(parts(number).saturating_sub(i64::from(!reached)))
    };
    let left = side(&packed.number, above)?;
    Some([left, side(&-&packed.number, below)?])
}
