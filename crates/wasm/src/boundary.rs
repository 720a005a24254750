//! The interface of the module: numbers, and bytes at addresses in its memory.
//!
//! The host calls `room` for a buffer, writes a question there, and calls `ask`. The answer is at
//! `answer` and has `answer_length` bytes. It is valid until the next call of `room` or `ask`.
//!
//! Files of a question are passed before it by `file`, each with its name in front. The files that
//! an answer wrote are then fetched one by one by `written`. The module calls `host.time` and
//! `host.tell`. After a trap, `exhausted` returns whether memory ran out. The instance must not be
//! used again.

// SAFETY: there are two kinds of unsafe code. The exported names are unique, so no symbol clashes.
// The allocator forwards every call unchanged to `System`. The host writes only into a vector of
// the requested length.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_wording::Language;

use crate::{Bounds, Host, How, NamedFile, Stopped};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the elapsed milliseconds; a negative number asks the module to stop.
    safe fn time() -> f64;
    /// Reports a text to the host: kind 0 is progress, kind 1 is a panic message.
    safe fn tell(what: u32, at: usize, length: usize);
}

/// The kinds of texts for `tell`.
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

/// The allocator of the module. It records a failed allocation.
struct Allocator;

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

fn noted(at: *mut u8) -> *mut u8 {
    if at.is_null() {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
    at
}

// SAFETY: every call is forwarded to `System` with unchanged arguments.
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

// Static buffers: the host holds plain addresses into them, so they must outlive the call.
static ASKED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// Files of the next question, and files that an answer wrote.
static BROUGHT: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());
static WRITTEN: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());

fn held<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates a buffer for a question. Returns its address, or 0 if the allocation fails.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> usize {
    *held(&ANSWER) = Vec::new();
    let mut asked = held(&ASKED);
    *asked = Vec::new();
    if asked.try_reserve_exact(length).is_err() {
        // The failure is reported by the result 0. It must not mark a later trap as a lack of
        // memory.
        EXHAUSTED.store(false, Ordering::Relaxed);
        return 0;
    }
    asked.resize(length, 0);
    asked.as_mut_ptr() as usize
}

/// Takes a file from the buffer for the next question: a name of `name` bytes, then the content.
#[unsafe(no_mangle)]
extern "C" fn file(name: usize) {
    let mut bytes = std::mem::take(&mut *held(&ASKED));
    // A wrong length from the host must not cause a panic.
    let contents = bytes.split_off(name.min(bytes.len()));
    let name = String::from_utf8_lossy(&bytes).into_owned();
    held(&BROUGHT).push((name, contents));
}

/// Fetches the next file that the answer wrote. Returns 1 if there is one, and 0 otherwise.
///
/// With `part` 0 its name becomes the answer. With `part` 1 its content becomes the answer, and the
/// file is removed.
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

/// Answers the question in the buffer: a name of `name` bytes, then an object in JSON.
#[unsafe(no_mangle)]
extern "C" fn ask(name: usize, seconds: f64, positions: f64, memory: f64, told: u32) {
    panic::set_hook(Box::new(|info| {
        let said = info.to_string();
        // A capacity overflow is an impossible size, which never reaches the allocator.
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

/// Builds the error object for a question that crashed another instance.
///
/// `how` is 0 for a defect, 1 for a lack of memory, and 2 for a stack overflow. The message of a
/// defect is in the buffer. `language` is 1 for Chinese, and 0 for English.
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

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    held(&ANSWER).as_ptr() as usize
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    held(&ANSWER).len()
}

/// Returns whether memory ran out.
#[unsafe(no_mangle)]
extern "C" fn exhausted() -> u32 {
    EXHAUSTED.load(Ordering::Relaxed).into()
}
