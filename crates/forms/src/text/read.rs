//! Reading what is written; the nesting of braces is a list, so that no depth is too deep.

use std::ops::Range;

use grundy_base::{Diagnostic, Dyadic, Kind, Limits, Message, Stop, message};
use num_bigint::BigInt;

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// A game as it is written: items, of which each is made of earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The items.
    pub items: Vec<Item>,
}

/// A piece of a [`Literal`]; the pieces inside it by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A number, ups, a nimber.
    Packed(Packed),
    /// `^[n]`, for negative n `v[n]`.
    UpTo(i64),
    /// `^<n>`, for negative n `v<n>`.
    UpPower(i64),
    /// `Tiny(G)`: {0 || 0 | -G}.
    Tiny(u32),
    /// Several side by side, as in `3/4v[3]*`.
    Beside(Vec<u32>),
    /// Several with + between them.
    Sum(Vec<u32>),
    /// The negative.
    Negative(u32),
    /// {Left's options | Right's options}.
    Braces {
        /// Left's.
        left: Vec<u32>,
        /// Right's.
        right: Vec<u32>,
    },
}

/// Longest number, in digits.
const DIGITS: usize = 20_000;

/// The largest exponent of a denominator: 2 to this power has [`DIGITS`] digits.
const EXPONENT: u64 = 66_438;

/// Most bars side by side.
const BARS: usize = 64;

/// Largest n of `^[n]` and `^<n>`.
const POWER: u64 = 1_000;

/// Returns the error about a number of too many digits.
fn too_long(span: Range<usize>) -> Diagnostic {
    let message = message!(
        "a number of more than {most} digits is too long",
        most = DIGITS
    );
    Diagnostic::new(Kind::Range, message).at(span)
}

/// What is read between two brackets, or between none.
struct Frame {
    open: Open,
    /// Where it was opened.
    at: usize,
    pieces: Vec<Piece>,
    /// The items of the sum that is being read.
    sum: Vec<u32>,
    /// What stands side by side so far.
    beside: Vec<u32>,
    /// `true` if an operator or a sign waits for what follows, and whether that is to be negated.
    signed: bool,
    negative: bool,
    /// What waits for the next atom.
    prefixes: Vec<Prefix>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Text,
    Brace,
    Parenthesis,
    /// The options of both players, after a star.
    Bracket,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    PlusMinus,
    Tiny,
    Miny,
}

/// A part of what stands in braces.
#[derive(Clone, Copy)]
enum Piece {
    Node(u32),
    Comma,
    Bars(usize),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    items: Vec<Item>,
    frames: Vec<Frame>,
}

fn wrong(message: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span)
}

/// Reads a game.
///
/// # Complexity
/// One pass; braces whose options are told apart by runs of bars are passed once for each length of
/// run.
///
/// # Errors
/// What is no value, with its place.
pub fn parse(text: &str) -> Result<Literal, Diagnostic> {
    let mut reader = Reader {
        text,
        at: 0,
        items: Vec::new(),
        frames: vec![Frame::new(Open::Text, 0)],
    };
    reader.run()?;
    Ok(Literal {
        items: reader.items,
    })
}

impl Frame {
    fn new(open: Open, at: usize) -> Self {
        Self {
            open,
            at,
            pieces: Vec::new(),
            sum: Vec::new(),
            beside: Vec::new(),
            signed: false,
            negative: false,
            prefixes: Vec::new(),
        }
    }
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            let Some(next) = self.rest().chars().next() else {
                break;
            };
            let start = self.at;
            match next {
                '0'..='9' | '½' | '¼' | '¾' => {
                    let frame = self.frame();
                    if !frame.beside.is_empty() && frame.prefixes.is_empty() {
                        let message = message!("a number stands first, before ups and stars");
                        return Err(self.here(message));
                    }
                    let number = self.number()?;
                    self.atom(Item::Packed(Packed::of_number(number)));
                }
                '*' | '∗' => {
                    self.at += next.len_utf8();
                    if self.rest().starts_with('[') {
                        self.open(Open::Bracket);
                        continue;
                    }
                    let star = self.count()?.unwrap_or(1);
                    self.atom(Item::Packed(Packed::nimber(star)));
                }
                '^' | 'v' | '↑' | '↓' | '⇑' | '⇓' => self.ups(next)?,
                '+' | '-' | '−' | '±' => self.sign(next)?,
                '{' => self.open(Open::Brace),
                '(' => self.open(Open::Parenthesis),
                '}' | ')' | ']' => self.close(next)?,
                '|' => {
                    self.end_sum(false)?;
                    let bars = self.rest().len() - self.rest().trim_start_matches('|').len();
                    self.at += bars;
                    if bars > BARS {
                        let message = message!("more than {most} bars side by side", most = BARS);
                        return Err(wrong(message, start..self.at));
                    }
                    self.between(Piece::Bars(bars), start)?;
                }
                ',' => {
                    self.end_sum(true)?;
                    self.at += 1;
                    self.between(Piece::Comma, start)?;
                }
                letter if letter.is_alphabetic() => self.word()?,
                _ => {
                    let message = message!("this character is in no value");
                    return Err(wrong(message, start..start + next.len_utf8()));
                }
            }
        }
        if self.frames.len() > 1 {
            let at = self.frame().at;
            return Err(wrong(message!("this bracket is not closed"), at..at + 1));
        }
        self.end_sum(true)?;
        // What was read last stands last, and is all of it.
        Ok(())
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Returns an error about what stands here.
    fn here(&self, message: Message) -> Diagnostic {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        wrong(message, self.at..self.at + length)
    }

    fn item(&mut self, item: Item) -> u32 {
        self.items.push(item);
        self.items.len() as u32 - 1
    }

    /// Takes digits, if there are any.
    fn digits(&mut self) -> Result<Option<Range<usize>>, Diagnostic> {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let span = self.at..self.at + length;
        if length > DIGITS {
            return Err(too_long(span));
        }
        self.at += length;
        Ok((length > 0).then_some(span))
    }

    /// Takes a count that directly follows.
    fn count(&mut self) -> Result<Option<u64>, Diagnostic> {
        let Some(span) = self.digits()? else {
            return Ok(None);
        };
        let count = self.text[span.clone()].parse();
        count.map(Some).map_err(|_| {
            Diagnostic::new(Kind::Overflow, message!("this is larger than 2^64 - 1")).at(span)
        })
    }

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
            return Ok(&Dyadic::of_integer(whole, 0) + &Dyadic::new(quarters, 2));
        }
        if !self.rest().starts_with('/') {
            return Ok(Dyadic::of_integer(whole, 0));
        }
        self.at += 1;
        if self.rest().starts_with('(') {
            let exponent = self.power_of_two()?;
            return Ok(Dyadic::of_integer(whole, exponent));
        }
        let Some(span) = self.digits()? else {
            return Err(self.here(message!("a denominator is missing here")));
        };
        let denominator = integer(Some(span.clone()), self.text);
        let exponent = denominator.trailing_zeros().unwrap_or(0);
        if denominator != BigInt::from(1) << exponent {
            let message = message!("a denominator is a power of two: 1, 2, 4, 8, ...");
            return Err(Diagnostic::new(Kind::Range, message).at(span));
        }
        Ok(Dyadic::of_integer(whole, exponent as u32))
    }

    /// Reads the denominator `(2^n)`. Returns n.
    fn power_of_two(&mut self) -> Result<u32, Diagnostic> {
        let start = self.at;
        let opening = "(2^";
        let mut exponent = None;
        if self.rest().starts_with(opening) {
            self.at += opening.len();
            exponent = self.digits()?;
        }
        let Some(span) = exponent.filter(|_| self.rest().starts_with(')')) else {
            let message = message!("a denominator is a power of two: 1, 2, 4, 8, ...");
            return Err(Diagnostic::new(Kind::Range, message).at(start..start + 1));
        };
        self.at += 1;
        let exponent = self.text[span.clone()].parse::<u32>().ok();
        exponent
            .filter(|&exponent| u64::from(exponent) <= EXPONENT)
            .ok_or_else(|| too_long(span))
    }

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
                    return Err(self.here(message!("a count is missing here")));
                };
                if !self.rest().starts_with(close) {
                    return Err(self.here(message!("this bracket is not closed")));
                }
                self.at += 1;
                let least = u64::from(close == '>');
                if !(least..=POWER).contains(&n) {
                    let message =
                        message!("{n} is not from {least} to {most}", n, least, most = POWER);
                    return Err(Diagnostic::new(Kind::Range, message).at(start..self.at));
                }
                let n = sign * n as i64;
                self.atom(match close {
                    ']' => Item::UpTo(n),
                    _ => Item::UpPower(n),
                });
                return Ok(());
            }
            if let Some(count) = self.count()? {
                run = i64::try_from(count).map_err(|_| {
                    let message = message!("this is larger than 2^63 - 1");
                    Diagnostic::new(Kind::Overflow, message).at(start..self.at)
                })?;
            }
        }
        self.atom(Item::Packed(Packed::ups(sign * run, 0)));
        Ok(())
    }

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
            // What is in braces after +- may be a list without a bar.
            self.at = self.text.len() - self.rest().trim_start().len();
            return Ok(());
        }
        if !self.frame().beside.is_empty() {
            self.end_item(start)?;
            let frame = self.frame();
            frame.signed = true;
            frame.negative = is_minus(first);
            return Ok(());
        }
        if !is_minus(first) || !self.frame().prefixes.is_empty() {
            self.at = start;
            return Err(self.here(message!("a value is missing before this sign")));
        }
        // A sign before a digit belongs to the number alone.
        if next.is_some_and(|next| next.is_ascii_digit() || "½¼¾".contains(next)) {
            let number = -&self.number()?;
            self.atom(Item::Packed(Packed::of_number(number)));
        } else {
            let frame = self.frame();
            frame.signed = true;
            frame.negative = !frame.negative;
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(char::is_alphabetic).len();
        let span = start..start + length;
        let prefix = match self.text[span.clone()].to_ascii_lowercase().as_str() {
            "tiny" => Prefix::Tiny,
            "miny" => Prefix::Miny,
            "on" | "off" | "dud" | "over" | "under" | "upon" => {
                let message = message!("a loopy value is not the value of a game that ends");
                return Err(Diagnostic::new(Kind::Cyclic, message).at(span));
            }
            _ => {
                let message = message!("this word names no value");
                let help = message!(
                    "values have the names Tiny(G) and Miny(G), and ups are written ^ and v"
                );
                return Err(Diagnostic::new(Kind::UnknownName, message)
                    .at(span)
                    .help(help));
            }
        };
        self.at += length;
        if !self.rest().starts_with('(') {
            return Err(self.here(message!("( is missing here, as in Tiny(2)")));
        }
        self.frame().prefixes.push(prefix);
        Ok(())
    }

    fn open(&mut self, open: Open) {
        let at = self.at;
        self.at += 1;
        self.frames.push(Frame::new(open, at));
    }

    fn close(&mut self, bracket: char) -> Result<(), Diagnostic> {
        let open = match bracket {
            '}' => Open::Brace,
            ']' => Open::Bracket,
            _ => Open::Parenthesis,
        };
        if self.frame().open != open {
            return Err(self.here(message!("this bracket closes nothing")));
        }
        self.end_sum(open == Open::Parenthesis)?;
        let span = self.frame().at..self.at + 1;
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        self.at += 1;
        if open == Open::Parenthesis {
            if let Some(&Piece::Node(node)) = frame.pieces.last() {
                self.finish_atom(node);
            }
            return Ok(());
        }
        if open == Open::Bracket {
            let left = self.side(&frame.pieces, &span)?;
            let right = left.clone();
            self.atom(Item::Braces { left, right });
            return Ok(());
        }
        let has_bars = frame
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Bars(_)));
        if !has_bars && self.frame().prefixes.last() == Some(&Prefix::PlusMinus) {
            self.frame().prefixes.pop();
            let options = self.side(&frame.pieces, &span)?;
            let node = self.plus_minus(options);
            self.finish_atom(node);
            return Ok(());
        }
        let node = self.braces(&frame.pieces, &span)?;
        self.finish_atom(node);
        Ok(())
    }

    /// Cuts at the longest run of bars.
    fn braces(&mut self, pieces: &[Piece], span: &Range<usize>) -> Result<u32, Diagnostic> {
        let length = |piece: &Piece| match piece {
            Piece::Bars(bars) => *bars,
            _ => 0,
        };
        let longest = pieces.iter().map(length).max().unwrap_or(0);
        let mut cuts = (0..pieces.len()).filter(|&at| length(&pieces[at]) == longest);
        let cut = match (longest, cuts.next(), cuts.next()) {
            (1.., Some(cut), None) => cut,
            (1.., ..) => {
                let message = message!(
                    "the longest run of bars stands once: which of these parts Left's options from Right's?"
                );
                return Err(wrong(message, span.clone()));
            }
            _ => {
                let message = message!("a bar is missing between Left's options and Right's");
                return Err(wrong(message, span.clone()));
            }
        };
        let left = self.side(&pieces[..cut], span)?;
        let right = self.side(&pieces[cut + 1..], span)?;
        Ok(self.item(Item::Braces { left, right }))
    }

    /// Returns the options of one side: a list, or what shorter bars make one option.
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

    fn plus_minus(&mut self, left: Vec<u32>) -> u32 {
        let right = left.iter().map(|&option| self.item(Item::Negative(option)));
        let right = right.collect();
        self.item(Item::Braces { left, right })
    }

    fn atom(&mut self, item: Item) {
        let node = self.item(item);
        self.finish_atom(node);
    }

    /// Something that waits may be made of an atom; then it stands beside what is there.
    fn finish_atom(&mut self, mut node: u32) {
        while let Some(prefix) = self.frame().prefixes.pop() {
            node = match prefix {
                Prefix::PlusMinus => self.plus_minus(vec![node]),
                Prefix::Tiny => self.item(Item::Tiny(node)),
                Prefix::Miny => {
                    let tiny = self.item(Item::Tiny(node));
                    self.item(Item::Negative(tiny))
                }
            };
        }
        self.frame().beside.push(node);
    }

    /// What stands side by side is one item of the sum.
    fn end_item(&mut self, before: usize) -> Result<(), Diagnostic> {
        let frame = self.frame();
        let beside = std::mem::take(&mut frame.beside);
        let negative = std::mem::take(&mut frame.negative);
        frame.signed = false;
        if beside.is_empty() || !frame.prefixes.is_empty() {
            self.at = before;
            return Err(self.here(message!("a value is missing here")));
        }
        let node = match beside[..] {
            [only] => only,
            _ => self.item(Item::Beside(beside)),
        };
        let node = if negative {
            self.item(Item::Negative(node))
        } else {
            node
        };
        self.frame().sum.push(node);
        Ok(())
    }

    /// A sum ends here; it may be missing where a side of braces may be empty.
    fn end_sum(&mut self, needed: bool) -> Result<(), Diagnostic> {
        let at = self.at;
        let follows_comma = matches!(self.frame().pieces.last(), Some(Piece::Comma));
        let frame = self.frame();
        let begun = !frame.beside.is_empty() || frame.signed || !frame.prefixes.is_empty();
        if !begun && frame.sum.is_empty() && !needed && !follows_comma {
            return Ok(());
        }
        self.end_item(at)?;
        let sum = std::mem::take(&mut self.frame().sum);
        let node = match sum[..] {
            [only] => only,
            _ => self.item(Item::Sum(sum)),
        };
        self.frame().pieces.push(Piece::Node(node));
        Ok(())
    }

    fn between(&mut self, piece: Piece, start: usize) -> Result<(), Diagnostic> {
        let open = self.frame().open;
        let both = open == Open::Bracket && matches!(piece, Piece::Comma);
        if open != Open::Brace && !both {
            let message = message!("bars and commas stand in braces");
            return Err(wrong(message, start..self.at));
        }
        self.frame().pieces.push(piece);
        Ok(())
    }
}

impl Forms {
    /// Returns the canonical form of a game as it is written.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Overflow`].
    pub fn evaluate(&mut self, literal: &Literal, limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut values: Vec<Form> = Vec::with_capacity(literal.items.len());
        for item in &literal.items {
            let value = self.value_of(item, &values, limits)?;
            values.push(value);
        }
        Ok(values.pop().unwrap_or(Form::ZERO))
    }

    /// Returns the canonical form of an item from those of the earlier ones.
    ///
    /// # Errors
    /// As [`Forms::evaluate`].
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
            Item::Beside(parts) | Item::Sum(parts) => {
                let parts = all(parts);
                self.total(&parts, limits)
            }
            Item::Negative(of) => Ok(self.negative(values[*of as usize])),
            Item::Braces { left, right } => self.canonical(&all(left), &all(right), limits),
        }
    }
}
