//! The binary `grundy`.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_cli::run(None)
}
