//! Parsing of JSON objects that detects duplicate keys.
//!
//! A plain map keeps the last value of a duplicate key. Another parser may keep the first, and
//! would then read another question or another claim. Hence the first duplicate key is recorded,
//! and the caller rejects the object.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Value};

/// A parsed JSON object, with its first duplicate key if it has one.
#[derive(Debug, Default)]
pub struct JsonObject {
    pub(crate) entries: Map<String, Value>,
    pub(crate) duplicate: Option<String>,
}

impl JsonObject {
    /// Parses an object.
    ///
    /// # Errors
    /// A text that is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::request::JsonObject;
    /// assert_eq!(JsonObject::read(br#"{"game": "nim(3)"}"#)?.text(), r#"{"game":"nim(3)"}"#);
    /// assert!(JsonObject::read(b"[3, 4]").is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(text: &[u8]) -> Result<Self, Error> {
        let mut duplicate = None;
        let mut reader = serde_json::Deserializer::from_slice(text);
        let entries = (&mut reader).deserialize_map(Entries(&mut duplicate))?;
        // Text after the object is an error, which `end` reports.
        reader.end()?;
        Ok(Self { entries, duplicate })
    }

    /// Returns the object as JSON. For a duplicate key, the first value is kept.
    ///
    /// ```
    /// use grundy_analysis::request::JsonObject;
    /// let object = JsonObject::read(br#"{"game": "nim(3)", "game": "nim(4)"}"#)?;
    /// assert_eq!(object.text(), r#"{"game":"nim(3)"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(&self.entries).unwrap_or_default()
    }

    /// Removes a key and returns its value.
    ///
    /// ```
    /// use grundy_analysis::request::JsonObject;
    /// let mut object = JsonObject::read(br#"{"id": 7, "game": "nim(3)"}"#)?;
    /// assert_eq!(object.remove("id"), Some(7.into()));
    /// assert_eq!((object.remove("id"), object.text()), (None, r#"{"game":"nim(3)"}"#.to_owned()));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.entries.shift_remove(key)
    }
}

impl From<Map<String, Value>> for JsonObject {
    fn from(entries: Map<String, Value>) -> Self {
        let duplicate = None;
        Self { entries, duplicate }
    }
}

/// Parses any JSON value. Also returns the first duplicate key of an object in it.
pub(crate) fn read_value(text: &str) -> Result<(Value, Option<String>), Error> {
    let mut duplicate = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = AnyValue(&mut duplicate).deserialize(&mut reader)?;
    reader.end()?;
    Ok((value, duplicate))
}

/// A visitor that reads the entries of an object. It stores the first duplicate key in its field.
struct Entries<'a>(&'a mut Option<String>);

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Map<String, Value>, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            // The value is read first. A duplicate key in it precedes this one if both are
            // duplicates.
            let value = entries.next_value_seed(AnyValue(&mut *self.0))?;
            if map.contains_key(&key) {
                self.0.get_or_insert(key);
            } else {
                map.insert(key, value);
            }
        }
        Ok(map)
    }
}

/// A visitor that reads any value. It stores the first duplicate key of an object in its field.
struct AnyValue<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for AnyValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(AnyValue(&mut *self.0))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Value, A::Error> {
        Entries(self.0).visit_map(entries).map(Value::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duplicate(text: &str) -> Option<String> {
        let object = JsonObject::read(text.as_bytes()).unwrap();
        let (_, of_value) = read_value(text).unwrap();
        assert_eq!(of_value, object.duplicate, "{text}");
        object.duplicate
    }

    #[test]
    fn the_first_duplicate_key_is_recorded() {
        assert_eq!(duplicate(r#"{"a": {"a": [1, {"a": 2}]}, "b": 1}"#), None);
        assert_eq!(duplicate(r#"{"a": 1, "b": 1, "a": 1}"#).unwrap(), "a");
        // Escapes are decoded before keys are compared: `\u0061` is `a`.
        assert_eq!(duplicate(r#"{"a": 1, "\u0061": 1}"#).unwrap(), "a");
        // The inner duplicate comes first in the text, although the outer object begins before it.
        let deep = r#"{"a": [null, {"c": {"b": -1, "b": 0.5}}], "a": 1}"#;
        assert_eq!(duplicate(deep).unwrap(), "b");
    }

    #[test]
    fn values_parse_as_in_serde_json() {
        let text = r#"{"b": [0, -1, 18446744073709551615, 0.5, 1e3], "a": {"": null, "c": "\u00e9"},
            "d": [true, false, [], {}, "x"]}"#;
        let plain: Map<String, Value> = serde_json::from_str(text).unwrap();
        let object = JsonObject::read(text.as_bytes()).unwrap();
        assert!(object.entries.iter().eq(&plain), "{object:?}");
        for wrong in [
            "",
            "[]",
            "1",
            "{} {}",
            "{",
            r#"{"a"}"#,
            "\"a\"",
            "{\"a\": \"\u{1}\"}",
        ] {
            let plain = serde_json::from_str::<Map<String, Value>>(wrong).unwrap_err();
            let error = JsonObject::read(wrong.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), plain.to_string(), "{wrong}");
        }
    }
}
