//! Bounds that decide a sum before any move is tried.

use std::cmp::Ordering;
use std::sync::Arc;

use grundy_forms::{Form, Thermograph, Wall};

use super::Search;
use crate::answers::sums::Sum;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;

/// Largest number of thermographs that are added without polling the limits first.
const POLL_ABOVE: usize = 16;

fn result_of(wins: bool) -> PayoffResult {
    if wins {
        PayoffResult::Win
    } else {
        PayoffResult::Lose
    }
}

/// Returns whether the player to move wins a sum. Returns `None` if the results of the single
/// components do not decide the result of the sum.
///
/// `alone` has two entries for each component. The first tells whether the player to move wins this
/// component moving first, and the second whether the opponent wins it moving first. An unknown
/// result is `None`.
///
/// A player who loses every component moving first loses the sum. A player who wins one component
/// moving first, and wins all others moving second, wins the sum.
pub(super) fn sum_result(alone: &[[Option<bool>; 2]]) -> Option<bool> {
    if alone.iter().all(|wins| wins[0] == Some(false)) {
        return Some(false);
    }
    // A component is unsafe if the opponent may win it moving first. The player has to move in an
    // unsafe component. If there are two of them, the results of the components decide nothing.
    let mut unsafe_components = alone.iter().filter(|wins| wins[1] != Some(false));
    let wins = match (unsafe_components.next(), unsafe_components.next()) {
        (None, _) => alone.iter().any(|wins| wins[0] == Some(true)),
        (Some(only), None) => only[0] == Some(true),
        _ => false,
    };
    wins.then_some(true)
}

impl Search<'_> {
    /// Returns the result of a sum for `player`, who is to move, if bounds decide it.
    pub(super) fn result_by_bounds(
        &mut self,
        sum: &Sum,
        player: Player,
    ) -> Result<Option<PayoffResult>, Stop> {
        // A sum of at most two forms can be compared with 0 exactly, and this creates at most one
        // new form.
        if sum.components.is_empty() && sum.forms.len() <= 2 {
            return self.result_by_comparison(sum, player).map(Some);
        }
        if let Some([least, most]) = self.stops(sum)? {
            // If the right stop is above 0, Left wins, no matter who moves first. If the left stop
            // is below 0, Right wins.
            let winner = match (least.sign(), most.sign()) {
                (Ordering::Greater, _) => Some(Player::Left),
                (_, Ordering::Less) => Some(Player::Right),
                _ => None,
            };
            if let Some(winner) = winner {
                return Ok(Some(result_of(winner == player)));
            }
        }
        if let Some([least, most]) = self.bounds(sum) {
            // If the value is at most 0, Left loses moving first. If it is at least 0, Right loses
            // moving first.
            let result = match player {
                Player::Left if most.sign().is_le() => Some(PayoffResult::Lose),
                Player::Right if least.sign().is_ge() => Some(PayoffResult::Lose),
                _ => None,
            };
            if result.is_some() {
                return Ok(result);
            }
        }
        if let Some(result) = self.result_by_components(sum, player)? {
            return Ok(Some(result));
        }
        self.result_by_atomic_weight(sum, player)
    }

    /// Returns the result of a sum for `player`, who is to move, if the results of its components
    /// decide it.
    fn result_by_components(
        &mut self,
        sum: &Sum,
        player: Player,
    ) -> Result<Option<PayoffResult>, Stop> {
        if !self.uses_forms || sum.components.is_empty() {
            return Ok(None);
        }
        let mut alone: Vec<[Option<PayoffResult>; 2]> = Vec::new();
        alone.extend(sum.components.iter().map(|&id| self.facts[id].results));
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let packed = forms.of_packed(&sum.packed);
        // The results of a form with either player moving first follow from comparisons with 0.
        for form in sum.forms.iter().copied().chain([packed]) {
            let loses = [
                forms.at_most(form, Form::ZERO, limits)?,
                forms.at_most(Form::ZERO, form, limits)?,
            ];
            alone.push(loses.map(|loses| Some(result_of(!loses))));
        }
        let sides = [player, player.other()].map(|player| player as usize);
        let won = |result: PayoffResult| result == PayoffResult::Win;
        let alone: Vec<_> = (alone.iter())
            .map(|results| sides.map(|side| results[side].map(won)))
            .collect();
        Ok(sum_result(&alone).map(result_of))
    }

    /// Returns the result of a sum of at most two forms and a number with ups and a nimber.
    /// Compares one form with the negative of the other terms.
    fn result_by_comparison(&mut self, sum: &Sum, player: Player) -> Result<PayoffResult, Stop> {
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let packed = forms.of_packed(&sum.packed);
        let (one, other) = match sum.forms[..] {
            [one, other] => (one, forms.plus(other, packed, limits)?),
            [one] => (one, packed),
            _ => (packed, Form::ZERO),
        };
        let negative = forms.negative(other);
        // Left, moving first, wins unless the sum is at most 0.
        let loses = match player {
            Player::Left => forms.at_most(one, negative, limits)?,
            Player::Right => forms.at_most(negative, one, limits)?,
        };
        Ok(result_of(!loses))
    }

    /// Returns a lower bound of the right stop of a sum, and an upper bound of its left stop.
    /// Returns `None` if a component has neither a form nor bounds.
    ///
    /// Let t >= 0, and add up the walls of the thermographs of all terms at t. The left stop is at
    /// most the sum of the left walls plus t. The right stop is at least the sum of the right walls
    /// minus t. (The proof is in docs/theory.md: a player can answer each move in the same
    /// component while that component is hot.)
    fn stops(&mut self, sum: &Sum) -> Result<Option<[Dyadic; 2]>, Stop> {
        // A component without a form has two integers as bounds, which also bound its stops.
        let (mut least, mut most) = (sum.packed.number.clone(), sum.packed.number.clone());
        if !sum.components.is_empty() {
            let Some([below, above]) = self.component_bounds(sum) else {
                return Ok(None);
            };
            least = &least + &Dyadic::integer(below);
            most = &most + &Dyadic::integer(above);
        }
        let mut graphs: Vec<Arc<Thermograph>> = Vec::with_capacity(sum.forms.len());
        for &form in &sum.forms {
            // For t >= 0 both walls of an all-small form are 0, so the form changes no bound.
            let forms = &mut self.engine.short.theory.forms;
            if !forms.is_all_small(form) {
                graphs.push(forms.thermograph(form, self.limits)?);
            }
        }
        if graphs.len() > POLL_ABOVE {
            self.limits.poll()?;
        }
        // Every t gives a bound, so take the best one. The sum of the walls is piecewise linear in
        // t, so one of its corners gives the best bound.
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
    fn component_bounds(&self, sum: &Sum) -> Option<[i64; 2]> {
        sum.components
            .iter()
            .try_fold([0i64; 2], |[least, most], &id| {
                let [below, above] = self.facts[id].bounds?;
                Some([least.checked_add(below)?, most.checked_add(above)?])
            })
    }

    /// Returns a lower and an upper bound of the value of a sum that consists of a number and of
    /// components without forms. Returns `None` for a sum with other terms, for a sum without
    /// components, or if a component has no bounds.
    pub(crate) fn bounds(&self, sum: &Sum) -> Option<[Dyadic; 2]> {
        if !sum.forms.is_empty() || sum.components.is_empty() || !sum.packed.is_number() {
            return None;
        }
        let [least, most] = self.component_bounds(sum)?;
        let number = &sum.packed.number;
        Some([
            number + &Dyadic::integer(least),
            number + &Dyadic::integer(most),
        ])
    }

    /// Returns the result of an all-small sum for `player`, who is to move, if its atomic weight
    /// decides it.
    ///
    /// Left wins if the atomic weight is at least 2. If Left moves first, a weight of at least 1
    /// suffices. The rule for Right is the same with the negative of the weight. (This is the
    /// two-ahead rule of Winning Ways, chapter 8.)
    fn result_by_atomic_weight(
        &mut self,
        sum: &Sum,
        player: Player,
    ) -> Result<Option<PayoffResult>, Stop> {
        let forms = &mut self.engine.short.theory.forms;
        let only_forms = sum.components.is_empty() && sum.packed.number == Dyadic::ZERO;
        if !only_forms || !sum.forms.iter().all(|&form| forms.is_all_small(form)) {
            return Ok(None);
        }
        let limits = self.limits;
        let mut weights = vec![forms.of_integer(sum.packed.ups)];
        for &form in &sum.forms {
            // The nimber `packed.star` is left out, since its atomic weight is 0.
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
                return Ok(Some(result_of(side == player)));
            }
        }
        Ok(None)
    }
}
