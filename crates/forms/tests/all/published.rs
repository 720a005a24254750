//! Tests against published values. For literals, all properties in the table are compared: values,
//! outcomes, stops, thermographs, atomic weights, reduced canonical forms and birthdays.

use grundy_base::{Dyadic, Limits, Player};
use grundy_forms::{Form, Forms, Thermograph, text};

/// The table of published values. The first column is the area of the row: a ruleset such as
/// `domineering`, or a subject such as `literal`.
const TABLE: &str = include_str!("../../../../testdata/partizan-values.tsv");

/// Returns the rows of the table whose first column is `area`.
fn rows(area: &str) -> Vec<Vec<&'static str>> {
    let rows = TABLE
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|row| row[0] == area).collect();
    assert!(!rows.is_empty(), "{area}");
    rows
}

/// Parses a value.
fn read(forms: &mut Forms, written: &str) -> Form {
    let read = text::read(written, forms, &Limits::default());
    read.unwrap_or_else(|error| panic!("{written}: {error:?}"))
}

/// Returns the text of both walls, in the format of the table.
fn walls(thermograph: &Thermograph) -> String {
    let wall = |points: &[(Dyadic, Dyadic)]| {
        let points: Vec<String> = points.iter().map(|(t, v)| format!("{t}:{v}")).collect();
        points.join(" ")
    };
    let [left, right] = thermograph.walls();
    format!("{} / {}", wall(&left), wall(&right))
}

#[test]
fn literals_match_the_table() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for row in rows("literal") {
        let written = row[1]
            .trim_start_matches("literal(\"")
            .trim_end_matches("\")");
        let form = read(&mut forms, written);
        let expected = read(&mut forms, row[2]);
        assert_eq!(
            form,
            expected,
            "{written}: {} for {}",
            forms.write(form),
            row[2]
        );
        let outcome = match (
            forms.at_most(form, Form::ZERO, &limits).unwrap(),
            forms.at_most(Form::ZERO, form, &limits).unwrap(),
        ) {
            (true, true) => "P",
            (true, false) => "R",
            (false, true) => "L",
            (false, false) => "N",
        };
        assert_eq!(outcome, row[3], "{written}");
        assert_eq!(forms.left_stop(form).to_string(), row[4], "{written}");
        assert_eq!(forms.right_stop(form).to_string(), row[5], "{written}");
        let thermograph = forms.thermograph(form, &limits).unwrap();
        assert_eq!(thermograph.mean().to_string(), row[6], "{written}");
        assert_eq!(thermograph.temperature().to_string(), row[7], "{written}");
        assert_eq!(walls(&thermograph), row[8], "{written}");
        match forms.atomic_weight(form, &limits).unwrap() {
            None => assert_eq!("-", row[9], "{written}"),
            Some(weight) => assert_eq!(weight, read(&mut forms, row[9]), "{written}"),
        }
        let reduced = forms.reduced(form, &limits).unwrap();
        assert_eq!(reduced, read(&mut forms, row[10]), "{written}");
        assert_eq!(forms.birthday(form).to_string(), row[11], "{written}");
    }
}

#[test]
fn rows_print_as_in_the_table() {
    let mut forms = Forms::default();
    for row in TABLE.lines().skip(1) {
        let row: Vec<&str> = row.split('\t').collect();
        // The rows of these areas have results that are not values.
        let is_value = !["census", "compare", "uptimal", "operation"].contains(&row[0]);
        if !is_value || row[2] == "-" {
            continue;
        }
        let Ok(form) = text::read(row[2], &mut forms, &Limits::default()) else {
            panic!("{row:?}")
        };
        let printed = forms.write(form);
        assert_eq!(printed, row[2], "{row:?}");
    }
}

#[test]
fn the_negative_is_the_mirror_image() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for row in rows("literal") {
        let form = read(&mut forms, row[2]);
        let negative = forms.negative(form);
        let one = forms.thermograph(form, &limits).unwrap();
        let other = forms.thermograph(negative, &limits).unwrap();
        assert_eq!(one.negated(), *other);
        for t in [Dyadic::new(-1, 1), Dyadic::ZERO, Dyadic::new(3, 2)] {
            let (a, b) = (
                one.wall(Player::Left).at(&t),
                other.wall(Player::Right).at(&t),
            );
            assert_eq!(a, -&b);
        }
    }
}

#[test]
fn comparisons_match_the_table() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for row in rows("compare") {
        let pair: Vec<&str> = row[1].split('"').collect();
        let (a, b) = (read(&mut forms, pair[1]), read(&mut forms, pair[3]));
        let relation = forms.relation(a, b, &limits).unwrap();
        assert_eq!(relation.to_string(), row[2], "{row:?}");
        let other = forms.relation(b, a, &limits).unwrap();
        assert_eq!(other, relation.reversed());
    }
}

#[test]
fn operations_match_the_table() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let mut tried = 0;
    for row in rows("operation") {
        let (name, rest) = row[1].split_once('(').unwrap();
        let words: Vec<&str> = rest.split('"').collect();
        let numbers: Vec<&str> = rest.trim_end_matches(')').split(", ").collect();
        let form = read(&mut forms, words[1]);
        let mut second = || read(&mut forms, words[3]);
        let found = match name {
            "cool" => {
                let t = read(&mut forms, numbers[1].trim_matches('"'));
                let t = forms.number(t).unwrap().clone();
                forms.cool(form, &t, &limits)
            }
            "heat" => {
                let by = second();
                forms.heat(form, by, &limits)
            }
            "ordinal_sum" => {
                let top = second();
                forms.ordinal_of_forms(form, top, &limits)
            }
            "norton_product" => {
                let by = second();
                forms.norton(form, by, &limits)
            }
            "overheat" => {
                let from = second();
                let to = read(&mut forms, words[5]);
                forms.overheat(form, [from, to], &limits)
            }
            "reduced" => forms.reduced(form, &limits),
            "freeze" => forms.freeze(form, &limits),
            // The table has atomic weights by another definition, also for games that are not
            // all-small.
            "atomic_weight" => continue,
            other => panic!("{other}"),
        };
        let expected = read(&mut forms, row[2]);
        let found = found.unwrap();
        assert_eq!(found, expected, "{row:?}: {}", forms.write(found));
        tried += 1;
    }
    assert!(tried >= 20);
}

/// Compares uptimal expansions with the table. The text `*.12-3` is * + up + 2 up^2 - 3 up^3, since
/// the sign follows its digit.
#[test]
fn uptimal_expansions_match_the_table() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for row in rows("uptimal") {
        let written = row[1].split('"').nth(1).unwrap();
        let form = read(&mut forms, written);
        let found = forms.uptimal(form, &limits).unwrap().unwrap();
        let mut text = match (found.number == Dyadic::ZERO, found.star) {
            (true, 0) => "0".to_owned(),
            (true, 1) => "*".to_owned(),
            (true, star) => format!("*{star}"),
            (false, _) => found.number.to_string(),
        };
        text.push('.');
        for power in &found.powers {
            text += &power.unsigned_abs().to_string();
            text += if *power < 0 { "-" } else { "" };
        }
        if found.powers.is_empty() {
            text.push('0');
        }
        assert_eq!(text, row[2], "{row:?}");
    }
}

#[test]
fn games_born_by_day_3_match_the_published_count() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    assert_eq!(forms.born_by(0, &limits).unwrap().len(), 1);
    assert_eq!(forms.born_by(1, &limits).unwrap().len(), 4);
    assert_eq!(forms.born_by(2, &limits).unwrap().len(), 22);
    let born = forms.born_by(3, &limits).unwrap();
    assert_eq!(born.len(), 1474);
    let mut outcomes = [0; 4];
    let mut weights = std::collections::BTreeMap::new();
    for &form in &born {
        let low = forms.at_most(form, Form::ZERO, &limits).unwrap();
        let high = forms.at_most(Form::ZERO, form, &limits).unwrap();
        outcomes[usize::from(low) * 2 + usize::from(high)] += 1;
        if let Some(weight) = forms.atomic_weight(form, &limits).unwrap() {
            *weights
                .entry(forms.number(weight).unwrap().to_i64().unwrap())
                .or_insert(0) += 1;
        }
        // Every text is parsed as the same game, in every style.
        let (printed, braces) = (
            forms.write(form),
            forms.write_braces(form, &limits).unwrap(),
        );
        assert_eq!(read(&mut forms, &printed), form, "{printed}");
        assert_eq!(read(&mut forms, &braces), form, "{braces}");
        assert!(forms.latex(form, &limits).unwrap().is_ascii());
        // The other properties.
        let reduced = forms.reduced(form, &limits).unwrap();
        let away = forms.minus(form, reduced, &limits).unwrap();
        assert_eq!(forms.number_part(away), Some(&Dyadic::ZERO), "{printed}");
        let frozen = forms.freeze(form, &limits).unwrap();
        let mean = forms.mean(form, &limits).unwrap();
        assert_eq!(forms.number_part(frozen), Some(&mean), "{printed}");
        forms.incentives(form, &limits).unwrap();
        forms.uptimal(form, &limits).unwrap();
    }
    // The order is N, L, R, P, by the two comparisons.
    assert_eq!(outcomes, [1039, 217, 217, 1]);
    let weights: Vec<(i64, i32)> = weights.into_iter().collect();
    assert_eq!(weights, [(-2, 3), (-1, 20), (0, 21), (1, 20), (2, 3)]);
}

/// Tests that a huge nimber respects the limits. It takes constant memory until its options are
/// needed. If the options take more memory than allowed, the result must be an error, not an abort
/// of the process.
#[test]
fn a_nimber_among_options_respects_the_limits() {
    let mut forms = Forms::default();
    let limits = Limits {
        memory: 1 << 24,
        ..Limits::default()
    };
    let read = text::read("{*10000000000|0}", &mut forms, &limits);
    assert_eq!(read.unwrap_err().kind.name(), "limit");
    let alone = text::read("*10000000000 - 3", &mut forms, &limits).unwrap();
    assert_eq!(forms.write(alone), "-3*10000000000");
}

/// Tests `*[a,b]`, which is {a,b | a,b} with the options written once.
#[test]
fn brackets_after_a_star_hold_the_options_of_both_players() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for (written, braces) in [
        ("*[]", "{|}"),
        ("*[0]", "{0|0}"),
        ("*[ * , 0 ]", "{*,0|*,0}"),
        ("*[*[*2],0]", "{{*2|*2},0|{*2|*2},0}"),
        ("∗[1, -1]", "{1,-1|1,-1}"),
        ("*[{1|-1}+*] + 2*[0]", "{{1|-1}+*|{1|-1}+*} + 2*"),
        ("+-*[2]", "+-({2|2})"),
        ("{*[2]||0|*[]}", "{{2|2}||0|0}"),
        ("-*[2]", "{-2|-2}"),
    ] {
        let value = read(&mut forms, written);
        assert_eq!(value, read(&mut forms, braces), "{written}");
    }
    for (wrong, at, message) in [
        ("*[0|1]", 3..4, "bars and commas are allowed in braces only"),
        ("*[0", 1..2, "unclosed bracket"),
        ("*[0}", 3..4, "unmatched closing bracket"),
        ("{0]", 2..3, "unmatched closing bracket"),
        ("*[0,]", 4..5, "expected a value"),
        ("*[,0]", 2..3, "expected a value"),
        ("*2[0]", 2..3, "unexpected character"),
        ("[0]", 0..1, "unexpected character"),
        ("0]", 1..2, "unmatched closing bracket"),
    ] {
        let error = text::parse(wrong).unwrap_err();
        assert_eq!(error.message.to_string(), message, "{wrong}");
        assert_eq!(error.span, Some(at), "{wrong}");
    }
    // Any recursion over this text would overflow the stack.
    let deep = format!("{}{}", "*[".repeat(100_000), "]".repeat(100_000));
    let value = text::read(&deep, &mut forms, &limits).unwrap();
    assert_eq!(forms.write(value), "*");
}
