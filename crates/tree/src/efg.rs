//! Gambit's extensive form (`.efg`), a file format for games. Only games of two players with
//! perfect information and without chance are supported. They must be zero-sum or constant-sum: the
//! two payoffs of every play have the same sum.
//!
//! See the Gambit documentation, section "The extensive game (.efg) file format". A file lists the
//! nodes in preorder, so it cannot contain a cycle. Payoffs at inner nodes are added along a path.

use std::fmt::Write as _;
use std::ops::Range;

use grundy_base::step::Step;
use grundy_base::{Diagnostic, Kind, message};
use grundy_matrix::read::tokens::{Token, Tokenizer, parse_ratio, syntax_error};
use grundy_matrix::read::total::{CommonTotal, Difference, brief};
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{Branch, Node, Tree};

/// Largest number of nodes in a file.
pub const MAX_NODES: usize = 1_000_000;

/// Largest number of bits of a payoff. It is limited because fractions grow when payoffs are added
/// along a path.
const MAX_PAYOFF_BITS: u64 = 1 << 15;

/// Largest total number of bits of all sums of payoffs along paths (128 MiB).
const MAX_TOTAL_BITS: u64 = 1 << 30;

/// A decision node, some of whose subtrees are still to be parsed.
struct Frame<'a> {
    name: &'a str,
    player: usize,
    actions: Vec<&'a str>,
    successors: Vec<usize>,
    /// For each player, the sum of the payoffs at the nodes on the path to this node.
    payoff_sums: [BigRational; 2],
}

struct EfgParser<'a> {
    tokens: Tokenizer<'a>,
    outcomes: FxHashMap<&'a str, [BigRational; 2]>,
    information_sets: FxHashSet<(usize, &'a str)>,
    nodes: Vec<Node>,
    /// The payoffs of the first player at the terminal nodes.
    payoffs: Vec<BigRational>,
    /// The sum of both payoffs, with the moves of the first play.
    total: CommonTotal<String>,
    /// The error for the first play with another sum. It is reported at the end of the file, since
    /// chance and hidden information are more basic reasons to reject a game.
    general_sum: Option<Diagnostic>,
    /// Total number of bits of the sums of payoffs at all nodes so far, including inner nodes.
    bits: u64,
}

/// Parses a game in extensive form.
///
/// # Errors
/// The first error, with its position in the text. Apart from syntax errors, chance moves and
/// information sets of several nodes are rejected. So are games in which two plays have different
/// sums of payoffs, and files with too many nodes.
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
    let mut tokens = Tokenizer::new(text, start);
    tokens.expect_keyword("EFG", || message!("`EFG` at the start of the file"))?;
    tokens.expect_keyword("2", || message!("the format version 2"))?;
    match tokens.next()? {
        (Token::Bare("R" | "D"), _) => {}
        (_, span) => {
            return Err(syntax_error(
                message!("expected `R`, for rational payoffs"),
                span,
            ));
        }
    }
    tokens.expect_quoted(|| message!("the title, in quotes"))?;
    let (players, span) = tokens.expect_names(|| message!("the players"))?;
    let [first, second] = players[..] else {
        let message = message!(
            "the game must have 2 players, not {players}",
            players = players.len()
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message).at(span));
    };
    if let Some((Token::Quoted(_), _)) = tokens.peek()? {
        tokens.next()?; // the comment
    }
    let mut parser = EfgParser {
        tokens,
        outcomes: FxHashMap::default(),
        information_sets: FxHashSet::default(),
        nodes: Vec::new(),
        payoffs: Vec::new(),
        total: CommonTotal::default(),
        general_sum: None,
        bits: 0,
    };
    parser.nodes()?;
    parser.tokens.expect_end()?;
    let EfgParser {
        mut nodes,
        payoffs,
        total,
        general_sum,
        ..
    } = parser;
    if let Some(error) = general_sum {
        return Err(error);
    }
    let constant = total.into_total();
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
    let win_or_tie = constant.is_zero()
        && sorted
            .iter()
            .all(|payoff| payoff.is_zero() || *payoff == one || *payoff == -one.clone());
    let count = nodes.len();
    Ok(Tree {
        players: [first, second].map(unescape_quotes),
        nodes,
        payoffs: sorted,
        constant,
        win_or_tie,
        positions: count,
        classes: count,
    })
}

/// Returns a text in which escaped quotes are replaced by quotes.
fn unescape_quotes(text: &str) -> String {
    text.replace("\\\"", "\"")
}

impl<'a> EfgParser<'a> {
    fn nodes(&mut self) -> Result<(), Diagnostic> {
        // The stack is explicit, since a malicious file can have a million levels.
        let mut stack: Vec<Frame<'a>> = Vec::new();
        loop {
            let payoff_sums = stack
                .last()
                .map_or_else(Default::default, |frame| frame.payoff_sums.clone());
            let mut done = self.node(payoff_sums, &mut stack)?;
            // If this node completes its parent, the parent is finished as well, and so on.
            while let Some(node) = done {
                let Some(frame) = stack.last_mut() else {
                    return Ok(());
                };
                frame.successors.push(node);
                if frame.successors.len() < frame.actions.len() {
                    break;
                }
                done = stack.pop().map(|frame| self.close(frame));
            }
        }
    }

    fn close(&mut self, frame: Frame<'a>) -> usize {
        let branches = frame.actions.iter().zip(frame.successors);
        let branches = branches.map(|(name, to)| Branch {
            action: Step::new("named").with("name", unescape_quotes(name)),
            to,
        });
        let branches = branches.collect();
        self.push(frame.name, frame.player, branches, 0)
    }

    fn push(&mut self, name: &str, player: usize, branches: Vec<Branch>, payoff: usize) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node {
            text: unescape_quotes(name),
            caption: unescape_quotes(name),
            board: Vec::new(),
            player,
            branches,
            payoff,
            position: number,
            class: number,
        });
        number
    }

    /// Parses one node. Returns the index of the node if it is terminal. Otherwise pushes the node
    /// on the stack, since its subtrees follow.
    fn node(
        &mut self,
        payoff_sums: [BigRational; 2],
        stack: &mut Vec<Frame<'a>>,
    ) -> Result<Option<usize>, Diagnostic> {
        let (kind, span) = self.tokens.next()?;
        if self.nodes.len() + stack.len() == MAX_NODES {
            let message = message!(
                "the tree has more than {most_nodes} nodes",
                most_nodes = MAX_NODES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        match kind {
            Token::Bare("t") => {
                let name = self
                    .tokens
                    .expect_quoted(|| message!("the name of the node, in quotes"))?;
                let [payoff, other] = self.add_outcome(payoff_sums, &span)?;
                let total = &payoff + other;
                if self.general_sum.is_none()
                    && let Err(difference) = self.total.add(total, || play(stack))
                {
                    let error = general_sum(&difference, &play(stack));
                    self.general_sum = Some(error.at(span.start..self.tokens.at()));
                }
                self.payoffs.push(payoff);
                let payoff = self.payoffs.len() - 1;
                Ok(Some(self.push(name, 0, Vec::new(), payoff)))
            }
            Token::Bare("p") => {
                let name = self
                    .tokens
                    .expect_quoted(|| message!("the name of the node, in quotes"))?;
                let (player, at) = self
                    .tokens
                    .expect_bare(|| message!("the number of the player"))?;
                let player = match player {
                    "1" => 0,
                    "2" => 1,
                    _ => {
                        return Err(syntax_error(
                            message!("the number of a player must be 1 or 2"),
                            at,
                        ));
                    }
                };
                let (set, at) = self
                    .tokens
                    .expect_bare(|| message!("the number of the information set"))?;
                // With perfect information, every information set has exactly one node.
                if !self.information_sets.insert((player, set)) {
                    let message = message!(
                        "player {player} cannot distinguish this node from an earlier one (information set {set})",
                        player = player + 1,
                        set
                    );
                    let error = Diagnostic::new(Kind::IllegalPosition, message).at(at);
                    return Err(error.help(
                        message!("only games of perfect information are supported: every node must be a separate information set"),
                    ));
                }
                if let Some((Token::Quoted(_), _)) = self.tokens.peek()? {
                    self.tokens.next()?; // the name of the set
                }
                let (actions, at) = self.tokens.expect_names(|| message!("the actions"))?;
                if actions.is_empty() {
                    let message = message!("a decision must have at least one action");
                    return Err(Diagnostic::new(Kind::IllegalPosition, message).at(at));
                }
                let payoff_sums = self.add_outcome(payoff_sums, &span)?;
                stack.push(Frame {
                    name,
                    player,
                    actions,
                    successors: Vec::new(),
                    payoff_sums,
                });
                Ok(None)
            }
            Token::Bare("c") => Err(Diagnostic::new(
                Kind::IllegalPosition,
                message!("chance moves are not supported"),
            )
            .at(span)),
            _ => Err(syntax_error(
                message!("expected a node: `p` for a decision or `t` for a terminal node"),
                span,
            )),
        }
    }

    /// Parses the outcome at a node, and adds its payoffs to `payoff_sums`.
    fn add_outcome(
        &mut self,
        payoff_sums: [BigRational; 2],
        node: &Range<usize>,
    ) -> Result<[BigRational; 2], Diagnostic> {
        let [first, second] = payoff_sums;
        let [own, other] = self.outcome()?;
        let payoff_sums = [first + own, second + other];
        let bits = payoff_sums
            .each_ref()
            .map(|sum| sum.numer().bits() + sum.denom().bits());
        self.bits += bits[0] + bits[1];
        if bits[0].max(bits[1]) > MAX_PAYOFF_BITS || self.bits > MAX_TOTAL_BITS {
            let message = message!("the sums of the payoffs along the paths have too many digits");
            return Err(Diagnostic::new(Kind::Limit, message)
                .at(node.clone())
                .help(message!(
                    "payoffs along a path are added: write payoffs with fewer digits, or put payoffs at terminal nodes only"
                )));
        }
        Ok(payoff_sums)
    }

    /// Parses an outcome, and returns its payoffs. The payoffs of an outcome are written at its
    /// first occurrence, and may be omitted at later occurrences.
    fn outcome(&mut self) -> Result<[BigRational; 2], Diagnostic> {
        let (number, at) = self
            .tokens
            .expect_bare(|| message!("the number of an outcome"))?;
        if let Some((Token::Quoted(_), _)) = self.tokens.peek()? {
            self.tokens.next()?; // its name
        }
        if let Some((Token::Open, open)) = self.tokens.peek()? {
            self.tokens.expect_open(|| message!("the payoffs"))?;
            let (wins, _) = self
                .tokens
                .expect_bare(|| message!("the payoff of the first player"))?;
            let (other, end) = self
                .tokens
                .expect_bare(|| message!("the payoff of the second player"))?;
            let payoffs = [
                parse_ratio(wins, &(open.end..end.start))?,
                parse_ratio(other, &end)?,
            ];
            match self.tokens.next()? {
                (Token::Close, _) => {}
                (_, span) => {
                    return Err(syntax_error(
                        message!("expected `}` after two payoffs"),
                        span,
                    ));
                }
            }
            self.outcomes.insert(number, payoffs.clone());
            return Ok(payoffs);
        }
        // Outcome 0 means "no outcome" in Gambit.
        if number == "0" {
            return Ok(Default::default());
        }
        self.outcomes.get(number).cloned().ok_or_else(|| {
            let message = message!("outcome {number} has not been defined", number);
            Diagnostic::new(Kind::IllegalPosition, message)
                .at(at)
                .help(message!(
                    "write the payoffs of the outcome after its number, as in 1 \"\" { 1 -1 }"
                ))
        })
    }
}

/// Largest number of moves, and of characters, that an error message quotes from a play.
const MAX_SHOWN: usize = 80;

/// Returns the moves that lead to the node being parsed, for an error message.
fn play(stack: &[Frame<'_>]) -> String {
    let moves = stack
        .iter()
        .take(MAX_SHOWN)
        .map(|frame| unescape_quotes(frame.actions[frame.successors.len()]));
    let moves: Vec<String> = moves.collect();
    brief(&moves.join(", "), MAX_SHOWN)
}

/// Returns the error for a play whose payoffs have another sum than those of the first play.
fn general_sum(difference: &Difference<'_, String>, play: &str) -> Diagnostic {
    let message = message!(
        "the payoffs of the play `{play}` add up to {total}, and those of the play `{first}` add up to {common}",
        play,
        total = difference.total_text(),
        first = difference.place,
        common = difference.common_text()
    );
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "the payoffs along each play must add up to the same number; equilibria of other games (general-sum) are not computed"
    ))
}

/// Returns the tree as the text of an `.efg` file, in which every path from the root is a separate
/// node. `name` returns the text of a move. Returns `None` if the file would have more than
/// [`MAX_NODES`] nodes.
///
/// The payoffs of the two players add up to [`Tree::constant`].
///
/// ```
/// let game = r#"EFG 2 R "choose" { "A" "B" }
///     p "" 1 1 "" { "up" "down" } 0
///     t "" 1 "" { 1 -1 }
///     t "" 2 "" { 0 0 }"#;
/// let tree = grundy_tree::efg::read(game).unwrap();
/// let text = grundy_tree::efg::write(&tree, "no names", |_| String::new()).unwrap();
/// assert!(text.starts_with(r#"EFG 2 R "no names" { "A" "B" }"#));
/// assert_eq!(text.lines().last(), Some(r#"t "" 1 "tie" { 0 0 }"#));
/// ```
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
    let mut stack = vec![tree.root()];
    let (mut sets, mut nodes) = ([0, 0], 0);
    let mut written_payoffs = FxHashSet::default();
    while let Some(node) = stack.pop() {
        nodes += 1;
        if nodes > MAX_NODES {
            return None;
        }
        let here = &tree.nodes[node];
        if here.branches.is_empty() {
            let _ = write!(out, "t {} {}", quoted(&here.caption), here.payoff + 1);
            if written_payoffs.insert(here.payoff) {
                let payoff = &tree.payoffs[here.payoff];
                let label = quoted(&tree.payoff_text(here.payoff));
                let other = &tree.constant - payoff;
                let _ = write!(out, " {label} {{ {payoff} {other} }}");
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
        stack.extend(here.branches.iter().rev().map(|branch| branch.to));
    }
    Some(out)
}
