//! Conversion between values of the language and positions of the library.

use std::sync::Arc;

use grundy_core::dynamic::{DynamicMove, DynamicPosition, MoveResult};
use grundy_core::ruleset::literal::{Game, games};
use grundy_core::{PayoffResult, message};

use crate::error::{RuleError, range_error, type_error};
use crate::machine::Machine;
use crate::value::{Handle, Value};

/// The largest depth of a nested position.
const MAX_DEPTH: usize = 50;

impl Machine {
    /// Returns the value that represents a position.
    pub(crate) fn value_of(&mut self, position: &DynamicPosition) -> Result<Value, RuleError> {
        match position {
            DynamicPosition::None => Ok(Value::None),
            DynamicPosition::Int(n) => Ok(Value::Int(*n)),
            DynamicPosition::Wide { .. } => {
                self.integer_value(position.to_integer().unwrap_or_default())
            }
            DynamicPosition::Text(text) => self.arena.text(text),
            DynamicPosition::Tuple(parts) | DynamicPosition::List(parts) => {
                let mut items = self.arena.vector();
                for part in parts.iter() {
                    items.push(self.value_of(part)?);
                }
                if let DynamicPosition::List(_) = position {
                    return self.arena.list(items);
                }
                let tuple = self.arena.tuple(&items);
                self.arena.put_back(items);
                tuple
            }
            DynamicPosition::Game(game) => Err(type_error(message!(
                "{game} is the value of a game, not a position, so the rule functions cannot be applied to it",
                game
            ))),
            DynamicPosition::Foreign(value) => Err(type_error(message!(
                "a rule file cannot inspect {value}, an object from outside the file",
                value
            ))),
        }
    }

    /// Returns the position that a value represents.
    pub(crate) fn position_of(&mut self, value: Value) -> Result<DynamicPosition, RuleError> {
        match value {
            Value::Int(n) => Ok(DynamicPosition::Int(n)),
            other => self.nested_position(other, 0),
        }
    }

    /// Returns the position that a value represents. `depth` is the depth of the value inside a
    /// larger position.
    fn nested_position(
        &mut self,
        value: Value,
        depth: usize,
    ) -> Result<DynamicPosition, RuleError> {
        // Positions are later compared, hashed and formatted recursively, so their depth is limited
        // here.
        if depth > MAX_DEPTH {
            return Err(range_error(message!(
                "a position is nested more than {nested} deep",
                nested = MAX_DEPTH
            )));
        }
        self.charge(1)?;
        // The parts are collected in a list of the machine. The parts of nested tuples are
        // collected on top of it. Finally, the parts are moved to an allocation of the exact size.
        let parts =
            |machine: &mut Self, handle: Handle| -> Result<Arc<[DynamicPosition]>, RuleError> {
                let length = machine.arena.items(handle).len();
                machine
                    .arena
                    .charge(length * size_of::<DynamicPosition>())?;
                let first = machine.position_parts.len();
                for index in 0..length {
                    let part = match machine.arena.items(handle)[index] {
                        Value::Int(n) => DynamicPosition::Int(n),
                        other => machine.nested_position(other, depth + 1)?,
                    };
                    machine.position_parts.push(part);
                }
                machine.charge(length as u64)?;
                Ok(machine.position_parts.drain(first..).collect())
            };
        Ok(match value {
            Value::Int(n) => DynamicPosition::Int(n),
            Value::Wide(handle) => {
                let n = self.arena.get_wide(handle);
                DynamicPosition::integer(n).expect("a wide integer has 65 bits")
            }
            // As in Python, `(True, 2)` and `(1, 2)` are the same position. Outside of a tuple, a
            // Boolean or `None` is a mistake, such as a forgotten `return`.
            Value::Bool(truth) if depth > 0 => DynamicPosition::Int(truth as i64),
            Value::None if depth > 0 => DynamicPosition::None,
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
                error.help = Some(message!(
                    "a position must be an integer, a string, or a tuple or list of these"
                ));
                return Err(error);
            }
        })
    }

    /// Returns whether a value is a pair whose first item is a string.
    fn is_labelled_pair(&self, value: Value) -> bool {
        matches!(value, Value::Tuple(handle)
            if matches!(self.arena.items(handle), [Value::Str(_), _]))
    }

    /// Converts the list `returned`, which the rules returned for the position `argument`, to
    /// moves. Appends them to `moves`.
    ///
    /// A pair whose first item is a string is usually a move with a label, and its second item is
    /// the position. If `argument` itself is such a pair, positions have this form, too. In this
    /// case, a pair is a move with a label only if its second item is such a pair, a sum or a
    /// literal.
    pub(crate) fn moves_of(
        &mut self,
        returned: Value,
        argument: Value,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), RuleError> {
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
        let positions_are_pairs = self.is_labelled_pair(argument);
        for index in 0..self.arena.items(handle).len() {
            self.charge(1)?;
            let before = self.arena.charged();
            let item = self.arena.items(handle)[index];
            let (mut label, mut left): (Option<Arc<str>>, _) = (None, item);
            if let Value::Tuple(pair) = item
                && let &[Value::Str(name), to] = self.arena.items(pair)
                && (!positions_are_pairs
                    || self.is_labelled_pair(to)
                    || matches!(to, Value::Sum(_) | Value::Literal(_)))
            {
                label = Some(self.arena.str(name).into());
                left = to;
            }
            let left = match left {
                Value::Sum(sum) => {
                    let mut positions = Vec::new();
                    for index in 0..self.arena.items(sum).len() {
                        match self.arena.items(sum)[index] {
                            Value::Literal(text) => positions.extend(self.literal_positions(text)?),
                            part => positions.push(self.position_of(part)?),
                        }
                    }
                    MoveResult::Sum(positions)
                }
                Value::Literal(text) => MoveResult::Sum(self.literal_positions(text)?),
                one => MoveResult::One(self.position_of(one)?),
            };
            self.arena.charge(size_of::<DynamicMove>())?;
            let name = label.as_ref().map_or(0, |label| label.len());
            // The size of this move is the number of bytes that were charged for it, plus the
            // length of its label.
            self.arena
                .check_move(self.arena.charged() - before + name)?;
            moves.push(DynamicMove {
                label,
                result: left,
            });
        }
        Ok(())
    }

    /// Parses a text as a sum of games, and returns the games.
    pub(crate) fn parse_games(&mut self, text: Handle) -> Result<Vec<Game>, RuleError> {
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

    /// Parses the text of a literal as a sum of games, and returns each game as a position.
    fn literal_positions(&mut self, text: Handle) -> Result<Vec<DynamicPosition>, RuleError> {
        let games = self.parse_games(text)?;
        Ok(games.into_iter().map(DynamicPosition::Game).collect())
    }

    /// Converts the value that the function `value(p)` returned to a win, a tie or a loss.
    pub(crate) fn result_of(&mut self, returned: Value) -> Result<PayoffResult, RuleError> {
        let word = match returned {
            Value::Str(handle) => self.arena.str(handle),
            Value::Int(1) => "win",
            Value::Int(0) => "tie",
            Value::Int(-1) => "lose",
            _ => "",
        };
        match word {
            "win" => Ok(PayoffResult::Win),
            "tie" => Ok(PayoffResult::Tie),
            "lose" => Ok(PayoffResult::Lose),
            _ => {
                let text = self.repr_of(returned)?;
                let mut error = range_error(message!("{text} is not a valid value", text));
                error.help = Some(message!(
                    "value(p) must return \"win\", \"tie\" or \"lose\" (or 1, 0, -1) for the player to move"
                ));
                Err(error)
            }
        }
    }
}
