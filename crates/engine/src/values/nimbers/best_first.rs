//! Components with many moves, best first: by proof numbers, what takes least is asked first (L. V.
//! Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; A. Nagai, Df-pn
//! algorithm for searching AND/OR trees, 2002).

use super::lists::Numbers;
use super::{Ask, Falling, Look, Nimbers, Step};
use grundy_base::limits::{Limits, Stop};

/// How much dearer than the second best a question may become, in parts of that, before the other
/// is looked at.
const PATIENCE: u32 = 7;

/// To show a value takes a proof number that grows as the square of the number of moves: each has
/// to be refuted, by an answer which is refuted in as many ways. The square is divided by this.
const TO_SHOW: u64 = 25;

/// To refute a value takes one good move; the proof number is the number of moves, divided by this.
const TO_REFUTE: u64 = 10;

/// Options that are not listed are held as dear as a component with so many moves more: what falls
/// apart is better looked at first.
const DEARER: u32 = 4;

/// So many moves are gone after one that leaves a component whole.
const GONE: u32 = 5;

/// What it takes to answer whether a component has a value, estimated by its moves: each option has
/// to be refuted, and each of these has as many again.
fn estimate(moves: u32) -> Numbers {
    let moves = u64::from(moves);
    Numbers::new(moves * moves / TO_SHOW, moves / TO_REFUTE)
}

/// Returns the same for the options that are not listed, of `whole` moves of a component with
/// `moves`, of which one yes is enough.
fn unlisted(whole: u32, moves: u32) -> Numbers {
    let dear = estimate(moves.saturating_add(DEARER)).yes;
    let each = estimate(moves.saturating_sub(GONE)).no;
    Numbers::new(dear.into(), u64::from(whole) * u64::from(each))
}

/// A question among those that answer another.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// About the option that stands there.
    Option(usize),
    /// About the options that are not listed.
    Unlisted,
    /// Whether the component itself has this smaller value.
    Smaller(u64),
}

/// Questions of which one yes is enough.
#[derive(Debug)]
struct Questions {
    /// The one to which a yes takes least.
    best: Option<(Question, Numbers)>,
    /// What a yes to the second best takes.
    second: u32,
    /// What it takes to answer all by no.
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
            Some((_, least)) if least.yes <= asked.yes => self.second = self.second.min(asked.yes),
            first => {
                self.second = first.map_or(u32::MAX, |(_, least)| least.yes);
                self.best = Some((question, asked));
            }
        }
    }
}

/// What is asked next, best first.
struct Choice {
    /// The question; none where it is about options that have to be listed first.
    ask: Option<(u64, Ask)>,
    /// What the answers take.
    asked: Numbers,
    /// What a yes to the second best takes.
    second: u32,
    /// What it takes to answer all questions by no.
    refuted: u64,
}

impl Nimbers {
    /// Best first: asks what takes least, until the numbers of the question itself reach its
    /// limits.
    ///
    /// The value is k if no option has the value k, and no smaller value is that of the component.
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
            // One good question refutes the value; to show it, all have to be answered by no.
            let numbers = Numbers::new(refuted, asked.yes.into());
            if numbers.yes >= bounds.yes || numbers.no >= bounds.no {
                if !self.lists.note(list, k, numbers) {
                    self.remember(self.classes.key(place), k, numbers);
                }
                return Ok(Step::Done);
            }
            let ask = match ask {
                Ask::First { k, .. } if source.moves(key) >= self.many => {
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

    /// Looks at the options of a list that may have the value k, unless that was done lately, and
    /// tells where those begin and end that are open; nothing where one has it.
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

    /// What it takes to ask about an option of the component at a place, which leaves its mark on
    /// the component if it is settled.
    fn weigh(&mut self, place: usize, look: &Look, source: &dyn Falling) -> Numbers {
        match *look {
            Look::One { key, place, k } => self.numbers(place, key, k, source),
            Look::Several(_, moves) => Numbers::new(moves.into(), 1),
            Look::Settled(value) => {
                self.exclude(place, value);
                Numbers::SHUT
            }
            Look::Equal | Look::Other => Numbers::SHUT,
        }
    }

    /// What is best asked about the component at a place, whose open options stand from `start` to
    /// `end`: what takes least to be answered by yes. Else an option is equal, or, where all is
    /// answered, none is.
    ///
    /// Options are compared by what is noted, and the one that takes least is looked at again.
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
            if asked.yes <= second {
                return Ok(Choice {
                    ask,
                    asked,
                    second,
                    refuted: refuted - u64::from(noted.no) + u64::from(asked.no),
                });
            }
        }
    }

    /// What it takes to answer whether the value of a component is k, which stands or would stand
    /// at a place.
    ///
    /// Before it was asked about, that is estimated.
    fn numbers(&self, place: usize, key: u64, k: u64, source: &dyn Falling) -> Numbers {
        let met = self.classes.is_met(place);
        let noted = || self.lists.noted(self.classes.listed(place)?);
        let known = met.then(|| match noted() {
            Some((noted, numbers)) if noted == k => Some(numbers),
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
