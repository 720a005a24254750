//! Explanation of the value of a green picture, in steps that reduce the picture.
//!
//! The steps unite the ground vertices, fuse cycles, replace branches by stalks (paths of edges),
//! and lead to the cuts that leave the wanted value. Each step that changes the picture contains
//! the picture after the step.

use std::fmt::Write as _;

use super::cuts::cuts_to;
use super::picture::HackenbushPicture;
use super::survey::Survey;
use grundy_base::step::Step;

/// Maximal number of edges of a picture that is reduced step by step.
const MAX_EXPLAINED_EDGES: usize = 120;

/// Maximal number of cuts that are explained.
const MAX_EXPLAINED_CUTS: usize = 6;

/// Returns the steps that reduce a picture. If `wanted` is a value, further steps explain the first
/// cuts that leave a picture of this value.
pub(super) fn steps(picture: &HackenbushPicture, wanted: Option<u64>) -> Vec<Step> {
    let graph = picture.graph();
    let survey = Survey::new(&graph);
    let mut steps = Vec::new();
    if picture.edges().len() > MAX_EXPLAINED_EDGES {
        let bridges = (1..survey.vertex.len() as u32)
            .filter(|&v| survey.is_top(v))
            .count();
        steps.push(
            Step::new("reduced_at_once")
                .with("edges", picture.edges().len())
                .with("fused", picture.edges().len() - bridges)
                .with("value", survey.total()),
        );
    } else {
        Reduction::new(picture, &survey).reduce(&mut steps);
    }
    if let Some(wanted) = wanted {
        // Cuts that leave the same picture are one move, so only the first of them is explained.
        let mut explained = Vec::new();
        for &cut in &cuts_to(&graph, wanted) {
            let picture_after = picture.cut(cut).to_string();
            if explained.len() < MAX_EXPLAINED_CUTS && !explained.contains(&picture_after) {
                explain_cut(picture, &survey, cut, wanted, &mut steps);
                explained.push(picture_after);
            }
        }
    }
    steps
}

/// A green picture during the reduction. Some of its blocks (maximal connected subgraphs without a
/// bridge) have been fused, and some branches have been replaced by stalks (paths of edges).
///
/// Vertices are identified by their preorder numbers in the depth-first search of [`Survey`].
struct Reduction<'a> {
    picture: &'a HackenbushPicture,
    survey: &'a Survey,
    /// For each vertex, its number in the picture, which identifies the vertex in the notation.
    names: Vec<u32>,
    /// For each vertex, the top of its block, that is, the vertex of this block that is nearest to
    /// the ground.
    tops: Vec<u32>,
    /// For each vertex, `true` if it has been fused with the top of its block.
    fused: Vec<bool>,
    /// For each top of a block, the length of the stalk (path of edges) that replaces the block and
    /// everything on it. `None` as long as the block has not been replaced.
    stalk: Vec<Option<u64>>,
    /// For each top of a block, the tops of the other blocks that this block carries on bridges.
    above: Vec<Vec<u32>>,
    /// For each top of a block, the edges inside the block. They are divided into groups that have
    /// only the top in common.
    inside: Vec<Vec<Group>>,
}

/// A group of edges inside a block, and the vertices that these edges join. The top of the block,
/// which is its vertex nearest to the ground, is not listed.
#[derive(Clone, Default)]
struct Group {
    edges: Vec<u32>,
    vertices: Vec<usize>,
    fused: bool,
}

impl Group {
    /// Returns the number of loops that remain after the group is fused: 0 or 1, since pairs of
    /// loops cancel.
    fn remaining_loops(&self) -> usize {
        self.edges.len() % 2
    }
}

impl<'a> Reduction<'a> {
    fn new(picture: &'a HackenbushPicture, survey: &'a Survey) -> Self {
        let graph = picture.graph();
        let tops = survey.tops();
        let count = tops.len();
        let mut preorder = vec![0; count];
        for (number, &vertex) in survey.vertex.iter().enumerate() {
            preorder[vertex as usize] = number;
        }
        let mut above = vec![Vec::new(); count];
        let mut bridge = vec![false; graph.ends.len()];
        for here in 1..count {
            if survey.is_top(here as u32) {
                above[tops[survey.parent[here] as usize] as usize].push(here as u32);
                bridge[survey.parent_edge[here] as usize] = true;
            }
        }
        // Union-find over the vertices of a block without its top. Each class is one group, which
        // is fused in one step.
        let mut group: Vec<usize> = (0..count).collect();
        let inner = || {
            (0u32..)
                .zip(&graph.ends)
                .filter(|(edge, _)| !bridge[*edge as usize])
                .map(|(edge, ends)| (edge, ends.map(|end| preorder[end as usize])))
        };
        for (_, [a, b]) in inner() {
            if tops[a] as usize != a && tops[b] as usize != b {
                let (a, b) = (root(&mut group, a), root(&mut group, b));
                group[a.max(b)] = a.min(b);
            }
        }
        let mut inside: Vec<Vec<Group>> = vec![Vec::new(); count];
        // For each class, the index of its group within the block.
        let mut group_index = vec![usize::MAX; count];
        for (edge, [a, b]) in inner() {
            let top = tops[a] as usize;
            let class = root(&mut group, if a == top { b } else { a });
            if group_index[class] == usize::MAX {
                group_index[class] = inside[top].len();
                inside[top].push(Group::default());
            }
            let group = &mut inside[top][group_index[class]];
            group.edges.push(edge);
            for vertex in [a, b] {
                if vertex != top && !group.vertices.contains(&vertex) {
                    group.vertices.push(vertex);
                }
            }
        }
        Self {
            names: survey
                .vertex
                .iter()
                .map(|&vertex| graph.names[vertex as usize])
                .collect(),
            picture,
            survey,
            tops,
            fused: vec![false; count],
            stalk: vec![None; count],
            above,
            inside,
        }
    }

    /// Appends the steps of the whole reduction. Cycles are fused first. Stalks then replace
    /// branches, from the leaves to the ground.
    fn reduce(mut self, steps: &mut Vec<Step>) {
        let ground = self.picture.ground();
        if ground.len() > 1 {
            let ground: Vec<u64> = ground.iter().map(|&vertex| u64::from(vertex)).collect();
            steps.push(
                Step::new("one_ground")
                    .with("into", ground[0])
                    .with("vertices", ground)
                    .with("picture", self.text()),
            );
        }
        for top in 0..self.tops.len() {
            for group in 0..self.inside[top].len() {
                self.fuse(top, group, steps);
            }
        }
        // In reverse preorder, the blocks above a block are visited before this block.
        for top in (0..self.tops.len()).rev() {
            if self.survey.is_top(top as u32) {
                self.prune(top, steps);
            }
        }
    }

    /// Fuses the vertices of a group of edges into the top of their block, that is, its vertex
    /// nearest to the ground. Appends the step to `steps`.
    fn fuse(&mut self, top: usize, group: usize, steps: &mut Vec<Step>) {
        let group = &mut self.inside[top][group];
        group.fused = true;
        for &vertex in &group.vertices {
            self.fused[vertex] = true;
        }
        let group = group.clone();
        let edges = group.edges.iter();
        let edges: Vec<u64> = edges
            .map(|&edge| u64::from(self.picture.original_index(edge)))
            .collect();
        let vertices = [top].into_iter().chain(group.vertices.iter().copied());
        let vertices: Vec<u64> = vertices.map(|v| u64::from(self.names[v])).collect();
        let code = if vertices.len() == 1 { "loops" } else { "fuse" };
        steps.push(
            Step::new(code)
                .with("count", edges.len())
                .with("edges", edges)
                .with("vertices", vertices)
                .with("into", u64::from(self.names[top]))
                .with("left", group.remaining_loops())
                .with("picture", self.text()),
        );
    }

    /// Replaces a block and everything on it by one stalk, that is, a path of edges. Appends the
    /// step to `steps`. Appends no step if the block is above the ground and has at most one
    /// branch, because the picture then stays the same.
    fn prune(&mut self, top: usize, steps: &mut Vec<Step>) {
        let mut branches: Vec<u64> = self.above[top]
            .iter()
            .map(|&branch| self.survey.value[branch as usize] + 1)
            .collect();
        let loops: usize = self.inside[top].iter().map(Group::remaining_loops).sum();
        // A remaining loop counts as a branch of length 1.
        branches.extend(std::iter::repeat_n(1, loops));
        let several = branches.len() > 1;
        let length = self.survey.value[top];
        self.stalk[top] = Some(length);
        let step = match (top, several) {
            (0, true) => Step::new("stalks_on_the_ground"),
            (0, false) => Step::new("one_stalk"),
            (_, true) => Step::new("colon").with("vertex", u64::from(self.names[top])),
            (_, false) => return,
        };
        let step = step.with("branches", branches).with("length", length);
        steps.push(step.with("picture", self.text()));
    }

    /// Returns the reduced picture in the notation.
    fn text(&self) -> String {
        let ends = |edge: u32| self.picture.edges()[edge as usize].ends;
        let ground = self.picture.ground();
        let most = ends_of(self.picture).max().unwrap_or(0);
        // New vertices of stalks and loops get numbers greater than all numbers in use.
        let mut fresh = u64::from(most);
        let mut text = String::new();
        let mut push = |a: u64, b: u64| {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{a}-{b}");
        };
        let name = |v: usize| {
            let top = self.tops[v] as usize;
            u64::from(self.names[if self.fused[v] { top } else { v }])
        };
        let mut pending = vec![0u32];
        while let Some(top) = pending.pop() {
            let top = top as usize;
            if let Some(length) = self.stalk[top] {
                let mut here = name(top);
                for _ in 0..length {
                    fresh += 1;
                    push(here, fresh);
                    here = fresh;
                }
                continue;
            }
            for group in &self.inside[top] {
                if group.fused {
                    for _ in 0..group.remaining_loops() {
                        fresh += 1;
                        push(name(top), fresh);
                    }
                    continue;
                }
                for &edge in &group.edges {
                    let [a, b] = ends(edge).map(|end| {
                        // The notation has one ground vertex, so all ground vertices are written as
                        // the first one.
                        u64::from(if ground.contains(&end) {
                            ground[0]
                        } else {
                            end
                        })
                    });
                    push(a, b);
                }
            }
            for &branch in self.above[top].iter().rev() {
                pending.push(branch);
            }
            for &branch in &self.above[top] {
                let from = self.survey.parent[branch as usize] as usize;
                push(name(from), u64::from(self.names[branch as usize]));
            }
        }
        match ground {
            [] | [0, ..] => format!("hackenbush(\"{text}\")"),
            [first, ..] => format!("hackenbush(\"{text}\", ground={first})"),
        }
    }
}

/// Returns the representative of a vertex in the union-find structure.
fn root(group: &mut [usize], mut vertex: usize) -> usize {
    while group[vertex] != vertex {
        // Path halving.
        group[vertex] = group[group[vertex]];
        vertex = group[vertex];
    }
    vertex
}

/// Returns the two ends of each edge.
fn ends_of(picture: &HackenbushPicture) -> impl Iterator<Item = u32> {
    picture.edges().iter().flat_map(|edge| edge.ends)
}

/// Appends the steps that lead from the ground to the edge `cut`. For each branch on the path, a
/// step gives the value that the branch must get. The last step is the cut.
fn explain_cut(
    picture: &HackenbushPicture,
    survey: &Survey,
    cut: u32,
    wanted: u64,
    steps: &mut Vec<Step>,
) {
    let tops = survey.tops();
    let original_index = |edge: u32| u64::from(picture.original_index(edge));
    let ends = |edge: u32| {
        let [a, b] = picture.edges()[edge as usize].ends;
        format!("{a}-{b}")
    };
    // If the edge is a bridge, the path ends at the block above it. Otherwise it ends at the block
    // that contains the edge.
    let graph = picture.graph();
    let [a, b] = graph.ends[cut as usize];
    let number = |vertex: u32| {
        let found = survey.vertex.iter().position(|&v| v == vertex);
        found.expect("every vertex of a picture is connected to the ground")
    };
    // The end with the larger preorder number is the one farther from the ground.
    let lower = number(a).max(number(b));
    let mut path = Vec::new();
    let mut top = tops[lower];
    while top != 0 {
        path.push(top as usize);
        top = tops[survey.parent[top as usize] as usize];
    }
    let mut target = wanted;
    let mut below = 0;
    for &here in path.iter().rev() {
        let contribution = survey.value[here] + 1;
        // The nim-sum of the branches must change from `value` to `target`, so this branch absorbs
        // the difference. The branch includes its bridge, hence `target = wanted - 1` for the block
        // above it.
        let wanted = target ^ survey.value[below] ^ contribution;
        let edge = survey.parent_edge[here];
        let step = Step::new("must_count")
            .with("edge", original_index(edge))
            .with("ends", ends(edge))
            .with("from", contribution)
            .with("to", wanted);
        // Paths to several cuts may share their beginning.
        if !steps.contains(&step) {
            steps.push(step);
        }
        if wanted == 0 {
            break;
        }
        target = wanted - 1;
        below = here;
    }
    steps.push(
        Step::new("cut_leaves")
            .with("edge", original_index(cut))
            .with("ends", ends(cut))
            .with("value", wanted)
            .with("picture", picture.cut(cut).to_string()),
    );
}
