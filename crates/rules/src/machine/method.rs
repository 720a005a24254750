//! Methods of strings, lists and dictionaries.

use grundy_core::message;

use super::Machine;
use super::index::resolve_index;
use crate::arena::Arena;
use crate::error::{RuleError, range_error, type_error};
use crate::value::Value;

macro_rules! methods {
    ($($name:literal => $method:ident,)*) => {
        /// The name of a method. Several types may have a method of the same name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum MethodName {
            $($method,)*
        }

        impl MethodName {
            /// All methods with their names.
            pub(crate) const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$method),)*];
        }
    };
}

methods! {
    "append" => Append,
    "clear" => Clear,
    "count" => Count,
    "elems" => Elems,
    "endswith" => EndsWith,
    "extend" => Extend,
    "find" => Find,
    "get" => Get,
    "index" => Index,
    "insert" => Insert,
    "isalpha" => IsAlpha,
    "isdigit" => IsDigit,
    "items" => Items,
    "join" => Join,
    "keys" => Keys,
    "lower" => Lower,
    "lstrip" => LStrip,
    "pop" => Pop,
    "remove" => Remove,
    "replace" => Replace,
    "rfind" => RFind,
    "rstrip" => RStrip,
    "setdefault" => SetDefault,
    "split" => Split,
    "startswith" => StartsWith,
    "strip" => Strip,
    "update" => Update,
    "upper" => Upper,
    "values" => Values,
}

impl MethodName {
    /// Returns the method called `name`, if there is one.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, method)| *method)
    }

    /// Returns the name of this method.
    fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }
}

impl Machine {
    /// Calls a method of the value `of` and returns its result.
    pub(crate) fn method(
        &mut self,
        method: MethodName,
        of: Value,
        arguments: &[Value],
    ) -> Result<Value, RuleError> {
        let found = match of {
            Value::Str(_) => self.string_method(method, of, arguments)?,
            Value::List(_) => self.list_method(method, of, arguments)?,
            // `None` leads to the error below: there is no such method with these arguments.
            Value::Tuple(_) if matches!(method, MethodName::Index | MethodName::Count) => None,
            Value::Dict(_) => self.dict_method(method, of, arguments)?,
            _ => None,
        };
        found.ok_or_else(|| {
            let kinds: Vec<&str> = arguments.iter().map(|value| value.kind()).collect();
            type_error(message!(
                "a value of type {kind} has no method {method} that accepts arguments of types ({kinds})",
                kind = of.kind(),
                method = method.name(),
                kinds = kinds.join(", ")
            ))
        })
    }

    /// Calls a method of a list. Returns `None` if lists have no such method with these arguments.
    fn list_method(
        &mut self,
        method: MethodName,
        of: Value,
        arguments: &[Value],
    ) -> Result<Option<Value>, RuleError> {
        let Value::List(list) = of else {
            return Ok(None);
        };
        let length = self.arena.items(list).len();
        if !matches!(method, MethodName::Index) {
            self.check_not_iterated(list)?;
        }
        Ok(Some(match (method, arguments) {
            (MethodName::Append, &[value]) => {
                // The capacity of a vector may double when it grows, so each new item is charged
                // twice its size.
                self.arena.charge(2 * size_of::<Value>())?;
                self.arena.items_mut(list)?.push(value);
                Value::None
            }
            (MethodName::Extend, &[from]) => {
                self.add_assign(of, from)?;
                Value::None
            }
            (MethodName::Insert, &[Value::Int(at), value]) => {
                // Inserting or removing an item moves all later items. This is a fast copy, so few
                // steps are charged.
                self.charge(length as u64 / 16)?;
                self.arena.charge(2 * size_of::<Value>())?;
                let at = if at < 0 {
                    at.saturating_add(length as i64)
                } else {
                    at
                };
                let at = at.clamp(0, length as i64) as usize;
                self.arena.items_mut(list)?.insert(at, value);
                Value::None
            }
            (MethodName::Pop, _) if arguments.len() <= 1 => {
                let at = match arguments {
                    [Value::Int(n)] => resolve_index(*n, length)?,
                    [] => resolve_index(-1, length)?,
                    _ => return Ok(None),
                };
                self.charge(length as u64 / 16)?;
                self.arena.items_mut(list)?.remove(at)
            }
            (MethodName::Remove | MethodName::Index, &[value]) => {
                let mut found = None;
                for index in 0..length {
                    let item = self.arena.items(list)[index];
                    if self.equal(item, value, 1)? {
                        found = Some(index);
                        break;
                    }
                }
                let at = found
                    .ok_or_else(|| range_error(message!("the list does not contain this value")))?;
                if method == MethodName::Index {
                    return Ok(Some(Value::Int(at as i64)));
                }
                self.arena.items_mut(list)?.remove(at);
                Value::None
            }
            (MethodName::Clear, []) => {
                self.arena.items_mut(list)?.clear();
                Value::None
            }
            _ => return Ok(None),
        }))
    }

    /// Calls a method of a dictionary. Returns `None` if dictionaries have no such method with
    /// these arguments.
    fn dict_method(
        &mut self,
        method: MethodName,
        of: Value,
        arguments: &[Value],
    ) -> Result<Option<Value>, RuleError> {
        let Value::Dict(dict) = of else {
            return Ok(None);
        };
        Ok(Some(match (method, arguments) {
            (MethodName::Get, &[key] | &[key, _]) => match self.find(dict, key)? {
                Some(at) => self.arena.get_dict(dict).entries[at].1,
                None => arguments.get(1).copied().unwrap_or(Value::None),
            },
            (MethodName::SetDefault, &[key, value]) => {
                if let Some(at) = self.find(dict, key)? {
                    return Ok(Some(self.arena.get_dict(dict).entries[at].1));
                }
                self.put(of, key, value)?;
                value
            }
            (MethodName::Pop, &[key] | &[key, _]) => match self.remove_entry(dict, key)? {
                Some(value) => value,
                None => match arguments.get(1) {
                    Some(&value) => value,
                    None => {
                        return Err(range_error(message!("the dict does not contain this key")));
                    }
                },
            },
            (MethodName::Keys, []) => {
                let items = self.items_of(of)?;
                self.arena.list(items)?
            }
            (MethodName::Values, []) => {
                self.charge(self.arena.get_dict(dict).entries.len() as u64)?;
                let mut values = self.arena.vector();
                let entries = &self.arena.get_dict(dict).entries;
                values.extend(entries.iter().map(|(_, value)| *value));
                self.arena.list(values)?
            }
            (MethodName::Items, []) => {
                let mut pairs = self.arena.vector();
                for index in 0..self.arena.get_dict(dict).entries.len() {
                    self.charge(1)?;
                    let (key, value) = self.arena.get_dict(dict).entries[index];
                    pairs.push(self.arena.tuple(&[key, value])?);
                }
                self.arena.list(pairs)?
            }
            (MethodName::Update, &[from]) => {
                self.put_all(of, from)?;
                Value::None
            }
            (MethodName::Clear, []) => {
                self.clear_dict(dict)?;
                Value::None
            }
            _ => return Ok(None),
        }))
    }

    /// Calls a method of a string. Returns `None` if strings have no such method with these
    /// arguments.
    fn string_method(
        &mut self,
        method: MethodName,
        of: Value,
        arguments: &[Value],
    ) -> Result<Option<Value>, RuleError> {
        let Value::Str(handle) = of else {
            return Ok(None);
        };
        let length = self.arena.str(handle).len();
        // Each method below reads the string once. One step is charged for eight bytes.
        self.charge(length as u64 / 8)?;
        if method == MethodName::Join {
            return match arguments {
                &[list] => self.join(of, list).map(Some),
                _ => Ok(None),
            };
        }
        let text = self.arena.str(handle);
        let mut words = [""; 2];
        for (slot, argument) in words.iter_mut().zip(arguments) {
            let Value::Str(handle) = argument else {
                return Ok(None);
            };
            *slot = self.arena.str(*handle);
        }
        let [first, second] = words;
        // Indices are counted in characters, as in Python.
        let at = |byte: Option<usize>| match byte {
            Some(byte) => Value::Int(text[..byte].chars().count() as i64),
            None => Value::Int(-1),
        };
        let trimmed = |text: &str| text.to_owned();
        let new = match (method, arguments.len()) {
            (MethodName::StartsWith, 1) => return Ok(Some(Value::from(text.starts_with(first)))),
            (MethodName::EndsWith, 1) => return Ok(Some(Value::from(text.ends_with(first)))),
            (MethodName::Find, 1) => return Ok(Some(at(text.find(first)))),
            (MethodName::RFind, 1) => return Ok(Some(at(text.rfind(first)))),
            (MethodName::Index, 1) => {
                return match text.find(first) {
                    None => Err(range_error(message!("substring not found"))),
                    found => Ok(Some(at(found))),
                };
            }
            (MethodName::Count, 1) => {
                let count = match first {
                    // The empty string occurs before each character, and at the end.
                    "" => text.chars().count() + 1,
                    _ => text.matches(first).count(),
                };
                return Ok(Some(Value::Int(count as i64)));
            }
            (MethodName::IsDigit, 0) => {
                let all = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
                return Ok(Some(Value::from(all)));
            }
            (MethodName::IsAlpha, 0) => {
                let all = !text.is_empty() && text.chars().all(char::is_alphabetic);
                return Ok(Some(Value::from(all)));
            }
            (MethodName::Replace, 2) => {
                let times = match first {
                    "" => text.chars().count() + 1,
                    _ => text.matches(first).count(),
                };
                // The memory for the result is charged before the result is created.
                let most = length.saturating_add(times.saturating_mul(second.len()));
                self.arena.charge(most)?;
                self.charge(most as u64 / 8)?;
                // The strings are borrowed again, since `charge` borrows the machine mutably.
                let (Value::Str(a), Value::Str(b)) = (arguments[0], arguments[1]) else {
                    return Ok(None);
                };
                let text = self.arena.str(handle);
                text.replace(self.arena.str(a), self.arena.str(b))
            }
            (MethodName::Upper, 0) => text.to_uppercase(),
            (MethodName::Lower, 0) => text.to_lowercase(),
            (MethodName::Strip, 0) => trimmed(text.trim()),
            (MethodName::LStrip, 0) => trimmed(text.trim_start()),
            (MethodName::RStrip, 0) => trimmed(text.trim_end()),
            (MethodName::Strip, 1) => trimmed(text.trim_matches(|c| first.contains(c))),
            (MethodName::LStrip, 1) => trimmed(text.trim_start_matches(|c| first.contains(c))),
            (MethodName::RStrip, 1) => trimmed(text.trim_end_matches(|c| first.contains(c))),
            (MethodName::Split, 0) => {
                let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                return self.texts(words).map(Some);
            }
            (MethodName::Split, 1) => {
                if first.is_empty() {
                    return Err(range_error(message!("cannot split at an empty string")));
                }
                let words: Vec<String> = text.split(first).map(str::to_owned).collect();
                return self.texts(words).map(Some);
            }
            (MethodName::Elems, 0) => {
                self.arena.charge_items(length)?;
                self.charge(length as u64)?;
                let mut items = self.arena.vector();
                let text = self.arena.get_text(handle);
                // The strings of one ASCII character exist already, so no string is created.
                if text.ascii {
                    items.extend(text.text.bytes().map(Arena::ascii));
                    return self.arena.list(items).map(Some);
                }
                let text = text.text;
                let words: Vec<String> = text.chars().map(String::from).collect();
                return self.texts(words).map(Some);
            }
            _ => return Ok(None),
        };
        self.arena.text(&new).map(Some)
    }

    /// Returns the given strings as a list.
    fn texts(&mut self, words: Vec<String>) -> Result<Value, RuleError> {
        let mut items = Vec::with_capacity(words.len());
        for word in words {
            self.charge(1)?;
            items.push(self.arena.text(&word)?);
        }
        self.arena.list(items)
    }

    /// Implements the string method `join`.
    fn join(&mut self, with: Value, list: Value) -> Result<Value, RuleError> {
        let Value::Str(with) = with else {
            return Err(type_error(message!("join() is a method of strings")));
        };
        let separator = self.arena.str(with).len();
        let items = self.items_of(list)?;
        let start = self.arena.begin_text();
        for (index, &item) in items.iter().enumerate() {
            let Value::Str(handle) = item else {
                return Err(type_error(message!(
                    "join() requires strings, found a value of type {kind}",
                    kind = item.kind()
                )));
            };
            let length = self.arena.str(handle).len();
            self.charge(1 + (length + separator) as u64 / 16)?;
            if index > 0 && separator > 0 {
                self.arena.push_text(with)?;
            }
            self.arena.push_text(handle)?;
        }
        self.arena.put_back(items);
        self.arena.end_text(start)
    }
}
