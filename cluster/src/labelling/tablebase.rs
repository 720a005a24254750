//! Writes the labels of several workers as a tablebase.

use grundy_core::{Diagnostic, RankedGame};
use grundy_tablebase::{OptionalColumns, RankedTable, Record, RowWriter, write_rows};
use grundy_tables::label::tablebase::{CARD_FILES, TablebaseOutput};

use super::rows::StreamedRows;

/// Writes labels sorted by name. For a graph in files, `graph` is the checksum of the graph, and
/// the tablebase stores the moves as row numbers.
pub(super) fn write_by_name(
    output: &TablebaseOutput<'_>,
    rows: &StreamedRows<'_, '_, '_>,
    graph: Option<u32>,
) -> Result<(), Diagnostic> {
    let summary = rows.writer.summary();
    let about = output.about(summary.nature, graph);
    let optional = OptionalColumns {
        names: true,
        values: summary.has_values,
        moves: false,
        options: graph.is_some(),
    };
    let fill = |writer: &mut RowWriter<'_>| {
        // Rows are sorted by name, so an interrupted write resumes after the last name in the
        // table.
        let last = writer.last_name().map(str::to_owned);
        let after = last.as_deref().map(|name| (writer.positions(), name));
        rows.writer.sorted(after, |row| {
            let value = &row.value;
            let records = row.labels.iter().map(|label| Record {
                outcome: label.outcome,
                remoteness: label.remoteness,
                value: value.clone(),
                best: None,
            });
            let name = || Ok(row.name.as_str().into());
            writer.push(name, records, row.options.iter().copied())
        })
    };
    write_rows(
        output.folder,
        &about,
        optional,
        fill,
        CARD_FILES,
        output.limits,
        output.schedule,
    )
}

/// Writes the labels of a ranked game in the order of ranks.
pub(super) fn write_by_rank(
    output: &TablebaseOutput<'_>,
    rows: &StreamedRows<'_, '_, '_>,
    game: &dyn RankedGame,
) -> Result<(), Diagnostic> {
    let summary = rows.writer.summary();
    let about = output.about(summary.nature, None);
    let turns = game.turns();
    let record = |entry: u64| {
        let turn = (entry % turns) as usize;
        rows.with(entry / turns, |row| Record {
            outcome: row.labels[turn].outcome,
            remoteness: row.labels[turn].remoteness,
            value: row.value.clone(),
            best: None,
        })
    };
    let ranked = RankedTable {
        positions: summary.positions,
        has_values: summary.has_values,
        record,
        name: |rank| Ok(game.position(rank)?.to_string()),
    };
    output.by_ranks(&about, &ranked)
}
