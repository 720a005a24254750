//! Comparison of the values of two forms.

use std::cmp::Ordering;
use std::fmt;

use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::comparison_cache::Comparison;
use crate::form::Form;

/// The relation of a first value to a second value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The values are equal.
    Equal,
    /// The first value is less.
    Less,
    /// The first value is greater.
    Greater,
    /// The values are incomparable: whoever moves first wins the difference.
    Confused,
}

impl Relation {
    /// Returns the relation. `at_most` is `true` if the first value is at most the second, and
    /// `at_least` if it is at least the second.
    ///
    /// ```
    /// use grundy_forms::Relation;
    /// assert_eq!(Relation::from_tests(true, false), Relation::Less);
    /// assert_eq!(Relation::from_tests(false, false), Relation::Confused);
    /// ```
    #[must_use]
    pub fn from_tests(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Equal,
            (true, false) => Self::Less,
            (false, true) => Self::Greater,
            (false, false) => Self::Confused,
        }
    }

    /// Returns the relation of the second value to the first.
    ///
    /// ```
    /// use grundy_forms::Relation;
    /// assert_eq!(Relation::Less.reversed(), Relation::Greater);
    /// assert_eq!(Relation::Confused.reversed(), Relation::Confused);
    /// ```
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            other => other,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Confused => "||",
        })
    }
}

impl Forms {
    /// Returns whether a <= b. This is the case if and only if Left, moving second, wins b - a.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Form, Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// let small = text::read("1/1024", &mut forms, &limits).unwrap();
    /// assert!(forms.at_most(Form::ZERO, up, &limits)?);
    /// assert!(forms.at_most(up, small, &limits)?);
    /// assert!(!forms.at_most(small, up, &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each pair of a position of `a` and a position of `b` is visited at most once. Pairs with a
    /// known answer are not visited.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn at_most(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.decided_at_most(a, b) {
            return Ok(known);
        }
        self.step(limits)?;
        // The stack is explicit, since forms can be deeply nested. Its memory is reused, since most
        // comparisons are short.
        let mut stack = std::mem::take(&mut self.comparison_stack);
        stack.clear();
        stack.push(self.open_comparison(a, b, limits)?);
        // The answer of the comparison that was popped last.
        let mut answer: Option<bool> = None;
        loop {
            let Some(last) = stack.last_mut() else {
                self.comparison_stack = stack;
                return Ok(answer.unwrap_or(true));
            };
            let (a, b) = (last.a, last.b);
            // A single subcomparison that holds refutes a <= b. It means that some a^L is at least
            // b, or some b^R is at most a.
            let settled = if answer.take() == Some(true) {
                Some(false)
            } else {
                let mut next = None;
                let mut settled = None;
                loop {
                    let pair = if let Some(index) = last.lefts.next() {
                        (b, self.pool_item(index))
                    } else if let Some(index) = last.rights.next() {
                        (self.pool_item(index), a)
                    } else {
                        settled = Some(true);
                        break;
                    };
                    match self.decided_at_most(pair.0, pair.1) {
                        Some(true) => {
                            settled = Some(false);
                            break;
                        }
                        Some(false) => {}
                        None => {
                            next = Some(pair);
                            break;
                        }
                    }
                }
                if let Some((a, b)) = next {
                    self.step(limits)?;
                    stack.push(self.open_comparison(a, b, limits)?);
                    continue;
                }
                settled
            };
            if let Some(settled) = settled {
                stack.pop();
                self.cache_comparison(a, b, settled);
                answer = Some(settled);
            }
        }
    }

    /// Returns the relation of the value of `a` to the value of `b`.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, Packed, Relation};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [up, double_up, star] = [Packed::ups(1, 0), Packed::ups(2, 0), Packed::nimber(1)]
    ///     .map(|packed| forms.of_packed(&packed));
    /// assert_eq!(forms.relation(up, star, &limits)?, Relation::Confused);
    /// assert_eq!(forms.relation(double_up, star, &limits)?, Relation::Greater);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn relation(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Relation, Stop> {
        Ok(Relation::from_tests(
            self.at_most(a, b, limits)?,
            self.at_most(b, a, limits)?,
        ))
    }

    /// Returns the answer to the question whether a <= b, if it follows from the stops, from the
    /// packed forms or from the cache. Otherwise returns `None`.
    pub(crate) fn decided_at_most(&self, a: Form, b: Form) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        // The stops are tested first, since they decide most pairs without a lookup.
        if self.left_stop(a) < self.right_stop(b) {
            return Some(true);
        }
        if self.left_stop(a) > self.left_stop(b) || self.right_stop(a) > self.right_stop(b) {
            return Some(false);
        }
        if let (Some(one), Some(other)) = (self.packed(a), self.packed(b)) {
            let difference = other.plus(&one.negative());
            // If the difference overflows, its sign is found by comparing the multiples of up.
            return Some(difference.map_or(one.ups < other.ups, |difference| {
                matches!(difference.sign(), Some(Ordering::Greater | Ordering::Equal))
            }));
        }
        let (a, b) = self.least_pair(a, b);
        self.comparisons.get(a, b)
    }

    /// Returns the pair of forms under which the answer to a <= b is cached: the lesser of (a, b)
    /// and (-b, -a). The comparisons a <= b and -b <= -a have the same answer.
    fn least_pair(&self, a: Form, b: Form) -> (Form, Form) {
        (a, b).min((self.negative(b), self.negative(a)))
    }

    /// Stores the answer to the question whether a <= b.
    fn cache_comparison(&mut self, a: Form, b: Form, answer: bool) {
        let (a, b) = self.least_pair(a, b);
        self.comparisons.insert(a, b, answer);
    }

    /// Starts the comparison a <= b by listing those options of `a` and `b` that must be tested.
    fn open_comparison(
        &mut self,
        a: Form,
        b: Form,
        limits: &Limits<'_>,
    ) -> Result<Comparison, Stop> {
        // By number avoidance, if exactly one of the forms is a number, moves in the number need
        // not be tested.
        let (left_counts, right_counts) = match (self.number(a), self.number(b)) {
            (Some(_), None) => (false, true),
            (None, Some(_)) => (true, false),
            _ => (true, true),
        };
        // Nimbers larger than `far_star` exceed every nimber among the positions of one of the
        // forms. So they all have the same effect, and one of them is enough.
        let far_star = self.far_star(a).min(self.far_star(b));
        let lefts = if left_counts {
            self.options(a, Player::Left, far_star, limits)?
        } else {
            0..0
        };
        let rights = if right_counts {
            self.options(b, Player::Right, far_star, limits)?
        } else {
            0..0
        };
        Ok(Comparison {
            a,
            b,
            lefts,
            rights,
        })
    }
}
