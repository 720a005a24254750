//! Outcomes of boards of partizan games, compared with a plain game tree search and with published
//! results. Some boards are also solved with a cache so small that it evicts most entries.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use grundy_core::argument::Argument;
use grundy_core::move_counts::Reserve;
use grundy_core::position::AnyTerm;
use grundy_core::registry::construct;
use grundy_core::solve::Detail;
use grundy_core::store::Store;
use grundy_core::{Limits, OutcomeClass, Play, Player, Position, Solver};

fn board(name: &str, rows: Vec<String>) -> Arc<dyn AnyTerm> {
    let rows = rows.into_iter().map(Argument::Text).collect();
    construct(name, &[(None, Argument::List(rows))]).unwrap()
}

fn free(rows: usize, columns: usize) -> Arc<dyn AnyTerm> {
    board("domineering", vec![".".repeat(columns); rows])
}

fn random(
    name: &str,
    letters: &[u8],
    [rows, columns]: [usize; 2],
    by: &mut fastrand::Rng,
) -> Arc<dyn AnyTerm> {
    let mut letter = || char::from(letters[by.usize(..letters.len())]);
    let rows = (0..rows).map(|_| (0..columns).map(|_| letter()).collect());
    board(name, rows.collect())
}

fn class(position: &Position, limits: &Limits<'_>) -> OutcomeClass {
    let solution = Solver::default().answer(position, Play::Normal, Detail::Outcome, limits);
    solution.unwrap().class()
}

fn small(memory: u64) -> Limits<'static> {
    Limits {
        memory,
        ..Limits::default()
    }
}

/// Returns whether `player`, to move, wins, by searching the whole game tree.
fn wins(position: &Position, player: Player, known: &mut HashMap<(String, Player), bool>) -> bool {
    let key = (position.to_string(), player);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let mut won = false;
    let _ = position.moves(player, &mut |_, _, to| {
        won |= !wins(&to(), player.other(), known);
        ControlFlow::Continue(())
    });
    known.insert(key, won);
    won
}

fn by_play(position: &Position) -> OutcomeClass {
    let mut known = HashMap::new();
    let [left, right] = Player::BOTH.map(|player| wins(position, player, &mut known));
    OutcomeClass::from_wins(left, right)
}

/// The last column of four rows of five squares.
const LAST: u32 = 0b10000_10000_10000_10000;

/// Returns, for Left and for Right, whether this player wins Domineering moving first. The squares
/// are bits in rows of five. A positive `free_moves` is a number of spare moves of Left, and a
/// negative one of Right.
fn left_and_right(
    squares: u32,
    free_moves: i32,
    known: &mut HashMap<(u32, i32), [bool; 2]>,
) -> [bool; 2] {
    if let Some(&known) = known.get(&(squares, free_moves)) {
        return known;
    }
    // Left's dominoes are vertical, five bits apart. For Right's, the last column is masked out so
    // that none wraps to the next row.
    let places = [
        squares & squares >> 5,
        squares & (squares & !(LAST >> 4)) >> 1,
    ];
    let mut won = [free_moves > 0, free_moves < 0];
    // A spare move affects nothing else, so it is used only if no other move wins.
    if free_moves > 0 {
        won[0] = !left_and_right(squares, free_moves - 1, known)[1];
    }
    if free_moves < 0 {
        won[1] = !left_and_right(squares, free_moves + 1, known)[0];
    }
    for (side, step) in [(0, 5), (1, 1)] {
        let mut rest = places[side];
        while rest != 0 && !won[side] {
            let first = rest & rest.wrapping_neg();
            rest &= !first;
            let after = squares & !(first | first << step);
            won[side] = !left_and_right(after, free_moves, known)[1 - side];
        }
    }
    known.insert((squares, free_moves), won);
    won
}

fn of_squares(squares: u32, rows: usize, columns: usize) -> Arc<dyn AnyTerm> {
    let letter = |square: usize| if squares >> square & 1 == 1 { '.' } else { '#' };
    let row = |row: usize| {
        (0..columns)
            .map(|column| letter(5 * row + column))
            .collect()
    };
    board("domineering", (0..rows).map(row).collect())
}

// A reserve that decides the game must agree with the search. All boards of 12 squares and many of
// 20 are tested, with spare moves of either player.
#[test]
fn deciding_reserves_agree_with_the_search() {
    let mut known = HashMap::new();
    let mut decided = 0;
    let mut random = fastrand::Rng::with_seed(3);
    let small = (0..1u32 << 12).flat_map(|set| {
        let three = (0..3).fold(0, |all, row| all | (set >> (4 * row) & 15) << (5 * row));
        let four = (0..4).fold(0, |all, row| all | (set >> (3 * row) & 7) << (5 * row));
        [(three, 3, 4), (four, 4, 3)]
    });
    // Two random masks leave three quarters of the squares free.
    let large = (0..1_500).map(|_| (random.u32(..1 << 20) | random.u32(..1 << 20), 4, 5));
    for (squares, rows, columns) in small.chain(large.collect::<Vec<_>>()) {
        let mut store = Store::default();
        let mut ids = Vec::new();
        of_squares(squares, rows, columns).enter(&mut store, &mut ids);
        let mut reserves = [Reserve::default(); 2];
        for id in ids {
            let (parts, index) = store.part(id);
            let [left, right] = parts.reserves_of(index).unwrap();
            reserves = [reserves[0] + left, reserves[1] + right];
        }
        for free_moves in -3..=3 {
            let truth = left_and_right(squares, free_moves, &mut known);
            for player in Player::BOTH {
                let side = player as usize;
                let own = i64::from(player.of([free_moves, -free_moves]));
                let reserve = reserves[side] + Reserve::of_integer(own).unwrap();
                if reserve.wins(true) {
                    decided += 1;
                    assert!(
                        truth[side],
                        "{squares:b} and {free_moves}: {player:?} begins"
                    );
                }
                if reserve.wins(false) {
                    decided += 1;
                    assert!(
                        !truth[1 - side],
                        "{squares:b} and {free_moves}: {player:?} second"
                    );
                }
            }
        }
    }
    // Check the test: the reserves must decide often.
    assert!(decided > 50_000, "{decided}");
}

#[test]
fn boards_with_blocked_squares() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut known = HashMap::new();
    for round in 0..400 {
        let squares = random.u32(..1 << 20)
            | if round % 2 == 0 {
                random.u32(..1 << 20)
            } else {
                0
            };
        let [left, right] = left_and_right(squares, 0, &mut known);
        let position = Position::from(of_squares(squares, 4, 5));
        let truth = OutcomeClass::from_wins(left, right);
        assert_eq!(class(&position, &Limits::default()), truth, "{position}");
        // A table of 1 MiB evicts almost everything, which must not change the outcome.
        assert_eq!(class(&position, &small(1 << 20)), truth, "{position}");
    }
}

// Random boards of all partizan games on squares, alone and in sums of two, some with a graph.
#[test]
fn small_boards_and_sums() {
    boards_and_sums(20);
}

#[test]
#[ignore = "three times as many sums, 30 seconds in debug builds"]
fn more_small_boards_and_sums() {
    boards_and_sums(60);
}

fn boards_and_sums(rounds: usize) {
    let mut by = fastrand::Rng::with_seed(7);
    let games: [(&str, &[u8], [usize; 2]); 4] = [
        ("domineering", b"...#", [3, 3]),
        ("clobber", b"xoxo.", [2, 4]),
        ("konane", b"xoxo.", [2, 4]),
        ("amazons", b"x...o#", [2, 3]),
    ];
    for round in 0..rounds {
        let mut terms = Vec::new();
        for _ in 0..=round % 2 {
            let (name, letters, shape) = games[by.usize(..games.len())];
            terms.push(random(name, letters, shape, &mut by));
        }
        if round % 3 == 0 {
            let name = ["col", "snort"][by.usize(..2)];
            let edges = ["0-1 1-2 2-3", "0-1 1-2 2-0 2-3", "0-1 0-2 0-3"][by.usize(..3)];
            let items = [edges, "...."].map(|text| (None, Argument::Text(text.into())));
            terms.push(construct(name, &items).unwrap());
        }
        let position = Position::sum(terms).unwrap();
        let truth = by_play(&position);
        assert_eq!(class(&position, &Limits::default()), truth, "{position}");
        assert_eq!(class(&position, &small(1 << 20)), truth, "{position}");
    }
}

fn published(boards: &[(usize, usize, OutcomeClass)]) {
    for &(rows, columns, right) in boards {
        let begun = Instant::now();
        let found = class(&free(rows, columns).into(), &Limits::none());
        assert_eq!(found, right, "{rows} by {columns}");
        println!(
            "{rows} by {columns}: {:.2} s",
            begun.elapsed().as_secs_f64()
        );
    }
}

const L: OutcomeClass = OutcomeClass::L;
const R: OutcomeClass = OutcomeClass::R;
const N: OutcomeClass = OutcomeClass::N;

// Published outcomes: D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8
// Domineering, 2000.
#[test]
fn rectangles_as_published() {
    published(&[
        (4, 5, L),
        (5, 4, R),
        (4, 6, N),
        (4, 7, L),
        (5, 6, R),
        (5, 7, R),
        (6, 6, N),
        (6, 7, L),
        (7, 6, R),
    ]);
}

#[test]
#[ignore = "some seconds in release builds"]
fn larger_rectangles_as_published() {
    published(&[(5, 8, R), (7, 7, N), (6, 8, R), (7, 8, R)]);
}

#[test]
#[ignore = "minutes in release builds, and 2 GiB"]
fn eight_by_eight_as_published() {
    published(&[(8, 8, N)]);
}

#[test]
fn little_memory_gives_the_same_answers() {
    for (rows, columns) in [(5, 6), (6, 6), (5, 7)] {
        let position = Position::from(free(rows, columns));
        let truth = class(&position, &Limits::default());
        assert_eq!(class(&position, &small(16 << 20)), truth, "{position}");
    }
}
