//! Tests that intact tablebases contain the rows that were written, and that damaged tablebases are
//! rejected.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grundy_core::implicit::dense::{self, Ranked as _};
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Kind, Limits, Outcome, Play, Stop};
use grundy_tablebase::{
    About, CheckpointSchedule, GameKind, Keys, OptionalColumns, RankedTable, Record, RowWriter,
    Rows, Tablebase, Tally, check_free, write, write_ranked, write_rows,
};
use proptest::prelude::*;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Returns the description of a game in normal play.
fn about(game: &str) -> About {
    About {
        game: game.to_owned(),
        rules: None,
        graph: None,
        play: Play::Normal,
        kind: GameKind::Impartial,
        command: String::new(),
        program: "test".to_owned(),
    }
}

/// Rows as lists.
#[derive(Debug)]
struct Listed {
    keys: Vec<String>,
    records: Vec<Record>,
    moves: bool,
}

impl Rows for Listed {
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
        self.records.iter().any(|record| record.value.is_some())
    }

    fn has_moves(&self) -> bool {
        self.moves
    }
}

fn value() -> impl Strategy<Value = Option<Loopy>> {
    prop_oneof![
        Just(None),
        (0u64..300).prop_map(|value| Some(Loopy::Finite(value))),
        // Sets of numbers below 5, so that several entries share a set.
        proptest::collection::btree_set(0u64..5, 0..3)
            .prop_map(|set| Some(Loopy::Infinite(set.into_iter().collect()))),
    ]
}

fn record(rows: usize) -> impl Strategy<Value = Record> {
    let outcome = prop_oneof![Just(Outcome::N), Just(Outcome::P), Just(Outcome::D)];
    // Up to 70,000, so that columns are one, two and four bytes wide.
    let remoteness = prop_oneof![Just(None), (0u32..=70_000).prop_map(Some)];
    let best = proptest::option::of(0..rows as u64);
    (outcome, remoteness, value(), best).prop_map(|(outcome, remoteness, value, best)| Record {
        outcome,
        remoteness,
        value,
        best,
    })
}

fn listed() -> impl Strategy<Value = Listed> {
    // Reversed, so that the writer has to sort.
    let keys = proptest::collection::btree_set("[ -~é]{0,9}", 1..60);
    (keys, any::<bool>()).prop_flat_map(|(keys, moves)| {
        let keys: Vec<String> = keys.into_iter().rev().collect();
        let records = proptest::collection::vec(record(keys.len()), keys.len());
        records.prop_map(move |records| Listed {
            keys: keys.clone(),
            records,
            moves,
        })
    })
}

/// Checks that the table has exactly the rows that were written.
fn assert_holds(folder: &Path, rows: &Listed) {
    let mut table = Tablebase::open(folder).unwrap();
    table.check().unwrap();
    for (key, record) in rows.keys.iter().zip(&rows.records) {
        let mut found = table.probe(key).unwrap().expect("it was written");
        let best = found.best.take().map(|row| table.position(row).unwrap());
        let expected = record.best.filter(|_| rows.moves);
        let expected = expected.map(|number| rows.keys[number as usize].clone());
        assert_eq!(best, expected);
        let mut expected = record.clone();
        expected.best = None;
        assert_eq!(found, expected);
        // A key with a 0 byte appended is the next text in byte order, so it is searched in the
        // same block.
        let longer = format!("{key}\u{0}");
        assert_eq!(table.probe(&longer).unwrap(), None);
    }
    let count = |outcome| {
        rows.records
            .iter()
            .filter(|record| record.outcome == outcome)
            .count()
    };
    let [n, p, d] = [Outcome::N, Outcome::P, Outcome::D].map(|outcome| count(outcome) as u64);
    assert_eq!(table.manifest().outcomes, Tally { n, p, d });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn written_records_are_found(rows in listed()) {
        let folder = folder("found");
        write(&folder, &about("a game"), &rows, &|_| Ok(Vec::new()), &Limits::none()).unwrap();
        assert_holds(&folder, &rows);
    }
}

/// Returns many rows with keys of very different lengths, so that the tree has several levels.
fn many() -> Listed {
    let key = |n: u32| match n % 1000 {
        0 => format!("{}{n}", "long ".repeat(20_000)),
        _ => format!("position number {n} with a name"),
    };
    let rows = 100_000u32;
    Listed {
        keys: (0..rows).map(key).collect(),
        records: (0..rows)
            .map(|n| Record {
                outcome: if n % 3 == 0 { Outcome::P } else { Outcome::N },
                remoteness: Some(n % 300),
                value: Some(Loopy::Finite((n % 3).into())),
                best: Some((n / 2).into()),
            })
            .collect(),
        moves: true,
    }
}

#[test]
fn a_lookup_reads_few_blocks() {
    let (folder, rows) = (folder("few"), many());
    write(
        &folder,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    let blocks: u64 = Tablebase::open(&folder)
        .unwrap()
        .manifest()
        .columns
        .iter()
        .map(|column| column.blocks)
        .sum();
    assert!(blocks > 300, "{blocks}");
    for number in [0usize, 1, 77, 1000, 50_000, 99_999] {
        let mut table = Tablebase::open(&folder).unwrap();
        let found = table.probe(&rows.keys[number]).unwrap().unwrap();
        assert_eq!(found.remoteness, rows.records[number].remoteness);
        assert_eq!(
            table.position(found.best.unwrap()).unwrap(),
            rows.keys[number / 2]
        );
        // One block for each level and each column, and one for the name of the best move, with
        // some to spare.
        assert!(table.reads() <= 16, "{} blocks", table.reads());
    }
}

#[test]
fn the_order_of_rows_does_not_change_the_bytes() {
    let (one, other) = (folder("one"), folder("other"));
    let rows = many();
    write(
        &one,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    let last = rows.keys.len() as u64 - 1;
    let turned = Listed {
        keys: rows.keys.into_iter().rev().collect(),
        // Best moves are numbers of rows, so they must be renumbered.
        records: rows
            .records
            .into_iter()
            .map(|mut record| {
                record.best = record.best.map(|best| last - best);
                record
            })
            .rev()
            .collect(),
        moves: true,
    };
    write(
        &other,
        &about("a game"),
        &turned,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    for entry in fs::read_dir(&one).unwrap() {
        let name = entry.unwrap().file_name();
        let (a, b) = (
            fs::read(one.join(&name)).unwrap(),
            fs::read(other.join(&name)).unwrap(),
        );
        assert!(a == b, "{name:?}");
    }
}

#[test]
fn damage_is_detected_everywhere() {
    let folder = folder("damaged");
    let rows = Listed {
        keys: (0..40).map(|n| format!("p{n}")).collect(),
        records: (0..40)
            .map(|n| Record {
                outcome: Outcome::D,
                remoteness: None,
                value: Some(Loopy::Infinite(vec![n])),
                best: Some(n),
            })
            .collect(),
        moves: true,
    };
    write(
        &folder,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    assert_holds(&folder, &rows);
    // Looks up everything. Returns the first error, if there is one.
    let ask = || -> Result<(), Diagnostic> {
        let mut table = Tablebase::open(&folder)?;
        for key in &rows.keys {
            let found = table.probe(key)?;
            assert!(found.is_some(), "damage must not hide a position");
            table.position(found.and_then(|record| record.best).unwrap_or(0))?;
        }
        Ok(())
    };
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert!(ask().is_err(), "{path:?} at {at}");
            let checked = Tablebase::open(&folder).and_then(|table| table.check());
            assert!(checked.is_err(), "{path:?} at {at}");
        }
        for length in 0..good.len() {
            fs::write(&path, &good[..length]).unwrap();
            // The line break after the manifest carries no data.
            let whole = path.ends_with("manifest.json") && length + 1 == good.len();
            assert_eq!(ask().is_ok(), whole, "{path:?} cut to {length}");
        }
        fs::remove_file(&path).unwrap();
        assert!(ask().is_err(), "{path:?} removed");
        fs::write(&path, &good).unwrap();
    }
    assert_holds(&folder, &rows);
}

#[test]
fn tables_are_not_overwritten_and_partial_ones_removed() {
    let folder = folder("optional");
    fs::create_dir_all(&folder).unwrap();
    let place = folder.join("table");
    let rows = many();
    let stopped = Limits {
        interrupted: &|| Some(Stop::Interrupted),
        ..Limits::default()
    };
    let result = write(
        &place,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &stopped,
    );
    assert_eq!(result, Err(Stop::Interrupted.into()));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // An empty folder at the target is permitted.
    fs::create_dir(&place).unwrap();
    write(
        &place,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    let result = write(
        &place,
        &about("a game"),
        &rows,
        &|_| Ok(Vec::new()),
        &Limits::none(),
    );
    let exists = |result: Result<(), Diagnostic>| {
        let found = result.unwrap_err();
        assert_eq!(found.kind, Kind::Io);
        assert!(found.message.ends_with(": already exists"));
        assert!(
            found
                .help
                .is_some_and(|help| help.starts_with("choose another folder"))
        );
    };
    exists(result);
    exists(check_free(&place.join("manifest.json")));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert!(
        Tablebase::open(&folder).is_err_and(|error| error.to_string().contains("not a tablebase"))
    );
    assert!(Tablebase::open(&folder.join("nowhere")).is_err());
}

/// Nim with several heaps. Heap i has fewer chips than number i of the list.
struct Heaps(Vec<u64>);

impl dense::Ranked for Heaps {
    fn len(&self) -> u64 {
        self.0.iter().product()
    }

    fn options(&self, position: u64, mut visit: impl FnMut(u64) -> bool) {
        let mut unit = 1;
        for size in &self.0 {
            let heap = position / unit % size;
            for taken in 1..=heap {
                if !visit(position - taken * unit) {
                    return;
                }
            }
            unit *= size;
        }
    }
}

#[test]
fn ranked_nim_tables_follow_bouton() {
    // Bouton's theorem gives the expected values: the value is the nim-sum of the heaps.
    let (folder, game) = (folder("ranked"), Heaps(vec![30, 20, 40, 7]));
    let limits = Limits::none();
    let labels = dense::remoteness(&game, Play::Normal, &limits).unwrap();
    let values = dense::grundy(&game, &limits).unwrap();
    let ranked = RankedTable {
        positions: game.len(),
        has_values: true,
        record: |rank| {
            Ok(Record {
                outcome: labels.outcome(rank),
                remoteness: labels.remoteness(rank),
                value: Some(Loopy::Finite(values.get(rank).into())),
                best: None,
            })
        },
        name: |rank: u64| Ok(rank.to_string()),
    };
    write_ranked(
        &folder,
        &about("nim"),
        &ranked,
        &|_| Ok(Vec::new()),
        &limits,
        None,
    )
    .unwrap();
    let mut table = Tablebase::open(&folder).unwrap();
    table.check().unwrap();
    for rank in (0..game.len()).step_by(17) {
        let found = table.record(rank).unwrap();
        let mut rest = rank;
        let sum = game.0.iter().fold(0, |sum, size| {
            let heap = rest % size;
            rest /= size;
            sum ^ heap
        });
        assert_eq!(found.value, Some(Loopy::Finite(sum)));
        assert_eq!(found.outcome == Outcome::P, sum == 0);
        assert_eq!(found.remoteness, labels.remoteness(rank));
    }
    assert_eq!(table.manifest().keys, Keys::Ranked);
    assert!(table.record(game.len()).is_err());
    assert!(table.position(0).is_err());
}

/// Checks that a table of several batches of blocks, which are compressed on all cores, has its
/// blocks in order. A second run must write the same bytes.
#[test]
fn many_blocks_are_written_in_order() {
    // Values that compress to blocks of different sizes.
    let values: Vec<u8> = (0..1 << 21)
        .map(|n: u32| ((n % 251) ^ (n >> 13)) as u8)
        .collect();
    let ranked = RankedTable {
        positions: values.len() as u64,
        has_values: true,
        record: |rank| {
            let value = values[rank as usize];
            Ok(Record {
                outcome: Outcome::from_win(value != 0),
                remoteness: None,
                value: Some(Loopy::Finite(value.into())),
                best: None,
            })
        },
        name: |rank: u64| Ok(rank.to_string()),
    };
    let places = ["many-blocks", "many-blocks-again"].map(folder);
    for place in &places {
        write_ranked(
            place,
            &about("nim"),
            &ranked,
            &|_| Ok(Vec::new()),
            &Limits::none(),
            None,
        )
        .unwrap();
    }
    for file in ["grundy.data", "grundy.index", "manifest.json"] {
        let [one, two] = places.each_ref().map(|place| fs::read(place.join(file)));
        assert!(one.unwrap() == two.unwrap(), "{file}");
    }
    let mut table = Tablebase::open(&places[0]).unwrap();
    table.check().unwrap();
    for n in (0..values.len()).step_by(997) {
        let found = table.record(n as u64).unwrap();
        assert_eq!(found.value, Some(Loopy::Finite(values[n].into())));
    }
}

/// Appends row `row`. Each row has a name. Depending on `row`, its value is finite, infinite or
/// missing, and it may have a best move and options.
fn push_row(writer: &mut RowWriter<'_>, row: u64) -> Result<(), Diagnostic> {
    let value = match row % 7 {
        0 => None,
        1 => Some(Loopy::Infinite(vec![row % 5, row % 11 + 5])),
        _ => Some(Loopy::Finite(row % 13)),
    };
    let record = Record {
        outcome: [Outcome::P, Outcome::N, Outcome::D][(row % 3) as usize],
        remoteness: (row % 3 < 2).then_some((row % 97) as u32),
        value,
        best: row.is_multiple_of(4).then_some(row / 2),
    };
    let options = (0..row % 6).map(|step| row.saturating_sub(step * step));
    writer.push(|| Ok(format!("{row:07}").into()), [record], options)
}

/// Checks that an interrupted write resumes from the last checkpoint and produces the same bytes. A
/// checkpoint of another table is not resumed.
#[test]
fn an_interrupted_write_resumes() {
    const ROWS: u64 = 150_000;
    let optional = OptionalColumns {
        names: true,
        values: true,
        moves: true,
        options: true,
    };
    let extras: grundy_tablebase::Extras<'_> = &|_| Ok(Vec::new());
    let [whole, cut] = ["in-one-go", "cut-off"].map(folder);
    let all = |writer: &mut RowWriter<'_>| (0..ROWS).try_for_each(|row| push_row(writer, row));
    write_rows(
        &whole,
        &about("it"),
        optional,
        all,
        extras,
        &Limits::none(),
        None,
    )
    .unwrap();

    let beside = cut.with_file_name(".cut-off.cut.partial");
    let _ = fs::remove_dir_all(&beside);
    let (mut begun, mut cuts) = (Vec::new(), 0u64);
    loop {
        // Checkpoints are possible every 4,096 rows, so each run makes progress.
        let schedule = CheckpointSchedule::new(Duration::ZERO, true);
        let mut first = 0;
        let fill = |writer: &mut RowWriter<'_>| {
            first = writer.positions();
            let name = first.checked_sub(1).map(|last| format!("{last:07}"));
            assert_eq!(writer.last_name(), name.as_deref());
            // Each run gets further than the previous one, at positions that are not multiples of a
            // block.
            let end = ROWS.min(first + 5_000 + 7_919 * cuts);
            (first..end).try_for_each(|row| push_row(writer, row))?;
            if end < ROWS {
                return Err(Diagnostic::new(Kind::Io, grundy_core::message!("cut off")));
            }
            Ok(())
        };
        let done = write_rows(
            &cut,
            &about("it"),
            optional,
            fill,
            extras,
            &Limits::none(),
            Some(&schedule),
        );
        begun.push(first);
        cuts += 1;
        if done.is_ok() {
            break;
        }
        assert!(!cut.exists() && beside.exists());
        if cuts == 3 {
            // Another table at the same place starts from its beginning, and so does this one after
            // it.
            let mut first = u64::MAX;
            let fill = |writer: &mut RowWriter<'_>| {
                first = writer.positions();
                Err(Diagnostic::new(Kind::Io, grundy_core::message!("cut off")))
            };
            let other = about("another");
            let schedule = CheckpointSchedule::new(Duration::ZERO, true);
            write_rows(
                &cut,
                &other,
                optional,
                fill,
                extras,
                &Limits::none(),
                Some(&schedule),
            )
            .unwrap_err();
            assert_eq!(first, 0);
        }
    }
    assert!(
        begun.len() > 5 && begun[1] >= 4_096 && begun[2] > begun[1],
        "{begun:?}"
    );
    assert_eq!(begun[3], 0, "another table was in between");
    assert!(!beside.exists());
    let files = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> = entries
            .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    };
    assert!(
        files(&whole) == files(&cut),
        "the same files with the same bytes"
    );
    Tablebase::open(&cut).unwrap().check().unwrap();
}
