//! Checks that every text is accepted as moves of a game or rejected.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

// One game for each kind of move text: heaps, edges, squares, sums, strips and marks.
const GAMES: [&str; 6] = [
    "nim(3, 4, 5)",
    "hackenbush(\"0-1:b 1-2:r 1-3\")",
    "chomp(4, 3, 2)",
    "kayles(7) + wythoff(3, 5)",
    "northcott(6, [[0, 3], [1, 5]])",
    "tic_tac_toe([\"...\", \"...\", \"...\"])",
];

fuzz_target!(|input: (u8, &str)| {
    let (game, moves) = input;
    let question = json!({"game": GAMES[usize::from(game) % GAMES.len()], "moves": moves});
    grundy_fuzz::ask("board", question.to_string().as_bytes());
});
