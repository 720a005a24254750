//! NumPy arrays: sequences of values, and labelled graphs.

use grundy_analysis::period;
use grundy_core::graph::Digraph;
use grundy_core::heap::Width;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Kind, Labelled, Outcome, Play, Stop, game_graph, message};
use numpy::ndarray::ArrayView1;
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::ask::job;
use crate::failure::exception;
use crate::native_position::NativePosition;

/// Returns the Grundy values of the heaps 0, 1, ..., count - 1 of the heap game that the text
/// `family` denotes, as an array. The integer type of the array is the narrowest that suffices. The
/// values are not copied.
#[pyfunction]
#[pyo3(signature = (family, count, memory=None, progress=None))]
pub(crate) fn sequence<'py>(
    py: Python<'py>,
    family: &str,
    count: u64,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (job, caught) = job(None, memory, progress);
    let values = py.detach(|| period::sequence(family, count, &job));
    caught.check()?;
    let values = values.map_err(|error| exception(py, &error, family))?;
    Ok(match values.into_width() {
        Width::One(values) => values.into_pyarray(py).into_any(),
        Width::Two(values) => values.into_pyarray(py).into_any(),
        Width::Four(values) => values.into_pyarray(py).into_any(),
        Width::Eight(values) => values.into_pyarray(py).into_any(),
    })
}

/// A type of the integers in an array that the caller passes. Each integer is the number of a
/// vertex.
trait Vertex: Element + Copy + Ord + Send + Sync + std::fmt::Display {
    /// Returns the integer as a vertex number, or `None` if it is out of range.
    fn number(self) -> Option<u32>;
    /// Returns the integer as a vertex number, without a check. The caller must have checked the
    /// integer.
    fn number_unchecked(self) -> u32;
}

macro_rules! vertex {
    ($($type:ty),*) => {$(
        impl Vertex for $type {
            #[allow(clippy::unnecessary_fallible_conversions, reason = "one of the types is that of the numbers")]
            fn number(self) -> Option<u32> {
                let number = u32::try_from(self).ok()?;
                ((number as usize) < Digraph::MAX_VERTICES).then_some(number)
            }

            #[allow(clippy::unnecessary_cast, reason = "one of the types is that of the numbers")]
            fn number_unchecked(self) -> u32 {
                self as u32
            }
        }
    )*};
}

vertex!(i32, i64, u32, u64);

/// A one-dimensional array of vertices. Its type is one of the integer types that NumPy uses for
/// indices.
#[derive(FromPyObject)]
pub(crate) enum Column<'py> {
    Long(PyReadonlyArray1<'py, i64>),
    Int(PyReadonlyArray1<'py, i32>),
    UnsignedInt(PyReadonlyArray1<'py, u32>),
    UnsignedLong(PyReadonlyArray1<'py, u64>),
}

/// Evaluates an expression with a view of a [`Column`], which is an array of vertices of any
/// supported integer type. The array is not copied.
macro_rules! with_column {
    ($column:expr, $view:ident => $body:expr) => {
        match $column {
            Column::Long(array) => {
                let $view = array.as_array();
                $body
            }
            Column::Int(array) => {
                let $view = array.as_array();
                $body
            }
            Column::UnsignedInt(array) => {
                let $view = array.as_array();
                $body
            }
            Column::UnsignedLong(array) => {
                let $view = array.as_array();
                $body
            }
        }
    };
}

/// Returns the largest vertex number in a column, or `None` if the column is empty. Fails if an
/// entry is not a vertex number, and reports the index of this entry.
fn largest<V: Vertex>(column: ArrayView1<'_, V>, name: &str) -> Result<Option<u32>, Diagnostic> {
    let mut most = None;
    for (index, &value) in column.iter().enumerate() {
        let number = value.number().ok_or_else(|| {
            let text = value.to_string();
            Diagnostic::new(
                Kind::Range,
                message!(
                    "{name}[{index}]: {value} is not a vertex: vertices are 0 to 2^31 - 2",
                    name,
                    index,
                    value = text
                ),
            )
        })?;
        most = most.max(Some(number));
    }
    Ok(most)
}

/// Returns how many vertices a graph has: as many as requested, or by default one more than the
/// largest vertex number.
fn vertices(requested: Option<usize>, largest: Option<u32>) -> Result<usize, Diagnostic> {
    let needed = largest.map_or(0, |most| most as usize + 1);
    // The given number can be larger than needed. The additional vertices have no moves.
    let count = requested.unwrap_or(needed);
    if count < needed {
        let message = message!(
            "vertices: {count} is too small: an edge has the end {end}",
            count,
            end = needed - 1
        );
        return Err(Diagnostic::new(Kind::Range, message));
    }
    if count > Digraph::MAX_VERTICES {
        let message = message!("vertices: a graph must have fewer than 2^31");
        return Err(Diagnostic::new(Kind::Range, message));
    }
    Ok(count)
}

/// The outcome, the remoteness and the value of every vertex of a graph.
#[pyclass(frozen, module = "grundy._native")]
#[derive(Debug)]
pub(crate) struct Labels {
    graph: Digraph,
    labelled: Labelled,
}

#[pymethods]
impl Labels {
    fn __len__(&self) -> usize {
        self.graph.vertices()
    }

    /// Returns the outcome of each vertex as the character code of N, P or D.
    fn outcomes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        // NumPy stores a string of one character as a `uint32`. Hence this array can be read as
        // strings without a copy.
        let letters = self.vertices().map(|vertex| {
            let letter = match self.labelled.label(vertex).outcome {
                Outcome::N => 'N',
                Outcome::P => 'P',
                Outcome::D => 'D',
            };
            letter.into()
        });
        letters.collect::<Vec<u32>>().into_pyarray(py)
    }

    /// Returns the remoteness of each vertex, or -1 if the vertex is a draw.
    fn remoteness<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let moves = self.vertices().map(|vertex| {
            let moves = self.labelled.label(vertex).remoteness;
            // A vertex of this remoteness implies vertices of all smaller ones. Hence it is less
            // than the number of vertices.
            moves.map_or(-1, |moves| moves as i32)
        });
        moves.collect::<Vec<i32>>().into_pyarray(py)
    }

    /// Returns the Grundy value of each vertex, or -1 if it is infinite. Returns `None` in misère
    /// play.
    fn grundy<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i32>>> {
        if !self.labelled.has_values() {
            return None;
        }
        let values = self.vertices().map(|vertex| match self.value(vertex) {
            // The value is at most the number of options, so it is less than 2^31.
            Some(Loopy::Finite(value)) => value as i32,
            _ => -1,
        });
        Some(values.collect::<Vec<i32>>().into_pyarray(py))
    }

    /// Returns the set of an infinite value, that is, the finite values of the options of the
    /// vertex. Returns `None` if the value of the vertex is not infinite.
    fn infinity(&self, vertex: u32) -> PyResult<Option<Vec<u64>>> {
        if vertex as usize >= self.graph.vertices() {
            return Err(PyIndexError::new_err("there is no such vertex"));
        }
        Ok(match self.value(vertex) {
            Some(Loopy::Infinite(set)) => Some(set),
            _ => None,
        })
    }
}

impl Labels {
    fn vertices(&self) -> std::ops::Range<u32> {
        0..self.graph.vertices() as u32
    }

    fn value(&self, vertex: u32) -> Option<Loopy> {
        self.labelled.value_in(&self.graph, vertex)
    }
}

/// The names of the positions of a game graph, and its edges. An edge is a pair of indices of
/// positions.
type Edges = (Vec<String>, Vec<(u32, u32)>);

/// Returns the positions and the edges of the game graph of a position.
#[pyfunction]
pub(crate) fn edges(py: Python<'_>, position: PyRef<'_, NativePosition>) -> PyResult<Edges> {
    let (job, caught) = job(None, None, None);
    let position = position.position.clone();
    let found = py.detach(|| {
        let limits = job.limits();
        let game = game_graph(&position, &limits)?;
        let names = (0..game.positions()).map(|number| game.name(number).into_owned());
        let vertices = 0..game.graph.vertices() as u32;
        let mut edges: Vec<(u32, u32)> = vertices
            .flat_map(|vertex| {
                let options = game.graph.options(vertex).iter();
                options.map(move |&option| (vertex, option))
            })
            .map(|(vertex, option)| (game.position(vertex), game.position(option)))
            .collect();
        // If both players can move to the same position, the edge is found twice.
        edges.sort_unstable();
        edges.dedup();
        Ok((names.collect(), edges))
    });
    caught.check()?;
    found.map_err(|stop: Stop| exception(py, &stop.into(), ""))
}

/// Computes the labels (outcome, remoteness and value) of all vertices of the graph that `graph`
/// returns.
fn labelled(
    py: Python<'_>,
    misere: bool,
    graph: impl FnOnce() -> Result<Digraph, Diagnostic> + Send,
) -> PyResult<Labels> {
    let (job, caught) = job(None, None, None);
    let play = if misere { Play::Misere } else { Play::Normal };
    let labels = py.detach(|| {
        let graph = graph()?;
        let labelled = Labelled::of_graph(&graph, play, &job.limits());
        Ok(Labels {
            labelled: labelled.map_err(|stop: Stop| Diagnostic::from(stop))?,
            graph,
        })
    });
    caught.check()?;
    labels.map_err(|error: Diagnostic| exception(py, &error, ""))
}

/// Labels a graph whose edges lead from `sources[k]` to `targets[k]`. The arrays are not copied.
#[pyfunction]
#[pyo3(signature = (sources, targets, vertices=None, misere=false))]
pub(crate) fn label_edges(
    py: Python<'_>,
    sources: Column<'_>,
    targets: Column<'_>,
    vertices: Option<usize>,
    misere: bool,
) -> PyResult<Labels> {
    with_column!(&sources, sources => with_column!(&targets, targets => {
        labelled(py, misere, || graph_of_columns(sources, targets, vertices))
    }))
}

fn graph_of_columns<S: Vertex, T: Vertex>(
    sources: ArrayView1<'_, S>,
    targets: ArrayView1<'_, T>,
    requested: Option<usize>,
) -> Result<Digraph, Diagnostic> {
    if sources.len() != targets.len() {
        let message = message!("sources and targets differ in length");
        return Err(Diagnostic::new(Kind::Range, message));
    }
    if sources.len() > Digraph::MAX_EDGES {
        let message = message!("a graph must have fewer than 2^32 edges");
        return Err(Diagnostic::new(Kind::Range, message));
    }
    // All entries are checked here. Hence `number_unchecked` may be used below.
    let most = largest(sources, "sources")?.max(largest(targets, "targets")?);
    let count = vertices(requested, most)?;
    let ends = (0..sources.len()).map(|index| {
        (
            sources[index].number_unchecked(),
            targets[index].number_unchecked(),
        )
    });
    Ok(Digraph::from_edge_iter(count, ends))
}

/// An array of shape (m, 2). Its type is one of the integer types that NumPy uses for indices.
#[derive(FromPyObject)]
pub(crate) enum Pairs<'py> {
    Long(PyReadonlyArray2<'py, i64>),
    Int(PyReadonlyArray2<'py, i32>),
    UnsignedInt(PyReadonlyArray2<'py, u32>),
    UnsignedLong(PyReadonlyArray2<'py, u64>),
}

/// Labels a graph whose edges are the rows of an array. The array must be contiguous and is not
/// copied.
#[pyfunction]
#[pyo3(signature = (pairs, vertices=None, misere=false))]
pub(crate) fn label_pairs(
    py: Python<'_>,
    pairs: Pairs<'_>,
    vertices: Option<usize>,
    misere: bool,
) -> PyResult<Labels> {
    match &pairs {
        Pairs::Long(array) => label_array(py, array, vertices, misere),
        Pairs::Int(array) => label_array(py, array, vertices, misere),
        Pairs::UnsignedInt(array) => label_array(py, array, vertices, misere),
        Pairs::UnsignedLong(array) => label_array(py, array, vertices, misere),
    }
}

fn label_array<V: Vertex>(
    py: Python<'_>,
    array: &PyReadonlyArray2<'_, V>,
    requested: Option<usize>,
    misere: bool,
) -> PyResult<Labels> {
    let entries = array.as_slice()?;
    labelled(py, misere, || {
        // All entries are valid if the smallest and the largest are. These are computed by fast
        // vector instructions. An invalid entry is searched for only if there is one.
        let (least, most) = (entries.iter().min(), entries.iter().max());
        let extremes = least.into_iter().chain(most);
        if extremes.clone().any(|entry| entry.number().is_none()) {
            largest(ArrayView1::from(entries), "edges, row by row")?;
        }
        let most = most.map(|entry| entry.number_unchecked());
        let count = vertices(requested, most)?;
        let (pairs, _) = entries.as_chunks::<2>();
        let ends = pairs
            .iter()
            .map(|[source, target]| (source.number_unchecked(), target.number_unchecked()));
        Ok(Digraph::from_edge_iter(count, ends))
    })
}

/// Labels a graph in compressed sparse row format. The options of vertex v are
/// `targets[offsets[v]..offsets[v + 1]]`.
#[pyfunction]
#[pyo3(signature = (offsets, targets, misere=false))]
pub(crate) fn label_rows(
    py: Python<'_>,
    offsets: Column<'_>,
    targets: Column<'_>,
    misere: bool,
) -> PyResult<Labels> {
    with_column!(&offsets, offsets => with_column!(&targets, targets => {
        labelled(py, misere, || graph_of_rows(offsets, targets))
    }))
}

fn graph_of_rows<O: Vertex, T: Vertex>(
    offsets: ArrayView1<'_, O>,
    targets: ArrayView1<'_, T>,
) -> Result<Digraph, Diagnostic> {
    let refuse = |message| Err(Diagnostic::new(Kind::Range, message));
    // Offsets are checked by the same function as vertices. Hence such a graph has fewer than 2^31
    // edges.
    largest(offsets, "offsets")?;
    let most = largest(targets, "targets")?;
    let count = offsets.len().saturating_sub(1);
    vertices(Some(count), most)?;
    let mut graph = Digraph::default();
    let mut read = 0;
    let ends = offsets
        .iter()
        .map(|offset| offset.number_unchecked() as usize);
    for (row, end) in ends.enumerate() {
        if row == 0 {
            if end != 0 {
                return refuse(message!("offsets: the first entry must be 0"));
            }
            continue;
        }
        if end < read || end > targets.len() {
            return refuse(message!(
                "offsets[{row}]: offsets must not decrease or exceed the number of targets",
                row
            ));
        }
        for index in read..end {
            graph.push_edge(targets[index].number_unchecked());
        }
        graph.end_vertex();
        read = end;
    }
    if read != targets.len() {
        return refuse(message!(
            "offsets: the last entry must be the number of targets"
        ));
    }
    Ok(graph)
}
