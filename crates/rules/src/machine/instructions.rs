//! The interpreter loop of the machine.

use std::sync::Arc;

use grundy_core::{Kind, message};

use super::{CallFrame, Machine};
use crate::arena::Closure;
use crate::error::{RuleError, rule_error};
use crate::program::{Op, Program};
use crate::value::Value;

impl Machine {
    /// Runs until only `depth` calls are in progress. Then the value of the call that ended last is
    /// on top of the stack.
    pub(super) fn run(&mut self, depth: usize) -> Result<(), RuleError> {
        let program = Arc::clone(&self.program);
        let mut frame = *self.frames.last().expect("a call is under way");
        self.instructions(&program, &mut frame, depth)
            .map_err(|mut error| {
                if error.span.is_none() {
                    // `at` is the index after the instruction that failed.
                    let spans = &program.functions[frame.function].spans;
                    let span = &spans[frame.at.saturating_sub(1).min(spans.len() - 1)];
                    error.span = Some(span.start as usize..span.end as usize);
                }
                error
            })
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    /// Executes instructions until only `depth` calls are in progress. `frame` is always the
    /// current frame, so that the caller can locate an error.
    fn instructions(
        &mut self,
        program: &Program,
        frame: &mut CallFrame,
        depth: usize,
    ) -> Result<(), RuleError> {
        'calls: loop {
            *frame = *self.frames.last().expect("a call is under way");
            let function = &program.functions[frame.function];
            // The frame is kept in local variables, which the compiler can keep in registers. It is
            // written back only before a call.
            let code = &function.code[..];
            let base = frame.base;
            let mut at = frame.at;
            // Instructions are charged together when a jump, call or return ends a stretch of
            // straight-line code. The length of such a stretch is limited by the file, so the limit
            // of steps is exceeded only by a limited amount.
            let mut counted = at;
            macro_rules! jump {
                ($to:expr) => {{
                    self.charge((at - counted) as u64)?;
                    at = $to as usize;
                    counted = at;
                }};
            }
            macro_rules! local {
                ($slot:expr) => {{
                    let value = self.stack[base + $slot as usize];
                    if let Value::Unset = value {
                        return Err(unset(&function.locals[$slot as usize]));
                    }
                    value
                }};
            }
            loop {
                let op = code[at];
                at += 1;
                frame.at = at;
                match op {
                    Op::Int(n) => self.stack.push(Value::Int(i64::from(n))),
                    Op::Constant(n) => self.stack.push(self.constants[n as usize]),
                    Op::Local(slot) => {
                        let value = local!(slot);
                        self.stack.push(value);
                    }
                    Op::SetLocal(slot) => {
                        let value = self.pop();
                        self.stack[base + slot as usize] = value;
                    }
                    Op::Global(slot) => {
                        let value = self.globals[slot as usize];
                        if let Value::Unset = value {
                            return Err(unset(&program.globals[slot as usize]));
                        }
                        self.stack.push(value);
                    }
                    Op::SetGlobal(slot) => self.globals[slot as usize] = self.pop(),
                    Op::Pop => {
                        self.pop();
                    }
                    Op::CopyTwo => {
                        let top = self.stack.len();
                        self.stack.extend_from_within(top - 2..);
                    }
                    Op::Binary(op) => {
                        let (b, a) = (self.pop(), self.pop());
                        let value = self.binary(op, a, b)?;
                        self.stack.push(value);
                    }
                    Op::BinaryLocal(op, slot) => {
                        let (b, a) = (local!(slot), self.pop());
                        let value = self.binary(op, a, b)?;
                        self.stack.push(value);
                    }
                    Op::BinaryInt(op, n) => {
                        let a = self.pop();
                        let value = self.binary(op, a, Value::Int(i64::from(n)))?;
                        self.stack.push(value);
                    }
                    Op::BinaryLocals(op, a, b) => {
                        let (a, b) = (local!(a), local!(b));
                        let value = self.binary(op, a, b)?;
                        self.stack.push(value);
                    }
                    Op::BinaryLocalInt(op, a, n) => {
                        let a = local!(a);
                        let value = self.binary(op, a, Value::Int(i64::from(n)))?;
                        self.stack.push(value);
                    }
                    Op::Unless(op, to) => {
                        let (b, a) = (self.pop(), self.pop());
                        if !self.binary_truth(op, a, b)? {
                            jump!(to);
                        }
                    }
                    Op::UnlessLocal(op, slot, to) => {
                        let (b, a) = (local!(slot), self.pop());
                        if !self.binary_truth(op, a, b)? {
                            jump!(to);
                        }
                    }
                    Op::UnlessInt(op, n, to) => {
                        let a = self.pop();
                        if !self.binary_truth(op, a, Value::Int(i64::from(n)))? {
                            jump!(to);
                        }
                    }
                    Op::AddAssign => {
                        let (b, a) = (self.pop(), self.pop());
                        let value = self.add_assign(a, b)?;
                        self.stack.push(value);
                    }
                    Op::Not => {
                        let value = self.pop();
                        let value = Value::from(!self.truth(value));
                        self.stack.push(value);
                    }
                    Op::Minus | Op::Plus | Op::BitNot => {
                        let value = self.pop();
                        let value = self.unary(op, value)?;
                        self.stack.push(value);
                    }
                    Op::Jump(to) => jump!(to),
                    Op::JumpIfFalse(to) => {
                        let value = self.pop();
                        if !self.truth(value) {
                            jump!(to);
                        }
                    }
                    Op::And(to) | Op::Or(to) => {
                        let value = self.stack[self.stack.len() - 1];
                        // If this value decides the result, it stays on the stack. Otherwise it is
                        // replaced by the right operand.
                        if self.truth(value) == matches!(op, Op::Or(_)) {
                            jump!(to);
                        } else {
                            self.pop();
                        }
                    }
                    Op::Tuple(count) => {
                        let first = self.stack.len() - count as usize;
                        let value = self.arena.tuple(&self.stack[first..])?;
                        self.stack.truncate(first);
                        self.stack.push(value);
                    }
                    Op::List(count) => {
                        let items = self.pop_many(count as usize);
                        let value = self.arena.list(items)?;
                        self.stack.push(value);
                    }
                    Op::Dict(count) => {
                        let items = self.pop_many(2 * count as usize);
                        let value = self.arena.dict()?;
                        for pair in items.chunks_exact(2) {
                            self.put(value, pair[0], pair[1])?;
                        }
                        self.arena.put_back(items);
                        self.stack.push(value);
                    }
                    Op::Index => {
                        let (b, a) = (self.pop(), self.pop());
                        let value = self.index(a, b)?;
                        self.stack.push(value);
                    }
                    Op::IndexLocal(slot) => {
                        let (b, a) = (local!(slot), self.pop());
                        let value = self.index(a, b)?;
                        self.stack.push(value);
                    }
                    Op::IndexLocals(a, b) => {
                        let (a, b) = (local!(a), local!(b));
                        let value = self.index(a, b)?;
                        self.stack.push(value);
                    }
                    Op::SetIndex => {
                        let (c, b, a) = (self.pop(), self.pop(), self.pop());
                        self.set_index(a, b, c)?;
                    }
                    Op::Slice => {
                        let (step, to, from) = (self.pop(), self.pop(), self.pop());
                        let of = self.pop();
                        let value = self.slice(of, from, to, step)?;
                        self.stack.push(value);
                    }
                    Op::Call(form) => {
                        let calls = self.frames.len();
                        self.charge((at - counted) as u64)?;
                        counted = at;
                        self.frames[calls - 1].at = at;
                        self.begin_call(&program.calls[form as usize])?;
                        // A builtin function is already complete at this point, and has added no
                        // frame.
                        if self.frames.len() > calls {
                            continue 'calls;
                        }
                    }
                    Op::CallBuiltin(builtin, count) => {
                        let value = self.call_builtin_on_stack(builtin, count as usize)?;
                        self.stack.push(value);
                    }
                    Op::CallMethod(method, count) => {
                        let arguments = self.pop_many(count as usize);
                        let of = self.pop();
                        let value = self.method(method, of, &arguments)?;
                        self.arena.put_back(arguments);
                        self.stack.push(value);
                    }
                    Op::Iterate => {
                        let value = self.pop();
                        self.begin_iteration(value)?;
                    }
                    Op::Next(end) => {
                        let Some(value) = self.next_value() else {
                            jump!(end);
                            continue;
                        };
                        self.stack.push(value);
                    }
                    Op::NextInto(slot, end) => {
                        let Some(value) = self.next_value() else {
                            jump!(end);
                            continue;
                        };
                        self.stack[base + slot as usize] = value;
                    }
                    Op::EndIteration => {
                        self.iterations.pop();
                    }
                    Op::AppendTo(slot) => {
                        // The variable contains the list of a comprehension. It is hidden, so it
                        // cannot contain any other value.
                        let value = self.pop();
                        if let Value::List(list) = self.stack[base + slot as usize] {
                            self.arena.push(list, value)?;
                        }
                    }
                    Op::PutInto(slot) => {
                        let (value, key) = (self.pop(), self.pop());
                        let dict = self.stack[base + slot as usize];
                        self.put(dict, key, value)?;
                    }
                    Op::Unpack(count) => {
                        let value = self.pop();
                        self.unpack(value, count as usize)?;
                    }
                    Op::Reverse(count) => {
                        let first = self.stack.len() - count as usize;
                        self.stack[first..].reverse();
                    }
                    Op::Function(number) => {
                        let count = program.functions[number as usize].defaults;
                        let defaults = self.pop_many(count).into_boxed_slice();
                        let closure = Closure {
                            function: number,
                            defaults,
                        };
                        let value = self.arena.closure(closure)?;
                        self.stack.push(value);
                    }
                    Op::Return => {
                        self.charge((at - counted) as u64)?;
                        let value = self.pop();
                        // The stack and the iterations are restored to their state at the call.
                        // This also ends loops that were not finished.
                        self.stack.truncate(base);
                        self.iterations.truncate(frame.iterations);
                        self.frames.pop();
                        if frame.function != 0 {
                            // The function that was called is on the stack below its arguments.
                            // Only function 0 is not called by an instruction, so for it there is
                            // none.
                            self.pop();
                        }
                        self.stack.push(value);
                        if self.frames.len() == depth {
                            return Ok(());
                        }
                        continue 'calls;
                    }
                }
            }
        }
    }
}

/// Returns the error for a variable that has no value yet.
fn unset(name: &str) -> RuleError {
    rule_error(
        Kind::UnknownName,
        message!("`{name}` has no value yet", name),
    )
}
