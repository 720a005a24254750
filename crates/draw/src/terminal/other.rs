//! Heaps, staircases, graphs and notation in characters.

use std::fmt::Write as _;
use std::ops::Range;

use super::paint::{highlighted_if, painted};
use super::{Signs, more};
use crate::Wording;

/// Largest number of lines of a drawing.
const LINES: usize = 40;
/// Largest number of chips of a heap for which every chip is drawn.
const CHIPS: u64 = 40;
/// Largest number of characters in a line of notation.
const LINE: usize = 78;
/// Largest number of lines of notation.
const WRAPPED: usize = 12;

/// Returns a heap of `count` chips in groups of five, followed by the number of chips. The lowest
/// `kept` chips cannot be taken, so another character is used for them.
fn chips(count: u64, kept: u64, signs: Signs<'_>) -> String {
    let shown = if count > CHIPS { 10 } else { count };
    let mut out = String::new();
    for chip in 0..shown {
        if chip > 0 && chip % 5 == 0 {
            out.push(' ');
        }
        // If a heap is too large, the top chips are drawn, since chips are taken from the top.
        let from_top = shown - 1 - chip;
        let free = count - 1 - from_top >= kept;
        out.push(if free { signs.chip } else { signs.kept });
    }
    if shown < count {
        out.insert_str(0, &format!("{} ", signs.ellipsis));
    }
    if shown > 0 {
        out.push(' ');
    }
    let _ = write!(out, "{count}");
    out
}

/// Returns one line for each heap. At most `most` chips may be taken from a heap. The heaps whose
/// indices are in `changed` are highlighted.
pub(super) fn heaps(
    heaps: &[u64],
    most: u64,
    changed: Range<usize>,
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    let side = heaps.len().to_string().len();
    let mut out = String::new();
    for (index, &heap) in heaps.iter().enumerate().take(LINES) {
        // Heaps are numbered from 1, as in the descriptions of moves.
        let number = index + 1;
        let chips = chips(heap, heap.saturating_sub(most), signs);
        let line = format!("{number:>side$} {} {chips}", signs.bar);
        out.push_str(&highlighted_if(&line, changed.contains(&index)));
        out.push('\n');
    }
    if heaps.len() > LINES {
        out.push_str(&more(heaps.len() - LINES, say));
    }
    out
}

/// Returns a staircase that rises to the right, with the floor as step 0.
pub(super) fn stairs(steps: &[u64], signs: Signs<'_>, say: Wording<'_>) -> String {
    let side = steps.len().to_string().len();
    let shown = steps.len().min(LINES);
    // A staircase with many steps is less steep.
    let across = if shown > 12 { 1 } else { 3 };
    let mut out = String::new();
    if steps.len() > shown {
        out.push_str(&more(steps.len() - shown, say));
    }
    for number in (1..=shown).rev() {
        let coins = steps[number - 1];
        let before = " ".repeat(across * number);
        // A move takes coins one step down. It names the upper step, but both steps are
        // highlighted.
        let step = number as u64;
        let changed = signs
            .last
            .first()
            .is_some_and(|&from| from == step || from == step + 1);
        let coins = highlighted_if(&chips(coins, 0, signs), changed);
        let _ = writeln!(out, "{number:>side$}{before}{} {coins}", signs.corner);
    }
    let _ = writeln!(out, "{:>side$} {}", 0, signs.corner);
    out
}

/// Returns one line for each vertex, with its number, its letter if the graph has letters, and its
/// neighbours. If `numbers` is not empty, returns one line for each edge instead, with the number
/// of the edge and its two ends.
pub(super) fn graph(
    vertices: &[(u32, char)],
    edges: &[[u32; 2]],
    numbers: &[u32],
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    let mut out = String::new();
    let lines: Vec<String> = if numbers.is_empty() {
        let last = vertices.iter().map(|(vertex, _)| *vertex).max();
        let side = last.unwrap_or(0).to_string().len();
        let lettered = vertices.iter().any(|(_, letter)| *letter != '.');
        let line = |&(vertex, letter): &(u32, char)| {
            let near = edges.iter().filter_map(|&[a, b]| match vertex {
                _ if vertex == a => Some(b),
                _ if vertex == b => Some(a),
                _ => None,
            });
            let mut near: Vec<u32> = near.collect();
            // Edges may be listed in any order, so neighbours are sorted.
            near.sort_unstable();
            let near: Vec<String> = near.iter().map(u32::to_string).collect();
            let letter = if lettered {
                format!(" {}", painted(&letter.to_string(), signs.ink(letter)))
            } else {
                String::new()
            };
            let touched = signs.touches(u64::from(vertex));
            let name = highlighted_if(&format!("{vertex:>side$}"), touched);
            format!("{name}{letter} {} {}", signs.bar, near.join(" "))
        };
        vertices.iter().take(LINES).map(line).collect()
    } else {
        let side = numbers.iter().max().unwrap_or(&0).to_string().len();
        let line =
            |(number, [a, b]): (&u32, &[u32; 2])| format!("{number:>side$} {} {a}-{b}", signs.bar);
        numbers.iter().zip(edges).take(LINES).map(line).collect()
    };
    for line in &lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let all = if numbers.is_empty() {
        vertices.len()
    } else {
        numbers.len()
    };
    if all > lines.len() {
        out.push_str(&more(all - lines.len(), say));
    }
    out
}

/// Returns a text in the notation on several lines, cut off after `WRAPPED` lines.
pub(super) fn text(text: &str, signs: Signs<'_>) -> String {
    let mut lines = crate::wrap::wrapped(text, LINE);
    if lines.len() > WRAPPED {
        lines.truncate(WRAPPED);
        lines.push(signs.ellipsis.to_owned());
    }
    lines.join("\n") + "\n"
}
