//! Many numbers that are moved together: every one becomes `(number + 1) xor w` at once.
//!
//! A binary tree branches on the lowest bit first. Adding one to all exchanges the two branches of
//! the root and goes on in one of them; exclusive-or is remembered at the root and handed down when
//! somebody passes. Numbers that have become equal stay equal, so a leaf stands for all of them.
//! Every operation costs the number of bits of a number.

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct ValueNode {
    /// The nodes for numbers whose lowest bit is 0 and 1; a leaf has two times itself.
    branches: [u32; 2],
    /// In a leaf what is left of its number; elsewhere what is still to be handed down by
    /// exclusive-or.
    pending: u64,
}

/// A collection of numbers; each insertion is answered with a ticket, for which `read` gives the
/// present number.
pub(crate) struct MovingValues {
    nodes: Vec<ValueNode>,
    root: u32,
}

impl MovingValues {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(2 * count),
            root: NONE,
        }
    }

    fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].branches == [node; 2]
    }

    /// Hands down what is pending, so that the branches of an inner node are as they stand.
    fn settle(&mut self, node: u32) {
        let ValueNode { branches, pending } = self.nodes[node as usize];
        if pending == 0 {
            return;
        }
        for branch in branches {
            if branch != NONE {
                self.nodes[branch as usize].pending ^= pending >> 1;
            }
        }
        let [zero, one] = branches;
        self.nodes[node as usize] = ValueNode {
            branches: if pending & 1 == 1 {
                [one, zero]
            } else {
                branches
            },
            pending: 0,
        };
    }

    /// Moves every number n to (n + 1) xor `mask`.
    pub(crate) fn step(&mut self, mask: u64) {
        let mut node = self.root;
        if node == NONE {
            return;
        }
        loop {
            if self.is_leaf(node) {
                self.nodes[node as usize].pending += 1;
                break;
            }
            self.settle(node);
            let branches = &mut self.nodes[node as usize].branches;
            branches.swap(0, 1);
            // What was odd is even now, and carries.
            node = branches[0];
            if node == NONE {
                break;
            }
        }
        self.nodes[self.root as usize].pending ^= mask;
    }

    fn leaf(&mut self, rest: u64) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(ValueNode {
            branches: [id; 2],
            pending: rest,
        });
        id
    }

    /// Puts `number` in and returns its ticket.
    pub(crate) fn insert(&mut self, number: u64) -> u32 {
        let mut rest = number;
        let mut node = self.root;
        // The node above and the branch that led here.
        let mut above = None;
        loop {
            if node == NONE {
                let leaf = self.leaf(rest);
                self.link(above, leaf);
                return leaf;
            }
            if self.is_leaf(node) {
                let other = self.nodes[node as usize].pending;
                if other == rest {
                    return node;
                }
                // The leaf keeps its ticket and moves one level down.
                self.nodes[node as usize].pending = other >> 1;
                let mut branches = [NONE; 2];
                branches[(other & 1) as usize] = node;
                let inner = self.nodes.len() as u32;
                self.nodes.push(ValueNode {
                    branches,
                    pending: 0,
                });
                self.link(above, inner);
                node = inner;
            }
            self.settle(node);
            let bit = (rest & 1) as usize;
            above = Some((node, bit));
            node = self.nodes[node as usize].branches[bit];
            rest >>= 1;
        }
    }

    fn link(&mut self, above: Option<(u32, usize)>, node: u32) {
        match above {
            None => self.root = node,
            Some((above, bit)) => self.nodes[above as usize].branches[bit] = node,
        }
    }

    /// Returns the present number of every ticket; entries that are no tickets mean nothing.
    pub(crate) fn read(mut self) -> Vec<u64> {
        let mut numbers = vec![0; self.nodes.len()];
        let mut pending = Vec::new();
        if self.root != NONE {
            pending.push((self.root, 0u32, 0u64));
        }
        while let Some((node, depth, low)) = pending.pop() {
            if self.is_leaf(node) {
                let rest = self.nodes[node as usize].pending;
                numbers[node as usize] = low | rest.checked_shl(depth).unwrap_or(0);
                continue;
            }
            self.settle(node);
            for (bit, branch) in self.nodes[node as usize].branches.into_iter().enumerate() {
                if branch != NONE {
                    pending.push((branch, depth + 1, low | (bit as u64) << depth));
                }
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_move_as_if_each_were_moved_alone(
            operations in prop::collection::vec((any::<bool>(), 0u64..40), 0..200),
        ) {
            let mut together = MovingValues::with_capacity(0);
            let mut alone: Vec<(u32, u64)> = Vec::new();
            for (insert, number) in operations {
                if insert {
                    alone.push((together.insert(number), number));
                } else {
                    together.step(number);
                    for (_, value) in &mut alone {
                        *value = (*value + 1) ^ number;
                    }
                }
            }
            let read = together.read();
            for (ticket, number) in alone {
                prop_assert_eq!(read[ticket as usize], number);
            }
        }
    }
}
