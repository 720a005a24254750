//! Hasse diagrams of partial orders. Greater elements are above smaller ones. A line joins two
//! elements if no other element lies between them.

use grundy_core::step::Step;

use crate::Wording;
use crate::ink::{Ink, Tone};
use crate::layers::layout;
use crate::sketch::{Side, Sketch, Stroke, text_width};
use crate::surface;

/// Vertical distance between adjacent layers, in pixels.
const LAYER: f64 = 72.0;
/// Height of the box of an element, in pixels.
const HEIGHT: f64 = 26.0;
/// Size of the letters in a box, in pixels.
const LETTERS: f64 = 15.0;
/// Free space between neighbours, in pixels, in addition to the gap of the layout.
const APART: f64 = 40.0;

/// Draws the Hasse diagram of a partial order on the elements `names`. `at_most(a, b)` returns
/// whether element `a` is less than or equal to element `b`. Equal elements share one box, which
/// has the name of the first of them.
///
/// ```
/// let names = ["1", "*", "0", "-1"].map(str::to_owned);
/// // * is confused with 0.
/// let rank = [2, 1, 1, 0];
/// let at_most = |a: usize, b: usize| a == b || rank[a] < rank[b];
/// let say = |step: &grundy_core::step::Step| step.code.to_owned();
/// let svg = grundy_draw::order("some games", &names, &at_most, false, &say);
/// assert_eq!(svg.matches("class=\"cover stroke-soft\"").count(), 4);
/// ```
#[must_use]
pub fn order(
    title: &str,
    names: &[String],
    at_most: &dyn Fn(usize, usize) -> bool,
    dark: bool,
    say: Wording<'_>,
) -> String {
    let strict_order = StrictOrder::new(names.len(), at_most);
    let width = |&place: &usize| text_width(&names[place], LETTERS) + 14.0;
    let widths: Vec<f64> = strict_order.representatives.iter().map(width).collect();
    // Neighbours are far apart, so that readers can follow the lines between the layers.
    let rooms: Vec<f64> = widths.iter().map(|width| width + APART).collect();
    let layout = layout(&rooms, &strict_order.covers());
    let mut sketch = Sketch::default();
    let at = |(x, layer): (f64, usize)| [x, LAYER * layer as f64];
    for (&(from, to), route) in strict_order.covers().iter().zip(&layout.routes) {
        let [from, to] = [(from, 1.0), (to, -1.0)].map(|(vertex, side)| {
            let [x, y] = at(layout.places[vertex]);
            [x, y + side * HEIGHT / 2.0]
        });
        let mut strokes = vec![Stroke::Move(from)];
        strokes.extend(route.iter().map(|&place| Stroke::Line(at(place))));
        strokes.push(Stroke::Line(to));
        sketch.path(strokes, Ink::line(Tone::Soft, 1.2).class("cover"));
    }
    for ((&name, &width), &place) in strict_order
        .representatives
        .iter()
        .zip(&widths)
        .zip(&layout.places)
    {
        let [x, y] = at(place);
        let frame = [x - width / 2.0, y - HEIGHT / 2.0, width, HEIGHT];
        sketch.rect(frame, 8.0, Ink::filled(Tone::Square).class("node"));
        sketch.write([x, y], LETTERS, Side::Middle, Tone::Ink, &names[name]);
    }
    let about = say(&Step::new("order_about").with("count", strict_order.representatives.len()));
    surface::svg(&sketch, dark, title, &about)
}

/// The strict order of the elements, without duplicates.
struct StrictOrder {
    /// The index of the first element of each class of equal elements.
    representatives: Vec<usize>,
    /// A matrix with a row for each element `a` and a column for each element `b` of
    /// `representatives`. An entry is `true` if `b` is less than `a`.
    less: Vec<Vec<bool>>,
}

impl StrictOrder {
    fn new(count: usize, at_most: &dyn Fn(usize, usize) -> bool) -> Self {
        // An element is the first of its class if no earlier element is equal to it.
        let first = |&b: &usize| !(0..b).any(|a| at_most(a, b) && at_most(b, a));
        let representatives: Vec<usize> = (0..count).filter(first).collect();
        let less = |&a: &usize| {
            representatives
                .iter()
                .map(|&b| a != b && at_most(b, a))
                .collect()
        };
        let less = representatives.iter().map(less).collect();
        Self {
            representatives,
            less,
        }
    }

    /// Returns the pairs `(a, b)` such that `b` is less than `a` and no element lies between them.
    fn covers(&self) -> Vec<(usize, usize)> {
        let all = 0..self.representatives.len();
        let covers = |a: usize, b: usize| {
            // Testing all triples is fast enough for orders that fit into a picture.
            let between = |c: usize| self.less[a][c] && self.less[c][b];
            self.less[a][b] && !all.clone().any(between)
        };
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        pairs.filter(|&(a, b)| covers(a, b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::StrictOrder;

    #[test]
    fn divisors_of_36_cover_one_prime_at_a_time() {
        let divisors = [1, 2, 3, 4, 6, 9, 12, 18, 36, 36];
        let strict_order = StrictOrder::new(10, &|a, b| divisors[b] % divisors[a] == 0);
        assert_eq!(strict_order.representatives.len(), 9);
        let covers = strict_order.covers();
        assert_eq!(covers.len(), 12);
        for (a, b) in covers {
            assert!([2, 3].contains(&(divisors[a] / divisors[b])));
        }
    }
}
