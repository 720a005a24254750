//! The two verifiers of certificates, that of the program and the one in Python, give the same
//! verdicts, and accept no false claim. Both are asked in one process each.

mod forging;
mod spellings;
mod truth;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, fs, process};

use grundy::Kind;
use grundy_analysis::files::{Files, Shelf};
use grundy_analysis::question::Verify;
use grundy_analysis::{Analyst, Job};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Refused,
    /// A limit was reached, or the verifier does not know the rules of the positions.
    Unknown,
}

/// Returns whether the verdicts of the program and of Python agree. A claim that is too long for one
/// of them is not accepted by the other; the moves of positions are known to the program only.
fn agree(program: Verdict, python: Verdict, of_positions: bool) -> bool {
    match (program, python) {
        (Verdict::Accepted, Verdict::Unknown) => of_positions,
        (Verdict::Unknown, python) => python != Verdict::Accepted,
        (Verdict::Refused, Verdict::Unknown) => true,
        (program, python) => program == python,
    }
}

/// Returns the verdict of the program.
fn by_program(certificate: &str) -> Verdict {
    let shelf = Shelf::new([("claim.json", Arc::new(certificate.as_bytes().to_vec()))]);
    let analyst = Analyst::new(Files::Held(Arc::new(shelf)));
    let question = Verify {
        file: "claim.json".into(),
        ..Verify::default()
    };
    match analyst.answer(&question, &Job::default()) {
        Ok(_) => Verdict::Accepted,
        Err(error) if error.kind == Kind::Limit => Verdict::Unknown,
        Err(_) => Verdict::Refused,
    }
}

/// Reads certificates, one a line as a JSON string, and prints a verdict for each.
const DRIVER: &str = r"
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('verifier', sys.argv[1])
verifier = sys.modules['verifier'] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)
for line in open(sys.argv[2], encoding='utf-8'):
    try:
        print('accepted' if verifier.verify(json.loads(line), 2.0) else 'not checked')
    except verifier.Refused:
        print('refused')
";

/// Returns the verdicts of the verifier in Python.
fn by_python(name: &str, certificates: &[String]) -> Vec<Verdict> {
    let file = env::temp_dir().join(format!("grundy-{name}-{}.jsonl", process::id()));
    let lines = certificates
        .iter()
        .map(|text| serde_json::to_string(text).unwrap() + "\n");
    fs::write(&file, lines.collect::<String>()).unwrap();
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/grundy/verifier.py");
    let mut command = Command::new("python3");
    command.args(["-I", "-c", DRIVER]).args([&verifier, &file]);
    let output = command.stderr(Stdio::inherit()).output();
    fs::remove_file(&file).unwrap();
    let output = output.expect("python3, which test.sh needs, too");
    assert!(output.status.success());
    let verdicts = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<Verdict> = (verdicts.lines())
        .map(|verdict| match verdict {
            "accepted" => Verdict::Accepted,
            "refused" => Verdict::Refused,
            _ => Verdict::Unknown,
        })
        .collect();
    assert_eq!(verdicts.len(), certificates.len());
    verdicts
}
