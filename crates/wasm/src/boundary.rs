//! The interface between the WebAssembly module and its host. The arguments and results of calls
//! are numbers. Texts and files are passed as bytes at addresses in the memory of the module.
//!
//! The host calls `room` for a buffer, writes a question there, and calls `ask`. The answer is at
//! the address `answer` and has `answer_length` bytes. It is valid until the next call of `room` or
//! `ask`.
//!
//! The files of a question are passed before the question. For each file, the host asks for a
//! buffer, writes the name and the content of the file to it, and calls `file`. The files that an
//! answer wrote are fetched one by one with `written`. The module calls `host.time` and
//! `host.tell`. After a trap, `exhausted` returns whether there was not enough memory. Apart from
//! this call, an instance must not be used after a trap.

// SAFETY: there are two kinds of unsafe code. The exported names are unique, so no symbol clashes.
// The allocator forwards every call unchanged to `System`. The host writes only into a vector of
// the requested length.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_wording::Language;

use crate::{Bounds, Crash, Host, NamedFile, Stopped};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the milliseconds since some fixed moment. If the number is negative, the host asks
    /// the module to stop.
    safe fn time() -> f64;
    /// Passes a text to the host. The argument `what` is 0 for progress and 1 for the message of a
    /// panic.
    safe fn tell(what: u32, at: usize, length: usize);
}

/// The argument `what` of `tell` for a progress report. `DEFECT` is its value for the message of a
/// panic.
const PROGRESS: u32 = 0;
const DEFECT: u32 = 1;

struct WasmHost;

impl Host for WasmHost {
    fn time(&self) -> Result<f64, Stopped> {
        let milliseconds = time();
        if milliseconds < 0.0 {
            return Err(Stopped);
        }
        Ok(milliseconds)
    }

    fn report(&self, progress: &str) {
        tell(PROGRESS, progress.as_ptr() as usize, progress.len());
    }
}

/// The allocator of the module. It records whether an allocation has failed.
struct Allocator;

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

fn record_failure(at: *mut u8) -> *mut u8 {
    if at.is_null() {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
    at
}

// SAFETY: every call is forwarded to `System` with unchanged arguments.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        record_failure(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        record_failure(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        record_failure(unsafe { System.realloc(at, layout, size) })
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// These buffers are static because the host uses their addresses after a call has returned.
static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// The files of the next question.
static INPUT_FILES: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());
/// The files that the last answer wrote.
static OUTPUT_FILES: Mutex<Vec<NamedFile>> = Mutex::new(Vec::new());

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates a buffer for a question or a file. Returns its address, or 0 if the allocation fails.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> usize {
    *lock(&ANSWER) = Vec::new();
    let mut question = lock(&QUESTION);
    *question = Vec::new();
    if question.try_reserve_exact(length).is_err() {
        // The result 0 already reports this failure. It must not be taken for the cause of a later
        // trap.
        EXHAUSTED.store(false, Ordering::Relaxed);
        return 0;
    }
    question.resize(length, 0);
    question.as_mut_ptr() as usize
}

/// Takes a file for the next question from the buffer. The first `name` bytes of the buffer are the
/// name of the file, and the others are its content.
#[unsafe(no_mangle)]
extern "C" fn file(name: usize) {
    let mut bytes = std::mem::take(&mut *lock(&QUESTION));
    // The host may pass a wrong length, which must not cause a panic.
    let contents = bytes.split_off(name.min(bytes.len()));
    let name = String::from_utf8_lossy(&bytes).into_owned();
    lock(&INPUT_FILES).push((name, contents));
}

/// Fetches the next file that the last answer wrote. Returns 1 if there is a file, and 0 otherwise.
///
/// If `part` is 0, the name of the file replaces the answer. Otherwise the content of the file
/// replaces the answer, and the next call fetches another file.
#[unsafe(no_mangle)]
extern "C" fn written(part: u32) -> u32 {
    let mut written = lock(&OUTPUT_FILES);
    let Some((name, contents)) = written.first_mut() else {
        return 0;
    };
    if part == 0 {
        *lock(&ANSWER) = name.clone().into_bytes();
    } else {
        *lock(&ANSWER) = std::mem::take(contents);
        written.remove(0);
    }
    1
}

/// Answers the question in the buffer. The first `name` bytes of the buffer are the name of the
/// question, such as `solve`. The remaining bytes are a JSON object.
#[unsafe(no_mangle)]
extern "C" fn ask(name: usize, seconds: f64, positions: f64, memory: f64, progress: u32) {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // This panic means that a requested size is impossible. The allocator is not even called.
        if text.contains("capacity overflow") {
            EXHAUSTED.store(true, Ordering::Relaxed);
        }
        tell(DEFECT, text.as_ptr() as usize, text.len());
    }));
    let question = std::mem::take(&mut *lock(&QUESTION));
    let (name, text) = question.split_at(name.min(question.len()));
    let bounds = Bounds {
        seconds,
        positions: positions as u64,
        memory: memory as u64,
        progress: progress != 0,
    };
    let name = String::from_utf8_lossy(name);
    let files = std::mem::take(&mut *lock(&INPUT_FILES));
    let (answer, written) = if files.is_empty() {
        (crate::ask(&name, text, bounds, WasmHost), Vec::new())
    } else {
        crate::ask_with_files((&name, text), files, bounds, WasmHost)
    };
    *lock(&OUTPUT_FILES) = written;
    *lock(&ANSWER) = answer.into_bytes();
}

/// Creates the error object for a question that crashed another instance of the module.
///
/// The argument `kind` is 0 for a defect, 1 for a lack of memory, and 2 for a stack overflow. For a
/// defect, the message is in the buffer. The argument `language` is 0 for English, and 1 for
/// Chinese.
#[unsafe(no_mangle)]
extern "C" fn failed(kind: u32, language: u32) {
    let text = std::mem::take(&mut *lock(&QUESTION));
    let crash = match kind {
        0 => Crash::Defect(String::from_utf8_lossy(&text).into_owned()),
        1 => Crash::Memory,
        _ => Crash::Stack,
    };
    let language = match language {
        1 => Language::Zh,
        _ => Language::En,
    };
    *lock(&ANSWER) = crate::failed(crash, language).into_bytes();
}

/// Returns the address of the answer in memory.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    lock(&ANSWER).as_ptr() as usize
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    lock(&ANSWER).len()
}

/// Returns 1 if an allocation has failed, and 0 otherwise.
#[unsafe(no_mangle)]
extern "C" fn exhausted() -> u32 {
    EXHAUSTED.load(Ordering::Relaxed).into()
}
