//! Calendar sheets in characters.

use std::fmt::Write as _;

use grundy_core::step::Step;

use crate::Wording;
use crate::month::Month;

/// Returns the calendar of the month of `date`. The day `date` is in square brackets. The day
/// `last`, on which the game ends, is in parentheses if it is in this month.
pub(super) fn sheet(date: [u64; 3], last: [u64; 3], say: Wording<'_>) -> String {
    let month = Month::of(date);
    let mut out = format!(
        "        {}\n{}\n",
        month.name(),
        say(&Step::new("picture_weekdays"))
    );
    for week in month.weeks() {
        let mut line = String::new();
        for day in week {
            let cell = match day {
                None => String::new(),
                Some(day) if month.date(day) == date => format!("[{day}]"),
                Some(day) if month.date(day) == last => format!("({day})"),
                Some(day) => format!("{day} "),
            };
            let _ = write!(line, "{cell:>4}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let [year, month, day] = last;
    let target = Step::new("picture_target").with("date", format!("{year}-{month:02}-{day:02}"));
    out.push_str(&say(&target));
    out.push('\n');
    out
}
