//! Builtin functions.

use std::cmp::Ordering;

use grundy_core::{Kind, message};

use super::Machine;
use crate::error::{RuleError, overflow, range_error, rule_error, type_error};
use crate::value::{Handle, Value, range_len};

/// A builtin function: one of Starlark, or `sum_of` or `literal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Abs,
    All,
    Any,
    Bool,
    Dict,
    Enumerate,
    Fail,
    Int,
    Len,
    List,
    Literal,
    Max,
    Min,
    Range,
    Repr,
    Reversed,
    Sorted,
    Str,
    SumOf,
    Tuple,
    Type,
    Zip,
}

impl Builtin {
    /// All builtin functions with their names. A builtin function is identified by its index in
    /// this table.
    pub(crate) const NAMES: [(&'static str, Self); 22] = [
        ("abs", Self::Abs),
        ("all", Self::All),
        ("any", Self::Any),
        ("bool", Self::Bool),
        ("dict", Self::Dict),
        ("enumerate", Self::Enumerate),
        ("fail", Self::Fail),
        ("int", Self::Int),
        ("len", Self::Len),
        ("list", Self::List),
        ("literal", Self::Literal),
        ("max", Self::Max),
        ("min", Self::Min),
        ("range", Self::Range),
        ("repr", Self::Repr),
        ("reversed", Self::Reversed),
        ("sorted", Self::Sorted),
        ("str", Self::Str),
        ("sum_of", Self::SumOf),
        ("tuple", Self::Tuple),
        ("type", Self::Type),
        ("zip", Self::Zip),
    ];

    /// Returns the function called `name`, if there is one.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, builtin)| *builtin)
    }

    /// Returns the index of the function in [`Self::NAMES`].
    pub(crate) fn number(self) -> i64 {
        let found = Self::NAMES.iter().position(|(_, known)| *known == self);
        found.expect("every one has a name") as i64
    }

    /// Returns the function with the index `number` in [`Self::NAMES`].
    pub(crate) fn from_number(number: i64) -> Self {
        Self::NAMES[number as usize].1
    }

    /// Returns the name of the function.
    fn name(self) -> &'static str {
        Self::NAMES[self.number() as usize].0
    }
}

impl Machine {
    /// Calls a builtin function. `names` has an entry for each argument: its name, or `None` if it
    /// is positional. If `names` is empty, all arguments are positional.
    pub(crate) fn call_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        names: &[Option<&str>],
    ) -> Result<Value, RuleError> {
        // Named arguments come after the positional ones. So all arguments from the first name on
        // are named.
        let named = names.iter().skip_while(|name| name.is_none()).count();
        let positional = arguments.len() - named;
        let (given, named) = arguments.split_at(positional);
        let allowed: &[&str] = match builtin {
            Builtin::Sorted => &["key", "reverse"],
            Builtin::Min | Builtin::Max => &["key"],
            _ => &[],
        };
        let mut options = [Value::None, Value::None];
        for (name, &value) in names[names.len() - named.len()..].iter().zip(named) {
            let slot = allowed.iter().position(|known| Some(*known) == *name);
            let slot = slot.ok_or_else(|| {
                let name = name.unwrap_or("");
                type_error(message!(
                    "{builtin}() has no parameter named `{name}`",
                    builtin = builtin.name(),
                    name
                ))
            })?;
            options[slot] = value;
        }
        let [key, reverse] = options;
        match (builtin, given) {
            (Builtin::Len, &[of]) => self.len(of).map(Value::Int),
            (Builtin::Range, &[stop]) => self.range(Value::Int(0), stop, Value::Int(1)),
            (Builtin::Range, &[start, stop]) => self.range(start, stop, Value::Int(1)),
            (Builtin::Range, &[start, stop, step]) => self.range(start, stop, step),
            (Builtin::Abs, &[of @ (Value::Int(_) | Value::Wide(_))]) => {
                let n = self.integer(of).unwrap_or_default();
                self.integer_value(n.abs())
            }
            (Builtin::All, &[of]) => Ok(Value::from(!self.has_truth_value(of, false)?)),
            (Builtin::Any, &[of]) => Ok(Value::from(self.has_truth_value(of, true)?)),
            (Builtin::Bool, &[of]) => Ok(Value::from(self.truth(of))),
            (Builtin::Int, &[of]) => self.int(of),
            (Builtin::Str, &[of @ Value::Str(_)]) | (Builtin::Tuple, &[of @ Value::Tuple(_)]) => {
                Ok(of)
            }
            (Builtin::Str | Builtin::Repr, &[of]) => {
                let text = self.repr_of(of)?;
                self.arena.text(&text)
            }
            (Builtin::Type, &[of]) => self.arena.text(of.kind()),
            (Builtin::Dict, []) => self.arena.dict(),
            (Builtin::Dict, &[of]) => self.dict_from(of),
            (Builtin::List, []) => self.arena.list(Vec::new()),
            (Builtin::Tuple, []) => self.arena.tuple(&[]),
            (Builtin::List, &[of]) => {
                let items = self.items_of(of)?;
                self.arena.list(items)
            }
            (Builtin::Tuple, &[of]) => {
                let items = self.items_of(of)?;
                let tuple = self.arena.tuple(&items);
                self.arena.put_back(items);
                tuple
            }
            (Builtin::SumOf, &[of @ (Value::List(_) | Value::Tuple(_))]) => {
                let items = self.items_of(of)?;
                let sum = self.arena.sum(&items);
                self.arena.put_back(items);
                sum
            }
            (Builtin::Literal, &[Value::Str(handle)]) => self.literal(handle),
            (Builtin::Reversed, &[of]) => {
                let mut items = self.items_of(of)?;
                items.reverse();
                self.arena.list(items)
            }
            (Builtin::Enumerate, &[of]) => {
                let items = self.items_of(of)?;
                // The vector has the same length as `items`, for which memory has been charged.
                let mut out = Vec::with_capacity(items.len());
                for (index, item) in items.into_iter().enumerate() {
                    out.push(self.arena.tuple(&[Value::Int(index as i64), item])?);
                }
                self.arena.list(out)
            }
            (Builtin::Zip, of) => self.zip(of),
            (Builtin::Sorted, &[of]) => {
                let reverse = self.truth(reverse);
                self.sorted(of, key, reverse)
            }
            (Builtin::Min, of) => self.extreme(of, key, Ordering::Less),
            (Builtin::Max, of) => self.extreme(of, key, Ordering::Greater),
            (Builtin::Fail, words) => self.fail(words),
            _ => {
                let kinds: Vec<&str> = given.iter().map(|value| value.kind()).collect();
                Err(type_error(message!(
                    "{builtin}() does not accept arguments of types ({kinds})",
                    builtin = builtin.name(),
                    kinds = kinds.join(", ")
                )))
            }
        }
    }

    /// Implements `fail`: returns an error with the texts of the arguments.
    fn fail(&mut self, words: &[Value]) -> Result<Value, RuleError> {
        let words: Result<Vec<_>, _> = words.iter().map(|&word| self.str_of(word)).collect();
        let message = message!("{error}", error = words?.join(" "));
        Err(rule_error(Kind::IllegalPosition, message))
    }

    /// Creates the value of `literal(text)`. The text is parsed immediately, so that an error
    /// refers to this call.
    fn literal(&mut self, text: Handle) -> Result<Value, RuleError> {
        self.parse_games(text)?;
        Ok(Value::Literal(text))
    }

    /// Returns whether a sequence has an item whose truth value is `wanted`.
    fn has_truth_value(&mut self, of: Value, wanted: bool) -> Result<bool, RuleError> {
        let items = self.items_of(of)?;
        let found = items.iter().any(|&item| self.truth(item) == wanted);
        self.arena.put_back(items);
        Ok(found)
    }

    /// Returns the length of a value.
    #[inline]
    pub(crate) fn len(&self, of: Value) -> Result<i64, RuleError> {
        Ok(match of {
            Value::Str(handle) => self.arena.get_text(handle).length(),
            Value::Tuple(handle) | Value::List(handle) => self.arena.items(handle).len(),
            Value::Dict(handle) => self.arena.get_dict(handle).entries.len(),
            Value::Range(handle) => {
                return i64::try_from(range_len(self.arena.get_range(handle)))
                    .map_err(|_| overflow());
            }
            other => {
                return Err(type_error(message!(
                    "a value of type {kind} has no length",
                    kind = other.kind()
                )));
            }
        } as i64)
    }

    /// Implements `range`.
    fn range(&mut self, start: Value, stop: Value, step: Value) -> Result<Value, RuleError> {
        match (start, stop, step) {
            (_, _, Value::Int(0)) => {
                Err(range_error(message!("the step of a range must not be 0")))
            }
            (Value::Int(start), Value::Int(stop), Value::Int(step)) => {
                self.arena.range(start, stop, step)
            }
            _ => Err(type_error(message!("range() requires numbers"))),
        }
    }

    /// Implements `int`.
    fn int(&mut self, of: Value) -> Result<Value, RuleError> {
        match of {
            Value::Int(_) | Value::Wide(_) => Ok(of),
            Value::Bool(b) => Ok(Value::Int(b as i64)),
            Value::Str(handle) => {
                let text = self.arena.str(handle).trim();
                if let Ok(n) = text.parse() {
                    return self.integer_value(n);
                }
                // The string can be very long, so the message contains only its beginning.
                let shown: String = text.chars().take(40).collect();
                Err(range_error(message!(
                    "\"{shown}\" is not an integer",
                    shown
                )))
            }
            other => Err(type_error(message!(
                "a value of type {kind} is not a number",
                kind = other.kind()
            ))),
        }
    }

    /// Implements `dict` with one argument.
    fn dict_from(&mut self, of: Value) -> Result<Value, RuleError> {
        let dict = self.arena.dict()?;
        if let Value::Dict(_) = of {
            self.put_all(dict, of)?;
            return Ok(dict);
        }
        for pair in self.items_of(of)? {
            match self.items_of(pair)?[..] {
                [key, value] => self.put(dict, key, value)?,
                _ => {
                    return Err(type_error(message!(
                        "dict() requires pairs of a key and a value"
                    )));
                }
            }
        }
        Ok(dict)
    }

    /// Implements `zip`.
    fn zip(&mut self, of: &[Value]) -> Result<Value, RuleError> {
        let mut lists = Vec::new();
        for &value in of {
            lists.push(self.items_of(value)?);
        }
        let length = lists.iter().map(Vec::len).min().unwrap_or(0);
        let mut out = Vec::with_capacity(length);
        for index in 0..length {
            let items: Vec<Value> = lists.iter().map(|list| list[index]).collect();
            out.push(self.arena.tuple(&items)?);
        }
        self.arena.list(out)
    }

    /// Returns the items of a sequence, each together with its sort key.
    fn keyed(&mut self, of: Value, key: Value) -> Result<Vec<(Value, Value)>, RuleError> {
        let items = self.items_of(of)?;
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let by = match key {
                Value::None => item,
                function => self.call(function, &[item])?,
            };
            keyed.push((by, item));
        }
        Ok(keyed)
    }

    /// Implements `sorted`.
    fn sorted(&mut self, of: Value, key: Value, reverse: bool) -> Result<Value, RuleError> {
        if let Value::None = key {
            let mut items = self.items_of(of)?;
            if items.iter().all(|item| matches!(item, Value::Int(_))) {
                // Equal integers cannot be distinguished, so the sort need not be stable.
                let number = |item: &Value| match item {
                    Value::Int(n) => *n,
                    _ => 0,
                };
                // Each comparison is charged one step. The number of comparisons is that of a merge
                // sort.
                self.charge(u64::from(items.len().max(1).ilog2()) * items.len() as u64)?;
                items.sort_unstable_by_key(number);
                if reverse {
                    items.reverse();
                }
                return self.arena.list(items);
            }
            self.arena.put_back(items);
        }
        let mut keyed = self.keyed(of, key)?;
        // A stable merge sort that starts with runs of one item. The sort functions of the standard
        // library cannot be used, since a comparison may return an error.
        let mut width = 1;
        while width < keyed.len() {
            let mut merged = Vec::with_capacity(keyed.len());
            for pair in keyed.chunks(2 * width) {
                let (mut a, mut b) = pair.split_at(width.min(pair.len()));
                while let (Some(x), Some(y)) = (a.first(), b.first()) {
                    let order = self.compare(x.0, y.0, 0)?;
                    // If keys are equal, the item of the first run comes first, also with
                    // `reverse`. So the sort is stable.
                    let second = if reverse {
                        order.is_lt()
                    } else {
                        order.is_gt()
                    };
                    let from = if second { &mut b } else { &mut a };
                    merged.push(from[0]);
                    *from = &from[1..];
                }
                merged.extend_from_slice(a);
                merged.extend_from_slice(b);
            }
            keyed = merged;
            width *= 2;
        }
        self.arena
            .list(keyed.into_iter().map(|(_, item)| item).collect())
    }

    /// Implements `min` and `max`. If several items are best, the first of them is returned.
    fn extreme(&mut self, of: &[Value], key: Value, wanted: Ordering) -> Result<Value, RuleError> {
        let of = match of {
            &[one] => one,
            many => {
                let items = many.to_vec();
                self.arena.list(items)?
            }
        };
        let keyed = self.keyed(of, key)?;
        let mut best: Option<(Value, Value)> = None;
        for (by, item) in keyed {
            let better = match best {
                None => true,
                // The comparison is strict, so the first of several best items is kept.
                Some((known, _)) => self.compare(by, known, 0)? == wanted,
            };
            if better {
                best = Some((by, item));
            }
        }
        best.map(|(_, item)| item)
            .ok_or_else(|| range_error(message!("min() and max() require at least one value")))
    }
}
