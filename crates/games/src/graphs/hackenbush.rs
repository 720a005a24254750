//! Hackenbush: `hackenbush(edges, ground=0)`.
//!
//! Rules. A picture consists of edges, joined at their ends to each other and to the ground. A move
//! cuts one edge, and all edges that are no longer connected to the ground are removed with it. A
//! player who cannot move loses. In Green Hackenbush either player may cut any edge.
//!
//! Theorems (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays,
//! 1982, chapter 7; T. S. Ferguson, Game Theory, 2014, part I, section 6).
//!
//! - Colon principle: branches that meet in a vertex may be replaced by a stalk whose length is
//!   their nim-sum. A stalk is a Nim heap.
//! - Fusion principle: the vertices of a cycle may be fused. Its edges become loops, and a loop
//!   counts as an edge with a free end.
//!
//! The same two principles find every winning cut (see `cuts`). Both hold in normal play only.
//! Misère play is searched. Pictures in several colours are in `coloured`, where fusion does not
//! hold.
//!
//! Conventions. All ground vertices count as one vertex, the ground. Edges that are not connected
//! to the ground are not part of the picture.

mod add_xor_trie;
mod coloured;
mod cuts;
mod form;
mod grounded;
mod picture;
mod read;
mod reduction;
mod rings;
mod survey;

use std::sync::Arc;

pub use coloured::{Coloured, NUMBER_TREES, TREES, coloured};
pub use cuts::cuts_to;
pub use grounded::GroundedGraph;
pub use picture::{Colour, Edge, HackenbushPicture};
pub(crate) use read::edges_of;
pub use read::{MAX_EDGES, edges};
pub use rings::Rings;
pub use survey::Survey;

use grundy_base::message;

use crate::argument::{Argument, Arguments, number};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, EveryOption, Goal, MemoryUse, Pictures, Ruleset, Shortcuts, Teaching,
    Theorem, Theorems, Visit,
};

/// The theorem of the colon principle.
pub const COLON: Theorem = Theorem {
    method: "colon principle",
    name: "the colon principle",
    statement: "branches that meet at a vertex may be replaced by a single stalk whose length \
                is the nim-sum of their values",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// The theorem of the fusion principle, which is used together with the colon principle.
pub const FUSION: Theorem = Theorem {
    method: "fusion principle",
    name: "the fusion principle",
    statement: "the vertices of a cycle of green edges may be fused into one vertex; the edges \
                of the cycle become loops",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// The rules of Green Hackenbush. A position is a sum of pictures.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Hackenbush;

/// Reads `hackenbush(edges, ground=0)`.
///
/// # Errors
/// Edges that are not of the form `a-b`, and a ground that is not a vertex or a list of vertices.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::hackenbush};
/// let items = [(None, Argument::Text("0-1:b 1-2:r".to_owned()))];
/// let position = Position::from(hackenbush::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    Ok(term(picture_of(arguments)?))
}

/// Creates the game on a picture. It is impartial if all edges are green.
///
/// ```
/// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges, term};
/// use grundy_core::{Limits, Position, Solver};
/// // A stalk of three green edges is a Nim heap of 3.
/// let stalk = HackenbushPicture::new(&edges("0-1 1-2 2-3")?, &[0]);
/// let position = Position::from(term(stalk));
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn term(picture: HackenbushPicture) -> Arc<dyn AnyTerm> {
    if picture.is_green() {
        Term::new(Hackenbush, vec![picture]).into()
    } else {
        coloured(picture)
    }
}

/// Returns the picture that the arguments of `hackenbush` describe, in any colours.
///
/// # Errors
/// The errors of [`construct`].
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::ruleset::hackenbush::picture_of;
/// let items = [(None, Argument::Text("0-1 1-2:r 5-6".to_owned()))];
/// let picture = picture_of(&Arguments { items: &items })?;
/// assert_eq!((picture.edges().len(), picture.dropped()), (2, &[2][..]));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn picture_of(arguments: &Arguments<'_>) -> Result<HackenbushPicture, Diagnostic> {
    let [Some((place, written)), ground] = arguments.bind(["edges", "ground"], 1)? else {
        unreachable!("bind has seen to it that the edges are there");
    };
    let edges = edges_of(written, &[place])?;
    let most = u64::from(u32::MAX) - 1;
    let vertex = |value: &Argument, path: &[usize]| number(value, path, 0, most).map(|n| n as u32);
    let ground = match ground {
        None => vec![0],
        Some((place, Argument::List(items))) => {
            if items.is_empty() {
                return Err(
                    Diagnostic::illegal(message!("the list of ground vertices is empty"))
                        .at([place])
                        .help(message!(
                            "name at least one ground vertex, as in ground=[0, 3]"
                        )),
                );
            }
            items
                .iter()
                .enumerate()
                .map(|(index, item)| vertex(item, &[place, index]))
                .collect::<Result<_, _>>()?
        }
        Some((place, value)) => vec![vertex(value, &[place])?],
    };
    Ok(HackenbushPicture::new(&edges, &ground))
}

/// Returns the value of a green picture in normal play. O(edges).
///
/// ```
/// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges, value};
/// // Two branches of 1 and 2 on a trunk: 1 + (1 xor 2).
/// assert_eq!(value(&HackenbushPicture::new(&edges("0-1 1-2 1-3 3-4").unwrap(), &[0])), 4);
/// ```
#[must_use]
pub fn value(picture: &HackenbushPicture) -> u64 {
    debug_assert!(picture.is_green(), "fusion holds for green edges only");
    picture.value_or(|| Survey::new(&picture.graph()).total())
}

/// Returns the edges of a green picture whose cut leaves a picture with the value `wanted` in
/// normal play.
///
/// The edges are in increasing order. The time is O(E log E) for E edges, and O(E) if no cycle is
/// long (see [`cuts_to`]).
///
/// ```
/// use grundy_core::ruleset::hackenbush::{HackenbushPicture, cuts, edges};
/// let tree = HackenbushPicture::new(&edges("0-1 1-2 1-3 3-4").unwrap(), &[0]);
/// assert_eq!(cuts(&tree, 0), [0]);
/// assert_eq!(cuts(&tree, 1), [3]);
/// assert!(cuts(&tree, 4).is_empty());
/// ```
#[must_use]
pub fn cuts(picture: &HackenbushPicture, wanted: u64) -> Vec<u32> {
    debug_assert!(picture.is_green(), "fusion holds for green edges only");
    cuts_to(&picture.graph(), wanted)
}

/// Returns a remark for each picture in whose input some edges were not connected to the ground.
/// Such edges were dropped.
fn remarks(parts: &[HackenbushPicture]) -> Vec<Step> {
    parts
        .iter()
        .map(HackenbushPicture::dropped)
        .filter(|dropped| !dropped.is_empty())
        .map(|dropped| {
            let edges: Vec<u64> = dropped.iter().map(|&edge| u64::from(edge)).collect();
            Step::new("hangs_on_nothing")
                .with("count", edges.len())
                .with("edges", edges)
        })
        .collect()
}

/// Returns the drawing of a picture: its edges with their original indices, and its ground
/// vertices.
fn edge_picture(picture: &HackenbushPicture) -> Picture {
    let edges = picture.edges().iter();
    Picture::Edges {
        edges: edges
            .map(|edge| (edge.ends, edge.colour.letter()))
            .collect(),
        numbers: (0..picture.edges().len() as u32)
            .map(|edge| picture.original_index(edge))
            .collect(),
        ground: picture.ground().to_vec(),
    }
}

/// Creates the move that cuts an edge.
fn cut_move(picture: &HackenbushPicture, edge: u32) -> Move {
    let [a, b] = picture.edges()[edge as usize].ends;
    // Moves use the original index of the edge, which cuts do not change.
    let place = picture.original_index(edge);
    let step = Step::new("cut")
        .with("edge", u64::from(place))
        .with("ends", format!("{a}-{b}"));
    Move::new([u64::from(place)], step)
}

impl Ruleset for Hackenbush {
    type Part = HackenbushPicture;

    fn name(&self) -> &'static str {
        "hackenbush"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, HackenbushPicture> {
        Capabilities {
            theorems: Some(self),
            every_option: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            memory_use: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(
        &self,
        _: Player,
        _: usize,
        picture: &HackenbushPicture,
        visit: Visit<'_, HackenbushPicture>,
    ) -> Flow {
        (0..picture.edges().len() as u32)
            // Cutting either of two equal edges leaves the same picture, so only the first is an
            // option.
            .filter(|&edge| !picture.repeats(edge))
            .try_for_each(|edge| visit(&[picture.cut(edge)], &|| cut_move(picture, edge)))
    }

    fn components(&self, picture: &HackenbushPicture, visit: &mut dyn FnMut(HackenbushPicture)) {
        form::components(picture, visit);
    }

    fn write(&self, parts: &[HackenbushPicture]) -> String {
        parts.iter().map(HackenbushPicture::to_string).collect()
    }
}

impl Theorems<HackenbushPicture> for Hackenbush {
    fn grundy(&self, picture: &HackenbushPicture) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: value(picture),
            // A picture whose edges have not been computed may be a tree, too. Fusion covers both
            // cases, and the test must not compute the edges.
            theorem: if picture.is_computed_tree() {
                &COLON
            } else {
                &FUSION
            },
        })
    }
}

impl EveryOption<HackenbushPicture> for Hackenbush {
    fn every_option(
        &self,
        _: Player,
        _: usize,
        picture: &HackenbushPicture,
        visit: Visit<'_, HackenbushPicture>,
    ) -> Flow {
        (0..picture.edges().len() as u32)
            .try_for_each(|edge| visit(&[picture.cut(edge)], &|| cut_move(picture, edge)))
    }
}

impl Shortcuts<HackenbushPicture> for Hackenbush {
    fn options_to(
        &self,
        _: usize,
        picture: &HackenbushPicture,
        goal: Goal,
        visit: Visit<'_, HackenbushPicture>,
    ) -> Option<Flow> {
        let Goal::Grundy(wanted) = goal else {
            return None;
        };
        Some(
            cuts(picture, wanted)
                .into_iter()
                .filter(|&edge| !picture.repeats(edge))
                .try_for_each(|edge| {
                    visit(&[picture.cut_with_value(edge, wanted)], &|| {
                        cut_move(picture, edge)
                    })
                }),
        )
    }
}

impl Teaching<HackenbushPicture> for Hackenbush {
    /// Returns a step with the lengths of the stalks (paths of edges) on the ground to which the
    /// picture reduces. Returns `None` in misère play, for large pictures, and if fewer than two
    /// stalks remain.
    fn theorem_application(&self, picture: &HackenbushPicture, play: Play) -> Option<Step> {
        let last = reduction::steps(picture, None).pop();
        let last =
            last.filter(|step| play == Play::Normal && step.code == "stalks_on_the_ground")?;
        let stalks = last.args.into_iter().filter(|(name, _)| *name != "picture");
        Some(
            stalks.fold(Step::new("stalks_left"), |step, (name, datum)| {
                step.with(name, datum)
            }),
        )
    }

    fn argument(&self, picture: &HackenbushPicture, wanted: Option<u64>) -> Vec<Step> {
        reduction::steps(picture, wanted)
    }

    fn longest_play(&self, picture: &HackenbushPicture) -> Option<u128> {
        // Each cut can take an edge that supports no other edge, and such an edge exists in every
        // nonempty picture.
        Some(picture.edges().len() as u128)
    }

    fn remarks(&self, parts: &[HackenbushPicture]) -> Vec<Step> {
        remarks(parts)
    }
}

impl Pictures<HackenbushPicture> for Hackenbush {
    fn picture(&self, parts: &[HackenbushPicture]) -> Picture {
        parts
            .first()
            .map_or(Picture::Text(String::new()), edge_picture)
    }
}

impl MemoryUse<HackenbushPicture> for Hackenbush {
    fn bytes(&self, parts: &[HackenbushPicture]) -> usize {
        parts.iter().map(HackenbushPicture::bytes).sum()
    }
}
