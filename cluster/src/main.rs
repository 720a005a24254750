//! The binary `grundy` with labelling by several workers.

mod crew;

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_cli::run(Some(&crew::Cluster))
}
