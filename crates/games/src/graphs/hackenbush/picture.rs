//! Hackenbush pictures: coloured edges between numbered vertices, some of which are on the ground.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::grounded::GroundedGraph;
use grundy_base::player::Player;

/// The colour of an edge, which determines the players who may cut it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Either player may cut the edge.
    #[default]
    Green,
    /// Only Left may cut the edge.
    Blue,
    /// Only Right may cut the edge.
    Red,
}

impl Colour {
    /// Returns the letter of the colour in the notation.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::Colour;
    /// assert_eq!([Colour::Green, Colour::Blue, Colour::Red].map(Colour::letter), ['g', 'b', 'r']);
    /// ```
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Green => 'g',
            Self::Blue => 'b',
            Self::Red => 'r',
        }
    }

    /// Returns the only player who may cut the edge, or `None` if both may.
    ///
    /// ```
    /// use grundy_core::Player;
    /// use grundy_core::ruleset::hackenbush::Colour;
    /// assert_eq!(Colour::Blue.owner(), Some(Player::Left));
    /// assert_eq!(Colour::Green.owner(), None);
    /// ```
    #[must_use]
    pub fn owner(self) -> Option<Player> {
        match self {
            Self::Green => None,
            Self::Blue => Some(Player::Left),
            Self::Red => Some(Player::Right),
        }
    }
}

/// A coloured edge of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The two ends in the order of the input. They are equal for a loop.
    pub ends: [u32; 2],
    /// The colour, which determines the players who may cut the edge.
    pub colour: Colour,
}

impl Edge {
    /// Creates a green edge.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{Edge, edges};
    /// assert_eq!(edges("0-1 1-2:g")?, [Edge::green(0, 1), Edge::green(1, 2)]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn green(a: u32, b: u32) -> Self {
        Self {
            ends: [a, b],
            colour: Colour::Green,
        }
    }
}

/// A picture in which every edge is connected to the ground. All ground vertices count as one
/// vertex.
///
/// Cloning is cheap. A cut is cheap too: the remaining edges are computed on first use.
///
/// ```
/// use grundy_core::ruleset::hackenbush::{Edge, HackenbushPicture};
/// // A stalk of two edges, and an edge that is not connected to the ground.
/// let edges = [Edge::green(0, 1), Edge::green(1, 2), Edge::green(5, 6)];
/// let picture = HackenbushPicture::new(&edges, &[0]);
/// assert_eq!(picture.edges().len(), 2);
/// assert_eq!(picture.dropped(), [2]);
/// assert!(picture.cut(0).edges().is_empty());
/// ```
#[derive(Clone)]
pub struct HackenbushPicture(Arc<Inner>);

/// The shared state of a picture. If `edges` is unset, it is computed from `cut` on first use.
struct Inner {
    /// The picture before the last cut, and the edge that is cut.
    cut: Option<(Arc<GroundedEdges>, u32)>,
    edges: OnceLock<Arc<GroundedEdges>>,
    value: OnceLock<u64>,
}

/// The edges of a picture, all of which are connected to the ground.
struct GroundedEdges {
    edges: Vec<Edge>,
    /// The number of vertices. All ground vertices count as one.
    vertices: usize,
    /// The ground vertices that carry an edge, in increasing order.
    ground: Vec<u32>,
    /// For each edge, its index in the list of edges with which the game began (its original
    /// index). `None` if no edge has been dropped or cut.
    original_indices: Option<Vec<u32>>,
    /// The indices, in the input, of the edges that were dropped because they are not connected to
    /// the ground. Empty after a cut.
    dropped: Vec<u32>,
}

impl GroundedEdges {
    /// Creates the picture of the edges that are connected to the ground.
    fn new(edges: Vec<Edge>, ground: &[u32]) -> Self {
        let (connected, vertices) =
            GroundedGraph::new(edges.iter().map(|edge| edge.ends), ground).connected_to_ground();
        let mut ground: Vec<u32> = ground.to_vec();
        ground.sort_unstable();
        ground.dedup();
        let mut used = vec![false; ground.len()];
        for (edge, _) in edges
            .iter()
            .zip(&connected)
            .filter(|(_, connected)| **connected)
        {
            for end in edge.ends {
                if let Ok(index) = ground.binary_search(&end) {
                    used[index] = true;
                }
            }
        }
        let mut index = 0;
        ground.retain(|_| {
            index += 1;
            used[index - 1]
        });
        if connected.iter().all(|&connected| connected) {
            return Self {
                edges,
                vertices,
                ground,
                original_indices: None,
                dropped: Vec::new(),
            };
        }
        let with_state = |wanted: bool| -> Vec<u32> {
            (0..edges.len() as u32)
                .filter(|&index| connected[index as usize] == wanted)
                .collect()
        };
        let kept = with_state(true);
        Self {
            edges: kept.iter().map(|&index| edges[index as usize]).collect(),
            vertices,
            ground,
            original_indices: Some(kept),
            dropped: with_state(false),
        }
    }
}

impl HackenbushPicture {
    /// Creates the picture of `edges` in which the vertices `ground` are on the ground. O(edges).
    ///
    /// Edges that are not connected to the ground are left out.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{Edge, HackenbushPicture, value};
    /// // A triangle on the ground has an odd number of edges, so its value is 1.
    /// let edges = [Edge::green(0, 1), Edge::green(1, 2), Edge::green(2, 0)];
    /// assert_eq!(value(&HackenbushPicture::new(&edges, &[0])), 1);
    /// ```
    #[must_use]
    pub fn new(edges: &[Edge], ground: &[u32]) -> Self {
        Self(Arc::new(Inner {
            cut: None,
            edges: OnceLock::from(Arc::new(GroundedEdges::new(edges.to_vec(), ground))),
            value: OnceLock::new(),
        }))
    }

    /// Returns the edges, which are computed on the first call after a cut.
    fn grounded_edges(&self) -> &Arc<GroundedEdges> {
        self.0.edges.get_or_init(|| {
            let Some((before_cut, index)) = &self.0.cut else {
                unreachable!("a picture is drawn when it is made, or it is what a cut leaves");
            };
            let mut edges = before_cut.edges.clone();
            edges.remove(*index as usize);
            let mut grounded = GroundedEdges::new(edges, &before_cut.ground);
            // Edges that fall after a cut are not reported as dropped. The other edges keep their
            // original indices throughout the game.
            grounded.dropped.clear();
            let before = |left: u32| {
                let index = left + u32::from(left >= *index);
                let indices = before_cut.original_indices.as_ref();
                indices.map_or(index, |indices| indices[index as usize])
            };
            let kept = grounded.original_indices.take();
            grounded.original_indices = Some(match kept {
                Some(kept) => kept.into_iter().map(before).collect(),
                None => (0..grounded.edges.len() as u32).map(before).collect(),
            });
            Arc::new(grounded)
        })
    }

    /// Returns the edges in the order of the input.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{Edge, HackenbushPicture, edges};
    /// let picture = HackenbushPicture::new(&edges("5-6 0-1 1-2")?, &[0]);
    /// assert_eq!(picture.edges(), [Edge::green(0, 1), Edge::green(1, 2)]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.grounded_edges().edges
    }

    /// Returns the ground vertices that carry an edge, in increasing order.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let arch = HackenbushPicture::new(&edges("3-1 1-2 2-0")?, &[3, 0, 7]);
    /// assert_eq!(arch.ground(), [0, 3]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn ground(&self) -> &[u32] {
        &self.grounded_edges().ground
    }

    /// Returns the number of vertices. All ground vertices count as one.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let arch = HackenbushPicture::new(&edges("3-1 1-2 2-0")?, &[0, 3]);
    /// assert_eq!(arch.vertices(), 3);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.grounded_edges().vertices
    }

    /// Returns the original index of the edge `index`.
    ///
    /// The original index of an edge is its index in the list of edges with which the game began.
    /// Dropped edges count in this list, and a cut does not change the original indices.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let picture = HackenbushPicture::new(&edges("0-1 5-6 0-2 0-3")?, &[0]);
    /// // The picture has the edges 0-1, 0-2 and 0-3. After the cut, 0-3 is at index 1.
    /// assert_eq!(picture.original_index(1), 2);
    /// assert_eq!(picture.cut(0).original_index(1), 3);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn original_index(&self, index: u32) -> u32 {
        self.grounded_edges()
            .original_indices
            .as_ref()
            .map_or(index, |indices| indices[index as usize])
    }

    /// Returns the edges that were dropped because they are not connected to the ground, as indices
    /// in the list of edges of the input. After a cut the list is empty.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let picture = HackenbushPicture::new(&edges("0-1 5-6 0-2")?, &[0]);
    /// assert_eq!(picture.dropped(), [1]);
    /// assert!(picture.cut(0).dropped().is_empty());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn dropped(&self) -> &[u32] {
        &self.grounded_edges().dropped
    }

    /// Returns whether the edge `index` equals the previous edge.
    ///
    /// Cuts of equal edges leave the same picture. They count as one move, the cut of the first of
    /// these edges.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let picture = HackenbushPicture::new(&edges("0-1 0-1 0-1:b")?, &[0]);
    /// assert_eq!([0, 1, 2].map(|index| picture.repeats(index)), [false, true, false]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn repeats(&self, index: u32) -> bool {
        let edges = self.edges();
        let index = index as usize;
        index > 0 && edges[index - 1] == edges[index]
    }

    /// Returns the picture after the cut of the edge `index`, without the edges that fall. The
    /// remaining edges are computed on first use.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let tree = HackenbushPicture::new(&edges("0-1 1-2 1-3 0-4")?, &[0]);
    /// assert_eq!(tree.cut(1).edges(), edges("0-1 1-3 0-4")?);
    /// // The cut of the trunk removes its branches, too.
    /// assert_eq!(tree.cut(0).edges(), edges("0-4")?);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn cut(&self, index: u32) -> Self {
        assert!(
            (index as usize) < self.edges().len(),
            "there is no edge {index}"
        );
        Self(Arc::new(Inner {
            cut: Some((Arc::clone(self.grounded_edges()), index)),
            edges: OnceLock::new(),
            value: OnceLock::new(),
        }))
    }

    /// Returns the picture with blue and red exchanged.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let stalk = HackenbushPicture::new(&edges("0-1:b 1-2:r 2-3:g")?, &[0]);
    /// assert_eq!(stalk.exchanged().edges(), edges("0-1:r 1-2:b 2-3:g")?);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let edges: Vec<Edge> = (self.edges().iter())
            .map(|edge| Edge {
                colour: match edge.colour {
                    Colour::Blue => Colour::Red,
                    Colour::Red => Colour::Blue,
                    Colour::Green => Colour::Green,
                },
                ..*edge
            })
            .collect();
        Self::new(&edges, self.ground())
    }

    /// Returns the picture after the cut of the edge `index`. `value` is the value of the returned
    /// picture, and is stored in it.
    pub(super) fn cut_with_value(&self, index: u32, value: u64) -> Self {
        let picture = self.cut(index);
        picture.value_or(|| value);
        picture
    }

    /// Returns whether the picture has no cycle. Returns `false` if its edges have not been
    /// computed yet.
    pub(super) fn is_computed_tree(&self) -> bool {
        self.0
            .edges
            .get()
            .is_some_and(|grounded| grounded.edges.len() < grounded.vertices)
    }

    /// Returns the approximate size of the picture in bytes.
    pub(super) fn bytes(&self) -> usize {
        // The edges of a pending cut are not computed yet, so they take no memory.
        let edges = self
            .0
            .edges
            .get()
            .map_or(0, |grounded| grounded.edges.len());
        size_of::<Inner>() + edges * size_of::<Edge>()
    }

    /// Returns whether every edge is green.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let stalk = HackenbushPicture::new(&edges("0-1 1-2:r")?, &[0]);
    /// assert!(!stalk.is_green());
    /// assert!(stalk.cut(1).is_green());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn is_green(&self) -> bool {
        self.edges().iter().all(|edge| edge.colour == Colour::Green)
    }

    /// Returns the picture as a graph with consecutive vertex numbers. The ground is vertex 0.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, edges};
    /// let arch = HackenbushPicture::new(&edges("7-8 8-9 9-3")?, &[7, 3]);
    /// assert_eq!(arch.graph().ends, [[0, 1], [1, 2], [2, 0]]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn graph(&self) -> GroundedGraph {
        GroundedGraph::new(self.edges().iter().map(|edge| edge.ends), self.ground())
    }

    /// Returns the value of the picture. On the first call, `find` computes it.
    pub(super) fn value_or(&self, find: impl FnOnce() -> u64) -> u64 {
        *self.0.value.get_or_init(find)
    }
}

impl PartialEq for HackenbushPicture {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.edges() == other.edges() && self.ground() == other.ground())
    }
}

impl Eq for HackenbushPicture {}

impl PartialOrd for HackenbushPicture {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for HackenbushPicture {
    fn cmp(&self, other: &Self) -> Ordering {
        // The counts come first, because they usually decide before any edges are compared.
        let key = |picture: &Self| (picture.edges().len(), picture.ground().len());
        key(self)
            .cmp(&key(other))
            .then_with(|| self.edges().cmp(other.edges()))
            .then_with(|| self.ground().cmp(other.ground()))
    }
}

impl Hash for HackenbushPicture {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edges().hash(state);
        self.ground().hash(state);
    }
}

impl fmt::Display for HackenbushPicture {
    /// Writes the picture in canonical notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hackenbush(\"")?;
        for (index, edge) in self.edges().iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let [a, b] = edge.ends;
            write!(f, "{space}{a}-{b}")?;
            if edge.colour != Colour::Green {
                write!(f, ":{}", edge.colour.letter())?;
            }
        }
        f.write_str("\"")?;
        match self.ground() {
            [] | [0] => {}
            [one] => write!(f, ", ground={one}")?,
            several => write!(f, ", ground={several:?}")?,
        }
        f.write_str(")")
    }
}

impl fmt::Debug for HackenbushPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
