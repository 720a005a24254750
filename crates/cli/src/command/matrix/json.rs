//! What is known about a matrix game, as JSON. Fractions are strings.

use std::io::{self, Write};

use grundy_matrix::dominance::{Player, Reduction};
use grundy_matrix::guarantee;
use grundy_matrix::tableau::{Tableau, Trace, Variable};
use grundy_matrix::{BigInt, Mixed};
use serde_json::{Value, json};

use super::{Report, certificate};

pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let Report {
        game,
        solution,
        fractions: [p, q],
        ..
    } = report;
    let [rows, columns] = &report.extreme;
    write!(out, r#"{{"value":"{}","row_strategy":"#, solution.value)?;
    certificate::array(out, p)?;
    write!(out, r#","col_strategy":"#)?;
    certificate::array(out, q)?;
    let rest = json!({
        "saddle_points": solution.pure.saddle_points(),
        "maximin": solution.pure.maximin.to_string(),
        "minimax": solution.pure.minimax.to_string(),
        "row_unique": rows.is_unique(),
        "col_unique": columns.is_unique(),
        "rows": game.rows(),
        "columns": game.columns(),
        "status": "exact",
        "method": solution.method.name(),
    });
    member(out, &rest)?;
    if let Some(most) = report.listed {
        let list = |extreme: &grundy_matrix::face::Extreme| {
            let strategies = extreme.strategies.iter().take(most);
            json!({
                "strategies": strategies.map(probabilities).collect::<Vec<_>>(),
                "complete": extreme.complete && extreme.strategies.len() <= most,
            })
        };
        member(
            out,
            &json!({"extreme": {"row": list(rows), "col": list(columns)}}),
        )?;
    }
    if let Some(reduction) = &report.dominance {
        member(out, &json!({"dominance": dominance(reduction)}))?;
    }
    judged(out, report)?;
    if let Some(trace) = &report.trace {
        member(out, &json!({"trace": self::trace(trace)}))?;
    }
    write!(out, r#","certificate":"#)?;
    certificate::write(out, report)?;
    writeln!(out, "}}")
}

/// The members of an object, after those already written.
fn member(out: &mut impl Write, object: &Value) -> io::Result<()> {
    let text = object.to_string();
    write!(out, ",{}", &text[1..text.len() - 1])
}

fn probabilities(strategy: &Mixed) -> Vec<String> {
    (0..strategy.choices())
        .map(|k| strategy.probability(k).to_string())
        .collect()
}

fn judged(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let game = &report.game;
    if let Some(p) = &report.row {
        let (guarantees, answers) = guarantee::of_columns(game, p).least();
        let judged = json!({"guarantees": guarantees.to_string(), "best_responses": answers});
        member(out, &json!({"given_row_strategy": judged}))?;
    }
    if let Some(q) = &report.column {
        let (concedes, answers) = guarantee::of_rows(game, q).greatest();
        let judged = json!({"concedes": concedes.to_string(), "best_responses": answers});
        member(out, &json!({"given_col_strategy": judged}))?;
    }
    if let (Some(p), Some(q)) = (&report.row, &report.column) {
        let expected = guarantee::expected(game, p, q);
        member(out, &json!({"expected_payoff": expected.to_string()}))?;
    }
    Ok(())
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
