//! The stack machine that runs compiled rules. It counts the steps and the memory that they use.
//!
//! A call of a rule function has a separate frame and does not use the stack of the host. The only
//! exception is a function that is passed to `sorted`, `min` or `max`. The depth of calls is
//! limited for these, too.

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

/// The limits of one call from the library into the rules.
#[derive(Clone)]
pub struct Allowance {
    /// The largest number of instructions.
    pub steps: u64,
    /// The largest number of bytes.
    pub memory: usize,
    /// The largest depth of nested calls.
    pub calls: usize,
    /// A callback that is polled at intervals. It returns the reason to stop, if there is one.
    pub interrupted: Arc<dyn Fn() -> Option<Stop> + Send + Sync>,
}

impl Default for Allowance {
    /// Returns the default limits: 50 million steps, 256 MiB, 200 nested calls, and no
    /// interruption.
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

/// Number of steps between two polls of the callback.
const BEAT: u64 = 1 << 16;

/// The frame of a call in progress.
#[derive(Clone, Copy, Debug)]
struct CallFrame {
    function: usize,
    /// The index of the next instruction.
    at: usize,
    /// The index on the stack of the first local variable.
    base: usize,
    /// The number of iterations that were in progress when this call began.
    walks: usize,
}

/// The machine that runs the rules of a file.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    // Invariants: `stack` consists of the local variables of each frame, each followed by temporary
    // values of that frame. In `walks`, the iterations of a frame follow those of its callers.
    // Hence, after an error at any place, it suffices to clear the lists.
    program: Arc<Program>,
    allowance: Allowance,
    pub(crate) arena: Arena,
    constants: Vec<Value>,
    globals: Vec<Value>,
    stack: Vec<Value>,
    frames: Vec<CallFrame>,
    walks: Vec<Walk>,
    /// The parts of positions that are being converted.
    pub(crate) places: Vec<DynamicPosition>,
    /// The number of steps until the next poll of the callback.
    beat: u64,
    /// The number of further steps that are allowed after that.
    steps: u64,
}

impl Machine {
    /// Creates a machine and runs the top level of the file.
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
        // The constants are shared by all functions, so they become immutable.
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
        // The global variables are shared by all later calls, so they become immutable as well.
        machine.arena.freeze();
        Ok(machine)
    }

    /// Returns the value of a global variable, if it has one.
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

    /// Returns the place in the file at which a function is defined.
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

    /// Resets the machine for a new call. Only the values that the file defined when it was loaded
    /// are kept.
    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.walks.clear();
        self.places.clear();
        self.arena.clear();
        // The number of steps until the next poll is not reset. So a series of short calls polls
        // the callback as often as one long call.
        self.beat = self.beat.min(BEAT);
        self.steps = self.allowance.steps;
    }

    /// Calls `function` with `arguments` and returns its value.
    pub(crate) fn call(&mut self, function: Value, arguments: &[Value]) -> Result<Value, Trouble> {
        let depth = self.frames.len();
        self.stack.push(function);
        self.stack.extend_from_slice(arguments);
        let form = CallForm {
            names: vec![None; arguments.len()],
            named: false,
        };
        self.begin_call(&form)?;
        // A builtin function is already complete. Other functions run until their frame is removed.
        if self.frames.len() > depth {
            self.run(depth)?;
        }
        Ok(self.pop())
    }

    /// Charges `steps` steps. Usually this takes only one comparison.
    #[inline]
    pub(crate) fn charge(&mut self, steps: u64) -> Result<(), Trouble> {
        if steps < self.beat {
            self.beat -= steps;
            return Ok(());
        }
        self.look_at_the_clock(steps)
    }

    #[cold]
    /// Polls the callback, and charges the steps until the next poll.
    fn look_at_the_clock(&mut self, steps: u64) -> Result<(), Trouble> {
        if let Some(stop) = (self.allowance.interrupted)() {
            return Err(stopped(stop));
        }
        // Here `steps` is at least `beat`, so the subtraction cannot overflow.
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

    /// Removes the topmost value from the stack and returns it.
    fn pop(&mut self) -> Value {
        self.stack.pop().expect("the compiler balances the stack")
    }

    /// Removes the `count` topmost values and returns them in the order in which they were pushed.
    fn pop_many(&mut self, count: usize) -> Vec<Value> {
        let mut items = self.arena.vector();
        items.extend_from_slice(&self.stack[self.stack.len() - count..]);
        self.stack.truncate(self.stack.len() - count);
        items
    }

    /// Begins a call of function `function`. Its `arguments` arguments are already on the stack.
    fn enter(&mut self, function: usize, arguments: usize) -> Result<(), Trouble> {
        if self.frames.len() >= self.allowance.calls {
            let message = message!(
                "calls are nested more than {calls} deep",
                calls = self.allowance.calls
            );
            let mut error = trouble(Kind::Limit, message);
            error.help = Some(message!("does a function call itself endlessly?"));
            return Err(error);
        }
        // The arguments become the first local variables without being moved.
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

    /// Begins a call. The function and its arguments are already on the stack. A builtin function
    /// is complete after this.
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
        // If all parameters have positional arguments, which is the usual case, the arguments need
        // not be copied.
        if form.named || count != function.parameters.len() {
            let arranged = self.arrange(handle, form)?;
            // The called function stays on the stack below the arguments. `Return` removes both.
            let first = self.stack.len() - count;
            self.stack.truncate(first);
            self.stack.extend_from_slice(&arranged);
        }
        let arguments = self.program.functions[number].parameters.len();
        self.enter(number, arguments)
    }

    /// Returns the arguments in the order of the parameters. Missing arguments are replaced by
    /// their defaults.
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
                    let message = message!("{name}() takes at most {count} arguments", name, count);
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
                    "{name}() got duplicate values for `{parameter}`",
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
                            "a position is one value: write def {name}(p) and, for a pair, unpack it with a, b = p",
                            name
                        ));
                        error
                    })?;
            }
        }
        Ok(arranged)
    }

    /// Removes the `count` topmost values, calls a builtin function with them as arguments, and
    /// returns its result.
    #[inline]
    fn builtin_on_stack(&mut self, builtin: Builtin, count: usize) -> Result<Value, Trouble> {
        let first = self.stack.len() - count;
        // The most frequent cases need no vector of arguments.
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
