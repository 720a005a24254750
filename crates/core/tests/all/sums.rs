//! Sums of games compared with the definition. The moves of every game are implemented here again
//! from its rules, and sums are solved by enumerating all their positions. The library must find
//! the same outcomes and winning moves. `GRUNDY_SUMS=20000` tests more sums.

pub(crate) mod answers;
pub(crate) mod brute;
pub(crate) mod kinds;
mod misere;
pub(crate) mod random;
pub(crate) mod rules;
mod small;
pub(crate) mod sum;
mod text;

use grundy_core::registry::CONSTRUCTORS;
use grundy_core::{Kind, Limits, Play, Position, Solver};

use self::answers::check;
use self::kinds::KINDS;
use self::random::Random;
use self::rules::{stones, strips};
use self::sum::{Sum, every_pair, pairs, some_sums, wanted};
use self::text::read;

/// Returns the position of a sum.
fn start(sum: &Sum) -> Position {
    assert_eq!(sum.file, None, "the library has no rule files");
    let source = sum.source();
    read(&source).unwrap_or_else(|error| panic!("{source}: {error:?}"))
}

/// Games that do not occur in random sums: they consist of other games, are decided by a payoff, or
/// are written as values. Other tests compare each of them with its rules.
const NOT_IN_SUMS: [&str; 7] = [
    "impartial",
    "ordinal_sum",
    "literal",
    "k_in_a_row",
    "tic_toe",
    "tic_tac_toe",
    "tree",
];

#[test]
fn every_game_is_in_the_random_sums() {
    for game in CONSTRUCTORS {
        let is_game = |kind: &kinds::Kind| kind.name.split(' ').next() == Some(game.name);
        assert!(
            KINDS.iter().any(is_game) != NOT_IN_SUMS.contains(&game.name),
            "add {} to sums/kinds.rs, and its moves to sums/rules",
            game.name
        );
    }
}

#[test]
fn sums_match_the_definition() {
    let mut random = Random::new(2);
    let (mut sums, missing) = every_pair(&mut random, pairs(), 6_000, |sum| {
        !sum.has_partizan_northcott()
    });
    for pair in missing {
        // Northcott's game in a sum with a partizan game has a separate test.
        let northcott = pair.iter().any(|kind| kind.name == "northcott");
        let mut terms = pair.iter().map(|kind| (kind.term)(&mut random, 4));
        let own = terms.any(|term| term.rules.is_partizan());
        assert!(northcott && own, "{} + {}", pair[0].name, pair[1].name);
    }
    let more = wanted().saturating_sub(sums.len());
    sums.extend(some_sums(&mut random, KINDS, more, 20_000, |_| true));
    let outcomes = check(&sums, start);
    // The classes DL and RD are too rare in random sums; rule files with loops test them.
    let all = ["D", "DR", "L", "LD", "N", "P", "R"];
    let occur = all.iter().all(|&outcome| outcomes.contains(outcome));
    assert!(occur, "{outcomes:?}");
}

#[test]
fn northcott_in_a_partizan_sum_is_partizan() {
    let mut random = Random::new(3);
    let is_northcott = |kind: &&kinds::Kind| kind.name == "northcott";
    let with_northcott = pairs().filter(|pair| pair.iter().any(is_northcott));
    let partizan = Sum::has_partizan_northcott;
    let (mut sums, _) = every_pair(&mut random, with_northcott, 2_000, partizan);
    let northcott = KINDS.iter().find(is_northcott).unwrap();
    while sums.len() < 150 {
        let [first, second] = [random.pick(KINDS), random.pick(KINDS)];
        let terms = *random.pick(&[[first, northcott, second], [northcott, first, second]]);
        let terms = &terms[..2 + random.below(2)];
        sums.extend(Sum::new(&mut random, terms, 4_000).filter(partizan));
    }
    check(&sums, start);
}

#[test]
fn genera_and_forms_match_misere_play() {
    let mut random = Random::new(7);
    let mut kinds = 0;
    let mut distinguished = 0;
    for _ in 0..3 {
        let counted = misere::check(&mut random);
        assert!(counted.games > 150 && counted.loopy > 0, "{counted:?}");
        kinds = kinds.max(counted.kinds);
        distinguished += counted.distinguished;
    }
    // Check the generator: most kinds must occur, and many pairs must be distinguished by a third
    // game.
    assert!(
        kinds >= 38 && distinguished > 100,
        "{kinds}, {distinguished}"
    );
}

/// Checks that the positions are rejected with an error of this kind, in normal and misère play.
fn refused(kind: Kind, texts: &[&str]) {
    for text in texts {
        for play in [Play::Normal, Play::Misere] {
            let solved = read(text).and_then(|position| {
                let solution = Solver::default().solve(&position, play, &Limits::default());
                solution.map_err(|stop| panic!("{text}, {play} play: {stop:?}"))
            });
            let error = solved.err().map(|error| error.kind);
            assert_eq!(error, Some(kind), "{text}, {play} play");
        }
    }
}

// The player to move is part of Northcott's position, so two components must agree on it.
#[test]
fn northcott_terms_must_agree_on_the_player_to_move() {
    refused(
        Kind::IllegalPosition,
        &[
            "northcott(4, [[0, 2]]) + northcott(4, [[0, 2]], to_move=\"right\")",
            "northcott(4, [[0, 2]], to_move=\"right\") + nim(1) + northcott(4, [[0, 2]], to_move=\"left\")",
            "northcott(4, [[0, 2]], to_move=\"left\") + domineering([\".\"])",
            "hackenbush(\"0-1:r\") + northcott(4, [[0, 2]], to_move=\"right\")",
        ],
    );
}

// A tie has no meaning in a sum, in which the last move decides.
#[test]
fn games_with_ties_are_not_summed() {
    refused(
        Kind::IllegalPosition,
        &[
            "nim(1) + tic_toe()",
            "tic_toe() + nim(1)",
            "tic_toe() + tic_tac_toe()",
            "domineering([\".\"]) + k_in_a_row([\"...\"], 2)",
            "tree({\"a\": [\"b\", \"c\"]}, \"a\", {\"c\": \"tie\", \"b\": \"X\"}) + kayles(2)",
            "graph({\"a\": [\"b\"], \"b\": [\"a\"]}, \"a\") + tic_toe()",
            "northcott(4, [[0, 2]]) + tic_toe()",
        ],
    );
}

/// Checks all boards with these letters in these shapes.
fn small_boards(name: &'static str, letters: &[u8], shapes: &[[u32; 2]]) {
    for &[rows, columns] in shapes {
        let rules = stones::Board {
            name,
            columns: columns.into(),
        };
        let boards = small::texts(letters, rows * columns);
        let legal = boards.filter(|squares| name != "nogo" || rules.breathes(squares));
        assert!(small::check(&rules, legal) > 50, "{name}");
    }
}

#[test]
fn small_boards_of_clobber() {
    for name in ["clobber", "cannibal_clobber"] {
        small_boards(name, b"xo.", &[[1, 8], [2, 4], [3, 2]]);
        small_boards(name, b"xo.#", &[[5, 1], [2, 2]]);
    }
}

#[test]
fn small_boards_of_nogo() {
    small_boards("nogo", b"xo.", &[[1, 8], [2, 4]]);
    small_boards("nogo", b"xo.#", &[[2, 3], [6, 1]]);
}

#[test]
fn small_boards_of_fission() {
    small_boards("fission", b"x.#", &[[1, 8], [2, 4], [3, 3]]);
    small_boards("fission", b"x.", &[[3, 4], [4, 3]]);
}

#[test]
fn small_boards_of_konane() {
    small_boards("konane", b"xo.", &[[1, 8], [4, 2]]);
    small_boards("konane", b"xo.#", &[[2, 3], [7, 1]]);
}

#[test]
fn small_boards_of_amazons() {
    small_boards("amazons", b"xo.", &[[2, 3], [1, 8]]);
    small_boards("amazons", b"xo.#", &[[2, 3], [5, 1]]);
    small_boards("amazons", b"x.", &[[2, 4], [3, 3]]);
}

#[test]
fn small_strips_of_elephants() {
    for length in 0..=9 {
        small::check(&strips::ELEPHANTS, small::texts(b"ER.", length));
    }
}
