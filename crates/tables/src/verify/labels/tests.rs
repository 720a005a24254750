//! For all small graphs, the verifier accepts exactly the true claims.

use super::*;

type Options = Vec<Vec<u32>>;

/// Returns every digraph with that number of positions, loops included.
fn graphs(positions: u32) -> impl Iterator<Item = Options> {
    // Bit `option` of the row says whether there is a move to that position.
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

/// Labels a graph by rounds, where round r decides the positions of remoteness r. This is the
/// definition, computed naively, and shares no code with the verifier.
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

/// Returns all lists of `length` elements of `of`.
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
fn true_labels_alone_are_accepted() {
    // With three positions no remoteness exceeds 2, so 0 to 3 includes impossible ones.
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

/// Computes the values of a graph from its sums with Nim heaps. A position has value m if its sum
/// with a heap of m is lost. Otherwise it is infinite, with the set of the heaps in whose sums the
/// next player wins. No value exceeds the number of options of a position.
fn by_sums(options: &Options) -> Vec<WrittenValue> {
    // Two heap sizes more than the largest possible value, so that impossible values show up as
    // well.
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
fn true_values_alone_are_accepted() {
    // Among the sets are impossible ones for three positions, which have to be refused.
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
        // Every eleventh graph on three positions, which keeps the test quick. The step is coprime
        // to the powers of 2 that number the graphs.
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
            // Any order of places may justify a true claim, and none may justify a false one.
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
fn what_has_another_shape_is_refused() {
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
    // Each text differs from the accepted certificate in one respect only.
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
    // There are no values in misère play.
    assert!(!read(
        r#"{"play": "misere", "options": [[]], "labels": ["N0"], "values": [0], "places": [0]}"#
    ));
}
