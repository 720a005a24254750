//! The JSON of a solved matrix game. Fractions are strings, since JSON numbers are not exact.

use grundy_matrix::dominance::{MatrixPlayer, Reduction, Removal};
use grundy_matrix::face::ExtremeStrategies;
use grundy_matrix::guarantee;
use grundy_matrix::tableau::{Tableau, Trace, Variable};
use grundy_matrix::{BigInt, BigRational, Mixed};
use grundy_wording::Language;
use grundy_wording::answer::{DisplayText, OrderedMap};
use serde::Serialize;

use super::SolvedMatrix;
use super::certificate::{Certificate, Fractions};

/// The answer as one object. Its keys are in the order of the stable JSON format, which is called
/// the contract.
#[derive(Serialize)]
pub(super) struct SolvedMatrixView<'a> {
    value: DisplayText<&'a BigRational>,
    /// The expected payoffs of both players, and the sum of their payoffs. Only if the payoffs to
    /// both players are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<[DisplayText<BigRational>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<DisplayText<&'a BigRational>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_names: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    col_names: Option<&'a [String]>,
    row_strategy: Fractions<'a>,
    col_strategy: Fractions<'a>,
    saddle_points: Vec<[usize; 2]>,
    maximin: DisplayText<&'a BigRational>,
    minimax: DisplayText<&'a BigRational>,
    row_unique: Option<bool>,
    col_unique: Option<bool>,
    rows: usize,
    columns: usize,
    status: &'static str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    extreme: Option<OrderedMap<'static, ExtremeView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dominance: Option<ReductionView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_row_strategy: Option<GivenStrategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_col_strategy: Option<GivenStrategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_payoff: Option<DisplayText<BigRational>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    certificate: Certificate<'a>,
}

impl<'a> SolvedMatrixView<'a> {
    pub(super) fn of(solved: &'a SolvedMatrix, language: Language) -> Self {
        let SolvedMatrix { game, solution, .. } = solved;
        let [p, q] = &solved.fractions;
        let [rows, columns] = &solved.extreme;
        let both = solved.row.as_ref().zip(solved.column.as_ref());
        Self {
            value: DisplayText(&solution.value),
            values: solved.values().map(|values| values.map(DisplayText)),
            constant: solved.constant.as_ref().map(DisplayText),
            row_names: solved.names[0].as_deref(),
            col_names: solved.names[1].as_deref(),
            row_strategy: Fractions(p),
            col_strategy: Fractions(q),
            saddle_points: solution.pure.saddle_points(),
            maximin: DisplayText(&solution.pure.maximin),
            minimax: DisplayText(&solution.pure.minimax),
            row_unique: rows.is_unique(),
            col_unique: columns.is_unique(),
            rows: game.rows(),
            columns: game.columns(),
            status: "exact",
            method: solution.method.name(),
            extreme: solved.listed.map(|most| {
                let of = |extreme| ExtremeView::of(extreme, most);
                OrderedMap(vec![("row", of(rows)), ("col", of(columns))])
            }),
            dominance: solved.dominance.as_ref().map(ReductionView::of),
            given_row_strategy: (solved.row.as_ref())
                .map(|p| GivenStrategy::new("guarantees", guarantee::of_columns(game, p).least())),
            given_col_strategy: (solved.column.as_ref())
                .map(|q| GivenStrategy::new("concedes", guarantee::of_rows(game, q).greatest())),
            expected_payoff: both.map(|(p, q)| DisplayText(guarantee::expected(game, p, q))),
            trace: solved.trace.as_ref().map(TraceView::of),
            notes: solved.notes(language),
            certificate: Certificate::of(solved),
        }
    }
}

#[derive(Serialize)]
struct ExtremeView {
    strategies: Vec<Vec<DisplayText<BigRational>>>,
    complete: bool,
}

impl ExtremeView {
    fn of(extreme: &ExtremeStrategies, most: usize) -> Self {
        let strategies = extreme.strategies.iter().take(most);
        Self {
            strategies: strategies.map(probabilities).collect(),
            // To decide whether the optimal strategy is unique, more strategies than requested may
            // have been computed.
            complete: extreme.complete && extreme.strategies.len() <= most,
        }
    }
}

fn probabilities(strategy: &Mixed) -> Vec<DisplayText<BigRational>> {
    (0..strategy.choices())
        .map(|k| DisplayText(strategy.probability(k)))
        .collect()
}

#[derive(Serialize)]
struct ReductionView<'a> {
    steps: Vec<RemovalView<'a>>,
    rows: &'a [usize],
    columns: &'a [usize],
    keeps_all_optimal: bool,
}

#[derive(Serialize)]
struct RemovalView<'a> {
    player: &'static str,
    strategy: usize,
    by: Vec<(usize, DisplayText<&'a BigRational>)>,
    strict: bool,
}

impl<'a> ReductionView<'a> {
    fn of(reduction: &'a Reduction) -> Self {
        let step = |removal: &'a Removal| RemovalView {
            player: match removal.player {
                MatrixPlayer::Row => "row",
                MatrixPlayer::Column => "col",
            },
            strategy: removal.strategy,
            by: removal
                .mixture
                .iter()
                .map(|(k, p)| (*k, DisplayText(p)))
                .collect(),
            strict: removal.strict,
        };
        Self {
            steps: reduction.removals.iter().map(step).collect(),
            rows: &reduction.rows,
            columns: &reduction.columns,
            keeps_all_optimal: reduction.keeps_all_optimal(),
        }
    }
}

/// The evaluation of a given strategy: the payoff that it guarantees, and the best responses to it.
#[derive(Serialize)]
struct GivenStrategy {
    #[serde(flatten)]
    payoff: OrderedMap<'static, DisplayText<BigRational>>,
    best_responses: Vec<usize>,
}

impl GivenStrategy {
    fn new(name: &'static str, (payoff, best_responses): (BigRational, Vec<usize>)) -> Self {
        Self {
            payoff: OrderedMap(vec![(name, DisplayText(payoff))]),
            best_responses,
        }
    }
}

#[derive(Serialize)]
struct TraceView<'a> {
    scale: DisplayText<&'a BigInt>,
    added: DisplayText<&'a BigInt>,
    steps: Vec<TableauView<'a>>,
}

#[derive(Serialize)]
struct TableauView<'a> {
    denominator: DisplayText<&'a BigInt>,
    basic: Vec<String>,
    free: Vec<String>,
    cells: Vec<Vec<DisplayText<&'a BigInt>>>,
    right: Vec<DisplayText<&'a BigInt>>,
    cost: Vec<DisplayText<&'a BigInt>>,
    objective: DisplayText<&'a BigInt>,
    pivot: Option<(usize, usize)>,
}

impl<'a> TraceView<'a> {
    fn of(trace: &'a Trace) -> Self {
        let numbers = |numbers: &'a Vec<BigInt>| numbers.iter().map(DisplayText).collect();
        let names = |variables: &[Variable]| variables.iter().map(name).collect();
        let step = |(tableau, pivot): &'a (Tableau, Option<(usize, usize)>)| TableauView {
            denominator: DisplayText(&tableau.denominator),
            basic: names(&tableau.basic),
            free: names(&tableau.nonbasic),
            cells: tableau.cells.iter().map(numbers).collect(),
            right: numbers(&tableau.right),
            cost: numbers(&tableau.cost),
            objective: DisplayText(&tableau.objective),
            pivot: *pivot,
        };
        Self {
            scale: DisplayText(&trace.scale),
            added: DisplayText(&trace.offset),
            steps: trace.steps.iter().map(step).collect(),
        }
    }
}

/// Returns the name of a variable of the simplex method: `y0`, `y1`, ... for the columns, and `s0`,
/// `s1`, ... for the slack variables of the rows.
pub(super) fn name(variable: &Variable) -> String {
    match variable {
        Variable::Column(j) => format!("y{j}"),
        Variable::Slack(i) => format!("s{i}"),
    }
}
