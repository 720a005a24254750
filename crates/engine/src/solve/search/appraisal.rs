//! What sums come to, about, in whole numbers: bounds by what the players have in reserve, and what
//! is to be expected.

use grundy_forms::{Form, Packed};

use super::Search;
use crate::answers::sums::Sum;
use crate::move_counts::Reserve;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// What is known of a form, in parts of [`Reserve::UNIT`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Appraisal {
    /// What each player has of it at least, where that can be said.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// Its mean, and about how many ups it is worth beside that.
    pub(super) expected: [i64; 2],
}

/// Sums of more terms are not added up in whole numbers.
const TERMS: usize = 1_000;

pub(super) fn joined([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a + c, b + d]
}

pub(super) fn without([a, b]: [Reserve; 2], [c, d]: [Reserve; 2]) -> [Reserve; 2] {
    [a - c, b - d]
}

/// Returns whether a player has moves in reserve, and not only bounds are known.
pub(super) fn are_counted(reserves: &[Reserve; 2]) -> bool {
    reserves.iter().any(|side| side.against > 0)
}

/// What a sum is worth to the player to move, where the reserves tell it.
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

/// Returns the greatest number of parts that is at most a number; the nearest that fits.
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
    /// What a sum is worth to the player to move, where the reserves tell it.
    pub(super) fn counted(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        if sum.rest.is_empty() {
            return Ok(None);
        }
        let reserves = self.reserves(sum)?;
        Ok(reserves.and_then(|reserves| by_reserves(&reserves, player)))
    }

    /// What Left and what Right has in reserve in a sum.
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

    /// About what a sum comes to: means, and the middle of the bounds of what has none; and about
    /// how many ups all-small forms are worth beside that.
    pub(super) fn expected(&mut self, sum: &Sum) -> Result<[i64; 2], Stop> {
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

    /// What is known of a form.
    pub(super) fn appraisal(&mut self, form: Form) -> Result<Appraisal, Stop> {
        if let Some(&known) = self.appraisals.get(&form) {
            return Ok(known);
        }
        let (forms, limits) = (&mut self.engine.short.theory.forms, self.limits);
        let mut sides = [None; 2];
        for (side, form) in sides.iter_mut().zip([form, forms.negative(form)]) {
            // A game is at least each number below its right stop, and perhaps that number itself.
            let stop = forms.right_stop(form).clone();
            let least = parts(&stop);
            let number = forms.of_number(stop);
            let reached = forms.at_most(number, form, limits)?;
            *side = Reserve::of_number(least.saturating_sub(i64::from(!reached)));
        }
        let expected = match forms.atomic_weight(form, limits)? {
            Some(weight) => [0, parts(&forms.mean(weight, limits)?)],
            None => [parts(&forms.mean(form, limits)?), 0],
        };
        let [left, right] = sides;
        let appraisal = Appraisal {
            reserves: left.zip(right).map(|(left, right)| [left, right]),
            expected,
        };
        self.held += 100;
        self.appraisals.insert(form, appraisal);
        Ok(appraisal)
    }
}

/// Of a number with ups and a nimber.
fn of_packed(packed: &Packed) -> Option<[Reserve; 2]> {
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
