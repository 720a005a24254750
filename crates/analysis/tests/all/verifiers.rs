//! Comparison of the three verifiers of certificates: the program, the Python script, and the
//! checker extracted from the proofs. They give the same verdicts and accept no false claim. Each
//! judges all certificates in one process.
//!
//! The extracted checker takes part if the environment variable `GRUNDY_CHECK` names it.
//! `scripts/test_proofs.sh` builds it and runs these tests.

mod forging;
mod spellings;
mod truth;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, fs, io, process};

use grundy_analysis::files::{Files, MemoryFiles};
use grundy_analysis::question::Verify;
use grundy_analysis::{Analyst, Job};
use grundy_core::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Accepted,
    Refused,
    /// The verifier does not support certificates of this kind.
    Unread,
    /// A limit was reached.
    Limit,
}

/// The verdicts on one certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Verdicts {
    program: Verdict,
    python: Verdict,
    /// The verdict of the checker extracted from the proofs. `None` if the checker is not
    /// available.
    proofs: Option<Verdict>,
}

impl Verdicts {
    /// Returns whether the verifiers agree. If the program accepts the certificate, the Python
    /// verifier must give one of the verdicts `python`, and the extracted checker one of `proofs`.
    /// Otherwise neither of them may accept it.
    fn agree(self, python: &[Verdict], proofs: &[Verdict]) -> bool {
        let agrees = |other: Verdict, expected: &[Verdict]| match self.program {
            Verdict::Accepted => expected.contains(&other),
            _ => other != Verdict::Accepted,
        };
        agrees(self.python, python) && self.proofs.is_none_or(|verdict| agrees(verdict, proofs))
    }
}

/// Returns the verdicts on each certificate. `name` is part of the name of a temporary file.
fn verdicts(name: &str, certificates: &[String]) -> Vec<Verdicts> {
    let file = env::temp_dir().join(format!("grundy-{name}-{}.jsonl", process::id()));
    let lines = certificates
        .iter()
        .map(|text| serde_json::to_string(text).unwrap() + "\n");
    fs::write(&file, lines.collect::<String>()).unwrap();
    let python = by_python(&file);
    let proofs = env::var_os("GRUNDY_CHECK").map(|checker| by_proofs(Path::new(&checker), &file));
    fs::remove_file(&file).unwrap();
    assert_eq!(python.len(), certificates.len());
    if let Some(proofs) = &proofs {
        assert_eq!(proofs.len(), certificates.len());
    }
    (certificates.iter().zip(python).enumerate())
        .map(|(at, (certificate, python))| Verdicts {
            program: by_program(certificate),
            python,
            proofs: proofs.as_ref().map(|verdicts| verdicts[at]),
        })
        .collect()
}

/// Returns the verdict of the program.
fn by_program(certificate: &str) -> Verdict {
    let shelf = MemoryFiles::new([("claim.json", Arc::new(certificate.as_bytes().to_vec()))]);
    let analyst = Analyst::new(Files::Memory(Arc::new(shelf)));
    let question = Verify {
        file: "claim.json".into(),
        ..Verify::default()
    };
    match analyst.answer(&question, &Job::default()) {
        Ok(_) => Verdict::Accepted,
        Err(error) if error.kind == Kind::Limit => Verdict::Limit,
        Err(_) => Verdict::Refused,
    }
}

/// A driver that reads certificates as JSON strings, one a line, and prints a verdict for each.
/// Starting Python once saves most of the time.
const DRIVER: &str = r"
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('verifier', sys.argv[1])
verifier = sys.modules['verifier'] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)
for line in open(sys.argv[2], encoding='utf-8'):
    try:
        print(verifier.verify(json.loads(line), 2.0))
    except verifier.Refused as why:
        print('refused:', why)
";

/// Returns the verdicts of the Python verifier on a file of lines.
fn by_python(lines: &Path) -> Vec<Verdict> {
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/grundy/verifier.py");
    let mut command = Command::new("python3");
    command.args(["-I", "-c", DRIVER]).args([&verifier, lines]);
    let unread = "the rules of these positions are not supported (";
    answers(&mut command, unread).expect("python3, which test.sh needs, too")
}

/// Returns the verdicts of the extracted checker on a file of lines.
fn by_proofs(checker: &Path, lines: &Path) -> Vec<Verdict> {
    let mut command = Command::new(checker);
    command.arg("--lines").arg(lines);
    answers(&mut command, "proved here").unwrap()
}

/// Returns the verdicts that a command prints, one a line. `unread` is its message for unsupported
/// certificates.
fn answers(command: &mut Command, unread: &str) -> io::Result<Vec<Verdict>> {
    let output = command.stderr(Stdio::inherit()).output()?;
    let lines = String::from_utf8(output.stdout).unwrap();
    let verdict = |line: &str| match line.split_once(": ") {
        Some(("accepted", _)) => Verdict::Accepted,
        Some(("refused", _)) => Verdict::Refused,
        _ if line.contains(unread) => Verdict::Unread,
        _ => Verdict::Limit,
    };
    Ok(lines.lines().map(verdict).collect())
}

/// Checks certificates on which the verifiers once disagreed.
#[test]
fn differences_found_earlier_are_resolved() {
    let labels = r#"{"kind": "labels", "play": "normal", "options": [[]], "labels": ["P0"],
        "values": [0], "places": [PLACE]}"#;
    let period = r#"{"kind": "period", "family": "FAMILY", "preperiod": 0, "period": 2,
        "saltus": 0, "theorem": "window", "values": [0, 1]}"#;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let window = fs::read_to_string(root.join("proofs/certificates/sparse_4.344.json")).unwrap();
    let mask = serde_json::from_str::<serde_json::Value>(&window).unwrap()["mask"].as_u64();
    let mask = |more: u128| {
        let written = format!("\"mask\":{}", u128::from(mask.unwrap()) + more);
        window.replace(&format!("\"mask\":{}", mask.unwrap()), &written)
    };
    let family = |family: &str| period.replace("FAMILY", family);
    let cases = [
        // Numbers have 64 bits, so 2^64 - 1 is the largest one.
        (
            labels.replace("PLACE", "18446744073709551615"),
            Verdict::Accepted,
        ),
        (
            labels.replace("PLACE", "18446744073709551616"),
            Verdict::Refused,
        ),
        // Trailing commas and spaces are part of the notation, empty items are not.
        (family("subtraction([1,], n)"), Verdict::Accepted),
        (family("subtraction( [ 1 , ] , n , )"), Verdict::Accepted),
        (family("subtraction([1,,], n)"), Verdict::Refused),
        // A mask of more than 64 bits must be rejected and not truncated.
        (mask(0), Verdict::Accepted),
        (mask(1 << 64), Verdict::Refused),
    ];
    let certificates = cases.clone().map(|(certificate, _)| certificate);
    for ((certificate, verdict), verdicts) in cases.iter().zip(verdicts("past", &certificates)) {
        assert_eq!(verdicts.program, *verdict, "{certificate}");
        assert!(
            verdicts.agree(&[*verdict], &[*verdict]),
            "{verdicts:?}: {certificate}"
        );
    }
}
