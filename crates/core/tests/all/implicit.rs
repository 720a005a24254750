//! Implicit games, compared with brute force and with published results.

#[path = "../../examples/implicit/connect_four.rs"]
mod connect_four;
#[path = "../../examples/implicit/dots_and_boxes.rs"]
mod dots_and_boxes;
#[path = "../../examples/implicit/nim.rs"]
mod nim;

use std::collections::HashMap;

use connect_four::{Board, ConnectFour};
use dots_and_boxes::DotsAndBoxes;
use grundy_core::implicit::dense::{
    Pass, PassQuantity, Ranked, grundy, outcomes, remoteness, resume, sieve,
};
use grundy_core::implicit::hashed;
use grundy_core::implicit::pruned::{PrunedSearch, ScoredGame};
use grundy_core::{Game, Limits, Outcome, Play, Stop};
use nim::Nim;

/// Returns the score by the definition. It searches all options, without alpha-beta windows or
/// symmetry.
fn minimax<G: ScoredGame>(
    game: &G,
    position: G::Position,
    memo: &mut HashMap<G::Position, i16>,
) -> i16 {
    if let Some(score) = game.terminal_score(&position) {
        return score;
    }
    if let Some(&score) = memo.get(&position) {
        return score;
    }
    let options: Vec<G::Position> = game.options(&position).into_iter().collect();
    let best = options.into_iter().map(|option| {
        let (gain, again) = game.gain(&position, &option);
        let score = minimax(game, option, memo);
        gain + if again { score } else { -score }
    });
    let best = best.max().expect("a position that is no end has options");
    memo.insert(position, best);
    best
}

/// Nim as an implementation of [`Ranked`] with the required methods only, without the methods for
/// blocks of positions.
struct Plain(Nim);

impl Ranked for Plain {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool) {
        self.0.options(position, visit);
    }
}

// A block must also be filled correctly if a resumed pass starts inside it.
#[test]
fn a_pass_resumed_inside_a_block_fills_the_same_table() {
    let (game, limits) = (Nim(3), Limits::default());
    for play in [Play::Normal, Play::Misere] {
        for question in [
            PassQuantity::Outcome,
            PassQuantity::Remoteness,
            PassQuantity::Grundy,
        ] {
            let mut expected = Pass::default();
            resume(&Plain(game), question, play, &mut expected, &limits).unwrap();
            for known in (0..100).chain([1000, 4095, 4096]) {
                let mut pass = expected.clone();
                pass.cells.truncate(known);
                pass.done = known as u64;
                resume(&game, question, play, &mut pass, &limits).unwrap();
                assert!(pass == expected, "{question:?} {play} from {known}");
            }
        }
    }
}

/// A single Nim heap: its Grundy values exceed a byte from size 256 on.
struct Heap(u64);

impl Ranked for Heap {
    fn len(&self) -> u64 {
        self.0
    }

    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool) {
        let _ = (0..position).all(visit);
    }
}

#[test]
fn grundy_values_get_as_many_bytes_as_they_need() {
    let limits = Limits::default();
    // A table with the value 255 already has two bytes for each cell.
    for (length, width) in [(255, 1), (256, 2), (1000, 2)] {
        let values = grundy(&Heap(length), &limits).unwrap();
        assert_eq!(values.width(), width);
        assert!((0..length).all(|n| u64::from(values.get(n)) == n));
    }
    let table = remoteness(&Heap(257), Play::Misere, &limits).unwrap();
    // In misère play the heap of 1 is the only lost one.
    assert!((0..257).all(|n| table.wins(n) == (n != 1)));
}

// Bouton's theorem gives the answers: the nim-sum in normal play, and in misère play the same
// outcomes except when all heaps are at most 1.
#[test]
fn dense_tables_of_nim_follow_boutons_theorem() {
    let (game, limits) = (Nim(4), Limits::default());
    let values = grundy(&game, &limits).unwrap();
    for play in [Play::Normal, Play::Misere] {
        let tables = [
            sieve(&game, play, &limits).unwrap(),
            outcomes(&game, play, &limits).unwrap(),
            remoteness(&game, play, &limits).unwrap(),
        ];
        for position in 0..game.len() {
            let heaps: Vec<u64> = (0..4).map(|k| position >> (4 * k) & 15).collect();
            let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
            assert_eq!(u64::from(values.get(position)), sum);
            let small = heaps.iter().all(|&heap| heap <= 1);
            let win = (sum != 0) != (play == Play::Misere && small);
            for table in &tables {
                assert_eq!(table.wins(position), win, "{heaps:?} {play}");
            }
        }
    }
}

/// An adapter that implements [`Game`] for a game with numbered positions, so that the search with
/// a hash table can solve it.
struct ByHash<G>(G);

impl<G: Ranked + Send + Sync + 'static> Game for ByHash<G> {
    type Position = u64;

    fn options(&self, &position: &u64) -> impl IntoIterator<Item = u64> {
        let mut options = Vec::new();
        self.0.options(position, |option| {
            options.push(option);
            true
        });
        options
    }

    fn symmetry(&self, position: u64) -> u64 {
        // Sorted heaps: a sum does not depend on the order of its components.
        let mut heaps: Vec<u64> = (0..16).map(|k| position >> (4 * k) & 15).collect();
        heaps.sort_unstable_by(|a, b| b.cmp(a));
        heaps
            .iter()
            .enumerate()
            .fold(0, |all, (k, heap)| all | heap << (4 * k))
    }
}

#[test]
fn hashed_and_dense_tables_agree_on_values_and_remoteness() {
    let (game, limits) = (Nim(3), Limits::default());
    let values = grundy(&game, &limits).unwrap();
    let by_hash = ByHash(game);
    for play in [Play::Normal, Play::Misere] {
        let dense = remoteness(&game, play, &limits).unwrap();
        let mut table = hashed::HashedTable::new(&by_hash, play);
        for position in 0..game.len() {
            let entry = table.entry(&position, &limits).unwrap();
            assert_eq!(entry.value > 0, dense.wins(position));
            assert_eq!(
                Some(entry.remoteness.into()),
                dense.remoteness(position),
                "{position:x}"
            );
            if play == Play::Normal {
                assert_eq!(u32::from(entry.value), values.get(position));
            }
        }
        assert_eq!(table.len(), 816, "3 heaps of 16 sizes, in order");
    }
}

// No published score is needed here: the boards are small enough for brute force.
#[test]
fn connect_four_on_small_boards() {
    let limits = Limits::default();
    for (columns, rows) in [
        (1, 4),
        (2, 4),
        (4, 1),
        (4, 2),
        (4, 3),
        (3, 4),
        (5, 2),
        (5, 3),
        (4, 4),
    ] {
        let game = ConnectFour { columns, rows };
        let expected = minimax(&game, Board::default(), &mut HashMap::new());
        let mut search = PrunedSearch::new(&game);
        assert_eq!(
            search.score(&Board::default(), &limits),
            Ok(expected),
            "{columns} by {rows}"
        );
        // The null-window search must agree with the score at each bound.
        for score in -1..1 {
            let beats = PrunedSearch::new(&game).score_exceeds(&Board::default(), score, &limits);
            assert_eq!(beats, Ok(expected > score));
        }
        assert_eq!(expected, 0, "all boards up to 6 by 5 are draws");
    }
}

#[test]
fn connect_four_positions_have_their_scores() {
    let game = ConnectFour {
        columns: 4,
        rows: 4,
    };
    let mut memo = HashMap::new();
    minimax(&game, Board::default(), &mut memo);
    let mut search = PrunedSearch::new(&game);
    let mut seen = [0; 3];
    let mut boards: Vec<_> = memo
        .iter()
        .map(|(&board, &score)| (format!("{board:?}"), board, score))
        .collect();
    boards.sort_by(|a, b| a.0.cmp(&b.0));
    // Every 37th board, in a fixed order, keeps the test fast and reproducible.
    for (text, board, score) in boards.into_iter().step_by(37) {
        assert_eq!(
            search.score(&board, &Limits::default()),
            Ok(score),
            "{text}"
        );
        seen[(score + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn dots_and_boxes_on_small_boards() {
    // The brute force reproduces the results of D. Wilson's table, from 1x1 to 2x3 boxes.
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3)] {
        let game = DotsAndBoxes::new(rows, columns);
        let mut memo = HashMap::new();
        let expected = minimax(&game, 0, &mut memo);
        let mut search = PrunedSearch::new(&game);
        assert_eq!(
            search.score(&0, &Limits::default()),
            Ok(expected),
            "{rows} by {columns}"
        );
        for (&drawn, &score) in memo.iter().filter(|(drawn, _)| **drawn % 61 == 0) {
            assert_eq!(
                search.score(&drawn, &Limits::default()),
                Ok(score),
                "{drawn:b}"
            );
        }
    }
}

#[test]
fn limits_and_cycles_end_the_search() {
    struct Round;
    impl Game for Round {
        type Position = u8;
        fn options(&self, &n: &u8) -> impl IntoIterator<Item = u8> {
            [(n + 1) % 3]
        }
    }
    let mut table = hashed::HashedTable::new(&Round, Play::Normal);
    assert_eq!(table.outcome(&0, &Limits::default()), Err(Stop::Cyclic));
    // The second call checks that the failed search left no state behind.
    assert_eq!(table.outcome(&0, &Limits::default()), Err(Stop::Cyclic));
    let few = Limits {
        positions: 1000,
        ..Limits::default()
    };
    let game = DotsAndBoxes::new(3, 3);
    assert_eq!(
        PrunedSearch::new(&game).score(&0, &few),
        Err(Stop::Positions(1000))
    );
    assert_eq!(
        outcomes(&Nim(5), Play::Normal, &few).err(),
        Some(Stop::Positions(1000))
    );
    // After a limit the same table can be used again.
    let by_hash = ByHash(Nim(3));
    let mut table = hashed::HashedTable::new(&by_hash, Play::Normal);
    let tiny = Limits {
        positions: 50,
        ..Limits::default()
    };
    assert_eq!(table.outcome(&0xfff, &tiny), Err(Stop::Positions(50)));
    assert_eq!(table.outcome(&0xfff, &Limits::default()), Ok(Outcome::N));
}

#[test]
fn a_stopped_dense_pass_resumes_to_the_same_table() {
    use grundy_core::implicit::dense::Outcomes;
    use std::sync::atomic::{AtomicU32, Ordering};
    let game = Nim(5);
    for (question, play) in [
        (PassQuantity::Outcome, Play::Misere),
        (PassQuantity::Remoteness, Play::Normal),
        (PassQuantity::Grundy, Play::Normal),
    ] {
        let mut expected = Pass::default();
        resume(&game, question, play, &mut expected, &Limits::none()).unwrap();
        let (mut pass, mut stops) = (Pass::default(), 0);
        loop {
            // Interrupt at every fourth poll of the limits.
            let polls = AtomicU32::new(0);
            let limits = Limits {
                interrupted: &|| (polls.fetch_add(1, Ordering::Relaxed) == 3).then_some(Stop::Time),
                ..Limits::none()
            };
            match resume(&game, question, play, &mut pass, &limits) {
                Ok(()) => break,
                Err(stop) => assert_eq!(stop, Stop::Time),
            }
            stops += 1;
        }
        assert!(stops > 3 && pass == expected, "{question:?}");
        let table = Outcomes::new(pass.cells, play);
        if question != PassQuantity::Grundy {
            let same = outcomes(&game, play, &Limits::none()).unwrap();
            assert!((0..game.len()).all(|n| table.wins(n) == same.wins(n)));
        }
    }
}
