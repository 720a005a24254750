//! Questions about games, and their answers. Every interface of grundy calls this crate.
//!
//! An [`Analyst`] answers a [`Question`]. The JSON of an [`Answer`] has a stable form, which is
//! called the contract. The analyst parses positions in the notation, knows the rules in the open
//! rule file, and opens files if it is permitted to. Work that may take long runs as a [`Job`],
//! which reports progress, can be cancelled, and can be saved and resumed.
//!
//! This crate only coordinates. Games are solved in `grundy-core`, and matrices in `grundy-matrix`.
//! Sentences come from `grundy-wording`, and pictures from `grundy-draw`.
//!
//! This crate is an implementation detail of the interfaces of grundy.

mod agreement;
pub mod analyst;
pub mod answer;
pub mod batch;
pub mod born;
mod convert;
pub mod draw;
mod expect;
pub mod explain;
pub mod find;
mod growth;
pub mod help;
mod json_object;
mod keys;
mod label;
pub mod matrix;
pub mod nimber;
pub mod period;
mod play;
pub mod probe;
pub(crate) mod program;
pub mod question;
pub mod questions;
pub mod quotient;
pub mod request;
pub mod response;
pub mod result_cache;
pub mod solve;
pub mod table;
pub mod temperatures;
pub mod tree;
pub mod value;
mod value_table;
pub mod verify;

pub use analyst::{Analyst, Question};
pub use answer::Answer;
pub use grundy_job::{Files, Job, Progress, files, job, picture, progress};
pub use grundy_play::{Opponent, conversation, exercises, opponent, playing, practice};
pub use grundy_tables::label::Workers;

use grundy_job::{random, range};
