//! Verification of tablebases: each entry is compared with its options, which the rules of the game
//! give. It shares no code with the labelling.

mod listed;
mod named;
mod ranked;

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use fastrand::Rng;
use grundy::step::Step;
use grundy::{Diagnostic, Kind, Outcome, Play, Player, Position, message};
use grundy_tablebase::GameKind;
use grundy_tablebase::verify::{Checked, Moves, Refusal, Work, verify, verify_sample};
use grundy_wording::plain::brief;
use serde::Serialize;

use self::listed::Listed;
use self::named::{Named, Sampled};
use self::ranked::ByRank;
use crate::probe::OpenTable;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;

/// The options of a verification.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// The tablebase: its folder or its address.
    pub file: &'a Path,
    /// Number of random entries to check. `None` checks all of them.
    pub sample: Option<u64>,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Number of threads. `None` uses one thread a core.
    pub threads: Option<NonZero<usize>>,
}

/// The result of a successful verification.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedTable {
    /// The game of the tablebase.
    pub game: String,
    /// Number of positions.
    pub positions: u64,
    /// Number of entries checked. A position has one, or two in a partizan game.
    pub entries: u64,
    /// Number of options of these entries.
    pub options: u64,
    /// `true` if values were checked as well.
    pub values: bool,
    /// `true` if only a sample was checked.
    pub sample: bool,
}

impl CheckedTable {
    /// Returns the result as an explanation step.
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

/// Returns whether a name is that of a tablebase rather than a file.
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
/// A wrong tablebase, a file that cannot be read, and the limit that was reached.
pub fn check(
    asked: &CheckOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<CheckedTable, Diagnostic> {
    let mut open = OpenTable::open(asked.file, reader, job)?;
    let about = &open.manifest().about;
    let (game, positions) = (about.game.clone(), open.manifest().positions);
    let total = asked.sample.unwrap_or_else(|| {
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
        threads: asked.threads.map_or_else(
            || available_parallelism().map_or(1, NonZero::get),
            NonZero::get,
        ),
        limits,
        progress: &progress,
    };
    let checked = match asked.sample {
        None => {
            let game = moves(&mut open, &limits)?;
            verify(open.table(), &*game, &work)
        }
        Some(count) => {
            let game = sampled(asked, &mut open, reader, job)?;
            let mut random = Rng::with_seed(asked.seed);
            let all = game.entries();
            let drawn = (0..count)
                // An empty table has no entry to draw, and `u64(..0)` would panic.
                .take_while(|_| all > 0)
                .map(|_| random.u64(..all));
            verify_sample(open.table(), &*game, drawn, &work)
        }
    };
    let Checked {
        entries,
        options,
        values,
    } = checked.map_err(|refusal| refused(refusal, &mut open))?;
    // A sample does not read all entries, so it cannot compare the census and its hardest
    // positions.
    if asked.sample.is_none() {
        check_hardest(&mut open)?;
    }
    Ok(CheckedTable {
        game,
        positions,
        entries,
        options,
        values,
        sample: asked.sample.is_some(),
    })
}

/// Returns the moves of the game for a complete verification.
fn moves(open: &mut OpenTable, limits: &grundy::Limits<'_>) -> Result<Box<dyn Moves>, Diagnostic> {
    if open.ranked().is_some() {
        return Ok(Box::new(ByRank::of(open)?));
    }
    if open.manifest().about.graph.is_some() {
        return Ok(Box::new(Listed::read(open.table(), limits)?));
    }
    // All names are loaded into memory: a lookup of each option on disk would read blocks at
    // random.
    Ok(Box::new(Named::read(open, limits)?))
}

/// Returns the moves of the game for a sample.
fn sampled(
    asked: &CheckOptions<'_>,
    open: &mut OpenTable,
    reader: &Reader,
    job: &Job,
) -> Result<Box<dyn Moves>, Diagnostic> {
    if open.ranked().is_some() {
        return Ok(Box::new(ByRank::of(open)?));
    }
    // The sample borrows one table for labels while its moves look up names in the other.
    let names = OpenTable::open(asked.file, reader, job)?;
    Ok(Box::new(Sampled::new(names)))
}

/// Rejects a manifest whose hardest positions have other names than their entries.
fn check_hardest(open: &mut OpenTable) -> Result<(), Diagnostic> {
    // The entries themselves agree with the census, which `verify` has compared.
    let manifest = open.manifest();
    let turns = u64::from(manifest.about.kind.turns());
    let (named, entries) = (manifest.hardest.clone(), manifest.census.hardest.clone());
    let names = entries.iter().map(|entry| open.name(entry / turns));
    if named != names.collect::<Result<Vec<_>, _>>()? {
        let message = message!("the manifest names other hardest positions than there are");
        return Err(Diagnostic::new(Kind::Io, message));
    }
    Ok(())
}

/// Returns the error for a rejected tablebase.
fn refused(refusal: Refusal, open: &mut OpenTable) -> Diagnostic {
    let wrong = match refusal {
        Refusal::Failed(why) => return why,
        Refusal::Wrong(wrong) => wrong,
    };
    let turns = u64::from(open.manifest().about.kind.turns());
    let position = open
        .name(wrong.entry / turns)
        .map_or_else(|_| format!("#{}", wrong.entry), brief);
    let why = &wrong.why;
    let message = match (turns, wrong.entry % turns) {
        (1, _) => message!("the tablebase is wrong: {position}: {why}", position, why),
        (_, 0) => message!(
            "the tablebase is wrong: {position}, Left to move: {why}",
            position,
            why
        ),
        _ => message!(
            "the tablebase is wrong: {position}, Right to move: {why}",
            position,
            why
        ),
    };
    Diagnostic::new(Kind::Range, message)
}

/// Returns the player to move in an entry of a position.
fn mover(kind: GameKind, position: &Position, turn: u64) -> Player {
    match (kind, turn) {
        (GameKind::Partizan, 0) => Player::Left,
        (GameKind::Partizan, _) => Player::Right,
        (GameKind::Impartial | GameKind::Ties, _) => position.first_player(),
    }
}

/// Returns the entry of position `number` with the other player to move.
fn after(number: u64, turns: u64, turn: u64) -> u64 {
    number * turns + (turn + 1) % turns
}

/// Returns the outcome of a position without a move, for the player to move.
fn end(position: &Position, mover: Player, play: Play) -> Result<Outcome, Diagnostic> {
    Ok(position.worth_at_the_end(mover, play)?.into())
}
