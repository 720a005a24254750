//! A conversation in which a game is played, against the program or between two people.

use std::cmp::Reverse;
use std::fmt::Write as _;

use grundy_core::message::{Command, Setting};
use grundy_core::ruleset::{Ends, Moves};
use grundy_core::solve::Choice;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, PayoffResult, Play};
use grundy_wording::{Language, labelled, plain};

use super::{Conversation, Event, Style};
use crate::playing::{Mistake, Playing, describe_move, path_text, uses_board_numbers};

/// Maximal number of moves that are listed without a request.
const MAX_SHOWN: usize = 12;

/// The people who play at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// One person against the program. If the field is 0, the person moves whenever the number of
    /// moves made is even. If it is 1, the person moves whenever that number is odd.
    One(usize),
    /// Two people.
    Both,
}

/// A game in progress, with the state of the conversation.
#[derive(Debug)]
pub struct Game<'a> {
    playing: Playing<'a>,
    seats: Seats,
    style: Style,
    /// The level of the program, if the user has chosen one.
    level: Option<u8>,
    /// The file that contains the rules of the game, if there is one.
    rules: Option<String>,
    /// Number of hints given for the present position.
    hints: u8,
    state: State,
}

/// The state of the conversation.
#[derive(Debug)]
enum State {
    Greeting,
    Board,
    Reply,
    /// A person is to move. Contains the moves of the position.
    Move(Vec<Choice>),
    End,
    Over,
}

/// The commands other than moves, each with its letter and its words.
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

/// Returns the moves in the order in which they are listed.
///
/// If every move takes chips from a heap and does nothing else, they are sorted by the heap and by
/// the number of chips taken. Otherwise the order remains unchanged.
fn in_order(mut moves: Vec<Choice>) -> Vec<Choice> {
    // The path of such a move is the heap and the size that remains, so larger sizes come first.
    let takes = |choice: &Choice| choice.mv.action.code == "take" && choice.mv.at.len() == 2;
    if moves.iter().all(takes) {
        moves.sort_by_key(|choice| (choice.component, choice.mv.at[0], Reverse(choice.mv.at[1])));
    }
    moves
}

/// Returns the letter of the command on a line, or `None` if the line is not a command.
fn command(line: &str) -> Option<char> {
    let line = line.to_lowercase();
    let named = |(letter, names): &&(char, &[&str])| {
        names.contains(&&line[..]) || line.chars().eq([*letter])
    };
    COMMANDS.iter().find(named).map(|(letter, _)| *letter)
}

impl Conversation for Game<'_> {
    fn next(&mut self) -> Result<Event, Diagnostic> {
        let mut out = String::new();
        match self.state {
            State::Greeting => {
                self.state = State::Board;
                out = self.greeting() + "\n";
            }
            State::Board => {
                let moves = in_order(self.playing.moves()?);
                out = format!("\n{}", self.board());
                self.state = if moves.is_empty() {
                    State::End
                } else if !self.human_to_move() {
                    State::Reply
                } else {
                    if moves.len() <= MAX_SHOWN {
                        self.list(&mut out, &moves);
                    } else {
                        let _ = writeln!(out, "  {}", self.move_syntax(&moves));
                    }
                    State::Move(moves)
                };
            }
            State::Reply => {
                let choice = self.playing.reply()?;
                let action = self.playing.describe(&choice, self.style.language);
                let _ = writeln!(out, "{}", self.labelled("play_program", action));
                self.make_move(choice);
            }
            State::Move(_) => return Ok(Event::Prompt(format!("{}> ", self.prompt()))),
            State::End => {
                self.state = State::Over;
                self.end(&mut out)?;
            }
            State::Over => return Ok(Event::End),
        }
        Ok(Event::Output(out))
    }

    fn respond(&mut self, line: &str) -> Result<String, Diagnostic> {
        let mut out = String::new();
        // The moves are taken out of the state, since `execute` borrows all of `self`. A line that
        // changes nothing puts them back, so they are not listed again.
        let moves = match std::mem::replace(&mut self.state, State::Board) {
            State::Move(moves) => moves,
            other => {
                self.state = other;
                return Ok(out);
            }
        };
        let redraw = self.execute(line.trim(), &moves, &mut out);
        // `execute` may have ended the conversation. Its new state must not be overwritten.
        if !matches!(redraw, Ok(true)) && matches!(self.state, State::Board) {
            self.state = State::Move(moves);
        }
        redraw.map(|_| out)
    }

    fn end_input(&mut self) {
        self.state = State::Over;
    }

    fn invalid_line_response(&self) -> String {
        self.style.say("play_illegal")
    }
}

impl<'a> Game<'a> {
    /// Creates a conversation that continues a game from its present state.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::conversation::{Conversation, Event, Game, Seats, Style};
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Misere, Limits::default());
    /// let playing = Playing::new(read_position("nim(1, 2)")?, opponent);
    /// let mut game = Game::new(playing, Seats::Both, Style::default());
    /// let Event::Output(greeting) = game.next()? else { panic!("the game has a greeting") };
    /// assert!(greeting.contains("The player who makes the last move loses."));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(playing: Playing<'a>, seats: Seats, style: Style) -> Self {
        Self {
            playing,
            seats,
            style,
            level: None,
            rules: None,
            hints: 0,
            state: State::Greeting,
        }
    }

    /// Sets the level and the rule file that appear in the command that resumes the game.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::conversation::{Conversation, Event, Game, Seats, Style};
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(read_position("nim(1, 2)")?, opponent);
    /// let game = Game::new(playing, Seats::One(0), Style::default());
    /// let mut game = game.with_save_options(Some(7), None);
    /// while !matches!(game.next()?, Event::Prompt(_)) {}
    /// assert_eq!(game.respond("save")?, "  grundy play \"nim(1, 2)\" --level 7\n");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_save_options(self, level: Option<u8>, rules: Option<String>) -> Self {
        Self {
            level,
            rules,
            ..self
        }
    }

    fn make_move(&mut self, choice: Choice) {
        self.playing.make(choice);
        self.hints = 0;
        self.state = State::Board;
    }

    fn labelled(&self, label: &'static str, what: String) -> String {
        labelled(&self.style.say(label), what, self.style.language)
    }

    /// Returns the first lines: who plays whom, who wins, and how a move is written.
    fn greeting(&self) -> String {
        let nature = self.playing.start().nature();
        let mut lines = Vec::new();
        lines.push(match (self.seats, nature.moves) {
            (Seats::Both, _) => self.style.say("play_two"),
            (Seats::One(_), Moves::Partizan) => {
                let turn = match self.seats {
                    // A seat is the parity of the number of moves made. After replayed moves the
                    // person at the terminal need not be the player to move.
                    Seats::One(second) if second != self.playing.turn() % 2 => {
                        self.playing.mover().other()
                    }
                    _ => self.playing.mover(),
                };
                let name = turn.of(self.playing.start().players());
                self.style
                    .words(&Step::new("play_you_are").with("player", name))
            }
            (Seats::One(0), Moves::Same) => self.style.say("play_first"),
            (Seats::One(_), Moves::Same) => self.style.say("play_second"),
        });
        if nature.ends == Ends::LastMove {
            lines.push(self.style.say(match self.playing.play() {
                Play::Normal => "play_rule_normal",
                Play::Misere => "play_rule_misere",
            }));
        }
        lines.push(self.style.say("play_short_help"));
        lines.join(match self.style.language {
            Language::En => " ",
            Language::Zh => "",
        })
    }

    /// Returns whether the game ends in payoffs, so that a tie is possible.
    fn ends_in_ties(&self) -> bool {
        self.playing.start().nature().ends == Ends::Payoff
    }

    fn board(&self) -> String {
        let last = self.playing.history().last();
        let last = last.map(|(_, made)| (made.component, &made.mv.at[..]));
        self.style.board(self.playing.now(), last)
    }

    fn human_to_move(&self) -> bool {
        match self.seats {
            Seats::Both => true,
            Seats::One(parity) => self.playing.turn() % 2 == parity,
        }
    }

    fn prompt(&self) -> String {
        // With one person at the terminal, only that person is ever prompted.
        if self.seats == Seats::One(self.playing.turn() % 2) {
            return self.style.say("play_you");
        }
        let now = self.playing.now();
        match now.nature().moves {
            Moves::Partizan => {
                let name = self.playing.mover().of(now.players());
                self.style
                    .words(&Step::new("play_turn").with("player", name))
            }
            Moves::Same if self.playing.turn().is_multiple_of(2) => {
                self.style.say("play_turn_first")
            }
            Moves::Same => self.style.say("play_turn_second"),
        }
    }

    fn list(&self, out: &mut String, moves: &[Choice]) {
        let own = uses_board_numbers(self.playing.now(), moves);
        out.push('\n');
        for (index, choice) in moves.iter().enumerate() {
            let number = if own {
                let at: Vec<String> = choice.mv.at.iter().map(u64::to_string).collect();
                at.join(" ")
            } else {
                (index + 1).to_string()
            };
            let action = self.playing.describe(choice, self.style.language);
            let _ = writeln!(out, "  {number:>2}. {action}");
        }
    }

    /// Returns a message that shows how a move is written. The message is printed instead of the
    /// list of moves if that list is too long.
    fn move_syntax(&self, moves: &[Choice]) -> String {
        let example = self.playing.describe(&moves[0], self.style.language);
        let at = path_text(self.playing.now(), &moves[0]);
        let step = Step::new("play_form")
            .with("example", example)
            .with("numbers", at);
        self.style.words(&step)
    }

    /// Executes the command or makes the move on a line. Returns whether the board must be shown
    /// again.
    fn execute(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut String,
    ) -> Result<bool, Diagnostic> {
        // Commands take precedence over moves in words.
        if line.is_empty() {
            return Ok(false);
        }
        match command(line) {
            None => return self.make_written_move(line, moves, out),
            Some('?') => {
                out.push_str(&self.style.rules(self.playing.start(), self.playing.play()));
                out.push_str(&self.style.say("play_help"));
            }
            Some('q') => self.state = State::Over,
            Some('m') => self.list(out, moves),
            Some('p') => out.push_str(&self.board()),
            Some('s') => {
                if let Seats::One(parity) = &mut self.seats {
                    *parity = 1 - *parity;
                }
                return Ok(true);
            }
            Some('u') => {
                self.undo_to_human_move();
                return Ok(true);
            }
            Some('r') => {
                // The reply of the program is redone together with the person's move.
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
                // Each hint reveals more: whether there is a win, then the move, then the reason.
                self.hints += 1;
                match self.hints {
                    1 => {
                        let standing = self.playing.standing()?;
                        let outcome_hint = self.playing.outcome_hint(standing);
                        let _ = writeln!(out, "  {}", self.style.words(&outcome_hint));
                        if let Some(heat) = self.playing.temperature_hint()? {
                            let _ = writeln!(out, "  {}", self.style.words(&heat));
                        }
                    }
                    2 => self.best(out)?,
                    _ => self.why(out)?,
                }
            }
        }
        Ok(false)
    }

    /// Undoes moves until a person is to move.
    fn undo_to_human_move(&mut self) {
        let before = self.playing.turn();
        while self.playing.undo() {
            if self.human_to_move() {
                self.hints = 0;
                return;
            }
        }
        // The person has not moved yet, so the undone moves are made again.
        while self.playing.turn() < before && self.playing.redo() {}
    }

    /// Makes the move that is written on a line: by its number in `moves`, by its path or in words.
    /// Returns whether a move was made.
    fn make_written_move(
        &mut self,
        line: &str,
        moves: &[Choice],
        out: &mut String,
    ) -> Result<bool, Diagnostic> {
        // Numbers refer to the list, unless the list itself shows the paths of the moves.
        let listed = line.parse().ok().filter(|number| {
            (1..=moves.len()).contains(number) && !uses_board_numbers(self.playing.now(), moves)
        });
        let choice = match listed {
            Some(number) => Ok(moves[number - 1].clone()),
            None => self.playing.read(line, self.style.language),
        };
        match choice {
            Ok(choice) => {
                self.make_move(choice);
                Ok(true)
            }
            Err(error) => {
                let _ = writeln!(out, "  {}", self.style.words(&error.step()?));
                Ok(false)
            }
        }
    }

    fn best(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let best = self.playing.best()?;
        let action = self.playing.describe(&best, self.style.language);
        let _ = writeln!(out, "  {action}");
        Ok(())
    }

    fn why(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let steps = self.playing.why()?;
        out.push_str(&plain::numbered(&steps, self.style.language));
        Ok(())
    }

    /// Writes the moves made so far, and who made each of them.
    fn history(&self, out: &mut String) {
        if self.playing.turn() == 0 {
            let _ = writeln!(out, "  {}", self.style.say("play_nothing_yet"));
        }
        for (turn, (position, choice)) in self.playing.history().enumerate() {
            let code = match self.seats {
                Seats::One(parity) if parity == turn % 2 => "play_by_you",
                Seats::One(_) => "play_by_program",
                Seats::Both if turn % 2 == 0 => "play_turn_first",
                Seats::Both => "play_turn_second",
            };
            let action = describe_move(position, choice, self.style.language);
            let _ = writeln!(out, "  {:>2}. {}", turn + 1, self.labelled(code, action));
        }
    }

    /// Returns the command that resumes the game at this point.
    fn saved(&self) -> String {
        let mut command = Command::command_line("play").word(self.playing.start().to_string());
        if self.playing.turn() > 0 {
            command = command.with(Setting::command_line("moves").set_to(self.playing.saved()));
        }
        match self.seats {
            Seats::Both => command = command.with(Setting::command_line("two_players")),
            Seats::One(1) => command = command.with(Setting::command_line("second")),
            Seats::One(_) => {}
        }
        if self.playing.play() == Play::Misere {
            command = command.with(Setting::new("play").set_to("misere"));
        }
        if let Some(level) = self.level {
            command = command.with(Setting::command_line("level").set_to(level.to_string()));
        }
        if let Some(rules) = &self.rules {
            command = command.with(Setting::command_line("rules").set_to(rules.clone()));
        }
        command.command_line_form()
    }

    /// Writes who won, and which move was the first mistake.
    fn end(&mut self, out: &mut String) -> Result<(), Diagnostic> {
        let turn = self.playing.turn();
        // `at_the_end` is the result for the player to move, who has no move or whose game is over.
        let code = match (self.playing.at_the_end()?, self.seats) {
            (PayoffResult::Tie, _) if self.ends_in_ties() => "play_tie",
            (PayoffResult::Tie, _) => "play_draw",
            (standing, Seats::One(parity)) => {
                if (standing == PayoffResult::Win) == (turn % 2 == parity) {
                    "play_you_win"
                } else {
                    "play_program_wins"
                }
            }
            (standing, Seats::Both) => {
                if (standing == PayoffResult::Win) == turn.is_multiple_of(2) {
                    "play_first_wins"
                } else {
                    "play_second_wins"
                }
            }
        };
        // In a game with payoffs the game may be over although moves remain.
        let over = if self.ends_in_ties() {
            "play_over"
        } else {
            "play_no_move"
        };
        let over = Step::new(over).with("result", self.style.say(code));
        let _ = writeln!(out, "{}", self.style.words(&over));
        // The winner is known without a search. The outcomes of earlier positions are left out if
        // computing them exceeds the limits.
        let Ok(verdicts) = self.playing.verdicts() else {
            return Ok(());
        };
        let letters = verdicts
            .iter()
            .map(|(verdict, _)| plain::letters(*verdict, self.style.language));
        let letters = letters.collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "{}", self.labelled("play_outcomes", letters));
        // The first move that lost a win. If there is none, the first that lost a draw or a tie.
        let mistakes = self.playing.mistakes(&verdicts);
        let human = |mistake: &&Mistake<'_>| match self.seats {
            Seats::Both => true,
            Seats::One(parity) => mistake.turn % 2 == parity,
        };
        let mistakes = mistakes.iter().filter(human);
        if let Some(first) = mistakes.min_by_key(|mistake| (Reverse(mistake.from), mistake.turn)) {
            let (position, choice) = first.move_made;
            let code = match first.from {
                PayoffResult::Win => "play_first_mistake",
                PayoffResult::Tie | PayoffResult::Lose => "play_first_mistake_tie",
            };
            let step = Step::new(code)
                .with("number", first.turn + 1)
                .with("move", describe_move(position, choice, self.style.language));
            let _ = writeln!(out, "{}", self.style.words(&step));
        }
        Ok(())
    }
}
