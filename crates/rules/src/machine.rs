//! The stack machine that runs compiled rules. It counts and limits the steps and the memory that
//! the rules use.
//!
//! A call from one rule function to another pushes a frame in the machine, and does not use the
//! stack of the host. The only exception is a function that is passed to `sorted`, `min` or `max`,
//! which the host calls recursively. The limit on the depth of calls applies to such functions,
//! too.

pub(crate) mod builtin;
mod index;
mod instructions;
mod iteration;
pub(crate) mod method;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use grundy_core::dynamic::DynamicPosition;
use grundy_core::{Kind, Stop, message};

use self::builtin::Builtin;
use crate::arena::Arena;
use crate::error::{RuleError, rule_error, stopped, type_error};
use crate::program::{CallForm, Constant, Program};
use crate::symbolic::Global;
use crate::value::{Handle, Truth, Value};
use iteration::Iteration;

/// The limits of one call from the library into the rules.
#[derive(Clone)]
pub struct Allowance {
    /// The largest number of steps. Each instruction is a step. Expensive operations are charged
    /// several steps.
    pub steps: u64,
    /// The largest amount of memory, in bytes.
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

/// Number of steps between two polls of the callback [`Allowance::interrupted`].
const POLL_INTERVAL: u64 = 1 << 16;

/// The largest depth of nested lists in a global variable that is evaluated with unknown numbers.
const GLOBAL_DEPTH: u32 = 2;

/// The largest number of items of a list in such a variable.
const GLOBAL_ITEMS: usize = 1000;

/// The frame of a call in progress.
#[derive(Clone, Copy, Debug)]
struct CallFrame {
    function: usize,
    /// The index of the next instruction.
    at: usize,
    /// The index on the stack of the first local variable.
    base: usize,
    /// The number of iterations that were in progress when this call began.
    iterations: usize,
}

/// The machine that runs the rules of a file.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    // Invariants: `stack` consists of the local variables of each frame, each followed by temporary
    // values of that frame. In `iterations`, the iterations of a frame follow those of its callers.
    // Hence, after an error at any place, it suffices to clear the lists.
    program: Arc<Program>,
    allowance: Allowance,
    pub(crate) arena: Arena,
    constants: Vec<Value>,
    globals: Vec<Value>,
    stack: Vec<Value>,
    frames: Vec<CallFrame>,
    iterations: Vec<Iteration>,
    /// A stack for the conversion of values to positions. While a tuple or list is converted, the
    /// stack contains those of its parts that are already converted. The parts of a nested tuple or
    /// list lie above those of the outer one.
    pub(crate) position_parts: Vec<DynamicPosition>,
    /// The number of steps until the next poll of the callback [`Allowance::interrupted`].
    steps_to_poll: u64,
    /// The number of steps that are still allowed after the next poll of the callback.
    steps: u64,
}

impl Machine {
    /// Creates a machine and runs the top level of the file.
    pub(crate) fn new(program: Program, allowance: Allowance) -> Result<Self, RuleError> {
        let mut arena = Arena::new(allowance.memory);
        let mut constants = Vec::with_capacity(program.constants.len());
        for constant in &program.constants {
            constants.push(match constant {
                Constant::None => Value::None,
                Constant::Bool(b) => Value::from(*b),
                Constant::Int(n) => Value::Int(*n),
                Constant::Wide(n) => arena.wide(*n)?,
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
            iterations: Vec::new(),
            position_parts: Vec::new(),
            steps_to_poll: 0,
            steps: allowance.steps,
            allowance,
        };
        machine.push_frame(0, 0)?;
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

    /// Returns the values of the global variables.
    pub(crate) fn all_globals(&self) -> HashMap<String, Global> {
        let both = self.program.globals.iter().zip(&self.globals);
        let known = both.filter(|(_, value)| !matches!(value, Value::Unset));
        known
            .map(|(name, value)| (name.clone(), self.global_of(*value, GLOBAL_DEPTH)))
            .collect()
    }

    /// Returns a value whose lists are nested at most `depth` deep.
    fn global_of(&self, value: Value, depth: u32) -> Global {
        let items = |handle| {
            let items = self.arena.items(handle);
            let below = (items.len() <= GLOBAL_ITEMS).then(|| depth.checked_sub(1))??;
            let values = items.iter().map(|item| self.global_of(*item, below));
            Some(values.collect())
        };
        match value {
            Value::Bool(truth) => Global::Bool(truth == Truth::True),
            Value::Int(n) => Global::Int(n),
            Value::Str(_) => Global::Text,
            Value::List(handle) => items(handle).map_or(Global::Other, Global::List),
            Value::Tuple(handle) => items(handle).map_or(Global::Other, Global::Tuple),
            Value::Function(_) => Global::Function,
            _ => Global::Other,
        }
    }

    /// Returns the text of a value, if it is a string.
    pub(crate) fn word(&self, value: Value) -> Option<&str> {
        match value {
            Value::Str(handle) => Some(self.arena.str(handle)),
            _ => None,
        }
    }

    /// Returns the range of bytes in the file that errors of a function refer to by default.
    pub(crate) fn span_of(&self, function: Value) -> Option<Range<usize>> {
        let Value::Function(handle) = function else {
            return None;
        };
        let number = self.arena.get_closure(handle).function as usize;
        let span = &self.program.functions[number].span;
        Some(span.start as usize..span.end as usize)
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
        self.iterations.clear();
        self.position_parts.clear();
        self.arena.clear();
        // The number of steps until the next poll is not reset. So a series of short calls polls
        // the callback as often as one long call.
        self.steps_to_poll = self.steps_to_poll.min(POLL_INTERVAL);
        self.steps = self.allowance.steps;
    }

    /// Calls `function` with `arguments` and returns its value.
    pub(crate) fn call(
        &mut self,
        function: Value,
        arguments: &[Value],
    ) -> Result<Value, RuleError> {
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
    pub(crate) fn charge(&mut self, steps: u64) -> Result<(), RuleError> {
        if steps < self.steps_to_poll {
            self.steps_to_poll -= steps;
            return Ok(());
        }
        self.poll(steps)
    }

    #[cold]
    /// Polls the callback [`Allowance::interrupted`]. Charges `steps` and, in advance, the steps
    /// until the next poll.
    fn poll(&mut self, steps: u64) -> Result<(), RuleError> {
        if let Some(stop) = (self.allowance.interrupted)() {
            return Err(stopped(stop));
        }
        // Here `steps` is at least `steps_to_poll`, so the subtraction cannot overflow.
        let wanted = steps - self.steps_to_poll + POLL_INTERVAL;
        if wanted > self.steps {
            let message = message!(
                "the rule takes more than {steps} steps",
                steps = self.allowance.steps
            );
            let mut error = rule_error(Kind::Limit, message);
            error.help = Some(message!("check for a loop that runs too long"));
            return Err(error);
        }
        self.steps -= wanted;
        self.steps_to_poll = POLL_INTERVAL;
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
    fn push_frame(&mut self, function: usize, arguments: usize) -> Result<(), RuleError> {
        if self.frames.len() >= self.allowance.calls {
            let message = message!(
                "calls are nested more than {calls} deep",
                calls = self.allowance.calls
            );
            let mut error = rule_error(Kind::Limit, message);
            error.help = Some(message!(
                "check for a function that calls itself without end"
            ));
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
            iterations: self.iterations.len(),
        });
        Ok(())
    }

    /// Begins a call. The function and its arguments are already on the stack. A call of a builtin
    /// function is already complete when this method returns.
    fn begin_call(&mut self, form: &CallForm) -> Result<(), RuleError> {
        let count = form.names.len();
        let callee = self.stack[self.stack.len() - count - 1];
        let handle = match callee {
            Value::Function(handle) => handle,
            Value::Builtin(number) => {
                let builtin = Builtin::from_number(number);
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
            let arranged = self.arrange_arguments(handle, form)?;
            // The called function stays on the stack below the arguments. `Return` removes both.
            let first = self.stack.len() - count;
            self.stack.truncate(first);
            self.stack.extend_from_slice(&arranged);
        }
        let arguments = self.program.functions[number].parameters.len();
        self.push_frame(number, arguments)
    }

    /// Returns the arguments of a call in the order of the parameters of the function. Missing
    /// arguments are replaced by the default values.
    fn arrange_arguments(&self, handle: Handle, form: &CallForm) -> Result<Vec<Value>, RuleError> {
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
                            "a position is a single argument: write def {name}(p) and, if p is a pair, unpack it with a, b = p",
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
    fn call_builtin_on_stack(
        &mut self,
        builtin: Builtin,
        count: usize,
    ) -> Result<Value, RuleError> {
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
