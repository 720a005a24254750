//! The items of lists, some of which exist under conditions.

use std::collections::HashSet;
use std::rc::Rc;

use super::evaluate::Evaluator;
use super::value::{Item, List, Value};
use super::{Decided, Undecided};

impl Evaluator<'_, '_> {
    /// Returns the values of a list, a tuple or a range of known length.
    pub(super) fn values(&mut self, of: &Value) -> Decided<Vec<Value>> {
        match *of {
            Value::Tuple(ref items) => {
                self.charge(items.len())?;
                Ok(items.to_vec())
            }
            Value::List(list) => self.read(list),
            Value::Range { from, to, .. } => {
                to.minus(from)?.as_constant().ok_or(Undecided)?;
                let mut values = Vec::new();
                self.each(of, &HashSet::new(), &mut |_, value| {
                    values.push(value);
                    Ok(true)
                })?;
                Ok(values)
            }
            _ => Err(Undecided),
        }
    }

    /// Returns the items of a list, all of which exist.
    pub(super) fn read(&mut self, list: usize) -> Decided<Vec<Value>> {
        let known = &self.lists[list];
        let current = self.unknown.as_ref().map(|unknown| unknown.number);
        let exists = |item: &Item| item.appended_in.is_none() || item.appended_in == current;
        // Other passes of a loop may have changed a list that existed before the loop.
        let may_differ = (self.unknown.as_ref())
            .is_some_and(|unknown| list < unknown.lists_before && !known.is_frozen);
        if may_differ || !known.items.iter().all(exists) {
            return Err(Undecided);
        }
        let values: Vec<Value> = known.items.iter().map(|item| item.value.clone()).collect();
        self.charge(values.len())?;
        Ok(values)
    }

    /// Returns the items of the returned list, with their conditions.
    pub(super) fn returned_items(&self, of: &Value) -> Decided<Vec<Item>> {
        match of {
            Value::List(list) => Ok(self.lists[*list].items.clone()),
            Value::Tuple(items) => Ok(items.iter().cloned().map(Item::from).collect()),
            _ => Err(Undecided),
        }
    }

    /// Returns the items of a list that is added to another list. Outside loops over an unknown
    /// number, their conditions are kept.
    pub(super) fn copied_items(&mut self, of: &Value) -> Decided<Vec<Item>> {
        if let (Value::List(list), None) = (of, &self.unknown) {
            let items = self.lists[*list].items.clone();
            self.charge(items.iter().map(|item| 1 + item.when.len()).sum())?;
            return Ok(items);
        }
        let values = self.values(of)?;
        Ok(values.into_iter().map(|value| self.item(value)).collect())
    }

    /// Returns the items of a new tuple or sum. Tuples and sums nested more than three deep are
    /// undecided, since a value is dropped recursively.
    pub(super) fn checked(&mut self, items: Vec<Value>) -> Decided<Rc<[Value]>> {
        for item in &items {
            let (Value::Tuple(parts) | Value::Sum(parts)) = item else {
                continue;
            };
            self.charge(parts.len())?;
            let is_nested = |part: &Value| matches!(part, Value::Tuple(_) | Value::Sum(_));
            if parts.iter().any(is_nested) {
                return Err(Undecided);
            }
        }
        self.charge(items.len())?;
        Ok(items.into())
    }

    pub(super) fn new_list(&mut self, items: Vec<Item>) -> Value {
        self.lists.push(List {
            items,
            is_frozen: false,
        });
        Value::List(self.lists.len() - 1)
    }

    /// Returns an item that exists under the constraints of the current loop.
    pub(super) fn item(&self, value: Value) -> Item {
        match &self.unknown {
            None => Item::from(value),
            Some(unknown) => Item {
                value,
                appended_in: Some(unknown.number),
                when: self.region.0[unknown.constraints_before..].to_vec(),
            },
        }
    }

    pub(super) fn append(&mut self, list: usize, items: Vec<Item>) -> Decided<()> {
        self.charge(items.len())?;
        let list = &mut self.lists[list];
        if list.is_frozen {
            return Err(Undecided);
        }
        list.items.extend(items);
        Ok(())
    }
}
