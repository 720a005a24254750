//! Graphs in DOT, the language of Graphviz. Attributes are ignored. An edge of an undirected graph
//! is a move in both directions.

use std::io::BufRead;

use grundy_core::{Kind, Message, message};

use super::{EdgeCollector, MAX_NAME_BYTES, name_too_long, read_error, with_line};
use crate::Diagnostic;

/// A token of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name. A quoted name is never a keyword.
    Id {
        name: String,
        quoted: bool,
    },
    /// An arrow: `->`.
    Arrow,
    /// An undirected edge: `--`.
    UndirectedEdge,
    /// A punctuation mark: one of `{ } [ ] ; , = : +`.
    Sign(u8),
    End,
}

/// A tokenizer that reads byte by byte, so that the whole file is never in memory.
struct Tokenizer<R> {
    input: R,
    line: u64,
    /// The next token, if it has already been read but not consumed.
    peeked: Option<Token>,
}

impl<R: BufRead> Tokenizer<R> {
    fn peek_byte(&mut self) -> Result<Option<u8>, Diagnostic> {
        let buffer = self.input.fill_buf().map_err(|error| read_error(&error))?;
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

    fn syntax_error(&self, message: Message) -> Diagnostic {
        with_line(self.line, Diagnostic::new(Kind::Syntax, message))
    }

    fn next(&mut self) -> Result<Token, Diagnostic> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.read(),
        }
    }

    fn peek(&mut self) -> Result<&Token, Diagnostic> {
        let token = self.next()?;
        Ok(self.peeked.insert(token))
    }

    fn read(&mut self) -> Result<Token, Diagnostic> {
        // A line that begins with `#` is the output of a C preprocessor, and counts as a comment.
        // In other places, `#` is an error.
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
                    _ => {
                        return Err(self.syntax_error(message!(
                            "a single `/` does not start a comment: write `//` or `/*`"
                        )));
                    }
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
                        return Ok(Token::UndirectedEdge);
                    }
                    _ => return self.word(byte),
                },
                byte if is_word(byte) => return self.word(byte),
                byte => {
                    let message = message!("unexpected `{byte}`", byte = byte.escape_ascii());
                    return Err(self.syntax_error(message));
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
        Err(self.syntax_error(message!("unterminated comment")))
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
                    // After a backslash at the end of a line, the string continues on the next
                    // line.
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
                    let message = message!("unterminated string");
                    return Err(with_line(line, Diagnostic::new(Kind::Syntax, message)));
                }
            }
        }
    }

    fn html(&mut self) -> Result<Token, Diagnostic> {
        // HTML-like labels contain nested angle brackets, so a label ends only at the matching `>`.
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
        Err(self.syntax_error(message!("`<` has no `>`")))
    }

    fn push(&self, bytes: &mut Vec<u8>, byte: u8) -> Result<(), Diagnostic> {
        if bytes.len() == MAX_NAME_BYTES {
            return Err(with_line(self.line, name_too_long()));
        }
        bytes.push(byte);
        Ok(())
    }

    fn id(&self, bytes: Vec<u8>, quoted: bool) -> Result<Token, Diagnostic> {
        let Ok(name) = String::from_utf8(bytes) else {
            let message = message!("a name is not UTF-8");
            return Err(with_line(
                self.line,
                Diagnostic::new(Kind::Encoding, message),
            ));
        };
        Ok(Token::Id { name, quoted })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | 0x80..)
}

/// The content of a pair of braces. A side of an edge is a vertex or a group of vertices.
/// `vertices` contains all vertices in the braces, and `side` the most recent side of an edge.
#[derive(Default)]
struct BraceGroup {
    vertices: Vec<u32>,
    side: Vec<u32>,
    /// `true` if the last token was an arrow, so that the right side of the edge must follow.
    arrow: bool,
}

impl BraceGroup {
    /// Adds a vertex or a group as one side of an edge. If an arrow came before it, all moves from
    /// the previous side to this side are added.
    fn add_side(
        &mut self,
        side: Vec<u32>,
        edges: &mut EdgeCollector<'_>,
    ) -> Result<(), Diagnostic> {
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

pub(super) fn read(input: impl BufRead, edges: &mut EdgeCollector<'_>) -> Result<(), Diagnostic> {
    let mut tokens = Tokenizer {
        input,
        line: 1,
        peeked: None,
    };
    let directed = header(&mut tokens)?;
    let before = edges.edges();
    // The stack of open groups is explicit, since groups can be nested to any depth.
    let mut groups = vec![BraceGroup::default()];
    while let Some(group) = groups.last_mut() {
        let token = tokens.next()?;
        let continues = matches!(token, Token::Id { .. } | Token::Sign(b'{'));
        if group.arrow && !continues {
            let arrow = if directed { "->" } else { "--" };
            let message = message!("`{arrow}` has no target", arrow);
            return Err(tokens.syntax_error(message));
        }
        match token {
            Token::Sign(b'{') => groups.push(BraceGroup::default()),
            Token::Sign(b'}') => {
                let inner = groups.pop().map(|group| group.vertices).unwrap_or_default();
                match groups.last_mut() {
                    Some(group) => group.add_side(inner, edges)?,
                    None => break,
                }
            }
            Token::Sign(b';' | b',') => group.side.clear(),
            Token::Sign(b'[') => attributes(&mut tokens)?,
            Token::Arrow if !directed => {
                return Err(tokens
                    .syntax_error(message!("`->` is a directed edge"))
                    .help(message!("write `graph` for lines, or `digraph` for arrows")));
            }
            Token::Arrow if group.side.is_empty() => {
                return Err(tokens.syntax_error(message!("`{arrow}` has no source", arrow = "->")));
            }
            // As in Graphviz, a digraph has only arrows, and a graph has only lines.
            Token::UndirectedEdge if directed => {
                return Err(tokens
                    .syntax_error(message!("`--` is an undirected edge"))
                    .help(message!("write `graph` for lines, or `digraph` for arrows")));
            }
            Token::UndirectedEdge if group.side.is_empty() => {
                return Err(tokens.syntax_error(message!("`{arrow}` has no source", arrow = "--")));
            }
            Token::Arrow | Token::UndirectedEdge => group.arrow = true,
            Token::Id { name, quoted } => statement(&name, quoted, &mut tokens, group, edges)?,
            Token::Sign(sign) => {
                let message = message!("unexpected `{sign}`", sign = char::from(sign));
                return Err(tokens.syntax_error(message));
            }
            Token::End => {
                return Err(tokens.syntax_error(message!("the graph is not closed: missing `}`")));
            }
        }
    }
    match tokens.next()? {
        Token::End if directed => Ok(()),
        Token::End => {
            edges.note_undirected();
            edges.add_reversed(before)
        }
        _ => Err(tokens.syntax_error(message!("unexpected text after the graph"))),
    }
}

/// Parses the beginning of a graph, such as `strict digraph name {`. Returns whether the graph is
/// directed.
fn header<R: BufRead>(tokens: &mut Tokenizer<R>) -> Result<bool, Diagnostic> {
    let help = message!("write a game graph like this: digraph { a -> b; b -> a; b -> c }");
    let mut directed = None;
    loop {
        match (tokens.next()?, directed) {
            (Token::Sign(b'{'), Some(directed)) => return Ok(directed),
            (
                Token::Id {
                    name,
                    quoted: false,
                },
                None,
            ) => match name.to_ascii_lowercase().as_str() {
                "strict" => {}
                "digraph" => directed = Some(true),
                "graph" => directed = Some(false),
                _ => {
                    return Err(tokens
                        .syntax_error(message!("expected `digraph`"))
                        .help(help));
                }
            },
            (Token::Id { .. }, Some(_)) => {}
            (_, directed) => {
                let expected = if directed.is_some() {
                    "`{`"
                } else {
                    "`digraph`"
                };
                let message = message!("expected {expected}", expected);
                return Err(tokens.syntax_error(message).help(help));
            }
        }
    }
}

/// Parses a statement that begins with a name: a vertex, an assignment or a keyword.
fn statement<R: BufRead>(
    name: &str,
    quoted: bool,
    tokens: &mut Tokenizer<R>,
    group: &mut BraceGroup,
    edges: &mut EdgeCollector<'_>,
) -> Result<(), Diagnostic> {
    if !quoted {
        match name.to_ascii_lowercase().as_str() {
            // The name of a subgraph is ignored. The brace after it is parsed next.
            "subgraph" => {
                if matches!(tokens.peek()?, Token::Id { .. }) {
                    tokens.next()?;
                }
                return match tokens.peek()? {
                    Token::Sign(b'{') => Ok(()),
                    _ => Err(tokens.syntax_error(message!("expected `{` after `subgraph`"))),
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
            _ => Err(tokens.syntax_error(message!("expected a value after `=`"))),
        };
    }
    // Strings may be concatenated by `+`. A port after `:` only states where an edge is attached,
    // so it is ignored.
    let mut name = name.to_owned();
    while let Token::Sign(sign @ (b'+' | b':')) = tokens.peek()? {
        let concatenated = *sign == b'+';
        tokens.next()?;
        match tokens.next()? {
            Token::Id { name: part, .. } if concatenated => {
                if name.len() + part.len() > MAX_NAME_BYTES {
                    return Err(with_line(tokens.line, name_too_long()));
                }
                name.push_str(&part);
            }
            Token::Id { .. } => {}
            _ => return Err(tokens.syntax_error(message!("expected a name"))),
        }
    }
    let vertex = edges
        .vertex(&name)
        .map_err(|diagnostic| with_line(tokens.line, diagnostic))?;
    group.add_side(vec![vertex], edges)
}

/// Skips a list of attributes in `[...]`.
fn attributes<R: BufRead>(tokens: &mut Tokenizer<R>) -> Result<(), Diagnostic> {
    loop {
        match tokens.next()? {
            Token::Sign(b']') => return Ok(()),
            Token::Id { .. } | Token::Sign(b'=' | b';' | b',' | b':' | b'+') => {}
            Token::End => return Err(tokens.syntax_error(message!("`[` has no `]`"))),
            _ => return Err(tokens.syntax_error(message!("expected an attribute"))),
        }
    }
}
