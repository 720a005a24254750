//! What a search keeps: answers by their sums, compared in full, and when there is no more room the dear ones only.

use grundy_forms::Form;
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::{Candidate, Search, Sum, Unsettled};
use crate::cost_class;
use crate::position::Position;
use crate::store::Store;
use crate::values::Engine;
use crate::values::canonical::Canonical;
use crate::values::sums::{Answer, DEAR, Question};
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// What is known of a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// What it is worth to the player to move; `None` while the question is on the way to its answer.
    pub(super) worth: Option<Worth>,
    /// Positions that were searched for it.
    effort: u32,
}

impl Known {
    /// A question on the way to its answer.
    pub(super) const OPEN: Self = Self {
        worth: None,
        effort: u32::MAX,
    };

    /// An answer that took so many positions.
    pub(super) fn after(worth: Worth, positions: u64) -> Self {
        Self {
            worth: Some(worth),
            effort: u32::try_from(positions).unwrap_or(u32::MAX),
        }
    }

    /// How dear it was: questions on the way are the dearest.
    fn class(self) -> usize {
        match self.worth {
            None => CLASSES - 1,
            Some(_) => cost_class::of(self.effort.into()).into(),
        }
    }
}

/// What a game that ends with the last move is worth to who moves.
fn worth(wins: bool) -> Worth {
    if wins { Worth::Win } else { Worth::Lose }
}

/// Returns a component as a position of its own, if its text says all of it: a graph in a file is known
/// by the name of the file.
fn position(store: &Store, id: u32) -> Option<Position> {
    let (parts, index) = store.part(id);
    let told = parts.network_of(index).is_none();
    told.then(|| parts.only(index).into())
}

/// The part of the memory that answers for the next search may take.
const HANDED_ON: u64 = 8;

/// Classes of effort, by powers of two.
const CLASSES: usize = u32::BITS as usize + 2;

/// About how many bytes a component takes with what is known of it.
pub(super) const COMPONENT: u64 = 400;

impl Search<'_> {
    /// Keeps what is known of a sum; whether something was known already.
    pub(super) fn keep(&mut self, sum: Sum, player: Player, known: Known) -> bool {
        self.held += sum.kept();
        self.stored += 1;
        self.known[player as usize].insert(sum, known).is_some()
    }

    /// Fails when the work has to end.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.limits.check(self.stored, 0)?;
        let theory = &self.engine.short.theory;
        let handed_on = theory.forms.bytes() + theory.sums.bytes();
        self.limits.check(1, self.held + handed_on)?;
        self.limits.poll()
    }

    /// Leaves who wins sums to the next search, where it took long to find out.
    pub(crate) fn hand_on(&mut self) {
        if !self.valued {
            return;
        }
        let mut dear = Vec::new();
        for (player, known) in Player::BOTH.into_iter().zip(&mut self.known) {
            for (sum, known) in known.drain() {
                let answer = match known.worth {
                    Some(Worth::Win) => Answer::after(true, known.effort.into()),
                    Some(Worth::Lose) => Answer::after(false, known.effort.into()),
                    Some(Worth::Tie) | None => continue,
                };
                if answer.class >= DEAR {
                    dear.push((player, sum, answer));
                }
            }
        }
        // Some components have got values on the way, as parts of others: the next search knows them from the beginning.
        for id in dear.iter().flat_map(|(_, sum, _)| &sum.rest) {
            let facts = &mut self.facts[*id];
            if facts.form.is_none() {
                facts.form = self.engine.found_form(*id);
            }
        }
        let mut places: FxHashMap<u32, Option<u32>> = FxHashMap::default();
        for (player, sum, answer) in dear {
            let Ok(sum) = self.gathered(&sum.packed, &sum.forms, &sum.rest) else {
                continue;
            };
            let Engine { store, short, .. } = &mut self.engine;
            let Canonical { forms, sums, .. } = &mut short.theory;
            let components = sum.rest.iter().map(|&id| {
                let place = || Some(sums.enter(position(store, id)?));
                *places.entry(id).or_insert_with(place)
            });
            if let Some(components) = components.collect() {
                let packed = forms.of_packed(&sum.packed);
                let question = Question::new(player, packed, sum.forms.into(), components);
                let _ = sums.keep(question, answer);
            }
        }
        self.engine
            .short
            .theory
            .sums
            .fit(self.limits.memory / HANDED_ON);
    }

    /// The place by which earlier searches speak of a component.
    pub(super) fn place(&self, id: u32) -> Option<u32> {
        let sums = &self.engine.short.theory.sums;
        if !self.valued || sums.is_empty() {
            return None;
        }
        sums.place(&position(&self.engine.store, id)?)
    }

    /// What earlier searches found out about a component by itself.
    pub(super) fn recall(&self, facts: &mut Facts) {
        let sums = &self.engine.short.theory.sums;
        let wins = |place: Option<u32>, player| {
            let alone = Question::new(player, Form::ZERO, Vec::new(), vec![place?]);
            Some(worth(sums.get(&alone)?.wins))
        };
        let negative = facts.negative.and_then(|negative| self.place(negative));
        facts.worths = Player::BOTH
            .map(|player| wins(facts.place, player).or_else(|| wins(negative, player.other())));
        facts.settle();
    }

    /// What earlier searches found out about a sum.
    pub(super) fn recalled(&mut self, sum: &Sum, player: Player) -> Option<Known> {
        let theory = &mut self.engine.short.theory;
        if !self.valued || theory.sums.is_empty() {
            return None;
        }
        let components = sum.rest.iter().map(|&id| self.facts[id].place);
        let components = components.collect::<Option<Vec<u32>>>()?;
        let packed = theory.forms.of_packed(&sum.packed);
        let question = Question::new(player, packed, sum.forms.to_vec(), components);
        let Answer { wins, class } = theory.sums.get(&question)?;
        Some(Known::after(worth(wins), 1 << class.saturating_sub(1)))
    }

    /// Whether it is time to forget something.
    pub(super) fn is_full(&self) -> bool {
        self.held > self.room
    }

    /// Forgets the cheaper half of the answers, and all components that do not come up in the others, on the way or in the question.
    /// What is forgotten is found again when it is needed: answers stay what they are.
    pub(super) fn forget(&mut self, way: &[Unsettled], next: &Sum) -> Result<(), Stop> {
        let mut classes = [0; CLASSES];
        for (sum, known) in self.known.iter().flatten() {
            // The components of a sum, and what cancels them, are kept with it.
            classes[known.class()] += sum.kept() + 2 * COMPONENT * sum.rest.len() as u64;
        }
        // Questions on the way stay.
        let least = cost_class::least_kept(&classes, self.room / 2).min(CLASSES - 1);
        self.known
            .iter_mut()
            .for_each(|known| known.retain(|_, known| known.class() >= least));
        let mut needed = vec![false; self.engine.store.len()];
        let on_the_way = way.iter().flat_map(|open| {
            let options = open.options.as_slice().iter();
            options.filter_map(Candidate::sum).chain([&open.sum])
        });
        let sums = (self.known.iter().flatten().map(|(sum, _)| sum)).chain(on_the_way);
        let ids = sums.chain([next]).flat_map(|sum| sum.rest.iter());
        for &id in ids.chain(&self.asked) {
            needed[id as usize] = true;
            // A limit may have stopped the search before it learned what it was asked about.
            if let Some(negative) = self.facts.get(id).and_then(|facts| facts.negative) {
                needed[negative as usize] = true;
            }
        }
        self.held = 100 * self.appraisals.len() as u64;
        self.held += way.iter().map(|open| open.held).sum::<u64>();
        for (sum, _) in self.known.iter().flatten() {
            self.held += sum.kept();
        }
        self.facts.retain(|id| needed[id as usize]);
        self.held += COMPONENT * self.facts.len() as u64;
        self.engine.retain(&|id| needed[id as usize]);
        if self.held > self.room / 8 * 7 {
            return Err(Stop::Memory(self.limits.memory));
        }
        Ok(())
    }
}

impl Sum {
    /// About how many bytes it takes among what is known.
    fn kept(&self) -> u64 {
        16 + self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;
    use grundy_base::limits::Limits;
    use grundy_base::outcome::Play;

    /// What was forgotten is found again: with room for a few hundred components the answers are those
    /// of a search that keeps all. Values that were known before stay those of their components.
    #[test]
    fn forgetting_changes_no_answer() {
        let limits = Limits::default();
        let mut checked = 0;
        for (name, rows) in [
            ("domineering", &["......"; 5][..]),
            ("domineering", &[".......", "..#....", ".......", "......."]),
            ("domineering", &["......"; 6]),
            ("clobber", &["xoxo", "oxox", "xoxo", "oxox"]),
            ("konane", &["xoxo", "o..x", "xoxo", "oxox"]),
            ("amazons", &["x...", "....", "...o"]),
        ] {
            let position = board(name, rows);
            let corner: Vec<&str> = rows[..2].iter().map(|row| &row[..3]).collect();
            let mut answers = Vec::new();
            for (room, filled) in [(u64::MAX, false), (300_000, false), (300_000, true)] {
                let mut engine = Engine::default();
                if filled {
                    engine.whole(&board(name, &corner), &limits).unwrap();
                    // A component of an earlier search, which has no value.
                    board(name, &rows[1..]).enter(&mut engine.store, &mut Vec::new());
                }
                let mut search = Search::new(&position, Play::Normal, engine, &limits);
                search.room = room;
                let sum = search.sum(&position).unwrap();
                let worths = Player::BOTH.map(|player| search.worth(sum.clone(), player).unwrap());
                let kept = search
                    .known
                    .iter()
                    .map(|known| known.len() as u64)
                    .sum::<u64>();
                answers.push((worths, search.stored, kept));
                let mut engine = search.into_engine();
                engine.retain(&|_| false);
                checked += check_forms(&mut engine);
            }
            let (all, ..) = answers[0];
            for &(few, stored, kept) in &answers[1..] {
                assert_eq!(all, few, "{position}");
                // Something was forgotten wherever there was much.
                assert!(
                    stored < 4_000 || 2 * kept < stored,
                    "{position}: {kept} of {stored}"
                );
            }
        }
        assert!(checked > 500, "{checked}");
    }

    /// Compares the forms of components with those that another engine finds. Returns their number.
    fn check_forms(engine: &mut Engine) -> usize {
        let (mut fresh, limits) = (Engine::default(), Limits::default());
        let ids = 0..engine.store.len() as u32;
        let valued: Vec<(u32, Form)> = ids
            .filter_map(|id| Some((id, engine.found_form(id)?)))
            .collect();
        for &(id, form) in &valued {
            let (parts, index) = engine.store.part(id);
            let position = Position::from(parts.only(index));
            let right = fresh.whole(&position, &limits).unwrap();
            let write = |engine: &mut Engine, form| {
                let forms = &mut engine.short.theory.forms;
                forms.write_within(form, &limits).unwrap()
            };
            assert_eq!(write(engine, form), write(&mut fresh, right), "{position}");
        }
        valued.len()
    }

    fn board(name: &str, rows: &[&str]) -> Position {
        let rows = rows.iter().map(|row| Argument::Text((*row).into()));
        let board = construct(name, &[(None, Argument::List(rows.collect()))]);
        board.unwrap().into()
    }

    /// A search that is stopped again and again by a limit, each time a new one with the values of the last, comes to the same end as one
    /// that is not, though none of them may do more than half of the work.
    #[test]
    fn a_search_goes_on_where_another_was_stopped() {
        let stones = board("clobber", &["xoxox", "oxoxo", "xoxox"]);
        for position in [
            board(
                "domineering",
                &[".......", "...#...", ".......", ".......", "......."],
            ),
            board(
                "konane",
                &["xoxoxo", "ox.xox", "xo.oxo", "oxoxox", "xoxoxo"],
            ),
            Position::sum([stones.terms(), board("domineering", &["....."; 3]).terms()].concat())
                .unwrap(),
        ] {
            let worths = |search: &mut Search<'_>| {
                let sum = search.sum(&position)?;
                let left = search.worth(sum.clone(), Player::Left)?;
                Ok::<_, Stop>([left, search.worth(sum, Player::Right)?])
            };
            let limits = Limits::default();
            let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
            let right = worths(&mut search).unwrap();
            let few = Limits {
                positions: search.stored / 2,
                ..limits
            };
            let (mut engine, mut times) = (Engine::default(), 0);
            let found = loop {
                let mut search = Search::new(&position, Play::Normal, engine, &few);
                let found = worths(&mut search);
                times += 1;
                search.hand_on();
                engine = search.into_engine();
                match found {
                    Ok(found) => break found,
                    Err(stop) => assert!(times < 50, "{position}: {stop:?}"),
                }
            };
            assert_eq!(found, right, "{position}");
            assert!(times > 1, "{position}");
        }
    }
}
