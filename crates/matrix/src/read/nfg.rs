//! Gambit's normal form (`.nfg`). There must be two players whose payoffs add up to zero.
//!
//! There are two versions of the format: a list of payoffs, and a list of outcomes followed by
//! indices of outcomes. In both, the strategy of the first player, who is the row player, changes
//! fastest. See the Gambit documentation, section "The strategic game (.nfg) file format, payoff
//! version" and "outcome version".

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, message};
use num_rational::BigRational;

use super::Rectangle;
use super::words::{Word, Words, ratio, syntax, zero_sum};
use crate::matrix::{MOST_ENTRIES, MOST_STRATEGIES, Number};

pub(super) fn read(text: &str, start: usize, into: &mut Rectangle) -> Result<(), Diagnostic> {
    let mut words = Words::new(text, start);
    words.next()?; // NFG
    words.keyword("1", || message!("the version of the format, 1"))?;
    match words.next()? {
        (Word::Bare("R" | "D"), _) => {}
        (_, span) => return Err(syntax(message!("expected `R`, for rational payoffs"), span)),
    }
    words.quoted(|| message!("the title, in quotes"))?;
    let players = words.names(|| message!("the players"))?;
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
    let (rows, columns) = words.strategies()?;
    if let Some((Word::Quoted(_), _)) = words.peek()? {
        words.next()?; // the comment
    }
    let count = rows
        .checked_mul(columns)
        .filter(|&count| count <= MOST_ENTRIES)
        .ok_or_else(|| {
            let at = words.at();
            Diagnostic::new(
                Kind::Limit,
                message!(
                    "the matrix has more than {most_entries} entries",
                    most_entries = MOST_ENTRIES
                ),
            )
            .at(at..at)
        })?;
    // A brace after the comment means the outcome version, and otherwise it is the payoff version.
    let payoffs = if let Some((Word::Open, _)) = words.peek()? {
        let outcomes = words.outcomes()?;
        words.list(count, |word, span| outcome(&outcomes, word, span))?
    } else {
        let mut first: Option<(BigRational, Range<usize>)> = None;
        let mut list = Vec::new();
        for (word, span) in words.rest(2 * count)? {
            let payoff = ratio(word, &span)?;
            match first.take() {
                None => first = Some((payoff, span)),
                Some((wins, at)) => list.push(zero_sum(wins, &payoff, at.start..span.end)?.into()),
            }
        }
        list
    };
    words.end()?;
    // The file is in column-major order, and `Rectangle` expects row-major order.
    for i in 0..rows {
        for j in 0..columns {
            into.push(payoffs[j * rows + i].clone(), start..text.len())?;
        }
        into.end_row(start..text.len())?;
    }
    Ok(())
}

fn outcome(outcomes: &[Number], word: &str, span: &Range<usize>) -> Result<Number, Diagnostic> {
    let index: usize = word
        .parse()
        .map_err(|_| syntax(message!("expected the number of an outcome"), span.clone()))?;
    // Index 0 means "no outcome" in Gambit. Then both payoffs are 0.
    match index.checked_sub(1) {
        None => Ok(Number::Small(0)),
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

impl Words<'_> {
    /// Parses the numbers of strategies, such as `{ 2 3 }`, or their names, such as `{ { "a" "b" }
    /// { "c" "d" "e" } }`. Returns the two numbers.
    fn strategies(&mut self) -> Result<(usize, usize), Diagnostic> {
        let start = self.open(|| message!("the numbers of strategies"))?;
        let mut counts = Vec::new();
        let end = loop {
            if let Some((Word::Open, _)) = self.peek()? {
                let (names, span) = self.names(|| message!("names of strategies"))?;
                counts.push((names.len(), span));
                continue;
            }
            match self.next()? {
                (Word::Bare(word), span) => match word.parse() {
                    Ok(count) => counts.push((count, span)),
                    Err(_) => {
                        return Err(syntax(message!("expected a number of strategies"), span));
                    }
                },
                (Word::Close, span) => break span.end,
                (_, span) => return Err(syntax(message!("expected a number of strategies"), span)),
            }
        };
        for (count, span) in &counts {
            if *count == 0 {
                let message = message!("each player needs at least one strategy");
                return Err(Diagnostic::new(Kind::IllegalPosition, message).at(span.clone()));
            }
            if *count > MOST_STRATEGIES {
                let message = message!(
                    "a player has more than {most_strategies} strategies",
                    most_strategies = MOST_STRATEGIES
                );
                return Err(Diagnostic::new(Kind::Limit, message).at(span.clone()));
            }
        }
        match &counts[..] {
            [(rows, _), (columns, _)] => Ok((*rows, *columns)),
            _ => Err(syntax(
                message!("expected one number of strategies for each of the 2 players"),
                start..end,
            )),
        }
    }

    /// Parses the list of outcomes, such as `{ { "name" 1, -1 } ... }`. Returns the payoff to the
    /// row player for each outcome.
    fn outcomes(&mut self) -> Result<Vec<Number>, Diagnostic> {
        self.open(|| message!("the outcomes"))?;
        let mut outcomes = Vec::new();
        loop {
            match self.next()? {
                (Word::Close, _) => return Ok(outcomes),
                (Word::Open, _) => {}
                (_, span) => return Err(syntax(message!("expected an outcome in braces"), span)),
            }
            self.quoted(|| message!("the name of the outcome, in quotes"))?;
            let (wins, at) = self.bare(|| message!("the payoff of the first player"))?;
            let (other, end) = self.bare(|| message!("the payoff of the second player"))?;
            let (wins, other) = (ratio(wins, &at)?, ratio(other, &end)?);
            outcomes.push(zero_sum(wins, &other, at.start..end.end)?.into());
            match self.next()? {
                (Word::Close, _) => {}
                (_, span) => return Err(syntax(message!("expected `}` after two payoffs"), span)),
            }
        }
    }

    /// Returns the next `count` words without quotes or braces.
    fn rest(&mut self, count: usize) -> Result<Vec<(&str, Range<usize>)>, Diagnostic> {
        // No capacity is reserved, since `count` comes from the file, which may be much shorter.
        let mut list = Vec::new();
        for done in 0..count {
            if self.peek()?.is_none() {
                let end = self.text.len();
                let message =
                    message!("the file ends after {done} of {count} payoffs", done, count);
                return Err(syntax(message, end..end));
            }
            list.push(self.bare(|| message!("a payoff"))?);
        }
        Ok(list)
    }

    fn list(
        &mut self,
        count: usize,
        mut value: impl FnMut(&str, &Range<usize>) -> Result<Number, Diagnostic>,
    ) -> Result<Vec<Number>, Diagnostic> {
        self.rest(count)?
            .iter()
            .map(|(word, span)| value(word, span))
            .collect()
    }
}
