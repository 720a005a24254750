//! Edge lists in Parquet files.

use std::fs::File;

use grundy::{Kind, message};
use grundy_notation::Diagnostic;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::parquet::{Column, broken, caught, check_compression, failed};

/// Visits the rows of the columns `from` and `to`, which contain strings or whole numbers. A row
/// with a null or empty `to` is a single vertex.
pub(super) fn read(
    input: File,
    row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    // The Parquet reader can panic on a damaged file, even in the middle of the rows.
    caught(|| rows(input, row))
        .unwrap_or_else(|| Err(broken(&message!("its pages contradict each other"))))
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
            Diagnostic::new(Kind::Syntax, message).help(message!("the columns are `from` and `to`"))
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
                return Err(broken(&message!("its columns differ in length")));
            }
            if read == 0 {
                break;
            }
            for index in 0..read {
                row += 1;
                let at = |mut diagnostic: Diagnostic| {
                    // Limits and lost receivers are not the fault of a row, so they name none.
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
