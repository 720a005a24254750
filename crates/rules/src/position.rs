//! Conversion between values of the language and positions of the library.

use std::sync::Arc;

use grundy::dynamic::{DynamicMove, DynamicPosition, MoveResult};
use grundy::ruleset::literal::{Game, games};
use grundy::{Worth, message};

use crate::machine::Machine;
use crate::trouble::{Trouble, range_error, type_error};
use crate::value::{Handle, Value};

/// The largest depth of a nested position.
const NESTED: usize = 50;

impl Machine {
    /// Returns the value that represents a position.
    pub(crate) fn value_of(&mut self, place: &DynamicPosition) -> Result<Value, Trouble> {
        match place {
            DynamicPosition::Int(n) => Ok(Value::Int(*n)),
            DynamicPosition::Text(text) => self.arena.text(text),
            DynamicPosition::Tuple(parts) | DynamicPosition::List(parts) => {
                let mut items = self.arena.vector();
                for part in parts.iter() {
                    items.push(self.value_of(part)?);
                }
                if let DynamicPosition::List(_) = place {
                    return self.arena.list(items);
                }
                let tuple = self.arena.tuple(&items);
                self.arena.put_back(items);
                tuple
            }
            DynamicPosition::Game(game) => Err(type_error(message!(
                "{game} is a finished value, which the rules cannot be applied to",
                game
            ))),
            DynamicPosition::Foreign(value) => Err(type_error(message!(
                "{value} is a foreign object, which a rule file cannot inspect",
                value
            ))),
        }
    }

    /// Returns the position that a value represents.
    pub(crate) fn place_of(&mut self, value: Value) -> Result<DynamicPosition, Trouble> {
        match value {
            Value::Int(n) => Ok(DynamicPosition::Int(n)),
            other => self.nested_place(other, 0),
        }
    }

    /// Returns the position that a value represents. `depth` is the depth of the value inside a
    /// larger position.
    fn nested_place(&mut self, value: Value, depth: usize) -> Result<DynamicPosition, Trouble> {
        // Positions are later compared, hashed and formatted recursively, so their depth is limited
        // here.
        if depth > NESTED {
            return Err(range_error(message!(
                "a position is nested more than {nested} deep",
                nested = NESTED
            )));
        }
        self.charge(1)?;
        // The parts are collected in a list of the machine. The parts of nested tuples are
        // collected on top of it. Finally, the parts are moved to an allocation of the exact size.
        let parts =
            |machine: &mut Self, handle: Handle| -> Result<Arc<[DynamicPosition]>, Trouble> {
                let length = machine.arena.items(handle).len();
                machine
                    .arena
                    .charge(length * size_of::<DynamicPosition>())?;
                let first = machine.places.len();
                for index in 0..length {
                    let part = match machine.arena.items(handle)[index] {
                        Value::Int(n) => DynamicPosition::Int(n),
                        other => machine.nested_place(other, depth + 1)?,
                    };
                    machine.places.push(part);
                }
                machine.charge(length as u64)?;
                Ok(machine.places.drain(first..).collect())
            };
        Ok(match value {
            Value::Int(n) => DynamicPosition::Int(n),
            Value::Str(handle) => {
                let length = self.arena.str(handle).len();
                self.arena.charge(length)?;
                DynamicPosition::text(self.arena.str(handle))
            }
            Value::Tuple(handle) => DynamicPosition::tuple(parts(self, handle)?),
            Value::List(handle) => DynamicPosition::list(parts(self, handle)?),
            other => {
                let mut error = type_error(message!(
                    "a position cannot contain a value of type {kind}",
                    kind = other.kind()
                ));
                error.help = Some(match other {
                    Value::Bool(_) => message!(
                        "a position must be an integer, a string, or a tuple or list of these; write 0 or 1 for a Boolean"
                    ),
                    _ => {
                        message!(
                            "a position must be an integer, a string, or a tuple or list of these"
                        )
                    }
                });
                return Err(error);
            }
        })
    }

    /// Returns whether a value is a pair whose first item is a string.
    fn is_named_pair(&self, value: Value) -> bool {
        matches!(value, Value::Tuple(handle)
            if matches!(self.arena.items(handle), [Value::Str(_), _]))
    }

    /// Appends to `moves` the options that the rules returned for the position `asked`.
    ///
    /// A pair whose first item is a string is a move with a label. But if positions themselves are
    /// such pairs, it is a move with a label only if its second item is a position.
    pub(crate) fn moves_of(
        &mut self,
        returned: Value,
        asked: Value,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Trouble> {
        let (Value::List(handle) | Value::Tuple(handle)) = returned else {
            let mut error = type_error(message!(
                "expected a list of positions, found a value of type {kind}",
                kind = returned.kind()
            ));
            error.help = Some(message!(
                "return a list, such as [n - 1], or [] if there is no move"
            ));
            return Err(error);
        };
        let positions_are_pairs = self.is_named_pair(asked);
        for index in 0..self.arena.items(handle).len() {
            self.charge(1)?;
            let before = self.arena.held();
            let item = self.arena.items(handle)[index];
            let (mut label, mut left): (Option<Arc<str>>, _) = (None, item);
            if let Value::Tuple(pair) = item
                && let &[Value::Str(name), to] = self.arena.items(pair)
                && (!positions_are_pairs
                    || self.is_named_pair(to)
                    || matches!(to, Value::Sum(_) | Value::Literal(_)))
            {
                label = Some(self.arena.str(name).into());
                left = to;
            }
            let left = match left {
                Value::Sum(sum) => {
                    let mut places = Vec::new();
                    for index in 0..self.arena.items(sum).len() {
                        match self.arena.items(sum)[index] {
                            Value::Literal(text) => places.extend(self.finished(text)?),
                            part => places.push(self.place_of(part)?),
                        }
                    }
                    MoveResult::Sum(places)
                }
                Value::Literal(text) => MoveResult::Sum(self.finished(text)?),
                one => MoveResult::One(self.place_of(one)?),
            };
            self.arena.charge(size_of::<DynamicMove>())?;
            let name = label.as_ref().map_or(0, |label| label.len());
            // The size of this move is the number of bytes that were charged for it, plus the
            // length of its label.
            self.arena.check_move(self.arena.held() - before + name)?;
            moves.push(DynamicMove { label, left });
        }
        Ok(())
    }

    /// Parses a text as a sum of games, and returns the games.
    pub(crate) fn games_of(&mut self, text: Handle) -> Result<Vec<Game>, Trouble> {
        let length = self.arena.str(text).len();
        // The time and memory of the parser are proportional to the length of the text, so they are
        // charged before.
        self.charge(32 * length as u64)?;
        self.arena.charge(32 * length)?;
        let text = self.arena.str(text);
        games(text).map_err(|error| {
            let what = error.message;
            let mut refusal = range_error(message!("{text} is not a game: {what}", text, what));
            refusal.help = error.help;
            refusal
        })
    }

    /// Returns the positions that result from a move to a finished value.
    fn finished(&mut self, text: Handle) -> Result<Vec<DynamicPosition>, Trouble> {
        let games = self.games_of(text)?;
        Ok(games.into_iter().map(DynamicPosition::Game).collect())
    }

    /// Returns the result of the game that the function `value(p)` returned.
    pub(crate) fn verdict_of(&mut self, returned: Value) -> Result<Worth, Trouble> {
        let word = match returned {
            Value::Str(handle) => self.arena.str(handle),
            Value::Int(1) => "win",
            Value::Int(0) => "tie",
            Value::Int(-1) => "lose",
            _ => "",
        };
        match word {
            "win" => Ok(Worth::Win),
            "tie" => Ok(Worth::Tie),
            "lose" => Ok(Worth::Lose),
            _ => {
                let text = self.text_of(returned)?;
                let mut error = range_error(message!("{text} is not a valid value", text));
                error.help = Some(message!(
                    "value(p) must return \"win\", \"tie\" or \"lose\" (or 1, 0, -1) for the player to move"
                ));
                Err(error)
            }
        }
    }
}
