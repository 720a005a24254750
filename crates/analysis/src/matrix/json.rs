//! What is known about a matrix game, as JSON. Fractions are strings.

use std::io;

use grundy_matrix::dominance::{Player, Reduction};
use grundy_matrix::face::Extreme;
use grundy_matrix::guarantee;
use grundy_matrix::tableau::{Tableau, Trace, Variable};
use grundy_matrix::{BigInt, BigRational, Mixed};
use serde::Serialize;
use serde_json::{Value, json};

use super::Solved;
use super::certificate::{Certificate, Fractions, Text};

/// The answer as one object, its keys in the order of the contract.
#[derive(Serialize)]
struct Answer<'a> {
    value: Text<&'a BigRational>,
    row_strategy: Fractions<'a>,
    col_strategy: Fractions<'a>,
    saddle_points: Vec<[usize; 2]>,
    maximin: Text<&'a BigRational>,
    minimax: Text<&'a BigRational>,
    row_unique: Option<bool>,
    col_unique: Option<bool>,
    rows: usize,
    columns: usize,
    status: &'static str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    extreme: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dominance: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_row_strategy: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_col_strategy: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_payoff: Option<Text<BigRational>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Value>,
    certificate: Certificate<'a>,
}

impl<'a> Answer<'a> {
    fn of(solved: &'a Solved) -> Self {
        let Solved { game, solution, .. } = solved;
        let [p, q] = &solved.fractions;
        let [rows, columns] = &solved.extreme;
        let both = solved.row.as_ref().zip(solved.column.as_ref());
        Self {
            value: Text(&solution.value),
            row_strategy: Fractions(p),
            col_strategy: Fractions(q),
            saddle_points: solution.pure.saddle_points(),
            maximin: Text(&solution.pure.maximin),
            minimax: Text(&solution.pure.minimax),
            row_unique: rows.is_unique(),
            col_unique: columns.is_unique(),
            rows: game.rows(),
            columns: game.columns(),
            status: "exact",
            method: solution.method.name(),
            extreme: solved
                .listed
                .map(|most| json!({"row": extreme(rows, most), "col": extreme(columns, most)})),
            dominance: solved.dominance.as_ref().map(dominance),
            given_row_strategy: solved.row.as_ref().map(|p| {
                let (guarantees, answers) = guarantee::of_columns(game, p).least();
                json!({"guarantees": guarantees.to_string(), "best_responses": answers})
            }),
            given_col_strategy: solved.column.as_ref().map(|q| {
                let (concedes, answers) = guarantee::of_rows(game, q).greatest();
                json!({"concedes": concedes.to_string(), "best_responses": answers})
            }),
            expected_payoff: both.map(|(p, q)| Text(guarantee::expected(game, p, q))),
            trace: solved.trace.as_ref().map(trace),
            certificate: Certificate::of(solved),
        }
    }
}

/// Writes the answer piece by piece.
pub(super) fn write(out: impl io::Write, solved: &Solved) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &Answer::of(solved))?)
}

/// The answer at once.
pub(super) fn value(solved: &Solved) -> Value {
    serde_json::to_value(Answer::of(solved)).expect("strings, numbers and lists of these are JSON")
}

fn extreme(extreme: &Extreme, most: usize) -> Value {
    let strategies = extreme.strategies.iter().take(most);
    json!({
        "strategies": strategies.map(probabilities).collect::<Vec<_>>(),
        "complete": extreme.complete && extreme.strategies.len() <= most,
    })
}

fn probabilities(strategy: &Mixed) -> Vec<String> {
    (0..strategy.choices())
        .map(|k| strategy.probability(k).to_string())
        .collect()
}

fn dominance(reduction: &Reduction) -> Value {
    let steps: Vec<Value> = reduction
        .removals
        .iter()
        .map(|removal| {
            let by = removal.by.iter();
            json!({
                "player": match removal.player {
                    Player::Row => "row",
                    Player::Column => "col",
                },
                "strategy": removal.strategy,
                "by": by.map(|(k, p)| json!([k, p.to_string()])).collect::<Vec<_>>(),
                "strict": removal.strict,
            })
        })
        .collect();
    json!({
        "steps": steps,
        "rows": reduction.rows,
        "columns": reduction.columns,
        "keeps_all_optimal": reduction.keeps_all_optimal(),
    })
}

fn trace(trace: &Trace) -> Value {
    let steps = trace.steps.iter();
    json!({
        "scale": trace.scale.to_string(),
        "added": trace.added.to_string(),
        "steps": steps.map(|(tableau, pivot)| step(tableau, *pivot)).collect::<Vec<_>>(),
    })
}

fn step(tableau: &Tableau, pivot: Option<(usize, usize)>) -> Value {
    let numbers = |numbers: &[BigInt]| numbers.iter().map(BigInt::to_string).collect::<Vec<_>>();
    let names = |variables: &[Variable]| variables.iter().map(name).collect::<Vec<_>>();
    json!({
        "denominator": tableau.denominator.to_string(),
        "basic": names(&tableau.basic),
        "free": names(&tableau.free),
        "cells": tableau.cells.iter().map(|row| numbers(row)).collect::<Vec<_>>(),
        "right": numbers(&tableau.right),
        "cost": numbers(&tableau.cost),
        "objective": tableau.objective.to_string(),
        "pivot": pivot.map(|(row, column)| [row, column]),
    })
}

/// y0, y1, ... for the columns, s0, s1, ... for the slacks of the rows.
pub(super) fn name(variable: &Variable) -> String {
    match variable {
        Variable::Column(j) => format!("y{j}"),
        Variable::Slack(i) => format!("s{i}"),
    }
}
