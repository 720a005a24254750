//! Laying out a tree: a walk over the positions in depth, each once for each player to move.

use std::ops::ControlFlow;

use grundy_base::limits::{ended, unless};
use grundy_base::step::Step;
use grundy_base::{Limits, Player, Stop, Worth};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::source::TreeSource;
use crate::tree::{Branch, Node, Tree};

/// A node whose moves are being followed.
struct OpenPosition<P> {
    text: String,
    position: P,
    player: usize,
    /// What the game is worth to its player where it is over.
    worth: Worth,
    /// Still to be followed, the next one last.
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
                    // Long rows of moves wait on a long way.
                    held += MOVE_BYTES * frame.moves.len() as u64;
                    limits.check(1, held)?;
                    way.push(frame);
                }
            }
            continue;
        }
        let Some(frame) = way.pop() else { break };
        let place = positions.len();
        let place = *positions.entry(frame.text.clone()).or_insert(place);
        let class = classes.len();
        let class = *classes
            .entry(source.class(&frame.position))
            .or_insert(class);
        let payoff = match (frame.worth, frame.player) {
            (Worth::Tie, _) => 1,
            (Worth::Win, 0) | (Worth::Lose, 1) => 2,
            _ => 0,
        };
        known.insert((frame.text.clone(), frame.player), tree.nodes.len());
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

/// Bytes that a move takes until it is followed.
const MOVE_BYTES: u64 = 512;

/// Returns the moves of a player, each of which needs a position.
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
    /// Returns the tree of a game from its start. The player who moves at its root comes first.
    ///
    /// # Complexity
    /// One question for the moves of each position with each player who can be to move there, and
    /// one node kept for each.
    ///
    /// # Errors
    /// The limit that was reached, rules that have no answer, or [`Stop::Cyclic`] where a position
    /// comes back.
    pub fn of<S: TreeSource>(source: &mut S, limits: &Limits<'_>) -> Result<Self, Stop> {
        build(source, limits)
    }
}
