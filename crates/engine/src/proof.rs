//! A constructive proof that an impartial game G has Grundy value m: in G + *m the second player
//! has an answer to every move, after which the same argument applies.
//!
//! R. P. Sprague, Über mathematische Kampfspiele, Tohoku Mathematical Journal 41 (1935), 438-444;
//! P. M. Grundy, Mathematics and games, Eureka 2 (1939), 6-8. The proof uses only the moves of the
//! game, no theorem and no solver.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::position::Position;
use grundy_base::limits::{Halt, Limits, Stop, ended, unless};
use grundy_base::mex;
use grundy_base::step::{Datum, Step};

/// Number of positions that a proof may have. A longer one is not readable.
const POSITIONS: usize = 400;

/// Number of steps that a proof may have.
pub const STEPS: usize = 5_000;

/// Number of moves of one position that are listed.
const MOVES: usize = 4000;

/// A position of the game. Equal positions share a node.
struct ProofNode {
    text: String,
    /// The distinct options, in the order of the moves.
    options: Vec<usize>,
    value: u64,
}

/// Returns the proof, from the terminal positions to the start.
///
/// Each position has a step `proof_value` with its options and their mex m. Then each move of the
/// first player in G + *m has a step with the answer. Its code is `proof_heap` if the heap was
/// reduced. It is `proof_raised` or `proof_lowered` if the move was made in G.
///
/// # Errors
/// Fails with more than 400 positions or 5,000 steps, or with the limit that was reached. Fails
/// with [`Stop::Cyclic`] if positions repeat, and with [`Stop::NotImpartial`].
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Position, Term, proof};
/// let steps = proof::steps(&Position::from(Term::new(Nim, vec![1, 1])), &Limits::default())?;
/// assert_eq!(steps[0].code, "proof_claim");
/// assert!(steps.iter().any(|step| step.code == "proof_raised"));
/// # Ok::<(), grundy::Stop>(())
/// ```
pub fn steps(position: &Position, limits: &Limits<'_>) -> Result<Vec<Step>, Stop> {
    if !position.nature().is_impartial() {
        return Err(Stop::NotImpartial);
    }
    let nodes = game_tree(position, limits)?;
    let mut steps = Vec::new();
    if let Some(root) = nodes.last() {
        steps.push(
            Step::new("proof_claim")
                .with("game", &root.text[..])
                .with("value", root.value)
                .with("positions", nodes.len()),
        );
    }
    for node in &nodes {
        limits.poll()?;
        if steps.len() > STEPS {
            return Err(Stop::Positions(POSITIONS as u64));
        }
        let listed: Vec<Datum> = node
            .options
            .iter()
            .map(|&option| format!("{} = {}", nodes[option].text, nodes[option].value).into())
            .collect();
        let code = if listed.is_empty() {
            "proof_end"
        } else {
            "proof_value"
        };
        steps.push(
            Step::new(code)
                .with("game", &node.text[..])
                .with("options", Datum::List(listed))
                .with("value", node.value),
        );
        answers(node, &nodes, &mut steps);
    }
    Ok(steps)
}

/// Appends the answers of the second player in G + *m.
fn answers(node: &ProofNode, nodes: &[ProofNode], steps: &mut Vec<Step>) {
    let with_value = |options: &[usize], value: u64| {
        let found = options.iter().find(|&&option| nodes[option].value == value);
        found.map_or(String::new(), |&option| nodes[option].text.clone())
    };
    let step = |code, moved: &str| {
        Step::new(code)
            .with("game", &node.text[..])
            .with("heap", node.value)
            .with("move", moved)
    };
    for size in 0..node.value {
        // Since the mex is m, some option has each smaller value.
        steps.push(
            step("proof_heap", &format!("*{size}")).with("answer", with_value(&node.options, size)),
        );
    }
    for &option in &node.options {
        let moved = &nodes[option];
        // An option of value above m has an option of value m, by the definition of the mex. Below
        // m the heap can be reduced to the same value. No option has value m itself.
        steps.push(if moved.value > node.value {
            let answer = with_value(&moved.options, node.value);
            step("proof_raised", &moved.text)
                .with("from", moved.value)
                .with("answer", answer)
        } else {
            step("proof_lowered", &moved.text)
                .with("from", moved.value)
                .with("answer", format!("*{}", moved.value))
        });
    }
}

/// Returns all reachable positions, each after its options, with the mex of their values.
fn game_tree(position: &Position, limits: &Limits<'_>) -> Result<Vec<ProofNode>, Stop> {
    /// The number of a position that is on the search path.
    const OPEN: usize = usize::MAX;
    let mut nodes: Vec<ProofNode> = Vec::new();
    let mut numbers: FxHashMap<Position, usize> = FxHashMap::default();
    // The search path: each position with its options and the number of those visited. The stack is
    // explicit because its depth is the length of play.
    let mut way = vec![(position.clone(), options(position, limits)?, 0)];
    numbers.insert(position.clone(), OPEN);
    while let Some((_, following, next)) = way.last_mut() {
        let Some(option) = following.get(*next).cloned() else {
            let (here, following, _) = way.pop().expect("it was there a moment ago");
            let options: Vec<usize> = following.iter().map(|option| numbers[option]).collect();
            let value = mex(options.iter().map(|&option| nodes[option].value));
            nodes.push(ProofNode {
                text: here.to_string(),
                options,
                value,
            });
            numbers.insert(here, nodes.len() - 1);
            continue;
        };
        *next += 1;
        match numbers.get(&option) {
            Some(&OPEN) => return Err(Stop::Cyclic),
            Some(_) => {}
            None => {
                if numbers.len() == POSITIONS {
                    return Err(Stop::Positions(POSITIONS as u64));
                }
                numbers.insert(option.clone(), OPEN);
                let following = options(&option, limits)?;
                way.push((option, following, 0));
            }
        }
    }
    Ok(nodes)
}

/// Returns the distinct options of a position. Each of them is a position of the proof.
fn options(position: &Position, limits: &Limits<'_>) -> Result<Vec<Position>, Stop> {
    let mut found: Vec<Position> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut count = 0;
    let too_many = ended(position.moves(position.first_player(), &mut |_, _, to| {
        count += 1;
        // More options than positions can never be proved, so stop before listing them all.
        if count > MOVES || found.len() > POSITIONS {
            return ControlFlow::Break(Halt::Enough);
        }
        unless(limits.poll())?;
        let to = to();
        if seen.insert(to.clone()) {
            found.push(to);
        }
        ControlFlow::Continue(())
    }))?;
    if too_many {
        return Err(Stop::Positions(POSITIONS as u64));
    }
    Ok(found)
}
