//! Tests that the verifier accepts exactly the true claims about all small graphs.

use super::*;

type Options = Vec<Vec<u32>>;

/// Returns all directed graphs with `positions` vertices, including those with loops.
fn graphs(positions: u32) -> impl Iterator<Item = Options> {
    // Bit `option` of `bits` states whether there is a move to position `option`.
    let row = move |bits: u32| {
        (0..positions)
            .filter(|option| bits >> option & 1 == 1)
            .collect()
    };
    (0..1 << (positions * positions)).map(move |bits: u32| {
        (0..positions)
            .map(|position| row(bits >> (position * positions)))
            .collect()
    })
}

/// Labels a graph in rounds: round r labels the positions of remoteness r. The code follows the
/// definition and is independent of the verifier.
fn by_rounds(options: &Options, play: WrittenPlay) -> Vec<Label> {
    let mut labels: Vec<Option<Label>> = vec![None; options.len()];
    for moves in 0.. {
        let before = labels.clone();
        let label = |&option: &u32| before[option as usize];
        for (row, own) in options.iter().zip(&mut labels) {
            let lost = |option| matches!(label(option), Some(Label::Lost(_)));
            let won = |option| matches!(label(option), Some(Label::Won(_)));
            *own = match own {
                Some(label) => Some(*label),
                None if row.is_empty() && play == WrittenPlay::Normal => Some(Label::Lost(0)),
                None if row.is_empty() => Some(Label::Won(0)),
                None if row.iter().any(lost) => Some(Label::Won(moves)),
                None if row.iter().all(won) => Some(Label::Lost(moves)),
                None => None,
            };
        }
        if labels == before {
            break;
        }
    }
    (labels.into_iter())
        .map(|label| label.unwrap_or(Label::Drawn))
        .collect()
}

/// Returns all lists of length `length` with elements from `of`.
fn lists<T: Clone>(of: &[T], length: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all = (all.iter())
            .flat_map(|list| {
                (of.iter()).map(move |one| [list.as_slice(), std::slice::from_ref(one)].concat())
            })
            .collect();
    }
    all
}

fn accepts(claim: &Claim) -> bool {
    claim.check(&Limits::none()).is_ok()
}

#[test]
fn only_true_labels_are_accepted() {
    // In a graph with three positions no remoteness exceeds 2. So the range from 0 to 3 also
    // includes impossible labels.
    let possible: Vec<Label> = (0..4)
        .flat_map(|moves| [Label::Won(moves), Label::Lost(moves)])
        .chain([Label::Drawn])
        .collect();
    for positions in 0..=3 {
        let claimed = lists(&possible, positions as usize);
        for options in graphs(positions) {
            for play in [WrittenPlay::Normal, WrittenPlay::Misere] {
                let claim = |labels: &[Label]| Claim {
                    play,
                    positions: None,
                    options: options.clone(),
                    labels: labels.to_vec(),
                    values: None,
                    places: None,
                };
                let mut accepted = claimed.iter().filter(|labels| accepts(&claim(labels)));
                let truth = by_rounds(&options, play);
                assert_eq!(accepted.next(), Some(&truth), "{options:?} {play:?}");
                assert_eq!(accepted.next(), None, "{options:?} {play:?}");
            }
        }
    }
}

/// Computes the values of a graph from its sums with Nim heaps. A position has value m if the
/// player to move loses its sum with a heap of size m. If there is no such m, the value is
/// infinite. The set of an infinite value consists of the heap sizes for which the player to move
/// wins the sum. A finite value is at most the number of options.
fn by_sums(options: &Options) -> Vec<WrittenValue> {
    // The heap sizes exceed the largest possible value by two, so that impossible values are found
    // as well.
    let heaps = u32::try_from(options.len()).unwrap() + 2;
    let number = |position: u32, heap: u32| position * heaps + heap;
    let positions = 0..u32::try_from(options.len()).unwrap();
    let sums: Options = (positions.clone())
        .flat_map(|position| (0..heaps).map(move |heap| (position, heap)))
        .map(|(position, heap)| {
            (options[position as usize].iter())
                .map(|&option| number(option, heap))
                .chain((0..heap).map(|smaller| number(position, smaller)))
                .collect()
        })
        .collect();
    let labels = by_rounds(&sums, WrittenPlay::Normal);
    let label = |position, heap| labels[number(position, heap) as usize];
    (positions)
        .map(|position| {
            match (0..heaps).find(|&heap| matches!(label(position, heap), Label::Lost(_))) {
                Some(value) => WrittenValue::Number(value),
                None => WrittenValue::Infinite(
                    (0..heaps)
                        .filter(|&heap| matches!(label(position, heap), Label::Won(_)))
                        .collect(),
                ),
            }
        })
        .collect()
}

#[test]
fn only_true_values_are_accepted() {
    // Some of these sets are impossible for three positions. They have to be rejected.
    let sets = [&[][..], &[0], &[1], &[0, 1], &[2], &[0, 2]];
    let sets = sets.map(|set| WrittenValue::Infinite(set.to_vec()));
    let possible: Vec<WrittenValue> = (0..3).map(WrittenValue::Number).chain(sets).collect();
    for positions in 0..=3 {
        let (claimed, orders) = (
            lists(&possible, positions as usize),
            lists(
                &(0..u64::from(positions)).collect::<Vec<_>>(),
                positions as usize,
            ),
        );
        // With three positions, only every eleventh graph is tested, to keep the test quick. Graphs
        // are numbered by bits, and 11 is coprime to the powers of 2.
        let step = if positions == 3 { 11 } else { 1 };
        for options in graphs(positions).step_by(step) {
            let labels = by_rounds(&options, WrittenPlay::Normal);
            let mut claim = Claim {
                play: WrittenPlay::Normal,
                positions: None,
                labels,
                options,
                values: None,
                places: None,
            };
            let truth = by_sums(&claim.options);
            // For a true claim, at least one order of places is accepted. For a false claim, none
            // is.
            for values in &claimed {
                claim.values = Some(values.clone());
                let accepted = orders.iter().any(|places| {
                    claim.places = Some(places.clone());
                    accepts(&claim)
                });
                assert_eq!(accepted, *values == truth, "{:?} {values:?}", claim.options);
            }
        }
    }
}

#[test]
fn malformed_certificates_are_rejected() {
    let read = |text: &str| {
        let claim: Value = serde_json::from_str(text).unwrap();
        labels(&claim, &Limits::none()).is_ok()
    };
    let round = r#""play": "normal", "options": [[1], [2], []]"#;
    let labelled = r#""labels": ["P2", "N1", "P0"]"#;
    assert!(read(&format!("{{{round}, {labelled}}}")));
    assert!(read(&format!(
        r#"{{{round}, {labelled}, "positions": ["a", "b", "c"], "values": [0, 1, 0], "places": [1, 0, 0]}}"#
    )));
    // Each text differs from an accepted certificate in one respect.
    for wrong in [
        r#""labels": ["P2", "N1"]"#,
        r#""labels": ["P2", "N1", "P0", "P0"]"#,
        r#""labels": ["P2", "N1", "P00"]"#,
        r#""labels": ["P2", "N+1", "P0"]"#,
        r#""labels": ["P2", "N1", "p0"]"#,
        r#""labels": ["P2", "N1", ""]"#,
        r#""labels": ["P2", "N1", "D0"]"#,
        r#""labels": ["P2", "N1", "P4294967296"]"#,
        r#""labels": ["P2", "N1", "Pé"]"#,
        r#""labels": ["P2", "N1", 0]"#,
        r#""labels": null"#,
        r#""labels": ["P2", "N1", "P0"], "positions": ["a", "b"]"#,
        r#""labels": ["P2", "N1", "P0"], "positions": ["a", "b", "a"]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, 1, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "places": [1, 0, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, 1], "places": [1, 0, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, 1, 0], "places": [0, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, 1, -1], "places": [1, 0, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, {"infinity": [1, 0]}, 0], "places": [1, 0, 0]"#,
        r#""labels": ["P2", "N1", "P0"], "values": [0, {"infinity": [0], "more": 1}, 0], "places": [1, 0, 0]"#,
    ] {
        assert!(!read(&format!("{{{round}, {wrong}}}")), "{wrong}");
    }
    assert!(!read(&format!(
        r#"{{"play": "normal", "options": [[1], [2], [3]], {labelled}}}"#
    )));
    assert!(!read(&format!(
        r#"{{"play": "partizan", "options": [[1], [2], []], {labelled}}}"#
    )));
    // Misère play has no values.
    assert!(!read(
        r#"{"play": "misere", "options": [[]], "labels": ["N0"], "values": [0], "places": [0]}"#
    ));
}
