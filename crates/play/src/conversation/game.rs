//! A game against the program, or between two people, line by line.

use std::cmp::Reverse;
use std::fmt::Write as _;

use grundy::message::{Command, Setting};
use grundy::ruleset::{Ends, Moves};
use grundy::solve::Choice;
use grundy::step::Step;
use grundy::{Diagnostic, Play, Worth};
use grundy_wording::{Language, labelled, plain};

use super::{Conversation, Manner, Next};
use crate::playing::{Mistake, Playing, described, in_numbers, numbered_by_themselves};

/// Moves shown without being asked.
const SHOWN: usize = 12;

/// Who sits in front of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// Somebody who is to move when the number of moves made is this modulo 2.
    One(usize),
    /// Two people.
    Both,
}

/// A game being played, and where the conversation stands.
#[derive(Debug)]
pub struct Game<'a> {
    playing: Playing<'a>,
    seats: Seats,
    manner: Manner,
    /// The level that was asked for.
    level: Option<u8>,
    /// The file that the rules are in.
    rules: Option<String>,
    /// Hints given for the present position.
    hints: u8,
    at: Place,
}

/// Where the conversation stands.
#[derive(Debug)]
enum Place {
    Greeting,
    Board,
    Reply,
    /// Somebody is to move; these are the moves.
    Move(Vec<Choice>),
    End,
    Over,
}

/// What can be said beside moves, by the letter and the words for it.
const COMMANDS: [(char, &[&str]); 12] = [
    ('?', &["help"]),
    ('m', &["moves"]),
    ('h', &["hint"]),
    ('w', &["why"]),
    ('b', &["best"]),
    ('u', &["undo", "back"]),
    ('r', &["redo"]),
    ('s', &["swap"]),
    ('l', &["history", "log"]),
    ('v', &["save"]),
    ('p', &["position", "board"]),
    ('q', &["quit", "exit"]),
];

/// Returns the moves as people count them: where chips are taken from heaps and no more, one chip
/// first.
fn in_order(mut moves: Vec<Choice>) -> Vec<Choice> {
    let takes = |choice: &Choice| choice.mv.action.code == "take" && choice.mv.at.len() == 2;
    if moves.iter().all(takes) {
        moves.sort_by_key(|choice| (choice.component, choice.mv.at[0], Reverse(choice.mv.at[1])));
    }
    moves
}

/// Returns the command of this line, if it is one.
fn command(line: &str) -> Option<char> {
    let line = line.to_lowercase();
    let named = |(letter, names): &&(char, &[&str])| {
        names.contains(&&line[..]) || line.chars().eq([*letter])
    };
    COMMANDS.iter().find(named).map(|(letter, _)| *letter)
}

impl Conversation for Game<'_> {
    fn next(&mut self) -> Result<Next, Diagnostic> {
        let mut out = String::new();
        match self.at {
            Place::Greeting => {
                self.at = Place::Board;
                out = self.greeting() + "\n";
            }
            Place::Board => {
                let moves = in_order(self.playing.moves()?);
                out = format!("\n{}", self.board());
                self.at = if moves.is_empty() {
                    Place::End
                } else if !self.human_to_move() {
                    Place::Reply
                } else {
                    if moves.len() <= SHOWN {
                        self.list(&mut out, &moves);
                    } else {
                        let _ = writeln!(out, "  {}", self.form(&moves));
                    }
                    Place::Move(moves)
                };
            }
            Place::Reply => {
                let choice = self.playing.reply()?;
                let action = self.playing.describe(&choice, self.manner.language);
                let _ = writeln!(out, "{}", self.labelled("play_program", action));
                self.made(choice);
            }
            Place::Move(_) => return Ok(Next::Asked(format!("{}> ", self.prompt()))),
            Place::End => {
                self.at = Place::Over;
                self.end(&mut out)?;
            }
            Place::Over => return Ok(Next::Over),
        }
        Ok(Next::Said(out))
    }

    fn hear(&mut self, line: &str) -> Result<String, Diagnostic> {
        let mut out = String::new();
        let moves = match std::mem::replace(&mut self.at, Place::Board) {
            Place::Move(moves) => moves,
            other => {
                self.at = other;
                return Ok(out);
            }
        };
        let heard = self.obey(line.trim(), &moves, &mut out);
        if !matches!(heard, Ok(true)) && matches!(self.at, Place::Board) {
            self.at = Place::Move(moves);
        }
        heard.map(|_| out)
    }

    fn hang_up(&mut self) {
        self.at = Place::Over;
    }

    fn complaint(&self) -> String {
        self.manner.say("play_illegal")
    }
}

impl<'a> Game<'a> {
    /// Returns a game that has come so far.
    #[must_use]
    pub fn new(playing: Playing<'a>, seats: Seats, manner: Manner) -> Self {
        Self {
            playing,
            seats,
            manner,
            level: None,
            rules: None,
            hints: 0,
            at: Place::Greeting,
        }
    }

    /// Returns the same, for a game that is saved with the level that was asked for and the file of
    /// its rules.
    #[must_use]
    pub fn saved_with(self, level: Option<u8>, rules: Option<String>) -> Self {
        Self {
            level,
            rules,
            ..self
        }
    }

    fn made(&mut self, choice: Choice) {
        self.playing.make(choice);
        self.hints = 0;
        self.at = Place::Board;
    }

    fn labelled(&self, label: &'static str, what: String) -> String {
        labelled(&self.manner.say(label), what, self.manner.language)
    }

    /// Who plays whom, who wins, and how a move is written.
    fn greeting(&self) -> String {
        let nature = self.playing.start().nature();
        let mut said = Vec::new();
        said.push(match (self.seats, nature.moves) {
            (Seats::Both, _) => self.manner.say("play_two"),
            (Seats::One(_), Moves::Own) => {
                let turn = match self.seats {
                    Seats::One(second) if second != self.playing.turn() % 2 => {
                        self.playing.mover().other()
                    }
                    _ => self.playing.mover(),
                };
                let name = turn.of(self.playing.start().players());
                self.manner
                    .words(&Step::new("play_you_are").with("player", name))
            }
            (Seats::One(0), Moves::Same) => self.manner.say("play_first"),
            (Seats::One(_), Moves::Same) => self.manner.say("play_second"),
        });
        if nature.ends == Ends::LastMove {
            said.push(self.manner.say(match self.playing.play() {
                Play::Normal => "play_rule_normal",
                Play::Misere => "play_rule_misere",
            }));
        }
        said.push(self.manner.say("play_short_help"));
        said.join(match self.manner.language {
            Language::En => " ",
            Language::Zh => "",
        })
    }

    /// Returns whether nobody need win at the end.
    fn ends_in_ties(&self) -> bool {
        self.playing.start().nature().ends == Ends::Payoff
    }

    fn board(&self) -> String {
        let last = self.playing.history().last();
        let last = last.map(|(_, made)| (made.component, &made.mv.at[..]));
        self.manner.board(self.playing.now(), last)
    }

    fn human_to_move(&self) -> bool {
        match self.seats {
            Seats::Both => true,
            Seats::One(parity) => self.playing.turn() % 2 == parity,
        }
    }

    fn prompt(&self) -> String {
        if self.seats == Seats::One(self.playing.turn() % 2) {
            return self.manner.say("play_you");
        }
        let now = self.playing.now();
        match now.nature().moves {
            Moves::Own => {
                let name = self.playing.mover().of(now.players());
                self.manner
                    .words(&Step::new("play_turn").with("player", name))
            }
            Moves::Same if self.playing.turn().is_multiple_of(2) => {
                self.manner.say("play_turn_first")
            }
            Moves::Same => self.manner.say("play_turn_second"),
        }
    }

    fn list(&self, out: &mut String, moves: &[Choice]) {
        let own = numbered_by_themselves(self.playing.now(), moves);
        out.push('\n');
        for (index, choice) in moves.iter().enumerate() {
            let number = if own {
                let at: Vec<String> = choice.mv.at.iter().map(u64::to_string).collect();
                at.join(" ")
            } else {
                (index + 1).to_string()
            };
            let action = self.playing.describe(choice, self.manner.language);
            let _ = writeln!(out, "  {number:>2}. {action}");
        }
    }

    /// How a move is written where there are too many to list.
    fn form(&self, moves: &[Choice]) -> String {
        let example = self.playing.describe(&moves[0], self.manner.language);
        let at = in_numbers(self.playing.now(), &moves[0]);
        let step = Step::new("play_form")
            .with("example", example)
            .with("numbers", at);
        self.manner.words(&step)
    }

    /// Does what a line says; whether there is another board to be shown.
    fn obey(&mut self, line: &str, moves: &[Choice], out: &mut String) -> Result<bool, Diagnostic> {
        if line.is_empty() {
            return Ok(false);
        }
        match command(line) {
            None => return self.move_written(line, moves, out),
            Some('?') => {
                out.push_str(&self.manner.rules(self.playing.start(), self.playing.play()));
                out.push_str(&self.manner.say("play_help"));
            }
            Some('q') => self.at = Place::Over,
            Some('m') => self.list(out, moves),
            Some('p') => out.push_str(&self.board()),
            Some('s') => {
                if let Seats::One(parity) = &mut self.seats {
                    *parity = 1 - *parity;
                }
                return Ok(true);
            }
            Some('u') => {
                self.back();
                return Ok(true);
            }
            Some('r') => {
                if self.playing.redo() && !self.human_to_move() {
                    self.playing.redo();
                }
                self.hints = 0;
                return Ok(true);
            }
            Some('l') => self.history(out),
            Some('v') => {
                let _ = writeln!(out, "  {}", self.saved());
            }
            Some('w') => self.why(out)?,
            Some('b') => self.best(out)?,
            Some(_) => {
                self.hints += 1;
                match self.hints {
                    1 => {
                        let standing = self.playing.standing()?;
                        let nudge = self.playing.nudge(standing);
                        let _ = writeln!(out, "  {}", self.manner.words(&nudge));
                        if let Some(heat) = self.playing.heat()? {
                            let _ = writeln!(out, "  {}", self.manner.words(&heat));
                        }
                    }
                    2 => self.best(out)?,
                    _ => self.why(out)?,
                }
            }
        }
        Ok(false)
    }

    /// Back to the human's own last move.
    fn back(&mut self) {
        let before = self.playing.turn();
        while self.playing.undo() {
            if self.human_to_move() {
                self.hints = 0;
                return;
            }
        }
        // They have not moved yet.
        while self.playing.turn() < before && self.playing.redo() {}
    }

    /// Returns a move by its number in the list, by the numbers of the notation, or in words.
    fn move_written(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut String,
    ) -> Result<bool, Diagnostic> {
        let listed = line.parse().ok().filter(|number| {
            (1..=moves.len()).contains(number) && !numbered_by_themselves(self.playing.now(), moves)
        });
        let choice = match listed {
            Some(number) => Ok(moves[number - 1].clone()),
            None => self.playing.read(line, self.manner.language),
        };
        match choice {
            Ok(choice) => {
                self.made(choice);
                Ok(true)
            }
            Err(misread) => {
                let _ = writeln!(out, "  {}", self.manner.words(&misread.step()?));
                Ok(false)
            }
        }
    }

    fn best(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let best = self.playing.best()?;
        let action = self.playing.describe(&best, self.manner.language);
        let _ = writeln!(out, "  {action}");
        Ok(())
    }

    fn why(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let steps = self.playing.why()?;
        out.push_str(&plain::numbered(&steps, self.manner.language));
        Ok(())
    }

    /// What was played so far, and by whom.
    fn history(&self, out: &mut String) {
        if self.playing.turn() == 0 {
            let _ = writeln!(out, "  {}", self.manner.say("play_nothing_yet"));
        }
        for (turn, (position, choice)) in self.playing.history().enumerate() {
            let code = match self.seats {
                Seats::One(parity) if parity == turn % 2 => "play_by_you",
                Seats::One(_) => "play_by_program",
                Seats::Both if turn % 2 == 0 => "play_turn_first",
                Seats::Both => "play_turn_second",
            };
            let action = described(position, choice, self.manner.language);
            let _ = writeln!(out, "  {:>2}. {}", turn + 1, self.labelled(code, action));
        }
    }

    /// Returns the command that resumes the game here.
    fn saved(&self) -> String {
        let mut command = Command::typed("play").word(self.playing.start().to_string());
        if self.playing.turn() > 0 {
            command = command.with(Setting::typed("moves").set_to(self.playing.saved()));
        }
        match self.seats {
            Seats::Both => command = command.with(Setting::typed("two_players")),
            Seats::One(1) => command = command.with(Setting::typed("second")),
            Seats::One(_) => {}
        }
        if self.playing.play() == Play::Misere {
            command = command.with(Setting::new("play").set_to("misere"));
        }
        if let Some(level) = self.level {
            command = command.with(Setting::typed("level").set_to(level.to_string()));
        }
        if let Some(rules) = &self.rules {
            command = command.with(Setting::typed("rules").set_to(rules.clone()));
        }
        command.as_typed()
    }

    /// Who won, and where the game turned.
    fn end(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let turn = self.playing.turn();
        let code = match (self.playing.at_the_end()?, self.seats) {
            (Worth::Tie, _) if self.ends_in_ties() => "play_tie",
            (Worth::Tie, _) => "play_draw",
            (standing, Seats::One(parity)) => {
                if (standing == Worth::Win) == (turn % 2 == parity) {
                    "play_you_win"
                } else {
                    "play_program_wins"
                }
            }
            (standing, Seats::Both) => {
                if (standing == Worth::Win) == turn.is_multiple_of(2) {
                    "play_first_wins"
                } else {
                    "play_second_wins"
                }
            }
        };
        // Where the end decides there may be moves that nobody makes any more.
        let over = if self.ends_in_ties() {
            "play_over"
        } else {
            "play_no_move"
        };
        let over = Step::new(over).with("result", self.manner.say(code));
        let _ = writeln!(out, "{}", self.manner.words(&over));
        // Who won is known; how the game went on the way may be out of reach.
        let Ok(verdicts) = self.playing.verdicts() else {
            return Ok(());
        };
        let letters = verdicts
            .iter()
            .map(|(verdict, _)| plain::letters(*verdict, self.manner.language));
        let letters = letters.collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "{}", self.labelled("play_outcomes", letters));
        // The first that gave a win away, or else a draw or a tie.
        let mistakes = self.playing.mistakes(&verdicts);
        let human = |mistake: &&Mistake<'_>| match self.seats {
            Seats::Both => true,
            Seats::One(parity) => mistake.turn % 2 == parity,
        };
        let mistakes = mistakes.iter().filter(human);
        if let Some(first) = mistakes.min_by_key(|mistake| (Reverse(mistake.from), mistake.turn)) {
            let (position, choice) = first.made;
            let code = match first.from {
                Worth::Win => "play_first_mistake",
                Worth::Tie | Worth::Lose => "play_first_mistake_tie",
            };
            let step = Step::new(code)
                .with("number", first.turn + 1)
                .with("move", described(position, choice, self.manner.language));
            let _ = writeln!(out, "{}", self.manner.words(&step));
        }
        Ok(())
    }
}
