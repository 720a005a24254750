//! Canonical forms. They are computed by bypassing reversible options and removing dominated
//! options.
//!
//! J. H. Conway, On Numbers and Games, 1976, theorems 68 and 69; A. N. Siegel, Combinatorial Game
//! Theory, 2013, section II.2.

use std::ops::Range;

use grundy_base::{Dyadic, Limits, Player, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// A game, given by its options, whose canonical form is being computed. All comparisons with the
/// game depend only on its value. So they remain valid when options are replaced in a way that
/// keeps the value.
struct Raw<'a> {
    left: &'a [Form],
    right: &'a [Form],
    stops: [Dyadic; 2],
    /// A number n such that no position of the game is equal to *n or a greater nimber.
    far_star: u64,
    /// The known comparisons. The key (form, `Left`) is for form <= game, and (form, `Right`) for
    /// game <= form.
    cache: FxHashMap<(Form, Player), bool>,
}

/// A comparison that is being computed: `form <= game` if the side is Left, and `game <= form` if
/// it is Right. The options of the game have already been tested. The remaining options are those
/// of `form` for the player `side`. The comparison holds if none of them is at least the game
/// (Left) or at most the game (Right).
struct OpenComparison {
    form: Form,
    side: Player,
    options: Range<u32>,
}

impl Forms {
    /// Returns the canonical form of the game {left | right}.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, minus_one] = [forms.of_integer(2), forms.of_integer(-1)];
    /// // {-1 | 2} = 0
    /// assert_eq!(forms.canonical(&[minus_one], &[two], &limits)?, Form::ZERO);
    /// let star = forms.canonical(&[Form::ZERO], &[Form::ZERO], &limits)?;
    /// let sum = forms.canonical(&[Form::ZERO, star], &[Form::ZERO], &limits)?;
    /// assert_eq!(forms.write(sum), "^*");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each option is compared with the other options, and each option of an option is compared
    /// with the game.
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
        // Dominated options are removed first. This is valid for any game, and it shortens the
        // slower search for reversible options.
        let left = self.undominated(left, Player::Left, limits)?;
        let right = self.undominated(right, Player::Right, limits)?;
        // The simplicity theorem finds the game if it is a number. So below, the game is not a
        // number, and number avoidance applies.
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
            far_star: all()
                .map(|&g| self.far_star(g))
                .max()
                .unwrap_or(0)
                .saturating_add(1),
            cache: FxHashMap::default(),
        };
        // When a reversible option is bypassed, new options appear, which may be dominated or
        // dominate others. So dominated options are removed again.
        let lefts = self.irreversible(&mut raw, Player::Left, limits)?;
        let rights = self.irreversible(&mut raw, Player::Right, limits)?;
        let left = self.undominated_again(left, lefts, Player::Left, limits)?;
        let right = self.undominated_again(right, rights, Player::Right, limits)?;
        Ok(match self.as_packed(&left, &right) {
            Some(packed) => self.of_packed(&packed),
            None => self.of_braces(&left, &right),
        })
    }

    /// Removes the dominated options from `options`, the list after reversible options were
    /// bypassed. In `before`, the earlier list, no option is dominated. So if both lists are equal,
    /// nothing is compared.
    fn undominated_again(
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

    /// Returns the options of a player that no other option dominates, sorted and without
    /// duplicates.
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
        // The list `kept` is an antichain. A new option is compared with all of its members, and
        // may remove some of them.
        for option in options {
            let mut dominated = false;
            let mut index = 0;
            while index < kept.len() {
                self.step(limits)?;
                let other = kept[index];
                let [worse, better] = player.of([[option, other], [other, option]]);
                // An option of Left is dominated by a greater or equal option. An option of Right
                // is dominated by a smaller or equal one.
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

    /// Returns the number that is equal to {left | right}, or `None` if the game is not a number.
    /// The number is the simplest x such that no left option is at least x and no right option is
    /// at most x.
    fn simplest(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Dyadic>, Stop> {
        let most = left.iter().map(|&g| self.right_stop(g)).max().cloned();
        let least = right.iter().map(|&g| self.left_stop(g)).min().cloned();
        let ends = [(most, left, Player::Left), (least, right, Player::Right)];
        // The greatest right stop of a left option exceeds the least left stop of a right option.
        // So there is no number between the options.
        if let [(Some(most), ..), (Some(least), ..)] = &ends
            && most > least
        {
            return Ok(None);
        }
        // The numbers x that fit form an interval. It contains its lower end unless some left
        // option is at least this end. It contains its upper end unless some right option is at
        // most this end.
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

    /// Returns the options of a player after all reversible options have been bypassed. `raw` is
    /// the game.
    fn irreversible(
        &mut self,
        raw: &mut Raw<'_>,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        // The list of options to examine. Each option is added to it at most once.
        let first = player.of([raw.left, raw.right]);
        let mut unexamined = first.to_vec();
        // All options that were ever in the list. The set stays empty until a reversible option is
        // found, which is rare.
        let mut seen: FxHashSet<Form> = FxHashSet::default();
        let mut kept = Vec::with_capacity(unexamined.len());
        'options: while let Some(option) = unexamined.pop() {
            for index in self.options(option, player.other(), raw.far_star, limits)? {
                self.step(limits)?;
                let answer = self.pool_item(index);
                // A left option is reversible if Right has an answer to it that is at most the
                // game. It is then replaced by Left's options in that answer. The options in `raw`
                // are not changed, since the replacement does not change the value of the game.
                if self.compare_with_game(raw, answer, player, limits)? {
                    if seen.is_empty() {
                        seen.extend(first);
                    }
                    let through = self.options(answer, player, raw.far_star, limits)?;
                    let through = self.pool_slice(through).iter().copied();
                    unexamined.extend(through.filter(|&option| seen.insert(option)));
                    continue 'options;
                }
            }
            kept.push(option);
        }
        Ok(kept)
    }

    /// Returns whether form <= raw if `side` is Left, or whether raw <= form if it is Right.
    fn compare_with_game(
        &mut self,
        raw: &mut Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        if let Some(known) = self.decided_with_game(raw, form, side, limits)? {
            return Ok(known);
        }
        // The stack is explicit, since forms can be deeply nested. `answer` is the answer of the
        // comparison that was popped last.
        let mut stack = vec![self.open_game_comparison(raw, form, side, limits)?];
        let mut answer = None;
        loop {
            let Some(last) = stack.last_mut() else {
                return Ok(answer.unwrap_or(true));
            };
            let (form, side) = (last.form, last.side);
            let holds = if answer.take() == Some(true) {
                false
            } else if let Some(index) = last.options.next() {
                self.step(limits)?;
                let option = self.pool_item(index);
                match self.decided_with_game(raw, option, side.other(), limits)? {
                    Some(true) => false,
                    Some(false) => continue,
                    None => {
                        let next = self.open_game_comparison(raw, option, side.other(), limits)?;
                        stack.push(next);
                        continue;
                    }
                }
            } else {
                true
            };
            stack.pop();
            raw.cache.insert((form, side), holds);
            answer = Some(holds);
        }
    }

    /// Returns the answer of the comparison of `form` with the game `raw`, if the stops, the cache
    /// or the options of `raw` decide it. Otherwise returns `None`.
    fn decided_with_game(
        &mut self,
        raw: &mut Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<Option<bool>, Stop> {
        // The comparison form <= raw holds if LS(form) < RS(raw). It fails if LS(form) > LS(raw) or
        // RS(form) > RS(raw), because a greater game has greater stops.
        let [left_stop, right_stop] = &raw.stops;
        let (left, right) = (self.left_stop(form), self.right_stop(form));
        let (holds, fails) = match side {
            Player::Left => (left < right_stop, left > left_stop || right > right_stop),
            Player::Right => (left_stop < right, left_stop > left || right_stop > right),
        };
        if holds || fails {
            return Ok(Some(holds));
        }
        if let Some(&known) = raw.cache.get(&(form, side)) {
            return Ok(Some(known));
        }
        // For form <= raw, no right option of `raw` may be at most the form. The options are stored
        // forms, so the interner caches these comparisons.
        for &option in side.other().of([raw.left, raw.right]) {
            self.step(limits)?;
            let [low, high] = side.of([[option, form], [form, option]]);
            if self.at_most(low, high, limits)? {
                raw.cache.insert((form, side), false);
                return Ok(Some(false));
            }
        }
        Ok(None)
    }

    /// Starts a comparison of `form` with the game by listing the options of `form`. Only these
    /// options can still decide the comparison. If `form` is a number, the list is empty and the
    /// comparison holds. This follows from number avoidance, since the game is not a number.
    fn open_game_comparison(
        &mut self,
        raw: &Raw<'_>,
        form: Form,
        side: Player,
        limits: &Limits<'_>,
    ) -> Result<OpenComparison, Stop> {
        let options = match self.number(form) {
            Some(_) => 0..0,
            None => self.options(form, side, raw.far_star, limits)?,
        };
        Ok(OpenComparison {
            form,
            side,
            options,
        })
    }

    /// Returns the number, the multiple of up and the nimber of the form with these canonical
    /// options. Returns `None` if the form is not packed.
    pub(crate) fn as_packed(&self, left: &[Form], right: &[Form]) -> Option<Packed> {
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
            // Distinct nimbers that are less than their count n are exactly 0, *, ..., *(n-1).
            side.iter()
                .all(|packed| packed.ups == 0 && packed.star < side.len() as u64)
        };
        // x + *n = {x, x + *, ..., x + *(n-1) | the same options}.
        if left == right && is_nimbers(&lefts) {
            return made(0, left.len() as u64);
        }
        let is_alone = |side: &[&Packed]| side.len() == 1 && side[0].is_number();
        for (sharp, other, sign) in [(&lefts, &rights, 1), (&rights, &lefts, -1)] {
            // x + ↑* = {x, x + * | x}. The form with ↓ is its negative.
            if sharp.len() == 2 && is_nimbers(sharp) && is_alone(other) {
                return made(sign, 1);
            }
            // x + n·↑ + *m = {x | x + (n-1)·↑ + *(m xor 1)}. The form with ↓ is its negative. For n
            // = 1, the right option must be x plus a nimber other than 0.
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
