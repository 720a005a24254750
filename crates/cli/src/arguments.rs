//! The command line as typed.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use grundy::solve::Wanted;
use grundy::{Kind, Play, message};
use grundy_analysis::playing::PERFECT;
use grundy_notation::{Diagnostic, Language};

use crate::failure::Failure;

/// Combinatorial games: who wins, with what value, by which moves, and why.
#[derive(Debug, Parser)]
#[command(name = "grundy", version, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    before: Played,
}

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Language of words (default: from the locale)
    #[arg(long, global = true, value_enum)]
    pub(crate) lang: Option<Lang>,
    /// Most positions kept at once
    #[arg(long, global = true, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) max_positions: u64,
    /// Most memory for positions, in MiB
    #[arg(long, global = true, value_name = "MIB", default_value_t = 4096)]
    pub(crate) max_memory: u64,
    /// Give up after so many seconds; in a batch, on each line (there, 10 unless told otherwise)
    #[arg(long, global = true, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Whether misère play is meant: told by `Played`, of the commands that have it.
    #[arg(skip)]
    pub(crate) misere: bool,
    /// The rule file, from there, too.
    #[arg(skip)]
    pub(crate) rules: Option<PathBuf>,
}

/// Options of the commands that read positions; before the command they mean the same.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Played {
    /// Misère play: who makes the last move loses
    #[arg(long)]
    misere: bool,
    /// A rule file, for game(moves, start)
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

impl CommandLine {
    /// The command line as typed.
    ///
    /// # Errors
    /// What cannot be read, and options before a command that has no such option.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut typed = Self::try_parse()?;
        let refuse = |kind, option: &str, other: Option<&str>| {
            let mut command = Self::command();
            let usage = ContextValue::StyledStr(command.render_usage());
            let mut error = clap::Error::new(kind).with_cmd(&command);
            error.insert(ContextKind::Usage, usage);
            for (kind, name) in [
                (ContextKind::InvalidArg, Some(option)),
                (ContextKind::PriorArg, other),
            ] {
                if let Some(name) = name {
                    error.insert(kind, ContextValue::String(name.to_owned()));
                }
            }
            Err(error)
        };
        let refuse_option = |option| refuse(ErrorKind::UnknownArgument, option, None);
        let before = typed.before.clone();
        let after = typed.command.as_ref().map(Command::played);
        let (misere, rules) = match after {
            None => (before.misere, before.rules),
            Some(Some(after)) => {
                let rules = after.rules.clone();
                (before.misere || after.misere, rules.or(before.rules))
            }
            Some(None) if before.misere => return refuse_option("--misere"),
            Some(None) if before.rules.is_some() => return refuse_option("--rules"),
            Some(None) => (false, None),
        };
        (typed.common.misere, typed.common.rules) = (misere, rules);
        if let Some(Command::Explain(explain)) = &typed.command
            && explain.proof
            && typed.common.misere
        {
            return refuse(ErrorKind::ArgumentConflict, "--proof", Some("--misere"));
        }
        Ok(typed)
    }
}

impl Command {
    /// The options about positions as typed after the command, if it has them.
    fn played(&self) -> Option<&Played> {
        Some(match self {
            Self::Solve(solve) => &solve.played,
            Self::Explain(explain) => &explain.played,
            Self::Play(play) => &play.played,
            Self::Table(table) => &table.played,
            Self::Label(label) => &label.played,
            Self::Probe(probe) => &probe.played,
            Self::Tree(tree) => &tree.played,
            Self::Draw(draw) => &draw.played,
            Self::Period(period) => &period.played,
            Self::Quotient(quotient) => &quotient.played,
            Self::Exercises(exercises) => &exercises.played,
            Self::Value(value) => &value.played,
            Self::Compare(compare) => &compare.played,
            #[cfg(feature = "serve")]
            Self::Serve(_) => return None,
            Self::Verify(_)
            | Self::Convert(_)
            | Self::Matrix(_)
            | Self::Nimber(_)
            | Self::Guide(_)
            | Self::Completions { .. }
            | Self::Man { .. } => return None,
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Lang {
    En,
    Zh,
}

impl Common {
    pub(crate) fn play(&self) -> Play {
        if self.misere {
            Play::Misere
        } else {
            Play::Normal
        }
    }

    pub(crate) fn language(&self) -> Language {
        language(self.lang)
    }
}

/// The words of the command line that are text.
fn typed() -> impl Iterator<Item = String> {
    std::env::args_os().filter_map(|word| word.into_string().ok())
}

/// The command of a line that cannot be read.
pub(crate) fn typed_command() -> Option<String> {
    let line = CommandLine::command();
    let known = |word: &String| line.get_subcommands().any(|one| one.get_name() == word);
    typed().skip(1).find(known)
}

/// The language that a line asks for which cannot be read.
pub(crate) fn typed_language() -> Language {
    let mut typed = typed();
    let mut lang = None;
    while let Some(word) = typed.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => typed.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        lang = value
            .and_then(|value| Lang::from_str(&value, false).ok())
            .or(lang);
    }
    language(lang)
}

fn language(lang: Option<Lang>) -> Language {
    match lang {
        Some(Lang::En) => Language::En,
        Some(Lang::Zh) => Language::Zh,
        None => {
            let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
                .iter()
                .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
            match locale {
                Some(locale) if locale.starts_with("zh") => Language::Zh,
                _ => Language::En,
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Who wins, the value, every winning move
    #[command(after_help = "Example: grundy solve \"nim(3, 4) + kayles(7) + chomp(4, 3, 1)\"")]
    Solve(SolveArgs),
    /// The same, and why: the argument a lecturer would write on the board
    #[command(
        after_help = "Examples:\n  grundy explain \"nim(13, 12, 8)\"\n  grundy explain \"nim(13, 12, 8)\" --html nim.html"
    )]
    Explain(ExplainArgs),
    /// Play against the program in the terminal
    #[command(
        after_help = "Examples:\n  grundy play \"nim(3, 4, 5)\"\n  grundy play \"hackenbush('0-1 1-2 1-3')\" --second --level 5\n  grundy play nim --practice outcome"
    )]
    Play(PlayArgs),
    /// Values of a family with one or two free variables
    #[command(
        after_help = "Examples:\n  grundy table \"subtraction([1, 3, 4], n)\" n=0..20\n  grundy table \"wythoff(a, b)\" a=0..20 b=0..20 --svg wythoff.svg"
    )]
    Table(TableArgs),
    /// Find and prove the period of a one-heap family
    #[command(
        after_help = "Examples:\n  grundy period \"take_and_break('0.137', n)\"\n  grundy period \"kayles(n)\" --svg kayles.svg"
    )]
    Period(PeriodArgs),
    /// Find and prove the misère quotient of a family of heaps: what every sum of them does in misère play
    #[command(
        after_help = "Examples:\n  grundy quotient \"kayles(n)\"\n  grundy quotient \"take_and_break('0.123', n)\" --certificate 0.123.json\n  grundy quotient \"[chomp(3, 2), kayles(7)]\""
    )]
    Quotient(QuotientArgs),
    /// Check a certificate or a tablebase independently of the code that made it
    #[command(
        after_help = "Examples:\n  grundy period \"kayles(n)\" --certificate kayles.json && grundy verify kayles.json\n  grundy label \"chomp(4, 4)\" --tablebase chomp && grundy verify chomp"
    )]
    Verify(VerifyArgs),
    /// Label every position of a game graph, or everything that can be reached from a position
    #[command(
        after_help = "Examples:\n  printf 'from,to\\na,b\\nb,a\\nb,c\\n' > moves.csv && grundy label moves.csv\n  grundy label \"chomp(3, 3)\" --best-move\n  grundy label --rules squares.star \"game(moves, 100)\" --output squares.csv"
    )]
    Label(LabelArgs),
    /// Ask a tablebase for one position
    #[command(
        after_help = "Example: grundy label \"chomp(4, 4)\" --tablebase chomp && grundy probe chomp \"chomp(3, 1)\""
    )]
    Probe(ProbeArgs),
    /// Write a tablebase as Parquet files, for programs that ask many rows at once; or make it of them again
    #[command(
        after_help = "Example: grundy label \"chomp(4, 4)\" --tablebase chomp && grundy convert chomp parts && grundy convert parts again"
    )]
    Convert(ConvertArgs),
    /// Solve a two-person zero-sum matrix game exactly
    #[command(after_help = "Example: echo '1 0; 0 2' | tr ';' '\\n' | grundy matrix -")]
    Matrix(MatrixArgs),
    /// The game tree of a small game: counts, values, strategies, picture
    #[command(after_help = "Example: grundy tree \"tic_toe()\" --svg tic-toe.svg")]
    Tree(TreeArgs),
    /// The value of a game: canonical form, stops, mean, temperature, thermograph, atomic weight
    #[command(
        after_help = "Examples:\n  grundy value \"domineering(['...', '...'])\"\n  grundy value 'literal(\"{2|*}\")' --cool 1/2\n  grundy value 'toads_and_frogs(\"TT.FF\")' --svg thermograph.svg\n  grundy value --find domineering --equals '^' --within 4x4\n  grundy value --random 100 clobber --within 3x4 --seed 1\n  grundy value --born 2 --svg day-2.svg"
    )]
    Value(ValueArgs),
    /// =, <, > or || between two games
    #[command(
        after_help = "Examples:\n  grundy compare 'literal(\"^\")' 'literal(\"*\")'\n  grundy compare \"2 * domineering(['..', '..'])\" \"nim(0)\""
    )]
    Compare(CompareArgs),
    /// Nimber arithmetic: + is nim-sum, * nim-product, also /, a**n, sqrt(a)
    #[command(after_help = "Example: grundy nimber \"2 * 4 + sqrt(5)\"")]
    Nimber(NimberArgs),
    /// A sheet of exercises, with the answers apart
    #[command(
        after_help = "Examples:\n  grundy exercises nim --count 10 --level 3 --seed 1\n  grundy exercises \"subtraction([1, 3, 4], n)\" n=5..60 --misere"
    )]
    Exercises(ExercisesArgs),
    /// A picture of the position (SVG)
    #[command(
        after_help = "Examples:\n  grundy draw \"nim(3, 4, 5)\" --svg nim.svg --moves\n  grundy draw \"kayles_row('1101111')\" --terminal"
    )]
    Draw(DrawArgs),
    /// The web page: solve, explain, play and draw in the browser
    #[cfg(feature = "serve")]
    #[command(
        after_help = "Examples:\n  grundy serve\n  grundy serve --port 8080 --no-open\n  grundy serve --public-url https://games.example.org"
    )]
    Serve(ServeArgs),
    /// A game (its rules, how it is written, an example, its theorem), a command, or a page
    #[command(
        name = "help",
        after_help = "Examples:\n  grundy help nim\n  grundy help games\n  grundy help notation"
    )]
    Guide(GuideArgs),
    /// Completions for a shell
    #[command(
        after_help = "Example: grundy completions bash > ~/.local/share/bash-completion/completions/grundy"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The page of the manual about the program, or about one of its commands
    #[command(
        after_help = "Examples:\n  grundy man > grundy.1\n  grundy man solve > grundy-solve.1"
    )]
    Man {
        /// The command
        #[arg(value_name = "COMMAND")]
        name: Option<String>,
    },
}

/// Where the position comes from: the notation, a Hackenbush picture in a file, or the sum of both.
#[derive(Args, Debug)]
pub(crate) struct SourceArgs {
    /// The position, in the notation
    #[arg(value_name = "EXPR")]
    pub(crate) expr: Option<OsString>,
    /// A Hackenbush picture: a list of edges such as `0-1 1-2`, or a drawing in SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Solve one position a line: a JSON object or a plain expression; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expr", "picture"])]
    pub(crate) jsonl: Option<PathBuf>,
    #[command(flatten)]
    extent: Extent,
    /// Also count the moves left with best play, by searching the whole sum
    #[arg(long)]
    pub(crate) remoteness: bool,
    /// Also tell the genus, in misère play
    #[arg(long)]
    pub(crate) genus: bool,
    /// A file with values and who wins: what is in it is not worked out again, what is new is added, so that a stopped search goes on
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) table: Option<PathBuf>,
    /// Let so many cores look at one position where work can be shared out [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "jsonl")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Add to every answer of a batch what it took
    #[arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"])]
    pub(crate) stats: bool,
    #[command(flatten)]
    played: Played,
}

/// How much of an answer is wanted.
#[derive(Args, Debug)]
struct Extent {
    /// Stop at who wins
    #[arg(long)]
    outcome: bool,
    /// Stop at who wins and the value: look for no winning moves
    #[arg(long, conflicts_with = "outcome")]
    no_moves: bool,
}

impl SolveArgs {
    /// How much of an answer is wanted.
    pub(crate) fn wanted(&self) -> Wanted {
        match (self.extent.outcome, self.extent.no_moves) {
            (true, _) => Wanted::Outcome,
            (_, true) => Wanted::Value,
            _ => Wanted::Moves,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Prove the value m from the moves alone: every position of the game tree with its value, and the second player's
    /// answer to every move in the sum with a Nim heap of m
    #[arg(long, conflicts_with = "misere")]
    pub(crate) proof: bool,
    /// Write pictures into a folder: the position, and one for each step that has one
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
    /// Write everything as one page to print, with the pictures; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    played: Played,
}

#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8421)]
    pub(crate) port: u16,
    /// The address that is listened at; others than this machine's own let other machines in
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Do not open the page in a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Where the page is seen from outside, behind a proxy: questions by that name are answered, too, and limited for each client
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<grundy_server::Origin>,
    /// A site that may show the page inside its own
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) frame_ancestor: Option<grundy_server::Origin>,
    /// A folder with tablebases that may be asked, each a folder that `label --tablebase` wrote
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The ranges of free variables, such as n=3..12, for --practice
    #[arg(value_name = "VARIABLE=FROM..TO")]
    pub(crate) ranges: Vec<String>,
    /// The program makes the first move
    #[arg(long)]
    pub(crate) second: bool,
    /// Two people play, and the program keeps the board
    #[arg(long, conflicts_with = "second")]
    pub(crate) two_players: bool,
    /// Moves made already, with `;` between: what `save` prints
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// How strong the program is, from 0 (any move) to 10 (no mistake, unless told otherwise); with --practice, how difficult
    /// the first question is
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(..=i64::from(PERFECT)))]
    pub(crate) level: Option<u8>,
    /// Draw the board in ASCII alone
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Ask instead of playing: who wins, the Grundy value, or a winning move, of positions drawn from a game (nim) or a family
    #[arg(long, value_enum, conflicts_with_all = ["second", "two_players", "moves", "picture"])]
    pub(crate) practice: Option<PracticeArg>,
    #[command(flatten)]
    played: Played,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PracticeArg {
    /// Who wins
    Outcome,
    /// The Grundy value
    Value,
    /// A winning move
    Move,
}

#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// The family, with free variables
    #[arg(value_name = "EXPR")]
    pub(crate) expr: OsString,
    /// One or two ranges, such as n=0..100; both ends belong to it
    #[arg(value_name = "VARIABLE=FROM..TO", required = true, num_args = 1..=2)]
    pub(crate) ranges: Vec<String>,
    /// Comma-separated values
    #[arg(long, conflicts_with_all = ["bfile", "json"])]
    pub(crate) csv: bool,
    /// Lines `n a(n)`, as in the OEIS
    #[arg(long, conflicts_with = "json")]
    pub(crate) bfile: bool,
    /// Write a picture: a strip of outcomes for one variable, a heat map for two; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// What the cells hold (default: Grundy values, and who wins where there are none)
    #[arg(long, value_enum)]
    pub(crate) of: Option<CellOfArg>,
    /// The genus of impartial games, that is, what they do in misère play beside heaps of Nim; the same as --of genus
    #[arg(long, conflicts_with = "of")]
    pub(crate) genus: bool,
    /// Write all digits of a genus
    #[arg(long)]
    pub(crate) full: bool,
    /// What the values seem to be
    #[arg(long, conflicts_with_all = ["csv", "bfile"])]
    pub(crate) pattern: bool,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    played: Played,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CellOfArg {
    /// The Grundy value
    Grundy,
    /// Who wins: N, P or D; L and R where the players have different moves
    Outcome,
    /// The canonical form
    Value,
    /// The temperature
    Temperature,
    /// The mean
    Mean,
    /// The atomic weight, of all-small games
    #[value(name = "atomic_weight")]
    AtomicWeight,
    /// The genus, of impartial games in misère play
    Genus,
}

#[derive(Args, Debug)]
pub(crate) struct PeriodArgs {
    /// A one-heap family, with a free variable: kayles(n)
    #[arg(value_name = "FAMILY", required_unless_present = "all")]
    pub(crate) family: Option<OsString>,
    /// Compute at most so many values
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max: u64,
    /// Write a certificate of the proof
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write the state there now and then, and when the work is stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 180.0,
        requires = "checkpoint"
    )]
    pub(crate) every: f64,
    /// Go on from the checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
    /// Keep only the smallest heaps and the last: for sequences longer than memory; values are written as they are computed
    #[arg(long, conflicts_with_all = ["svg", "all"])]
    pub(crate) stream: bool,
    /// Write the values: .csv, .txt (b-file) or .bin (one, two, four or eight bytes each); .gz after that compresses
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Option<PathBuf>,
    /// Count how often each value occurs
    #[arg(long)]
    pub(crate) frequencies: bool,
    /// Write a picture of the values, the rare heaps and the time taken, as SVG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The table of all octal codes of so many digits
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u32).range(1..=4), conflicts_with_all = ["family", "certificate", "checkpoint", "values", "frequencies", "svg"])]
    pub(crate) all: Option<u32>,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct QuotientArgs {
    /// A family of heaps with a free variable, kayles(n), or a list of positions, `[chomp(3, 2), kayles(7)]`
    #[arg(value_name = "FAMILY")]
    pub(crate) family: OsString,
    /// Look at heaps of at most this size
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max: u64,
    /// Write a certificate of the proof
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write the state there now and then, and when the work is stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 180.0,
        requires = "checkpoint"
    )]
    pub(crate) every: f64,
    /// Go on from the checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
    /// Write a picture of the elements by layers, as SVG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The certificate, or a tablebase: its folder or its address
    #[arg(value_name = "FILE|DIR|URL")]
    pub(crate) file: PathBuf,
    /// Check only so many entries of a tablebase, drawn at random
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,
    /// What they are drawn by
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Work on so many cores [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("together").args(["workers", "hosts"]).multiple(true))]
#[command(group = clap::ArgGroup::new("planned").args(["ranked", "workers", "hosts"]).multiple(true))]
#[command(group = clap::ArgGroup::new("met").args(["process", "plan"]).multiple(true))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct LabelArgs {
    /// The moves: CSV or Parquet with columns `from` and `to`, DOT or JSON; `-` is standard input. Or a position, such as
    /// chomp(3, 4): everything that can be reached from it is labelled
    #[arg(value_name = "FILE|EXPR")]
    pub(crate) source: OsString,
    /// Write the table there: CSV, JSON or Parquet, by the ending
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a tablebase: a folder of compressed blocks, for `grundy probe`
    #[arg(long, value_name = "DIR")]
    pub(crate) tablebase: Option<PathBuf>,
    /// Write a certificate of the labels
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// What a file is (default: by its ending, and CSV for standard input)
    #[arg(long, value_enum)]
    pub(crate) format: Option<GraphFormatArg>,
    /// Add a column `move`: an optimal move from each position
    #[arg(long)]
    pub(crate) best_move: bool,
    /// Write the state there now and then, and when the work is stopped (default: beside the output, with `.checkpoint`
    /// added, when the work takes long)
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) every: f64,
    /// Go on from the checkpoint
    #[arg(long)]
    pub(crate) resume: bool,
    /// Label all positions by the ranks that the rules give them, reachable or not: a byte each and none of them stored
    #[arg(long)]
    pub(crate) ranked: bool,
    /// With --ranked: Grundy values, too, which takes a look at every move
    #[arg(long, requires = "ranked")]
    pub(crate) values: bool,
    /// Label with so many workers, of each process if there are several (needs the feature `cluster`)
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZeroUsize>,
    /// The addresses of all processes that label together, a line ADDR:PORT each; this one binds its own and no other
    #[arg(long, value_name = "FILE", requires = "met")]
    pub(crate) hosts: Option<PathBuf>,
    /// Which of them this is, from 0 on
    #[arg(long, value_name = "I", requires = "hosts", requires = "secret_file")]
    pub(crate) process: Option<usize>,
    /// A file with a secret that all of them know
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret_file: Option<PathBuf>,
    /// With --workers or --hosts: write how far all of them are there, as Prometheus text
    #[arg(long, value_name = "FILE", requires = "together")]
    pub(crate) metrics: Option<PathBuf>,
    /// With --ranked, --workers or --hosts: say how many positions and moves there are and what labelling them takes, and end
    #[arg(long, requires = "planned")]
    pub(crate) plan: bool,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    /// The tablebase, as `grundy label --tablebase` wrote it: its folder, or the address of one on a server
    #[arg(value_name = "DIR|URL")]
    pub(crate) directory: PathBuf,
    /// The position, in the notation or as the graph names it
    #[arg(value_name = "POSITION", required_unless_present = "jsonl")]
    pub(crate) position: Option<OsString>,
    /// Look up one position a line: a JSON object or the position alone; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) jsonl: Option<PathBuf>,
    /// Look up the position alone, and not those one move away
    #[arg(long)]
    pub(crate) no_moves: bool,
    /// Add to every answer of a batch how long it took, and in the end half of them, 99 of 100, and all
    #[arg(long, requires = "jsonl", conflicts_with = "position")]
    pub(crate) stats: bool,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// A tablebase, a folder or its address, or a folder with the parts of one
    #[arg(value_name = "DIR|URL|PARTS")]
    pub(crate) from: PathBuf,
    /// The folder to be written: parts of a tablebase, or the tablebase of parts
    #[arg(value_name = "PARTS|DIR")]
    pub(crate) to: PathBuf,
    /// Positions of a part
    #[arg(long, value_name = "N", default_value = "16777216")]
    pub(crate) rows: NonZeroU64,
    /// Leave the names of positions out, where the rules number them
    #[arg(long)]
    pub(crate) no_positions: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum GraphFormatArg {
    Csv,
    Dot,
    Json,
    Parquet,
}

#[derive(Args, Debug)]
pub(crate) struct MatrixArgs {
    /// The matrix: CSV, white space, JSON or .nfg; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show the tableaux of the simplex method, step by step
    #[arg(long)]
    pub(crate) trace: bool,
    /// Write the graphical solution of a 2 by n or m by 2 game; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Remove dominated strategies first, and say what dominates them
    #[arg(long, value_enum)]
    pub(crate) dominance: Option<DominanceArg>,
    /// List all extreme optimal strategies, at most so many for each player
    #[arg(long, value_name = "LIMIT")]
    pub(crate) extreme: Option<NonZeroUsize>,
    /// A strategy of the row player to be judged, such as 1/2,1/2
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) row_strategy: Option<String>,
    /// A strategy of the column player to be judged
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    pub(crate) col_strategy: Option<String>,
    /// Write a certificate of the solution
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DominanceArg {
    /// Another strategy is better against everything
    Strict,
    /// Another strategy is never worse and sometimes better
    Weak,
    /// A mixture of others is better against everything
    Mixed,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct TreeArgs {
    /// The position, in the notation, or an .efg file
    #[arg(value_name = "EXPR|FILE.efg")]
    pub(crate) expr: OsString,
    /// Write a picture of the tree; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw equal positions of one layer once
    #[arg(long, requires = "svg")]
    pub(crate) merge: bool,
    /// Tell where the alpha-beta method leaves moves out, and why; in a picture without --merge they are dashed
    #[arg(long)]
    pub(crate) alpha_beta: bool,
    /// A strategy of each player that guarantees the value, as a table
    #[arg(long)]
    pub(crate) table: bool,
    /// List so many strategies of each player, numbered from 0
    #[arg(long, value_name = "LIMIT")]
    pub(crate) list: Option<u32>,
    /// Of these, list only those that guarantee the value of the game
    #[arg(long, requires = "list")]
    pub(crate) optimal: bool,
    /// Play two strategies against each other, by their numbers or `best`, such as 0,best
    #[arg(long, value_name = "I,J")]
    pub(crate) versus: Option<String>,
    /// Write the tree as an .efg file
    #[arg(long, value_name = "FILE")]
    pub(crate) efg: Option<PathBuf>,
    #[command(flatten)]
    played: Played,
}

#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
#[derive(Args, Debug)]
pub(crate) struct ValueArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Cool the value first: each move costs so much
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) cool: Option<String>,
    /// Heat it: each move gives its player this game
    #[arg(long, value_name = "G", allow_hyphen_values = true)]
    pub(crate) heat: Option<String>,
    /// Overheat it: an integer n becomes n times S, and each move gives its player T
    #[arg(long, value_name = "S,T", allow_hyphen_values = true)]
    pub(crate) overheat: Option<String>,
    /// The Norton product by a game
    #[arg(long, value_name = "U", allow_hyphen_values = true)]
    pub(crate) norton: Option<String>,
    /// Cool it by its own temperature
    #[arg(long)]
    pub(crate) freeze: bool,
    /// Write the form in braces alone, with numbers
    #[arg(long)]
    pub(crate) form: bool,
    /// Also typeset the form for LaTeX
    #[arg(long)]
    pub(crate) latex: bool,
    /// Draw the thermograph; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) svg: Option<PathBuf>,
    /// Value one position a line: a JSON object or a plain expression; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expr", "picture"])]
    pub(crate) jsonl: Option<PathBuf>,
    /// Add to every answer of a batch what it took
    #[arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"])]
    pub(crate) stats: bool,
    /// Find positions of a game on squares that have a value: needs --equals and --within
    #[arg(long, value_name = "GAME", requires = "equals", requires = "within", conflicts_with_all = ["expr", "picture", "jsonl", "svg", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"])]
    pub(crate) find: Option<OsString>,
    /// The value, written as in literal
    #[arg(long, value_name = "G", requires = "find", allow_hyphen_values = true)]
    pub(crate) equals: Option<OsString>,
    /// The largest board, such as 3x4, or the length of the longest strip
    #[arg(long, value_name = "RxC")]
    pub(crate) within: Option<OsString>,
    /// Find at most so many positions
    #[arg(long, value_name = "N", requires = "find", default_value_t = grundy_analysis::find::FEW as u64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) count: u64,
    /// Temperatures of so many random positions of a game on squares, which stands in the place of the position: needs --within
    #[arg(long, value_name = "N", requires = "within", conflicts_with_all = ["picture", "jsonl", "find", "svg", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"], value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) random: Option<u64>,
    /// The same number draws the same random positions (default: others each time)
    #[arg(long, value_name = "S", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// All values born by a day; --svg draws their order
    #[arg(long, value_name = "DAY", conflicts_with_all = ["expr", "picture", "jsonl", "find", "random", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"], value_parser = clap::value_parser!(u32).range(..=i64::from(grundy_analysis::born::LAST)))]
    pub(crate) born: Option<u32>,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[arg(long, value_name = "FILE", conflicts_with_all = ["jsonl", "find", "random", "born"])]
    pub(crate) table: Option<PathBuf>,
    /// Write all digits of the genus, in misère play
    #[arg(long, conflicts_with_all = ["find", "random", "born"])]
    pub(crate) full: bool,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// A game
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expr: OsString,
    /// The game it is compared with
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) with: OsString,
    /// Why: how the difference of the two is won, with an answer to each move of the one who loses it
    #[arg(long)]
    pub(crate) explain: bool,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct NimberArgs {
    /// The expression
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expr: OsString,
    /// How the value comes about: the binary columns of sums; products by the distributive law and the rules for 2, 4, 16, 256,
    /// ..., up to 60 of them; quotients and roots with what they are checked by
    #[arg(long)]
    pub(crate) explain: bool,
}

#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
#[derive(Args, Debug)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Write the number of its move at every edge of Hackenbush
    #[arg(long)]
    pub(crate) labels: bool,
    /// Draw the game graph: every position that can be reached, with who wins and the value
    #[arg(long)]
    pub(crate) graph: bool,
    /// Write the game graph in the language of Graphviz
    #[arg(long, conflicts_with_all = ["json", "terminal"])]
    pub(crate) dot: bool,
    /// Draw with characters, for a terminal
    #[arg(long, conflicts_with_all = ["json", "graph"])]
    pub(crate) terminal: bool,
    /// Use ASCII characters only
    #[arg(long, requires = "terminal")]
    pub(crate) ascii: bool,
    /// Write the picture for LaTeX, in the language of TikZ
    #[arg(long, conflicts_with_all = ["json", "terminal", "dot", "graph"])]
    pub(crate) tikz: bool,
    /// Write the picture to a file; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "terminal", "dot", "tikz"])]
    pub(crate) svg: Option<PathBuf>,
    /// Write the expression above the picture
    #[arg(long)]
    pub(crate) title: bool,
    /// Mark the winning moves, by an outline and a star
    #[arg(long, conflicts_with_all = ["terminal", "dot", "graph"])]
    pub(crate) moves: bool,
    /// Draw a button for every move that has no place of its own in the picture, such as the split of a heap
    #[arg(long, conflicts_with_all = ["terminal", "dot", "graph"])]
    pub(crate) buttons: bool,
    /// Draw on dark ground
    #[arg(long, conflicts_with_all = ["terminal", "dot"])]
    pub(crate) dark: bool,
    /// Draw the thermographs of these games instead, all in one picture
    #[arg(long, value_name = "EXPR", num_args = 1.., allow_hyphen_values = false, conflicts_with_all = ["expr", "picture", "labels", "graph", "dot", "terminal", "title", "moves", "buttons"])]
    pub(crate) thermograph: Vec<OsString>,
    #[command(flatten)]
    played: Played,
}

#[derive(Args, Debug)]
pub(crate) struct ExercisesArgs {
    /// A game such as nim, or a position with free variables, such as kayles(n)
    #[arg(value_name = "GAME")]
    pub(crate) game: OsString,
    /// The ranges of the free variables, such as n=3..12
    #[arg(value_name = "VARIABLE=FROM..TO")]
    pub(crate) ranges: Vec<String>,
    /// How many exercises
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) count: u64,
    /// How difficult they are, from 0 to 10
    #[arg(long, value_name = "L", default_value_t = 3, value_parser = clap::value_parser!(u8).range(..=i64::from(grundy_analysis::practice::HARDEST)))]
    pub(crate) level: u8,
    /// The same number gives the same sheet (default: another one each time)
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Print this part alone
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) only: Option<SheetPartArg>,
    #[command(flatten)]
    played: Played,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SheetPartArg {
    /// The questions
    Questions,
    /// The answers
    Answers,
}

#[derive(Args, Debug)]
pub(crate) struct GuideArgs {
    /// A game such as nim, a command such as solve, or a page: notation, games, rules, json
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// The text of an argument.
pub(crate) fn text(argument: &OsString) -> Result<&str, Failure> {
    argument.to_str().ok_or_else(|| {
        Diagnostic::new(Kind::Encoding, message!("the expression is not UTF-8")).into()
    })
}
