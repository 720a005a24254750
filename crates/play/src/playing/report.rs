//! A game being played, as data: its board, what its moves leave, the program's move, hints, and
//! how it went. Every question brings the whole game along, so that nothing is kept of it between
//! two.

use grundy::ruleset::{Ends, Moves};
use grundy::solve::{Choice, GameValue, Wanted};
use grundy::{Diagnostic, Play, Position, Stop, Worth};
use grundy_draw::{Look, TerminalLook};
use grundy_wording::answer::{Printed, SolutionView, StepView, ValueView};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::solved::Solved;
use grundy_wording::{Audience, Language, phrase, plain, words};
use serde::Serialize;

use super::{Playing, described, in_numbers};
use crate::board::shown;
use grundy_job::reader::about;

/// Moves that are listed.
const LISTED: usize = 2_000;

/// Bytes of positions after moves; where they would be more, moves come without.
const BYTES: usize = 2 << 20;

/// What is told of a game being played.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlayReport {
    /// What stands on the board, and what may be done.
    Board(Board),
    /// What each move leaves.
    Analysed(Analysed),
    /// The program's move.
    Replied(Replied),
    /// A hint.
    Hinted(Hinted),
    /// How the game went.
    Reviewed(Reviewed),
}

/// A move.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedMove {
    component: usize,
    at: Vec<u64>,
    /// As a game being played takes it.
    write: String,
    #[serde(rename = "move")]
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
struct Made {
    #[serde(flatten)]
    told: PlayedMove,
    by: &'static str,
}

/// What stands on the board.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    game: String,
    play: Printed<Play>,
    /// The position now.
    pub position: String,
    turn: usize,
    /// The moves made, as they are read again.
    pub saved: String,
    players: [&'static str; 2],
    own_moves: bool,
    mover: &'static str,
    over: bool,
    standing: Option<&'static str>,
    terms: Vec<String>,
    svg: String,
    /// The moves there are.
    pub moves: Vec<PlayedMove>,
    complete: bool,
    made: Vec<Made>,
    /// What the terminal's board is drawn from, if it is asked for.
    #[serde(skip)]
    now: Position,
}

/// What a move leaves for the player then to move.
#[derive(Clone, Debug, Serialize)]
struct Leaves {
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<ValueView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// A move, and what becomes of it.
#[derive(Clone, Debug, Serialize)]
struct MoveJudged {
    #[serde(flatten)]
    told: PlayedMove,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<Leaves>,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_mover: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
}

/// A position solved, and each of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct Analysed {
    position: String,
    mover: &'static str,
    standing: &'static str,
    solution: SolutionView,
    /// In a sentence.
    text: String,
    method_text: String,
    moves: Vec<MoveJudged>,
    complete: bool,
    #[serde(skip)]
    partial: bool,
}

/// The program's move.
#[derive(Clone, Debug, Serialize)]
pub struct Replied {
    #[serde(rename = "move")]
    told: PlayedMove,
    saved: String,
}

/// A hint.
#[derive(Clone, Debug, Serialize)]
pub struct Hinted {
    standing: &'static str,
    text: String,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    told: Option<PlayedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

/// How it stood at one moment.
#[derive(Clone, Debug, Serialize)]
struct Moment {
    outcome: String,
    standing: &'static str,
}

/// A move that gave something away.
#[derive(Clone, Debug, Serialize)]
struct MistakeView {
    turn: usize,
    #[serde(rename = "move")]
    action: String,
    by: &'static str,
    from: &'static str,
    to: &'static str,
}

/// How a game went.
#[derive(Clone, Debug, Serialize)]
pub struct Reviewed {
    strip: Vec<Moment>,
    mistakes: Vec<MistakeView>,
}

macro_rules! told {
    ($($kind:ident($of:ty)),*) => {$(
        impl From<$of> for PlayReport {
            fn from(of: $of) -> Self {
                Self::$kind(of)
            }
        }
    )*};
}
told!(
    Board(Board),
    Analysed(Analysed),
    Replied(Replied),
    Hinted(Hinted),
    Reviewed(Reviewed)
);

impl Report for PlayReport {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let line = |text: &str| format!("{text}\n");
        match self {
            Self::Board(board) => {
                crate::board::board(&board.now, TerminalLook::default(), language)
            }
            Self::Analysed(analysed) => line(&analysed.text),
            Self::Replied(replied) => line(&replied.told.action),
            Self::Hinted(hinted) => line(&hinted.text),
            Self::Reviewed(reviewed) => {
                let outcomes = reviewed.strip.iter().map(|moment| &moment.outcome[..]);
                line(&outcomes.collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self, Self::Analysed(analysed) if analysed.partial)
    }
}

impl PlayedMove {
    fn new(position: &Position, choice: &Choice, language: Language, room: &mut usize) -> Self {
        let to = (*room > 0).then(|| choice.to.to_string());
        *room = room.saturating_sub(to.as_ref().map_or(0, String::len));
        Self {
            component: choice.component,
            at: choice.mv.at.clone(),
            write: in_numbers(position, choice),
            action: described(position, choice, language),
            to,
        }
    }
}

/// What programs call the players.
pub(crate) fn sides(position: &Position) -> [&'static str; 2] {
    match position.nature().moves {
        Moves::Same => ["first", "second"],
        Moves::Own => ["left", "right"],
    }
}

/// Returns the name of the player who moves after so many moves.
fn side(playing: &Playing<'_>, turn: usize) -> &'static str {
    playing.mover_at(turn).of(sides(playing.start()))
}

/// How a player stands, in one word.
fn standing(position: &Position, worth: Worth) -> &'static str {
    match worth {
        Worth::Win => "win",
        Worth::Lose => "lose",
        Worth::Tie if position.nature().ends == Ends::Payoff => "tie",
        Worth::Tie => "draw",
    }
}

/// Returns the board of a game.
///
/// # Errors
/// Rules that have no answer.
pub fn board(playing: &Playing<'_>, dark: bool, language: Language) -> Result<Board, Diagnostic> {
    let (position, turn) = (playing.now(), playing.turn());
    let (moves, complete) = playing.first_moves(LISTED)?;
    let over = moves.is_empty();
    let ended = over.then(|| playing.at_the_end()).transpose()?;
    let mut room = BYTES;
    let made = playing
        .history()
        .enumerate()
        .map(|(turn, (before, choice))| Made {
            told: PlayedMove::new(before, choice, language, &mut room),
            by: side(playing, turn),
        });
    let made = made.collect();
    let mut room = BYTES;
    let told = moves
        .iter()
        .map(|choice| PlayedMove::new(position, choice, language, &mut room));
    let look = Look {
        dark,
        labels: true,
        ..Look::default()
    };
    let pictured = shown(position, None, language);
    let svg = grundy_draw::svg(&pictured, &look, &|step| words(step, language));
    Ok(Board {
        game: playing.start().to_string(),
        play: Printed(playing.play()),
        position: position.to_string(),
        turn,
        saved: playing.saved(),
        players: position.players(),
        own_moves: position.nature().moves == Moves::Own,
        mover: side(playing, turn),
        over,
        standing: ended.map(|worth| standing(position, worth)),
        terms: position.terms().iter().map(|term| term.text()).collect(),
        svg,
        moves: told.collect(),
        complete,
        made,
        now: position.clone(),
    })
}

/// Solves the position of a game and judges each of its moves. Errors are about the text `source`.
///
/// # Errors
/// The limit that was reached before there is an answer, or rules that have none.
pub fn analyse(
    playing: &mut Playing<'_>,
    source: &str,
    language: Language,
) -> Result<Analysed, Diagnostic> {
    let (position, turn) = (playing.now().clone(), playing.turn());
    let stopped = |stop: Stop| about(stop.into(), source);
    let solution = playing.opponent().solution(&position, Wanted::Moves);
    let solved = Solved {
        solution: solution.map_err(stopped)?,
        position,
        play: playing.play(),
        genus: None,
    };
    let (position, solution) = (&solved.position, &solved.solution);
    let player = playing.mover();
    let worth = Worth::from(solution.beginning(player).outcome);
    let (choices, mut complete) = playing.first_moves(LISTED).map_err(stopped)?;
    let mut room = BYTES;
    let mut moves = Vec::new();
    let mut partial = false;
    for choice in &choices {
        let told = PlayedMove::new(position, choice, language, &mut room);
        let Ok(left) = playing.opponent().solution(&choice.to, Wanted::Outcome) else {
            (partial, complete) = (true, false);
            moves.push(MoveJudged {
                told,
                leaves: None,
                for_mover: None,
                remoteness: None,
            });
            continue;
        };
        let after = left.beginning(player.other());
        let remoteness = after.remoteness.flatten();
        // Where the position has a Grundy value, what its moves leave has one that is not far.
        let known = left.value.clone().or_else(|| {
            solution.grundy()?;
            let nimber = playing.opponent().grundy(&choice.to).ok()?;
            Some(GameValue::Nimber(nimber))
        });
        let (grundy, value) = ValueView::of(known.as_ref());
        moves.push(MoveJudged {
            told,
            for_mover: Some(standing(position, Worth::from(after.outcome).reversed())),
            leaves: Some(Leaves {
                outcome: left.verdict().to_string(),
                grundy,
                value,
            }),
            remoteness,
        });
    }
    Ok(Analysed {
        position: position.to_string(),
        mover: side(playing, turn),
        standing: standing(position, worth),
        text: plain::in_short(position, solution, language),
        method_text: plain::method(solution, language),
        solution: solved.view(),
        moves,
        complete,
        partial,
    })
}

/// Makes the move of the program.
///
/// # Errors
/// The limit that was reached, or rules that have no answer.
pub fn reply(playing: &mut Playing<'_>, language: Language) -> Result<Replied, Diagnostic> {
    let choice = playing.reply()?;
    let told = PlayedMove::new(playing.now(), &choice, language, &mut { BYTES });
    playing.make(choice);
    Ok(Replied {
        told,
        saved: playing.saved(),
    })
}

/// Returns a hint. Stage 1 says whether there is something to find, 2 names the move, 3 says why.
///
/// # Errors
/// The limit that was reached, or rules that have no answer.
pub fn hint(
    playing: &mut Playing<'_>,
    stage: u8,
    language: Language,
) -> Result<Hinted, Diagnostic> {
    let worth = playing.standing()?;
    let nudge = std::iter::once(playing.nudge(worth)).chain(playing.heat()?);
    let nudge: Vec<String> = nudge.map(|step| words(&step, language)).collect();
    let text = nudge.join(&phrase("play_hint_joint", language));
    let told = if stage > 1 {
        let best = playing.best()?;
        let room = &mut { BYTES };
        Some(PlayedMove::new(playing.now(), &best, language, room))
    } else {
        None
    };
    let steps = if stage > 2 {
        let steps = playing.why()?;
        let steps = steps.iter();
        Some(steps.map(|step| StepView::new(step, language)).collect())
    } else {
        None
    };
    Ok(Hinted {
        standing: standing(playing.now(), worth),
        text,
        told,
        steps,
    })
}

/// Returns how a game went.
///
/// # Errors
/// The limit that was reached, or rules that have no answer.
pub fn review(playing: &mut Playing<'_>, language: Language) -> Result<Reviewed, Diagnostic> {
    let verdicts = playing.verdicts()?;
    let strip = verdicts.iter().map(|(verdict, worth)| Moment {
        outcome: verdict.to_string(),
        standing: standing(playing.start(), *worth),
    });
    let mistakes = playing.mistakes(&verdicts);
    let told = mistakes.iter().map(|mistake| {
        let (before, choice) = mistake.made;
        MistakeView {
            turn: mistake.turn + 1,
            action: described(before, choice, language),
            by: side(playing, mistake.turn),
            from: standing(before, mistake.from),
            to: standing(before, mistake.to),
        }
    });
    Ok(Reviewed {
        strip: strip.collect(),
        mistakes: told.collect(),
    })
}
