//! What questions leave for those that follow, as the lines of a batch do.

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

/// The share of the memory that is allowed which may be kept from one question to the next, 1 in so
/// many.
const KEPT: u64 = 4;

/// Values, tables and answers of earlier questions, for those that follow.
#[derive(Debug, Default)]
pub struct Learned {
    pub(crate) solver: Solver,
    /// Facts about values, by what was asked.
    facts: HashMap<Asked, Arc<Facts>>,
    facts_bytes: u64,
    /// What solvers that had to be forgotten had done.
    forgotten: Work,
    /// `true` if there is anything to forget.
    used: bool,
    /// The file that was opened last, by its name: a tablebase that several questions ask.
    open: Option<Open>,
}

/// A form, and what is asked of it: in braces alone, typeset, with a picture, and which quantities.
type Asked = (Form, [bool; 3], Vec<Quantity>);

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
    /// Returns the work done so far.
    pub(crate) fn work(&self) -> Work {
        let mut work = self.forgotten;
        work += self.solver.work();
        work
    }

    /// Returns the file of this name, opened before or now.
    pub(crate) fn opened<T: Any + Send>(
        &mut self,
        name: &Path,
        open: impl FnOnce() -> Result<T, Diagnostic>,
    ) -> Result<&mut T, Diagnostic> {
        let known = self.open.take().filter(|Open(known, _)| known == name);
        let file = match known.map(|Open(_, file)| file.downcast::<T>()) {
            Some(Ok(file)) => file,
            _ => Box::new(open()?),
        };
        let Open(_, file) = self.open.insert(Open(name.to_owned(), file));
        Ok(file.downcast_mut().expect("just put there with this type"))
    }

    /// Returns whether no question was asked yet.
    pub(crate) fn is_fresh(&self) -> bool {
        !self.used
    }

    /// Begins anew.
    pub(crate) fn forget(&mut self) {
        self.forgotten += self.solver.work();
        self.solver = Solver::default();
        self.facts = HashMap::new();
        self.facts_bytes = 0;
        self.used = false;
    }

    /// Forgets everything where that has become much.
    pub(crate) fn tidy(&mut self, limits: &Limits<'_>) {
        if self.solver.bytes() + self.facts_bytes > limits.memory / KEPT {
            self.forget();
        }
    }

    /// What was told of a form before.
    pub(crate) fn facts(&self, form: Form, telling: &Telling) -> Option<Arc<Facts>> {
        let known = self.facts.get(&key(form, telling))?;
        Some(Arc::clone(known))
    }

    /// Keeps what is told of a form.
    pub(crate) fn keep(&mut self, form: Form, telling: &Telling, facts: &Arc<Facts>) {
        self.facts_bytes += facts.bytes();
        self.facts.insert(key(form, telling), Arc::clone(facts));
    }

    /// Returns the answer to a question. What earlier ones left in memory must not change it: where
    /// they may have taken the room that it needs, it is asked again without them.
    pub(crate) fn ask<T>(
        &mut self,
        mut question: impl FnMut(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
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
