//! Differences and partitions of misère canonical forms.
//!
//! H is a *part* of G if G = H + X for some game `X`. This game is unique and is called the
//! *difference* G - H (J. H. Conway, On Numbers and Games, chapter 12: misère sums can be
//! cancelled). 0 and * are parts of every game, since * + * = 0. The game 0 has no other parts. A
//! *partition* of G writes it as a sum of two games. A game other than 0 and * is *prime* if each
//! of its partitions contains 0 or *. Every game has finitely many parts (A. N. Siegel, On the
//! structure of misère impartial games, 2020).
//!
//! # Computing a difference
//!
//! Let G, H and X be in canonical form, with H + X = G and G not 0. As with all canonical forms,
//! each option of H + X is an option of G, or has G as an option. Each option of G is an option of
//! H + X. So for an option G' of G there are two cases. Either G' = H' + X for some option H' of H,
//! and then X = G' - H'. Or G' = H + X' for some option X' of X. Suppose that the first case holds
//! for no G'. Three facts follow:
//!
//! - (a) X has all options G' - H.
//! - (b) No H' + X is an option of G, so each has G as an option. That option is some H' + X',
//!   because H'' + X = G would imply H'' = H.
//! - (c) If H + X' is not an option of G for an option X', then H' + X' = G for some H'. The reason
//!   is the same as for (b).
//!
//! Let W be the game with all options G' - H and G - H' that exist. By (a) and (c), `W` has all
//! options of `X`. The options of `H + W` are of three kinds: the options of G, sums `H + (G -
//! H')`, and sums `H' + W`. The second kind has the option H' + (G - H') = G. The third kind has G
//! as an option by (b). So `H + W = G`, and W = X by cancellation. In short, if X exists, it is one
//! of the games G' - H' or it is W.

use grundy_base::{Limits, Stop};
use rustc_hash::FxHashMap;

use crate::arena::Forms;
use crate::form::Form;

/// Largest birthday of the games whose differences and partitions are computed. It bounds the depth
/// of the recursion, which descends from a game to its options.
const MAX_BIRTHDAY: u32 = 64;

/// The computation of differences and partitions, with their caches.
struct DifferenceSearch<'a, 'l> {
    forms: &'a mut Forms,
    limits: &'a Limits<'l>,
    /// The known differences of pairs of even games, which are games stored without *. `None` means
    /// that the difference does not exist.
    differences: FxHashMap<(Form, Form), Option<Form>>,
    /// For each even game in the cache, its partitions into two games other than 0 and *. The
    /// second game of a partition is the difference of the even game and the first game.
    partitions: FxHashMap<Form, Vec<[Form; 2]>>,
}

impl Forms {
    /// Returns the game X such that H + X = G, or `None` if there is no such game.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let four = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.minus(four, two, &limits)?, Some(two));
    /// assert_eq!(forms.minus(two, four, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// A few sums are computed for each pair of a position of G and a position of H.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::NoValue`] if one of the games is born after day 64.
    pub fn minus(&mut self, g: Form, h: Form, limits: &Limits<'_>) -> Result<Option<Form>, Stop> {
        DifferenceSearch::new(self, limits, &[g, h])?.minus(g, h)
    }

    /// Returns the partitions of a game into two games, neither of which is 0 or *.
    ///
    /// The partitions G = H + X and G = (H + *) + (X + *) count as one. A game other than 0 and *
    /// is prime if it has no such partition.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.partitions(twice, &limits)?, [[two, two]]);
    /// assert!(forms.partitions(two, &limits)?.is_empty());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One option of the game is chosen, and its partitions are computed in the same way. Then one
    /// difference is computed for each part of this option. A part is a game H such that the option
    /// is H + X for some X.
    ///
    /// # Errors
    /// The errors of [`Forms::minus`].
    pub fn partitions(&mut self, form: Form, limits: &Limits<'_>) -> Result<Vec<[Form; 2]>, Stop> {
        let mut parts = DifferenceSearch::new(self, limits, &[form])?;
        let star = form.star() == 1;
        let found = parts.partitions(form.even_part())?;
        let with = |x: Form| if star { x.plus_star() } else { x };
        Ok(found.into_iter().map(|[h, x]| [h, with(x)]).collect())
    }
}

impl<'a, 'l> DifferenceSearch<'a, 'l> {
    fn new(forms: &'a mut Forms, limits: &'a Limits<'l>, all: &[Form]) -> Result<Self, Stop> {
        if all.iter().any(|&form| forms.birthday(form) > MAX_BIRTHDAY) {
            return Err(Stop::NoValue);
        }
        Ok(Self {
            forms,
            limits,
            differences: FxHashMap::default(),
            partitions: FxHashMap::default(),
        })
    }

    /// Returns the difference G - H, or `None` if it does not exist.
    fn minus(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        // Since * + * = 0, the stars of both games are combined by xor.
        let odd = g.star() != h.star();
        let difference = self.even_minus(g.even_part(), h.even_part())?;
        Ok(difference.map(|x| if odd { x.plus_star() } else { x }))
    }

    /// Returns the difference of two even games, which are forms without *. It is taken from the
    /// cache if possible.
    fn even_minus(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        if h == Form::ZERO {
            return Ok(Some(g));
        }
        if g == h {
            return Ok(Some(Form::ZERO));
        }
        // The game 0 has no parts except 0 and *. This ends the recursion.
        if g == Form::ZERO {
            return Ok(None);
        }
        if let Some(&known) = self.differences.get(&(g, h)) {
            return Ok(known);
        }
        self.limits.check(self.differences.len() as u64, 32)?;
        let difference = self.compute_difference(g, h)?;
        self.differences.insert((g, h), difference);
        Ok(difference)
    }

    /// Returns the difference of two even games, neither of which is 0. The cache is not used.
    fn compute_difference(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        let less: Vec<Form> = self.forms.options(g).collect();
        let taken: Vec<Form> = self.forms.options(h).collect();
        // The first candidates are all G' - H'. If H plus a candidate is G, the candidate is the
        // difference, since differences are unique.
        for &less in &less {
            self.limits.poll()?;
            for &taken in &taken {
                if let Some(x) = self.minus(less, taken)?
                    && self.is_sum(g, h, x)?
                {
                    return Ok(Some(x));
                }
            }
        }
        // The last candidate is the game W in the documentation of this module.
        let mut options = Vec::new();
        for &less in &less {
            options.extend(self.minus(less, h)?);
        }
        for &taken in &taken {
            options.extend(self.minus(g, taken)?);
        }
        let x = self.forms.of_options(&options, self.limits)?;
        Ok(self.is_sum(g, h, x)?.then_some(x))
    }

    /// Returns whether G = H + X.
    fn is_sum(&mut self, g: Form, h: Form, x: Form) -> Result<bool, Stop> {
        // Games that are equal in misère play have equal nim-values in normal play. Nim-values are
        // much faster to compute than sums.
        let normal = self.forms.grundy(g) == self.forms.grundy(h) ^ self.forms.grundy(x);
        Ok(normal && self.forms.plus(h, x, self.limits)? == g)
    }

    /// Returns the partitions of an even game G into two games other than 0 and *. Let G' be any
    /// option of G. If H + X = G, then G' is H' + X or H + X', so X or H is a part of G'. Hence one
    /// game of each partition of G is G' or occurs in a partition of G'.
    fn partitions(&mut self, g: Form) -> Result<Vec<[Form; 2]>, Stop> {
        if let Some(known) = self.partitions.get(&g) {
            return Ok(known.clone());
        }
        let options: Vec<Form> = self.forms.options(g).map(Form::even_part).collect();
        let mut found: Vec<[Form; 2]> = Vec::new();
        // Any option may be used. An option with an early birthday has few parts. If it is 0 or *,
        // there are no candidates.
        let least = options
            .into_iter()
            .min_by_key(|&option| self.forms.birthday(option));
        if let Some(option) = least.filter(|&option| option != Form::ZERO) {
            let mut parts = vec![option];
            for pair in self.partitions(option)? {
                parts.extend(pair.map(Form::even_part));
            }
            parts.sort_unstable();
            parts.dedup();
            for h in parts {
                // A partition is found from each of its two games. The second time it is skipped.
                if let Some(x) = self.minus(g, h)?
                    && x.even_part() != Form::ZERO
                    && !found.iter().flatten().any(|known| known.even_part() == h)
                {
                    found.push([h, x]);
                }
            }
        }
        self.partitions.insert(g, found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all games born by day 4, and a second list that contains these games and all sums of
    /// two of them.
    fn small(forms: &mut Forms, limits: &Limits<'_>) -> (Vec<Form>, Vec<Form>) {
        let born = forms.born_by(4, limits).unwrap();
        assert_eq!(born.len(), 22);
        let mut sums = born.clone();
        for (i, &a) in born.iter().enumerate() {
            for &b in &born[i..] {
                sums.push(forms.plus(a, b, limits).unwrap());
            }
        }
        sums.sort_unstable();
        sums.dedup();
        (born, sums)
    }

    #[test]
    fn differences_are_found_exactly_where_they_exist() {
        let (mut forms, limits) = (Forms::default(), Limits::default());
        let (born, sums) = small(&mut forms, &limits);
        for &h in &born {
            for &x in &born {
                let g = forms.plus(h, x, &limits).unwrap();
                assert_eq!(forms.minus(g, h, &limits).unwrap(), Some(x), "{h:?} {x:?}");
            }
        }
        let mut without = 0;
        for &g in &sums {
            for &h in &born {
                let difference = forms.minus(g, h, &limits).unwrap();
                if let Some(x) = difference {
                    assert_eq!(forms.plus(h, x, &limits).unwrap(), g);
                    continue;
                }
                without += 1;
                for &x in &born {
                    assert_ne!(forms.plus(h, x, &limits).unwrap(), g, "{g:?} {h:?}");
                }
            }
        }
        assert!(without > 1_000, "{without}");
    }

    #[test]
    fn partitions_are_all_pairs_with_the_given_sum() {
        let (mut forms, limits) = (Forms::default(), Limits::default());
        let (born, sums) = small(&mut forms, &limits);
        let even: Vec<Form> = born.iter().copied().filter(|form| form.is_even()).collect();
        let (mut prime, mut several) = (0, 0);
        for &g in &sums {
            let found = forms.partitions(g, &limits).unwrap();
            for &[h, x] in &found {
                assert_eq!(forms.plus(h, x, &limits).unwrap(), g);
                assert!(h.is_even() && h != Form::ZERO && x.even_part() != Form::ZERO);
            }
            // All games born by day 4 are tested by the definition.
            for &h in even.iter().filter(|&&h| h != Form::ZERO) {
                for &x in born.iter().filter(|&&x| x.even_part() != Form::ZERO) {
                    if forms.plus(h, x, &limits).unwrap() == g {
                        let listed = |pair: &&[Form; 2]| pair.map(Form::even_part).contains(&h);
                        assert_eq!(found.iter().filter(listed).count(), 1, "{g:?} {h:?}");
                    }
                }
            }
            prime += usize::from(found.is_empty() && g.even_part() != Form::ZERO);
            several += usize::from(found.len() > 1);
        }
        assert!(prime > 15 && several > 10, "{prime} {several}");
    }

    #[test]
    fn nim_heaps_are_prime_up_to_a_star() {
        let (mut forms, limits) = (Forms::default(), Limits::default());
        for n in 2..20 {
            let heap = forms.nimber(n, &limits).unwrap();
            assert_eq!(forms.partitions(heap, &limits), Ok(Vec::new()), "*{n}");
        }
        // This game has two partitions: *2 + (*2 + *4) and *4 + (*2 + *2).
        let [two, four] = [2, 4].map(|n| forms.nimber(n, &limits).unwrap());
        let sum = forms.sum(&[two, two, four], &limits).unwrap();
        assert_eq!(forms.partitions(sum, &limits).unwrap().len(), 2);
        let late = forms.nimber(MAX_BIRTHDAY + 1, &limits).unwrap();
        assert_eq!(forms.minus(late, two, &limits), Err(Stop::NoValue));
    }
}
