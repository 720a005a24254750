//! Deserialization of questions and their settings from JSON objects.
//!
//! [`KeyReader`] is a serde deserializer with readable errors. Several structs can be read from one
//! object: each takes the keys of its fields, and [`KeyReader::end`] rejects the keys that remain.
//! The attribute `flatten` of serde also reads several structs, but then serde does not reject
//! unknown keys.

use std::fmt;

use grundy_core::nearest::nearest;
use grundy_core::{Diagnostic, Kind, message};
use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer as _,
    MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Map, Value};

use crate::json_object::JsonObject;

/// Largest number of characters of a key that are quoted in an error.
const QUOTED_CHARS: usize = 60;

/// The keys of a JSON object that have not been read into the fields of a struct yet.
#[derive(Debug)]
pub(crate) struct KeyReader {
    object: Map<String, Value>,
    /// The first duplicate key in the object or in a nested object.
    duplicate: Option<String>,
    /// Every key that is the name of a field of a struct read so far. For an unknown key, the error
    /// suggests the nearest of these names.
    requested: Vec<&'static str>,
}

impl KeyReader {
    /// Creates a reader of the keys of an object.
    pub(crate) fn new(object: JsonObject) -> Self {
        Self {
            object: object.entries,
            duplicate: object.duplicate,
            requested: Vec::new(),
        }
    }

    /// Adds the entries of `defaults` whose keys the object does not have.
    pub(crate) fn fill(&mut self, defaults: Map<String, Value>) {
        for (key, value) in defaults {
            self.object.entry(key).or_insert(value);
        }
    }

    /// Deserializes a struct, and removes the keys of its fields from the object.
    ///
    /// # Errors
    /// A key that is missing or has an invalid value.
    pub(crate) fn read<T: DeserializeOwned>(&mut self) -> Result<T, Diagnostic> {
        T::deserialize(self).map_err(|fault| fault.into_diagnostic("object"))
    }

    /// Rejects the object if it has a duplicate key, or a key that belongs to no field of the
    /// structs read from it.
    ///
    /// # Errors
    /// The first duplicate key, or otherwise the first unknown key. For an unknown key, the error
    /// suggests the nearest known key.
    pub(crate) fn end(self) -> Result<(), Diagnostic> {
        if let Some(key) = self.duplicate {
            return Err(duplicate_key(&key));
        }
        let Some(key) = self.object.keys().next() else {
            return Ok(());
        };
        let near = nearest(key, self.requested.iter().copied());
        Err(match near {
            Some(near) => unknown(key).help(message!("did you mean `{near}`?", near)),
            None => unknown(key),
        })
    }
}

/// Returns the error for an unknown key.
pub(crate) fn unknown(name: &str) -> Diagnostic {
    let name = shown(name);
    Diagnostic::new(Kind::UnknownName, message!("unknown key `{name}`", name))
}

/// Returns the error for a key that occurs twice in one object.
pub(crate) fn duplicate_key(key: &str) -> Diagnostic {
    let key = shown(key);
    Diagnostic::new(Kind::Syntax, message!("duplicate key `{key}`", key))
}

/// Returns the first characters of a key, for quotation in an error.
fn shown(key: &str) -> String {
    key.chars().take(QUOTED_CHARS).collect()
}

/// Returns the error for a missing required key.
pub(crate) fn missing(name: &str) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message!("missing key `{name}`", name))
}

/// An error about the value of a key. The code that reads the object adds the name of the key.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A value of the wrong type or out of range, with the required type.
    WrongType(RequiredType),
    /// A complete error, which already names its key.
    Complete(Box<Diagnostic>),
}

/// The type that a key requires.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequiredType {
    Flag,
    Text,
    Texts,
    NamedTexts,
    /// An object whose keys must be among the given keys.
    Keys(&'static [&'static str]),
    Number {
        most: u64,
    },
    Seconds,
    OneOf(&'static [&'static str]),
    /// A list whose items must be among the given words.
    ListOf(&'static [&'static str]),
}

impl Fault {
    /// Converts the error to a diagnostic about the value of the key `name`.
    fn into_diagnostic(self, name: &str) -> Diagnostic {
        let wanted = match self {
            Self::Complete(diagnostic) => return *diagnostic,
            Self::WrongType(wanted) => wanted,
        };
        let wrong_type = |message| Diagnostic::new(Kind::Type, message);
        match wanted {
            RequiredType::Flag => wrong_type(message!("`{name}` must be true or false", name)),
            RequiredType::Text => wrong_type(message!("`{name}` must be a string", name)),
            RequiredType::Texts => wrong_type(message!("`{name}` must be a list of strings", name)),
            RequiredType::NamedTexts => {
                wrong_type(message!("`{name}` must be an object of strings", name))
            }
            RequiredType::Keys(keys) => {
                let keys = list(keys);
                wrong_type(message!(
                    "`{name}` must be an object with the keys {keys}",
                    name,
                    keys
                ))
            }
            RequiredType::Number { most } => wrong_type(message!(
                "`{name}` must be an integer from 0 to {most}",
                name,
                most
            )),
            RequiredType::Seconds => {
                let message = message!("`{name}` must be a non-negative number of seconds", name);
                Diagnostic::new(Kind::Range, message)
            }
            RequiredType::OneOf(words) => {
                let message =
                    message!("`{name}` must be one of {words}", name, words = list(words));
                Diagnostic::new(Kind::Range, message)
            }
            RequiredType::ListOf(words) => {
                let words = list(words);
                let message =
                    message!("`{name}` must be a list of words from {words}", name, words);
                Diagnostic::new(Kind::Range, message)
            }
        }
    }
}

/// Returns the words in quotation marks, separated by commas.
fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(", ")
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongType(wanted) => write!(f, "not {wanted:?}"),
            Self::Complete(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(error: T) -> Self {
        // Serde passes its own errors as text, which does not tell the required type.
        let message = message!("{error}", error);
        Self::Complete(Box::new(Diagnostic::new(Kind::Type, message)))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Complete(Box::new(missing(name)))
    }
}

impl<'de> Deserializer<'de> for &mut KeyReader {
    type Error = Fault;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        // The fields are recorded before they are read. Hence `end` can suggest any of them, even
        // if one is missing.
        self.requested.extend(fields);
        visitor.visit_map(Fields {
            object: &mut self.object,
            names: fields.iter(),
            next: None,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(de::Error::custom("an object is read into a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The fields of a struct that occur as keys of a JSON object, in the order of the struct.
struct Fields<'a> {
    object: &'a mut Map<String, Value>,
    names: std::slice::Iter<'static, &'static str>,
    next: Option<(&'static str, Value)>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let object = &mut *self.object;
        // `shift_remove` keeps the order of the remaining keys. Hence `end` reports the unknown key
        // that comes first in the text.
        self.next = self
            .names
            .find_map(|field| Some((*field, object.shift_remove(*field)?)));
        let Some((field, _)) = self.next else {
            return Ok(None);
        };
        seed.deserialize(field.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (field, value) = self
            .next
            .take()
            .expect("a value is asked for after its key");
        let read = seed.deserialize(ValueReader(value));
        read.map_err(|fault| Fault::Complete(Box::new(fault.into_diagnostic(field))))
    }
}

/// A deserializer of the value of a key.
struct ValueReader(Value);

impl ValueReader {
    /// Reads a non-negative integer. The visitor's `Expected` text contains the upper bound if
    /// [`at_most`] set one. Otherwise the upper bound is `most`, the largest value of the type.
    fn number<'de, V: Visitor<'de>>(self, visitor: V, most: u64) -> Result<V::Value, Fault> {
        // A deserializer does not see the attributes of a field. A bound can reach it only in the
        // `Expected` text of the visitor, unless the field has a wrapper type.
        let bound = (&visitor as &dyn Expected).to_string().parse();
        let most = bound.map_or(most, |bound: u64| bound.min(most));
        match self.0.as_u64().filter(|number| *number <= most) {
            Some(number) => visitor.visit_u64(number),
            None => Err(Fault::WrongType(RequiredType::Number { most })),
        }
    }
}

impl<'de> Deserializer<'de> for ValueReader {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.0.deserialize_any(visitor).map_err(de::Error::custom)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Bool(flag) => visitor.visit_bool(flag),
            _ => Err(Fault::WrongType(RequiredType::Flag)),
        }
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.number(visitor, u8::MAX.into())
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.number(visitor, u32::MAX.into())
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.number(visitor, u64::MAX)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // Durations are the only numbers that may have a fraction.
        match self.0.as_f64() {
            Some(seconds) if seconds >= 0.0 => visitor.visit_f64(seconds),
            _ => Err(Fault::WrongType(RequiredType::Seconds)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            _ => Err(Fault::WrongType(RequiredType::Text)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // An optional field is `None` only if the key is missing. The value `null` is rejected by
        // the deserializer of the inner type.
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            _ => Err(Fault::WrongType(RequiredType::Texts)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Object(object) => visitor.visit_map(Entries {
                entries: object.into_iter(),
                value: Value::Null,
            }),
            _ => Err(Fault::WrongType(RequiredType::NamedTexts)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Value::Object(object) = self.0 else {
            return Err(Fault::WrongType(RequiredType::Keys(fields)));
        };
        // The unknown keys of a nested object are rejected here, since the caller cannot see them.
        let mut keys = KeyReader::new(object.into());
        let read = keys.deserialize_struct(name, fields, visitor)?;
        keys.end()
            .map_err(|error| Fault::Complete(Box::new(error)))?;
        Ok(read)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            // The word is checked here because the error of serde would not name the key.
            Value::String(word) if variants.contains(&&word[..]) => {
                let word: StringDeserializer<Fault> = word.into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Fault::WrongType(RequiredType::OneOf(variants))),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

/// A deserializer of the items of a list, which are strings or the names of enum variants.
struct Items(std::vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.0.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(ValueReader(item));
        // An error in an item is reported for the whole list, because items have no key.
        read.map(Some).map_err(|fault| {
            Fault::WrongType(match fault {
                Fault::WrongType(RequiredType::OneOf(words)) => RequiredType::ListOf(words),
                _ => RequiredType::Texts,
            })
        })
    }
}

/// A deserializer of the entries of an object whose values are strings.
struct Entries {
    entries: serde_json::map::IntoIter,
    value: Value,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = value;
        let key: StringDeserializer<Fault> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let read = seed.deserialize(ValueReader(self.value.take()));
        read.map_err(|_| Fault::WrongType(RequiredType::NamedTexts))
    }
}

/// Reads an integer from 0 to `MOST`.
pub(crate) fn at_most<'de, const MOST: u64, N: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<N, D::Error> {
    struct Bounded(u64);

    impl Visitor<'_> for Bounded {
        type Value = u64;

        // This text contains only the bound, because `ValueReader::number` parses it.
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.0)
        }

        fn visit_u64<E>(self, number: u64) -> Result<u64, E> {
            Ok(number)
        }
    }

    let number = from.deserialize_u64(Bounded(MOST))?;
    N::try_from(number).map_err(|_| de::Error::custom("the bound fits the type"))
}

/// Reads an integer from 0 to `MOST` into an optional field.
pub(crate) fn some_at_most<'de, const MOST: u64, N: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<N>, D::Error> {
    at_most::<MOST, N, D>(from).map(Some)
}

/// Reads a value into an optional field whose key is required.
pub(crate) fn required<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Strings with names, such as the contents of input files. They are in the order of the JSON
/// object.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedTexts(pub(crate) Vec<(String, String)>);

impl<'de> Deserialize<'de> for NamedTexts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = NamedTexts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<NamedTexts, A::Error> {
                let mut texts = Vec::new();
                while let Some(entry) = object.next_entry()? {
                    texts.push(entry);
                }
                Ok(NamedTexts(texts))
            }
        }

        from.deserialize_map(All)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::question::{
        Draw, ExercisesQuestion, MatrixQuestion, Solve, TableQuestion, ValueQuestion,
    };

    fn read<T: DeserializeOwned>(object: Value) -> Result<T, Diagnostic> {
        let Value::Object(object) = object else {
            panic!("an object is read");
        };
        let mut keys = KeyReader::new(object.into());
        let read = keys.read()?;
        keys.end().map(|()| read)
    }

    fn refused<T: DeserializeOwned>(object: Value) -> (Kind, String) {
        let Err(error) = read::<T>(object) else {
            panic!("the object is wrong");
        };
        let help = error.help.map(|help| format!("; {}", &*help));
        (
            error.kind,
            format!("{}{}", &*error.message, help.unwrap_or_default()),
        )
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_key() {
        let syntax = |text: &str| (Kind::Syntax, text.to_owned());
        let wrong = |text: &str| (Kind::Type, text.to_owned());
        let outside = |text: &str| (Kind::Range, text.to_owned());
        assert_eq!(refused::<Solve>(json!({})), syntax("missing key `game`"));
        for value in [json!(1), json!(null), json!(["nim(1)"]), json!({})] {
            let error = refused::<Solve>(json!({ "game": value }));
            assert_eq!(error, wrong("`game` must be a string"), "{value}");
        }
        let error = refused::<Solve>(json!({"game": "nim(1)", "genus": "yes"}));
        assert_eq!(error, wrong("`genus` must be true or false"));
        let error = refused::<Solve>(json!({"game": "nim(1)", "play": "Misere"}));
        assert_eq!(
            error,
            outside("`play` must be one of \"normal\", \"misere\"")
        );
        for of in [json!(["men"]), json!(["mean", 3])] {
            let (kind, text) = refused::<ValueQuestion>(json!({"game": "nim(1)", "of": of}));
            assert_eq!(kind, Kind::Range);
            let begins = "`of` must be a list of words from \"outcome\", \"form\", ";
            assert!(text.starts_with(begins), "{text}");
        }
        for ranges in [json!("n=1..3"), json!(["n=1..3", 4])] {
            let error = refused::<TableQuestion>(json!({"game": "kayles(n)", "ranges": ranges}));
            assert_eq!(error, wrong("`ranges` must be a list of strings"));
        }
        let error = refused::<NamedFiles>(json!({"files": {"a": 1}}));
        assert_eq!(error, wrong("`files` must be an object of strings"));
        let error = refused::<Seconds>(json!({"timeout": -1}));
        assert_eq!(
            error,
            outside("`timeout` must be a non-negative number of seconds")
        );
    }

    #[test]
    fn numbers_have_the_bounds_of_their_keys() {
        for value in [
            json!(1001),
            json!(-1),
            json!(1.5),
            json!("3"),
            json!(u64::MAX),
            json!(null),
        ] {
            let error = refused::<ExercisesQuestion>(json!({"game": "nim", "count": value}));
            let text = "`count` must be an integer from 0 to 1000";
            assert_eq!(error, (Kind::Type, text.to_owned()), "{value}");
        }
        let sheet: ExercisesQuestion = read(json!({"game": "nim", "count": 1000})).unwrap();
        assert_eq!((sheet.count, sheet.level, sheet.seed), (1000, 3, None));
        let error = refused::<ExercisesQuestion>(json!({"game": "nim", "level": 11}));
        assert_eq!(error.1, "`level` must be an integer from 0 to 10");
        for (limits, text) in [
            (
                json!({"memory": -1}),
                "`memory` must be an integer from 0 to 18446744073709551615",
            ),
            (
                json!([]),
                "`limits` must be an object with the keys \"positions\", \"memory\", \"output\"",
            ),
            (
                json!({"memry": 1}),
                "unknown key `memry`; did you mean `memory`?",
            ),
        ] {
            assert_eq!(refused::<Limited>(json!({"limits": limits})).1, text);
        }
        let Limited { limits } = read(json!({"limits": {"memory": 7}})).unwrap();
        assert_eq!(limits.memory, Some(7));
        let matrix: MatrixQuestion = read(json!({"file": "m.csv", "extreme": 0})).unwrap();
        assert_eq!(matrix.extreme, None);
    }

    #[test]
    fn an_unknown_key_is_rejected_with_the_nearest_known_key() {
        let error = refused::<Solve>(json!({"game": "nim(1)", "remotness": true}));
        let text = "unknown key `remotness`; did you mean `remoteness`?";
        assert_eq!(error, (Kind::UnknownName, text.to_owned()));
        let error = refused::<Solve>(json!({"game": "nim(1)", "x".repeat(70): 1}));
        assert_eq!(error.1, format!("unknown key `{}`", "x".repeat(60)));
        // Keys that only other interfaces have, such as the name of a file, are unknown here.
        let error = refused::<Draw>(json!({"game": "nim(1)", "svg": "a.svg"}));
        assert_eq!(error.0, Kind::UnknownName);
    }

    #[test]
    fn several_structs_read_from_one_object() {
        let Value::Object(object) =
            json!({"game": "nim(1)", "timeout": 2.5, "files": {"b": "2", "a": "1"}})
        else {
            panic!("an object is written");
        };
        let mut keys = KeyReader::new(object.into());
        let Seconds { timeout } = keys.read().unwrap();
        let NamedFiles { files } = keys.read().unwrap();
        let solve: Solve = keys.read().unwrap();
        keys.end().unwrap();
        assert_eq!(timeout, Some(2.5));
        assert_eq!(
            files.0,
            [("b".into(), "2".into()), ("a".into(), "1".into())]
        );
        assert_eq!(solve.source.expression.as_deref(), Some("nim(1)"));
    }

    #[derive(Debug, Deserialize)]
    struct NamedFiles {
        files: NamedTexts,
    }

    #[derive(Debug, Deserialize)]
    struct Limited {
        limits: grundy_job::job::Bounds,
    }

    #[derive(Debug, Deserialize)]
    struct Seconds {
        timeout: Option<f64>,
    }
}
