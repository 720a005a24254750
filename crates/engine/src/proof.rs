//! A constructive proof that an impartial game G has Grundy value m. It gives the second player an
//! answer to every move in G + *m. After the answer, the position is again the sum of a position G'
//! and *m' such that G' has Grundy value m'.
//!
//! The proof uses only the moves of the game, no theorem and no solver (R. P. Sprague, Über
//! mathematische Kampfspiele, Tohoku Mathematical Journal 41 (1935), 438-444; P. M. Grundy,
//! Mathematics and games, Eureka 2 (1939), 6-8).

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::position::Position;
use grundy_base::limits::{Halt, Limits, Stop, break_on_error, stopped_early};
use grundy_base::mex;
use grundy_base::step::{Datum, Step};

/// Largest number of positions in a proof. A longer proof is not readable.
const MAX_POSITIONS: usize = 400;

/// Largest number of steps in a proof.
pub const MAX_STEPS: usize = 5_000;

/// Largest number of moves of one position that are listed.
const MAX_MOVES: usize = 4000;

/// A position in the proof, with its distinct options and its Grundy value. Each position occurs
/// only once.
struct ProofNode {
    text: String,
    /// The indices of the nodes of the distinct options, in the order of the moves.
    options: Vec<usize>,
    value: u64,
}

/// Returns the proof that a position has its Grundy value. The first step states the claim. Then
/// come the positions reachable from `position`, each after its options, so `position` itself comes
/// last.
///
/// For each position G there is a step `proof_value` with the options of G and their mex m, or
/// `proof_end` if G has no option. For each move of the first player in G + *m, a further step
/// gives the answer. The code of this step is `proof_heap` if the move reduces the heap. If the
/// move is in G, the code is `proof_raised` or `proof_lowered`, depending on the value of the
/// option.
///
/// # Errors
/// Fails if the proof needs more than 400 positions or 5,000 steps, or if a limit is reached. Fails
/// with [`Stop::Cyclic`] if positions repeat, and with [`Stop::NotImpartial`] if the game is not
/// impartial.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Position, Term, proof};
/// let steps = proof::steps(&Position::from(Term::new(Nim, vec![1, 1])), &Limits::default())?;
/// assert_eq!(steps[0].code, "proof_claim");
/// assert!(steps.iter().any(|step| step.code == "proof_raised"));
/// # Ok::<(), grundy_core::Stop>(())
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
        if steps.len() > MAX_STEPS {
            return Err(Stop::Positions(MAX_POSITIONS as u64));
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

/// Appends a step for each move of the first player in G + *m, with the answer of the second
/// player. G is the position of `node`, and m is its Grundy value.
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
        // The mex of the options is m, so each smaller value is the value of some option.
        steps.push(
            step("proof_heap", &format!("*{size}")).with("answer", with_value(&node.options, size)),
        );
    }
    for &option in &node.options {
        let moved = &nodes[option];
        // No option has value m. An option of a larger value has itself an option of value m, by
        // the definition of the mex. If an option has a smaller value, the heap can be reduced to
        // this value.
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

/// Returns all positions reachable from `position`, each after its options, with the mex of the
/// options.
fn game_tree(position: &Position, limits: &Limits<'_>) -> Result<Vec<ProofNode>, Stop> {
    /// The mark that replaces the index of a node, for a position that is on the search path and
    /// has no node yet.
    const ON_PATH: usize = usize::MAX;
    let mut nodes: Vec<ProofNode> = Vec::new();
    let mut numbers: FxHashMap<Position, usize> = FxHashMap::default();
    // The search path: for each position its options, and the number of options already visited.
    // Use an explicit stack, since the depth is the length of play.
    let mut path = vec![(position.clone(), options(position, limits)?, 0)];
    numbers.insert(position.clone(), ON_PATH);
    while let Some((_, following, next)) = path.last_mut() {
        let Some(option) = following.get(*next).cloned() else {
            let (here, following, _) = path.pop().expect("it was there a moment ago");
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
            Some(&ON_PATH) => return Err(Stop::Cyclic),
            Some(_) => {}
            None => {
                if numbers.len() == MAX_POSITIONS {
                    return Err(Stop::Positions(MAX_POSITIONS as u64));
                }
                numbers.insert(option.clone(), ON_PATH);
                let following = options(&option, limits)?;
                path.push((option, following, 0));
            }
        }
    }
    Ok(nodes)
}

/// Returns the distinct options of a position.
fn options(position: &Position, limits: &Limits<'_>) -> Result<Vec<Position>, Stop> {
    let mut found: Vec<Position> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut count = 0;
    let too_many = stopped_early(position.moves(position.first_player(), &mut |_, _, to| {
        count += 1;
        // With more options the proof would be too long, so stop here.
        if count > MAX_MOVES || found.len() > MAX_POSITIONS {
            return ControlFlow::Break(Halt::Enough);
        }
        break_on_error(limits.poll())?;
        let to = to();
        if seen.insert(to.clone()) {
            found.push(to);
        }
        ControlFlow::Continue(())
    }))?;
    if too_many {
        return Err(Stop::Positions(MAX_POSITIONS as u64));
    }
    Ok(found)
}
