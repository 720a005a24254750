//! Rings: which edges lie on exactly the same cycles.
//!
//! Inside a block two edges belong to one *ring* when every cycle through one goes through the
//! other, that is, when cutting both parts the block. Cutting one edge of a ring leaves its others
//! as bridges, and nothing else of the block changes. Rings of all blocks are found in one pass
//! over the search tree in O(vertices + edges), with bracket lists: R. Johnson, D. Pearson, K.
//! Pingali, The program structure tree, PLDI 1994, 171-185.

use super::survey::Survey;

const NONE: u32 = u32::MAX;

/// The ring of each edge that lies on a cycle.
#[derive(Debug)]
pub struct Rings {
    /// How many rings there are.
    pub count: u32,
    /// The ring of the edge from each vertex (by preorder number) to its parent; `u32::MAX` for a
    /// bridge.
    pub of_parent: Vec<u32>,
    /// The ring of each closing edge, in the order of [`Survey::closing`].
    pub of_closing: Vec<u32>,
}

/// A closing edge, or one added to stand for several, in a list of those that cover a tree edge.
#[derive(Clone, Copy)]
struct Bracket {
    previous: u32,
    next: u32,
    /// The length of the list when the bracket was last on top of one, and the ring found then.
    seen_length: u32,
    seen_ring: u32,
    ring: u32,
    /// The next bracket that ends at the same vertex.
    ends_with: u32,
}

#[derive(Clone, Copy)]
struct List {
    top: u32,
    bottom: u32,
    length: u32,
}

struct Brackets {
    all: Vec<Bracket>,
    /// The list of each vertex.
    lists: Vec<List>,
    /// The first bracket that ends at each vertex.
    ending: Vec<u32>,
}

impl Brackets {
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

    fn delete(&mut self, vertex: u32, id: u32) {
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

    /// Puts the list of a child on top of its parent's.
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
    /// Returns the rings of all blocks.
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
        // Closing edges by lower end, and for each vertex the two smallest numbers reached from its
        // children.
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
        for here in (1..count as u32).rev() {
            let at = here as usize;
            // Brackets that end here no longer cover anything.
            let mut id = brackets.ending[at];
            while id != NONE {
                brackets.delete(here, id);
                if (id as usize) < closing && brackets.all[id as usize].ring == NONE {
                    brackets.all[id as usize].ring = rings.fresh();
                }
                id = brackets.all[id as usize].ends_with;
            }
            let mut id = starting[at];
            while id != NONE {
                brackets.push(here, id);
                id = starts_with[id as usize];
            }
            // Two children reach above: one bracket more keeps lists of different children apart.
            let second = child_low[at][1];
            if second < here && second < own_low[at] {
                let id = brackets.make(second);
                brackets.push(here, id);
            }
            let list = brackets.lists[at];
            let parent = survey.parent[at];
            if list.length > 0 {
                let top = list.top as usize;
                if brackets.all[top].seen_length != list.length {
                    brackets.all[top].seen_length = list.length;
                    brackets.all[top].seen_ring = rings.fresh();
                }
                let ring = brackets.all[top].seen_ring;
                rings.of_parent[at] = ring;
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
            if *ring == NONE {
                // It ends at the ground, where the pass above does not come.
                *ring = rings.count;
                rings.count += 1;
            }
        }
        rings
    }

    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }
}
