//! Memory management of a search. If the search uses too much memory, it evicts the answers that
//! were cheapest to find.

use super::facts::Facts;
use super::{Candidate, OpenNode, Search, Sharing};
use crate::answers::sums::{COMPONENT_BYTES, Sum, SumEntry};
use grundy_base::limits::Stop;
use grundy_base::player::Player;

impl Search<'_> {
    /// Stores the entry of a sum. Returns whether the sum had an entry before.
    pub(super) fn keep(&mut self, sum: Sum, player: Player, entry: SumEntry) -> bool {
        self.stored += 1;
        self.table.keep(sum, player, entry)
    }

    /// Returns the approximate number of bytes that the search occupies.
    pub(super) fn bytes(&self) -> u64 {
        self.other_bytes + self.table.bytes()
    }

    /// Checks whether the search has reached a limit on positions, memory or time.
    ///
    /// # Errors
    /// Fails with the limit that is reached.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        // Check the number of stored components and sums. Then check all bytes together, as a
        // single item of this size.
        self.limits.check(self.stored, 0)?;
        let forms = self.engine.short.theory.forms.bytes();
        self.limits.check(1, self.bytes() + forms)?;
        self.limits.poll()
    }

    /// Sets `facts.results` from the answers of earlier searches, if they contain answers about the
    /// sum that consists only of the component of `facts`.
    pub(super) fn recall(&self, facts: &mut Facts) {
        if self.sharing != Sharing::All {
            return;
        }
        let result = |id: Option<u32>, player| {
            let alone = Sum {
                components: [id?].into(),
                ..Sum::empty()
            };
            self.table.get(&alone, player)?.result
        };
        // The answer for Right to move may be stored as that of the negative with Left to move, see
        // `with_left_to_move`. So look up both.
        facts.results = Player::BOTH.map(|player| {
            let own = result(Some(facts.id), player);
            own.or_else(|| result(facts.negative, player.other()))
        });
        facts.set_form_if_zero();
    }

    /// Returns whether the search uses so much memory that answers must be evicted.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.memory_threshold
    }

    /// Evicts the answers that were cheapest to find, so that the remaining answers fit in half of
    /// `memory_threshold`. Also frees the components that are no longer needed. A component is
    /// needed if it occurs in a remaining answer, in a sum on `path`, in `next` or in the question.
    /// Its negative, if known, is needed too.
    ///
    /// The search finds evicted answers again when it needs them, so no result changes.
    ///
    /// # Errors
    /// Fails with [`Stop::Memory`] if more than seven eighths of `memory_threshold` are still in
    /// use after the eviction.
    pub(super) fn evict(&mut self, path: &[OpenNode], next: &Sum) -> Result<(), Stop> {
        self.table.evict_to(self.memory_threshold / 2);
        // The store reuses the numbers of evicted components. So mark the components of every sum
        // that stays.
        let mut needed = vec![false; self.engine.store.len()];
        let on_path = path.iter().flat_map(|open| {
            let options = open.options.as_slice().iter();
            options.filter_map(Candidate::sum).chain([&open.sum])
        });
        let sums = self.table.sums().chain(on_path);
        let ids = sums.chain([next]).flat_map(|sum| sum.components.iter());
        for &id in ids.chain(&self.roots) {
            needed[id as usize] = true;
            // A component of the question has no facts if a limit stopped the search before they
            // were collected.
            if let Some(negative) = self.facts.get(id).and_then(|facts| facts.negative) {
                needed[negative as usize] = true;
            }
        }
        // `retain` drops the option lists in the facts, so compute `other_bytes` from the start.
        self.other_bytes = 100 * self.appraisals.len() as u64;
        self.other_bytes += path.iter().map(|open| open.option_bytes).sum::<u64>();
        self.facts.retain(|id| needed[id as usize]);
        self.other_bytes += COMPONENT_BYTES * self.facts.len() as u64;
        self.engine.retain(&|id| needed[id as usize]);
        // If less than an eighth was freed, the search would spend most of its time on evictions.
        if self.bytes() > self.memory_threshold / 8 * 7 {
            return Err(Stop::Memory(self.limits.memory));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use grundy_forms::Form;

    use super::*;
    use crate::argument::Argument;
    use crate::position::Position;
    use crate::registry::construct;
    use crate::values::Engine;
    use grundy_base::limits::Limits;
    use grundy_base::outcome::Play;

    /// Checks that evicted answers are found again. A search with memory for only a few hundred
    /// components gets the same results as a search that keeps everything. Also checks that the
    /// components whose values were computed before the search still have the correct values.
    #[test]
    fn eviction_changes_no_answer() {
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
            for (memory_threshold, filled) in [(u64::MAX, false), (300_000, false), (300_000, true)]
            {
                let mut engine = Engine::default();
                if filled {
                    engine
                        .form_of_position(&board(name, &corner), &limits)
                        .unwrap();
                    // Enter a component of another search, which has no value. Its number must not
                    // be confused with the numbers of this search.
                    board(name, &rows[1..]).enter(&mut engine.store, &mut Vec::new());
                }
                let mut search = Search::new(&position, Play::Normal, engine, &limits);
                search.memory_threshold = memory_threshold;
                let sum = search.sum(&position).unwrap();
                let results =
                    Player::BOTH.map(|player| search.result(sum.clone(), player).unwrap());
                let kept = search.table.len() as u64;
                answers.push((results, search.stored, kept));
                let mut engine = search.into_engine();
                engine.retain(&|_| false);
                checked += check_forms(&mut engine);
            }
            let (all, ..) = answers[0];
            for &(few, stored, kept) in &answers[1..] {
                assert_eq!(all, few, "{position}");
                // A large search must have evicted answers. Otherwise the test would prove nothing.
                assert!(
                    stored < 4_000 || 2 * kept < stored,
                    "{position}: {kept} of {stored}"
                );
            }
        }
        assert!(checked > 500, "{checked}");
    }

    /// Checks that the forms of all components are equal to the forms that a new engine computes.
    /// Returns the number of forms.
    fn check_forms(engine: &mut Engine) -> usize {
        let (mut fresh, limits) = (Engine::default(), Limits::default());
        let ids = 0..engine.store.len() as u32;
        let valued: Vec<(u32, Form)> = ids
            .filter_map(|id| Some((id, engine.found_form(id)?)))
            .collect();
        for &(id, form) in &valued {
            let (parts, index) = engine.store.part(id);
            let position = Position::from(parts.part_term(index));
            let right = fresh.form_of_position(&position, &limits).unwrap();
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

    /// Checks that a search which limits stop many times gets the same result as a search without
    /// limits.
    ///
    /// Each attempt uses the answers of the previous ones, but may do only half of the work of the
    /// whole search. So no attempt can succeed on its own.
    #[test]
    fn a_stopped_search_resumes() {
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
            let results = |search: &mut Search<'_>| {
                let sum = search.sum(&position)?;
                let left = search.result(sum.clone(), Player::Left)?;
                Ok::<_, Stop>([left, search.result(sum, Player::Right)?])
            };
            let limits = Limits::default();
            let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
            let right = results(&mut search).unwrap();
            let few = Limits {
                positions: search.stored / 2,
                ..limits
            };
            let (mut engine, mut times) = (Engine::default(), 0);
            engine.answers.keep_sums();
            let found = loop {
                let mut search = Search::new(&position, Play::Normal, engine, &few);
                let found = results(&mut search);
                times += 1;
                engine = search.into_engine();
                engine.evict_answers_to(limits.memory / 8);
                match found {
                    Ok(found) => break found,
                    Err(stop) => assert!(times < 50, "{position}: {stop:?}"),
                }
            };
            assert_eq!(found, right, "{position}");
            assert!(times > 1, "{position}");
        }
    }

    /// Checks that components from earlier questions do not change the course of a search, except
    /// for the order of equally good moves.
    #[test]
    fn earlier_questions_do_not_change_a_search() {
        let limits = Limits::default();
        for (name, rows) in [
            ("domineering", &["......"; 5][..]),
            ("domineering", &[".......", "..#....", ".......", "......."]),
            ("konane", &["xoxox", "o..xo", "xoxox", "oxoxo"]),
        ] {
            let position = board(name, rows);
            let mut searched = Vec::new();
            for filled in [false, true] {
                let mut engine = Engine::default();
                let mut ids = Vec::new();
                position.enter(&mut engine.store, &mut ids);
                let mut next = 0;
                while filled && next < ids.len() && ids.len() < 2_000 {
                    for player in Player::BOTH {
                        let mut flat = Vec::new();
                        let listed = engine
                            .store
                            .list_options(ids[next], player, &mut flat, &limits);
                        listed.unwrap();
                        ids.extend(crate::store::lists(&flat).flatten());
                    }
                    next += 1;
                }
                let mut search = Search::new(&position, Play::Normal, engine, &limits);
                let sum = search.sum(&position).unwrap();
                let results =
                    Player::BOTH.map(|player| search.result(sum.clone(), player).unwrap());
                searched.push((results, search.searched));
            }
            let [(results, alone), (others, after)] = searched[..] else {
                unreachable!("there are two")
            };
            assert_eq!(results, others, "{position}");
            // The order of equally good moves depends on the numbers of components, which differ.
            // So the numbers of positions may differ by a quarter.
            assert!(
                alone.abs_diff(after) <= alone / 4,
                "{position}: {alone}, {after}"
            );
        }
    }
}
