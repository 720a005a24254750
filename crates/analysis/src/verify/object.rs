//! Reading a certificate's JSON: every key once, so that nobody can read another claim in it than the one that is checked.

use std::fmt;

use grundy::{Diagnostic, Kind, message};
use grundy_notation::json_error;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The value of a text in which no object has a key twice.
pub(super) fn read(text: &str) -> Result<Value, Diagnostic> {
    match serde_json::from_str::<Once>(text) {
        Ok(Once(value)) => Ok(value),
        Err(error) if error.is_data() => {
            let message = message!(
                "the certificate is refused: {why}",
                why = json_error(&error)
            );
            Err(Diagnostic::new(Kind::Syntax, message))
        }
        Err(_) => {
            let message = message!("the file is not a certificate: not JSON");
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}

/// A JSON value without a key that is given twice.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceKeys).map(Once)
    }
}

struct OnceKeys;

impl<'de> Visitor<'de> for OnceKeys {
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
        while let Some(Once(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Once(value) = entries.next_value()?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
