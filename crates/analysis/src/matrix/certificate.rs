//! The certificate of a matrix game. The entries of the matrix are converted to text one by one.
//! The texts of all entries together can need more memory than everything else.

use grundy_matrix::{BigRational, Matrix};
use grundy_wording::answer::DisplayText;
use serde::ser::{Serialize, Serializer};

use super::SolvedMatrix;

/// The claim of a certificate, with all data that a verifier needs.
#[derive(serde::Serialize)]
pub(super) struct Certificate<'a> {
    kind: &'static str,
    value: DisplayText<&'a BigRational>,
    row_strategy: Fractions<'a>,
    col_strategy: Fractions<'a>,
    matrix: Entries<'a>,
}

impl<'a> Certificate<'a> {
    pub(super) fn of(solved: &'a SolvedMatrix) -> Self {
        let [p, q] = &solved.fractions;
        Self {
            kind: "matrix",
            value: DisplayText(&solved.solution.value),
            row_strategy: Fractions(p),
            col_strategy: Fractions(q),
            matrix: Entries(&solved.game),
        }
    }
}

/// Fractions as a list of strings.
pub(super) struct Fractions<'a>(pub(super) &'a [BigRational]);

impl Serialize for Fractions<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(DisplayText))
    }
}

/// The entries of a matrix, row by row.
struct Entries<'a>(&'a Matrix);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((0..self.0.rows()).map(|i| EntryRow(self.0, i)))
    }
}

/// One row of a matrix.
struct EntryRow<'a>(&'a Matrix, usize);

impl Serialize for EntryRow<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(game, i) = self;
        to.collect_seq((0..game.columns()).map(|j| DisplayText(game.entry(*i, j))))
    }
}
