//! Hackenbush pictures with circuits. Edges fall when they are no longer connected to the ground.
//!
//! A picture is decomposed at its cut vertices. The colon principle (proved in docs/theory.md) says
//! that only the value of a subpicture on a vertex matters. So a picture consists of blocks without
//! cut vertices, with a value on each vertex. A block of one edge is part of a stalk, which is a
//! chain of such edges. The value of a block with a circuit is computed from its moves: cuts in the
//! block, and moves in the values on its vertices. The picture that remains after each move is
//! decomposed again. The values of blocks are cached.
//!
//! All edges of one colour between the same two vertices form a *bundle*, in which they are
//! counted, not listed. Suppose that all edges of a block join the ground to one vertex, and that
//! nothing is on this vertex. Then no cut makes another edge fall, so the value of the block is the
//! sum of its edges.

use grundy_base::index::hash;
use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::block::{Block, Bundle, Edge};
use crate::form::Form;

/// Number of rounds in which vertices are distinguished by their neighbours. With too few rounds,
/// some isomorphic blocks go unrecognized. This costs time but never changes a result.
const ROUNDS: usize = 8;

/// A move in a [`Block`] of a Hackenbush picture, or in a subpicture on one of its vertices.
#[derive(Clone, Copy)]
enum Change {
    /// The cut of one edge in the bundle with this index. A bundle consists of all edges of one
    /// colour between the same two vertices.
    Cut(usize),
    /// A move in the subpicture on the vertex with this index. The form is the value of the
    /// subpicture after the move, which is an option of its value before the move.
    Top(usize, Form),
}

/// A block whose value is being computed.
struct OpenBlock {
    block: Block,
    moves: Vec<(Player, Change)>,
    /// The values after the moves that have been evaluated so far: first those of Left, then those
    /// of Right.
    sides: [Vec<Form>; 2],
    next: usize,
}

impl OpenBlock {
    /// Returns the approximate size of this struct with its lists, in bytes. The size does not
    /// change while the value of the block is computed.
    fn bytes(&self) -> u64 {
        let moves = size_of_val(&self.moves[..]) as u64;
        self.block.bytes() + moves + size_of::<Self>() as u64
    }
}

/// The subpicture on a vertex: a stalk (a chain of edges), with a game on its top. The edges of the
/// stalk are listed from the top downward.
#[derive(Clone, Default)]
struct Subpicture {
    stalk: Vec<Option<Player>>,
    top: Option<Form>,
}

impl Subpicture {
    /// Returns whether there is nothing on the vertex.
    fn is_empty(&self) -> bool {
        self.stalk.is_empty() && self.top.is_none_or(|top| top == Form::ZERO)
    }
}

/// A Hackenbush picture that is being decomposed into blocks, which are its maximal connected
/// subpictures without a cut vertex. The blocks form a tree, which is visited from its leaves
/// towards the ground.
struct Picture<'a> {
    bundles: &'a [Bundle],
    subpictures: Vec<Subpicture>,
}

/// An entry of the stack of the depth-first search, for one vertex.
struct SearchFrame {
    vertex: u32,
    /// The index of the bundle of edges by which the search reached the vertex. It is `None` for
    /// the vertex at which the search starts.
    by: Option<u32>,
    /// The number of bundles of edges that the search has followed from this vertex.
    next: usize,
}

impl Forms {
    /// Returns the value of a Hackenbush picture. Vertex 0 is the ground. A move of a player cuts
    /// an edge of the player's colour or a green edge. Then all edges that are not connected to the
    /// ground fall.
    ///
    /// ```
    /// use grundy_base::{Limits, Player};
    /// use grundy_forms::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::none());
    /// // Two green edges to a vertex with a blue loop.
    /// let edges = [([0, 1], None), ([0, 1], None), ([1, 1], Some(Player::Left))];
    /// let value = forms.on_ground(&edges, &limits)?;
    /// assert_eq!(forms.write(value), "^^");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// The picture is decomposed at its cut vertices into blocks. Every move of every reachable
    /// block with a circuit is visited. The number of these moves may be exponential in the size of
    /// the largest such block. In this size, edges of one colour between the same two vertices
    /// count once. The parts of the picture without circuits cause no exponential growth.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn on_ground(&mut self, edges: &[Edge], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut stack: Vec<OpenBlock> = Vec::new();
        // The size in bytes of all blocks on the stack.
        let mut stack_bytes = 0;
        let bundles = Bundle::gather(edges);
        loop {
            // `decompose` stops at a block whose value is unknown. This block is pushed. When its
            // value is in the cache, the picture is decomposed again.
            match self.decompose(&bundles, &[], limits)? {
                Ok(value) => return Ok(value),
                Err(block) => {
                    let open = self.open_block(block, limits)?;
                    stack_bytes += open.bytes();
                    stack.push(open);
                }
            }
            loop {
                let depth = stack.len();
                let Some(last) = stack.last_mut() else {
                    break;
                };
                limits.check((self.blocks.len() + depth) as u64, 0)?;
                self.step(limits)?;
                let Some(&(player, change)) = last.moves.get(last.next) else {
                    let [left, right] = &last.sides;
                    let value = self.canonical(left, right, limits)?;
                    if let Some(done) = stack.pop() {
                        stack_bytes -= done.bytes();
                        self.extra_bytes += done.block.bytes();
                        self.blocks.insert(done.block, value);
                    }
                    continue;
                };
                match self.value_after(&last.block, change, limits)? {
                    Ok(value) => {
                        last.sides[player as usize].push(value);
                        last.next += 1;
                    }
                    Err(block) => {
                        let open = self.open_block(block, limits)?;
                        stack_bytes += open.bytes();
                        limits.check(1, self.bytes() + stack_bytes)?;
                        stack.push(open);
                    }
                }
            }
        }
    }

    /// Lists the moves of a block whose value is to be computed.
    fn open_block(&mut self, block: Block, limits: &Limits<'_>) -> Result<OpenBlock, Stop> {
        let mut moves = Vec::new();
        for player in Player::BOTH {
            for (index, bundle) in block.bundles.iter().enumerate() {
                if bundle.owner.is_none_or(|owner| owner == player) {
                    moves.push((player, Change::Cut(index)));
                }
            }
            for (index, &top) in block.tops.iter().enumerate() {
                let options = self.options_of(top, player, limits)?;
                let options = options.into_iter();
                moves.extend(options.map(|option| (player, Change::Top(index, option))));
            }
        }
        Ok(OpenBlock {
            block,
            moves,
            sides: [Vec::new(), Vec::new()],
            next: 0,
        })
    }

    /// Returns the value of the Hackenbush picture that remains after a move in a block. If the
    /// value of another block must be computed first, returns that block as an error.
    fn value_after(
        &mut self,
        block: &Block,
        change: Change,
        limits: &Limits<'_>,
    ) -> Result<Result<Form, Block>, Stop> {
        let (mut bundles, mut tops) = (block.bundles.to_vec(), block.tops.to_vec());
        match change {
            Change::Cut(index) if bundles[index].count > 1 => bundles[index].count -= 1,
            Change::Cut(index) => drop(bundles.remove(index)),
            Change::Top(index, option) => tops[index] = option,
        }
        self.decompose(&bundles, &tops, limits)
    }

    /// Returns the value of a Hackenbush picture in which `tops` contains the values on the
    /// vertices 1, 2, and so on. If the value of a block must be computed first, returns the block
    /// as an error.
    ///
    /// Blocks are found by the algorithm of R. E. Tarjan (Depth-first search and linear graph
    /// algorithms, 1972). When the search leaves a block, the block and all subpictures on it are
    /// complete.
    fn decompose(
        &mut self,
        bundles: &[Bundle],
        tops: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Result<Form, Block>, Stop> {
        let vertices = bundles.iter().flat_map(|bundle| &bundle.ends).max();
        let count = vertices.map_or(0, |&last| last as usize) + 1;
        let mut adjacent: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        let mut picture = Picture {
            bundles,
            subpictures: vec![Subpicture::default(); count],
        };
        for (subpicture, &top) in picture.subpictures[1..].iter_mut().zip(tops) {
            subpicture.top = (top != Form::ZERO).then_some(top);
        }
        for (index, bundle) in (0..).zip(bundles) {
            let [a, b] = bundle.ends;
            if a == b {
                // A loop falls with its vertex, and nothing is on it. So it is equivalent to an
                // edge on top of the vertex.
                let edges = self.side_by_side(bundle, limits)?;
                self.add_to_vertex(&mut picture.subpictures[a as usize], edges, limits)?;
            } else {
                adjacent[a as usize].push((b, index));
                adjacent[b as usize].push((a, index));
            }
        }
        // For each vertex, the time at which the search reached it, counted from 1. Also its
        // lowpoint: the earliest time of a vertex that its subtree reaches by one more edge.
        let (mut discovered, mut lowpoint) = (vec![0u32; count], vec![0u32; count]);
        let mut time = 1;
        (discovered[0], lowpoint[0]) = (time, time);
        let mut search_stack = vec![SearchFrame {
            vertex: 0,
            by: None,
            next: 0,
        }];
        // The edges of blocks that are not complete, in the order in which they were found.
        let mut edge_stack: Vec<u32> = Vec::new();
        while let Some(last) = search_stack.last_mut() {
            let here = last.vertex as usize;
            if let Some(&(other, edge)) = adjacent[here].get(last.next) {
                last.next += 1;
                let there = discovered[other as usize];
                if there == 0 {
                    time += 1;
                    (discovered[other as usize], lowpoint[other as usize]) = (time, time);
                    edge_stack.push(edge);
                    search_stack.push(SearchFrame {
                        vertex: other,
                        by: Some(edge),
                        next: 0,
                    });
                } else if last.by != Some(edge) && there < discovered[here] {
                    edge_stack.push(edge);
                    lowpoint[here] = lowpoint[here].min(there);
                }
                continue;
            }
            let by = last.by;
            search_stack.pop();
            let (Some(below), Some(by)) = (search_stack.last(), by) else {
                continue;
            };
            let root = below.vertex as usize;
            lowpoint[root] = lowpoint[root].min(lowpoint[here]);
            // The subtree has an edge to a vertex found before `root`, so the block is not
            // complete.
            if lowpoint[here] < discovered[root] {
                continue;
            }
            // `root` separates the edges found since `by` from the rest. These edges form one
            // block.
            let begins = edge_stack.iter().rposition(|&edge| edge == by).unwrap_or(0);
            let block = edge_stack.split_off(begins);
            let root_and_here = bundles[by as usize].ends;
            let joins_two = |&index: &u32| bundles[index as usize].ends == root_and_here;
            // A block of one edge is added below the stalk on its upper vertex.
            let subpicture = if let [only] = block[..]
                && bundles[only as usize].count == 1
            {
                let mut subpicture = std::mem::take(&mut picture.subpictures[here]);
                subpicture.stalk.push(bundles[only as usize].owner);
                subpicture
            // In such a block no cut makes another edge fall, so its value is the sum of its edges.
            } else if picture.subpictures[here].is_empty() && block.iter().all(joins_two) {
                let mut subpicture = Subpicture::default();
                for index in block {
                    let edges = self.side_by_side(&bundles[index as usize], limits)?;
                    self.add_to_vertex(&mut subpicture, edges, limits)?;
                }
                subpicture
            } else {
                let block = self.block(&mut picture, &block, root as u32, limits)?;
                let Some(&value) = self.blocks.get(&block) else {
                    return Ok(Err(block));
                };
                Subpicture {
                    stalk: Vec::new(),
                    top: Some(value),
                }
            };
            self.add_to_vertex(&mut picture.subpictures[root], subpicture, limits)?;
        }
        let ground = std::mem::take(&mut picture.subpictures[0]);
        self.value_of_subpicture(ground, limits).map(Ok)
    }

    /// Returns the subpicture that consists of the edges of a bundle side by side. Nothing may be
    /// on top of these edges.
    fn side_by_side(&mut self, bundle: &Bundle, limits: &Limits<'_>) -> Result<Subpicture, Stop> {
        let edge = Subpicture {
            stalk: vec![bundle.owner],
            top: None,
        };
        if bundle.count == 1 {
            return Ok(edge);
        }
        let one = self.value_of_subpicture(edge, limits)?;
        Ok(Subpicture {
            stalk: Vec::new(),
            top: Some(self.times(bundle.count.into(), one, limits)?),
        })
    }

    /// Adds the subpicture `more` to `on`, the subpicture on a vertex.
    fn add_to_vertex(
        &mut self,
        on: &mut Subpicture,
        more: Subpicture,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        if on.is_empty() {
            *on = more;
            return Ok(());
        }
        let there = self.value_of_subpicture(std::mem::take(on), limits)?;
        let more = self.value_of_subpicture(more, limits)?;
        on.top = Some(self.plus(there, more, limits)?);
        Ok(())
    }

    /// Returns the value of the subpicture on a vertex.
    fn value_of_subpicture(
        &mut self,
        subpicture: Subpicture,
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let Subpicture { mut stalk, top } = subpicture;
        let top = top.unwrap_or(Form::ZERO);
        if stalk.is_empty() {
            return Ok(top);
        }
        // The stalk is listed from the top edge downward, but `on_stalk` expects the lowest edge
        // first.
        stalk.reverse();
        self.on_stalk(&stalk, top, limits)
    }

    /// Returns the block that consists of the bundles with the indices `bundles`. The ground of the
    /// block is the vertex `root`. The other vertices are numbered in the order of a hash of their
    /// neighbourhoods, so that isomorphic blocks are usually equal.
    fn block(
        &mut self,
        picture: &mut Picture<'_>,
        bundles: &[u32],
        root: u32,
        limits: &Limits<'_>,
    ) -> Result<Block, Stop> {
        let bundles = bundles.iter().map(|&at| picture.bundles[at as usize]);
        let mut bundles: Box<[Bundle]> = bundles.collect();
        let mut members: Vec<u32> = bundles.iter().flat_map(|bundle| bundle.ends).collect();
        members.sort_unstable();
        members.dedup();
        members.retain(|&vertex| vertex != root);
        let index = |vertex: u32| {
            let before = members.partition_point(|&before| before < vertex);
            if vertex == root { 0 } else { 1 + before }
        };
        let ends: Vec<[usize; 2]> = bundles.iter().map(|b| b.ends.map(index)).collect();
        let mut tops = vec![Form::ZERO];
        for &vertex in &members {
            let subpicture = std::mem::take(&mut picture.subpictures[vertex as usize]);
            tops.push(self.value_of_subpicture(subpicture, limits)?);
        }
        // This is colour refinement: the sign of a vertex depends on its value and on the signs of
        // its neighbours. The contributions of the edges are added, so their order does not matter.
        let mut signs: Vec<u64> = tops.iter().map(hash).collect();
        signs[0] = 1;
        for _ in 0..ROUNDS.min(members.len()) {
            let mut next = signs.clone();
            for (&[a, b], Bundle { owner, count, .. }) in ends.iter().zip(&bundles) {
                next[a] = next[a].wrapping_add(hash(&(signs[b], owner, count)));
                next[b] = next[b].wrapping_add(hash(&(signs[a], owner, count)));
            }
            signs = next;
        }
        let mut order: Vec<usize> = (1..tops.len()).collect();
        // Vertices with equal signs are sorted by their old numbers. So two isomorphic blocks may
        // differ. Then the value is computed twice, but it is correct.
        order.sort_by_key(|&index| signs[index]);
        let mut name = vec![0u32; tops.len()];
        for (number, &index) in (1..).zip(&order) {
            name[index] = number;
        }
        for (bundle, [a, b]) in bundles.iter_mut().zip(ends) {
            let (a, b) = (name[a], name[b]);
            bundle.ends = [a.min(b), a.max(b)];
        }
        bundles.sort_unstable();
        Ok(Block {
            bundles,
            tops: order.iter().map(|&index| tops[index]).collect(),
        })
    }
}
