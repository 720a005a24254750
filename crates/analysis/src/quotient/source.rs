//! The subject of a quotient: heaps of every size, one position for each value of a variable, or a
//! list of positions.

use grundy::heap::HeapRules;
use grundy::limits::Flow;
use grundy::values::quotients::{Components, Heaps};
use grundy::{Diagnostic, Kind, Limits, Position, Stop, message};
use grundy_misere::quotient::{Family, VisitPieces};
use grundy_notation::Expression;

use crate::analyst::Analyst;
use crate::period;
use grundy_job::reader::about;

/// The subject of a quotient.
pub(super) enum Source<'a> {
    /// Heaps of every size under rules of the library.
    Heaps(HeapRules),
    /// One position for each value of a variable.
    Counted(Box<Counted<'a>>),
    /// Finitely many positions.
    Listed {
        positions: Vec<Position>,
        /// The pieces of each position.
        parts: Vec<Vec<u32>>,
        own: bool,
    },
}

/// One position for each value of a variable, starting with 1.
pub(super) struct Counted<'a> {
    expression: Expression,
    variable: String,
    source: String,
    analyst: &'a Analyst,
    /// The pieces of the positions so far.
    pub(super) positions: Vec<Vec<u32>>,
}

/// The pieces of heaps or of other positions.
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

    fn enough(&self, preperiod: u32, period: u32) -> Option<u64> {
        match self {
            Self::Heaps(heaps) => heaps.enough(preperiod, period),
            Self::Components(components) => components.enough(preperiod, period),
        }
    }
}

impl<'a> Source<'a> {
    /// Parses a family with a free variable, or a list of positions.
    pub(super) fn read(source: &str, analyst: &'a Analyst) -> Result<Self, Diagnostic> {
        let expression = Expression::parse(source).map_err(|error| about(error, source))?;
        if let Some(items) = expression.items() {
            let position = |item: &std::ops::Range<usize>| {
                let item = &source[item.clone()];
                analyst.position(&item.into())
            };
            let positions: Result<Vec<Position>, Diagnostic> = items.iter().map(position).collect();
            return Ok(Self::Listed {
                positions: positions?,
                parts: Vec::new(),
                own: analyst.reader().rules().is_some(),
            });
        }
        let variables = expression.variables();
        let [variable] = &variables[..] else {
            let message =
                message!("a quotient is of a family with one variable, or of a list of positions");
            let help = message!("such as `kayles(n)` or `[chomp(3, 2), kayles(7)]`");
            return Err(Diagnostic::new(Kind::Syntax, message)
                .at(0..source.len())
                .help(help)
                .of(source));
        };
        // Heaps come first, since only for them a period can be proved.
        if let Ok(term) = period::family(source)
            && let Some((rules, _)) = term.heap_rules()
        {
            return Ok(Self::Heaps(rules.clone()));
        }
        Ok(Self::Counted(Box::new(Counted {
            variable: variable.clone(),
            source: source.to_owned(),
            expression,
            analyst,
            positions: Vec::new(),
        })))
    }

    /// Returns the initial pieces.
    pub(super) fn pieces(&mut self, max: u64, limits: &Limits<'_>) -> Result<Pieces, Diagnostic> {
        Ok(match self {
            Self::Heaps(rules) => {
                let largest = u32::try_from(max).unwrap_or(u32::MAX);
                Pieces::Heaps(Heaps::new(vec![rules.clone()], Some(largest)))
            }
            Self::Counted(_) => Pieces::Components(Components::default()),
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

    /// Adds the pieces of the next position. Returns `false` if there is none.
    pub(super) fn grow(
        &mut self,
        pieces: &mut Pieces,
        max: u64,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let Self::Counted(counted) = self else {
            return Ok(false);
        };
        let next = counted.positions.len() as u64 + 1;
        let Pieces::Components(components) = pieces else {
            return Ok(false);
        };
        if next > max {
            // The end of the range is not an error: the quotient so far is the result.
            return Ok(false);
        }
        let bound = [(&*counted.variable, next)];
        let position = (counted.expression)
            .position_with(&bound, counted.analyst.reader())
            .map_err(|error| Stop::Rules(about(error, &counted.source).into()))?;
        (counted.positions).push(components.add(&position, limits)?);
        Ok(true)
    }

    pub(super) fn is_heaps(&self) -> bool {
        matches!(self, Self::Heaps(_))
    }

    /// Returns whether the options of the positions are defined without this session. User-defined
    /// rules are not part of a certificate.
    pub(super) fn is_certifiable(&self) -> bool {
        match self {
            Self::Heaps(_) => true,
            Self::Listed { own, .. } => !own,
            Self::Counted(_) => false,
        }
    }
}
