//! The list of all games born by day n in misère play.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// Last day for which the games are listed.
const LAST_LISTED: u32 = 4;
/// Last day for which the games are counted.
const LAST_COUNTED: u32 = LAST_LISTED + 1;

/// A set of games, with one bit for each game. There are 22 games born by day 4, so 32 bits are
/// enough.
type Set = u32;

/// The games born by a certain day, and the relations between them as sets of bits.
struct BornGames {
    /// For each game, its options.
    options: Vec<Set>,
    /// For each game, the set of the games that have this game as an option.
    option_of: Vec<Set>,
    /// The set of P-positions.
    p: Set,
}

impl BornGames {
    fn new(forms: &Forms, games: &[Form]) -> Self {
        let set = |of: &dyn Fn(Form) -> bool| {
            let bits = games.iter().enumerate();
            bits.fold(0, |set, (i, &game)| set | Set::from(of(game)) << i)
        };
        let each = |of: &dyn Fn(Form, Form) -> bool| -> Vec<Set> {
            games
                .iter()
                .map(|&game| set(&|other| of(game, other)))
                .collect()
        };
        Self {
            options: each(&|game, other| forms.has_option(game, other)),
            option_of: each(&|game, other| forms.has_option(other, game)),
            p: set(&|game| forms.is_p(game)),
        }
    }

    /// Returns whether the game G with the options `set` is in canonical form. G is not in
    /// canonical form if another listed game H meets two conditions, and hence is equal to G. All
    /// options of H are in `set`. All other options in `set` are reversible through H. If H = 0, G
    /// must also be an N-position.
    fn is_canonical(&self, set: Set) -> bool {
        (self.options.iter().zip(&self.option_of).enumerate()).all(|(i, (&options, &option_of))| {
            let others = set & !options;
            let reverts = options & !set == 0 && others & !option_of == 0 && others != 0;
            // Game 0 of the list is the game 0. A game is equal to it only if it is an N-position,
            // that is, if some option is a P-position.
            !reverts || i == 0 && set & self.p == 0
        })
    }
}

impl Forms {
    /// Returns the games born by day `day`, each once, sorted by birthday. There are 1, 2, 3, 5 and
    /// 22 for days 0 to 4.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // 0, *, *2, *3 and {*2}
    /// assert_eq!(forms.born_by(3, &limits)?.len(), 5);
    /// assert_eq!(forms.born_by(4, &limits)?.len(), 22);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One form is computed for each set of games born by the day before.
    ///
    /// # Errors
    /// The limit that was reached. Beyond day 4 there are too many games to list.
    pub fn born_by(&mut self, day: u32, limits: &Limits<'_>) -> Result<Vec<Form>, Stop> {
        if day > LAST_LISTED {
            return Err(Stop::Positions(limits.positions));
        }
        let mut games = vec![Form::ZERO];
        for _ in 0..day {
            let mut next = Vec::new();
            // The options of a game born by the next day are a set of these games.
            for set in 0..1u32 << games.len() {
                let options = (0..games.len()).filter(|i| set >> i & 1 == 1);
                let options: Vec<Form> = options.map(|i| games[i]).collect();
                next.push(self.of_options(&options, limits)?);
            }
            next.sort_unstable();
            next.dedup();
            games = next;
        }
        games.sort_by_key(|&game| (self.birthday(game), game));
        Ok(games)
    }

    /// Returns the number of games born by day `day`. It is 1, 2, 3, 5, 22 and 4,171,780 for days 0
    /// to 5 (J. H. Conway, On Numbers and Games, chapter 12).
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// assert_eq!(forms.count_born_by(4, &limits)?, 22);
    /// // There are too many sets of options for day 6.
    /// assert!(forms.count_born_by(6, &limits).is_err());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// For day 5, all 2^22 sets of the 22 games born by day 4 are tested. No game of day 5 is
    /// stored.
    ///
    /// # Errors
    /// The limit that was reached. Beyond day 5 there are too many sets.
    pub fn count_born_by(&mut self, day: u32, limits: &Limits<'_>) -> Result<u64, Stop> {
        if day < LAST_COUNTED {
            return Ok(self.born_by(day, limits)?.len() as u64);
        }
        if day > LAST_COUNTED {
            return Err(Stop::Positions(limits.positions));
        }
        let games = self.born_by(LAST_LISTED, limits)?;
        let born = BornGames::new(self, &games);
        // Each value has exactly one canonical form. So it is enough to count the sets that are in
        // canonical form.
        let mut count = 0;
        for set in 0..1u32 << games.len() {
            if set.is_multiple_of(1 << 16) {
                limits.poll()?;
            }
            count += u64::from(born.is_canonical(set));
        }
        Ok(count)
    }
}
