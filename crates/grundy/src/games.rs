//! One function for each game: its rules, the theorem on it, and an example.
//!
//! A function returns a [`Position`] if all values of its arguments describe a position, and a
//! `Result` if they can be wrong. In the first case, numbers whose sum does not fit into 64 bits
//! are reported by the first question about the position. Numbers of heaps, coins and rows are
//! given as arrays, vectors or other iterators over `u64` or `&u64`. Boards are given by one string
//! for each row, or as [`Board`]. An argument that the notation can omit is an `Option`: `None`
//! stands for its default.

use std::collections::HashMap;

use grundy_base::{Diagnostic, Player};
use grundy_core::argument::Argument;
use grundy_core::registry;

use crate::{Error, Position};

/// A number of chips, a square or a row length: `u64`, or a reference to one.
pub trait Natural {
    /// Returns the number.
    fn natural(&self) -> u64;
}

impl Natural for u64 {
    fn natural(&self) -> u64 {
        *self
    }
}

impl Natural for &u64 {
    fn natural(&self) -> u64 {
        **self
    }
}

/// A pair of numbers: `(u64, u64)` or `[u64; 2]`.
pub trait Pair {
    /// Returns both numbers.
    fn pair(&self) -> [u64; 2];
}

impl Pair for (u64, u64) {
    fn pair(&self) -> [u64; 2] {
        [self.0, self.1]
    }
}

impl Pair for [u64; 2] {
    fn pair(&self) -> [u64; 2] {
        *self
    }
}

impl<P: Pair> Pair for &P {
    fn pair(&self) -> [u64; 2] {
        (**self).pair()
    }
}

/// The positions one move away from a position: a list of names, or one name.
///
/// A position may be named several times as a source. Its moves are then joined, so a list of edges
/// describes a graph.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let edges = games::graph([("a", "b"), ("b", "a"), ("b", "c")], "a", None)?;
/// let lists = games::graph([("a", vec!["b"]), ("b", vec!["a", "c"])], "a", None)?;
/// assert_eq!(edges, lists);
/// # Ok::<(), Error>(())
/// ```
pub trait Targets {
    /// Returns the names of the positions.
    fn targets(&self) -> Vec<String>;
}

impl Targets for &str {
    fn targets(&self) -> Vec<String> {
        vec![(*self).to_owned()]
    }
}

impl Targets for String {
    fn targets(&self) -> Vec<String> {
        vec![self.clone()]
    }
}

impl<S: AsRef<str>> Targets for [S] {
    fn targets(&self) -> Vec<String> {
        self.iter().map(|name| name.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<str>> Targets for Vec<S> {
    fn targets(&self) -> Vec<String> {
        self[..].targets()
    }
}

impl<S: AsRef<str>, const N: usize> Targets for [S; N] {
    fn targets(&self) -> Vec<String> {
        self[..].targets()
    }
}

impl<S: AsRef<str>> Targets for &[S] {
    fn targets(&self) -> Vec<String> {
        (**self).targets()
    }
}

impl<S: AsRef<str>> Targets for &Vec<S> {
    fn targets(&self) -> Vec<String> {
        self[..].targets()
    }
}

impl<S: AsRef<str>, const N: usize> Targets for &[S; N] {
    fn targets(&self) -> Vec<String> {
        self[..].targets()
    }
}

/// A board, given by one string for each row, or empty with a number of rows and columns.
///
/// # Examples
/// ```
/// use grundy::games::{self, Board};
/// let expected = games::cram(["...", "..."])?;
/// assert_eq!(games::cram(Board::empty(2, 3))?, expected);
/// assert_eq!(games::cram("... / ...")?, expected);
/// let rows: Board = (0..2).map(|_| ".".repeat(3)).collect();
/// assert_eq!(games::cram(rows)?, expected);
/// # Ok::<(), grundy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Board(Argument);

impl Board {
    /// Returns the empty board with the given numbers of rows and columns.
    ///
    /// # Examples
    /// See [`Board`].
    #[must_use]
    pub fn empty(rows: u64, columns: u64) -> Self {
        Self(Argument::Board(rows, columns))
    }

    fn of_rows<S: AsRef<str>>(rows: impl IntoIterator<Item = S>) -> Self {
        let rows = rows
            .into_iter()
            .map(|row| Argument::Text(row.as_ref().to_owned()));
        Self(Argument::List(rows.collect()))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Board {
    fn from_iter<I: IntoIterator<Item = S>>(rows: I) -> Self {
        Self::of_rows(rows)
    }
}

impl<S: AsRef<str>, const N: usize> From<[S; N]> for Board {
    fn from(rows: [S; N]) -> Self {
        Self::of_rows(rows)
    }
}

impl<S: AsRef<str>, const N: usize> From<&[S; N]> for Board {
    fn from(rows: &[S; N]) -> Self {
        Self::of_rows(rows)
    }
}

impl<S: AsRef<str>> From<&[S]> for Board {
    fn from(rows: &[S]) -> Self {
        Self::of_rows(rows)
    }
}

impl<S: AsRef<str>> From<Vec<S>> for Board {
    fn from(rows: Vec<S>) -> Self {
        Self::of_rows(rows)
    }
}

impl<S: AsRef<str>> From<&Vec<S>> for Board {
    fn from(rows: &Vec<S>) -> Self {
        Self::of_rows(rows)
    }
}

/// The rows of a board in one text, separated by line breaks or slashes.
impl From<&str> for Board {
    fn from(rows: &str) -> Self {
        Self::of_rows(rows.trim().split(['\n', '/']).map(str::trim))
    }
}

/// The numbers of chips that a move may take: a list, or the name of a set such as `"squares"`.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let position = games::subtraction("squares", [5])?;
/// assert_eq!(position.solve()?.outcome(), Outcome::P);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Takes(Argument);

impl From<&str> for Takes {
    fn from(name: &str) -> Self {
        Self(Argument::Text(name.to_owned()))
    }
}

impl<T: Natural, const N: usize> From<[T; N]> for Takes {
    fn from(numbers: [T; N]) -> Self {
        Self(list(numbers))
    }
}

impl From<&[u64]> for Takes {
    fn from(numbers: &[u64]) -> Self {
        Self(list(numbers))
    }
}

impl From<Vec<u64>> for Takes {
    fn from(numbers: Vec<u64>) -> Self {
        Self(list(numbers))
    }
}

impl From<&Vec<u64>> for Takes {
    fn from(numbers: &Vec<u64>) -> Self {
        Self(list(numbers))
    }
}

/// The edges of a graph or of a Hackenbush picture: a text, or pairs of vertices. A picture also
/// has vertices on the ground.
///
/// In text, a green edge between the vertices 0 and 1 is written `0-1` or `0-1:g`. A blue edge is
/// written `0-1:b`, and a red edge `0-1:r`. Edges are separated by blanks.
///
/// # Examples
/// ```
/// use grundy::games::{self, Edges};
/// let bridge = games::hackenbush(Edges::from("0-1:b 1-2:r").grounded([0, 2]))?;
/// assert_eq!(bridge.to_string(), "hackenbush(\"0-1:b 1-2:r\", ground=[0, 2])");
/// # Ok::<(), grundy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    text: String,
    ground: Option<Vec<u64>>,
}

impl Edges {
    /// Sets the vertices on the ground. Without this call, vertex 0 is on the ground.
    ///
    /// # Examples
    /// See [`Edges`].
    #[must_use]
    pub fn grounded(mut self, vertices: impl IntoIterator<Item = impl Natural>) -> Self {
        self.ground = Some(
            vertices
                .into_iter()
                .map(|vertex| vertex.natural())
                .collect(),
        );
        self
    }
}

impl From<&str> for Edges {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ground: None,
        }
    }
}

impl From<String> for Edges {
    fn from(text: String) -> Self {
        Self { text, ground: None }
    }
}

impl From<&String> for Edges {
    fn from(text: &String) -> Self {
        Self::from(&**text)
    }
}

/// Green edges between pairs of vertices.
impl<const N: usize> From<[(u64, u64); N]> for Edges {
    fn from(edges: [(u64, u64); N]) -> Self {
        Self::from(&edges[..])
    }
}

/// Green edges between pairs of vertices.
impl From<Vec<(u64, u64)>> for Edges {
    fn from(edges: Vec<(u64, u64)>) -> Self {
        Self::from(&edges[..])
    }
}

/// Green edges between pairs of vertices.
impl From<&[(u64, u64)]> for Edges {
    fn from(edges: &[(u64, u64)]) -> Self {
        let edges: Vec<String> = edges
            .iter()
            .map(|(from, to)| format!("{from}-{to}"))
            .collect();
        Self {
            text: edges.join(" "),
            ground: None,
        }
    }
}

type Items = Vec<(Option<String>, Argument)>;

fn int(number: u64) -> Argument {
    Argument::Int(number.into())
}

fn list(numbers: impl IntoIterator<Item = impl Natural>) -> Argument {
    Argument::List(
        numbers
            .into_iter()
            .map(|number| int(number.natural()))
            .collect(),
    )
}

fn named(name: &str, value: Argument) -> (Option<String>, Argument) {
    (Some(name.to_owned()), value)
}

fn construct(name: &str, items: &Items) -> Result<Position, Diagnostic> {
    let term = registry::construct(name, items)?;
    Ok(grundy_core::Position::from(term).into())
}

/// The type of a parameter of each kind.
macro_rules! parameter {
    (number) => { u64 };
    (flag) => { impl Into<Option<bool>> };
    (text) => { impl AsRef<str> };
    (player) => { impl Into<Option<Player>> };
    (endless) => { impl Into<Option<Player>> };
    (mark) => { impl Into<Option<Player>> };
    (option) => { impl Into<Option<u64>> };
    (numbers) => { impl IntoIterator<Item = impl Natural> };
    (list) => { impl IntoIterator<Item = impl Natural> };
    (pairs) => { impl IntoIterator<Item = impl Pair> };
    (set) => { impl Into<Takes> };
    (board) => { impl Into<Board> };
    (edges) => { impl Into<Edges> };
    (moves) => { impl IntoIterator<Item = (impl AsRef<str>, impl Targets)> };
    (ends) => { impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)> };
    (game) => { &Position };
}

/// Appends the arguments for a parameter of each kind.
macro_rules! push {
    ($items:ident, $value:ident, number) => {
        $items.push((None, int($value)))
    };
    ($items:ident, $value:ident, flag) => {
        $items.extend($value.into().map(|flag| (None, Argument::Bool(flag))))
    };
    ($items:ident, $value:ident, text) => {
        $items.push((None, Argument::Text($value.as_ref().to_owned())))
    };
    ($items:ident, $value:ident, player) => {
        $items.extend($value.into().map(|player| {
            let name = player.of(["left", "right"]).to_owned();
            named("to_move", Argument::Text(name))
        }))
    };
    ($items:ident, $value:ident, endless) => {
        $items.extend($value.into().map(|player| {
            let name = player.of(["left", "right"]).to_owned();
            named("endless", Argument::Text(name))
        }))
    };
    ($items:ident, $value:ident, mark) => {
        $items.extend($value.into().map(|player| {
            let name = player.of(["X", "O"]).to_owned();
            named("to_move", Argument::Text(name))
        }))
    };
    ($items:ident, $value:ident, option) => {
        $items.extend(
            $value
                .into()
                .map(|number| named(stringify!($value), int(number))),
        )
    };
    ($items:ident, $value:ident, numbers) => {
        $items.extend(
            $value
                .into_iter()
                .map(|number| (None, int(number.natural()))),
        )
    };
    ($items:ident, $value:ident, list) => {
        $items.push((None, list($value)))
    };
    ($items:ident, $value:ident, pairs) => {
        $items.push((
            None,
            Argument::List($value.into_iter().map(|pair| list(pair.pair())).collect()),
        ))
    };
    ($items:ident, $value:ident, set) => {
        $items.push((None, $value.into().0))
    };
    ($items:ident, $value:ident, board) => {
        $items.push((None, $value.into().0))
    };
    ($items:ident, $value:ident, edges) => {
        push_edges(&mut $items, $value.into())
    };
    ($items:ident, $value:ident, moves) => {
        $items.push((None, moves($value)))
    };
    ($items:ident, $value:ident, ends) => {
        $items.push((None, Argument::Map($value.into_iter().map(end).collect())))
    };
    ($items:ident, $value:ident, game) => {
        $items.push((None, Argument::Game($value.valid()?.clone())))
    };
}

fn push_edges(items: &mut Items, edges: Edges) {
    items.push((None, Argument::Text(edges.text)));
    items.extend(
        edges
            .ground
            .map(|vertices| named("ground", list(vertices.iter()))),
    );
}

/// Returns the map from each position to the positions one move away. Moves of a position that is
/// named several times are joined.
fn moves(rows: impl IntoIterator<Item = (impl AsRef<str>, impl Targets)>) -> Argument {
    let (mut indices, mut sources) = (HashMap::new(), Vec::<(String, Vec<Argument>)>::new());
    for (from, to) in rows {
        let from = from.as_ref();
        let index = *indices.entry(from.to_owned()).or_insert(sources.len());
        if index == sources.len() {
            sources.push((from.to_owned(), Vec::new()));
        }
        let to = to.targets().into_iter().map(Argument::Text);
        sources[index].1.extend(to);
    }
    let row = |(from, to)| (Argument::Text(from), Argument::List(to));
    Argument::Map(sources.into_iter().map(row).collect())
}

/// Returns the row of a map from a position to its result.
fn end((position, result): (impl AsRef<str>, impl AsRef<str>)) -> (Argument, Argument) {
    let text = |text: &str| Argument::Text(text.to_owned());
    (text(position.as_ref()), text(result.as_ref()))
}

/// The return type of a function, and the conversion of its result.
macro_rules! returned {
    (type position) => { Position };
    (type fallible) => { Result<Position, Error> };
    ($result:expr, position) => { Position::or_invalid($result) };
    ($result:expr, fallible) => {
        $result.map_err(Error::from)
    };
}

/// Defines the functions of the table of constructors.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])*
        fn $name:ident($($parameter:ident: $kind:ident),*) -> $result:ident, $signature:literal,
            $example:literal, $construct:path;
    )*) => {
        $(
            $(#[doc = $doc])*
            #[allow(
                unused_mut,
                clippy::vec_init_then_push,
                reason = "the macro does not know the number of arguments"
            )]
            pub fn $name($($parameter: parameter!($kind)),*) -> returned!(type $result) {
                let mut items = Items::new();
                $(push!(items, $parameter, $kind);)*
                returned!(construct(stringify!($name), &items), $result)
            }
        )*

        /// Returns the names of all games, in the order of the documentation.
        ///
        /// # Examples
        /// ```
        /// assert_eq!(grundy::games::names()[0], "nim");
        /// ```
        #[must_use]
        pub const fn names() -> &'static [&'static str] {
            &[$(stringify!($name)),*]
        }
    };
}

grundy_games::constructors!(functions);
