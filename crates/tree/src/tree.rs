//! The data structure of a game tree.

use std::cmp::Ordering;

use grundy_base::step::Step;
use num_rational::BigRational;

/// A move: an edge from a node to one of its successors.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The description of the move, as a `Step`.
    pub action: Step,
    /// The index of the successor.
    pub to: usize,
}

/// A node of the tree: a position with the player to move.
#[derive(Clone, Debug)]
pub struct Node {
    /// The label of the node. It is the position in the notation, or the name given in a file.
    pub text: String,
    /// A short form of the label for display.
    pub caption: String,
    /// The rows of the board, or an empty list if the game is not played on a board.
    pub board: Vec<String>,
    /// The player to move: 0 for the first player, and 1 for the second.
    pub player: usize,
    /// The moves. The list is empty if the game is over.
    pub branches: Vec<Branch>,
    /// The payoff at a terminal node, as an index into [`Tree::payoffs`]. At any other node it is
    /// meaningless.
    pub payoff: usize,
    /// The index of the position among the different positions of the tree. Two nodes may have the
    /// same position, with different players to move.
    pub position: usize,
    /// The index of the class of the position. Positions that are equal up to symmetry have the
    /// same class.
    pub class: usize,
}

/// A game tree in which equal positions are stored once.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The names of the players. The first player is the player who moves at the root, or who is
    /// listed first in a file.
    pub players: [String; 2],
    /// The nodes in postorder: each node follows all its successors, and the root is last.
    pub nodes: Vec<Node>,
    /// All different payoffs to the first player, in increasing order.
    pub payoffs: Vec<BigRational>,
    /// The sum of the payoffs of both players, which is the same for all plays. It is 0 in a
    /// zero-sum game.
    pub constant: BigRational,
    /// `true` if the game is zero-sum and every payoff is -1, 0 or 1. Then a payoff only states
    /// which player wins, or that the game is a tie.
    pub win_or_tie: bool,
    pub(crate) positions: usize,
    pub(crate) classes: usize,
}

impl Tree {
    /// Returns the index of the root among the nodes.
    ///
    /// ```
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "start" 1 1 "" { "up" "down" } 0
    ///     t "won" 1 "" { 1 -1 }
    ///     t "tied" 2 "" { 0 0 }"#;
    /// let tree = grundy_tree::efg::read(game).unwrap();
    /// assert_eq!(tree.root(), 2);
    /// assert_eq!(tree.nodes[tree.root()].text, "start");
    /// ```
    #[must_use]
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns the number of different positions.
    ///
    /// ```
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "up" "down" } 0
    ///     t "" 1 "" { 1 -1 }
    ///     t "" 1"#;
    /// let tree = grundy_tree::efg::read(game).unwrap();
    /// // Each node of a file is a separate position.
    /// assert_eq!(tree.positions(), 3);
    /// ```
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the number of different positions up to symmetry.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the index of the player who wins with a payoff, or `None` for a tie. The winner is
    /// the player who gets more. The argument `payoff` is an index into [`Tree::payoffs`].
    ///
    /// ```
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "up" "middle" "down" } 0
    ///     t "" 1 "" { 1 -1 }
    ///     t "" 2 "" { 0 0 }
    ///     t "" 3 "" { -1 1 }"#;
    /// let tree = grundy_tree::efg::read(game).unwrap();
    /// // The payoffs are -1, 0 and 1.
    /// assert_eq!([0, 1, 2].map(|payoff| tree.winner(payoff)), [Some(1), None, Some(0)]);
    /// ```
    #[must_use]
    pub fn winner(&self, payoff: usize) -> Option<usize> {
        let [first, second] = self.payoffs_of_both(payoff);
        match first.cmp(&second) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        }
    }

    /// Returns the payoffs of both players. The argument `payoff` is an index into
    /// [`Tree::payoffs`].
    ///
    /// ```
    /// let game = r#"EFG 2 R "" { "A" "B" } t "" 1 "" { 1/3 2/3 }"#;
    /// let tree = grundy_tree::efg::read(game).unwrap();
    /// assert_eq!(tree.constant.to_string(), "1");
    /// assert_eq!(tree.payoffs_of_both(0).map(|payoff| payoff.to_string()), ["1/3", "2/3"]);
    /// ```
    #[must_use]
    pub fn payoffs_of_both(&self, payoff: usize) -> [BigRational; 2] {
        let first = &self.payoffs[payoff];
        [first.clone(), &self.constant - first]
    }

    /// Returns a payoff in words: the winning player or `tie` if [`Tree::win_or_tie`] is `true`,
    /// and otherwise the number. The argument `payoff` is an index into [`Tree::payoffs`].
    ///
    /// ```
    /// use grundy_tree::efg::read;
    /// let tree = read(r#"EFG 2 R "" { "A" "B" } t "" 1 "" { -1 1 }"#).unwrap();
    /// assert_eq!(tree.payoff_text(0), "B");
    /// let tree = read(r#"EFG 2 R "" { "A" "B" } t "" 1 "" { 3/2 -3/2 }"#).unwrap();
    /// assert_eq!(tree.payoff_text(0), "3/2");
    /// ```
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

    /// Returns whether payoff `a` is better than payoff `b` for a player. Both payoffs are given as
    /// indices into [`Tree::payoffs`].
    ///
    /// ```
    /// use grundy_tree::Tree;
    /// // The second player prefers a smaller payoff to the first.
    /// assert!(Tree::better(0, 2, 1));
    /// assert!(!Tree::better(1, 2, 1));
    /// ```
    #[must_use]
    pub fn better(player: usize, a: usize, b: usize) -> bool {
        if player == 0 { a > b } else { a < b }
    }
}
