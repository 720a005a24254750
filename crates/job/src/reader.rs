//! Reading positions: the notation, the rules of an open rule file, and files with graphs.

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

/// Longest rule file that is read at all.
const LONGEST_RULES: u64 = 16 << 20;

/// Longest file with a picture: 1 GiB.
const LONGEST_PICTURE: u64 = 1 << 30;

/// Reads positions in the notation. Any number of threads may use one reader at the same time.
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
    /// Where the rules were read from.
    rules_path: Option<PathBuf>,
    /// Positions and rules that expressions may name.
    games: Option<Arc<dyn Games + Send + Sync>>,
    /// The reader of words in pictures and texts.
    audience: Audience,
}

impl Default for Reader {
    /// Returns a reader that opens no files and knows no rules but those of the library.
    fn default() -> Self {
        Self::new(Files::Denied)
    }
}

impl Reader {
    /// Returns a reader with or without the permission to open files.
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

    /// Sets the reader of words in pictures and texts.
    #[must_use]
    pub fn speaking(self, audience: impl Into<Audience>) -> Self {
        Self {
            audience: audience.into(),
            ..self
        }
    }

    /// Returns the reader of words in pictures and texts.
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// Returns the language of words in pictures and texts.
    #[must_use]
    pub fn language(&self) -> Language {
        self.audience.language
    }

    /// Returns the same, with the rules of a file for `game(rules, start)`.
    ///
    /// # Errors
    /// A file that cannot be read, or is no rule file.
    pub fn with_rules_of(self, path: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let source = self.files.text(path, LONGEST_RULES)?;
        let short = path.file_name().unwrap_or(path.as_os_str());
        let named = self.with_rules(&short.to_string_lossy(), &source, job)?;
        Ok(Self {
            rules_path: Some(path.to_owned()),
            ..named
        })
    }

    /// Returns the same, with the rules of a text that is called `name`. The rules look at the
    /// clock of `job`.
    ///
    /// # Errors
    /// What is no rule file, with its place.
    pub fn with_rules(self, name: &str, source: &str, job: &Job) -> Result<Self, Diagnostic> {
        let usual = Allowance::default();
        let memory = usize::try_from(job.limits().memory).unwrap_or(usize::MAX);
        let allowance = Allowance {
            interrupted: job.stop(),
            memory: usual.memory.min(memory),
            ..usual
        };
        let rules = RuleFile::read(name, source, allowance)?;
        Ok(Self {
            rules: Some(rules),
            ..self
        })
    }

    /// Returns the same, whose questions may name what somebody else has at hand: rules in another
    /// language, positions.
    #[must_use]
    pub fn naming(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            games: Some(games),
            ..self
        }
    }

    /// Refuses a file that is named twice; that of the rules is read, too.
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

    /// Returns the text of the rule file, where one is open.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleFile> {
        self.rules.as_ref()
    }

    /// Where the rules were read from, if it was a file.
    #[must_use]
    pub fn rules_path(&self) -> Option<&Path> {
        self.rules_path.as_deref()
    }

    /// Reads a part of a position as it was written, in a game with so many turns.
    #[must_use]
    pub fn read_part(&self, text: &str, turns: u32) -> Option<Position> {
        let part = self.read(text).ok()?;
        // Beside own moves either player may begin, even in a part where they are gone.
        if turns == 2 {
            part.freed().ok()
        } else {
            Some(part)
        }
    }

    /// Reads a position in the notation.
    ///
    /// # Errors
    /// What is wrong with it, with its place in the text, which the error brings along.
    pub fn read(&self, text: &str) -> Result<Position, Diagnostic> {
        Expression::parse(text)
            .and_then(|expression| expression.position_with(&[], self))
            .map_err(|error| about(error, text))
    }

    /// Returns the picture in a file.
    ///
    /// # Errors
    /// A file that cannot be read or holds no picture.
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

/// Returns the error, which speaks of this text if it speaks of none yet.
#[must_use]
pub fn about(error: Diagnostic, text: &str) -> Diagnostic {
    match error.source {
        Some(_) => error,
        None => error.of(text),
    }
}

/// What an expression may name: the rules of the open file, what others have at hand, and files
/// with graphs.
impl Games for Reader {
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        match (&self.rules, &self.games) {
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
