//! Messages of `grundy period` if it finds no proof: whether more values could help, and what is
//! available for rule files.

use crate::program::{folder, grundy};

fn error(arguments: &[&str], code: i32) -> String {
    let output = grundy(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn misere_play_without_a_theorem_is_reported() {
    // The heap of 5 has genus 4^146, which is not tame. So no number of values leads to a proof.
    for most in ["1000", "100000000"] {
        let said = error(&["period", "kayles(n)", "--misere", "--max", most], 3);
        assert!(said.contains("no theorem applies"), "{said}");
        assert!(said.contains("the smallest exception is heap 5"), "{said}");
        assert!(!said.contains("100000000"), "{said}");
        assert!(!said.contains("--max computes more"), "{said}");
    }
}

#[test]
fn families_of_rules_need_a_rule_file() {
    let said = error(&["period", "game(moves, n)"], 2);
    assert!(said.contains("in a rule file"), "{said}");
    assert!(said.contains("grundy period --rules"), "{said}");
    assert!(!said.contains("no rule file is open"), "{said}");
}

fn period_of_rules(file: &str, options: &[&str], code: i32) -> String {
    let question = ["period", "game(moves, n)", "--rules", file];
    let output = grundy(&[&question[..], options].concat());
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

// A rule that is recognized has the period of the built-in game, with its proof.
#[test]
fn the_period_of_a_recognized_rule_is_proved() {
    let known = [
        (
            "kayles",
            "take_and_break(\"0.77\", n)",
            "g(n + 12) = g(n) for n >= 71 (",
        ),
        (
            "dawsons_chess",
            "take_and_break(\"0.137\", n)",
            "g(n + 34) = g(n) for n >= 52 (",
        ),
    ];
    for (name, family, period) in known {
        let file = format!("../../examples/rules/{name}.star");
        let said = period_of_rules(&file, &[], 0);
        assert!(said.contains(period), "{said}");
        assert!(said.contains(&format!("recognised as {family}")), "{said}");
        let json = period_of_rules(&file, &["--json"], 0);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["recognised_as"], family);
        assert_eq!(
            (&json["status"], &json["family"]),
            (&"proved".into(), &"game(moves, n)".into())
        );
        let built_in = grundy(&["period", "--json", family]);
        let mut built_in: serde_json::Value = serde_json::from_slice(&built_in.stdout).unwrap();
        built_in["recognised_as"] = built_in["family"].take();
        built_in["family"] = "game(moves, n)".into();
        assert_eq!(json, built_in);
    }
}

#[test]
fn the_certificate_of_a_recognized_rule_is_about_the_built_in_game() {
    let folder = folder("recognized_rules");
    let file = folder.join("own.star");
    let certificate = folder.join("own.json");
    let [file, certificate] = [&file, &certificate].map(|path| path.to_str().unwrap());
    let rules = "def moves(n): return [(str(k), n - k) for k in (1, 3, 4) if k <= n]\n";
    std::fs::write(file, rules).unwrap();
    let said = period_of_rules(file, &["--certificate", certificate], 0);
    assert!(said.contains("g(n + 7) = g(n) for n >= 0 ("), "{said}");
    assert!(
        said.contains("recognised as subtraction([1, 3, 4], n)"),
        "{said}"
    );
    let verified = grundy(&["verify", certificate]);
    let verified = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.contains("subtraction([1, 3, 4], n)"), "{verified}");
    let said = period_of_rules(file, &["--misere"], 0);
    assert!(said.contains("has period 7"), "{said}");
    assert!(
        said.contains("recognised as subtraction([1, 3, 4], n)"),
        "{said}"
    );
    // A table proves the period of its family, too.
    let question = ["table", "game(moves, n)", "n=0..40", "--rules", file];
    let table = grundy(&[&question[..], &["--pattern"]].concat());
    let table = String::from_utf8(table.stdout).unwrap();
    let built_in = grundy(&["table", "subtraction([1, 3, 4], n)", "n=0..40", "--pattern"]);
    let built_in = String::from_utf8(built_in.stdout).unwrap();
    let finding = "g(n + 7) = g(n) for n >= 0 (periodicity theorem";
    assert!(
        table.contains(finding) && built_in.contains(finding),
        "{table}{built_in}"
    );
    let code = grundy(&[&question[..], &["--code", "python"]].concat());
    let code = String::from_utf8(code.stdout).unwrap();
    assert!(
        code.contains("g(n + 7) = g(n)") && code.contains("is proved"),
        "{code}"
    );
}

// A finite list of the file is the literal set, so the same theorem proves the period.
#[test]
fn a_list_of_a_rule_file_is_a_literal_set() {
    let folder = folder("lists_of_rules");
    let file = folder.join("own.star");
    let file = file.to_str().unwrap();
    let rules = "few = [4, 1, 3]\nnone = []\ncode = '0.77'\ndef odd(k): return k % 2 == 1\n";
    std::fs::write(file, rules).unwrap();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = grundy(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for (named, literal) in [
        ("subtraction(few, heap)", "subtraction([1, 3, 4], n)"),
        ("all_but(few, n)", "all_but([1, 3, 4], n)"),
        ("take_and_break(code, n)", "take_and_break(\"0.77\", n)"),
    ] {
        let found = json(&["period", "--rules", file, named]);
        let mut expected = json(&["period", literal]);
        assert_eq!(expected["status"], "proved");
        expected["recognised_as"] = literal.into();
        expected["family"] = named.into();
        assert_eq!(found, expected);
        let found = json(&["quotient", "--max", "20", "--rules", file, named]);
        let mut expected = json(&["quotient", "--max", "20", literal]);
        expected["family"] = named.into();
        assert_eq!(found, expected);
    }
    let certificate = folder.join("own.json");
    let certificate = certificate.to_str().unwrap();
    for command in ["period", "quotient"] {
        let question = [command, "--rules", file, "subtraction(few, n)"];
        json(&[&question[..], &["--certificate", certificate]].concat());
        let verified = json(&["verify", certificate]);
        assert_eq!(verified["valid"], true, "{command}: {verified}");
    }
    // A function may give an infinite set.
    let found = json(&["period", "--rules", file, "subtraction(odd, n)"]);
    assert_eq!(found["status"], "observed");
    let found = json(&["quotient", "--rules", file, "subtraction(odd, n)"]);
    assert_eq!(found["status"], "observed");
    let said = error(&["period", "--rules", file, "subtraction(none, n)"], 2);
    assert!(said.contains("the set is empty"), "{said}");
}

// No proof is known for rules that are not recognized, so the options that need one are rejected.
#[test]
fn the_period_of_another_rule_is_observed() {
    let folder = folder("observed_rules");
    let file = folder.join("odd.star");
    let file = file.to_str().unwrap();
    let rules = "def moves(n): return [n - k for k in range(1, n + 1) if k % 2 == 1]\n";
    std::fs::write(file, rules).unwrap();
    let said = period_of_rules(file, &[], 0);
    assert!(said.contains("g(n + 2) = g(n) for n >= 0"), "{said}");
    assert!(
        said.contains("not proved") && !said.contains("recognised"),
        "{said}"
    );
    let said = period_of_rules(file, &["--certificate", "none.json"], 2);
    assert!(said.contains("can only be observed"), "{said}");
    let said = period_of_rules(file, &["--misere"], 2);
    assert!(said.contains("built-in games only"), "{said}");
}

/// Runs a command and returns its exit code, its standard output and its standard error.
fn outputs(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = grundy(arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

// A period is looked for in all values that could be computed, not only after 256 of them.
#[test]
fn the_period_of_few_values_is_observed() {
    let folder = folder("few_values");
    let file = folder.join("own.star");
    let file = file.to_str().unwrap();
    let rules = "def moves(n): return [n - k for k in range(1, n + 1) if k % 5 != 0]\n";
    std::fs::write(file, rules).unwrap();
    let question = ["period", "game(moves, n)", "--rules", file];
    for (options, checked) in [
        (["--max", "50"], "50"),
        (["--max", "300"], "300"),
        (["--max", "511"], "511"),
        (["--max", "5000"], "512"),
    ] {
        let (code, said, errors) = outputs(&[&question[..], &options[..]].concat());
        let expected = format!("n >= 0, observed in the first {checked} values, not proved");
        assert!(said.contains(&expected), "{said}");
        assert_eq!((code, &errors[..]), (Some(0), ""));
    }
    // A limit ends the search before 256 values.
    let (code, said, errors) = outputs(&[&question[..], &["--max-positions", "100"]].concat());
    assert!(
        said.contains("g(n + 5) = g(n) for n >= 0, observed"),
        "{said}"
    );
    assert_eq!((code, &errors[..]), (Some(0), ""));
    // The first half of 30 values does not show the period.
    let (code, said, errors) = outputs(&[&question[..], &["--max", "30"]].concat());
    let expected = "no period appears in the first 30 values";
    assert!(code == Some(3) && said.contains(expected), "{said}");
    let note = "note: the first 30 values do not prove a period: --max computes more values\n";
    assert_eq!(errors, note);
    let (_, _, errors) = outputs(&["--lang", "zh", "period", "grundys_game(n)", "--max", "300"]);
    assert!(errors.starts_with("注意：前 300 个值"), "{errors}");
}

#[test]
fn a_limit_before_a_period_is_named_with_the_values() {
    let file = "../../examples/rules/squares.star";
    let question = [
        "period",
        "game(moves, n)",
        "--rules",
        file,
        "--max-positions",
        "10",
    ];
    let (code, said, errors) = outputs(&question);
    assert!(
        code == Some(3) && said.contains("no period appears in the first"),
        "{said}"
    );
    let expected = "error: the computation needs more than 10 positions\n";
    assert!(errors.starts_with(expected), "{errors}");
    let (code, said, _) = outputs(&[&question[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &json["status"]), (Some(3), &"partial".into()));
    assert_eq!(json["stopped"]["limit"], "positions");
    let count = json["checked_to"].as_u64().unwrap();
    assert!((1..256).contains(&count), "{json}");
}
