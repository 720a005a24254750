//! Parsing of positions. They are given in the notation, by the rules of an open rule file, or in
//! files with graphs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_core::argument::Argument;
use grundy_core::dynamic::DynamicPosition;
use grundy_core::graph::Network;
use grundy_core::heap::HeapRules;
use grundy_core::message::Setting;
use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Limits, Message, Position, Stop, message};
use grundy_notation::{Expression, Games, NoGames, read_picture};
use grundy_rules::{Allowance, RuleFile};
use grundy_wording::{Audience, Language};

use crate::files::{Files, check_distinct};
use crate::graph_file;
use crate::job::Job;

/// Size limit of a rule file in bytes.
const MAX_RULES_BYTES: u64 = 16 << 20;

/// Number of graphs for which remarks are kept. A question has few graphs, but a batch has many.
const MAX_GRAPHS_WITH_NOTES: usize = 16;

/// Size limit of a picture file in bytes (1 GiB).
const MAX_PICTURE_BYTES: u64 = 1 << 30;

/// A parser of positions in the notation. Several threads may share one reader.
///
/// ```
/// use grundy_job::{Files, Reader};
/// let reader = Reader::new(Files::Denied);
/// assert_eq!(reader.read("nim(3, 4)")?.to_string(), "nim(3, 4)");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    files: Files,
    rules: Option<RuleFile>,
    /// The path of the rule file, if there is one.
    rules_path: Option<PathBuf>,
    /// The source of further positions and rules that expressions may refer to by name.
    games: Option<Arc<dyn Games + Send + Sync>>,
    /// The audience of messages and of words in pictures.
    audience: Audience,
    /// Remarks about how files with graphs were read, for each file with remarks.
    graph_notes: Mutex<BTreeMap<String, Vec<Message>>>,
}

impl Default for Reader {
    /// Returns a reader that opens no files and knows only the built-in rules.
    fn default() -> Self {
        Self::new(Files::Denied)
    }
}

impl Reader {
    /// Returns a reader with the given permission to open files.
    #[must_use]
    pub fn new(files: Files) -> Self {
        Self {
            files,
            rules: None,
            rules_path: None,
            games: None,
            audience: Audience::default(),
            graph_notes: Mutex::default(),
        }
    }

    /// Returns the permission to open files.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Sets the audience of messages and of words in pictures.
    #[must_use]
    pub fn with_audience(self, audience: impl Into<Audience>) -> Self {
        Self {
            audience: audience.into(),
            ..self
        }
    }

    /// Returns the audience of messages and of words in pictures.
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// Returns the language of messages and of words in pictures.
    #[must_use]
    pub fn language(&self) -> Language {
        self.audience.language
    }

    /// Adds the rules of a rule file. Expressions use them by `game(rules, start)`.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a rule file.
    pub fn with_rules_file(self, path: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let source = self.files.text(path, MAX_RULES_BYTES)?;
        let short = path.file_name().unwrap_or(path.as_os_str());
        let named = self.with_rules(&short.to_string_lossy(), &source, job)?;
        Ok(Self {
            rules_path: Some(path.to_owned()),
            ..named
        })
    }

    /// Adds the rules in the text `source`. Messages refer to the text as `name`. The rules observe
    /// the time limit of `job`.
    ///
    /// # Errors
    /// An invalid rule file, with the position of the error.
    pub fn with_rules(self, name: &str, source: &str, job: &Job) -> Result<Self, Diagnostic> {
        let default = Allowance::default();
        let memory = usize::try_from(job.limits().memory).unwrap_or(usize::MAX);
        let allowance = Allowance {
            interrupted: job.stop(),
            // The memory for rules has a fixed limit, or the limit of the job if that is smaller.
            memory: default.memory.min(memory),
            ..default
        };
        let rules = RuleFile::read(name, source, allowance)?;
        Ok(Self {
            rules: Some(rules),
            ..self
        })
    }

    /// Sets a source of further names in expressions. It supplies positions, and rules that are
    /// written in another language.
    #[must_use]
    pub fn with_games(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            games: Some(games),
            ..self
        }
    }

    /// Returns an error if a file that is written is also read, or is written twice. The rule file
    /// counts as a file that is read.
    ///
    /// # Errors
    /// A file to be written that is the same as another given file.
    pub fn check_distinct<'a>(
        &'a self,
        read: impl IntoIterator<Item = (Message, &'a Path)>,
        written: impl IntoIterator<Item = (Setting, Option<&'a PathBuf>)>,
    ) -> Result<(), Diagnostic> {
        let rules = self
            .rules_path()
            .map(|file| (message!("{name}", name = Setting::new("rules")), file));
        check_distinct(&self.files, read.into_iter().chain(rules), written)
    }

    /// Returns the open rule file, if there is one.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleFile> {
        self.rules.as_ref()
    }

    /// Returns the path of the rule file, if the rules were read from a file.
    #[must_use]
    pub fn rules_path(&self) -> Option<&Path> {
        self.rules_path.as_deref()
    }

    /// Parses a component of a position from its text. `turns` is 2 if either player may move
    /// first, and otherwise 1.
    #[must_use]
    pub fn read_part(&self, text: &str, turns: u32) -> Option<Position> {
        let part = self.read(text).ok()?;
        // Either player may move first in a partizan game, even if this component has become
        // impartial.
        if turns == 2 {
            part.with_either_beginner().ok()
        } else {
            Some(part)
        }
    }

    /// Parses a position in the notation, or in words such as `21 chips, take 1-3` (see
    /// [`Expression::parse_or_guess`]).
    ///
    /// # Errors
    /// A syntax error or an invalid position, with the location of the error in the text.
    pub fn read(&self, text: &str) -> Result<Position, Diagnostic> {
        Expression::parse_or_guess(text)
            .and_then(|expression| expression.position_with(&[], self))
            .map_err(|error| with_source(error, text))
    }

    /// Returns remarks about how a file with a graph was read when it was read last.
    ///
    /// ```
    /// use grundy_job::{Files, Reader};
    /// let reader = Reader::new(Files::Granted);
    /// // Edges in the expression count as a file.
    /// reader.read(r#"graph("1 2\n2 3", 1)"#)?;
    /// assert_eq!(reader.notes_of_graph("1 2\n2 3")[0], "the vertices are numbered from 1");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn notes_of_graph(&self, file: &str) -> Vec<Message> {
        self.graph_notes().get(file).cloned().unwrap_or_default()
    }

    fn graph_notes(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Message>>> {
        self.graph_notes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the picture in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or does not contain a picture.
    pub fn picture(&self, path: &Path) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let content = self.files.text(path, MAX_PICTURE_BYTES)?;
        read_picture(&content).map_err(|mut error| {
            error.message = message!(
                "{file}: {what}",
                file = path.display(),
                what = error.message
            );
            with_source(error, &content)
        })
    }
}

/// Returns `error` with `text` as its source. An error that already has a source is returned
/// unchanged.
#[must_use]
pub fn with_source(error: Diagnostic, text: &str) -> Diagnostic {
    match error.source {
        Some(_) => error,
        None => error.with_source(text),
    }
}

/// The meaning of names in expressions. A name refers to the open rule file, to `Reader::games`, or
/// to a file with a graph.
impl Reader {
    /// Returns whether expressions may refer to rules given at run time.
    ///
    /// ```
    /// use grundy_job::Reader;
    /// assert!(!Reader::default().has_games());
    /// ```
    #[must_use]
    pub fn has_games(&self) -> bool {
        self.rules.is_some() || self.games.is_some()
    }
}

impl Games for Reader {
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        match (&self.rules, &self.games) {
            // An open rule file has precedence over the other source of rules.
            (Some(file), _) => file.game(rules, start),
            (None, Some(games)) => games.game(rules, start),
            (None, None) => NoGames.game(rules, start),
        }
    }

    fn heap_rules(&self, rules: &str, limits: &Limits<'_>) -> Result<Option<HeapRules>, Stop> {
        match (&self.rules, &self.games) {
            (Some(file), _) => file.heap_rules(rules, limits),
            (None, Some(games)) => games.heap_rules(rules, limits),
            (None, None) => Ok(None),
        }
    }

    fn argument(&self, name: &str) -> Result<Option<Argument>, Diagnostic> {
        let of_file = match &self.rules {
            Some(file) => file.argument(name)?,
            None => None,
        };
        match (of_file, &self.games) {
            (None, Some(games)) => games.argument(name),
            (of_file, _) => Ok(of_file),
        }
    }

    fn position(&self, name: &str) -> Option<Position> {
        self.games.as_ref()?.position(name)
    }

    fn graph(&self, file: &str) -> Result<Arc<Network>, Diagnostic> {
        match self.files {
            Files::Granted | Files::Memory(_) => {
                let (network, notes) = graph_file::open(file, &self.files)?;
                let mut known = self.graph_notes();
                if known.len() >= MAX_GRAPHS_WITH_NOTES {
                    known.clear();
                }
                if notes.is_empty() {
                    known.remove(file);
                } else {
                    known.insert(file.to_owned(), notes);
                }
                Ok(network)
            }
            Files::Denied => NoGames.graph(file),
        }
    }
}
