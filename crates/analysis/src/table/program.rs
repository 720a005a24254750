//! Programs that compute the values of a table.

use grundy_core::rules::Moves;
use grundy_core::{Diagnostic, Verdict};

use super::HeapFamily;
use super::cells::TableCell;
use super::pattern::PatternFinding;
use crate::analyst::Analyst;
use crate::job::Job;
use crate::period::{outcome_repetition, prove_period, sequence};
use crate::program::{Cell, CodeLanguage, Content, Facts, OwnRules, Program};
use crate::question::TableQuestion;
use crate::range::Range;

/// A table for which a program is written.
pub(super) struct ComputedTable<'a> {
    pub(super) question: &'a TableQuestion,
    pub(super) ranges: &'a [Range],
    pub(super) rows: &'a [Vec<Option<TableCell>>],
    /// The patterns that were found in the values.
    pub(super) found: &'a [PatternFinding],
    pub(super) heaps: Option<&'a HeapFamily>,
}

/// Returns a program that computes the values. If some position has no finite Grundy value, it
/// computes the outcomes. It uses a proved period, the rules of a rule file, or else the table. The
/// patterns `found` become lines of the comment at its beginning.
pub(super) fn program(
    table: &ComputedTable<'_>,
    language: CodeLanguage,
    analyst: &Analyst,
    job: &Job,
) -> Result<Program, Diagnostic> {
    let &ComputedTable {
        question,
        ranges,
        rows,
        found,
        heaps,
    } = table;
    let all = || rows.iter().flatten().flatten();
    let content = if all().all(|cell| cell.grundy().is_some()) {
        Content::Values
    } else {
        let mut verdicts = all().map(|cell| cell.verdict);
        let other = verdicts.find(|verdict| !matches!(verdict, Verdict::Outcome(_)));
        match other {
            Some(Verdict::Payoff(_)) => Content::Results(question.play),
            Some(_) => Content::Classes(question.play),
            None => Content::Outcomes(question.play),
        }
    };
    let text = |cell: &Option<TableCell>| {
        let cell = cell.as_ref()?;
        Some(match (content, cell.grundy()) {
            (Content::Values, Some(value)) => value.to_string(),
            _ => cell.verdict.to_string(),
        })
    };
    let cells: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| row.iter().map(text).collect())
        .collect();
    let facts = match (ranges, &cells[..]) {
        ([range], [row]) => row_facts(heaps, content, range, row.clone(), job)?,
        _ => Facts::Grid {
            first: [ranges[0].from, ranges[1].from],
            cells: cells.clone(),
        },
    };
    // A program from a proved period states this period itself.
    let is_new = |finding: &&PatternFinding| !(facts.is_proved() && finding.is_proved());
    let found: Vec<String> = found
        .iter()
        .filter(is_new)
        .map(PatternFinding::comment)
        .collect();
    // Rule files are written in a dialect of Python. If a position can recur, its value cannot be
    // computed from those of its options in turn.
    let recurs = content == Content::Values && all().any(|cell| cell.recurs);
    let by_rules = || {
        if recurs {
            return None;
        }
        let rules = own_rules(question, ranges, &cells, analyst)?;
        Program::of_rules(&question.family, content, &rules, &found)
    };
    let written = match language {
        CodeLanguage::Python if !facts.is_proved() => by_rules(),
        _ => None,
    };
    let by_facts = || Program::new(&question.family, content, &facts, &found, language);
    Ok(written.unwrap_or_else(by_facts))
}

/// Returns the facts about the cells of a family with one variable: a proved period, or else all
/// cells.
fn row_facts(
    heaps: Option<&HeapFamily>,
    content: Content,
    range: &Range,
    mut cells: Vec<Cell>,
    job: &Job,
) -> Result<Facts, Diagnostic> {
    let first = range.from;
    if content == Content::Values
        && let Some(heaps) = heaps
        && let Some(period) = prove_period(&heaps.rules, range.to, job)
    {
        let count = period.preperiod + period.period;
        let values = sequence(&heaps.source, count, job)?;
        return Ok(Facts::Period {
            first: 0,
            cells: values.iter().map(|value| Some(value.to_string())).collect(),
            repetition: (&period).into(),
            is_proved: true,
        });
    }
    if let Content::Outcomes(play) = content
        && let Some(heaps) = heaps
        && let Some(repetition) = outcome_repetition(&heaps.rules, play, job)
    {
        let end = repetition.preperiod.max(first) + repetition.period - first;
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        if end <= cells.len() && cells.iter().all(Option::is_some) {
            cells.truncate(end);
            return Ok(Facts::Period {
                first,
                cells,
                repetition,
                is_proved: true,
            });
        }
    }
    // An observed period may end just beyond the table, so the program gives no values there.
    Ok(Facts::Row {
        first,
        cells,
        repetition: None,
    })
}

/// Number of cells with which a program from a rule file compares its results.
const CHECKED_CELLS: usize = 40;

/// Returns the rules for a program, if the family is a single position of the rule file,
/// such as `game(moves, (n, 3))`. `cells` are the cells of the table, by rows.
fn own_rules(
    question: &TableQuestion,
    ranges: &[Range],
    cells: &[Vec<Cell>],
    analyst: &Analyst,
) -> Option<OwnRules> {
    let file = analyst.reader().rules()?;
    let inner = question
        .family
        .trim()
        .strip_prefix("game(")?
        .strip_suffix(')')?;
    // The text becomes part of a Python program, so it may contain only names, numbers, tuples,
    // lists and arithmetic. The parenthesis after `game` must be closed by the last character.
    let mut depth = 0;
    for character in inner.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '_' | ' ' | ',' | '+' | '-' | '*' | '/' | '%' => {}
            other if other.is_ascii_alphanumeric() => {}
            _ => return None,
        }
        if depth < 0 {
            return None;
        }
    }
    let (function, position) = inner.split_once(',')?;
    let function = match function.trim() {
        "rules" => "moves",
        function => function,
    };
    // A file with a single function may be used under another name, which the program lacks. If
    // the rules name a winner of endless play, a program would have to know who moves.
    let nature = file.rules(function)?.nature();
    if nature.moves != Moves::Same {
        return None;
    }
    let known = cells.iter().zip(0..).flat_map(|(row, i)| {
        row.iter().zip(0..).filter_map(move |(cell, j)| {
            let variables = match ranges {
                [one] => vec![one.from + j],
                [rows, columns, ..] => vec![rows.from + i, columns.from + j],
                [] => return None,
            };
            Some((variables, cell.clone()?))
        })
    });
    Some(OwnRules {
        known: known.take(CHECKED_CELLS).collect(),
        source: file.source().to_owned(),
        function: function.to_owned(),
        variables: ranges.iter().map(|range| range.name.clone()).collect(),
        position: position.trim().to_owned(),
    })
}
