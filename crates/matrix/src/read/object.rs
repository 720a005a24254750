//! A JSON object with a matrix and the names of its rows and columns. The keys are those of the
//! answer of the program, or those of pandas (`DataFrame.to_json(orient="split")`).

use grundy_base::{Diagnostic, Kind, message};

use super::brackets::{Scan, list};
use super::builder::{MatrixBuilder, Named};
use super::cell::counts_from_0;

/// Returns whether a text is a JSON object.
pub(super) fn is_object(text: &str) -> bool {
    let inner = text.strip_prefix('{').map(str::trim_start);
    inner.is_some_and(|inner| inner.starts_with(['"', '}']))
}

/// Parses an object that begins at `start`.
pub(super) fn read(
    text: &str,
    start: usize,
    builder: &mut MatrixBuilder,
) -> Result<(), Diagnostic> {
    let mut scan = Scan {
        text,
        at: start + 1,
    };
    let mut seen = Vec::new();
    loop {
        scan.space();
        if scan.accept('}') {
            break;
        }
        if !scan.rest().starts_with('"') {
            return Err(scan.expected(&message!("a key in quotes")));
        }
        let (key, span) = scan.string()?;
        let part = match key.as_str() {
            "matrix" | "data" => None,
            "row_names" | "index" => Some(Named::Rows),
            "col_names" | "columns" => Some(Named::Columns),
            _ => {
                let message = message!("unknown key `{key}`", key = super::total::brief(&key, 40));
                return Err(Diagnostic::new(Kind::Syntax, message)
                    .at(span)
                    .help(message!(
                        "the keys are matrix, row_names and col_names, or data, index and columns"
                    )));
            }
        };
        if seen.contains(&part) {
            let message = message!("the key `{key}` is repeated", key);
            return Err(Diagnostic::new(Kind::Syntax, message).at(span));
        }
        seen.push(part);
        scan.space();
        if !scan.accept(':') {
            return Err(scan.expected(&message!("`:`")));
        }
        scan.space();
        match part {
            None => list(&mut scan, builder)?,
            Some(named) => names(&mut scan, named, builder)?,
        }
        scan.space();
        if !scan.accept(',') {
            scan.space();
            if !scan.accept('}') {
                return Err(scan.expected(&message!("`,` or `}`")));
            }
            break;
        }
    }
    scan.space();
    if scan.rest().is_empty() {
        return Ok(());
    }
    Err(scan.expected(&message!("the end of the input")))
}

/// Parses a list of names. Numbers from 0 are not names, since rows and columns have them anyway.
fn names(scan: &mut Scan<'_>, named: Named, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    if !scan.accept('[') {
        return Err(scan.expected(&message!("a list of names")));
    }
    let mut names = Vec::new();
    loop {
        scan.space();
        if scan.accept(']') {
            break;
        }
        names.push(scan.scalar()?);
        scan.space();
        if !scan.accept(',') && !scan.rest().starts_with(']') {
            return Err(scan.expected(&message!("`,` or `]`")));
        }
    }
    if !counts_from_0(names.iter().map(|(name, _)| name.as_str())) {
        for (name, span) in &names {
            builder.push_name(named, name, span.clone())?;
        }
    }
    Ok(())
}
