//! DOT, the language of Graphviz: the directed graphs written in it; attributes are read over.

use std::io::BufRead;

use grundy::{Kind, Message, message};

use super::{Edges, LONGEST_NAME, on_line, too_long, unreadable};
use crate::Diagnostic;

/// A word or a sign of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name; quoted ones are never keywords.
    Id {
        name: String,
        quoted: bool,
    },
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// One of `{ } [ ] ; , = : +`
    Sign(u8),
    End,
}

/// The text cut into tokens.
struct Tokens<R> {
    input: R,
    line: u64,
    /// A token read ahead.
    ahead: Option<Token>,
}

impl<R: BufRead> Tokens<R> {
    fn peek_byte(&mut self) -> Result<Option<u8>, Diagnostic> {
        let buffer = self.input.fill_buf().map_err(|error| unreadable(&error))?;
        Ok(buffer.first().copied())
    }

    fn byte(&mut self) -> Result<Option<u8>, Diagnostic> {
        let byte = self.peek_byte()?;
        if byte.is_some() {
            self.input.consume(1);
        }
        self.line += u64::from(byte == Some(b'\n'));
        Ok(byte)
    }

    fn wrong(&self, message: Message) -> Diagnostic {
        on_line(self.line, Diagnostic::new(Kind::Syntax, message))
    }

    fn next(&mut self) -> Result<Token, Diagnostic> {
        match self.ahead.take() {
            Some(token) => Ok(token),
            None => self.read(),
        }
    }

    fn peek(&mut self) -> Result<&Token, Diagnostic> {
        let token = self.next()?;
        Ok(self.ahead.insert(token))
    }

    fn read(&mut self) -> Result<Token, Diagnostic> {
        let mut start_of_line = false;
        loop {
            let Some(byte) = self.byte()? else {
                return Ok(Token::End);
            };
            match byte {
                b'\n' => {
                    start_of_line = true;
                    continue;
                }
                b'#' if start_of_line || self.line == 1 => {
                    self.skip_line()?;
                    start_of_line = true;
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {}
                b'/' => match self.byte()? {
                    Some(b'/') => {
                        self.skip_line()?;
                        start_of_line = true;
                        continue;
                    }
                    Some(b'*') => self.skip_comment()?,
                    _ => return Err(self.wrong(message!("`/` begins no comment here"))),
                },
                b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' | b'+' => {
                    return Ok(Token::Sign(byte));
                }
                b'"' => return self.quoted(),
                b'<' => return self.html(),
                b'-' => match self.peek_byte()? {
                    Some(b'>') => {
                        self.byte()?;
                        return Ok(Token::Arrow);
                    }
                    Some(b'-') => {
                        self.byte()?;
                        return Ok(Token::Line);
                    }
                    _ => return self.word(byte),
                },
                byte if is_word(byte) => return self.word(byte),
                byte => {
                    let message =
                        message!("`{byte}` has no meaning here", byte = byte.escape_ascii());
                    return Err(self.wrong(message));
                }
            }
            start_of_line = false;
        }
    }

    fn skip_line(&mut self) -> Result<(), Diagnostic> {
        while !matches!(self.byte()?, None | Some(b'\n')) {}
        Ok(())
    }

    fn skip_comment(&mut self) -> Result<(), Diagnostic> {
        let mut last = 0;
        while let Some(byte) = self.byte()? {
            if (last, byte) == (b'*', b'/') {
                return Ok(());
            }
            last = byte;
        }
        Err(self.wrong(message!("a comment does not end")))
    }

    fn word(&mut self, first: u8) -> Result<Token, Diagnostic> {
        let mut bytes = vec![first];
        while let Some(byte) = self.peek_byte()?.filter(|&byte| is_word(byte)) {
            self.push(&mut bytes, byte)?;
            self.byte()?;
        }
        self.id(bytes, false)
    }

    fn quoted(&mut self) -> Result<Token, Diagnostic> {
        let line = self.line;
        let mut bytes = Vec::new();
        loop {
            match self.byte()? {
                Some(b'"') => return self.id(bytes, true),
                Some(b'\\') => match self.byte()? {
                    // A line may be broken inside a string.
                    Some(b'\n') | None => {}
                    Some(b'"') => self.push(&mut bytes, b'"')?,
                    Some(b'\\') => self.push(&mut bytes, b'\\')?,
                    Some(byte) => {
                        self.push(&mut bytes, b'\\')?;
                        self.push(&mut bytes, byte)?;
                    }
                },
                Some(byte) => self.push(&mut bytes, byte)?,
                None => {
                    let message = message!("a string does not end");
                    return Err(on_line(line, Diagnostic::new(Kind::Syntax, message)));
                }
            }
        }
    }

    fn html(&mut self) -> Result<Token, Diagnostic> {
        let mut depth = 1u64;
        let mut bytes = Vec::new();
        while let Some(byte) = self.byte()? {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.id(bytes, true);
            }
            self.push(&mut bytes, byte)?;
        }
        Err(self.wrong(message!("`<` has no `>`")))
    }

    fn push(&self, bytes: &mut Vec<u8>, byte: u8) -> Result<(), Diagnostic> {
        if bytes.len() == LONGEST_NAME {
            return Err(on_line(self.line, too_long()));
        }
        bytes.push(byte);
        Ok(())
    }

    fn id(&self, bytes: Vec<u8>, quoted: bool) -> Result<Token, Diagnostic> {
        let Ok(name) = String::from_utf8(bytes) else {
            let message = message!("a name is not UTF-8");
            return Err(on_line(self.line, Diagnostic::new(Kind::Encoding, message)));
        };
        Ok(Token::Id { name, quoted })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | 0x80..)
}

/// What stands between two braces: all its vertices, and the side of an edge read last.
#[derive(Default)]
struct BraceGroup {
    vertices: Vec<u32>,
    side: Vec<u32>,
    /// `true` if an arrow waits for its other side.
    arrow: bool,
}

impl BraceGroup {
    /// A vertex or a group of them, as a side of an edge.
    fn side(&mut self, side: Vec<u32>, edges: &mut Edges<'_>) -> Result<(), Diagnostic> {
        if std::mem::take(&mut self.arrow) {
            for &from in &self.side {
                for &to in &side {
                    edges.edge(from, to)?;
                }
            }
        }
        self.vertices.extend(&side);
        self.side = side;
        Ok(())
    }
}

pub(super) fn read(input: impl BufRead, edges: &mut Edges<'_>) -> Result<(), Diagnostic> {
    let mut tokens = Tokens {
        input,
        line: 1,
        ahead: None,
    };
    header(&mut tokens)?;
    // Groups nest as deep as they like: the open ones are kept here.
    let mut groups = vec![BraceGroup::default()];
    while let Some(group) = groups.last_mut() {
        let token = tokens.next()?;
        let continues = matches!(token, Token::Id { .. } | Token::Sign(b'{'));
        if group.arrow && !continues {
            return Err(tokens.wrong(message!("`->` leads nowhere")));
        }
        match token {
            Token::Sign(b'{') => groups.push(BraceGroup::default()),
            Token::Sign(b'}') => {
                let inner = groups.pop().map(|group| group.vertices).unwrap_or_default();
                match groups.last_mut() {
                    Some(group) => group.side(inner, edges)?,
                    None => break,
                }
            }
            Token::Sign(b';' | b',') => group.side.clear(),
            Token::Sign(b'[') => attributes(&mut tokens)?,
            Token::Arrow if group.side.is_empty() => {
                return Err(tokens.wrong(message!("`->` comes from nowhere")));
            }
            Token::Arrow => group.arrow = true,
            Token::Line => {
                return Err(tokens
                    .wrong(message!("`--` is an edge without a direction"))
                    .help(message!(
                        "moves have a direction: write a digraph with `->`"
                    )));
            }
            Token::Id { name, quoted } => statement(&name, quoted, &mut tokens, group, edges)?,
            Token::Sign(sign) => {
                let message = message!("`{sign}` has no meaning here", sign = char::from(sign));
                return Err(tokens.wrong(message));
            }
            Token::End => {
                return Err(tokens.wrong(message!("the graph does not end: `}` is missing")));
            }
        }
    }
    match tokens.next()? {
        Token::End => Ok(()),
        _ => Err(tokens.wrong(message!("something follows the graph"))),
    }
}

/// `strict digraph name {`
fn header<R: BufRead>(tokens: &mut Tokens<R>) -> Result<(), Diagnostic> {
    let help = message!("a game graph begins like this: digraph { a -> b; b -> a; b -> c }");
    let mut directed = false;
    loop {
        match tokens.next()? {
            Token::Sign(b'{') if directed => return Ok(()),
            Token::Id {
                name,
                quoted: false,
            } if !directed => match name.to_ascii_lowercase().as_str() {
                "strict" => {}
                "digraph" => directed = true,
                "graph" => {
                    return Err(tokens.wrong(message!("the graph has no directions")).help(
                        message!("moves have a direction: write a digraph with `->`"),
                    ));
                }
                _ => {
                    return Err(tokens
                        .wrong(message!("`digraph` is expected here"))
                        .help(help));
                }
            },
            Token::Id { .. } if directed => {}
            _ => {
                let expected = if directed { "`{`" } else { "`digraph`" };
                let message = message!("{expected} is expected here", expected);
                return Err(tokens.wrong(message).help(help));
            }
        }
    }
}

/// What begins with a name: a vertex, a setting, or a keyword.
fn statement<R: BufRead>(
    name: &str,
    quoted: bool,
    tokens: &mut Tokens<R>,
    group: &mut BraceGroup,
    edges: &mut Edges<'_>,
) -> Result<(), Diagnostic> {
    if !quoted {
        match name.to_ascii_lowercase().as_str() {
            // The name of a subgraph is read over; its brace follows.
            "subgraph" => {
                if matches!(tokens.peek()?, Token::Id { .. }) {
                    tokens.next()?;
                }
                return match tokens.peek()? {
                    Token::Sign(b'{') => Ok(()),
                    _ => Err(tokens.wrong(message!("`{` is expected after `subgraph`"))),
                };
            }
            "node" | "edge" | "graph" if *tokens.peek()? == Token::Sign(b'[') => return Ok(()),
            _ => {}
        }
    }
    if *tokens.peek()? == Token::Sign(b'=') {
        tokens.next()?;
        return match tokens.next()? {
            Token::Id { .. } => Ok(()),
            _ => Err(tokens.wrong(message!("a value is expected after `=`"))),
        };
    }
    // Strings may be written in pieces, and ports say where an edge is drawn.
    let mut name = name.to_owned();
    while let Token::Sign(sign @ (b'+' | b':')) = tokens.peek()? {
        let joins = *sign == b'+';
        tokens.next()?;
        match tokens.next()? {
            Token::Id { name: piece, .. } if joins => {
                if name.len() + piece.len() > LONGEST_NAME {
                    return Err(on_line(tokens.line, too_long()));
                }
                name.push_str(&piece);
            }
            Token::Id { .. } => {}
            _ => return Err(tokens.wrong(message!("a name is expected here"))),
        }
    }
    let vertex = edges
        .vertex(&name)
        .map_err(|diagnostic| on_line(tokens.line, diagnostic))?;
    group.side(vec![vertex], edges)
}

/// Reads over `[...]`.
fn attributes<R: BufRead>(tokens: &mut Tokens<R>) -> Result<(), Diagnostic> {
    loop {
        match tokens.next()? {
            Token::Sign(b']') => return Ok(()),
            Token::Id { .. } | Token::Sign(b'=' | b';' | b',' | b':' | b'+') => {}
            Token::End => return Err(tokens.wrong(message!("`[` has no `]`"))),
            _ => return Err(tokens.wrong(message!("an attribute is expected here"))),
        }
    }
}
