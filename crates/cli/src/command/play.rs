//! `grundy play`: a game in the terminal, line by line.
//!
//! The dialogue reads and writes; what is known of a game is the opponent's.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use grundy::limits::ended;
use grundy::solve::Choice;
use grundy::step::Step;
use grundy::{Halt, Position, Stop, Worth};
use grundy_analysis::{Opponent, opponent};
use grundy_notation::Language;
use grundy_notation::plain::{self, in_part};
use grundy_notation::wording::{labelled, phrase, words};

use crate::arguments::{Common, PlayArgs};
use crate::asked;
use crate::failure::Failure;
use crate::outside;
use crate::session::Session;

/// Moves that are listed or chosen from by number.
const LISTED: usize = 10_000;
/// Moves shown without being asked.
const SHOWN: usize = 12;
/// Moves looked through for one given by its `at`.
const SEARCHED: usize = 10_000_000;

pub(crate) fn run(
    arguments: &PlayArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let position = session
        .analyst
        .position(&asked::source(&arguments.source)?)?;
    let opponent = Opponent::new(common.play(), session.job.limits());
    Dialogue::new(position, opponent, arguments.second, common.language()).play()
}

struct Dialogue<'a> {
    /// Every position so far, the present one last.
    history: Vec<Position>,
    /// Positions taken back, the next to redo last.
    undone: Vec<Position>,
    /// The human is to move when the number of moves made is this modulo 2.
    human_moves_on: usize,
    /// Hints given for the present position.
    hints: u8,
    language: Language,
    opponent: Opponent<'a>,
}

impl<'a> Dialogue<'a> {
    fn new(position: Position, opponent: Opponent<'a>, second: bool, language: Language) -> Self {
        Self {
            history: vec![position],
            undone: Vec::new(),
            human_moves_on: usize::from(second),
            hints: 0,
            language,
            opponent,
        }
    }

    fn play(mut self) -> Result<ExitCode, Failure> {
        self.run(&mut io::stdin().lock(), &mut outside::answers())?;
        Ok(ExitCode::SUCCESS)
    }

    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.say("play_help"))?;
        if self.now().nature().beginners().len() == 2 {
            writeln!(out, "{}", self.say("play_left_first"))?;
        }
        loop {
            let moves = self.moves()?;
            writeln!(out, "\n{}", self.now())?;
            if moves.is_empty() {
                return self.end(out);
            }
            if !self.human_to_move() {
                let choice = self.choose(&moves)?;
                let action = self.describe(&choice);
                writeln!(out, "{}", self.labelled("play_program", action))?;
                self.advance(choice.to);
                continue;
            }
            if moves.len() <= SHOWN {
                self.list(out, &moves)?;
            }
            loop {
                write!(out, "{}> ", self.say("play_you"))?;
                out.flush()?;
                let mut line = String::new();
                let read = input.read_line(&mut line);
                match read {
                    Ok(0) => {
                        writeln!(out)?;
                        return Ok(());
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                        writeln!(out, "{}", self.say("play_illegal"))?;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                }
                match self.command(line.trim(), &moves, out)? {
                    AfterInput::Ask => {}
                    AfterInput::Show => break,
                    AfterInput::Quit => return Ok(()),
                }
            }
        }
    }

    fn say(&self, code: &'static str) -> String {
        phrase(code, self.language)
    }

    fn labelled(&self, label: &'static str, what: String) -> String {
        labelled(&self.say(label), what, self.language)
    }

    fn now(&self) -> &Position {
        self.history
            .last()
            .expect("the history starts with a position and undo keeps the first")
    }

    /// The number of moves made so far.
    fn turn(&self) -> usize {
        self.history.len() - 1
    }

    fn human_to_move(&self) -> bool {
        self.turn() % 2 == self.human_moves_on
    }

    /// The moves of the player whose turn it is, as many as are listed.
    fn moves(&self) -> Result<Vec<Choice>, Stop> {
        opponent::moves(self.now(), self.turn(), LISTED)
    }

    fn choose(&mut self, moves: &[Choice]) -> Result<Choice, Stop> {
        let turn = self.turn();
        self.opponent.choose(&self.history[turn], turn, moves)
    }

    fn describe(&self, choice: &Choice) -> String {
        let action = words(&choice.mv.action, self.language);
        let action = in_part(self.now(), choice.component, action, self.language);
        format!("{action} -> {}", choice.to)
    }

    fn list(&self, out: &mut impl Write, moves: &[Choice]) -> io::Result<()> {
        for (number, option) in moves.iter().enumerate() {
            writeln!(out, "  {}. {}", number + 1, self.describe(option))?;
        }
        Ok(())
    }

    fn advance(&mut self, to: Position) {
        self.history.push(to);
        self.undone.clear();
        self.hints = 0;
    }

    fn command(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut impl Write,
    ) -> Result<AfterInput, Failure> {
        match line {
            "" => {}
            "?" => writeln!(out, "{}", self.say("play_help"))?,
            "q" => return Ok(AfterInput::Quit),
            "m" => self.list(out, moves)?,
            "s" => {
                self.human_moves_on = 1 - self.human_moves_on;
                return Ok(AfterInput::Show);
            }
            "u" => {
                // Back to the human's own last move.
                let steps = 2.min(self.history.len() - 1);
                if steps == 2 || (steps == 1 && self.human_moves_on == 0) {
                    for _ in 0..steps {
                        self.undone.extend(self.history.pop());
                    }
                }
                self.hints = 0;
                return Ok(AfterInput::Show);
            }
            "r" => {
                for _ in 0..2 {
                    self.history.extend(self.undone.pop());
                }
                self.hints = 0;
                return Ok(AfterInput::Show);
            }
            "w" => self.why(out)?,
            "b" => {
                let best = self.choose(moves)?;
                writeln!(out, "  {}", self.describe(&best))?;
            }
            "h" => {
                self.hints += 1;
                match self.hints {
                    1 => {
                        let turn = self.turn();
                        let code = match self.opponent.standing(&self.history[turn], turn)? {
                            Worth::Win => "play_nudge_win",
                            Worth::Tie => "play_nudge_draw",
                            Worth::Lose => "play_nudge_lose",
                        };
                        writeln!(out, "  {}", self.say(code))?;
                    }
                    2 => {
                        let best = self.choose(moves)?;
                        writeln!(out, "  {}", self.describe(&best))?;
                    }
                    _ => self.why(out)?,
                }
            }
            _ => match self.read_move(line, moves)? {
                Some(to) => {
                    self.advance(to);
                    return Ok(AfterInput::Show);
                }
                None => writeln!(out, "  {}", self.say("play_illegal"))?,
            },
        }
        Ok(AfterInput::Ask)
    }

    /// A move by its number in the list, by its `at`, or in words.
    fn read_move(&self, line: &str, moves: &[Choice]) -> Result<Option<Position>, Stop> {
        let numbers: Option<Vec<u64>> = line
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok())
            .collect();
        match numbers.as_deref() {
            Some([number]) if (1..=moves.len() as u64).contains(number) => {
                Ok(Some(moves[*number as usize - 1].to.clone()))
            }
            Some(at) => {
                let mut found = None;
                let mut seen = 0;
                let mover = opponent::mover(self.now(), self.turn());
                ended(self.now().moves(mover, &mut |_, name, to| {
                    seen += 1;
                    if name().at == at {
                        found = Some(to());
                    }
                    if found.is_none() && seen < SEARCHED {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(Halt::Enough)
                    }
                }))?;
                Ok(found)
            }
            None => {
                let wanted = line.to_lowercase();
                let says =
                    |option: &&Choice| words(&option.mv.action, self.language).ends_with(&wanted);
                Ok(moves.iter().find(says).map(|option| option.to.clone()))
            }
        }
    }

    fn why(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let turn = self.turn();
        for step in self.opponent.why(&self.history[turn])? {
            writeln!(out, "  {}", words(&step, self.language))?;
        }
        Ok(())
    }

    /// Who won, and where the game turned.
    fn end(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let turn = self.turn();
        let standing = self.opponent.at_the_end(&self.history[turn], turn)?;
        let code = match (standing, self.human_to_move()) {
            (Worth::Tie, _) => "play_draw",
            (Worth::Win, true) | (Worth::Lose, false) => "play_you_win",
            _ => "play_program_wins",
        };
        writeln!(out, "{}", self.labelled("play_no_move", self.say(code)))?;
        let mut letters = Vec::new();
        let mut standings = Vec::new();
        for (turn, position) in self.history.iter().enumerate() {
            let (Ok(letter), Ok(standing)) = (
                self.opponent.verdict(position),
                self.opponent.standing(position, turn),
            ) else {
                return Ok(());
            };
            letters.push(plain::letters(letter, self.language));
            standings.push(standing);
        }
        let letters = letters.join(" ");
        writeln!(out, "{}", self.labelled("play_outcomes", letters))?;
        let mistake = (0..turn).find(|&i| {
            i % 2 == self.human_moves_on
                && standings[i] == Worth::Win
                && standings[i + 1] != Worth::Lose
        });
        if let Some(index) = mistake {
            let step = Step::new("play_first_mistake").with("number", index + 1);
            writeln!(out, "{}", words(&step, self.language))?;
        }
        Ok(())
    }
}

/// What happens after a line of input.
enum AfterInput {
    Ask,
    Show,
    Quit,
}
