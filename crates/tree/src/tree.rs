//! What a tree is.

use grundy_base::step::Step;
use num_rational::BigRational;
use num_traits::Zero as _;

/// A way from a node to the next.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The move.
    pub action: Step,
    /// The node it leads to.
    pub to: usize,
}

/// A position with the player to move.
#[derive(Clone, Debug)]
pub struct Node {
    /// What is written at the node: the position in the notation, or the name in a file.
    pub text: String,
    /// A short form of it, for people.
    pub caption: String,
    /// Its board, row by row, if it is played on one.
    pub board: Vec<String>,
    /// Who is to move: 0 for the first player, 1 for the second.
    pub player: usize,
    /// The moves; none where the game is over.
    pub branches: Vec<Branch>,
    /// Where the game is over: the place of the payoff in [`Tree::payoffs`].
    pub payoff: usize,
    /// The same number for nodes that are one position.
    pub position: usize,
    /// The same number for nodes that are one position up to symmetry.
    pub class: usize,
}

/// A game as a tree in which equal positions are kept once.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The players: the one who moves at the root of a game first, in a file the one written first.
    pub players: [String; 2],
    /// The nodes, each after all it leads to; the root is the last.
    pub nodes: Vec<Node>,
    /// The payoffs to the first player that occur, in increasing order.
    pub payoffs: Vec<BigRational>,
    /// `true` if a payoff says no more than who has won.
    pub win_or_tie: bool,
    pub(crate) positions: usize,
    pub(crate) classes: usize,
}

impl Tree {
    /// Returns the root.
    #[must_use]
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns the number of different positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the number of different positions up to symmetry.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Who wins at a payoff: a player, or nobody.
    #[must_use]
    pub fn winner(&self, payoff: usize) -> Option<usize> {
        let payoff = &self.payoffs[payoff];
        if payoff.is_zero() {
            None
        } else {
            Some(usize::from(*payoff < BigRational::zero()))
        }
    }

    /// Returns a payoff in words: the player who wins, `tie`, or the number.
    #[must_use]
    pub fn payoff_text(&self, payoff: usize) -> String {
        if !self.win_or_tie {
            return self.payoffs[payoff].to_string();
        }
        match self.winner(payoff) {
            Some(player) => self.players[player].clone(),
            None => "tie".to_owned(),
        }
    }

    /// Returns whether the payoff `a` is better than `b` for the player.
    #[must_use]
    pub fn better(player: usize, a: usize, b: usize) -> bool {
        if player == 0 { a > b } else { a < b }
    }
}
