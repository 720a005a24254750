//! Deserialization of questions and their settings from JSON objects.
//!
//! [`KeyReader`] is a serde deserializer with readable errors. Each struct takes the keys of its
//! fields from the object, and [`KeyReader::end`] rejects the remaining keys. Thus several structs
//! can read from one object. Serde's `flatten` does that, too, but not together with the rejection
//! of unknown keys.

use std::fmt;

use grundy::nearest::nearest;
use grundy::{Diagnostic, Kind, message};
use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer as _,
    MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Map, Value};

use crate::json_object::JsonObject;

/// Largest number of characters of a key that an error repeats.
const LONGEST: usize = 60;

/// The keys of an object that no struct has taken yet.
#[derive(Debug)]
pub(crate) struct KeyReader {
    object: Map<String, Value>,
    /// The first key that is written twice, in the object or a nested object.
    repeated: Option<String>,
    /// Every key that a struct has requested, for suggestions.
    known: Vec<&'static str>,
}

impl KeyReader {
    /// Creates a reader of an object.
    pub(crate) fn of(object: JsonObject) -> Self {
        Self {
            object: object.entries,
            repeated: object.repeated,
            known: Vec::new(),
        }
    }

    /// Adds default values for keys that the object does not have.
    pub(crate) fn fill(&mut self, usual: Map<String, Value>) {
        for (key, value) in usual {
            self.object.entry(key).or_insert(value);
        }
    }

    /// Deserializes a struct and takes its keys.
    ///
    /// # Errors
    /// A key that is missing or has a wrong value.
    pub(crate) fn read<T: DeserializeOwned>(&mut self) -> Result<T, Diagnostic> {
        T::deserialize(self).map_err(|fault| fault.of("object"))
    }

    /// Rejects duplicate keys and keys that no struct has taken.
    ///
    /// # Errors
    /// The first such key. For an unknown key, the error suggests the nearest known key.
    pub(crate) fn end(self) -> Result<(), Diagnostic> {
        if let Some(key) = self.repeated {
            return Err(repeated_key(&key));
        }
        let Some(key) = self.object.keys().next() else {
            return Ok(());
        };
        let near = nearest(key, self.known.iter().copied());
        Err(match near {
            Some(near) => unknown(key).help(message!("did you mean `{near}`?", near)),
            None => unknown(key),
        })
    }
}

/// Returns the error for an unknown key.
pub(crate) fn unknown(name: &str) -> Diagnostic {
    let name = shown(name);
    Diagnostic::new(
        Kind::UnknownName,
        message!("the key `{name}` is not known here", name),
    )
}

/// Returns the error for a key that is written twice in one object.
pub(crate) fn repeated_key(key: &str) -> Diagnostic {
    let key = shown(key);
    Diagnostic::new(Kind::Syntax, message!("the key `{key}` comes twice", key))
}

/// Returns the part of a key that an error repeats.
fn shown(key: &str) -> String {
    key.chars().take(LONGEST).collect()
}

/// Returns the error for a missing required key.
pub(crate) fn missing(name: &str) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message!("the key `{name}` is missing", name))
}

/// An error about a value. The object that contains the value adds the key.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The value does not have the type that the key requires.
    NotA(Wanted),
    /// A complete error.
    Whole(Box<Diagnostic>),
}

/// A type of value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    Flag,
    Text,
    Texts,
    NamedTexts,
    /// An object with some of these keys.
    Keys(&'static [&'static str]),
    Number {
        most: u64,
    },
    Seconds,
    OneOf(&'static [&'static str]),
    /// A list of these words.
    ListOf(&'static [&'static str]),
}

impl Fault {
    /// Returns the error for the key `name`.
    fn of(self, name: &str) -> Diagnostic {
        let wanted = match self {
            Self::Whole(diagnostic) => return *diagnostic,
            Self::NotA(wanted) => wanted,
        };
        let wrong = |message| Diagnostic::new(Kind::Type, message);
        match wanted {
            Wanted::Flag => wrong(message!("`{name}` must be true or false", name)),
            Wanted::Text => wrong(message!("`{name}` must be a string", name)),
            Wanted::Texts => wrong(message!("`{name}` must be a list of strings", name)),
            Wanted::NamedTexts => wrong(message!("`{name}` must be an object of strings", name)),
            Wanted::Keys(keys) => {
                let keys = list(keys);
                wrong(message!(
                    "`{name}` must be an object with the keys {keys}",
                    name,
                    keys
                ))
            }
            Wanted::Number { most } => wrong(message!(
                "`{name}` must be a whole number from 0 to {most}",
                name,
                most
            )),
            Wanted::Seconds => {
                let message = message!("`{name}` must be a number of seconds from 0 on", name);
                Diagnostic::new(Kind::Range, message)
            }
            Wanted::OneOf(words) => {
                let message =
                    message!("`{name}` must be one of {words}", name, words = list(words));
                Diagnostic::new(Kind::Range, message)
            }
            Wanted::ListOf(words) => {
                let words = list(words);
                let message =
                    message!("`{name}` must be a list of words from {words}", name, words);
                Diagnostic::new(Kind::Range, message)
            }
        }
    }
}

/// Writes words in quotes, separated by commas.
fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(", ")
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotA(wanted) => write!(f, "not {wanted:?}"),
            Self::Whole(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(error: T) -> Self {
        // Serde passes its errors as text, so the type of the value is lost here.
        let message = message!("{error}", error);
        Self::Whole(Box::new(Diagnostic::new(Kind::Type, message)))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Whole(Box::new(missing(name)))
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
        // Registers the fields before they are read, since `end` suggests a key even if another one
        // is missing.
        self.known.extend(fields);
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

/// The fields of a struct that the object contains, in the order of the struct.
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
        // `shift_remove` keeps the order of the remaining keys, so that `end` reports the first
        // unknown key as written.
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
        read.map_err(|fault| Fault::Whole(Box::new(fault.of(field))))
    }
}

/// The value of a key.
struct ValueReader(Value);

impl ValueReader {
    /// Reads a whole number. The upper bound is in the text that the visitor expects ([`at_most`]);
    /// otherwise it is the largest value of the type.
    fn number<'de, V: Visitor<'de>>(self, visitor: V, most: u64) -> Result<V::Value, Fault> {
        // Serde passes no attributes to a deserializer. The `Expected` text of the visitor is the
        // only channel for a bound that needs no wrapper type.
        let bound = (&visitor as &dyn Expected).to_string().parse();
        let most = bound.map_or(most, |bound: u64| bound.min(most));
        match self.0.as_u64().filter(|number| *number <= most) {
            Some(number) => visitor.visit_u64(number),
            None => Err(Fault::NotA(Wanted::Number { most })),
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
            _ => Err(Fault::NotA(Wanted::Flag)),
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
        // The only numbers with a fraction are durations.
        match self.0.as_f64() {
            Some(seconds) if seconds >= 0.0 => visitor.visit_f64(seconds),
            _ => Err(Fault::NotA(Wanted::Seconds)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            _ => Err(Fault::NotA(Wanted::Text)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // Only a missing key leaves an option empty. `null` fails in the deserializer of the inner
        // type.
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
            _ => Err(Fault::NotA(Wanted::Texts)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Object(object) => visitor.visit_map(Entries {
                entries: object.into_iter(),
                value: Value::Null,
            }),
            _ => Err(Fault::NotA(Wanted::NamedTexts)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Value::Object(object) = self.0 else {
            return Err(Fault::NotA(Wanted::Keys(fields)));
        };
        // Nested objects reject their unknown keys here, since the caller never sees them.
        let mut keys = KeyReader::of(object.into());
        let read = keys.deserialize_struct(name, fields, visitor)?;
        keys.end().map_err(|error| Fault::Whole(Box::new(error)))?;
        Ok(read)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            // The check happens here because serde's own error would not name the key.
            Value::String(word) if variants.contains(&&word[..]) => {
                let word: StringDeserializer<Fault> = word.into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Fault::NotA(Wanted::OneOf(variants))),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

/// The items of a list of strings or words.
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
        // An error in an item becomes an error of the list, because only the list has a key.
        read.map(Some).map_err(|fault| {
            Fault::NotA(match fault {
                Fault::NotA(Wanted::OneOf(words)) => Wanted::ListOf(words),
                _ => Wanted::Texts,
            })
        })
    }
}

/// The entries of an object of strings.
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
        read.map_err(|_| Fault::NotA(Wanted::NamedTexts))
    }
}

/// Reads a whole number from 0 to `MOST`.
pub(crate) fn at_most<'de, const MOST: u64, N: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<N, D::Error> {
    struct Bounded(u64);

    impl Visitor<'_> for Bounded {
        type Value = u64;

        // Writes the bound only, which `ValueReader::number` parses.
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

/// Reads a whole number from 0 to `MOST` for an optional key.
pub(crate) fn some_at_most<'de, const MOST: u64, N: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<N>, D::Error> {
    at_most::<MOST, N, D>(from).map(Some)
}

/// Reads a value for a required key whose field is optional.
pub(crate) fn required<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Strings by name, in the order of the object.
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
        let mut keys = KeyReader::of(object.into());
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
    fn a_wrong_value_is_named_by_its_key() {
        let syntax = |text: &str| (Kind::Syntax, text.to_owned());
        let wrong = |text: &str| (Kind::Type, text.to_owned());
        let outside = |text: &str| (Kind::Range, text.to_owned());
        assert_eq!(
            refused::<Solve>(json!({})),
            syntax("the key `game` is missing")
        );
        for value in [json!(1), json!(null), json!(["nim(1)"]), json!({})] {
            let told = refused::<Solve>(json!({ "game": value }));
            assert_eq!(told, wrong("`game` must be a string"), "{value}");
        }
        let told = refused::<Solve>(json!({"game": "nim(1)", "genus": "yes"}));
        assert_eq!(told, wrong("`genus` must be true or false"));
        let told = refused::<Solve>(json!({"game": "nim(1)", "play": "Misere"}));
        assert_eq!(
            told,
            outside("`play` must be one of \"normal\", \"misere\"")
        );
        for of in [json!(["men"]), json!(["mean", 3])] {
            let (kind, text) = refused::<ValueQuestion>(json!({"game": "nim(1)", "of": of}));
            assert_eq!(kind, Kind::Range);
            let begins = "`of` must be a list of words from \"outcome\", \"form\", ";
            assert!(text.starts_with(begins), "{text}");
        }
        for ranges in [json!("n=1..3"), json!(["n=1..3", 4])] {
            let told = refused::<TableQuestion>(json!({"game": "kayles(n)", "ranges": ranges}));
            assert_eq!(told, wrong("`ranges` must be a list of strings"));
        }
        let told = refused::<NamedFiles>(json!({"files": {"a": 1}}));
        assert_eq!(told, wrong("`files` must be an object of strings"));
        let told = refused::<Seconds>(json!({"timeout": -1}));
        assert_eq!(
            told,
            outside("`timeout` must be a number of seconds from 0 on")
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
            let told = refused::<ExercisesQuestion>(json!({"game": "nim", "count": value}));
            let text = "`count` must be a whole number from 0 to 1000";
            assert_eq!(told, (Kind::Type, text.to_owned()), "{value}");
        }
        let sheet: ExercisesQuestion = read(json!({"game": "nim", "count": 1000})).unwrap();
        assert_eq!((sheet.count, sheet.level, sheet.seed), (1000, 3, None));
        let told = refused::<ExercisesQuestion>(json!({"game": "nim", "level": 11}));
        assert_eq!(told.1, "`level` must be a whole number from 0 to 10");
        for (limits, text) in [
            (
                json!({"memory": -1}),
                "`memory` must be a whole number from 0 to 18446744073709551615",
            ),
            (
                json!([]),
                "`limits` must be an object with the keys \"positions\", \"memory\", \"output\"",
            ),
            (
                json!({"memry": 1}),
                "the key `memry` is not known here; did you mean `memory`?",
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
    fn a_key_that_nobody_knows_is_rejected_with_the_nearest() {
        let told = refused::<Solve>(json!({"game": "nim(1)", "remotness": true}));
        let text = "the key `remotness` is not known here; did you mean `remoteness`?";
        assert_eq!(told, (Kind::UnknownName, text.to_owned()));
        let told = refused::<Solve>(json!({"game": "nim(1)", "x".repeat(70): 1}));
        assert_eq!(
            told.1,
            format!("the key `{}` is not known here", "x".repeat(60))
        );
        // Keys of other interfaces only, such as files, are unknown.
        let told = refused::<Draw>(json!({"game": "nim(1)", "svg": "a.svg"}));
        assert_eq!(told.0, Kind::UnknownName);
    }

    #[test]
    fn several_structs_read_from_one_object() {
        let Value::Object(object) =
            json!({"game": "nim(1)", "timeout": 2.5, "files": {"b": "2", "a": "1"}})
        else {
            panic!("an object is written");
        };
        let mut keys = KeyReader::of(object.into());
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
