//! Trees of positions.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::picture::Picture;
use grundy::solve::universe::Universe;
use grundy::step::Step;
use grundy::{Limits, Play, Position, Stop, partizan, ties};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::tree::{Branch, Node, Tree};

/// What a tree asks of a kind of game. Player 0 moves first.
trait Source {
    type Position: Clone;

    fn text(&self, position: &Self::Position) -> String;
    /// The same text for positions that are equal up to symmetry.
    fn class(&mut self, position: &Self::Position) -> String;
    fn board(&self, position: &Self::Position) -> Vec<String>;
    /// What is written at the node.
    fn caption(&self, position: &Self::Position) -> String {
        self.text(position)
    }
    fn next(
        &self,
        position: &Self::Position,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Next<Self::Position>, Stop>;
}

/// What can follow a position.
enum Next<P> {
    /// Moves, of which there may be none.
    Moves(Vec<(Step, P)>),
    /// Nothing: who has won, if anybody.
    Over(Option<usize>),
}

/// A node whose moves are being followed.
struct Open<P> {
    text: String,
    position: P,
    player: usize,
    /// Who has won where the game is over.
    winner: Option<usize>,
    /// Still to be followed, the next one last.
    moves: Vec<(Step, P)>,
    branches: Vec<Branch>,
}

fn build<S: Source>(
    mut source: S,
    start: S::Position,
    players: [&str; 2],
    limits: &Limits<'_>,
) -> Result<Tree, Stop> {
    const OPEN: usize = usize::MAX;
    let mut tree = Tree {
        players: players.map(str::to_owned),
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
    let mut classes: FxHashMap<String, usize> = FxHashMap::default();
    let mut held = 0u64;
    let open = |source: &S, text, position: S::Position, player| {
        let (mut moves, winner) = match source.next(&position, player, limits)? {
            Next::Moves(moves) => (moves, None),
            Next::Over(winner) => (Vec::new(), winner),
        };
        moves.reverse();
        Ok::<_, Stop>(Open {
            text,
            player,
            winner,
            branches: Vec::with_capacity(moves.len()),
            moves,
            position,
        })
    };
    let text = source.text(&start);
    known.insert((text.clone(), 0), OPEN);
    let mut way = vec![open(&source, text, start, 0)?];
    held += MOVE_BYTES * way[0].moves.len() as u64;
    while let Some(frame) = way.last_mut() {
        if let Some((action, position)) = frame.moves.last() {
            let key = (source.text(position), 1 - frame.player);
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
                    let frame = open(&source, key.0, position, key.1)?;
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
        let payoff = match frame.winner {
            Some(0) => 2,
            Some(_) => 0,
            None => 1,
        };
        known.insert((frame.text.clone(), frame.player), tree.nodes.len());
        held += 200 + 5 * frame.text.len() as u64;
        limits.check(tree.nodes.len() as u64 + 1, 0)?;
        limits.check(1, held)?;
        if tree.nodes.len().is_multiple_of(1024) {
            limits.poll()?;
        }
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

/// The rows of a picture that is one board.
fn rows(picture: Picture) -> Vec<String> {
    match picture {
        Picture::Board(rows) => rows,
        _ => Vec::new(),
    }
}

/// Bytes that a move takes until it is followed.
const MOVE_BYTES: u64 = 512;

/// Collects moves, each of which needs a position.
fn collected<P>(
    limits: &Limits<'_>,
    visit: impl FnOnce(&mut dyn FnMut(Step, P) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Result<Vec<(Step, P)>, Stop> {
    let mut moves = Vec::new();
    let mut stopped = Ok(());
    let _ = visit(&mut |action, position| {
        moves.push((action, position));
        if moves.len().is_multiple_of(1024) {
            let count = moves.len() as u64;
            stopped = limits.check(count, MOVE_BYTES).and_then(|()| limits.poll());
        }
        if stopped.is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    stopped.map(|()| moves)
}

/// Who cannot move has lost, or in misère play won.
fn last_move_decides<P>(moves: Vec<(Step, P)>, player: usize, play: Play) -> Next<P> {
    if !moves.is_empty() {
        return Next::Moves(moves);
    }
    Next::Over(Some(match play {
        Play::Normal => 1 - player,
        Play::Misere => player,
    }))
}

struct Impartial(Play, Universe);

impl Source for Impartial {
    type Position = Position;

    /// In a graph that was given the vertex is enough.
    fn text(&self, position: &Position) -> String {
        match &position.terms[..] {
            [term] => match term.network() {
                Some((network, vertex)) => network.names.get(vertex).to_owned(),
                None => term.text(),
            },
            _ => position.to_string(),
        }
    }

    fn class(&mut self, position: &Position) -> String {
        let mut components = Vec::new();
        for term in &position.terms {
            term.enter(&mut self.1, &mut components);
        }
        components.sort_unstable();
        format!("{components:?}")
    }

    fn board(&self, position: &Position) -> Vec<String> {
        match &position.terms[..] {
            [term] => rows(term.picture()),
            _ => Vec::new(),
        }
    }

    fn next(
        &self,
        position: &Position,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Next<Position>, Stop> {
        let moves = collected(limits, |visit| {
            position.moves(&mut |_, name, to| visit(name().action, to()))
        });
        Ok(last_move_decides(moves?, player, self.0))
    }
}

struct Partizan(Play);

impl Source for Partizan {
    type Position = partizan::Position;

    fn text(&self, position: &partizan::Position) -> String {
        position.to_string()
    }

    fn class(&mut self, position: &partizan::Position) -> String {
        let components = position.terms.iter().flat_map(|term| term.components());
        let mut texts: Vec<String> = components.map(|component| component.text()).collect();
        texts.sort_unstable();
        texts.join("+")
    }

    fn board(&self, position: &partizan::Position) -> Vec<String> {
        match &position.terms[..] {
            [term] => rows(term.picture()),
            _ => Vec::new(),
        }
    }

    fn next(
        &self,
        position: &partizan::Position,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Next<partizan::Position>, Stop> {
        let mover = partizan::Player::BOTH[player];
        let moves = collected(limits, |visit| {
            position.moves(mover, &mut |_, name, to| visit(name().action, to()))
        });
        Ok(last_move_decides(moves?, player, self.0))
    }
}

struct Ties(Play, ties::Side);

impl Source for Ties {
    type Position = Arc<dyn ties::AnyPosition>;

    fn text(&self, position: &Self::Position) -> String {
        position.text()
    }

    fn class(&mut self, position: &Self::Position) -> String {
        position.class()
    }

    fn board(&self, position: &Self::Position) -> Vec<String> {
        rows(position.picture())
    }

    fn caption(&self, position: &Self::Position) -> String {
        position.caption()
    }

    fn next(
        &self,
        position: &Self::Position,
        _: usize,
        _: &Limits<'_>,
    ) -> Result<Next<Self::Position>, Stop> {
        Ok(match position.next(self.0)? {
            ties::Next::Moves(moves) => {
                let moves = moves.into_iter();
                Next::Moves(moves.map(|(mv, to)| (mv.action, to)).collect())
            }
            ties::Next::Over(winner) => Next::Over(winner.map(|side| usize::from(side != self.1))),
        })
    }
}

impl Tree {
    /// The tree of an impartial position; the players are `first` and `second`.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] where a position can come back.
    pub fn of_impartial(
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        if !position.terms.iter().all(|term| term.finite()) {
            return Err(Stop::Cyclic);
        }
        if !position.terms.iter().all(|term| term.impartial()) {
            return Err(Stop::NotImpartial);
        }
        let source = Impartial(play, Universe::default());
        build(source, position.clone(), ["first", "second"], limits)
    }

    /// The tree of a partizan position in which Left moves first.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn of_partizan(
        position: &partizan::Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        build(Partizan(play), position.clone(), ["Left", "Right"], limits)
    }

    /// The tree of a game that can end in a tie; the first player is the one to move.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn of_ties(
        position: &Arc<dyn ties::AnyPosition>,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        let side = position.to_move();
        let mut players = position.players();
        if side == ties::Side::Second {
            players.reverse();
        }
        build(Ties(play, side), Arc::clone(position), players, limits)
    }
}
