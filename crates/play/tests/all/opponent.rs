//! At full strength the opponent gives away no win and no draw, in any game, against random play
//! and against itself.
//!
//! `GRUNDY_GAMES=10000 cargo test -p grundy-play --release --test all opponent::` plays 10,000
//! games of every ruleset.

use fastrand::Rng;
use grundy_core::registry::CONSTRUCTORS;
use grundy_core::solve::Choice;
use grundy_core::{PayoffResult, Play};
use grundy_job::{Job, Reader};
use grundy_play::practice::QuestionKind;
use grundy_play::{Opponent, Playing, Practice};

/// Returns the number of games to play of each ruleset.
fn games() -> usize {
    let wish = std::env::var("GRUNDY_GAMES").ok();
    wish.and_then(|games| games.parse().ok()).unwrap_or(40)
}

/// Number of moves after which a game that need not end is stopped.
const MAX_MOVES: usize = 300;

/// Plays a game to its end. Returns `false` if it was stopped.
///
/// If `programs` is 0, the program moves first. If it is 1, the program moves second. `other`
/// chooses the moves of its opponent.
fn play_to_end(
    playing: &mut Playing<'_>,
    programs: usize,
    mut other: impl FnMut(&mut Playing<'_>, &[Choice]) -> Choice,
) -> bool {
    while playing.turn() < MAX_MOVES {
        let moves = playing.moves().unwrap();
        if moves.is_empty() {
            return true;
        }
        let choice = if playing.turn() % 2 == programs {
            playing.reply().unwrap()
        } else {
            other(playing, &moves)
        };
        playing.make(choice);
    }
    false
}

fn never_gives_away(play: Play) {
    let (reader, job) = (Reader::default(), Job::default());
    for game in CONSTRUCTORS {
        let mut random = Rng::with_seed(1);
        let mut played = 0;
        let mut seed = 0;
        while played < games() {
            // A new generator after twenty games, because small games have few positions.
            seed += 1;
            let level = random.u8(0..=2);
            let mut practice = Practice::new(game.name, &[], play, level, seed, &reader).unwrap();
            for _ in 0..20 {
                let drawn = practice
                    .exercise(QuestionKind::Outcome, &job.limits())
                    .unwrap();
                let Some(exercise) = drawn else { break };
                let start = exercise.solved.position;
                let opponent = Opponent::new(play, job.limits());
                let mut playing = Playing::new(start, opponent);
                // The program plays for the player with the better outcome.
                let standing = playing.standing().unwrap();
                let programs = usize::from(standing == PayoffResult::Lose);
                let perfect = random.bool();
                let ended = play_to_end(&mut playing, programs, |playing, moves| {
                    if perfect {
                        playing.best().unwrap()
                    } else {
                        moves[random.usize(..moves.len())].clone()
                    }
                });
                let game_text =
                    || format!("{} {}: {}", game.name, playing.start(), playing.saved());
                if ended {
                    let at_the_end = playing.at_the_end().unwrap();
                    let worth = if playing.turn() % 2 == programs {
                        at_the_end
                    } else {
                        at_the_end.reversed()
                    };
                    // A tie here means a tie or a draw. Perfect play on both sides keeps the
                    // standing exactly.
                    let least = if standing == PayoffResult::Tie {
                        PayoffResult::Tie
                    } else {
                        PayoffResult::Win
                    };
                    assert!(worth >= least, "{}", game_text());
                    assert!(worth == least || !perfect, "{}", game_text());
                } else {
                    assert_eq!(
                        standing,
                        PayoffResult::Tie,
                        "a win that does not end: {}",
                        game_text()
                    );
                }
                played += 1;
                if played == games() {
                    break;
                }
            }
            assert!(seed < 100_000, "{}: no positions are drawn", game.name);
        }
    }
}

#[test]
fn no_win_is_lost_in_normal_play() {
    never_gives_away(Play::Normal);
}

#[test]
fn no_win_is_lost_in_misere_play() {
    never_gives_away(Play::Misere);
}
