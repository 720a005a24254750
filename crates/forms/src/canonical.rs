//! The canonical form of a game from those of its options: bypass what is reversible, leave out
//! what is dominated.
//!
//! J. H. Conway, On Numbers and Games, 1976, theorems 68 and 69; A. N. Siegel, Combinatorial Game
//! Theory, 2013, section II.2.

use std::ops::Range;

use grundy_base::{Dyadic, Limits, Player, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// A game by its options, on the way to its canonical form. All tests see its value alone, so that
/// they stay true while options are exchanged for others that leave the value as it is.
struct Raw<'a> {
    left: &'a [Form],
    right: &'a [Form],
    stops: [Dyadic; 2],
    /// No position of it is this nimber, nor a greater one.
    far: u64,
    /// What is known about form <= game, by (form, `Left`), and game <= form, by (form, `Right`).
    known: FxHashMap<(Form, Player), bool>,
}

/// A question on the way: `form <= game` for the side Left, `game <= form` for Right; and what has
/// to be false for that.
struct OpenComparison {
    form: Form,
    side: Player,
    options: Range<u32>,
}

impl Forms {
    /// Returns the canonical form of {left | right}.
    ///
    /// # Complexity
    /// Comparisons of each option with each, and of the options of options with the game.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn canonical(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.step(limits)?;
        let left = self.undominated(left, Player::Left, limits)?;
        let right = self.undominated(right, Player::Right, limits)?;
        if let Some(number) = self.simplest(&left, &right, limits)? {
            return Ok(self.of_number(number));
        }
        let all = || left.iter().chain(&right);
        let stop = |stop: Option<&Dyadic>| stop.cloned().unwrap_or(Dyadic::ZERO);
        let mut raw = Raw {
            left: &left,
            right: &right,
            stops: [
                stop(left.iter().map(|&g| self.right_stop(g)).max()),
                stop(right.iter().map(|&g| self.left_stop(g)).min()),
            ],
            far: all()
                .map(|&g| self.far(g))
                .max()
                .unwrap_or(0)
                .saturating_add(1),
            known: FxHashMap::default(),
        };
        let lefts = self.irreversible(&mut raw, Player::Left, limits)?;
        let rights = self.irreversible(&mut raw, Player::Right, limits)?;
        let left = self.still_undominated(left, lefts, Player::Left, limits)?;
        let right = self.still_undominated(right, rights, Player::Right, limits)?;
        Ok(match self.unbraced(&left, &right) {
            Some(packed) => self.of_packed(&packed),
            None => self.of_braces(&left, &right),
        })
    }

    /// Removes the dominated options from `options`, which has replaced `before`. No option of
    /// `before` is dominated, so nothing is compared if both have the same options.
    fn still_undominated(
        &mut self,
        before: Vec<Form>,
        mut options: Vec<Form>,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        options.sort_unstable();
        if options == before {
            return Ok(before);
        }
        self.undominated(&options, player, limits)
    }

    /// Returns the options that no other one is as good as, in order, each once.
    pub(crate) fn undominated(
        &mut self,
        options: &[Form],
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        if let &[only] = options {
            return Ok(vec![only]);
        }
        let mut kept: Vec<Form> = Vec::with_capacity(options.len());
        let mut options = options.to_vec();
        options.sort_unstable();
        options.dedup();
        for option in options {
            let mut dominated = false;
            let mut index = 0;
            while index < kept.len() {
                self.step(limits)?;
                let other = kept[index];
                let [worse, better] = player.of([[option, other], [other, option]]);
                // For Left an option is dominated by what is at least as great.
                if self.at_most(worse, better, limits)? {
                    dominated = true;
                    break;
                }
                if self.at_most(better, worse, limits)? {
                    kept.swap_remove(index);
                } else {
                    index += 1;
                }
            }
            if !dominated {
                kept.push(option);
            }
        }
        kept.sort_unstable();
        Ok(kept)
    }

    /// Returns the number that {left | right} is: the simplest x with no left option at least x and
    /// no right option at most x.
    fn simplest(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Dyadic>, Stop> {
        let most = left.iter().map(|&g| self.right_stop(g)).max().cloned();
        let least = right.iter().map(|&g| self.left_stop(g)).min().cloned();
        let ends = [(most, left, Player::Left), (least, right, Player::Right)];
        if let [(Some(most), ..), (Some(least), ..)] = &ends
            && most > least
        {
            return Ok(None);
        }
        // An end belongs to what is possible where no option is as good as it is.
        let mut found: [Option<(Dyadic, bool)>; 2] = [None, None];
        for (slot, (end, options, player)) in found.iter_mut().zip(ends) {
            let Some(end) = end else { continue };
            let number = self.of_number(end.clone());
            let mut closed = true;
            for &option in options {
                let [low, high] = player.of([[number, option], [option, number]]);
                closed = closed && !self.at_most(low, high, limits)?;
            }
            *slot = Some((end, closed));
        }
        let [most, least] = found.each_ref().map(|end| {
            let end = end.as_ref();
            end.map(|(end, closed)| (end, *closed))
        });
        Ok(Dyadic::simplest_within(most, least))
    }

    /// Returns the options of a player in `raw`, each reversible one replaced by what the answer to
    /// it leads to, until none is left.
    fn irreversible(
        &mut self,
        raw: &mut Raw<'_>,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        // Each of these once.
        let first = player.of([raw.left, raw.right]);
        let mut waiting = first.to_vec();
        // All that ever waited, as soon as an option was reversible.
        let mut seen: FxHashSet<Form> = FxHashSet::default();
        let mut kept = Vec::with_capacity(waiting.len());
        'options: while let Some(option) = waiting.pop() {
            for place in self.options(option, player.other(), raw.far, limits)? {
                self.step(limits)?;
                let answer = self.pooled(place);
                // Right's answer to an option of Left reverses it when the game is at least as
                // great already.
                if self.beside(raw, answer, player, limits)? {
                    if seen.is_empty() {
                        seen.extend(first);
                    }
                    let through = self.options(answer, player, raw.far, limits)?;
                    let through = self.listed(through).iter().copied();
                    waiting.extend(through.filter(|&option| seen.insert(option)));
                    continue 'options;
                }
            }
            kept.push(option);
        }
        Ok(kept)
    }

    /// Returns whether form <= raw, for the side Left, or raw <= form, for Right.
    fn beside(
        &mut self,
        raw: &mut Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        if let Some(known) = self.known_beside(raw, form, side, limits)? {
            return Ok(known);
        }
        let mut way = vec![self.ask_beside(raw, form, side, limits)?];
        let mut answer = None;
        loop {
            let Some(last) = way.last_mut() else {
                return Ok(answer.unwrap_or(true));
            };
            let (form, side) = (last.form, last.side);
            let settled = if answer.take() == Some(true) {
                false
            } else if let Some(place) = last.options.next() {
                self.step(limits)?;
                let option = self.pooled(place);
                match self.known_beside(raw, option, side.other(), limits)? {
                    Some(true) => false,
                    Some(false) => continue,
                    None => {
                        let next = self.ask_beside(raw, option, side.other(), limits)?;
                        way.push(next);
                        continue;
                    }
                }
            } else {
                true
            };
            way.pop();
            raw.known.insert((form, side), settled);
            answer = Some(settled);
        }
    }

    /// What the options of `raw` and the stops say about it.
    fn known_beside(
        &mut self,
        raw: &mut Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<Option<bool>, Stop> {
        let [left_stop, right_stop] = &raw.stops;
        let (left, right) = (self.left_stop(form), self.right_stop(form));
        let (sure, never) = match side {
            Player::Left => (left < right_stop, left > left_stop || right > right_stop),
            Player::Right => (left_stop < right, left_stop > left || right_stop > right),
        };
        if sure || never {
            return Ok(Some(sure));
        }
        if let Some(&known) = raw.known.get(&(form, side)) {
            return Ok(Some(known));
        }
        // An option of the game that is good enough for the other side settles it.
        for &option in side.other().of([raw.left, raw.right]) {
            self.step(limits)?;
            let [low, high] = side.of([[option, form], [form, option]]);
            if self.at_most(low, high, limits)? {
                raw.known.insert((form, side), false);
                return Ok(Some(false));
            }
        }
        Ok(None)
    }

    /// What is left to be seen: the options of the form that must not be good enough. The game is
    /// no number, so where the form is one there are none that count.
    fn ask_beside(
        &mut self,
        raw: &Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<OpenComparison, Stop> {
        let options = match self.number(form) {
            Some(_) => 0..0,
            None => self.options(form, side, raw.far, limits)?,
        };
        Ok(OpenComparison {
            form,
            side,
            options,
        })
    }

    /// Number, ups and nimber, where these options are those of such a form.
    pub(crate) fn unbraced(&self, left: &[Form], right: &[Form]) -> Option<Packed> {
        let packed = |&form: &Form| self.packed(form);
        let lefts: Vec<&Packed> = left.iter().map(packed).collect::<Option<_>>()?;
        let rights: Vec<&Packed> = right.iter().map(packed).collect::<Option<_>>()?;
        let number = &lefts.first()?.number;
        let mut all = lefts.iter().chain(&rights);
        if !all.all(|packed| packed.number == *number) {
            return None;
        }
        let made = |ups, star| {
            Some(Packed {
                number: number.clone(),
                ups,
                star,
            })
        };
        let is_nimbers = |side: &[&Packed]| {
            // Different ones of which none is as great as their count are all of these.
            side.iter()
                .all(|packed| packed.ups == 0 && packed.star < side.len() as u64)
        };
        if left == right && is_nimbers(&lefts) {
            return made(0, left.len() as u64);
        }
        let is_alone = |side: &[&Packed]| side.len() == 1 && side[0].is_number();
        for (sharp, other, sign) in [(&lefts, &rights, 1), (&rights, &lefts, -1)] {
            if sharp.len() == 2 && is_nimbers(sharp) && is_alone(other) {
                return made(sign, 1);
            }
            if is_alone(sharp)
                && let [only] = other[..]
                && only.ups * sign >= 0
                && !(only.ups == 0 && only.star == 0)
            {
                return made(only.ups.checked_add(sign)?, only.star ^ 1);
            }
        }
        None
    }
}
