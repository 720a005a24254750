//! `grundy verify DIR`: tablebases that `label` wrote are accepted, for every kind of game, whether
//! positions are found by name or by rank. A forged tablebase is rejected with a position that
//! refutes it.

use std::fs;
use std::path::Path;

use crate::program::{folder, grundy};
use grundy_core::{Limits, Outcome, Play};
use grundy_tablebase::{
    About, GameKind, Manifest, RankedTable, Record, Rows, Tally, write, write_ranked,
};
use serde_json::Value;

fn verified(table: &Path, more: &[&str]) -> Value {
    let table = table.to_str().unwrap();
    let out = grundy(&[&["verify", table, "--json"][..], more].concat());
    assert!(
        out.status.success(),
        "{table}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).unwrap()
}

#[test]
fn every_kind_of_table_is_accepted() {
    let folder = folder("verify-kinds");
    let moves = folder.join("moves.csv");
    fs::write(&moves, "from,to\na,b\nb,a\nb,c\nc,d\nd,b\ne,e\ne,c\n").unwrap();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rules/");
    let file = |name: &str| format!("{rules}{name}.star");
    let [squares, tie, toads] = ["squares", "tic_tac_toe", "toads_and_frogs"].map(file);
    let moves = moves.to_str().unwrap();
    // Each case: the arguments of `label`, the number of entries or 0 if it is not known in
    // advance, and `true` if the table has values.
    let cases: &[(&[&str], u64, bool)] = &[
        (&["chomp(4, 4, 2)", "--best-move"], 30, true),
        (&["chomp(4, 4, 2)", "--ranked"], 32, false),
        (&["chomp(4, 4, 2)", "--ranked", "--misere"], 32, false),
        (&["nim(3, 5, 6)", "--ranked", "--values"], 168, true),
        (&["nim(3, 5)", "--misere"], 24, false),
        (&["cram(board(2, 3))", "--ranked", "--values"], 64, true),
        (&["domineering(board(2, 3))", "--ranked"], 128, false),
        (&["domineering(board(2, 3))"], 0, false),
        (&[moves], 5, true),
        (&[moves, "--best-move"], 5, true),
        (&[moves, "--misere"], 5, false),
        (&["--rules", &squares, "game(moves, 60)"], 61, true),
        (&["--rules", &tie, "game(moves, 'XO.OX....')"], 0, false),
        (
            &["--rules", &toads, "game(rules, 'TT.FF')", "--best-move"],
            46,
            false,
        ),
        (&["northcott(4, [[0, 3], [1, 2]])"], 0, false),
    ];
    for (number, (arguments, entries, values)) in cases.iter().enumerate() {
        let table = folder.join(format!("table{number}"));
        let name = table.to_str().unwrap();
        let out = grundy(&[&["label"], *arguments, &["--tablebase", name]].concat());
        assert!(
            out.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        for more in [
            &[][..],
            &["--threads", "1"],
            &["--sample", "40", "--seed", "7"],
        ] {
            let answer = verified(&table, more);
            assert_eq!(answer["valid"], true);
            assert_eq!(answer["values"], *values, "{arguments:?}");
            let sample = more.first() == Some(&"--sample");
            assert_eq!(answer["sample"], sample);
            if sample {
                assert_eq!(answer["entries"], 40);
            } else if *entries > 0 {
                assert_eq!(answer["entries"], *entries, "{arguments:?}");
            }
        }
        let card = fs::read_to_string(table.join("README.md")).unwrap();
        assert!(card.contains("grundy verify DIR"), "{card}");
        assert!(
            fs::read_to_string(table.join("moves.svg"))
                .unwrap()
                .contains("</svg>")
        );
    }
}

// The counts and names in the manifest are claims as well.
#[test]
fn a_manifest_with_wrong_counts_is_rejected() {
    let folder = folder("verify-counts");
    let moves = folder.join("moves.csv");
    fs::write(&moves, "from,to\na,b\nb,a\nb,c\nc,d\nd,b\ne,e\ne,c\n").unwrap();
    for (name, arguments) in [
        ("sorted", &["chomp(4, 4, 2)", "--best-move"][..]),
        ("ranked", &["domineering(board(2, 3))", "--ranked"]),
        ("graph", &[moves.to_str().unwrap(), "--best-move"]),
    ] {
        let table = folder.join(name);
        let written = grundy(
            &[
                &["label"],
                arguments,
                &["--tablebase", table.to_str().unwrap()],
            ]
            .concat(),
        );
        assert!(written.status.success(), "{written:?}");
        let file = table.join("manifest.json");
        let whole = fs::read_to_string(&file).unwrap();
        let forge = |forged: &Manifest, why: &str| {
            fs::write(&file, forged.text()).unwrap();
            let out = grundy(&["verify", table.to_str().unwrap()]);
            let said = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{name}: {why}");
            assert!(said.contains(why), "{name}: {why}: {said}");
        };
        let truth = Manifest::of_text("manifest.json", &whole).unwrap();
        let tally = truth.outcomes;
        for (outcomes, outcome) in [
            (
                Tally {
                    n: tally.n + 1,
                    ..tally
                },
                "N",
            ),
            (
                Tally {
                    p: tally.p + 7,
                    ..tally
                },
                "P",
            ),
            (
                Tally {
                    d: tally.d + 1,
                    ..tally
                },
                "D",
            ),
        ] {
            let forged = Manifest {
                outcomes,
                ..truth.clone()
            };
            forge(
                &forged,
                &format!("entries with outcome {outcome}, but there are"),
            );
        }
        for (at, column) in truth.columns.iter().enumerate() {
            let mut forged = truth.clone();
            forged.columns[at].rows += 1;
            let (rows, said, name) = (column.rows, column.rows + 1, &column.name);
            let why = format!("{said} rows of the column {name}, but there are {rows}");
            forge(&forged, &why);
        }
        let mut forged = truth.clone();
        forged.hardest.push("nothing".to_owned());
        forge(
            &forged,
            "the list of hardest positions in the manifest is wrong",
        );
        fs::write(&file, &whole).unwrap();
        verified(&table, &[]);
    }
}

/// Labels of positions, by name: the outcome and the remoteness.
struct Labels(Vec<(&'static str, Outcome, u32)>);

impl Rows for Labels {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    fn key(&self, number: u32) -> &str {
        self.0[number as usize].0
    }

    fn record(&self, number: u32) -> Record {
        let (_, outcome, moves) = self.0[number as usize];
        Record {
            outcome,
            remoteness: Some(moves),
            value: None,
            best: None,
        }
    }

    fn has_values(&self) -> bool {
        false
    }

    fn has_moves(&self) -> bool {
        false
    }
}

fn about(game: &str) -> About {
    About {
        game: game.to_owned(),
        rules: None,
        graph: None,
        play: Play::Normal,
        kind: GameKind::Impartial,
        command: "grundy label".to_owned(),
        program: "0".to_owned(),
    }
}

#[test]
fn forged_entries_are_rejected_with_the_position() {
    let folder = folder("verify-made-up");
    let named = |name: &str, labels: Labels| {
        let table = folder.join(name);
        write(
            &table,
            &about("nim(3)"),
            &labels,
            &|_| Ok(Vec::new()),
            &Limits::none(),
        )
        .unwrap();
        table
    };
    let truth = || {
        vec![
            ("nim(0)", Outcome::P, 0),
            ("nim(1)", Outcome::N, 1),
            ("nim(2)", Outcome::N, 1),
            ("nim(3)", Outcome::N, 1),
        ]
    };
    verified(&named("right", Labels(truth())), &[]);
    // `slow` has the right outcome with a wrong remoteness; `short` lacks a reachable position.
    let mut slow = truth();
    slow[2].2 = 3;
    let mut short = truth();
    short.remove(1);
    // The ranked table claims that 3 is a P-position, although 3 -> 0 reaches one.
    let ranked = folder.join("ranked");
    let record = |rank: u64| {
        Ok(Record {
            outcome: Outcome::from_win(rank != 0 && rank != 3),
            remoteness: Some(u32::from(rank != 0 && rank != 3)),
            value: None,
            best: None,
        })
    };
    let game = RankedTable {
        positions: 4,
        has_values: false,
        record,
        name: |rank: u64| Ok(format!("nim({rank})")),
    };
    write_ranked(
        &ranked,
        &about("nim(3)"),
        &game,
        &|_| Ok(Vec::new()),
        &Limits::none(),
        None,
    )
    .unwrap();
    for (table, place, why) in [
        (
            named("slow", Labels(slow)),
            "nim(2)",
            "its label is N3, but some options are P-positions, and the one that ends the game soonest has label P0",
        ),
        (
            named("short", Labels(short)),
            "nim(1)",
            "a move leads to nim(1), which is not in the tablebase",
        ),
        (
            ranked,
            "nim(3)",
            "its label is P0, but some options are P-positions, and the one that ends the game soonest has label P0",
        ),
    ] {
        for more in [&[][..], &["--sample", "200"]] {
            let out = grundy(&[&["verify", table.to_str().unwrap()][..], more].concat());
            let said = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{said}");
            assert!(said.contains(place) && said.contains(why), "{said}");
        }
    }
}
