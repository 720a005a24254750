//! `grundy play`: a game in the terminal, line by line.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use grundy::solve::search;
use grundy::step::{Move, Step};
use grundy::{Limits, Outcome, Play, Position, Solver, explain};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Language};

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
    let (position, _) = super::position(&arguments.source, session)?;
    let mut game = Game {
        history: vec![position],
        undone: Vec::new(),
        human_moves_on: usize::from(arguments.second),
        hints: 0,
        play: common.play(),
        language: common.language(),
        solver: Solver::default(),
        session,
    };
    game.run(&mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

struct Game<'a> {
    /// Every position so far, the present one last.
    history: Vec<Position>,
    /// Positions taken back, the next to redo last.
    undone: Vec<Position>,
    /// The human is to move when the number of moves made is this modulo 2.
    human_moves_on: usize,
    /// Hints given for the present position.
    hints: u8,
    play: Play,
    language: Language,
    solver: Solver,
    session: &'a Session,
}

/// A move with the position after it.
type Choice = (Move, usize, Position);

impl Game<'_> {
    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.say("play_help"))?;
        loop {
            let moves = self.moves();
            writeln!(out, "\n{}", self.now())?;
            if moves.is_empty() {
                return Ok(self.end(out)?);
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

    fn now(&self) -> &Position {
        self.history
            .last()
            .expect("the history starts with a position and undo keeps the first")
    }

    fn human_to_move(&self) -> bool {
        (self.history.len() - 1) % 2 == self.human_moves_on
    }

    fn limits(&self) -> Limits<'_> {
        self.session.limits()
    }

    fn moves(&self) -> Vec<Choice> {
        let mut moves = Vec::new();
        let _ = self.now().moves(&mut |term, name, to| {
            moves.push((name(), term, to()));
            if moves.len() == LISTED {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        moves
    }

    fn describe(&self, (mv, term, to): &Choice) -> String {
        let mut action = words(&mv.action, self.language);
        if self.now().terms.len() > 1 {
            let place = Step::new("label_component").with("index", *term);
            action = format!("{}: {action}", words(&place, self.language));
        }
        format!("{action} -> {to}")
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
                        let wins = self.outcome(&self.now().clone())? == Outcome::N;
                        let code = if wins {
                            "play_nudge_win"
                        } else {
                            "play_nudge_lose"
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
    fn read_move(&self, line: &str, moves: &[Choice]) -> Option<Position> {
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
                let _ = self.now().moves(&mut |_, name, to| {
                    seen += 1;
                    if name().at == at {
                        found = Some(to());
                    }
                    if found.is_some() || seen == SEARCHED {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                found
            }
            None => {
                let wanted = line.to_lowercase();
                let says =
                    |option: &&Choice| words(&option.0.action, self.language).ends_with(&wanted);
                moves.iter().find(says).map(|option| option.2.clone())
            }
        }
    }

    fn outcome(&mut self, position: &Position) -> Result<Outcome, Failure> {
        let limits = self.session.limits();
        self.solver
            .outcome(position, self.play, &limits)
            .map_err(|stop| Diagnostic::stopped(stop).into())
    }

    fn why(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let position = self.now().clone();
        let limits = self.session.limits();
        let solution = self.solver.solve(&position, self.play, &limits)?;
        for step in explain::steps(&position, self.play, &solution, &mut self.solver, &limits) {
            writeln!(out, "  {}", words(&step, self.language))?;
        }
        Ok(())
    }

    /// The quickest win, or the longest loss; where that cannot be counted, the loss with most left to play.
    fn choose(&mut self, moves: &[Choice]) -> Result<Choice, Failure> {
        let position = self.now().clone();
        let session = self.session;
        let solution = self.solver.solve(&position, self.play, &session.limits())?;
        let small = Limits {
            positions: 20_000,
            ..self.limits()
        };
        let remoteness = |to: &Position| {
            search::label(to, self.play, &small)
                .ok()
                .map(|label| label.remoteness)
        };
        let candidates: Vec<Choice> = if solution.outcome == Outcome::N {
            solution
                .winning_moves
                .into_iter()
                .map(|w| (w.mv, w.component, w.to))
                .collect()
        } else {
            moves.to_vec()
        };
        let Some(first) = candidates.first().cloned() else {
            return Ok(moves[0].clone());
        };
        let countable = candidates.len() <= 200 && remoteness(&first.2).is_some();
        if solution.outcome == Outcome::N {
            if !countable {
                return Ok(first);
            }
            let best = candidates
                .into_iter()
                .min_by_key(|option| remoteness(&option.2).unwrap_or(u32::MAX));
            return Ok(best.unwrap_or(first));
        }
        let left = |option: &Choice| {
            option
                .2
                .terms
                .iter()
                .map(|term| term.longest_play().unwrap_or(0))
                .fold(0u128, u128::saturating_add)
        };
        let best = if countable {
            candidates
                .into_iter()
                .rev()
                .max_by_key(|option| remoteness(&option.2).unwrap_or(0))
        } else {
            candidates.into_iter().rev().max_by_key(left)
        };
        Ok(best.unwrap_or(first))
    }

    /// Who won, and where the game turned.
    fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        // Whoever is to move has lost in normal play, and won in misère play.
        let human_wins = self.human_to_move() == (self.play == Play::Misere);
        let code = if human_wins {
            "play_you_win"
        } else {
            "play_program_wins"
        };
        writeln!(out, "{}: {}", self.say("play_no_move"), self.say(code))?;
        let history = self.history.clone();
        let outcomes: Option<Vec<Outcome>> = history
            .iter()
            .map(|position| self.outcome(position).ok())
            .collect();
        let Some(outcomes) = outcomes else {
            return Ok(());
        };
        let strip: Vec<String> = outcomes.iter().map(Outcome::to_string).collect();
        writeln!(out, "{}: {}", self.say("play_outcomes"), strip.join(" "))?;
        let mistake = (0..outcomes.len() - 1).find(|&i| {
            i % 2 == self.human_moves_on
                && outcomes[i] == Outcome::N
                && outcomes[i + 1] != Outcome::P
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
