//! Game graphs: layers from the start down, each vertex with its outcome, its remoteness and its value.

use std::fmt::Write as _;

use grundy::Outcome;

use crate::layers::layout;
use crate::svg::Svg;
use crate::table::outcome_style;

/// A vertex as it is drawn.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its name.
    pub name: String,
    /// Who wins.
    pub outcome: Outcome,
    /// Moves left with best play.
    pub remoteness: Option<u32>,
    /// Its value, where there is one: a number or an infinity.
    pub value: Option<String>,
}

/// A graph as it is drawn; the play starts at vertex 0.
#[derive(Clone, Debug)]
pub struct GameGraph {
    /// Above the picture.
    pub title: String,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The moves.
    pub edges: Vec<(usize, usize)>,
}

/// Most vertices and moves that are drawn.
const VERTICES: usize = 400;
const EDGES: usize = 1500;
/// Height of a vertex, and of a layer.
const HEIGHT: f64 = 40.0;
const LAYER: f64 = 92.0;

/// The picture as SVG. Thick arrows are moves that win.
///
/// ```
/// use grundy::Outcome;
/// use grundy_draw::{GameGraph, Vertex, game_graph};
/// let vertex = |name: &str, outcome, remoteness| Vertex {
///     name: name.to_owned(),
///     outcome,
///     remoteness: Some(remoteness),
///     value: None,
/// };
/// let svg = game_graph(&GameGraph {
///     title: "one move".to_owned(),
///     vertices: vec![vertex("a", Outcome::N, 1), vertex("b", Outcome::P, 0)],
///     edges: vec![(0, 1)],
/// });
/// assert!(svg.contains("outcome-n") && svg.contains("outcome-p"));
/// ```
#[must_use]
pub fn game_graph(graph: &GameGraph) -> String {
    let about =
        "a game graph: N next player wins, P previous player wins, D draw; thick arrows win";
    let mut svg = Svg::new(&graph.title, about);
    let title = shortened(&graph.title, 90);
    svg.text(16.0, 24.0, 14.0, "start", &title);
    if graph.vertices.len() > VERTICES || graph.edges.len() > EDGES {
        let note = format!(
            "{} positions and {} moves are too many to draw",
            graph.vertices.len(),
            graph.edges.len()
        );
        svg.text(16.0, 48.0, 13.0, "start", &note);
        return svg.finish(480.0, 64.0);
    }
    svg.text(16.0, 44.0, 11.0, "start", LEGEND);
    let lines: Vec<[String; 2]> = graph.vertices.iter().map(lines).collect();
    let widths: Vec<f64> = lines
        .iter()
        .map(|[name, label]| {
            let letters = name.chars().count().max(label.chars().count());
            (7.5 * letters as f64 + 16.0).max(44.0)
        })
        .collect();
    let layout = layout(&widths, &graph.edges);
    let (left, top) = (40.0, 106.0);
    let at = |(x, layer): (f64, usize)| [left + x, top + LAYER * layer as f64];
    let outcome = |v: usize| graph.vertices[v].outcome;
    for (&(from, to), way) in graph.edges.iter().zip(&layout.ways) {
        let wins = outcome(from) == Outcome::N && outcome(to) == Outcome::P;
        let thickness = if wins { 2.5 } else { 1.0 };
        let [x, y] = at(layout.places[from]);
        if from == to {
            let side = x + widths[from] / 2.0;
            svg.loop_arrow(side, y, thickness);
            continue;
        }
        // Of two moves back and forth each keeps to its right.
        let both = graph.edges.contains(&(to, from));
        let aside = match (both, layout.places[from].1 < layout.places[to].1) {
            (false, _) => 0.0,
            (true, true) => -7.0,
            (true, false) => 7.0,
        };
        let [end_x, end_y] = at(layout.places[to]);
        let mut points = vec![[x + aside, y]];
        points.extend(way.iter().map(|&place| {
            let [x, y] = at(place);
            [x + aside, y]
        }));
        points.push([end_x + aside, end_y]);
        let last = points.len() - 1;
        points[0] = edge_of_box(points[0], points[1], widths[from]);
        points[last] = edge_of_box(points[last], points[last - 1], widths[to]);
        svg.arrow(&points, thickness);
    }
    for (v, ([name, label], width)) in lines.iter().zip(&widths).enumerate() {
        let [x, y] = at(layout.places[v]);
        let (_, _, class) = outcome_style(Some(outcome(v)));
        let frame = [x - width / 2.0, y - HEIGHT / 2.0, *width, HEIGHT];
        svg.rect(frame, pale(outcome(v)), class);
        if v == 0 {
            svg.line([x - width / 2.0, y - 26.0, x + width / 2.0, y - 26.0], 3.0);
            svg.text(x, y - 31.0, 11.0, "middle", "start");
        }
        svg.text(x, y - 3.0, 13.0, "middle", name);
        svg.text(x, y + 14.0, 12.0, "middle", label);
    }
    let height = top + LAYER * layout.layers.saturating_sub(1) as f64 + HEIGHT;
    let words = 8.0 * title.chars().count() as f64 + 32.0;
    svg.finish((left + layout.width + 50.0).max(words).max(520.0), height)
}

const LEGEND: &str = "N: who moves wins, P: who has moved wins, D: draw; after it the moves left, and the value. Thick: winning moves.";

/// At most `most` letters of a text.
fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// What is written in a vertex.
fn lines(vertex: &Vertex) -> [String; 2] {
    let name = shortened(&vertex.name, 28);
    let mut label = vertex.outcome.to_string();
    if let Some(remoteness) = vertex.remoteness {
        let _ = write!(label, "{remoteness}");
    }
    if let Some(value) = &vertex.value {
        let value = shortened(&value.replace("inf", "∞"), 16);
        let _ = write!(label, "  g={value}");
    }
    [name, label]
}

/// Fills on which black letters are read easily.
fn pale(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "#a6dcc8",
        Outcome::P => "#f3bd94",
        Outcome::D => "#fbe3ab",
    }
}

/// Where the line from the middle of a box to `towards` leaves it.
fn edge_of_box([x, y]: [f64; 2], [towards_x, towards_y]: [f64; 2], width: f64) -> [f64; 2] {
    let (dx, dy) = (towards_x - x, towards_y - y);
    let by_width = (width / 2.0 - 8.0) / dx.abs().max(1e-9);
    let by_height = HEIGHT / 2.0 / dy.abs().max(1e-9);
    let share = if by_height <= by_width {
        by_height
    } else {
        // A flat line leaves below or above its corner, not through the side.
        return [
            x + (width / 2.0 - 8.0) * dx.signum(),
            y + HEIGHT / 2.0 * dy.signum(),
        ];
    };
    [x + dx * share, y + dy * share]
}

/// The graph in the language of Graphviz.
#[must_use]
pub fn game_graph_dot(graph: &GameGraph) -> String {
    let mut out = String::from("digraph game {\n  node [shape=box, style=filled];\n");
    for (v, vertex) in graph.vertices.iter().enumerate() {
        let mut label = format!("{}  {}", vertex.name, vertex.outcome);
        if let Some(remoteness) = vertex.remoteness {
            let _ = write!(label, "{remoteness}");
        }
        if let Some(value) = &vertex.value {
            let _ = write!(label, "  g={value}");
        }
        let (fill, extra) = (
            pale(vertex.outcome),
            if v == 0 { ", penwidth=3" } else { "" },
        );
        let _ = writeln!(
            out,
            "  {} [label={}, fillcolor=\"{fill}\"{extra}];",
            quoted(&vertex.name),
            quoted(&label)
        );
    }
    for &(from, to) in &graph.edges {
        let [from, to] = [from, to].map(|v| &graph.vertices[v]);
        let wins = from.outcome == Outcome::N && to.outcome == Outcome::P;
        let style = if wins { " [penwidth=2.5]" } else { "" };
        let _ = writeln!(
            out,
            "  {} -> {}{style};",
            quoted(&from.name),
            quoted(&to.name)
        );
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
