//! The binary `grundy` with labelling by several workers.

mod labelling;

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_cli::run(Some(&labelling::Cluster))
}
