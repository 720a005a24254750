//! How far work is: as data, and as it is told.

use grundy::Message;
use grundy::step::Step;
use grundy_wording::{Audience, told, words};
use serde::Serialize;

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A file of so many bytes is read: how many have been.
    Reading {
        /// Bytes read so far.
        read: u64,
        /// Bytes of the whole file.
        of: u64,
    },
    /// Positions are found: how many have been looked at, of those that were met so far.
    Exploring {
        /// Positions whose moves are known.
        looked_at: u64,
        /// Positions met.
        found: u64,
    },
    /// A search of unknown length: how many positions have been looked at so far, and how many a
    /// second lately.
    Searching {
        /// Positions so far.
        looked_at: u64,
        /// Positions a second.
        per_second: u64,
    },
    /// Values are computed: how many there are, of how many; a note says what is rare about them.
    Computing {
        /// Values so far.
        computed: u64,
        /// Values wanted at most.
        of: u64,
        /// What is to be said beside.
        note: Option<Message>,
    },
    /// Something that cannot be counted is being done.
    Doing(Message),
    /// Something to be told that is no answer.
    Note(Message),
}

/// The progress as data, for somebody who waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProgressView {
    /// A sentence, or nothing.
    pub text: String,
    /// How much is done, where it can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// Of how much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
}

impl Progress {
    /// How it is told.
    #[must_use]
    pub fn told(&self, audience: Audience) -> ProgressView {
        let language = audience.language;
        let say = |message: &Message| told(message, audience);
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
            Self::Exploring { looked_at, found } => {
                let step = Step::new("progress_found")
                    .with("looked_at", *looked_at)
                    .with("found", *found);
                alone(words(&step, language))
            }
            Self::Searching {
                looked_at,
                per_second,
            } => {
                let step = Step::new("progress_searched")
                    .with("looked_at", *looked_at)
                    .with("per_second", *per_second);
                alone(words(&step, language))
            }
            Self::Doing(message) | Self::Note(message) => alone(say(message)),
        }
    }
}
