//! Gambit's extensive form (`.efg`). The game must be a zero-sum game of two players with perfect
//! information and without chance.
//!
//! See the Gambit documentation, section "The extensive game (.efg) file format". A file lists the
//! nodes in preorder, so it cannot contain a cycle. Payoffs at inner nodes are added along a path.

use std::fmt::Write as _;
use std::ops::Range;

use grundy_base::step::Step;
use grundy_base::{Diagnostic, Kind, message};
use grundy_matrix::read::words::{Word, Words, ratio, syntax, zero_sum};
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{Branch, Node, Tree};

/// Largest number of nodes in a file.
pub const MOST_NODES: usize = 1_000_000;

/// Largest number of bits of a payoff. It is limited because fractions grow when payoffs are added
/// along a path.
const PAYOFF_BITS: u64 = 1 << 15;

/// Largest number of bits of all payoffs together (128 MiB).
const ALL_BITS: u64 = 1 << 30;

/// A decision node, some of whose subtrees are still to be parsed.
struct OpenNode<'a> {
    name: &'a str,
    player: usize,
    actions: Vec<&'a str>,
    following: Vec<usize>,
    /// The sum of the payoffs at the nodes on the path to this node.
    paid: BigRational,
}

struct EfgReader<'a> {
    words: Words<'a>,
    outcomes: FxHashMap<&'a str, BigRational>,
    information: FxHashSet<(usize, &'a str)>,
    nodes: Vec<Node>,
    payoffs: Vec<BigRational>,
    /// Number of bits of all payoffs so far, including those at inner nodes.
    bits: u64,
}

/// Parses a game in extensive form.
///
/// # Errors
/// The first error, with its position in the text. Apart from syntax errors, these are chance
/// moves, information sets of several nodes, payoffs that do not add up to zero, and too many
/// nodes.
///
/// ```
/// let game = r#"EFG 2 R "choose" { "A" "B" }
///     p "" 1 1 "" { "up" "down" } 0
///     t "" 1 "" { 1 -1 }
///     t "" 2 "" { 0 0 }"#;
/// let tree = grundy_tree::efg::read(game).unwrap();
/// assert_eq!(tree.payoff_text(grundy_tree::values(&tree)[tree.root()]), "A");
/// ```
pub fn read(text: &str) -> Result<Tree, Diagnostic> {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let mut words = Words::new(text, start);
    words.keyword("EFG", || message!("`EFG` at the start of the file"))?;
    words.keyword("2", || message!("the version of the format, 2"))?;
    match words.next()? {
        (Word::Bare("R" | "D"), _) => {}
        (_, span) => return Err(syntax(message!("expected `R`, for rational payoffs"), span)),
    }
    words.quoted(|| message!("the title, in quotes"))?;
    let (players, span) = words.names(|| message!("the players"))?;
    let [first, second] = players[..] else {
        let message = message!(
            "the game must have 2 players, not {players}",
            players = players.len()
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message).at(span));
    };
    if let Some((Word::Quoted(_), _)) = words.peek()? {
        words.next()?; // the comment
    }
    let mut reader = EfgReader {
        words,
        outcomes: FxHashMap::default(),
        information: FxHashSet::default(),
        nodes: Vec::new(),
        payoffs: Vec::new(),
        bits: 0,
    };
    reader.nodes()?;
    reader.words.end()?;
    let EfgReader {
        mut nodes, payoffs, ..
    } = reader;
    // While the file is parsed, each terminal node has a separate entry in the list of payoffs. Now
    // the list is sorted without duplicates, since [`Tree::payoffs`] lists each payoff once.
    let mut sorted = payoffs.clone();
    sorted.sort();
    sorted.dedup();
    for node in nodes.iter_mut().filter(|node| node.branches.is_empty()) {
        let place = sorted.binary_search(&payoffs[node.payoff]);
        node.payoff = place.unwrap_or(0);
    }
    let one = BigRational::one();
    let win_or_tie = sorted
        .iter()
        .all(|payoff| payoff.is_zero() || *payoff == one || *payoff == -one.clone());
    let count = nodes.len();
    Ok(Tree {
        players: [first, second].map(plain),
        nodes,
        payoffs: sorted,
        win_or_tie,
        positions: count,
        classes: count,
    })
}

/// Returns a text in which escaped quotes are replaced by quotes.
fn plain(text: &str) -> String {
    text.replace("\\\"", "\"")
}

impl<'a> EfgReader<'a> {
    fn nodes(&mut self) -> Result<(), Diagnostic> {
        // The stack is explicit, since a malicious file can have a million levels.
        let mut way: Vec<OpenNode<'a>> = Vec::new();
        loop {
            let paid = way
                .last()
                .map_or_else(BigRational::zero, |open| open.paid.clone());
            let mut done = self.node(paid, &mut way)?;
            // If this node completes its parent, the parent is finished as well, and so on.
            while let Some(node) = done {
                let Some(open) = way.last_mut() else {
                    return Ok(());
                };
                open.following.push(node);
                if open.following.len() < open.actions.len() {
                    break;
                }
                done = way.pop().map(|open| self.close(open));
            }
        }
    }

    fn close(&mut self, open: OpenNode<'a>) -> usize {
        let branches = open.actions.iter().zip(open.following);
        let branches = branches.map(|(name, to)| Branch {
            action: Step::new("named").with("name", plain(name)),
            to,
        });
        let branches = branches.collect();
        self.push(open.name, open.player, branches, 0)
    }

    fn push(&mut self, name: &str, player: usize, branches: Vec<Branch>, payoff: usize) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node {
            text: plain(name),
            caption: plain(name),
            board: Vec::new(),
            player,
            branches,
            payoff,
            position: number,
            class: number,
        });
        number
    }

    /// Parses one node. Returns its index if it is terminal. Otherwise pushes it on the stack.
    fn node(
        &mut self,
        paid: BigRational,
        way: &mut Vec<OpenNode<'a>>,
    ) -> Result<Option<usize>, Diagnostic> {
        let (kind, span) = self.words.next()?;
        if self.nodes.len() + way.len() == MOST_NODES {
            let message = message!(
                "the tree has more than {most_nodes} nodes",
                most_nodes = MOST_NODES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        match kind {
            Word::Bare("t") => {
                let name = self
                    .words
                    .quoted(|| message!("the name of the node, in quotes"))?;
                let payoff = self.pay(paid, &span)?;
                self.payoffs.push(payoff);
                let payoff = self.payoffs.len() - 1;
                Ok(Some(self.push(name, 0, Vec::new(), payoff)))
            }
            Word::Bare("p") => {
                let name = self
                    .words
                    .quoted(|| message!("the name of the node, in quotes"))?;
                let (player, at) = self.words.bare(|| message!("the number of the player"))?;
                let player = match player {
                    "1" => 0,
                    "2" => 1,
                    _ => {
                        return Err(syntax(
                            message!("the number of a player must be 1 or 2"),
                            at,
                        ));
                    }
                };
                let (set, at) = self
                    .words
                    .bare(|| message!("the number of the information set"))?;
                // With perfect information, every information set has exactly one node.
                if !self.information.insert((player, set)) {
                    let message = message!(
                        "player {player} cannot distinguish this node from an earlier one (information set {set})",
                        player = player + 1,
                        set
                    );
                    let refusal = Diagnostic::new(Kind::IllegalPosition, message).at(at);
                    return Err(refusal.help(
                        message!("only games of perfect information are supported: every node must be a separate information set"),
                    ));
                }
                if let Some((Word::Quoted(_), _)) = self.words.peek()? {
                    self.words.next()?; // the name of the set
                }
                let (actions, at) = self.words.names(|| message!("the actions"))?;
                if actions.is_empty() {
                    let message = message!("a decision must have at least one action");
                    return Err(Diagnostic::new(Kind::IllegalPosition, message).at(at));
                }
                let paid = self.pay(paid, &span)?;
                way.push(OpenNode {
                    name,
                    player,
                    actions,
                    following: Vec::new(),
                    paid,
                });
                Ok(None)
            }
            Word::Bare("c") => Err(Diagnostic::new(
                Kind::IllegalPosition,
                message!("chance moves are not supported"),
            )
            .at(span)),
            _ => Err(syntax(
                message!("expected a node: `p` for a decision or `t` for a terminal node"),
                span,
            )),
        }
    }

    /// Parses the outcome at a node, and adds its payoff to `paid`.
    fn pay(&mut self, paid: BigRational, node: &Range<usize>) -> Result<BigRational, Diagnostic> {
        let paid = paid + self.outcome()?;
        let bits = paid.numer().bits() + paid.denom().bits();
        self.bits += bits;
        if bits > PAYOFF_BITS || self.bits > ALL_BITS {
            let message = message!("the sums of the payoffs are too long");
            return Err(Diagnostic::new(Kind::Limit, message)
                .at(node.clone())
                .help(message!(
                    "payoffs along a path are added: write shorter ones, or put payoffs at terminal nodes only"
                )));
        }
        Ok(paid)
    }

    /// Parses an outcome. Its payoffs are given where it occurs first, and are omitted later.
    fn outcome(&mut self) -> Result<BigRational, Diagnostic> {
        let (number, at) = self.words.bare(|| message!("the number of an outcome"))?;
        if let Some((Word::Quoted(_), _)) = self.words.peek()? {
            self.words.next()?; // its name
        }
        if let Some((Word::Open, open)) = self.words.peek()? {
            self.words.open(|| message!("the payoffs"))?;
            let (wins, _) = self
                .words
                .bare(|| message!("the payoff of the first player"))?;
            let (other, end) = self
                .words
                .bare(|| message!("the payoff of the second player"))?;
            let wins = ratio(wins, &(open.end..end.start))?;
            let other = ratio(other, &end)?;
            let payoff = zero_sum(wins, &other, open.start..end.end)?;
            match self.words.next()? {
                (Word::Close, _) => {}
                (_, span) => return Err(syntax(message!("expected `}` after two payoffs"), span)),
            }
            self.outcomes.insert(number, payoff.clone());
            return Ok(payoff);
        }
        // Outcome 0 means "no outcome" in Gambit.
        if number == "0" {
            return Ok(BigRational::zero());
        }
        self.outcomes.get(number).cloned().ok_or_else(|| {
            let message = message!("outcome {number} has not been defined", number);
            Diagnostic::new(Kind::IllegalPosition, message)
                .at(at)
                .help(message!(
                    "write its payoffs after its number, as in 1 \"\" { 1 -1 }"
                ))
        })
    }
}

/// Returns the unfolded tree in this format. `name` returns the text of a move. Returns `None` if
/// the tree has more than [`MOST_NODES`] nodes.
///
/// The payoff to the second player is the negative of the payoff to the first.
pub fn write(tree: &Tree, title: &str, name: impl Fn(&Step) -> String) -> Option<String> {
    // Programs differ in how they read escaped quotes, so quotes and backslashes are replaced by
    // apostrophes.
    let quoted = |text: &str| format!("\"{}\"", text.replace(['"', '\\'], "'"));
    let [first, second] = &tree.players;
    let mut out = format!(
        "EFG 2 R {} {{ {} {} }}\n\n",
        quoted(title),
        quoted(first),
        quoted(second)
    );
    // The nodes are written in preorder, as the format requires. A shared node is written once for
    // each path to it.
    let mut waiting = vec![tree.root()];
    let (mut sets, mut nodes) = ([0, 0], 0);
    let mut said = FxHashSet::default();
    while let Some(node) = waiting.pop() {
        nodes += 1;
        if nodes > MOST_NODES {
            return None;
        }
        let here = &tree.nodes[node];
        if here.branches.is_empty() {
            let _ = write!(out, "t {} {}", quoted(&here.caption), here.payoff + 1);
            if said.insert(here.payoff) {
                let payoff = &tree.payoffs[here.payoff];
                let label = quoted(&tree.payoff_text(here.payoff));
                let _ = write!(out, " {label} {{ {payoff} {} }}", -payoff);
            }
            out.push('\n');
            continue;
        }
        sets[here.player] += 1;
        let set = sets[here.player];
        let actions = here
            .branches
            .iter()
            .map(|branch| quoted(&name(&branch.action)));
        let actions: Vec<String> = actions.collect();
        let _ = writeln!(
            out,
            "p {} {} {set} \"\" {{ {} }} 0",
            quoted(&here.caption),
            here.player + 1,
            actions.join(" ")
        );
        waiting.extend(here.branches.iter().rev().map(|branch| branch.to));
    }
    Some(out)
}
