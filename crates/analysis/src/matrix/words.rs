//! A solved matrix game in words: the strategy of each player, and the proof that neither player
//! can guarantee more.

use std::fmt::{self, Write};

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_matrix::dominance::{MatrixPlayer, Reduction};
use grundy_matrix::guarantee::{self, Payoffs};
use grundy_matrix::read::total::brief;
use grundy_matrix::{BigInt, BigRational, Matrix};
use grundy_wording::{Audience, Language, option, phrase, width, words};
use num_traits::Zero as _;

use super::digits::{self, short};
use super::{SolvedMatrix, trace};

/// Largest number of rows, and of columns, of a matrix that is printed. Also the largest number of
/// choices that are listed one by one.
const MAX_SHOWN: usize = 12;

/// The choices of one player: the rows or the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Row,
    Column,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Row, Self::Column];

    /// Returns the first of two codes for rows, and the second for columns. A code identifies a
    /// sentence of the answer.
    pub(super) fn of(self, codes: [&'static str; 2]) -> &'static str {
        codes[self as usize]
    }

    fn player(self, language: Language) -> String {
        phrase(
            self.of(["matrix_row_player", "matrix_column_player"]),
            language,
        )
    }

    /// Returns the name of a row or a column. If it has no name, returns its index.
    fn name(self, solved: &SolvedMatrix, choice: usize) -> String {
        match &solved.names[self as usize] {
            Some(names) => names[choice].clone(),
            None => choice.to_string(),
        }
    }

    /// Returns a choice in words, such as `row 1` for the row with index 1.
    pub(super) fn choice(self, solved: &SolvedMatrix, choice: usize, language: Language) -> String {
        let step = Step::new(self.of(["matrix_row", "matrix_column"]));
        words(&step.with("choice", self.name(solved, choice)), language)
    }
}

pub(super) fn title(game: &Matrix, language: Language) -> String {
    let step = Step::new("matrix_title").with("rows", game.rows());
    words(&step.with("columns", game.columns()), language)
}

/// Returns the solution of a matrix game and all requested results as text.
pub(super) fn text(solved: &SolvedMatrix, audience: Audience) -> String {
    let mut out = WordedLines {
        text: String::new(),
        audience,
    };
    // Writing to a `String` does not fail.
    let _ = write(&mut out, solved);
    out.text
}

/// The lines that have been written, and the reader for whom they are worded.
struct WordedLines {
    text: String,
    audience: Audience,
}

impl WordedLines {
    fn language(&self) -> Language {
        self.audience.language
    }

    fn say(&mut self, step: &Step) -> fmt::Result {
        writeln!(self.text, "{}", words(step, self.language()))
    }

    fn say_after_blank_line(&mut self, step: &Step) -> fmt::Result {
        self.text.push('\n');
        self.say(step)
    }
}

/// Returns the name of the output format in which fractions have all digits.
fn json_option(audience: Audience) -> String {
    option(&Setting::command_line("json"), audience)
}

fn write(out: &mut WordedLines, solved: &SolvedMatrix) -> fmt::Result {
    let SolvedMatrix { game, solution, .. } = solved;
    let title = title(game, out.language());
    let constant = solved.constant.as_ref();
    let shared = constant.filter(|constant| !constant.is_zero());
    out.say(&match shared {
        Some(constant) => Step::new("matrix_shared")
            .with("title", title)
            .with("constant", short(constant)),
        None => Step::new("matrix_paid").with("title", title),
    })?;
    table(&mut out.text, solved)?;
    let (value, cut) = digits::line([&solution.value].into_iter());
    let (value, digits) = (&value[0], short(&solution.value));
    let step = |code| Step::new(code).with("value", &value[..]);
    out.say_after_blank_line(&if cut {
        step("matrix_value_cut").with("option", json_option(out.audience))
    } else if *value == digits {
        step("matrix_value")
    } else {
        step("matrix_value_digits").with("digits", digits)
    })?;
    if let (Some(_), Some(values)) = (shared, solved.values()) {
        let [row, column] = values.map(|value| short(&value));
        let step = Step::new("matrix_values").with("row", row);
        out.say(&step.with("column", column))?;
    }
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let unique = match solved.extreme[index].is_unique() {
            Some(true) => "matrix_unique",
            Some(false) => "matrix_not_unique",
            None => "matrix_unique_unknown",
        };
        let step = Step::new("matrix_strategy")
            .with("player", side.player(out.language()))
            .with(
                "mixture",
                mixture(side, solved, &solved.fractions[index], out.audience),
            )
            .with("unique", phrase(unique, out.language()));
        out.say(&step)?;
    }
    pure_strategies(out, solved)?;
    guarantees(out, solved)?;
    if let Some(most) = solved.listed {
        for side in Side::BOTH {
            extreme(out, side, solved, most)?;
        }
    }
    if let Some(reduction) = &solved.dominance {
        dominance(out, solved, reduction)?;
    }
    given_strategies(out, solved)?;
    if let Some(trace) = &solved.trace {
        let language = out.language();
        trace::write(&mut out.text, trace, &solution.value, language)?;
    }
    for note in solved.notes(out.language()) {
        let step = Step::new("note").with("note", note);
        out.say_after_blank_line(&step)?;
    }
    Ok(())
}

/// Largest number of characters of a name that is printed above the matrix or to the left of it.
const MAX_NAME: usize = 20;

fn table(out: &mut String, solved: &SolvedMatrix) -> fmt::Result {
    let game = &solved.game;
    if game.rows() > MAX_SHOWN || game.columns() > MAX_SHOWN {
        return Ok(());
    }
    let cells: Vec<Vec<String>> = (0..game.rows())
        .map(|i| {
            (0..game.columns())
                .map(|j| short(&game.entry(i, j)))
                .collect()
        })
        .collect();
    let names = |side: Side, count: usize| -> Vec<String> {
        (0..count)
            .map(|choice| brief(&side.name(solved, choice), MAX_NAME))
            .collect()
    };
    let (rows, columns) = (
        names(Side::Row, game.rows()),
        names(Side::Column, game.columns()),
    );
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| width(text)).max().unwrap_or(1).max(2)
    };
    let cell_width = widest(&mut cells.iter().flatten().chain(&columns));
    let name_width = widest(&mut rows.iter());
    // The width of a name in a terminal is not the number of its characters.
    let pad = |text: &str, wide: usize| {
        let spaces = wide.saturating_sub(width(text));
        format!("{}{text}", " ".repeat(spaces))
    };
    write!(out, "\n  {}  ", " ".repeat(name_width))?;
    for column in &columns {
        write!(out, " {}", pad(column, cell_width))?;
    }
    writeln!(out)?;
    for (name, row) in rows.iter().zip(&cells) {
        write!(out, "  {} |", pad(name, name_width))?;
        for cell in row {
            write!(out, " {}", pad(cell, cell_width))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the saddle points, each with the reason why it is one. If there is no saddle point,
/// writes the payoff that each player can guarantee with a pure strategy.
fn pure_strategies(out: &mut WordedLines, solved: &SolvedMatrix) -> fmt::Result {
    let pure = &solved.solution.pure;
    if !pure.has_saddle() {
        let step = Step::new("matrix_no_saddle")
            .with("maximin", short(&pure.maximin))
            .with(
                "rows",
                listed(Side::Row, solved, &pure.maximin_rows, out.language()),
            )
            .with("minimax", short(&pure.minimax))
            .with(
                "columns",
                listed(Side::Column, solved, &pure.minimax_columns, out.language()),
            );
        return out.say(&step);
    }
    for [row, column] in pure.saddle_points().into_iter().take(MAX_SHOWN) {
        let step = Step::new("matrix_saddle")
            .with("row", Side::Row.name(solved, row))
            .with("column", Side::Column.name(solved, column))
            .with("value", short(&pure.maximin));
        out.say(&step)?;
    }
    let count = pure.maximin_rows.len() * pure.minimax_columns.len();
    if count > MAX_SHOWN {
        out.say(&Step::new("matrix_more_saddles").with("count", count - MAX_SHOWN))?;
    }
    Ok(())
}

/// Writes the payoff that each player can guarantee, with equations that prove it. The value of the
/// game lies between these two payoffs. The payoffs are equal, so each of them is the value.
fn guarantees(out: &mut WordedLines, solved: &SolvedMatrix) -> fmt::Result {
    let SolvedMatrix { game, solution, .. } = solved;
    let value = &solution.value;
    let [p, q] = &solved.fractions;
    let columns = guarantee::of_columns(game, &solution.row_strategy);
    let rows = guarantee::of_rows(game, &solution.column_strategy);
    out.say_after_blank_line(&Step::new("matrix_sure").with("value", short(value)))?;
    let entry = |j: usize, i: usize| game.entry(i, j);
    sums(out, Side::Column, solved, &columns, p, &entry)?;
    out.say(&Step::new("matrix_pays_at_most").with("value", short(value)))?;
    let entry = |i: usize, j: usize| game.entry(i, j);
    sums(out, Side::Row, solved, &rows, q, &entry)?;
    out.say(&Step::new("matrix_both_bounds"))
}

/// Writes the payoff of each row or column, as chosen by `side`, against the mixed strategy
/// `weights` of the opponent. If there are too many of them to list, writes how many attain the
/// value.
fn sums(
    out: &mut WordedLines,
    side: Side,
    solved: &SolvedMatrix,
    payoffs: &Payoffs,
    weights: &[BigRational],
    entry: &dyn Fn(usize, usize) -> BigRational,
) -> fmt::Result {
    let value = &solved.solution.value;
    let count = payoffs.choices();
    if count > MAX_SHOWN {
        // The value is the least payoff of a column, and the greatest payoff of a row.
        let (_, answers) = match side {
            Side::Column => payoffs.least(),
            Side::Row => payoffs.greatest(),
        };
        let exact = answers.len();
        let step = Step::new(side.of(["matrix_rows_win", "matrix_columns_pay"]))
            .with("count", count)
            .with("exact", exact)
            .with("rest", count - exact);
        return out.say(&step);
    }
    for k in 0..count {
        let payoff = payoffs.payoff(k);
        let support: Vec<usize> = (0..weights.len())
            .filter(|&l| weights[l] != BigRational::default())
            .collect();
        let terms: Vec<String> = support
            .iter()
            .take(MAX_SHOWN)
            .map(|&l| product(&weights[l], &entry(k, l)))
            .collect();
        // A sum with a single term would only repeat the payoff, and a long sum is hard to read.
        let sum = if support.len() == 1
            || support.len() > MAX_SHOWN
            || terms.iter().map(String::len).sum::<usize>() > 100
        {
            String::new()
        } else {
            format!("{} = ", terms.join(" + "))
        };
        let code = if &payoff == value {
            side.of(["matrix_row_wins", "matrix_column_pays"])
        } else {
            side.of(["matrix_row_wins_less", "matrix_column_pays_more"])
        };
        let step = Step::new(code)
            .with("choice", side.name(solved, k))
            .with("payoff", format!("{sum}{}", short(&payoff)));
        out.say(&step)?;
    }
    Ok(())
}

/// Returns a weight times an entry, such as `2/3*(-1)`, or only the entry if the weight is 1.
fn product(weight: &BigRational, entry: &BigRational) -> String {
    let one = BigRational::from_integer(BigInt::from(1));
    if *weight == one {
        short(entry)
    } else if *entry < BigRational::default() {
        format!("{}*({})", short(weight), short(entry))
    } else {
        format!("{}*{}", short(weight), short(entry))
    }
}

fn extreme(out: &mut WordedLines, side: Side, solved: &SolvedMatrix, most: usize) -> fmt::Result {
    let extreme = &solved.extreme[side as usize];
    let shown = extreme.strategies.len().min(most);
    let all = extreme.complete && shown == extreme.strategies.len();
    let player = side.player(out.language());
    out.say_after_blank_line(&if all {
        Step::new("matrix_extreme").with("player", player)
    } else {
        Step::new("matrix_extreme_some")
            .with("player", player)
            .with("shown", shown)
    })?;
    for strategy in &extreme.strategies[..shown] {
        let fractions: Vec<BigRational> = (0..strategy.choices())
            .map(|k| strategy.probability(k))
            .collect();
        let mixture = mixture(side, solved, &fractions, out.audience);
        writeln!(out.text, "  {mixture}")?;
    }
    if all && shown > 1 {
        out.say(&Step::new("matrix_mixtures"))?;
    }
    Ok(())
}

fn dominance(out: &mut WordedLines, solved: &SolvedMatrix, reduction: &Reduction) -> fmt::Result {
    out.say_after_blank_line(&Step::new("matrix_dominated"))?;
    if reduction.removals.is_empty() {
        return out.say(&Step::new("matrix_dominated_none"));
    }
    for removal in &reduction.removals {
        let side = match removal.player {
            MatrixPlayer::Row => Side::Row,
            MatrixPlayer::Column => Side::Column,
        };
        let by: Vec<String> = removal
            .mixture
            .iter()
            .map(|(k, p)| {
                if removal.mixture.len() == 1 {
                    return side.choice(solved, *k, out.language());
                }
                let part = side.of(["matrix_part_of_row", "matrix_part_of_column"]);
                let part = Step::new(part).with("weight", short(p));
                words(&part.with("choice", side.name(solved, *k)), out.language())
            })
            .collect();
        let code = if removal.strict {
            side.of(["matrix_row_goes_strictly", "matrix_column_goes_strictly"])
        } else {
            side.of(["matrix_row_goes", "matrix_column_goes"])
        };
        let step = Step::new(code)
            .with("choice", side.name(solved, removal.strategy))
            .with("by", by.join(" + "));
        out.say(&step)?;
    }
    let left = Step::new("matrix_left")
        .with(
            "rows",
            listed(Side::Row, solved, &reduction.rows, out.language()),
        )
        .with(
            "columns",
            listed(Side::Column, solved, &reduction.columns, out.language()),
        );
    out.say(&left)?;
    out.say(&Step::new(if reduction.keeps_all_optimal() {
        "matrix_strict_keeps"
    } else {
        "matrix_weak_warning"
    }))
}

fn given_strategies(out: &mut WordedLines, solved: &SolvedMatrix) -> fmt::Result {
    let game = &solved.game;
    if let Some(p) = &solved.row {
        let (floor, answers) = guarantee::of_columns(game, p).least();
        let step = Step::new("matrix_row_judged")
            .with("value", short(&floor))
            .with(
                "answers",
                listed(Side::Column, solved, &answers, out.language()),
            );
        out.say_after_blank_line(&step)?;
    }
    if let Some(q) = &solved.column {
        let (ceiling, answers) = guarantee::of_rows(game, q).greatest();
        let step = Step::new("matrix_column_judged")
            .with("value", short(&ceiling))
            .with(
                "answers",
                listed(Side::Row, solved, &answers, out.language()),
            );
        out.say_after_blank_line(&step)?;
    }
    if let (Some(p), Some(q)) = (&solved.row, &solved.column) {
        let expected = guarantee::expected(game, p, q);
        out.say(&Step::new("matrix_expected").with("value", short(&expected)))?;
    }
    Ok(())
}

/// Returns the text of a mixed strategy, such as `2/3 row 0 + 1/3 row 1`. Of many choices, the
/// first `MAX_SHOWN` are listed and the others are counted.
fn mixture(
    side: Side,
    solved: &SolvedMatrix,
    fractions: &[BigRational],
    audience: Audience,
) -> String {
    let language = audience.language;
    let support: Vec<usize> = (0..fractions.len())
        .filter(|&k| fractions[k] != BigRational::default())
        .collect();
    if let [only] = support[..] {
        let step = Step::new(side.of(["matrix_always_row", "matrix_always_column"]));
        return words(&step.with("choice", side.name(solved, only)), language);
    }
    let shown = &support[..support.len().min(MAX_SHOWN)];
    // If one weight is shortened, all are, so that they can be compared.
    let (weights, _) = digits::line(shown.iter().map(|&k| &fractions[k]));
    let terms: Vec<String> = weights
        .into_iter()
        .zip(shown)
        .map(|(weight, &k)| {
            let step = Step::new(side.of(["matrix_weighted_row", "matrix_weighted_column"]));
            let step = step.with("weight", weight);
            words(&step.with("choice", side.name(solved, k)), language)
        })
        .collect();
    let rest = support.len().saturating_sub(MAX_SHOWN);
    let mut text = terms.join(" + ");
    if rest > 0 {
        let more = Step::new(side.of(["matrix_more_rows", "matrix_more_columns"]));
        let more = more
            .with("count", rest)
            .with("option", json_option(audience));
        text.push_str(&words(&more, language));
    }
    text
}

/// Returns a list of choices, such as `rows 0, 2` or `row 1`.
fn listed(side: Side, solved: &SolvedMatrix, choices: &[usize], language: Language) -> String {
    let text = if let [only] = choices[..] {
        side.choice(solved, only, language)
    } else {
        let shown = choices.iter().take(MAX_SHOWN);
        let shown: Vec<String> = shown.map(|&choice| side.name(solved, choice)).collect();
        let step = Step::new(side.of(["matrix_rows", "matrix_columns"]));
        words(&step.with("choices", shown), language)
    };
    let rest = choices.len().saturating_sub(MAX_SHOWN);
    if rest == 0 {
        return text;
    }
    let step = Step::new("matrix_listed_more").with("listed", text);
    words(&step.with("count", rest), language)
}

#[cfg(test)]
mod tests {
    use grundy_core::Limits;
    use grundy_matrix::face::ExtremeStrategies;
    use grundy_matrix::solve;

    use super::*;

    fn solved(names: Option<Vec<String>>) -> SolvedMatrix {
        let game = Matrix::from_integers(1, &[0, 0, 0, 0, 0]);
        SolvedMatrix {
            solution: solve(&game, &Limits::none()).unwrap(),
            game,
            constant: None,
            names: [names, None],
            notes: Vec::new(),
            fractions: [Vec::new(), Vec::new()],
            extreme: [0, 1].map(|_| ExtremeStrategies {
                strategies: Vec::new(),
                complete: true,
            }),
            listed: None,
            dominance: None,
            row: None,
            column: None,
            trace: None,
        }
    }

    #[test]
    fn strategies_in_words() {
        let half = BigRational::new(1.into(), 2.into());
        let one = BigRational::from_integer(1.into());
        let zero = BigRational::default();
        let mixed = [half.clone(), zero.clone(), half];
        let pure = [zero.clone(), one, zero];
        let text_of = |solved: &SolvedMatrix, fractions: &[BigRational]| {
            mixture(Side::Row, solved, fractions, Audience::default())
        };
        let numbered = solved(None);
        assert_eq!(text_of(&numbered, &mixed), "1/2 row 0 + 1/2 row 2");
        assert_eq!(text_of(&numbered, &pure), "always row 1");
        let list = |solved, side, language| listed(side, solved, &[1, 4], language);
        assert_eq!(list(&numbered, Side::Row, Language::En), "rows 1, 4");
        assert_eq!(list(&numbered, Side::Column, Language::Zh), "第 1、4 列");
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let named = solved(Some(names));
        assert_eq!(text_of(&named, &mixed), "1/2 row a + 1/2 row c");
        assert_eq!(list(&named, Side::Row, Language::En), "rows b, e");
    }
}
