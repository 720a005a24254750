//! How far a job is, drawn on a terminal; nothing is drawn elsewhere.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::time::Duration;

use grundy_analysis::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::outside;

/// The bar, and what it shows.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// The kind of thing that is shown: the style is set when it changes.
    shown: Mutex<Option<&'static str>>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        Self {
            bar,
            shown: Mutex::new(None),
        }
    }

    /// Shows how far the work is; notes are told, terminal or not.
    pub(crate) fn show(&self, progress: &Progress) {
        if let Progress::Note(text) = progress {
            self.bar.suspend(|| outside::tell(text));
            return;
        }
        if self.bar.is_hidden() {
            return;
        }
        match progress {
            Progress::Reading { read, of } => {
                self.style("reading {bar:30} {bytes} of {total_bytes}, {eta} left");
                self.bar.set_length(*of);
                self.bar.set_position(*read);
            }
            Progress::Exploring { looked_at, found } => {
                self.style("exploring {spinner} {msg}, {elapsed}");
                self.bar.set_message(format!(
                    "{} of the {} positions found so far",
                    HumanCount(*looked_at),
                    HumanCount(*found)
                ));
            }
            Progress::Computing { computed, of, note } => {
                let begins = self.style(
                    "{bar:30} {human_pos} of {human_len} values, {per_sec}, {eta} left {msg}",
                );
                self.bar.set_length(*of);
                self.bar.set_position(*computed);
                // What a checkpoint held was not computed in this run: the
                // time left is told from what is.
                if begins {
                    self.bar.reset_eta();
                }
                if let Some(note) = note {
                    self.bar.set_message(note.clone());
                }
            }
            Progress::Doing(what) => {
                self.style("{spinner} {msg} {elapsed}");
                self.bar.set_message(*what);
            }
            Progress::Note(_) => {}
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether the bar begins to show this.
    fn style(&self, template: &'static str) -> bool {
        let Ok(mut shown) = self.shown.lock() else {
            return false;
        };
        if *shown == Some(template) {
            return false;
        }
        *shown = Some(template);
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.enable_steady_tick(Duration::from_millis(200));
        true
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
    }
}
