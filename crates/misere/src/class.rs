//! How far a game behaves as heaps of Nim do.

use grundy_base::{Limits, Stop, mex};

use crate::arena::{Form, Forms};

/// The class of a game, by how much of the strategy of misère Nim holds for it; the first that fits, in this order.
///
/// G and G + * are of the same class: adding * changes all nim-values by xor 1 and nothing else. What is said below of G is asked
/// of the even one of the two. The *type* of a game is (g, γ0), its nim-values in normal and in misère play. Heaps of Nim and
/// their sums have the types (0, 1) and (1, 0), the *fickle* ones, and (n, n), the *firm* ones.
///
/// Sources: J. H. Conway, On Numbers and Games, chapter 12 (tame, restive, restless); E. R. Berlekamp, J. H. Conway, R. K. Guy,
/// Winning Ways, chapter 13 (options that revert, fickle and firm).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Equal to a heap of Nim.
    NimHeap,
    /// The type of every position is that of a sum of heaps of Nim. A sum of such games has the outcome of the sum of heaps of
    /// their types (On Numbers and Games, theorem 73).
    Tame,
    /// The same holds, though there are options that are not tame. The type is one of Nim, the tame options alone (tame or
    /// reversibly tame themselves) have it as their least excluded values, and from each other option one can move back to a tame
    /// game with the same g and to a tame game with the same γ0.
    ///
    /// Who wins plays as in misère Nim. If the other moves to an option that is not tame, the answer is the first of these two
    /// games where something firm stands beside it, and the second otherwise; in both cases the sum is a P-position again.
    ReversiblyTame,
    /// g is 0 or 1 and γ0 is not, and all options are tame, reversibly or not. Beside heaps of Nim the game is a heap of γ0 if
    /// all of them are 0, 1, γ0 or γ0 xor 1, and else a heap of g. Options that are not tame are allowed if the tame ones alone
    /// give g and γ0 and from each other one can move back to games that behave the same: tame or restive ones, one with the same
    /// γ0 and one with the same g, whose other nim-value is 0, 1, γ0 or γ0 xor 1.
    Restive,
    /// γ0 is 0 or 1 and g is not, and all options are tame, reversibly or not. There is no simple rule for sums with heaps of Nim.
    Restless,
    /// None of these.
    Wild,
}

impl Class {
    /// Whether a sum of such games has the outcome of heaps of Nim of the same types.
    #[must_use]
    pub fn is_tame(self) -> bool {
        self <= Self::ReversiblyTame
    }

    /// The name of the class in the field.
    ///
    /// ```
    /// use grundy_misere::Class;
    /// assert_eq!(Class::ReversiblyTame.name(), "reversibly tame");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NimHeap => "nim heap",
            Self::Tame => "tame",
            Self::ReversiblyTame => "reversibly tame",
            Self::Restive => "restive",
            Self::Restless => "restless",
            Self::Wild => "wild",
        }
    }
}

/// Nim-values in normal and in misère play.
type Values = (u32, u32);

fn is_fickle((g, misere): Values) -> bool {
    g ^ misere == 1 && g <= 1
}

/// Whether a sum of heaps of Nim has these values.
fn is_of_nim(values: Values) -> bool {
    values.0 == values.1 || is_fickle(values)
}

impl Forms {
    /// The class of a form.
    ///
    /// # Complexity
    /// One visit to each even position whose class is not known yet, which looks at its options and, where some are not tame, at
    /// theirs.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn class(&mut self, form: Form, limits: &Limits<'_>) -> Result<Class, Stop> {
        let mut way = vec![form.even_part()];
        while let Some(&last) = way.last() {
            if self.classes.contains_key(&last.0) {
                way.pop();
                continue;
            }
            self.step(limits)?;
            let before = way.len();
            let options = self.options(last).map(Form::even_part);
            way.extend(options.filter(|option| !self.classes.contains_key(&option.0)));
            if way.len() > before {
                limits.check(1, 4 * way.len() as u64)?;
                continue;
            }
            let class = self.class_from_options(last);
            self.classes.insert(last.0, class);
            way.pop();
        }
        Ok(self.known_class(form))
    }

    fn known_class(&self, form: Form) -> Class {
        self.classes[&form.even_part().0]
    }

    fn values(&self, form: Form) -> Values {
        (self.grundy(form), self.misere_grundy(form))
    }

    /// The class of an even form all of whose options have one.
    fn class_from_options(&self, form: Form) -> Class {
        let values = self.values(form);
        let (g, misere) = values;
        if self.nim_heap(form).is_some() {
            return Class::NimHeap;
        }
        let wildest = self.options(form).map(|option| self.known_class(option));
        let wildest = wildest.max().unwrap_or(Class::NimHeap);
        if is_of_nim(values) {
            return match wildest {
                Class::NimHeap | Class::Tame => Class::Tame,
                _ if self.reverts(form, |class, _| class.is_tame()) => Class::ReversiblyTame,
                _ => Class::Wild,
            };
        }
        if g <= 1 {
            let near = |n: u32| n <= 1 || n ^ misere <= 1;
            let same = |class: Class, (s, t): Values| {
                (class.is_tame() || class == Class::Restive) && near(s) && near(t)
            };
            if self.reverts(form, same) {
                return Class::Restive;
            }
        } else if misere <= 1 && wildest.is_tame() {
            return Class::Restless;
        }
        Class::Wild
    }

    /// Whether the tame options give both nim-values, and from every other option there is a move back to both among the games
    /// that `may` be moved to.
    fn reverts(&self, form: Form, may: impl Fn(Class, Values) -> bool) -> bool {
        let (g, misere) = self.values(form);
        let (tame, others): (Vec<Form>, Vec<Form>) =
            (self.options(form)).partition(|&option| self.known_class(option).is_tame());
        let least = |value: &dyn Fn(Form) -> u32| {
            mex(tame.iter().map(|&option| u64::from(value(option)))) as u32
        };
        let goes_back = |option: Form| {
            let back = || {
                let to = self.options(option);
                let to = to.map(|to| (self.known_class(to), self.values(to)));
                to.filter(|&(class, values)| may(class, values))
            };
            back().any(|(_, values)| values.0 == g) && back().any(|(_, values)| values.1 == misere)
        };
        least(&|option| self.grundy(option)) == g
            && least(&|option| self.misere_grundy(option)) == misere
            && others.into_iter().all(goes_back)
    }

    /// Whether a tame game is fickle, as heaps of at most one counter are, and not firm; nothing for a game that is not tame.
    ///
    /// # Errors
    /// As [`Forms::class`].
    pub fn is_fickle(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        let tame = self.class(form, limits)?.is_tame();
        Ok(tame.then(|| is_fickle(self.values(form))))
    }

    /// Whether the game is *half-tame*: not tame itself, but G + G is tame with the type (0, 0) of two equal heaps of Nim
    /// (Winning Ways, chapter 13).
    ///
    /// # Complexity
    /// That of G + G, which can be much larger than G.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn is_half_tame(&mut self, form: Form, limits: &Limits<'_>) -> Result<bool, Stop> {
        if self.class(form, limits)?.is_tame() {
            return Ok(false);
        }
        let twice = self.plus(form, form, limits)?;
        Ok(self.values(twice) == (0, 0) && self.class(twice, limits)?.is_tame())
    }
}
