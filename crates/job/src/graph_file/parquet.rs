//! Reading of edge lists in Parquet files.

use std::fs::File;

use grundy_core::{Kind, message};
use grundy_notation::Diagnostic;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::parquet::{Column, broken, catch_panic, check_compression, failed};

/// Calls `row` for each row of the columns `from` and `to`, which contain strings or integers. If
/// `to` is null or empty, the row is a vertex without a move.
pub(super) fn read(
    input: File,
    row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    // The Parquet reader can panic on a damaged file, even after some rows were visited.
    catch_panic(|| rows(input, row))
        .unwrap_or_else(|| Err(broken(&message!("the pages are inconsistent"))))
}

fn rows(
    input: File,
    visit: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let reader = SerializedFileReader::new(input).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let column = |name: &str| {
        let found = schema
            .columns()
            .iter()
            .position(|column| column.name() == name);
        found.ok_or_else(|| {
            let message = message!("there is no column `{name}`", name);
            Diagnostic::new(Kind::Syntax, message)
                .help(message!("the columns must be named `from` and `to`"))
        })
    };
    let (from, to) = (column("from")?, column("to")?);
    check_compression(&reader)?;
    let mut row = 0u64;
    for index in 0..reader.num_row_groups() {
        let group = reader.get_row_group(index).map_err(failed)?;
        let mut sources = Column::open(&*group, from, "from")?;
        let mut targets = Column::open(&*group, to, "to")?;
        loop {
            let (read, also) = (sources.read()?, targets.read()?);
            if read != also {
                return Err(broken(&message!("the columns differ in length")));
            }
            if read == 0 {
                break;
            }
            for index in 0..read {
                row += 1;
                let at = |mut diagnostic: Diagnostic| {
                    // A limit or a lost process is not an error in the row, so the message does not
                    // contain its number.
                    if !matches!(diagnostic.kind, Kind::Limit | Kind::Lost) {
                        diagnostic.message =
                            message!("row {row}: {what}", row, what = diagnostic.message);
                    }
                    diagnostic
                };
                let source = sources.text(index).map_err(at)?.unwrap_or_default();
                if source.is_empty() {
                    return Err(at(Diagnostic::new(
                        Kind::Syntax,
                        message!("`from` is empty"),
                    )));
                }
                let target = targets.text(index).map_err(at)?;
                let target = target.filter(|target| !target.is_empty());
                visit(&source, target.as_deref()).map_err(at)?;
            }
        }
    }
    Ok(())
}
