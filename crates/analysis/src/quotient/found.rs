//! What is known of a quotient, and how it is said.

use std::fmt::Write as _;

use grundy::Stop;
use grundy::step::Step;
use grundy_draw::QuotientElement;
use grundy_misere::quotient::{Presentation, Search};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, words};
use serde::Serialize;

use super::source::{Pieces, Source};
use crate::question::QuotientQuestion;

/// How sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuotientStatus {
    /// The quotient of all pieces: there are no more, or a theorem says that nothing new comes.
    Proved,
    /// The quotient of the pieces so far; their elements repeat, and no theorem says that they go
    /// on to.
    Observed,
    /// The quotient of the pieces so far.
    Partial,
}

/// A misère quotient; what is serialised is the contract's JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Quotient {
    /// What was asked about.
    pub family: String,
    /// How many elements there are.
    pub order: usize,
    /// How many of them are losing for the player to move.
    pub p_order: usize,
    /// How sure that is.
    pub status: QuotientStatus,
    /// The least heap, counted from 1, from which on the elements repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preperiod: Option<u64>,
    /// The least period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// Heaps or positions up to this number were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_to: Option<u64>,
    /// The heaps, or else the positions, that generate the quotient.
    pub generators: Generators,
    /// The generators by letters, and the relations between them.
    pub presentation: String,
    /// The losing elements.
    pub p: Vec<String>,
    /// The name under which the quotient is known, if it has one.
    pub name: Option<String>,
    /// `true` if the sums behave as those of Nim heaps.
    pub tame: bool,
    /// The elements of the heaps or positions 1, 2, 3, ...
    pub elements: Vec<String>,
    /// The elements that are their own squares.
    pub idempotents: Vec<String>,
    /// The least ideal, a group.
    pub kernel: Vec<String>,
    /// How many transitions prove it.
    pub transitions: usize,
    /// Where the certificate was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// What generates a quotient.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Generators {
    /// Heaps, by size.
    Heaps(Vec<u64>),
    /// Positions, as they are written.
    Positions(Vec<String>),
}

impl Quotient {
    pub(super) fn of(
        asked: &QuotientQuestion,
        source: &Source<'_>,
        search: &Search<Pieces>,
        stop: Option<&Stop>,
    ) -> Self {
        let monoid = search.monoid();
        let of_pieces = search.elements();
        let presentation = Presentation::of(monoid, of_pieces.iter().copied());
        let name = |element: u32| presentation.name(element);
        let names = |elements: &[u32]| elements.iter().map(|&x| name(x)).collect::<Vec<_>>();
        let elements = counted(source, search);
        let proved = search
            .repetition()
            .map(|found| (u64::from(found.preperiod) + 1, u64::from(found.period)));
        let whole = matches!(source, Source::Listed { .. }) && stop.is_none();
        let seen = proved.or_else(|| seen(source, search).filter(|_| stop.is_none()));
        let status = match (proved.is_some() || whole, seen) {
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
        let known_as = monoid.name();
        Self {
            family: asked.family.clone(),
            order: monoid.order(),
            p_order: p.len(),
            status,
            preperiod: seen.map(|seen| seen.0),
            period: seen.map(|seen| seen.1),
            checked_to: (status != QuotientStatus::Proved).then_some(elements.len() as u64),
            generators,
            presentation: presentation.to_string(),
            p: names(&p),
            tame: known_as.as_ref().is_some_and(|name| name.starts_with("T_")),
            name: known_as,
            elements: names(&elements),
            idempotents: names(&monoid.idempotents()),
            kernel: names(&monoid.kernel()),
            transitions: search.closure().len(),
            certificate: asked
                .certificate
                .as_ref()
                .map(|file| file.display().to_string()),
        }
    }

    /// Returns the picture of its elements.
    pub(super) fn svg(&self, language: Language, search: &Search<Pieces>) -> String {
        let monoid = search.monoid();
        let presentation = Presentation::of(monoid, search.elements());
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

    /// Returns the elements of the first heaps in rows, each beginning with the number of its
    /// first: all that do not repeat, and one period.
    fn rows(&self) -> String {
        let once = (self.preperiod.zip(self.period)).map(|(from, period)| from + period - 1);
        let count = once.map_or(self.elements.len(), |once| once as usize);
        let elements = &self.elements[..count.min(MOST_SHOWN)];
        let longest = elements.iter().map(String::len).max().unwrap_or(0);
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

/// Elements that are listed for people.
const MOST_SHOWN: usize = 400;

/// Returns the elements of what is counted: heaps, or positions that fall into pieces.
fn counted(source: &Source<'_>, search: &Search<Pieces>) -> Vec<u32> {
    let positions = match source {
        Source::Heaps(_) => return search.elements(),
        Source::Counted(counted) => &counted.positions,
        Source::Listed { parts, .. } => parts,
    };
    let known = |position: &&Vec<u32>| position.iter().all(|&piece| piece < search.pieces());
    let known = positions.iter().take_while(known);
    known.map(|position| element_of(search, position)).collect()
}

/// Returns the period that the elements of positions seem to have, of which no theorem is known.
pub(super) fn seen(source: &Source<'_>, search: &Search<Pieces>) -> Option<(u64, u64)> {
    match source {
        Source::Counted(_) => repetition(&counted(source, search)),
        Source::Heaps(_) | Source::Listed { .. } => None,
    }
}

fn element_of(search: &Search<Pieces>, position: &[u32]) -> u32 {
    let pieces = position.iter().map(|&piece| search.element(piece));
    search.monoid().product(pieces)
}

/// Returns the period that elements show at least four times over.
fn repetition(elements: &[u32]) -> Option<(u64, u64)> {
    (1..=elements.len() / 4).find_map(|period| {
        let repeats = |n: &usize| elements[*n] == elements[n + period];
        let before = (0..elements.len() - period).rev().find(|n| !repeats(n));
        let from = before.map_or(0, |n| n + 1);
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
