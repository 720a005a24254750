//! Tables of games whose positions are numbered (ranked), compared with the results for the same
//! games without the numbering.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_core::argument::Argument;
use grundy_core::implicit::dense::{
    Cells, Outcomes, Pass, PassQuantity, Predecessors, Ranked, remoteness, sieve,
};
use grundy_core::{
    Labelled, Limits, Outcome, Play, Position, RankedGame, Stop, game_graph, registry,
};

fn position(name: &str, arguments: &[Argument]) -> Position {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|argument| (None, argument.clone()))
        .collect();
    registry::construct(name, &arguments).unwrap().into()
}

fn numbers(name: &str, numbers: &[u64]) -> Position {
    let arguments: Vec<_> = numbers.iter().map(|&n| Argument::Int(n.into())).collect();
    position(name, &arguments)
}

fn board(name: &str, rows: &[&str]) -> Position {
    let rows = rows.iter().map(|&row| Argument::Text(row.into()));
    position(name, &[Argument::List(rows.collect())])
}

/// Returns the table that answers `question` for a game. Computes it in one pass, and again with an
/// interruption at every second check of the limits, and checks that both tables are equal.
fn cells(game: &dyn RankedGame, question: PassQuantity, play: Play) -> Cells {
    let mut full = Pass::default();
    game.resume(question, play, &mut full, &Limits::none())
        .unwrap();
    let mut pass = Pass::default();
    loop {
        let polls = AtomicU64::new(0);
        let limits = Limits {
            interrupted: &|| (polls.fetch_add(1, Ordering::Relaxed) == 1).then_some(Stop::Time),
            ..Limits::none()
        };
        match game.resume(question, play, &mut pass, &limits) {
            Ok(()) => break,
            Err(stop) => assert_eq!(stop, Stop::Time),
        }
        // Serialize the cells, as a checkpoint does.
        let bytes = pass.cells.bytes(0..pass.cells.len());
        pass.cells = Cells::from_bytes(pass.cells.width(), &bytes).unwrap();
    }
    assert_eq!(pass, full);
    assert_eq!(pass.done, game.turns() * game.positions());
    pass.cells
}

/// Checks the ranks (numbers) of all positions and their options against the positions themselves.
/// Checks the labels and values of all reachable positions against those of the game graph.
fn agrees(start: &Position) {
    let game = start.ranked().unwrap().expect("the game has ranks");
    let nature = game.nature();
    assert_eq!(nature, start.nature());
    for rank in 0..game.positions() {
        let position = game.position(rank).unwrap();
        assert_eq!(game.rank(&position), Ok(Some(rank)), "{position}");
        for &player in nature.beginners() {
            let mut options = Vec::new();
            game.options(player, rank, &mut options).unwrap();
            let mut moves = Vec::new();
            let _ = position.every_move(player, &mut |_, _, to| {
                moves.push(game.rank(&to()).unwrap().expect("options have ranks"));
                std::ops::ControlFlow::Continue(())
            });
            options.sort_unstable();
            moves.sort_unstable();
            assert_eq!(options, moves, "{position}");
            // The dense pass visits ranks in ascending order, so every option must have a smaller
            // rank.
            assert!(options.iter().all(|&option| option < rank));
        }
    }
    let graph = game_graph(start, &Limits::default()).unwrap();
    let ranks: HashMap<u32, u64> = (0..graph.positions())
        .map(|number| match &graph.index {
            grundy_core::PositionIndex::Numbered(numbered) => {
                let rank = game.rank(&numbered.position(number)).unwrap();
                (number, rank.expect("what can be reached has a rank"))
            }
            grundy_core::PositionIndex::Named(_) => unreachable!(),
        })
        .collect();
    for play in [Play::Normal, Play::Misere] {
        let labelled = Labelled::new(&graph, play, &Limits::default()).unwrap();
        let labels = Outcomes::new(cells(&*game, PassQuantity::Remoteness, play), play);
        let wins = Outcomes::without_remoteness(cells(&*game, PassQuantity::Outcome, play));
        for (&number, &rank) in &ranks {
            // A partizan game has a cell for each player to move.
            for (turn, label) in labelled.labels(&graph, number).enumerate() {
                let cell = game.turns() * rank + turn as u64;
                assert_eq!(
                    labels.outcome(cell),
                    label.outcome,
                    "{}",
                    graph.name(number)
                );
                assert_eq!(labels.remoteness(cell), label.remoteness);
                assert_eq!(wins.outcome(cell), label.outcome);
            }
        }
        if play == Play::Normal && nature.is_impartial() {
            let values = cells(&*game, PassQuantity::Grundy, play);
            for (&number, &rank) in &ranks {
                let value = labelled.value(&graph, number).unwrap();
                assert_eq!(value.to_string(), values.get(rank).to_string());
            }
        }
    }
}

#[test]
fn nim_by_ranks() {
    for heaps in [
        &[][..],
        &[0],
        &[6],
        &[3, 4, 2],
        &[1, 1, 1, 1, 1],
        &[0, 5, 0, 3],
        // More sizes than a machine word has bits.
        &[70, 5],
        &[67, 2],
    ] {
        agrees(&numbers("nim", heaps));
    }
}

#[test]
fn chomp_by_ranks() {
    for bar in [
        &[1][..],
        &[5],
        &[1, 1, 1],
        &[3, 3, 3],
        &[4, 4],
        &[2, 2, 2, 2],
        &[5, 3, 3, 1],
        &[4, 1, 1],
    ] {
        agrees(&numbers("chomp", bar));
    }
}

#[test]
fn boards_by_ranks() {
    for rows in [
        &["."][..],
        &["...", "..."],
        &["....", ".#..", "..#."],
        &["#"],
        &["...", "...", "..."],
    ] {
        agrees(&board("cram", rows));
        agrees(&board("domineering", rows));
    }
}

#[test]
fn unreachable_positions_have_no_rank() {
    let none = |start: Position, other: Position| {
        let game = start.ranked().unwrap().unwrap();
        assert_eq!(game.rank(&other), Ok(None), "{other} from {start}");
    };
    none(numbers("nim", &[3, 4]), numbers("nim", &[4, 3]));
    none(numbers("nim", &[3, 4]), numbers("nim", &[3]));
    none(numbers("nim", &[3, 4]), numbers("chomp", &[3]));
    none(numbers("chomp", &[3, 2]), numbers("chomp", &[3, 3]));
    none(numbers("chomp", &[3, 2]), numbers("chomp", &[1, 1, 1]));
    none(numbers("chomp", &[3, 2]), numbers("chomp", &[4]));
    none(board("cram", &[".#."]), board("cram", &["..."]));
    none(board("cram", &["..."]), board("cram", &["...", "..."]));
    none(board("cram", &["..."]), board("domineering", &["..."]));
    let sum = Position::sum(
        [numbers("nim", &[1]), numbers("chomp", &[2])]
            .iter()
            .map(|p| p.terms()[0].clone())
            .collect(),
    );
    assert!(sum.unwrap().ranked().unwrap().is_none());
    assert!(numbers("kayles", &[5]).ranked().unwrap().is_none());
    // Too many positions for a table.
    assert!(numbers("chomp", &[100, 100]).ranked().unwrap().is_none());
    assert!(numbers("nim", &[u64::MAX]).ranked().unwrap().is_none());
    assert!(
        numbers("nim", &[1 << 40, 1 << 40])
            .ranked()
            .unwrap()
            .is_none()
    );
    assert!(board("cram", &["........"; 8]).ranked().unwrap().is_none());
}

#[test]
fn a_sample_of_the_first_cells_is_a_prefix_of_the_table() {
    let game = numbers("chomp", &[6, 6, 6, 6]).ranked().unwrap().unwrap();
    for question in [PassQuantity::Remoteness, PassQuantity::Grundy] {
        let full = cells(&*game, question, Play::Normal);
        let mut pass = Pass::default();
        game.sample(100, question, Play::Normal, &mut pass, &Limits::none())
            .unwrap();
        assert_eq!((pass.done, pass.cells.len()), (100, 100));
        assert!((0..100).all(|rank| pass.cells.get(rank) == full.get(rank)));
    }
}

/// A heap from which one chip is taken at a time, so a game lasts as long as the heap is large.
struct OneByOne(u64);

impl Ranked for OneByOne {
    fn len(&self) -> u64 {
        self.0
    }

    fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
        let _ = n.checked_sub(1).is_none_or(&mut visit);
    }
}

impl Predecessors for OneByOne {
    fn predecessors(&self, n: u64, mut visit: impl FnMut(u64)) {
        if n + 1 < self.0 {
            visit(n + 1);
        }
    }
}

#[test]
fn cells_widen_for_long_plays() {
    // Lengths just below and above the largest remoteness of one and of two bytes.
    for (length, width) in [(200, 1), (252, 1), (258, 2), (65_530, 2), (70_000, 4)] {
        for play in [Play::Normal, Play::Misere] {
            let tables = [sieve, remoteness].map(|pass: fn(&OneByOne, Play, &Limits<'_>) -> _| {
                pass(&OneByOne(length), play, &Limits::none()).unwrap()
            });
            for table in tables {
                assert_eq!(table.cells().width(), width, "{length}");
                for n in 0..length {
                    assert_eq!(table.remoteness(n), Some(n as u32));
                    let wins = (n % 2 == 1) == (play == Play::Normal);
                    assert_eq!(table.outcome(n), Outcome::from_win(wins));
                }
            }
        }
    }
    let little = Limits {
        memory: 70_000,
        ..Limits::none()
    };
    assert!(matches!(
        sieve(&OneByOne(70_000), Play::Normal, &little),
        Err(Stop::Memory(_))
    ));
}

// Results of an independent program, which counts eating the poisoned square as one more move.
#[test]
fn remoteness_of_rectangles_of_chomp() {
    let cases: &[(u64, u64, u32)] = if cfg!(debug_assertions) {
        &[(8, 12, 24)]
    } else {
        &[(8, 12, 24), (10, 14, 90)]
    };
    for &(rows, columns, moves) in cases {
        let start = numbers("chomp", &vec![columns; rows as usize]);
        let game = start.ranked().unwrap().unwrap();
        let labels = Outcomes::new(
            cells(&*game, PassQuantity::Remoteness, Play::Normal),
            Play::Normal,
        );
        let rank = game.rank(&start).unwrap().unwrap();
        assert_eq!(rank + 1, game.positions());
        assert_eq!(
            (labels.outcome(rank), labels.remoteness(rank)),
            (Outcome::N, Some(moves - 1))
        );
    }
}
