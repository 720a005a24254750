//! Conversion of tablebases to Parquet files and back.
//!
//! A tablebase is converted to a folder of files, called parts. Part i is the file
//! `part-0000i.parquet`. Each row describes a position, in the order of the tablebase. It has the
//! `rank`, the name, the outcome, the remoteness and the value, and the other columns of the
//! tablebase. The footer of each part contains the manifest of the tablebase, so that the parts
//! contain their own description. When parts are converted back, the checksums of the columns must
//! be those in that manifest.

mod outcomes;
mod reading;
mod writing;

use std::num::NonZeroU64;
use std::path::Path;

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, message};
use grundy_tablebase::{Keys, Manifest, OptionalColumns};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};
use serde::Serialize;

use crate::sheet::Field;
use grundy_job::Job;
use grundy_job::Reader;
use reading::Parts;

/// The metadata key under which the footer of each Parquet file stores the manifest of the
/// tablebase.
const MANIFEST: &str = "grundy.tablebase";
/// The metadata key under which the footer of each Parquet file stores its index among the parts of
/// the tablebase, and the number of parts.
const PART: &str = "grundy.part";

/// Returns the file name of part `number` of a tablebase that is stored as several Parquet files.
fn part_name(number: u64) -> String {
    format!("part-{number:05}.parquet")
}

/// Returns the columns of the Parquet files into which a tablebase is converted, in order. `named`
/// is `true` if the files contain the names of the positions.
fn fields(manifest: &Manifest, named: bool) -> Vec<Field> {
    let number = |name| Field {
        name,
        numbers: true,
        full: false,
    };
    let text = |name| Field {
        numbers: false,
        ..number(name)
    };
    let full = |field| Field {
        full: true,
        ..field
    };
    // The rank could be derived from the row. It is stored to detect missing or misplaced rows when
    // the parts are read.
    let mut fields = vec![full(number("rank"))];
    if named {
        fields.push(full(text("position")));
    }
    fields.push(full(text("outcome")));
    let by_player = manifest.about.kind.turns() == 2;
    let (moves, best) = if by_player {
        (
            &["remoteness_left", "remoteness_right"][..],
            &["move_left", "move_right"][..],
        )
    } else {
        (&["remoteness"][..], &["move"][..])
    };
    fields.extend(moves.iter().map(|name| number(name)));
    let columns = optional_columns(manifest);
    if columns.values {
        // A value takes two columns, since a column has one type: a finite value is a number, and
        // an infinite value is a set of numbers.
        fields.push(number("value"));
        fields.push(text("infinity"));
    }
    if columns.moves {
        fields.extend(best.iter().map(|name| number(name)));
    }
    if columns.options {
        fields.push(text("options"));
    }
    fields
}

/// Returns which optional columns a tablebase has.
fn optional_columns(manifest: &Manifest) -> OptionalColumns {
    let has = |name| manifest.column(name).is_some();
    OptionalColumns {
        names: manifest.keys != Keys::Ranked,
        values: has("grundy"),
        moves: has("move"),
        options: has("options"),
    }
}

/// Returns the numbers as a text, separated by commas.
fn joined(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(",")
}

/// The options of a conversion of a tablebase to Parquet files, or back.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'a> {
    /// The folder to convert. It contains a tablebase, or the Parquet files (parts) to which a
    /// tablebase was converted.
    pub from: &'a Path,
    /// The folder that is written.
    pub to: &'a Path,
    /// Number of positions in each Parquet file (part) that is written.
    pub rows: NonZeroU64,
    /// `true` if the names of the positions of a ranked game are not stored.
    pub no_positions: bool,
}

/// The result of a conversion of a tablebase to Parquet files, or back.
#[derive(Clone, Debug, Serialize)]
pub struct Converted {
    /// The game of the tablebase.
    pub game: String,
    /// The kind of the output: `parts` for Parquet files, or `tablebase`.
    pub written: &'static str,
    /// The folder that was written.
    pub to: String,
    /// Number of positions.
    pub positions: u64,
    /// Number of Parquet files (parts) that were written or read.
    pub parts: u64,
}

impl Report for Converted {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let code = if self.written == "parts" {
            "converted_to_parts"
        } else {
            "converted_to_tablebase"
        };
        let step = Step::new(code)
            .with("game", self.game.clone())
            .with("to", self.to.clone())
            .with("positions", self.positions)
            .with("parts", self.parts);
        format!("{}\n", words(&step, language))
    }
}

/// Converts a tablebase to Parquet files, or Parquet files to a tablebase.
///
/// # Errors
/// A file that cannot be read or written, or Parquet files that do not belong to the same
/// tablebase.
pub fn convert(
    options: &ConvertOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<Converted, Diagnostic> {
    let &ConvertOptions { from, to, .. } = options;
    // Checked before the conversion, which may take minutes.
    reader.files().on_disk(to)?;
    grundy_tablebase::check_free(to)?;
    let back = is_parts(from);
    let (manifest, parts) = if back {
        // Names are the keys of a sorted tablebase, so a tablebase cannot be written without them.
        if options.no_positions {
            let message = message!(
                "the names of positions cannot be omitted when a folder of parts is converted back to a tablebase"
            );
            return Err(Diagnostic::new(Kind::Type, message).help(message!(
                "omit {option}",
                option = Setting::command_line("no_positions")
            )));
        }
        let parts = Parts::open(from, job)?;
        (parts.write(to, job)?, parts.count())
    } else {
        writing::write(options, reader, job)?
    };
    Ok(Converted {
        game: manifest.about.game,
        written: if back { "tablebase" } else { "parts" },
        to: to.display().to_string(),
        positions: manifest.positions,
        parts,
    })
}

/// Returns whether a folder contains the Parquet files (parts) to which a tablebase was converted.
fn is_parts(folder: &Path) -> bool {
    folder.join(part_name(0)).is_file()
}
