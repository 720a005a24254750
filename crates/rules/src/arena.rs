//! The arena: holds strings, sequences and dictionaries, which values refer to.
//!
//! It is cleared as a whole after each question to the rules: nothing recurses when it is freed,
//! cycles do no harm, and every byte is counted before it is asked for. What never changes, the
//! characters of strings and the items of tuples, stands in one row each, so that making one is a
//! copy and freeing them all is a cut.

use std::ops::Range;

use grundy::{Kind, message};
use hashbrown::HashTable;

use crate::trouble::{Trouble, trouble};
use crate::value::{Handle, Value};

/// A string, seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    /// `true` if characters are bytes, so that indexing is at once.
    pub(crate) ascii: bool,
}

impl Text<'_> {
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

impl Dict {
    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.hashes.clear();
        self.table.clear();
    }
}

/// A function with the values of its last parameters, where they have defaults.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) function: u32,
    pub(crate) defaults: Box<[Value]>,
}

#[derive(Clone, Debug)]
enum Object {
    /// Bytes of `texts`.
    Text {
        start: usize,
        length: usize,
        ascii: bool,
    },
    /// A tuple or a sum: values of `slots`.
    Fixed {
        start: usize,
        length: usize,
    },
    /// A list.
    Items(Vec<Value>),
    Dict(Box<Dict>),
    Range(i64, i64, i64),
    Closure(Closure),
}

/// Bytes of one object beside its contents.
const OBJECT: usize = size_of::<Object>();

/// Emptied objects that are kept to be filled again, of each kind.
const SPARE: usize = 256;

/// Largest one that is kept, in items.
const SPARE_ITEMS: usize = 1024;

/// Bytes that are kept from one question to the next.
const KEPT: usize = 1 << 20;

/// The memory of a question, in moves of the greatest size.
const MOVES: usize = 128;

/// Everything that values refer to.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    objects: Vec<Object>,
    /// The characters of all strings.
    texts: String,
    /// The items of all tuples.
    slots: Vec<Value>,
    held: usize,
    most: usize,
    /// What was made while the file was read and no longer changes: objects, bytes, items, and what
    /// they were charged.
    frozen: [usize; 4],
    /// Emptied vectors and dictionaries, to be filled again.
    spare: Vec<Vec<Value>>,
    #[expect(clippy::vec_box, reason = "they go from box to box")]
    spare_dicts: Vec<Box<Dict>>,
}

impl Arena {
    /// Returns an arena of at most `most` bytes. The strings of one ASCII character stand at its
    /// beginning.
    pub(crate) fn new(most: usize) -> Self {
        let character = |byte: usize| Object::Text {
            start: byte,
            length: 1,
            ascii: true,
        };
        Self {
            objects: (0..128).map(character).collect(),
            texts: (0..128_u8).map(char::from).collect(),
            slots: Vec::new(),
            held: 0,
            most,
            frozen: [0; 4],
            spare: Vec::new(),
            spare_dicts: Vec::new(),
        }
    }

    /// What there is now stays for good and no longer changes.
    pub(crate) fn freeze(&mut self) {
        self.frozen = [
            self.objects.len(),
            self.texts.len(),
            self.slots.len(),
            self.held,
        ];
    }

    /// Back to what was frozen.
    pub(crate) fn clear(&mut self) {
        let [objects, bytes, items, held] = self.frozen;
        for object in self.objects.drain(objects..) {
            match object {
                Object::Items(mut items)
                    if self.spare.len() < SPARE && items.capacity() <= SPARE_ITEMS =>
                {
                    items.clear();
                    self.spare.push(items);
                }
                Object::Dict(mut dict)
                    if self.spare_dicts.len() < SPARE && dict.entries.capacity() <= SPARE_ITEMS =>
                {
                    dict.clear();
                    self.spare_dicts.push(dict);
                }
                _ => {}
            }
        }
        self.texts.truncate(bytes);
        self.slots.truncate(items);
        if self.held > KEPT {
            self.objects.shrink_to(KEPT / OBJECT);
            self.texts.shrink_to(KEPT);
            self.slots.shrink_to(KEPT / size_of::<Value>());
        }
        self.held = held;
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

    /// Returns the bytes that are held.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    /// Refuses a move of more than a small part of the memory: searches store a position several
    /// times, as a key, as text and among the options.
    pub(crate) fn check_move(&self, bytes: usize) -> Result<(), Trouble> {
        let most = self.most / MOVES;
        if bytes <= most {
            return Ok(());
        }
        let mut error = trouble(
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
    fn full(&self) -> Trouble {
        let mut error = trouble(
            Kind::Limit,
            message!(
                "the rule uses more than {most} MiB of memory",
                most = self.most >> 20
            ),
        );
        error.help = Some(message!("build smaller lists and strings"));
        error
    }

    /// Counts `count` values more.
    #[inline]
    pub(crate) fn charge_items(&mut self, count: usize) -> Result<(), Trouble> {
        self.charge(count.saturating_mul(size_of::<Value>()))
    }

    fn add(&mut self, object: Object) -> Result<Handle, Trouble> {
        self.charge(OBJECT)?;
        self.objects.push(object);
        Ok(Handle(self.objects.len() as i64 - 1))
    }

    /// Returns the string of one ASCII character.
    pub(crate) fn ascii(byte: u8) -> Value {
        Value::Str(Handle(i64::from(byte)))
    }

    /// Two strings that are the same object are equal, and two of one character are equal only
    /// then. None: their characters decide.
    #[inline]
    pub(crate) fn same_text(a: Handle, b: Handle) -> Option<bool> {
        if a == b {
            Some(true)
        } else if a.0 < 128 && b.0 < 128 {
            Some(false)
        } else {
            None
        }
    }

    /// Returns a string, charged for.
    pub(crate) fn text(&mut self, text: &str) -> Result<Value, Trouble> {
        let start = self.begin_text();
        self.push_str(text)?;
        self.end_text(start)
    }

    /// Begins a string that is written piece by piece. Until it is ended no other string is made.
    #[inline]
    pub(crate) fn begin_text(&self) -> usize {
        self.texts.len()
    }

    /// Appends to the string being written.
    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) -> Result<(), Trouble> {
        self.charge(text.len())?;
        self.texts.push_str(text);
        Ok(())
    }

    /// Appends another string to the one being written.
    #[inline]
    pub(crate) fn push_text(&mut self, handle: Handle) -> Result<(), Trouble> {
        if handle.0 < 128 {
            self.charge(1)?;
            self.texts.push(char::from(handle.0 as u8));
            return Ok(());
        }
        let length = self.text_range(handle).len();
        self.push_piece(handle, 0..length)
    }

    /// Appends bytes `piece` of another string to the one being written.
    #[inline]
    pub(crate) fn push_piece(
        &mut self,
        handle: Handle,
        piece: Range<usize>,
    ) -> Result<(), Trouble> {
        let start = self.text_range(handle).start;
        self.charge(piece.len())?;
        self.texts
            .extend_from_within(start + piece.start..start + piece.end);
        Ok(())
    }

    /// Ends the string that was begun at `start`.
    pub(crate) fn end_text(&mut self, start: usize) -> Result<Value, Trouble> {
        let written = &self.texts.as_bytes()[start..];
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

    /// Returns an empty vector for items.
    pub(crate) fn vector(&mut self) -> Vec<Value> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes a vector from [`vector`](Self::vector) back.
    pub(crate) fn put_back(&mut self, mut items: Vec<Value>) {
        if self.spare.len() < SPARE && items.capacity() <= SPARE_ITEMS {
            items.clear();
            self.spare.push(items);
        }
    }

    fn fixed(&mut self, items: &[Value]) -> Result<Handle, Trouble> {
        self.charge_items(items.len())?;
        let start = self.slots.len();
        self.slots.extend_from_slice(items);
        self.add(Object::Fixed {
            start,
            length: items.len(),
        })
    }

    /// Returns a tuple.
    pub(crate) fn tuple(&mut self, items: &[Value]) -> Result<Value, Trouble> {
        Ok(Value::Tuple(self.fixed(items)?))
    }

    /// Returns a sum of positions.
    pub(crate) fn sum(&mut self, items: &[Value]) -> Result<Value, Trouble> {
        Ok(Value::Sum(self.fixed(items)?))
    }

    /// Returns a list.
    pub(crate) fn list(&mut self, items: Vec<Value>) -> Result<Value, Trouble> {
        self.charge_items(items.len())?;
        Ok(Value::List(self.add(Object::Items(items))?))
    }

    /// Returns a tuple of parts of other sequences, one after another.
    pub(crate) fn tuple_of(&mut self, parts: &[(Handle, Range<usize>)]) -> Result<Value, Trouble> {
        self.charge_items(parts.iter().map(|(_, part)| part.len()).sum())?;
        let start = self.slots.len();
        for (handle, part) in parts {
            if let Object::Items(items) = &self.objects[handle.0 as usize] {
                self.slots.extend_from_slice(&items[part.clone()]);
            } else {
                let at = self.slot_range(*handle).start;
                self.slots
                    .extend_from_within(at + part.start..at + part.end);
            }
        }
        let length = self.slots.len() - start;
        Ok(Value::Tuple(self.add(Object::Fixed { start, length })?))
    }

    /// Returns a list of parts of other sequences, one after another.
    pub(crate) fn list_of(&mut self, parts: &[(Handle, Range<usize>)]) -> Result<Value, Trouble> {
        self.charge_items(parts.iter().map(|(_, part)| part.len()).sum())?;
        let mut list = self.vector();
        for (handle, part) in parts {
            list.extend_from_slice(&self.items(*handle)[part.clone()]);
        }
        Ok(Value::List(self.add(Object::Items(list))?))
    }

    /// Returns a range.
    pub(crate) fn range(&mut self, start: i64, stop: i64, step: i64) -> Result<Value, Trouble> {
        Ok(Value::Range(self.add(Object::Range(start, stop, step))?))
    }

    /// Returns an empty dictionary.
    pub(crate) fn dict(&mut self) -> Result<Value, Trouble> {
        self.charge(size_of::<Dict>())?;
        let dict = self.spare_dicts.pop().unwrap_or_default();
        Ok(Value::Dict(self.add(Object::Dict(dict))?))
    }

    /// Returns a function.
    pub(crate) fn closure(&mut self, closure: Closure) -> Result<Value, Trouble> {
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
            Object::Fixed { start, length } => start..start + length,
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
            Object::Fixed { start, length } => &self.slots[*start..*start + *length],
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

    fn may_change(&self, handle: Handle) -> Result<(), Trouble> {
        if (handle.0 as usize) < self.frozen[0] {
            let mut error = trouble(
                Kind::Type,
                message!("values made at the top of the file do not change"),
            );
            error.help = Some(message!(
                "make a copy inside the function: list(x) or dict(x)"
            ));
            return Err(error);
        }
        Ok(())
    }

    /// Returns the items of a list, to be changed. What is added has to be charged for.
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
        self.charge_items(1)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Items(items) => items.push(value),
            _ => unreachable!("a comprehension builds items"),
        }
        Ok(())
    }

    /// Returns the dictionary at `handle`, to be changed. What is added has to be charged for.
    pub(crate) fn dict_mut(&mut self, handle: Handle) -> Result<&mut Dict, Trouble> {
        self.may_change(handle)?;
        match &mut self.objects[handle.0 as usize] {
            Object::Dict(dict) => Ok(dict),
            _ => unreachable!("a Dict points at a dictionary"),
        }
    }
}
