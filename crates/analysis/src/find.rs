//! `value --find`: the positions of a game that have a given value.
//!
//! The search tries every way to fill the squares of a board or a strip. Smaller boards come first.
//! Positions with several components are skipped, since their value is the sum of simpler values.
//! Of several positions that are equal up to symmetry, or that differ only in the size of the
//! board, only the first is kept.

use std::collections::HashSet;

use grundy_core::message::Setting;
use grundy_core::registry::CONSTRUCTORS;
use grundy_core::registry::squares::{Layout, SQUARES, Squares};
use grundy_core::step::Step;
use grundy_core::store::Store;
use grundy_core::{Diagnostic, Kind, Position, Solver, Stop, message};
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
use crate::progress::Progress;
use crate::question::FindQuestion;
use crate::result_cache::ResultCache;
use grundy_job::reader::with_source;

/// Largest number of rows of a board, and largest number of columns.
const MAX_SIDE: usize = 40;

/// Approximate memory for an examined position, in bytes, without its canonical form.
const POSITION_BYTES: u64 = 200;

/// Number of examined positions between two progress reports.
const POSITIONS_PER_REPORT: u64 = 4_096;

/// The size of a board: its number of rows and its number of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardSize {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl BoardSize {
    /// Parses the size of a board, written `ROWSxCOLUMNS`, or the length of a strip.
    pub(crate) fn read(text: &str, layout: Layout) -> Result<Self, Diagnostic> {
        let number = |text: &str| {
            let number = text.trim().parse::<usize>().ok();
            number.filter(|number| (1..=MAX_SIDE).contains(number))
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
                Layout::Strip => message!("expected a number of squares, such as 8"),
            };
            Diagnostic::new(Kind::Syntax, message)
                .at(0..text.len())
                .with_source(text)
        })
    }

    /// Returns all sizes with at most as many rows and at most as many columns. The sizes with the
    /// fewest squares come first.
    fn smaller_sizes(self) -> Vec<Self> {
        let rows = 1..=self.rows;
        let mut all: Vec<Self> = rows
            .flat_map(|rows| (1..=self.columns).map(move |columns| Self { rows, columns }))
            .collect();
        // Of sizes with equally many squares, the one with fewer rows comes first. This fixes which
        // position represents those that are equal up to symmetry.
        all.sort_by_key(|size| (size.squares(), size.rows));
        all
    }

    pub(crate) fn squares(self) -> usize {
        self.rows * self.columns
    }
}

/// Returns the layout of the squares of a game, and the letters that a square may hold. Fails if
/// the game is not played on squares.
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
    pub examined: u64,
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
            looked_at: self.examined,
            complete: self.complete,
            status: status(self.is_partial()),
            stopped: stopped(self.stopped.as_ref(), "", words.audience()),
        };
        Box::new(view)
    }

    fn plain(&self, audience: Audience) -> String {
        let language = audience.language;
        let mut lines: Vec<String> = self.positions.iter().map(Position::to_string).collect();
        let sentence = |code: &'static str| {
            Step::new(code)
                .with("count", self.positions.len())
                .with("looked_at", self.examined)
                .with("within", &self.within[..])
        };
        lines.push(match &self.stopped {
            Some(stop) => {
                let why = grundy_wording::message_text(&stop.message(), audience);
                words(&sentence("find_stopped").with("why", why), language)
            }
            None if self.complete => words(&sentence("find_complete"), language),
            None => {
                let option = option(&Setting::new("count"), audience);
                words(&sentence("find_enough").with("option", option), language)
            }
        });
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some()
    }
}

impl Question for FindQuestion {
    fn answer(&self, _: &Analyst, _: &mut ResultCache, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, job)?))
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}

fn answer(question: &FindQuestion, job: &Job) -> Result<FoundPositions, Diagnostic> {
    let squares = squares(&question.game)?;
    let within = BoardSize::read(&question.within, squares.layout)?;
    let wanted = parse(&question.equals).map_err(|error| with_source(error, &question.equals))?;
    let mut found = FoundPositions {
        game: squares.game,
        equals: question.equals.clone(),
        within: question.within.clone(),
        positions: Vec::new(),
        examined: 0,
        complete: false,
        stopped: None,
    };
    let mut search = Search {
        squares,
        most: question.count,
        store: Store::default(),
        seen: HashSet::new(),
        solver: Solver::default(),
        job,
        tried: 0,
        total: fillings(squares, within),
    };
    let limits = job.limits();
    // Forms are canonical and each is stored once, so equal values have equal ids.
    let forms = &mut search.solver.short_values().theory.forms;
    let wanted = forms.evaluate(&wanted, &limits)?;
    for size in within.smaller_sizes() {
        match search.search_board(size, wanted, &mut found) {
            Ok(true) => {}
            Ok(false) => return Ok(found),
            // Positions that were found before the limit are correct. Hence they are returned as a
            // partial answer.
            Err(SearchEnd::Stop(stop)) => {
                found.stopped = Some(stop);
                return Ok(found);
            }
            Err(SearchEnd::Failure(diagnostic)) => return Err(*diagnostic),
        }
    }
    found.complete = true;
    Ok(found)
}

/// Returns the number of ways to fill the squares with letters, summed over all board sizes that
/// fit into `within`.
fn fillings(squares: &Squares, within: BoardSize) -> u64 {
    let letters = squares.letters.len() as u64;
    let all = within.smaller_sizes();
    let each = all.iter().map(|size| {
        let squares = u32::try_from(size.squares()).unwrap_or(u32::MAX);
        // The number is needed for progress reports only, so it may saturate. For example, 3^40
        // exceeds 63 bits.
        letters.saturating_pow(squares)
    });
    each.fold(0, u64::saturating_add)
}

/// The reason why a search ends before every position was examined.
enum SearchEnd {
    Stop(Stop),
    Failure(Box<Diagnostic>),
}

impl From<Stop> for SearchEnd {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

struct Search<'a> {
    squares: &'a Squares,
    most: usize,
    /// The components of all positions generated so far.
    store: Store,
    /// The components that were examined. A component can be in `store` without having been
    /// examined, since the store also contains the components of sums.
    seen: HashSet<u32>,
    solver: Solver,
    job: &'a Job,
    tried: u64,
    total: u64,
}

impl Search<'_> {
    /// Examines every position on boards of one size. Returns `false` once enough positions have
    /// been found.
    fn search_board(
        &mut self,
        size: BoardSize,
        wanted: Form,
        found: &mut FoundPositions,
    ) -> Result<bool, SearchEnd> {
        let limits = self.job.limits();
        let letters = self.squares.letters.as_bytes();
        let mut digits = vec![0; size.squares()];
        let mut filling = vec![letters[0]; size.squares()];
        let mut components = Vec::new();
        loop {
            if self.tried.is_multiple_of(POSITIONS_PER_REPORT) {
                limits.poll()?;
                self.job.report(&Progress::Computing {
                    computed: self.tried,
                    of: self.total,
                    note: None,
                });
            }
            self.tried += 1;
            match self.squares.position(size.columns, &filling) {
                Ok(position) => {
                    components.clear();
                    position.enter(&mut self.store, &mut components);
                    // Components that are equal up to symmetry have the same id in the store. A
                    // position is examined only if it consists of a single component whose id is
                    // new.
                    if let [only] = components[..]
                        && self.seen.insert(only)
                    {
                        limits.check(self.store.len() as u64, POSITION_BYTES)?;
                        found.examined += 1;
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
                Err(error) => return Err(SearchEnd::Failure(Box::new(error))),
            }
            // Advance to the next filling: the letters are the digits of a number, and 1 is added
            // at the last square.
            let mut place = size.squares();
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

    /// Checks that each found position has the requested value. Also checks that every position
    /// with this value that is a single component is found exactly once, up to symmetry.
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
            let question = FindQuestion {
                game: game.to_owned(),
                equals: equals.to_owned(),
                within: within.to_owned(),
                count: usize::MAX,
            };
            let found = answer(&question, &job).unwrap();
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
            let mut matching = HashSet::new();
            for size in BoardSize::read(within, squares.layout)
                .unwrap()
                .smaller_sizes()
            {
                for filling in fillings(squares, size.squares()) {
                    let Ok(position) = squares.position(size.columns, &filling) else {
                        continue;
                    };
                    let numbers = number(&position);
                    let (form, _) = solver.canonical_form(&position, &limits).unwrap();
                    if numbers.len() == 1 && form == wanted {
                        assert!(each.contains(&numbers), "{position}");
                        matching.insert(numbers);
                    }
                }
            }
            assert_eq!(
                matching.len(),
                known.len(),
                "{game} {equals}: one that is none"
            );
        }
    }

    #[test]
    fn smaller_boards_come_first() {
        let extents = BoardSize {
            rows: 2,
            columns: 3,
        }
        .smaller_sizes();
        let sizes: Vec<[usize; 2]> = extents.iter().map(|e| [e.rows, e.columns]).collect();
        assert_eq!(sizes, [[1, 1], [1, 2], [2, 1], [1, 3], [2, 2], [2, 3]]);
        for wrong in ["", "3", "0x3", "3x", "3x4x5", "41x1", "axb"] {
            let error = BoardSize::read(wrong, Layout::Board).unwrap_err();
            assert_eq!(error.kind, Kind::Syntax, "{wrong}");
        }
    }

    /// Checks that an interrupted search returns the positions found so far.
    #[test]
    fn a_stopped_search_returns_the_positions_found() {
        let question = FindQuestion {
            game: "clobber".to_owned(),
            equals: "*".to_owned(),
            within: "4x4".to_owned(),
            count: usize::MAX,
        };
        let found = answer(&question, &Job::default().stopping_after(3)).unwrap();
        assert_eq!(found.stopped, Some(Stop::Interrupted));
        assert!(!found.complete && !found.positions.is_empty());
    }
}
