//! Best-first search of components with many moves, by proof numbers.
//!
//! A query splits into subqueries. The subquery with the least proof number is searched first (L.
//! V. Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; A. Nagai, Df-pn
//! algorithm for searching AND/OR trees, 2002).

use super::lists::Numbers;
use super::{Ask, Falling, Look, Nimbers, Step};
use grundy_base::limits::{Limits, Stop};

/// Tolerance before the search switches to another subquery: the best one may become more expensive
/// than the second best by a fraction 1 / `PATIENCE`. Without it the search would alternate between
/// subqueries of almost equal cost, and would rebuild both subtrees each time.
const PATIENCE: u32 = 7;

/// Divisor in the estimated cost of showing that the value is k. The cost grows as the square of
/// the number of moves: each option must be refuted, and each refutation has about as many options
/// again.
const TO_SHOW: u64 = 25;

/// Divisor in the estimated cost of showing that the value is not k. One good move suffices, so the
/// cost grows linearly with the number of moves.
const TO_REFUTE: u64 = 10;

/// Number of moves added to the estimate for options that are not listed. It makes the search
/// prefer listed options, which split the component.
const DEARER: u32 = 4;

/// Approximate number by which the moves decrease after a move that leaves the component in one
/// piece.
const GONE: u32 = 5;

/// Returns the estimated proof numbers of the query whether a component with `moves` moves has the
/// value k.
fn estimate(moves: u32) -> Numbers {
    let moves = u64::from(moves);
    Numbers::new(moves * moves / TO_SHOW, moves / TO_REFUTE)
}

/// Returns the estimated proof numbers of the query whether any unlisted option has the value k.
/// There are `whole` unlisted options, in a component with `moves` moves.
fn unlisted(whole: u32, moves: u32) -> Numbers {
    let dear = estimate(moves.saturating_add(DEARER)).yes;
    let each = estimate(moves.saturating_sub(GONE)).no;
    Numbers::new(dear.into(), u64::from(whole) * u64::from(each))
}

/// A subquery of the query whether a component has the value k. If the answer to any subquery is
/// yes, the component does not have the value k.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// The question whether the option at this index has the value k.
    Option(usize),
    /// The question whether some unlisted option has the value k.
    Unlisted,
    /// The question whether the component has this value, which is less than k.
    Smaller(u64),
}

/// The minimum and the sum of the proof numbers of all subqueries of a query.
#[derive(Debug)]
struct Questions {
    /// The subquery with the least number `yes`, with its proof numbers.
    best: Option<(Question, Numbers)>,
    /// The second least number `yes` of all subqueries.
    second: u32,
    /// The sum of the numbers `no` of all subqueries, which is the cost of showing that the value
    /// is k.
    refuted: u64,
}

impl Default for Questions {
    fn default() -> Self {
        Self {
            best: None,
            second: u32::MAX,
            refuted: 0,
        }
    }
}

impl Questions {
    fn add(&mut self, question: Question, asked: Numbers) {
        self.refuted += u64::from(asked.no);
        match self.best {
            // Of two equal numbers keep the earlier subquery. The list is sorted, so this is the
            // smaller option.
            Some((_, least)) if least.yes <= asked.yes => self.second = self.second.min(asked.yes),
            first => {
                self.second = first.map_or(u32::MAX, |(_, least)| least.yes);
                self.best = Some((question, asked));
            }
        }
    }
}

/// The subquery to be searched next.
struct Choice {
    /// The component and the question to be searched. It is `None` if the unlisted options must be
    /// listed first.
    ask: Option<(u64, Ask)>,
    /// The proof numbers of the subquery.
    asked: Numbers,
    /// The second least number `yes` of all subqueries.
    second: u32,
    /// The sum of the numbers `no` of all subqueries.
    refuted: u64,
}

impl Nimbers {
    /// Takes one step of the best-first search for whether the component has the value k. The query
    /// also ends when its proof numbers reach `bounds`.
    ///
    /// The value is k if and only if no option has the value k and the component has no smaller
    /// value.
    pub(super) fn best(
        &mut self,
        place: usize,
        k: u64,
        bounds: Numbers,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<Step, Stop> {
        let mut all = false;
        loop {
            let Some((list, _)) = self.listed(place, k, all, source, limits)? else {
                return Ok(Step::Done);
            };
            let Some(open) = self.sift(place, list, k, source) else {
                return Ok(Step::Done);
            };
            let Choice {
                ask,
                asked,
                second,
                refuted,
            } = match self.choose(place, list, open, k, source) {
                Ok(choice) => choice,
                Err(Look::Equal) => {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                Err(_) => {
                    self.learn(place, k, source);
                    return Ok(Step::Done);
                }
            };
            let Some((key, ask)) = ask else {
                all = true;
                continue;
            };
            // The cheapest subquery with the answer yes refutes k. To prove k, all subqueries must
            // get the answer no.
            let numbers = Numbers::new(refuted, asked.yes.into());
            if numbers.yes >= bounds.yes || numbers.no >= bounds.no {
                // A list has room for the proof numbers of one value. Those of other values are
                // stored in the map.
                if !self.lists.note(list, k, numbers) {
                    self.remember(self.classes.key(place), k, numbers);
                }
                return Ok(Step::Done);
            }
            let ask = match ask {
                Ask::First { k, .. } if source.moves(key) >= self.many => {
                    // The limits of df-pn: end the subquery once another one is better by more than
                    // the tolerance, or once the sum reaches its limit. The other subqueries' share
                    // of the sum is `numbers.yes - asked.no`.
                    let limits = Numbers {
                        yes: bounds.no.min(second.saturating_add(second / PATIENCE + 1)),
                        no: bounds.yes - (numbers.yes - asked.no),
                    };
                    Ask::Best { k, limits }
                }
                ask => ask,
            };
            return Ok(Step::Ask(key, ask));
        }
    }

    /// Moves the options that may have the value k to the front of a list, unless this was done
    /// recently. Returns the range of these options, or `None` if an option has the value k.
    fn sift(
        &mut self,
        place: usize,
        list: usize,
        k: u64,
        source: &dyn Falling,
    ) -> Option<(usize, usize)> {
        if let Some(open) = self.lists.sifted(list, k, self.steps) {
            return Some(open);
        }
        let mut sieve = self.lists.sieve(list, k);
        self.classes.fetch(self.lists.words(sieve.at, sieve.end));
        while sieve.at < sieve.end {
            let look = self.look(self.lists.option(sieve.at), k, source);
            if let Look::Equal = look {
                self.lists.done(list, None, sieve);
                self.exclude(place, k);
                return None;
            }
            let numbers = self.weigh(place, &look, source);
            self.lists.weigh(sieve.at, numbers);
            self.lists.sift(&mut sieve, numbers != Numbers::SHUT);
        }
        self.lists.done(list, Some((k, self.steps)), sieve);
        self.lists.sifted(list, k, self.steps)
    }

    /// Returns the proof numbers of an option for the query about the component in slot `place`. If
    /// the value of the option is known, excludes this value for the component.
    fn weigh(&mut self, place: usize, look: &Look, source: &dyn Falling) -> Numbers {
        match *look {
            Look::One { key, place, k } => self.numbers(place, key, k, source),
            // The values of all components but one must be found before the option can be tested.
            // The number of moves is used as the cost of this.
            Look::Several(_, moves) => Numbers::new(moves.into(), 1),
            Look::Settled(value) => {
                self.exclude(place, value);
                Numbers::SHUT
            }
            Look::Equal | Look::Other => Numbers::SHUT,
        }
    }

    /// Returns the cheapest subquery about the component in slot `place`. The options that may have
    /// the value k are in the range from `start` to `end`. Fails with `Look::Equal` if an option
    /// has the value k, and with `Look::Other` if no subquery is left.
    ///
    /// Options are compared by their stored proof numbers. These are computed again only for the
    /// best option.
    fn choose(
        &mut self,
        place: usize,
        list: usize,
        (start, end): (usize, usize),
        k: u64,
        source: &dyn Falling,
    ) -> Result<Choice, Look> {
        let key = self.classes.key(place);
        loop {
            let mut questions = Questions::default();
            let mut at = start;
            while at < end {
                let asked = self.lists.weight(at);
                if asked != Numbers::SHUT {
                    questions.add(Question::Option(at), asked);
                }
                at = self.lists.after(at);
            }
            let whole = self.lists.unlisted(list);
            if whole > 0 {
                questions.add(Question::Unlisted, unlisted(whole, source.moves(key)));
            }
            let mut smaller = self.classes.possible(place) & ((1 << k) - 1);
            while smaller != 0 {
                let k = u64::from(smaller.trailing_zeros());
                smaller &= smaller - 1;
                questions.add(Question::Smaller(k), self.numbers(place, key, k, source));
            }
            let Questions {
                best,
                second,
                refuted,
            } = questions;
            let Some((question, noted)) = best else {
                return Err(Look::Other);
            };
            let (ask, asked) = match question {
                Question::Unlisted => (None, noted),
                Question::Smaller(k) => (Some((key, Ask::First { k, next: 0 })), noted),
                Question::Option(at) => {
                    let look = self.look(self.lists.option(at), k, source);
                    let asked = self.weigh(place, &look, source);
                    self.lists.weigh(at, asked);
                    let ask = match look {
                        Look::Equal => return Err(look),
                        Look::Settled(_) | Look::Other => continue,
                        Look::One { key, k, .. } => (key, Ask::First { k, next: 0 }),
                        Look::Several(key, _) => (key, Ask::Value),
                    };
                    (Some(ask), asked)
                }
            };
            // Stored proof numbers may be outdated. If the new number is not the least, scan again
            // with the new number in the list.
            if asked.yes <= second {
                return Ok(Choice {
                    ask,
                    asked,
                    second,
                    // Correct the sum for the option whose numbers were computed again, which
                    // avoids another scan.
                    refuted: refuted - u64::from(noted.no) + u64::from(asked.no),
                });
            }
        }
    }

    /// Returns the proof numbers of the query whether a component has the value k.
    ///
    /// `place` is the slot of the component, or the free slot for it. If no proof numbers are
    /// stored for this query, they are estimated.
    fn numbers(&self, place: usize, key: u64, k: u64, source: &dyn Falling) -> Numbers {
        let met = self.classes.is_met(place);
        let noted = || self.lists.noted(self.classes.listed(place)?);
        let known = met.then(|| match noted() {
            Some((noted, numbers)) if noted == k => Some(numbers),
            // The map contains proof numbers only if lists were evicted, or if a list has the
            // numbers of another value. In other cases skip the lookup.
            None if !self.forgot => None,
            _ => self.numbers.get(&(key, k)).copied(),
        });
        let known = known.flatten();
        known.unwrap_or_else(|| {
            let moves = source.moves(key);
            estimate(moves.saturating_add(self.sharing.shift(key, moves)))
        })
    }
}
