//! Values of the language to positions and back.

use std::sync::Arc;

use grundy::dynamic::{DynamicMove, DynamicPosition, MoveResult};
use grundy::ruleset::literal::{Game, games};
use grundy::{Worth, message};

use crate::machine::Machine;
use crate::trouble::{Trouble, range_error, type_error};
use crate::value::{Handle, Value};

/// Deepest nesting of a position.
const NESTED: usize = 50;

impl Machine {
    /// Returns a position as a value.
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
                "{game} is a finished value, which the rules are not asked about",
                game
            ))),
            DynamicPosition::Foreign(value) => Err(type_error(message!(
                "{value} is a value of another language, which a rule file cannot look into",
                value
            ))),
        }
    }

    /// Returns a value as a position.
    pub(crate) fn place_of(&mut self, value: Value) -> Result<DynamicPosition, Trouble> {
        match value {
            Value::Int(n) => Ok(DynamicPosition::Int(n)),
            other => self.nested_place(other, 0),
        }
    }

    fn nested_place(&mut self, value: Value, depth: usize) -> Result<DynamicPosition, Trouble> {
        if depth > NESTED {
            return Err(range_error(message!(
                "a position is nested more than {nested} deep",
                nested = NESTED
            )));
        }
        self.charge(1)?;
        // They wait in a row of the machine's own, from which one allocation takes them all.
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
                    "a position holds a value of type {kind}",
                    kind = other.kind()
                ));
                error.help = Some(match other {
                    Value::Bool(_) => message!(
                        "a position is an integer, a string, or a tuple or list of these; write 0 or 1 for a truth value"
                    ),
                    _ => {
                        message!("a position is an integer, a string, or a tuple or list of these")
                    }
                });
                return Err(error);
            }
        })
    }

    /// Returns whether a value is a pair that begins with a string.
    fn is_named_pair(&self, value: Value) -> bool {
        matches!(value, Value::Tuple(handle)
            if matches!(self.arena.items(handle), [Value::Str(_), _]))
    }

    /// Appends the options that the rules returned for a position. A pair that begins with a string
    /// is a labelled move; where positions themselves are such pairs, it is one when what follows
    /// the string is a position too.
    pub(crate) fn moves_of(
        &mut self,
        returned: Value,
        asked: Value,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Trouble> {
        let (Value::List(handle) | Value::Tuple(handle)) = returned else {
            let mut error = type_error(message!(
                "a list of positions is expected, not a value of type {kind}",
                kind = returned.kind()
            ));
            error.help = Some(message!(
                "return a list, such as [n - 1], and [] where there is no move"
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
            self.arena.check_move(self.arena.held() - before + name)?;
            moves.push(DynamicMove { label, left });
        }
        Ok(())
    }

    /// Returns the games whose sum a text is.
    pub(crate) fn games_of(&mut self, text: Handle) -> Result<Vec<Game>, Trouble> {
        let length = self.arena.str(text).len();
        // Reading takes time and room for each of its letters.
        self.charge(32 * length as u64)?;
        self.arena.charge(32 * length)?;
        let text = self.arena.str(text);
        games(text).map_err(|error| {
            let what = error.message;
            let mut refusal = range_error(message!("{text} is no game: {what}", text, what));
            refusal.help = error.help;
            refusal
        })
    }

    /// What a move to a finished value leaves.
    fn finished(&mut self, text: Handle) -> Result<Vec<DynamicPosition>, Trouble> {
        let games = self.games_of(text)?;
        Ok(games.into_iter().map(DynamicPosition::Game).collect())
    }

    /// What `value(p)` returned.
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
                let mut error = range_error(message!("{text} is not a value", text));
                error.help = Some(message!(
                    "value(p) returns \"win\", \"tie\" or \"lose\" (or 1, 0, -1) for the player who would be to move"
                ));
                Err(error)
            }
        }
    }
}
