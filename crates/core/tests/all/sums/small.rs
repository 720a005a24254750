//! All small positions of partizan games: their moves and outcomes.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::{Limits, OutcomeClass, Play, Player, Solver};

use super::rules::{LEFT, Part, RIGHT, Rules};
use super::text::read;

/// Returns all strings of `length` letters from `letters`, each as a list of character codes.
pub(crate) fn texts(letters: &[u8], length: u32) -> impl Iterator<Item = Part> {
    let count = letters.len();
    (0..count.pow(length)).map(move |number| {
        let letter = |place| i64::from(letters[number / count.pow(place) % count]);
        (0..length).map(letter).collect()
    })
}

/// Returns whether player `player` wins if this player is to move. Searches the whole game tree.
fn wins(
    rules: &dyn Rules,
    part: &[i64],
    player: usize,
    misere: bool,
    known: &mut HashMap<(Part, usize, bool), bool>,
) -> bool {
    let key = (part.to_vec(), player, misere);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let options = rules.options(part, player);
    let answer = if options.is_empty() {
        misere
    } else {
        let mut all = options.iter();
        all.any(|(_, to)| !wins(rules, to, 1 - player, misere, known))
    };
    known.insert(key, answer);
    answer
}

/// Compares the moves and outcomes that the library finds for the positions `parts` with those by
/// the independent implementation `rules`. Returns the number of positions.
pub(crate) fn check(rules: &dyn Rules, parts: impl Iterator<Item = Part>) -> usize {
    let mut known = HashMap::new();
    let mut count = 0;
    for part in parts {
        count += 1;
        let text = rules.write(&part, None);
        let position = read(&text).unwrap();
        // The notation must survive parsing unchanged, since options are compared as text.
        assert_eq!(position.to_string(), text);
        for (player, mover) in [(LEFT, Player::Left), (RIGHT, Player::Right)] {
            let mut found: Vec<(Vec<i64>, String)> = Vec::new();
            let _ = position.every_move(mover, &mut |_, name, to| {
                let at = name().at.iter().map(|&n| n as i64).collect();
                found.push((at, to().to_string()));
                ControlFlow::Continue(())
            });
            let options = rules.options(&part, player).into_iter();
            let mut right: Vec<(Vec<i64>, String)> = options
                .map(|(at, to)| (at, rules.write(&to, None)))
                .collect();
            // Compare as multisets: a duplicate or missing move is an error, the order is not.
            found.sort();
            right.sort();
            assert_eq!(found, right, "{text}, player {player}");
        }
        for (misere, play) in [(false, Play::Normal), (true, Play::Misere)] {
            let solution = Solver::default()
                .solve(&position, play, &Limits::default())
                .unwrap();
            let [left, right] =
                [LEFT, RIGHT].map(|player| wins(rules, &part, player, misere, &mut known));
            let class = OutcomeClass::from_wins(left, right);
            assert_eq!(solution.class(), class, "{text}, {play} play");
        }
    }
    count
}
