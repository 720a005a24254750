//! The arena of a rule file. It stores the strings, sequences and dictionaries to which values
//! refer.
//!
//! Between two calls of rule functions, all objects that were created after the file was loaded are
//! freed together. So freeing is not recursive, and cycles are no problem. Every byte is counted
//! before it is allocated. The contents of immutable types are stored contiguously. One buffer
//! contains the characters of all strings, and another the items of all tuples and sums. A new
//! string, tuple or sum is a copy at the end of its buffer. To free all of them, the buffers are
//! truncated.

use std::ops::Range;

use grundy_core::{Kind, message};
use hashbrown::HashTable;

use crate::error::{RuleError, overflow, rule_error};
use crate::value::{Handle, Value};

/// A string in the arena, borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    /// `true` if all characters are ASCII. Then indexing takes constant time.
    pub(crate) ascii: bool,
}

impl Text<'_> {
    /// Returns the number of characters.
    pub(crate) fn length(&self) -> usize {
        if self.ascii {
            self.text.len()
        } else {
            self.text.chars().count()
        }
    }
}

/// A dictionary: a list of entries in the order of insertion, and a hash table of the indices of
/// the entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dict {
    // Invariant: `entries` and `hashes` have the same length. `table` contains the index of each
    // entry under the hash of its key.
    pub(crate) entries: Vec<(Value, Value)>,
    pub(crate) hashes: Vec<u64>,
    pub(crate) table: HashTable<u32>,
}

impl Dict {
    /// Removes all entries. The memory of the dictionary stays allocated for reuse.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.hashes.clear();
        self.table.clear();
    }
}

/// A function, with the default values of its last parameters.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) function: u32,
    pub(crate) defaults: Box<[Value]>,
}

/// An object in the arena.
#[derive(Clone, Debug)]
enum Object {
    /// A string, given by its range in `texts`.
    Text {
        start: usize,
        length: usize,
        ascii: bool,
    },
    /// A tuple or a sum, given by its range in `slots`.
    Slots {
        start: usize,
        length: usize,
    },
    /// A list.
    Items(Vec<Value>),
    Dict(Box<Dict>),
    Range(i64, i64, i64),
    /// An integer that does not fit in 64 bits. Its absolute value does.
    Wide {
        negative: bool,
        magnitude: u64,
    },
    Closure(Closure),
}

/// Size of an object in bytes. Items and characters that are stored elsewhere are not included.
const OBJECT_BYTES: usize = size_of::<Object>();

/// The largest number of vectors that are kept for reuse. The same limit applies to dictionaries.
const MAX_SPARE: usize = 256;

/// The largest capacity, in items, of a vector or dictionary that is kept for reuse.
const MAX_SPARE_CAPACITY: usize = 1024;

/// The number of bytes that each shared buffer may keep allocated between two calls.
const RETAINED_BYTES: usize = 1 << 20;

/// Divisor of the memory limit. A move may use at most the limit divided by this number.
const MOVE_DIVISOR: usize = 128;

/// The storage of all objects to which values refer.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    objects: Vec<Object>,
    /// The characters of all strings.
    texts: String,
    /// The items of all tuples and sums.
    slots: Vec<Value>,
    /// The number of bytes charged against the memory limit.
    charged: usize,
    /// The memory limit in bytes.
    limit: usize,
    /// The sizes of the contents that were created when the file was loaded. `clear` keeps these
    /// contents, and they cannot be changed. The sizes are, in order: objects, bytes in `texts`,
    /// items in `slots`, and charged bytes.
    frozen: [usize; 4],
    /// Empty vectors that are kept for reuse.
    spare: Vec<Vec<Value>>,
    #[expect(clippy::vec_box, reason = "they go from box to box")]
    spare_dicts: Vec<Box<Dict>>,
}

impl Arena {
    /// Creates an arena with a memory limit of `limit` bytes. Its first objects are the 128 strings
    /// of one ASCII character.
    pub(crate) fn new(limit: usize) -> Self {
        let character = |byte: usize| Object::Text {
            start: byte,
            length: 1,
            ascii: true,
        };
        Self {
            // Object n is the string of ASCII character n, and its text is at byte n. So indexing
            // an ASCII string allocates nothing, and a handle below 128 identifies its character.
            objects: (0..128).map(character).collect(),
            texts: (0..128_u8).map(char::from).collect(),
            slots: Vec::new(),
            charged: 0,
            limit,
            frozen: [0; 4],
            spare: Vec::new(),
            spare_dicts: Vec::new(),
        }
    }

    /// Makes the current contents permanent and immutable.
    pub(crate) fn freeze(&mut self) {
        self.frozen = [
            self.objects.len(),
            self.texts.len(),
            self.slots.len(),
            self.charged,
        ];
    }

    /// Removes all objects that were created after the last call of `freeze`.
    pub(crate) fn clear(&mut self) {
        let [objects, bytes, items, charged] = self.frozen;
        // Small vectors and dictionaries are kept for reuse, since most calls create the same kinds
        // of objects. Large ones are freed, so that their memory is available after an expensive
        // call.
        for object in self.objects.drain(objects..) {
            match object {
                Object::Items(mut items)
                    if self.spare.len() < MAX_SPARE && items.capacity() <= MAX_SPARE_CAPACITY =>
                {
                    items.clear();
                    self.spare.push(items);
                }
                Object::Dict(mut dict)
                    if self.spare_dicts.len() < MAX_SPARE
                        && dict.entries.capacity() <= MAX_SPARE_CAPACITY =>
                {
                    dict.clear();
                    self.spare_dicts.push(dict);
                }
                _ => {}
            }
        }
        self.texts.truncate(bytes);
        self.slots.truncate(items);
        // For the same reason, the shared buffers shrink after an expensive call.
        if self.charged > RETAINED_BYTES {
            self.objects.shrink_to(RETAINED_BYTES / OBJECT_BYTES);
            self.texts.shrink_to(RETAINED_BYTES);
            self.slots.shrink_to(RETAINED_BYTES / size_of::<Value>());
        }
        self.charged = charged;
    }

    /// Charges `bytes` bytes against the memory limit. Returns an error if the limit is exceeded.
    #[inline]
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<(), RuleError> {
        // The addition saturates, so that a huge request is an error and does not overflow.
        self.charged = self.charged.saturating_add(bytes);
        if self.charged > self.limit {
            return Err(self.memory_error());
        }
        Ok(())
    }

    /// Returns the number of bytes charged so far.
    pub(crate) fn charged(&self) -> usize {
        self.charged
    }

    /// Returns an error if a move of `bytes` bytes exceeds its share of the memory limit. The share
    /// is small, since a search stores a position several times: as a key, as text, and among the
    /// options.
    pub(crate) fn check_move(&self, bytes: usize) -> Result<(), RuleError> {
        let most = self.limit / MOVE_DIVISOR;
        if bytes <= most {
            return Ok(());
        }
        let mut error = rule_error(
            Kind::Limit,
            message!(
                "the rule returns a move of more than {most} KiB",
                most = most >> 10
            ),
        );
        error.help = Some(message!("build smaller lists and strings"));
        Err(error)
    }

    #[cold]
    fn memory_error(&self) -> RuleError {
        let mut error = rule_error(
            Kind::Limit,
            message!(
                "the rule uses more than {most} MiB of memory",
                most = self.limit >> 20
            ),
        );
        error.help = Some(message!("build smaller lists and strings"));
        error
    }

    /// Charges the memory for `count` values against the memory limit.
    #[inline]
    pub(crate) fn charge_items(&mut self, count: usize) -> Result<(), RuleError> {
        self.charge(count.saturating_mul(size_of::<Value>()))
    }

    /// Adds an object and returns its handle.
    fn add(&mut self, object: Object) -> Result<Handle, RuleError> {
        self.charge(OBJECT_BYTES)?;
        self.objects.push(object);
        Ok(Handle(self.objects.len() as i64 - 1))
    }

    /// Returns the string of one ASCII character.
    pub(crate) fn ascii(byte: u8) -> Value {
        Value::Str(Handle(i64::from(byte)))
    }

    /// Returns whether two strings are equal, if their handles determine this. Equal handles mean
    /// equal strings. Two strings of one ASCII character are equal only if their handles are equal.
    /// In all other cases, returns `None`, and the characters must be compared.
    #[inline]
    pub(crate) fn equal_by_handle(a: Handle, b: Handle) -> Option<bool> {
        if a == b {
            Some(true)
        } else if a.0 < 128 && b.0 < 128 {
            Some(false)
        } else {
            None
        }
    }

    /// Creates a string and charges its memory.
    pub(crate) fn text(&mut self, text: &str) -> Result<Value, RuleError> {
        let start = self.begin_text();
        self.push_str(text)?;
        self.end_text(start)
    }

    /// Begins a string that is written in pieces, and returns its start. No other string may be
    /// created before `end_text`.
    #[inline]
    pub(crate) fn begin_text(&self) -> usize {
        self.texts.len()
    }

    /// Appends text to the string that is being written.
    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) -> Result<(), RuleError> {
        self.charge(text.len())?;
        self.texts.push_str(text);
        Ok(())
    }

    /// Appends the string at `handle` to the string that is being written.
    #[inline]
    pub(crate) fn push_text(&mut self, handle: Handle) -> Result<(), RuleError> {
        if handle.0 < 128 {
            self.charge(1)?;
            self.texts.push(char::from(handle.0 as u8));
            return Ok(());
        }
        let length = self.text_range(handle).len();
        self.push_slice(handle, 0..length)
    }

    /// Appends the bytes in the range `piece` of the string at `handle` to the string that is being
    /// written.
    #[inline]
    pub(crate) fn push_slice(
        &mut self,
        handle: Handle,
        piece: Range<usize>,
    ) -> Result<(), RuleError> {
        let start = self.text_range(handle).start;
        self.charge(piece.len())?;
        // The bytes are copied within the buffer, so no string has to be borrowed.
        self.texts
            .extend_from_within(start + piece.start..start + piece.end);
        Ok(())
    }

    /// Ends the string that was begun at `start`, and returns it.
    pub(crate) fn end_text(&mut self, start: usize) -> Result<Value, RuleError> {
        let written = &self.texts.as_bytes()[start..];
        // A string of one ASCII character already exists as an object. `equal_by_handle` requires
        // that it is the only one.
        if let &[byte] = written
            && byte.is_ascii()
        {
            self.texts.truncate(start);
            return Ok(Self::ascii(byte));
        }
        let (length, ascii) = (written.len(), written.is_ascii());
        let object = Object::Text {
            start,
            length,
            ascii,
        };
        Ok(Value::Str(self.add(object)?))
    }

    /// Returns an empty vector for items. Reuses a spare vector, if there is one.
    pub(crate) fn vector(&mut self) -> Vec<Value> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes back a vector that came from [`vector`](Self::vector), and keeps it for reuse.
    pub(crate) fn put_back(&mut self, mut items: Vec<Value>) {
        if self.spare.len() < MAX_SPARE && items.capacity() <= MAX_SPARE_CAPACITY {
            items.clear();
            self.spare.push(items);
        }
    }

    /// Stores the items of a tuple or a sum, and returns the handle of the new object.
    fn add_slots(&mut self, items: &[Value]) -> Result<Handle, RuleError> {
        self.charge_items(items.len())?;
        let start = self.slots.len();
        self.slots.extend_from_slice(items);
        self.add(Object::Slots {
            start,
            length: items.len(),
        })
    }

    /// Creates a tuple.
    pub(crate) fn tuple(&mut self, items: &[Value]) -> Result<Value, RuleError> {
        Ok(Value::Tuple(self.add_slots(items)?))
    }

    /// Creates a sum of positions.
    pub(crate) fn sum(&mut self, items: &[Value]) -> Result<Value, RuleError> {
        Ok(Value::Sum(self.add_slots(items)?))
    }

    /// Creates a list.
    pub(crate) fn list(&mut self, items: Vec<Value>) -> Result<Value, RuleError> {
        self.charge_items(items.len())?;
        Ok(Value::List(self.add(Object::Items(items))?))
    }

    /// Creates a tuple from ranges of items of other sequences, in the given order.
    pub(crate) fn tuple_of(
        &mut self,
        parts: &[(Handle, Range<usize>)],
    ) -> Result<Value, RuleError> {
        self.charge_items(parts.iter().map(|(_, part)| part.len()).sum())?;
        let start = self.slots.len();
        for (handle, part) in parts {
            // The items of a list are in a separate vector. The items of a tuple are copied within
            // `slots`.
            if let Object::Items(items) = &self.objects[handle.0 as usize] {
                self.slots.extend_from_slice(&items[part.clone()]);
            } else {
                let at = self.slot_range(*handle).start;
                self.slots
                    .extend_from_within(at + part.start..at + part.end);
            }
        }
        let length = self.slots.len() - start;
        Ok(Value::Tuple(self.add(Object::Slots { start, length })?))
    }

    /// Creates a list from ranges of items of other sequences, in the given order.
    pub(crate) fn list_of(&mut self, parts: &[(Handle, Range<usize>)]) -> Result<Value, RuleError> {
        self.charge_items(parts.iter().map(|(_, part)| part.len()).sum())?;
        let mut list = self.vector();
        for (handle, part) in parts {
            list.extend_from_slice(&self.items(*handle)[part.clone()]);
        }
        Ok(Value::List(self.add(Object::Items(list))?))
    }

    /// Creates a range.
    pub(crate) fn range(&mut self, start: i64, stop: i64, step: i64) -> Result<Value, RuleError> {
        Ok(Value::Range(self.add(Object::Range(start, stop, step))?))
    }

    /// Creates an integer that does not fit in 64 bits. Its absolute value must be less than 2^64.
    pub(crate) fn wide(&mut self, n: i128) -> Result<Value, RuleError> {
        let magnitude = u64::try_from(n.unsigned_abs()).map_err(|_| overflow())?;
        let negative = n < 0;
        Ok(Value::Wide(self.add(Object::Wide {
            negative,
            magnitude,
        })?))
    }

    /// Creates an empty dictionary.
    pub(crate) fn dict(&mut self) -> Result<Value, RuleError> {
        self.charge(size_of::<Dict>())?;
        let dict = self.spare_dicts.pop().unwrap_or_default();
        Ok(Value::Dict(self.add(Object::Dict(dict))?))
    }

    /// Creates a function.
    pub(crate) fn closure(&mut self, closure: Closure) -> Result<Value, RuleError> {
        self.charge_items(closure.defaults.len())?;
        Ok(Value::Function(self.add(Object::Closure(closure))?))
    }

    fn text_range(&self, handle: Handle) -> Range<usize> {
        match self.objects[handle.0 as usize] {
            Object::Text { start, length, .. } => start..start + length,
            _ => unreachable!("a Str points at a text"),
        }
    }

    fn slot_range(&self, handle: Handle) -> Range<usize> {
        match self.objects[handle.0 as usize] {
            Object::Slots { start, length } => start..start + length,
            _ => unreachable!("a Tuple points at slots"),
        }
    }

    /// Returns the string at `handle`.
    #[inline]
    pub(crate) fn get_text(&self, handle: Handle) -> Text<'_> {
        match self.objects[handle.0 as usize] {
            Object::Text {
                start,
                length,
                ascii,
            } => Text {
                text: &self.texts[start..start + length],
                ascii,
            },
            _ => unreachable!("a Str points at a text"),
        }
    }

    /// Returns the characters of the string at `handle`.
    #[inline]
    pub(crate) fn str(&self, handle: Handle) -> &str {
        self.get_text(handle).text
    }

    /// Returns the items of a tuple, list or sum.
    #[inline]
    pub(crate) fn items(&self, handle: Handle) -> &[Value] {
        match &self.objects[handle.0 as usize] {
            Object::Items(items) => items,
            Object::Slots { start, length } => &self.slots[*start..*start + *length],
            _ => unreachable!("a sequence points at items"),
        }
    }

    /// Returns the start, the stop and the step of the range at `handle`.
    pub(crate) fn get_range(&self, handle: Handle) -> (i64, i64, i64) {
        match self.objects[handle.0 as usize] {
            Object::Range(start, stop, step) => (start, stop, step),
            _ => unreachable!("a Range points at a range"),
        }
    }

    /// Returns the integer at `handle`.
    pub(crate) fn get_wide(&self, handle: Handle) -> i128 {
        match self.objects[handle.0 as usize] {
            Object::Wide {
                negative,
                magnitude,
            } if negative => -i128::from(magnitude),
            Object::Wide { magnitude, .. } => magnitude.into(),
            _ => unreachable!("a Wide points at an integer"),
        }
    }

    /// Returns the dictionary at `handle`.
    pub(crate) fn get_dict(&self, handle: Handle) -> &Dict {
        match &self.objects[handle.0 as usize] {
            Object::Dict(dict) => dict,
            _ => unreachable!("a Dict points at a dictionary"),
        }
    }

    /// Returns the function at `handle`.
    pub(crate) fn get_closure(&self, handle: Handle) -> &Closure {
        match &self.objects[handle.0 as usize] {
            Object::Closure(closure) => closure,
            _ => unreachable!("a Function points at a closure"),
        }
    }

    /// Returns an error if an object is immutable.
    fn check_mutable(&self, handle: Handle) -> Result<(), RuleError> {
        // Objects that were created when the file was loaded are shared by all calls. If they could
        // change, the options of a position might depend on earlier calls.
        if (handle.0 as usize) < self.frozen[0] {
            let mut error = rule_error(
                Kind::Type,
                message!("values created at the top level of the file cannot be modified"),
            );
            error.help = Some(message!(
                "copy the value inside the function: list(x) or dict(x)"
            ));
            return Err(error);
        }
        Ok(())
    }

    /// Returns the items of a list so that they can be changed. The caller must charge the memory
    /// for items that it adds.
    pub(crate) fn items_mut(&mut self, handle: Handle) -> Result<&mut Vec<Value>, RuleError> {
        self.check_mutable(handle)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Items(items) => Ok(items),
            _ => unreachable!("a List points at items"),
        }
    }

    /// Appends a value to a list that is being created. No other value may refer to the list yet.
    #[inline]
    pub(crate) fn push(&mut self, handle: Handle, value: Value) -> Result<(), RuleError> {
        // Such a list is never immutable, so `check_mutable` is not called.
        self.charge_items(1)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Items(items) => items.push(value),
            _ => unreachable!("a comprehension builds items"),
        }
        Ok(())
    }

    /// Returns the dictionary at `handle` so that it can be changed. The caller must charge the
    /// memory for entries that it adds.
    pub(crate) fn dict_mut(&mut self, handle: Handle) -> Result<&mut Dict, RuleError> {
        self.check_mutable(handle)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Dict(dict) => Ok(dict),
            _ => unreachable!("a Dict points at a dictionary"),
        }
    }
}
