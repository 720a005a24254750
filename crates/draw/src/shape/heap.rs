//! Heaps and staircases. Chips are stacked in groups of five. The number of chips is written above
//! the stack, and the position of the heap in the row, counted from 1, below.

use grundy_core::step::Step;

use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::sketch::{Side, Stroke};

/// Largest number of chips in a stack that is drawn completely.
const MAX_DRAWN: u64 = 20;
/// Number of chips drawn at the bottom, and also at the top, of a larger stack.
const END_CHIPS: u64 = 3;
/// Largest number of heaps, or of steps of a staircase, that is drawn.
const HEAPS: usize = 40;
/// Width of a chip, in pixels.
const WIDTH: f64 = 28.0;
/// Vertical distance between two chips, in pixels.
const UP: f64 = 12.0;
/// Least horizontal distance between two heaps, in pixels.
const ACROSS: f64 = 50.0;

/// Returns the chips of a stack that are drawn: the index of each chip, and its height above the
/// foot of the stack. If only the lowest and the highest chips are drawn, also returns the height
/// of the dots between these two groups.
fn places(count: u64) -> (Vec<(u64, f64)>, Option<f64>) {
    let level = |chip: u64| UP * chip as f64 + 3.0 * (chip / 5) as f64;
    if count <= MAX_DRAWN {
        return ((0..count).map(|chip| (chip, level(chip))).collect(), None);
    }
    let bottom = (0..END_CHIPS).map(|chip| (chip, UP * chip as f64));
    let gap = UP * END_CHIPS as f64;
    let top = (0..END_CHIPS).map(|chip| (count - END_CHIPS + chip, gap + 26.0 + UP * chip as f64));
    (bottom.chain(top).collect(), Some(gap + 13.0))
}

/// Draws a stack of `count` chips with its foot at (x, y). `at(chip)` returns the move that takes
/// the chip with the index `chip` and all chips above it.
fn stack(pen: &mut Pen<'_>, [x, y]: [f64; 2], count: u64, at: impl Fn(u64) -> Vec<u64>) {
    let (chips, dots) = places(count);
    let mut top = y;
    for (chip, up) in chips {
        top = y - up - UP;
        let place = [x - WIDTH / 2.0, y - up - UP + 1.0, WIDTH, UP - 2.0];
        // The move that takes all chips may be given without a number of chips.
        let names = [at(chip), at(chip).into_iter().take(1).collect()];
        let name = &names[usize::from(chip == 0 && !pen.has(&names[0]))];
        pen.draw_target(
            name,
            [x + WIDTH / 2.0 + 8.0, y - up - UP / 2.0],
            |sketch, best| {
                sketch.rect(place, 4.0, Ink::filled(Tone::Chip).best(best));
            },
        );
    }
    if let Some(up) = dots {
        for dot in [-6.0, 0.0, 6.0] {
            pen.sketch
                .circle([x, y - up + dot], 1.6, Ink::bare(Tone::Ink));
        }
    }
    let size = if count < 1_000_000_000_000 {
        15.0
    } else {
        11.0
    };
    let label = count.to_string();
    pen.sketch
        .write([x, top - 12.0], size, Side::Middle, Tone::Ink, &label);
}

/// Returns a distance between heaps that leaves enough space for their labels, which show the
/// numbers of chips.
fn heap_distance(heaps: &[u64]) -> f64 {
    let longest = heaps.iter().max().map_or(1, |most| most.to_string().len());
    let letter = if longest > 12 { 6.8 } else { 9.2 };
    ACROSS.max(letter * longest as f64 + 10.0)
}

pub(super) fn heaps(pen: &mut Pen<'_>, heaps: &[u64], together: bool) {
    let shown = &heaps[..heaps.len().min(HEAPS)];
    let distance = heap_distance(shown);
    let width = distance * shown.len().max(1) as f64;
    for (index, &count) in shown.iter().enumerate() {
        let x = distance * (index as f64 + 0.5);
        stack(pen, [x, 0.0], count, |chip| {
            if together {
                let mut sizes = heaps.to_vec();
                sizes[index] = chip;
                sizes
            } else {
                vec![index as u64, chip]
            }
        });
        // Heaps are numbered from 1, as in the descriptions of moves.
        pen.sketch.number([x, 13.0], index + 1);
    }
    pen.sketch
        .line([0.0, 0.0], [width, 0.0], Ink::line(Tone::Ink, 2.0));
    if heaps.len() > shown.len() {
        pen.note(&Step::new("picture_and").with("count", heaps.len() - shown.len()));
    }
}

/// Draws one heap, with a bracket around the chips that may be taken: at most `most` of them.
pub(super) fn bounded(pen: &mut Pen<'_>, size: u64, most: u64) {
    stack(pen, [ACROSS / 2.0, 0.0], size, |chip| vec![chip]);
    pen.sketch.number([ACROSS / 2.0, 13.0], 1);
    pen.sketch
        .line([0.0, 0.0], [ACROSS, 0.0], Ink::line(Tone::Ink, 2.0));
    let (chips, _) = places(size);
    let free = chips
        .iter()
        .filter(|(chip, _)| *chip >= size - most.min(size));
    let levels: Vec<f64> = free.map(|(_, up)| *up).collect();
    let caption = pen.say(&Step::new("picture_most").with("most", most));
    if let [low, ..] = levels[..] {
        let high = levels[levels.len() - 1] + UP;
        let x = ACROSS + 12.0;
        let corners = [[x - 5.0, -low], [x, -low], [x, -high], [x - 5.0, -high]];
        let mut strokes: Vec<Stroke> = corners.into_iter().map(Stroke::Line).collect();
        strokes[0] = Stroke::Move(corners[0]);
        pen.sketch.path(strokes, Ink::line(Tone::Soft, 1.5));
        let middle = [x + 7.0, -f64::midpoint(low, high)];
        pen.sketch
            .write(middle, 13.0, Side::Start, Tone::Ink, &caption);
    } else {
        pen.sketch
            .write([ACROSS + 8.0, -8.0], 13.0, Side::Start, Tone::Ink, &caption);
    }
}

/// Draws a staircase that rises to the right. The floor is step 0, on the left.
pub(super) fn stairs(pen: &mut Pen<'_>, steps: &[u64]) {
    let shown = &steps[..steps.len().min(HEAPS)];
    let distance = heap_distance(shown);
    let rise = if shown.len() > 12 { 8.0 } else { 22.0 };
    let right = distance * (shown.len() + 1) as f64;
    let mut outline = vec![Stroke::Move([0.0, 0.0])];
    for index in 0..shown.len() {
        let (x, y) = (distance * (index + 1) as f64, -rise * (index + 1) as f64);
        outline.extend([Stroke::Line([x, y + rise]), Stroke::Line([x, y])]);
    }
    let top = -rise * shown.len() as f64;
    outline.extend([[right, top], [right, 26.0], [0.0, 26.0]].map(Stroke::Line));
    outline.push(Stroke::Close);
    pen.sketch
        .path(outline, Ink::filled(Tone::Shade).class("stairs scenery"));
    for (index, &count) in (0..).zip(shown) {
        let foot = [
            distance * (index as f64 + 1.5),
            -rise * (index as f64 + 1.0),
        ];
        // The move takes the clicked coin and those above it one step down.
        stack(pen, foot, count, |chip| vec![index + 1, count - chip]);
        pen.sketch.number([foot[0], foot[1] + 12.0], index + 1);
    }
    pen.sketch.number([distance / 2.0, 12.0], 0);
    if steps.len() > shown.len() {
        pen.note(&Step::new("picture_and").with("count", steps.len() - shown.len()));
    }
}
