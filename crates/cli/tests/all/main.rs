//! Integration tests of the command line: one module per subject, linked as one program.

mod batch;
#[cfg(all(feature = "serve", target_os = "linux"))]
mod budget;
mod chinese;
mod code;
mod convert;
mod corpus;
mod documents;
mod gallery_commands;
mod golden;
mod graphs;
mod label;
mod label_kinds;
mod limits;
mod lists;
mod matrix;
mod nimber;
mod partizan_loops;
mod period;
mod period_words;
mod pictures;
mod probe;
mod program;
mod quotient;
mod remoteness;
mod rules;
mod same_file;
#[cfg(feature = "serve")]
mod serve;
#[path = "../../../tablebase/tests/all/server.rs"]
mod server;
mod sessions;
mod tree;
mod users;
mod value_tables;
mod values;
mod verify;
mod verify_tables;
mod writing;
