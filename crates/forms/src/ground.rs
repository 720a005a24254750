//! Pictures with circuits: edges that fall when they are cut off from the ground.
//!
//! A picture is taken apart where a single vertex holds it together. What stands on a vertex counts
//! by its value alone, whatever stands below (the colon principle, proved in docs/theory.md): so a
//! picture is made of blocks, which no vertex parts, each with a value on each of its vertices. An
//! edge alone is a stalk; a block with a circuit is valued by its moves, which are cuts in it and
//! moves in what stands on it, and what these leave is taken apart again. Blocks are remembered.
//!
//! Edges of one colour that join the same vertices are counted, not listed. If the edges of a block
//! all join its ground to one vertex that carries nothing, no cut makes another edge fall: the
//! block is the sum of its edges.

use grundy_base::index::hash;
use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::block::{Block, Bundle, Edge};
use crate::form::Form;

/// Rounds in which the neighbours of a vertex tell it from others. Copies that are not seen to be
/// copies cost time alone.
const ROUNDS: usize = 8;

/// What a move in a block changes.
#[derive(Clone, Copy)]
enum Change {
    /// An edge of the bundle in this place is cut.
    Cut(usize),
    /// What stands on a vertex becomes another game.
    Top(usize, Form),
}

/// A block that is being valued.
struct Open {
    block: Block,
    moves: Vec<(Player, Change)>,
    /// The values of what the first moves leave.
    sides: [Vec<Form>; 2],
    next: usize,
}

impl Open {
    /// Returns the bytes that it holds, about; they stay the same.
    fn bytes(&self) -> u64 {
        let moves = size_of_val(&self.moves[..]) as u64;
        self.block.bytes() + moves + size_of::<Self>() as u64
    }
}

/// What stands on a vertex: a stalk, from its top edge down, and a game on its top.
#[derive(Clone, Default)]
struct Standing {
    stalk: Vec<Option<Player>>,
    top: Option<Form>,
}

impl Standing {
    /// Returns whether nothing stands there.
    fn is_empty(&self) -> bool {
        self.stalk.is_empty() && self.top.is_none_or(|top| top == Form::ZERO)
    }
}

/// A picture that is being taken apart, from the tops down.
struct Picture<'a> {
    bundles: &'a [Bundle],
    standing: Vec<Standing>,
}

/// A vertex on the way of a walk through a picture.
struct Reached {
    vertex: u32,
    /// The bundle by which it was reached.
    by: Option<u32>,
    /// Number of its bundles that have been looked at.
    next: usize,
}

impl Forms {
    /// Returns the value of what hangs together with the ground, vertex 0, by these edges: whoever
    /// cuts an own edge takes away all that no longer does.
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
    /// A visit to every move of every block that can be reached. Their number is exponential in the
    /// bundles of equal edges in the largest block with a circuit, and in nothing else.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn on_ground(&mut self, edges: &[Edge], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut way: Vec<Open> = Vec::new();
        // The bytes of the blocks on the way.
        let mut held = 0;
        let bundles = Bundle::gather(edges);
        loop {
            match self.apart(&bundles, &[], limits)? {
                Ok(value) => return Ok(value),
                Err(block) => {
                    let open = self.opened(block, limits)?;
                    held += open.bytes();
                    way.push(open);
                }
            }
            loop {
                let depth = way.len();
                let Some(last) = way.last_mut() else {
                    break;
                };
                limits.check((self.blocks.len() + depth) as u64, 0)?;
                self.step(limits)?;
                let Some(&(player, change)) = last.moves.get(last.next) else {
                    let [left, right] = &last.sides;
                    let value = self.canonical(left, right, limits)?;
                    if let Some(done) = way.pop() {
                        held -= done.bytes();
                        self.held += done.block.bytes();
                        self.blocks.insert(done.block, value);
                    }
                    continue;
                };
                match self.changed(&last.block, change, limits)? {
                    Ok(value) => {
                        last.sides[player as usize].push(value);
                        last.next += 1;
                    }
                    Err(block) => {
                        let open = self.opened(block, limits)?;
                        held += open.bytes();
                        limits.check(1, self.bytes() + held)?;
                        way.push(open);
                    }
                }
            }
        }
    }

    /// Returns a block with all its moves.
    fn opened(&mut self, block: Block, limits: &Limits<'_>) -> Result<Open, Stop> {
        let mut moves = Vec::new();
        for player in Player::BOTH {
            for (place, bundle) in block.bundles.iter().enumerate() {
                if bundle.owner.is_none_or(|owner| owner == player) {
                    moves.push((player, Change::Cut(place)));
                }
            }
            for (place, &top) in block.tops.iter().enumerate() {
                let options = self.options_of(top, player, limits)?;
                let options = options.into_iter();
                moves.extend(options.map(|option| (player, Change::Top(place, option))));
            }
        }
        Ok(Open {
            block,
            moves,
            sides: [Vec::new(), Vec::new()],
            next: 0,
        })
    }

    /// Returns the value of what a move leaves, or a block that has to be valued first.
    fn changed(
        &mut self,
        block: &Block,
        change: Change,
        limits: &Limits<'_>,
    ) -> Result<Result<Form, Block>, Stop> {
        let (mut bundles, mut tops) = (block.bundles.to_vec(), block.tops.to_vec());
        match change {
            Change::Cut(place) if bundles[place].count > 1 => bundles[place].count -= 1,
            Change::Cut(place) => drop(bundles.remove(place)),
            Change::Top(place, option) => tops[place] = option,
        }
        self.apart(&bundles, &tops, limits)
    }

    /// Returns the value of a picture with games on its vertices from 1 on, or a block of it that
    /// has to be valued first.
    ///
    /// Blocks are found as R. E. Tarjan does (Depth-first search and linear graph algorithms,
    /// 1972): each when the walk leaves it, after all that stands on it.
    fn apart(
        &mut self,
        bundles: &[Bundle],
        tops: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Result<Form, Block>, Stop> {
        let vertices = bundles.iter().flat_map(|bundle| &bundle.ends).max();
        let count = vertices.map_or(0, |&last| last as usize) + 1;
        let mut at: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        let mut picture = Picture {
            bundles,
            standing: vec![Standing::default(); count],
        };
        for (standing, &top) in picture.standing[1..].iter_mut().zip(tops) {
            standing.top = (top != Form::ZERO).then_some(top);
        }
        for (place, bundle) in (0..).zip(bundles) {
            let [a, b] = bundle.ends;
            if a == b {
                // A loop on a vertex is an edge on it.
                let edges = self.side_by_side(bundle, limits)?;
                self.stand(&mut picture.standing[a as usize], edges, limits)?;
            } else {
                at[a as usize].push((b, place));
                at[b as usize].push((a, place));
            }
        }
        // When each vertex was reached, counted from 1, and how early what stands on it leads back.
        let (mut reached, mut back) = (vec![0u32; count], vec![0u32; count]);
        let mut time = 1;
        (reached[0], back[0]) = (time, time);
        let mut walk = vec![Reached {
            vertex: 0,
            by: None,
            next: 0,
        }];
        let mut met: Vec<u32> = Vec::new();
        while let Some(last) = walk.last_mut() {
            let here = last.vertex as usize;
            if let Some(&(other, edge)) = at[here].get(last.next) {
                last.next += 1;
                let there = reached[other as usize];
                if there == 0 {
                    time += 1;
                    (reached[other as usize], back[other as usize]) = (time, time);
                    met.push(edge);
                    walk.push(Reached {
                        vertex: other,
                        by: Some(edge),
                        next: 0,
                    });
                } else if last.by != Some(edge) && there < reached[here] {
                    met.push(edge);
                    back[here] = back[here].min(there);
                }
                continue;
            }
            let by = last.by;
            walk.pop();
            let (Some(below), Some(by)) = (walk.last(), by) else {
                continue;
            };
            let root = below.vertex as usize;
            back[root] = back[root].min(back[here]);
            if back[here] < reached[root] {
                continue;
            }
            let begins = met.iter().rposition(|&edge| edge == by).unwrap_or(0);
            let block = met.split_off(begins);
            let root_and_here = bundles[by as usize].ends;
            let joins_two = |&place: &u32| bundles[place as usize].ends == root_and_here;
            let standing = if let [only] = block[..]
                && bundles[only as usize].count == 1
            {
                let mut standing = std::mem::take(&mut picture.standing[here]);
                standing.stalk.push(bundles[only as usize].owner);
                standing
            } else if picture.standing[here].is_empty() && block.iter().all(joins_two) {
                let mut standing = Standing::default();
                for place in block {
                    let edges = self.side_by_side(&bundles[place as usize], limits)?;
                    self.stand(&mut standing, edges, limits)?;
                }
                standing
            } else {
                let block = self.block(&mut picture, &block, root as u32, limits)?;
                let Some(&value) = self.blocks.get(&block) else {
                    return Ok(Err(block));
                };
                Standing {
                    stalk: Vec::new(),
                    top: Some(value),
                }
            };
            self.stand(&mut picture.standing[root], standing, limits)?;
        }
        let ground = std::mem::take(&mut picture.standing[0]);
        self.stood(ground, limits).map(Ok)
    }

    /// Returns the edges of a bundle when none of them carries anything.
    fn side_by_side(&mut self, bundle: &Bundle, limits: &Limits<'_>) -> Result<Standing, Stop> {
        let edge = Standing {
            stalk: vec![bundle.owner],
            top: None,
        };
        if bundle.count == 1 {
            return Ok(edge);
        }
        let one = self.stood(edge, limits)?;
        Ok(Standing {
            stalk: Vec::new(),
            top: Some(self.times(bundle.count.into(), one, limits)?),
        })
    }

    /// Puts something beside what stands on a vertex.
    fn stand(
        &mut self,
        on: &mut Standing,
        more: Standing,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        if on.is_empty() {
            *on = more;
            return Ok(());
        }
        let there = self.stood(std::mem::take(on), limits)?;
        let more = self.stood(more, limits)?;
        on.top = Some(self.plus(there, more, limits)?);
        Ok(())
    }

    /// Returns the value of what stands on a vertex.
    fn stood(&mut self, standing: Standing, limits: &Limits<'_>) -> Result<Form, Stop> {
        let Standing { mut stalk, top } = standing;
        let top = top.unwrap_or(Form::ZERO);
        if stalk.is_empty() {
            return Ok(top);
        }
        stalk.reverse();
        self.on_stalk(&stalk, top, limits)
    }

    /// Returns these bundles as a block that stands on `root`. Its vertices are numbered by the
    /// shape of what is around them.
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
        let place = |vertex: u32| {
            let before = members.partition_point(|&before| before < vertex);
            if vertex == root { 0 } else { 1 + before }
        };
        let ends: Vec<[usize; 2]> = bundles.iter().map(|b| b.ends.map(place)).collect();
        let mut tops = vec![Form::ZERO];
        for &vertex in &members {
            let standing = std::mem::take(&mut picture.standing[vertex as usize]);
            tops.push(self.stood(standing, limits)?);
        }
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
        order.sort_by_key(|&place| signs[place]);
        let mut name = vec![0u32; tops.len()];
        for (number, &place) in (1..).zip(&order) {
            name[place] = number;
        }
        for (bundle, [a, b]) in bundles.iter_mut().zip(ends) {
            let (a, b) = (name[a], name[b]);
            bundle.ends = [a.min(b), a.max(b)];
        }
        bundles.sort_unstable();
        Ok(Block {
            bundles,
            tops: order.iter().map(|&place| tops[place]).collect(),
        })
    }
}
