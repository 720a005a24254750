//! The progress bar of a job. It is drawn only on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::time::Duration;

use grundy::Message;
use grundy::step::Step;
use grundy_analysis::Progress;
use grundy_wording::{Audience, sentence, told, words};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::outside;

/// A progress bar and what it shows.
pub(crate) struct Bar {
    drawn: ProgressBar,
    /// The code of the present style. The style is set again only if this code changes.
    shown: Mutex<Option<&'static str>>,
    /// The activity that [`Progress::Doing`] reported last.
    doing: Mutex<Option<String>>,
    audience: Audience,
}

impl Bar {
    pub(crate) fn new(audience: Audience) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        Self {
            drawn: bar,
            shown: Mutex::new(None),
            doing: Mutex::new(None),
            audience,
        }
    }

    /// Shows the progress. Notes are printed even if there is no terminal.
    pub(crate) fn show(&self, progress: &Progress) {
        let told = |message: &Message| told(message, self.audience);
        if let Progress::Note(message) = progress {
            // Without `suspend`, the bar would be drawn over the note.
            self.drawn
                .suspend(|| outside::tell(&format!("{}\n", told(message))));
            return;
        }
        if self.drawn.is_hidden() {
            return;
        }
        match progress {
            Progress::Reading { read, of } => {
                self.style("progress_reading");
                self.drawn.set_length(*of);
                self.drawn.set_position(*read);
            }
            Progress::Exploring { looked_at, found } => {
                self.style("progress_exploring");
                let looked_at = HumanCount(*looked_at).to_string();
                let found = HumanCount(*found).to_string();
                let step = Step::new("progress_found").with("looked_at", looked_at);
                self.drawn
                    .set_message(words(&step.with("found", found), self.audience.language));
            }
            Progress::Computing { computed, of, note } => {
                let begins = self.style("progress_computing");
                self.drawn.set_length(*of);
                self.drawn.set_position(*computed);
                // Work that was restored from a checkpoint took no time in this run. Hence the
                // remaining time is estimated only from the work after it.
                if begins {
                    self.drawn.reset_eta();
                }
                if let Some(note) = note {
                    self.drawn.set_message(told(note));
                }
            }
            Progress::Searching {
                looked_at,
                per_second,
            } => {
                self.style("progress_doing");
                let step = Step::new("progress_searched")
                    .with("looked_at", HumanCount(*looked_at).to_string())
                    .with("per_second", HumanCount(*per_second).to_string());
                // This report contains only counts. Hence the last activity is shown before them.
                let doing = self.doing.lock().map(|doing| doing.clone());
                let searched = words(&step, self.audience.language);
                self.drawn.set_message(match doing {
                    Ok(Some(doing)) => format!("{doing} ({searched})"),
                    _ => searched,
                });
            }
            Progress::Doing(what) => {
                self.style("progress_doing");
                let what = told(what);
                if let Ok(mut doing) = self.doing.lock() {
                    *doing = Some(what.clone());
                }
                self.drawn.set_message(what);
            }
            Progress::Note(_) => {}
        }
    }

    /// Removes the bar from the terminal.
    pub(crate) fn end(&self) {
        self.drawn.finish_and_clear();
    }

    /// Sets the style for a code. Returns whether the style has changed.
    fn style(&self, code: &'static str) -> bool {
        let Ok(mut shown) = self.shown.lock() else {
            return false;
        };
        if *shown == Some(code) {
            return false;
        }
        *shown = Some(code);
        let template = sentence(code, self.audience.language).unwrap_or_default();
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.drawn.set_style(style);
        }
        self.drawn.enable_steady_tick(Duration::from_millis(200));
        true
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
    }
}
