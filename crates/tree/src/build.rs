//! Construction of a tree by a depth-first search over positions. Each position is visited once for
//! each player to move.

use std::ops::ControlFlow;

use grundy_base::limits::{ended, unless};
use grundy_base::step::Step;
use grundy_base::{Limits, Player, Stop, Worth};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::source::TreeSource;
use crate::tree::{Branch, Node, Tree};

/// A node on the stack, some of whose moves are still to be processed.
struct OpenPosition<P> {
    text: String,
    position: P,
    player: usize,
    /// The result for the player to move, if this position has no moves.
    worth: Worth,
    /// The moves still to be processed, in reverse order.
    moves: Vec<(Step, P)>,
    branches: Vec<Branch>,
}

impl<P> OpenPosition<P> {
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
        let worth = if moves.is_empty() {
            source.worth_at_the_end(&position, mover)?
        } else {
            Worth::Tie
        };
        Ok(Self {
            text,
            player,
            worth,
            branches: Vec::with_capacity(moves.len()),
            moves,
            position,
        })
    }
}

fn build<S: TreeSource>(source: &mut S, limits: &Limits<'_>) -> Result<Tree, Stop> {
    // The mark of a node that is on the stack. A move to such a node closes a cycle.
    const OPEN: usize = usize::MAX;
    let (names, first) = (source.players(), source.first_player());
    let players = [first, first.other()].map(|player| player.of(names.clone()));
    let mut tree = Tree {
        players,
        nodes: Vec::new(),
        payoffs: [-1, 0, 1]
            .map(|n: i8| BigRational::from_integer(n.into()))
            .to_vec(),
        win_or_tie: true,
        positions: 0,
        classes: 0,
    };
    let mut known: FxHashMap<(String, usize), usize> = FxHashMap::default();
    let mut positions: FxHashMap<String, usize> = FxHashMap::default();
    let mut classes: FxHashMap<S::Class, usize> = FxHashMap::default();
    let mut held = 0u64;
    let start = source.start();
    let text = source.name(&start);
    known.insert((text.clone(), 0), OPEN);
    let mut way = vec![OpenPosition::new(source, text, start, 0, limits)?];
    held += MOVE_BYTES * way[0].moves.len() as u64;
    while let Some(frame) = way.last_mut() {
        limits.poll()?;
        if let Some((action, position)) = frame.moves.last() {
            // The players alternate. The same position with the other player to move is a different
            // node.
            let key = (source.name(position), 1 - frame.player);
            match known.get(&key) {
                Some(&OPEN) => return Err(Stop::Cyclic),
                Some(&to) => {
                    let action = action.clone();
                    frame.branches.push(Branch { action, to });
                    frame.moves.pop();
                }
                None => {
                    let position = position.clone();
                    known.insert(key.clone(), OPEN);
                    let frame = OpenPosition::new(source, key.0, position, key.1, limits)?;
                    // On a deep path there may be many moves to process. They take memory before
                    // any node is finished.
                    held += MOVE_BYTES * frame.moves.len() as u64;
                    limits.check(1, held)?;
                    way.push(frame);
                }
            }
            continue;
        }
        // The order is postorder: a node gets its number after all its successors. So later
        // computations are simple loops over the nodes.
        let Some(frame) = way.pop() else { break };
        let place = positions.len();
        let place = *positions.entry(frame.text.clone()).or_insert(place);
        let class = classes.len();
        let class = *classes
            .entry(source.class(&frame.position))
            .or_insert(class);
        // The payoffs to the first player are -1, 0 and 1, in this order. So index 0 is a win of
        // the second player.
        let payoff = match (frame.worth, frame.player) {
            (Worth::Tie, _) => 1,
            (Worth::Win, 0) | (Worth::Lose, 1) => 2,
            _ => 0,
        };
        known.insert((frame.text.clone(), frame.player), tree.nodes.len());
        // A rough estimate, since the text is stored in the node and in two keys.
        held += 200 + 5 * frame.text.len() as u64;
        limits.check(tree.nodes.len() as u64 + 1, 0)?;
        limits.check(1, held)?;
        tree.nodes.push(Node {
            board: source.board(&frame.position),
            caption: source.caption(&frame.position),
            text: frame.text,
            player: frame.player,
            branches: frame.branches,
            payoff,
            position: place,
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
    ended(source.moves(position, mover, &mut |step, to| {
        moves.push((step, to));
        if moves.len().is_multiple_of(16) {
            let count = moves.len() as u64;
            return unless(limits.check(count, MOVE_BYTES).and_then(|()| limits.poll()));
        }
        ControlFlow::Continue(())
    }))?;
    Ok(moves)
}

impl Tree {
    /// Builds the tree of a game from its start position. The player who moves first is the first
    /// player of the tree.
    ///
    /// # Complexity
    /// One generation of moves, and one node, for each position and player to move.
    ///
    /// # Errors
    /// The limit that was reached, an error of the rules, or [`Stop::Cyclic`] if a position can
    /// repeat.
    pub fn of<S: TreeSource>(source: &mut S, limits: &Limits<'_>) -> Result<Self, Stop> {
        build(source, limits)
    }
}
