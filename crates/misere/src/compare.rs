//! The search for a game that distinguishes two given games in misère play.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// A reduction of a pair of forms to smaller pairs. For each smaller pair (X, Y), a game T is
/// needed such that X + T is a P-position and Y + T is not.
struct LinkPairs {
    pairs: Vec<(Form, Form)>,
    /// `true` if the game U that is built from the games T has the property for the pair in reverse
    /// order. For the given pair (a, b), this means that b + U is a P-position and a + U is not.
    /// [`Forms::swap_witness`] then converts U into a game for (a, b).
    swapped: bool,
}

impl Forms {
    /// Returns a game T such that exactly one of a + T and b + T is a P-position in misère play.
    /// Returns `None` if the forms are equal.
    ///
    /// Small games are tried first: *n, all games born by day 4, and sums of heaps *2 and a heap
    /// *n. If two games have different genera, they are distinguished by some sum of heaps *2 and a
    /// heap *n. If no small game succeeds, T is constructed as in the proof that canonical forms
    /// are unique (J. H. Conway, On Numbers and Games, theorems 75 and 76). Two games are called
    /// linked if some T makes both sums P-positions. Of two different forms, one is linked to an
    /// option of the other. The game T that is found is verified on both sums.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, three] = [forms.nimber(2, &limits)?, forms.nimber(3, &limits)?];
    /// // *2 + *2 is a P-position, and *3 + *2 is not.
    /// assert_eq!(forms.distinguishing_game(two, three, &limits)?, Some(two));
    /// assert_eq!(forms.distinguishing_game(two, two, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// The construction visits pairs of a position of `a` and a position of `b`, each at most once.
    /// For every game that is tried, the positions of two sums are visited.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn distinguishing_game(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        if a == b {
            return Ok(None);
        }
        let mut witness = self.small_witness(a, b, limits)?;
        if witness.is_none() {
            witness = self.witness_by_genus(a, b, limits)?;
        }
        let witness = if let Some(witness) = witness {
            witness
        } else {
            let small = self.born_by(4, limits)?;
            self.witness(a, b, &small, limits)?
        };
        assert_ne!(
            self.is_p_sum(&[a, witness], limits)?,
            self.is_p_sum(&[b, witness], limits)?,
            "different forms are distinguished"
        );
        Ok(Some(witness))
    }

    /// Returns a small game that distinguishes the two forms: a game *n, or a game born by day 4.
    /// Returns `None` if no such game is found.
    fn small_witness(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let [m, n] = [a, b].map(|form| self.misere_grundy(form));
        if m != n {
            // G + *n is a P-position if and only if the misère nim-value of G is n.
            return self.nimber(m.min(n), limits).map(Some);
        }
        for witness in self.born_by(4, limits)? {
            if self.is_p_sum(&[a, witness], limits)? != self.is_p_sum(&[b, witness], limits)? {
                return Ok(Some(witness));
            }
        }
        Ok(None)
    }

    /// Returns a sum of heaps *2 and one other heap that distinguishes two forms of different
    /// genera. Returns `None` if the genera are equal.
    fn witness_by_genus(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let (one, other) = (self.genus(a, limits)?, self.genus(b, limits)?);
        let digits = one.digits().len().max(other.digits().len());
        // Digit i of the genus is the misère nim-value of the game plus i heaps *2. So the first
        // digit that differs gives the number of heaps *2.
        let Some(twos) = (0..digits).find(|&i| one.digit(i) != other.digit(i)) else {
            return Ok(None);
        };
        let two = self.nimber(2, limits)?;
        let mut parts = vec![two; twos];
        parts.push(self.nimber(one.digit(twos).min(other.digit(twos)), limits)?);
        self.sum(&parts, limits).map(Some)
    }

    /// Returns a game T such that a + T is a P-position and b + T is not. The forms must differ. If
    /// a game of `small` has this property, it is returned. The list `small` must contain 0.
    fn witness(
        &mut self,
        a: Form,
        b: Form,
        small: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        // The stack of pairs is explicit. A pair is visited again after the pairs on which it
        // depends.
        let mut stack = vec![(a, b)];
        while let Some(&(a, b)) = stack.last() {
            if self.witnesses.contains_key(&(a, b)) {
                stack.pop();
                continue;
            }
            self.step(limits)?;
            if let Some(witness) = self.first_witness(a, b, small, limits)? {
                self.witnesses.insert((a, b), witness);
                continue;
            }
            if let Some(other) = self.first_witness(b, a, small, limits)? {
                let witness = self.swap_witness(a, other, limits)?;
                self.witnesses.insert((a, b), witness);
                continue;
            }
            let link_pairs = self.link_pairs(a, b);
            let unknown =
                (link_pairs.pairs.iter()).filter(|pair| !self.witnesses.contains_key(pair));
            let unknown: Vec<(Form, Form)> = unknown.copied().collect();
            if !unknown.is_empty() {
                stack.extend(unknown);
                limits.check(1, 8 * stack.len() as u64)?;
                continue;
            }
            let found = link_pairs.pairs.iter().map(|pair| self.witnesses[pair]);
            let found: Vec<Form> = found.collect();
            // 0 and 0 are linked by *, since 0 + * is a P-position in misère play.
            let link = if found.is_empty() {
                Form::STAR
            } else {
                self.of_options(&found, limits)?
            };
            let witness = if link_pairs.swapped {
                self.swap_witness(a, link, limits)?
            } else {
                link
            };
            self.witnesses.insert((a, b), witness);
        }
        Ok(self.witnesses[&(a, b)])
    }

    /// Returns the first game T of `games` such that a + T is a P-position and b + T is not.
    fn first_witness(
        &mut self,
        a: Form,
        b: Form,
        games: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        for &game in games {
            if self.is_p_sum(&[a, game], limits)? && !self.is_p_sum(&[b, game], limits)? {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// Returns a reduction for two different forms that are not distinguished by adding 0.
    ///
    /// One of the two forms is linked to an option of the other. Two forms X and Y are linked if
    /// neither is an option of the other. The game that links them has one option for each option
    /// of X and Y together. For an option X' of the form X, this is a game T such that X' + T is a
    /// P-position and Y + T is not. For an option Y' of Y, this is a game T such that Y' + T is a
    /// P-position and X + T is not.
    fn link_pairs(&self, a: Form, b: Form) -> LinkPairs {
        let linked = |x: Form, y: Form| !self.has_option(x, y) && !self.has_option(y, x);
        let link = |x: Form, y: Form, swapped: bool| {
            let of_x = self.options(x).map(|option| (option, y));
            let of_y = self.options(y).map(|option| (option, x));
            LinkPairs {
                pairs: of_x.chain(of_y).collect(),
                swapped,
            }
        };
        // Suppose that T links `a` and an option b' of `b`. Then a + T is a P-position. The sum b +
        // T is not, since there is a move to b' + T, which is a P-position. The least such option
        // is chosen. It is the simplest one, and the choice is the same in every run.
        let least = |form: Form, of: Form| self.options(of).filter(|&o| linked(form, o)).min();
        match (least(a, b), least(b, a)) {
            (Some(option), _) => link(a, option, false),
            (None, Some(option)) => link(b, option, true),
            (None, None) => unreachable!("different forms are distinguished"),
        }
    }

    /// Returns a game U such that a + U is a P-position and b + U is not, for a certain form b. The
    /// given game T has this property with `a` and b exchanged: b + T is a P-position and a + T is
    /// not. The options of U are T and the mates of the options of `a`.
    fn swap_witness(&mut self, a: Form, t: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut options = vec![t];
        let moves: Vec<Form> = self.options(a).collect();
        for option in moves {
            options.push(self.mate(option, limits)?);
        }
        self.of_options(&options, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the construction of a distinguishing game in the proof of uniqueness. The list of
    /// small games contains only 0, so that the construction is used nearly every time. With all
    /// small games in the list, the construction would be used for almost no pair.
    #[test]
    fn the_proof_distinguishes_games_of_day_4_and_some_of_day_5() {
        let (mut forms, limits) = (Forms::default(), Limits::default());
        let mut games = forms.born_by(4, &limits).unwrap();
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..20 {
            let options: Vec<Form> = games[..22]
                .iter()
                .copied()
                .filter(|_| random.bool())
                .collect();
            games.push(forms.of_options(&options, &limits).unwrap());
        }
        for &a in &games {
            for &b in games.iter().filter(|&&b| b != a) {
                let t = forms.witness(a, b, &[Form::ZERO], &limits).unwrap();
                assert!(forms.is_p_sum(&[a, t], &limits).unwrap());
                assert!(!forms.is_p_sum(&[b, t], &limits).unwrap());
            }
        }
        assert!(forms.witnesses.len() > 1000);
    }
}
