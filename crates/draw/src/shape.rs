//! The drawings of components, with one file for each family of games.

mod board;
mod graph;
mod heap;
mod other;
mod row;
mod sheet;
mod strip;

use grundy_core::picture::Picture;

use crate::hackenbush;
use crate::pen::Pen;

pub(crate) use other::summary;

/// Draws a component with the function for its kind of picture.
pub(crate) fn draw(pen: &mut Pen<'_>, picture: &Picture) {
    match picture {
        Picture::Heaps(heaps) => heap::heaps(pen, heaps, false),
        Picture::HeapsTogether(heaps) => heap::heaps(pen, heaps, true),
        Picture::Bounded { size, most } => heap::bounded(pen, *size, *most),
        Picture::Stairs(steps) => heap::stairs(pen, steps),
        Picture::Strip { first, coins } => strip::coins(pen, *first, coins),
        Picture::Coins(coins) => strip::single_coins(pen, coins),
        Picture::Heads(heads) => strip::heads(pen, heads),
        Picture::Lane(lane) => row::lane(pen, lane),
        Picture::Pins(pins) => row::pins(pen, pins),
        Picture::Dominoes(row) => row::dominoes(pen, row),
        Picture::Board(rows) => board::board(pen, rows),
        Picture::Counters { width, rows } => board::counters(pen, *width, rows),
        Picture::Piece(column, row) => board::piece(pen, *column, *row),
        Picture::Rows(rows) => board::bar(pen, rows),
        Picture::Rectangle(a, b) => other::rectangle(pen, *a, *b),
        Picture::Day { date, last } => sheet::day(pen, *date, *last),
        Picture::Graph {
            vertices,
            edges,
            numbers,
        } => graph::graph(pen, vertices, edges, numbers),
        Picture::Edges {
            edges,
            numbers,
            ground,
        } => hackenbush::draw(pen, edges, ground, numbers),
        Picture::Text(text) => other::text(pen, text),
    }
}
