//! What happens where an answer cannot be written: a reader that has gone is a quiet end, anything
//! else one error and exit code 2, and never a panic.

use std::fs::File;
use std::process::{Output, Stdio};

use crate::program::{command, grundy};

/// Everything that writes to standard output in its own way.
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

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

fn into(arguments: &[&str], stdout: impl Into<Stdio>) -> Output {
    let mut command = command(arguments);
    command.stdout(stdout).stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

/// Returns a pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_one_error() {
    for arguments in WRITES {
        let output = into(arguments, full());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{arguments:?}: {said}");
    }
}

#[test]
fn a_reader_that_has_gone_is_a_quiet_end() {
    for arguments in WRITES {
        // There is something that cannot be written.
        assert!(!grundy(arguments).stdout.is_empty(), "{arguments:?}");
        let output = into(arguments, closed());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn errors_that_cannot_be_told_end_as_they_would() {
    for arguments in [
        &["solve", "nim(1"][..],
        &["solve", "nim(1", "--json"],
        &["fly", "--json"],
        &["nimber", "1+"],
    ] {
        let mut told = command(arguments);
        told.stdout(Stdio::null()).stderr(full());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
        let mut told = command(arguments);
        told.stdout(full()).stderr(full());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
        let output = into(arguments, full());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.matches("error: ").count(), 1, "{arguments:?}: {said}");
        let mut told = command(arguments);
        told.stdout(Stdio::null()).stderr(closed());
        assert_eq!(told.status().unwrap().code(), Some(2), "{arguments:?}");
    }
    let gone = into(&["solve", "nim(1", "--json"], closed());
    assert_eq!(gone.status.code(), Some(0));
    assert!(gone.stderr.starts_with(b"error: "));
}

#[test]
fn an_answer_that_arrives_is_as_before() {
    assert_eq!(grundy(&["nimber", "1+2"]).stdout, b"3\n");
}
