//! What is known about a matrix game, in words: what each player does, and why nobody can do better.

use std::fmt::{self, Write};

use grundy_matrix::dominance::{MatrixPlayer, Reduction};
use grundy_matrix::face::Extreme;
use grundy_matrix::guarantee::{self, Payoffs};
use grundy_matrix::{BigInt, BigRational, Matrix};

use super::digits::{self, short};
use super::{SolvedMatrix, trace};

/// What is said where digits are left out.
const CUT: &str = " (digits are left out: --json has exact fractions)";

/// Most rows and columns of a matrix that is printed, and most choices that are spoken of one by one.
const SHOWN: usize = 12;

pub(super) fn title(game: &Matrix) -> String {
    format!("a {} by {} matrix game", game.rows(), game.columns())
}

impl fmt::Display for SolvedMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self)
    }
}

fn write(out: &mut impl Write, solved: &SolvedMatrix) -> fmt::Result {
    let SolvedMatrix { game, solution, .. } = solved;
    writeln!(
        out,
        "{}; the entries are paid to the row player",
        title(game)
    )?;
    table(out, game)?;
    let (value, cut) = digits::line([&solution.value].into_iter());
    let (value, digits) = (&value[0], short(&solution.value));
    if cut {
        writeln!(out, "\nvalue {value}{CUT}")?;
    } else if *value == digits {
        writeln!(out, "\nvalue {value}")?;
    } else {
        writeln!(out, "\nvalue {value} = {digits}")?;
    }
    let names = ["row", "column"];
    for (side, name) in names.into_iter().enumerate() {
        let mixture = mixture(name, &solved.fractions[side]);
        let unique = match solved.extreme[side].is_unique() {
            Some(true) => "; no other strategy is optimal",
            Some(false) => "; other strategies are optimal, too",
            None => "; whether others are optimal was not decided",
        };
        writeln!(out, "{name} player: {mixture}{unique}")?;
    }
    pure(out, solved)?;
    why(out, solved)?;
    if let Some(most) = solved.listed {
        for (side, name) in names.into_iter().enumerate() {
            extreme(out, name, &solved.extreme[side], most)?;
        }
    }
    if let Some(reduction) = &solved.dominance {
        dominance(out, reduction)?;
    }
    judged(out, solved)?;
    if let Some(trace) = &solved.trace {
        trace::write(out, trace, &solution.value)?;
    }
    Ok(())
}

fn table(out: &mut impl Write, game: &Matrix) -> fmt::Result {
    if game.rows() > SHOWN || game.columns() > SHOWN {
        return Ok(());
    }
    let cells: Vec<Vec<String>> = (0..game.rows())
        .map(|i| {
            (0..game.columns())
                .map(|j| short(&game.entry(i, j)))
                .collect()
        })
        .collect();
    let width = cells
        .iter()
        .flatten()
        .map(String::len)
        .max()
        .unwrap_or(1)
        .max(2);
    write!(out, "\n      ")?;
    for j in 0..game.columns() {
        write!(out, " {j:>width$}")?;
    }
    writeln!(out)?;
    for (i, row) in cells.iter().enumerate() {
        write!(out, "  {i:>2} |")?;
        for cell in row {
            write!(out, " {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The pure strategies: a saddle point and its reason, or the gap.
fn pure(out: &mut impl Write, solved: &SolvedMatrix) -> fmt::Result {
    let pure = &solved.solution.pure;
    if !pure.has_saddle() {
        return writeln!(
            out,
            "no saddle point: with one row alone the row player is sure of {} ({}), with one column alone the column player pays up to {} ({})",
            short(&pure.maximin),
            listed("row", &pure.maximin_rows),
            short(&pure.minimax),
            listed("column", &pure.minimax_columns)
        );
    }
    for [i, j] in pure.saddle_points().into_iter().take(SHOWN) {
        writeln!(
            out,
            "saddle point at row {i}, column {j}: {} is the least entry of row {i} and the greatest of column {j}",
            short(&pure.maximin)
        )?;
    }
    let count = pure.maximin_rows.len() * pure.minimax_columns.len();
    if count > SHOWN {
        writeln!(out, "and {} more saddle points", count - SHOWN)?;
    }
    Ok(())
}

/// The bound each side can guarantee: the equations that make the other one indifferent.
fn why(out: &mut impl Write, solved: &SolvedMatrix) -> fmt::Result {
    let SolvedMatrix { game, solution, .. } = solved;
    let value = &solution.value;
    let [p, q] = &solved.fractions;
    let columns = guarantee::of_columns(game, &solution.row_strategy);
    let rows = guarantee::of_rows(game, &solution.column_strategy);
    writeln!(
        out,
        "\nThe row player is sure of {} on average, whatever the column player does:",
        short(value)
    )?;
    let entry = |j: usize, i: usize| game.entry(i, j);
    sums(out, "column", "pays", &columns, value, p, &entry)?;
    writeln!(
        out,
        "The column player pays no more than {} on average, whatever the row player does:",
        short(value)
    )?;
    let entry = |i: usize, j: usize| game.entry(i, j);
    sums(out, "row", "wins", &rows, value, q, &entry)?;
    writeln!(
        out,
        "Both bounds are the same, so neither player can do better."
    )
}

fn sums(
    out: &mut impl Write,
    name: &str,
    verb: &str,
    payoffs: &Payoffs,
    value: &BigRational,
    weights: &[BigRational],
    entry: &dyn Fn(usize, usize) -> BigRational,
) -> fmt::Result {
    let count = payoffs.choices();
    if count > SHOWN {
        // The value is the least a column pays, and the most a row wins.
        let (_, answers) = if name == "column" {
            payoffs.least()
        } else {
            payoffs.greatest()
        };
        let exact = answers.len();
        let rest = if name == "column" { "more" } else { "less" };
        return writeln!(
            out,
            "  of the {count} {name}s, {exact} {} just that, {} {rest}",
            if name == "column" { "pay" } else { "win" },
            count - exact
        );
    }
    for k in 0..count {
        let payoff = payoffs.payoff(k);
        let support: Vec<usize> = (0..weights.len())
            .filter(|&l| weights[l] != BigRational::default())
            .collect();
        let terms: Vec<String> = support
            .iter()
            .take(SHOWN)
            .map(|&l| product(&weights[l], &entry(k, l)))
            .collect();
        let sum = if support.len() == 1
            || support.len() > SHOWN
            || terms.iter().map(String::len).sum::<usize>() > 100
        {
            String::new()
        } else {
            format!("{} = ", terms.join(" + "))
        };
        let note = if &payoff == value {
            ""
        } else if name == "column" {
            ", more than the value: not to be played"
        } else {
            ", less than the value: not to be played"
        };
        writeln!(out, "  {name} {k} {verb} {sum}{}{note}", short(&payoff))?;
    }
    Ok(())
}

/// A weight times an entry: `2/3*(-1)`, and the entry alone when the weight is 1.
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

fn extreme(out: &mut impl Write, name: &str, extreme: &Extreme, most: usize) -> fmt::Result {
    let shown = extreme.strategies.len().min(most);
    let all = extreme.complete && shown == extreme.strategies.len();
    writeln!(
        out,
        "\nExtreme optimal strategies of the {name} player{}:",
        if all {
            String::new()
        } else {
            format!(", {shown} of them; there may be more")
        }
    )?;
    for strategy in &extreme.strategies[..shown] {
        let fractions: Vec<BigRational> = (0..strategy.choices())
            .map(|k| strategy.probability(k))
            .collect();
        writeln!(out, "  {}", mixture(name, &fractions))?;
    }
    if all && shown > 1 {
        writeln!(out, "  and all mixtures of these")?;
    }
    Ok(())
}

fn dominance(out: &mut impl Write, reduction: &Reduction) -> fmt::Result {
    writeln!(out, "\nDominated strategies")?;
    if reduction.removals.is_empty() {
        return writeln!(out, "  there are none");
    }
    for removal in &reduction.removals {
        let (name, better) = match removal.player {
            MatrixPlayer::Row => ("row", "wins more"),
            MatrixPlayer::Column => ("column", "pays less"),
        };
        let by: Vec<String> = removal
            .by
            .iter()
            .map(|(k, p)| {
                if removal.by.len() == 1 {
                    format!("{name} {k}")
                } else {
                    format!("{} of {name} {k}", short(p))
                }
            })
            .collect();
        let strictly = if removal.strict {
            format!("{better} against everything that is left")
        } else {
            format!("never does worse and sometimes {better}")
        };
        writeln!(
            out,
            "  {name} {} goes: {} {strictly}",
            removal.strategy,
            by.join(" + ")
        )?;
    }
    writeln!(
        out,
        "  left: {} and {}",
        listed("row", &reduction.rows),
        listed("column", &reduction.columns)
    )?;
    if reduction.keeps_all_optimal() {
        return writeln!(out, "  strict dominance loses no optimal strategy");
    }
    writeln!(
        out,
        "  warning: weak dominance keeps the value, but may lose optimal strategies"
    )
}

fn judged(out: &mut impl Write, solved: &SolvedMatrix) -> fmt::Result {
    let game = &solved.game;
    if let Some(p) = &solved.row {
        let (floor, answers) = guarantee::of_columns(game, p).least();
        writeln!(
            out,
            "\nThe row strategy given is sure of {}; it is answered best by {}",
            short(&floor),
            listed("column", &answers)
        )?;
    }
    if let Some(q) = &solved.column {
        let (ceiling, answers) = guarantee::of_rows(game, q).greatest();
        writeln!(
            out,
            "\nThe column strategy given pays up to {}; it is answered best by {}",
            short(&ceiling),
            listed("row", &answers)
        )?;
    }
    if let (Some(p), Some(q)) = (&solved.row, &solved.column) {
        let expected = guarantee::expected(game, p, q);
        writeln!(
            out,
            "Played against each other they give {} on average",
            short(&expected)
        )?;
    }
    Ok(())
}

/// `2/3 row 0 + 1/3 row 1`, or how many choices there are.
fn mixture(name: &str, fractions: &[BigRational]) -> String {
    let support: Vec<usize> = (0..fractions.len())
        .filter(|&k| fractions[k] != BigRational::default())
        .collect();
    if let [only] = support[..] {
        return format!("always {name} {only}");
    }
    let shown = &support[..support.len().min(SHOWN)];
    let (weights, _) = digits::line(shown.iter().map(|&k| &fractions[k]));
    let terms: Vec<String> = weights
        .iter()
        .zip(shown)
        .map(|(weight, k)| format!("{weight} {name} {k}"))
        .collect();
    let rest = support.len().saturating_sub(SHOWN);
    let more = if rest > 0 {
        format!(" + {rest} more {name}s (all of them with --json)")
    } else {
        String::new()
    };
    format!("{}{more}", terms.join(" + "))
}

/// `rows 0, 2` or `row 1`.
fn listed(name: &str, choices: &[usize]) -> String {
    let shown: Vec<String> = choices.iter().take(SHOWN).map(usize::to_string).collect();
    let plural = if choices.len() == 1 { "" } else { "s" };
    let rest = choices.len().saturating_sub(SHOWN);
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{name}{plural} {}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use grundy_matrix::Mixed;

    use super::*;

    #[test]
    fn strategies_in_words() {
        let half = BigRational::new(1.into(), 2.into());
        let fractions = [half.clone(), BigRational::default(), half];
        assert_eq!(mixture("row", &fractions), "1/2 row 0 + 1/2 row 2");
        let pure = Mixed::pure(3, 1);
        let fractions: Vec<BigRational> = (0..3).map(|k| pure.probability(k)).collect();
        assert_eq!(mixture("row", &fractions), "always row 1");
        assert_eq!(listed("row", &[1, 4]), "rows 1, 4");
    }
}
