//! Questions about games and their answers: what every face of grundy calls.
//!
//! A [`Question`] goes in, an [`Answer`] comes out as data whose form in JSON is the contract's;
//! who answers is an [`Analyst`], who reads positions in the notation, knows the rules of an open
//! rule file, and opens files if that was granted. Work that may be long is a [`Job`]: it says how
//! far it is, can be asked to stop, saves and resumes. This crate calls and does not compute: games
//! are solved in `grundy`, matrices in `grundy-matrix`, words are made in `grundy-notation`, ink in
//! `grundy-draw`.

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
pub mod learned;
pub mod matrix;
pub mod nimber;
pub mod period;
mod play;
pub mod probe;
pub mod question;
pub mod questions;
pub mod quotient;
pub mod request;
pub mod response;
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
