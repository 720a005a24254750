//! A parser for the notation in which `sums::rules` writes positions. The library itself parses no
//! text: its constructors take arguments.

use grundy_core::argument::Argument;
use grundy_core::registry::construct;
use grundy_core::{Diagnostic, Position};

/// Parses a sum of games.
pub(crate) fn read(text: &str) -> Result<Position, Diagnostic> {
    let mut reader = Reader { rest: text };
    let mut terms = Vec::new();
    loop {
        let (name, items) = reader.call();
        terms.push(construct(name, &items)?);
        if !reader.eat("+") {
            break;
        }
    }
    assert!(reader.rest.is_empty(), "{text}");
    Position::sum(terms)
}

/// The remaining input of the parser, which panics on invalid notation.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Skips blanks, and then `sign` if it comes next. Returns whether `sign` was skipped.
    fn eat(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, sign: &str) {
        assert!(self.eat(sign), "`{sign}` is expected: {}", self.rest);
    }

    /// Removes the longest prefix of the input whose characters all satisfy `of`, and returns it.
    fn take(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c| !of(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn name(&mut self) -> &'a str {
        self.take(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Parses a call such as `name(value, name=value)`.
    fn call(&mut self) -> (&'a str, Vec<(Option<String>, Argument)>) {
        let name = self.name();
        self.expect("(");
        let items = self.items(")", |reader| {
            // A name is a keyword only if `=` follows; otherwise parse it again as a value.
            let begin = reader.rest;
            let name = reader.name();
            if !name.is_empty() && reader.eat("=") {
                return (Some(name.to_owned()), reader.value());
            }
            reader.rest = begin;
            (None, reader.value())
        });
        (name, items)
    }

    /// Parses items separated by commas, up to and including the sign `end`. A comma may precede
    /// `end`.
    fn items<T>(&mut self, end: &str, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.eat(end) {
            items.push(item(self));
            if !self.eat(",") {
                self.expect(end);
                break;
            }
        }
        items
    }

    fn value(&mut self) -> Argument {
        if self.eat("[") {
            return Argument::List(self.items("]", Self::value));
        }
        if self.eat("{") {
            return Argument::Map(self.items("}", |reader| {
                let key = reader.value();
                reader.expect(":");
                (key, reader.value())
            }));
        }
        if self.eat("\"") {
            let text = self.take_text();
            return Argument::Text(text.to_owned());
        }
        if self.eat("True") {
            return Argument::Bool(true);
        }
        let number = self.take(|c| c.is_ascii_digit() || c == '-');
        Argument::Int(number.parse().expect("a number"))
    }

    /// Returns the text up to the next quotation mark, and skips it. The writers in `sums::rules`
    /// never put a quotation mark inside a quoted text.
    fn take_text(&mut self) -> &'a str {
        let (text, rest) = self.rest.split_once('"').expect("the end of a text");
        self.rest = rest;
        text
    }
}
