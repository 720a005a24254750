//! Parsing of rule files, on a stack that is large enough for all operators of a file.

use grundy_core::{Kind, message};
use grundy_syntax::Statement;

use crate::Diagnostic;
use crate::scan;

/// Parses a rule file and passes its statements to `callback`. Both run on a stack that is large
/// enough.
///
/// # Errors
/// A text that is not a rule file, with the place of the error, or an error of `callback`.
///
/// # Examples
/// ```
/// use grundy_notation::parse::with_rules;
/// let rules = "def moves(n):\n    return [n - 1] if n else []\n";
/// assert_eq!(with_rules(rules, |statements| Ok(statements.len())), Ok(1));
/// let error = with_rules("while True:\n    pass\n", |_| Ok(())).unwrap_err();
/// assert_eq!(error.help.unwrap(), "use a bounded loop, `for i in range(n)`");
/// ```
pub fn with_rules<T: Send>(
    source: &str,
    callback: impl FnOnce(&[Statement]) -> Result<T, Diagnostic> + Send,
) -> Result<T, Diagnostic> {
    scan::scan(source, &scan::RULES)?;
    on_large_stack(|| callback(&grundy_syntax::parse_file(source)?))?
}

/// Runs `work` on a thread with a large stack. On targets without threads, `work` runs directly,
/// and the stack size is set when the program is built.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    // The parser does not need the stack, but the functions that visit the tree are recursive. Its
    // depth is at most the number of operators that `scan` allows, for which 256 MiB suffice. The
    // memory is only reserved, and most of it is never used.
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, work)
            .map_err(|error| Diagnostic::new(Kind::Internal, message!("{error}", error)))?
            .join()
            .map_err(|_| Diagnostic::new(Kind::Internal, message!("the parser failed")))
    })
}
