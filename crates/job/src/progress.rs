//! The progress of a job, as data and as text.

use grundy_core::Message;
use grundy_core::step::Step;
use grundy_wording::{Audience, message_text, words};
use serde::Serialize;

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A file is being read.
    Reading {
        /// Number of bytes read so far.
        read: u64,
        /// Length of the whole file in bytes.
        of: u64,
    },
    /// Positions are being explored.
    Exploring {
        /// Number of positions whose moves have been computed.
        visited: u64,
        /// Number of positions found so far.
        found: u64,
    },
    /// A search of unknown length is running.
    Searching {
        /// Number of positions visited so far.
        visited: u64,
        /// Number of positions visited per second at present.
        per_second: u64,
    },
    /// Values are being computed.
    Computing {
        /// Number of values computed so far.
        computed: u64,
        /// The greatest number of values that may be needed.
        of: u64,
        /// An additional remark.
        note: Option<Message>,
    },
    /// Work whose amount is not measured, with a description.
    Doing(Message),
    /// A note to the user that is not part of an answer.
    Note(Message),
}

/// The progress as serializable data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProgressView {
    /// A description of the work, which may be empty.
    pub text: String,
    /// The amount of work done, if it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// The total amount of work, if it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
}

impl Progress {
    /// Returns the progress as a text for an audience, with the amounts of work if they are
    /// measured.
    #[must_use]
    pub fn view(&self, audience: Audience) -> ProgressView {
        let language = audience.language;
        let say = |message: &Message| message_text(message, audience);
        let alone = |text| ProgressView {
            text,
            ..ProgressView::default()
        };
        let of = |text, done, of| ProgressView {
            text,
            done: Some(done),
            of: Some(of),
        };
        match self {
            Self::Reading { read, of: all } => of(String::new(), *read, *all),
            Self::Computing {
                computed,
                of: all,
                note,
            } => of(note.as_ref().map(say).unwrap_or_default(), *computed, *all),
            Self::Exploring { visited, found } => {
                let step = Step::new("progress_found")
                    .with("looked_at", *visited)
                    .with("found", *found);
                alone(words(&step, language))
            }
            Self::Searching {
                visited,
                per_second,
            } => {
                let step = Step::new("progress_searched")
                    .with("looked_at", *visited)
                    .with("per_second", *per_second);
                alone(words(&step, language))
            }
            Self::Doing(message) | Self::Note(message) => alone(say(message)),
        }
    }
}
