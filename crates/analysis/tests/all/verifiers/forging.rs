//! Forged certificates of each kind. The verifiers agree on each, and every accepted claim is true.
//!
//! A forged certificate is a changed copy of a true one. It differs from the true one even after
//! both are parsed as JSON, or it has a duplicate key. If the program accepts it, its claim is
//! computed again by code that is not a verifier ([`truth`](super::truth)).

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use fastrand::Rng;
use grundy_analysis::files::{Files, MemoryFiles};
use grundy_analysis::question::QuotientQuestion;
use grundy_analysis::{Analyst, Job};
use serde_json::{Value, json};

use super::truth::is_true;
use super::{Verdict, Verdicts, verdicts};

/// Number of forged certificates for each sort of claim (see the function `sort`). The environment
/// variable `FORGED` overrides it.
const EACH: usize = 400;

/// Prefixes of the families of heaps whose moves the program knows, but the other two verifiers do
/// not.
const OTHERS: [&str; 3] = ["laskers_nim", "grundys_game", "subtraction(\""];

/// Largest length, in bytes, of a true certificate from which forged ones are made. The Python
/// verifier is slow for longer certificates.
const LONGEST: usize = 2_600;

/// Solves the misère quotient of a family of heaps or of a list of positions, and returns the
/// certificate. `max` is the size of the largest heap to examine.
pub(super) fn solved_quotient(family: &str, max: u64) -> Value {
    let shelf = Arc::new(MemoryFiles::default());
    let question = QuotientQuestion {
        max,
        certificate: Some("claim.json".into()),
        ..QuotientQuestion::new(family)
    };
    let answer = Analyst::new(Files::Memory(Arc::clone(&shelf))).answer(&question, &Job::default());
    answer.unwrap();
    serde_json::from_slice(&shelf.take_written()[0].1).unwrap()
}

/// Returns whether a claim is about a quotient whose moves only the program knows. The other two
/// verifiers do not support such certificates.
fn has_other_moves(claim: &Value) -> bool {
    let family = claim["family"].as_str().unwrap_or_default();
    let family = family.replace('\'', "\"").replace(' ', "");
    claim["kind"] == "quotient"
        && (claim["pieces"].is_array() || OTHERS.iter().any(|other| family.starts_with(other)))
}

/// Returns the sort of a claim: its kind, and the theorem, subject or play convention.
fn sort(claim: &Value) -> String {
    let kind = claim["kind"].as_str().unwrap();
    let more = match kind {
        "period" => claim["theorem"].as_str().unwrap(),
        "quotient" if claim["pieces"].is_array() => "of positions",
        "quotient" if has_other_moves(claim) => "of other heaps",
        "quotient" if claim["period"].is_null() => "of heaps",
        "quotient" => "of heaps, with a period",
        "labels" if claim["values"].is_array() => "with values",
        "labels" => claim["play"].as_str().unwrap(),
        _ => return kind.to_owned(),
    };
    format!("{kind} {more}")
}

/// Returns the true certificates, grouped by the sort of their claim (see `sort`).
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
        // Checking this game examines 231 million heaps.
        if claim["start"].as_u64() >= Some(2_000) {
            continue;
        }
        // Labels without values are a separate sort, derived from those with values.
        let mut without = claim.clone();
        let map = without.as_object_mut().unwrap();
        if map.shift_remove("places").is_some() && map.shift_remove("values").is_some() {
            claims.entry(sort(&without)).or_default().push(without);
        }
        claims.entry(sort(&claim)).or_default().push(claim);
    }
    // Quotients of positions and of other heaps have no certificates on file. The families are
    // small so that the forged ones are checked fast.
    for (family, max) in [
        ("[kayles(3)]", 20),
        ("[chomp(2, 2)]", 20),
        ("[chomp(3, 2), nim(1)]", 20),
        ("[cram(board(2, 3))]", 20),
        ("[nim(2) + nim(1), cram([\"...\", \"..#\"])]", 20),
        ("laskers_nim(n)", 3),
        ("grundys_game(n)", 8),
        ("subtraction(\"squares\", n)", 6),
    ] {
        let claim = solved_quotient(family, max);
        claims.entry(sort(&claim)).or_default().push(claim);
    }
    claims
}

/// Returns the path from the root of a JSON value to a random value inside it.
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
            // The descent stops with probability 76/256, so that inner nodes are changed, too.
            Some((step, inside)) if steps.is_empty() || random.u8(..) < 180 => {
                steps.push(step);
                here = inside;
            }
            _ => return steps,
        }
    }
}

fn pointer(steps: &[String]) -> String {
    let escaped = |step: &String| step.replace('~', "~0").replace('/', "~1");
    let parts = steps
        .iter()
        .flat_map(|step| ["/".to_owned(), escaped(step)]);
    parts.collect()
}

/// Returns a number near the given one, or an extreme one.
fn other_number(number: &Value, random: &mut Rng) -> Value {
    let Some(number) = number.as_u64() else {
        return json!(0);
    };
    // Off-by-one errors are the forgeries most likely to be accepted, so they are the most
    // frequent.
    match random.u8(..12) {
        0..4 => json!(number.saturating_add(1)),
        4..7 => json!(number.saturating_sub(1)),
        7 => json!(number.saturating_mul(2)),
        8 => json!(0),
        9 => json!(number as f64),
        10 => json!((number as i64).wrapping_neg()),
        _ if random.u8(..8) == 0 => json!(u64::MAX),
        _ => json!(number.saturating_add(2)),
    }
}

/// Returns a text with one letter replaced, inserted or removed.
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

/// Returns a random JSON value that is invalid in most places of a certificate.
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

/// Changes a list: removes, repeats or moves an item, or truncates or reverses the list.
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

/// Changes an object: removes, renames, adds, moves or swaps keys.
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

/// Returns a claim with one change.
fn changed(claim: &Value, others: &[Value], random: &mut Rng) -> Value {
    let mut claim = claim.clone();
    let steps = place(&claim, random);
    let key = steps[0].clone();
    match random.u8(..20) {
        // Parts of other true claims of the same sort are plausible, unlike random values.
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

/// Returns the text of a claim with one duplicate key.
fn with_key_twice(claim: &Value, random: &mut Rng) -> Option<String> {
    let map = claim.as_object().filter(|map| !map.is_empty())?;
    let (key, value) = map.iter().nth(random.usize(..map.len())).unwrap();
    let twice = format!("{{{}:{value},", json!(key));
    Some(claim.to_string().replacen('{', &twice, 1))
}

/// A forged certificate.
struct Forged {
    claim: Value,
    text: String,
    /// `true` if a key is duplicated.
    twice: bool,
}

/// Forges a certificate: selects one of the true certificates `claims` at random, and applies one
/// or more changes to it.
fn forged(claims: &[Value], random: &mut Rng) -> Forged {
    let original = &claims[random.usize(..claims.len())];
    // A second change may undo the first one, so the result is compared with the original.
    loop {
        let mut claim = changed(original, claims, random);
        // One change in four is followed by another, since two errors may compensate each other.
        while random.u8(..4) == 0 && claim.as_object().is_some_and(|map| !map.is_empty()) {
            claim = changed(&claim, claims, random);
        }
        let twice = Some(&claim).filter(|_| random.u8(..50) == 0);
        if let Some(text) = twice.and_then(|claim| with_key_twice(claim, random)) {
            return Forged {
                claim,
                text,
                twice: true,
            };
        }
        if claim != *original {
            return Forged {
                text: claim.to_string(),
                claim,
                twice: false,
            };
        }
    }
}

/// Returns whether the family of a claim contains a list and a number of at least three digits. The
/// slower verifiers may then reach their time limit.
fn is_large(claim: &Value) -> bool {
    let family = claim["family"].as_str().unwrap_or_default();
    let numbers = family.split(|letter: char| !letter.is_ascii_digit());
    family.contains('[') && numbers.into_iter().any(|number| number.len() > 2)
}

/// Returns whether the verifiers agree on a certificate. If the program accepts a certificate whose
/// moves only the program knows, the other verifiers must report it as unsupported. For a large
/// claim, they may also report that they reached a limit.
fn agree(claim: &Value, verdicts: Verdicts) -> bool {
    let expected = if has_other_moves(claim) {
        Verdict::Unread
    } else {
        Verdict::Accepted
    };
    let expected = [expected, Verdict::Limit];
    let expected = &expected[..=usize::from(is_large(claim))];
    verdicts.agree(expected, expected)
}

/// Forges distinct certificates of a sort, and checks that the verifiers agree and that no false
/// claim is accepted. Returns the number of certificates for each combination of verdicts.
fn judged(sort: &str, claims: &[Value], random: &mut Rng) -> BTreeMap<Verdicts, usize> {
    let count = env::var("FORGED").map_or(EACH, |number| number.parse().unwrap());
    let mut known: HashSet<String> = claims.iter().map(Value::to_string).collect();
    let mut all = Vec::new();
    while all.len() < count {
        let forged = forged(claims, random);
        if known.insert(forged.text.clone()) {
            all.push(forged);
        }
    }
    let texts: Vec<String> = all.iter().map(|forged| forged.text.clone()).collect();
    let mut counts = BTreeMap::new();
    for (forged, verdicts) in all.iter().zip(verdicts("forged", &texts)) {
        let text = &forged.text;
        assert!(
            agree(&forged.claim, verdicts),
            "{sort}: {verdicts:?}: {text}"
        );
        if verdicts.program == Verdict::Accepted {
            let true_one = !forged.twice && is_true(&forged.claim);
            assert!(true_one, "{sort}: a false claim was accepted: {text}");
        }
        *counts.entry(verdicts).or_default() += 1;
    }
    counts
}

#[test]
fn all_verifiers_reject_forged_certificates() {
    // A fixed seed makes failures reproducible.
    let mut random = Rng::with_seed(1901);
    let claims = true_claims();
    let sorts: Vec<&str> = claims.keys().map(String::as_str).collect();
    let expected = [
        "labels misere",
        "labels normal",
        "labels with values",
        "matrix",
        "period all_but",
        "period guy_smith",
        "period sparse_window",
        "period splitting",
        "period window",
        "quotient of heaps",
        "quotient of heaps, with a period",
        "quotient of other heaps",
        "quotient of positions",
    ];
    assert_eq!(sorts, expected);
    for (sort, claims) in &claims {
        let texts: Vec<String> = claims.iter().map(Value::to_string).collect();
        for (claim, verdicts) in claims.iter().zip(verdicts("true", &texts)) {
            assert_eq!(verdicts.program, Verdict::Accepted, "{claim}");
            assert!(agree(claim, verdicts), "{verdicts:?}: {claim}");
        }
        let counts = judged(sort, claims, &mut random);
        let all: usize = counts.values().sum();
        let of_accepted = counts
            .iter()
            .filter(|(verdicts, _)| verdicts.program == Verdict::Accepted);
        let accepted: usize = of_accepted.map(|(_, count)| count).sum();
        println!("{sort}: {all} forged, {accepted} accepted because they are true: {counts:?}");
        // Some forgeries are true claims. If none were accepted, the check of accepted claims would
        // be idle.
        assert!(accepted < all / 2, "{sort}: {accepted} accepted");
        assert!(accepted > all / 500, "{sort}: {accepted} accepted");
    }
}
