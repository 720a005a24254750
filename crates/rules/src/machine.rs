//! The machine: runs compiled rules and counts what they use.
//!
//! Calls keep frames of their own, so the depth of the host's stack does not grow with them, but
//! for a function handed to `sorted`, `min` or `max`, which is counted like any other call.

pub(crate) mod builtin;
mod index;
mod instructions;
pub(crate) mod method;
mod walk;

use std::ops::Range;
use std::sync::Arc;

use grundy::dynamic::DynamicPosition;
use grundy::{Kind, Stop, message};

use self::builtin::Builtin;
use crate::arena::Arena;
use crate::program::{CallForm, Constant, Program};
use crate::trouble::{Trouble, stopped, trouble, type_error};
use crate::value::{Handle, Value};
use walk::Walk;

/// What one question to the rules may use.
#[derive(Clone)]
pub struct Allowance {
    /// Instructions.
    pub steps: u64,
    /// Bytes.
    pub memory: usize,
    /// Calls inside one another.
    pub calls: usize,
    /// Asked now and then whether to go on.
    pub interrupted: Arc<dyn Fn() -> Option<Stop> + Send + Sync>,
}

impl Default for Allowance {
    /// 50 million steps, 256 MiB, 200 calls, no interruption.
    fn default() -> Self {
        Self {
            steps: 50_000_000,
            memory: 256 << 20,
            calls: 200,
            interrupted: Arc::new(|| None),
        }
    }
}

impl std::fmt::Debug for Allowance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Allowance")
            .field("steps", &self.steps)
            .field("memory", &self.memory)
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

/// Steps between two looks at the clock.
const BEAT: u64 = 1 << 16;

/// A call under way.
#[derive(Clone, Copy, Debug)]
struct CallFrame {
    function: usize,
    /// The next instruction.
    at: usize,
    /// Where the local variables begin on the stack.
    base: usize,
    /// How many things are gone through outside this call.
    walks: usize,
}

/// The machine, with everything it holds between two questions.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    program: Arc<Program>,
    allowance: Allowance,
    pub(crate) arena: Arena,
    constants: Vec<Value>,
    globals: Vec<Value>,
    stack: Vec<Value>,
    frames: Vec<CallFrame>,
    walks: Vec<Walk>,
    /// Parts of a position being made.
    pub(crate) places: Vec<DynamicPosition>,
    /// Steps until the next look at the clock.
    beat: u64,
    /// Steps left after that.
    steps: u64,
}

impl Machine {
    /// Returns a machine that has run the file from top to bottom.
    pub(crate) fn new(program: Program, allowance: Allowance) -> Result<Self, Trouble> {
        let mut arena = Arena::new(allowance.memory);
        let mut constants = Vec::with_capacity(program.constants.len());
        for constant in &program.constants {
            constants.push(match constant {
                Constant::None => Value::None,
                Constant::Bool(b) => Value::from(*b),
                Constant::Int(n) => Value::Int(*n),
                Constant::Text(text) => arena.text(text)?,
                Constant::Builtin(builtin) => Value::Builtin(builtin.number()),
            });
        }
        // Constants are shared by all functions.
        arena.freeze();
        let mut machine = Self {
            globals: vec![Value::Unset; program.globals.len()],
            program: Arc::new(program),
            arena,
            constants,
            stack: Vec::new(),
            frames: Vec::new(),
            walks: Vec::new(),
            places: Vec::new(),
            beat: 0,
            steps: allowance.steps,
            allowance,
        };
        machine.enter(0, 0)?;
        machine.run(0)?;
        machine.arena.freeze();
        Ok(machine)
    }

    /// Returns a global variable.
    pub(crate) fn global(&self, name: &str) -> Option<Value> {
        let slot = self
            .program
            .globals
            .iter()
            .position(|known| known == name)?;
        match self.globals[slot] {
            Value::Unset => None,
            value => Some(value),
        }
    }

    /// Where a function is defined.
    pub(crate) fn span_of(&self, function: Value) -> Option<Range<usize>> {
        let Value::Function(handle) = function else {
            return None;
        };
        let number = self.arena.get_closure(handle).function as usize;
        let place = &self.program.functions[number].place;
        Some(place.start as usize..place.end as usize)
    }

    /// Returns the names of all functions of the file.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        let both = self.program.globals.iter().zip(&self.globals);
        both.filter(|(_, value)| matches!(value, Value::Function(_)))
            .map(|(name, _)| name.as_str())
    }

    /// Forgets everything but the file's own values, and allows a new question.
    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.walks.clear();
        self.places.clear();
        self.arena.clear();
        self.beat = self.beat.min(BEAT);
        self.steps = self.allowance.steps;
    }

    /// Returns the value of `function` at `arguments`.
    pub(crate) fn call(&mut self, function: Value, arguments: &[Value]) -> Result<Value, Trouble> {
        let depth = self.frames.len();
        self.stack.push(function);
        self.stack.extend_from_slice(arguments);
        let form = CallForm {
            names: vec![None; arguments.len()],
            named: false,
        };
        self.begin_call(&form)?;
        if self.frames.len() > depth {
            self.run(depth)?;
        }
        Ok(self.pop())
    }

    /// Counts `steps` more.
    #[inline]
    pub(crate) fn charge(&mut self, steps: u64) -> Result<(), Trouble> {
        if steps < self.beat {
            self.beat -= steps;
            return Ok(());
        }
        self.look_at_the_clock(steps)
    }

    #[cold]
    fn look_at_the_clock(&mut self, steps: u64) -> Result<(), Trouble> {
        if let Some(stop) = (self.allowance.interrupted)() {
            return Err(stopped(stop));
        }
        let wanted = steps - self.beat + BEAT;
        if wanted > self.steps {
            let message = message!(
                "the rule takes more than {steps} steps",
                steps = self.allowance.steps
            );
            let mut error = trouble(Kind::Limit, message);
            error.help = Some(message!("look for a loop that is too long"));
            return Err(error);
        }
        self.steps -= wanted;
        self.beat = BEAT;
        Ok(())
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().expect("the compiler balances the stack")
    }

    fn pop_many(&mut self, count: usize) -> Vec<Value> {
        let mut items = self.arena.vector();
        items.extend_from_slice(&self.stack[self.stack.len() - count..]);
        self.stack.truncate(self.stack.len() - count);
        items
    }

    /// Begins a call whose `arguments` lie on the stack.
    fn enter(&mut self, function: usize, arguments: usize) -> Result<(), Trouble> {
        if self.frames.len() >= self.allowance.calls {
            let message = message!(
                "calls are nested more than {calls} deep",
                calls = self.allowance.calls
            );
            let mut error = trouble(Kind::Limit, message);
            error.help = Some(message!("does a function call itself for ever?"));
            return Err(error);
        }
        let base = self.stack.len() - arguments;
        let locals = self.program.functions[function].locals.len();
        self.charge(locals as u64)?;
        self.stack.resize(base + locals, Value::Unset);
        self.frames.push(CallFrame {
            function,
            at: 0,
            base,
            walks: self.walks.len(),
        });
        Ok(())
    }

    /// Begins the call whose callee and arguments lie on the stack; a builtin function is done at
    /// once.
    fn begin_call(&mut self, form: &CallForm) -> Result<(), Trouble> {
        let count = form.names.len();
        let callee = self.stack[self.stack.len() - count - 1];
        let handle = match callee {
            Value::Function(handle) => handle,
            Value::Builtin(number) => {
                let builtin = Builtin::numbered(number);
                let arguments = self.pop_many(count);
                self.pop();
                let names: Vec<Option<&str>> = form.names.iter().map(Option::as_deref).collect();
                let value = self.call_builtin(builtin, &arguments, &names)?;
                self.stack.push(value);
                return Ok(());
            }
            other => {
                return Err(type_error(message!(
                    "a value of type {kind} cannot be called",
                    kind = other.kind()
                )));
            }
        };
        let closure = self.arena.get_closure(handle);
        let number = closure.function as usize;
        let function = &self.program.functions[number];
        if form.named || count != function.parameters.len() {
            let arranged = self.arrange(handle, form)?;
            let first = self.stack.len() - count;
            self.stack.truncate(first);
            self.stack.extend_from_slice(&arranged);
        }
        let arguments = self.program.functions[number].parameters.len();
        self.enter(number, arguments)
    }

    /// Arguments in the order of the parameters, defaults filled in.
    fn arrange(&self, handle: Handle, form: &CallForm) -> Result<Vec<Value>, Trouble> {
        let closure = self.arena.get_closure(handle);
        let function = &self.program.functions[closure.function as usize];
        let given = &self.stack[self.stack.len() - form.names.len()..];
        let count = function.parameters.len();
        let mut arranged = vec![Value::Unset; count];
        let name = &function.name;
        for (position, (named, &value)) in form.names.iter().zip(given).enumerate() {
            let slot = match named {
                None if position < count => position,
                None => {
                    let message = message!("{name}() takes {count} arguments at most", name, count);
                    return Err(type_error(message));
                }
                Some(wanted) => {
                    let slot = function.parameters.iter().position(|known| known == wanted);
                    slot.ok_or_else(|| {
                        type_error(message!(
                            "{name}() has no parameter named `{wanted}`",
                            name,
                            wanted
                        ))
                    })?
                }
            };
            if !matches!(arranged[slot], Value::Unset) {
                let parameter = &function.parameters[slot];
                return Err(type_error(message!(
                    "{name}() gets `{parameter}` twice",
                    name,
                    parameter
                )));
            }
            arranged[slot] = value;
        }
        let required = count - function.defaults;
        let slots = arranged.iter_mut().zip(&function.parameters).enumerate();
        for (slot, (value, parameter)) in slots {
            if let Value::Unset = value {
                *value = *slot
                    .checked_sub(required)
                    .and_then(|number| closure.defaults.get(number))
                    .ok_or_else(|| {
                        let mut error = type_error(message!(
                            "{name}() needs a value for `{parameter}`",
                            name,
                            parameter
                        ));
                        error.help = Some(message!(
                            "a position is one value: def {name}(p), and for a pair then a, b = p",
                            name
                        ));
                        error
                    })?;
            }
        }
        Ok(arranged)
    }

    /// Returns the value of a builtin function of the `count` topmost values, which are taken from
    /// the stack.
    #[inline]
    fn builtin_on_stack(&mut self, builtin: Builtin, count: usize) -> Result<Value, Trouble> {
        let first = self.stack.len() - count;
        let value = match (builtin, &self.stack[first..]) {
            (Builtin::Len, &[of]) => Value::Int(self.len(of)?),
            (Builtin::Min, &[Value::Int(a), Value::Int(b)]) => Value::Int(a.min(b)),
            (Builtin::Max, &[Value::Int(a), Value::Int(b)]) => Value::Int(a.max(b)),
            _ => {
                let arguments = self.pop_many(count);
                let value = self.call_builtin(builtin, &arguments, &[])?;
                self.arena.put_back(arguments);
                return Ok(value);
            }
        };
        self.stack.truncate(first);
        Ok(value)
    }
}
