//! A cache of results that later questions reuse, for example later lines of a batch.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_core::values::Work;
use grundy_core::{Diagnostic, Limits, Solver, Stop};
use grundy_forms::Form;

use crate::question::{Quantity, ValueRequest};
use crate::value::facts::Facts;

/// Divisor of the memory limit: between two questions, the cache may use 1/`MEMORY_DIVISOR` of that
/// limit.
const MEMORY_DIVISOR: u64 = 4;

/// Results of earlier questions: the solver with its cached values, the known facts about values,
/// and an open tablebase.
#[derive(Debug, Default)]
pub struct ResultCache {
    pub(crate) solver: Solver,
    /// The known facts about values, by form and request.
    facts: HashMap<FactsKey, Arc<Facts>>,
    facts_bytes: u64,
    /// The work done by earlier solvers, which were dropped when the cache was cleared.
    earlier_work: Work,
    /// `true` if a question has used the cache since it was created or cleared.
    used: bool,
    /// The tablebase that was opened last, with its name. It stays open because later questions may
    /// use it.
    open_file: Option<OpenFile>,
}

/// The key of a cached result: the canonical form, three flags of the `ValueRequest`, and the
/// quantities. The flags are `braces`, `latex` and `draws_thermograph`.
type FactsKey = (Form, [bool; 3], Vec<Quantity>);

// The form is the result after all changes, so the changes are not part of the key.
fn key(form: Form, request: &ValueRequest) -> FactsKey {
    let flags = [request.braces, request.latex, request.draws_thermograph];
    (form, flags, request.quantities.clone())
}

/// The name and the content of an open tablebase.
struct OpenFile(PathBuf, Box<dyn Any + Send>);

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenFile")
            .field(&self.0)
            .finish_non_exhaustive()
    }
}

impl ResultCache {
    /// Returns the work done so far, including that of dropped solvers.
    pub(crate) fn work(&self) -> Work {
        let mut work = self.earlier_work;
        work += self.solver.work();
        work
    }

    /// Returns the tablebase with this name. Opens it with `open` unless it was the last one
    /// opened.
    pub(crate) fn get_or_open<T: Any + Send>(
        &mut self,
        name: &Path,
        open: impl FnOnce() -> Result<T, Diagnostic>,
    ) -> Result<&mut T, Diagnostic> {
        let known = self
            .open_file
            .take()
            .filter(|OpenFile(known, _)| known == name);
        // The cache keeps one file. The downcast fails if the file was opened as a value of another
        // type.
        let file = match known.map(|OpenFile(_, file)| file.downcast::<T>()) {
            Some(Ok(file)) => file,
            _ => Box::new(open()?),
        };
        let OpenFile(_, file) = self.open_file.insert(OpenFile(name.to_owned(), file));
        Ok(file.downcast_mut().expect("just put there with this type"))
    }

    /// Returns whether no question has used the cache since it was created or cleared.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.used
    }

    /// Clears the cache.
    pub(crate) fn clear(&mut self) {
        // The solver is dropped, so its work is added to the total now.
        self.earlier_work += self.solver.work();
        self.solver = Solver::default();
        self.facts = HashMap::new();
        self.facts_bytes = 0;
        self.used = false;
    }

    /// Clears the cache if it uses more than 1/`MEMORY_DIVISOR` of the memory limit.
    pub(crate) fn clear_if_large(&mut self, limits: &Limits<'_>) {
        // Cached results share forms, so they cannot be removed one by one.
        if self.solver.bytes() + self.facts_bytes > limits.memory / MEMORY_DIVISOR {
            self.clear();
        }
    }

    /// Returns the cached facts about a form.
    pub(crate) fn facts(&self, form: Form, request: &ValueRequest) -> Option<Arc<Facts>> {
        let known = self.facts.get(&key(form, request))?;
        Some(Arc::clone(known))
    }

    /// Caches the facts about a form.
    pub(crate) fn insert(&mut self, form: Form, request: &ValueRequest, facts: &Arc<Facts>) {
        self.facts_bytes += facts.bytes();
        self.facts.insert(key(form, request), Arc::clone(facts));
    }

    /// Answers a question, using the cache. If the limit on positions or on memory is reached and
    /// an earlier question has used the cache, clears the cache and tries again.
    ///
    /// Results of earlier questions may occupy memory that the new question needs. The second
    /// attempt starts with an empty cache, so whether the question can be answered does not depend
    /// on the earlier ones.
    pub(crate) fn with_retry<T>(
        &mut self,
        mut question: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        // With an empty cache, a second attempt would reach the same limit.
        let used = std::mem::replace(&mut self.used, true);
        match question(self) {
            Err(Stop::Positions(_) | Stop::Memory(_)) if used => {
                self.clear();
                self.used = true;
                question(self)
            }
            answer => answer,
        }
    }
}
