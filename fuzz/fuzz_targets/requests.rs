//! Checks that every sequence of bytes is accepted as a question to a command or rejected.
#![no_main]

use libfuzzer_sys::fuzz_target;

const COMMANDS: [&str; 18] = [
    "solve",
    "explain",
    "table",
    "period",
    "verify",
    "label",
    "matrix",
    "tree",
    "nimber",
    "draw",
    "exercises",
    "help",
    "board",
    "analyse",
    "reply",
    "hint",
    "review",
    "practice",
];

fuzz_target!(|input: (u8, &[u8])| {
    let (command, question) = input;
    grundy_fuzz::ask(COMMANDS[usize::from(command) % COMMANDS.len()], question);
});
