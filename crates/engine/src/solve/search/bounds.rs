//! Bounds that decide a sum before any move is tried.

use std::cmp::Ordering;
use std::sync::Arc;

use grundy_forms::{Form, Thermograph, Wall};

use super::Search;
use crate::answers::sums::Sum;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// Number of thermographs up to which they are added without polling the limits.
const FEW: usize = 16;

fn worth_of(wins: bool) -> Worth {
    if wins { Worth::Win } else { Worth::Lose }
}

/// Returns whether the player to move wins a sum, if the results of its components on their own
/// decide this.
///
/// `alone` has two entries for each component: whether the player wins it moving first, and whether
/// the opponent does. A player who loses every component moving first loses the sum. A player who
/// wins one component moving first, and wins all others moving second, wins the sum.
pub(super) fn together(alone: &[[Option<bool>; 2]]) -> Option<bool> {
    if alone.iter().all(|wins| wins[0] == Some(false)) {
        return Some(false);
    }
    // If the opponent may win a component moving first, the player has to move in that component.
    // With two such components nothing follows.
    let mut unsafe_ones = alone.iter().filter(|wins| wins[1] != Some(false));
    let wins = match (unsafe_ones.next(), unsafe_ones.next()) {
        (None, _) => alone.iter().any(|wins| wins[0] == Some(true)),
        (Some(only), None) => only[0] == Some(true),
        _ => false,
    };
    wins.then_some(true)
}

impl Search<'_> {
    /// Returns the result of a sum for `player`, who is to move, if bounds decide it.
    pub(super) fn bounded(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        // With at most two forms the comparison is exact, and it creates at most one new form.
        if sum.rest.is_empty() && sum.forms.len() <= 2 {
            return self.compared(sum, player).map(Some);
        }
        if let Some([least, most]) = self.stops(sum)? {
            // If the left stop is below 0, Right wins, no matter who moves first. The same holds
            // for Left.
            let winner = match (least.sign(), most.sign()) {
                (Ordering::Greater, _) => Some(Player::Left),
                (_, Ordering::Less) => Some(Player::Right),
                _ => None,
            };
            if let Some(winner) = winner {
                return Ok(Some(worth_of(winner == player)));
            }
        }
        if let Some([least, most]) = self.bounds(sum) {
            // If the value is at most 0, Left loses moving first. If it is at least 0, Right loses
            // moving first.
            let settled = match player {
                Player::Left if most.sign().is_le() => Some(Worth::Lose),
                Player::Right if least.sign().is_ge() => Some(Worth::Lose),
                _ => None,
            };
            if settled.is_some() {
                return Ok(settled);
            }
        }
        if let Some(worth) = self.by_components(sum, player)? {
            return Ok(Some(worth));
        }
        self.weighed(sum, player)
    }

    /// Returns the result of a sum for `player`, who is to move, if the results of its components
    /// decide it.
    fn by_components(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        if !self.valued || sum.rest.is_empty() {
            return Ok(None);
        }
        let mut alone: Vec<[Option<Worth>; 2]> = Vec::new();
        alone.extend(sum.rest.iter().map(|&id| self.facts[id].worths));
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let packed = forms.of_packed(&sum.packed);
        // The forms and the number are exact, so a comparison with 0 gives the result for either
        // player.
        for form in sum.forms.iter().copied().chain([packed]) {
            let loses = [
                forms.at_most(form, Form::ZERO, limits)?,
                forms.at_most(Form::ZERO, form, limits)?,
            ];
            alone.push(loses.map(|loses| Some(worth_of(!loses))));
        }
        let sides = [player, player.other()].map(|player| player as usize);
        let won = |worth: Worth| worth == Worth::Win;
        let alone: Vec<_> = (alone.iter())
            .map(|worths| sides.map(|side| worths[side].map(won)))
            .collect();
        Ok(together(&alone).map(worth_of))
    }

    /// Returns the result of a sum of at most two forms and a number. It compares one form with the
    /// negative of the rest.
    fn compared(&mut self, sum: &Sum, player: Player) -> Result<Worth, Stop> {
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let packed = forms.of_packed(&sum.packed);
        let (one, other) = match sum.forms[..] {
            [one, other] => (one, forms.plus(other, packed, limits)?),
            [one] => (one, packed),
            _ => (packed, Form::ZERO),
        };
        let against = forms.negative(other);
        // Left, moving first, wins unless the sum is at most 0.
        let loses = match player {
            Player::Left => forms.at_most(one, against, limits)?,
            Player::Right => forms.at_most(against, one, limits)?,
        };
        Ok(worth_of(!loses))
    }

    /// Returns a lower bound of the right stop of a sum, and an upper bound of its left stop.
    ///
    /// For each t >= 0, the left stop is at most the sum of the left walls at t, plus t. The right
    /// stop is at least the sum of the right walls at t, minus t. (The proof is in docs/theory.md:
    /// a player can answer each move in the same component while that component is hot.)
    fn stops(&mut self, sum: &Sum) -> Result<Option<[Dyadic; 2]>, Stop> {
        // A component without a form lies between two integers, so its stops do too.
        let (mut least, mut most) = (sum.packed.number.clone(), sum.packed.number.clone());
        if !sum.rest.is_empty() {
            let Some([below, above]) = self.bounds_of_rest(sum) else {
                return Ok(None);
            };
            least = &least + &Dyadic::integer(below);
            most = &most + &Dyadic::integer(above);
        }
        let mut graphs: Vec<Arc<Thermograph>> = Vec::with_capacity(sum.forms.len());
        for &form in &sum.forms {
            // For t >= 0 both walls of an all-small form are at 0, so the form changes no bound.
            let forms = &mut self.engine.short.theory.forms;
            if !forms.is_all_small(form) {
                graphs.push(forms.thermograph(form, self.limits)?);
            }
        }
        if graphs.len() > FEW {
            self.limits.poll()?;
        }
        // Every t gives a bound, so take the best one. The sum of the walls is piecewise linear,
        // hence the best bound is at one of its corners.
        let bound = |player: Player| {
            let walls = graphs.iter().map(|graph| graph.wall(player));
            let points = Wall::sum_from_zero(walls).into_iter();
            let taxed = points.map(|(t, value)| match player {
                Player::Left => &value + &t,
                Player::Right => &value - &t,
            });
            let best = match player {
                Player::Left => taxed.min(),
                Player::Right => taxed.max(),
            };
            best.unwrap_or(Dyadic::ZERO)
        };
        Ok(Some([
            &least + &bound(Player::Right),
            &most + &bound(Player::Left),
        ]))
    }

    /// Returns integer bounds of the sum of all components without a form, if all of them have
    /// bounds.
    fn bounds_of_rest(&self, sum: &Sum) -> Option<[i64; 2]> {
        sum.rest.iter().try_fold([0i64; 2], |[least, most], &id| {
            let [below, above] = self.facts[id].bounds?;
            Some([least.checked_add(below)?, most.checked_add(above)?])
        })
    }

    /// Returns a lower and an upper bound of the value of a sum. Returns `None` if the sum contains
    /// forms, or if a component has no bounds.
    pub(crate) fn bounds(&self, sum: &Sum) -> Option<[Dyadic; 2]> {
        if !sum.forms.is_empty() || sum.rest.is_empty() || !sum.packed.is_number() {
            return None;
        }
        let [least, most] = self.bounds_of_rest(sum)?;
        let number = &sum.packed.number;
        Some([
            number + &Dyadic::integer(least),
            number + &Dyadic::integer(most),
        ])
    }

    /// Returns the result of an all-small sum for `player`, who is to move, if its atomic weight
    /// decides it.
    ///
    /// A player wins if the atomic weight is at least 2 in the player's favour. A weight of at
    /// least 1 suffices for the player who moves first. (This is the two-ahead rule of Winning
    /// Ways, chapter 8.)
    fn weighed(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        let forms = &mut self.engine.short.theory.forms;
        let small = sum.rest.is_empty() && sum.packed.number == Dyadic::ZERO;
        if !small || !sum.forms.iter().all(|&form| forms.is_all_small(form)) {
            return Ok(None);
        }
        let limits = self.limits;
        let mut weights = vec![forms.of_integer(sum.packed.ups)];
        for &form in &sum.forms {
            // `packed.star` is left out, since a nimber has atomic weight 0.
            weights.extend(forms.atomic_weight(form, limits)?);
        }
        let weight = forms.total(&weights, limits)?;
        let [one, two] = [1, 2].map(|n| forms.of_integer(n));
        for side in Player::BOTH {
            let ahead = match side {
                Player::Left => weight,
                Player::Right => forms.negative(weight),
            };
            if forms.at_most(two, ahead, limits)?
                || side == player && forms.at_most(one, ahead, limits)?
            {
                return Ok(Some(worth_of(side == player)));
            }
        }
        Ok(None)
    }
}
