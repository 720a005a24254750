//! Verification of the certificates of misère quotients. The options are generated from the rules.
//! No code of the search is used.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::heap::{HeapRules, Memory};
use grundy_core::limits::{Flow, stopped_early};
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Limits, Player, Position, message};
use grundy_misere::certificate::{Certificate, CertificateError, verify_quotient};
use grundy_misere::quotient::{Family, VisitPieces};
use grundy_notation::{Expression, read_position};
use grundy_wording::plain::brief;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::spelling;
use grundy_job::reader::with_source;

/// The keys of every certificate of a quotient.
pub(super) const KEYS: &[&str] = &[
    "kind",
    "family",
    "preperiod",
    "period",
    "pieces",
    "products",
    "p",
    "elements",
    "transitions",
];

/// The result of verifying a quotient.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedQuotient {
    /// The family, spelled as in the certificate.
    pub family: String,
    /// The order of the quotient, which is the number of its elements.
    pub order: usize,
    /// The number of elements of the quotient that represent P-positions.
    pub p_order: usize,
    /// The first heap of the periodic part, if the certificate claims a period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preperiod: Option<u32>,
    /// The period, if the certificate claims one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u32>,
    /// The number of heaps or positions that were checked. If a period is claimed, a theorem
    /// extends the result to all larger heaps.
    pub checked_to: usize,
    /// The number of transitions that were checked. A transition belongs to a sum of heaps or of
    /// other positions. It consists of the element of the sum in the quotient, and the set of the
    /// elements of its options.
    pub transitions: usize,
}

impl CheckedQuotient {
    /// Returns the result of the check as a `Step`: the code of a sentence, with its arguments.
    pub(super) fn step(&self) -> Step {
        let step = match (self.preperiod, self.period) {
            (Some(preperiod), Some(period)) => Step::new("verified_quotient_of_all")
                .with("preperiod", u64::from(preperiod))
                .with("period", u64::from(period)),
            _ => Step::new("verified_quotient"),
        };
        step.with("family", brief(self.family.clone()))
            .with("order", self.order)
            .with("p_order", self.p_order)
            .with("checked_to", self.checked_to)
            .with("transitions", self.transitions)
    }
}

/// The claim of a certificate. Its fields are the keys of the file.
#[derive(Deserialize)]
struct Claim {
    family: String,
    preperiod: Option<u32>,
    period: Option<u32>,
    pieces: Option<Vec<String>>,
    products: Vec<Vec<u32>>,
    p: Vec<u32>,
    elements: Vec<u32>,
    transitions: Vec<(u32, Vec<u32>)>,
}

/// Verifies the claim of a certificate about a misère quotient.
pub(super) fn quotient(claim: &Value, limits: &Limits<'_>) -> Result<CheckedQuotient, Diagnostic> {
    let claim = Claim::deserialize(claim).map_err(|error| {
        let why = grundy_notation::json_error(&error);
        let message = message!("invalid certificate: {why}", why);
        Diagnostic::new(Kind::Syntax, message)
    })?;
    // Certificates count heaps from 1, while the verifier counts pieces from 0. A preperiod without
    // a period, or a period without a preperiod, is rejected.
    let repetition = match (claim.preperiod, claim.period) {
        (Some(preperiod), Some(period)) => {
            let from = preperiod.checked_sub(1);
            Some((
                from.ok_or_else(|| invalid_certificate(&CertificateError::NoRepetition.message()))?,
                period,
            ))
        }
        (None, None) => None,
        _ => {
            return Err(invalid_certificate(
                &CertificateError::NoRepetition.message(),
            ));
        }
    };
    let certificate = Certificate {
        products: claim.products,
        p: claim.p,
        elements: claim.elements,
        transitions: claim.transitions,
        repetition,
    };
    let checked = match &claim.pieces {
        None => {
            let term = spelling::family(&claim.family)?;
            let (rules, _) = (term.heap_rules())
                .ok_or_else(|| invalid_certificate(&message!("the family is not a heap game")))?;
            verify_quotient(&certificate, &mut HeapPieces(rules), limits)
        }
        Some(pieces) => {
            let mut listed = ListedPieces::read(&claim.family, pieces, limits)?;
            verify_quotient(&certificate, &mut listed, limits)
        }
    };
    checked.map_err(|forged| match forged {
        CertificateError::Stopped(stop) => Diagnostic::from(stop),
        forged => invalid_certificate(&forged.message()),
    })?;
    Ok(CheckedQuotient {
        family: claim.family,
        order: certificate.products.len(),
        p_order: certificate.p.len(),
        preperiod: claim.preperiod,
        period: claim.period,
        checked_to: certificate.elements.len(),
        transitions: certificate.transitions.len(),
    })
}

fn invalid_certificate(why: &grundy_core::Message) -> Diagnostic {
    Diagnostic::new(Kind::Range, message!("invalid certificate: {why}", why))
}

/// The heaps of a game as the pieces of a quotient, which are the positions whose sums it
/// classifies. Heap n is the piece with index n - 1.
struct HeapPieces<'a>(&'a HeapRules);

impl Family for HeapPieces<'_> {
    fn pieces(&self) -> Option<u32> {
        None
    }

    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow {
        self.0.options(u64::from(piece) + 1, &mut |heaps| {
            // A heap of size 0 has no moves and is not a piece.
            let left = heaps.iter().filter(|&&heap| heap > 0);
            visit(&left.map(|&heap| heap as u32 - 1).collect::<Vec<u32>>())
        })
    }

    /// Returns the size of the heap up to which the elements must repeat, so that they repeat
    /// forever. The bound is a theorem of T. E. Plambeck and A. N. Siegel (2008). Returns `None` if
    /// the theorem does not apply, since the number of chips taken has no bound.
    ///
    /// Suppose that a move takes at most k from a heap and leaves at most s heaps. If the elements
    /// repeat with period p from heap n0 up to heap s n0 + s p + k, they repeat forever.
    fn pieces_needed(&self, preperiod: u32, period: u32) -> Option<u64> {
        // If the rules have a window, a move leaves a single heap, so s = 1.
        let (heaps, taken) = match self.0.memory() {
            Memory::Window(taken) => (1, taken),
            Memory::Splits { s, k } => (s, k),
            // The theorem requires a bound on the number that a move takes.
            Memory::AllBut(_) | Memory::Everything => return None,
        };
        let shown = heaps.checked_mul(u64::from(preperiod) + 1 + u64::from(period))?;
        shown.checked_add(taken)
    }
}

/// The options of each piece of a finite list, where a piece is a component of a position. Each
/// option is a sum of pieces of the list, given by their indices.
struct ListedPieces(Vec<Vec<Vec<u32>>>);

impl ListedPieces {
    /// Parses the pieces and generates all options of each. Rejects the list unless it contains
    /// exactly the pieces that are reachable from the positions of the family.
    fn read(family: &str, pieces: &[String], limits: &Limits<'_>) -> Result<Self, Diagnostic> {
        // A piece is identified by its canonical text. A piece in another spelling is never
        // reached, and is rejected below for this reason.
        let numbers: HashMap<&str, u32> = pieces.iter().map(String::as_str).zip(0..).collect();
        let split_into_pieces = |position: &Position| {
            let mut split = Vec::new();
            let mut missing = None;
            for term in position.terms() {
                term.components(&mut |component| {
                    let text = component.text();
                    match numbers.get(&*text) {
                        Some(&number) => split.push(number),
                        None => missing = Some(text),
                    }
                });
            }
            match missing {
                None => Ok(split),
                Some(missing) => {
                    let piece = brief(missing);
                    Err(invalid_certificate(&message!(
                        "{piece} is reachable from the positions of the family, but is not listed",
                        piece
                    )))
                }
            }
        };
        let expression = Expression::parse(family).map_err(|error| with_source(error, family))?;
        let items = expression.items();
        let items = items.ok_or_else(|| {
            invalid_certificate(&message!("the family is not a list of positions"))
        })?;
        let mut queue = Vec::new();
        for item in items {
            queue.extend(split_into_pieces(&read_position(&family[item])?)?);
        }
        let mut all = Vec::new();
        // The options are generated from the rules, since a certificate could omit some.
        for piece in pieces {
            limits.poll()?;
            let position = read_position(piece)?;
            // The quotient is defined for impartial games only.
            if !position.nature().is_impartial() {
                return Err(grundy_core::Stop::NotImpartial.into());
            }
            let mut options = Vec::new();
            let mut wrong = None;
            // Both players have the same moves, so those of Left suffice.
            stopped_early(position.moves(Player::Left, &mut |_, _, to| {
                match split_into_pieces(&to()) {
                    Ok(split) => options.push(split),
                    Err(error) => wrong = Some(error),
                }
                ControlFlow::Continue(())
            }))?;
            if let Some(error) = wrong {
                return Err(error);
            }
            all.push(options);
        }
        // A piece that no position of the family can reach would change the quotient.
        let mut reached = vec![false; pieces.len()];
        while let Some(piece) = queue.pop() {
            if !std::mem::replace(&mut reached[piece as usize], true) {
                queue.extend(all[piece as usize].iter().flatten());
            }
        }
        if let Some(superfluous) = reached.iter().position(|&reached| !reached) {
            let piece = brief(pieces[superfluous].clone());
            return Err(invalid_certificate(&message!(
                "{piece} is listed, but is not reachable from the positions of the family",
                piece
            )));
        }
        Ok(Self(all))
    }
}

impl Family for ListedPieces {
    fn pieces(&self) -> Option<u32> {
        Some(self.0.len() as u32)
    }

    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow {
        let mut options = self.0[piece as usize].iter();
        options.try_for_each(|option| visit(option))
    }
}
