//! Open tablebases: their files, the rules that parse positions, and the rows of positions.

#[cfg(feature = "parquet")]
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "parquet")]
use grundy_core::Limits;
use grundy_core::message::{Command, Setting};
use grundy_core::{Diagnostic, Kind, Play, Position, RankedGame, message};
use grundy_tablebase::{GameKind, Keys, Manifest, Storage, Tablebase};
use grundy_wording::plain::brief;

use grundy_job::Files;
use grundy_job::Job;
use grundy_job::Reader;
use grundy_job::reader::with_source;

/// An open tablebase with the rules of its game.
///
/// ```
/// use grundy_job::{Files, Job, Reader};
/// use grundy_tables::probe::OpenTable;
/// let job = Job::default();
/// let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tablebases/chomp");
/// let mut table = OpenTable::open(folder.as_ref(), &Reader::new(Files::Granted), &job)?;
/// let found = table.probe("chomp(3, 2)", Default::default(), true, &job)?;
/// let json = serde_json::to_string(&found)?;
/// let start = r#"{"position":"chomp(3, 2)","play":"normal","outcome":"P","category":"loss""#;
/// assert!(json.starts_with(start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OpenTable {
    table: Tablebase,
    reader: TableReader,
    /// The game that computes the rank of a position, if rows are found by rank.
    ranked: Option<Arc<dyn RankedGame>>,
}

/// A reader that parses positions with the rules of a tablebase.
#[derive(Clone, Debug)]
pub struct TableReader {
    /// A reader that has no permission to open files.
    reader: Arc<Reader>,
    kind: GameKind,
}

impl TableReader {
    /// Parses the name of a position in the tablebase. In a partizan game either player may move
    /// first.
    pub(crate) fn position(&self, name: &str) -> Result<Position, Diagnostic> {
        let position = self.reader.read(name)?;
        match self.kind {
            GameKind::Partizan => Ok(position.with_either_beginner()?),
            GameKind::Impartial | GameKind::Ties => Ok(position),
        }
    }
}

impl OpenTable {
    /// Opens a tablebase in a folder, or at a URL if `reader` has permission to open files. Later
    /// evaluations of the rules and later requests to a server observe the limits of `job`, too.
    ///
    /// # Errors
    /// A name that is not a tablebase or may not be opened, invalid rules, or rules that differ
    /// from those of `reader`.
    pub fn open(name: &Path, reader: &Reader, job: &Job) -> Result<Self, Diagnostic> {
        let table = Tablebase::at(storage(name, reader.files(), job)?)?;
        let rules = table.manifest().about.rules.as_ref();
        let requested = reader.rules().map(grundy_rules::RuleFile::source);
        if requested.is_some_and(|requested| rules.is_none_or(|rules| rules.text != requested)) {
            let message = message!(
                "the rules given with {option} differ from those of the tablebase",
                option = Setting::new("rules")
            );
            return Err(Diagnostic::new(Kind::Range, message).help(message!(
                "the tablebase contains its rules: omit {option}",
                option = Setting::new("rules")
            )));
        }
        // The rules come from a file of someone else, so they get no permission to open other
        // files.
        let reader = Reader::new(Files::Denied);
        let reader = match rules {
            Some(rules) => reader.with_rules(&rules.file, &rules.text, job)?,
            None => reader,
        };
        let Manifest { about, keys, .. } = table.manifest();
        let reader = TableReader {
            reader: Arc::new(reader),
            kind: about.kind,
        };
        let ranked = match keys {
            Keys::Sorted { .. } => None,
            Keys::Ranked => {
                let start = reader.reader.read(&about.game)?;
                Some(start.ranked()?.ok_or_else(unranked)?)
            }
        };
        // With a different number of positions, the rules number positions differently. Every
        // lookup would be wrong.
        if ranked
            .as_ref()
            .is_some_and(|game| game.positions() != table.manifest().positions)
        {
            let message =
                message!("the tablebase and its game have different numbers of positions");
            return Err(Diagnostic::new(Kind::Io, message));
        }
        Ok(Self {
            table,
            reader,
            ranked,
        })
    }

    /// Returns the manifest of the tablebase.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        self.table.manifest()
    }

    /// Returns whether the tablebase contains a position. `written` is its notation, not
    /// necessarily in printed form.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub fn contains(&mut self, written: &str) -> Result<bool, Diagnostic> {
        Ok(self.find(written)?.is_some())
    }

    /// Returns an error for a question about misère play if the tablebase was written for normal
    /// play.
    pub(super) fn check_play(&self, play: Play) -> Result<(), Diagnostic> {
        let table_play = self.manifest().about.play;
        if play == Play::Misere && table_play == Play::Normal {
            let message = message!("the tablebase was written for normal play");
            return Err(Diagnostic::new(Kind::Range, message).help(message!(
                "to write a tablebase for misère play, use `{command}`",
                command = Command::command_line("label")
                    .with(Setting::new("play").set_to("misere"))
                    .with(Setting::command_line("tablebase").with_placeholder("DIR"))
            )));
        }
        Ok(())
    }

    /// Returns the start position of a game that is played with the tablebase. The callback `read`
    /// parses this position with the rules of the tablebase. The tablebase must contain the
    /// position.
    ///
    /// # Errors
    /// A position that is not in the tablebase, another kind of play, or a graph without rules.
    pub fn start(
        &mut self,
        read: impl FnOnce(&Reader) -> Result<Position, Diagnostic>,
        play: Play,
    ) -> Result<Position, Diagnostic> {
        self.check_play(play)?;
        if self.manifest().about.play != play {
            let message = message!("the tablebase was written for misère play");
            return Err(Diagnostic::new(Kind::Range, message).help(message!(
                "ask about misère play: {option}",
                option = Setting::new("play").set_to("misere")
            )));
        }
        if self.manifest().about.graph.is_some() {
            let message = message!(
                "the tablebase belongs to a graph file, and the games of graph files cannot be played"
            );
            return Err(
                Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                    "look up single positions: {command}",
                    command = Command::new("probe")
                )),
            );
        }
        // The position is printed and parsed again, so that in a partizan game either player may
        // move first.
        let position = read(&self.reader.reader)?;
        let written = position.to_string();
        let position = self.reader.position(&written)?;
        match self.number_of(&position)? {
            Some(_) => Ok(position),
            None => Err(with_source(self.unknown(&written), &written)),
        }
    }

    pub(crate) fn table(&mut self) -> &mut Tablebase {
        &mut self.table
    }

    pub(crate) fn reader(&self) -> TableReader {
        self.reader.clone()
    }

    /// Returns the ranked game, whose rules number the positions, if rows are found by rank. In
    /// this case, the rank of a position is its index in the tablebase.
    pub(crate) fn ranked(&self) -> Option<&Arc<dyn RankedGame>> {
        self.ranked.as_ref()
    }

    /// Parses the name of a position with the rules of the tablebase. Returns `None` for a graph,
    /// which has no rules.
    pub(super) fn position(&self, name: &str) -> Option<Position> {
        if self.manifest().about.graph.is_some() {
            return None;
        }
        self.reader.position(name).ok()
    }

    /// Returns the index of a position in the tablebase, or `None` if the tablebase does not
    /// contain the position.
    pub(super) fn number_of(&mut self, position: &Position) -> Result<Option<u64>, Diagnostic> {
        match &self.ranked {
            None => self.table.number_of(&position.to_string()),
            Some(game) => Ok(game.rank(position)?),
        }
    }

    /// Returns the printed form of position `number`.
    pub(crate) fn name(&mut self, number: u64) -> Result<String, Diagnostic> {
        match &self.ranked {
            None => self.table.position(number),
            Some(game) => Ok(game.position(number)?.to_string()),
        }
    }

    /// Calls `visit` with the name of each position whose index is in the range `positions`, in
    /// ascending order of the index.
    #[cfg(feature = "parquet")]
    pub(crate) fn each_name(
        &mut self,
        mut positions: Range<u64>,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(String) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some(game) = &self.ranked else {
            return self.table.each_name(positions, &mut |name| {
                visit(String::from_utf8_lossy(name).into_owned())
            });
        };
        positions.try_for_each(|rank| {
            limits.poll()?;
            visit(game.position(rank)?.to_string())
        })
    }

    /// Returns the index and the name of a position, if the tablebase contains it. `written` is its
    /// notation, not necessarily in printed form.
    pub(super) fn find(&mut self, written: &str) -> Result<Option<(u64, String)>, Diagnostic> {
        // Keys are printed forms, so a text that is a key need not be parsed. Moreover, the names
        // of a graph are not expressions and cannot be parsed.
        if self.ranked.is_none()
            && let Some(number) = self.table.number_of(written)?
        {
            return Ok(Some((number, written.to_owned())));
        }
        let Ok(position) = self.reader.reader.read(written) else {
            return Ok(None);
        };
        let number = self.number_of(&position)?;
        Ok(number.map(|number| (number, position.to_string())))
    }

    pub(super) fn unknown(&self, written: &str) -> Diagnostic {
        let game = brief(self.manifest().about.game.clone());
        let message = message!("this position is not in the tablebase");
        Diagnostic::new(Kind::UnknownName, message)
            .at(0..written.len())
            .help(message!(
                "the tablebase contains the positions reachable from {game}",
                game
            ))
    }
}

fn unranked() -> Diagnostic {
    let message = message!("the rules of the tablebase do not define ranks");
    Diagnostic::new(Kind::Range, message)
}

/// Returns the storage that provides the files of the tablebase `name`, on disk or on a server.
#[cfg_attr(
    not(feature = "http"),
    expect(unused_variables, reason = "only servers are waited for")
)]
pub(super) fn storage(
    name: &Path,
    files: &Files,
    job: &Job,
) -> Result<Arc<dyn Storage>, Diagnostic> {
    // URLs need the permission to open files, because a server must not send requests for its
    // clients.
    if let (Files::Granted, Some(address)) = (files, name.to_str())
        && grundy_tablebase::is_address(address)
    {
        #[cfg(feature = "http")]
        {
            let web = grundy_tablebase::Web::new(address)?;
            web.watch(job.stop());
            return Ok(Arc::new(web));
        }
        #[cfg(not(feature = "http"))]
        {
            let message = message!(
                "{address}: this program was built without the feature `http`",
                address
            );
            return Err(Diagnostic::new(Kind::Io, message)
                .help(message!(
                    "build the program with the cargo feature `full`, or download the folder and probe the local copy"
                )));
        }
    }
    let disk = grundy_tablebase::Disk::new(files.table(name)?);
    Ok(Arc::new(disk.display_as(name)))
}

/// Returns the verdict on a position. `outcomes` lists the outcome for each player who may move
/// first.
pub(super) fn verdict(
    kind: GameKind,
    outcomes: impl Iterator<Item = grundy_core::Outcome>,
) -> grundy_core::Verdict {
    let outcomes: Vec<_> = outcomes.collect();
    grundy_core::Verdict::of(kind == GameKind::Ties, &outcomes)
}
