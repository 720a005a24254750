//! Tests that compare pictures of every kind of step with the expected files, byte by byte.
//!
//! `GRUNDY_BLESS=1 cargo test -p grundy-draw --test all steps::` overwrites the expected pictures.
//! Inspect them before committing.

use std::path::Path;

use grundy_core::Outcome;
use grundy_core::picture::Picture;
use grundy_core::step::Step;
use grundy_draw::DrawnComponent;
use grundy_draw::step::{BinaryColumns, Residue, Stage, StepPicture, svg};

fn stage(index: Option<u64>, outcome: Outcome, names: &[&str]) -> Stage {
    Stage {
        index,
        outcome,
        names: names.iter().map(|&name| name.to_owned()).collect(),
        count: names.len() as u64 + 1,
    }
}

/// Returns the pictures of steps about numbers, each with the name of its expected file.
fn numbers() -> Vec<(&'static str, StepPicture)> {
    let columns = |changed, column| {
        StepPicture::Columns(BinaryColumns {
            numbers: vec![3, 4, 5],
            modulus: 2,
            changed,
            column,
        })
    };
    vec![
        ("columns", columns(None, Some(2))),
        ("columns-changed", columns(Some((0, 1)), None)),
        (
            "columns-modulo",
            StepPicture::Columns(BinaryColumns {
                numbers: vec![3, 4, 5],
                modulus: 3,
                ..BinaryColumns::default()
            }),
        ),
        (
            "mex",
            StepPicture::Mex {
                values: vec![0, 1, 3, 6],
                missing: 2,
            },
        ),
        (
            "mex-far",
            StepPicture::Mex {
                values: (0..90).chain([400]).collect(),
                missing: 90,
            },
        ),
        (
            "residue",
            StepPicture::Residue(Residue {
                size: 100,
                preperiod: 3,
                period: 7,
                saltus: 2,
                value: 27,
                values: vec![0, 1, 0, 1, 2, 3, 1],
            }),
        ),
        (
            "residue-long",
            StepPicture::Residue(Residue {
                size: 1000,
                preperiod: 52,
                period: 34,
                ..Residue::default()
            }),
        ),
    ]
}

/// Returns the pictures of steps about positions, each with the name of its expected file.
fn positions() -> Vec<(&'static str, StepPicture)> {
    vec![
        (
            "stages",
            StepPicture::Stages(vec![
                stage(Some(0), Outcome::P, &["c", "a < b"]),
                stage(Some(1), Outcome::N, &["d", "e"]),
            ]),
        ),
        (
            "cycle",
            StepPicture::Cycle(vec!["a".into(), "b".into(), "c".into()]),
        ),
        ("squares", StepPicture::Squares(vec![3, 1, 1, 3])),
        (
            "zeckendorf",
            StepPicture::Zeckendorf {
                parts: vec![13, 5, 2],
                most: 4,
            },
        ),
        ("staircase", StepPicture::Staircase(vec![3, 1, 4])),
        ("pairs", StepPicture::Pairs(vec![2, 4, 7, 8, 11])),
        (
            "rows",
            StepPicture::Rows {
                width: 8,
                rows: vec![[0, 3], [7, 2]],
            },
        ),
        (
            "heads",
            StepPicture::Heads {
                heads: vec![2, 5, 6],
                values: vec![2, 8, 11],
            },
        ),
        (
            "values",
            StepPicture::Values {
                values: vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]],
                piece: [1, 2],
            },
        ),
        (
            "positions",
            StepPicture::Positions(vec![
                DrawnComponent::new("nim(3, 4)".into(), Picture::Heaps(vec![3, 4])),
                DrawnComponent::new("nim(3, 3)".into(), Picture::Heaps(vec![3, 3])),
            ]),
        ),
    ]
}

#[test]
fn pictures_of_every_kind_match_the_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pictures/steps");
    let say = |step: &Step| {
        let arguments: Vec<String> = step
            .args
            .iter()
            .map(|(name, it)| format!("{name}={it:?}"))
            .collect();
        format!("{} {}", step.code, arguments.join(" "))
    };
    let bless = std::env::var_os("GRUNDY_BLESS").is_some();
    for (name, picture) in numbers().into_iter().chain(positions()) {
        // The title contains characters that XML must escape.
        let drawn = svg(&picture, "a claim with < and &", &say);
        assert!(
            drawn.contains("a claim with &lt; and &amp;") && !drawn.contains("NaN"),
            "{name}"
        );
        assert!(
            !drawn.contains("<script") && !drawn.contains("style="),
            "{name}"
        );
        let file = folder.join(format!("{name}.svg"));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &drawn).unwrap();
        }
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(drawn, known, "{name}");
    }
}
