//! A collection of numbers with an operation that changes all of them. The operation maps every
//! number n to (n + 1) xor w.
//!
//! The numbers are in a binary trie that branches on the lowest bit first. Adding 1 to all numbers
//! exchanges the two branches of the root and continues in the branch to which the carry goes. An
//! exclusive-or is stored at the root. It is propagated to the branches of a node when an operation
//! visits this node. Numbers that have become equal stay equal, so one leaf represents all of them.
//! Every operation takes O(bits of a number) time.

const NONE: u32 = u32::MAX;

/// A node of the trie.
#[derive(Clone, Copy)]
struct TrieNode {
    /// The index of the branch for the numbers whose lowest bit is 0, and that for the numbers
    /// whose lowest bit is 1. In a leaf, both are the index of the leaf itself.
    branches: [u32; 2],
    /// In a leaf, the bits of its number that the path from the root to the leaf does not
    /// determine. In an inner node, the exclusive-or that has not been propagated to its branches.
    pending: u64,
}

/// A collection of numbers. Each insertion returns a ticket. In the vector that `read` returns, the
/// current value of the number is at the index given by the ticket.
pub(crate) struct AddXorTrie {
    nodes: Vec<TrieNode>,
    root: u32,
}

impl AddXorTrie {
    /// Creates an empty collection with room for `count` numbers.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            // About one leaf and one inner node for each insertion.
            nodes: Vec::with_capacity(2 * count),
            root: NONE,
        }
    }

    /// Returns whether a node is a leaf.
    fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].branches == [node; 2]
    }

    /// Propagates the pending exclusive-or of an inner node to its branches.
    fn push_down(&mut self, node: u32) {
        let TrieNode { branches, pending } = self.nodes[node as usize];
        if pending == 0 {
            return;
        }
        for branch in branches {
            if branch != NONE {
                // The same operation serves leaves and inner nodes, since both keep their bits in
                // `pending`.
                self.nodes[branch as usize].pending ^= pending >> 1;
            }
        }
        let [zero, one] = branches;
        self.nodes[node as usize] = TrieNode {
            branches: if pending & 1 == 1 {
                [one, zero]
            } else {
                branches
            },
            pending: 0,
        };
    }

    /// Maps every number n to (n + 1) xor `mask`.
    pub(crate) fn add_one_xor(&mut self, mask: u64) {
        let mut node = self.root;
        if node == NONE {
            return;
        }
        loop {
            if self.is_leaf(node) {
                // The leaf has the remaining bits, so the carry ends here.
                self.nodes[node as usize].pending += 1;
                break;
            }
            self.push_down(node);
            let branches = &mut self.nodes[node as usize].branches;
            branches.swap(0, 1);
            // Odd numbers have become even and carry into the next bit.
            node = branches[0];
            if node == NONE {
                break;
            }
        }
        self.nodes[self.root as usize].pending ^= mask;
    }

    /// Creates a leaf with the bits of a number that the path to the leaf does not determine.
    /// Returns the index of the leaf.
    fn leaf(&mut self, rest: u64) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(TrieNode {
            branches: [id; 2],
            pending: rest,
        });
        id
    }

    /// Inserts `number` and returns its ticket.
    pub(crate) fn insert(&mut self, number: u64) -> u32 {
        let mut rest = number;
        let mut node = self.root;
        // The parent of the current node, and the branch that leads to the node.
        let mut parent = None;
        loop {
            if node == NONE {
                let leaf = self.leaf(rest);
                self.link(parent, leaf);
                return leaf;
            }
            if self.is_leaf(node) {
                let other = self.nodes[node as usize].pending;
                if other == rest {
                    return node;
                }
                // The leaf keeps its ticket and moves one level down. The loop then continues in
                // the new inner node, until the two numbers differ in a bit.
                self.nodes[node as usize].pending = other >> 1;
                let mut branches = [NONE; 2];
                branches[(other & 1) as usize] = node;
                let inner = self.nodes.len() as u32;
                self.nodes.push(TrieNode {
                    branches,
                    pending: 0,
                });
                self.link(parent, inner);
                node = inner;
            }
            self.push_down(node);
            let bit = (rest & 1) as usize;
            parent = Some((node, bit));
            node = self.nodes[node as usize].branches[bit];
            rest >>= 1;
        }
    }

    /// Makes `node` the root, or a branch of the node given by `parent`.
    fn link(&mut self, parent: Option<(u32, usize)>, node: u32) {
        match parent {
            None => self.root = node,
            Some((parent, bit)) => self.nodes[parent as usize].branches[bit] = node,
        }
    }

    /// Returns a vector that contains, at the index given by each ticket, the current value of the
    /// number with this ticket. Elements at other indices are meaningless.
    pub(crate) fn read(mut self) -> Vec<u64> {
        let mut numbers = vec![0; self.nodes.len()];
        // An explicit stack: the trie may be as deep as a number has bits, and nodes must be
        // settled from the root downwards.
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
            self.push_down(node);
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
        fn trie_agrees_with_separate_operations(
            // Numbers below 40 are often equal. This tests that equal numbers share a leaf.
            operations in prop::collection::vec((any::<bool>(), 0u64..40), 0..200),
        ) {
            let mut together = AddXorTrie::with_capacity(0);
            let mut alone: Vec<(u32, u64)> = Vec::new();
            for (insert, number) in operations {
                if insert {
                    alone.push((together.insert(number), number));
                } else {
                    together.add_one_xor(number);
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
