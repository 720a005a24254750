//! Answers as plain text for a terminal.

use std::fmt::Write as _;

use grundy_core::solve::{Beginning, Detail, GameValue, WinningMove};
use grundy_core::step::{Datum, Step};
use grundy_core::values::loopy::Loopy;
use grundy_core::{PayoffResult, Play, Position, Solution, Verdict, explain};

use crate::answer::{MAX_POSITION_BYTES, leaves_out_value, verdict_code};
use crate::{Language, labelled, message_text, phrase, width, words};

/// Largest number of characters of a text that is printed completely.
const MAX_PRINTED_CHARS: usize = 2000;

/// Returns the text. If it has more than 2,000 characters, `...` replaces the rest.
///
/// ```
/// use grundy_wording::plain::brief;
/// assert_eq!(brief("nim(3, 4, 5)".to_owned()), "nim(3, 4, 5)");
/// assert_eq!(brief("1, ".repeat(1_000)).len(), 2_000 + "...".len());
/// ```
#[must_use]
pub fn brief(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_PRINTED_CHARS) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// Returns the name of the method by which a position was solved.
///
/// ```
/// use grundy_core::{Limits, Play, Solver};
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain};
/// let position = read_position("nim(3, 4, 5)")?;
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(plain::method(&solution, Language::En), "bouton");
/// assert_eq!(plain::method(&solution, Language::Zh), "Bouton 定理");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn method(solution: &Solution, language: Language) -> String {
    words(
        &Step::new("method_alone").with("method", solution.method),
        language,
    )
}

/// Returns the answer of `solve` as text: outcome, value, kind of game, method and winning moves.
///
/// ```
/// use grundy_core::{Limits, Play, Solver};
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain};
/// let (position, play) = (read_position("nim(3, 4, 5)")?, Play::Normal);
/// let solution = Solver::default().solve(&position, play, &Limits::default())?;
/// let text = plain::solution(&position, play, &solution, None, Language::En);
/// assert_eq!(text.lines().nth(2), Some("  Grundy value: 2"));
/// assert_eq!(text.lines().last(), Some("    take 2 from heap 1 -> nim(1, 4, 5)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solution(
    position: &Position,
    play: Play,
    solution: &Solution,
    genus: Option<String>,
    language: Language,
) -> String {
    let say = |code| phrase(code, language);
    let game = position.to_string();
    let is_long = game.len() > MAX_POSITION_BYTES;
    let mut out = brief(game);
    let _ = writeln!(out, "\n  {}", verdict(solution, language));
    if let Some((label, value)) = value(solution) {
        let _ = writeln!(out, "  {}", labelled(&say(label), value, language));
    } else if leaves_out_value(play, solution) {
        let missing = labelled(&say("label_value"), say("value_not_computed"), language);
        let _ = writeln!(out, "  {missing}");
    }
    if let Some(genus) = genus {
        let _ = writeln!(out, "  {}", labelled(&say("label_genus"), genus, language));
    }
    for beginning in &solution.beginnings {
        let label = if solution.has_two_beginnings() {
            beginning
                .player
                .of(["label_remoteness_left", "label_remoteness_right"])
        } else {
            "label_remoteness"
        };
        if let Some(Some(remoteness)) = beginning.remoteness {
            let remoteness = u64::from(remoteness);
            let _ = writeln!(out, "  {}", labelled(&say(label), remoteness, language));
        }
    }
    let kind = explain::kind(position, play, solution);
    let _ = writeln!(out, "  {}", words(&kind, language));
    for remark in position.remarks() {
        let _ = writeln!(out, "  {}", words(&remark, language));
    }
    let how = Step::new("method_and_status")
        .with("method", solution.method)
        .with("status", solution.status.name());
    let _ = writeln!(out, "  {}", words(&how, language));
    let listed = solution.wanted == Detail::Moves;
    for beginning in solution.beginnings.iter().filter(|_| listed) {
        let label = moves_label(solution, beginning);
        list(
            &mut out,
            position,
            label,
            &beginning.moves,
            is_long,
            language,
        );
    }
    if !solution.moves_complete {
        let _ = writeln!(out, "    {}", say("label_more"));
    }
    if let Some(stop) = &solution.stopped {
        let why = message_text(&stop.message(), language.into());
        let _ = writeln!(out, "  {}", labelled(&say("label_stopped"), why, language));
    }
    out
}

/// Returns the answer of `solve` in one line: outcome and value. If the answer does not depend on
/// the first player, as in an impartial game, and the first player wins, a winning move follows.
///
/// ```
/// use grundy_core::{Limits, Play, Solver};
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain};
/// let position = read_position("nim(3, 4, 5)")?;
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// let line = plain::one_line(&position, &solution, Language::En);
/// let expected = "N: the next player wins; Grundy value: 2; a winning move: take 2 from heap 1";
/// assert_eq!(line, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn one_line(position: &Position, solution: &Solution, language: Language) -> String {
    let mut parts = vec![verdict(solution, language)];
    parts.extend(
        value(solution).map(|(label, value)| labelled(&phrase(label, language), value, language)),
    );
    if let [beginning] = &solution.beginnings[..]
        && !solution.has_two_beginnings()
        // If the outcome is a tie or a loss, the listed moves are not winning moves.
        && PayoffResult::from(beginning.outcome) == PayoffResult::Win
        && let Some(winning) = beginning.moves.first()
    {
        let action = words(&winning.mv.action, language);
        let action = with_component(position, winning.component, action, language);
        let step = Step::new("help_example_move").with("move", action);
        parts.push(words(&step, language));
    }
    parts.join(&phrase("help_joint", language))
}

/// Returns the answer of `solve` in a few lines: outcome, value and the listed winning moves.
///
/// ```
/// use grundy_core::{Limits, Play, Solver};
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain};
/// let position = read_position("nim(3, 4, 6)")?;
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// let answer = plain::short_answer(&position, &solution, Language::En);
/// let (first, moves) = answer.split_once('\n').unwrap();
/// assert_eq!(first, "N: the next player wins; Grundy value: 1");
/// assert_eq!(moves, "winning moves: take 1 from heap 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn short_answer(position: &Position, solution: &Solution, language: Language) -> String {
    let joint = phrase("help_joint", language);
    let mut parts = vec![verdict(solution, language)];
    parts.extend(
        value(solution).map(|(label, value)| labelled(&phrase(label, language), value, language)),
    );
    let mut out = parts.join(&joint);
    out.push('\n');
    for beginning in &solution.beginnings {
        let label = phrase(moves_label(solution, beginning), language);
        if beginning.moves.is_empty() {
            continue;
        }
        if PayoffResult::from(beginning.outcome) == PayoffResult::Lose {
            let _ = writeln!(out, "{label}");
            continue;
        }
        let actions = beginning.moves.iter().map(|winning| {
            let action = words(&winning.mv.action, language);
            with_component(position, winning.component, action, language)
        });
        let actions: Vec<String> = actions.collect();
        let _ = writeln!(out, "{}", labelled(&label, actions.join(&joint), language));
    }
    out
}

/// Returns the code of the phrase that labels a list of moves, such as the phrase `winning moves`.
fn moves_label(solution: &Solution, beginning: &Beginning) -> &'static str {
    match (
        solution.has_two_beginnings(),
        PayoffResult::from(beginning.outcome),
    ) {
        (true, _) => beginning
            .player
            .of(["label_left_moves", "label_right_moves"]),
        (false, PayoffResult::Tie) => "label_tie_moves",
        (false, PayoffResult::Win) => "label_moves",
        (false, PayoffResult::Lose) => "every_move_loses",
    }
}

/// Returns the value of the position as text, preceded by the code of the phrase that labels it.
/// Returns `None` if the value is not known.
fn value(solution: &Solution) -> Option<(&'static str, String)> {
    match &solution.value {
        Some(GameValue::Nimber(value)) => Some(("label_value", value.to_string())),
        Some(GameValue::Infinity(set)) => {
            let value = Loopy::Infinite(set.clone());
            Some(("label_value", value.to_string()))
        }
        Some(GameValue::Short { text, .. }) => Some(("label_number", text.clone())),
        None => None,
    }
}

/// Returns the sentence that states the outcome.
fn verdict(solution: &Solution, language: Language) -> String {
    let verdict = solution.verdict();
    let sentence = phrase(verdict_code(verdict), language);
    match verdict {
        Verdict::Payoff(payoff) => {
            let step = Step::new("worth").with("worth", payoff.to_string());
            words(&step.with("said", sentence), language)
        }
        _ => sentence,
    }
}

/// Returns the outcome in one or two letters, such as `N`. In a game with payoffs, it is a word for
/// a win, a tie or a loss.
///
/// ```
/// use grundy_core::{OutcomeClass, PayoffResult, Verdict};
/// use grundy_wording::{Language, plain::letters};
/// assert_eq!(letters(Verdict::Class(OutcomeClass::R), Language::En), "R");
/// assert_eq!(letters(Verdict::Payoff(PayoffResult::Tie), Language::En), "tie");
/// ```
#[must_use]
pub fn letters(verdict: Verdict, language: Language) -> String {
    match verdict {
        Verdict::Payoff(payoff) => {
            let step = Step::new("worth_alone");
            words(&step.with("worth", payoff.to_string()), language)
        }
        verdict => verdict.to_string(),
    }
}

/// Appends a list of moves below its heading, the phrase with the code `label`. Appends nothing if
/// there are no moves. If the position is long, the resulting positions are omitted.
fn list(
    out: &mut String,
    position: &Position,
    label: &'static str,
    moves: &[WinningMove],
    is_long: bool,
    language: Language,
) {
    if moves.is_empty() {
        return;
    }
    let _ = writeln!(out, "  {}", heading(&phrase(label, language), language));
    if is_long {
        let _ = writeln!(out, "    {}", phrase("label_moves_alone", language));
    }
    for winning in moves {
        let action = with_component(
            position,
            winning.component,
            words(&winning.mv.action, language),
            language,
        );
        let _ = write!(out, "    {action}");
        if !is_long {
            let _ = write!(out, " -> {}", brief(winning.to.to_string()));
        }
        if let Some(repeats) = winning.repeats {
            let more = Step::new("more_in_steps")
                .with("count", repeats.count - 1)
                .with("step", repeats.step);
            let _ = write!(out, " {}", words(&more, language));
        }
        if let Some(Some(remoteness)) = winning.remoteness {
            let remaining = Step::new("remaining_moves").with("count", u64::from(remoteness));
            let _ = write!(out, " {}", words(&remaining, language));
        }
        out.push('\n');
    }
}

/// Returns the heading of a list: the label, followed by the colon that the language uses.
///
/// ```
/// use grundy_wording::{Language, plain::heading};
/// assert_eq!(heading("winning moves", Language::En), "winning moves:");
/// assert_eq!(heading("必胜走法", Language::Zh), "必胜走法：");
/// ```
#[must_use]
pub fn heading(label: &str, language: Language) -> String {
    labelled(label, "", language).trim_end().to_owned()
}

/// Returns the description `action` of a move. If the position is a sum, the text of the term that
/// the move changes precedes the description. The index of this term is `component`.
///
/// ```
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain::with_component};
/// let [one, sum] = [read_position("nim(3)")?, read_position("kayles(5) + nim(3)")?];
/// let text = |position, component| {
///     with_component(position, component, "take 1".to_owned(), Language::En)
/// };
/// assert_eq!(text(&one, 0), "take 1");
/// assert_eq!(text(&sum, 1), "in nim(3): take 1");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn with_component(
    position: &Position,
    component: usize,
    action: String,
    language: Language,
) -> String {
    if position.terms().len() < 2 {
        return action;
    }
    let place = brief(position.terms()[component].text());
    let place = Step::new("label_component").with("part", place);
    labelled(&words(&place, language), action, language)
}

/// A step of an explanation, with its sentence and its number.
#[derive(Clone, Debug)]
pub struct OutlineStep<'a> {
    /// The step.
    pub step: &'a Step,
    /// The number of the step, or `None` for a step that belongs to the previous numbered step.
    pub number: Option<usize>,
    /// The sentence of the step.
    pub sentence: String,
    /// The lines that follow the sentence, such as a table or numbers in binary.
    pub below: String,
}

/// Returns the steps of an explanation with their numbers and sentences.
///
/// ```
/// use grundy_core::{Limits, Play, Solver, explain};
/// use grundy_notation::read_position;
/// use grundy_wording::{Language, plain::outline};
/// let position = read_position("nim(3, 4, 5)")?;
/// let (play, limits, mut solver) = (Play::Normal, Limits::default(), Solver::default());
/// let solution = solver.solve(&position, play, &limits)?;
/// let steps = explain::steps(&position, play, &solution, &mut solver, &limits)?;
/// let outline = outline(&steps, Language::En);
/// let sum = outline.iter().find(|line| line.step.code == "nim_columns").unwrap();
/// assert_eq!(sum.below, "     3  011\n     4  100\n     5  101\n     -  ---\n     2  010\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn outline(steps: &[Step], language: Language) -> Vec<OutlineStep<'_>> {
    let mut outline = Vec::new();
    let (mut number, mut previous_code) = (0, "");
    for step in steps {
        let sentence = words(step, language);
        // The reason for a move is followed by a step with the value of the resulting position.
        // That step gets no number.
        let is_value_after_reason = previous_code.starts_with("reason")
            && step.args.iter().any(|(name, _)| *name == "part");
        let is_value_after_reason = is_value_after_reason && !step.code.starts_with("reason");
        let is_numbered = !is_value_after_reason && !sentence.starts_with(' ');
        number += usize::from(is_numbered);
        previous_code = step.code;
        outline.push(OutlineStep {
            step,
            number: is_numbered.then_some(number),
            sentence,
            below: match step.code {
                "strategy" => table(step, language),
                "nim_columns" | "nimber_sum" => columns(step),
                _ => String::new(),
            },
        });
    }
    outline
}

/// Returns the numbered steps of an explanation as text, one step per line. Steps without a number
/// are indented, and belong to the numbered step above them.
///
/// ```
/// use grundy_core::step::Step;
/// use grundy_wording::{Language, plain::numbered};
/// let steps = [Step::new("outcome_p"), Step::new("play_hint_tepid")];
/// let text = numbered(&steps, Language::En);
/// assert!(text.starts_with("1. P: the previous player wins\n2. Nothing here is hot"));
/// ```
#[must_use]
pub fn numbered(steps: &[Step], language: Language) -> String {
    let mut out = String::new();
    for line in outline(steps, language) {
        let sentence = &line.sentence;
        let _ = match line.number {
            Some(number) => writeln!(out, "{number}. {sentence}"),
            None if sentence.starts_with(' ') => writeln!(out, " {sentence}"),
            None => writeln!(out, "     {sentence}"),
        };
        out.push_str(&line.below);
    }
    out
}

fn argument<'a>(step: &'a Step, name: &str) -> Option<&'a Datum> {
    let found = step.args.iter().find(|(known, _)| *known == name)?;
    Some(&found.1)
}

/// Returns the table that a step of an explanation contains, as text with aligned columns.
fn table(step: &Step, language: Language) -> String {
    let find = |name| argument(step, name);
    let (Some(columns), Some(Datum::List(rows))) = (find("columns"), find("rows")) else {
        return String::new();
    };
    let cells = |row: &Datum| match row {
        Datum::List(cells) => cells
            .iter()
            .map(|cell| match cell {
                Datum::Int(n) => n.to_string(),
                // Names of vertices are truncated, since a single long name would widen the whole
                // column.
                Datum::Text(text) => text.chars().take(60).collect(),
                _ => String::new(),
            })
            .collect::<Vec<String>>(),
        _ => Vec::new(),
    };
    let heads = cells(columns).into_iter().map(|column| {
        let head = Step::new("table_head").with("head", column);
        words(&head, language)
    });
    let lines: Vec<Vec<String>> = std::iter::once(heads.collect())
        .chain(rows.iter().map(cells))
        .collect();
    let widest = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(widest).collect();
    let mut out = String::new();
    for line in &lines {
        let mut text = String::from("    ");
        for (cell, widest) in line.iter().zip(&widths) {
            let room = " ".repeat(widest.saturating_sub(width(cell)));
            let _ = write!(text, " {cell}{room}");
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    if find("complete").is_some_and(|complete| *complete == Datum::Bool(false)) {
        out.push_str("     ...\n");
    }
    out
}

/// Returns the nim-sum that a step of an explanation states, as a written addition. Each number has
/// its own line, in decimal and in binary. A ruled line and the nim-sum follow.
fn columns(step: &Step) -> String {
    let find = |name| argument(step, name);
    let (
        Some(Datum::List(heaps)),
        Some(Datum::List(rows)),
        Some(Datum::Text(sum_row)),
        Some(Datum::Int(sum)),
    ) = (
        find("heaps"),
        find("binary"),
        find("sum_binary"),
        find("sum"),
    )
    else {
        return String::new();
    };
    // Decimal numbers are aligned on the right. Binary numbers have equal lengths already.
    let width = heaps.iter().map(|heap| match heap {
        Datum::Int(n) => n.to_string().len(),
        _ => 0,
    });
    let width = width.max().unwrap_or(0).max(sum.to_string().len());
    let mut out = String::new();
    for (heap, row) in heaps.iter().zip(rows) {
        if let (Datum::Int(heap), Datum::Text(row)) = (heap, row) {
            let _ = writeln!(out, "     {heap:>width$}  {row}");
        }
    }
    let _ = writeln!(
        out,
        "     {}  {}",
        "-".repeat(width),
        "-".repeat(sum_row.len())
    );
    let _ = writeln!(out, "     {sum:>width$}  {sum_row}");
    out
}
