//! Calendar months, with weeks that begin on Monday.

/// A month of a certain year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    pub(crate) year: u64,
    pub(crate) month: u64,
}

impl Month {
    pub(crate) fn of([year, month, _]: [u64; 3]) -> Self {
        Self { year, month }
    }

    pub(crate) fn next(self) -> Self {
        Self {
            year: self.year + self.month / 12,
            month: self.month % 12 + 1,
        }
    }

    pub(crate) fn name(self) -> String {
        format!("{}-{:02}", self.year, self.month)
    }

    pub(crate) fn date(self, day: u64) -> [u64; 3] {
        [self.year, self.month, day]
    }

    fn days(self) -> u64 {
        let year = self.year;
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        match self.month {
            2 => 28 + u64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Returns the weekday of the first day of the month: 0 for Monday to 6 for Sunday.
    fn first(self) -> u64 {
        // Zeller's congruence gives the weekday. It counts January and February as months 13 and 14
        // of the previous year.
        let (year, month) = match self.month {
            1 | 2 => (self.year - 1, self.month + 12),
            _ => (self.year, self.month),
        };
        (6 + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7
    }

    /// Returns the weeks of the month. Each week has seven cells from Monday to Sunday. A cell is
    /// `None` if its day belongs to another month.
    pub(crate) fn weeks(self) -> Vec<[Option<u64>; 7]> {
        let (first, days) = (self.first(), self.days());
        let weeks = (first + days).div_ceil(7);
        // Before the first day of the month the subtraction fails, so the cell is `None`.
        let day = |week: u64, place: u64| {
            let number = (7 * week + place + 1).checked_sub(first)?;
            (1..=days).contains(&number).then_some(number)
        };
        (0..weeks)
            .map(|week| std::array::from_fn(|place| day(week, place as u64)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Month;

    #[test]
    fn weekdays_follow_the_calendar() {
        for (year, month, monday) in [(2001, 11, 5), (1900, 1, 1), (2000, 2, 7), (1999, 8, 2)] {
            let weeks = Month { year, month }.weeks();
            let mondays = weeks.iter().find_map(|week| week[0]);
            assert_eq!(mondays, Some(monday), "{year}-{month}");
        }
        let february = Month {
            year: 2000,
            month: 2,
        };
        assert_eq!(february.weeks().concat().iter().flatten().count(), 29);
        assert_eq!(
            Month {
                year: 1999,
                month: 12
            }
            .next(),
            Month {
                year: 2000,
                month: 1
            }
        );
    }
}
