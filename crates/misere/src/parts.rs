//! Parts of games: what they can be sums of.
//!
//! H is a *part* of G if G = H + X for some X; then X, the *difference*, is the only one (J. H.
//! Conway, On Numbers and Games, chapter 12: what is added can be cancelled). 0 and * are parts of
//! everything, as * + * = 0; nothing else is a part of 0. A game that is not 0 or * and of whose
//! partitions each has one of these is *prime*. Every game has finitely many parts (A. N. Siegel,
//! On the structure of misère impartial games, 2020).
//!
//! How the difference is found, for G, H and X in canonical form and G not 0. Each option of H + X
//! is an option of G or has an option that is G, and each option of G is an option of H + X, as
//! this is how canonical forms arise. So an option G' of G is H' + X for some option H' of H, in
//! which case X is G' - H', or it is H + X'. Say that the former is not so for any G'. Then (a) X
//! has all options G' - H; (b) no H' + X is an option of G, so it has an option that is G, which is
//! some H' + X', as H'' + X = G would make H'' = H; (c) each option X' with H + X' not an option of
//! G has H' + X' = G for some H', for the same reason. Let W have the options G' - H and G - H',
//! all there are. By (a) and (c) X has no others. The options of H + W are those of G; some H + (G
//! - H'), which have the option H' + (G - H') = G; and some H' + W, which have by (b) an option
//! that is G. So H + W = G, and W = X. In short: X is one of the G' - H', or else it is W, if there
//! is one.

use grundy_base::{Limits, Stop};
use rustc_hash::FxHashMap;

use crate::arena::Forms;
use crate::form::Form;

/// Games that are born later are not looked at: the way goes down by options.
const LAST_DAY: u32 = 64;

/// Differences and parts that were found.
struct Parts<'a, 'l> {
    forms: &'a mut Forms,
    limits: &'a Limits<'l>,
    /// Of even games.
    differences: FxHashMap<(Form, Form), Option<Form>>,
    /// Partitions of even games into games of which neither is 0 or *, each with the difference.
    partitions: FxHashMap<Form, Vec<[Form; 2]>>,
}

impl Forms {
    /// Returns the game X with H + X = G, if there is one.
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
    /// A few sums for each pair of a position of G and one of H.
    ///
    /// # Errors
    /// The limit that was reached; [`Stop::NoValue`] where a game is born after day 64.
    pub fn minus(&mut self, g: Form, h: Form, limits: &Limits<'_>) -> Result<Option<Form>, Stop> {
        Parts::new(self, limits, &[g, h])?.minus(g, h)
    }

    /// Returns the ways to write a game as a sum of two games of which neither is 0 or *; those
    /// that differ by a * on both sides are one. A game is prime if there is none, and it is
    /// neither 0 nor * itself.
    ///
    /// # Complexity
    /// Differences of the game and the parts of one of its options.
    ///
    /// # Errors
    /// As [`Forms::minus`].
    pub fn partitions(&mut self, form: Form, limits: &Limits<'_>) -> Result<Vec<[Form; 2]>, Stop> {
        let mut parts = Parts::new(self, limits, &[form])?;
        let star = form.star() == 1;
        let found = parts.partitions(form.even_part())?;
        let with = |x: Form| if star { x.plus_star() } else { x };
        Ok(found.into_iter().map(|[h, x]| [h, with(x)]).collect())
    }
}

impl<'a, 'l> Parts<'a, 'l> {
    fn new(forms: &'a mut Forms, limits: &'a Limits<'l>, all: &[Form]) -> Result<Self, Stop> {
        if all.iter().any(|&form| forms.birthday(form) > LAST_DAY) {
            return Err(Stop::NoValue);
        }
        Ok(Self {
            forms,
            limits,
            differences: FxHashMap::default(),
            partitions: FxHashMap::default(),
        })
    }

    /// G - H.
    fn minus(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        let odd = g.star() != h.star();
        let difference = self.even_minus(g.even_part(), h.even_part())?;
        Ok(difference.map(|x| if odd { x.plus_star() } else { x }))
    }

    fn even_minus(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        if h == Form::ZERO {
            return Ok(Some(g));
        }
        if g == h {
            return Ok(Some(Form::ZERO));
        }
        if g == Form::ZERO {
            return Ok(None);
        }
        if let Some(&known) = self.differences.get(&(g, h)) {
            return Ok(known);
        }
        self.limits.check(self.differences.len() as u64, 32)?;
        let difference = self.look(g, h)?;
        self.differences.insert((g, h), difference);
        Ok(difference)
    }

    fn look(&mut self, g: Form, h: Form) -> Result<Option<Form>, Stop> {
        let less: Vec<Form> = self.forms.options(g).collect();
        let taken: Vec<Form> = self.forms.options(h).collect();
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
        // In normal play that would have to be so, too.
        let normal = self.forms.grundy(g) == self.forms.grundy(h) ^ self.forms.grundy(x);
        Ok(normal && self.forms.plus(h, x, self.limits)? == g)
    }

    /// Returns the partitions of an even game, by the parts of one of its options G': of H + X = G
    /// one is a part of it.
    fn partitions(&mut self, g: Form) -> Result<Vec<[Form; 2]>, Stop> {
        if let Some(known) = self.partitions.get(&g) {
            return Ok(known.clone());
        }
        let options: Vec<Form> = self.forms.options(g).map(Form::even_part).collect();
        let mut found: Vec<[Form; 2]> = Vec::new();
        // Any option will do: one that is born early has few parts. Of 0 and * there are no others.
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

    /// Returns all games by day 4, and their sums, two by two.
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
    fn differences_are_found_where_there_are_some_and_only_there() {
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
    fn partitions_are_all_pairs_that_add_up() {
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
            // By the definition, as far as games by day 4 go.
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
    fn heaps_are_prime_but_for_a_star() {
        let (mut forms, limits) = (Forms::default(), Limits::default());
        for n in 2..20 {
            let heap = forms.nimber(n, &limits).unwrap();
            assert_eq!(forms.partitions(heap, &limits), Ok(Vec::new()), "*{n}");
        }
        // *2 + (*2 + *4), and *4 + (*2 + *2).
        let [two, four] = [2, 4].map(|n| forms.nimber(n, &limits).unwrap());
        let sum = forms.sum(&[two, two, four], &limits).unwrap();
        assert_eq!(forms.partitions(sum, &limits).unwrap().len(), 2);
        let late = forms.nimber(LAST_DAY + 1, &limits).unwrap();
        assert_eq!(forms.minus(late, two, &limits), Err(Stop::NoValue));
    }
}
