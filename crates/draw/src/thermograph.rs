//! Thermographs as in the literature. Values increase to the left, and temperatures increase upward
//! from -1. The mast begins at its foot, where the two walls meet.
//!
//! Thermographs are described in J. H. Conway, On Numbers and Games, 1976, chapter 9.

mod label_space;
mod scale;

use grundy_core::step::Step;
use grundy_core::{Dyadic, Player};
use grundy_forms::Thermograph;

use self::label_space::LabelSpace;
pub(crate) use self::scale::ratio_f64;
use self::scale::{Scale, short_number, ticks};
use crate::Wording;
use crate::ink::{Ink, Tone};
use crate::lines::lines;
use crate::sketch::{Side, Sketch, Stroke, text_width};
use crate::surface;

/// Draws thermographs in one picture, as SVG. Each has its name above its mast and a description
/// below the picture.
///
/// ```
/// use grundy_draw::thermographs;
/// use grundy_forms::{Forms, text};
/// let (mut forms, limits) = (Forms::default(), grundy_core::Limits::default());
/// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
/// let thermograph = forms.thermograph(hot, &limits)?;
/// let graphs = [("{2|-1/2}".to_owned(), (*thermograph).clone())];
/// let svg = thermographs(&graphs, false, &|step| step.code.to_owned());
/// assert!(svg.contains("(3/4, 5/4)"));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[must_use]
pub fn thermographs(graphs: &[(String, Thermograph)], dark: bool, say: Wording<'_>) -> String {
    let names: Vec<&str> = graphs.iter().map(|(name, _)| &name[..]).collect();
    let mut about: Vec<String> = graphs
        .iter()
        .map(|(name, graph)| description(name, graph, say))
        .collect();
    about.push(say(&Step::new("thermograph_about")));
    let about = about.join("; ");
    surface::svg(&sketch(graphs, say), dark, &names.join(", "), &about)
}

/// Draws thermographs as a TikZ picture for LaTeX.
///
/// ```
/// use grundy_draw::thermographs_tikz;
/// use grundy_forms::{Forms, text};
/// let (mut forms, limits) = (Forms::default(), grundy_core::Limits::default());
/// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
/// let graphs = [("{2|-1/2}".to_owned(), (*forms.thermograph(hot, &limits)?).clone())];
/// let tikz = thermographs_tikz(&graphs, false, &|step| step.code.to_owned());
/// // The mast begins at the mean 3/4 and the temperature 5/4.
/// assert!(tikz.contains("(3/4, 5/4)"));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[must_use]
pub fn thermographs_tikz(graphs: &[(String, Thermograph)], dark: bool, say: Wording<'_>) -> String {
    surface::tikz(&sketch(graphs, say), dark)
}

/// Largest number of thermographs in one picture.
pub const MAX_THERMOGRAPHS: usize = 12;
/// Width of the area for walls and masts, in pixels.
const WIDTH: f64 = 580.0;
/// Height of the area for walls and masts, in pixels.
const HEIGHT: f64 = 310.0;
/// Largest number of letters of a name that is written above a mast.
pub const MAX_NAME_LETTERS: usize = 24;
/// Largest number of letters of a name in the descriptions below the picture.
const MAX_LONG_NAME: usize = 48;
/// Largest number of characters of a value or temperature that is written in full in a label or a
/// description.
const DIGITS: usize = 12;
/// Largest number of characters of a tick value that is written in full on an axis.
const TICK_DIGITS: usize = 7;
/// Size of the letters on the axes, in pixels.
const TICK_SIZE: f64 = 12.0;
/// Size of the letters of labels at points and of the descriptions, in pixels.
const LABEL_SIZE: f64 = 13.0;
/// Size of the letters of the label at the foot of a mast, in pixels.
const FOOT_SIZE: f64 = 15.0;
/// Size of the letters of the names above the masts, in pixels.
const NAME_SIZE: f64 = 16.0;
/// Largest number of ticks on the horizontal axis.
const VALUE_TICKS: usize = 11;
/// Largest number of ticks on the vertical axis.
const TEMPERATURE_TICKS: usize = 7;

/// The colours of the thermographs in a picture with several of them. Consecutive thermographs
/// differ in colour and in dashes. Thermographs of the same colour differ in dashes, so there are
/// 16 combinations of a colour and dashes.
const TONES: [Tone; 4] = [Tone::Blue, Tone::Red, Tone::Green, Tone::Ink];
/// The dashes of the thermographs in a picture with several of them. Each entry lists the lengths
/// of dashes and gaps in turn, and is empty for a solid line.
const DASHES: [&[u8]; 4] = [&[], &[10, 6], &[2, 5], &[16, 4]];

/// The style of the lines of one thermograph.
#[derive(Clone, Copy)]
struct Style {
    walls: [Tone; 2],
    mast: Tone,
    dashes: &'static [u8],
}

impl Style {
    /// Returns the style of thermograph `index` out of `count`. The walls of a single thermograph
    /// have the colours of the players.
    fn new(index: usize, count: usize) -> Self {
        if count == 1 {
            return Self {
                walls: [Tone::Blue, Tone::Red],
                mast: Tone::Ink,
                dashes: &[],
            };
        }
        let tone = TONES[index % 4];
        Self {
            walls: [tone, tone],
            mast: tone,
            dashes: DASHES[(index + index / 4) % 4],
        }
    }

    fn line(self, tone: Tone, width: f64, class: &'static str) -> Ink {
        Ink::line(tone, width).dashed(self.dashes).class(class)
    }
}

/// Returns a sentence that describes a thermograph: its mean, its temperature and its stops.
fn description(name: &str, graph: &Thermograph, say: Wording<'_>) -> String {
    let stops = Player::BOTH.map(|player| graph.wall(player).at(&Dyadic::ZERO));
    let written = |number: &Dyadic| short_number(number, DIGITS).unwrap_or_else(|| "…".to_owned());
    let step = Step::new("thermograph_facts")
        .with("game", shortened(name, MAX_LONG_NAME))
        .with("mean", written(graph.mean()))
        .with("temperature", written(graph.temperature()))
        .with("left", written(&stops[0]))
        .with("right", written(&stops[1]));
    say(&step)
}

fn shortened(name: &str, most: usize) -> String {
    let mut short: String = name.chars().take(most).collect();
    if name.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

/// A picture during construction.
struct Canvas {
    sketch: Sketch,
    labels: LabelSpace,
    scale: Scale,
}

fn sketch(graphs: &[(String, Thermograph)], say: Wording<'_>) -> Sketch {
    let shown = &graphs[..graphs.len().min(MAX_THERMOGRAPHS)];
    let scale = Scale::new(shown.iter().map(|(_, graph)| graph), [WIDTH, HEIGHT]);
    let mut canvas = Canvas {
        sketch: Sketch::default(),
        labels: LabelSpace::new([0.0, 0.0, scale.width(), scale.height()]),
        scale,
    };
    draw_axes(&mut canvas, say);
    for (index, (_, graph)) in shown.iter().enumerate() {
        draw_graph(&mut canvas, graph, Style::new(index, shown.len()));
    }
    write_names(&mut canvas, shown);
    // Labels compete for space, so the most important labels are written first: the mean and the
    // temperature.
    for (_, graph) in shown {
        label_foot(&mut canvas, graph);
    }
    for (_, graph) in shown {
        label_stops(&mut canvas, graph);
    }
    for (_, graph) in shown {
        label_bends(&mut canvas, graph);
    }
    if let [(_, graph)] = shown {
        label_walls(&mut canvas, graph);
    }
    draw_descriptions(&mut canvas.sketch, graphs, shown.len(), say);
    canvas.sketch
}

/// Draws the axes with their numbers, a grid, and a shaded area for temperatures below 0.
fn draw_axes(canvas: &mut Canvas, say: Wording<'_>) {
    let (width, height) = (canvas.scale.width(), canvas.scale.height());
    let [_, zero] = canvas.scale.at(&Dyadic::ZERO, &Dyadic::ZERO);
    let cold = [0.0, zero, width, height - zero];
    canvas
        .sketch
        .rect(cold, 0.0, Ink::bare(Tone::Shade).class("cold"));
    let fine = Ink::line(Tone::Soft, 0.3).class("grid");
    for tick in ticks(canvas.scale.values(), VALUE_TICKS) {
        let [x, _] = canvas.scale.at(&tick, &Dyadic::ZERO);
        canvas.sketch.line([x, 0.0], [x, height], fine);
        write_tick_number(canvas, [x, height + 14.0], &tick);
    }
    for tick in ticks(canvas.scale.temperatures(), TEMPERATURE_TICKS) {
        let [_, y] = canvas.scale.at(&Dyadic::ZERO, &tick);
        canvas.sketch.line([0.0, y], [width, y], fine);
        let Some(text) = short_number(&tick, TICK_DIGITS) else {
            continue;
        };
        let half = text_width(&text, TICK_SIZE) / 2.0;
        write_tick_number(canvas, [-8.0 - half, y], &tick);
    }
    canvas
        .sketch
        .line([0.0, height], [width, height], Ink::line(Tone::Ink, 1.0));
    canvas.sketch.line(
        [0.0, zero],
        [width, zero],
        Ink::line(Tone::Ink, 1.0).class("axis"),
    );
    // Labels must not cover the axis.
    canvas.labels.add_line([0.0, zero], [width, zero]);
    let across = say(&Step::new("thermograph_values"));
    canvas.sketch.write(
        [width / 2.0, height + 34.0],
        TICK_SIZE,
        Side::Middle,
        Tone::Soft,
        &across,
    );
    let up = say(&Step::new("thermograph_temperatures"));
    let place = [-30.0, -14.0];
    canvas
        .sketch
        .write(place, TICK_SIZE, Side::Start, Tone::Soft, &up);
    let end = place[0] + text_width(&up, TICK_SIZE);
    canvas
        .labels
        .reserve_frame([place[0], place[1] - TICK_SIZE, end, place[1] + TICK_SIZE]);
}

/// Writes a number on an axis, if there is room for it.
fn write_tick_number(canvas: &mut Canvas, at: [f64; 2], number: &Dyadic) {
    let Some(text) = short_number(number, TICK_DIGITS) else {
        return;
    };
    if canvas.labels.reserve(at, &text, TICK_SIZE) {
        canvas
            .sketch
            .write(at, TICK_SIZE, Side::Middle, Tone::Ink, &text);
    }
}

/// Draws the walls and the mast of a thermograph. The parts of these lines below temperature 0 are
/// thin.
fn draw_graph(canvas: &mut Canvas, graph: &Thermograph, style: Style) {
    for (points, tone) in graph.walls().iter().zip(style.walls) {
        let mut thin: Vec<[f64; 2]> = Vec::new();
        let mut thick: Vec<[f64; 2]> = Vec::new();
        for (index, (t, value)) in points.iter().enumerate() {
            if index > 0 && t.sign().is_gt() && points[index - 1].0.sign().is_lt() {
                // The wall crosses temperature 0 between the previous point and this one.
                let (before, after) = (&points[index - 1], (t, value));
                let crossing = canvas
                    .scale
                    .crossing([&before.0, &before.1], [after.0, after.1]);
                thin.push(crossing);
                thick.push(crossing);
            }
            let place = canvas.scale.at(value, t);
            if t.sign().is_le() {
                thin.push(place);
            }
            if t.sign().is_ge() {
                thick.push(place);
            }
        }
        // Both the thin and the thick line contain the crossing point, so that the wall has no gap.
        for (line, width) in [(thin, 1.3), (thick, 2.6)] {
            if line.len() < 2 {
                continue;
            }
            for pair in line.windows(2) {
                canvas.labels.add_line(pair[0], pair[1]);
            }
            let strokes = line.iter().enumerate().map(|(index, &to)| match index {
                0 => Stroke::Move(to),
                _ => Stroke::Line(to),
            });
            canvas
                .sketch
                .path(strokes.collect(), style.line(tone, width, "wall"));
        }
        for (t, value) in points {
            let place = canvas.scale.at(value, t);
            canvas
                .sketch
                .circle(place, 3.0, Ink::bare(tone).class("bend"));
        }
    }
    let [x, y] = canvas.scale.at(graph.mean(), graph.temperature());
    let [_, zero] = canvas.scale.at(&Dyadic::ZERO, &Dyadic::ZERO);
    canvas.labels.add_line([x, y], [x, 0.0]);
    if y > zero {
        canvas
            .sketch
            .line([x, y], [x, zero], style.line(style.mast, 1.3, "mast"));
    }
    canvas.sketch.line(
        [x, y.min(zero)],
        [x, 8.0],
        style.line(style.mast, 2.6, "mast"),
    );
    canvas
        .sketch
        .circle([x, y], 3.4, Ink::bare(style.mast).class("foot"));
    let head = [
        Stroke::Move([x, 0.0]),
        Stroke::Line([x - 5.5, 12.0]),
        Stroke::Line([x + 5.5, 12.0]),
        Stroke::Close,
    ];
    canvas
        .sketch
        .path(head.to_vec(), Ink::bare(style.mast).class("mast"));
}

/// Writes the name of each thermograph above its mast. Names that overlap are written in up to four
/// rows.
fn write_names(canvas: &mut Canvas, graphs: &[(String, Thermograph)]) {
    for (name, graph) in graphs {
        let name = shortened(name, MAX_NAME_LETTERS);
        let [x, _] = canvas.scale.at(graph.mean(), graph.temperature());
        let half = text_width(&name, NAME_SIZE) / 2.0;
        // A name near the edge is moved inward. The bounds of `clamp` are in order even if the name
        // is wider than the picture.
        let inside = x.clamp(
            half.min(canvas.scale.width() - half),
            (canvas.scale.width() - half).max(half),
        );
        for row in 0..4u32 {
            let at = [inside, -14.0 - 24.0 * f64::from(row)];
            if canvas.labels.reserve(at, &name, NAME_SIZE) {
                canvas
                    .sketch
                    .write(at, NAME_SIZE, Side::Middle, Tone::Ink, &name);
                break;
            }
        }
    }
}

/// Returns the label of a bend of a wall: its value x and its temperature t, as `(x, t)`.
fn bend_label(number: &Dyadic, temperature: &Dyadic) -> Option<String> {
    Some(format!(
        "({}, {})",
        short_number(number, DIGITS)?,
        short_number(temperature, DIGITS)?
    ))
}

/// Writes the mean and the temperature at the foot of the mast.
fn label_foot(canvas: &mut Canvas, graph: &Thermograph) {
    let text = bend_label(graph.mean(), graph.temperature());
    let place = canvas.scale.at(graph.mean(), graph.temperature());
    label(canvas, place, text, FOOT_SIZE, Player::Left);
}

/// Writes the stops, which are the values of the walls at temperature 0. A stop at a bend is
/// omitted, since the label of the bend contains it.
fn label_stops(canvas: &mut Canvas, graph: &Thermograph) {
    if graph.temperature().sign().is_le() {
        return;
    }
    for (player, points) in Player::BOTH.into_iter().zip(graph.walls()) {
        // The label of a bend at temperature 0 contains the stop.
        if points.iter().any(|(t, _)| t.sign().is_eq()) {
            continue;
        }
        let stop = graph.wall(player).at(&Dyadic::ZERO);
        let place = canvas.scale.at(&stop, &Dyadic::ZERO);
        label(
            canvas,
            place,
            short_number(&stop, DIGITS),
            LABEL_SIZE,
            player,
        );
    }
}

/// Writes labels at the bends of both walls, from the highest temperature to the lowest.
fn label_bends(canvas: &mut Canvas, graph: &Thermograph) {
    let sides = Player::BOTH.into_iter().zip(graph.walls());
    let mut points: Vec<(Dyadic, Dyadic, Player)> = sides
        .flat_map(|(side, wall)| wall.into_iter().map(move |(t, value)| (t, value, side)))
        .collect();
    points.sort_unstable_by(|a, b| b.0.cmp(&a.0));
    for (t, value, side) in points {
        if t != *graph.temperature() {
            let place = canvas.scale.at(&value, &t);
            label(canvas, place, bend_label(&value, &t), LABEL_SIZE, side);
        }
    }
}

/// Writes L and R next to the two walls, each at the middle of the longest segment of its wall.
fn label_walls(canvas: &mut Canvas, graph: &Thermograph) {
    for (side, wall) in Player::BOTH.into_iter().zip(graph.walls()) {
        let places: Vec<[f64; 2]> = wall
            .iter()
            .map(|(t, value)| canvas.scale.at(value, t))
            .collect();
        let length = |pair: &&[[f64; 2]]| (pair[0][0] - pair[1][0]).hypot(pair[0][1] - pair[1][1]);
        let longest = places
            .windows(2)
            .max_by(|a, b| length(a).total_cmp(&length(b)));
        if let Some(pair) = longest {
            let middle = [0, 1].map(|axis| f64::midpoint(pair[0][axis], pair[1][axis]));
            let letter = side.of(["L", "R"]).to_owned();
            label(canvas, middle, Some(letter), LABEL_SIZE, side);
        }
    }
}

/// Writes a text next to a point, on the side of the given player if possible. Omits the text if it
/// would cover something.
fn label(canvas: &mut Canvas, place: [f64; 2], text: Option<String>, size: f64, side: Player) {
    let Some(text) = text else { return };
    if let Some(at) = canvas.labels.reserve_near(place, &text, size, side) {
        canvas
            .sketch
            .write(at, size, Side::Middle, Tone::Ink, &text);
    }
}

/// Writes the description of each thermograph below the picture. If there are several, each
/// description has a sample of the line style.
fn draw_descriptions(
    sketch: &mut Sketch,
    graphs: &[(String, Thermograph)],
    shown: usize,
    say: Wording<'_>,
) {
    const LINE: f64 = 20.0;
    let [left, _, right, bottom] = sketch.bounds();
    let mut y = bottom + 18.0;
    let indent = if shown > 1 { 58.0 } else { 0.0 };
    // 0.6 is the ratio of the average width of a letter to its size, as in `text_width`.
    let letters = ((right - left - indent) / (0.6 * LABEL_SIZE)) as usize;
    for (index, (name, graph)) in graphs.iter().take(shown).enumerate() {
        if shown > 1 {
            let style = Style::new(index, shown);
            sketch.line(
                [left, y],
                [left + 46.0, y],
                style.line(style.mast, 2.6, "legend"),
            );
        }
        for line in lines(&description(name, graph, say), letters) {
            sketch.write(
                [left + indent, y],
                LABEL_SIZE,
                Side::Start,
                Tone::Ink,
                &line,
            );
            y += LINE;
        }
    }
    if shown < graphs.len() {
        let more = say(&Step::new("picture_and").with("count", graphs.len() - shown));
        sketch.write(
            [left + indent, y],
            LABEL_SIZE,
            Side::Start,
            Tone::Ink,
            &more,
        );
    }
}
