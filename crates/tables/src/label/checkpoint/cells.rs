//! A checkpoint of a labelling by ranks: a checked file with the cells as far as they are known.
//!
//! Its head says how many positions of each pass are done, how many cells it holds and how many
//! bytes each of them has. The cells follow, little-endian: those of outcomes with remoteness, then
//! those of Grundy values.

use std::io::{Read as _, Write as _};
use std::path::Path;

use grundy::implicit::dense::{Cells, Pass};
use grundy::message::Setting;
use grundy::{Diagnostic, Limits};
use grundy_tablebase::checked::Form;
use serde_json::{Value, json};

use super::State;
use super::format::difference;
use grundy_job::files::{self, Files};

const FORM: Form = Form {
    noun: || grundy::message!("checkpoint"),
    kind: "label checkpoint by ranks",
    version: 1,
    help: || {
        grundy::message!(
            "leave {option} out to begin again",
            option = Setting::typed("resume")
        )
    },
};

/// Cells that are read or written together.
const TOGETHER: usize = 1 << 20;

/// Both passes of a labelling by ranks.
#[derive(Debug, Default)]
pub(crate) struct CellState {
    /// Outcomes with remoteness.
    pub(crate) labels: Pass,
    /// Grundy values.
    pub(crate) values: Pass,
}

impl CellState {
    fn passes(&self) -> [&Pass; 2] {
        [&self.labels, &self.values]
    }
}

impl State for CellState {
    fn write(&self, files: &Files, file: &Path, of: &Value) -> Result<(), Diagnostic> {
        let passes = self.passes();
        let heads = passes.map(|pass| {
            json!({"done": pass.done, "cells": pass.cells.len(), "width": pass.cells.width()})
        });
        let bytes = passes.map(|pass| pass.cells.len() as u64 * pass.cells.width());
        let head = json!({"of": of, "passes": heads});
        files::write(files, file, |out| {
            FORM.write(out, &head, bytes.iter().sum(), |out| {
                for pass in passes {
                    let cells = pass.cells.len();
                    for begin in (0..cells).step_by(TOGETHER) {
                        let end = cells.min(begin + TOGETHER);
                        out.write_all(&pass.cells.bytes(begin..end))?;
                    }
                }
                Ok(())
            })
        })
    }
}

/// Reads a checkpoint of `of`.
pub(super) fn read(file: &Path, of: &Value, limits: &Limits<'_>) -> Result<CellState, Diagnostic> {
    let mut input = FORM.open(file)?;
    if input.head()["of"] != *of {
        let what = difference(&input.head()["of"], of);
        return Err(input.refuse(&what));
    }
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
        pass.cells = Cells::from_bytes(width, &[]).ok_or_else(|| input.damaged())?;
        let bytes = cells
            .checked_mul(width)
            .filter(|&bytes| bytes <= input.length());
        let mut left = bytes.ok_or_else(|| input.damaged())?;
        let mut bytes = vec![0; TOGETHER];
        while left > 0 {
            let now = (left as usize).min(TOGETHER);
            let read = input.read_exact(&mut bytes[..now]);
            read.map_err(|error| input.broken(&error))?;
            if !pass.cells.extend(&bytes[..now]) {
                return Err(input.damaged());
            }
            left -= now as u64;
        }
    }
    input.finish()?;
    Ok(state)
}
