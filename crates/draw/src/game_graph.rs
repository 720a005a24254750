//! Drawings of game graphs. The start is in the top layer, and moves lead downward. Each vertex
//! shows its name, outcome, remoteness and value.

use std::fmt::Write as _;

use grundy_core::step::Step;
use grundy_core::{Outcome, OutcomeClass, PayoffResult, Player, Verdict};

use crate::Wording;
use crate::layers::layout;
use crate::lines::lines as broken;
use crate::route::{BoxEnd, Route};
use crate::svg::{Svg, letters};
use crate::table::outcome_style;

/// A position in the graph, drawn as a box.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// The name of the position.
    pub name: String,
    /// The outcome of the position.
    pub verdict: Verdict,
    /// The remoteness of the position, if it is known.
    pub remoteness: Option<u32>,
    /// The Grundy value of the position, such as a nimber or an infinity, if it has one.
    pub value: Option<String>,
}

/// A move in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The index of the vertex from which the move leads.
    pub from: usize,
    /// The index of the vertex to which the move leads.
    pub to: usize,
    /// The player who makes the move, in a partizan game. The arrow is labelled L or R, and it is
    /// dashed for a move of Right.
    pub mover: Option<Player>,
    /// `true` if the move is a best one: it wins, or it keeps a tie. Best moves are drawn thick.
    pub best: bool,
}

/// The graph to draw. Play starts at vertex 0.
#[derive(Clone, Debug)]
pub struct GraphPicture {
    /// The title, which is written above the picture.
    pub title: String,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The moves.
    pub edges: Vec<Arrow>,
    /// `true` if every name begins with the letter of the player to move, as `[L]` or `[R]`.
    pub names_mover: bool,
}

/// Largest number of vertices in a picture.
const VERTICES: usize = 400;
/// Largest number of edges in a picture.
const EDGES: usize = 1500;
/// Height of the box of a vertex, in pixels.
const HEIGHT: f64 = 40.0;
/// Vertical distance between the centres of adjacent layers, in pixels.
const LAYER: f64 = 92.0;

/// Draws the graph as SVG, on a light or a dark background. Thick arrows are best moves.
///
/// ```
/// use grundy_core::{Outcome, Verdict};
/// use grundy_draw::{Arrow, GraphPicture, Vertex, game_graph};
/// let vertex = |name: &str, outcome, remoteness| Vertex {
///     name: name.to_owned(),
///     verdict: Verdict::Outcome(outcome),
///     remoteness: Some(remoteness),
///     value: None,
/// };
/// let svg = game_graph(&GraphPicture {
///     title: "one move".to_owned(),
///     vertices: vec![vertex("a", Outcome::N, 1), vertex("b", Outcome::P, 0)],
///     edges: vec![Arrow { from: 0, to: 1, mover: None, best: true }],
///     names_mover: false,
/// }, false, &|step| step.code.to_owned());
/// assert!(svg.contains("outcome-n") && svg.contains("outcome-p"));
/// ```
#[must_use]
pub fn game_graph(graph: &GraphPicture, dark: bool, say: Wording<'_>) -> String {
    let Caption { about, legend } = caption(graph);
    let mut legend = say(&Step::new(legend));
    if graph.names_mover {
        legend.push_str(&say(&Step::new("graph_legend_mover")));
    }
    let mut svg = Svg::new(&graph.title, &say(&Step::new(about)));
    let finish = if dark { Svg::finish_dark } else { Svg::finish };
    let title = shortened(&graph.title, 90);
    svg.text(16.0, 24.0, 14.0, "start", &title);
    if graph.vertices.len() > VERTICES || graph.edges.len() > EDGES {
        let note = Step::new("graph_too_large")
            .with("positions", graph.vertices.len())
            .with("moves", graph.edges.len());
        svg.text(16.0, 48.0, 13.0, "start", &say(&note));
        return finish(svg, 480.0, 64.0);
    }
    let lines: Vec<[String; 2]> = graph
        .vertices
        .iter()
        .map(|vertex| lines(vertex, say))
        .collect();
    let widths: Vec<f64> = lines
        .iter()
        .map(|[name, label]| {
            let widest = letters(name).max(letters(label));
            // About 7.5 pixels for each letter at size 13. Font metrics are not available.
            (7.5 * widest as f64 + 16.0).max(44.0)
        })
        .collect();
    let pairs: Vec<(usize, usize)> = graph
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layout = layout(&widths, &pairs);
    // A very small graph still has enough width for a readable legend.
    let room = (layout.width + 80.0).max(430.0);
    let legend = broken(&legend, (room / 6.0) as usize);
    for (index, line) in legend.iter().enumerate() {
        svg.text(16.0, 44.0 + 16.0 * index as f64, 11.0, "start", line);
    }
    let (left, top) = (40.0, 90.0 + 16.0 * legend.len() as f64);
    let at = |(x, layer): (f64, usize)| [left + x, top + LAYER * layer as f64];
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        let (from, to, mover) = (edge.from, edge.to, edge.mover);
        let thickness = thickness(edge);
        if from == to {
            let [x, y] = at(layout.places[from]);
            let side = x + widths[from] / 2.0;
            draw_pass(&mut svg, graph, edge, [side, y]);
            continue;
        }
        // Two opposite moves between the same vertices would cover each other, so each is shifted
        // to its own right. Moves of two players are shifted to the side of their player.
        let both = pairs.contains(&(to, from));
        let shift = match (both, layout.places[from].1 < layout.places[to].1) {
            (false, _) => 0.0,
            (true, true) => -7.0,
            (true, false) => 7.0,
        };
        let others = |other: &Arrow| (other.from, other.to) == (from, to) && other.mover != mover;
        let shift = shift
            + match mover {
                Some(Player::Left) if graph.edges.iter().any(others) => -9.0,
                Some(Player::Right) if graph.edges.iter().any(others) => 9.0,
                _ => 0.0,
            };
        let port = |v: usize| BoxEnd {
            middle: at(layout.places[v]),
            width: widths[v],
        };
        let through: Vec<[f64; 2]> = route.iter().map(|&place| at(place)).collect();
        let route = Route::new(port(from), &through, port(to), HEIGHT / 2.0, shift);
        svg.path(&route.data(), "move", "#333333", thickness, dashes(mover));
        svg.arrow(&route.head, thickness, "");
        if let Some(mover) = mover {
            let [x, y] = route.letter();
            svg.plate(x, y + 4.0, letter(mover));
        }
    }
    for (v, ([name, label], width)) in lines.iter().zip(&widths).enumerate() {
        let [x, y] = at(layout.places[v]);
        let verdict = graph.vertices[v].verdict;
        let frame = [x - width / 2.0, y - HEIGHT / 2.0, *width, HEIGHT];
        svg.rect(frame, pale(verdict), style_class(verdict));
        if v == 0 {
            svg.line([x - width / 2.0, y - 26.0, x + width / 2.0, y - 26.0], 3.0);
            svg.text(x, y - 31.0, 11.0, "middle", &say(&Step::new("graph_start")));
        }
        svg.text(x, y - 3.0, 13.0, "middle", name);
        svg.text(x, y + 14.0, 12.0, "middle", label);
    }
    let height = top + LAYER * layout.layers.saturating_sub(1) as f64 + HEIGHT;
    let title_width = 8.0 * letters(&title) as f64 + 32.0;
    let widest = legend.iter().map(|line| letters(line)).max().unwrap_or(0);
    let legend_width = 5.9 * widest as f64 + 32.0;
    finish(
        svg,
        (left + layout.width + 50.0)
            .max(title_width)
            .max(legend_width),
        height,
    )
}

/// The message codes of the description and of the legend for one kind of game.
struct Caption {
    about: &'static str,
    legend: &'static str,
}

const IMPARTIAL: Caption = Caption {
    about: "graph_about",
    legend: "graph_legend",
};
const PARTIZAN: Caption = Caption {
    about: "graph_about_partizan",
    legend: "graph_legend_partizan",
};
const LOOPY: Caption = Caption {
    about: PARTIZAN.about,
    legend: "graph_legend_loopy",
};
const TIES: Caption = Caption {
    about: "graph_about_ties",
    legend: "graph_legend_ties",
};

fn caption(graph: &GraphPicture) -> &'static Caption {
    let mut verdicts = graph.vertices.iter().map(|vertex| vertex.verdict);
    match graph.vertices.first().map(|start| start.verdict) {
        Some(Verdict::Outcome(_)) | None => &IMPARTIAL,
        // All vertices of a graph belong to games of the same kind, so the first vertex determines
        // the caption.
        Some(Verdict::Payoff(_)) => &TIES,
        _ if verdicts.any(drawn) => &LOOPY,
        _ => &PARTIZAN,
    }
}

/// Draws the arrow of a pass (a move that leads back to the same vertex) at the right side of the
/// vertex. If both players can pass, Right's arrow is drawn outside Left's.
fn draw_pass(svg: &mut Svg, graph: &GraphPicture, edge: &Arrow, [side, y]: [f64; 2]) {
    let left = Some(Player::Left);
    let others = |other: &Arrow| (other.from, other.to, other.mover) == (edge.from, edge.to, left);
    let outside = edge.mover == Some(Player::Right) && graph.edges.iter().any(others);
    let reach = if outside { 30.0 } else { 20.0 };
    svg.loop_arrow([side, y], reach, thickness(edge), dashes(edge.mover));
    if let Some(mover) = edge.mover {
        svg.plate(side + reach, y + 4.0, letter(mover));
    }
}

fn thickness(edge: &Arrow) -> f64 {
    if edge.best { 2.5 } else { 1.0 }
}

fn letter(mover: Player) -> &'static str {
    match mover {
        Player::Left => "L",
        Player::Right => "R",
    }
}

fn dashes(mover: Option<Player>) -> &'static str {
    match mover {
        Some(Player::Right) => "6 4",
        _ => "",
    }
}

/// Returns the first `most` letters of a text, followed by "..." if letters were cut off.
fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

impl Vertex {
    /// Returns the outcome and the remoteness of the vertex as text.
    fn outcome_label(&self, say: Wording<'_>) -> String {
        let result_label = |result: PayoffResult| {
            let step = Step::new("worth_alone");
            say(&step.with("worth", result.to_string()))
        };
        match (self.verdict, self.remoteness) {
            (Verdict::Payoff(result), None) => result_label(result),
            (verdict, None) => verdict.to_string(),
            (Verdict::Payoff(result), Some(remoteness)) => {
                format!("{} {remoteness}", result_label(result))
            }
            (verdict, Some(remoteness)) => format!("{verdict}{remoteness}"),
        }
    }
}

/// Returns the two lines of text in a vertex.
fn lines(vertex: &Vertex, say: Wording<'_>) -> [String; 2] {
    let name = shortened(&vertex.name, 28);
    let mut label = vertex.outcome_label(say);
    if let Some(value) = &vertex.value {
        let value = shortened(&value.replace("inf", "∞"), 16);
        let _ = write!(label, "  g={value}");
    }
    [name, label]
}

/// Returns a fill colour on which black letters are easy to read.
fn pale(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Class(OutcomeClass::L) => "#a8d4ee",
        Verdict::Class(OutcomeClass::R) => "#eccade",
        Verdict::Outcome(Outcome::N)
        | Verdict::Class(OutcomeClass::N)
        | Verdict::Payoff(PayoffResult::Win) => "#a6dcc8",
        Verdict::Outcome(Outcome::P)
        | Verdict::Class(OutcomeClass::P)
        | Verdict::Payoff(PayoffResult::Lose) => "#f3bd94",
        _ => "#fbe3ab",
    }
}

/// Returns whether the verdict is an outcome class with a draw. Optimal play then ends in a draw if
/// Left begins, if Right begins, or in both cases.
fn drawn(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Class(class) if class.left.is_none() || class.right.is_none())
}

/// Returns the CSS class by which programs can find the vertices with this outcome.
fn style_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Outcome(outcome) => outcome_style(Some(outcome)).2,
        Verdict::Class(OutcomeClass::L) => "class-l",
        Verdict::Class(OutcomeClass::R) => "class-r",
        Verdict::Class(OutcomeClass::N) => "class-n",
        Verdict::Class(OutcomeClass::P) => "class-p",
        Verdict::Class(_) => "class-d",
        Verdict::Payoff(PayoffResult::Win) => "value-win",
        Verdict::Payoff(PayoffResult::Tie) => "value-tie",
        Verdict::Payoff(PayoffResult::Lose) => "value-lose",
    }
}

/// Returns the graph as text in the DOT language of Graphviz.
///
/// ```
/// use grundy_core::{Outcome, Verdict};
/// use grundy_draw::{Arrow, GraphPicture, Vertex, game_graph_dot};
/// let (name, verdict) = ("a".to_owned(), Verdict::Outcome(Outcome::D));
/// let graph = GraphPicture {
///     title: "a loop".to_owned(),
///     vertices: vec![Vertex { name, verdict, remoteness: None, value: None }],
///     edges: vec![Arrow { from: 0, to: 0, mover: None, best: false }],
///     names_mover: false,
/// };
/// let dot = game_graph_dot(&graph, &|step| step.code.to_owned());
/// assert!(dot.contains("\"a\" -> \"a\";"));
/// ```
#[must_use]
pub fn game_graph_dot(graph: &GraphPicture, say: Wording<'_>) -> String {
    let mut out = String::from("digraph game {\n  node [shape=box, style=filled];\n");
    for (v, vertex) in graph.vertices.iter().enumerate() {
        let mut label = format!("{}  {}", vertex.name, vertex.outcome_label(say));
        if let Some(value) = &vertex.value {
            let _ = write!(label, "  g={value}");
        }
        let fill = pale(vertex.verdict);
        let extra = if v == 0 { ", penwidth=3" } else { "" };
        let _ = writeln!(
            out,
            "  {} [label={}, fillcolor=\"{fill}\"{extra}];",
            node(graph, v),
            quoted(&label)
        );
    }
    for edge in &graph.edges {
        let mut style: Vec<String> = Vec::new();
        if let Some(mover) = edge.mover {
            style.push(format!("label=\"{}\"", letter(mover)));
        }
        if edge.mover == Some(Player::Right) {
            style.push("style=dashed".to_owned());
        }
        if edge.best {
            style.push("penwidth=2.5".to_owned());
        }
        let style = match style.join(", ") {
            none if none.is_empty() => none,
            some => format!(" [{some}]"),
        };
        let [from, to] = [edge.from, edge.to].map(|v| node(graph, v));
        let _ = writeln!(out, "  {from} -> {to}{style};");
    }
    out.push_str("}\n");
    out
}

/// Returns the DOT identifier of a vertex: its name, or its index if several vertices share the
/// name.
fn node(graph: &GraphPicture, v: usize) -> String {
    let name = &graph.vertices[v].name;
    let same = |other: &&Vertex| other.name == *name;
    // Graphviz merges vertices with the same identifier.
    if graph.vertices.iter().filter(same).count() > 1 {
        return v.to_string();
    }
    quoted(name)
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
