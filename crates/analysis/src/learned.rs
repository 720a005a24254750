//! A cache of results that later questions reuse, for example later lines of a batch.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy::values::Work;
use grundy::{Diagnostic, Limits, Solver, Stop};
use grundy_forms::Form;

use crate::question::{Quantity, Telling};
use crate::value::facts::Facts;

/// Divisor of the memory limit: between two questions, the cache may use 1/`KEPT` of that limit.
const KEPT: u64 = 4;

/// Results of earlier questions: values, tables and answers.
#[derive(Debug, Default)]
pub struct Learned {
    pub(crate) solver: Solver,
    /// The known facts about values, by form and request.
    facts: HashMap<Asked, Arc<Facts>>,
    facts_bytes: u64,
    /// The work done by earlier solvers, which have been dropped.
    forgotten: Work,
    /// `true` if the cache may contain anything.
    used: bool,
    /// The file that was opened last, with its name. It stays open because later questions may use
    /// the same tablebase.
    open: Option<Open>,
}

/// The key of a cached result: the form, three flags (braces only, typeset, picture), and the
/// quantities.
type Asked = (Form, [bool; 3], Vec<Quantity>);

// The form is the result after all changes, so the changes are not part of the key.
fn key(form: Form, telling: &Telling) -> Asked {
    let flags = [telling.braces, telling.latex, telling.picture];
    (form, flags, telling.of.clone())
}

/// An open file and its name.
struct Open(PathBuf, Box<dyn Any + Send>);

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Open").field(&self.0).finish_non_exhaustive()
    }
}

impl Learned {
    /// Returns the work done so far, including that of dropped solvers.
    pub(crate) fn work(&self) -> Work {
        let mut work = self.forgotten;
        work += self.solver.work();
        work
    }

    /// Returns the file with this name, which is opened unless it is the file that was opened last.
    pub(crate) fn opened<T: Any + Send>(
        &mut self,
        name: &Path,
        open: impl FnOnce() -> Result<T, Diagnostic>,
    ) -> Result<&mut T, Diagnostic> {
        let known = self.open.take().filter(|Open(known, _)| known == name);
        // The cache keeps one file. The downcast fails if this name was opened as a file of another
        // type.
        let file = match known.map(|Open(_, file)| file.downcast::<T>()) {
            Some(Ok(file)) => file,
            _ => Box::new(open()?),
        };
        let Open(_, file) = self.open.insert(Open(name.to_owned(), file));
        Ok(file.downcast_mut().expect("just put there with this type"))
    }

    /// Returns whether the cache has never been used.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.used
    }

    /// Clears the cache.
    pub(crate) fn forget(&mut self) {
        // The solver is dropped, so its work is added to the total now.
        self.forgotten += self.solver.work();
        self.solver = Solver::default();
        self.facts = HashMap::new();
        self.facts_bytes = 0;
        self.used = false;
    }

    /// Clears the cache if it uses more than its share of the memory limit.
    pub(crate) fn tidy(&mut self, limits: &Limits<'_>) {
        // Cached results share forms, so they cannot be removed one by one.
        if self.solver.bytes() + self.facts_bytes > limits.memory / KEPT {
            self.forget();
        }
    }

    /// Returns the cached facts about a form.
    pub(crate) fn facts(&self, form: Form, telling: &Telling) -> Option<Arc<Facts>> {
        let known = self.facts.get(&key(form, telling))?;
        Some(Arc::clone(known))
    }

    /// Caches the facts about a form.
    pub(crate) fn keep(&mut self, form: Form, telling: &Telling, facts: &Arc<Facts>) {
        self.facts_bytes += facts.bytes();
        self.facts.insert(key(form, telling), Arc::clone(facts));
    }

    /// Answers a question, using the cache. If a limit is reached, empties the cache and tries
    /// again.
    ///
    /// Earlier results may occupy memory that this question needs. The second attempt ensures that
    /// they never change an answer.
    pub(crate) fn ask<T>(
        &mut self,
        mut question: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        // With an empty cache, a second attempt would reach the same limit.
        let used = std::mem::replace(&mut self.used, true);
        match question(self) {
            Err(Stop::Positions(_) | Stop::Memory(_)) if used => {
                self.forget();
                self.used = true;
                question(self)
            }
            answer => answer,
        }
    }
}
