//! Integration tests of the feature `cluster`: a program of its own, because the program under test
//! is built with the feature.

#[cfg(target_os = "linux")]
mod deploy;
mod labelling;
#[allow(dead_code, reason = "the other tests need the rest")]
#[path = "../all/program.rs"]
mod program;
