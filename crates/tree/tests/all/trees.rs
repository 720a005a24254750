//! Trees, compared with a plain recursive walk and with published counts.

use std::collections::HashSet;
use std::fmt::Write as _;

use grundy_core::{Limits, Play};
use grundy_notation::read_position;
use grundy_tree::{BigUint, Counts, Tree, alpha_beta, efg, strategy, values};

/// The conversion of positions to game trees, included from the source of the analysis crate.
#[path = "../../../analysis/src/tree/source.rs"]
mod source;

fn tree(game: &str, play: Play) -> Tree {
    source::tree(&read_position(game).unwrap(), play, &Limits::default()).unwrap()
}

fn counts(tree: &Tree) -> Counts {
    Counts::new(tree, &Limits::default()).unwrap()
}

/// An independent recursive search of a game in which two players put marks on a square board. It
/// shares no code with the engine.
struct Walk {
    side: usize,
    lines: Vec<Vec<usize>>,
    nodes: u64,
    wins: [u64; 3],
    positions: HashSet<Vec<u8>>,
    classes: HashSet<Vec<u8>>,
}

impl Walk {
    fn visit(&mut self, board: &mut Vec<u8>, mover: u8) -> i32 {
        self.nodes += 1;
        self.positions.insert(board.clone());
        let side = self.side;
        let image = |f: &dyn Fn(usize, usize) -> (usize, usize)| -> Vec<u8> {
            (0..side * side)
                .map(|s| {
                    let (r, c) = f(s / side, s % side);
                    board[r * side + c]
                })
                .collect()
        };
        let last = side - 1;
        let images = [
            image(&|r, c| (r, c)),
            image(&|r, c| (c, last - r)),
            image(&|r, c| (last - r, last - c)),
            image(&|r, c| (last - c, r)),
            image(&|r, c| (c, r)),
            image(&|r, c| (last - r, c)),
            image(&|r, c| (r, last - c)),
            image(&|r, c| (last - c, last - r)),
        ];
        // The class is the least of the eight images of the board under the symmetries of the
        // square.
        self.classes.insert(images.into_iter().min().unwrap());
        for (mark, value) in [(1u8, 1), (2, -1)] {
            if self
                .lines
                .iter()
                .any(|line| line.iter().all(|&square| board[square] == mark))
            {
                self.wins[usize::from(mark) - 1] += 1;
                return value;
            }
        }
        let mut best = None;
        for square in 0..board.len() {
            if board[square] != 0 {
                continue;
            }
            board[square] = mover;
            let value = self.visit(board, 3 - mover);
            board[square] = 0;
            best = Some(match best {
                None => value,
                Some(best) if mover == 1 => value.max(best),
                Some(best) => value.min(best),
            });
        }
        best.unwrap_or_else(|| {
            self.wins[2] += 1;
            0
        })
    }
}

fn agrees(game: &str, side: usize, lines: Vec<Vec<usize>>) {
    let mut walk = Walk {
        side,
        lines,
        nodes: 0,
        wins: [0; 3],
        positions: HashSet::new(),
        classes: HashSet::new(),
    };
    let value = walk.visit(&mut vec![0; side * side], 1);
    let tree = tree(game, Play::Normal);
    let counts = counts(&tree);
    assert_eq!(counts.nodes, BigUint::from(walk.nodes));
    assert_eq!(counts.wins, walk.wins.map(BigUint::from));
    assert_eq!(tree.positions(), walk.positions.len());
    assert_eq!(tree.classes(), walk.classes.len());
    assert_eq!(counts.value as i32 - 1, value);
}

#[test]
fn counts_agree_with_a_plain_traversal() {
    let across = |side: usize| (0..side).map(move |r| (0..side).map(|c| r * side + c).collect());
    let down = |side: usize| (0..side).map(move |c| (0..side).map(|r| r * side + c).collect());
    agrees("tic_toe()", 2, across(2).chain(down(2)).collect());
    let mut lines: Vec<Vec<usize>> = across(3).chain(down(3)).collect();
    agrees(
        "k_in_a_row(['...', '...', '...'], 3, diagonals=False)",
        3,
        lines.clone(),
    );
    lines.extend([vec![0, 4, 8], vec![2, 4, 6]]);
    agrees("tic_tac_toe()", 3, lines);
}

#[test]
fn published_counts() {
    // Tic-Toe is the 2 by 2 game without diagonals, small enough to count by hand.
    let toe = tree("tic_toe()", Play::Normal);
    let c = counts(&toe);
    assert_eq!(
        (c.nodes.to_string(), c.plays.to_string()),
        ("49".into(), "24".into())
    );
    assert_eq!((toe.positions(), toe.classes()), (31, 7));
    assert_eq!(toe.payoff_text(c.value), "X");
    // The published counts of Tic-Tac-Toe: 549,946 nodes, 255,168 plays, 5,478 positions and 765
    // classes.
    let tac = tree("tic_tac_toe()", Play::Normal);
    let c = counts(&tac);
    assert_eq!(c.nodes, BigUint::from(549_946u32));
    assert_eq!(c.wins, [131_184u32, 77_904, 46_080].map(BigUint::from));
    assert_eq!((tac.positions(), tac.classes()), (5478, 765));
    let replay = alpha_beta::replay(&tac, 5, &Limits::default()).unwrap();
    assert_eq!((replay.nodes, replay.value), (18_297, c.value));
    assert_eq!(tac.payoff_text(c.value), "tie");
}

/// Enumerates all strategies of a player in a small tree, that is, all choices of a move at each
/// node of the player. Returns the number of all strategies, of the winning strategies, and of the
/// optimal strategies.
fn all_strategies(tree: &Tree, player: usize) -> [u64; 3] {
    // The unfolded tree, in which every path is a separate node.
    let mut nodes = vec![tree.root()];
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    while next < nodes.len() {
        let mut here = Vec::new();
        for branch in &tree.nodes[nodes[next]].branches {
            here.push(nodes.len());
            nodes.push(branch.to);
        }
        children.push(here);
        next += 1;
    }
    let decisions: Vec<usize> = (0..nodes.len())
        .filter(|&node| tree.nodes[nodes[node]].player == player && !children[node].is_empty())
        .collect();
    let value = values(tree)[tree.root()];
    let mut choice = vec![0; nodes.len()];
    let mut found = [0; 3];
    loop {
        let (mut wins, mut keeps) = (true, true);
        let mut waiting = vec![0];
        while let Some(node) = waiting.pop() {
            if children[node].is_empty() {
                let payoff = tree.nodes[nodes[node]].payoff;
                wins &= tree.winner(payoff) == Some(player);
                keeps &= payoff == value || Tree::better(player, payoff, value);
            } else if tree.nodes[nodes[node]].player == player {
                waiting.push(children[node][choice[node]]);
            } else {
                waiting.extend(&children[node]);
            }
        }
        found[0] += 1;
        found[1] += u64::from(wins);
        found[2] += u64::from(keeps);
        // Increments the choices as a number in mixed radix. A carry out of the last digit ends the
        // enumeration.
        let turned = decisions.iter().find(|&&node| {
            choice[node] += 1;
            if choice[node] == children[node].len() {
                choice[node] = 0;
            }
            choice[node] != 0
        });
        if turned.is_none() {
            return found;
        }
    }
}

#[test]
fn strategy_counts_agree_with_enumeration() {
    for game in [
        "tic_toe()",
        "nim(2, 1)",
        "nim(1, 1, 1)",
        "kayles(3)",
        "domineering(['...', '...'])",
        "toads_and_frogs('T..F')",
        "k_in_a_row(['XOX', 'OXO', '...'], 3)",
        "k_in_a_row(['XO', '..'], 2)",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let tree = tree(game, play);
            let counts = counts(&tree);
            for player in [0, 1] {
                let few = counts.strategies[player].clone().unwrap() < BigUint::from(50_000u32);
                assert!(few, "{game}: too many to try one by one");
                let [all, winning, optimal] = all_strategies(&tree, player).map(BigUint::from);
                assert_eq!(counts.strategies[player], Some(all), "{game}");
                assert_eq!(counts.winning[player], Some(winning), "{game}");
                assert_eq!(counts.optimal[player], Some(optimal), "{game}");
            }
        }
    }
}

#[test]
fn plans_are_distinct_and_two_plans_lead_to_one_leaf() {
    let tree = tree("tic_toe()", Play::Normal);
    let numbered = [0, 1].map(|player| strategy::PlanEnumeration::new(&tree, player));
    let plans = numbered.each_ref().map(|numbered| {
        let count = u32::try_from(numbered.count()).unwrap();
        let plans: Vec<_> = (0..count)
            .map(|number| numbered.get(&number.into()).unwrap())
            .collect();
        assert!(numbered.get(&count.into()).is_none());
        plans
    });
    // X chooses among 4 squares and answers each of 3 replies by one of 2 moves: 4 · 2^3 plans. O
    // answers each of 4 moves by one of 3: 3^4 plans.
    assert_eq!((plans[0].len(), plans[1].len()), (32, 81));
    for plans in &plans {
        let different: HashSet<String> =
            plans.iter().map(|p| format!("{:?}", p.decisions)).collect();
        assert_eq!(different.len(), plans.len());
    }
    for first in &plans[0] {
        let mut worst = usize::MAX;
        for second in &plans[1] {
            let (_, payoff) = strategy::play_out(&tree, [first, second]).unwrap();
            worst = worst.min(payoff);
        }
        assert_eq!(worst, first.guaranteed_payoff);
    }
    let counts = counts(&tree);
    for player in [0, 1] {
        let value = values(&tree)[tree.root()];
        let optimal = strategy::optimal(&tree, player).unwrap();
        assert_eq!(optimal.guaranteed_payoff, value);
        let keeping: Vec<_> = plans[player]
            .iter()
            .filter(|plan| plan.guaranteed_payoff == value)
            .collect();
        let numbered = strategy::PlanEnumeration::optimal(&tree, player);
        assert_eq!(*numbered.count(), BigUint::from(keeping.len()));
        assert_eq!(counts.optimal_plans[player], Some(numbered.count().clone()));
        for (number, plan) in keeping.into_iter().enumerate() {
            assert_eq!(numbered.get(&number.into()).as_ref(), Some(plan));
        }
    }
}

#[test]
fn values_agree_with_the_solvers() {
    let mut solver = grundy_core::Solver::default();
    for game in [
        "nim(3, 4)",
        "kayles(6)",
        "chomp(3, 3)",
        "nim(2, 2)",
        "cram(['...', '..#'])",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let position = read_position(game).unwrap();
            let outcome = solver.outcome(&position, play, &Limits::default()).unwrap();
            let tree = tree(game, play);
            let value = tree.payoff_text(values(&tree)[tree.root()]);
            let expected = if outcome == grundy_core::Outcome::N {
                "first"
            } else {
                "second"
            };
            assert_eq!(value, expected, "{game} {play}");
        }
    }
    let position = read_position("tic_tac_toe()").unwrap();
    let limits = Limits::default();
    let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
    assert_eq!(
        (solution.outcome(), solution.beginnings[0].moves.len()),
        (grundy_core::Outcome::D, 9)
    );
}

#[test]
fn alpha_beta_gives_the_value_of_backward_induction() {
    for game in [
        "tic_toe()",
        "nim(2, 2)",
        "domineering(['...', '...'])",
        "nim(3, 1)",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let tree = tree(game, play);
            let replay = alpha_beta::replay(&tree, 1000, &Limits::default()).unwrap();
            assert_eq!(replay.value, values(&tree)[tree.root()], "{game}");
            assert_eq!(replay.listed.len() as u64, replay.cut_offs);
            for cut in &replay.listed {
                let player = tree.nodes[cut.node].player;
                assert!(!Tree::better(1 - player, cut.reached, cut.bound));
                assert!(cut.bound_at < cut.path.len() && cut.pruned > 0);
            }
        }
    }
}

#[test]
fn damaged_files_are_parsed_or_rejected() {
    // Random edits of valid files keep most of the structure, so the parser gets beyond the header.
    let whole = [
        include_str!("../../../../testdata/choose.efg").to_owned(),
        efg::write(&tree("tic_toe()", Play::Normal), "x", |_| "move".into()).unwrap(),
    ];
    let pieces = [
        "{", "}", "\"", "t ", "p ", "0", "1/0", "\\", " ", "\u{e9}", "-", "1e9",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut roll = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut read, mut refused) = (0, 0);
    for round in 0..4000 {
        let mut text: Vec<char> = whole[round % 2].chars().collect();
        for _ in 0..=roll(3) {
            let (from, length) = (roll(text.len()), roll(6));
            let to = (from + length).min(text.len());
            text.splice(from..to, pieces[roll(pieces.len())].chars());
        }
        let text: String = text.into_iter().collect();
        match efg::read(&text) {
            Ok(tree) => {
                assert_eq!(counts(&tree).nodes, BigUint::from(tree.nodes.len()));
                read += 1;
            }
            Err(error) => {
                let span = error.span.expect("a place in the file");
                assert!(text.get(span).is_some(), "{text}");
                refused += 1;
            }
        }
    }
    // Both branches must occur, since otherwise the edits test too little.
    assert!(read > 100 && refused > 1000, "{read} {refused}");
}

/// Runs the textbook form of alpha-beta pruning. Returns the value, and counts the nodes and the
/// cut-offs in `seen`.
fn plain_alpha_beta(
    tree: &Tree,
    node: usize,
    mut alpha: i64,
    mut beta: i64,
    seen: &mut [u64; 2],
) -> i64 {
    seen[0] += 1;
    let here = &tree.nodes[node];
    if here.branches.is_empty() {
        return here.payoff as i64;
    }
    let first = here.player == 0;
    let mut best = if first { i64::MIN } else { i64::MAX };
    for (index, branch) in here.branches.iter().enumerate() {
        let value = plain_alpha_beta(tree, branch.to, alpha, beta, seen);
        if first {
            best = best.max(value);
            alpha = alpha.max(value);
        } else {
            best = best.min(value);
            beta = beta.min(value);
        }
        if alpha >= beta {
            seen[1] += u64::from(index + 1 < here.branches.len());
            break;
        }
    }
    best
}

#[test]
fn alpha_beta_agrees_with_the_textbook_algorithm() {
    for game in [
        "tic_toe()",
        "tic_tac_toe()",
        "k_in_a_row(['...', '...', '..X', 'O..'], 3)",
        "nim(3, 2, 2)",
        "kayles(7)",
        "domineering(['....', '...#'])",
        "toads_and_frogs('TT..FF')",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let tree = tree(game, play);
            let mut seen = [0; 2];
            let value = plain_alpha_beta(&tree, tree.root(), i64::MIN, i64::MAX, &mut seen);
            let replay = alpha_beta::replay(&tree, 0, &Limits::none()).unwrap();
            assert_eq!(replay.value as i64, value, "{game} {play}");
            assert_eq!([replay.nodes, replay.cut_offs], seen, "{game} {play}");
        }
    }
}

/// Counts the nodes of the unfolded tree, and the plays that the first player wins, loses or ties.
fn walk(tree: &Tree, node: usize, found: &mut [u64; 4]) {
    found[0] += 1;
    let here = &tree.nodes[node];
    if here.branches.is_empty() {
        found[1 + tree.winner(here.payoff).unwrap_or(2)] += 1;
    }
    for branch in &here.branches {
        walk(tree, branch.to, found);
    }
}

#[test]
fn explicit_trees_and_graphs_store_equal_positions_once() {
    // Two diamonds, so the unfolded tree has more nodes than there are positions.
    let diamonds = "tree({0: [1, 2], 1: [3], 2: [3], 3: [4, 5], 4: [6], 5: [6], 6: [7, 8]}, 0, \
                    {7: 'tie', 8: 'O'})";
    let diamond = tree(diamonds, Play::Normal);
    let counts = counts(&diamond);
    let mut found = [0; 4];
    walk(&diamond, diamond.root(), &mut found);
    assert_eq!(found, [21, 0, 4, 4]);
    assert_eq!(counts.nodes, BigUint::from(found[0]));
    assert_eq!(
        counts.wins,
        [found[1], found[2], found[3]].map(BigUint::from)
    );
    assert_eq!(diamond.positions(), 9);
    // X moves last and secures the tie.
    assert_eq!(diamond.payoff_text(counts.value), "tie");
    let captions: Vec<&str> = diamond.nodes.iter().map(|node| &node.caption[..]).collect();
    assert_eq!(captions.last(), Some(&"0"));
    let graph = tree(
        "graph({'a': ['b', 'c'], 'b': ['c'], 'c': []}, 'a')",
        Play::Normal,
    );
    assert_eq!((graph.nodes.len(), graph.positions()), (4, 3));
    assert_eq!(graph.nodes[graph.root()].text, "a");
}

#[test]
fn files_round_trip() {
    for game in [
        "tic_toe()",
        "nim(2, 1)",
        "domineering(['..', '..'])",
        "tree({'a': ['b', 'c'], 'c': ['b']}, 'a', {'b': 'O'})",
    ] {
        let tree = tree(game, Play::Normal);
        let text = efg::write(&tree, game, |step| format!("{:?}", step.args)).unwrap();
        let again = efg::read(&text).unwrap();
        let (one, other) = (counts(&tree), counts(&again));
        assert_eq!(
            (one.nodes, one.plays, one.wins),
            (other.nodes, other.plays, other.wins)
        );
        assert_eq!(one.strategies, other.strategies);
        assert_eq!(tree.payoff_text(one.value), again.payoff_text(other.value));
        let text2 = efg::write(&again, game, |step| format!("{:?}", step.args)).unwrap();
        assert_eq!(efg::read(&text2).unwrap().nodes.len(), again.nodes.len());
    }
}

#[test]
fn hostile_files_get_one_clear_error() {
    let head = "EFG 2 R \"x\" { \"A\" \"B\" } ";
    let deep = "p \"\" 1 1 \"\" { \"a\" } 0 ".repeat(3);
    for (body, message) in [
        ("", "unexpected end of file"),
        (
            "p \"\" 1 1 \"\" { \"a\" \"b\" } 0 t \"\" 1 \"\" { 1 1 } t \"\" 2 \"\" { 1 0 }",
            "the payoffs of the play `b` add up to 1, and those of the play `a` add up to 2",
        ),
        ("t \"\" 1 \"\" { NaN 1 }", "`NaN` is not a valid payoff"),
        (
            "t \"\" 1 \"\" { 1e999999999 1 }",
            "`1e999999999` has more than 4,000 digits",
        ),
        ("t \"\" 1 \"\" { 1/0 1 }", "`1/0` divides by zero"),
        ("t \"\" 7", "outcome 7 has not been defined"),
        (
            "t \"\" 0 t \"\" 0",
            "unexpected text after the end of the game",
        ),
        (
            "c \"\" 1 \"\" { \"a\" 1 } 0 t \"\" 0",
            "chance moves are not supported",
        ),
        (
            "p \"\" 3 1 \"\" { \"a\" } 0 t \"\" 0",
            "the number of a player must be 1 or 2",
        ),
        (
            "p \"\" 1 1 \"\" { } 0",
            "a decision must have at least one action",
        ),
        (
            "p \"\" 1 1 \"\" { \"a\" \"b\" } 0 t \"\" 0",
            "unexpected end of file",
        ),
        (
            "x",
            "expected a node: `p` for a decision or `t` for a terminal node",
        ),
        (
            &deep,
            "player 1 cannot distinguish this node from an earlier one (information set 1)",
        ),
    ] {
        let error = efg::read(&format!("{head}{body}")).unwrap_err();
        assert_eq!(error.message, message);
        assert!(error.span.is_some_and(|span| span.start >= head.len() - 1));
    }
    assert!(efg::read("EFG 2 R \"x\" { \"A\" } t \"\" 0").is_err());
    // The denominators are almost coprime, so the sums along the path grow.
    let mut growing = head.to_owned();
    for node in 1..5000u64 {
        let denominator = u64::MAX - 2 * node;
        let _ = write!(
            growing,
            "p \"\" 1 {node} \"\" {{ \"a\" }} {node} \"\" {{ 1/{denominator} -1/{denominator} }} "
        );
    }
    let error = efg::read(&growing).unwrap_err();
    assert_eq!(error.kind, grundy_core::Kind::Limit);
    // A very deep tree must not overflow the stack.
    let mut long = head.to_owned();
    for node in 0..200_000 {
        let _ = write!(long, "p \"\" {} {node} \"\" {{ \"a\" }} 0 ", 1 + node % 2);
    }
    long.push_str("t \"\" 1 \"\" { 3/2 -3/2 }");
    let tree = efg::read(&long).unwrap();
    let counts = counts(&tree);
    assert_eq!(tree.payoff_text(counts.value), "3/2");
    assert_eq!(
        (counts.longest, counts.plays),
        (200_000, BigUint::from(1u8))
    );
    assert!(alpha_beta::replay(&tree, 1, &Limits::default()).is_ok());
}
