//! A rule file, and the rules that it makes for the library.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy::own::{Choice, Failed, Left, Mover, Own, OwnPartizan, OwnTies, Place, Rules};
use grundy::ties;
use grundy::{Kind, Refusal, Term, partizan};
use grundy_notation::{AnyGame, Diagnostic, Games, parse};

use crate::compile::compile;
use crate::machine::{Allowance, Machine};
use crate::trouble::{Trouble, type_error};
use crate::value::Value;

/// A rule file that has been read.
#[derive(Debug)]
pub struct RuleFile {
    shared: Arc<Shared>,
    source: String,
}

/// What all games of a file share.
struct Shared {
    name: String,
    machine: Mutex<Machine>,
    failure: Mutex<Option<Diagnostic>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self) -> MutexGuard<'_, Option<Diagnostic>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the machine, and remembers what goes wrong.
    fn ask<T>(
        &self,
        function: &str,
        value: Value,
        place: &Place,
        read: impl FnOnce(&mut Machine, Value, Value) -> Result<T, Trouble>,
    ) -> Result<T, Failed> {
        let mut machine = self.machine();
        machine.clear();
        let asked = machine.value_of(place);
        let answer = asked.and_then(|asked| {
            let returned = machine.call(value, &[asked])?;
            read(&mut machine, returned, asked)
        });
        answer.map_err(|mut error| {
            if error.span.is_none() {
                error.span = machine.span_of(value);
            }
            let text: String = place.to_string();
            let shown: String = text.chars().take(60).collect();
            let dots = if shown.len() < text.len() { "..." } else { "" };
            let at = format!("{}: {function}({shown}{dots})", self.name);
            // The first failure is the one to tell of.
            self.failure().get_or_insert_with(|| error.diagnostic(&at));
            Failed
        })
    }
}

impl RuleFile {
    /// Reads a file called `name` with the text `source`, and runs it from top to bottom.
    ///
    /// # Errors
    /// What is no Starlark, or goes wrong on the way, with its place in `source`.
    pub fn read(name: &str, source: &str, allowance: Allowance) -> Result<Self, Diagnostic> {
        let program = parse::with_rules(source, compile).map_err(|mut error| {
            error.message = format!("{name}: {}", error.message);
            error
        })?;
        let machine = Machine::new(program, allowance).map_err(|error| error.diagnostic(name))?;
        Ok(Self {
            source: source.to_owned(),
            shared: Arc::new(Shared {
                name: name.to_owned(),
                machine: Mutex::new(machine),
                failure: Mutex::new(None),
            }),
        })
    }

    /// The text of the file, for showing where something went wrong.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What went wrong first, after [`grundy::Stop::Rules`].
    #[must_use]
    pub fn failure(&self) -> Option<Diagnostic> {
        self.shared.failure().clone()
    }

    /// The same, and forgets it: the next failure is the first again.
    #[must_use]
    pub fn take_failure(&self) -> Option<Diagnostic> {
        self.shared.failure().take()
    }

    /// The rules of an impartial game whose moves are given by the function `name`, for asking them directly.
    #[must_use]
    pub fn rules(&self, name: &str) -> Option<Arc<dyn Rules>> {
        Some(self.answers(name, self.function(name)?))
    }

    fn answers(&self, name: &str, function: Value) -> Arc<dyn Rules> {
        Arc::new(Answers {
            shared: Arc::clone(&self.shared),
            name: name.to_owned(),
            moves: Moves::Either(function),
            value: self.function("value"),
        })
    }

    fn function(&self, name: &str) -> Option<Value> {
        let value = self.shared.machine().global(name)?;
        matches!(value, Value::Function(_)).then_some(value)
    }

    fn no_such_function(&self, name: &str) -> Refusal {
        let machine = self.shared.machine();
        let known: Vec<&str> = machine.functions().collect();
        let message = format!("{} defines no function `{name}`", self.shared.name);
        let refusal = Refusal::new(Kind::UnknownName, message).at([0]);
        if name == "rules" {
            return refusal.help("a rule file defines moves(p), or left(p) and right(p)");
        }
        match known.as_slice() {
            [] => refusal.help("it defines no function at all: write def moves(p): ..."),
            known => refusal.help(format!("it defines {}", known.join(", "))),
        }
    }
}

impl Games for RuleFile {
    fn game(&self, rules: &str, start: Place) -> Result<AnyGame, Refusal> {
        let whole = rules == "rules" && self.function("rules").is_none();
        let sides = (self.function("left"), self.function("right"));
        if let (true, (Some(left), Some(right))) = (whole, sides) {
            let rules = Answers {
                shared: Arc::clone(&self.shared),
                name: rules.to_owned(),
                moves: Moves::Partizan { left, right },
                value: None,
            };
            let term = partizan::Term::new(OwnPartizan(Arc::new(rules)), vec![start]);
            return Ok(AnyGame::Partizan(Arc::new(term)));
        }
        let name = if whole { "moves" } else { rules };
        let function = self.function(name).ok_or_else(|| {
            if sides.0.is_some() && sides.1.is_some() {
                let message = format!("{} defines left and right", self.shared.name);
                return Refusal::new(Kind::NotImpartial, message)
                    .at([0])
                    .help("write game(rules, ...) for a partizan game");
            }
            self.no_such_function(rules)
        })?;
        let rules = self.answers(name, function);
        Ok(if self.function("value").is_some() {
            AnyGame::Ties(OwnTies(rules).at(start))
        } else {
            AnyGame::Impartial(Arc::new(Term::new(Own(rules), vec![start])))
        })
    }
}

#[derive(Debug)]
enum Moves {
    Either(Value),
    Partizan { left: Value, right: Value },
}

/// The rules that functions of a file make.
#[derive(Debug)]
struct Answers {
    shared: Arc<Shared>,
    name: String,
    moves: Moves,
    value: Option<Value>,
}

impl Rules for Answers {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(
        &self,
        mover: Mover,
        place: &Place,
        choices: &mut Vec<Choice>,
    ) -> Result<(), Failed> {
        let (name, function) = match (&self.moves, mover) {
            (Moves::Either(function), _) => (self.name.as_str(), *function),
            (Moves::Partizan { right, .. }, Mover::Right) => ("right", *right),
            (Moves::Partizan { left, .. }, _) => ("left", *left),
        };
        self.shared
            .ask(name, function, place, |machine, returned, asked| {
                machine.choices_of(returned, asked, choices)?;
                let sums = |choice: &Choice| matches!(choice.left, Left::Sum(_));
                if self.value.is_some() && choices.iter().any(sums) {
                    return Err(type_error(
                        "a move leaves a sum, and ties are not known for sums",
                    ));
                }
                Ok(())
            })
    }

    fn verdict(&self, place: &Place) -> Result<ties::Value, Failed> {
        let Some(function) = self.value else {
            return Ok(ties::Value::Lose);
        };
        self.shared
            .ask("value", function, place, |machine, returned, _| {
                machine.verdict_of(returned)
            })
    }
}
