//! The parser of values. Its stack is explicit, so braces may be nested to any depth.

use std::ops::Range;

use grundy_base::{Diagnostic, Dyadic, Kind, Limits, Message, Stop, message};
use num_bigint::BigInt;

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// A parsed game. It is a list of items, in which each item is built from earlier ones. The last
/// item is the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a [`Literal`]. It refers to earlier items by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A number plus a multiple of up plus a nimber.
    Packed(Packed),
    /// The value `^[n]`, or `v[n]` for negative n.
    UpTo(i64),
    /// The value `^<n>`, or `v<n>` for negative n.
    UpPower(i64),
    /// The value `Tiny(G)` = {0 || 0 | -G}, where G is the item with this index.
    Tiny(u32),
    /// Several values that are written side by side, as in `3/4v[3]*`. The value is their sum.
    Juxtaposition(Vec<u32>),
    /// A sum of several values, which are written with + or - between them.
    Sum(Vec<u32>),
    /// The negative of an item.
    Negative(u32),
    /// The game {Left's options | Right's options}.
    Braces {
        /// Left's options.
        left: Vec<u32>,
        /// Right's options.
        right: Vec<u32>,
    },
}

/// Largest number of digits of a number.
const MAX_DIGITS: usize = 20_000;

/// Largest exponent k of a denominator 2^k. The number 2^k then has at most [`MAX_DIGITS`] digits.
const MAX_EXPONENT: u64 = 66_438;

/// Largest number of adjacent bars. For example, `{0||0|-1}` has two adjacent bars.
const MAX_BARS: usize = 64;

/// Largest n that is accepted in `^[n]` and `^<n>`.
const MAX_POWER: u64 = 1_000;

/// Returns the error for a number with too many digits.
fn too_long(span: Range<usize>) -> Diagnostic {
    let message = message!(
        "a number of more than {most} digits is too long",
        most = MAX_DIGITS
    );
    Diagnostic::new(Kind::Range, message).at(span)
}

/// The state of the parser within a pair of brackets, or outside of all brackets.
struct Frame {
    open: BracketKind,
    /// The position of the opening bracket in the text.
    at: usize,
    pieces: Vec<Piece>,
    /// The items of the sum that is being parsed.
    sum: Vec<u32>,
    /// The items written side by side that are being parsed.
    juxtaposed: Vec<u32>,
    /// `true` if an operator or a sign has been read, but not the value that follows it.
    signed: bool,
    /// `true` if the sign that has been read negates the next item of the sum.
    negative: bool,
    /// The prefixes that have been read and apply to the next value.
    prefixes: Vec<Prefix>,
}

/// The kind of bracket that encloses the part of the text to which a [`Frame`] belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    /// The whole text, which has no bracket.
    Text,
    Brace,
    Parenthesis,
    /// The brackets of `*[...]`, whose options belong to both players.
    Bracket,
}

/// A prefix of a value in the text: +-, `Tiny` or `Miny`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    PlusMinus,
    Tiny,
    Miny,
}

/// A piece of the text between brackets: an item, a comma, or a run of bars.
#[derive(Clone, Copy)]
enum Piece {
    Node(u32),
    Comma,
    Bars(usize),
}

/// The state of the parser.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    items: Vec<Item>,
    frames: Vec<Frame>,
}

/// Returns a syntax error.
fn syntax_error(message: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span)
}

/// Parses a game without computing its value.
///
/// # Examples
/// ```
/// use grundy_forms::text::{Item, parse};
/// let literal = parse("{0|*}").unwrap();
/// let braces = Item::Braces { left: vec![0], right: vec![1] };
/// assert_eq!(literal.items.len(), 3);
/// assert_eq!(literal.items[2], braces);
/// ```
///
/// # Complexity
/// The parser makes one pass over the text. Braces with runs of bars of several lengths need one
/// more pass for each length.
///
/// # Errors
/// A syntax error with its place in the text.
pub fn parse(text: &str) -> Result<Literal, Diagnostic> {
    let mut reader = Reader {
        text,
        at: 0,
        items: Vec::new(),
        frames: vec![Frame::new(BracketKind::Text, 0)],
    };
    reader.run()?;
    Ok(Literal {
        items: reader.items,
    })
}

impl Frame {
    fn new(open: BracketKind, at: usize) -> Self {
        Self {
            open,
            at,
            pieces: Vec::new(),
            sum: Vec::new(),
            juxtaposed: Vec::new(),
            signed: false,
            negative: false,
            prefixes: Vec::new(),
        }
    }
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        loop {
            // Whitespace only separates tokens.
            self.at = self.text.len() - self.rest().trim_start().len();
            let Some(next) = self.rest().chars().next() else {
                break;
            };
            let start = self.at;
            match next {
                '0'..='9' | '½' | '¼' | '¾' => {
                    let frame = self.frame();
                    if !frame.juxtaposed.is_empty() && frame.prefixes.is_empty() {
                        let message = message!("a number must come first, before ups and stars");
                        return Err(self.error_here(message));
                    }
                    let number = self.number()?;
                    self.add_value(Item::Packed(Packed::of_number(number)));
                }
                '*' | '∗' => {
                    self.at += next.len_utf8();
                    if self.rest().starts_with('[') {
                        self.open(BracketKind::Bracket);
                        continue;
                    }
                    let star = self.count()?.unwrap_or(1);
                    self.add_value(Item::Packed(Packed::nimber(star)));
                }
                '^' | 'v' | '↑' | '↓' | '⇑' | '⇓' => self.ups(next)?,
                '+' | '-' | '−' | '±' => self.sign(next)?,
                '{' => self.open(BracketKind::Brace),
                '(' => self.open(BracketKind::Parenthesis),
                '}' | ')' | ']' => self.close(next)?,
                '|' => {
                    self.end_sum(false)?;
                    let bars = self.rest().len() - self.rest().trim_start_matches('|').len();
                    self.at += bars;
                    if bars > MAX_BARS {
                        let message = message!(
                            "at most {most} consecutive bars are allowed",
                            most = MAX_BARS
                        );
                        return Err(syntax_error(message, start..self.at));
                    }
                    self.separator(Piece::Bars(bars), start)?;
                }
                ',' => {
                    self.end_sum(true)?;
                    self.at += 1;
                    self.separator(Piece::Comma, start)?;
                }
                letter if letter.is_alphabetic() => self.named_value()?,
                _ => {
                    let message = message!("unexpected character");
                    return Err(syntax_error(message, start..start + next.len_utf8()));
                }
            }
        }
        if self.frames.len() > 1 {
            let at = self.frame().at;
            return Err(syntax_error(message!("unclosed bracket"), at..at + 1));
        }
        self.end_sum(true)?;
        // The last item is the value of the whole text.
        Ok(())
    }

    /// Returns the part of the text that has not been read.
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Returns the frame of the innermost bracket that is open.
    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Returns a syntax error at the current position.
    fn error_here(&self, message: Message) -> Diagnostic {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        syntax_error(message, self.at..self.at + length)
    }

    /// Adds an item and returns its index.
    fn add_item(&mut self, item: Item) -> u32 {
        self.items.push(item);
        self.items.len() as u32 - 1
    }

    /// Reads the digits that follow, and returns their range in the text. Returns `None` if no
    /// digit follows.
    fn digits(&mut self) -> Result<Option<Range<usize>>, Diagnostic> {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let span = self.at..self.at + length;
        if length > MAX_DIGITS {
            return Err(too_long(span));
        }
        self.at += length;
        Ok((length > 0).then_some(span))
    }

    /// Reads a non-negative integer that follows without a space. Returns `None` if no digit
    /// follows.
    fn count(&mut self) -> Result<Option<u64>, Diagnostic> {
        let Some(span) = self.digits()? else {
            return Ok(None);
        };
        let count = self.text[span.clone()].parse();
        count.map(Some).map_err(|_| {
            Diagnostic::new(
                Kind::Overflow,
                message!("the number is larger than 2^64 - 1"),
            )
            .at(span)
        })
    }

    /// Parses a number: an integer, a fraction, or a character such as `½`. The denominator of a
    /// fraction is written in digits or as `(2^k)`.
    fn number(&mut self) -> Result<Dyadic, Diagnostic> {
        let integer = |span: Option<Range<usize>>, text: &str| {
            let digits = span.map(|span| text[span].parse::<BigInt>());
            digits.and_then(Result::ok).unwrap_or_default()
        };
        let span = self.digits()?;
        let whole = integer(span, self.text);
        if let Some(quarters) = self.rest().chars().next().and_then(|c| match c {
            '¼' => Some(1),
            '½' => Some(2),
            '¾' => Some(3),
            _ => None,
        }) {
            self.at += '½'.len_utf8();
            return Ok(&Dyadic::from_bigint(whole, 0) + &Dyadic::new(quarters, 2));
        }
        if !self.rest().starts_with('/') {
            return Ok(Dyadic::from_bigint(whole, 0));
        }
        self.at += 1;
        if self.rest().starts_with('(') {
            let exponent = self.power_of_two()?;
            return Ok(Dyadic::from_bigint(whole, exponent));
        }
        let Some(span) = self.digits()? else {
            return Err(self.error_here(message!("expected a denominator")));
        };
        let denominator = integer(Some(span.clone()), self.text);
        let exponent = denominator.trailing_zeros().unwrap_or(0);
        if denominator != BigInt::from(1) << exponent {
            let message = message!("a denominator must be a power of two: 1, 2, 4, 8, ...");
            return Err(Diagnostic::new(Kind::Range, message).at(span));
        }
        Ok(Dyadic::from_bigint(whole, exponent as u32))
    }

    /// Parses the denominator `(2^n)` and returns n.
    fn power_of_two(&mut self) -> Result<u32, Diagnostic> {
        let start = self.at;
        let opening = "(2^";
        let mut exponent = None;
        if self.rest().starts_with(opening) {
            self.at += opening.len();
            exponent = self.digits()?;
        }
        let Some(span) = exponent.filter(|_| self.rest().starts_with(')')) else {
            let message = message!("a denominator must be a power of two: 1, 2, 4, 8, ...");
            return Err(Diagnostic::new(Kind::Range, message).at(start..start + 1));
        };
        self.at += 1;
        let exponent = self.text[span.clone()].parse::<u32>().ok();
        exponent
            // The text `(2^n)` is short even for a large n. The bound on n keeps 2^n within the
            // limit on digits.
            .filter(|&exponent| u64::from(exponent) <= MAX_EXPONENT)
            .ok_or_else(|| too_long(span))
    }

    /// Parses arrows. A run of arrows, or an arrow with a count, is a multiple of up or down. An
    /// arrow with an index in brackets is a value such as `^[n]` or `^<n>`.
    fn ups(&mut self, first: char) -> Result<(), Diagnostic> {
        let start = self.at;
        let (letter, sign, each) = match first {
            '^' => ('^', 1, 1),
            'v' => ('v', -1, 1),
            '↑' => ('↑', 1, 1),
            '↓' => ('↓', -1, 1),
            '⇑' => ('⇑', 1, 2),
            _ => ('⇓', -1, 2),
        };
        let mut run = 0i64;
        while self.rest().starts_with(letter) {
            self.at += letter.len_utf8();
            run += each;
        }
        if run == 1 {
            let close = match self.rest().chars().next() {
                Some('[') => Some(']'),
                Some('<') => Some('>'),
                _ => None,
            };
            if let Some(close) = close {
                self.at += 1;
                let Some(n) = self.count()? else {
                    return Err(self.error_here(message!("expected an integer in the brackets")));
                };
                if !self.rest().starts_with(close) {
                    return Err(self.error_here(message!("unclosed bracket")));
                }
                self.at += 1;
                let least = u64::from(close == '>');
                if !(least..=MAX_POWER).contains(&n) {
                    let message = message!(
                        "{n} is not in the range from {least} to {most}",
                        n,
                        least,
                        most = MAX_POWER
                    );
                    return Err(Diagnostic::new(Kind::Range, message).at(start..self.at));
                }
                let n = sign * n as i64;
                self.add_value(match close {
                    ']' => Item::UpTo(n),
                    _ => Item::UpPower(n),
                });
                return Ok(());
            }
            if let Some(count) = self.count()? {
                run = i64::try_from(count).map_err(|_| {
                    let message = message!("the number is larger than 2^63 - 1");
                    Diagnostic::new(Kind::Overflow, message).at(start..self.at)
                })?;
            }
        }
        self.add_value(Item::Packed(Packed::ups(sign * run, 0)));
        Ok(())
    }

    /// Parses a sign: a prefix such as +-, an operator between two values, or the sign of a value.
    fn sign(&mut self, first: char) -> Result<(), Diagnostic> {
        let start = self.at;
        let is_minus = |c: char| c == '-' || c == '−';
        self.at += first.len_utf8();
        let next = self.rest().chars().next();
        let prefix = match (first, next) {
            ('±', _) => Some((Prefix::PlusMinus, 0)),
            ('+', Some(next)) if is_minus(next) => Some((Prefix::PlusMinus, next.len_utf8())),
            ('+', Some('_')) => Some((Prefix::Tiny, 1)),
            (_, Some('_')) => Some((Prefix::Miny, 1)),
            _ => None,
        };
        if let Some((prefix, length)) = prefix {
            self.at += length;
            self.frame().prefixes.push(prefix);
            // The braces after +- may contain a list of options without a bar.
            self.at = self.text.len() - self.rest().trim_start().len();
            return Ok(());
        }
        if !self.frame().juxtaposed.is_empty() {
            self.end_item(start)?;
            let frame = self.frame();
            frame.signed = true;
            frame.negative = is_minus(first);
            return Ok(());
        }
        if !is_minus(first) || !self.frame().prefixes.is_empty() {
            self.at = start;
            return Err(self.error_here(message!("expected a value before this sign")));
        }
        // A sign directly before a digit belongs only to this number.
        if next.is_some_and(|next| next.is_ascii_digit() || "½¼¾".contains(next)) {
            let number = -&self.number()?;
            self.add_value(Item::Packed(Packed::of_number(number)));
        } else {
            let frame = self.frame();
            frame.signed = true;
            frame.negative = !frame.negative;
        }
        Ok(())
    }

    /// Parses the name of a value, such as `Tiny`.
    fn named_value(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(char::is_alphabetic).len();
        let span = start..start + length;
        let prefix = match self.text[span.clone()].to_ascii_lowercase().as_str() {
            "tiny" => Prefix::Tiny,
            "miny" => Prefix::Miny,
            "on" | "off" | "dud" | "over" | "under" | "upon" => {
                let message = message!(
                    "loopy values are not supported here: write the value of a game in which every play ends"
                );
                return Err(Diagnostic::new(Kind::Cyclic, message).at(span));
            }
            _ => {
                let message = message!("unknown name of a value");
                let help = message!(
                    "the only values with names are Tiny(G) and Miny(G); write ups and downs as ^ and v"
                );
                return Err(Diagnostic::new(Kind::UnknownName, message)
                    .at(span)
                    .help(help));
            }
        };
        self.at += length;
        if !self.rest().starts_with('(') {
            return Err(self.error_here(message!("expected `(`, as in `Tiny(2)`")));
        }
        self.frame().prefixes.push(prefix);
        Ok(())
    }

    /// Begins a new frame (the state of the parser within a pair of brackets) for an opening
    /// bracket.
    fn open(&mut self, open: BracketKind) {
        let at = self.at;
        self.at += 1;
        self.frames.push(Frame::new(open, at));
    }

    /// Ends the innermost frame at a closing bracket, and builds its item.
    fn close(&mut self, bracket: char) -> Result<(), Diagnostic> {
        let open = match bracket {
            '}' => BracketKind::Brace,
            ']' => BracketKind::Bracket,
            _ => BracketKind::Parenthesis,
        };
        if self.frame().open != open {
            return Err(self.error_here(message!("unmatched closing bracket")));
        }
        self.end_sum(open == BracketKind::Parenthesis)?;
        let span = self.frame().at..self.at + 1;
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        self.at += 1;
        if open == BracketKind::Parenthesis {
            if let Some(&Piece::Node(node)) = frame.pieces.last() {
                self.finish_value(node);
            }
            return Ok(());
        }
        if open == BracketKind::Bracket {
            let left = self.side(&frame.pieces, &span)?;
            let right = left.clone();
            self.add_value(Item::Braces { left, right });
            return Ok(());
        }
        let has_bars = frame
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Bars(_)));
        // The text `+-{a, b}` means {a, b | -a, -b}.
        if !has_bars && self.frame().prefixes.last() == Some(&Prefix::PlusMinus) {
            self.frame().prefixes.pop();
            let options = self.side(&frame.pieces, &span)?;
            let node = self.plus_minus(options);
            self.finish_value(node);
            return Ok(());
        }
        let node = self.braces(&frame.pieces, &span)?;
        self.finish_value(node);
        Ok(())
    }

    /// Builds the item for a pair of braces. `pieces` are the items, commas and bars between the
    /// braces. The longest run of bars separates Left's options from Right's.
    fn braces(&mut self, pieces: &[Piece], span: &Range<usize>) -> Result<u32, Diagnostic> {
        let length = |piece: &Piece| match piece {
            Piece::Bars(bars) => *bars,
            _ => 0,
        };
        let longest = pieces.iter().map(length).max().unwrap_or(0);
        let mut cuts = (0..pieces.len()).filter(|&at| length(&pieces[at]) == longest);
        let cut = match (longest, cuts.next(), cuts.next()) {
            // Shorter runs of bars belong to the options. For example, {a || b | c} is {a | {b |
            // c}}.
            (1.., Some(cut), None) => cut,
            (1.., ..) => {
                let message =
                    message!("ambiguous bars: the longest run of bars must occur exactly once");
                return Err(syntax_error(message, span.clone()));
            }
            _ => {
                let message = message!("missing bar between Left's options and Right's");
                return Err(syntax_error(message, span.clone()));
            }
        };
        let left = self.side(&pieces[..cut], span)?;
        let right = self.side(&pieces[cut + 1..], span)?;
        Ok(self.add_item(Item::Braces { left, right }))
    }

    /// Returns the options on one side of braces. A side that contains bars is a game whose own
    /// braces are omitted, and this game is the only option.
    fn side(&mut self, pieces: &[Piece], span: &Range<usize>) -> Result<Vec<u32>, Diagnostic> {
        if pieces.iter().any(|piece| matches!(piece, Piece::Bars(_))) {
            return Ok(vec![self.braces(pieces, span)?]);
        }
        let nodes = pieces.iter().filter_map(|piece| match piece {
            Piece::Node(node) => Some(*node),
            _ => None,
        });
        Ok(nodes.collect())
    }

    /// Adds the item {left | right}, in which the right options are the negatives of the left ones.
    fn plus_minus(&mut self, left: Vec<u32>) -> u32 {
        let right = left
            .iter()
            .map(|&option| self.add_item(Item::Negative(option)));
        let right = right.collect();
        self.add_item(Item::Braces { left, right })
    }

    /// Adds an item, and applies the pending prefixes to it.
    fn add_value(&mut self, item: Item) {
        let node = self.add_item(item);
        self.finish_value(node);
    }

    /// Applies the pending prefixes to an item. Then adds it to the items that are written side by
    /// side.
    fn finish_value(&mut self, mut node: u32) {
        while let Some(prefix) = self.frame().prefixes.pop() {
            node = match prefix {
                Prefix::PlusMinus => self.plus_minus(vec![node]),
                Prefix::Tiny => self.add_item(Item::Tiny(node)),
                Prefix::Miny => {
                    let tiny = self.add_item(Item::Tiny(node));
                    self.add_item(Item::Negative(tiny))
                }
            };
        }
        self.frame().juxtaposed.push(node);
    }

    /// Ends the values written side by side. They become one item of the sum.
    fn end_item(&mut self, before: usize) -> Result<(), Diagnostic> {
        let frame = self.frame();
        let juxtaposed = std::mem::take(&mut frame.juxtaposed);
        let negative = std::mem::take(&mut frame.negative);
        frame.signed = false;
        if juxtaposed.is_empty() || !frame.prefixes.is_empty() {
            self.at = before;
            return Err(self.error_here(message!("expected a value")));
        }
        let node = match juxtaposed[..] {
            [only] => only,
            _ => self.add_item(Item::Juxtaposition(juxtaposed)),
        };
        let node = if negative {
            self.add_item(Item::Negative(node))
        } else {
            node
        };
        self.frame().sum.push(node);
        Ok(())
    }

    /// Ends a sum. If `required` is `false`, the sum may be missing, since a side of braces may be
    /// empty.
    fn end_sum(&mut self, required: bool) -> Result<(), Diagnostic> {
        let at = self.at;
        let follows_comma = matches!(self.frame().pieces.last(), Some(Piece::Comma));
        let frame = self.frame();
        let begun = !frame.juxtaposed.is_empty() || frame.signed || !frame.prefixes.is_empty();
        if !begun && frame.sum.is_empty() && !required && !follows_comma {
            return Ok(());
        }
        self.end_item(at)?;
        let sum = std::mem::take(&mut self.frame().sum);
        let node = match sum[..] {
            [only] => only,
            _ => self.add_item(Item::Sum(sum)),
        };
        self.frame().pieces.push(Piece::Node(node));
        Ok(())
    }

    /// Adds a bar or a comma. Fails if the innermost bracket does not allow it.
    fn separator(&mut self, piece: Piece, start: usize) -> Result<(), Diagnostic> {
        let open = self.frame().open;
        let both = open == BracketKind::Bracket && matches!(piece, Piece::Comma);
        if open != BracketKind::Brace && !both {
            let message = message!("bars and commas are allowed in braces only");
            return Err(syntax_error(message, start..self.at));
        }
        self.frame().pieces.push(piece);
        Ok(())
    }
}

impl Forms {
    /// Returns the canonical form of a parsed game.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let literal = text::parse("{0|*} + {0|*}").unwrap();
    /// let form = forms.evaluate(&literal, &limits)?;
    /// assert_eq!(forms.write(form), "^^");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Overflow`].
    pub fn evaluate(&mut self, literal: &Literal, limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut values: Vec<Form> = Vec::with_capacity(literal.items.len());
        // Each item refers only to earlier items, so one pass in order is enough.
        for item in &literal.items {
            let value = self.value_of(item, &values, limits)?;
            values.push(value);
        }
        Ok(values.pop().unwrap_or(Form::ZERO))
    }

    /// Returns the canonical form of an item. `values` has the forms of all earlier items.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text::Item};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.of_integer(2);
    /// let tiny = forms.value_of(&Item::Tiny(0), &[two], &limits)?;
    /// assert_eq!(forms.write_braces(tiny, &limits)?, "{0||0|-2}");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::evaluate`].
    pub fn value_of(
        &mut self,
        item: &Item,
        values: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let all =
            |of: &[u32]| -> Vec<Form> { of.iter().map(|&item| values[item as usize]).collect() };
        match item {
            Item::Packed(packed) => Ok(self.of_packed(packed)),
            Item::UpTo(n) => self.up_to(*n, limits),
            Item::UpPower(n) => self.up_power(*n, limits),
            Item::Tiny(of) => {
                let lost = self.negative(values[*of as usize]);
                let threat = self.canonical(&[Form::ZERO], &[lost], limits)?;
                self.canonical(&[Form::ZERO], &[threat], limits)
            }
            Item::Juxtaposition(parts) | Item::Sum(parts) => {
                let parts = all(parts);
                self.total(&parts, limits)
            }
            Item::Negative(of) => Ok(self.negative(values[*of as usize])),
            Item::Braces { left, right } => self.canonical(&all(left), &all(right), limits),
        }
    }
}
