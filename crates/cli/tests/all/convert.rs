//! `grundy convert`: conversion of tablebases to Parquet files (parts) and back, byte for byte, and
//! rejection of damaged parts.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use crate::program::{command, folder, grundy};
use parquet::data_type::{ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor as _;
use serde_json::Value;

/// Returns the name and the content of every file in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Labels a game and converts its tablebase to Parquet files (parts) with `rows` rows each. Returns
/// the folder of the tablebase and the folder of the parts.
fn parts_of(folder: &Path, game: &[&str], rows: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let (table, parts) = (folder.join("table"), folder.join("parts"));
    let written = grundy(&[&["label"], game, &["--tablebase", text(&table)]].concat());
    assert!(written.status.success(), "{written:?}");
    let done = grundy(&["convert", text(&table), text(&parts), "--rows", rows]);
    assert!(done.status.success(), "{done:?}");
    (table, parts)
}

/// Returns the error of a command that must be rejected.
fn refused(arguments: &[&str]) -> String {
    let done = grundy(arguments);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    assert!(done.stdout.is_empty(), "{done:?}");
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    said
}

// Tablebases of every kind: by name and by rank; with and without values, best moves and draws;
// games with ties; partizan games.
#[test]
fn conversion_to_parquet_and_back_is_lossless() {
    let root = folder("convert_back");
    let edges = root.join("moves.csv");
    fs::write(
        &edges,
        "from,to\na,b\nb,a\nb,c\nc,d\ne,a\ne,c\nf,\ng,g\ng,f\n",
    )
    .unwrap();
    let games: [&[&str]; 10] = [
        &["chomp(4, 4, 3)", "--best-move"],
        &["chomp(4, 4, 3)", "--misere"],
        &[text(&edges)],
        &[text(&edges), "--best-move"],
        &["domineering(board(2, 4))", "--best-move"],
        &["toads_and_frogs(\"TT.FF\")", "--misere"],
        &["tic_tac_toe()", "--best-move"],
        &["nim(6, 5, 4)", "--ranked", "--values"],
        &["domineering(board(3, 3))", "--ranked"],
        &[
            "game(moves, 30)",
            "--ranked",
            "--rules",
            "../../examples/rules/queen_ranked.star",
        ],
    ];
    for (number, game) in games.into_iter().enumerate() {
        if game.contains(&"--rules") && !Path::new(game[3]).exists() {
            continue;
        }
        // Seven rows per part split the table inside its blocks; a million rows give a single part.
        for rows in ["7", "1000000"] {
            let folder = root.join(format!("{number}_{rows}"));
            fs::create_dir(&folder).unwrap();
            let (table, parts) = parts_of(&folder, game, rows);
            let again = folder.join("again");
            let done = grundy(&["convert", "--json", text(&parts), text(&again)]);
            assert!(done.status.success(), "{game:?}: {done:?}");
            assert_eq!(files(&table), files(&again), "{game:?}");
            let told: Value = serde_json::from_slice(&done.stdout).unwrap();
            assert_eq!(told["written"], "tablebase");
            assert_eq!(told["parts"], files(&parts).len());
            // The copy is a valid tablebase too.
            let verified = grundy(&["verify", text(&again)]);
            assert!(verified.status.success(), "{verified:?}");
        }
    }
}

// The rows are those of `label` as CSV, and their ranks ascend from 0.
#[test]
fn parts_contain_the_labels() {
    let folder = folder("convert_rows");
    let game: &[&str] = &["chomp(4, 4, 3)"];
    let (_, parts) = parts_of(&folder, game, "10");
    let csv = grundy(&[&["label"], game].concat());
    let mut expected: Vec<Vec<String>> = csv::Reader::from_reader(csv.stdout.as_slice())
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    expected.sort();
    let mut seen = Vec::new();
    for (name, _) in files(&parts) {
        let reader = SerializedFileReader::new(File::open(parts.join(name)).unwrap()).unwrap();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            assert_eq!(row.get_long(0).unwrap(), seen.len() as i64);
            let string = |index| row.get_string(index).unwrap().clone();
            let number = |index| row.get_long(index).unwrap().to_string();
            seen.push(vec![string(1), string(2), number(3), number(4)]);
        }
    }
    assert_eq!(seen, expected);
}

// A ranked table can restore the names of its positions from the ranks. Other tables need the
// names, so `--no-positions` keeps them.
#[test]
fn ranked_tables_can_omit_names() {
    let root = folder("convert_names");
    for (number, game) in [&["nim(5, 5)", "--ranked"][..], &["nim(5, 5)"]]
        .into_iter()
        .enumerate()
    {
        let folder = root.join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let (table, _) = parts_of(&folder, game, "20");
        let (bare, again) = (folder.join("bare"), folder.join("again"));
        let done = grundy(&["convert", text(&table), text(&bare), "--no-positions"]);
        assert!(done.status.success(), "{done:?}");
        let reader = File::open(bare.join("part-00000.parquet")).unwrap();
        let reader = SerializedFileReader::new(reader).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr();
        let named = schema
            .columns()
            .iter()
            .any(|column| column.name() == "position");
        assert_eq!(named, number == 1);
        let done = grundy(&["convert", text(&bare), text(&again)]);
        assert!(done.status.success(), "{done:?}");
        assert_eq!(files(&table), files(&again));
    }
}

/// Rewrites a part (a Parquet file of a converted tablebase) with one remoteness changed, as
/// another program could do.
fn with_another_remoteness(part: &Path) {
    let reader = SerializedFileReader::new(File::open(part).unwrap()).unwrap();
    let about = reader.metadata().file_metadata();
    let properties = WriterProperties::builder()
        .set_key_value_metadata(about.key_value_metadata().cloned())
        .build();
    let schema = Arc::new(about.schema().clone());
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = 0;
    while let Some(mut out) = group.next_column().unwrap() {
        let full = vec![1; rows.len()];
        if let Ok(first) = rows[0].get_long(column) {
            let mut numbers: Vec<i64> = rows
                .iter()
                .map(|row| row.get_long(column).unwrap())
                .collect();
            // An even change keeps the parity, which the outcome determines; only the checksum of
            // the column detects it.
            if column == 3 {
                numbers[0] = first + 2;
            }
            let levels = (column > 2).then_some(&full[..]);
            out.typed::<Int64Type>()
                .write_batch(&numbers, levels, None)
                .unwrap();
        } else if rows[0].get_string(column).is_ok() {
            let texts = rows
                .iter()
                .map(|row| row.get_string(column).unwrap().as_str().into());
            let texts: Vec<_> = texts.collect();
            let levels = (column > 2).then_some(&full[..]);
            out.typed::<ByteArrayType>()
                .write_batch(&texts, levels, None)
                .unwrap();
        } else {
            let none = vec![0; rows.len()];
            out.typed::<ByteArrayType>()
                .write_batch(&[], Some(&none), None)
                .unwrap();
        }
        out.close().unwrap();
        column += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    fs::write(part, bytes).unwrap();
}

#[test]
fn damage_is_one_error_and_nothing_is_written() {
    let root = folder("convert_damage");
    let (table, parts) = parts_of(&root, &["chomp(4, 4, 3)"], "10");
    let other = root.join("other");
    fs::create_dir(&other).unwrap();
    let (_, others) = parts_of(&other, &["chomp(5, 4, 3)"], "10");
    let again = root.join("again");
    let first = "part-00000.parquet";
    let second = "part-00001.parquet";
    let damages: [(&str, &dyn Fn(&Path), &str); 9] = [
        (
            "lost",
            &|folder| fs::remove_file(folder.join(second)).unwrap(),
            "part-00001.parquet",
        ),
        (
            "swapped",
            &|folder| {
                fs::rename(folder.join(second), folder.join("x")).unwrap();
                fs::rename(folder.join("part-00002.parquet"), folder.join(second)).unwrap();
                fs::rename(folder.join("x"), folder.join("part-00002.parquet")).unwrap();
            },
            "the part has the wrong number, or belongs to another tablebase",
        ),
        (
            "foreign",
            &|folder| {
                fs::copy(others.join(second), folder.join(second)).unwrap();
            },
            "the part has the wrong number, or belongs to another tablebase",
        ),
        (
            "cut",
            &|folder| {
                let bytes = fs::read(folder.join(second)).unwrap();
                fs::write(folder.join(second), &bytes[..bytes.len() / 2]).unwrap();
            },
            "the Parquet file is damaged",
        ),
        (
            "empty",
            &|folder| fs::write(folder.join(second), "").unwrap(),
            "the Parquet file is damaged",
        ),
        (
            "text",
            &|folder| fs::write(folder.join(first), "rank,outcome\n0,P\n").unwrap(),
            "the Parquet file is damaged",
        ),
        (
            "changed",
            &|folder| with_another_remoteness(&folder.join(first)),
            "the column remoteness of the parts differs from that of the original tablebase",
        ),
        (
            "of labels",
            &|folder| {
                let file = folder.join(first);
                let done = grundy(&["label", "nim(2)", "--output", text(&file)]);
                assert!(done.status.success(), "{done:?}");
            },
            "not a part of a tablebase",
        ),
        (
            "late",
            &|folder| {
                fs::copy(folder.join(second), folder.join(first)).unwrap();
            },
            "the part has the wrong number, or belongs to another tablebase",
        ),
    ];
    for (name, damage, expected) in damages {
        let copy = root.join("damaged");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir(&copy).unwrap();
        for (file, bytes) in files(&parts) {
            fs::write(copy.join(file), bytes).unwrap();
        }
        damage(&copy);
        let said = refused(&["convert", text(&copy), text(&again)]);
        assert!(said.contains(expected), "{name}: {said}");
        assert!(!again.exists(), "{name}");
    }
    // An existing target is not overwritten, and a folder of neither kind is reported.
    let said = refused(&["convert", text(&table), text(&parts)]);
    assert!(said.contains("already exists"), "{said}");
    let said = refused(&["convert", text(&root), text(&again)]);
    assert!(said.contains("manifest.json"), "{said}");
    let said = refused(&["convert", text(&parts), text(&again), "--no-positions"]);
    assert!(said.contains("omit --no-positions"), "{said}");
    assert!(!again.exists());
}

// Flip a bit in every seventh byte of a small part. Either the part is rejected, or the bit has no
// meaning and the tablebase is the same.
#[test]
fn no_flipped_bit_makes_another_tablebase() {
    let root = folder("convert_bits");
    let again = root.join("again");
    let (table, parts) = parts_of(&root, &["nim(1, 1)"], "10");
    let part = parts.join("part-00000.parquet");
    let bytes = fs::read(&part).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut turned = bytes.clone();
        turned[at] ^= 1 << (at % 8);
        fs::write(&part, &turned).unwrap();
        let done = command(&["convert", text(&parts), text(&again)])
            .output()
            .unwrap();
        match done.status.code() {
            Some(0) => {
                assert_eq!(files(&table), files(&again), "byte {at}");
                fs::remove_dir_all(&again).unwrap();
            }
            code => assert_eq!(code, Some(2), "byte {at}: {done:?}"),
        }
        assert!(!again.exists());
    }
}
