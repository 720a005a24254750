//! Gambit's normal form (`.nfg`). There must be two players, whose payoffs have the same sum in all
//! entries.
//!
//! There are two versions of the format: a list of payoffs, and a list of outcomes followed by
//! indices of outcomes. In both, the strategy of the first player, who is the row player, changes
//! fastest. See the Gambit documentation, section "The strategic game (.nfg) file format, payoff
//! version" and "outcome version".

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, message};
use num_rational::BigRational;

use super::builder::{MatrixBuilder, Named};
use super::tokens::{Token, Tokenizer, parse_ratio, syntax_error};
use crate::matrix::{MAX_ENTRIES, MAX_STRATEGIES};

pub(super) fn read(
    text: &str,
    start: usize,
    builder: &mut MatrixBuilder,
) -> Result<(), Diagnostic> {
    let mut tokens = Tokenizer::new(text, start);
    tokens.next()?; // NFG
    tokens.expect_keyword("1", || message!("the format version 1"))?;
    match tokens.next()? {
        (Token::Bare("R" | "D"), _) => {}
        (_, span) => {
            return Err(syntax_error(
                message!("expected `R`, for rational payoffs"),
                span,
            ));
        }
    }
    tokens.expect_quoted(|| message!("the title, in quotes"))?;
    let players = tokens.expect_names(|| message!("the players"))?;
    if players.0.len() != 2 {
        return Err(Diagnostic::new(
            Kind::IllegalPosition,
            message!(
                "a matrix game must have 2 players, not {players}",
                players = players.0.len()
            ),
        )
        .at(players.1));
    }
    let [rows, columns] = tokens.strategies(builder)?;
    if let Some((Token::Quoted(_), _)) = tokens.peek()? {
        tokens.next()?; // the comment
    }
    let count = rows
        .checked_mul(columns)
        .filter(|&count| count <= MAX_ENTRIES)
        .ok_or_else(|| {
            let at = tokens.at();
            Diagnostic::new(
                Kind::Limit,
                message!(
                    "the matrix has more than {most_entries} entries",
                    most_entries = MAX_ENTRIES
                ),
            )
            .at(at..at)
        })?;
    // A brace after the comment means the outcome version, and otherwise it is the payoff version.
    // The file is in column-major order.
    let place = |index: usize| [index % rows, index / rows];
    let mut payoffs = Vec::new();
    if let Some((Token::Open, _)) = tokens.peek()? {
        let outcomes = tokens.outcomes()?;
        for (index, (token, span)) in tokens.payoff_tokens(count)?.into_iter().enumerate() {
            let pair = outcome(&outcomes, token, &span)?;
            payoffs.push(builder.check_total(place(index), pair, span)?);
        }
    } else {
        let list = tokens.payoff_tokens(2 * count)?;
        for (index, pair) in list.chunks_exact(2).enumerate() {
            let [(own, at), (other, end)] = pair else {
                continue;
            };
            let pair = [parse_ratio(own, at)?, parse_ratio(other, end)?];
            payoffs.push(builder.check_total(place(index), pair, at.start..end.end)?);
        }
    }
    tokens.expect_end()?;
    // `MatrixBuilder` expects row-major order.
    for i in 0..rows {
        for j in 0..columns {
            builder.append(payoffs[j * rows + i].clone(), start..text.len())?;
        }
        builder.end_row(start..text.len())?;
    }
    Ok(())
}

fn outcome(
    outcomes: &[[BigRational; 2]],
    token: &str,
    span: &Range<usize>,
) -> Result<[BigRational; 2], Diagnostic> {
    let index: usize = token
        .parse()
        .map_err(|_| syntax_error(message!("expected the number of an outcome"), span.clone()))?;
    // Index 0 means "no outcome" in Gambit. Then both payoffs are 0.
    match index.checked_sub(1) {
        None => Ok(Default::default()),
        Some(index) => outcomes.get(index).cloned().ok_or_else(|| {
            Diagnostic::new(
                Kind::Range,
                message!(
                    "there are only {outcomes} outcomes",
                    outcomes = outcomes.len()
                ),
            )
            .at(span.clone())
        }),
    }
}

impl Tokenizer<'_> {
    /// Parses the numbers of strategies, such as `{ 2 3 }`, or their names, such as `{ { "a" "b" }
    /// { "c" "d" "e" } }`. Returns the two numbers.
    fn strategies(&mut self, builder: &mut MatrixBuilder) -> Result<[usize; 2], Diagnostic> {
        let start = self.expect_open(|| message!("the number of strategies of each player"))?;
        let mut counts = Vec::new();
        let end = loop {
            if let Some((Token::Open, _)) = self.peek()? {
                let (names, span) = self.expect_names(|| message!("names of strategies"))?;
                // Gambit numbers strategies without names from 1. Such names are omitted, since
                // rows and columns are numbered from 0 here.
                let numbered = (names.iter().enumerate())
                    .all(|(index, name)| *name == (index + 1).to_string());
                let named = [Named::Rows, Named::Columns].get(counts.len());
                if let (Some(&named), false) = (named, numbered) {
                    for name in &names {
                        builder.push_name(named, &name.replace("\\\"", "\""), span.clone())?;
                    }
                }
                counts.push((names.len(), span));
                continue;
            }
            match self.next()? {
                (Token::Bare(token), span) => match token.parse() {
                    Ok(count) => counts.push((count, span)),
                    Err(_) => {
                        return Err(syntax_error(
                            message!("expected a number of strategies"),
                            span,
                        ));
                    }
                },
                (Token::Close, span) => break span.end,
                (_, span) => {
                    return Err(syntax_error(
                        message!("expected a number of strategies"),
                        span,
                    ));
                }
            }
        };
        for (count, span) in &counts {
            if *count == 0 {
                let message = message!("each player needs at least one strategy");
                return Err(Diagnostic::new(Kind::IllegalPosition, message).at(span.clone()));
            }
            if *count > MAX_STRATEGIES {
                let message = message!(
                    "a player has more than {most_strategies} strategies",
                    most_strategies = MAX_STRATEGIES
                );
                return Err(Diagnostic::new(Kind::Limit, message).at(span.clone()));
            }
        }
        match &counts[..] {
            [(rows, _), (columns, _)] => Ok([*rows, *columns]),
            _ => Err(syntax_error(
                message!("expected two numbers of strategies, one for each player"),
                start..end,
            )),
        }
    }

    /// Parses the list of outcomes, such as `{ { "name" 1, -1 } ... }`. Returns the payoffs of each
    /// outcome.
    fn outcomes(&mut self) -> Result<Vec<[BigRational; 2]>, Diagnostic> {
        self.expect_open(|| message!("the outcomes"))?;
        let mut outcomes = Vec::new();
        loop {
            match self.next()? {
                (Token::Close, _) => return Ok(outcomes),
                (Token::Open, _) => {}
                (_, span) => {
                    return Err(syntax_error(
                        message!("expected an outcome in braces"),
                        span,
                    ));
                }
            }
            self.expect_quoted(|| message!("the name of the outcome, in quotes"))?;
            let (wins, at) = self.expect_bare(|| message!("the payoff of the first player"))?;
            let (other, end) = self.expect_bare(|| message!("the payoff of the second player"))?;
            outcomes.push([parse_ratio(wins, &at)?, parse_ratio(other, &end)?]);
            match self.next()? {
                (Token::Close, _) => {}
                (_, span) => {
                    return Err(syntax_error(
                        message!("expected `}` after two payoffs"),
                        span,
                    ));
                }
            }
        }
    }

    /// Consumes the next `count` payoffs, and returns them with their spans. Quoted strings and
    /// braces are errors.
    fn payoff_tokens(&mut self, count: usize) -> Result<Vec<(&str, Range<usize>)>, Diagnostic> {
        // No capacity is reserved, since `count` comes from the file, which may be much shorter.
        let mut list = Vec::new();
        for done in 0..count {
            if self.peek()?.is_none() {
                let end = self.text.len();
                let message =
                    message!("the file ends after {done} of {count} payoffs", done, count);
                return Err(syntax_error(message, end..end));
            }
            list.push(self.expect_bare(|| message!("a payoff"))?);
        }
        Ok(list)
    }
}
