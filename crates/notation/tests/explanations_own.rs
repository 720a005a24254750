//! Explanations of games with own moves against the definition: every winning move wins, every move of a loser is answered, by an
//! answer that wins, and the value lies between the bounds that are told.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy::step::{Datum, Step};
use grundy::{Limits, Play, Player, Position, Solver, explain};
use grundy_notation::read_position;

/// Who wins by trying all moves.
#[derive(Default)]
struct Definition(HashMap<(String, Player, bool), bool>);

fn options(position: &Position, player: Player) -> Vec<Position> {
    let mut options = Vec::new();
    let _ = position.moves(player, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    options
}

impl Definition {
    /// Whether `player`, who is to move, wins.
    fn wins(&mut self, position: &Position, player: Player, play: Play) -> bool {
        let key = (position.to_string(), player, play == Play::Misere);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let options = options(position, player);
        let wins = if options.is_empty() {
            play == Play::Misere
        } else {
            options
                .iter()
                .any(|to| !self.wins(to, player.other(), play))
        };
        self.0.insert(key, wins);
        wins
    }
}

fn text<'a>(step: &'a Step, name: &str) -> &'a str {
    let found = step.args.iter().find(|(known, _)| *known == name);
    match found {
        Some((_, Datum::Text(text))) => text,
        _ => panic!("{} has no text {name}", step.code),
    }
}

/// The position less a whole number, which a stalk of that many edges is.
fn less(game: &str, number: i64) -> Position {
    let colour = if number > 0 { 'r' } else { 'b' };
    let edges: Vec<String> = (0..number.unsigned_abs())
        .map(|edge| format!("{edge}-{}:{colour}", edge + 1))
        .collect();
    read_position(&format!("{game} + hackenbush(\"{}\")", edges.join(" "))).unwrap()
}

/// Checks all claims about a game; how many there were.
fn check(game: &str, play: Play, definition: &mut Definition) -> usize {
    let position = read_position(game).unwrap();
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let solution = solver.solve(&position, play, &limits).unwrap();
    let steps = explain::steps(&position, play, &solution, &mut solver, &limits).unwrap();
    let mut claims = 0;
    for (at, step) in steps.iter().enumerate() {
        let (code, player) = match step.code.split_once('_') {
            Some(("left", code)) => (code, Player::Left),
            Some(("right", code)) => (code, Player::Right),
            _ => (step.code, Player::Left),
        };
        claims += 1;
        match code {
            "begins_wins" => {
                let to = text(step, "to");
                let to = options(&position, player)
                    .into_iter()
                    .find(|option| option.to_string() == to);
                let to = to.unwrap_or_else(|| panic!("{game}: no such move"));
                assert!(!definition.wins(&to, player.other(), play), "{game}");
            }
            "begins_has_won" => assert!(definition.wins(&position, player, play), "{game}"),
            "cannot_move" => assert!(options(&position, player).is_empty(), "{game}"),
            "begins_loses" => {
                assert!(!definition.wins(&position, player, play), "{game}");
                let answers = steps[at + 1..].iter().take_while(|step| {
                    step.code.ends_with("_answered") || step.code.ends_with("_at_the_end")
                });
                let answered: Vec<&str> = answers
                    .map(|step| {
                        if step.code == "more_moves_answered" {
                            ""
                        } else {
                            text(step, "move")
                        }
                    })
                    .collect();
                for option in options(&position, player) {
                    assert!(
                        answered.contains(&&option.to_string()[..]),
                        "{game}: {option}"
                    );
                }
            }
            "answered" => {
                let moved = read_position(text(step, "move")).unwrap();
                let answer = read_position(text(step, "answer")).unwrap();
                let legal = options(&moved, player.other());
                assert!(
                    legal
                        .iter()
                        .any(|option| option.to_string() == answer.to_string()),
                    "{game}"
                );
                assert!(!definition.wins(&answer, player, play), "{game}: {answer}");
            }
            "class_bounds" => {
                let bound = |name| text(step, name).parse::<i64>().ok();
                if let Some(least) = bound("least") {
                    assert!(
                        !definition.wins(&less(game, least), Player::Right, Play::Normal),
                        "{game} >= {least}"
                    );
                }
                if let Some(most) = bound("most") {
                    assert!(
                        !definition.wins(&less(game, most), Player::Left, Play::Normal),
                        "{game} <= {most}"
                    );
                }
            }
            _ => claims -= 1,
        }
    }
    claims
}

fn positions() -> Vec<String> {
    let mut all = Vec::new();
    for rows in [
        &["..", ".."][..],
        &["...", "..."],
        &["...", "..#"],
        &[".#.", "..."],
        &["..", "..", "#."],
        &["...."],
        &["...", "...", "..."],
    ] {
        let rows: Vec<String> = rows.iter().map(|row| format!("\"{row}\"")).collect();
        all.push(format!("domineering([{}])", rows.join(", ")));
    }
    for length in 3..=6u32 {
        for code in (0..3u32.pow(length)).step_by(7) {
            let letters = |set: &[u8; 3]| -> String {
                (0..length)
                    .map(|at| char::from(set[(code / 3u32.pow(at) % 3) as usize]))
                    .collect()
            };
            all.push(format!("toads_and_frogs(\"{}\")", letters(b"T.F")));
            all.push(format!("toppling_dominoes(\"{}\")", letters(b"LER")));
        }
    }
    for colours in ["....", "L...", ".L.R", "..L.", "R..L"] {
        for game in ["col", "snort"] {
            all.push(format!("{game}(\"0-1 1-2 2-3\", \"{colours}\")"));
            all.push(format!(
                "{game}(\"0-1 1-2 2-0\", \"...\") + domineering([\"..\", \"..\"])"
            ));
        }
    }
    for edges in [
        "0-1:b 1-2:r",
        "0-1:b 1-2 2-3:r",
        "0-1 1-2:b 1-3:r",
        "0-1:b 1-2:r 2-0:g",
    ] {
        all.push(format!("hackenbush(\"{edges}\")"));
        all.push(format!("hackenbush(\"{edges}\") + nim(2)"));
        all.push(format!(
            "hackenbush(\"{edges}\") + toads_and_frogs(\"T.F\")"
        ));
    }
    all
}

#[test]
fn what_is_claimed_of_own_moves_is_so() {
    let mut definition = Definition::default();
    for play in [Play::Normal, Play::Misere] {
        let positions = positions();
        let claims: usize = positions
            .iter()
            .map(|game| check(game, play, &mut definition))
            .sum();
        assert!(
            claims > 2 * positions.len(),
            "{claims} claims about {} positions",
            positions.len()
        );
    }
}
