//! Who wins sums of components that have no values yet, as it was found by search: for the searches of another day.
//!
//! A component is a position of its own here, so an answer outlives the search that found it, and its numbers.

use grundy_forms::Form;
use rustc_hash::FxHashMap;

use crate::cost_class;
use crate::position::Position;
use grundy_base::player::Player;

/// A question: values and components without values, both in increasing order, and who moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Question {
    /// Who moves.
    pub player: Player,
    /// Values.
    pub forms: Box<[Form]>,
    /// Components, by their places in [`Sums::components`].
    pub components: Box<[u32]>,
}

impl Question {
    /// A question about a sum of values, of which `packed` holds the numbers, ups and nimbers, and of components.
    pub(crate) fn new(
        player: Player,
        packed: Form,
        mut forms: Vec<Form>,
        mut components: Vec<u32>,
    ) -> Self {
        if packed != Form::ZERO {
            forms.push(packed);
        }
        forms.sort_unstable();
        components.sort_unstable();
        Self {
            player,
            forms: forms.into(),
            components: components.into(),
        }
    }
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answer {
    /// Whether who moves wins.
    pub wins: bool,
    /// How many positions were searched for it: the length of that number in binary.
    pub class: u8,
}

impl Answer {
    /// An answer that took so many positions.
    pub(crate) fn after(wins: bool, positions: u64) -> Self {
        let class = cost_class::of(positions);
        Self { wins, class }
    }
}

/// Answers to questions about sums.
///
/// ```
/// use grundy::registry::construct;
/// use grundy::values::sums::{Answer, Question, Sums};
/// use grundy::argument::Argument;
/// use grundy::{Player, Position};
/// let rows = ["...", "..."].map(|row| Argument::Text(row.into()));
/// let board = construct("domineering", &[(None, Argument::List(rows.into()))])?;
/// let mut sums = Sums::default();
/// let board = sums.enter(board.into());
/// let question = Question { player: Player::Left, forms: Box::new([]), components: Box::new([board]) };
/// assert!(sums.keep(question.clone(), Answer { wins: true, class: 9 }));
/// assert_eq!(sums.get(&question).map(|answer| answer.wins), Some(true));
/// # Ok::<(), grundy::Diagnostic>(())
/// ```
#[derive(Debug, Default)]
pub struct Sums {
    places: FxHashMap<Position, u32>,
    components: Vec<Position>,
    answers: FxHashMap<Question, Answer>,
    bytes: u64,
}

/// What took 2^3 positions or more is worth keeping for another search.
pub(crate) const DEAR: u8 = 4;

/// About how many bytes a component takes beside what it holds, and an answer beside its values and components.
const COMPONENT: u64 = 200;
const ANSWER: u64 = 64;

/// About how many bytes an answer takes.
fn bytes_of(question: &Question) -> u64 {
    ANSWER + 4 * (question.forms.len() + question.components.len()) as u64
}

/// About how many bytes a component takes.
fn bytes_held(component: &Position) -> u64 {
    let held: usize = component.terms().iter().map(|term| term.held()).sum();
    COMPONENT + held as u64
}

impl Sums {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// How many answers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// The components that answers speak of, each as a position of its own.
    #[must_use]
    pub fn components(&self) -> &[Position] {
        &self.components
    }

    /// The place of a component, a new one where it is met for the first time.
    pub fn enter(&mut self, component: Position) -> u32 {
        if let Some(known) = self.place(&component) {
            return known;
        }
        let place = self.components.len() as u32;
        self.bytes += bytes_held(&component);
        self.places.insert(component.clone(), place);
        self.components.push(component);
        place
    }

    /// The place of a component, where an answer speaks of it.
    #[must_use]
    pub fn place(&self, component: &Position) -> Option<u32> {
        self.places.get(component).copied()
    }

    /// Keeps an answer. What makes no sense is not kept: values or components out of order, or places where there is no component.
    #[must_use = "it may have been refused"]
    pub fn keep(&mut self, question: Question, answer: Answer) -> bool {
        let entered = |&place: &u32| (place as usize) < self.components.len();
        let sound = answer.class <= 64
            && question.forms.is_sorted()
            && question.components.is_sorted()
            && question.components.last().is_none_or(entered);
        if sound {
            let bytes = bytes_of(&question);
            if self.answers.insert(question, answer).is_none() {
                self.bytes += bytes;
            }
        }
        sound
    }

    /// The answer to a question.
    #[must_use]
    pub fn get(&self, question: &Question) -> Option<Answer> {
        self.answers.get(question).copied()
    }

    /// All answers, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&Question, Answer)> {
        let answers = self.answers.iter();
        answers.map(|(question, &answer)| (question, answer))
    }

    /// About how many bytes are held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Forgets the cheaper answers, where all take more bytes than this, and the components that no answer speaks of then.
    pub(crate) fn fit(&mut self, room: u64) {
        if self.bytes <= room {
            return;
        }
        let mut classes = [0; u64::BITS as usize + 1];
        for (question, answer) in &self.answers {
            let components = question.components.iter();
            let held = components.map(|&place| bytes_held(&self.components[place as usize]));
            classes[usize::from(answer.class)] += bytes_of(question) + held.sum::<u64>();
        }
        let least = cost_class::least_kept(&classes, room);
        let before = std::mem::take(self);
        for (mut question, answer) in before.answers {
            if usize::from(answer.class) < least {
                continue;
            }
            for place in &mut question.components {
                *place = self.enter(before.components[*place as usize].clone());
            }
            question.components.sort_unstable();
            let _ = self.keep(question, answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;

    fn question(components: &[u32]) -> Question {
        Question {
            player: Player::Right,
            forms: Box::new([Form::ZERO]),
            components: components.into(),
        }
    }

    fn heap(beans: u64) -> Position {
        let beans = (None, Argument::Int(beans.into()));
        construct("nim", &[beans]).unwrap().into()
    }

    #[test]
    fn the_dearest_answers_stay_with_their_components() {
        let mut sums = Sums::default();
        let places: Vec<u32> = (0..100).map(|place| sums.enter(heap(place))).collect();
        for class in 0..50u8 {
            let components = [0, 1].map(|index| places[99 - usize::from(2 * class + 1 - index)]);
            let wins = class % 2 == 0;
            assert!(sums.keep(question(&components), Answer { wins, class }));
        }
        let room = sums.bytes() / 2;
        sums.fit(room);
        assert!((10..30).contains(&sums.len()), "{}", sums.len());
        assert!(sums.bytes() <= room);
        assert_eq!(sums.components().len(), 2 * sums.len());
        for (question, answer) in sums.iter() {
            let [one, other] = question.components[..] else {
                panic!("there are two")
            };
            let heaps = [one, other].map(|place| sums.components()[place as usize].clone());
            assert_eq!(
                heaps.each_ref().map(|heap| sums.place(heap)),
                [Some(one), Some(other)]
            );
            let least = 98 - 2 * u64::from(answer.class);
            let expected = [heap(least), heap(least + 1)];
            assert!(heaps.iter().all(|heap| expected.contains(heap)) && heaps[0] != heaps[1]);
            assert_eq!(answer.wins, answer.class % 2 == 0);
            assert!(answer.class >= 20);
        }
    }

    #[test]
    fn what_makes_no_sense_is_not_kept() {
        let mut sums = Sums::default();
        let [a, b] = [1, 2].map(|beans| sums.enter(heap(beans)));
        let [answer, dearer] = [64, 65].map(|class| Answer { wins: true, class });
        assert!(!sums.keep(question(&[a, b]), dearer));
        assert!(!sums.keep(question(&[b, a]), answer));
        assert!(!sums.keep(question(&[a, 2]), answer));
        assert!(sums.is_empty());
        assert!(sums.keep(question(&[a, a, b]), answer));
        assert_eq!(sums.len(), 1);
    }
}
