//! Rings: the classes of edges that lie on exactly the same cycles.
//!
//! Two edges of a block belong to one *ring* if every cycle through one of them contains the other.
//! Equivalently, cutting both disconnects the block. After a cut of one edge of a ring, the other
//! edges of the ring are bridges. The pieces of the block that they join still have no bridges.
//!
//! The rings of all blocks are found in one pass over the search tree with bracket lists (R.
//! Johnson, D. Pearson, K. Pingali, The program structure tree, PLDI 1994, 171-185). The pass takes
//! O(vertices + edges).

use super::survey::Survey;

const NONE: u32 = u32::MAX;

/// The rings of all edges that lie on cycles. A ring is a class of edges that lie on exactly the
/// same cycles. Rings are numbered from 0.
#[derive(Debug)]
pub struct Rings {
    /// The number of rings.
    pub count: u32,
    /// For each vertex, by preorder number, the ring of the edge to its parent. `u32::MAX` for a
    /// bridge.
    pub of_parent: Vec<u32>,
    /// The ring of each closing edge, in the order of [`Survey::closing`].
    pub of_closing: Vec<u32>,
}

/// A bracket, which covers all edges of the tree path between its two ends. It is an edge that
/// closes a cycle, or a capping bracket that [`Rings::new`] adds.
#[derive(Clone, Copy)]
struct Bracket {
    previous: u32,
    next: u32,
    /// The length that the bracket list of a tree edge had when this bracket was last at its top.
    seen_length: u32,
    /// The ring of the tree edge whose bracket list had this bracket at its top and had the length
    /// `seen_length`.
    seen_ring: u32,
    ring: u32,
    /// The next bracket that ends at the same vertex.
    ends_with: u32,
}

/// A doubly linked list of brackets, with the innermost bracket at the top.
#[derive(Clone, Copy)]
struct List {
    top: u32,
    bottom: u32,
    length: u32,
}

/// All brackets, and a list of brackets for each vertex.
struct Brackets {
    all: Vec<Bracket>,
    /// For each vertex, the list of the brackets that cover the edge to its parent.
    lists: Vec<List>,
    /// For each vertex, the first bracket that ends there.
    ending: Vec<u32>,
}

impl Brackets {
    /// Creates a bracket that ends at the vertex `upper`, and returns its index.
    fn make(&mut self, upper: u32) -> u32 {
        let id = self.all.len() as u32;
        self.all.push(Bracket {
            previous: NONE,
            next: NONE,
            seen_length: NONE,
            seen_ring: NONE,
            ring: NONE,
            ends_with: self.ending[upper as usize],
        });
        self.ending[upper as usize] = id;
        id
    }

    /// Pushes a bracket on top of the list of a vertex.
    fn push(&mut self, vertex: u32, id: u32) {
        let list = &mut self.lists[vertex as usize];
        let top = std::mem::replace(&mut list.top, id);
        list.length += 1;
        if top == NONE {
            list.bottom = id;
        } else {
            self.all[top as usize].previous = id;
        }
        self.all[id as usize].next = top;
        self.all[id as usize].previous = NONE;
    }

    /// Removes a bracket from the list of a vertex.
    fn delete(&mut self, vertex: u32, id: u32) {
        // Double links make this O(1) even in the middle of the list. Lists are joined on the way
        // up, so a bracket is now in the list of the vertex where it ends.
        let Bracket { previous, next, .. } = self.all[id as usize];
        let list = &mut self.lists[vertex as usize];
        list.length -= 1;
        if previous == NONE {
            list.top = next;
        } else {
            self.all[previous as usize].next = next;
        }
        if next == NONE {
            self.lists[vertex as usize].bottom = previous;
        } else {
            self.all[next as usize].previous = previous;
        }
    }

    /// Moves the brackets of a child to the top of the list of its parent.
    fn join(&mut self, child: u32, parent: u32) {
        let upper = self.lists[child as usize];
        let lower = self.lists[parent as usize];
        if upper.length == 0 {
            return;
        }
        if lower.length == 0 {
            self.lists[parent as usize] = upper;
            return;
        }
        // Concatenation in O(1), which keeps the whole pass linear.
        self.all[upper.bottom as usize].next = lower.top;
        self.all[lower.top as usize].previous = upper.bottom;
        self.lists[parent as usize] = List {
            top: upper.top,
            bottom: lower.bottom,
            length: upper.length + lower.length,
        };
    }
}

impl Rings {
    /// Returns the rings, that is, the classes of edges that lie on exactly the same cycles.
    ///
    /// A bracket covers a tree edge if it leads from below the edge to above it. Two tree edges are
    /// in one ring if and only if the same brackets cover them. To test this, it is enough to
    /// compare the top brackets and the lengths of the bracket lists of the two edges.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, Rings, Survey, edges};
    /// // Two triangles that share a vertex, and a branch.
    /// let picture = HackenbushPicture::new(&edges("0-1 1-2 2-0 0-3 3-4 4-0 4-5")?, &[0]);
    /// let rings = Rings::new(&Survey::new(&picture.graph()));
    /// assert_eq!(rings.count, 2);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(survey: &Survey) -> Self {
        let count = survey.vertex.len();
        let closing = survey.closing.len();
        let mut brackets = Brackets {
            all: Vec::with_capacity(closing),
            lists: vec![
                List {
                    top: NONE,
                    bottom: NONE,
                    length: 0
                };
                count
            ],
            ending: vec![NONE; count],
        };
        // Closing edges, grouped by their lower ends. `child_low` contains, for each vertex, the
        // two smallest numbers that can be reached from its children.
        let mut starting = vec![NONE; count];
        let mut starts_with = vec![NONE; closing];
        let mut own_low = vec![NONE; count];
        let mut child_low = vec![[NONE; 2]; count];
        for (id, &[lower, upper, _]) in survey.closing.iter().enumerate() {
            let id = id as u32;
            brackets.make(upper);
            starts_with[id as usize] = std::mem::replace(&mut starting[lower as usize], id);
            own_low[lower as usize] = own_low[lower as usize].min(upper);
        }
        let mut rings = Self {
            count: 0,
            of_parent: vec![NONE; count],
            of_closing: Vec::new(),
        };
        // Reverse preorder visits all children before their parent.
        for here in (1..count as u32).rev() {
            let at = here as usize;
            // Brackets that end here cover no edges further up. A closing edge that has no ring yet
            // is the only edge of its ring.
            let mut id = brackets.ending[at];
            while id != NONE {
                brackets.delete(here, id);
                if (id as usize) < closing && brackets.all[id as usize].ring == NONE {
                    brackets.all[id as usize].ring = rings.new_ring();
                }
                id = brackets.all[id as usize].ends_with;
            }
            let mut id = starting[at];
            while id != NONE {
                brackets.push(here, id);
                id = starts_with[id as usize];
            }
            // If two children reach above this vertex, their joined lists would look like one list.
            // A capping bracket from here to the second smallest number distinguishes the edges
            // below this vertex from those above.
            let second = child_low[at][1];
            if second < here && second < own_low[at] {
                let id = brackets.make(second);
                brackets.push(here, id);
            }
            let list = brackets.lists[at];
            let parent = survey.parent[at];
            if list.length > 0 {
                let top = list.top as usize;
                // The same top with another length indicates another set of brackets, hence a new
                // ring.
                if brackets.all[top].seen_length != list.length {
                    brackets.all[top].seen_length = list.length;
                    brackets.all[top].seen_ring = rings.new_ring();
                }
                let ring = brackets.all[top].seen_ring;
                rings.of_parent[at] = ring;
                // If only one bracket covers the tree edge, its closing edge and the tree edge lie
                // on the same cycles.
                if list.length == 1 {
                    brackets.all[top].ring = ring;
                }
            }
            brackets.join(here, parent);
            let low = survey.low[at];
            let [first, second] = &mut child_low[parent as usize];
            if low < *first {
                *second = std::mem::replace(first, low);
            } else if low < *second {
                *second = low;
            }
        }
        rings.of_closing = brackets.all[..closing]
            .iter()
            .map(|bracket| bracket.ring)
            .collect();
        for ring in &mut rings.of_closing {
            // The edge ends at the ground, which the pass does not visit.
            if *ring == NONE {
                *ring = rings.count;
                rings.count += 1;
            }
        }
        rings
    }

    /// Creates a ring and returns its index.
    fn new_ring(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }
}
