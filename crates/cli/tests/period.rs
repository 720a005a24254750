//! `grundy period` from outside: stopped, killed, resumed, and given bad checkpoints.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

fn grundy(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(arguments)
        .output()
        .unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const FAMILY: &str = "take_and_break('0.16', n)";

#[test]
fn killed_at_any_moment_and_resumed_the_result_is_the_same() {
    let folder = scratch("killed");
    let (checkpoint, certificate) = (folder.join("state"), folder.join("certificate.json"));
    let (checkpoint, certificate) = (checkpoint.to_str().unwrap(), certificate.to_str().unwrap());
    let whole = folder.join("whole.json");
    let whole = whole.to_str().unwrap();
    let done = grundy(&[
        "period",
        FAMILY,
        "--max",
        "1000000",
        "--json",
        "--certificate",
        whole,
    ]);
    assert!(done.status.success());
    for delay in [1, 3, 7, 15, 30] {
        let mut arguments = vec![
            "period",
            FAMILY,
            "--max",
            "1000000",
            "--checkpoint",
            checkpoint,
            "--every",
            "0.001",
        ];
        if Path::new(checkpoint).exists() {
            arguments.push("--resume");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(&arguments)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut arguments = vec![
        "period",
        FAMILY,
        "--max",
        "1000000",
        "--json",
        "--checkpoint",
        checkpoint,
        "--certificate",
        certificate,
    ];
    if Path::new(checkpoint).exists() {
        arguments.push("--resume");
    }
    let resumed = grundy(&arguments);
    assert_eq!(
        resumed.stdout,
        done.stdout,
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(
        std::fs::read(certificate).unwrap(),
        std::fs::read(whole).unwrap()
    );
    assert!(grundy(&["verify", certificate]).status.success());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = scratch("damaged");
    let file = folder.join("state");
    let name = file.to_str().unwrap();
    let run = |family: &str, resume: bool| {
        let mut arguments = vec!["period", family, "--max", "20000", "--checkpoint", name];
        arguments.extend(resume.then_some("--resume"));
        let output = grundy(&arguments);
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run(FAMILY, false).0, Some(3), "not proved yet");
    let good = std::fs::read(&file).unwrap();
    let (code, error) = run("kayles(n)", true);
    assert!(
        code == Some(2) && error.contains("the checkpoint is of"),
        "{error}"
    );
    for length in [0, 3, 100, good.len() / 2, good.len() - 1] {
        std::fs::write(&file, &good[..length]).unwrap();
        let (code, error) = run(FAMILY, true);
        assert!(
            code == Some(2) && error.contains("cut off"),
            "{length}: {error}"
        );
    }
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    std::fs::write(&file, flipped).unwrap();
    assert_eq!(run(FAMILY, true).0, Some(2));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run(FAMILY, true).0, Some(2), "no checkpoint at all");
    std::fs::write(&file, good).unwrap();
    assert_eq!(run(FAMILY, true).0, Some(3));
}

#[test]
fn a_forged_certificate_of_the_sparse_window_is_refused() {
    let folder = scratch("forged");
    let file = folder.join("certificate.json");
    let name = file.to_str().unwrap();
    assert!(
        grundy(&["period", FAMILY, "--max", "1000000", "--certificate", name])
            .status
            .success()
    );
    assert!(grundy(&["verify", name]).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    let forged = text.replace("\"reach\":", "\"reach\":1,\"was\":");
    std::fs::write(&file, forged).unwrap();
    let refused = grundy(&["verify", name]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("is not reached from heap"), "{error}");
}

#[test]
fn values_are_written_in_every_form() {
    let folder = scratch("values");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in ["values.csv", "values.txt", "values.bin", "values.bin.gz"] {
        let output = grundy(&["period", "kayles(n)", "--values", &path(name)]);
        assert!(output.status.success());
    }
    let read = |name: &str| std::fs::read(path(name)).unwrap();
    assert!(read("values.csv").starts_with(b"n,grundy\n0,0\n1,1\n2,2\n3,3\n4,1\n"));
    assert!(read("values.txt").starts_with(b"0 0\n1 1\n2 2\n3 3\n4 1\n"));
    assert_eq!(read("values.bin")[..8], [0, 1, 2, 3, 1, 4, 3, 2]);
    assert!(read("values.bin.gz").starts_with(&[0x1f, 0x8b]));
    assert_eq!(
        grundy(&["period", "kayles(n)", "--values", &path("values.xls")])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn bad_codes_get_one_clear_error() {
    let digits = format!("0.{}", "7".repeat(100_000));
    for code in ["", ".", "0.g", "1.5", "2.7", "0. 7", "0.7 ", &digits] {
        let output = grundy(&["period", &format!("take_and_break('{code}', n)")]);
        assert_eq!(output.status.code(), Some(2), "{code:.20}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error.matches("error:").count(), 1, "{error:.200}");
    }
    assert!(
        grundy(&["period", "take_and_break('.8', n)", "--max", "300"])
            .status
            .code()
            .is_some_and(|code| code != 2)
    );
    let output = grundy(&[
        "period",
        "take_and_break('0.104', n)",
        "--max",
        "100000000000",
        "--max-memory",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_stream_stopped_and_resumed_proves_the_same_period() {
    let folder = scratch("stream");
    let checkpoint = folder.join("state");
    let path = checkpoint.to_str().unwrap();
    let family = "take_and_break('0.56', n)";
    let whole = grundy(&["period", family, "--max", "2000000", "--json"]);
    let whole: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    let stream = |max: &str, resume: bool| {
        let mut arguments = vec!["period", family, "--json", "--stream", "--checkpoint", path];
        arguments.extend(["--max", max]);
        arguments.extend(resume.then_some("--resume"));
        grundy(&arguments)
    };
    assert_eq!(stream("30000", false).status.code(), Some(3));
    for max in ["200000", "300000", "300001"] {
        assert_eq!(stream(max, true).status.code(), Some(3), "{max}");
    }
    let last = stream("2000000", true);
    assert!(last.status.success(), "{last:?}");
    let last: serde_json::Value = serde_json::from_slice(&last.stdout).unwrap();
    for key in [
        "preperiod",
        "period",
        "saltus",
        "status",
        "largest",
        "sparse_space",
    ] {
        assert_eq!(last[key], whole[key], "{key}");
    }
    // What a stream cannot do is refused, not left out.
    for option in ["--frequencies", "--values=values.csv", "--plot=plot.svg"] {
        let resumed = grundy(&["period", family, "--checkpoint", path, "--resume", option]);
        assert_eq!(resumed.status.code(), Some(2), "{option}");
        assert!(String::from_utf8_lossy(&resumed.stderr).contains("does not keep the values"));
    }
    let misere = grundy(&["period", family, "--stream", "--misere"]);
    assert_eq!(misere.status.code(), Some(2));
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).unwrap();
    let refused = stream("2000000", true);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("checksum"));
}
