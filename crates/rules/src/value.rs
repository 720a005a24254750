//! Values of the language, and the arena that holds what is larger than a word.
//!
//! A value is two words and is copied. Strings, sequences and dictionaries live in an arena that is cleared as a whole
//! after each question to the rules: nothing recurses when it is freed, cycles do no harm, and every byte is counted
//! before it is asked for.

use grundy::Kind;
use hashbrown::HashTable;

use crate::builtin::Builtin;
use crate::trouble::{Trouble, trouble};

/// A value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// A variable before its first assignment.
    Unset,
    None,
    Bool(bool),
    Int(i64),
    Str(Handle),
    Tuple(Handle),
    List(Handle),
    Dict(Handle),
    Range(Handle),
    /// Positions valued apart, made by `sum_of`.
    Sum(Handle),
    Function(Handle),
    Builtin(Builtin),
}

/// Where a value stands in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(u32);

impl Value {
    /// The type's name in Starlark.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Unset | Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Str(_) => "string",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
            Self::Range(_) => "range",
            Self::Sum(_) => "sum_of",
            Self::Function(_) | Self::Builtin(_) => "function",
        }
    }
}

/// A string.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) text: Box<str>,
    /// Whether characters are bytes, so that indexing is at once.
    pub(crate) ascii: bool,
}

impl Text {
    /// How many characters it has.
    pub(crate) fn length(&self) -> usize {
        if self.ascii {
            self.text.len()
        } else {
            self.text.chars().count()
        }
    }
}

/// A dictionary: entries in the order of insertion, found by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dict {
    pub(crate) entries: Vec<(Value, Value)>,
    pub(crate) hashes: Vec<u64>,
    pub(crate) table: HashTable<u32>,
}

/// A function with the values of its last parameters, where they have defaults.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) function: u32,
    pub(crate) defaults: Box<[Value]>,
}

#[derive(Clone, Debug)]
enum Object {
    Text(Text),
    Items(Vec<Value>),
    Dict(Dict),
    Range(i64, i64, i64),
    Closure(Closure),
}

/// Bytes of one object beside its contents.
const OBJECT: usize = size_of::<Object>();

/// Everything that values refer to.
#[derive(Debug)]
pub(crate) struct Arena {
    objects: Vec<Object>,
    held: usize,
    most: usize,
    /// Objects made while the file was read; they no longer change.
    frozen: usize,
    frozen_held: usize,
    /// Emptied vectors, to be filled again.
    spare: Vec<Vec<Value>>,
}

impl Arena {
    /// An arena of at most `most` bytes. The strings of one ASCII character stand at its beginning.
    pub(crate) fn new(most: usize) -> Self {
        let character = |byte: u8| {
            Object::Text(Text {
                text: char::from(byte).to_string().into(),
                ascii: true,
            })
        };
        Self {
            objects: (0..128).map(character).collect(),
            held: 0,
            most,
            frozen: 0,
            frozen_held: 0,
            spare: Vec::new(),
        }
    }

    /// What there is now stays for good and no longer changes.
    pub(crate) fn freeze(&mut self) {
        self.frozen = self.objects.len();
        self.frozen_held = self.held;
    }

    /// Back to what was frozen.
    pub(crate) fn clear(&mut self) {
        for object in self.objects.drain(self.frozen..) {
            if let Object::Items(mut items) = object
                && self.spare.len() < 64
                && items.capacity() <= 1024
            {
                items.clear();
                self.spare.push(items);
            }
        }
        self.held = self.frozen_held;
    }

    /// Counts `bytes` more.
    #[inline]
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<(), Trouble> {
        self.held = self.held.saturating_add(bytes);
        if self.held > self.most {
            return Err(self.full());
        }
        Ok(())
    }

    #[cold]
    fn full(&self) -> Trouble {
        let mut error = trouble(
            Kind::Limit,
            format!("the rule uses more than {} MiB of memory", self.most >> 20),
        );
        error.help = Some("build smaller lists and strings".to_owned());
        error
    }

    fn add(&mut self, object: Object) -> Handle {
        self.objects.push(object);
        Handle(self.objects.len() as u32 - 1)
    }

    /// A string, charged for.
    pub(crate) fn text(&mut self, text: &str) -> Result<Value, Trouble> {
        if let [byte] = text.as_bytes()
            && byte.is_ascii()
        {
            return Ok(Self::ascii(*byte));
        }
        self.charge(OBJECT + text.len())?;
        Ok(Value::Str(self.add(Object::Text(Text {
            ascii: text.is_ascii(),
            text: text.into(),
        }))))
    }

    /// The string of one ASCII character.
    pub(crate) fn ascii(byte: u8) -> Value {
        Value::Str(Handle(u32::from(byte)))
    }

    /// An empty vector for items.
    pub(crate) fn vector(&mut self) -> Vec<Value> {
        self.spare.pop().unwrap_or_default()
    }

    fn items_handle(&mut self, items: Vec<Value>) -> Result<Handle, Trouble> {
        self.charge(OBJECT + items.len() * size_of::<Value>())?;
        Ok(self.add(Object::Items(items)))
    }

    /// A tuple.
    pub(crate) fn tuple(&mut self, items: Vec<Value>) -> Result<Value, Trouble> {
        Ok(Value::Tuple(self.items_handle(items)?))
    }

    /// A list.
    pub(crate) fn list(&mut self, items: Vec<Value>) -> Result<Value, Trouble> {
        Ok(Value::List(self.items_handle(items)?))
    }

    /// A sum of positions.
    pub(crate) fn sum(&mut self, items: Vec<Value>) -> Result<Value, Trouble> {
        Ok(Value::Sum(self.items_handle(items)?))
    }

    /// A range.
    pub(crate) fn range(&mut self, start: i64, stop: i64, step: i64) -> Result<Value, Trouble> {
        self.charge(OBJECT)?;
        Ok(Value::Range(self.add(Object::Range(start, stop, step))))
    }

    /// A dictionary.
    pub(crate) fn dict(&mut self, dict: Dict) -> Result<Value, Trouble> {
        self.charge(OBJECT + dict.entries.len() * 56)?;
        Ok(Value::Dict(self.add(Object::Dict(dict))))
    }

    /// A function.
    pub(crate) fn closure(&mut self, closure: Closure) -> Result<Value, Trouble> {
        self.charge(OBJECT + closure.defaults.len() * size_of::<Value>())?;
        Ok(Value::Function(self.add(Object::Closure(closure))))
    }

    /// The string at `handle`.
    pub(crate) fn get_text(&self, handle: Handle) -> &Text {
        match &self.objects[handle.0 as usize] {
            Object::Text(text) => text,
            _ => unreachable!("a Str points at a text"),
        }
    }

    /// The characters of the string at `handle`.
    pub(crate) fn str(&self, handle: Handle) -> &str {
        &self.get_text(handle).text
    }

    /// The items of a tuple, list or sum.
    pub(crate) fn items(&self, handle: Handle) -> &[Value] {
        match &self.objects[handle.0 as usize] {
            Object::Items(items) => items,
            _ => unreachable!("a sequence points at items"),
        }
    }

    /// Start, stop and step of a range.
    pub(crate) fn get_range(&self, handle: Handle) -> (i64, i64, i64) {
        match self.objects[handle.0 as usize] {
            Object::Range(start, stop, step) => (start, stop, step),
            _ => unreachable!("a Range points at a range"),
        }
    }

    /// The dictionary at `handle`.
    pub(crate) fn get_dict(&self, handle: Handle) -> &Dict {
        match &self.objects[handle.0 as usize] {
            Object::Dict(dict) => dict,
            _ => unreachable!("a Dict points at a dictionary"),
        }
    }

    /// The function at `handle`.
    pub(crate) fn get_closure(&self, handle: Handle) -> &Closure {
        match &self.objects[handle.0 as usize] {
            Object::Closure(closure) => closure,
            _ => unreachable!("a Function points at a closure"),
        }
    }

    fn may_change(&self, handle: Handle) -> Result<(), Trouble> {
        if (handle.0 as usize) < self.frozen {
            let mut error = trouble(
                Kind::Type,
                "values made at the top of the file do not change",
            );
            error.help = Some("make a copy inside the function: list(x) or dict(x)".to_owned());
            return Err(error);
        }
        Ok(())
    }

    /// The items of a list, to be changed. What is added has to be charged for.
    pub(crate) fn items_mut(&mut self, handle: Handle) -> Result<&mut Vec<Value>, Trouble> {
        self.may_change(handle)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Items(items) => Ok(items),
            _ => unreachable!("a List points at items"),
        }
    }

    /// Appends to a list that is being built and nobody else knows yet.
    #[inline]
    pub(crate) fn push(&mut self, handle: Handle, value: Value) -> Result<(), Trouble> {
        self.charge(size_of::<Value>())?;
        match &mut self.objects[handle.0 as usize] {
            Object::Items(items) => items.push(value),
            _ => unreachable!("a comprehension builds items"),
        }
        Ok(())
    }

    /// The dictionary at `handle`, to be changed. What is added has to be charged for.
    pub(crate) fn dict_mut(&mut self, handle: Handle) -> Result<&mut Dict, Trouble> {
        self.may_change(handle)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Dict(dict) => Ok(dict),
            _ => unreachable!("a Dict points at a dictionary"),
        }
    }
}

/// The number of values of a range.
pub(crate) fn range_len((start, stop, step): (i64, i64, i64)) -> u64 {
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let length = if step > 0 {
        (stop - start + step - 1).div_euclid(step)
    } else {
        (start - stop - step - 1).div_euclid(-step)
    };
    u64::try_from(length.max(0)).unwrap_or(u64::MAX)
}
