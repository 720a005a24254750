//! The clap definitions of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use grundy_analysis::question::{
    CompareQuestion, ConvertQuestion, Draw, ExercisesQuestion, Explain, FEW, LAST_DAY,
    LabelQuestion, MatrixQuestion, NimberQuestion, PERFECT, PeriodQuestion, PositionSource, Probe,
    QuestionKind, QuotientQuestion, Solve, TableQuestion, TreeQuestion, ValueQuestion, Verify,
};
use grundy_wording::{Audience, Interface, Language};

/// Combinatorial games: who wins, with what value, by which moves, and why.
#[derive(Debug, Parser)]
#[command(name = "grundy", version, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    before: LeadingOptions,
}

/// The options that every command accepts.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Language of the output (default: from the locale)
    #[arg(long, global = true, value_enum)]
    pub(crate) lang: Option<Lang>,
    /// Maximum number of positions kept in memory
    #[arg(long, global = true, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) max_positions: u64,
    /// Maximum memory, in MiB
    #[arg(long, global = true, value_name = "MIB", default_value_t = 4096)]
    pub(crate) max_memory: u64,
    /// Maximum length of an answer, in MiB
    #[arg(long, global = true, value_name = "MIB", default_value_t = 64)]
    pub(crate) max_output: u64,
    /// Time limit in seconds; in a batch, for each line (where the default is 10)
    #[arg(long, global = true, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
}

/// The options `--misere` and `--rules`, if they are written before the name of the command.
#[derive(Args, Clone, Debug, Default)]
struct LeadingOptions {
    /// Misère play: the player who makes the last move loses
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    rules: RulesArg,
}

/// The option `--rules` of the commands that read positions. It names a rule file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RulesArg {
    /// Rule file for game(moves, start)
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
}

/// The arguments of a question about positions, and the option for a rule file.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs<Q: Args> {
    #[command(flatten)]
    pub(crate) question: Q,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

impl CommandLine {
    /// Parses the arguments `words`, of which the first is the name of the program.
    ///
    /// # Errors
    /// The error of clap. For an option that is written before a command that does not accept it,
    /// the error says that the argument is unknown.
    pub(crate) fn read(words: Vec<OsString>) -> Result<Self, clap::Error> {
        let typed = Self::try_parse_from(move_leading_options(words))?;
        // If the command accepts the option, `ordered` has moved it behind the name of the command.
        // If it is still here, clap would ignore it. Hence report the error that clap gives for it
        // behind the name.
        let option = match (&typed.command, &typed.before) {
            (Some(_), LeadingOptions { misere: true, .. }) => "--misere",
            (Some(_), LeadingOptions { rules, .. }) if rules.rules.is_some() => "--rules",
            _ => return Ok(typed),
        };
        let mut command = Self::command();
        let usage = ContextValue::StyledStr(command.render_usage());
        let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(&command);
        error.insert(ContextKind::Usage, usage);
        error.insert(
            ContextKind::InvalidArg,
            ContextValue::String(option.to_owned()),
        );
        Err(error)
    }
}

/// Moves `--misere` and `--rules FILE` from before the name of the command to directly behind it.
/// Their meaning does not change.
fn move_leading_options(words: Vec<OsString>) -> Vec<OsString> {
    let line = CommandLine::command();
    // The value of an option must not be mistaken for the name of a command, as in `--lang solve`.
    let takes_value = |word: &str| {
        let mut options = line.get_arguments();
        word.strip_prefix("--").is_some_and(|name| {
            options
                .any(|option| option.get_long() == Some(name) && option.get_action().takes_values())
        })
    };
    let (mut before, mut moved) = (Vec::new(), Vec::new());
    let mut rest = words.iter();
    before.extend(rest.next());
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        if line
            .get_subcommands()
            .any(|command| command.get_name() == text)
        {
            let ordered = before.into_iter().chain([word]).chain(moved).chain(rest);
            return ordered.cloned().collect();
        }
        let of_command = text == "--misere" || text == "--rules" || text.starts_with("--rules=");
        let to = if of_command { &mut moved } else { &mut before };
        to.push(word);
        if takes_value(&text) {
            to.extend(rest.next());
        }
    }
    words
}

impl Command {
    /// Returns the file of the option `--rules`, if the command has this option and it is set.
    pub(crate) fn rules(&self) -> Option<&PathBuf> {
        let rules = match self {
            Self::Solve(solve) => &solve.rules,
            Self::Explain(explain) => &explain.rules,
            Self::Play(play) => &play.rules,
            Self::Table(table) => &table.rules,
            Self::Label(label) => &label.rules,
            Self::Probe(probe) => &probe.rules,
            Self::Tree(tree) => &tree.rules,
            Self::Draw(draw) => &draw.rules,
            Self::Period(period) => &period.rules,
            Self::Quotient(quotient) => &quotient.rules,
            Self::Exercises(exercises) => &exercises.rules,
            Self::Value(value) => &value.rules,
            Self::Compare(compare) => &compare.rules,
            #[cfg(feature = "serve")]
            Self::Serve(_) => return None,
            Self::Verify(_)
            | Self::Convert(_)
            | Self::Matrix(_)
            | Self::Nimber(_)
            | Self::Guide(_)
            | Self::Completions { .. }
            | Self::Man { .. } => return None,
        };
        rules.rules.as_ref()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Lang {
    En,
    Zh,
}

impl Common {
    pub(crate) fn language(&self) -> Language {
        language(self.lang)
    }

    /// Returns the audience of all printed text: its language, and the terminal as its interface.
    pub(crate) fn audience(&self) -> Audience {
        Audience::new(self.language(), Interface::Terminal)
    }
}

/// Returns those arguments of the process that are valid UTF-8.
fn process_arguments() -> impl Iterator<Item = String> {
    std::env::args_os().filter_map(|word| word.into_string().ok())
}

/// Returns the name of the command in the arguments of the process. Used for error messages if clap
/// has rejected the arguments.
pub(crate) fn command_in_arguments() -> Option<String> {
    let line = CommandLine::command();
    let known = |word: &String| line.get_subcommands().any(|one| one.get_name() == word);
    process_arguments().skip(1).find(known)
}

/// Returns the language in the arguments of the process. Used for error messages if clap has
/// rejected the arguments.
pub(crate) fn language_in_arguments() -> Language {
    let mut arguments = process_arguments();
    let mut lang = None;
    while let Some(word) = arguments.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        // The last valid language is used. A repeated option is an error of clap, which also has to
        // be printed in some language.
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
            // POSIX evaluates the locale variables in this order, and treats an empty variable as
            // unset.
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
    /// Solve a position: the winner, the value, every winning move
    #[command(after_help = "Example: grundy solve \"nim(3, 4) + kayles(7) + chomp(4, 3, 1)\"")]
    Solve(SolveArgs),
    /// Solve a position and give the proof, as a lecturer would write it on the board
    #[command(
        after_help = "Examples:\n  grundy explain \"nim(13, 12, 8)\"\n  grundy explain \"nim(13, 12, 8)\" --html nim.html"
    )]
    Explain(PositionArgs<Explain>),
    /// Play against the program in the terminal
    #[command(
        after_help = "Examples:\n  grundy play \"nim(3, 4, 5)\"\n  grundy play \"hackenbush('0-1 1-2 1-3')\" --second --level 5\n  grundy play nim --practice outcome"
    )]
    Play(PlayArgs),
    /// Tabulate the values of a family with one or two free variables
    #[command(
        after_help = "Examples:\n  grundy table \"subtraction([1, 3, 4], n)\" n=0..20\n  grundy table \"wythoff(a, b)\" a=0..20 b=0..20 --svg wythoff.svg"
    )]
    Table(PositionArgs<TableQuestion>),
    /// Find and prove the period of a one-heap family
    #[command(
        after_help = "Examples:\n  grundy period \"take_and_break('0.137', n)\"\n  grundy period \"kayles(n)\" --svg kayles.svg"
    )]
    Period(PositionArgs<PeriodQuestion>),
    /// Find and prove the misère quotient of a family of heaps, which decides every sum of them in
    /// misère play
    #[command(
        after_help = "Examples:\n  grundy quotient \"kayles(n)\"\n  grundy quotient \"take_and_break('0.123', n)\" --certificate 0.123.json\n  grundy quotient \"[chomp(3, 2), kayles(7)]\""
    )]
    Quotient(PositionArgs<QuotientQuestion>),
    /// Check a certificate or a tablebase independently of the code that made it
    #[command(
        after_help = "Examples:\n  grundy period \"kayles(n)\" --certificate kayles.json && grundy verify kayles.json\n  grundy label \"chomp(4, 4)\" --tablebase chomp && grundy verify chomp"
    )]
    Verify(Verify),
    /// Label every position of a game graph, or every position reachable from a start
    #[command(
        after_help = "Examples:\n  printf 'from,to\\na,b\\nb,a\\nb,c\\n' > moves.csv && grundy label moves.csv\n  grundy label \"chomp(3, 3)\" --best-move\n  grundy label --rules squares.star \"game(moves, 100)\" --output squares.csv"
    )]
    Label(PositionArgs<LabelQuestion>),
    /// Look up a position in a tablebase
    #[command(
        after_help = "Example: grundy label \"chomp(4, 4)\" --tablebase chomp && grundy probe chomp \"chomp(3, 1)\""
    )]
    Probe(ProbeArgs),
    /// Export a tablebase to Parquet files, for programs that read many rows; or import it from
    /// them
    #[command(
        after_help = "Example: grundy label \"chomp(4, 4)\" --tablebase chomp && grundy convert chomp parts && grundy convert parts again"
    )]
    Convert(ConvertQuestion),
    /// Solve a two-person zero-sum matrix game exactly
    #[command(after_help = "Example: echo '1 0; 0 2' | tr ';' '\\n' | grundy matrix -")]
    Matrix(MatrixQuestion),
    /// The game tree of a small game: counts, values, strategies, picture
    #[command(after_help = "Example: grundy tree \"tic_toe()\" --svg tic-toe.svg")]
    Tree(PositionArgs<TreeQuestion>),
    /// The value of a game: canonical form, stops, mean, temperature, thermograph, atomic weight
    #[command(
        after_help = "Examples:\n  grundy value \"domineering(['...', '...'])\"\n  grundy value 'literal(\"{2|*}\")' --cool 1/2\n  grundy value 'toads_and_frogs(\"TT.FF\")' --svg thermograph.svg\n  grundy value --find domineering --equals '^' --within 4x4\n  grundy value --random 100 clobber --within 3x4 --seed 1\n  grundy value --born 2 --svg day-2.svg"
    )]
    Value(Box<ValueArgs>),
    /// Compare two games: =, <, > or ||
    #[command(
        after_help = "Examples:\n  grundy compare 'literal(\"^\")' 'literal(\"*\")'\n  grundy compare \"2 * domineering(['..', '..'])\" \"nim(0)\""
    )]
    Compare(PositionArgs<CompareQuestion>),
    /// Nimber arithmetic: + is nim-sum, * nim-product, also /, a**n, sqrt(a)
    #[command(after_help = "Example: grundy nimber \"2 * 4 + sqrt(5)\"")]
    Nimber(NimberQuestion),
    /// Generate a sheet of exercises, followed by the answers
    #[command(
        after_help = "Examples:\n  grundy exercises nim --count 10 --level 3 --seed 1\n  grundy exercises \"subtraction([1, 3, 4], n)\" n=5..60 --misere"
    )]
    Exercises(PositionArgs<ExercisesQuestion>),
    /// Draw a position as SVG
    #[command(
        after_help = "Examples:\n  grundy draw \"nim(3, 4, 5)\" --svg nim.svg --moves\n  grundy draw \"kayles_row('1101111')\" --terminal"
    )]
    Draw(PositionArgs<Draw>),
    /// Start the web page: solve, explain, play and draw in the browser
    #[cfg(feature = "serve")]
    #[command(
        after_help = "Examples:\n  grundy serve\n  grundy serve --port 8080 --no-open\n  grundy serve --public-url https://games.example.org"
    )]
    Serve(ServeArgs),
    /// Describe a game (rules, notation, example, theorem), a command, or a page
    #[command(
        name = "help",
        after_help = "Examples:\n  grundy help nim\n  grundy help games\n  grundy help notation"
    )]
    Guide(GuideArgs),
    /// Print the completions for a shell
    #[command(
        after_help = "Example: grundy completions bash > ~/.local/share/bash-completion/completions/grundy"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program, or of one of its commands
    #[command(
        after_help = "Examples:\n  grundy man > grundy.1\n  grundy man solve > grundy-solve.1"
    )]
    Man {
        /// The command
        #[arg(value_name = "COMMAND")]
        name: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) question: Solve,
    /// Solve one position per line: a JSON object or a plain expression; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expr", "picture"])]
    pub(crate) jsonl: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Port to listen on; 0 takes any free port
    #[arg(long, value_name = "N", default_value_t = 8421)]
    pub(crate) port: u16,
    /// Address to listen on; one that is not a loopback address lets other machines connect
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Do not open the page in a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Public address of the page behind a proxy: requests for that host are accepted as well, with
    /// a rate limit for each client
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<grundy_server::Origin>,
    /// Origin of a site that may embed the page in a frame
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) frame_ancestor: Option<grundy_server::Origin>,
    /// Folder with the tablebases to serve, each a folder that `label --tablebase` wrote
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,
    /// Number of long questions answered at the same time, each in a separate process; all
    /// processes together stay within --max-memory
    #[arg(long, value_name = "N", default_value_t = grundy_server::WORKERS, value_parser = workers)]
    pub(crate) workers: usize,
    /// Answer questions from standard input, as a worker process of a server
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}

/// Parses the number of worker processes.
#[cfg(feature = "serve")]
fn workers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=64).contains(number))
        .ok_or_else(|| "expected a number from 1 to 64".to_owned())
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) source: PositionSource,
    /// Ranges of the free variables, such as n=3..12, for --practice
    #[arg(value_name = "VARIABLE=FROM..TO")]
    pub(crate) ranges: Vec<String>,
    /// Let the program make the first move
    #[arg(long)]
    pub(crate) second: bool,
    /// Let two people play; the program only keeps the board
    #[arg(long, conflicts_with = "second")]
    pub(crate) two_players: bool,
    /// Moves made so far, separated by `;`, as `save` prints them
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// Strength of the program, from 0 (any move) to 10 (perfect play, the default); with
    /// --practice, difficulty of the first question
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(..=i64::from(PERFECT)))]
    pub(crate) level: Option<u8>,
    /// Draw the board in ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Practise instead of playing: find the winner, the Grundy value or a winning move, in random
    /// positions of a game (nim) or a family
    #[arg(long, value_enum, conflicts_with_all = ["second", "two_players", "moves", "picture"])]
    pub(crate) practice: Option<QuestionKind>,
    /// Misère play: the player who makes the last move loses
    #[arg(long)]
    pub(crate) misere: bool,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    pub(crate) question: Probe,
    /// Look up one position per line: a JSON object or a plain position; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) jsonl: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

#[derive(Args, Debug)]
pub(crate) struct ValueArgs {
    #[command(flatten)]
    pub(crate) question: ValueQuestion,
    /// Evaluate one position per line: a JSON object or a plain expression; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expr", "picture"])]
    pub(crate) jsonl: Option<PathBuf>,
    /// Find the positions with a given value in a game on squares: needs --equals and --within
    #[arg(long, value_name = "GAME", requires = "equals", requires = "within", conflicts_with_all = ["expr", "picture", "jsonl", "svg", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"])]
    pub(crate) find: Option<String>,
    /// The value to find, written as in literal
    #[arg(long, value_name = "G", requires = "find", allow_hyphen_values = true)]
    pub(crate) equals: Option<String>,
    /// The largest board, such as 3x4, or the length of the longest strip
    #[arg(long, value_name = "RxC")]
    pub(crate) within: Option<String>,
    /// Find at most N positions
    #[arg(long, value_name = "N", requires = "find", default_value_t = FEW as u64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) count: u64,
    /// Give the temperatures of N random positions of a game on squares, where the name of the game
    /// replaces the position: needs --within
    #[arg(long, value_name = "N", requires = "within", conflicts_with_all = ["picture", "jsonl", "find", "svg", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"], value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) random: Option<u64>,
    /// Seed: the same number gives the same random positions (default: a random seed)
    #[arg(long, value_name = "S", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// List all values born by this day; --svg draws their order
    #[arg(long, value_name = "DAY", conflicts_with_all = ["expr", "picture", "jsonl", "find", "random", "cool", "heat", "overheat", "norton", "freeze", "form", "latex"], value_parser = clap::value_parser!(u32).range(..=i64::from(LAST_DAY)))]
    pub(crate) born: Option<u32>,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

#[derive(Args, Debug)]
pub(crate) struct GuideArgs {
    /// A game such as nim, a command such as solve, or a page: notation, games, rules, json
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use grundy_core::message::Setting;

    /// Returns the texts of the source files, without comments, of all crates that must not depend
    /// on an interface.
    fn sources() -> Vec<String> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        // The crate `base` defines all settings, but only its kinds of limits name any of them.
        let others = ["base", "cli", "server", "wasm"];
        let mut folders: Vec<PathBuf> = fs::read_dir(&crates)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| !others.iter().any(|other| path.ends_with(other)))
            .map(|path| path.join("src"))
            .collect();
        folders.extend(
            [
                "../cluster/src",
                "../cluster/workers/src",
                "base/src/limit_kind.rs",
            ]
            .map(|path| crates.join(path)),
        );
        let mut texts = Vec::new();
        while let Some(path) = folders.pop() {
            if path.is_dir() {
                folders.extend(
                    fs::read_dir(path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(path).unwrap();
                let lines = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"));
                texts.push(lines.collect::<Vec<_>>().join("\n"));
            }
        }
        texts
    }

    /// Returns the string literals that are passed to `constructor` in the source texts. If
    /// `set_to` is called on the result, its argument is returned with the literal.
    fn calls(texts: &[String], constructor: &str) -> BTreeSet<(&'static str, Option<String>)> {
        let mut found = BTreeSet::new();
        for call in texts
            .iter()
            .flat_map(|text| text.split(constructor).skip(1))
        {
            let Some((name, rest)) = call
                .strip_prefix("(\"")
                .and_then(|call| call.split_once('"'))
            else {
                continue;
            };
            let rest = rest.trim_start_matches([')', ' ', '\n']);
            let value = rest
                .strip_prefix(".set_to(\"")
                .and_then(|text| text.split_once('"'));
            let value = value.map(|(value, _)| value.to_owned());
            found.insert((&*name.to_owned().leak(), value));
        }
        found
    }

    /// Returns all JSON keys of questions, and the names of all questions. Both are read from the
    /// TypeScript definitions.
    fn keys() -> (BTreeSet<String>, BTreeSet<String>) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let file = fs::read_to_string(folder.join("server/page/src/engine/keys.ts")).unwrap();
        let (mut keys, mut questions) = (BTreeSet::new(), BTreeSet::new());
        for line in file.lines() {
            let Some((name, of)) = line.trim().split_once(": ") else {
                continue;
            };
            let set = if of == "{" { &mut questions } else { &mut keys };
            set.insert(name.trim_end_matches('?').to_owned());
        }
        // In JavaScript, these limits are options of the WebAssembly engine, not keys of a
        // question.
        let engine = fs::read_to_string(folder.join("../npm/src/engine.ts")).unwrap();
        for limit in ["memory", "positions"] {
            assert!(engine.contains(&format!("\n  {limit}?: number")), "{limit}");
            keys.insert(format!("limits.{limit}"));
        }
        (keys, questions)
    }

    /// Checks that every setting in a message of the library is an option of the command line. Also
    /// checks that it is a JSON key, unless only the command line has this setting.
    #[test]
    fn options_in_messages_exist() {
        let mut line = CommandLine::command();
        line.build();
        let commands: Vec<_> = line.get_subcommands().chain([&line]).collect();
        let longs: BTreeSet<&str> = (commands.iter())
            .flat_map(|command| command.get_arguments().filter_map(clap::Arg::get_long))
            .collect();
        let texts = sources();
        let (keys, _) = keys();
        let (shared, typed) = (
            calls(&texts, "Setting::new"),
            calls(&texts, "Setting::command_line"),
        );
        // If, for example, a constructor were renamed, the search would find nothing, and the test
        // would check nothing.
        assert!(
            shared.len() > 25 && typed.len() > 10,
            "{shared:?} {typed:?}"
        );
        for (key, _) in &shared {
            assert!(keys.contains(*key), "{key} is no key of JSON");
        }
        for (key, value) in shared.iter().chain(&typed) {
            let setting = match value {
                Some(value) => Setting::new(key).set_to(value.clone()),
                None => Setting::new(key),
            };
            let option = setting.command_line_form();
            let name = option
                .split(' ')
                .next()
                .and_then(|name| name.strip_prefix("--"));
            assert!(longs.contains(name.unwrap()), "{option} is no option");
        }
    }

    /// Checks that every command in a message of the library exists. Also checks that it is a
    /// question in JSON, unless only the command line has this command.
    #[test]
    fn commands_in_messages_exist() {
        let line = CommandLine::command();
        let texts = sources();
        let (_, questions) = keys();
        let (shared, typed) = (
            calls(&texts, "Command::new"),
            calls(&texts, "Command::command_line"),
        );
        assert!(shared.len() > 5 && typed.len() > 2, "{shared:?} {typed:?}");
        for (name, _) in &shared {
            assert!(questions.contains(*name), "{name} is no question");
        }
        for (name, _) in shared.iter().chain(&typed) {
            assert!(line.find_subcommand(name).is_some(), "{name} is no command");
        }
    }
}
