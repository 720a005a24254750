//! Answers to requests about a game in progress, as data: the board, the effect of each move, the
//! program's move, hints, and a review.
//!
//! Every request contains the whole game, so the program keeps no state between two requests.

use grundy_core::ruleset::{Ends, Moves};
use grundy_core::solve::{Choice, Detail, GameValue};
use grundy_core::{Diagnostic, PayoffResult, Play, Position, Stop};
use grundy_draw::{PictureStyle, TerminalStyle};
use grundy_wording::answer::{DisplayText, SolutionView, StepView, ValueView};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::solved::Solved;
use grundy_wording::{Audience, Language, phrase, plain, words};
use serde::Serialize;

use super::{Playing, describe_move, path_text};
use crate::board::shown;
use grundy_job::reader::with_source;

/// Maximal number of moves in a list.
const MAX_LISTED: usize = 2_000;

/// Limit, in bytes, on the total length of the positions to which the listed moves lead, written as
/// text. Once it is reached, further moves are listed without these positions.
const MAX_BYTES: usize = 2 << 20;

/// The response to a request about a game in progress.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlayReport {
    /// The board and the legal moves.
    Board(Board),
    /// The effect of each move.
    Analysis(Analysis),
    /// The program's move.
    Reply(Reply),
    /// A hint.
    Hint(Hint),
    /// The review of a game.
    Review(Review),
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
struct MadeMove {
    #[serde(flatten)]
    played_move: PlayedMove,
    by: &'static str,
}

/// The board and the legal moves.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    game: String,
    play: DisplayText<Play>,
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
    made: Vec<MadeMove>,
    /// The present position. The board for a terminal is drawn from it on request.
    #[serde(skip)]
    now: Position,
}

/// The evaluation of the position to which a move leads.
#[derive(Clone, Debug, Serialize)]
struct AfterMove {
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<ValueView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// A move with its effect.
#[derive(Clone, Debug, Serialize)]
struct MoveAnalysis {
    #[serde(flatten)]
    played_move: PlayedMove,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<AfterMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_mover: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
}

/// The solution of a position, with the effect of each of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    position: String,
    mover: &'static str,
    standing: &'static str,
    solution: SolutionView,
    /// The outcome in a sentence.
    text: String,
    method_text: String,
    moves: Vec<MoveAnalysis>,
    complete: bool,
    #[serde(skip)]
    partial: bool,
}

/// The program's move.
#[derive(Clone, Debug, Serialize)]
pub struct Reply {
    #[serde(rename = "move")]
    played_move: PlayedMove,
    saved: String,
}

/// A hint. Later stages add the move and the reason.
#[derive(Clone, Debug, Serialize)]
pub struct Hint {
    standing: &'static str,
    text: String,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played_move: Option<PlayedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

/// The outcome of a position of the game, and the best result that the player to move can force in
/// it.
#[derive(Clone, Debug, Serialize)]
struct PositionOutcome {
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
pub struct Review {
    strip: Vec<PositionOutcome>,
    mistakes: Vec<MistakeView>,
}

macro_rules! report_from {
    ($($kind:ident($of:ty)),*) => {$(
        impl From<$of> for PlayReport {
            fn from(of: $of) -> Self {
                Self::$kind(of)
            }
        }
    )*};
}
report_from!(
    Board(Board),
    Analysis(Analysis),
    Reply(Reply),
    Hint(Hint),
    Review(Review)
);

impl Report for PlayReport {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let line = |text: &str| format!("{text}\n");
        match self {
            Self::Board(board) => {
                crate::board::board(&board.now, TerminalStyle::default(), language)
            }
            Self::Analysis(analysis) => line(&analysis.text),
            Self::Reply(reply) => line(&reply.played_move.action),
            Self::Hint(hint) => line(&hint.text),
            Self::Review(review) => {
                let outcomes = review.strip.iter().map(|moment| &moment.outcome[..]);
                line(&outcomes.collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self, Self::Analysis(analysis) if analysis.partial)
    }
}

impl PlayedMove {
    fn new(position: &Position, choice: &Choice, language: Language, budget: &mut usize) -> Self {
        // The text of a position may have any length. `budget` bounds the length of the response,
        // and only the last position may exceed it.
        let to = (*budget > 0).then(|| choice.to.to_string());
        *budget = budget.saturating_sub(to.as_ref().map_or(0, String::len));
        Self {
            component: choice.component,
            at: choice.mv.at.clone(),
            write: path_text(position, choice),
            action: describe_move(position, choice, language),
            to,
        }
    }
}

/// Returns the names of the two players in reports.
pub(crate) fn player_names(position: &Position) -> [&'static str; 2] {
    match position.nature().moves {
        Moves::Same => ["first", "second"],
        Moves::Partizan => ["left", "right"],
    }
}

/// Returns the name of the player to move after `turn` moves.
fn player_name(playing: &Playing<'_>, turn: usize) -> &'static str {
    playing.mover_at(turn).of(player_names(playing.start()))
}

/// Returns the name that reports use for the best result that a player can force.
fn standing(position: &Position, worth: PayoffResult) -> &'static str {
    match worth {
        PayoffResult::Win => "win",
        PayoffResult::Lose => "lose",
        PayoffResult::Tie if position.nature().ends == Ends::Payoff => "tie",
        PayoffResult::Tie => "draw",
    }
}

/// Returns the report on the board and the legal moves.
///
/// # Errors
/// An error in the rules of the game.
///
/// # Examples
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_notation::read_position;
/// use grundy_play::{Opponent, Playing, playing::report};
/// use grundy_wording::Language;
/// let opponent = Opponent::new(Play::Normal, Limits::default());
/// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
/// playing.replay("take 2 from heap 1", Language::En)?;
/// let board = report::board(&playing, false, Language::En)?;
/// assert_eq!((&board.position[..], &board.saved[..]), ("nim(1, 4, 5)", "0 1"));
/// assert_eq!(board.moves.len(), 10);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn board(playing: &Playing<'_>, dark: bool, language: Language) -> Result<Board, Diagnostic> {
    let (position, turn) = (playing.now(), playing.turn());
    let (moves, complete) = playing.first_moves(MAX_LISTED)?;
    let over = moves.is_empty();
    // A game without moves has ended. Only then is the result known without a search.
    let ended = over.then(|| playing.at_the_end()).transpose()?;
    let mut budget = MAX_BYTES;
    let made = playing
        .history()
        .enumerate()
        .map(|(turn, (before, choice))| MadeMove {
            played_move: PlayedMove::new(before, choice, language, &mut budget),
            by: player_name(playing, turn),
        });
    let made = made.collect();
    let mut budget = MAX_BYTES;
    let listed = moves
        .iter()
        .map(|choice| PlayedMove::new(position, choice, language, &mut budget));
    let look = PictureStyle {
        dark,
        labels: true,
        ..PictureStyle::default()
    };
    let terms = shown(position, None, language);
    let svg = grundy_draw::svg(&terms, &look, &|step| words(step, language));
    Ok(Board {
        game: playing.start().to_string(),
        play: DisplayText(playing.play()),
        position: position.to_string(),
        turn,
        saved: playing.saved(),
        players: position.players(),
        own_moves: position.nature().moves == Moves::Partizan,
        mover: player_name(playing, turn),
        over,
        standing: ended.map(|worth| standing(position, worth)),
        terms: position.terms().iter().map(|term| term.text()).collect(),
        svg,
        moves: listed.collect(),
        complete,
        made,
        now: position.clone(),
    })
}

/// Solves the present position and evaluates each of its moves. Errors refer to the text `source`.
///
/// # Errors
/// A limit that was exceeded before a solution was found, or an error in the rules of the game.
///
/// # Examples
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_notation::read_position;
/// use grundy_play::playing::report::{PlayReport, analyse};
/// use grundy_play::{Opponent, Playing};
/// use grundy_wording::{Audience, Language, report::Report};
/// let opponent = Opponent::new(Play::Normal, Limits::default());
/// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
/// let report = PlayReport::from(analyse(&mut playing, "nim(3, 4, 5)", Language::En)?);
/// assert!(report.plain(Audience::default()).ends_with("winning moves: take 2 from heap 1\n\n"));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn analyse(
    playing: &mut Playing<'_>,
    source: &str,
    language: Language,
) -> Result<Analysis, Diagnostic> {
    let (position, turn) = (playing.now().clone(), playing.turn());
    let stopped = |stop: Stop| with_source(stop.into(), source);
    let solution = playing.opponent().solution(&position, Detail::Moves);
    let solved = Solved {
        solution: solution.map_err(stopped)?,
        position,
        play: playing.play(),
        genus: None,
    };
    let (position, solution) = (&solved.position, &solved.solution);
    let player = playing.mover();
    let worth = PayoffResult::from(solution.beginning(player).outcome);
    let (choices, mut complete) = playing.first_moves(MAX_LISTED).map_err(stopped)?;
    let mut budget = MAX_BYTES;
    let mut moves = Vec::new();
    let mut partial = false;
    for choice in &choices {
        let played_move = PlayedMove::new(position, choice, language, &mut budget);
        // A move that cannot be evaluated within the limits is still listed, so that it can be
        // played.
        let Ok(left) = playing.opponent().solution(&choice.to, Detail::Outcome) else {
            (partial, complete) = (true, false);
            moves.push(MoveAnalysis {
                played_move,
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
        moves.push(MoveAnalysis {
            played_move,
            for_mover: Some(standing(
                position,
                PayoffResult::from(after.outcome).reversed(),
            )),
            leaves: Some(AfterMove {
                outcome: left.verdict().to_string(),
                grundy,
                value,
            }),
            remoteness,
        });
    }
    Ok(Analysis {
        position: position.to_string(),
        mover: player_name(playing, turn),
        standing: standing(position, worth),
        text: plain::short_answer(position, solution, language),
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
///
/// # Examples
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_notation::read_position;
/// use grundy_play::playing::report::{PlayReport, reply};
/// use grundy_play::{Opponent, Playing};
/// use grundy_wording::{Audience, Language, report::Report};
/// let opponent = Opponent::new(Play::Normal, Limits::default());
/// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
/// let report = PlayReport::from(reply(&mut playing, Language::En)?);
/// assert_eq!(report.plain(Audience::default()), "take 2 from heap 1\n");
/// assert_eq!(playing.now().to_string(), "nim(1, 4, 5)");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn reply(playing: &mut Playing<'_>, language: Language) -> Result<Reply, Diagnostic> {
    let choice = playing.reply()?;
    let played_move = PlayedMove::new(playing.now(), &choice, language, &mut { MAX_BYTES });
    playing.make(choice);
    Ok(Reply {
        played_move,
        saved: playing.saved(),
    })
}

/// Returns a hint.
///
/// Stage 1 states whether there is a winning move. Stage 2 adds the best move, and stage 3 adds the
/// reason.
///
/// # Errors
/// A limit that was exceeded, or an error in the rules of the game.
///
/// # Examples
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_notation::read_position;
/// use grundy_play::playing::report::{PlayReport, hint};
/// use grundy_play::{Opponent, Playing};
/// use grundy_wording::{Audience, Language, report::Report};
/// let opponent = Opponent::new(Play::Normal, Limits::default());
/// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
/// let report = PlayReport::from(hint(&mut playing, 1, Language::En)?);
/// assert_eq!(report.plain(Audience::default()), "You can win from here.\n");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn hint(playing: &mut Playing<'_>, stage: u8, language: Language) -> Result<Hint, Diagnostic> {
    let worth = playing.standing()?;
    let outcome_hint =
        std::iter::once(playing.outcome_hint(worth)).chain(playing.temperature_hint()?);
    let outcome_hint: Vec<String> = outcome_hint.map(|step| words(&step, language)).collect();
    let text = outcome_hint.join(&phrase("play_hint_joint", language));
    let played_move = if stage > 1 {
        let best = playing.best()?;
        let budget = &mut { MAX_BYTES };
        Some(PlayedMove::new(playing.now(), &best, language, budget))
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
    Ok(Hint {
        standing: standing(playing.now(), worth),
        text,
        played_move,
        steps,
    })
}

/// Returns the review of a game: the outcome of each position, and the mistakes.
///
/// # Errors
/// A limit that was exceeded, or an error in the rules of the game.
///
/// # Examples
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_notation::read_position;
/// use grundy_play::playing::report::{PlayReport, review};
/// use grundy_play::{Opponent, Playing};
/// use grundy_wording::{Audience, Language, report::Report};
/// let opponent = Opponent::new(Play::Normal, Limits::default());
/// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
/// playing.replay("0 1; 1 0; 2 1", Language::En)?;
/// let report = PlayReport::from(review(&mut playing, Language::En)?);
/// assert_eq!(report.plain(Audience::default()), "N P N P\n");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn review(playing: &mut Playing<'_>, language: Language) -> Result<Review, Diagnostic> {
    let verdicts = playing.verdicts()?;
    let strip = verdicts.iter().map(|(verdict, worth)| PositionOutcome {
        outcome: verdict.to_string(),
        standing: standing(playing.start(), *worth),
    });
    let mistakes = playing.mistakes(&verdicts);
    let views = mistakes.iter().map(|mistake| {
        let (before, choice) = mistake.move_made;
        MistakeView {
            turn: mistake.turn + 1,
            action: describe_move(before, choice, language),
            by: player_name(playing, mistake.turn),
            from: standing(before, mistake.from),
            to: standing(before, mistake.to),
        }
    });
    Ok(Review {
        strip: strip.collect(),
        mistakes: views.collect(),
    })
}
