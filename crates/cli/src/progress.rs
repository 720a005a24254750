//! The progress bar of a job. It is drawn only on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::time::Duration;

use grundy_analysis::Progress;
use grundy_core::Message;
use grundy_core::step::Step;
use grundy_wording::{Audience, message_text, sentence, words};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::output;

/// A progress bar, with its present style and the name of the activity in progress.
pub(crate) struct ProgressDisplay {
    bar: ProgressBar,
    /// The message code of the template that defines the present style. The style is set again only
    /// if this code changes.
    style_code: Mutex<Option<&'static str>>,
    /// The text about the current activity that the last [`Progress::Doing`] reported.
    activity: Mutex<Option<String>>,
    audience: Audience,
}

impl ProgressDisplay {
    pub(crate) fn new(audience: Audience) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        Self {
            bar,
            style_code: Mutex::new(None),
            activity: Mutex::new(None),
            audience,
        }
    }

    /// Shows a report on the bar. A `Progress::Note` is printed as a separate line instead, even
    /// if standard error is not a terminal.
    pub(crate) fn show(&self, progress: &Progress) {
        let message_text = |message: &Message| message_text(message, self.audience);
        if let Progress::Note(message) = progress {
            // Without `suspend`, the bar would be drawn over the note.
            self.bar
                .suspend(|| output::write_message(&format!("{}\n", message_text(message))));
            return;
        }
        if self.bar.is_hidden() {
            return;
        }
        match progress {
            Progress::Reading { read, of } => {
                self.style("progress_reading");
                self.bar.set_length(*of);
                self.bar.set_position(*read);
            }
            Progress::Exploring { visited, found } => {
                self.style("progress_exploring");
                let visited = HumanCount(*visited).to_string();
                let found = HumanCount(*found).to_string();
                let step = Step::new("progress_found").with("looked_at", visited);
                self.bar
                    .set_message(words(&step.with("found", found), self.audience.language));
            }
            Progress::Computing { computed, of, note } => {
                let begins = self.style("progress_computing");
                self.bar.set_length(*of);
                self.bar.set_position(*computed);
                // Work that was restored from a checkpoint took no time in this run. Hence the
                // remaining time is estimated only from the work after it.
                if begins {
                    self.bar.reset_eta();
                }
                if let Some(note) = note {
                    self.bar.set_message(message_text(note));
                }
            }
            Progress::Searching {
                visited,
                per_second,
            } => {
                self.style("progress_doing");
                let step = Step::new("progress_searched")
                    .with("looked_at", HumanCount(*visited).to_string())
                    .with("per_second", HumanCount(*per_second).to_string());
                // This report contains only counts. Hence the last activity is shown before them.
                let activity = self.activity.lock().map(|activity| activity.clone());
                let searched = words(&step, self.audience.language);
                self.bar.set_message(match activity {
                    Ok(Some(activity)) => format!("{activity} ({searched})"),
                    _ => searched,
                });
            }
            Progress::Doing(what) => {
                self.style("progress_doing");
                let what = message_text(what);
                if let Ok(mut activity) = self.activity.lock() {
                    *activity = Some(what.clone());
                }
                self.bar.set_message(what);
            }
            Progress::Note(_) => {}
        }
    }

    /// Removes the bar from the terminal.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Sets the style of the bar to the template with the message code `code`. Returns whether the
    /// style has changed.
    fn style(&self, code: &'static str) -> bool {
        let Ok(mut style_code) = self.style_code.lock() else {
            return false;
        };
        if *style_code == Some(code) {
            return false;
        }
        *style_code = Some(code);
        let template = sentence(code, self.audience.language).unwrap_or_default();
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.enable_steady_tick(Duration::from_millis(200));
        true
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.end();
    }
}
