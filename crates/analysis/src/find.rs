//! `value --find`: the positions of a game that have a given value.
//!
//! The search tries every way to fill the squares of a board or a strip. Smaller boards come first.
//! Positions with several components are skipped, since their value is the sum of simpler values.
//! Positions can be equal up to symmetry, or except for the size of the board. Of these, only the
//! first is kept.

use std::collections::HashSet;

use grundy::message::Setting;
use grundy::registry::CONSTRUCTORS;
use grundy::registry::squares::{Layout, SQUARES, Squares};
use grundy::step::Step;
use grundy::store::Store;
use grundy::{Diagnostic, Kind, Position, Solver, Stop, message};
use grundy_forms::Form;
use grundy_forms::text::parse;
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::help::{plain_name, unknown};
use grundy_wording::report::{AnySerialize, Report, Words, status, stopped};
use grundy_wording::{Audience, option, words};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::learned::Learned;
use crate::progress::Progress;
use crate::question::FindQuestion;
use grundy_job::reader::about;

/// Largest number of rows, and largest number of columns.
const LONGEST: usize = 40;

/// Approximate memory for a position that was examined, in bytes. The memory of its form is not
/// included.
const BYTES: u64 = 200;

/// Number of examined positions between two progress reports.
const REPORTED: u64 = 4_096;

/// The size of a board: its number of rows and its number of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Extent {
    /// Parses the size of a board, written `ROWSxCOLUMNS`, or the length of a strip.
    pub(crate) fn read(text: &str, layout: Layout) -> Result<Self, Diagnostic> {
        let number = |text: &str| {
            let number = text.trim().parse::<usize>().ok();
            number.filter(|number| (1..=LONGEST).contains(number))
        };
        let read = match layout {
            Layout::Board => text
                .split_once(['x', 'X', '×'])
                .and_then(|(rows, columns)| {
                    let (rows, columns) = (number(rows)?, number(columns)?);
                    Some(Self { rows, columns })
                }),
            Layout::Strip => number(text).map(|columns| Self { rows: 1, columns }),
        };
        read.ok_or_else(|| {
            let message = match layout {
                Layout::Board => message!("expected rows and columns, such as 3x4"),
                Layout::Strip => message!("expected a length, such as 8"),
            };
            Diagnostic::new(Kind::Syntax, message)
                .at(0..text.len())
                .of(text)
        })
    }

    /// Returns all sizes up to this one, in order of the number of squares.
    fn all(self) -> Vec<Self> {
        let rows = 1..=self.rows;
        let mut all: Vec<Self> = rows
            .flat_map(|rows| (1..=self.columns).map(move |columns| Self { rows, columns }))
            .collect();
        // Of sizes with equally many squares, the one with fewer rows comes first. This fixes which
        // position represents those that are equal up to symmetry.
        all.sort_by_key(|extent| (extent.squares(), extent.rows));
        all
    }

    pub(crate) fn squares(self) -> usize {
        self.rows * self.columns
    }
}

/// Returns the description of the squares of the game with this name. Fails if the game has none.
pub(crate) fn squares(game: &str) -> Result<&'static Squares, Diagnostic> {
    let name = plain_name(game);
    if let Some(squares) = Squares::of(&name) {
        return Ok(squares);
    }
    if !CONSTRUCTORS.iter().any(|known| known.name == name) {
        return Err(unknown(game, []));
    }
    let games: Vec<&str> = SQUARES.iter().map(|squares| squares.game).collect();
    let message = message!("`{game}` is not played on squares", game);
    Err(Diagnostic::new(Kind::Type, message).help(message!(
        "available games: {games}",
        games = games.join(", ")
    )))
}

/// The positions that a search has found.
#[derive(Clone, Debug)]
pub struct FoundPositions {
    game: &'static str,
    equals: String,
    within: String,
    /// The positions. Those on smaller boards come first.
    pub positions: Vec<Position>,
    /// Number of positions that were evaluated. Positions that are equal up to symmetry count once.
    pub looked_at: u64,
    /// `true` if every position within the given size was examined.
    pub complete: bool,
    /// The limit that stopped the search early.
    pub stopped: Option<Stop>,
}

#[derive(Serialize)]
struct FoundView<'a> {
    find: &'a str,
    equals: &'a str,
    within: &'a str,
    positions: Vec<String>,
    looked_at: u64,
    complete: bool,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

impl Report for FoundPositions {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let view = FoundView {
            find: self.game,
            equals: &self.equals,
            within: &self.within,
            positions: self.positions.iter().map(Position::to_string).collect(),
            looked_at: self.looked_at,
            complete: self.complete,
            status: status(self.is_partial()),
            stopped: stopped(self.stopped.as_ref(), "", words.audience()),
        };
        Box::new(view)
    }

    fn plain(&self, audience: Audience) -> String {
        let language = audience.language;
        let mut lines: Vec<String> = self.positions.iter().map(Position::to_string).collect();
        let told = |code: &'static str| {
            Step::new(code)
                .with("count", self.positions.len())
                .with("looked_at", self.looked_at)
                .with("within", &self.within[..])
        };
        lines.push(match &self.stopped {
            Some(stop) => {
                let why = grundy_wording::told(&stop.message(), audience);
                words(&told("find_stopped").with("why", why), language)
            }
            None if self.complete => words(&told("find_complete"), language),
            None => {
                let option = option(&Setting::new("count"), audience);
                words(&told("find_enough").with("option", option), language)
            }
        });
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some()
    }
}

impl Question for FindQuestion {
    fn answer(&self, _: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, job)?))
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}

fn answer(asked: &FindQuestion, job: &Job) -> Result<FoundPositions, Diagnostic> {
    let squares = squares(&asked.game)?;
    let within = Extent::read(&asked.within, squares.layout)?;
    let wanted = parse(&asked.equals).map_err(|error| about(error, &asked.equals))?;
    let mut found = FoundPositions {
        game: squares.game,
        equals: asked.equals.clone(),
        within: asked.within.clone(),
        positions: Vec::new(),
        looked_at: 0,
        complete: false,
        stopped: None,
    };
    let mut search = Search {
        squares,
        most: asked.count,
        store: Store::default(),
        seen: HashSet::new(),
        solver: Solver::default(),
        job,
        tried: 0,
        of: fillings(squares, within),
    };
    let limits = job.limits();
    // Forms are canonical and each is stored once, so equal values have equal ids.
    let forms = &mut search.solver.short_values().theory.forms;
    let wanted = forms.evaluate(&wanted, &limits)?;
    for extent in within.all() {
        match search.all_of(extent, wanted, &mut found) {
            Ok(true) => {}
            Ok(false) => return Ok(found),
            // Positions that were found before the limit are correct. Hence they are returned as a
            // partial answer.
            Err(End::Stop(stop)) => {
                found.stopped = Some(stop);
                return Ok(found);
            }
            Err(End::Wrong(diagnostic)) => return Err(*diagnostic),
        }
    }
    found.complete = true;
    Ok(found)
}

/// Returns the number of ways to fill the squares, summed over all boards of at most this size.
fn fillings(squares: &Squares, within: Extent) -> u64 {
    let letters = squares.letters.len() as u64;
    let all = within.all();
    let each = all.iter().map(|extent| {
        let squares = u32::try_from(extent.squares()).unwrap_or(u32::MAX);
        // The number is needed for progress reports only, so it may saturate. For example, 3^40
        // exceeds 63 bits.
        letters.saturating_pow(squares)
    });
    each.fold(0, u64::saturating_add)
}

/// The reason why a search ends before every position was examined.
enum End {
    Stop(Stop),
    Wrong(Box<Diagnostic>),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

struct Search<'a> {
    squares: &'a Squares,
    most: usize,
    /// The components found so far.
    store: Store,
    /// The components that were examined. A component can be in `store` without having been
    /// examined, since the store also contains the components of sums.
    seen: HashSet<u32>,
    solver: Solver,
    job: &'a Job,
    tried: u64,
    of: u64,
}

impl Search<'_> {
    /// Examines every way to fill a board. Returns `false` once enough positions have been found.
    fn all_of(
        &mut self,
        extent: Extent,
        wanted: Form,
        found: &mut FoundPositions,
    ) -> Result<bool, End> {
        let limits = self.job.limits();
        let letters = self.squares.letters.as_bytes();
        let mut digits = vec![0; extent.squares()];
        let mut filling = vec![letters[0]; extent.squares()];
        let mut components = Vec::new();
        loop {
            if self.tried.is_multiple_of(REPORTED) {
                limits.poll()?;
                self.job.report(&Progress::Computing {
                    computed: self.tried,
                    of: self.of,
                    note: None,
                });
            }
            self.tried += 1;
            match self.squares.position(extent.columns, &filling) {
                Ok(position) => {
                    components.clear();
                    position.enter(&mut self.store, &mut components);
                    // Components that are equal up to symmetry have the same id in the store. A
                    // position is examined only if it consists of a single component whose id is
                    // new.
                    if let [only] = components[..]
                        && self.seen.insert(only)
                    {
                        limits.check(self.store.len() as u64, BYTES)?;
                        found.looked_at += 1;
                        let (form, _) = self.solver.canonical_form(&position, &limits)?;
                        if form == wanted {
                            found.positions.push(position);
                        }
                        if found.positions.len() == self.most {
                            return Ok(false);
                        }
                    }
                }
                Err(error) if matches!(error.kind, Kind::IllegalPosition) => {}
                // Any error except an illegal position would also occur for every other filling.
                Err(error) => return Err(End::Wrong(Box::new(error))),
            }
            // Advance to the next filling. Like an odometer, the last square changes fastest.
            let mut place = extent.squares();
            loop {
                let Some(before) = place.checked_sub(1) else {
                    return Ok(true);
                };
                place = before;
                digits[place] = (digits[place] + 1) % letters.len();
                filling[place] = letters[digits[place]];
                if digits[place] > 0 {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all ways to fill `count` squares.
    fn fillings(squares: &Squares, count: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for _ in 0..count {
            let longer = all.iter().flat_map(|filling| {
                squares
                    .letters
                    .bytes()
                    .map(move |letter| [&filling[..], &[letter]].concat())
            });
            all = longer.collect();
        }
        all
    }

    /// Checks that each found position has the value. Also checks that every position with the
    /// value is found exactly once, up to symmetry, if it is a single component.
    #[test]
    fn the_result_is_complete_without_duplicates() {
        let job = Job::default();
        let limits = job.limits();
        // These games differ in their symmetries, in the number of letters, and in the layout. Some
        // are partizan, the others impartial.
        for (game, within, equals) in [
            ("domineering", "3x3", "+-1"),
            ("domineering", "2x4", "{2|-1/2}"),
            ("clobber", "2x4", "^"),
            ("clobber", "3x2", "*"),
            ("nogo", "2x3", "1"),
            ("amazons", "2x3", "+-1"),
            ("toads_and_frogs", "6", "1/2"),
            ("toppling_dominoes", "6", "*2"),
            ("cram", "3x3", "*2"),
        ] {
            let asked = FindQuestion {
                game: game.to_owned(),
                equals: equals.to_owned(),
                within: within.to_owned(),
                count: usize::MAX,
            };
            let found = answer(&asked, &job).unwrap();
            assert!(
                found.complete && !found.positions.is_empty(),
                "{game} {equals}"
            );
            let mut solver = Solver::default();
            let wanted = parse(equals).unwrap();
            let forms = &mut solver.short_values().theory.forms;
            let wanted = forms.evaluate(&wanted, &limits).unwrap();
            let mut store = Store::default();
            let mut number = |position: &Position| {
                let mut components = Vec::new();
                position.enter(&mut store, &mut components);
                components
            };
            let known: Vec<Vec<u32>> = found.positions.iter().map(&mut number).collect();
            let each: HashSet<&Vec<u32>> = known.iter().collect();
            assert_eq!(each.len(), known.len(), "{game} {equals}: one twice");
            let squares = Squares::of(game).unwrap();
            let mut met = HashSet::new();
            for extent in Extent::read(within, squares.layout).unwrap().all() {
                for filling in fillings(squares, extent.squares()) {
                    let Ok(position) = squares.position(extent.columns, &filling) else {
                        continue;
                    };
                    let numbers = number(&position);
                    let (form, _) = solver.canonical_form(&position, &limits).unwrap();
                    if numbers.len() == 1 && form == wanted {
                        assert!(each.contains(&numbers), "{position}");
                        met.insert(numbers);
                    }
                }
            }
            assert_eq!(met.len(), known.len(), "{game} {equals}: one that is none");
        }
    }

    #[test]
    fn smaller_boards_come_first() {
        let extents = Extent {
            rows: 2,
            columns: 3,
        }
        .all();
        let sizes: Vec<[usize; 2]> = extents.iter().map(|e| [e.rows, e.columns]).collect();
        assert_eq!(sizes, [[1, 1], [1, 2], [2, 1], [1, 3], [2, 2], [2, 3]]);
        for wrong in ["", "3", "0x3", "3x", "3x4x5", "41x1", "axb"] {
            let error = Extent::read(wrong, Layout::Board).unwrap_err();
            assert_eq!(error.kind, Kind::Syntax, "{wrong}");
        }
    }

    /// Checks that an interrupted search returns the positions found so far.
    #[test]
    fn a_stopped_search_returns_the_positions_found() {
        let asked = FindQuestion {
            game: "clobber".to_owned(),
            equals: "*".to_owned(),
            within: "4x4".to_owned(),
            count: usize::MAX,
        };
        let found = answer(&asked, &Job::default().stopping_after(3)).unwrap();
        assert_eq!(found.stopped, Some(Stop::Interrupted));
        assert!(!found.complete && !found.positions.is_empty());
    }
}
