//! Approximate values of sums, as fixed-point numbers. There are two kinds: bounds from the moves
//! in reserve (see `Reserve`), and expected values for move ordering.

use grundy_forms::{Form, Packed};

use super::Search;
use crate::answers::sums::Sum;
use crate::move_counts::Reserve;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;

/// The approximate value of a form, in units of 1 / [`Reserve::UNIT`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Appraisal {
    /// The reserves of Left and of Right. `None` if the form is too far below or above 0.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The mean of the form, and the mean of its atomic weight. The latter is 0 unless the form is
    /// all-small.
    pub(super) expected: [i64; 2],
}

/// Largest number of terms of a sum whose reserves are added. The range of a reserve is chosen such
/// that a thousand reserves can be added without overflow.
const MAX_TERMS: usize = 1_000;

/// Adds two pairs of reserves, those of Left and those of Right separately.
pub(super) fn add_reserves([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a + c, b + d]
}

/// Subtracts the second pair of reserves from the first, those of Left and those of Right
/// separately.
pub(super) fn subtract_reserves([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a - c, b - d]
}

/// Returns whether reserves contain counts of moves, and not only bounds of the value.
pub(super) fn have_counts(reserves: &[Reserve; 2]) -> bool {
    reserves.iter().any(|side| side.against > 0)
}

/// Returns the result for `player`, who is to move, if the reserves decide it.
pub(super) fn by_reserves(reserves: &[Reserve; 2], player: Player) -> Option<PayoffResult> {
    let [own, other] = [player, player.other()].map(|player| &reserves[player as usize]);
    if own.wins(true) {
        Some(PayoffResult::Win)
    } else if other.wins(false) {
        Some(PayoffResult::Lose)
    } else {
        None
    }
}

/// Converts a number to units of 1 / [`Reserve::UNIT`]. The result is rounded down and saturates at
/// the range of `i64`.
fn to_units(number: &Dyadic) -> i64 {
    const UNIT_BITS: i32 = Reserve::UNIT.trailing_zeros() as i32;
    let units = number.times_power_of_two(UNIT_BITS).floor();
    let saturated = if units.sign().is_lt() {
        i64::MIN
    } else {
        i64::MAX
    };
    units.to_i64().unwrap_or(saturated)
}

impl Search<'_> {
    /// Returns the result of a sum for `player`, who is to move, if the reserves decide it.
    pub(super) fn result_by_reserves(
        &mut self,
        sum: &Sum,
        player: Player,
    ) -> Result<Option<PayoffResult>, Stop> {
        // Sums that contain only forms are compared exactly in `result_by_bounds`.
        if sum.components.is_empty() {
            return Ok(None);
        }
        let reserves = self.reserves(sum)?;
        Ok(reserves.and_then(|reserves| by_reserves(&reserves, player)))
    }

    /// Returns the reserves of Left and of Right in a sum, if all its terms have reserves.
    pub(super) fn reserves(&mut self, sum: &Sum) -> Result<Option<[Reserve; 2]>, Stop> {
        if !self.uses_forms || sum.components.len() + sum.forms.len() > MAX_TERMS {
            return Ok(None);
        }
        let Some(mut all) = reserves_of_packed(&sum.packed) else {
            return Ok(None);
        };
        for &id in &sum.components {
            let Some(reserves) = self.facts[id].reserves else {
                return Ok(None);
            };
            all = add_reserves(all, reserves);
        }
        for &form in &sum.forms {
            let Some(reserves) = self.appraisal(form)?.reserves else {
                return Ok(None);
            };
            all = add_reserves(all, reserves);
        }
        Ok(Some(all))
    }

    /// Returns an estimate of the value of a sum, and an estimate of its atomic weight in ups.
    ///
    /// The estimates add up the means of forms. A component without a form counts as the midpoint
    /// of its bounds.
    pub(super) fn expected(&mut self, sum: &Sum) -> Result<[i64; 2], Stop> {
        // The estimates only order the moves, so saturation cannot make an answer wrong.
        let mut total = to_units(&sum.packed.number);
        let mut ups = sum.packed.ups.saturating_mul(Reserve::UNIT);
        for &form in &sum.forms {
            let expected = self.appraisal(form)?.expected;
            total = total.saturating_add(expected[0]);
            ups = ups.saturating_add(expected[1]);
        }
        for &id in &sum.components {
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
            // A form is at least every number below its right stop. If it is not at least the right
            // stop itself, subtract one unit from the bound.
            let stop = forms.right_stop(form).clone();
            let least = to_units(&stop);
            let number = forms.of_number(stop);
            let is_attained = forms.at_most(number, form, limits)?;
            *side = Reserve::of_number(least.saturating_sub(i64::from(!is_attained)));
        }
        // The mean of an all-small form is 0, so its atomic weight is more informative.
        let expected = match forms.atomic_weight(form, limits)? {
            Some(weight) => [0, to_units(&forms.mean(weight, limits)?)],
            None => [to_units(&forms.mean(form, limits)?), 0],
        };
        let [left, right] = sides;
        let appraisal = Appraisal {
            reserves: left.zip(right).map(|(left, right)| [left, right]),
            expected,
        };
        // Approximate number of bytes of an entry, see `Search::evict`.
        self.other_bytes += 100;
        self.appraisals.insert(form, appraisal);
        Ok(appraisal)
    }
}

/// Returns the reserves of Left and of Right in a number with ups and a nimber.
fn reserves_of_packed(packed: &Packed) -> Option<[Reserve; 2]> {
    // If the ups and the nimber together are at least 0, the sum is at least its number. If they
    // are at most 0, the sum is at most its number. If they are confused with 0, the sum only lies
    // between the numbers that are one unit smaller and larger.
    let [above, below] = match Packed::ups(packed.ups, packed.star).sign() {
        Some(sign) => [sign.is_ge(), sign.is_le()],
        None => [false; 2],
    };
    let side = |number: &Dyadic, is_attained: bool| {
        Reserve::of_number(to_units(number).saturating_sub(i64::from(!is_attained)))
    };
    let left = side(&packed.number, above)?;
    Some([left, side(&-&packed.number, below)?])
}
