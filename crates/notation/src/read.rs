//! Reading the notation.
//!
//! An expression is parsed as Starlark and evaluated here: a sum of calls, whose arguments are
//! numbers, strings, lists, maps and, in a family, free variables. Nothing else of the language
//! takes part, so an expression costs no more than its own length.

use std::ops::Range;
use std::sync::Arc;

use grundy::argument::{Argument, Arguments, number, squares};
use grundy::dynamic::DynamicPosition;
use grundy::graph::Network;
use grundy::message::{Command, Setting};
use grundy::position::AnyTerm;
use grundy::ruleset::literal;
use grundy::{Kind, Message, Position, message, registry};
use num_traits::ToPrimitive;
use starlark_syntax::lexer::TokenInt;
use starlark_syntax::syntax::ast::{ArgumentP, AstExpr, AstLiteral, AstStmt, BinOp, ExprP, StmtP};
use starlark_syntax::syntax::{AstModule, Dialect};

use crate::Diagnostic;
use crate::parse::{self, range};
use crate::scan;

/// Most squares of an empty board that is a position of one's own.
const SQUARES: usize = 1_000_000;

/// Values of the free variables of a family.
pub type Bindings<'a> = &'a [(&'a str, u64)];

/// A parsed expression that can be evaluated for many values of its variables.
#[derive(Debug)]
pub struct Expression {
    module: AstModule,
}

/// What an expression may name that lies outside it: rules of one's own, positions, and files with
/// graphs.
pub trait Games: std::fmt::Debug {
    /// Returns the game by the rules of some name, at `start`. A refusal's path is that of the
    /// arguments of `game(rules, start)`.
    ///
    /// # Errors
    /// No rules of this name.
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let _ = (rules, start);
        Err(no_rules())
    }

    /// Returns the position of this name, which whoever asks has at hand.
    fn position(&self, name: &str) -> Option<Position> {
        let _ = name;
        None
    }

    /// Returns the graph in a file.
    ///
    /// # Errors
    /// No such file, or one that holds no graph.
    fn graph(&self, file: &str) -> Result<Arc<Network>, Diagnostic> {
        let _ = file;
        Err(
            Diagnostic::new(Kind::Type, message!("files are not read here")).help(message!(
                "write the edges: graph({'a': ['b'], 'b': []}, 'a')"
            )),
        )
    }
}

/// Nothing lies outside.
#[derive(Clone, Copy, Debug)]
pub struct NoGames;

impl Games for NoGames {}

/// Returns the arguments of a call of `graph` that names a file, with the graph itself in its
/// place.
fn opened(
    name: &str,
    items: &[(Option<String>, Argument)],
    games: &dyn Games,
) -> Result<Option<Vec<(Option<String>, Argument)>>, Diagnostic> {
    if name != "graph" {
        return Ok(None);
    }
    let edges = |(index, (name, _)): &(usize, &(Option<String>, Argument))| match name {
        Some(name) => name == "edges",
        None => *index == 0,
    };
    let Some((index, (_, Argument::Text(file)))) = items.iter().enumerate().find(edges) else {
        return Ok(None);
    };
    let network = games.graph(file).map_err(|refusal| refusal.at([index]))?;
    let mut items = items.to_vec();
    items[index].1 = Argument::Network(network);
    Ok(Some(items))
}

/// Reads a position.
///
/// ```
/// use grundy::ruleset::Nature;
/// use grundy_notation::read_position;
/// assert_eq!(read_position("nim(3) + hackenbush('0-1')").unwrap().nature(), Nature::IMPARTIAL);
/// assert_eq!(read_position("nim(3) + hackenbush('0-1:b')").unwrap().nature(), Nature::PARTIZAN);
/// ```
///
/// # Errors
/// A diagnostic with the place in `source`.
pub fn read_position(source: &str) -> Result<Position, Diagnostic> {
    Expression::parse(source)?.position(&[])
}

impl Expression {
    /// Parses `source` without evaluating it.
    ///
    /// # Errors
    /// A text that is not a single expression.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let shape = scan::scan(source, &scan::EXPRESSION)?;
        // A leading blank would be an indent. Inside a bracket blanks mean nothing, and a bracket
        // in the place of the first blank leaves every other place as it is. Line breaks separate
        // statements in a file; here is one expression, which may be written over several lines.
        let line = scan::on_one_line(source);
        let content = if line.starts_with([' ', '\t']) {
            format!("({}\n)", &line[1..])
        } else {
            line
        };
        if let Some(at) = shape.comma {
            return Err(not_alone(at..at + 1));
        }
        let dialect = Dialect {
            enable_load: false,
            ..Dialect::Standard
        };
        let parse = move || parse::module(content, &dialect);
        let parsed = if shape.depth > 20 || shape.operators > 50 {
            parse::on_a_large_stack(parse)?
        } else {
            parse()
        };
        parsed
            .map(|module| Self { module })
            .map_err(|error| formed(error.within(source.len()), source))
    }

    /// Returns the position, with values for the free variables.
    ///
    /// # Errors
    /// Anything that is not a position, with its place.
    pub fn position(&self, bindings: Bindings<'_>) -> Result<Position, Diagnostic> {
        self.position_with(bindings, &NoGames)
    }

    /// Returns the same with what lies outside the expression: rules of one's own, and files with
    /// graphs.
    ///
    /// # Errors
    /// Anything that is not a position, with its place, and what `games` refuses.
    pub fn position_with(
        &self,
        bindings: Bindings<'_>,
        games: &dyn Games,
    ) -> Result<Position, Diagnostic> {
        let expression = self.expression()?;
        let terms = sum(expression, bindings, games)?;
        Position::sum(terms).map_err(|error| error.at(range(expression.span)))
    }

    /// Returns the free variables, in the order of their first use.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let mut variables = Vec::new();
        let names = self.expression().map(names).unwrap_or_default();
        for name in names {
            if !matches!(name, "True" | "False" | "None")
                && !variables.iter().any(|known| known == name)
            {
                variables.push(name.to_owned());
            }
        }
        variables
    }

    /// Returns whether the expression is one call in which the variable of this name occurs once,
    /// as an argument of its own: all else about the call is the same for each of its values.
    #[must_use]
    pub fn has_alone(&self, name: &str) -> bool {
        let Ok(expression) = self.expression() else {
            return false;
        };
        let ExprP::Call(_, arguments) = &expression.node else {
            return false;
        };
        let mut alone = 0;
        for argument in &arguments.args {
            let (ArgumentP::Positional(value) | ArgumentP::Named(_, value)) = &argument.node else {
                return false;
            };
            match &value.node {
                ExprP::Identifier(found) if found.node.ident == name => alone += 1,
                _ if names(value).contains(&name) => return false,
                _ => {}
            }
        }
        alone == 1
    }

    /// Where the items stand, if this is a list.
    #[must_use]
    pub fn items(&self) -> Option<Vec<Range<usize>>> {
        match &self.expression().ok()?.node {
            ExprP::List(items) => Some(items.iter().map(|item| range(item.span)).collect()),
            _ => None,
        }
    }

    fn expression(&self) -> Result<&AstExpr, Diagnostic> {
        let mut statement: &AstStmt = self.module.statement();
        loop {
            match &statement.node {
                StmtP::Expression(expression) => return Ok(expression),
                StmtP::Statements(list) if list.len() == 1 => statement = &list[0],
                StmtP::Statements(list) if list.len() > 1 => {
                    return Err(not_alone(range(list[1].span)));
                }
                _ => {
                    return Err(Diagnostic::new(
                        Kind::Syntax,
                        message!("this is not an expression"),
                    )
                    .at(range(statement.span))
                    .help(message!(
                        "write a position, such as nim(3, 4, 5); `{command}` lists the games",
                        command = Command::new("help").word("games")
                    )));
                }
            }
        }
    }
}

/// What follows the one expression.
fn not_alone(at: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message!("one expression is expected"))
        .at(at)
        .help(message!("join games with +"))
}

/// Returns every name in an expression that stands for a value, in order, as often as it occurs.
fn names(expression: &AstExpr) -> Vec<&str> {
    let mut names = Vec::new();
    let mut pending = vec![expression];
    while let Some(expression) = pending.pop() {
        let children: Vec<&AstExpr> = match &expression.node {
            ExprP::Identifier(name) => {
                names.push(name.node.ident.as_str());
                continue;
            }
            ExprP::Op(left, _, right) => vec![left, right],
            ExprP::Minus(inner) | ExprP::Plus(inner) => vec![inner],
            ExprP::List(items) | ExprP::Tuple(items) => items.iter().collect(),
            ExprP::Dict(items) => items.iter().flat_map(|(key, value)| [key, value]).collect(),
            // The function's own name is no variable, nor is that of the rules.
            ExprP::Call(function, arguments) => arguments
                .args
                .iter()
                .skip(usize::from(matches!(&function.node,
                    ExprP::Identifier(name) if name.node.ident == "game")))
                .filter_map(|argument| match &argument.node {
                    ArgumentP::Positional(value) | ArgumentP::Named(_, value) => Some(value),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        pending.extend(children.into_iter().rev());
    }
    names
}

fn no_rules() -> Diagnostic {
    Diagnostic::new(Kind::UnknownName, message!("no rule file is open"))
        .at([0])
        .help(message!(
            "name one: {option}",
            option = Setting::new("rules").taking("FILE")
        ))
}

/// Returns the terms of a sum. The left side of `+` nests as deep as the sum is long: it is
/// unrolled.
fn sum(
    expression: &AstExpr,
    bindings: Bindings<'_>,
    games: &dyn Games,
) -> Result<Vec<Arc<dyn AnyTerm>>, Diagnostic> {
    let mut terms = Vec::new();
    let mut pending = vec![(expression, false)];
    let mut wanted = Vec::new();
    loop {
        copy(&mut wanted, pending.len(), &mut terms)?;
        let Some((expression, negated)) = pending.pop() else {
            break;
        };
        let before = terms.len();
        match &expression.node {
            ExprP::Op(left, BinOp::Add, right) => {
                pending.push((right, negated));
                pending.push((left, negated));
            }
            ExprP::Op(left, BinOp::Subtract, right) => {
                pending.push((right, !negated));
                pending.push((left, negated));
            }
            ExprP::Op(left, BinOp::Multiply, right) => {
                let (count, game) = copies(left, right, bindings)?;
                let times = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
                if times > COPIES.saturating_sub(pending.len() + terms.len()) {
                    return Err(too_many(expression));
                }
                let (left, from) = (pending.len(), terms.len());
                wanted.push(Copies(left, from, times, expression));
                pending.push((game, negated != (count < 0)));
            }
            ExprP::Minus(inner) => pending.push((inner, !negated)),
            ExprP::Call(function, arguments) => match &function.node {
                ExprP::Identifier(name) if name.node.ident == "sum_of" => {
                    let [argument] = &arguments.args[..] else {
                        return Err(not_a_list(expression));
                    };
                    let ArgumentP::Positional(list) = &argument.node else {
                        return Err(not_a_list(expression));
                    };
                    match &list.node {
                        ExprP::List(items) | ExprP::Tuple(items) => {
                            pending.extend(items.iter().rev().map(|item| (item, negated)));
                        }
                        _ => return Err(not_a_list(list)),
                    }
                }
                ExprP::Identifier(name) => {
                    terms.push(call(
                        &name.node.ident,
                        expression,
                        &arguments.args,
                        bindings,
                        games,
                    )?);
                }
                _ => {
                    return Err(Diagnostic::new(
                        Kind::Syntax,
                        message!("a game is called by its name"),
                    )
                    .at(range(function.span)));
                }
            },
            ExprP::Identifier(name) => {
                let ident = &name.node.ident;
                let span = range(expression.span);
                if let Some(position) = games.position(ident) {
                    terms.extend(position.terms().iter().cloned());
                } else {
                    return Err(if let Some(form) = registry::form(ident) {
                        Diagnostic::new(
                            Kind::Type,
                            message!("`{ident}` needs its arguments", ident),
                        )
                        .at(span)
                        .help(form)
                    } else {
                        Diagnostic::new(
                            Kind::UnknownName,
                            message!("there is nothing named `{ident}`", ident),
                        )
                        .at(span)
                        .help(
                            registry::instead(ident).unwrap_or_else(|| {
                                message!("write a position, such as nim(3, 4, 5); `{command}` lists the games", command = Command::new("help").word("games"))
                            }),
                        )
                    });
                }
            }
            ExprP::Index(pair) => return Err(not_called(&pair.0, expression)),
            ExprP::Index2(triple) => return Err(not_called(&triple.0, expression)),
            _ => return Err(no_position(expression)),
        }
        if negated {
            negate(&mut terms, before).map_err(|error| error.at(range(expression.span)))?;
        }
    }
    Ok(terms)
}

/// `nim[3]`: arguments in other brackets.
fn not_called(of: &AstExpr, expression: &AstExpr) -> Diagnostic {
    let ExprP::Identifier(name) = &of.node else {
        return no_position(expression);
    };
    let message = message!("the arguments of a game stand in round brackets");
    let refusal = Diagnostic::new(Kind::Syntax, message).at(range(expression.span));
    match registry::form(&name.node.ident).or_else(|| registry::instead(&name.node.ident)) {
        Some(help) => refusal.help(help),
        None => refusal,
    }
}

/// What stands where a position is expected, with what was probably meant.
fn no_position(expression: &AstExpr) -> Diagnostic {
    let help = match &expression.node {
        // The name of a file reads as a name with a part of it.
        ExprP::Dot(of, ending) if matches!(of.node, ExprP::Identifier(_)) => {
            if ending.node == "star" {
                message!(
                    "{option} reads a rule file, and a position of it is written game(moves, start)",
                    option = Setting::new("rules").taking("FILE")
                )
            } else {
                message!(
                    "`{label}` reads a file with a game graph, `{matrix}` one with a matrix",
                    label = Command::new("label").argument("game", "FILE"),
                    matrix = Command::new("matrix").argument("file", "FILE")
                )
            }
        }
        ExprP::Tuple(_) | ExprP::List(_) => message!("join games with +"),
        _ => {
            let value = number_written(expression).and_then(|text| literal_meant(&text));
            value.unwrap_or_else(|| message!("a position is a game with its arguments, such as nim(3, 4, 5), or a sum of games"))
        }
    };
    Diagnostic::new(Kind::Type, message!("a position is expected here"))
        .at(range(expression.span))
        .help(help)
}

/// Returns a number as it is written, if the expression is one: `3`, `-3/4`.
fn number_written(expression: &AstExpr) -> Option<String> {
    match &expression.node {
        ExprP::Literal(AstLiteral::Int(int)) => Some(int.node.to_string()),
        ExprP::Op(above, BinOp::Divide, below) => {
            let (above, below) = (whole_number(above)?, whole_number(below)?);
            Some(format!("{above}/{below}"))
        }
        _ => None,
    }
}

fn whole_number(expression: &AstExpr) -> Option<String> {
    match &expression.node {
        ExprP::Literal(AstLiteral::Int(int)) => Some(int.node.to_string()),
        ExprP::Minus(inner) => match &inner.node {
            ExprP::Literal(AstLiteral::Int(int)) => Some(format!("-{}", int.node)),
            _ => None,
        },
        _ => None,
    }
}

/// How a value is written as a position, if the text is a value.
fn literal_meant(text: &str) -> Option<Message> {
    let text = text.trim();
    let value = text.len() <= BRIEF && literal::is_written(text);
    value.then(|| {
        message!(
            "a value is written as a position in this way: literal(\"{text}\")",
            text
        )
    })
}

/// Most bytes of a text that a help repeats.
const BRIEF: usize = 200;

/// Copies that are wanted of what is read next: when no more expressions wait than the first number
/// says, the terms from the second on so many times, as the expression says.
struct Copies<'a>(usize, usize, usize, &'a AstExpr);

/// Makes the copies of what has been read.
fn copy(
    wanted: &mut Vec<Copies<'_>>,
    waiting: usize,
    terms: &mut Vec<Arc<dyn AnyTerm>>,
) -> Result<(), Diagnostic> {
    while let Some(Copies(_, from, times, whole)) = wanted.pop_if(|copies| copies.0 == waiting) {
        let block = terms.split_off(from);
        let added = block.len().saturating_mul(times);
        if from.saturating_add(added) > COPIES {
            return Err(too_many(whole));
        }
        terms.extend(std::iter::repeat_n(block, times).flatten());
    }
    Ok(())
}

/// Exchanges the players in the terms from one on.
fn negate(terms: &mut Vec<Arc<dyn AnyTerm>>, from: usize) -> Result<(), Diagnostic> {
    let negated = Position::sum(terms.split_off(from))?.negated()?;
    terms.extend_from_slice(negated.terms());
    Ok(())
}

/// Most terms that `n * G` makes.
const COPIES: usize = 10_000;

fn too_many(expression: &AstExpr) -> Diagnostic {
    let message = message!("a sum of more than {most} games is too long", most = COPIES);
    Diagnostic::new(Kind::Range, message).at(range(expression.span))
}

/// Returns the count and the game of `n * G`, written in either order.
fn copies<'a>(
    left: &'a AstExpr,
    right: &'a AstExpr,
    bindings: Bindings<'_>,
) -> Result<(i128, &'a AstExpr), Diagnostic> {
    match (evaluate(left, bindings), evaluate(right, bindings)) {
        (Ok(Argument::Int(count)), _) => Ok((count, right)),
        (_, Ok(Argument::Int(count))) => Ok((count, left)),
        _ => {
            let message = message!("a number of copies is expected here, as in 12 * nim(3)");
            let refusal = Diagnostic::new(Kind::Type, message).at(range(left.span));
            Err(refusal.help(message!(
                "a sum of games is written with +: nim(3) + nim(2)"
            )))
        }
    }
}

/// What is no expression, with what was probably meant: else the form of the game that is written
/// there, unless after a `+` another one is meant.
fn formed(error: Diagnostic, source: &str) -> Diagnostic {
    let Some(span) = error.span.clone().filter(|_| error.help.is_none()) else {
        return error;
    };
    let (Some(before), Some(refused)) = (source.get(..span.start), source.get(span.clone())) else {
        return error;
    };
    let typed = scan::in_ascii(source);
    if !refused.is_ascii() && typed != source && source.len() <= BRIEF {
        return error.help(message!(
            "brackets, commas and quotation marks are those of ASCII: {typed}",
            typed
        ));
    }
    // `[1..3]` is read as 1. and .3, so the first of the dots stands before what is refused.
    if before.ends_with('.') && refused.starts_with('.') {
        let dots = span.start - 1..span.start + 1;
        return Diagnostic::new(
            error.kind,
            message!("{found} has no meaning here", found = "`..`"),
        )
        .at(dots)
        .help(in_full());
    }
    if refused.starts_with("..") {
        return Diagnostic::new(
            error.kind,
            message!(
                "{found} has no meaning here",
                found = format!("`{refused}`")
            ),
        )
        .at(span)
        .help(message!(
            "the rows of a board stand in quotation marks: [\"...\", \"..#\"]"
        ));
    }
    let term = before.rfind('+').map_or(source, |plus| &source[plus + 1..]);
    if let Some(help) = [source, term].into_iter().find_map(literal_meant) {
        return error.help(help);
    }
    if before.trim_end().ends_with('+') {
        return error;
    }
    if before.trim_end().ends_with(')') && scan::on_one_line(source) != source {
        return not_alone(span);
    }
    let words = before.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    match words.filter_map(registry::form).next_back() {
        Some(form) => error.help(form),
        None => error,
    }
}

/// How a range of numbers is written.
fn in_full() -> Message {
    message!("write the numbers one by one: [1, 2, 3]")
}

fn not_a_list(expression: &AstExpr) -> Diagnostic {
    Diagnostic::new(Kind::Type, message!("sum_of takes one list of positions"))
        .at(range(expression.span))
        .help(message!("the form is sum_of([g, h, ...])"))
}

fn call(
    name: &str,
    expression: &AstExpr,
    arguments: &[starlark_syntax::syntax::ast::AstArgument],
    bindings: Bindings<'_>,
    games: &dyn Games,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    if name == "game" {
        return own_game(expression, arguments, bindings, games);
    }
    // Whether there is such a game comes before what its arguments are.
    if registry::form(name).is_none() {
        return Err(placed(registry::unknown(name), name, expression, &[]));
    }
    let (items, sources) = if MADE_OF_GAMES.contains(&name) {
        positions(arguments, bindings, games)?
    } else {
        evaluated(arguments, bindings)?
    };
    let made = opened(name, &items, games)
        .and_then(|opened| registry::construct(name, opened.as_deref().unwrap_or(&items)));
    made.map_err(|refusal| placed(refusal, name, expression, &sources))
}

/// Constructors whose arguments are games.
const MADE_OF_GAMES: [&str; 2] = ["impartial", "ordinal_sum"];

/// Returns the arguments of a call that takes games. Brackets nest at most 200 deep here (see
/// `scan`), so recursion is bounded.
fn positions<'a>(
    arguments: &'a [starlark_syntax::syntax::ast::AstArgument],
    bindings: Bindings<'_>,
    games: &dyn Games,
) -> Result<Evaluated<'a>, Diagnostic> {
    let (mut items, mut sources) = (Vec::new(), Vec::new());
    for argument in arguments {
        let ArgumentP::Positional(value) = &argument.node else {
            let message = message!("games are written one by one, without names");
            return Err(Diagnostic::new(Kind::Type, message).at(range(argument.span)));
        };
        let position = Position::sum(sum(value, bindings, games)?);
        let position = position.map_err(|error| error.at(range(value.span)))?;
        items.push((None, Argument::Game(position)));
        sources.push(value);
    }
    Ok((items, sources))
}

/// Arguments with their names, and where each is written.
type Evaluated<'a> = (Vec<(Option<String>, Argument)>, Vec<&'a AstExpr>);

/// Returns the arguments of a call, each with where it is written.
fn evaluated<'a>(
    arguments: &'a [starlark_syntax::syntax::ast::AstArgument],
    bindings: Bindings<'_>,
) -> Result<Evaluated<'a>, Diagnostic> {
    let mut items = Vec::with_capacity(arguments.len());
    let mut sources = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let (name, value) = match &argument.node {
            ArgumentP::Positional(value) => (None, value),
            ArgumentP::Named(name, value) => (Some(name.node.clone()), value),
            ArgumentP::Args(_) | ArgumentP::KwArgs(_) => {
                return Err(Diagnostic::new(
                    Kind::Syntax,
                    message!("arguments cannot be unpacked here"),
                )
                .at(range(argument.span))
                .help(message!("write them one by one")));
            }
        };
        items.push((name, evaluate(value, bindings)?));
        sources.push(value);
    }
    Ok((items, sources))
}

/// What a call of `name` is refused with, at the argument that it is about.
fn placed(
    refusal: Diagnostic,
    name: &str,
    expression: &AstExpr,
    sources: &[&AstExpr],
) -> Diagnostic {
    let culprit = place(&refusal.path, sources);
    let span = match (culprit, &refusal.within) {
        (Some(culprit), Some(bytes)) => within(culprit, bytes),
        (Some(culprit), None) => range(culprit.span),
        (None, _) => {
            let whole = range(expression.span);
            if refusal.kind == Kind::UnknownName {
                whole.start..whole.start + name.len()
            } else {
                whole
            }
        }
    };
    refusal.at(span)
}

/// `board(rows, columns)`.
fn empty_board(
    expression: &AstExpr,
    arguments: &[starlark_syntax::syntax::ast::AstArgument],
    bindings: Bindings<'_>,
) -> Result<Argument, Diagnostic> {
    let (items, sources) = evaluated(arguments, bindings)?;
    let read = || {
        let bound = Arguments { items: &items }.bind(["rows", "columns"], 2)?;
        let [Some((first, rows)), Some((second, columns))] = bound else {
            unreachable!("bind has seen to it that both are there");
        };
        Ok(Argument::Board(
            number(rows, &[first], 0, u64::MAX)?,
            number(columns, &[second], 0, u64::MAX)?,
        ))
    };
    read().map_err(|refusal: Diagnostic| {
        let refusal = match refusal.help {
            None => refusal.help(message!("the form is board(rows, columns)")),
            Some(_) => refusal,
        };
        placed(refusal, "board", expression, &sources)
    })
}

/// `game(rules, start)`.
fn own_game(
    expression: &AstExpr,
    arguments: &[starlark_syntax::syntax::ast::AstArgument],
    bindings: Bindings<'_>,
    games: &dyn Games,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let form = message!("the form is game(rules, start), such as game(moves, 100)");
    let [rules, start] = arguments else {
        let message = message!("`game` takes the name of the rules and a position");
        let help = if arguments.len() > 2 {
            message!("a position of several numbers is written game(moves, (2, 3))")
        } else {
            form
        };
        return Err(Diagnostic::new(Kind::Type, message)
            .at(range(expression.span))
            .help(help));
    };
    let (ArgumentP::Positional(rules), ArgumentP::Positional(start)) = (&rules.node, &start.node)
    else {
        let message = message!("the arguments of `game` have no names");
        return Err(Diagnostic::new(Kind::Type, message)
            .at(range(expression.span))
            .help(form));
    };
    let ExprP::Identifier(name) = &rules.node else {
        let message = message!("the name of the rules is expected here");
        return Err(Diagnostic::new(Kind::Type, message)
            .at(range(rules.span))
            .help(form));
    };
    let place = place_of(start, bindings)?;
    games.game(&name.node.ident, place).map_err(|refusal| {
        let culprit = if refusal.path.first() == Some(&0) {
            rules
        } else {
            start
        };
        refusal.at(range(culprit.span))
    })
}

/// Returns a position of a game of one's own. Brackets nest at most 200 deep here (see `scan`), so
/// recursion is bounded.
fn place_of(expression: &AstExpr, bindings: Bindings<'_>) -> Result<DynamicPosition, Diagnostic> {
    let all = |items: &[AstExpr]| -> Result<Vec<DynamicPosition>, Diagnostic> {
        items.iter().map(|item| place_of(item, bindings)).collect()
    };
    match &expression.node {
        ExprP::List(items) => return Ok(DynamicPosition::list(all(items)?)),
        ExprP::Tuple(items) => return Ok(DynamicPosition::tuple(all(items)?)),
        _ => {}
    }
    let refuse = |kind, message: Message| {
        Diagnostic::new(kind, message)
            .at(range(expression.span))
            .help(message!(
                "a position is an integer, a string, or a tuple or list of these"
            ))
    };
    match evaluate(expression, bindings)? {
        Argument::Int(n) => i64::try_from(n).map(DynamicPosition::Int).map_err(|_| {
            refuse(
                Kind::Overflow,
                message!("numbers in positions of one's own go from -2^63 to 2^63 - 1"),
            )
        }),
        Argument::Text(text) => Ok(DynamicPosition::text(text)),
        // An empty board is the strings that it stands for.
        board @ Argument::Board(..) => {
            let help = message!("a position is an integer, a string, or a tuple or list of these");
            let board = squares(&board, &[], ".", &help, SQUARES)
                .map_err(|refusal| refusal.at(range(expression.span)))?;
            let row = DynamicPosition::text(".".repeat(board.width));
            Ok(DynamicPosition::list(vec![row; board.height]))
        }
        _ => Err(refuse(Kind::Type, message!("this is not a position"))),
    }
}

/// Returns the place of some bytes of a string: inside its quotes, when it is written without
/// escapes.
fn within(expression: &AstExpr, bytes: &Range<usize>) -> Range<usize> {
    let whole = range(expression.span);
    match &expression.node {
        ExprP::Literal(AstLiteral::String(text)) if whole.len() == text.node.len() + 2 => {
            let start = whole.start + 1;
            start + bytes.start..(start + bytes.end).min(whole.end)
        }
        _ => whole,
    }
}

/// Returns the expression that a refusal's path leads to.
fn place<'a>(path: &[usize], sources: &[&'a AstExpr]) -> Option<&'a AstExpr> {
    let (&first, rest) = path.split_first()?;
    let mut expression: &AstExpr = sources.get(first)?;
    for &index in rest {
        expression = match &expression.node {
            ExprP::List(items) | ExprP::Tuple(items) => match items.get(index) {
                Some(item) => item,
                None => break,
            },
            ExprP::Dict(items) => match items.get(index) {
                Some((_, value)) => value,
                None => break,
            },
            _ => break,
        };
    }
    Some(expression)
}

/// Returns an argument. Brackets nest at most 200 deep here (see `scan`), so recursion is bounded.
fn evaluate(expression: &AstExpr, bindings: Bindings<'_>) -> Result<Argument, Diagnostic> {
    let all = |items: &[AstExpr]| -> Result<Vec<Argument>, Diagnostic> {
        items.iter().map(|item| evaluate(item, bindings)).collect()
    };
    Ok(match &expression.node {
        ExprP::Literal(AstLiteral::Int(int)) => Argument::Int(match &int.node {
            TokenInt::I32(n) => i128::from(*n),
            TokenInt::BigInt(n) => n.to_i128().unwrap_or(i128::MAX),
        }),
        ExprP::Literal(AstLiteral::String(text)) => Argument::Text(text.node.clone()),
        ExprP::Literal(AstLiteral::Float(float)) => Argument::Float(float.node.to_string()),
        ExprP::Minus(inner) => match evaluate_sign(inner, bindings)? {
            Argument::Int(n) => Argument::Int(n.saturating_neg()),
            Argument::Float(text) => Argument::Float(format!("-{text}")),
            _ => return Err(not_an_argument(expression)),
        },
        ExprP::Plus(inner) => evaluate_sign(inner, bindings)?,
        ExprP::List(items) | ExprP::Tuple(items) => Argument::List(all(items)?),
        ExprP::Dict(items) => Argument::Map(
            items
                .iter()
                .map(|(key, value)| Ok((evaluate(key, bindings)?, evaluate(value, bindings)?)))
                .collect::<Result<_, Diagnostic>>()?,
        ),
        ExprP::Identifier(name) => {
            let ident = name.node.ident.as_str();
            match ident {
                "True" => Argument::Bool(true),
                "False" => Argument::Bool(false),
                "None" => Argument::None,
                _ => {
                    if let Some((_, value)) = bindings.iter().find(|(known, _)| *known == ident) {
                        Argument::Int(i128::from(*value))
                    } else {
                        let message = message!("there is nothing named `{ident}` here", ident);
                        let help = if bindings.is_empty() {
                            message!(
                                "write \"{ident}\" in quotation marks if it is a text; a free variable is for `{command}`: {example}",
                                ident,
                                command = Command::new("table"),
                                example = Command::new("table")
                                    .argument("game", "EXPR")
                                    .argument("ranges", format!("{ident}=0..100"))
                            )
                        } else {
                            message!(
                                "a free variable needs a range, such as {ident}=0..100; a text stands in quotation marks: \"{ident}\"",
                                ident
                            )
                        };
                        return Err(Diagnostic::new(Kind::UnknownName, message)
                            .at(range(expression.span))
                            .help(help));
                    }
                }
            }
        }
        ExprP::Op(left, op @ (BinOp::Add | BinOp::Subtract | BinOp::Multiply), right) => {
            arithmetic(expression, left, *op, right, bindings)?
        }
        ExprP::Call(function, arguments) if matches!(&function.node, ExprP::Identifier(name) if name.node.ident == "board") => {
            empty_board(expression, &arguments.args, bindings)?
        }
        _ => return Err(not_an_argument(expression)),
    })
}

/// What stands after a sign: no second sign, so that signs do not nest.
fn evaluate_sign(expression: &AstExpr, bindings: Bindings<'_>) -> Result<Argument, Diagnostic> {
    match &expression.node {
        ExprP::Minus(_) | ExprP::Plus(_) => Err(not_an_argument(expression)),
        _ => evaluate(expression, bindings),
    }
}

/// `n + 1` and the like, of whole numbers. The left side is unrolled, the right side nests in
/// brackets only.
fn arithmetic(
    expression: &AstExpr,
    left: &AstExpr,
    op: BinOp,
    right: &AstExpr,
    bindings: Bindings<'_>,
) -> Result<Argument, Diagnostic> {
    let mut pending = vec![(op, right)];
    let mut first = left;
    while let ExprP::Op(left, op @ (BinOp::Add | BinOp::Subtract | BinOp::Multiply), right) =
        &first.node
    {
        pending.push((*op, right));
        first = left;
    }
    let number = |expression: &AstExpr| match evaluate(expression, bindings)? {
        Argument::Int(n) => Ok(n),
        _ => Err(not_an_argument(expression)),
    };
    let mut total = number(first)?;
    for (op, right) in pending.into_iter().rev() {
        let right = number(right)?;
        total = match op {
            BinOp::Add => total.checked_add(right),
            BinOp::Subtract => total.checked_sub(right),
            _ => total.checked_mul(right),
        }
        .ok_or_else(|| {
            Diagnostic::new(
                Kind::Overflow,
                message!("the number is larger than 2^64 - 1"),
            )
            .at(range(expression.span))
        })?;
    }
    Ok(Argument::Int(total))
}

fn not_an_argument(expression: &AstExpr) -> Diagnostic {
    let refusal = Diagnostic::new(
        Kind::Type,
        message!("a number, a string or a list is expected here"),
    )
    .at(range(expression.span));
    match &expression.node {
        ExprP::ListComprehension(..) => refusal.help(in_full()),
        ExprP::Call(function, _) => match &function.node {
            ExprP::Identifier(name) if matches!(&name.node.ident[..], "range" | "list") => {
                refusal.help(in_full())
            }
            ExprP::Identifier(name) if registry::form(&name.node.ident).is_some() => {
                refusal.help(message!("join games with +"))
            }
            _ => refusal,
        },
        _ => refusal,
    }
}
