//! Operations on dictionaries.

use grundy_core::message;

use crate::error::{RuleError, type_error};
use crate::machine::Machine;
use crate::value::{Handle, Value};

/// Approximate memory for an entry, in bytes.
const ENTRY_BYTES: usize = 56;

impl Machine {
    /// Returns the index of the entry with key `key`, if there is one.
    pub(crate) fn find(&mut self, dict: Handle, key: Value) -> Result<Option<usize>, RuleError> {
        let hash = self.hash(key, 0)?;
        self.find_hashed(dict, key, hash)
    }

    /// Returns the index of the entry with key `key`, if there is one. `hash` is the hash of the
    /// key.
    fn find_hashed(
        &mut self,
        dict: Handle,
        key: Value,
        hash: u64,
    ) -> Result<Option<usize>, RuleError> {
        let contents = self.arena.get_dict(dict);
        let mut candidates = contents
            .table
            .iter_hash(hash)
            .copied()
            .filter(|&at| contents.hashes[at as usize] == hash);
        let Some(first) = candidates.next() else {
            return Ok(None);
        };
        // Usually there is only one entry with this hash, and an empty vector allocates nothing.
        // The candidates are copied, since `equal` borrows the machine.
        let others: Vec<u32> = candidates.collect();
        for at in std::iter::once(first).chain(others) {
            let known = self.arena.get_dict(dict).entries[at as usize].0;
            if self.equal(known, key, 0)? {
                return Ok(Some(at as usize));
            }
        }
        Ok(None)
    }

    /// Sets an entry: `dict[key] = value`.
    pub(crate) fn put(&mut self, dict: Value, key: Value, value: Value) -> Result<(), RuleError> {
        let Value::Dict(handle) = dict else {
            return Err(type_error(message!("expected a dict")));
        };
        let hash = self.hash(key, 0)?;
        if let Some(at) = self.find_hashed(handle, key, hash)? {
            self.arena.dict_mut(handle)?.entries[at].1 = value;
            return Ok(());
        }
        // All checks come before the change, so the dictionary does not change if the call fails.
        self.check_not_iterated(handle)?;
        self.arena.charge(ENTRY_BYTES)?;
        let dict = self.arena.dict_mut(handle)?;
        let number = dict.entries.len() as u32;
        dict.entries.push((key, value));
        dict.hashes.push(hash);
        let hashes = &dict.hashes;
        dict.table
            .insert_unique(hash, number, |&at| hashes[at as usize]);
        Ok(())
    }

    /// Copies all entries of dictionary `from` to dictionary `dict`.
    pub(crate) fn put_all(&mut self, dict: Value, from: Value) -> Result<(), RuleError> {
        let Value::Dict(from) = from else {
            return Err(type_error(message!("expected a dict")));
        };
        for index in 0..self.arena.get_dict(from).entries.len() {
            let (key, value) = self.arena.get_dict(from).entries[index];
            self.put(dict, key, value)?;
        }
        Ok(())
    }

    /// Removes the entry with key `key`, if there is one, and returns its value.
    pub(crate) fn remove_entry(
        &mut self,
        handle: Handle,
        key: Value,
    ) -> Result<Option<Value>, RuleError> {
        let Some(at) = self.find(handle, key)? else {
            return Ok(None);
        };
        self.check_not_iterated(handle)?;
        // The later entries move down by one, so the table is rebuilt. The number of steps charged
        // is proportional to the number of entries.
        self.charge(self.arena.get_dict(handle).entries.len() as u64)?;
        let dict = self.arena.dict_mut(handle)?;
        let (_, value) = dict.entries.remove(at);
        dict.hashes.remove(at);
        dict.table.clear();
        let hashes = &dict.hashes;
        for (number, &hash) in hashes.iter().enumerate() {
            dict.table
                .insert_unique(hash, number as u32, |&at| hashes[at as usize]);
        }
        Ok(Some(value))
    }

    /// Removes all entries.
    pub(crate) fn clear_dict(&mut self, handle: Handle) -> Result<(), RuleError> {
        self.check_not_iterated(handle)?;
        self.arena.dict_mut(handle)?.clear();
        Ok(())
    }
}
