//! Tables of remotenesses: the number of remaining moves in each position of a family.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use grundy_core::rules::Ends;
use grundy_core::solve::Beginning;
use grundy_core::solve::reachable_sums::ReachableSums;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Limits, Outcome, Play, Position, Stop, Verdict};
use grundy_wording::plain::heading;
use grundy_wording::{Language, phrase, words};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::cells::{Filled, HeapSize, fill_cells};
use super::{write_csv, write_text};
use crate::analyst::Analyst;
use crate::job::Job;
use crate::question::{TableForm, TableQuestion};
use crate::range::Range;

/// Largest number of P-positions that are listed by their remoteness.
const MAX_LISTED: usize = 10_000;

/// The outcome and the remoteness of a position.
#[derive(Clone, Debug)]
pub(super) struct RemotenessCell {
    pub(super) verdict: Verdict,
    /// The outcome for each player who may move first.
    outcomes: Vec<Outcome>,
    /// The remoteness for each player who may move first. `None` stands for play that never ends.
    remoteness: Vec<Option<u32>>,
}

impl RemotenessCell {
    /// Returns the remoteness, if the position is a P-position of an impartial game.
    fn of_p_position(&self) -> Option<u32> {
        match (self.verdict, &self.remoteness[..]) {
            (Verdict::Outcome(Outcome::P), [remoteness]) => *remoteness,
            _ => None,
        }
    }
}

impl HeapSize for RemotenessCell {
    fn heap_size(&self) -> usize {
        size_of_val(&self.remoteness[..]) + size_of_val(&self.outcomes[..])
    }
}

/// Writes the remoteness, the word `tie`, or the letter of the outcome if play never ends. Two
/// remotenesses are separated by a slash: first that with Left to move.
impl fmt::Display for RemotenessCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = self.remoteness.iter().zip(&self.outcomes);
        for (index, (remoteness, outcome)) in both.enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            match remoteness {
                Some(moves) => moves.fmt(f)?,
                None if matches!(self.verdict, Verdict::Payoff(_)) => f.write_str("tie")?,
                None => outcome.fmt(f)?,
            }
        }
        Ok(())
    }
}

impl Serialize for RemotenessCell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.remoteness[..] {
            [left, right] => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry("left", &left)?;
                map.serialize_entry("right", &right)?;
                map.end()
            }
            [only, ..] => only.serialize(to),
            [] => to.serialize_none(),
        }
    }
}

/// The P-positions with one remoteness, by the values of the variables.
#[derive(Debug, Serialize)]
pub(super) struct PPositions {
    remoteness: u32,
    at: Vec<Vec<u64>>,
}

/// Fills a table with outcomes and remotenesses.
pub(super) fn fill(
    ranges: &[Range],
    question: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<RemotenessCell>, Diagnostic> {
    let mut labels = KnownLabels::new(question.play);
    // The largest positions come first, since the labels of one position include those of all
    // positions that can be reached from it.
    fill_cells(
        &question.family,
        ranges,
        analyst,
        job,
        true,
        |position, limits| {
            match labels.cell(position, limits) {
                // Other cells may need less, so this cell stays empty and the table continues.
                Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
                cell => cell.map(Some),
            }
        },
    )
}

/// The labels of the positions that were reached from an earlier cell.
struct KnownLabels {
    play: Play,
    reached: Option<ReachableSums>,
}

impl KnownLabels {
    fn new(play: Play) -> Self {
        Self {
            play,
            reached: None,
        }
    }

    /// Returns the outcome and the remoteness of a position. Computes new labels only if the
    /// position was not reached before.
    fn cell(&mut self, position: &Position, limits: &Limits<'_>) -> Result<RemotenessCell, Stop> {
        if let Some(cell) = self
            .reached
            .as_ref()
            .and_then(|known| cell(position, known))
        {
            return Ok(cell);
        }
        let reached = ReachableSums::new(position, self.play, limits)?;
        let found = cell(position, &reached).ok_or(Stop::Cyclic)?;
        self.reached = Some(reached);
        Ok(found)
    }
}

/// Returns the outcome and the remoteness of a position, if its labels are known.
fn cell(position: &Position, labels: &ReachableSums) -> Option<RemotenessCell> {
    let nature = position.nature();
    let beginnings = nature.beginners().iter().map(|&player| {
        let label = labels.label(position, player)?;
        Some((Beginning::new(player, label.outcome), label.remoteness))
    });
    let beginnings = beginnings.collect::<Option<Vec<_>>>()?;
    let outcomes: Vec<Outcome> = beginnings.iter().map(|(one, _)| one.outcome).collect();
    Some(RemotenessCell {
        verdict: Verdict::of(nature.ends == Ends::Payoff, &outcomes),
        outcomes,
        remoteness: beginnings.into_iter().map(|(_, moves)| moves).collect(),
    })
}

/// Returns the P-positions by their remoteness. Returns `None` for partizan games and games with
/// ties, in which the outcome of a position is not N, P or a draw.
pub(super) fn p_positions(
    ranges: &[Range],
    rows: &[Vec<Option<RemotenessCell>>],
) -> Option<Vec<PPositions>> {
    let is_other =
        |cell: &RemotenessCell| matches!(cell.verdict, Verdict::Class(_) | Verdict::Payoff(_));
    if rows.iter().flatten().flatten().any(is_other) {
        return None;
    }
    let mut found: BTreeMap<u32, Vec<Vec<u64>>> = BTreeMap::new();
    let cells = rows.iter().enumerate().flat_map(|(i, row)| {
        row.iter()
            .enumerate()
            .map(move |(j, cell)| (i as u64, j as u64, cell))
    });
    let lost = cells.filter_map(|(i, j, cell)| Some((i, j, cell.as_ref()?.of_p_position()?)));
    for (i, j, remoteness) in lost.take(MAX_LISTED) {
        let at = match ranges {
            [only] => vec![only.from + j],
            [first, second, ..] => vec![first.from + i, second.from + j],
            [] => Vec::new(),
        };
        found.entry(remoteness).or_default().push(at);
    }
    let found = found.into_iter();
    Some(
        found
            .map(|(remoteness, at)| PPositions { remoteness, at })
            .collect(),
    )
}

/// Writes the table. As text, the P-positions by their remoteness follow.
pub(super) fn write(
    out: &mut dyn Write,
    ranges: &[Range],
    rows: &[Vec<Option<RemotenessCell>>],
    form: TableForm,
    language: Language,
) -> io::Result<()> {
    if form == TableForm::Csv {
        return write_csv(
            out,
            ranges,
            &["remoteness", "outcome"],
            rows,
            |cell| match cell {
                Some(cell) => vec![cell.to_string(), cell.verdict.to_string()],
                None => vec![String::new(); 2],
            },
        );
    }
    write_text(out, ranges, rows, |cell| {
        cell.as_ref()
            .map_or("?".to_owned(), RemotenessCell::to_string)
    })?;
    let lost = p_positions(ranges, rows).unwrap_or_default();
    if lost.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{}",
        heading(&phrase("p_positions_by_remoteness", language), language)
    )?;
    for PPositions { remoteness, at } in lost {
        let at = at.iter().map(|at| match &at[..] {
            [only] => only.to_string(),
            several => format!("({})", join(several)),
        });
        let line = Step::new("p_positions_with_remoteness")
            .with("remoteness", u64::from(remoteness))
            .with("positions", at.collect::<Vec<_>>().join(", "));
        writeln!(out, "  {}", words(&line, language))?;
    }
    Ok(())
}

fn join(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(", ")
}
