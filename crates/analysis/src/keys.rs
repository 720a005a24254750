//! The keys of an object in JSON that asks something: each is taken once, in its type, and none is left over.

use std::path::PathBuf;

use grundy::{Diagnostic, Kind, Message, Play, message};
use serde_json::{Map, Value};

/// The keys that have not been taken yet.
#[derive(Debug)]
pub(crate) struct Keys(Map<String, Value>);

impl Keys {
    /// The keys of an object.
    pub(crate) fn of(object: Map<String, Value>) -> Self {
        Self(object)
    }

    /// Whatever stands under a key.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// A string.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Diagnostic> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(message!("`{name}` must be a string", name))),
        }
    }

    /// The name of a file.
    pub(crate) fn file(&mut self, name: &str) -> Result<Option<PathBuf>, Diagnostic> {
        Ok(self.text(name)?.map(PathBuf::from))
    }

    /// A string that has to be there.
    pub(crate) fn needed(&mut self, name: &str) -> Result<String, Diagnostic> {
        self.text(name)?.ok_or_else(|| {
            let message = message!("the key `{name}` is missing", name);
            Diagnostic::new(Kind::Syntax, message)
        })
    }

    /// True or false; false where it is not said.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, Diagnostic> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(wrong(message!("`{name}` must be true or false", name))),
        }
    }

    /// A whole number within bounds.
    pub(crate) fn number<N: TryFrom<u64>>(
        &mut self,
        name: &str,
        most: u64,
    ) -> Result<Option<N>, Diagnostic> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let number = value.as_u64().filter(|number| *number <= most);
        let number = number.and_then(|number| N::try_from(number).ok());
        let refuse = || {
            wrong(message!(
                "`{name}` must be a whole number from 0 to {most}",
                name,
                most
            ))
        };
        number.map(Some).ok_or_else(refuse)
    }

    /// A number of seconds.
    pub(crate) fn seconds(&mut self, name: &str) -> Result<Option<f64>, Diagnostic> {
        match self.take(name).map(|value| value.as_f64()) {
            None => Ok(None),
            Some(Some(seconds)) if seconds >= 0.0 => Ok(Some(seconds)),
            Some(_) => {
                let message = message!("`{name}` must be a number of seconds from 0 on", name);
                Err(Diagnostic::new(Kind::Range, message))
            }
        }
    }

    /// Several strings.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, Diagnostic> {
        let refuse = || wrong(message!("`{name}` must be a list of strings", name));
        let Some(value) = self.take(name) else {
            return Ok(Vec::new());
        };
        let Value::Array(items) = value else {
            return Err(refuse());
        };
        let items = items.into_iter().map(|item| match item {
            Value::String(text) => Ok(text),
            _ => Err(refuse()),
        });
        items.collect()
    }

    /// Strings by name.
    pub(crate) fn named(&mut self, name: &str) -> Result<Vec<(String, String)>, Diagnostic> {
        let refuse = || wrong(message!("`{name}` must be an object of strings", name));
        let Some(value) = self.take(name) else {
            return Ok(Vec::new());
        };
        let Value::Object(object) = value else {
            return Err(refuse());
        };
        let named = object.into_iter().map(|(key, value)| match value {
            Value::String(text) => Ok((key, text)),
            _ => Err(refuse()),
        });
        named.collect()
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &str,
        known: &[(&str, T)],
    ) -> Result<Option<T>, Diagnostic> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let chosen = known.iter().find(|(word, _)| value == *word);
        chosen.map(|(_, of)| Some(*of)).ok_or_else(|| {
            let words: Vec<String> = known
                .iter()
                .map(|(word, _)| format!("\"{word}\""))
                .collect();
            let message = message!(
                "`{name}` must be one of {words}",
                name,
                words = words.join(", ")
            );
            Diagnostic::new(Kind::Range, message)
        })
    }

    /// Normal or misère play.
    pub(crate) fn play(&mut self) -> Result<Option<Play>, Diagnostic> {
        self.choice(
            "play",
            &[("normal", Play::Normal), ("misere", Play::Misere)],
        )
    }

    /// Refuses what was not taken.
    pub(crate) fn end(self) -> Result<(), Diagnostic> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                let name: String = name.chars().take(60).collect();
                let message = message!("the key `{name}` is not known here", name);
                Err(Diagnostic::new(Kind::UnknownName, message))
            }
        }
    }
}

fn wrong(message: Message) -> Diagnostic {
    Diagnostic::new(Kind::Type, message)
}
