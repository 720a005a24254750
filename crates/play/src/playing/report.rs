//! Answers to requests about a game in progress, as data: the board, the effect of each move, the
//! program's move, hints, and a review.
//!
//! Every request contains the whole game, so the program keeps no state between two requests.
//! Every request contains the whole game, so no state is kept between two requests.

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

/// Maximal number of moves in a list.
const LISTED: usize = 2_000;

/// Maximal total size, in bytes, of the positions after moves. The moves that follow in the list
/// are included without their positions.
const BYTES: usize = 2 << 20;

/// The response to a request about a game in progress.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlayReport {
    /// The board and the legal moves.
    Board(Board),
    /// The effect of each move.
    Analysed(Analysed),
    /// The program's move.
    Replied(Replied),
    /// A hint.
    Hinted(Hinted),
    /// The review of a game.
    Reviewed(Reviewed),
}

/// A legal move, or a move that was made.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedMove {
    component: usize,
    at: Vec<u64>,
    /// The path of the move, in the form that [`Playing::read`] parses.
    write: String,
    #[serde(rename = "move")]
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// A move that was made, and the player who made it.
#[derive(Clone, Debug, Serialize)]
struct Made {
    #[serde(flatten)]
    told: PlayedMove,
    by: &'static str,
}

/// The board and the legal moves.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    game: String,
    play: Printed<Play>,
    /// The present position.
    pub position: String,
    turn: usize,
    /// The moves made, in the form that [`Playing::replay`] reads.
    pub saved: String,
    players: [&'static str; 2],
    own_moves: bool,
    mover: &'static str,
    over: bool,
    standing: Option<&'static str>,
    terms: Vec<String>,
    svg: String,
    /// The legal moves.
    pub moves: Vec<PlayedMove>,
    complete: bool,
    made: Vec<Made>,
    /// The present position. The board for a terminal is drawn from it on request.
    #[serde(skip)]
    now: Position,
}

/// The position after a move, as its player to move sees it.
#[derive(Clone, Debug, Serialize)]
struct Leaves {
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<ValueView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// A move with its effect.
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

/// The solution of a position, with the effect of each of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct Analysed {
    position: String,
    mover: &'static str,
    standing: &'static str,
    solution: SolutionView,
    /// The outcome in a sentence.
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

/// A hint. Later stages add the move and the reason.
#[derive(Clone, Debug, Serialize)]
pub struct Hinted {
    standing: &'static str,
    text: String,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    told: Option<PlayedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

/// The outcome of a position of the game, for its player to move.
#[derive(Clone, Debug, Serialize)]
struct Moment {
    outcome: String,
    standing: &'static str,
}

/// A move that made the mover's best possible result worse.
#[derive(Clone, Debug, Serialize)]
struct MistakeView {
    turn: usize,
    #[serde(rename = "move")]
    action: String,
    by: &'static str,
    from: &'static str,
    to: &'static str,
}

/// The review of a game.
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
        // The text of a position may have any length. The budget `room` bounds the response, and
        // only the last position may exceed it.
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

/// Returns the names of the two players in reports.
pub(crate) fn sides(position: &Position) -> [&'static str; 2] {
    match position.nature().moves {
        Moves::Same => ["first", "second"],
        Moves::Own => ["left", "right"],
    }
}

/// Returns the name of the player to move after `turn` moves.
fn side(playing: &Playing<'_>, turn: usize) -> &'static str {
    playing.mover_at(turn).of(sides(playing.start()))
}

/// Returns the name in reports of the best result that a player can force.
fn standing(position: &Position, worth: Worth) -> &'static str {
    match worth {
        Worth::Win => "win",
        Worth::Lose => "lose",
        Worth::Tie if position.nature().ends == Ends::Payoff => "tie",
        Worth::Tie => "draw",
    }
}

/// Returns the report on the board and the legal moves.
///
/// # Errors
/// An error in the rules of the game.
pub fn board(playing: &Playing<'_>, dark: bool, language: Language) -> Result<Board, Diagnostic> {
    let (position, turn) = (playing.now(), playing.turn());
    let (moves, complete) = playing.first_moves(LISTED)?;
    let over = moves.is_empty();
    // A game without moves has ended. Only then is the result known without a search.
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

/// Solves the present position and evaluates each of its moves. Errors refer to the text `source`.
///
/// # Errors
/// A limit that was exceeded before a solution was found, or an error in the rules of the game.
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
        // A move that cannot be evaluated within the limits is still listed, so that it can be
        // played.
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
        // If the position has a Grundy value, the values of its options are cheap to compute.
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

/// Makes the move of the program and returns it.
///
/// # Errors
/// A limit that was exceeded, or an error in the rules of the game.
pub fn reply(playing: &mut Playing<'_>, language: Language) -> Result<Replied, Diagnostic> {
    let choice = playing.reply()?;
    let told = PlayedMove::new(playing.now(), &choice, language, &mut { BYTES });
    playing.make(choice);
    Ok(Replied {
        told,
        saved: playing.saved(),
    })
}

/// Returns a hint.
///
/// Stage 1 tells whether there is a winning move, stage 2 also names the best move, and stage 3
/// also gives the reason.
///
/// # Errors
/// A limit that was exceeded, or an error in the rules of the game.
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

/// Returns the review of a game: the outcome of each position, and the mistakes.
///
/// # Errors
/// A limit that was exceeded, or an error in the rules of the game.
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
