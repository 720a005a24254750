//! What crosses the boundary of the module: numbers, and bytes that lie in its memory where a
//! number says.
//!
//! The host asks for `room`, writes a question there, and calls `ask`; the answer lies at `answer`
//! and is `answer_length` bytes long until `room` or `ask` is called again. Files of a question may
//! come before it, each in the room with its name before it, by `file`; then those that the answer
//! wrote are fetched one by one by `written`. The module calls `host.time` and `host.tell`. After a
//! trap `exhausted` says whether memory was what it lacked; the instance is then to be left alone.

// SAFETY: what is unsafe here are the names under which the module and its host call each other,
// which nothing else has, and the allocator, which hands every call on as it came. Bytes are
// written by the host into a vector that is as long as it asked for.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_wording::Language;

use crate::{Bounds, Host, How, NamedFile, Stopped};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds that have passed; below zero where the work is to end.
    safe fn time() -> f64;
    /// Tells something: 0 how far the work is, 1 what a defect said last.
    safe fn tell(what: u32, at: usize, length: usize);
}

/// What `tell` tells.
const PROGRESS: u32 = 0;
const DEFECT: u32 = 1;

struct Outside;

impl Host for Outside {
    fn time(&self) -> Result<f64, Stopped> {
        let milliseconds = time();
        if milliseconds < 0.0 {
            return Err(Stopped);
        }
        Ok(milliseconds)
    }

    fn tell(&self, progress: &str) {
        tell(PROGRESS, progress.as_ptr() as usize, progress.len());
    }
}

/// The allocator of the module, which remembers that there was no memory left.
struct Allocator;

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

fn noted(at: *mut u8) -> *mut u8 {
    if at.is_null() {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
    at
}

// SAFETY: `System` does all of it, with what it is asked for as it came.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        noted(unsafe { System.realloc(at, layout, size) })
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

static ASKED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// Files of the next question; and what an answer wrote.
static BROUGHT: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());
static WRITTEN: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());

fn held<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for a question of so many bytes: where it begins, or 0 where there is none.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> usize {
    *held(&ANSWER) = Vec::new();
    let mut asked = held(&ASKED);
    *asked = Vec::new();
    if asked.try_reserve_exact(length).is_err() {
        EXHAUSTED.store(false, Ordering::Relaxed);
        return 0;
    }
    asked.resize(length, 0);
    asked.as_mut_ptr() as usize
}

/// Takes what is in the room, a name of so many bytes and then a file, for the next question.
#[unsafe(no_mangle)]
extern "C" fn file(name: usize) {
    let mut bytes = std::mem::take(&mut *held(&ASKED));
    let contents = bytes.split_off(name.min(bytes.len()));
    let name = String::from_utf8_lossy(&bytes).into_owned();
    held(&BROUGHT).push((name, contents));
}

/// Puts the name of the next file that an answer wrote in the place of the answer, and then, where
/// `part` is 1, what is in it, which is the end of that file. Whether there is one.
#[unsafe(no_mangle)]
extern "C" fn written(part: u32) -> u32 {
    let mut written = held(&WRITTEN);
    let Some((name, contents)) = written.first_mut() else {
        return 0;
    };
    if part == 0 {
        *held(&ANSWER) = name.clone().into_bytes();
    } else {
        *held(&ANSWER) = std::mem::take(contents);
        written.remove(0);
    }
    1
}

/// Answers the question in the room, which begins with its name, so many bytes long; an object in
/// JSON follows.
#[unsafe(no_mangle)]
extern "C" fn ask(name: usize, seconds: f64, positions: f64, memory: f64, told: u32) {
    panic::set_hook(Box::new(|info| {
        let said = info.to_string();
        // A size beyond what the machine can address is asked of nobody.
        if said.contains("capacity overflow") {
            EXHAUSTED.store(true, Ordering::Relaxed);
        }
        tell(DEFECT, said.as_ptr() as usize, said.len());
    }));
    let asked = std::mem::take(&mut *held(&ASKED));
    let (name, text) = asked.split_at(name.min(asked.len()));
    let bounds = Bounds {
        seconds,
        positions: positions as u64,
        memory: memory as u64,
        told: told != 0,
    };
    let name = String::from_utf8_lossy(name);
    let files = std::mem::take(&mut *held(&BROUGHT));
    let (answer, written) = if files.is_empty() {
        (crate::ask(&name, text, bounds, Outside), Vec::new())
    } else {
        crate::ask_with_files((&name, text), files, bounds, Outside)
    };
    *held(&WRITTEN) = written;
    *held(&ANSWER) = answer.into_bytes();
}

/// What to say of a question that brought another instance down: 0 by a defect, which said last
/// what is in the room, 1 for want of memory, 2 of stack. The language is English, or Chinese where
/// it is 1.
#[unsafe(no_mangle)]
extern "C" fn failed(how: u32, language: u32) {
    let said = std::mem::take(&mut *held(&ASKED));
    let how = match how {
        0 => How::Defect(String::from_utf8_lossy(&said).into_owned()),
        1 => How::Memory,
        _ => How::Stack,
    };
    let language = match language {
        1 => Language::Zh,
        _ => Language::En,
    };
    *held(&ANSWER) = crate::failed(how, language).into_bytes();
}

/// Where the answer begins.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    held(&ANSWER).as_ptr() as usize
}

/// How many bytes it has.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    held(&ANSWER).len()
}

/// Returns whether there was no memory left.
#[unsafe(no_mangle)]
extern "C" fn exhausted() -> u32 {
    EXHAUSTED.load(Ordering::Relaxed).into()
}
