//! Helpers that run the program under test.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{LazyLock, Mutex};

/// Returns the path of the program under test. `GRUNDY_TEST_PROGRAM` overrides it: with it,
/// `scripts/stub_tests.sh` checks that the tests fail on a program that does nothing.
pub(crate) fn executable() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| {
        let other = std::env::var("GRUNDY_TEST_PROGRAM");
        other.unwrap_or_else(|_| env!("CARGO_BIN_EXE_grundy").to_owned())
    });
    &PATH
}

/// Returns a command for the program without input, in the C locale.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(executable());
    command.args(arguments).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    command
}

/// Runs the program without input.
pub(crate) fn grundy(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs the program with an input.
pub(crate) fn grundy_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may exit before it reads all input, so ignore a broken pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Creates an empty folder for a test. Tests run in parallel, so each name may be used only once.
pub(crate) fn folder(name: &str) -> PathBuf {
    static NAMES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let new = NAMES.lock().unwrap().insert(name.to_owned());
    assert!(new, "two tests use a folder named {name}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
