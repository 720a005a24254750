//! The outcome class of a partizan position and the winning moves of both players.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::search::Search;
use super::{Class, Dyadic, LoopyClass, Player, Position, Retrograde};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::ruleset::Theorem;
use crate::step::Move;

/// A winning move of one of the players.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The term moved in.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub to: Position,
}

/// Who wins a partizan position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The outcome class, with draws where positions can come back.
    pub class: LoopyClass,
    /// The value in normal play, where theorems give it as a number.
    pub value: Option<Dyadic>,
    /// The theorem, when the value is one theorem's.
    pub theorem: Option<&'static Theorem>,
    /// The usual name of what gave the answer.
    pub method: &'static str,
    /// The moves with which Left wins when it is to move.
    pub left: Vec<WinningMove>,
    /// The moves with which Right wins when it is to move.
    pub right: Vec<WinningMove>,
    /// Whether both lists hold all winning moves: in very large positions not all moves are looked at.
    pub moves_complete: bool,
    /// The labels that gave the answer, where positions can come back.
    pub labels: Option<Arc<Retrograde>>,
}

/// Bytes of notation of positions after a move that are looked at for one list of winning moves.
const LOOKED_AT: usize = 1 << 26;

/// The outcome class, by numbers where theorems give them and else by search, and every winning move. Where the search comes
/// back to a position, all that can be reached is labelled backwards from the ends, and play that never ends is a draw.
///
/// ```
/// use grundy::partizan::{Class, Position, solve};
/// use grundy::ruleset::hackenbush::{Picture, coloured, edges};
/// use grundy::{Limits, Play};
/// let stalk = Picture::new(&edges("0-1:b 1-2:r").unwrap(), &[0]);
/// let position = Position { terms: vec![coloured(stalk)] };
/// let solution = solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.class, Class::L);
/// assert_eq!(solution.value.unwrap().to_string(), "1/2");
/// assert_eq!((solution.left.len(), solution.right.len()), (1, 0));
/// # Ok::<(), grundy::Stop>(())
/// ```
///
/// # Complexity
/// Exponential in the size of the components that are no numbers: every sum of components that can be reached is
/// looked at once for each player. Where positions come back, that of [`Retrograde::new`].
///
/// # Errors
/// The limit that was reached.
pub fn solve(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop> {
    match by_search(position, play, limits) {
        Err(Stop::Cyclic) => {
            let labels = Arc::new(Retrograde::new(position, play, limits)?);
            labels.solution(position, limits)?.ok_or(Stop::Cyclic)
        }
        other => other,
    }
}

/// As [`solve`], and [`Stop::Cyclic`] where the search comes back to a position.
fn by_search(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop> {
    let known: Option<Vec<_>> = (play == Play::Normal)
        .then(|| position.terms.iter().map(|term| term.number()).collect())
        .flatten();
    let value = known.as_ref().and_then(|known| {
        known
            .iter()
            .try_fold(Dyadic::ZERO, |sum, known| sum.plus(known.value))
    });
    let theorem = known
        .as_ref()
        .and_then(|known| known.first())
        .map(|known| known.theorem);
    let mut search = Search::new(play, limits);
    let start = search.sum(&position.terms);
    let left = search.wins(start.clone(), Player::Left)?;
    let right = search.wins(start, Player::Right)?;
    let mut solution = Solution {
        class: Class::from_wins(left, right).into(),
        value,
        theorem: theorem.filter(|_| value.is_some()),
        method: match (value, theorem) {
            (Some(_), Some(theorem)) => theorem.method,
            _ => "search",
        },
        left: Vec::new(),
        right: Vec::new(),
        moves_complete: true,
        labels: None,
    };
    for player in Player::BOTH {
        let wins = [left, right][player as usize];
        if wins {
            let (found, complete) = winning_moves(position, player, &mut search)?;
            solution.moves_complete &= complete;
            match player {
                Player::Left => solution.left = found,
                Player::Right => solution.right = found,
            }
        }
    }
    Ok(solution)
}

/// The winning moves of a player, and whether all moves were looked at.
fn winning_moves(
    position: &Position,
    player: Player,
    search: &mut Search<'_>,
) -> Result<(Vec<WinningMove>, bool), Stop> {
    let mut found = Vec::new();
    let mut stop = Ok(());
    let most = LOOKED_AT / position.to_string().len().max(1);
    let mut seen = 0;
    let _ = position.moves(player, &mut |component, name, to| {
        seen += 1;
        if seen > most {
            return ControlFlow::Break(());
        }
        let to = to();
        let sum = search.sum(&to.terms);
        match search
            .check()
            .and_then(|()| search.wins(sum, player.other()))
        {
            Ok(false) => found.push(WinningMove {
                component,
                mv: name(),
                to,
            }),
            Ok(true) => {}
            Err(error) => {
                stop = Err(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    stop.map(|()| (found, seen <= most))
}
