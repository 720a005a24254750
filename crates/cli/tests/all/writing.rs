//! Failures to write an answer. A closed pipe ends the program silently, any other error gives one
//! message and exit code 2, and nothing panics.

use std::fs::File;
use std::process::{Output, Stdio};

use crate::program::{command, grundy};

/// One command for each code path that writes to standard output.
const WRITES: &[&[&str]] = &[
    &[],
    &["--help"],
    &["--version"],
    &["help", "games"],
    &["man"],
    &["completions", "bash"],
    &["nimber", "1+2"],
    &["nimber", "1+2", "--json"],
    &["solve", "nim(1, 2)"],
    &["solve", "nim(1, 2)", "--json"],
    &["solve", "domineering([\"..\"])"],
    &["explain", "kayles(3)"],
    &["table", "kayles(n)", "n=0..9", "--csv"],
    &["table", "kayles(n)", "n=0..9"],
    &["period", "kayles(n)"],
    &["draw", "nim(2)"],
    &["tree", "nim(2)"],
    &["label", "nim(1, 2)"],
    &["label", "nim(1, 2)", "--json"],
    &["play", "nim(1)"],
    &["matrix", "../../testdata/saddle.csv"],
    &["verify", "../../testdata/certificates/pick-a-hand.json"],
    &["probe", "../../examples/tablebases/chomp", "chomp(2, 1)"],
];

fn full_device() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

fn run_into(arguments: &[&str], stdout: impl Into<Stdio>) -> Output {
    let mut command = command(arguments);
    command.stdout(stdout).stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

/// Returns a pipe whose reading end is closed.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_one_error() {
    for arguments in WRITES {
        let output = run_into(arguments, full_device());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{arguments:?}: {said}");
    }
}

#[test]
fn a_closed_pipe_is_a_clean_exit() {
    for arguments in WRITES {
        // The control: the command writes something.
        assert!(!grundy(arguments).stdout.is_empty(), "{arguments:?}");
        let output = run_into(arguments, closed_pipe());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

// If even the error cannot be printed, the exit code is the only report.
#[test]
#[cfg(target_os = "linux")]
fn unprintable_errors_keep_their_exit_code() {
    for arguments in [
        &["solve", "nim(1"][..],
        &["solve", "nim(1", "--json"],
        &["fly", "--json"],
        &["nimber", "1+"],
    ] {
        let mut told = command(arguments);
        told.stdout(Stdio::null()).stderr(full_device());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
        let mut told = command(arguments);
        told.stdout(full_device()).stderr(full_device());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
        let output = run_into(arguments, full_device());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.matches("error: ").count(), 1, "{arguments:?}: {said}");
        let mut told = command(arguments);
        told.stdout(Stdio::null()).stderr(closed_pipe());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
    }
    let gone = run_into(&["solve", "nim(1", "--json"], closed_pipe());
    assert_eq!(gone.status.code(), Some(0));
    assert!(gone.stderr.starts_with(b"error: "));
}

#[test]
fn a_short_answer_is_printed_unchanged() {
    assert_eq!(grundy(&["nimber", "1+2"]).stdout, b"3\n");
}
