//! The verifier accepts the results of retrograde analysis, and rejects any other label or value.

use grundy_base::{Diagnostic, Limits, Loopy, Outcome, Play};
use grundy_core::Labelled;
use grundy_core::graph::Digraph;
use proptest::prelude::*;

use super::{Checked, Claims, Moves, VerifyError, Work, check_all};
use crate::Record;

/// A game graph, with the list of options of each vertex.
#[derive(Clone, Debug)]
struct Lists {
    options: Vec<Vec<u64>>,
    play: Play,
    descends: bool,
}

impl Moves for Lists {
    fn entries(&self) -> u64 {
        self.options.len() as u64
    }

    fn descends(&self) -> bool {
        self.descends
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        to.extend(&self.options[entry as usize]);
        Ok(())
    }

    fn end(&self, _: u64) -> Result<Outcome, Diagnostic> {
        Ok(Outcome::from_win(self.play == Play::Misere))
    }
}

/// Returns the records that the labelling computes for a graph.
fn records(game: &Lists) -> Vec<Record> {
    let edges = game.options.iter().zip(0u32..);
    let edges = edges.flat_map(|(to, from)| to.iter().map(move |&to| (from, to as u32)));
    let limits = Limits::none();
    let graph = Digraph::from_edges(game.options.len(), &edges.collect::<Vec<_>>());
    let labelled = Labelled::of_graph(&graph, game.play, &limits).unwrap();
    let record = |entry: u32| {
        let label = labelled.label(entry);
        Record {
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: labelled.value_in(&graph, entry),
            best: best(game, &labelled, entry),
        }
    };
    (0..game.options.len() as u32).map(record).collect()
}

const WORK: Work<'static> = Work {
    threads: 1,
    limits: Limits {
        positions: u64::MAX,
        memory: u64::MAX,
        interrupted: &|| None,
        visited: None,
    },
    progress: &|_| (),
};

/// Returns the result of the verifier for a graph and the claimed records.
fn checked(game: &Lists, records: &[Record]) -> Result<Checked, VerifyError> {
    check_all(&Claims::of_records(game.play, records)?, game, &WORK)
}

fn graph(descends: bool) -> impl Strategy<Value = Lists> {
    (2usize..9, any::<bool>()).prop_flat_map(move |(length, misere)| {
        let lists = (0..length).map(|entry| {
            // In a descending graph, options are smaller than the entry, so entry 0 has none.
            let below = if descends { entry } else { length } as u64;
            let most = if below == 0 { 0 } else { 4 };
            proptest::collection::vec(0..below.max(1), 0..=most)
        });
        lists.collect::<Vec<_>>().prop_map(move |options| Lists {
            options,
            play: if misere { Play::Misere } else { Play::Normal },
            descends,
        })
    })
}

/// Returns the first optimal move of an entry, if there is one.
fn best(game: &Lists, labelled: &Labelled, entry: u32) -> Option<u64> {
    let label = labelled.label(entry);
    let good = |&&to: &&u64| {
        let reached = labelled.label(to as u32);
        let moves = reached.remoteness.map(|moves| moves + 1);
        moves == label.remoteness
            && (reached.outcome == Outcome::P) == (label.outcome == Outcome::N)
    };
    game.options[entry as usize].iter().find(good).copied()
}

/// Returns all small variants of a record, each with another label (outcome and remoteness),
/// another value or another best move. Some of the variants are plausible.
fn others(record: &Record) -> Vec<Record> {
    let mut all = Vec::new();
    let labels = [Outcome::N, Outcome::P, Outcome::D]
        .into_iter()
        .flat_map(|outcome| {
            // Remoteness ranges up to 4, which is enough for such small graphs.
            let moves = (0..5).map(Some).filter(move |_| outcome != Outcome::D);
            moves
                .chain((outcome == Outcome::D).then_some(None))
                .map(move |moves| (outcome, moves))
        });
    for (outcome, remoteness) in labels {
        all.push(Record {
            outcome,
            remoteness,
            ..record.clone()
        });
    }
    if record.value.is_some() {
        let finite = (0..4).map(Loopy::Finite);
        let infinite = [vec![], vec![0], vec![1], vec![0, 1], vec![0, 2]].map(Loopy::Infinite);
        for value in finite.chain(infinite) {
            all.push(Record {
                value: Some(value),
                ..record.clone()
            });
        }
    }
    let moves = (0..9).map(Some).chain([None]);
    all.extend(moves.map(|best| Record {
        best,
        ..record.clone()
    }));
    all.retain(|other| other != record);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn only_true_tables_are_accepted(game in prop_oneof![graph(false), graph(true)]) {
        let truth = records(&game);
        let options = game.options.iter().map(Vec::len).sum::<usize>() as u64;
        let values = game.play == Play::Normal;
        let expected = Checked { entries: truth.len() as u64, options, values };
        prop_assert_eq!(checked(&game, &truth), Ok(expected));
        for entry in 0..truth.len() {
            // There may be several optimal moves, and the verifier accepts each of them.
            let equal = |best: Option<u64>| {
                best.is_some_and(|to| {
                    let (to, known) = (&truth.get(to as usize), truth[entry].best);
                    let known = known.map(|known| &truth[known as usize]);
                    let label = |record: &Record| (record.outcome, record.remoteness);
                    to.map(label) == known.map(label)
                }) && game.options[entry].contains(&best.unwrap_or(u64::MAX))
            };
            for other in others(&truth[entry]) {
                if other.best != truth[entry].best && equal(other.best) {
                    // This record is right as well: it has another optimal move.
                    continue;
                }
                let mut claimed = truth.clone();
                claimed[entry] = other;
                let refused = checked(&game, &claimed);
                prop_assert!(matches!(refused, Err(VerifyError::Wrong(_))), "{entry}: {refused:?}");
            }
        }
    }
}
