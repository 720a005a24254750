//! Calendar sheets that show the current day and the days to which a move can lead.

use grundy_core::step::Step;

use crate::ink::{Ink, Tone};
use crate::month::Month;
use crate::pen::Pen;
use crate::sketch::Side;

const WIDTH: f64 = 32.0;
const HEIGHT: f64 = 26.0;

/// Draws the month of `date`, and the next month unless the game ends before it. A coin is on
/// `date`. A ring is around `last`, the day on which the game ends.
pub(super) fn day(pen: &mut Pen<'_>, date: [u64; 3], last: [u64; 3]) {
    let month = Month::of(date);
    sheet(pen, month, [0.0, 0.0], date, last);
    let end = Month::of(last);
    if [month.year, month.month] < [end.year, end.month] {
        sheet(pen, month.next(), [7.0 * WIDTH + 28.0, 0.0], date, last);
    }
    let [year, month, day] = last;
    let target = format!("{year}-{month:02}-{day:02}");
    pen.note(&Step::new("picture_target").with("date", target));
}

fn sheet(pen: &mut Pen<'_>, month: Month, [x, y]: [f64; 2], date: [u64; 3], last: [u64; 3]) {
    let middle = [x + 3.5 * WIDTH, y - 36.0];
    pen.sketch
        .write(middle, 16.0, Side::Middle, Tone::Ink, &month.name());
    let names = pen.say(&Step::new("picture_weekdays"));
    for (place, name) in (0u32..).zip(names.split_whitespace()) {
        let at = [x + WIDTH * (f64::from(place) + 0.5), y - 13.0];
        pen.sketch.write(at, 12.0, Side::Middle, Tone::Soft, name);
    }
    for (week, days) in (0u32..).zip(month.weeks()) {
        for (place, day) in (0u32..).zip(days) {
            let corner = [x + WIDTH * f64::from(place), y + HEIGHT * f64::from(week)];
            let cell = [corner[0], corner[1], WIDTH, HEIGHT];
            let Some(day) = day else {
                continue;
            };
            let centre = [corner[0] + WIDTH / 2.0, corner[1] + HEIGHT / 2.0];
            let written = month.date(day);
            let weekend = place > 4;
            let tone = if weekend { Tone::Shade } else { Tone::Square };
            pen.draw_target(
                &written,
                [centre[0] + 13.0, centre[1] - 10.0],
                |sketch, best| {
                    sketch.rect(cell, 0.0, Ink::filled(tone));
                    if best {
                        let inner = [cell[0] + 2.5, cell[1] + 2.5, WIDTH - 5.0, HEIGHT - 5.0];
                        sketch.rect(inner, 0.0, Ink::line(Tone::Accent, 3.0));
                    }
                    if written == date {
                        sketch.circle(centre, 11.5, Ink::filled(Tone::Coin));
                    }
                    if written == last {
                        let ring = Ink::line(Tone::Ink, 2.0).dashed(&[4, 3]);
                        sketch.circle(centre, 11.0, ring);
                    }
                    sketch.write(centre, 13.0, Side::Middle, Tone::Ink, &day.to_string());
                },
            );
        }
    }
}
