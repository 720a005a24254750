//! How the tests of the command line run the program.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{LazyLock, Mutex};

/// Returns the path of the program under test. `GRUNDY_TEST_PROGRAM` names another one:
/// `scripts/stub_tests.sh` runs the tests on a program that does nothing, to see that they fail.
pub(crate) fn executable() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| {
        let other = std::env::var("GRUNDY_TEST_PROGRAM");
        other.unwrap_or_else(|_| env!("CARGO_BIN_EXE_grundy").to_owned())
    });
    &PATH
}

/// Returns the program with arguments, without input, in the C locale.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(executable());
    command.args(arguments).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    command
}

/// What the program says to arguments.
pub(crate) fn grundy(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What the program says to arguments and input.
pub(crate) fn grundy_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may refuse before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Returns an empty folder for a test. Tests run at the same time, so no two of them may use the
/// same name.
pub(crate) fn folder(name: &str) -> PathBuf {
    static NAMES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let new = NAMES.lock().unwrap().insert(name.to_owned());
    assert!(new, "two tests use a folder named {name}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
