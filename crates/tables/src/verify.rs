//! Verification of tablebases and of certificates of labels.

pub mod labels;
pub mod tablebase;
