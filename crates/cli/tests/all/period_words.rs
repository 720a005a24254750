//! Messages of `grundy period` if it finds no proof: whether more values could help, and what is
//! available for rule files.

use crate::program::grundy;

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
    assert!(said.contains("built-in games"), "{said}");
    assert!(said.contains("grundy table --rules"), "{said}");
    assert!(!said.contains("no rule file is open"), "{said}");
}

// Rule files have no periodicity theorem, so the options that need a proof are rejected.
#[test]
fn the_period_of_a_rule_file_is_observed() {
    let rules = ["--rules", "../../examples/rules/kayles.star"];
    let question = [&["period", "game(moves, n)"][..], &rules].concat();
    let output = grundy(&question);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("g(n + 12) = g(n) for n >= 71"), "{said}");
    assert!(said.contains("not proved"), "{said}");
    let said = error(
        &[&question[..], &["--certificate", "none.json"]].concat(),
        2,
    );
    assert!(said.contains("can only be observed"), "{said}");
    let said = error(&[&question[..], &["--misere"]].concat(), 2);
    assert!(said.contains("built-in games only"), "{said}");
}
