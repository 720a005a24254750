//! Construction of a tree by a depth-first search over positions. Each position is visited once for
//! each player to move.

use std::ops::ControlFlow;

use grundy_base::limits::{break_on_error, stopped_early};
use grundy_base::step::Step;
use grundy_base::{Limits, PayoffResult, Player, Stop};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::source::TreeSource;
use crate::tree::{Branch, Node, Tree};

/// A node on the stack, some of whose moves are still to be processed.
struct Frame<P> {
    text: String,
    position: P,
    player: usize,
    /// The result for the player to move, if this position has no moves.
    terminal_result: PayoffResult,
    /// The moves still to be processed, in reverse order.
    moves: Vec<(Step, P)>,
    branches: Vec<Branch>,
}

impl<P> Frame<P> {
    fn new<S: TreeSource<Position = P>>(
        source: &S,
        text: String,
        position: P,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        let first = source.first_player();
        let mover = [first, first.other()][player];
        let mut moves = moves(source, &position, mover, limits)?;
        // The moves are popped from the end, so that the branches are in the order of the moves.
        moves.reverse();
        let terminal_result = if moves.is_empty() {
            source.terminal_result(&position, mover)?
        } else {
            PayoffResult::Tie
        };
        Ok(Self {
            text,
            player,
            terminal_result,
            branches: Vec::with_capacity(moves.len()),
            moves,
            position,
        })
    }
}

fn build<S: TreeSource>(source: &mut S, limits: &Limits<'_>) -> Result<Tree, Stop> {
    // The mark of a node that is on the stack. A move to such a node closes a cycle.
    const ON_STACK: usize = usize::MAX;
    let (names, first) = (source.players(), source.first_player());
    let players = [first, first.other()].map(|player| player.of(names.clone()));
    let mut tree = Tree {
        players,
        nodes: Vec::new(),
        payoffs: [-1, 0, 1]
            .map(|n: i8| BigRational::from_integer(n.into()))
            .to_vec(),
        constant: BigRational::default(),
        win_or_tie: true,
        positions: 0,
        classes: 0,
    };
    let mut node_indices: FxHashMap<(String, usize), usize> = FxHashMap::default();
    let mut positions: FxHashMap<String, usize> = FxHashMap::default();
    let mut classes: FxHashMap<S::Class, usize> = FxHashMap::default();
    let mut memory = 0u64;
    let start = source.start();
    let text = source.name(&start);
    node_indices.insert((text.clone(), 0), ON_STACK);
    let mut stack = vec![Frame::new(source, text, start, 0, limits)?];
    memory += MOVE_BYTES * stack[0].moves.len() as u64;
    while let Some(frame) = stack.last_mut() {
        limits.poll()?;
        if let Some((action, position)) = frame.moves.last() {
            // The players alternate. The same position with the other player to move is a different
            // node.
            let key = (source.name(position), 1 - frame.player);
            match node_indices.get(&key) {
                Some(&ON_STACK) => return Err(Stop::Cyclic),
                Some(&to) => {
                    let action = action.clone();
                    frame.branches.push(Branch { action, to });
                    frame.moves.pop();
                }
                None => {
                    let position = position.clone();
                    node_indices.insert(key.clone(), ON_STACK);
                    let frame = Frame::new(source, key.0, position, key.1, limits)?;
                    // On a deep path there may be many moves to process. They take memory before
                    // any node is finished.
                    memory += MOVE_BYTES * frame.moves.len() as u64;
                    limits.check(1, memory)?;
                    stack.push(frame);
                }
            }
            continue;
        }
        // The order is postorder: a node gets its number after all its successors. So later
        // computations are simple loops over the nodes.
        let Some(frame) = stack.pop() else { break };
        let position_index = positions.len();
        let position_index = *positions
            .entry(frame.text.clone())
            .or_insert(position_index);
        let class = classes.len();
        let class = *classes
            .entry(source.class(&frame.position))
            .or_insert(class);
        // The payoffs to the first player are -1, 0 and 1, in this order. So index 0 is a win of
        // the second player.
        let payoff = match (frame.terminal_result, frame.player) {
            (PayoffResult::Tie, _) => 1,
            (PayoffResult::Win, 0) | (PayoffResult::Lose, 1) => 2,
            _ => 0,
        };
        node_indices.insert((frame.text.clone(), frame.player), tree.nodes.len());
        // A rough estimate, since the text is stored in the node and in two keys.
        memory += 200 + 5 * frame.text.len() as u64;
        limits.check(tree.nodes.len() as u64 + 1, 0)?;
        limits.check(1, memory)?;
        tree.nodes.push(Node {
            board: source.board(&frame.position),
            caption: source.caption(&frame.position),
            text: frame.text,
            player: frame.player,
            branches: frame.branches,
            payoff,
            position: position_index,
            class,
        });
    }
    tree.positions = positions.len();
    tree.classes = classes.len();
    Ok(tree)
}

/// Estimated memory for a move that is still to be processed, in bytes.
const MOVE_BYTES: u64 = 512;

/// Returns the moves of a player, each with the position after it.
fn moves<S: TreeSource>(
    source: &S,
    position: &S::Position,
    mover: Player,
    limits: &Limits<'_>,
) -> Result<Vec<(Step, S::Position)>, Stop> {
    let mut moves = Vec::new();
    stopped_early(source.moves(position, mover, &mut |step, to| {
        moves.push((step, to));
        if moves.len().is_multiple_of(16) {
            let count = moves.len() as u64;
            return break_on_error(limits.check(count, MOVE_BYTES).and_then(|()| limits.poll()));
        }
        ControlFlow::Continue(())
    }))?;
    Ok(moves)
}

impl Tree {
    /// Builds the tree of a game from its start position. The player who moves first in the game
    /// becomes player 0 of the tree.
    ///
    /// # Complexity
    /// Generates the moves of each position once for each player to move. Stores one node for each
    /// position and player to move.
    ///
    /// # Errors
    /// The limit that was reached, an error of the rules, or [`Stop::Cyclic`] if a position can
    /// repeat.
    pub fn of<S: TreeSource>(source: &mut S, limits: &Limits<'_>) -> Result<Self, Stop> {
        build(source, limits)
    }
}
