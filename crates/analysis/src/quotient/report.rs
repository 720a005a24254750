//! The misère quotient as an answer, in words and in JSON.

use std::fmt::Write as _;

use grundy_core::Stop;
use grundy_core::step::Step;
use grundy_draw::QuotientElement;
use grundy_misere::quotient::{Presentation, Search};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, words};
use serde::Serialize;

use super::source::{Pieces, Source};
use crate::question::QuotientQuestion;

/// The degree to which a quotient is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuotientStatus {
    /// The quotient of all pieces, which are heaps or components of positions. Either all pieces
    /// have been added, or a theorem proves that the remaining ones change nothing.
    Proved,
    /// The quotient of the pieces (heaps or components) that have been added. The quotient elements
    /// of the positions are periodic, but no theorem proves that the period continues.
    Observed,
    /// The quotient of the pieces (heaps or components) that have been added, without a proved or
    /// observed period.
    Partial,
}

/// A misère quotient as an answer. It is serialized in the stable JSON format that is called the
/// contract.
#[derive(Clone, Debug, Serialize)]
pub struct Quotient {
    /// The family or the list of positions.
    pub family: String,
    /// The number of elements.
    pub order: usize,
    /// The number of P-positions among the elements.
    pub p_order: usize,
    /// The certainty of the result.
    pub status: QuotientStatus,
    /// The size of the smallest heap, or the index of the first position, from which the elements
    /// repeat periodically. Sizes and indices are counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preperiod: Option<u64>,
    /// The least period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// The size of the largest heap that was examined, or the index of the last position, counted
    /// from 1. `None` for a proved quotient, which is valid for all heaps or positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_to: Option<u64>,
    /// The heaps or positions that generate the quotient.
    pub generators: Generators,
    /// The presentation: generators named by letters, and the relations between them.
    pub presentation: String,
    /// The elements that are P-positions.
    pub p: Vec<String>,
    /// The usual name of the quotient, if it has one.
    pub name: Option<String>,
    /// `true` if sums behave like sums of Nim heaps.
    pub tame: bool,
    /// The quotient elements of the heaps or positions 1, 2, 3, ..., in this order.
    pub elements: Vec<String>,
    /// The idempotents, that is, the elements that equal their squares.
    pub idempotents: Vec<String>,
    /// The kernel, that is, the elements of the smallest ideal, which is a group.
    pub kernel: Vec<String>,
    /// The number of transitions on which the proof is based. A transition is the element of a sum,
    /// together with the set of the elements of its options.
    pub transitions: usize,
    /// The file to which the certificate was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// The generators of a quotient.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Generators {
    /// Heaps, by size.
    Heaps(Vec<u64>),
    /// Positions, in the notation.
    Positions(Vec<String>),
}

impl Quotient {
    pub(super) fn of(
        question: &QuotientQuestion,
        source: &Source<'_>,
        search: &Search<Pieces>,
        stop: Option<&Stop>,
    ) -> Self {
        let monoid = search.monoid();
        let of_pieces = search.elements();
        let presentation = Presentation::of(monoid, of_pieces.iter().copied());
        let name = |element: u32| presentation.name(element);
        let names = |elements: &[u32]| elements.iter().map(|&x| name(x)).collect::<Vec<_>>();
        let elements = position_elements(source, search);
        let proved = search
            .repetition()
            .map(|found| (u64::from(found.preperiod) + 1, u64::from(found.period)));
        // A finite list of positions is complete once all pieces of its positions have been added.
        let complete = matches!(source, Source::Listed { .. }) && stop.is_none();
        let period = proved.or_else(|| observed_period(source, search).filter(|_| stop.is_none()));
        let status = match (proved.is_some() || complete, period) {
            (true, _) => QuotientStatus::Proved,
            (false, Some(_)) => QuotientStatus::Observed,
            (false, None) => QuotientStatus::Partial,
        };
        let generators = presentation.generators.iter().map(|generator| {
            let piece = of_pieces.iter().position(|element| element == generator);
            piece.expect("generators are elements of pieces") as u32
        });
        let generators = match search.family() {
            Pieces::Heaps(heaps) => Generators::Heaps(
                generators
                    .map(|piece| u64::from(heaps.heap(piece)))
                    .collect(),
            ),
            Pieces::Components(components) => {
                Generators::Positions(generators.map(|piece| components.write(piece)).collect())
            }
        };
        let p: Vec<u32> = monoid.p_portion().ones().map(|x| x as u32).collect();
        let usual_name = monoid.name();
        Self {
            family: question.family.clone(),
            order: monoid.order(),
            p_order: p.len(),
            status,
            preperiod: period.map(|period| period.0),
            period: period.map(|period| period.1),
            // A proved quotient holds for all heaps, so a bound would be misleading.
            checked_to: (status != QuotientStatus::Proved).then_some(elements.len() as u64),
            generators,
            presentation: presentation.to_string(),
            p: names(&p),
            tame: usual_name
                .as_ref()
                .is_some_and(|name| name.starts_with("T_")),
            name: usual_name,
            elements: names(&elements),
            idempotents: names(&monoid.idempotents()),
            kernel: names(&monoid.kernel()),
            transitions: search.closure().len(),
            certificate: question
                .certificate
                .as_ref()
                .map(|file| file.display().to_string()),
        }
    }

    /// Draws the elements of the quotient in layers. Below each element are its products with a
    /// generator that have more factors.
    pub(super) fn svg(&self, language: Language, search: &Search<Pieces>) -> String {
        let monoid = search.monoid();
        let presentation = Presentation::of(monoid, search.elements());
        // An edge leads only to a product with more factors. Hence the graph has layers and no
        // cycles.
        let factors = |element: u32| presentation.words[element as usize].iter().sum::<u32>();
        let elements = (0..monoid.order() as u32).map(|element| {
            let after = presentation.generators.iter();
            let after = after.map(|&generator| monoid.times(element, generator));
            let mut longer: Vec<usize> = after
                .filter(|&after| factors(after) > factors(element))
                .map(|after| after as usize)
                .collect();
            longer.sort_unstable();
            longer.dedup();
            QuotientElement {
                name: presentation.name(element),
                losing: monoid.is_p(element),
                longer,
            }
        });
        let elements: Vec<QuotientElement> = elements.collect();
        grundy_draw::quotient(&self.family, &elements, false, &|step| {
            words(step, language)
        })
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let head = match (self.status, self.checked_to) {
            (QuotientStatus::Proved, _) | (_, None) => Step::new("quotient_found"),
            (_, Some(checked_to)) => {
                Step::new("quotient_found_so_far").with("checked_to", checked_to)
            }
        };
        steps.push(
            head.with("family", &self.family[..])
                .with("order", self.order)
                .with("p_order", self.p_order)
                .with("transitions", self.transitions),
        );
        if let Some(name) = &self.name {
            let code = if self.tame {
                "quotient_name_tame"
            } else {
                "quotient_name"
            };
            steps.push(Step::new(code).with("name", &name[..]));
        }
        let generators = match &self.generators {
            Generators::Heaps(heaps) => heaps.iter().map(u64::to_string).collect(),
            Generators::Positions(positions) => positions.clone(),
        };
        let letters: Vec<String> = generators
            .iter()
            .enumerate()
            .map(|(number, of)| format!("{} = {of}", Presentation::letter(number)))
            .collect();
        steps.push(Step::new("quotient_generators").with("generators", letters));
        steps.push(Step::new("quotient_presentation").with("presentation", &self.presentation[..]));
        steps.push(Step::new("quotient_losing").with("p", self.p.clone()));
        if let (Some(preperiod), Some(period)) = (self.preperiod, self.period) {
            let code = match self.status {
                QuotientStatus::Proved => "quotient_period",
                _ => "quotient_period_seen",
            };
            steps.push(
                Step::new(code)
                    .with("preperiod", preperiod)
                    .with("period", period),
            );
        }
        steps.push(Step::new("quotient_elements"));
        steps
    }

    /// Returns lines of text with the elements for the preperiod and for one period. Each line
    /// begins with the size of its first heap, or with the index of its first position.
    fn rows(&self) -> String {
        let once = (self.preperiod.zip(self.period)).map(|(from, period)| from + period - 1);
        let count = once.map_or(self.elements.len(), |once| once as usize);
        let elements = &self.elements[..count.min(MOST_SHOWN)];
        let longest = elements.iter().map(String::len).max().unwrap_or(0);
        // If each row is one period long, all rows have the same elements in the same columns.
        let in_row = match self.period {
            Some(period @ 4..=20) => period as usize,
            _ => 10,
        };
        let mut rows = String::new();
        for (row, elements) in elements.chunks(in_row).enumerate() {
            let mut line = format!("{:>7}:", row * in_row + 1);
            for element in elements {
                let _ = write!(line, "  {element:longest$}");
            }
            rows += line.trim_end();
            rows.push('\n');
        }
        if count > MOST_SHOWN {
            rows += "        ...\n";
        }
        rows
    }
}

/// Largest number of elements that are listed in the text of an answer.
const MOST_SHOWN: usize = 400;

/// Returns the quotient element of each heap. For positions, ends before the first position that
/// has a piece (a component) not yet added to the quotient.
fn position_elements(source: &Source<'_>, search: &Search<Pieces>) -> Vec<u32> {
    let positions = match source {
        Source::Heaps(_) => return search.elements(),
        Source::Numbered(numbered) => &numbered.positions,
        Source::Listed { parts, .. } => parts,
    };
    // The element of a position is unknown until all of its pieces have been added to the quotient.
    let known = |position: &&Vec<u32>| position.iter().all(|&piece| piece < search.pieces());
    let known = positions.iter().take_while(known);
    known.map(|position| element_of(search, position)).collect()
}

/// Returns an observed period of the elements of numbered positions: the index from which the
/// elements repeat, counted from 1, and the period. No theorem proves that the period continues.
/// Returns `None` for heaps and for lists of positions.
pub(super) fn observed_period(source: &Source<'_>, search: &Search<Pieces>) -> Option<(u64, u64)> {
    match source {
        Source::Numbered(_) => find_period(&position_elements(source, search)),
        Source::Heaps(_) | Source::Listed { .. } => None,
    }
}

fn element_of(search: &Search<Pieces>, position: &[u32]) -> u32 {
    let pieces = position.iter().map(|&piece| search.element(piece));
    search.monoid().product(pieces)
}

/// Returns the index from which a sequence is periodic, counted from 1, and the least period. The
/// period must occur at least four times, and the periodic part must be at least half of the
/// sequence.
fn find_period(elements: &[u32]) -> Option<(u64, u64)> {
    // Shorter periods are tried first, so the first one found is the least.
    (1..=elements.len() / 4).find_map(|period| {
        let repeats = |n: &usize| elements[*n] == elements[n + period];
        let before = (0..elements.len() - period).rev().find(|n| !repeats(n));
        let from = before.map_or(0, |n| n + 1);
        // These two conditions make a coincidence unlikely: four periods, and a preperiod of at
        // most half of the elements.
        (from + 4 * period <= elements.len() && 2 * from <= elements.len())
            .then_some((from as u64 + 1, period as u64))
    })
}

impl Report for Quotient {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let lines = self.steps();
        let lines = lines.iter().map(|step| words(step, language) + "\n");
        lines.collect::<String>() + &self.rows()
    }

    fn is_partial(&self) -> bool {
        self.status == QuotientStatus::Partial
    }
}
