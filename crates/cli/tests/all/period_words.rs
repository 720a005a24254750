//! Messages of `grundy period` if it finds no proof: whether more values could help, and the
//! reference to `table` for families of rule files.

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

// Rule files have no periodicity theorem, so the error refers to `table` instead.
#[test]
fn errors_for_rule_file_families_refer_to_table() {
    let rules = "../../examples/rules/kayles.star";
    for arguments in [
        &["period", "--rules", rules, "game(moves, n)"][..],
        &["period", "game(moves, n)"],
    ] {
        let said = error(arguments, 2);
        assert!(said.contains("built-in games"), "{said}");
        assert!(said.contains("grundy table --rules"), "{said}");
        assert!(!said.contains("no rule file is open"), "{said}");
    }
}
