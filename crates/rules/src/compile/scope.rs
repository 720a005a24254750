//! Resolution of names: which variable a name refers to in each function.

use grundy_syntax::Statement;

use crate::assigned::assigned_names;
use crate::program::Function;

/// A loop that is being compiled.
#[derive(Debug)]
pub(super) struct Loop {
    /// The index of the instruction that requests the next value.
    pub(super) start: u32,
    /// The indices of the jumps to the end of the loop.
    pub(super) breaks: Vec<usize>,
}

/// A function that is being compiled.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) function: Function,
    /// `true` at the top level of the file, where names are global.
    pub(super) top_level: bool,
    /// The variables of the enclosing comprehensions, each with its slot, which is its index among
    /// the local variables. Those of the innermost comprehension are the last.
    pub(super) comprehension_variables: Vec<(String, u32)>,
    pub(super) loops: Vec<Loop>,
    /// The largest index that is the target of a jump. The instruction at this index is not merged
    /// with the one before it.
    pub(super) last_target: usize,
}

impl Scope {
    /// Creates the scope of the top level of a file.
    pub(super) fn top_level() -> Self {
        let mut scope = Self::function("the file", Vec::new(), 0);
        scope.top_level = true;
        scope
    }

    /// Creates the scope of a function.
    pub(super) fn function(name: &str, parameters: Vec<String>, defaults: usize) -> Self {
        Self {
            function: Function {
                name: name.to_owned(),
                locals: parameters.clone(),
                parameters,
                defaults,
                ..Function::default()
            },
            top_level: false,
            comprehension_variables: Vec::new(),
            loops: Vec::new(),
            last_target: 0,
        }
    }

    /// Adds a local variable and returns its slot, which is its index among the local variables.
    pub(super) fn variable(&mut self, name: &str) -> u32 {
        self.function.locals.push(name.to_owned());
        self.function.locals.len() as u32 - 1
    }

    /// Returns the slot of the local variable called `name`, if there is one.
    pub(super) fn local(&self, name: &str) -> Option<u32> {
        let inner = self
            .comprehension_variables
            .iter()
            .rev()
            .find(|(known, _)| known == name);
        inner.map(|(_, slot)| *slot).or_else(|| {
            // The variables of comprehensions have no name in `locals`, so that they are found only
            // while they are in `comprehension_variables`.
            let locals = &self.function.locals;
            let found = locals.iter().position(|known| known == name);
            found.map(|slot| slot as u32)
        })
    }
}

/// Appends to `names` the names to which statements assign, each only once. Assignments inside
/// inner functions are not included.
pub(super) fn collect_assigned(statements: &[Statement], names: &mut Vec<String>) {
    // In Starlark, the whole function determines whether a name is local. So the names are
    // collected before the code is compiled.
    assigned_names(statements, &mut |name, _| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    });
}
