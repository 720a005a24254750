//! Approximate values of sums in fixed-point numbers: bounds by the moves in reserve, and expected
//! values for move ordering.

use grundy_forms::{Form, Packed};

use super::Search;
use crate::answers::sums::Sum;
use crate::move_counts::Reserve;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// The appraisal of a form, in units of 1 / [`Reserve::UNIT`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Appraisal {
    /// The reserves of both players, if they fit.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The mean, and the mean of the atomic weight for an all-small form.
    pub(super) expected: [i64; 2],
}

/// Number of terms above which the reserves of a sum are not added.
// Reserves are capped so that a thousand of them add up without overflow.
const TERMS: usize = 1_000;

/// Adds the reserves of both players.
pub(super) fn joined([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a + c, b + d]
}

/// Subtracts the reserves of both players.
pub(super) fn without([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a - c, b - d]
}

/// Returns whether moves in reserve are counted, rather than only bounds known.
pub(super) fn are_counted(reserves: &[Reserve; 2]) -> bool {
    reserves.iter().any(|side| side.against > 0)
}

/// Returns the result for the player to move, if the reserves decide it.
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

/// Rounds a number down to a multiple of 1 / [`Reserve::UNIT`], saturating at the limits of `i64`.
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
    /// Returns the result of a sum for the player to move, if the reserves decide it.
    pub(super) fn counted(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        // Sums of forms alone are compared exactly in `bounded`.
        if sum.rest.is_empty() {
            return Ok(None);
        }
        let reserves = self.reserves(sum)?;
        Ok(reserves.and_then(|reserves| by_reserves(&reserves, player)))
    }

    /// Returns the reserves of Left and of Right in a sum, if all its terms have some.
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

    /// Returns an estimate of the value of a sum, and of its atomic weight in ups.
    ///
    /// It adds the means of forms and, for components without a form, the midpoints of their
    /// bounds.
    pub(super) fn expected(&mut self, sum: &Sum) -> Result<[i64; 2], Stop> {
        // Estimates only order the moves, so saturating sums cannot make an answer wrong.
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

    /// Returns the appraisal of a form, which is cached.
    pub(super) fn appraisal(&mut self, form: Form) -> Result<Appraisal, Stop> {
        if let Some(&known) = self.appraisals.get(&form) {
            return Ok(known);
        }
        let (forms, limits) = (&mut self.engine.short.theory.forms, self.limits);
        let mut sides = [None; 2];
        for (side, form) in sides.iter_mut().zip([form, forms.negative(form)]) {
            // G >= x for every number x below its right stop. If G is not at least the stop itself,
            // subtract one unit to get below it.
            let stop = forms.right_stop(form).clone();
            let least = parts(&stop);
            let number = forms.of_number(stop);
            let reached = forms.at_most(number, form, limits)?;
            *side = Reserve::of_number(least.saturating_sub(i64::from(!reached)));
        }
        // The mean of an all-small form is 0, so its atomic weight tells more.
        let expected = match forms.atomic_weight(form, limits)? {
            Some(weight) => [0, parts(&forms.mean(weight, limits)?)],
            None => [parts(&forms.mean(form, limits)?), 0],
        };
        let [left, right] = sides;
        let appraisal = Appraisal {
            reserves: left.zip(right).map(|(left, right)| [left, right]),
            expected,
        };
        // About the size of an entry, see `Search::forget`.
        self.held += 100;
        self.appraisals.insert(form, appraisal);
        Ok(appraisal)
    }
}

/// Returns the reserves in a number with ups and a nimber.
fn of_packed(packed: &Packed) -> Option<[Reserve; 2]> {
    // The sum is at least its number if the ups and the nimber are at least 0. If they are confused
    // with 0, neither bound is attained.
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
