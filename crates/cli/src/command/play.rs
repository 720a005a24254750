//! `grundy play`: a game in the terminal, line by line.
//!
//! The dialogue reads and writes; what is known of a game is the opponent's.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use grundy::ruleset::{Ends, Moves};
use grundy::solve::Choice;
use grundy::step::Step;
use grundy::{Diagnostic, Kind, Play, Worth, message};
use grundy_analysis::Opponent;
use grundy_analysis::draw::{self, TerminalLook};
use grundy_analysis::playing::{
    Mistake, PERFECT, Playing, described, in_numbers, numbered_by_themselves,
};
use grundy_notation::Language;
use grundy_notation::wording::{labelled, phrase, words};
use grundy_notation::{help, plain};

use crate::arguments::{Common, PlayArgs};
use crate::asked;
use crate::command::practice;
use crate::failure::Failure;
use crate::outside;
use crate::session::Session;

/// Moves shown without being asked.
const SHOWN: usize = 12;

pub(crate) fn run(
    arguments: &PlayArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    if let Some(ask) = arguments.practice {
        return practice::run(ask.into(), arguments, common, session);
    }
    if let Some(range) = arguments.ranges.first() {
        let message = message!("`{range}` is nothing that a game needs", range);
        let help = message!("ranges of variables belong to --practice");
        return Err(Diagnostic::new(Kind::Syntax, message).help(help).into());
    }
    let start = session
        .analyst
        .position(&asked::source(&arguments.source)?)?;
    let opponent = Opponent::new(common.play(), session.job.limits());
    let level = arguments.level.unwrap_or(PERFECT);
    let mut playing = Playing::new(start, opponent).at_level(level, asked::any_seed());
    if let Some(moves) = &arguments.moves {
        playing.replay(moves, common.language())?;
    }
    let seats = match (arguments.two_players, arguments.second) {
        (true, _) => Seats::Both,
        (false, second) => Seats::One(usize::from(second)),
    };
    let mut dialogue = Dialogue {
        playing,
        seats,
        hints: 0,
        common,
        level: arguments.level,
        ascii: arguments.ascii,
        listed: false,
    };
    dialogue.run(&mut io::stdin().lock(), &mut outside::coloured())?;
    Ok(ExitCode::SUCCESS)
}

/// Who sits in front of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seats {
    /// Somebody who is to move when the number of moves made is this modulo 2.
    One(usize),
    /// Two people.
    Both,
}

struct Dialogue<'a> {
    playing: Playing<'a>,
    seats: Seats,
    /// Hints given for the present position.
    hints: u8,
    common: &'a Common,
    /// The level that was asked for.
    level: Option<u8>,
    /// Whether the board is drawn in ASCII.
    ascii: bool,
    /// Whether the moves stand on the screen, with their numbers.
    listed: bool,
}

/// What happens after a line of input.
enum AfterInput {
    Ask,
    Show,
    Quit,
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

/// The moves as people count them: where chips are taken from heaps and no more, one chip first.
fn in_order(mut moves: Vec<Choice>) -> Vec<Choice> {
    let takes = |choice: &Choice| choice.mv.action.code == "take" && choice.mv.at.len() == 2;
    if moves.iter().all(takes) {
        moves.sort_by_key(|choice| (choice.component, choice.mv.at[0], Reverse(choice.mv.at[1])));
    }
    moves
}

/// The command of this line, if it is one.
fn command(line: &str) -> Option<char> {
    let line = line.to_lowercase();
    let named = |(letter, names): &&(char, &[&str])| {
        names.contains(&&line[..]) || line.chars().eq([*letter])
    };
    COMMANDS.iter().find(named).map(|(letter, _)| *letter)
}

impl Dialogue<'_> {
    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.greeting())?;
        loop {
            let moves = in_order(self.playing.moves()?);
            writeln!(out)?;
            out.write_all(self.board().as_bytes())?;
            if moves.is_empty() {
                return self.end(out);
            }
            if !self.human_to_move() {
                let choice = self.playing.reply()?;
                let action = self.playing.describe(&choice, self.language());
                writeln!(out, "{}", self.labelled("play_program", action))?;
                self.playing.make(choice);
                self.hints = 0;
                continue;
            }
            self.listed = moves.len() <= SHOWN;
            if self.listed {
                self.list(out, &moves)?;
            } else {
                writeln!(out, "  {}", self.form(&moves))?;
            }
            loop {
                write!(out, "{}> ", self.prompt())?;
                out.flush()?;
                let Some(line) = outside::line(input, &self.say("play_illegal"), out)? else {
                    return Ok(());
                };
                match self.obey(line.trim(), &moves, out)? {
                    AfterInput::Ask => {}
                    AfterInput::Show => break,
                    AfterInput::Quit => return Ok(()),
                }
            }
        }
    }

    fn language(&self) -> Language {
        self.common.language()
    }

    fn say(&self, code: &'static str) -> String {
        phrase(code, self.language())
    }

    fn labelled(&self, label: &'static str, what: String) -> String {
        labelled(&self.say(label), what, self.language())
    }

    /// Who plays whom, who wins, and how a move is written.
    fn greeting(&self) -> String {
        let nature = self.playing.start().nature();
        let mut said = Vec::new();
        said.push(match (self.seats, nature.moves) {
            (Seats::Both, _) => self.say("play_two"),
            (Seats::One(_), Moves::Own) => {
                let turn = match self.seats {
                    Seats::One(second) if second != self.playing.turn() % 2 => {
                        self.playing.mover().other()
                    }
                    _ => self.playing.mover(),
                };
                let name = turn.of(self.playing.start().players());
                words(
                    &Step::new("play_you_are").with("player", name),
                    self.language(),
                )
            }
            (Seats::One(0), Moves::Same) => self.say("play_first"),
            (Seats::One(_), Moves::Same) => self.say("play_second"),
        });
        if nature.ends == Ends::LastMove {
            said.push(self.say(match self.common.play() {
                Play::Normal => "play_rule_normal",
                Play::Misere => "play_rule_misere",
            }));
        }
        said.push(self.say("play_short_help"));
        said.join(match self.language() {
            Language::En => " ",
            Language::Zh => "",
        })
    }

    /// Whether nobody need win at the end.
    fn ends_in_ties(&self) -> bool {
        self.playing.start().nature().ends == Ends::Payoff
    }

    fn board(&self) -> String {
        let last = self.playing.history().last();
        let look = TerminalLook {
            ascii: self.ascii,
            colour: true,
            last: last.map(|(_, made)| (made.component, &made.mv.at[..])),
            ..TerminalLook::default()
        };
        draw::board(self.playing.now(), look, self.language())
    }

    fn human_to_move(&self) -> bool {
        match self.seats {
            Seats::Both => true,
            Seats::One(parity) => self.playing.turn() % 2 == parity,
        }
    }

    fn prompt(&self) -> String {
        if self.seats == Seats::One(self.playing.turn() % 2) {
            return self.say("play_you");
        }
        let now = self.playing.now();
        match now.nature().moves {
            Moves::Own => {
                let name = self.playing.mover().of(now.players());
                words(
                    &Step::new("play_turn").with("player", name),
                    self.language(),
                )
            }
            Moves::Same if self.playing.turn().is_multiple_of(2) => self.say("play_turn_first"),
            Moves::Same => self.say("play_turn_second"),
        }
    }

    fn list(&self, out: &mut impl Write, moves: &[Choice]) -> io::Result<()> {
        let own = numbered_by_themselves(self.playing.now(), moves);
        writeln!(out)?;
        for (index, choice) in moves.iter().enumerate() {
            let number = if own {
                let at: Vec<String> = choice.mv.at.iter().map(u64::to_string).collect();
                at.join(" ")
            } else {
                (index + 1).to_string()
            };
            let action = self.playing.describe(choice, self.language());
            writeln!(out, "  {number:>2}. {action}")?;
        }
        Ok(())
    }

    /// How a move is written where there are too many to list.
    fn form(&self, moves: &[Choice]) -> String {
        let example = self.playing.describe(&moves[0], self.language());
        let at = in_numbers(self.playing.now(), &moves[0]);
        let step = Step::new("play_form")
            .with("example", example)
            .with("numbers", at);
        words(&step, self.language())
    }

    /// Does what a line says.
    fn obey(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut impl Write,
    ) -> Result<AfterInput, Failure> {
        if line.is_empty() {
            return Ok(AfterInput::Ask);
        }
        match command(line) {
            None => return self.move_written(line, moves, out),
            Some('?') => {
                let names = self.playing.start().terms().iter().map(|term| term.name());
                let rules = help::rules(names, self.common.play(), self.language());
                if !rules.is_empty() {
                    writeln!(out, "{rules}\n")?;
                }
                out.write_all(self.say("play_help").as_bytes())?;
            }
            Some('q') => return Ok(AfterInput::Quit),
            Some('m') => {
                self.listed = true;
                self.list(out, moves)?;
            }
            Some('p') => out.write_all(self.board().as_bytes())?,
            Some('s') => {
                if let Seats::One(parity) = &mut self.seats {
                    *parity = 1 - *parity;
                }
                return Ok(AfterInput::Show);
            }
            Some('u') => {
                self.back();
                return Ok(AfterInput::Show);
            }
            Some('r') => {
                if self.playing.redo() && !self.human_to_move() {
                    self.playing.redo();
                }
                self.hints = 0;
                return Ok(AfterInput::Show);
            }
            Some('l') => self.history(out)?,
            Some('v') => writeln!(out, "  {}", self.saved())?,
            Some('w') => self.why(out)?,
            Some('b') => self.best(out)?,
            Some(_) => {
                self.hints += 1;
                match self.hints {
                    1 => {
                        let standing = self.playing.standing()?;
                        let nudge = self.playing.nudge(standing);
                        writeln!(out, "  {}", words(&nudge, self.language()))?;
                        if let Some(heat) = self.playing.heat()? {
                            writeln!(out, "  {}", words(&heat, self.language()))?;
                        }
                    }
                    2 => self.best(out)?,
                    _ => self.why(out)?,
                }
            }
        }
        Ok(AfterInput::Ask)
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

    /// A move by its number in the list, by the numbers of the notation, or in words.
    fn move_written(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut impl Write,
    ) -> Result<AfterInput, Failure> {
        let listed = line.parse().ok().filter(|number| {
            (1..=moves.len()).contains(number) && !numbered_by_themselves(self.playing.now(), moves)
        });
        let choice = match listed {
            Some(number) => Ok(moves[number - 1].clone()),
            None => self.playing.read(line, self.language()),
        };
        match choice {
            Ok(choice) => {
                self.playing.make(choice);
                self.hints = 0;
                Ok(AfterInput::Show)
            }
            Err(misread) => {
                writeln!(out, "  {}", words(&misread.step()?, self.language()))?;
                Ok(AfterInput::Ask)
            }
        }
    }

    fn best(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let best = self.playing.best()?;
        let action = self.playing.describe(&best, self.language());
        writeln!(out, "  {action}")?;
        Ok(())
    }

    fn why(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let steps = self.playing.why()?;
        out.write_all(plain::numbered(&steps, self.language()).as_bytes())?;
        Ok(())
    }

    /// What was played so far, and by whom.
    fn history(&self, out: &mut impl Write) -> io::Result<()> {
        if self.playing.turn() == 0 {
            writeln!(out, "  {}", self.say("play_nothing_yet"))?;
        }
        for (turn, (position, choice)) in self.playing.history().enumerate() {
            let code = match self.seats {
                Seats::One(parity) if parity == turn % 2 => "play_by_you",
                Seats::One(_) => "play_by_program",
                Seats::Both if turn % 2 == 0 => "play_turn_first",
                Seats::Both => "play_turn_second",
            };
            let action = described(position, choice, self.language());
            writeln!(out, "  {:>2}. {}", turn + 1, self.labelled(code, action))?;
        }
        Ok(())
    }

    /// The command that goes on from here.
    fn saved(&self) -> String {
        let mut line = format!(
            "grundy play {}",
            outside::quoted(&self.playing.start().to_string())
        );
        if self.playing.turn() > 0 {
            let _ = write!(line, " --moves {}", outside::quoted(&self.playing.saved()));
        }
        match self.seats {
            Seats::Both => line.push_str(" --two-players"),
            Seats::One(1) => line.push_str(" --second"),
            Seats::One(_) => {}
        }
        if self.common.play() == Play::Misere {
            line.push_str(" --misere");
        }
        if let Some(level) = self.level {
            let _ = write!(line, " --level {level}");
        }
        if let Some(rules) = &self.common.rules {
            let _ = write!(
                line,
                " --rules {}",
                outside::quoted(&rules.to_string_lossy())
            );
        }
        line
    }

    /// Who won, and where the game turned.
    fn end(&mut self, out: &mut impl Write) -> Result<(), Failure> {
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
        let over = Step::new(over).with("result", self.say(code));
        writeln!(out, "{}", words(&over, self.language()))?;
        // Who won is known; how the game went on the way may be out of reach.
        let Ok(verdicts) = self.playing.verdicts() else {
            return Ok(());
        };
        let letters = verdicts
            .iter()
            .map(|(verdict, _)| plain::letters(*verdict, self.language()));
        let letters = letters.collect::<Vec<_>>().join(" ");
        writeln!(out, "{}", self.labelled("play_outcomes", letters))?;
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
                .with("move", described(position, choice, self.language()));
            writeln!(out, "{}", words(&step, self.language()))?;
        }
        Ok(())
    }
}
