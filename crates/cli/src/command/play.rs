//! `grundy play`: a game in the terminal, line by line.
//!
//! The dialogue is one for all kinds of game; what it has to know of a kind is a [`Table`].

mod impartial;
mod partizan;
mod ties;

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use grundy::step::{Move, Step};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Game as Kind, Language};

use crate::arguments::{Common, PlayGame};
use crate::failure::Failure;
use crate::session::Session;

/// Moves that are listed or chosen from by number.
const LISTED: usize = 10_000;
/// Moves shown without being asked.
const SHOWN: usize = 12;
/// Moves looked through for one given by its `at`.
const SEARCHED: usize = 10_000_000;

pub(crate) fn run(
    arguments: &PlayGame,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let (game, _) = super::game(&arguments.source, session)?;
    let (play, language) = (common.play(), common.language());
    let second = arguments.second;
    match game {
        Kind::Impartial(position) => {
            let table = impartial::Impartial::new(play, session);
            Game::new(position, table, second, language).play()
        }
        Kind::Partizan(position) => {
            let table = partizan::Partizan::new(play, session);
            Game::new(position, table, second, language).play()
        }
        Kind::Ties(position) => {
            let table = ties::Ties::new(play, session);
            Game::new(position, table, second, language).play()
        }
    }
}

/// How a position stands for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Wins,
    Draws,
    Loses,
}

impl Standing {
    fn of_win(wins: bool) -> Self {
        if wins { Self::Wins } else { Self::Loses }
    }
}

/// A move with the term it is made in and the position after it.
pub(super) type Choice<P> = (Move, usize, P);

/// What the dialogue asks of a kind of game. Who is to move is told by the number of moves made so far, `turn`.
pub(super) trait Table {
    /// A position.
    type Position: Clone + Display;

    /// What is said before the first move, by its code.
    fn greeting(&self) -> Option<&'static str> {
        None
    }

    /// How many terms the position is a sum of.
    fn terms(position: &Self::Position) -> usize;

    /// Every move until `visit` answers false.
    fn moves(
        &self,
        position: &Self::Position,
        turn: usize,
        visit: &mut dyn FnMut(&dyn Fn() -> Move, usize, &dyn Fn() -> Self::Position) -> bool,
    );

    /// How the player to move stands.
    fn standing(&mut self, position: &Self::Position, turn: usize) -> Result<Standing, Failure>;

    /// How the player to move stands where no move is left.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn at_the_end(&self, position: &Self::Position, turn: usize) -> Result<Standing, Failure>;

    /// The letter or word for the position in the strip of outcomes.
    fn letter(&mut self, position: &Self::Position, turn: usize) -> Result<String, Failure>;

    /// The move that the program would make, of which there is at least one.
    fn choose(
        &mut self,
        position: &Self::Position,
        turn: usize,
        moves: &[Choice<Self::Position>],
    ) -> Result<Choice<Self::Position>, Failure>;

    /// Why the position stands as it does.
    fn why(&mut self, position: &Self::Position, turn: usize) -> Result<Vec<Step>, Failure>;
}

struct Game<T: Table> {
    /// Every position so far, the present one last.
    history: Vec<T::Position>,
    /// Positions taken back, the next to redo last.
    undone: Vec<T::Position>,
    /// The human is to move when the number of moves made is this modulo 2.
    human_moves_on: usize,
    /// Hints given for the present position.
    hints: u8,
    language: Language,
    table: T,
}

impl<T: Table> Game<T> {
    fn new(position: T::Position, table: T, second: bool, language: Language) -> Self {
        Self {
            history: vec![position],
            undone: Vec::new(),
            human_moves_on: usize::from(second),
            hints: 0,
            language,
            table,
        }
    }

    fn play(mut self) -> Result<ExitCode, Failure> {
        self.run(&mut io::stdin().lock(), &mut io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }

    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.say("play_help"))?;
        if let Some(greeting) = self.table.greeting() {
            writeln!(out, "{}", self.say(greeting))?;
        }
        loop {
            let moves = self.moves();
            writeln!(out, "\n{}", self.now())?;
            if moves.is_empty() {
                return self.end(out);
            }
            if !self.human_to_move() {
                let choice = self.choose(&moves)?;
                writeln!(
                    out,
                    "{}: {}",
                    self.say("play_program"),
                    self.describe(&choice)
                )?;
                self.advance(choice.2);
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
                    Next::Ask => {}
                    Next::Show => break,
                    Next::Quit => return Ok(()),
                }
            }
        }
    }

    fn say(&self, code: &'static str) -> String {
        phrase(code, self.language)
    }

    fn now(&self) -> &T::Position {
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

    fn moves(&self) -> Vec<Choice<T::Position>> {
        let mut moves = Vec::new();
        self.table
            .moves(self.now(), self.turn(), &mut |name, term, to| {
                moves.push((name(), term, to()));
                moves.len() < LISTED
            });
        moves
    }

    fn choose(&mut self, moves: &[Choice<T::Position>]) -> Result<Choice<T::Position>, Failure> {
        let turn = self.turn();
        self.table.choose(&self.history[turn], turn, moves)
    }

    fn describe(&self, (mv, term, to): &Choice<T::Position>) -> String {
        let mut action = words(&mv.action, self.language);
        if T::terms(self.now()) > 1 {
            let place = Step::new("label_component").with("index", *term);
            action = format!("{}: {action}", words(&place, self.language));
        }
        format!("{action} -> {to}")
    }

    fn list(&self, out: &mut impl Write, moves: &[Choice<T::Position>]) -> io::Result<()> {
        for (number, option) in moves.iter().enumerate() {
            writeln!(out, "  {}. {}", number + 1, self.describe(option))?;
        }
        Ok(())
    }

    fn advance(&mut self, to: T::Position) {
        self.history.push(to);
        self.undone.clear();
        self.hints = 0;
    }

    fn command(
        &mut self,
        line: &str,
        moves: &[Choice<T::Position>],
        out: &mut impl Write,
    ) -> Result<Next, Failure> {
        match line {
            "" => {}
            "?" => writeln!(out, "{}", self.say("play_help"))?,
            "q" => return Ok(Next::Quit),
            "m" => self.list(out, moves)?,
            "s" => {
                self.human_moves_on = 1 - self.human_moves_on;
                return Ok(Next::Show);
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
                return Ok(Next::Show);
            }
            "r" => {
                for _ in 0..2 {
                    self.history.extend(self.undone.pop());
                }
                self.hints = 0;
                return Ok(Next::Show);
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
                        let code = match self.table.standing(&self.history[turn], turn)? {
                            Standing::Wins => "play_nudge_win",
                            Standing::Draws => "play_nudge_draw",
                            Standing::Loses => "play_nudge_lose",
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
            _ => match self.read_move(line, moves) {
                Some(to) => {
                    self.advance(to);
                    return Ok(Next::Show);
                }
                None => writeln!(out, "  {}", self.say("play_illegal"))?,
            },
        }
        Ok(Next::Ask)
    }

    /// A move by its number in the list, by its `at`, or in words.
    fn read_move(&self, line: &str, moves: &[Choice<T::Position>]) -> Option<T::Position> {
        let numbers: Option<Vec<u64>> = line
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok())
            .collect();
        match numbers.as_deref() {
            Some([number]) if (1..=moves.len() as u64).contains(number) => {
                Some(moves[*number as usize - 1].2.clone())
            }
            Some(at) => {
                let mut found = None;
                let mut seen = 0;
                self.table
                    .moves(self.now(), self.turn(), &mut |name, _, to| {
                        seen += 1;
                        if name().at == at {
                            found = Some(to());
                        }
                        found.is_none() && seen < SEARCHED
                    });
                found
            }
            None => {
                let wanted = line.to_lowercase();
                let says = |option: &&Choice<T::Position>| {
                    words(&option.0.action, self.language).ends_with(&wanted)
                };
                moves.iter().find(says).map(|option| option.2.clone())
            }
        }
    }

    fn why(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let turn = self.turn();
        for step in self.table.why(&self.history[turn], turn)? {
            writeln!(out, "  {}", words(&step, self.language))?;
        }
        Ok(())
    }

    /// Who won, and where the game turned.
    fn end(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let turn = self.turn();
        let standing = self.table.at_the_end(&self.history[turn], turn)?;
        let code = match (standing, self.human_to_move()) {
            (Standing::Draws, _) => "play_draw",
            (Standing::Wins, true) | (Standing::Loses, false) => "play_you_win",
            _ => "play_program_wins",
        };
        writeln!(out, "{}: {}", self.say("play_no_move"), self.say(code))?;
        let mut letters = Vec::new();
        let mut standings = Vec::new();
        for (turn, position) in self.history.iter().enumerate() {
            let (Ok(letter), Ok(standing)) = (
                self.table.letter(position, turn),
                self.table.standing(position, turn),
            ) else {
                return Ok(());
            };
            letters.push(letter);
            standings.push(standing);
        }
        writeln!(out, "{}: {}", self.say("play_outcomes"), letters.join(" "))?;
        let mistake = (0..turn).find(|&i| {
            i % 2 == self.human_moves_on
                && standings[i] == Standing::Wins
                && standings[i + 1] != Standing::Loses
        });
        if let Some(index) = mistake {
            let step = Step::new("play_first_mistake").with("number", index + 1);
            writeln!(out, "{}", words(&step, self.language))?;
        }
        Ok(())
    }
}

/// What happens after a line of input.
enum Next {
    Ask,
    Show,
    Quit,
}
