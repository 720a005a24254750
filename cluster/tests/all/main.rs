//! Integration tests of labelling by several workers.

#[cfg(target_os = "linux")]
mod deploy;
mod labelling;
#[allow(dead_code, reason = "the other tests need the rest")]
#[path = "../../../crates/cli/tests/all/program.rs"]
mod program;
