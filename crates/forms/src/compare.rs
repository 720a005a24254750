//! Which of two values is greater.

use std::cmp::Ordering;
use std::fmt;

use grundy_base::{Limits, Player, Stop};

use crate::answers::Comparison;
use crate::arena::Forms;
use crate::form::Form;

/// How two values stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// The first is less.
    Less,
    /// The first is greater.
    Greater,
    /// Neither: whoever moves first wins the difference.
    Confused,
}

impl Relation {
    /// From whether the first is at most and at least the second.
    #[must_use]
    pub fn from_tests(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Equal,
            (true, false) => Self::Less,
            (false, true) => Self::Greater,
            (false, false) => Self::Confused,
        }
    }

    /// Returns the same seen from the second.
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
    /// Returns whether a is at most b: Left, who moves second, wins b - a.
    ///
    /// # Complexity
    /// At most one visit to each pair of positions of the two, those compared before left out.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn at_most(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.compared(a, b) {
            return Ok(known);
        }
        self.step(limits)?;
        // The list is kept from question to question: most are short.
        let mut way = std::mem::take(&mut self.asked);
        way.clear();
        way.push(self.ask(a, b, limits)?);
        let mut answer: Option<bool> = None;
        loop {
            let Some(last) = way.last_mut() else {
                self.asked = way;
                return Ok(answer.unwrap_or(true));
            };
            let (a, b) = (last.a, last.b);
            // One option that is too good is enough.
            let settled = if answer.take() == Some(true) {
                Some(false)
            } else {
                let mut next = None;
                let mut settled = None;
                loop {
                    let pair = if let Some(place) = last.lefts.next() {
                        (b, self.pooled(place))
                    } else if let Some(place) = last.rights.next() {
                        (self.pooled(place), a)
                    } else {
                        settled = Some(true);
                        break;
                    };
                    match self.compared(pair.0, pair.1) {
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
                    way.push(self.ask(a, b, limits)?);
                    continue;
                }
                settled
            };
            if let Some(settled) = settled {
                way.pop();
                self.remember(a, b, settled);
                answer = Some(settled);
            }
        }
    }

    /// How two values stand to each other.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn relation(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Relation, Stop> {
        Ok(Relation::from_tests(
            self.at_most(a, b, limits)?,
            self.at_most(b, a, limits)?,
        ))
    }

    /// What is known about a <= b without looking at options.
    pub(crate) fn compared(&self, a: Form, b: Form) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.left_stop(a) < self.right_stop(b) {
            return Some(true);
        }
        if self.left_stop(a) > self.left_stop(b) || self.right_stop(a) > self.right_stop(b) {
            return Some(false);
        }
        if let (Some(one), Some(other)) = (self.packed(a), self.packed(b)) {
            let difference = other.plus(&one.negative());
            // Counts of ups too far apart to be subtracted are compared as they are.
            return Some(difference.map_or(one.ups < other.ups, |difference| {
                matches!(difference.sign(), Some(Ordering::Greater | Ordering::Equal))
            }));
        }
        let (a, b) = self.least_pair(a, b);
        self.not_above.get(a, b)
    }

    /// Of a <= b and -b <= -a, which say the same, the one that is kept.
    fn least_pair(&self, a: Form, b: Form) -> (Form, Form) {
        (a, b).min((self.negative(b), self.negative(a)))
    }

    fn remember(&mut self, a: Form, b: Form, answer: bool) {
        let (a, b) = self.least_pair(a, b);
        self.not_above.insert(a, b, answer);
    }

    fn ask(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Comparison, Stop> {
        // Where one is a number and the other none, moves in the number need not be tried.
        let (left_counts, right_counts) = match (self.number(a), self.number(b)) {
            (Some(_), None) => (false, true),
            (None, Some(_)) => (true, false),
            _ => (true, true),
        };
        let far = self.far(a).min(self.far(b));
        let lefts = if left_counts {
            self.options(a, Player::Left, far, limits)?
        } else {
            0..0
        };
        let rights = if right_counts {
            self.options(b, Player::Right, far, limits)?
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
