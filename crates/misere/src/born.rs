//! All games born by a day.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// The days whose games can be listed, and counted.
const LISTED: u32 = 4;
const COUNTED: u32 = LISTED + 1;

/// Sets of games, a bit for each.
type Set = u32;

/// The games born by a day as far as sets of them need it.
struct Born {
    options: Vec<Set>,
    /// Those that have a game as an option.
    having: Vec<Set>,
    /// P-positions.
    p: Set,
}

impl Born {
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
            having: each(&|game, other| forms.has_option(other, game)),
            p: set(&|game| forms.is_p(game)),
        }
    }

    /// Returns whether the game with these options is in canonical form: it is none of those games
    /// to which all its other options go back.
    fn is_canonical(&self, set: Set) -> bool {
        (self.options.iter().zip(&self.having).enumerate()).all(|(i, (&options, &having))| {
            let others = set & !options;
            let goes_back = options & !set == 0 && others & !having == 0 && others != 0;
            // The first game is 0.
            !goes_back || i == 0 && set & self.p == 0
        })
    }
}

impl Forms {
    /// Returns the games born by day n, each once, by birthday: 1, 2, 3, 5 and 22 for n = 0 to 4.
    ///
    /// # Complexity
    /// All sets of games born by the day before are looked at.
    ///
    /// # Errors
    /// The limit that was reached; beyond day 4 there are more games than can be listed.
    pub fn born_by(&mut self, day: u32, limits: &Limits<'_>) -> Result<Vec<Form>, Stop> {
        if day > LISTED {
            return Err(Stop::Positions(limits.positions));
        }
        let mut games = vec![Form::ZERO];
        for _ in 0..day {
            let mut next = Vec::new();
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

    /// How many games are born by day n: 1, 2, 3, 5, 22 and 4,171,780 for n = 0 to 5 (J. H. Conway,
    /// On Numbers and Games, chapter 12).
    ///
    /// # Complexity
    /// Day 5 looks at all 2^22 sets of the 22 games before and stores none of the new ones.
    ///
    /// # Errors
    /// The limit that was reached; beyond day 5 there are more sets than can be looked at.
    pub fn count_born_by(&mut self, day: u32, limits: &Limits<'_>) -> Result<u64, Stop> {
        if day < COUNTED {
            return Ok(self.born_by(day, limits)?.len() as u64);
        }
        if day > COUNTED {
            return Err(Stop::Positions(limits.positions));
        }
        let games = self.born_by(LISTED, limits)?;
        let born = Born::new(self, &games);
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
