//! A checkpoint of a labelling by rank: a file with a checksum that contains the cells computed so
//! far. A cell is a number for a position with a player to move.
//!
//! One pass over the positions computes outcomes with remoteness, and another pass computes Grundy
//! values. For each pass, the first line contains the number of finished cells, the number of
//! stored cells, and their width in bytes. The cells follow in little-endian order.

use std::io::{Read as _, Write as _};
use std::path::Path;

use grundy_core::implicit::dense::{Cells, Pass};
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Limits};
use grundy_tablebase::checked::Form;
use serde_json::{Value, json};

use super::State;
use super::format::difference;
use grundy_job::files::{self, Files};

const FORM: Form = Form {
    noun: || grundy_core::message!("checkpoint"),
    kind: "label checkpoint by ranks",
    version: 1,
    help: || {
        grundy_core::message!(
            "omit {option} to start over",
            option = Setting::command_line("resume")
        )
    },
};

/// Number of cells (integers of 1, 2 or 4 bytes) written at a time, and number of bytes read at a
/// time. It is a power of two, so that the bytes read never end inside a cell.
const PIECE: usize = 1 << 20;

/// The state of a labelling by rank, which consists of two passes over the positions.
#[derive(Debug, Default)]
pub(crate) struct CellState {
    /// The pass over the positions that computes outcomes with remoteness.
    pub(crate) labels: Pass,
    /// The pass over the positions that computes Grundy values.
    pub(crate) values: Pass,
}

impl CellState {
    fn passes(&self) -> [&Pass; 2] {
        [&self.labels, &self.values]
    }
}

impl State for CellState {
    fn write(&self, files: &Files, file: &Path, identity: &Value) -> Result<(), Diagnostic> {
        let passes = self.passes();
        let heads = passes.map(|pass| {
            json!({"done": pass.done, "cells": pass.cells.len(), "width": pass.cells.width()})
        });
        let bytes = passes.map(|pass| pass.cells.len() as u64 * pass.cells.width());
        let head = json!({"of": identity, "passes": heads});
        // `Cells::bytes` makes a copy, so the cells are written in pieces. A checkpoint must not
        // double the memory of the pass.
        files::write(files, file, |out| {
            FORM.write(out, &head, bytes.iter().sum(), |out| {
                for pass in passes {
                    let cells = pass.cells.len();
                    for begin in (0..cells).step_by(PIECE) {
                        let end = cells.min(begin + PIECE);
                        out.write_all(&pass.cells.bytes(begin..end))?;
                    }
                }
                Ok(())
            })
        })
    }
}

/// Reads the checkpoint of a labelling by rank. A checkpoint whose stored identity is not
/// `identity` is rejected.
pub(super) fn read(
    file: &Path,
    identity: &Value,
    limits: &Limits<'_>,
) -> Result<CellState, Diagnostic> {
    let mut input = FORM.open(file)?;
    if input.head()["of"] != *identity {
        let what = difference(&input.head()["of"], identity);
        return Err(input.refuse(&what));
    }
    // The memory is compared with the actual length of the file, which a damaged head cannot
    // change.
    limits.check(1, input.length())?;
    let mut state = CellState::default();
    let heads = input.head()["passes"].clone();
    for (index, pass) in [&mut state.labels, &mut state.values]
        .into_iter()
        .enumerate()
    {
        let number = |key: &str| heads[index][key].as_u64().ok_or_else(|| input.damaged());
        let [done, cells, width] = [number("done")?, number("cells")?, number("width")?];
        pass.done = done;
        // Conversion of an empty slice checks only the width.
        pass.cells = Cells::from_bytes(width, &[]).ok_or_else(|| input.damaged())?;
        // The head is verified only by `finish`. Until then its product must neither overflow nor
        // exceed the length of the file.
        let bytes = cells
            .checked_mul(width)
            .filter(|&bytes| bytes <= input.length());
        let mut left = bytes.ok_or_else(|| input.damaged())?;
        // The buffer is small, since the cells themselves may take most of the memory limit.
        let mut bytes = vec![0; PIECE];
        while left > 0 {
            let length = (left as usize).min(PIECE);
            let read = input.read_exact(&mut bytes[..length]);
            read.map_err(|error| input.broken(&error))?;
            if !pass.cells.extend(&bytes[..length]) {
                return Err(input.damaged());
            }
            left -= length as u64;
        }
    }
    input.finish()?;
    Ok(state)
}
