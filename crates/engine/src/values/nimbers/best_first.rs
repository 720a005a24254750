//! Best-first search of components with many moves, by proof numbers.
//!
//! A query splits into subqueries. The subquery with the least proof number is searched first (L.
//! V. Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; A. Nagai, Df-pn
//! algorithm for searching AND/OR trees, 2002).

use super::lists::ProofNumbers;
use super::{Nimbers, OptionSource, QueryKind, Step, SumTest};
use grundy_base::limits::{Limits, Stop};

/// Divisor in the tolerance of the search. The search switches to another subquery if the current
/// one becomes more expensive than the second best by a fraction 1 / `TOLERANCE_DIVISOR`. Without
/// this tolerance the search would alternate between subqueries of almost equal cost, and would
/// rebuild both subtrees each time.
const TOLERANCE_DIVISOR: u32 = 7;

/// Divisor in the estimated cost of showing that the value is k. The cost grows as the square of
/// the number of moves: each option must be refuted, and each refutation has about as many options
/// again.
const PROOF_DIVISOR: u64 = 25;

/// Divisor in the estimated cost of showing that the value is not k. One good move suffices, so the
/// cost grows linearly with the number of moves.
const DISPROOF_DIVISOR: u64 = 10;

/// Number of moves added to the number of moves of a component in the estimate for unlisted
/// options. It makes the search prefer listed options, which split the component.
const UNLISTED_SURCHARGE: u32 = 4;

/// Approximate number of moves that a component loses by a move that leaves it in one piece.
const MOVES_LOST: u32 = 5;

/// Returns the estimated proof numbers of the query whether a component with `moves` moves has the
/// value k.
fn estimate(moves: u32) -> ProofNumbers {
    let moves = u64::from(moves);
    ProofNumbers::new(moves * moves / PROOF_DIVISOR, moves / DISPROOF_DIVISOR)
}

/// Returns the estimated proof numbers of the query whether any of `count` unlisted options has the
/// value k. The component has `moves` moves.
fn estimate_unlisted(count: u32, moves: u32) -> ProofNumbers {
    let proof = estimate(moves.saturating_add(UNLISTED_SURCHARGE)).proof;
    let disproof = estimate(moves.saturating_sub(MOVES_LOST)).disproof;
    ProofNumbers::new(proof.into(), u64::from(count) * u64::from(disproof))
}

/// A subquery of the query whether a component has the value k. The component has the value k if
/// and only if the answer to every subquery is no.
#[derive(Clone, Copy, Debug)]
enum Subquery {
    /// The subquery for the option at this index of the lists: does it have the value k?
    Option(usize),
    /// The subquery for the unlisted options: does one of them have the value k?
    Unlisted,
    /// The subquery whether the component has this value, which is less than k.
    Smaller(u64),
}

/// The two least proof numbers, and the sum of the disproof numbers, of the subqueries of a query.
#[derive(Debug)]
struct Subqueries {
    /// The subquery with the least proof number, with its proof number and its disproof number.
    best: Option<(Subquery, ProofNumbers)>,
    /// The second least proof number of all subqueries.
    second: u32,
    /// The sum of the disproof numbers of all subqueries, which is the cost of showing that the
    /// value is k.
    disproof_sum: u64,
}

impl Default for Subqueries {
    fn default() -> Self {
        Self {
            best: None,
            second: u32::MAX,
            disproof_sum: 0,
        }
    }
}

impl Subqueries {
    fn add(&mut self, subquery: Subquery, numbers: ProofNumbers) {
        self.disproof_sum += u64::from(numbers.disproof);
        match self.best {
            // Of two subqueries with equal proof numbers keep the earlier one. The list is sorted
            // by size, so it is the one about the smaller option.
            Some((_, least)) if least.proof <= numbers.proof => {
                self.second = self.second.min(numbers.proof);
            }
            first => {
                self.second = first.map_or(u32::MAX, |(_, least)| least.proof);
                self.best = Some((subquery, numbers));
            }
        }
    }
}

/// The subquery to be searched next.
struct Choice {
    /// The key of the component to be searched, and the kind of query. It is `None` if the unlisted
    /// options must be listed first.
    query: Option<(u64, QueryKind)>,
    /// The proof numbers of the subquery.
    numbers: ProofNumbers,
    /// The second least proof number of all subqueries.
    second: u32,
    /// The sum of the disproof numbers of all subqueries.
    disproof_sum: u64,
}

impl Nimbers {
    /// Takes one step of the best-first query whether the component in a slot has the value k. The
    /// step returns [`Step::Done`] if the query is answered, or if a proof number of the query
    /// reaches its bound in `bounds`.
    ///
    /// The value is k if and only if no option has the value k and the component has no smaller
    /// value.
    pub(super) fn step_best_first(
        &mut self,
        slot: usize,
        k: u64,
        bounds: ProofNumbers,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<Step, Stop> {
        let mut all = false;
        loop {
            let Some((list, _)) = self.option_list(slot, k, all, source, limits)? else {
                return Ok(Step::Done);
            };
            let Some(open) = self.partition_options(slot, list, k, source) else {
                return Ok(Step::Done);
            };
            let Choice {
                query,
                numbers: subquery_numbers,
                second,
                disproof_sum,
            } = match self.choose(slot, list, open, k, source) {
                Ok(choice) => choice,
                Err(SumTest::Equal) => {
                    self.exclude(slot, k);
                    return Ok(Step::Done);
                }
                Err(_) => {
                    self.learn(slot, k, source);
                    return Ok(Step::Done);
                }
            };
            let Some((key, kind)) = query else {
                all = true;
                continue;
            };
            // One subquery with the answer yes refutes k, so the disproof number is the least proof
            // number of the subqueries. To prove k, all subqueries must have the answer no.
            let numbers = ProofNumbers::new(disproof_sum, subquery_numbers.proof.into());
            if numbers.proof >= bounds.proof || numbers.disproof >= bounds.disproof {
                // A list stores the proof numbers of the query about one value. Those of queries
                // about other values are stored in the map.
                if !self.lists.store_query(list, k, numbers) {
                    self.store_proof_numbers(self.table.key(slot), k, numbers);
                }
                return Ok(Step::Done);
            }
            let kind = match kind {
                QueryKind::DepthFirst { k, .. } if source.moves(key) >= self.best_first_from => {
                    // Use the limits of df-pn. The subquery ends once another one is better by more
                    // than the tolerance. It also ends once the sum of all disproof numbers reaches
                    // its bound. The sum for the other subqueries is
                    // `numbers.proof - subquery_numbers.disproof`.
                    let limits = ProofNumbers {
                        proof: bounds
                            .disproof
                            .min(second.saturating_add(second / TOLERANCE_DIVISOR + 1)),
                        disproof: bounds.proof - (numbers.proof - subquery_numbers.disproof),
                    };
                    QueryKind::BestFirst { k, limits }
                }
                kind => kind,
            };
            return Ok(Step::Subquery(key, kind));
        }
    }

    /// Moves the options that may have the value k to the front of a list, unless this was done
    /// recently. Returns the range of these options in the lists, or `None` if an option has the
    /// value k.
    fn partition_options(
        &mut self,
        slot: usize,
        list: usize,
        k: u64,
        source: &dyn OptionSource,
    ) -> Option<(usize, usize)> {
        if let Some(open) = self.lists.open_range(list, k, self.steps) {
            return Some(open);
        }
        let mut partition = self.lists.start_partition(list, k);
        self.table
            .prefetch_tags(self.lists.words(partition.at, partition.end));
        while partition.at < partition.end {
            let test = self.test_sum(self.lists.option(partition.at), k, source);
            if let SumTest::Equal = test {
                self.lists.end_partition(list, None, partition);
                self.exclude(slot, k);
                return None;
            }
            let numbers = self.option_numbers(slot, &test, source);
            self.lists.set_numbers(partition.at, numbers);
            self.lists
                .partition_step(&mut partition, numbers != ProofNumbers::DISPROVED);
        }
        self.lists
            .end_partition(list, Some((k, self.steps)), partition);
        self.lists.open_range(list, k, self.steps)
    }

    /// Returns the proof numbers of the subquery about an option of the component in a slot. `test`
    /// is the result of testing the option. If `test` contains the value of the option, excludes
    /// this value for the component.
    fn option_numbers(
        &mut self,
        slot: usize,
        test: &SumTest,
        source: &dyn OptionSource,
    ) -> ProofNumbers {
        match *test {
            SumTest::OneUnknown { key, slot, k } => self.query_numbers(slot, key, k, source),
            // The values of all components but one must be found before the option can be tested.
            // The number of moves is used as the cost of this.
            SumTest::SeveralUnknown(_, moves) => ProofNumbers::new(moves.into(), 1),
            SumTest::Known(value) => {
                self.exclude(slot, value);
                ProofNumbers::DISPROVED
            }
            SumTest::Equal | SumTest::Different => ProofNumbers::DISPROVED,
        }
    }

    /// Returns the cheapest subquery of the query whether the component in a slot has the value k.
    /// The options that may have the value k are in the range from `start` to `end` of the lists.
    /// Fails with `SumTest::Equal` if an option has the value k, and with `SumTest::Different` if
    /// no subquery is left.
    ///
    /// Options are compared by their stored proof numbers. These numbers are computed again only
    /// for the best option.
    fn choose(
        &mut self,
        slot: usize,
        list: usize,
        (start, end): (usize, usize),
        k: u64,
        source: &dyn OptionSource,
    ) -> Result<Choice, SumTest> {
        let key = self.table.key(slot);
        loop {
            let mut subqueries = Subqueries::default();
            let mut at = start;
            while at < end {
                let numbers = self.lists.numbers(at);
                if numbers != ProofNumbers::DISPROVED {
                    subqueries.add(Subquery::Option(at), numbers);
                }
                at = self.lists.next_option(at);
            }
            let unlisted = self.lists.unlisted(list);
            if unlisted > 0 {
                let numbers = estimate_unlisted(unlisted, source.moves(key));
                subqueries.add(Subquery::Unlisted, numbers);
            }
            let mut smaller = self.table.possible(slot) & ((1 << k) - 1);
            while smaller != 0 {
                let k = u64::from(smaller.trailing_zeros());
                smaller &= smaller - 1;
                subqueries.add(
                    Subquery::Smaller(k),
                    self.query_numbers(slot, key, k, source),
                );
            }
            let Subqueries {
                best,
                second,
                disproof_sum,
            } = subqueries;
            let Some((subquery, stored)) = best else {
                return Err(SumTest::Different);
            };
            let (query, numbers) = match subquery {
                Subquery::Unlisted => (None, stored),
                Subquery::Smaller(k) => (Some((key, QueryKind::DepthFirst { k, next: 0 })), stored),
                Subquery::Option(at) => {
                    let test = self.test_sum(self.lists.option(at), k, source);
                    let numbers = self.option_numbers(slot, &test, source);
                    self.lists.set_numbers(at, numbers);
                    let query = match test {
                        SumTest::Equal => return Err(test),
                        SumTest::Known(_) | SumTest::Different => continue,
                        SumTest::OneUnknown { key, k, .. } => {
                            (key, QueryKind::DepthFirst { k, next: 0 })
                        }
                        SumTest::SeveralUnknown(key, _) => (key, QueryKind::Value),
                    };
                    (Some(query), numbers)
                }
            };
            // Stored proof numbers may be outdated. If the new proof number is not the least, scan
            // the options again. The new number is now in the list.
            if numbers.proof <= second {
                return Ok(Choice {
                    query,
                    numbers,
                    second,
                    // Correct the sum for the option whose numbers were computed again, which
                    // avoids another scan.
                    disproof_sum: disproof_sum - u64::from(stored.disproof)
                        + u64::from(numbers.disproof),
                });
            }
        }
    }

    /// Returns the proof numbers of the query whether a component has the value k.
    ///
    /// `slot` is the index of the component's slot in the table, or of the free slot in which it
    /// would be inserted. If no proof numbers are stored for this query, they are estimated.
    fn query_numbers(
        &self,
        slot: usize,
        key: u64,
        k: u64,
        source: &dyn OptionSource,
    ) -> ProofNumbers {
        let in_table = self.table.is_occupied(slot);
        let stored = || self.lists.stored_query(self.table.listed(slot)?);
        let known = in_table.then(|| match stored() {
            Some((value, numbers)) if value == k => Some(numbers),
            // The map contains proof numbers only if lists were evicted, or if a list has the
            // numbers of another value. In other cases skip the lookup.
            None if !self.evicted_lists => None,
            _ => self.numbers.get(&(key, k)).copied(),
        });
        let known = known.flatten();
        known.unwrap_or_else(|| {
            let moves = source.moves(key);
            estimate(moves.saturating_add(self.sharing.shift(key, moves)))
        })
    }
}
