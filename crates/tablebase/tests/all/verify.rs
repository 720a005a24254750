//! Verification of tablebases on disk.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_core::graph::Digraph;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Labelled, Limits, Outcome, Play};
use grundy_tablebase::verify::{Moves, VerifyError, Work, verify, verify_sample};
use grundy_tablebase::{About, GameKind, Record, Rows, Tablebase, write};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A graph with its options as lists.
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

/// Records with their keys in ascending order.
struct Keyed {
    keys: Vec<String>,
    records: Vec<Record>,
    values: bool,
}

impl Rows for Keyed {
    fn len(&self) -> u32 {
        self.keys.len() as u32
    }

    fn key(&self, number: u32) -> &str {
        &self.keys[number as usize]
    }

    fn record(&self, number: u32) -> Record {
        self.records[number as usize].clone()
    }

    fn has_values(&self) -> bool {
        self.values
    }

    fn has_moves(&self) -> bool {
        false
    }
}

/// Returns the records that the labelling computes.
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
            best: None,
        }
    };
    (0..game.options.len() as u32).map(record).collect()
}

fn table(name: &str, game: &Lists, records: Vec<Record>) -> Tablebase {
    let folder = folder(name);
    // Padded numbers, so that the order of the keys is that of the vertices.
    let keys = (0..records.len()).map(|n| format!("{n:09}")).collect();
    let values = game.play == Play::Normal;
    let rows = Keyed {
        keys,
        records,
        values,
    };
    let about = About {
        game: "a graph".to_owned(),
        rules: None,
        graph: None,
        play: game.play,
        kind: GameKind::Impartial,
        command: "grundy label".to_owned(),
        program: "0".to_owned(),
    };
    write(&folder, &about, &rows, &|_| Ok(Vec::new()), &Limits::none()).unwrap();
    Tablebase::open(&folder).unwrap()
}

fn work(threads: usize) -> Work<'static> {
    Work {
        threads,
        limits: Limits::none(),
        progress: &|_| (),
    }
}

#[test]
fn circular_finite_values_are_rejected() {
    // Two vertices that lead to each other and to an end. The values 1 and 2 are the mex of the
    // options at every vertex, and yet both values are infinite. Only condition (2) rejects them.
    let game = Lists {
        options: vec![vec![], vec![0, 2], vec![0, 1]],
        play: Play::Normal,
        descends: false,
    };
    let mut claimed = records(&game);
    assert_eq!(claimed[1].value, Some(Loopy::Infinite(vec![0])));
    claimed[1].value = Some(Loopy::Finite(1));
    claimed[2].value = Some(Loopy::Finite(2));
    let mut found = table("waiting", &game, claimed);
    let Err(VerifyError::Wrong(wrong)) = verify(&mut found, &game, &work(1)) else {
        panic!("it is accepted");
    };
    assert_eq!(wrong.entry, 1);
    assert!(
        wrong.why.contains("the derivation is circular"),
        "{}",
        wrong.why.to_string()
    );
}

#[test]
fn the_first_wrong_entry_is_reported_on_any_number_of_cores() {
    // Seven chunks of 8192 entries, three of them with a wrong value. The true values are at most
    // 3, so 9 is wrong everywhere.
    let options = (0..50_000u64).map(|n| {
        [1, 3, 4]
            .into_iter()
            .filter(|&k| k <= n)
            .map(|k| n - k)
            .collect()
    });
    let game = Lists {
        options: options.collect(),
        play: Play::Normal,
        descends: true,
    };
    let mut claimed = records(&game);
    for entry in [41_234usize, 20_003, 49_999] {
        claimed[entry].value = Some(Loopy::Finite(9));
    }
    let mut found = table("first", &game, claimed);
    for threads in [1, 2, 5] {
        let Err(VerifyError::Wrong(wrong)) = verify(&mut found, &game, &work(threads)) else {
            panic!("it is accepted");
        };
        assert_eq!(wrong.entry, 20_003);
    }
}

#[test]
fn a_game_of_another_size_or_with_other_moves_is_refused() {
    let game = Lists {
        options: vec![vec![], vec![0], vec![0, 1]],
        play: Play::Normal,
        descends: true,
    };
    let truth = records(&game);
    let mut found = table("size", &game, truth);
    let smaller = Lists {
        options: game.options[..2].to_vec(),
        ..game.clone()
    };
    assert!(matches!(
        verify(&mut found, &smaller, &work(1)),
        Err(VerifyError::Failed(_))
    ));
    let outside = Lists {
        // An option beyond the table.
        options: vec![vec![], vec![0], vec![0, 7]],
        descends: false,
        ..game.clone()
    };
    assert!(matches!(
        verify(&mut found, &outside, &work(1)),
        Err(VerifyError::Wrong(_))
    ));
    let climbing = Lists {
        // A game that claims to descend but has an option equal to its entry.
        options: vec![vec![], vec![0], vec![0, 2]],
        ..game
    };
    assert!(matches!(
        verify(&mut found, &climbing, &work(1)),
        Err(VerifyError::Wrong(_))
    ));
}

#[test]
fn a_sample_is_read_from_the_disk() {
    for play in [Play::Normal, Play::Misere] {
        // Cycles, a loop, a repeated option and an end.
        let options = vec![
            vec![],
            vec![0, 2],
            vec![0, 1],
            vec![3, 1],
            vec![0, 1, 3],
            vec![0, 0],
        ];
        let game = Lists {
            options,
            play,
            descends: false,
        };
        let mut truth = records(&game);
        let mut found = table("sample", &game, truth.clone());
        let all = verify(&mut found, &game, &work(2)).unwrap();
        assert_eq!((all.entries, all.options), (6, 11));
        let every = verify_sample(&mut found, &game, 0..6, &work(1));
        assert_eq!(every, Ok(all));
        // Vertex 5 leads to the end only, so it cannot be drawn.
        truth[5].outcome = Outcome::D;
        truth[5].remoteness = None;
        let mut found = table("sample", &game, truth);
        assert!(matches!(
            verify_sample(&mut found, &game, [5], &work(1)),
            Err(VerifyError::Wrong(_))
        ));
        // The sample does not contain the wrong entry or its predecessors, so it is accepted.
        let left = verify_sample(&mut found, &game, [0, 1], &work(1)).unwrap();
        assert_eq!((left.entries, left.options), (2, 2));
    }
}
