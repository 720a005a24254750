//! The truth of claims, computed again by the solvers or from the definition, without any verifier.

use std::collections::{BTreeSet, HashMap};

use grundy_core::Limits;
use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{HeapRules, Sequence, Store as _};
use grundy_matrix::BigRational;
use serde_json::Value;

use super::forging::solved_quotient;

/// Returns whether a well-formed claim is true.
pub(super) fn is_true(claim: &Value) -> bool {
    match claim["kind"].as_str().unwrap() {
        "period" => period(claim),
        "matrix" => matrix(claim),
        "quotient" => quotient(claim),
        _ => labels(claim),
    }
}

fn number(claim: &Value, key: &str) -> u64 {
    claim[key].as_u64().unwrap()
}

fn numbers(list: &Value) -> Vec<u64> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item.as_u64().unwrap()).collect()
}

/// Returns whether the solver finds the claimed preperiod, period, saltus and values. If the claim
/// lists the rare heaps, the list must also agree with the definition of a rare heap.
fn period(claim: &Value) -> bool {
    let term = grundy_period::family(claim["family"].as_str().unwrap()).unwrap();
    let rules = term.heap_rules().unwrap().0.clone();
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    while sequence.period().is_none() {
        sequence.try_to_prove(&Limits::default()).unwrap();
    }
    let found = sequence.period().unwrap().clone();
    let (n0, p) = (number(claim, "preperiod"), number(claim, "period"));
    // The solver may have stopped before heap n, so its value follows from the period and the
    // saltus.
    let value = |n: u64| {
        let least = if n < n0 + p { n } else { n0 + (n - n0) % p };
        let values = sequence.values();
        values.at(least as usize) + (n - least) / p * found.saltus
    };
    let first = || (0..n0 + p).map(value);
    let values = &claim["values"];
    let same = (n0, p) == (found.preperiod, found.period)
        && number(claim, "saltus") == found.saltus
        && (values.is_null() || numbers(values).into_iter().eq(first()));
    let HeapRules::TakeAndBreak(code) = &rules else {
        return same;
    };
    if claim["rares"].is_null() {
        return same;
    }
    // A heap is rare if its value has even parity under the mask. If `position` is true, the parity
    // of the heap, shifted by the first splitting digit, is compared instead.
    let first = (0..).find(|&take| code.digit(take) & 4 != 0).unwrap();
    let by_heap = claim["position"] == true;
    let rare = |&n: &u64| {
        let odd = (value(n) & number(claim, "mask")).count_ones() % 2 == 1;
        odd == (by_heap && (n + first) % 2 == 1)
    };
    let listed = numbers(&claim["rares"]);
    same && listed
        .into_iter()
        .eq((1..number(claim, "start") + p).filter(rare))
}

/// Returns whether both strategies guarantee the value.
fn matrix(claim: &Value) -> bool {
    let fractions = |list: &Value| -> Vec<BigRational> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|item| item.as_str().unwrap().parse().unwrap())
            .collect()
    };
    let rows: Vec<_> = claim["matrix"]
        .as_array()
        .unwrap()
        .iter()
        .map(fractions)
        .collect();
    let [p, q] = ["row_strategy", "col_strategy"].map(|key| fractions(&claim[key]));
    let value: BigRational = claim["value"].as_str().unwrap().parse().unwrap();
    let [zero, one] = [0, 1].map(|number: i32| BigRational::from_integer(number.into()));
    let probabilities = |list: &[BigRational]| {
        list.iter().all(|x| *x >= zero) && list.iter().sum::<BigRational>() == one
    };
    let pays = |row: &[BigRational]| row.iter().zip(&q).map(|(a, x)| a * x).sum::<BigRational>();
    let wins = |column: usize| {
        rows.iter()
            .zip(&p)
            .map(|(row, x)| &row[column] * x)
            .sum::<BigRational>()
    };
    probabilities(&p)
        && probabilities(&q)
        && rows.len() == p.len()
        && rows
            .iter()
            .all(|row| row.len() == q.len() && pays(row) <= value)
        && (0..q.len()).all(|column| wins(column) >= value)
}

/// Returns the claimed quotient in a canonical form. Its elements are renumbered in the order of a
/// breadth-first search from the identity, in which each step multiplies by a piece. Pieces that
/// are positions are sorted by their texts.
fn canonical_quotient(claim: &Value) -> impl PartialEq + use<> {
    let table: Vec<Vec<u64>> = claim["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(numbers)
        .collect();
    let elements = numbers(&claim["elements"]);
    let mut pieces: Vec<(String, u64)> = match claim["pieces"].as_array() {
        Some(pieces) => pieces.iter().map(Value::to_string).zip(elements).collect(),
        None => elements
            .into_iter()
            .map(|element| (String::new(), element))
            .collect(),
    };
    pieces.sort_by(|a, b| a.0.cmp(&b.0));
    let mut names = HashMap::from([(0, 0)]);
    // Breadth-first search from the identity, which has number 0 in every certificate.
    let mut order = vec![0];
    let mut next = 0;
    while let Some(&x) = order.get(next) {
        next += 1;
        for (_, piece) in &pieces {
            let product = table[x as usize][*piece as usize];
            names.entry(product).or_insert_with(|| {
                order.push(product);
                order.len() as u64 - 1
            });
        }
    }
    let named = |list: &[u64]| -> BTreeSet<u64> { list.iter().map(|x| names[x]).collect() };
    let transitions: BTreeSet<(u64, BTreeSet<u64>)> = (claim["transitions"].as_array().unwrap())
        .iter()
        .map(|pair| (names[&pair[0].as_u64().unwrap()], named(&numbers(&pair[1]))))
        .collect();
    let product = |x: &u64, y: &u64| names[&table[*x as usize][*y as usize]];
    let products: Vec<Vec<u64>> = (order.iter())
        .map(|x| order.iter().map(|y| product(x, y)).collect())
        .collect();
    let pieces: Vec<(String, u64)> = (pieces.into_iter())
        .map(|(text, element)| (text, names[&element]))
        .collect();
    (products, named(&numbers(&claim["p"])), pieces, transitions)
}

/// Returns whether the solver finds the same quotient, and the same period if one is claimed.
fn quotient(claim: &Value) -> bool {
    let family = claim["family"].as_str().unwrap();
    let heaps = claim["elements"].as_array().unwrap().len();
    let mut solved = solved_quotient(family, heaps.max(1) as u64);
    // After a period is proved, the solver lists no further heaps.
    if let Some(period) = solved["period"].as_u64() {
        let elements = solved["elements"].as_array_mut().unwrap();
        while elements.len() < heaps {
            elements.push(elements[elements.len() - period as usize].clone());
        }
    }
    let repeats = |solved: &Value| {
        ["preperiod", "period"]
            .into_iter()
            .all(|key| solved[key] == claim[key])
    };
    // The numbering of the elements is arbitrary, so both quotients are compared up to renaming.
    canonical_quotient(claim) == canonical_quotient(&solved)
        && (claim["period"].is_null() || repeats(&solved_quotient(family, 100)))
}

/// Labels the vertices of a graph in rounds: round n finds the vertices whose winner is decided in
/// n moves. A label has `true` if the player to move wins, and the number of moves. A draw has the
/// label `None`. A vertex without options is a win if `ends_won` is `true`. The method is slow but
/// follows the definition.
fn decided(options: &[Vec<usize>], ends_won: bool) -> Vec<Option<(bool, usize)>> {
    let mut labels: Vec<Option<(bool, usize)>> = vec![None; options.len()];
    for moves in 0.. {
        let new: Vec<(usize, bool)> = (0..options.len())
            .filter(|&v| labels[v].is_none())
            .filter_map(|v| {
                let of_options = || options[v].iter().map(|&o| labels[o].map(|(won, _)| won));
                if options[v].is_empty() {
                    // Vertices without options are decided in round 0 only.
                    (moves == 0).then_some((v, ends_won))
                } else if of_options().any(|won| won == Some(false)) {
                    Some((v, true))
                } else {
                    of_options()
                        .all(|won| won == Some(true))
                        .then_some((v, false))
                }
            })
            .collect();
        if new.is_empty() && moves > 0 {
            break;
        }
        for (v, won) in new {
            labels[v] = Some((won, moves));
        }
    }
    labels
}

/// Returns whether the labels are those of `decided`. If the claim has values, also checks each
/// value by the outcomes of the sums of its position with Nim heaps. The sizes of these heaps are 0
/// up to the number of positions plus one.
fn labels(claim: &Value) -> bool {
    let options: Vec<Vec<usize>> = (claim["options"].as_array().unwrap().iter())
        .map(|row| numbers(row).into_iter().map(|o| o as usize).collect())
        .collect();
    let labels = decided(&options, claim["play"] == "misere");
    let written = labels.iter().map(|label| match label {
        Some((true, moves)) => format!("N{moves}"),
        Some((false, moves)) => format!("P{moves}"),
        None => "D".to_owned(),
    });
    if !written.eq(claim["labels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|label| label.as_str().unwrap()))
    {
        return false;
    }
    let Some(values) = claim["values"].as_array() else {
        return true;
    };
    let size = options.len() + 2;
    // Position v plus a heap of size h is vertex v * size + h.
    let sums: Vec<Vec<usize>> = (0..options.len() * size)
        .map(|sum| {
            let (v, heap) = (sum / size, sum % size);
            let moved = options[v].iter().map(|o| o * size + heap);
            moved.chain((0..heap).map(|less| v * size + less)).collect()
        })
        .collect();
    let outcomes = decided(&sums, false);
    values.iter().enumerate().all(|(v, value)| {
        (0..size).all(|heap| {
            let outcome = outcomes[v * size + heap].map(|(won, _)| won);
            if let Some(value) = value.as_u64() {
                // G + *h is a P-position if and only if G has value h. If the value is infinite
                // with the set K, the sum is a win for h in K and a draw otherwise.
                return outcome == Some(value != heap as u64);
            }
            let set = numbers(&value["infinity"]);
            outcome == set.contains(&(heap as u64)).then_some(true)
        })
    })
}
