//! Integration tests: one module for each subject, linked as one program.

mod finished;
mod gallery;
mod hostile;
mod positions_by_number;
mod ranks;
mod recognition;
mod rule_file_sums;
mod rule_files;

/// The enumeration of all positions of a sum, and an independent implementation of the rules of the
/// games of the library.
#[allow(dead_code, reason = "the tests of the library use the rest")]
#[path = "../../../core/tests/all/sums"]
mod sums {
    pub(crate) mod answers;
    pub(crate) mod brute;
    pub(crate) mod kinds;
    pub(crate) mod random;
    pub(crate) mod rules;
    pub(crate) mod sum;
}
