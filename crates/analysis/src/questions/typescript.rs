//! The keys of each question as TypeScript types, for the web page and the npm module.
//!
//! Each question is deserialized from an object that records the type of each key that is read.
//! Hence the TypeScript types are exactly those that the question accepts. The command
//! `GRUNDY_BLESS=1 cargo test -p grundy-analysis typescript` writes them to `FILE`.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::Path;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer as _, MapAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::QUESTIONS;
use crate::keys::Fault;
use crate::question::Played;
use crate::request::{AudienceKeys, Envelope};

/// Largest integer such that JavaScript represents it and all smaller ones exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The generated file. Its path is relative to the folder of this crate.
const FILE: &str = "../server/page/src/engine/keys.ts";

/// The keys of a struct, as triples: the name of the key, its TypeScript type, and `true` if the
/// key is optional.
pub(super) type Keys = Vec<(&'static str, String, bool)>;

/// Returns the keys of a struct.
pub(super) fn keys<T: DeserializeOwned>() -> Keys {
    let all = Recorder::default();
    assert!(
        T::deserialize(&all).is_ok(),
        "an object with every key is read"
    );
    let types = all.types.into_inner();
    // Serde does not tell which fields are optional. Hence each key is left out once, to see
    // whether this is an error.
    let optional = |name| {
        let without = Recorder {
            skipped: Some(name),
            ..Recorder::default()
        };
        T::deserialize(&without).is_ok()
    };
    let keys = types.into_iter();
    keys.map(|(name, of)| (name, of, optional(name))).collect()
}

/// Returns the keys of a question about a game in progress, preceded by the keys of the game
/// itself.
pub(super) fn keys_of_game<T: DeserializeOwned>() -> Keys {
    let mut keys = keys::<Played>();
    keys.extend(self::keys::<T>());
    keys
}

/// A deserializer that claims to have every key except `skipped`. It records the type of each key
/// that is read.
#[derive(Default)]
struct Recorder {
    types: RefCell<Vec<(&'static str, String)>>,
    skipped: Option<&'static str>,
}

impl<'de> Deserializer<'de> for &Recorder {
    type Error = Fault;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(Fields {
            recorder: self,
            names: fields.iter(),
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Fields<'a> {
    recorder: &'a Recorder,
    names: std::slice::Iter<'static, &'static str>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let skipped = self.recorder.skipped;
        let Some(name) = self.names.find(|name| Some(**name) != skipped) else {
            return Ok(None);
        };
        let mut types = self.recorder.types.borrow_mut();
        types.push((name, String::new()));
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        seed.deserialize(Field(self.recorder))
    }
}

/// A deserializer of the value of the key that was read last.
struct Field<'a>(&'a Recorder);

impl Field<'_> {
    fn record(&self, of: impl Into<String>) {
        if let Some((_, last)) = self.0.types.borrow_mut().last_mut() {
            *last = of.into();
        }
    }

    fn number<'de, V: Visitor<'de>>(self, visitor: V, most: u64) -> Result<V::Value, Fault> {
        let bound = (&visitor as &dyn Expected).to_string().parse();
        let most = bound.unwrap_or(most);
        // The type `Whole` is a bigint or a number, since a larger value would lose digits as a
        // number.
        self.record(if most > MAX_SAFE_INTEGER {
            "Whole"
        } else {
            "number"
        });
        visitor.visit_u64(0)
    }
}

impl<'de> Deserializer<'de> for Field<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.record("unknown");
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.record("boolean");
        visitor.visit_bool(false)
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
        self.record("number");
        visitor.visit_f64(0.0)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.record("string");
        visitor.visit_string(String::new())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.record("string[]");
        let nothing: [String; 0] = [];
        visitor.visit_seq(SeqDeserializer::new(nothing.into_iter()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.record("Record<string, string>");
        let nothing: [(String, String); 0] = [];
        visitor.visit_map(MapDeserializer::new(nothing.into_iter()))
    }

    /// Records the type of a nested object. All of its keys are optional.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let inner = Recorder::default();
        let value = visitor.visit_map(Fields {
            recorder: &inner,
            names: fields.iter(),
        })?;
        // Every key of a nested object has a default value.
        let keys = inner.types.into_inner().into_iter();
        let keys: Vec<String> = keys.map(|(name, of)| format!("{name}?: {of}")).collect();
        self.record(format!("{{ {} }}", keys.join("; ")));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let words: Vec<String> = variants.iter().map(|word| format!("\"{word}\"")).collect();
        self.record(words.join(" | "));
        let word: StrDeserializer<'_, Fault> = variants[0].into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u128 f32 char bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct identifier ignored_any
    }
}

/// Writes the keys of a TypeScript interface, one per line.
fn write(out: &mut String, keys: &Keys, indent: &str) {
    for (name, of, optional) in keys {
        let mark = if *optional { "?" } else { "" };
        let _ = writeln!(out, "{indent}{name}{mark}: {of};");
    }
}

fn file() -> String {
    let mut out = String::from(
        "// The keys of every question, generated from the structs in crates/analysis/src/question:\n\
         // GRUNDY_BLESS=1 cargo test -p grundy-analysis typescript\n\
         import type { Whole } from \"./json.ts\";\n\n\
         /** Keys that every question may have. */\n\
         export interface Envelope {\n  id?: unknown;\n",
    );
    write(&mut out, &keys::<AudienceKeys>(), "  ");
    write(&mut out, &keys::<Envelope>(), "  ");
    out.push_str("}\n\n/** The keys of each question, by its name. */\nexport interface Keys {\n");
    for entry in &QUESTIONS {
        let _ = writeln!(out, "  {}: {{", entry.name);
        write(&mut out, &(entry.keys)(), "    ");
        out.push_str("  };\n");
    }
    out.push_str("}\n");
    out
}

#[test]
fn typescript_keys_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let generated = file();
    // The file is written only on request. Otherwise the test could not detect an outdated file.
    if std::env::var_os("GRUNDY_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &generated).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert!(
        stored == generated,
        "{FILE} is out of date; its header explains how to regenerate it"
    );
}
