//! `grundy verify`: the answer states the claim that was checked, and ambiguous or endless input is
//! rejected.

use std::fs;

use crate::program::{folder, grundy};
use serde_json::Value;

#[test]
fn verify_prints_the_checked_claim() {
    let folder = folder("verify-claim");
    let file = folder.join("kayles.json");
    let file = file.to_str().unwrap();
    assert!(
        grundy(&["period", "kayles(n)", "--certificate", file])
            .status
            .success()
    );
    let said = grundy(&["verify", "--json", file]);
    // Kayles has preperiod 71 and period 12 (Guy and Smith 1956).
    let object: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(object["family"], "kayles(n)");
    assert_eq!(object["preperiod"], 71);
    assert_eq!(object["period"], 12);
    assert_eq!(object["valid"], true);
    let words = String::from_utf8(grundy(&["verify", file]).stdout).unwrap();
    for claim in ["kayles(n)", "g(n + 12) = g(n)", "n >= 71"] {
        assert!(words.contains(claim), "{words}");
    }
}

// Two readers could take different values of a duplicate key, so the claim would be ambiguous.
// Unknown nested objects are checked as well.
#[test]
fn duplicate_keys_are_rejected() {
    let folder = folder("verify-twice");
    let file = folder.join("kayles.json");
    let path = file.to_str().unwrap();
    assert!(
        grundy(&["period", "kayles(n)", "--certificate", path])
            .status
            .success()
    );
    let certificate = fs::read_to_string(&file).unwrap();
    for (twice, key) in [
        (certificate.replacen('{', "{\"period\": 1, ", 1), "period"),
        (
            certificate.replacen('{', "{\"note\": {\"a\": 1, \"a\": 2}, ", 1),
            "a",
        ),
    ] {
        fs::write(&file, twice).unwrap();
        let said = grundy(&["verify", path]);
        assert_eq!(said.status.code(), Some(2));
        let message = String::from_utf8(said.stderr).unwrap();
        assert!(
            message.contains(&format!("duplicate key `{key}`")),
            "{message}"
        );
    }
}

// A certificate states what it proves, so these options have no meaning here.
#[test]
fn options_without_meaning_are_rejected() {
    let file = "../../testdata/certificates/pick-a-hand.json";
    assert_eq!(grundy(&["verify", file]).status.code(), Some(0));
    for arguments in [
        &["verify", file, "--misere"][..],
        &[
            "verify",
            file,
            "--rules",
            "../../examples/rules/squares.star",
        ],
    ] {
        let said = grundy(arguments);
        assert_eq!(said.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8(said.stderr).unwrap();
        assert!(message.contains("has no option"), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_endless_file_reaches_the_size_limit() {
    let said = grundy(&["verify", "/dev/zero"]);
    assert_eq!(said.status.code(), Some(3));
    let message = String::from_utf8(said.stderr).unwrap();
    assert!(message.contains("larger than 256 MiB"), "{message}");
}
