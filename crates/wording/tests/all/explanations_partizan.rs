//! Explanations of partizan games, checked against the definition: every winning move must win, and
//! every move of a loser must have a winning reply. The value must lie between the claimed bounds.

use std::collections::HashMap;

use grundy_core::step::{Datum, Step};
use grundy_core::{Dyadic, Limits, Play, Player, Position, Solver, explain};
use grundy_notation::read_position;

use crate::options::options;

/// Outcomes by exhaustive search.
#[derive(Default)]
struct Definition(HashMap<(String, Player, bool), bool>);

impl Definition {
    /// Returns whether `player`, who is to move, wins.
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

/// Returns the position minus the integer `number`. The negative of a positive integer n is a
/// Hackenbush stalk of n red edges. The negative of -n is a stalk of n blue edges.
fn minus_integer(game: &str, number: i64) -> Position {
    let colour = if number > 0 { 'r' } else { 'b' };
    let edges: Vec<String> = (0..number.unsigned_abs())
        .map(|edge| format!("{edge}-{}:{colour}", edge + 1))
        .collect();
    read_position(&format!("{game} + hackenbush(\"{}\")", edges.join(" "))).unwrap()
}

/// Checks all claims that the explanation of a game makes, and returns their number.
fn check(game: &str, play: Play, definition: &mut Definition) -> usize {
    let position = read_position(game).unwrap();
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let solution = solver.solve(&position, play, &limits).unwrap();
    let steps = explain::steps(&position, play, &solution, &mut solver, &limits).unwrap();
    let mut claims = 0;
    for (index, step) in steps.iter().enumerate() {
        let (code, player) = match step.code.split_once('_') {
            Some(("left", code)) => (code, Player::Left),
            Some(("right", code)) => (code, Player::Right),
            _ => (step.code, Player::Left),
        };
        claims += 1;
        match code {
            "begins_wins" | "begins_wins_at_once" => {
                let to = text(step, "to");
                let to = options(&position, player)
                    .into_iter()
                    .find(|option| option.to_string() == to);
                let to = to.unwrap_or_else(|| panic!("{game}: no such move"));
                assert!(!definition.wins(&to, player.other(), play), "{game}");
                let over = options(&to, player.other()).is_empty();
                assert_eq!(over, code == "begins_wins_at_once", "{game}");
            }
            "begins_has_won" => assert!(definition.wins(&position, player, play), "{game}"),
            "cannot_move" => assert!(options(&position, player).is_empty(), "{game}"),
            "begins_loses" => {
                assert!(!definition.wins(&position, player, play), "{game}");
                let answers = steps[index + 1..].iter().take_while(|step| {
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
            // A difference is at least 0 if and only if Left wins moving second, that is, Right
            // loses moving first.
            "class_bounds" => {
                let bound = |name| text(step, name).parse::<i64>().ok();
                if let Some(least) = bound("least") {
                    assert!(
                        !definition.wins(&minus_integer(game, least), Player::Right, Play::Normal),
                        "{game} >= {least}"
                    );
                }
                if let Some(most) = bound("most") {
                    assert!(
                        !definition.wins(&minus_integer(game, most), Player::Left, Play::Normal),
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
                    .map(|index| char::from(set[(code / 3u32.pow(index) % 3) as usize]))
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

/// Checks the claimed value of each edge of a red-blue tree. The value must be the simplest number
/// between the best Left option and the best Right option.
#[test]
fn claimed_values_of_edges_hold() {
    fn parsed(text: &str) -> Dyadic {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let denominator: u64 = denominator.parse().unwrap();
        Dyadic::new(numerator.parse().unwrap(), denominator.ilog2())
    }
    fn number(position: &Position) -> Dyadic {
        let best = |player| {
            options(position, player)
                .iter()
                .map(number)
                .collect::<Vec<_>>()
        };
        let left = best(Player::Left).into_iter().max();
        let right = best(Player::Right).into_iter().min();
        Dyadic::simplest(left.as_ref(), right.as_ref()).unwrap()
    }
    let mut checked_edges = 0;
    for colours in 0..64u32 {
        for shape in [
            "0-1 1-2 1-3 3-4 0-5 5-6",
            "0-1 1-2 2-3 3-4 4-5 5-6",
            "0-1 1-2 1-3 1-4 4-5 4-6",
        ] {
            let edges: Vec<String> = (0..)
                .zip(shape.split(' '))
                .map(|(index, edge)| {
                    format!(
                        "{edge}:{}",
                        if colours >> index & 1 == 1 { 'b' } else { 'r' }
                    )
                })
                .collect();
            let position = read_position(&format!("hackenbush(\"{}\")", edges.join(" "))).unwrap();
            let (mut solver, limits) = (Solver::default(), Limits::default());
            let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
            let steps =
                explain::steps(&position, Play::Normal, &solution, &mut solver, &limits).unwrap();
            for step in steps.iter().filter(|step| step.code.contains("_edge_")) {
                let Some((_, Datum::Int(edge))) =
                    step.args.iter().find(|(name, _)| *name == "edge")
                else {
                    panic!("{} has no edge", step.code)
                };
                // The edge with everything above it, placed on the ground.
                let mut edge_texts = vec![edges[*edge as usize].clone()];
                let foot = edges[*edge as usize].split('-').next().unwrap().to_owned();
                let mut tops = vec![
                    edges[*edge as usize]
                        .split(['-', ':'])
                        .nth(1)
                        .unwrap()
                        .to_owned(),
                ];
                while let Some(top) = tops.pop() {
                    for above in edges
                        .iter()
                        .filter(|above| above.split('-').next() == Some(&top))
                    {
                        edge_texts.push(above.clone());
                        tops.push(above.split(['-', ':']).nth(1).unwrap().to_owned());
                    }
                }
                let alone = format!("hackenbush(\"{}\", ground={foot})", edge_texts.join(" "));
                assert_eq!(
                    parsed(text(step, "value")),
                    number(&read_position(&alone).unwrap()),
                    "{alone}"
                );
                checked_edges += 1;
            }
        }
    }
    assert_eq!(checked_edges, 64 * 3 * 6);
}

#[test]
fn claims_about_partizan_games_hold() {
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
