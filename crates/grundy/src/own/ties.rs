//! Rules of games with ties made of rules of one's own.
//!
//! Who cannot move has what the rules say: [`Rules::verdict`], seen by the player who would be to move.

use std::sync::Arc;

use super::{Choice, Left, Mover, Place, Rules, named};
use crate::limits::Stop;
use crate::ties::{self, AnyPosition, Game, Side, Standing, Value, VisitState};

/// The rules `game` of a game with ties.
#[derive(Clone, Debug)]
pub struct OwnTies(pub Arc<dyn Rules>);

impl OwnTies {
    /// The position `start` by these rules, the first player to move.
    #[must_use]
    pub fn at(self, start: Place) -> Arc<dyn AnyPosition> {
        Arc::new(Game {
            rules: Arc::new(self),
            state: (start, Side::First),
        })
    }
}

impl ties::Rules for OwnTies {
    type State = (Place, Side);

    fn players(&self) -> [&'static str; 2] {
        ["first", "second"]
    }

    fn write(&self, (place, _): &Self::State) -> String {
        format!("game({}, {place})", self.0.name())
    }

    fn caption(&self, (place, _): &Self::State) -> String {
        place.to_string()
    }

    fn to_move(&self, (_, side): &Self::State) -> Side {
        *side
    }

    /// A move that leaves a sum is [`Stop::Rules`]: ties have no theory of sums.
    fn options(
        &self,
        (place, side): &Self::State,
        visit: VisitState<'_, Self::State>,
    ) -> Result<Standing, Stop> {
        let mut choices = Vec::new();
        self.0
            .options(Mover::Either, place, &mut choices)
            .map_err(|_| Stop::Rules)?;
        if choices.is_empty() {
            let value = self.0.verdict(place).map_err(|_| Stop::Rules)?;
            return Ok(Standing::Over(match value {
                Value::Win => Some(*side),
                Value::Tie => None,
                Value::Lose => Some(side.other()),
            }));
        }
        for (number, choice) in choices.iter().enumerate() {
            let Choice {
                left: Left::One(to),
                ..
            } = choice
            else {
                return Err(Stop::Rules);
            };
            visit((to.clone(), side.other()), &|| named(0, number, choice));
        }
        Ok(Standing::Open)
    }

    /// The rules do not know whose turn it is.
    fn canonical(&self, (place, _): &Self::State) -> Self::State {
        (place.clone(), Side::First)
    }
}
