//! Parsing of positions: the notation, the rules of an open rule file, and files with graphs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy::dynamic::DynamicPosition;
use grundy::graph::Network;
use grundy::message::Setting;
use grundy::position::AnyTerm;
use grundy::{Diagnostic, Message, Position, message};
use grundy_notation::{Expression, Games, NoGames, read_picture};
use grundy_rules::{Allowance, RuleFile};
use grundy_wording::{Audience, Language};

use crate::files::{Files, check_apart};
use crate::graph_file;
use crate::job::Job;

/// Size limit of a rule file in bytes.
const LONGEST_RULES: u64 = 16 << 20;

/// Size limit of a file with a picture in bytes (1 GiB).
const LONGEST_PICTURE: u64 = 1 << 30;

/// A parser of positions in the notation. Several threads may share one reader.
///
/// ```
/// use grundy_job::{Files, Reader};
/// let reader = Reader::new(Files::Denied);
/// assert_eq!(reader.read("nim(3, 4)")?.to_string(), "nim(3, 4)");
/// # Ok::<(), grundy::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    files: Files,
    rules: Option<RuleFile>,
    /// The path of the rule file.
    rules_path: Option<PathBuf>,
    /// The source of further positions and rules that expressions may name.
    games: Option<Arc<dyn Games + Send + Sync>>,
    /// The audience of texts and of words in pictures.
    audience: Audience,
}

impl Default for Reader {
    /// Returns a reader that opens no files and knows only the built-in rules.
    fn default() -> Self {
        Self::new(Files::Denied)
    }
}

impl Reader {
    /// Returns a reader with this permission to open files.
    #[must_use]
    pub fn new(files: Files) -> Self {
        Self {
            files,
            rules: None,
            rules_path: None,
            games: None,
            audience: Audience::default(),
        }
    }

    /// Returns the permission to open files.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Sets the audience of texts and of words in pictures.
    #[must_use]
    pub fn speaking(self, audience: impl Into<Audience>) -> Self {
        Self {
            audience: audience.into(),
            ..self
        }
    }

    /// Returns the audience of texts and of words in pictures.
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// Returns the language of texts and of words in pictures.
    #[must_use]
    pub fn language(&self) -> Language {
        self.audience.language
    }

    /// Adds the rules of a file, for `game(rules, start)`.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a rule file.
    pub fn with_rules_of(self, path: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let source = self.files.text(path, LONGEST_RULES)?;
        let short = path.file_name().unwrap_or(path.as_os_str());
        let named = self.with_rules(&short.to_string_lossy(), &source, job)?;
        Ok(Self {
            rules_path: Some(path.to_owned()),
            ..named
        })
    }

    /// Adds the rules of a text that messages call `name`. The rules observe the time limit of
    /// `job`.
    ///
    /// # Errors
    /// An invalid rule file, with the position of the error.
    pub fn with_rules(self, name: &str, source: &str, job: &Job) -> Result<Self, Diagnostic> {
        let usual = Allowance::default();
        let memory = usize::try_from(job.limits().memory).unwrap_or(usize::MAX);
        let allowance = Allowance {
            interrupted: job.stop(),
            // Rules get a fixed share of memory, and less only if the job has less in all.
            memory: usual.memory.min(memory),
            ..usual
        };
        let rules = RuleFile::read(name, source, allowance)?;
        Ok(Self {
            rules: Some(rules),
            ..self
        })
    }

    /// Sets the source of further names in expressions: positions, and rules in another language.
    #[must_use]
    pub fn naming(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            games: Some(games),
            ..self
        }
    }

    /// Rejects a file that is named twice. The rule file counts as a file to read.
    ///
    /// # Errors
    /// Two names of one file.
    pub fn check_apart<'a>(
        &'a self,
        read: impl IntoIterator<Item = (Message, &'a Path)>,
        written: impl IntoIterator<Item = (Setting, Option<&'a PathBuf>)>,
    ) -> Result<(), Diagnostic> {
        let rules = self
            .rules_path()
            .map(|file| (message!("{name}", name = Setting::new("rules")), file));
        check_apart(&self.files, read.into_iter().chain(rules), written)
    }

    /// Returns the open rule file, if there is one.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleFile> {
        self.rules.as_ref()
    }

    /// Returns the path of the rule file, if the rules came from a file.
    #[must_use]
    pub fn rules_path(&self) -> Option<&Path> {
        self.rules_path.as_deref()
    }

    /// Parses the text of a component of a position, in a game with `turns` entries a position.
    #[must_use]
    pub fn read_part(&self, text: &str, turns: u32) -> Option<Position> {
        let part = self.read(text).ok()?;
        // In a partizan game either player may move first, even in a component that has become
        // impartial.
        if turns == 2 {
            part.freed().ok()
        } else {
            Some(part)
        }
    }

    /// Parses a position in the notation.
    ///
    /// # Errors
    /// A syntax error or an invalid position, with its place in the text.
    pub fn read(&self, text: &str) -> Result<Position, Diagnostic> {
        Expression::parse(text)
            .and_then(|expression| expression.position_with(&[], self))
            .map_err(|error| about(error, text))
    }

    /// Reads the picture in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or does not contain a picture.
    pub fn picture(&self, path: &Path) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let content = self.files.text(path, LONGEST_PICTURE)?;
        read_picture(&content).map_err(|mut error| {
            error.message = message!(
                "{file}: {what}",
                file = path.display(),
                what = error.message
            );
            about(error, &content)
        })
    }
}

/// Returns the error with `text` as its source, unless it has one already.
#[must_use]
pub fn about(error: Diagnostic, text: &str) -> Diagnostic {
    match error.source {
        Some(_) => error,
        None => error.of(text),
    }
}

/// The names in expressions: the rules of the open file, the other source of names, and files with
/// graphs.
impl Games for Reader {
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        match (&self.rules, &self.games) {
            // An open rule file takes precedence over rules of the embedding language.
            (Some(file), _) => file.game(rules, start),
            (None, Some(games)) => games.game(rules, start),
            (None, None) => NoGames.game(rules, start),
        }
    }

    fn position(&self, name: &str) -> Option<Position> {
        self.games.as_ref()?.position(name)
    }

    fn graph(&self, file: &str) -> Result<Arc<Network>, Diagnostic> {
        match self.files {
            Files::Granted | Files::Held(_) => graph_file::open(file, &self.files),
            Files::Denied => NoGames.graph(file),
        }
    }
}
