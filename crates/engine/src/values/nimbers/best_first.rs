//! Best-first search of components with many moves, by proof numbers.
//!
//! The query with the least proof number is expanded first (L. V. Allis, Searching for Solutions in
//! Games and Artificial Intelligence, 1994; A. Nagai, Df-pn algorithm for searching AND/OR trees,
//! 2002).

use super::lists::Numbers;
use super::{Ask, Falling, Look, Nimbers, Step};
use grundy_base::limits::{Limits, Stop};

/// Tolerance of the search. The best query may cost 1 / `PATIENCE` more than the second best before
/// the search switches. Without it the search alternates between queries of almost equal cost and
/// rebuilds both subtrees again and again.
const PATIENCE: u32 = 7;

/// Divisor of the proof number of "the value is k". The number grows as the square of the number of
/// moves: each option has to be refuted, and each refutation has as many options again.
const TO_SHOW: u64 = 25;

/// Divisor of the proof number of "the value is not k". One good move is enough, so the number
/// grows linearly with the number of moves.
const TO_REFUTE: u64 = 10;

/// Surcharge, in moves, on options that are not listed. Options that split are better candidates.
const DEARER: u32 = 4;

/// Approximate number of moves that disappear after a move that does not split the component.
const GONE: u32 = 5;

/// Estimates the proof numbers of "the value is k" for a component with the given number of moves.
fn estimate(moves: u32) -> Numbers {
    let moves = u64::from(moves);
    Numbers::new(moves * moves / TO_SHOW, moves / TO_REFUTE)
}

/// Estimates the proof numbers of the group of unlisted options. There are `whole` of them, in a
/// component with `moves` moves. One option of value k answers for the group.
fn unlisted(whole: u32, moves: u32) -> Numbers {
    let dear = estimate(moves.saturating_add(DEARER)).yes;
    let each = estimate(moves.saturating_sub(GONE)).no;
    Numbers::new(dear.into(), u64::from(whole) * u64::from(each))
}

/// A subquery. One positive answer to a subquery refutes the value k of the component.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// Query whether the option at this place has the value k.
    Option(usize),
    /// Query whether an unlisted option has the value k.
    Unlisted,
    /// Query whether the component has this smaller value.
    Smaller(u64),
}

/// Minimum and sum over the subqueries of a query.
#[derive(Debug)]
struct Questions {
    /// The subquery with the least number `yes`, and its proof numbers.
    best: Option<(Question, Numbers)>,
    /// The second least number `yes`.
    second: u32,
    /// The sum of the numbers `no`: the cost of showing that k is the value.
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
            // Ties keep the earlier subquery. The list is sorted, so the earlier option is the
            // smaller one.
            Some((_, least)) if least.yes <= asked.yes => self.second = self.second.min(asked.yes),
            first => {
                self.second = first.map_or(u32::MAX, |(_, least)| least.yes);
                self.best = Some((question, asked));
            }
        }
    }
}

/// The subquery to expand next.
struct Choice {
    /// The query, or `None` if the unlisted options have to be listed first.
    ask: Option<(u64, Ask)>,
    /// The proof numbers of the subquery.
    asked: Numbers,
    /// The second least number `yes` among the subqueries.
    second: u32,
    /// The sum of the numbers `no` of all subqueries.
    refuted: u64,
}

impl Nimbers {
    /// Takes one step of the best-first search, until the proof numbers of the query reach its
    /// limits.
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
            // Negamax form: the cheapest subquery refutes k, while a proof has to refute all of
            // them.
            let numbers = Numbers::new(refuted, asked.yes.into());
            if numbers.yes >= bounds.yes || numbers.no >= bounds.no {
                // A list has room for the numbers of one value; those of other values go to the
                // map.
                if !self.lists.note(list, k, numbers) {
                    self.remember(self.classes.key(place), k, numbers);
                }
                return Ok(Step::Done);
            }
            let ask = match ask {
                Ask::First { k, .. } if source.moves(key) >= self.many => {
                    // Limits of df-pn: stop once a sibling is better by more than the tolerance, or
                    // once the sum exceeds the limit. The siblings' share of the sum is
                    // `numbers.yes - asked.no`.
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

    /// Moves the options of a list that may have the value k to its front, unless this was done
    /// recently. Returns their range, or `None` if an option has the value k.
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

    /// Returns the proof numbers of an option. If the value of the option is known, it is excluded
    /// for the component at `place`.
    fn weigh(&mut self, place: usize, look: &Look, source: &dyn Falling) -> Numbers {
        match *look {
            Look::One { key, place, k } => self.numbers(place, key, k, source),
            // The value of a component has to be found before the option can be tested. The number
            // of moves stands for this cost.
            Look::Several(_, moves) => Numbers::new(moves.into(), 1),
            Look::Settled(value) => {
                self.exclude(place, value);
                Numbers::SHUT
            }
            Look::Equal | Look::Other => Numbers::SHUT,
        }
    }

    /// Returns the cheapest subquery about the component at `place`. The open options lie in
    /// `start..end`. Fails with `Look::Equal` if an option has the value k, and with `Look::Other`
    /// if all subqueries are answered.
    ///
    /// The options are compared by their stored proof numbers. Only the numbers of the best option
    /// are recomputed.
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
            // Stored numbers may be out of date. If the new number is no longer the least, scan
            // again with the corrected one.
            if asked.yes <= second {
                return Ok(Choice {
                    ask,
                    asked,
                    second,
                    // The sum is corrected for the recomputed option, which saves a second scan.
                    refuted: refuted - u64::from(noted.no) + u64::from(asked.no),
                });
            }
        }
    }

    /// Returns the proof numbers of the query whether a component has the value k.
    ///
    /// `place` is the component's slot in the table, or the free slot for it. The numbers are
    /// estimated if no query about the component has stored any.
    fn numbers(&self, place: usize, key: u64, k: u64, source: &dyn Falling) -> Numbers {
        let met = self.classes.is_met(place);
        let noted = || self.lists.noted(self.classes.listed(place)?);
        let known = met.then(|| match noted() {
            Some((noted, numbers)) if noted == k => Some(numbers),
            // Numbers move from the lists to the map only when lists are evicted or hold another
            // value. Skip the hash lookup if neither has happened.
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
