//! Hackenbush with blue and red edges. Left cuts blue edges, Right cuts red ones, and both cut
//! green ones.
//!
//! - A tree of blue and red edges is a number. Branches add, and the colon principle gives the
//!   value of an edge that carries a number (Winning Ways, chapter 3).
//! - A tree of any colours has a value by ordinal sums. A branch is the ordinal sum of its lowest
//!   edge and the picture on top of this edge. The value of this sum depends only on the value of
//!   the picture on top.
//! - A picture with cycles is split at its cut vertices, and only its blocks are searched.
//!
//! The fusion principle does not hold here and is never used. It fails even for green cycles if
//! edges of other colours are next to them or above them.

use std::sync::Arc;

use super::picture::{Colour, HackenbushPicture};
use super::survey::Survey;
use super::{cut_move, edge_picture, form, remarks};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, EveryOption, Nature, Negation, Pictures, Pieces, Ruleset, Teaching,
    Theorem, Theorems, Visit,
};
use grundy_forms::{Form, Forms};

/// The theorem on the values of red-blue trees.
pub const NUMBER_TREES: Theorem = Theorem {
    method: "red-blue trees",
    name: "the value of red-blue trees",
    statement: "branches add; a blue edge that carries x has value (x + n)/2^(n-1), where n >= \
                1 is the least integer with x + n > 1; red edges are the mirror image",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 3",
};

/// The theorem on the values of trees in all colours.
pub const TREES: Theorem = Theorem {
    method: "coloured trees",
    name: "the value of coloured trees",
    statement: "branches add; an edge that carries S is the ordinal sum of the edge, {0|}, {|0} \
                or {0|0}, and S; its value depends only on the value of S",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7; A. N. Siegel, Combinatorial Game Theory, 2013, chapter II",
};

/// The rules of Hackenbush in all colours. A position is a sum of pictures.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Coloured;

/// Creates the game on a picture of any colours.
///
/// ```
/// use grundy_core::ruleset::hackenbush::{HackenbushPicture, coloured, edges};
/// use grundy_core::{Limits, Position, Solver};
/// let stalk = HackenbushPicture::new(&edges("0-1:b 1-2:r 2-3:r")?, &[0]);
/// let mut solver = Solver::default();
/// let position = Position::from(coloured(stalk));
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "1/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn coloured(picture: HackenbushPicture) -> Arc<dyn AnyTerm> {
    Arc::new(Term::new(Coloured, vec![picture]))
}

/// Returns whether a connected picture has no cycle.
fn is_tree(picture: &HackenbushPicture) -> bool {
    picture.edges().len() < picture.vertices()
}

/// Returns whether no edge is green.
fn red_and_blue(picture: &HackenbushPicture) -> bool {
    let mut edges = picture.edges().iter();
    edges.all(|edge| edge.colour != Colour::Green)
}

/// Maximal number of edges of a tree whose value an explanation derives step by step.
const MAX_EXPLAINED_EDGES: usize = 20;

/// Maximal number of canonical forms that the computation for an explanation may create.
const MAX_EXPLANATION_FORMS: u64 = 20_000;

/// Returns the value of a red-blue tree, computed from the leaves to the ground. Returns `None` if
/// an edge is green, or if a value has too many digits for a [`Dyadic`].
///
/// `on_edge` receives every edge, the value of the picture on top of the edge, and the value of
/// this picture together with the edge.
fn red_blue_value(
    picture: &HackenbushPicture,
    mut on_edge: impl FnMut(u32, &Dyadic, &Dyadic),
) -> Option<Dyadic> {
    let survey = Survey::new(&picture.graph());
    let mut value = vec![Dyadic::ZERO; survey.vertex.len()];
    // Children have larger preorder numbers than their parents, so the reverse order visits all
    // branches before the edge that carries them.
    for here in (1..value.len()).rev() {
        let index = survey.parent_edge[here];
        let on_top = std::mem::replace(&mut value[here], Dyadic::ZERO);
        let with_edge = match picture.edges()[index as usize].colour {
            Colour::Blue => on_top.on_blue()?,
            Colour::Red => on_top.on_red()?,
            Colour::Green => return None,
        };
        on_edge(index, &on_top, &with_edge);
        let parent = survey.parent[here] as usize;
        value[parent] = &value[parent] + &with_edge;
    }
    value.into_iter().next()
}

/// Returns the value of a tree in any colours, computed stalk by stalk from the leaves to the
/// ground. A stalk is a maximal path of edges without branches.
///
/// For every stalk, `on_stalk` receives the edges from the ground upwards and two values. The first
/// is the value of the picture on top of the stalk. The second is the value of this picture
/// together with the stalk.
fn tree_form(
    picture: &HackenbushPicture,
    forms: &mut Forms,
    limits: &Limits<'_>,
    mut on_stalk: impl FnMut(&mut Forms, &[u32], Form, Form),
) -> Result<Form, Stop> {
    let survey = Survey::new(&picture.graph());
    // The number of edges on top of each vertex. A maximal path through vertices with one such edge
    // is a stalk, whose canonical form is computed in one step (docs/theory.md, "Stalks").
    let mut edges_above = vec![0u32; survey.vertex.len()];
    for &parent in &survey.parent[1..] {
        edges_above[parent as usize] += 1;
    }
    let mut branches: Vec<Vec<Form>> = vec![Vec::new(); survey.vertex.len()];
    for top in (1..branches.len())
        .rev()
        .filter(|&here| edges_above[here] != 1)
    {
        let on_top = forms.total(&std::mem::take(&mut branches[top]), limits)?;
        let mut stalk = Vec::new();
        let mut here = top;
        loop {
            stalk.push(survey.parent_edge[here]);
            here = survey.parent[here] as usize;
            if here == 0 || edges_above[here] != 1 {
                break;
            }
        }
        stalk.reverse();
        let edges = stalk
            .iter()
            .map(|&edge| picture.edges()[edge as usize].colour);
        let owners: Vec<Option<Player>> = edges.map(Colour::owner).collect();
        let value = forms.on_stalk(&owners, on_top, limits)?;
        on_stalk(forms, &stalk, on_top, value);
        branches[here].push(value);
    }
    forms.total(&branches[0], limits)
}

/// Returns the explanation of the value of an edge together with the picture on top of it. `on_top`
/// is the value of this picture alone, and `value` is the value including the edge. The explanation
/// is the formula of [`NUMBER_TREES`] with the numbers of this edge.
fn edge_step(picture: &HackenbushPicture, index: u32, on_top: &Dyadic, value: &Dyadic) -> Step {
    let edge = &picture.edges()[index as usize];
    let blue = edge.colour == Colour::Blue;
    let alone = *on_top == Dyadic::ZERO;
    let code = match (blue, alone) {
        (true, true) => "blue_edge_alone",
        (false, true) => "red_edge_alone",
        (true, false) => "blue_edge_under",
        (false, false) => "red_edge_under",
    };
    let [a, b] = edge.ends;
    let step = Step::new(code)
        .with("edge", u64::from(picture.original_index(index)))
        .with("ends", format!("{a}-{b}"))
        .with("value", value.to_string());
    if alone {
        return step;
    }
    // The formula is stated for a blue edge. A red edge is its mirror image.
    let x = if blue { on_top.clone() } else { -on_top };
    let enough = |&n: &i64| &x + &Dyadic::integer(n) > Dyadic::ONE;
    let n = (1..=MAX_EXPLAINED_EDGES as i64 + 2)
        .find(enough)
        .unwrap_or(1);
    step.with("top", on_top.to_string())
        .with("x", x.to_string())
        .with("n", n as u64)
        .with("power", n as u64 - 1)
}

/// Returns the explanation of `value`, the value of the ordinal sum of a stalk and the picture on
/// top of it. The stalk is a path of edges without branches. `on_top` is the value of the picture
/// on top.
fn stalk_step(
    picture: &HackenbushPicture,
    stalk: &[u32],
    forms: &mut Forms,
    on_top: Form,
    value: Form,
) -> Step {
    let code = match (stalk, on_top) {
        ([_], Form::ZERO) => "edge_alone",
        ([_], _) => "edge_under",
        (_, Form::ZERO) => "stalk_alone",
        _ => "stalk_under",
    };
    let places = stalk
        .iter()
        .map(|&edge| u64::from(picture.original_index(edge)));
    let colours = stalk
        .iter()
        .map(|&edge| picture.edges()[edge as usize].colour.letter());
    let step = Step::new(code)
        .with("edges", places.collect::<Vec<u64>>())
        .with("colours", colours.collect::<String>())
        .with("value", forms.write(value));
    if on_top == Form::ZERO {
        return step;
    }
    step.with("top", forms.write(on_top))
}

/// Returns the edges that a player may cut.
fn cuttable_edges(player: Player, picture: &HackenbushPicture) -> impl Iterator<Item = u32> + '_ {
    let other_colour = match player {
        Player::Left => Colour::Red,
        Player::Right => Colour::Blue,
    };
    let edges = (0u32..).zip(picture.edges());
    edges
        .filter(move |(_, edge)| edge.colour != other_colour)
        .map(|(index, _)| index)
}

impl Ruleset for Coloured {
    type Part = HackenbushPicture;

    fn name(&self) -> &'static str {
        "hackenbush"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, HackenbushPicture> {
        Capabilities {
            theorems: Some(self),
            negation: Some(self),
            every_option: Some(self),
            teaching: Some(self),
            pieces: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        picture: &HackenbushPicture,
        visit: Visit<'_, HackenbushPicture>,
    ) -> Flow {
        cuttable_edges(player, picture)
            .filter(|&index| !picture.repeats(index))
            .try_for_each(|index| visit(&[picture.cut(index)], &|| cut_move(picture, index)))
    }

    fn components(&self, picture: &HackenbushPicture, visit: &mut dyn FnMut(HackenbushPicture)) {
        form::components(picture, visit);
    }

    fn write(&self, parts: &[HackenbushPicture]) -> String {
        parts.iter().map(HackenbushPicture::to_string).collect()
    }
}

impl Theorems<HackenbushPicture> for Coloured {
    fn number(&self, picture: &HackenbushPicture) -> Option<ByTheorem<Dyadic>> {
        if !is_tree(picture) || !red_and_blue(picture) {
            return None;
        }
        Some(ByTheorem {
            value: red_blue_value(picture, |_, _, _| {})?,
            theorem: &NUMBER_TREES,
        })
    }

    fn form(
        &self,
        picture: &HackenbushPicture,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        if !is_tree(picture) {
            return Ok(None);
        }
        Ok(Some(ByTheorem {
            value: tree_form(picture, forms, limits, |_, _, _, _| {})?,
            theorem: &TREES,
        }))
    }

    fn form_by_decomposition(
        &self,
        picture: &HackenbushPicture,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let ends = picture.graph().ends.into_iter();
        let edges = ends.zip(picture.edges());
        let edges: Vec<grundy_forms::Edge> = edges
            .map(|(ends, edge)| (ends, edge.colour.owner()))
            .collect();
        forms.on_ground(&edges, limits).map(Some)
    }
}

impl Negation<HackenbushPicture> for Coloured {
    fn negative(&self, picture: &HackenbushPicture) -> Option<HackenbushPicture> {
        Some(picture.exchanged())
    }
}

impl EveryOption<HackenbushPicture> for Coloured {
    fn every_option(
        &self,
        player: Player,
        _: usize,
        picture: &HackenbushPicture,
        visit: Visit<'_, HackenbushPicture>,
    ) -> Flow {
        cuttable_edges(player, picture)
            .try_for_each(|index| visit(&[picture.cut(index)], &|| cut_move(picture, index)))
    }
}

impl Teaching<HackenbushPicture> for Coloured {
    fn argument(&self, picture: &HackenbushPicture, _: Option<u64>) -> Vec<Step> {
        if !is_tree(picture) || picture.edges().len() > MAX_EXPLAINED_EDGES {
            return Vec::new();
        }
        let mut steps = Vec::new();
        if red_and_blue(picture) {
            let value = red_blue_value(picture, |index, on_top, value| {
                steps.push(edge_step(picture, index, on_top, value));
            });
            debug_assert!(value.is_some(), "numbers of so few edges fit");
            return steps;
        }
        let limits = Limits {
            positions: MAX_EXPLANATION_FORMS,
            ..Limits::none()
        };
        // Explanations compute the value again, with a small limit.
        let value = tree_form(
            picture,
            &mut Forms::default(),
            &limits,
            |forms, stalk, on_top, value| {
                steps.push(stalk_step(picture, stalk, forms, on_top, value));
            },
        );
        // If the limit was reached, the value is too complex to explain.
        value.map_or(Vec::new(), |_| steps)
    }

    fn remarks(&self, parts: &[HackenbushPicture]) -> Vec<Step> {
        remarks(parts)
    }
}

impl Pieces<HackenbushPicture> for Coloured {
    fn pieces(&self, picture: &HackenbushPicture) -> Option<Vec<HackenbushPicture>> {
        Some(form::pieces(picture))
    }
}

impl Pictures<HackenbushPicture> for Coloured {
    fn picture(&self, parts: &[HackenbushPicture]) -> Picture {
        parts
            .first()
            .map_or(Picture::Text(String::new()), edge_picture)
    }
}
