//! Games that tell two games apart.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// Why two forms differ, by smaller pairs: a game T for each pair (X, Y) here, with X + T a
/// P-position and Y + T none.
struct Reason {
    pairs: Vec<(Form, Form)>,
    /// `true` if these games T make one for the pair the other way round.
    exchanged: bool,
}

impl Forms {
    /// Nothing if two forms are equal; else a game T such that just one of a + T and b + T is a
    /// P-position in misère play.
    ///
    /// Small games are tried first: *n, all that are born by day 4, and heaps *2 with *n beside
    /// them, which tell apart what has different genera. If none of them does, T is made as in the
    /// proof that canonical forms are unique (J. H. Conway, On Numbers and Games, theorems 75 and
    /// 76): of two different forms one is linked to an option of the other, which is to say that
    /// both with T beside them are P-positions. What is answered has been checked on the sums.
    ///
    /// # Complexity
    /// The proof asks of pairs of positions of a and b, each once; every game that is tried costs a
    /// visit to the positions of two sums.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn tells_apart(
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
            "different forms are told apart"
        );
        Ok(Some(witness))
    }

    /// *n, or a game born by day 4.
    fn small_witness(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let [m, n] = [a, b].map(|form| self.misere_grundy(form));
        if m != n {
            // Beside *n just those are P-positions that have the value n.
            return self.nimber(m.min(n), limits).map(Some);
        }
        for witness in self.born_by(4, limits)? {
            if self.is_p_sum(&[a, witness], limits)? != self.is_p_sum(&[b, witness], limits)? {
                return Ok(Some(witness));
            }
        }
        Ok(None)
    }

    /// Heaps *2 and a heap beside them.
    fn witness_by_genus(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let (one, other) = (self.genus(a, limits)?, self.genus(b, limits)?);
        let digits = one.digits().len().max(other.digits().len());
        let Some(twos) = (0..digits).find(|&i| one.digit(i) != other.digit(i)) else {
            return Ok(None);
        };
        let two = self.nimber(2, limits)?;
        let mut parts = vec![two; twos];
        parts.push(self.nimber(one.digit(twos).min(other.digit(twos)), limits)?);
        self.sum(&parts, limits).map(Some)
    }

    /// Returns a game T with a + T a P-position and b + T none, for different forms; one of the
    /// small ones, which 0 is among, if it will do.
    fn witness(
        &mut self,
        a: Form,
        b: Form,
        small: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let mut way = vec![(a, b)];
        while let Some(&(a, b)) = way.last() {
            if self.witnesses.contains_key(&(a, b)) {
                way.pop();
                continue;
            }
            self.step(limits)?;
            if let Some(witness) = self.first_witness(a, b, small, limits)? {
                self.witnesses.insert((a, b), witness);
                continue;
            }
            if let Some(other) = self.first_witness(b, a, small, limits)? {
                let witness = self.exchanged(a, other, limits)?;
                self.witnesses.insert((a, b), witness);
                continue;
            }
            let reason = self.reason(a, b);
            let unknown = (reason.pairs.iter()).filter(|pair| !self.witnesses.contains_key(pair));
            let unknown: Vec<(Form, Form)> = unknown.copied().collect();
            if !unknown.is_empty() {
                way.extend(unknown);
                limits.check(1, 8 * way.len() as u64)?;
                continue;
            }
            let found = reason.pairs.iter().map(|pair| self.witnesses[pair]);
            let found: Vec<Form> = found.collect();
            // What links 0 to 0 is *.
            let link = if found.is_empty() {
                Form::STAR
            } else {
                self.of_options(&found, limits)?
            };
            let witness = if reason.exchanged {
                self.exchanged(a, link, limits)?
            } else {
                link
            };
            self.witnesses.insert((a, b), witness);
        }
        Ok(self.witnesses[&(a, b)])
    }

    /// Returns the first of some games T for which a + T is a P-position and b + T is none.
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

    /// Why two different forms differ that 0 does not tell apart.
    ///
    /// One of them is linked to an option of the other; X and Y are linked if neither is an option
    /// of the other, by the game whose options are, for each option X' of X, a game beside which X'
    /// is a P-position and Y is none, and likewise for each Y'.
    fn reason(&self, a: Form, b: Form) -> Reason {
        let linked = |x: Form, y: Form| !self.has_option(x, y) && !self.has_option(y, x);
        let link = |x: Form, y: Form, exchanged: bool| {
            let of_x = self.options(x).map(|option| (option, y));
            let of_y = self.options(y).map(|option| (option, x));
            Reason {
                pairs: of_x.chain(of_y).collect(),
                exchanged,
            }
        };
        // What links a to an option of b is a P-position beside a; beside b it is none, for there
        // is the move to that option.
        let least = |form: Form, of: Form| self.options(of).filter(|&o| linked(form, o)).min();
        match (least(a, b), least(b, a)) {
            (Some(option), _) => link(a, option, false),
            (None, Some(option)) => link(b, option, true),
            (None, None) => unreachable!("different forms are told apart"),
        }
    }

    /// From a game T with b + T a P-position and a + T none, one for which it is the other way
    /// round: its options are T and the mates of the options of a.
    fn exchanged(&mut self, a: Form, t: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
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

    /// Of the proof alone, for small games tell apart nearly everything.
    #[test]
    fn the_proof_gives_a_game_for_every_two_games_of_day_4_and_some_of_day_5() {
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
