//! The terms of a position with their moves, in the form that drawing needs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use grundy_core::ruleset::Moves;
use grundy_core::solve::WinningMove;
use grundy_core::step::Step;
use grundy_core::{Halt, Player, Position, Solution};
use grundy_draw::{DrawnComponent, DrawnMove, TerminalStyle};
use grundy_wording::{Language, phrase, words};

/// Maximal number of moves in the picture of a term. It is multiplied by the number of players who
/// may begin.
const MAX_MOVES: usize = 2000;
/// Maximal number of moves that are marked as winning for one `WinningMove`, which may represent
/// an arithmetic progression of moves.
const MAX_REPEATS: u64 = 100;

/// Draws a position for a terminal: its notation, and a picture made of characters.
///
/// In a sum, the picture of each term has a heading with the index of the term, counted from 0, and
/// its notation. Each edge is labelled with the number that refers to the edge in a move.
///
/// ```
/// use grundy_draw::TerminalStyle;
/// use grundy_notation::read_position;
/// use grundy_play::board::board;
/// use grundy_wording::Language;
/// let position = read_position("domineering(['...', '.#.'])")?;
/// let style = TerminalStyle { ascii: true, ..TerminalStyle::default() };
/// let rows = "    0   1   2\n0 | . | . | . |\n1 | . | # | . |\n";
/// assert!(board(&position, style, Language::En).ends_with(rows));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn board(position: &Position, look: TerminalStyle<'_>, language: Language) -> String {
    let look = TerminalStyle {
        labels: true,
        title: position.terms().len() == 1,
        ..look
    };
    let terms = DrawnComponent::terms(position);
    grundy_draw::terminal(&terms, &look, &|step| words(step, language))
}

/// Returns the terms of a position with their moves. If a solution is given, winning moves are
/// marked.
///
/// ```
/// use grundy_core::{Limits, Play, Solver};
/// use grundy_notation::read_position;
/// use grundy_play::board::shown;
/// use grundy_wording::Language;
/// let position = read_position("nim(3, 4, 5)")?;
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// let terms = shown(&position, Some(&solution), Language::En);
/// let winning: Vec<_> = terms[0].moves.iter().filter(|mv| mv.wins).collect();
/// assert_eq!((winning.len(), &winning[0].words[..]), (1, "take 2 from heap 1"));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn shown(
    position: &Position,
    solution: Option<&Solution>,
    language: Language,
) -> Vec<DrawnComponent> {
    let nature = position.nature();
    // A partizan game lists the moves of both players, so that the picture can show either.
    let mut terms = DrawnComponent::terms(position);
    for &player in nature.beginners() {
        let beginning = solution.map(|solution| solution.beginning(player));
        let winning: BTreeSet<(usize, Vec<u64>)> = beginning
            .iter()
            .flat_map(|beginning| &beginning.moves)
            .flat_map(paths)
            .collect();
        for (component, term) in position.terms().iter().enumerate() {
            let shown = &mut terms[component];
            let _ = term.moves(player, &mut |name, _| {
                // The list of a term contains the moves of all players, so the limit is multiplied
                // by the number of players.
                if shown.moves.len() >= MAX_MOVES * nature.beginners().len() {
                    shown.more = true;
                    return ControlFlow::Break(Halt::Enough);
                }
                // A move is identified by its path. Comparing the positions after the moves would
                // create all of them.
                let mv = name();
                let wins = winning.contains(&(component, mv.at.clone()));
                let words = words(&mv.action, language);
                shown.moves.push(DrawnMove {
                    words: match nature.moves {
                        Moves::Same => words,
                        Moves::Partizan => with_player(position, player, words, language),
                    },
                    at: mv.at,
                    player: (nature.moves == Moves::Partizan).then_some(player),
                    leaves: (wins && nature.is_impartial()).then(|| "P".to_owned()),
                    wins,
                });
                ControlFlow::Continue(())
            });
        }
    }
    terms
}

/// Adds the player who makes a move to `words`, the description of the move. Descriptions name the
/// player only in partizan games.
fn with_player(position: &Position, player: Player, words: String, language: Language) -> String {
    let name = match position.players()[player as usize] {
        "Left" => phrase("picture_left", language),
        "Right" => phrase("picture_right", language),
        name => name.to_owned(),
    };
    let step = Step::new("picture_move_of").with("player", name);
    grundy_wording::words(&step.with("move", words), language)
}

/// Returns the component and the path of each move that a winning move represents. A path is a list
/// of numbers that identifies a move of a component. At most `MAX_REPEATS` moves are returned.
fn paths(winning: &WinningMove) -> Vec<(usize, Vec<u64>)> {
    let repeats = winning.repeats.map_or(1, |repeats| repeats.count);
    let step = winning.repeats.map_or(0, |repeats| repeats.step);
    let at = &winning.mv.at;
    (0..repeats.min(MAX_REPEATS))
        .map(|turn| {
            let mut at = at.clone();
            // A repeated move splits a heap: the first part grows by `step` as the second shrinks.
            // The path of the move is the heap and the two parts.
            if let [_, first, second] = &mut at[..] {
                *first += turn * step;
                *second -= turn * step;
            }
            (winning.component, at)
        })
        .collect()
}
