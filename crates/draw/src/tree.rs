//! Drawings of game trees. The root is at the top. Edges of best moves are thick.

use crate::svg::{Svg, letters, number};

/// A node of the tree, or of a directed graph without cycles.
#[derive(Clone, Debug, Default)]
pub struct TreeVertex {
    /// The board as rows of letters. If it is empty, `text` is written instead.
    pub board: Vec<String>,
    /// The position in words, which is written if there is no board.
    pub text: String,
    /// The value of the node, in one or two words.
    pub value: String,
    /// The player to move, in one or two words. Empty if the game is over.
    pub mover: String,
    /// The winner, which determines the colour: 0 for the first player, 1 for the second, 2 for a
    /// draw.
    pub winner: usize,
    /// The edges to the children, from left to right.
    pub children: Vec<Child>,
    /// A description of the children that are not drawn. Empty if all are drawn.
    pub omitted: String,
}

/// An edge to a child.
#[derive(Clone, Debug)]
pub struct Child {
    /// The index of the child.
    pub to: usize,
    /// The move in words. Empty if the boards show the move.
    pub label: String,
    /// `true` if the child has the value of the parent, so that the move is a best one.
    pub best: bool,
    /// `true` if the search method prunes this move. Its edge is dashed.
    pub pruned: bool,
}

/// Side of a square of a board, in pixels.
const SQUARE: f64 = 15.0;
/// Free space between neighbours, in pixels.
const GAP: f64 = 12.0;
/// Position of a label on its edge, as a fraction of the length from the parent.
const LABEL: f64 = 0.65;
/// Largest number of characters of a text in a node or at an edge.
const TEXT: usize = 22;

/// Fill colours for the winners 0, 1 and 2 (Okabe-Ito palette). The value is always written as
/// well.
const FILLS: [&str; 3] = ["#9FD9C5", "#F2B48F", "#F5DCA0"];

/// Draws the tree whose root is vertex 0. `about` is the description for screen readers, and
/// `notes` are lines of text below the title. Each vertex is in the layer below its lowest parent.
///
/// ```
/// use grundy_draw::tree::{Child, TreeVertex, svg};
/// let children = vec![Child { to: 1, label: "up".into(), best: true, pruned: false }];
/// let node = |text: &str| TreeVertex {
///     text: text.into(),
///     value: "A".into(),
///     ..TreeVertex::default()
/// };
/// let root = TreeVertex { children, ..node("start") };
/// let end = node("end");
/// assert!(svg("a tree", "two nodes", &[], &[root, end]).contains(">up<"));
/// ```
#[must_use]
pub fn svg(title: &str, about: &str, notes: &[String], vertices: &[TreeVertex]) -> String {
    let mut svg = Svg::new(title, about);
    let layers = layers(vertices);
    let sizes: Vec<[f64; 2]> = vertices.iter().map(size).collect();
    let levels = levels(vertices, &layers);
    let margin = levels
        .iter()
        .map(|level| {
            if level.is_empty() {
                0.0
            } else {
                7.6 * letters(level) as f64 + GAP
            }
        })
        .fold(0.0, f64::max);
    let x = columns(vertices, &layers, &widths(vertices, &sizes));
    let x: Vec<f64> = x.into_iter().map(|x| x + margin).collect();
    let mut tops = Vec::new();
    svg.text(GAP, 24.0, 15.0, "start", title);
    let mut y = 44.0;
    for note in notes {
        svg.text(GAP, y, 12.0, "start", note);
        y += 18.0;
    }
    let notes_end = y;
    let labels = vertices
        .iter()
        .any(|vertex| vertex.children.iter().any(|child| !child.label.is_empty()));
    let room = if labels { 64.0 } else { 44.0 };
    for layer in &layers {
        tops.push(y);
        let tallest = layer
            .iter()
            .map(|&vertex| sizes[vertex][1])
            .fold(0.0, f64::max);
        y += tallest + room;
    }
    let mut top = vec![0.0; vertices.len()];
    for (layer, &y) in layers.iter().zip(&tops) {
        for &vertex in layer {
            top[vertex] = y;
        }
    }
    for (index, vertex) in vertices.iter().enumerate() {
        let from = [x[index], top[index] + sizes[index][1]];
        for child in &vertex.children {
            let to = [x[child.to], top[child.to]];
            if child.pruned {
                let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(number);
                let d = format!("M{x1} {y1}L{x2} {y2}");
                svg.path(&d, "left-out", "#555555", 1.0, "3 4");
            } else {
                svg.line(
                    [from[0], from[1], to[0], to[1]],
                    if child.best { 3.0 } else { 0.8 },
                );
            }
            if !child.label.is_empty() {
                let [at_x, at_y] = [0, 1].map(|axis| from[axis] + LABEL * (to[axis] - from[axis]));
                svg.plate(at_x, at_y + 4.0, &shortened(&child.label));
            }
        }
    }
    for (level, &y) in levels.iter().zip(&tops) {
        svg.text(GAP, y.max(notes_end) + 14.0, 12.0, "start", level);
    }
    for (index, vertex) in vertices.iter().enumerate() {
        draw(&mut svg, vertex, x[index], top[index], sizes[index]);
    }
    let right = (0..vertices.len()).map(|vertex| x[vertex] + sizes[vertex][0] / 2.0);
    let written = notes.iter().map(String::as_str).chain([title]);
    let words = written.map(|line| 7.2 * letters(line) as f64 + GAP);
    let width = right.chain(words).fold(0.0, f64::max);
    svg.finish(width + GAP, y - room + GAP)
}

/// Returns the name of the player to move for each layer. The name is empty if different players
/// are to move in the same layer.
fn levels(vertices: &[TreeVertex], layers: &[Vec<usize>]) -> Vec<String> {
    let level = |layer: &Vec<usize>| {
        let mut movers = layer.iter().map(|&vertex| &vertices[vertex].mover[..]);
        let mover = movers.clone().find(|mover| !mover.is_empty());
        let alone = |mover: &&str| movers.all(|other| other.is_empty() || other == *mover);
        mover.filter(alone).unwrap_or_default().to_owned()
    };
    layers.iter().map(level).collect()
}

fn shortened(text: &str) -> String {
    let mut out: String = text.chars().take(TEXT).collect();
    if out.len() < text.len() {
        out.push_str("...");
    }
    out
}

/// Returns the width and the height of a vertex. They include the line for the value and the line
/// about children that are not drawn.
fn size(vertex: &TreeVertex) -> [f64; 2] {
    let wide = |text: &str| 7.0 * letters(text) as f64 + 8.0;
    let [width, height] = if vertex.board.is_empty() {
        [wide(&shortened(&vertex.text)).max(24.0), 20.0]
    } else {
        let columns = vertex.board[0].chars().count();
        [SQUARE * columns as f64, SQUARE * vertex.board.len() as f64]
    };
    let omitted_height = if vertex.omitted.is_empty() { 0.0 } else { 14.0 };
    [
        width.max(wide(&vertex.value)).max(wide(&vertex.omitted)),
        height + 16.0 + omitted_height,
    ]
}

/// Returns the width that each vertex needs, so that the labels of the edges to neighbouring
/// vertices do not overlap.
fn widths(vertices: &[TreeVertex], sizes: &[[f64; 2]]) -> Vec<f64> {
    let mut widths: Vec<f64> = sizes.iter().map(|size| size[0]).collect();
    for child in vertices.iter().flat_map(|vertex| &vertex.children) {
        // Edges from the same parent are closest near the parent. At the fraction LABEL of their
        // length, their distance is only LABEL times the distance of the children.
        let label = 6.6 * letters(&shortened(&child.label)) as f64 / LABEL;
        widths[child.to] = widths[child.to].max(label);
    }
    widths
}

fn draw(svg: &mut Svg, vertex: &TreeVertex, middle: f64, top: f64, [width, height]: [f64; 2]) {
    let fill = FILLS[vertex.winner.min(2)];
    let omitted_height = if vertex.omitted.is_empty() { 0.0 } else { 14.0 };
    let box_height = height - 16.0 - omitted_height;
    if vertex.board.is_empty() {
        svg.rect(
            [middle - width / 2.0, top, width, box_height],
            "#ffffff",
            "node",
        );
        svg.text(middle, top + 14.0, 11.0, "middle", &shortened(&vertex.text));
    }
    for (row, squares) in vertex.board.iter().enumerate() {
        let left = middle - SQUARE * squares.chars().count() as f64 / 2.0;
        for (column, square) in squares.chars().enumerate() {
            let at = [left + SQUARE * column as f64, top + SQUARE * row as f64];
            let ink = if square == '#' { "#666666" } else { "#ffffff" };
            svg.rect([at[0], at[1], SQUARE, SQUARE], ink, "square");
            if !matches!(square, '.' | '#') {
                let (x, y) = (at[0] + SQUARE / 2.0, at[1] + SQUARE - 3.5);
                svg.text(x, y, 11.0, "middle", &square.to_string());
            }
        }
    }
    let plate = [middle - width / 2.0, top + box_height, width, 15.0];
    svg.rect(plate, fill, "value");
    let baseline = top + box_height + 11.5;
    svg.text(middle, baseline, 11.0, "middle", &vertex.value);
    if !vertex.omitted.is_empty() {
        svg.text(middle, baseline + 14.0, 10.0, "middle", &vertex.omitted);
    }
}

/// Returns the vertices of each layer, in the order of a depth-first search. Each vertex is in a
/// lower layer than all its parents.
fn layers(vertices: &[TreeVertex]) -> Vec<Vec<usize>> {
    let mut parent_counts = vec![0; vertices.len()];
    for child in vertices.iter().flat_map(|vertex| &vertex.children) {
        parent_counts[child.to] += 1;
    }
    let mut depth = vec![0; vertices.len()];
    let mut layers: Vec<Vec<usize>> = Vec::new();
    let mut pending = vec![0];
    while let Some(vertex) = pending.pop() {
        while layers.len() <= depth[vertex] {
            layers.push(Vec::new());
        }
        layers[depth[vertex]].push(vertex);
        for child in vertices[vertex].children.iter().rev() {
            depth[child.to] = depth[child.to].max(depth[vertex] + 1);
            // A vertex is placed after all its parents, because only then its layer is known.
            parent_counts[child.to] -= 1;
            if parent_counts[child.to] == 0 {
                pending.push(child.to);
            }
        }
    }
    layers
}

/// Returns the x coordinate of the centre of each vertex. In a tree, the leaves are next to each
/// other, and every other vertex is above the middle of its children. In other graphs, the vertices
/// of each layer are ordered by the mean x coordinate of their parents.
fn columns(vertices: &[TreeVertex], layers: &[Vec<usize>], widths: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; vertices.len()];
    let edge_count: usize = vertices.iter().map(|vertex| vertex.children.len()).sum();
    // A connected graph with one edge fewer than vertices is a tree.
    if edge_count + 1 == vertices.len() {
        // First the leaves are placed, in the order of a depth-first search. Then the other
        // vertices are placed, each after its children.
        let mut pending = vec![0];
        let mut order = Vec::new();
        while let Some(vertex) = pending.pop() {
            order.push(vertex);
            pending.extend(vertices[vertex].children.iter().rev().map(|child| child.to));
        }
        let mut right = GAP;
        for &vertex in order
            .iter()
            .filter(|&&vertex| vertices[vertex].children.is_empty())
        {
            x[vertex] = right + widths[vertex] / 2.0;
            right += widths[vertex] + GAP;
        }
        for &vertex in order.iter().rev() {
            if let (Some(first), Some(last)) = (
                vertices[vertex].children.first(),
                vertices[vertex].children.last(),
            ) {
                x[vertex] = f64::midpoint(x[first.to], x[last.to]);
            }
        }
        return spread(layers, widths, x);
    }
    let width = |layer: &[usize]| -> f64 { layer.iter().map(|&v| widths[v] + 2.0 * GAP).sum() };
    let widest = layers.iter().map(|layer| width(layer)).fold(0.0, f64::max);
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (index, vertex) in vertices.iter().enumerate() {
        for child in &vertex.children {
            parents[child.to].push(index);
        }
    }
    for layer in layers {
        let mut order = layer.clone();
        let near = |vertex: usize| {
            let sum: f64 = parents[vertex].iter().map(|&other| x[other]).sum();
            sum / parents[vertex].len().max(1) as f64
        };
        order.sort_by(|&a, &b| near(a).total_cmp(&near(b)));
        let share = widest / order.len() as f64;
        for (place, &vertex) in order.iter().enumerate() {
            x[vertex] = GAP + share * (place as f64 + 0.5);
        }
    }
    spread(layers, widths, x)
}

/// Moves vertices of a layer to the right until neighbours do not overlap.
fn spread(layers: &[Vec<usize>], widths: &[f64], mut x: Vec<f64>) -> Vec<f64> {
    for layer in layers {
        let mut order = layer.clone();
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        let mut right = 0.0;
        for vertex in order {
            x[vertex] = x[vertex].max(right + GAP + widths[vertex] / 2.0);
            right = x[vertex] + widths[vertex] / 2.0;
        }
    }
    x
}
