//! Verification of tablebases. The label and the value of each entry (a position with a player to
//! move) are compared with the labels and values of its options. The options are computed by the
//! rules of the game. The verification shares no code with the labelling.

mod listed;
mod named;
mod ranked;

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use fastrand::Rng;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Outcome, Play, Player, Position, message};
use grundy_tablebase::GameKind;
use grundy_tablebase::verify::{Checked, Moves, VerifyError, Work, verify, verify_sample};
use grundy_wording::plain::brief;
use serde::Serialize;

use self::listed::StoredMoves;
use self::named::{NamedMoves, SampledMoves};
use self::ranked::RankedMoves;
use crate::probe::OpenTable;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;

/// The options of a verification.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// The folder or the URL of the tablebase.
    pub file: &'a Path,
    /// Number of random entries (positions with a player to move) to check. If `None`, all entries
    /// are checked.
    pub sample: Option<u64>,
    /// The seed for the random choice of entries.
    pub seed: u64,
    /// Number of threads. If `None`, one thread runs on each core.
    pub threads: Option<NonZero<usize>>,
}

/// The result of a successful verification.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedTable {
    /// The game of the tablebase.
    pub game: String,
    /// Number of positions.
    pub positions: u64,
    /// Number of entries that were checked. A position has one entry, or two in a partizan game.
    pub entries: u64,
    /// Total number of options of the entries that were checked.
    pub options: u64,
    /// `true` if values were checked as well.
    pub values: bool,
    /// `true` if only a sample was checked.
    pub sample: bool,
}

impl CheckedTable {
    /// Returns the result as a step of an explanation.
    #[must_use]
    pub fn step(&self) -> Step {
        let code = match (self.sample, self.values) {
            (true, _) => "verified_tablebase_sample",
            (false, true) => "verified_tablebase_values",
            (false, false) => "verified_tablebase",
        };
        Step::new(code)
            .with("game", brief(self.game.clone()))
            .with("positions", self.positions)
            .with("entries", self.entries)
            .with("options", self.options)
    }
}

/// Returns whether `name` refers to a tablebase rather than a file.
#[must_use]
pub fn is_table(name: &Path, reader: &Reader) -> bool {
    let address = name.to_str().is_some_and(grundy_tablebase::is_address);
    address
        || reader
            .files()
            .table(name)
            .is_ok_and(|folder| folder.is_dir())
}

/// Verifies a tablebase.
///
/// # Errors
/// A wrong entry, a file that cannot be read, or the limit that was reached.
pub fn check(
    options: &CheckOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<CheckedTable, Diagnostic> {
    let mut open = OpenTable::open(options.file, reader, job)?;
    let about = &open.manifest().about;
    let (game, positions) = (about.game.clone(), open.manifest().positions);
    let total = options.sample.unwrap_or_else(|| {
        let turns = u64::from(about.kind.turns());
        positions.saturating_mul(turns)
    });
    let progress = |computed: u64| {
        job.report(&Progress::Computing {
            computed,
            of: total,
            note: None,
        });
    };
    let limits = job.long_limits();
    let work = Work {
        threads: options.threads.map_or_else(
            || available_parallelism().map_or(1, NonZero::get),
            NonZero::get,
        ),
        limits,
        progress: &progress,
    };
    let checked = match options.sample {
        None => {
            let game = moves(&mut open, &limits)?;
            verify(open.table(), &*game, &work)
        }
        Some(count) => {
            let game = sampled_moves(options, &mut open, reader, job)?;
            let mut random = Rng::with_seed(options.seed);
            let all = game.entries();
            let drawn = (0..count)
                // An empty table has no entries to choose from, and `u64(..0)` would panic.
                .take_while(|_| all > 0)
                .map(|_| random.u64(..all));
            verify_sample(open.table(), &*game, drawn, &work)
        }
    };
    let Checked {
        entries,
        options: option_count,
        values,
    } = checked.map_err(|error| rejection(error, &mut open))?;
    // A sample does not read all entries, so the census and the hardest positions cannot be
    // checked.
    if options.sample.is_none() {
        check_hardest(&mut open)?;
    }
    Ok(CheckedTable {
        game,
        positions,
        entries,
        options: option_count,
        values,
        sample: options.sample.is_some(),
    })
}

/// Returns the source of moves for a complete verification.
fn moves(
    open: &mut OpenTable,
    limits: &grundy_core::Limits<'_>,
) -> Result<Box<dyn Moves>, Diagnostic> {
    if open.ranked().is_some() {
        return Ok(Box::new(RankedMoves::of(open)?));
    }
    if open.manifest().about.graph.is_some() {
        return Ok(Box::new(StoredMoves::read(open.table(), limits)?));
    }
    // All names are loaded into memory, since looking up each option on disk would read blocks in
    // random order.
    Ok(Box::new(NamedMoves::read(open, limits)?))
}

/// Returns the source of moves for a sample.
fn sampled_moves(
    options: &CheckOptions<'_>,
    open: &mut OpenTable,
    reader: &Reader,
    job: &Job,
) -> Result<Box<dyn Moves>, Diagnostic> {
    if open.ranked().is_some() {
        return Ok(Box::new(RankedMoves::of(open)?));
    }
    // The table is opened a second time: one is used for labels, and the other one to look up
    // names.
    let names = OpenTable::open(options.file, reader, job)?;
    Ok(Box::new(SampledMoves::new(names)))
}

/// Returns an error if the manifest gives wrong names for the hardest positions, which have the
/// greatest remoteness. The names are compared with those of the entries that the census lists.
fn check_hardest(open: &mut OpenTable) -> Result<(), Diagnostic> {
    // The numbers of these entries are right, since `verify` has compared them with the census.
    let manifest = open.manifest();
    let turns = u64::from(manifest.about.kind.turns());
    let (named, entries) = (manifest.hardest.clone(), manifest.census.hardest.clone());
    let names = entries.iter().map(|entry| open.name(entry / turns));
    if named != names.collect::<Result<Vec<_>, _>>()? {
        let message = message!("the list of hardest positions in the manifest is wrong");
        return Err(Diagnostic::new(Kind::Io, message));
    }
    Ok(())
}

/// Converts an error of the verifier to a diagnostic, which names the position whose label or value
/// is wrong.
fn rejection(error: VerifyError, open: &mut OpenTable) -> Diagnostic {
    let wrong = match error {
        VerifyError::Failed(why) => return why,
        VerifyError::Wrong(wrong) => wrong,
    };
    let turns = u64::from(open.manifest().about.kind.turns());
    let position = open
        .name(wrong.entry / turns)
        .map_or_else(|_| format!("#{}", wrong.entry), brief);
    let why = &wrong.why;
    let message = match (turns, wrong.entry % turns) {
        (1, _) => message!("the tablebase is wrong at {position}: {why}", position, why),
        (_, 0) => message!(
            "the tablebase is wrong at {position} with Left to move: {why}",
            position,
            why
        ),
        _ => message!(
            "the tablebase is wrong at {position} with Right to move: {why}",
            position,
            why
        ),
    };
    Diagnostic::new(Kind::Range, message)
}

/// Returns the player to move in an entry of a position. In a partizan game `turn` is 0 if Left is
/// to move, and 1 if Right is to move.
fn mover(kind: GameKind, position: &Position, turn: u64) -> Player {
    match (kind, turn) {
        (GameKind::Partizan, 0) => Player::Left,
        (GameKind::Partizan, _) => Player::Right,
        (GameKind::Impartial | GameKind::Ties, _) => position.first_player(),
    }
}

/// Returns the index of the entry that a move leads to. The move is made by the player with the
/// index `turn` and leads to the position with the index `number`. Each position has `turns`
/// entries, one for each player to move. After the move the other player is to move.
fn option_entry(number: u64, turns: u64, turn: u64) -> u64 {
    number * turns + (turn + 1) % turns
}

/// Returns the outcome for `mover` in a position without moves.
fn end(position: &Position, mover: Player, play: Play) -> Result<Outcome, Diagnostic> {
    Ok(position.terminal_result(mover, play)?.into())
}
