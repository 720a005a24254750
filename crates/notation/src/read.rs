//! Parsing of positions in the notation.
//!
//! The crate `syntax` parses an expression, and this module evaluates it. It is a sum of calls and
//! of products such as `n * G`. The arguments of a call are numbers, strings, lists and maps. In a
//! family, which is an expression such as `kayles(n)`, they may also contain free variables. Loops
//! and definitions are rejected and the number of terms is limited, so the evaluation takes a
//! bounded time.

use std::ops::Range;
use std::sync::Arc;

use grundy_core::argument::{Argument, Arguments, Builder, number, squares};
use grundy_core::dynamic::DynamicPosition;
use grundy_core::graph::Network;
use grundy_core::heap::HeapRules;
use grundy_core::message::{Command, Setting};
use grundy_core::position::AnyTerm;
use grundy_core::ruleset::literal;
use grundy_core::{Kind, Limits, Message, Position, Stop, message, registry};
use grundy_syntax::{
    Argument as CallArgument, Binary, Expression as Tree, ExpressionKind as Form, Unary,
};

use crate::Diagnostic;
use crate::guess::{Guess, guess};
use crate::scan;

/// Largest number of squares of an empty board, as created by `board(rows, columns)`.
const MAX_SQUARES: usize = 1_000_000;

/// The values of the free variables of an expression such as `kayles(n)`. Each value is paired with
/// the name of its variable.
pub type Bindings<'a> = &'a [(&'a str, u64)];

/// A parsed expression. It can be evaluated many times, for different values of its variables.
#[derive(Clone, Debug)]
pub struct Expression {
    tree: Tree,
    /// The expression that was parsed instead of the text, if the text is not in the notation.
    understood: Option<Arc<str>>,
}

/// The external names that an expression may refer to: rules, positions, and files with graphs.
pub trait Games: std::fmt::Debug {
    /// Returns the game with the rules called `rules` that starts in the position `start`. In the
    /// notation this is `game(rules, start)`. If an error is caused by the first argument of this
    /// call, the `path` of the error begins with 0.
    ///
    /// # Errors
    /// If there are no such rules.
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let _ = (rules, start);
        Err(no_rules())
    }

    /// Returns the rules of a heap game in which each heap n has the same options as
    /// `game(rules, n)`. Returns `None` if there is no proof of this.
    ///
    /// # Errors
    /// A limit that stopped the search for a proof.
    fn heap_rules(&self, rules: &str, limits: &Limits<'_>) -> Result<Option<HeapRules>, Stop> {
        let _ = (rules, limits);
        Ok(None)
    }

    /// Returns the position that the caller has bound to `name`, if there is one.
    fn position(&self, name: &str) -> Option<Position> {
        let _ = name;
        None
    }

    /// Returns the value of a name among the arguments of a game, such as a list or a function of a
    /// rule file. Returns `None` if the name has no value.
    ///
    /// # Errors
    /// If the value cannot be an argument.
    fn argument(&self, name: &str) -> Result<Option<Argument>, Diagnostic> {
        let _ = name;
        Ok(None)
    }

    /// Returns the graph in a file.
    ///
    /// # Errors
    /// If there is no such file or it contains no graph.
    fn graph(&self, file: &str) -> Result<Arc<Network>, Diagnostic> {
        let _ = file;
        Err(
            Diagnostic::new(Kind::Type, message!("file access is not permitted")).help(message!(
                "write the edges: graph({'a': ['b'], 'b': []}, 'a')"
            )),
        )
    }
}

/// A set of external names that is empty.
#[derive(Clone, Copy, Debug)]
pub struct NoGames;

impl Games for NoGames {}

/// Replaces a file name among the arguments of `graph` by the graph in that file, and returns the
/// new arguments. Returns `None` for other games, and if the edges are not given by a file name.
fn open_graph_file(
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
    let network = games.graph(file).map_err(|error| error.at([index]))?;
    let mut items = items.to_vec();
    items[index].1 = Argument::Network(network);
    Ok(Some(items))
}

/// Parses a position.
///
/// ```
/// use grundy_core::ruleset::Nature;
/// use grundy_notation::read_position;
/// assert_eq!(read_position("nim(3) + hackenbush('0-1')").unwrap().nature(), Nature::IMPARTIAL);
/// assert_eq!(read_position("nim(3) + hackenbush('0-1:b')").unwrap().nature(), Nature::PARTIZAN);
/// ```
///
/// # Errors
/// An invalid text, with the place of the error in `source`.
pub fn read_position(source: &str) -> Result<Position, Diagnostic> {
    Expression::parse(source)?.position(&[])
}

impl Expression {
    /// Parses `source` without evaluating it.
    ///
    /// # Errors
    /// If the text is not a single expression.
    ///
    /// # Examples
    /// ```
    /// use grundy_notation::Expression;
    /// assert!(Expression::parse("kayles(n) + nim(3)").is_ok());
    /// let error = Expression::parse("nim(3), nim(4)").unwrap_err();
    /// assert_eq!(error.span, Some(6..7));
    /// assert_eq!(error.help.unwrap(), "join games with +");
    /// ```
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let complexity = scan::scan(source, &scan::EXPRESSION)?;
        // A comma outside of brackets would be parsed as a tuple, and its error message would be
        // less helpful.
        if let Some(at) = complexity.comma {
            return Err(trailing_text_error(at..at + 1));
        }
        grundy_syntax::parse_expression(source)
            .map(|tree| Self {
                tree,
                understood: None,
            })
            .map_err(|error| add_hint(error, source))
    }

    /// Parses `source` as [`Expression::parse`] does. If the notation rejects the text but it has
    /// an obvious meaning, such as `nim 13 12 8`, parses the expression for this meaning.
    ///
    /// The notation has precedence: a text in the notation is never given another meaning.
    ///
    /// # Errors
    /// A text without a meaning, or one with several meanings ([`Diagnostic::ambiguous`]). A text
    /// with words for misère play is an error, too, since misère play is an option of a question.
    ///
    /// # Examples
    /// ```
    /// use grundy_notation::Expression;
    /// let guessed = Expression::parse_or_guess("21 chips, take 1-3")?;
    /// assert_eq!(guessed.understood(), Some("subtraction([1, 2, 3], 21)"));
    /// assert_eq!(Expression::parse_or_guess("nim(3)")?.understood(), None);
    /// let error = Expression::parse_or_guess("subtraction(1, 2, 21)").unwrap_err();
    /// assert_eq!(error.readings[0], "subtraction([1, 2], 21)");
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn parse_or_guess(source: &str) -> Result<Self, Diagnostic> {
        match guess(source) {
            None => Self::parse(source),
            Some(Guess::One(text)) => {
                let expression =
                    Self::parse(&text).map_err(|error| error.with_source(&text[..]))?;
                Ok(Self {
                    understood: Some(text.into()),
                    ..expression
                })
            }
            Some(Guess::Misere(position)) => {
                let message = message!("misère play is an option, not part of a position");
                Err(Diagnostic::new(Kind::Syntax, message)
                    .at(0..source.len())
                    .help(message!(
                        "write {position}, and choose misère play with {option}",
                        position,
                        option = Setting::new("play").set_to("misere")
                    )))
            }
            Some(Guess::Several(readings)) => {
                Err(Diagnostic::ambiguous(readings).at(0..source.len()))
            }
        }
    }

    /// Returns the expression that was parsed instead of the text, if the text was not in the
    /// notation. Locations in the expression refer to it.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// assert_eq!(Expression::parse_or_guess("3 4 5")?.understood(), Some("nim(3, 4, 5)"));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn understood(&self) -> Option<&str> {
        self.understood.as_deref()
    }

    /// Evaluates the expression to a position. `bindings` contains the values of the free
    /// variables.
    ///
    /// # Errors
    /// An expression that is not a position, with the place of the error.
    ///
    /// # Examples
    /// ```
    /// use grundy_notation::Expression;
    /// let family = Expression::parse("nim(n, 2*n)")?;
    /// assert_eq!(family.position(&[("n", 3)])?.to_string(), "nim(3, 6)");
    /// assert!(family.position(&[]).is_err());
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn position(&self, bindings: Bindings<'_>) -> Result<Position, Diagnostic> {
        self.position_with(bindings, &NoGames)
    }

    /// Evaluates the expression to a position. `games` resolves the external names: those of rules,
    /// positions, and files with graphs.
    ///
    /// # Errors
    /// An expression that is not a position, with the place of the error, or an error of `games`.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Position;
    /// use grundy_notation::{Expression, Games, read_position};
    /// #[derive(Debug)]
    /// struct Named(Position);
    /// impl Games for Named {
    ///     fn position(&self, name: &str) -> Option<Position> {
    ///         (name == "g").then(|| self.0.clone())
    ///     }
    /// }
    /// let named = Named(read_position("kayles(7)")?);
    /// let sum = Expression::parse("nim(n) + g")?.position_with(&[("n", 2)], &named)?;
    /// assert_eq!(sum.to_string(), "nim(2) + kayles(7)");
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn position_with(
        &self,
        bindings: Bindings<'_>,
        games: &dyn Games,
    ) -> Result<Position, Diagnostic> {
        let position = sum(&self.tree, Scope { bindings, games }).and_then(|terms| {
            Position::sum(terms).map_err(|error| error.at(self.tree.span.range()))
        });
        position.map_err(|error| match (&self.understood, &error.source) {
            (Some(text), None) => error.with_source(Arc::clone(text)),
            _ => error,
        })
    }

    /// Returns the names of the free variables, in the order of their first use.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// let expression = Expression::parse("nim(n, m) + kayles(n)")?;
    /// assert_eq!(expression.variables(), ["n", "m"]);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let mut variables = Vec::new();
        for name in names(&self.tree) {
            if !matches!(name, "True" | "False" | "None")
                && !variables.iter().any(|known| known == name)
            {
                variables.push(name.to_owned());
            }
        }
        variables
    }

    /// Returns the names of the free variables that have no value in `games`, in the order of their
    /// first use.
    ///
    /// # Errors
    /// A name whose value cannot be an argument.
    ///
    /// # Examples
    /// ```
    /// use grundy_notation::{Expression, NoGames};
    /// let expression = Expression::parse("subtraction(few, n)")?;
    /// assert_eq!(expression.free_variables(&NoGames)?, ["few", "n"]);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn free_variables(&self, games: &dyn Games) -> Result<Vec<String>, Diagnostic> {
        let mut free = Vec::new();
        for name in self.variables() {
            if games.argument(&name)?.is_none() {
                free.push(name);
            }
        }
        Ok(free)
    }

    /// Returns whether the expression is a call, and the variable occurs in it exactly once, as a
    /// whole argument. In that case, the other arguments do not depend on the value of the
    /// variable.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// assert!(Expression::parse("subtraction([1, 2], n)")?.has_alone("n"));
    /// assert!(!Expression::parse("kayles(2*n)")?.has_alone("n"));
    /// assert!(!Expression::parse("nim(n, n)")?.has_alone("n"));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn has_alone(&self, name: &str) -> bool {
        let Form::Call(_, arguments) = &self.tree.kind else {
            return false;
        };
        let mut alone = 0;
        for argument in arguments {
            match &argument.value.kind {
                Form::Name(found) if found == name => alone += 1,
                _ if names(&argument.value).contains(&name) => return false,
                _ => {}
            }
        }
        alone == 1
    }

    /// Returns whether the expression has a call of `game`, which refers to rules given at run
    /// time.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// assert!(Expression::parse("kayles(3) + game (moves, n)")?.uses_rules());
    /// assert!(!Expression::parse("snort(\"game(moves, n)\")")?.uses_rules());
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn uses_rules(&self) -> bool {
        self.calls().iter().any(|(function, _)| is_game(function))
    }

    /// Returns the names of the files with graphs, such as `moves.csv` in
    /// `graph("moves.csv", "a")`.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// let sum = Expression::parse("nim(3) + graph(\"moves.csv\", \"a\")")?;
    /// assert_eq!(sum.graph_files(), ["moves.csv"]);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn graph_files(&self) -> Vec<&str> {
        let mut files = Vec::new();
        for (function, arguments) in self.calls() {
            let is_graph = matches!(&function.kind, Form::Name(name) if name == "graph");
            let is_edges = |(index, argument): &(usize, &CallArgument)| match &argument.name {
                Some(name) => name.text == "edges",
                None => *index == 0,
            };
            if is_graph
                && let Some((_, edges)) = arguments.iter().enumerate().find(is_edges)
                && let Form::Text(file) = &edges.value.kind
            {
                files.push(&file[..]);
            }
        }
        files
    }

    /// Returns the function and the arguments of each call.
    fn calls(&self) -> Vec<(&Tree, &[CallArgument])> {
        // The stack is explicit, as in `names`.
        let (mut calls, mut pending) = (Vec::new(), vec![&self.tree]);
        while let Some(expression) = pending.pop() {
            match &expression.kind {
                Form::Binary(both, _) => pending.extend([&both.0, &both.1]),
                Form::Unary(_, inner) => pending.push(inner),
                Form::List(items) | Form::Tuple(items) => pending.extend(items),
                Form::Call(function, arguments) => {
                    calls.push((&**function, &arguments[..]));
                    pending.extend(arguments.iter().map(|argument| &argument.value));
                }
                _ => {}
            }
        }
        calls
    }

    /// Returns the names of the rules and of the variable, if the expression is a family such as
    /// `game(moves, n)`.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// assert_eq!(Expression::parse("game(moves, n)")?.rules_family(), Some(("moves", "n")));
    /// assert_eq!(Expression::parse("game(moves, 2 * n)")?.rules_family(), None);
    /// assert_eq!(Expression::parse("kayles(n)")?.rules_family(), None);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn rules_family(&self) -> Option<(&str, &str)> {
        let Form::Call(function, arguments) = &self.tree.kind else {
            return None;
        };
        let [rules, start] = &arguments[..] else {
            return None;
        };
        let is_named = rules.name.is_some() || start.name.is_some();
        match (&rules.value.kind, &start.value.kind) {
            (Form::Name(rules), Form::Name(variable)) if is_game(function) && !is_named => {
                Some((rules, variable))
            }
            _ => None,
        }
    }

    /// Returns the byte ranges in the source of the items of the expression, if the expression is a
    /// list. Otherwise returns `None`.
    ///
    /// ```
    /// use grundy_notation::Expression;
    /// assert_eq!(Expression::parse("[nim(3), n]")?.items(), Some(vec![1..7, 9..10]));
    /// assert_eq!(Expression::parse("nim(3)")?.items(), None);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn items(&self) -> Option<Vec<Range<usize>>> {
        match &self.tree.kind {
            Form::List(items) => Some(items.iter().map(|item| item.span.range()).collect()),
            _ => None,
        }
    }
}

/// Returns the error for text that follows the expression.
fn trailing_text_error(at: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message!("expected one expression"))
        .at(at)
        .help(message!("join games with +"))
}

/// Returns the names that denote values in an expression, in order and with repetitions. The names
/// of functions and rules are not included.
fn names(expression: &Tree) -> Vec<&str> {
    let mut names = Vec::new();
    // The stack is explicit, since operators may be nested up to the limit of `scan`.
    let mut pending = vec![expression];
    while let Some(expression) = pending.pop() {
        let children: Vec<&Tree> = match &expression.kind {
            Form::Name(name) => {
                names.push(name.as_str());
                continue;
            }
            Form::Binary(both, _) => vec![&both.0, &both.1],
            Form::Unary(Unary::Minus | Unary::Plus, inner) => vec![inner],
            Form::List(items) | Form::Tuple(items) => items.iter().collect(),
            Form::Dict(items) => items.iter().flat_map(|(key, value)| [key, value]).collect(),
            // The name of the called function and the name of rules are not variables.
            Form::Call(function, arguments) => {
                let values = arguments.iter().skip(usize::from(is_game(function)));
                values.map(|argument| &argument.value).collect()
            }
            _ => Vec::new(),
        };
        pending.extend(children.into_iter().rev());
    }
    names
}

/// Returns whether a called function is `game`, whose first argument is a name of rules.
fn is_game(function: &Tree) -> bool {
    matches!(&function.kind, Form::Name(name) if name == "game")
}

fn no_rules() -> Diagnostic {
    Diagnostic::new(Kind::UnknownName, message!("no rule file is open"))
        .at([0])
        .help(message!(
            "load a rule file with {option}",
            option = Setting::new("rules").with_placeholder("FILE")
        ))
}

/// The meaning of the names in an expression.
#[derive(Clone, Copy)]
struct Scope<'a> {
    bindings: Bindings<'a>,
    games: &'a dyn Games,
}

/// Returns the terms of a sum. The function is not recursive but uses an explicit stack. Since the
/// left operands of `+` are nested, the depth of a sum is the number of its terms.
fn sum(expression: &Tree, scope: Scope<'_>) -> Result<Vec<Arc<dyn AnyTerm>>, Diagnostic> {
    let mut terms = Vec::new();
    let mut pending = vec![(expression, false)];
    // The operand G of n * G is copied when all its terms are complete. This is the case when the
    // stack is again as short as before G was pushed.
    let mut pending_copies = Vec::new();
    loop {
        make_copies(&mut pending_copies, pending.len(), &mut terms)?;
        let Some((expression, negated)) = pending.pop() else {
            break;
        };
        let before = terms.len();
        match &expression.kind {
            // The right operand is pushed first, so that the terms are in order.
            Form::Binary(both, Binary::Add) => {
                pending.push((&both.1, negated));
                pending.push((&both.0, negated));
            }
            Form::Binary(both, Binary::Subtract) => {
                pending.push((&both.1, !negated));
                pending.push((&both.0, negated));
            }
            Form::Binary(both, Binary::Multiply) => {
                let (count, game) = copies(&both.0, &both.1, scope)?;
                // The limit also counts the expressions on the stack, each of which adds at least
                // one term. It is checked before any copy is made.
                let copy_count = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
                if copy_count > MAX_TERMS.saturating_sub(pending.len() + terms.len()) {
                    return Err(too_many_terms(expression));
                }
                pending_copies.push(Copies {
                    pending: pending.len(),
                    first_term: terms.len(),
                    count: copy_count,
                    expression,
                });
                pending.push((game, negated != (count < 0)));
            }
            Form::Unary(Unary::Minus, inner) => pending.push((inner, !negated)),
            Form::Call(function, arguments) => match &function.kind {
                Form::Name(name) if name == "sum_of" => {
                    let games = listed_games(expression, arguments, scope)?;
                    pending.extend(games.into_iter().rev().map(|game| (game, negated)));
                }
                Form::Name(name) => {
                    terms.push(call(name, expression, arguments, scope)?);
                }
                _ => {
                    return Err(Diagnostic::new(
                        Kind::Syntax,
                        message!("write the name of a game before its arguments"),
                    )
                    .at(function.span.range()));
                }
            },
            Form::Name(ident) => {
                let span = expression.span.range();
                if let Some(position) = scope.games.position(ident) {
                    terms.extend(position.terms().iter().cloned());
                } else {
                    return Err(if let Some(form) = registry::usage(ident) {
                        Diagnostic::new(Kind::Type, message!("`{ident}` requires arguments", ident))
                            .at(span)
                            .help(form)
                    } else {
                        Diagnostic::new(
                            Kind::UnknownName,
                            message!("unknown name `{ident}`", ident),
                        )
                        .at(span)
                        .help(registry::suggestion(ident).unwrap_or_else(example))
                    });
                }
            }
            Form::Index(pair) => return Err(not_called(&pair.0, expression)),
            _ => return Err(not_a_position(expression)),
        }
        // Only the terms that come from this expression are negated. The signs of nested sums are
        // passed to their operands.
        if negated {
            negate(&mut terms, before).map_err(|error| error.at(expression.span.range()))?;
        }
    }
    Ok(terms)
}

/// Returns the games in the arguments of `sum_of`. The argument is a list, or a list times a number
/// as in `[g] * 3`. There may also be several games, from an unpacked list as in
/// `sum_of(*[g, h])`.
fn listed_games<'a>(
    expression: &'a Tree,
    arguments: &'a [CallArgument],
    scope: Scope<'_>,
) -> Result<Vec<&'a Tree>, Diagnostic> {
    if arguments.iter().any(|argument| argument.name.is_some()) {
        return Err(not_a_list(expression));
    }
    let [CallArgument { value, .. }] = arguments else {
        return match arguments {
            [] => Err(not_a_list(expression)),
            games => Ok(games.iter().map(|game| &game.value).collect()),
        };
    };
    let (list, count) = match &value.kind {
        Form::Binary(both, Binary::Multiply) => {
            let (count, list) = copies(&both.0, &both.1, scope)?;
            let count = usize::try_from(count).map_err(|_| not_a_list(value))?;
            (list, count)
        }
        _ => (value, 1),
    };
    let (Form::List(items) | Form::Tuple(items)) = &list.kind else {
        return Err(not_a_list(value));
    };
    if count > 1 && count.saturating_mul(items.len()) > MAX_TERMS {
        return Err(too_many_terms(value));
    }
    Ok(std::iter::repeat_n(items, count).flatten().collect())
}

/// Returns the error for arguments in the wrong kind of brackets, as in `nim[3]`.
fn not_called(of: &Tree, expression: &Tree) -> Diagnostic {
    let Form::Name(name) = &of.kind else {
        return not_a_position(expression);
    };
    let message = message!("write the arguments of a game in parentheses");
    let error = Diagnostic::new(Kind::Syntax, message).at(expression.span.range());
    match registry::usage(name).or_else(|| registry::suggestion(name)) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns the error for an expression that is not a position. Its hint depends on the form of the
/// expression, for example a file name or a number.
fn not_a_position(expression: &Tree) -> Diagnostic {
    let help = match &expression.kind {
        // A file name is parsed as an attribute of a name, since it contains a dot.
        Form::Dot(of, ending) if matches!(of.kind, Form::Name(_)) => {
            if ending.text == "star" {
                message!(
                    "load a rule file with {option}, and write its positions as game(moves, start)",
                    option = Setting::new("rules").with_placeholder("FILE")
                )
            } else {
                message!(
                    "to read a game graph from a file, use `{label}`; to read a matrix, use `{matrix}`",
                    label = Command::new("label").argument("game", "FILE"),
                    matrix = Command::new("matrix").argument("file", "FILE")
                )
            }
        }
        Form::Tuple(_) | Form::List(_) => message!("join games with +"),
        _ => {
            let value = number_text(expression).and_then(|text| literal_hint(&text));
            value.unwrap_or_else(|| message!("a position is a game with its arguments, such as nim(3, 4, 5), or a sum of games"))
        }
    };
    Diagnostic::new(Kind::Type, message!("expected a position"))
        .at(expression.span.range())
        .help(help)
}

/// Returns the text of a number such as `3` or `-3/4`. Returns `None` if the expression is not a
/// number.
fn number_text(expression: &Tree) -> Option<String> {
    match &expression.kind {
        Form::Int(int) => Some(int.to_string()),
        Form::Binary(both, Binary::Divide) => {
            let (above, below) = (integer_text(&both.0)?, integer_text(&both.1)?);
            Some(format!("{above}/{below}"))
        }
        _ => None,
    }
}

fn integer_text(expression: &Tree) -> Option<String> {
    match &expression.kind {
        Form::Int(int) => Some(int.to_string()),
        Form::Unary(Unary::Minus, inner) => match &inner.kind {
            Form::Int(int) => Some(format!("-{int}")),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the hint to write `literal("...")`, if the text is a value such as `{1|*}` or `1/2`.
fn literal_hint(text: &str) -> Option<Message> {
    let text = text.trim();
    let value = text.len() <= MAX_HINT_BYTES && literal::is_game(text);
    value.then(|| {
        message!(
            "to use a value as a position, write literal(\"{text}\")",
            text
        )
    })
}

/// Length limit in bytes of a text that is repeated in a hint.
const MAX_HINT_BYTES: usize = 200;

/// The operand G of a product `n * G`. The terms of G are copied as soon as all of them have been
/// evaluated.
struct Copies<'a> {
    /// The length of the stack of pending expressions before G is pushed. All terms of G have been
    /// evaluated when the stack has this length again.
    pending: usize,
    /// The index of the first term of G in the list of all terms.
    first_term: usize,
    count: usize,
    /// The whole product `n * G`.
    expression: &'a Tree,
}

/// Copies the operand G of each product `n * G`, if all terms of G have been evaluated. `pending`
/// is the current length of the stack of pending expressions.
fn make_copies(
    pending_copies: &mut Vec<Copies<'_>>,
    pending: usize,
    terms: &mut Vec<Arc<dyn AnyTerm>>,
) -> Result<(), Diagnostic> {
    while let Some(copies) = pending_copies.pop_if(|copies| copies.pending == pending) {
        let block = terms.split_off(copies.first_term);
        let added = block.len().saturating_mul(copies.count);
        if copies.first_term.saturating_add(added) > MAX_TERMS {
            return Err(too_many_terms(copies.expression));
        }
        terms.extend(std::iter::repeat_n(block, copies.count).flatten());
    }
    Ok(())
}

/// Negates the terms whose index is at least `from`.
fn negate(terms: &mut Vec<Arc<dyn AnyTerm>>, from: usize) -> Result<(), Diagnostic> {
    // The negative of a sum is the sum of the negatives. Some games have no negative, which is an
    // error.
    let negated = Position::sum(terms.split_off(from))?.negated()?;
    terms.extend_from_slice(negated.terms());
    Ok(())
}

/// Largest number of terms in a sum with `n * G`.
const MAX_TERMS: usize = 10_000;

fn too_many_terms(expression: &Tree) -> Diagnostic {
    let message = message!(
        "a sum of more than {most} games is too long",
        most = MAX_TERMS
    );
    Diagnostic::new(Kind::Range, message).at(expression.span.range())
}

/// Returns the number of copies n and the game G of `n * G` or `G * n`.
fn copies<'a>(
    left: &'a Tree,
    right: &'a Tree,
    scope: Scope<'_>,
) -> Result<(i128, &'a Tree), Diagnostic> {
    match (evaluate(left, scope), evaluate(right, scope)) {
        (Ok(Argument::Int(count)), _) => Ok((count, right)),
        (_, Ok(Argument::Int(count))) => Ok((count, left)),
        _ => {
            let message = message!("expected a number of copies, as in 12 * nim(3)");
            let error = Diagnostic::new(Kind::Type, message).at(left.span.range());
            Err(error.help(message!("write a sum of games with +: nim(3) + nim(2)")))
        }
    }
}

/// Adds a hint to a syntax error. For a common mistake, the hint corrects the mistake. Otherwise
/// the hint is the usage of the game whose arguments contain the error. For an error after a `+`,
/// no usage is given, since another game begins there.
fn add_hint(error: Diagnostic, source: &str) -> Diagnostic {
    let Some(span) = error.span.clone().filter(|_| error.help.is_none()) else {
        return error;
    };
    let (Some(before), Some(refused)) = (source.get(..span.start), source.get(span.clone())) else {
        return error;
    };
    if before.trim_end().ends_with(';') {
        return trailing_text_error(span);
    }
    if refused == "=" {
        let message = message!("not an expression");
        return Diagnostic::new(error.kind, message)
            .at(span)
            .help(example());
    }
    // The text may contain typographic quotes of word processors, or full-width brackets of Chinese
    // input methods.
    let typed = scan::to_ascii(source);
    // A long input is not repeated in the hint.
    if !refused.is_ascii() && typed != source && source.len() <= MAX_HINT_BYTES {
        return error.help(message!(
            "use ASCII brackets, commas and quotation marks: {typed}",
            typed
        ));
    }
    // For `[1..3]` the lexer reads `1.` and `.3`, so the first dot is before the rejected token.
    if before.ends_with('.') && refused.starts_with('.') {
        let dots = span.start - 1..span.start + 1;
        return Diagnostic::new(error.kind, message!("unexpected {found}", found = "`..`"))
            .at(dots)
            .help(write_out_range());
    }
    if refused.starts_with("..") {
        return Diagnostic::new(
            error.kind,
            message!("unexpected {found}", found = format!("`{refused}`")),
        )
        .at(span)
        .help(message!(
            "write the rows of a board in quotation marks: [\"...\", \"..#\"]"
        ));
    }
    let term = before.rfind('+').map_or(source, |plus| &source[plus + 1..]);
    if let Some(help) = [source, term].into_iter().find_map(literal_hint) {
        return error.help(help);
    }
    if before.trim_end().ends_with('+') {
        return error;
    }
    if before.trim_end().ends_with(')') && source.contains('\n') {
        return trailing_text_error(span);
    }
    // The hint is the usage of the last game that begins before the error.
    let words = before.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    match words.filter_map(registry::usage).next_back() {
        Some(form) => error.help(form),
        None if before.trim().is_empty() => error.help(example()),
        None => error,
    }
}

/// Returns the hint to write a position.
fn example() -> Message {
    message!(
        "write a position, such as nim(3, 4, 5); `{command}` lists the games",
        command = Command::new("help").word("games")
    )
}

/// Returns the hint to write all numbers of a range.
fn write_out_range() -> Message {
    message!("write the numbers one by one: [1, 2, 3]")
}

fn not_a_list(expression: &Tree) -> Diagnostic {
    Diagnostic::new(
        Kind::Type,
        message!("sum_of requires one list of positions"),
    )
    .at(expression.span.range())
    .help(message!("usage: sum_of([g, h, ...])"))
}

fn call(
    name: &str,
    expression: &Tree,
    arguments: &[CallArgument],
    scope: Scope<'_>,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    if name == "game" {
        return rule_file_game(expression, arguments, scope);
    }
    // An unknown game is reported first, before errors in its arguments.
    if registry::usage(name).is_none() {
        return Err(with_span(registry::unknown(name), name, expression, &[]));
    }
    let (items, sources) = if TAKES_GAMES.contains(&name) {
        evaluate_games(arguments, scope)?
    } else {
        evaluate_arguments(arguments, scope)?
    };
    let term = open_graph_file(name, &items, scope.games)
        .and_then(|with_graph| registry::construct(name, with_graph.as_deref().unwrap_or(&items)));
    term.map_err(|error| with_span(error, name, expression, &sources))
}

/// The constructors whose arguments are games themselves.
const TAKES_GAMES: [&str; 2] = ["impartial", "ordinal_sum"];

/// Evaluates the arguments of a constructor that takes games. The function is recursive, but `scan`
/// limits the depth of brackets to 200.
fn evaluate_games<'a>(
    arguments: &'a [CallArgument],
    scope: Scope<'_>,
) -> Result<Evaluated<'a>, Diagnostic> {
    let (mut items, mut sources) = (Vec::new(), Vec::new());
    for argument in arguments {
        let value = &argument.value;
        if let Some(name) = &argument.name {
            let message = message!("write the games as separate arguments, without argument names");
            let whole = name.span.range().start..value.span.range().end;
            return Err(Diagnostic::new(Kind::Type, message).at(whole));
        }
        let position = Position::sum(sum(value, scope)?);
        let position = position.map_err(|error| error.at(value.span.range()))?;
        items.push((None, Argument::Game(position)));
        sources.push(value);
    }
    Ok((items, sources))
}

/// Arguments with their names, followed by the expression of each argument.
type Evaluated<'a> = (Vec<(Option<String>, Argument)>, Vec<&'a Tree>);

/// Evaluates the arguments of a call.
fn evaluate_arguments<'a>(
    arguments: &'a [CallArgument],
    scope: Scope<'_>,
) -> Result<Evaluated<'a>, Diagnostic> {
    let mut items = Vec::with_capacity(arguments.len());
    let mut sources = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let (name, value) = (&argument.name, &argument.value);
        let name = name.as_ref().map(|name| name.text.clone());
        items.push((name, evaluate(value, scope)?));
        sources.push(value);
    }
    Ok((items, sources))
}

/// Sets the span of an error in a call. It becomes the span of the argument that caused the error,
/// or of the whole call if no argument did. For an unknown game, it is the span of the name.
fn with_span(error: Diagnostic, name: &str, expression: &Tree, sources: &[&Tree]) -> Diagnostic {
    let cause = expression_at(&error.path, sources);
    let span = match (cause, &error.within) {
        (Some(cause), Some(bytes)) => string_span(cause, bytes),
        (Some(cause), None) => cause.span.range(),
        (None, _) => {
            let whole = expression.span.range();
            // If the name is unknown, the span is that of the name.
            if error.kind == Kind::UnknownName {
                whole.start..whole.start + name.len()
            } else {
                whole
            }
        }
    };
    error.at(span)
}

/// Evaluates the expression `board(rows, columns)`, which is an empty board.
fn empty_board(
    expression: &Tree,
    arguments: &[CallArgument],
    scope: Scope<'_>,
) -> Result<Argument, Diagnostic> {
    let (items, sources) = evaluate_arguments(arguments, scope)?;
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
    read().map_err(|error: Diagnostic| {
        let error = match error.help {
            None => error.help(message!("usage: board(rows, columns)")),
            Some(_) => error,
        };
        with_span(error, "board", expression, &sources)
    })
}

/// Evaluates a call such as `grid(3, 4)`, which is a graph.
fn graph_of_family(
    name: &str,
    expression: &Tree,
    arguments: &[CallArgument],
    scope: Scope<'_>,
) -> Result<Argument, Diagnostic> {
    let (items, sources) = evaluate_arguments(arguments, scope)?;
    let graph = Builder::read(name, &Arguments { items: &items });
    graph.map(Argument::Builder).map_err(|error| {
        let error = match (&error.help, Builder::signature(name)) {
            (None, Some(signature)) if error.kind == Kind::Type => {
                error.help(message!("usage: {signature}", signature))
            }
            _ => error,
        };
        with_span(error, name, expression, &sources)
    })
}

/// Evaluates the expression `game(rules, start)`, which is a position of a user-defined game.
fn rule_file_game(
    expression: &Tree,
    arguments: &[CallArgument],
    scope: Scope<'_>,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let form = message!("usage: game(rules, start), for example game(moves, 100)");
    let [rules, start] = arguments else {
        let message = message!("`game` requires the name of the rules and a position");
        let help = if arguments.len() > 2 {
            message!("write a position of several numbers as game(moves, (2, 3))")
        } else {
            form
        };
        return Err(Diagnostic::new(Kind::Type, message)
            .at(expression.span.range())
            .help(help));
    };
    if rules.name.is_some() || start.name.is_some() {
        let message = message!("the arguments of `game` are positional");
        return Err(Diagnostic::new(Kind::Type, message)
            .at(expression.span.range())
            .help(form));
    }
    let (rules, start) = (&rules.value, &start.value);
    let Form::Name(name) = &rules.kind else {
        let message = message!("expected the name of the rules");
        return Err(Diagnostic::new(Kind::Type, message)
            .at(rules.span.range())
            .help(form));
    };
    let start_position = rule_file_position(start, scope)?;
    scope.games.game(name, start_position).map_err(|error| {
        let cause = if error.path.first() == Some(&0) {
            rules
        } else {
            start
        };
        error.at(cause.span.range())
    })
}

/// Evaluates an expression to a position of a rule file. The function is recursive, but `scan`
/// limits the depth of brackets to 200.
fn rule_file_position(expression: &Tree, scope: Scope<'_>) -> Result<DynamicPosition, Diagnostic> {
    let all = |items: &[Tree]| -> Result<Vec<DynamicPosition>, Diagnostic> {
        let position = |item: &Tree| match &item.kind {
            Form::Name(name) if name == "None" => Ok(DynamicPosition::None),
            // As in Python, `(True, 2)` and `(1, 2)` are the same position.
            Form::Name(name) if name == "True" => Ok(DynamicPosition::Int(1)),
            Form::Name(name) if name == "False" => Ok(DynamicPosition::Int(0)),
            _ => rule_file_position(item, scope),
        };
        items.iter().map(position).collect()
    };
    match &expression.kind {
        Form::List(items) => return Ok(DynamicPosition::list(all(items)?)),
        Form::Tuple(items) => return Ok(DynamicPosition::tuple(all(items)?)),
        _ => {}
    }
    let refuse = |kind, message: Message| {
        Diagnostic::new(kind, message)
            .at(expression.span.range())
            .help(message!(
                "a position must be an integer, a string, or a tuple or list of these"
            ))
    };
    match evaluate(expression, scope)? {
        Argument::Int(n) => DynamicPosition::integer(n).ok_or_else(|| {
            refuse(
                Kind::Overflow,
                message!(
                    "numbers in positions of user-defined rules must be from -2^64 + 1 to 2^64 - 1"
                ),
            )
        }),
        Argument::Text(text) => Ok(DynamicPosition::text(text)),
        // An empty board is represented by a list of strings.
        board @ Argument::Board(..) => {
            let help =
                message!("a position must be an integer, a string, or a tuple or list of these");
            let board = squares(&board, &[], ".", &help, MAX_SQUARES)
                .map_err(|error| error.at(expression.span.range()))?;
            let row = DynamicPosition::text(".".repeat(board.width));
            Ok(DynamicPosition::list(vec![row; board.height]))
        }
        _ => Err(refuse(Kind::Type, message!("not a position"))),
    }
}

/// Converts the range `bytes`, which is relative to the content of a string literal, to a range in
/// the source. If the literal contains escapes, returns the range of the whole literal.
fn string_span(expression: &Tree, bytes: &Range<usize>) -> Range<usize> {
    let whole = expression.span.range();
    match &expression.kind {
        Form::Text(text) if whole.len() == text.len() + 2 => {
            let start = whole.start + 1;
            start + bytes.start..(start + bytes.end).min(whole.end)
        }
        _ => whole,
    }
}

/// Returns the argument that caused an error, or the item nested in it, as given by the `path` of
/// the error. If the path cannot be followed to its end, returns the last expression on it.
fn expression_at<'a>(path: &[usize], sources: &[&'a Tree]) -> Option<&'a Tree> {
    let (&first, rest) = path.split_first()?;
    let mut expression: &Tree = sources.get(first)?;
    for &index in rest {
        expression = match &expression.kind {
            Form::List(items) | Form::Tuple(items) => match items.get(index) {
                Some(item) => item,
                None => break,
            },
            Form::Dict(items) => match items.get(index) {
                Some((_, value)) => value,
                None => break,
            },
            _ => break,
        };
    }
    Some(expression)
}

/// Evaluates an argument. The function is recursive, but `scan` limits the depth of brackets
/// to 200.
fn evaluate(expression: &Tree, scope: Scope<'_>) -> Result<Argument, Diagnostic> {
    let all = |items: &[Tree]| -> Result<Vec<Argument>, Diagnostic> {
        items.iter().map(|item| evaluate(item, scope)).collect()
    };
    Ok(match &expression.kind {
        // A number that is too large was replaced by the largest one. No argument can be that
        // large, so it is rejected later with a better error.
        Form::Int(int) => Argument::Int(*int),
        Form::Text(text) => Argument::Text(text.clone()),
        Form::Float(text) => Argument::Float(text.clone()),
        Form::Unary(Unary::Minus, inner) => match evaluate_sign(inner, scope)? {
            Argument::Int(n) => Argument::Int(n.saturating_neg()),
            Argument::Float(text) => Argument::Float(format!("-{text}")),
            _ => return Err(not_an_argument(expression)),
        },
        Form::Unary(Unary::Plus, inner) => evaluate_sign(inner, scope)?,
        Form::List(items) | Form::Tuple(items) => Argument::List(all(items)?),
        Form::Dict(items) => Argument::Map(
            items
                .iter()
                .map(|(key, value)| Ok((evaluate(key, scope)?, evaluate(value, scope)?)))
                .collect::<Result<_, Diagnostic>>()?,
        ),
        Form::Name(ident) => match ident.as_str() {
            "True" => Argument::Bool(true),
            "False" => Argument::Bool(false),
            "None" => Argument::None,
            _ => {
                if let Some((_, value)) = scope.bindings.iter().find(|(known, _)| known == ident) {
                    Argument::Int(i128::from(*value))
                } else if let Some(value) = (scope.games.argument(ident))
                    .map_err(|error| error.at(expression.span.range()))?
                {
                    value
                } else {
                    let message = message!("unknown name `{ident}`", ident);
                    let help = if scope.bindings.is_empty() {
                        message!(
                            "if the name is meant as a string, write \"{ident}\" in quotation marks; if the name is meant as a free variable, use `{command}`: {example}",
                            ident,
                            command = Command::new("table"),
                            example = Command::new("table")
                                .argument("game", "EXPR")
                                .argument("ranges", format!("{ident}=0..100"))
                        )
                    } else {
                        message!(
                            "if {ident} is a free variable, add a range, such as {ident}=0..100; if it is a string, write \"{ident}\" in quotation marks",
                            ident
                        )
                    };
                    return Err(Diagnostic::new(Kind::UnknownName, message)
                        .at(expression.span.range())
                        .help(help));
                }
            }
        },
        Form::Binary(_, operator) if is_arithmetic(*operator) => arithmetic(expression, scope)?,
        Form::Call(function, arguments) if matches!(&function.kind, Form::Name(name) if name == "board") => {
            empty_board(expression, arguments, scope)?
        }
        Form::Call(function, arguments) => match &function.kind {
            Form::Name(name) if Builder::signature(name).is_some() => {
                graph_of_family(name, expression, arguments, scope)?
            }
            _ => return Err(not_an_argument(expression)),
        },
        _ => return Err(not_an_argument(expression)),
    })
}

/// Evaluates the operand of a sign. A second sign is rejected, so that signs cannot be nested.
fn evaluate_sign(expression: &Tree, scope: Scope<'_>) -> Result<Argument, Diagnostic> {
    match &expression.kind {
        Form::Unary(Unary::Minus | Unary::Plus, _) => Err(not_an_argument(expression)),
        _ => evaluate(expression, scope),
    }
}

/// Returns whether an operator may occur in a number such as `2 * n + 1`.
fn is_arithmetic(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Power
    )
}

/// Evaluates integer arithmetic such as `n + 1`. Left operands are processed in a loop. Right
/// operands are evaluated by recursion, whose depth is limited since they can be nested only by
/// brackets.
fn arithmetic(expression: &Tree, scope: Scope<'_>) -> Result<Argument, Diagnostic> {
    // In a + b + c the left operands are nested, so they are collected in a loop.
    let mut pending = Vec::new();
    let mut first = expression;
    while let Form::Binary(both, op) = &first.kind
        && is_arithmetic(*op)
    {
        pending.push((*op, &both.1));
        first = &both.0;
    }
    let number = |expression: &Tree| match evaluate(expression, scope)? {
        Argument::Int(n) => Ok(n),
        _ => Err(not_an_argument(expression)),
    };
    let mut total = number(first)?;
    for (op, right) in pending.into_iter().rev() {
        let right = number(right)?;
        total = match op {
            Binary::Add => total.checked_add(right),
            Binary::Subtract => total.checked_sub(right),
            Binary::Power if right < 0 => {
                let message = message!("an exponent must not be negative");
                return Err(Diagnostic::new(Kind::Range, message).at(expression.span.range()));
            }
            Binary::Power => power(total, right),
            _ => total.checked_mul(right),
        }
        .ok_or_else(|| {
            Diagnostic::new(
                Kind::Overflow,
                message!("the number is larger than 2^64 - 1"),
            )
            .at(expression.span.range())
        })?;
    }
    Ok(Argument::Int(total))
}

/// Returns a power, unless it is too large. The exponent is not negative.
fn power(base: i128, exponent: i128) -> Option<i128> {
    match base {
        0 | 1 if exponent > 0 => Some(base),
        // Other powers are too large for such exponents.
        _ => base.checked_pow(u32::try_from(exponent.min(1 << 10)).ok()?),
    }
}

fn not_an_argument(expression: &Tree) -> Diagnostic {
    let error = Diagnostic::new(
        Kind::Type,
        message!("expected a number, a string or a list"),
    )
    .at(expression.span.range());
    match &expression.kind {
        Form::ListComprehension(..) => error.help(write_out_range()),
        Form::Call(function, _) => match &function.kind {
            Form::Name(name) if matches!(&name[..], "range" | "list") => {
                error.help(write_out_range())
            }
            Form::Name(name) if registry::usage(name).is_some() => {
                error.help(message!("join games with +"))
            }
            _ => error,
        },
        _ => error,
    }
}
