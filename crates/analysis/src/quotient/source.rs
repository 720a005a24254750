//! The games whose sums form a quotient: heaps of every size, positions numbered by a variable, or
//! a list of positions.

use grundy_core::heap::HeapRules;
use grundy_core::limits::Flow;
use grundy_core::values::quotients::{Components, Heaps};
use grundy_core::{Diagnostic, Kind, Limits, Position, Stop, message};
use grundy_misere::quotient::{Family, VisitPieces};
use grundy_notation::Expression;

use crate::analyst::Analyst;
use crate::period;
use grundy_job::reader::with_source;

/// The games whose sums form a quotient.
pub(super) enum Source<'a> {
    /// Heaps of every size of a library game.
    Heaps(HeapRules),
    /// Positions numbered by a variable, one for each of its values.
    Numbered(Box<NumberedPositions<'a>>),
    /// Finitely many positions.
    Listed {
        positions: Vec<Position>,
        /// For each position, the indices of its pieces, that is, of its components.
        parts: Vec<Vec<u32>>,
        user_defined: bool,
    },
}

/// Positions numbered by a variable, one for each of its values 1, 2, 3, ...
pub(super) struct NumberedPositions<'a> {
    expression: Expression,
    variable: String,
    source: String,
    analyst: &'a Analyst,
    /// For each position that has been read, the indices of its pieces, that is, of its components.
    pub(super) positions: Vec<Vec<u32>>,
}

/// The pieces whose sums form a quotient: heaps, or components of positions.
#[derive(Debug)]
pub(super) enum Pieces {
    Heaps(Heaps),
    Components(Components),
}

impl Family for Pieces {
    fn pieces(&self) -> Option<u32> {
        match self {
            Self::Heaps(heaps) => heaps.pieces(),
            Self::Components(components) => components.pieces(),
        }
    }

    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow {
        match self {
            Self::Heaps(heaps) => heaps.options(piece, visit),
            Self::Components(components) => components.options(piece, visit),
        }
    }

    fn pieces_needed(&self, preperiod: u32, period: u32) -> Option<u64> {
        match self {
            Self::Heaps(heaps) => heaps.pieces_needed(preperiod, period),
            Self::Components(components) => components.pieces_needed(preperiod, period),
        }
    }
}

impl<'a> Source<'a> {
    /// Parses a family with a free variable, or a list of positions.
    pub(super) fn read(source: &str, analyst: &'a Analyst) -> Result<Self, Diagnostic> {
        let expression = Expression::parse_or_guess(source);
        let expression = expression.map_err(|error| with_source(error, source))?;
        let understood = expression.understood().map(str::to_owned);
        let source = understood.as_deref().unwrap_or(source);
        if let Some(items) = expression.items() {
            let position = |item: &std::ops::Range<usize>| {
                let item = &source[item.clone()];
                analyst.position(&item.into())
            };
            let positions: Result<Vec<Position>, Diagnostic> = items.iter().map(position).collect();
            return Ok(Self::Listed {
                positions: positions?,
                parts: Vec::new(),
                user_defined: analyst.reader().rules().is_some(),
            });
        }
        let variables = expression.free_variables(analyst.reader());
        let variables = variables.map_err(|error| with_source(error, source))?;
        let [variable] = &variables[..] else {
            let message = message!(
                "expected a family of positions with one variable, or a list of positions"
            );
            let help = message!("write, for example, `kayles(n)` or `[chomp(3, 2), kayles(7)]`");
            return Err(Diagnostic::new(Kind::Syntax, message)
                .at(0..source.len())
                .help(help)
                .with_source(source));
        };
        // A family of heaps is tried first, since a period can be proved only for heaps.
        if let Ok(term) = period::family(source)
            && let Some((rules, _)) = term.heap_rules()
        {
            return Ok(Self::Heaps(rules.clone()));
        }
        Ok(Self::Numbered(Box::new(NumberedPositions {
            variable: variable.clone(),
            source: source.to_owned(),
            expression,
            analyst,
            positions: Vec::new(),
        })))
    }

    /// Returns the pieces (heaps, or components of positions) with which the search for the
    /// quotient begins.
    pub(super) fn pieces(&mut self, max: u64, limits: &Limits<'_>) -> Result<Pieces, Diagnostic> {
        Ok(match self {
            Self::Heaps(rules) => {
                let largest = u32::try_from(max).unwrap_or(u32::MAX);
                Pieces::Heaps(Heaps::new(vec![rules.clone()], Some(largest)))
            }
            Self::Numbered(_) => Pieces::Components(Components::default()),
            Self::Listed {
                positions, parts, ..
            } => {
                let mut components = Components::default();
                for position in positions {
                    parts.push(components.add(position, limits)?);
                }
                Pieces::Components(components)
            }
        })
    }

    /// Reads the next position and adds its components to `pieces`. Returns `false` if there is no
    /// further position.
    pub(super) fn grow(
        &mut self,
        pieces: &mut Pieces,
        max: u64,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let Self::Numbered(numbered) = self else {
            return Ok(false);
        };
        let next = numbered.positions.len() as u64 + 1;
        let Pieces::Components(components) = pieces else {
            return Ok(false);
        };
        if next > max {
            // The end of the range is not an error. The answer is the quotient of the positions
            // before it.
            return Ok(false);
        }
        let bindings = [(&*numbered.variable, next)];
        let position = (numbered.expression)
            .position_with(&bindings, numbered.analyst.reader())
            .map_err(|error| Stop::Rules(with_source(error, &numbered.source).into()))?;
        (numbered.positions).push(components.add(&position, limits)?);
        Ok(true)
    }

    pub(super) fn is_heaps(&self) -> bool {
        matches!(self, Self::Heaps(_))
    }

    /// Returns whether a certificate of the quotient can be written. It cannot for user-defined
    /// rules, which a certificate does not contain, nor for positions that are numbered by a
    /// variable.
    pub(super) fn is_certifiable(&self) -> bool {
        match self {
            Self::Heaps(_) => true,
            Self::Listed { user_defined, .. } => !user_defined,
            Self::Numbered(_) => false,
        }
    }
}
