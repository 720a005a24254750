//! Cram, Chomp, Node Kayles and Arc Kayles, compared with the definition.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};

use grundy_core::argument::Argument;
use grundy_core::solve::Detail;
use grundy_core::{Limits, Outcome, Play, Position, Solver, Stop, registry};

fn position(name: &str, arguments: Vec<Argument>) -> Position {
    let items: Vec<_> = arguments.into_iter().map(|item| (None, item)).collect();
    Position::from(registry::construct(name, &items).expect("the arguments are right"))
}

/// Returns Cram on a board of `width` columns whose free squares are the bits of `free`.
fn cram(height: usize, width: usize, free: u64) -> Position {
    let row = |row: usize| {
        let square = |column: usize| {
            if free >> (row * width + column) & 1 == 1 {
                '.'
            } else {
                '#'
            }
        };
        Argument::Text((0..width).map(square).collect())
    };
    position("cram", vec![Argument::List((0..height).map(row).collect())])
}

fn rectangle(name: &str, height: u64, width: u64) -> Position {
    position(name, vec![Argument::Board(height, width)])
}

/// Returns the boards after each move, that is, after each placement of a domino.
fn dominoes(height: usize, width: usize, free: u64) -> impl Iterator<Item = u64> {
    let squares = (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)));
    let pairs = squares.flat_map(move |(row, column)| {
        let here = 1u64 << (row * width + column);
        let right = (column + 1 < width).then_some(here | here << 1);
        let below = (row + 1 < height).then_some(here | here << width);
        [right, below]
    });
    let fitting = pairs.flatten().filter(move |pair| free & pair == *pair);
    fitting.map(move |pair| free & !pair)
}

fn mex(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.dedup();
    (0..)
        .zip(&values)
        .find(|(n, value)| n != *value)
        .map_or(values.len() as u64, |(n, _)| n)
}

/// Checks all sets of free squares: the value equals the mex by the definition, and the winning
/// moves are those to boards of value 0. Checks every `misere_every`-th set in misère play as well.
fn all_boards(height: usize, width: usize, misere_every: u64) {
    let mut values: Vec<u64> = Vec::new();
    let mut lost: Vec<bool> = Vec::new();
    let mut solver = Solver::default();
    let limits = Limits::default();
    // A move clears bits, so all options have smaller numbers and their values are known.
    for free in 0..1u64 << (height * width) {
        let options: Vec<u64> = dominoes(height, width, free).collect();
        let value = mex(options.iter().map(|&to| values[to as usize]).collect());
        values.push(value);
        // In misère play a player without a move wins, so a board is lost if it has options and
        // each of them is won.
        lost.push(!options.is_empty() && options.iter().all(|&to| !lost[to as usize]));
        let game = cram(height, width, free);
        let solution = solver
            .solve(&game, Play::Normal, &limits)
            .expect("no limit");
        assert_eq!(solution.grundy(), Some(value), "{game}");
        let winning = options
            .iter()
            .filter(|&&to| values[to as usize] == 0)
            .count();
        assert_eq!(solution.winning_moves().len(), winning, "{game}");
        if free.is_multiple_of(misere_every) {
            let misere = solver
                .outcome(&game, Play::Misere, &limits)
                .expect("no limit");
            assert_eq!(misere == Outcome::P, lost[free as usize], "misère: {game}");
        }
    }
}

#[test]
fn values_of_all_boards_of_cram_to_sixteen_squares() {
    for (height, width) in [(1, 12), (4, 3), (3, 5), (2, 8), (4, 4), (1, 16)] {
        all_boards(height, width, 7);
    }
}

#[test]
#[ignore = "half a minute: the boards of 18 and 20 squares"]
fn values_of_all_boards_of_cram_to_twenty_squares() {
    for (height, width) in [(3, 6), (2, 10), (4, 5), (1, 20)] {
        all_boards(height, width, 50);
    }
}

/// Returns a random board in which about `of_twelve` of 12 squares are free.
fn scattered(state: &mut u64, squares: usize, of_twelve: u64) -> u64 {
    (0..squares).fold(0, |free, square| {
        // Knuth's linear congruential generator; the low bits have short periods, so the high ones
        // are used.
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        free | u64::from((*state >> 33) % 12 < of_twelve) << square
    })
}

/// Returns the value of a board by the definition, with memoization.
fn value_of(height: usize, width: usize, free: u64, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&value) = known.get(&free) {
        return value;
    }
    let options: Vec<u64> = dominoes(height, width, free).collect();
    let values = options
        .into_iter()
        .map(|to| value_of(height, width, to, known))
        .collect();
    let value = mex(values);
    known.insert(free, value);
    value
}

#[test]
fn values_of_scattered_boards_of_cram() {
    let mut state = 7;
    for (height, width) in [(4, 5), (3, 7), (5, 4), (7, 3), (2, 11), (1, 30)] {
        for _ in 0..12 {
            let free = scattered(&mut state, height * width, 8);
            let game = cram(height, width, free);
            let value = value_of(height, width, free, &mut HashMap::new());
            let found = Solver::default().grundy(&game, &Limits::default());
            assert_eq!(found, Ok(value), "{game}");
        }
    }
}

// Published values of 3 x n and of larger rectangles; 2 x n has value n mod 2.
#[test]
fn published_values_of_cram() {
    let mut solver = Solver::default();
    let values = [0, 1, 1, 4, 1, 3, 1, 2, 0].into_iter().zip(3..);
    for (value, width) in values {
        let found = solver.grundy(&rectangle("cram", 3, width), &Limits::default());
        assert_eq!(found, Ok(value), "3 by {width}");
    }
    for width in 1..16 {
        let found = solver.grundy(&rectangle("cram", 2, width), &Limits::default());
        assert_eq!(found, Ok(width % 2), "2 by {width}");
    }
    for (height, width, value) in [
        (4, 5, 2),
        (4, 7, 3),
        (5, 5, 0),
        (5, 6, 2),
        (5, 7, 1),
        (4, 9, 1),
    ] {
        let found = solver.grundy(&rectangle("cram", height, width), &Limits::default());
        assert_eq!(found, Ok(value), "{height} by {width}");
    }
}

// A row of n squares in Cram is Dawson's Kayles with n. The lengths are below and above the word
// length of 64.
#[test]
fn rows_of_any_length() {
    let mut solver = Solver::default();
    let limits = Limits::default();
    for width in [17, 40, 57, 58, 60, 64, 65, 100, 128, 129, 140] {
        let row = position(
            "cram",
            vec![Argument::List(vec![Argument::Text(".".repeat(width))])],
        );
        let heap = position("dawsons_kayles", vec![Argument::Int(width as i128)]);
        let [row, heap] = [row, heap].map(|position| solver.grundy(&position, &limits));
        assert_eq!(row, heap, "{width} squares");
    }
}

// Blocked columns split the board into small components. The board has more than 128 squares, or
// more columns than a word has bits.
#[test]
fn parts_of_large_boards_add_up() {
    let mut solver = Solver::default();
    let limits = Limits::default();
    let mut state = 3;
    for (height, copies, width) in [(3, 11, 4), (4, 17, 3), (2, 40, 2)] {
        let mut rows = vec![String::new(); height];
        let mut sum = 0;
        // Three quarters of the squares are free, so most components are neither full boards nor
        // trivial.
        for _ in 0..copies {
            let free = scattered(&mut state, height * width, 9);
            sum ^= value_of(height, width, free, &mut HashMap::new());
            for (row, text) in rows.iter_mut().enumerate() {
                let line = free >> (row * width);
                text.extend(
                    (0..width).map(|column| if line >> column & 1 == 1 { '.' } else { '#' }),
                );
                text.push('#');
            }
        }
        let rows = rows.into_iter().map(Argument::Text).collect();
        let game = position("cram", vec![Argument::List(rows)]);
        assert_eq!(solver.grundy(&game, &limits), Ok(sum), "{game}");
    }
}

// If a position has more moves than fit in memory, the solver must stop at a limit, and must do so
// soon.
#[test]
fn more_moves_than_can_be_listed() {
    let rows = [1_000_000_000, 999_999_998, 5].map(Argument::Int);
    let bar = position("chomp", rows.to_vec());
    let of = |positions, memory, interrupted: &(dyn Fn() -> Option<Stop> + Sync)| {
        let limits = Limits {
            positions,
            memory,
            interrupted,
            visited: None,
        };
        let solution = Solver::default().answer(&bar, Play::Normal, Detail::Outcome, &limits);
        solution.map(|solution| solution.outcome())
    };
    assert_eq!(of(10_000, u64::MAX, &|| None), Err(Stop::Positions(10_000)));
    assert_eq!(of(u64::MAX, 1 << 22, &|| None), Err(Stop::Memory(1 << 22)));
    // The limit is polled, so count the polls: a search that never polls would not return.
    let polls = AtomicU32::new(0);
    let interrupt = || (polls.fetch_add(1, Ordering::Relaxed) > 20).then_some(Stop::Time);
    assert_eq!(of(u64::MAX, u64::MAX, &interrupt), Err(Stop::Time));
}

// A smaller table evicts more entries, but the values stay the same.
#[test]
fn memory_changes_no_value() {
    for memory in [1 << 19, 1 << 21, 1 << 24] {
        let limits = Limits {
            memory,
            ..Limits::default()
        };
        for (height, width, value) in [(3, 9, 1), (4, 7, 3), (3, 8, 3)] {
            let mut solver = Solver::default();
            let found = solver.grundy(&rectangle("cram", height, width), &limits);
            assert_eq!(
                found,
                Ok(value),
                "{height} by {width} within {memory} bytes"
            );
        }
    }
}

/// Returns the row lengths of every Young diagram in a rectangle, ordered by size.
fn diagrams(rows: usize, columns: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for _ in 0..rows {
        let longer = all.iter().flat_map(|lengths: &Vec<u64>| {
            let most = lengths.last().copied().unwrap_or(columns);
            (0..=most).map(|length| [&lengths[..], &[length]].concat())
        });
        all = longer.collect();
    }
    for lengths in &mut all {
        lengths.retain(|&length| length > 0);
    }
    all.retain(|lengths| !lengths.is_empty());
    all.sort_by_key(|lengths| lengths.iter().sum::<u64>());
    all
}

/// Returns the bars that remain after each possible bite. A bite at a square removes this square
/// and all squares below it and to its right. The bite at the poisoned corner is omitted.
fn bites(lengths: &[u64]) -> Vec<Vec<u64>> {
    let mut after = Vec::new();
    for row in 0..lengths.len() {
        for column in 0..lengths[row] {
            if (row, column) != (0, 0) {
                let mut left = lengths.to_vec();
                left[row..]
                    .iter_mut()
                    .for_each(|length| *length = column.min(*length));
                left.retain(|&length| length > 0);
                after.push(left);
            }
        }
    }
    after
}

// Values, winning bites and outcomes of all bars in a rectangle. The bars are solved from large to
// small, sometimes with a new solver, so that the values cannot depend on the cache.
#[test]
fn bars_of_chocolate() {
    for (rows, columns) in [(5, 5), (3, 7), (7, 3), (2, 9), (1, 6)] {
        let mut values: HashMap<Vec<u64>, u64> = HashMap::new();
        let mut solver = Solver::default();
        let limits = Limits::default();
        let all = diagrams(rows, columns);
        for lengths in &all {
            let options = bites(lengths);
            let value = mex(options.iter().map(|to| values[to]).collect());
            values.insert(lengths.clone(), value);
        }
        for (n, lengths) in all.iter().enumerate().rev() {
            let numbers = lengths.iter().map(|&length| Argument::Int(length.into()));
            let game = position("chomp", numbers.collect());
            if n % 5 == 0 {
                solver = Solver::default();
            }
            let outcome = solver.answer(&game, Play::Normal, Detail::Outcome, &limits);
            let outcome = outcome.expect("no limit").outcome();
            assert_eq!(outcome == Outcome::P, values[lengths] == 0, "{game}");
            let solution = solver
                .solve(&game, Play::Normal, &limits)
                .expect("no limit");
            assert_eq!(solution.grundy(), Some(values[lengths]), "{game}");
            let winning = bites(lengths).iter().filter(|to| values[*to] == 0).count();
            assert_eq!(solution.winning_moves().len(), winning, "{game}");
        }
    }
}

// The values of square bars, and the outcome of one whose value takes too long.
#[test]
fn square_bars_of_chocolate() {
    let mut solver = Solver::default();
    for (side, value) in [(10, 19), (11, 23)] {
        let found = solver.grundy(&rectangle("chomp", side, side), &Limits::default());
        assert_eq!(found, Ok(value), "{side} by {side}");
    }
    let square = rectangle("chomp", 12, 12);
    let solution = solver
        .solve(&square, Play::Normal, &Limits::default())
        .expect("no limit");
    assert_eq!(solution.outcome(), Outcome::N);
    let moves: Vec<_> = solution
        .winning_moves()
        .iter()
        .map(|mv| mv.to.to_string())
        .collect();
    // The bite at (1, 1) leaves a symmetric hook, from which the opponent can be mirrored.
    let hook = format!("chomp(12{})", ", 1".repeat(11));
    assert!(moves.contains(&hook), "{moves:?}");
}

// Threads share a table of values. This must change neither answers nor errors.
#[test]
fn threads_change_no_answer() {
    let boards = [
        rectangle("cram", 4, 7),
        rectangle("cram", 5, 6),
        rectangle("cram", 3, 11),
    ];
    for board in &boards {
        let answers: Vec<_> = [1, 2, 4]
            .into_iter()
            .map(|threads| {
                let mut solver = Solver::default();
                solver.set_threads(NonZeroUsize::new(threads));
                let answer = solver.solve(board, Play::Normal, &Limits::default());
                let answer = answer.expect("no limit");
                let moves = answer.winning_moves().iter().map(|mv| mv.to.to_string());
                (answer.grundy(), moves.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(answers[0], answers[1], "{board}");
        assert_eq!(answers[0], answers[2], "{board}");
    }
    // An interrupt stops the search in every thread.
    let polls = AtomicU32::new(0);
    let limits = Limits {
        interrupted: &|| (polls.fetch_add(1, Ordering::Relaxed) > 40).then_some(Stop::Interrupted),
        ..Limits::default()
    };
    let mut solver = Solver::default();
    solver.set_threads(NonZeroUsize::new(3));
    let large = rectangle("cram", 5, 9);
    let stopped = solver.solve(&large, Play::Normal, &limits);
    assert_eq!(stopped.map(|_| ()), Err(Stop::Interrupted));
}

/// A graph as pairs of vertices, with multiple edges and loops allowed.
type Edges = Vec<[u32; 2]>;

/// Returns the value of a set of vertices in Node Kayles by the definition.
fn node_value(edges: &Edges, vertices: u64, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&value) = known.get(&vertices) {
        return value;
    }
    let mut values = Vec::new();
    for vertex in (0..64).filter(|vertex| vertices >> vertex & 1 == 1) {
        let gone = edges
            .iter()
            .fold(1u64 << vertex, |gone, &[a, b]| match vertex {
                _ if a == vertex => gone | 1 << b,
                _ if b == vertex => gone | 1 << a,
                _ => gone,
            });
        values.push(node_value(edges, vertices & !gone, known));
    }
    let value = mex(values);
    known.insert(vertices, value);
    value
}

/// Returns the value of a set of edges in Arc Kayles by the definition.
fn arc_value(edges: &Edges, left: u64, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&value) = known.get(&left) {
        return value;
    }
    let mut values = Vec::new();
    for (n, [a, b]) in edges.iter().enumerate().filter(|(n, _)| left >> n & 1 == 1) {
        let touched = |&(_, [c, d]): &(usize, &[u32; 2])| a == c || a == d || b == c || b == d;
        let gone = edges.iter().enumerate().filter(touched);
        let to = gone.fold(left & !(1 << n), |left, (other, _)| left & !(1 << other));
        values.push(arc_value(edges, to, known));
    }
    let value = mex(values);
    known.insert(left, value);
    value
}

fn written(edges: &Edges) -> Vec<Argument> {
    let words: Vec<String> = edges.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    vec![Argument::Text(words.join(" "))]
}

fn path(vertices: u32) -> Edges {
    (1..vertices).map(|vertex| [vertex - 1, vertex]).collect()
}

// Structured graphs test the theorems for paths and the symmetry reductions; random ones test the
// search.
#[test]
fn kayles_on_graphs() {
    let mut graphs: Vec<Edges> = (2..17).map(path).collect();
    // Cycles, stars and grids.
    graphs.extend((3..17).map(|n| [path(n), vec![[n - 1, 0]]].concat()));
    graphs.extend((2..12).map(|n| (1..n).map(|leaf| [0, leaf]).collect()));
    for (height, width) in [(2, 2), (2, 5), (3, 3), (2, 8), (3, 4), (4, 4)] {
        let at = |row: u32, column: u32| row * width + column;
        let along = (0..height)
            .flat_map(|row| (1..width).map(move |column| [at(row, column - 1), at(row, column)]));
        let across = (1..height)
            .flat_map(|row| (0..width).map(move |column| [at(row - 1, column), at(row, column)]));
        graphs.push(along.chain(across).collect());
    }
    // Random trees, and random graphs with some double edges.
    let mut state = 5u64;
    let mut die = |sides: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % sides
    };
    for n in 3..17 {
        let mut edges: Edges = (1..n).map(|vertex| [die(vertex), vertex]).collect();
        graphs.push(edges.clone());
        for _ in 0..3 {
            let (a, b) = (die(n), die(n));
            edges.extend((a != b).then_some([a, b]));
        }
        graphs.push(edges);
    }
    let limits = Limits::default();
    for edges in graphs {
        let vertices = edges
            .iter()
            .flatten()
            .fold(0, |all, vertex| all | 1 << vertex);
        let value = node_value(&edges, vertices, &mut HashMap::new());
        let game = position("node_kayles", written(&edges));
        assert_eq!(
            Solver::default().grundy(&game, &limits),
            Ok(value),
            "{game}"
        );
        // The brute force needs a bit for each edge, and time for all their subsets.
        if edges.len() <= 24 {
            let value = arc_value(&edges, (1 << edges.len()) - 1, &mut HashMap::new());
            let game = position("arc_kayles", written(&edges));
            assert_eq!(
                Solver::default().grundy(&game, &limits),
                Ok(value),
                "{game}"
            );
        }
    }
    // A loop is an edge too. On a path with n vertices, Arc Kayles is Dawson's Kayles with n, and
    // Node Kayles is Dawson's Kayles with n + 1.
    let game = position(
        "arc_kayles",
        written(&vec![[0, 0], [0, 1], [1, 2], [2, 2], [2, 3]]),
    );
    assert_eq!(
        Solver::default().grundy(&game, &limits),
        Ok(arc_value(
            &vec![[0, 0], [0, 1], [1, 2], [2, 2], [2, 3]],
            31,
            &mut HashMap::new()
        ))
    );
    let heap = |n: i128| position("dawsons_kayles", vec![Argument::Int(n)]);
    for (name, heap) in [("node_kayles", heap(201)), ("arc_kayles", heap(200))] {
        let game = position(name, written(&path(200)));
        let mut solver = Solver::default();
        let values = [game, heap].map(|position| solver.grundy(&position, &limits));
        assert_eq!(values[0], values[1], "{name}");
    }
}

// A domino in Cram removes two adjacent squares with all their other edges, which is a move of Arc
// Kayles.
#[test]
fn cram_is_arc_kayles_on_a_grid() {
    let mut state = 11;
    for (height, width) in [(3, 4), (4, 4), (2, 7)] {
        for _ in 0..4 {
            let free = scattered(&mut state, height * width, 9);
            let mut edges = Edges::new();
            for to in dominoes(height, width, free) {
                let pair = free & !to;
                edges.push([pair.trailing_zeros(), pair.ilog2()]);
            }
            let limits = Limits::default();
            let mut solver = Solver::default();
            let boards = [
                cram(height, width, free),
                position("arc_kayles", written(&edges)),
            ];
            let values = boards.map(|board| solver.grundy(&board, &limits));
            assert_eq!(values[0], values[1], "{free:b}");
        }
    }
}
