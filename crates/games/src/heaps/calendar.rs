//! The calendar game: `calendar(year, month, day)`.
//!
//! Rules. A player moves from a date to the next day, or to the same day of the next month if that
//! date exists. No move goes past 2001-11-04, and whoever reaches that date wins. Dates range from
//! 1900-01-01 to 2001-11-04.
//!
//! Theorem (the ACM problem "Calendar Game", Taejon 2001, POJ 1082). The position is N if and only
//! if month + day is even, or the date is September 30 or November 30. Except at the ends of some
//! months, both kinds of move change the parity of month + day. The tests verify the rule for all
//! 37,198 dates.
//!
//! In misère play no rule is known to the program.

use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, number};
use grundy_base::limits::Flow;
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Pictures, Ruleset, Teaching, Theorem, Theorems, Visit, call,
};

/// The theorem on the outcomes of the calendar game.
pub const CALENDAR: Theorem = Theorem {
    method: "calendar",
    name: "the rule of the calendar game",
    statement: "the position is N if and only if month + day is even, or the date is September \
                30 or November 30",
    source: "ACM ICPC Asia Regional, Taejon 2001, Calendar Game; checked on every date",
};

/// A date of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u64,
    month: u64,
    day: u64,
}

const LAST: Date = Date {
    year: 2001,
    month: 11,
    day: 4,
};

/// The rules of the calendar game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Calendar;

/// Reads `calendar(year, month, day)`.
///
/// # Errors
/// Arguments that are not a date of the game.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::calendar};
/// // The sum of month and day is odd.
/// let items = [2001, 10, 3].map(|n| (None, Argument::Int(n)));
/// let position = Position::from(calendar::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::P));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((y_at, year)), Some((m_at, month)), Some((d_at, day))] =
        arguments.bind(["year", "month", "day"], 3)?
    else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let year = number(year, &[y_at], 1900, 2001)?;
    let month = number(month, &[m_at], 1, 12)?;
    let day = number(day, &[d_at], 1, days(year, month))?;
    let date = Date { year, month, day };
    if date > LAST {
        return Err(Diagnostic::illegal(message!("the game ends on 2001-11-04"))
            .help(message!("name a date from 1900-01-01 to 2001-11-04")));
    }
    Ok(Term::new(Calendar, vec![date]).into())
}

fn days(year: u64, month: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Date {
    fn next_month(self) -> Self {
        if self.month == 12 {
            Self {
                year: self.year + 1,
                month: 1,
                ..self
            }
        } else {
            Self {
                month: self.month + 1,
                ..self
            }
        }
    }

    fn next_day(self) -> Self {
        if self.day < days(self.year, self.month) {
            Self {
                day: self.day + 1,
                ..self
            }
        } else {
            Self { day: 1, ..self }.next_month()
        }
    }
}

impl Ruleset for Calendar {
    type Part = Date;

    fn name(&self) -> &'static str {
        "calendar"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Date> {
        Capabilities {
            theorems: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, &date: &Date, visit: Visit<'_, Date>) -> Flow {
        let month = date.next_month();
        let month = (month.day <= days(month.year, month.month)).then_some(month);
        // January 31, for example, has only the next day as an option: February has no 31st.
        [
            Some(date.next_day()),
            month.filter(|&month| month != date.next_day()),
        ]
        .into_iter()
        .flatten()
        .filter(|&to| to <= LAST)
        .try_for_each(|to| {
            visit(&[to], &|| {
                let Date { year, month, day } = to;
                let step = Step::new("go_to_date")
                    .with("year", year)
                    .with("month", month)
                    .with("day", day);
                Move::new([year, month, day], step)
            })
        })
    }

    fn write(&self, parts: &[Date]) -> String {
        call(
            "calendar",
            parts
                .iter()
                .flat_map(|date| [date.year, date.month, date.day]),
        )
    }
}

impl Theorems<Date> for Calendar {
    fn outcome(&self, date: &Date, play: Play) -> Option<ByTheorem<Outcome>> {
        if play == Play::Misere {
            return None;
        }
        // On these two days month + day is odd. It is odd on the next day, too, which is a
        // P-position.
        let odd_end = matches!((date.month, date.day), (9 | 11, 30));
        let winning = (date.month + date.day).is_multiple_of(2) || odd_end;
        Some(ByTheorem {
            value: Outcome::from_win(winning),
            theorem: &CALENDAR,
        })
    }
}

impl Teaching<Date> for Calendar {
    fn theorem_application(&self, date: &Date, play: Play) -> Option<Step> {
        let Date { year, month, day } = *date;
        let code = match (play, (month + day).is_multiple_of(2), (month, day)) {
            (Play::Misere, ..) => return None,
            (_, _, (9 | 11, 30)) => "calendar_exception",
            (_, true, _) => "calendar_even",
            _ => "calendar_odd",
        };
        let step = Step::new(code).with("year", year).with("month", month);
        Some(step.with("day", day).with("sum", month + day))
    }
}

impl Pictures<Date> for Calendar {
    fn picture(&self, parts: &[Date]) -> Picture {
        let [day] = parts else {
            return Picture::Text(self.write(parts));
        };
        let written = |date: &Date| [date.year, date.month, date.day];
        Picture::Day {
            date: written(day),
            last: written(&LAST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::ops::ControlFlow;

    #[test]
    fn the_rule_and_the_moves_follow_the_definition_on_every_date() {
        let first = Date {
            year: 1900,
            month: 1,
            day: 1,
        };
        let mut dates = vec![first];
        while dates[dates.len() - 1] < LAST {
            dates.push(dates[dates.len() - 1].next_day());
        }
        assert_eq!(dates.len(), 37_198);
        // Moves lead to later dates only, so a backward loop finds the outcome of every option
        // first.
        let mut wins: HashMap<Date, bool> = HashMap::new();
        for &date in dates.iter().rev() {
            let mut win = false;
            let _ = Calendar.options(Player::Left, 0, &date, &mut |to, name| {
                let Date { year, month, day } = to[0];
                assert!(to[0] > date && to[0] <= LAST && day <= days(year, month));
                assert_eq!(name().at, [year, month, day]);
                win |= !wins[&to[0]];
                ControlFlow::Continue(())
            });
            wins.insert(date, win);
            let known = Calendar.outcome(&date, Play::Normal).unwrap();
            assert_eq!(known.value, Outcome::from_win(win), "{date:?}");
        }
        assert!(!wins[&LAST]);
    }

    #[test]
    fn leap_years_follow_the_calendar() {
        // 1900 is divisible by 100 and not by 400; 2000 is divisible by 400.
        let februaries = [(1900, 28), (1904, 29), (1999, 28), (2000, 29), (2001, 28)];
        for (year, length) in februaries {
            assert_eq!(days(year, 2), length);
        }
    }
}
