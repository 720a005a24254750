//! Drawings of misère quotients. The elements of the monoid are arranged in layers by their number
//! of factors, and losing elements are marked.

use grundy_core::step::Step;

use crate::Wording;
use crate::ink::{Ink, Tone};
use crate::layers::layout;
use crate::sketch::{Side, Sketch, Stroke, text_width};
use crate::surface;

/// Vertical distance between adjacent layers, in pixels.
const LAYER: f64 = 72.0;
/// Height of the box of an element, in pixels.
const HEIGHT: f64 = 28.0;
/// Size of the letters in a box, in pixels.
const LETTERS: f64 = 15.0;
/// Free space between neighbours, in pixels, in addition to the gap of the layout.
const APART: f64 = 16.0;
/// Largest number of elements in a drawing.
const ELEMENTS: usize = 200;

/// An element of the monoid, with its place in the drawing.
#[derive(Clone, Debug)]
pub struct QuotientElement {
    /// The name of the element: a product of generators, or 1.
    pub name: String,
    /// `true` if a position with this element is lost for the player to move.
    pub losing: bool,
    /// The indices of products of this element and a generator. Only products that have more
    /// factors than this element are included.
    pub longer: Vec<usize>,
}

/// Draws a monoid whose element 0 is the identity. A product with more factors is drawn below its
/// factors. Losing elements have a double frame.
///
/// ```
/// use grundy_draw::QuotientElement;
/// let element = |name: &str, losing, longer| QuotientElement {
///     name: name.to_owned(),
///     losing,
///     longer,
/// };
/// let elements = [
///     element("1", false, vec![1, 2]),
///     element("a", true, vec![]),
///     element("b^12c", false, vec![]),
/// ];
/// let svg = grundy_draw::quotient("nim(1)", &elements, false, &|step| step.code.to_owned());
/// assert_eq!(svg.matches("class=\"losing").count(), 1);
/// assert!(svg.contains("b¹²c"));
/// ```
#[must_use]
pub fn quotient(title: &str, elements: &[QuotientElement], dark: bool, say: Wording<'_>) -> String {
    let mut sketch = Sketch::default();
    let count = elements.len();
    if count > ELEMENTS {
        let note = say(&Step::new("quotient_too_large").with("order", count));
        sketch.write([0.0, 0.0], LETTERS, Side::Middle, Tone::Ink, &note);
        return surface::svg(&sketch, dark, title, &note);
    }
    let names: Vec<String> = (elements.iter())
        .map(|element| raised(&element.name))
        .collect();
    let width = |name: &str| text_width(name, LETTERS) + 18.0;
    let rooms: Vec<f64> = names.iter().map(|name| width(name) + APART).collect();
    let longer = (elements.iter().enumerate())
        .flat_map(|(from, element)| element.longer.iter().map(move |&to| (from, to)));
    let edges: Vec<(usize, usize)> = longer.collect();
    let layout = layout(&rooms, &edges);
    let at = |(x, layer): (f64, usize)| [x, LAYER * layer as f64];
    for (&(from, to), route) in edges.iter().zip(&layout.routes) {
        let [from, to] = [(from, 1.0), (to, -1.0)].map(|(element, side)| {
            let [x, y] = at(layout.places[element]);
            [x, y + side * HEIGHT / 2.0]
        });
        let mut strokes = vec![Stroke::Move(from)];
        strokes.extend(route.iter().map(|&place| Stroke::Line(at(place))));
        strokes.push(Stroke::Line(to));
        sketch.path(strokes, Ink::line(Tone::Soft, 1.2).class("factor"));
    }
    for ((element, name), &place) in elements.iter().zip(&names).zip(&layout.places) {
        let [x, y] = at(place);
        let width = width(name);
        let frame = |by: f64| {
            let (width, height) = (width - 2.0 * by, HEIGHT - 2.0 * by);
            [x - width / 2.0, y - height / 2.0, width, height]
        };
        sketch.rect(frame(0.0), 8.0, Ink::filled(Tone::Square).class("element"));
        if element.losing {
            sketch.rect(
                frame(0.0),
                8.0,
                Ink::line(Tone::Accent, 1.6).class("losing"),
            );
            sketch.rect(frame(3.0), 6.0, Ink::line(Tone::Accent, 1.6).class("inner"));
        }
        sketch.write([x, y], LETTERS, Side::Middle, Tone::Ink, name);
    }
    let about = Step::new("quotient_about").with("order", count);
    surface::svg(&sketch, dark, title, &say(&about))
}

/// Returns the name of an element with superscripts as exponents: `ab²` for `ab^2`.
fn raised(name: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut power = false;
    let mut raised = String::new();
    for letter in name.chars() {
        match letter.to_digit(10) {
            Some(digit) if power => raised.push(RAISED[digit as usize]),
            _ => {
                // Only digits that follow a caret are exponents. Another letter ends the exponent.
                power = letter == '^';
                if !power {
                    raised.push(letter);
                }
            }
        }
    }
    raised
}
