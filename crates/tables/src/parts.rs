//! Conversion of tablebases to Parquet files and back.
//!
//! Part i of a folder is the file `part-0000i.parquet`. Each row is a position, in the order of the
//! tablebase: its `rank`, its name, outcome, remoteness, value, and the other columns of the
//! tablebase. The footer of each part contains the manifest of the tablebase, so that the parts
//! describe themselves. When parts are converted back, the columns must have the checksums of that
//! manifest.

mod outcomes;
mod reading;
mod writing;

use std::num::NonZeroU64;
use std::path::Path;

use grundy::message::Setting;
use grundy::step::Step;
use grundy::{Diagnostic, Kind, message};
use grundy_tablebase::{Kept, Keys, Manifest};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};
use serde::Serialize;

use crate::sheet::Field;
use grundy_job::Job;
use grundy_job::Reader;
use reading::Parts;

/// The key of the manifest in a footer.
const MANIFEST: &str = "grundy.tablebase";
/// The key of the number of the part in a footer.
const PART: &str = "grundy.part";

/// Returns the file name of a part.
fn part_name(number: u64) -> String {
    format!("part-{number:05}.parquet")
}

/// Returns the columns of the parts of a tablebase, in order.
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
    // The rank is redundant, but it shows on reading that no row is missing or out of place.
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
    let kept = kept(manifest);
    if kept.values {
        // Two columns, since a column has one type: an infinite value has a set in place of a
        // number.
        fields.push(number("value"));
        fields.push(text("infinity"));
    }
    if kept.moves {
        fields.extend(best.iter().map(|name| number(name)));
    }
    if kept.options {
        fields.push(text("options"));
    }
    fields
}

/// Returns the optional columns of a tablebase.
fn kept(manifest: &Manifest) -> Kept {
    let has = |name| manifest.column(name).is_some();
    Kept {
        names: manifest.keys != Keys::Ranked,
        values: has("grundy"),
        moves: has("move"),
        options: has("options"),
    }
}

/// Returns the numbers, separated by commas.
fn joined(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(",")
}

/// The options of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'a> {
    /// A tablebase, or a folder with its parts.
    pub from: &'a Path,
    /// The folder to be written.
    pub to: &'a Path,
    /// Number of positions in a part.
    pub rows: NonZeroU64,
    /// `true` if the names of ranked positions are left out.
    pub no_positions: bool,
}

/// The result of a conversion.
#[derive(Clone, Debug, Serialize)]
pub struct Converted {
    /// The game of the tablebase.
    pub game: String,
    /// The kind of output: `parts` or `tablebase`.
    pub written: &'static str,
    /// The folder that was written.
    pub to: String,
    /// Number of positions.
    pub positions: u64,
    /// Number of parts.
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
/// A file that cannot be read or written, and parts that do not belong together.
pub fn convert(
    asked: &ConvertOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<Converted, Diagnostic> {
    let &ConvertOptions { from, to, .. } = asked;
    // Checked before the work, since a conversion may take minutes.
    reader.files().on_disk(to)?;
    grundy_tablebase::check_free(to)?;
    let back = is_parts(from);
    let (manifest, parts) = if back {
        // Names are the keys of a sorted tablebase, so the way back cannot leave them out.
        if asked.no_positions {
            let message = message!("a tablebase has the names that its parts have");
            return Err(Diagnostic::new(Kind::Type, message).help(message!(
                "leave {option} out",
                option = Setting::typed("no_positions")
            )));
        }
        let parts = Parts::open(from, job)?;
        (parts.write(to, job)?, parts.count())
    } else {
        writing::write(asked, reader, job)?
    };
    Ok(Converted {
        game: manifest.about.game,
        written: if back { "tablebase" } else { "parts" },
        to: to.display().to_string(),
        positions: manifest.positions,
        parts,
    })
}

/// Returns whether a folder holds the parts of a tablebase.
fn is_parts(folder: &Path) -> bool {
    folder.join(part_name(0)).is_file()
}
