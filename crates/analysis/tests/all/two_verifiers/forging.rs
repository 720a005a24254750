//! Forged certificates of every kind. The two verifiers agree about each, and what they accept is
//! true.
//!
//! A forged certificate that is accepted is compared with the original as parsed JSON. If they
//! differ only in the order of keys, the claim is the same. If not, its claim is worked out anew, by
//! code that is neither verifier ([`truth`](super::truth)).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, iter};

use fastrand::Rng;
use grundy_analysis::files::{Files, Shelf};
use grundy_analysis::question::QuotientQuestion;
use grundy_analysis::{Analyst, Job};
use serde_json::{Value, json};

use super::truth::is_true;
use super::{Verdict, agree, by_program, by_python};

/// Forged certificates of each sort.
const EACH: usize = 1_800;

/// Longest certificate that is forged: the one in Python takes time with longer ones.
const LONGEST: usize = 2_600;

/// Returns the certificate of a quotient of positions.
pub(super) fn solved_quotient(family: &str, max: u64) -> Value {
    let shelf = Arc::new(Shelf::default());
    let question = QuotientQuestion {
        max,
        certificate: Some("claim.json".into()),
        ..QuotientQuestion::new(family)
    };
    let answer = Analyst::new(Files::Held(Arc::clone(&shelf))).answer(&question, &Job::default());
    answer.unwrap();
    serde_json::from_slice(&shelf.take_written()[0].1).unwrap()
}

/// Returns the sort of a claim: its kind, and for periods and quotients what they rest on.
fn sort(claim: &Value) -> String {
    let by = match claim["kind"].as_str() {
        Some("period") => claim["theorem"].as_str().unwrap(),
        Some("quotient") if claim["pieces"].is_array() => "positions",
        Some("quotient") => "heaps",
        _ => "",
    };
    format!("{} {by}", claim["kind"].as_str().unwrap())
}

/// Returns true certificates by their sorts.
fn true_claims() -> BTreeMap<String, Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["python/tests/certificates", "proofs/certificates"];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.push(root.join("testdata/certificates/pick-a-hand.json"));
    files.sort();
    let mut claims: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let read = files.iter().map(|file| fs::read_to_string(file).unwrap());
    for text in read.filter(|text| text.len() <= LONGEST) {
        let claim: Value = serde_json::from_str(&text).unwrap();
        // This game has 231 million heaps to look at.
        if claim["start"].as_u64() < Some(2_000) {
            claims.entry(sort(&claim)).or_default().push(claim);
        }
    }
    for family in [
        "[kayles(3)]",
        "[chomp(2, 2)]",
        "[chomp(3, 2), nim(1)]",
        "[cram(board(2, 3))]",
        "[nim(2) + nim(1), cram([\"...\", \"..#\"])]",
    ] {
        let claim = solved_quotient(family, 20);
        claims.entry(sort(&claim)).or_default().push(claim);
    }
    claims
}

/// Returns the steps from the root of a value to a random part.
fn place(value: &Value, random: &mut Rng) -> Vec<String> {
    let mut steps = Vec::new();
    let mut here = value;
    loop {
        let next = match here {
            Value::Array(items) if !items.is_empty() => {
                let at = random.usize(..items.len());
                Some((at.to_string(), &items[at]))
            }
            Value::Object(map) if !map.is_empty() => {
                let at = random.usize(..map.len());
                map.iter().nth(at).map(|(key, value)| (key.clone(), value))
            }
            _ => None,
        };
        match next {
            Some((step, inside)) if steps.is_empty() || random.u8(..) < 180 => {
                steps.push(step);
                here = inside;
            }
            _ => return steps,
        }
    }
}

fn pointer(steps: &[String]) -> String {
    steps.iter().flat_map(|step| ["/", step]).collect()
}

/// Returns a number near another, or one that is out of all bounds.
fn other_number(number: &Value, random: &mut Rng) -> Value {
    let Some(number) = number.as_u64() else {
        return json!(0);
    };
    match random.u8(..12) {
        0..4 => json!(number + 1),
        4..7 => json!(number.saturating_sub(1)),
        7 => json!(number * 2),
        8 => json!(0),
        9 => json!(number as f64),
        10 => json!(-(number as i64)),
        _ if random.u8(..8) == 0 => json!(u64::MAX),
        _ => json!(number + 2),
    }
}

/// Returns a text with a letter changed, more, or less, or with one of its numbers changed.
fn other_text(text: &str, random: &mut Rng) -> String {
    let letters: Vec<char> = text.chars().collect();
    let some = [
        '0', '1', '2', '3', '7', '-', '/', '+', '_', ' ', ',', 'n', 'N', 'P', 'D', '"',
    ];
    let new = some[random.usize(..some.len())];
    let at = random.usize(..=letters.len());
    let (before, after) = letters.split_at(at);
    let rest = if random.bool() {
        after.get(1..).unwrap_or(&[])
    } else {
        after
    };
    let new = Some(new).filter(|_| random.u8(..4) > 0);
    before
        .iter()
        .copied()
        .chain(new)
        .chain(rest.iter().copied())
        .collect()
}

/// Returns something that belongs nowhere.
fn something(random: &mut Rng) -> Value {
    let some = [
        json!(null),
        json!(0),
        json!(1.0),
        json!("0"),
        json!(""),
        json!(true),
        json!([]),
        json!({}),
        json!([[]]),
        json!([[0, 2]]),
        json!({"normal": null}),
        json!({"infinity": []}),
    ];
    some[random.usize(..some.len())].clone()
}

/// Changes a list: an item is dropped, repeated or moved, or the list is cut or turned.
fn change_list(items: &mut Vec<Value>, random: &mut Rng) {
    if items.is_empty() {
        return items.push(something(random));
    }
    let (at, other) = (random.usize(..items.len()), random.usize(..items.len()));
    match random.u8(..7) {
        0 => drop(items.remove(at)),
        1 => items.insert(at, items[other].clone()),
        2 => items.push(items[other].clone()),
        3 => items.swap(at, other),
        4 => items.truncate(at),
        5 => items.reverse(),
        _ => items.push(something(random)),
    }
}

/// Changes an object: a key is dropped, renamed or added, or the keys are in another order.
fn change_object(claim: &mut Value, random: &mut Rng) {
    let map = claim.as_object_mut().unwrap();
    let at = random.usize(..map.len().max(1));
    let Some(key) = map.keys().nth(at).cloned() else {
        return;
    };
    match random.u8(..6) {
        0 => drop(map.shift_remove(&key)),
        1 => {
            let value = map.shift_remove(&key).unwrap();
            map.insert(other_text(&key, random), value);
        }
        2 => drop(map.insert("note".to_owned(), something(random))),
        3 => drop(map.insert("start".to_owned(), json!(100))),
        4 => {
            let value = map.shift_remove(&key).unwrap();
            map.insert(key, value);
        }
        _ => {
            let other = map.keys().nth(random.usize(..map.len())).cloned().unwrap();
            let value = map[&other].clone();
            let value = map.insert(key, value).unwrap();
            map.insert(other, value);
        }
    }
}

/// Returns a claim with one thing changed.
fn changed(claim: &Value, others: &[Value], random: &mut Rng) -> Value {
    let mut claim = claim.clone();
    let steps = place(&claim, random);
    let key = steps[0].clone();
    match random.u8(..20) {
        0 => {
            let other = &others[random.usize(..others.len())];
            claim[&key] = other[&key].clone();
            return claim;
        }
        1 | 2 => {
            change_object(&mut claim, random);
            return claim;
        }
        _ => {}
    }
    let here = claim.pointer_mut(&pointer(&steps)).unwrap();
    match (random.u8(..16), &mut *here) {
        (0, _) => *here = something(random),
        (1, _) => *here = json!([here.take()]),
        (_, Value::Number(_)) => *here = other_number(here, random),
        (_, Value::String(text)) => *here = other_text(text, random).into(),
        (_, Value::Array(items)) => change_list(items, random),
        (_, Value::Object(_)) => change_object(here, random),
        (_, Value::Bool(yes)) => *yes = !*yes,
        (_, Value::Null) => *here = json!(random.u8(..3)),
    }
    claim
}

/// Returns the text of a claim, now and then with one key given twice.
fn written(claim: &Value, random: &mut Rng) -> String {
    let text = claim.to_string();
    let map = claim.as_object().unwrap();
    if random.u8(..50) > 0 || map.is_empty() {
        return text;
    }
    let (key, value) = map.iter().nth(random.usize(..map.len())).unwrap();
    text.replacen('{', &format!("{{{}:{value},", json!(key)), 1)
}

#[test]
fn both_verifiers_refuse_what_is_forged() {
    let mut random = Rng::with_seed(1901);
    let claims = true_claims();
    let sorts: Vec<&str> = claims.keys().map(String::as_str).collect();
    let expected = [
        "labels ",
        "matrix ",
        "period all_but",
        "period guy_smith",
        "period sparse_window",
        "period splitting",
        "period window",
        "quotient heaps",
        "quotient positions",
    ];
    assert_eq!(sorts, expected);
    let mut forged: Vec<(&str, &Value, Value, String)> = Vec::new();
    for (sort, claims) in &claims {
        for claim in claims {
            forged.push((sort, claim, claim.clone(), claim.to_string()));
        }
        let drawn = iter::repeat_with(|| {
            let claim = &claims[random.usize(..claims.len())];
            let mut changed_claim = changed(claim, claims, &mut random);
            if random.u8(..5) == 0 && changed_claim.as_object().is_some_and(|map| !map.is_empty()) {
                changed_claim = changed(&changed_claim, claims, &mut random);
            }
            let text = written(&changed_claim, &mut random);
            (sort.as_str(), claim, changed_claim, text)
        });
        forged.extend(drawn.take(EACH));
    }
    assert!(forged.len() > 10_000);
    let texts: Vec<String> = forged.iter().map(|(.., text)| text.clone()).collect();
    let python = by_python("forged", &texts);
    let mut accepted: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for ((sort, original, claim, text), python) in forged.iter().zip(python) {
        let program = by_program(text);
        let same = agree(program, python, claim["pieces"].is_array());
        assert!(
            same,
            "{program:?} by the program, {python:?} in Python: {text}"
        );
        let true_one = program == Verdict::Accepted;
        accepted.entry(sort).or_default()[usize::from(true_one)] += 1;
        if true_one && claim != *original {
            assert!(is_true(claim), "a false claim was accepted: {text}");
        }
    }
    for (sort, [refused, accepted]) in accepted {
        assert!(refused > EACH / 2, "{sort}: {refused} refused");
        assert!(accepted > 10, "{sort}: {accepted} accepted");
    }
}
