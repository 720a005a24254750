//! Questions as plain data: one struct for each command.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use grundy::Play;
use grundy::solve::Wanted;
use grundy_forms::text::Literal;
pub use grundy_matrix::dominance::Dominance;
use serde::Serialize;

/// A game being played: where it began, and what was played so far.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The position that it began with.
    pub source: PositionSource,
    /// Normal or misère play.
    pub play: Play,
    /// Who moves first, where either may: the first player or Left, or else the other.
    pub begins: grundy::Player,
    /// The moves so far, as [`Playing::replay`](crate::playing::Playing::replay) reads them.
    pub moves: String,
    /// The tablebase that says how positions stand, by whose rules they are read; without one they are solved.
    pub table: Option<PathBuf>,
}

/// `board`.
#[derive(Clone, Debug, Default)]
pub struct BoardQuestion {
    /// The game.
    pub played: Played,
    /// Whether the picture is on dark ground.
    pub dark: bool,
}

/// `analyse`: the position of a game being played, solved, and what each of its moves leaves.
#[derive(Clone, Debug, Default)]
pub struct Analyse {
    /// The game.
    pub played: Played,
}

/// `review`: how a game went.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The game.
    pub played: Played,
}

/// `reply`.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The game.
    pub played: Played,
    /// From 0, any move, to [`PERFECT`](crate::playing::PERFECT).
    pub level: u8,
    /// What mistakes are drawn from.
    pub seed: u64,
}

/// `hint`.
#[derive(Clone, Debug, Default)]
pub struct Hint {
    /// The game.
    pub played: Played,
    /// 1: whether there is something to find; 2: the move, too; 3: and why.
    pub stage: u8,
}

/// `practise`.
#[derive(Clone, Debug)]
pub struct Practise {
    /// The name of a game, or a position with free variables.
    pub game: String,
    /// The ranges of these variables, such as `n=3..12`.
    pub ranges: Vec<String>,
    /// Normal or misère play.
    pub play: Play,
    /// What is asked, where the position has it to be asked.
    pub ask: Ask,
    /// How difficult it is, from 0 to [`HARDEST`](crate::practice::HARDEST).
    pub level: u8,
    /// What the position is drawn from: the same seed asks the same.
    pub seed: u64,
    /// The answer to be judged, where there is one already.
    pub answer: Option<String>,
}

/// A task about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// Who wins.
    #[default]
    Outcome,
    /// Every winning move.
    Move,
    /// The Grundy value.
    Value,
}

impl Ask {
    /// All tasks, in the order in which a sheet goes through them.
    pub const ALL: [Self; 3] = [Self::Outcome, Self::Move, Self::Value];
}

/// Where a position comes from: the notation, a Hackenbush picture in a file, or the sum of both.
#[derive(Clone, Debug, Default)]
pub struct PositionSource {
    /// The position, in the notation.
    pub expression: Option<String>,
    /// A file with a Hackenbush picture.
    pub picture: Option<PathBuf>,
}

impl From<&str> for PositionSource {
    fn from(expression: &str) -> Self {
        Self {
            expression: Some(expression.to_owned()),
            picture: None,
        }
    }
}

/// `solve`: one position.
#[derive(Clone, Debug, Default)]
pub struct Solve {
    /// The position.
    pub source: PositionSource,
    /// Normal or misère play.
    pub play: Play,
    /// How much is wanted.
    pub wanted: Wanted,
    /// Whether the moves left with best play are counted, too.
    pub remoteness: bool,
    /// Whether the genus is told, in misère play.
    pub genus: bool,
    /// A file with values that were worked out before: it is read, and written with those that are new.
    pub table: Option<PathBuf>,
    /// How many threads look at the position where work can be shared out; else one.
    pub threads: Option<NonZeroUsize>,
}

impl Solve {
    /// Who wins this position in normal play.
    #[must_use]
    pub fn new(expression: &str) -> Self {
        Self {
            source: expression.into(),
            ..Self::default()
        }
    }
}

/// `explain`.
#[derive(Clone, Debug, Default)]
pub struct Explain {
    /// The position.
    pub source: PositionSource,
    /// Normal or misère play.
    pub play: Play,
    /// Whether the value is proved from the moves alone.
    pub proof: bool,
    /// Whether pictures come along with the steps.
    pub pictures: bool,
    /// A folder for pictures, one a step that has one.
    pub svg: Option<PathBuf>,
    /// Where everything is written as one page; `-` is standard output.
    pub html: Option<PathBuf>,
}

/// `table`.
#[derive(Clone, Debug, Default)]
pub struct TableQuestion {
    /// The family, with free variables.
    pub family: String,
    /// One or two ranges, such as `n=0..100`.
    pub ranges: Vec<String>,
    /// Normal or misère play.
    pub play: Play,
    /// What the cells hold: where it is not said, Grundy values, and who wins where there are none.
    pub of: Option<CellOf>,
    /// Whether genera have all their digits.
    pub full: bool,
    /// The form of the answer for people.
    pub form: TableForm,
    /// Whether it is said what the values seem to be.
    pub pattern: bool,
    /// A file with values that were worked out before: it is read, and written with those that are new.
    pub table: Option<PathBuf>,
    /// Where a picture is written; `-` is standard output, as everywhere.
    pub svg: Option<PathBuf>,
}

/// What the cells of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOf {
    /// The Grundy value, which every position of the family has to have.
    Grundy,
    /// Who wins.
    Outcome,
    /// The canonical form.
    Value,
    /// The temperature.
    Temperature,
    /// The mean.
    Mean,
    /// The atomic weight; nothing for games that are not all-small.
    AtomicWeight,
    /// The genus, of impartial games in misère play.
    Genus,
}

/// The forms of a table for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// Columns.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// Lines `n a(n)`, as in the OEIS.
    BFile,
}

/// `period`.
#[derive(Clone, Debug, Default)]
pub struct PeriodQuestion {
    /// A one-heap family with a free variable, unless all codes are asked for.
    pub family: Option<String>,
    /// Normal or misère play.
    pub play: Play,
    /// Most values that are computed.
    pub max: u64,
    /// Where a certificate is written.
    pub certificate: Option<PathBuf>,
    /// Where the state is written now and then.
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints.
    pub every: f64,
    /// Whether the work goes on from the checkpoint.
    pub resume: bool,
    /// Whether only the smallest heaps and the last are kept.
    pub stream: bool,
    /// Where the values are written.
    pub values: Option<PathBuf>,
    /// Whether it is counted how often each value occurs.
    pub frequencies: bool,
    /// Where a picture of the values is written.
    pub svg: Option<PathBuf>,
    /// The table of all octal codes of so many digits.
    pub all: Option<u32>,
}

impl PeriodQuestion {
    /// The period of this family in normal play, with at most 100 000 values.
    #[must_use]
    pub fn new(family: &str) -> Self {
        Self {
            family: Some(family.to_owned()),
            max: 100_000,
            every: 180.0,
            ..Self::default()
        }
    }
}

/// `quotient`.
#[derive(Clone, Debug, Default)]
pub struct QuotientQuestion {
    /// A family with a free variable, or a list of positions.
    pub family: String,
    /// Most heaps that are looked at.
    pub max: u64,
    /// Where a certificate is written.
    pub certificate: Option<PathBuf>,
    /// Where the state is written now and then.
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints.
    pub every: f64,
    /// Whether the work goes on from the checkpoint.
    pub resume: bool,
    /// Where a picture of the quotient is written.
    pub svg: Option<PathBuf>,
}

impl QuotientQuestion {
    /// The quotient of this family, with at most 10 000 heaps.
    #[must_use]
    pub fn new(family: &str) -> Self {
        Self {
            family: family.to_owned(),
            max: 10_000,
            every: 180.0,
            ..Self::default()
        }
    }
}

/// `verify`.
#[derive(Clone, Debug, Default)]
pub struct Verify {
    /// The certificate, or a tablebase: a folder or its address.
    pub file: PathBuf,
    /// Of a tablebase only so many entries, drawn at random.
    pub sample: Option<u64>,
    /// What they are drawn by.
    pub seed: u64,
    /// On how many cores; on all of them where it is not said.
    pub threads: Option<NonZeroUsize>,
}

/// `label`.
#[derive(Clone, Debug, Default)]
pub struct LabelQuestion {
    /// A file with the moves, or a position.
    pub source: std::ffi::OsString,
    /// Normal or misère play.
    pub play: Play,
    /// Where the table is written; else it is the answer.
    pub output: Option<PathBuf>,
    /// A folder for a tablebase.
    pub tablebase: Option<PathBuf>,
    /// Where a certificate is written.
    pub certificate: Option<PathBuf>,
    /// What a file is, if its ending does not say it.
    pub format: Option<GraphFormat>,
    /// Whether there is a column with optimal moves.
    pub best_move: bool,
    /// Where the state is written now and then.
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints.
    pub every: f64,
    /// Whether the work goes on from the checkpoint.
    pub resume: bool,
    /// Whether all positions are labelled by the ranks that the rules give them, and how.
    pub ranked: Option<ByRanks>,
    /// The workers that label together, where there are several.
    pub crew: Option<Box<Crew>>,
}

/// Workers that label a game together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// How many there are in this process.
    pub workers: NonZeroUsize,
    /// The other processes, if there are any.
    pub hosts: Option<Hosts>,
    /// A file for how far they are, as Prometheus text.
    pub metrics: Option<PathBuf>,
    /// Whether only what it would take is said.
    pub plan: bool,
}

/// All processes of a labelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// A file with their addresses, a line each.
    pub file: PathBuf,
    /// Which of them this is, from 0 on.
    pub process: usize,
    /// A file with what only these processes know.
    pub secret_file: PathBuf,
}

/// How positions are labelled by their ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRanks {
    /// Whether Grundy values are found, too.
    pub values: bool,
    /// Whether only what it would take is said.
    pub plan: bool,
}

/// What a file with a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// Comma-separated values.
    Csv,
    /// The language of Graphviz.
    Dot,
    /// JSON.
    Json,
    /// Parquet.
    Parquet,
}

/// `probe`.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    /// The tablebase: a folder, or the address of one. Where none is named, the first of those at hand that has the position.
    pub directory: Option<PathBuf>,
    /// The position, in the notation or as the graph names it.
    pub position: String,
    /// Whether misère play is meant, which the tablebase has to be of.
    pub play: Play,
    /// Whether the moves are looked up, too.
    pub moves: bool,
}

/// `tables`.
#[derive(Clone, Debug, Default)]
pub struct TablesQuestion {
    /// One of them; else all are listed.
    pub table: Option<PathBuf>,
}

/// `convert`.
#[derive(Clone, Debug)]
pub struct ConvertQuestion {
    /// A tablebase, a folder or the address of one; or a folder of its parts.
    pub from: PathBuf,
    /// The folder to be written: of parts, or the tablebase.
    pub to: PathBuf,
    /// Positions of a part.
    pub rows: NonZeroU64,
    /// Whether the names of positions that have ranks are left out.
    pub no_positions: bool,
}

/// `matrix`.
#[derive(Clone, Debug, Default)]
pub struct MatrixQuestion {
    /// The file with the matrix; `-` is standard input, which is never read here: its content comes along.
    pub file: PathBuf,
    /// What is in the file, where that is known already.
    pub content: Option<Vec<u8>>,
    /// Whether the tableaux of the simplex method are shown.
    pub trace: bool,
    /// Where the graphical solution is written.
    pub svg: Option<PathBuf>,
    /// Which dominated strategies are removed first.
    pub dominance: Option<Dominance>,
    /// How many extreme optimal strategies are listed at most.
    pub extreme: Option<NonZeroUsize>,
    /// A strategy of the row player to be judged.
    pub row_strategy: Option<String>,
    /// A strategy of the column player to be judged.
    pub col_strategy: Option<String>,
    /// Where a certificate is written.
    pub certificate: Option<PathBuf>,
}

/// `tree`.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent wishes")]
pub struct TreeQuestion {
    /// The position, or an `.efg` file.
    pub source: String,
    /// Normal or misère play.
    pub play: Play,
    /// Where a picture is written.
    pub svg: Option<PathBuf>,
    /// Whether equal positions of one layer are drawn once.
    pub merge: bool,
    /// Whether it is told where the alpha-beta method leaves moves out.
    pub alpha_beta: bool,
    /// Whether optimal strategies are given as tables.
    pub table: bool,
    /// How many strategies of each player are listed.
    pub list: Option<u32>,
    /// Whether of these only the optimal ones are.
    pub optimal: bool,
    /// Two strategies to be played against each other.
    pub versus: Option<String>,
    /// Where the tree is written.
    pub efg: Option<PathBuf>,
}

/// `value`.
#[derive(Clone, Debug, Default)]
pub struct ValueQuestion {
    /// The position.
    pub source: PositionSource,
    /// How the value is told.
    pub telling: Telling,
    /// A file with values that were worked out before: it is read, and written with those that are new.
    pub table: Option<PathBuf>,
    /// Where the thermograph is drawn.
    pub svg: Option<PathBuf>,
}

/// What is done to a value before it is told, and how it is written.
#[derive(Clone, Debug, Default)]
pub struct Telling {
    /// What is done to the value first, one after the other.
    pub changes: Vec<Change>,
    /// Whether the form is written in braces alone.
    pub braces: bool,
    /// Whether it is typeset.
    pub latex: bool,
    /// Normal or misère play.
    pub play: Play,
    /// Whether the genus has all its digits, in misère play.
    pub full: bool,
}

/// What can be done to a value.
#[derive(Clone, Debug)]
pub enum Change {
    /// Cooled by a temperature.
    Cool(grundy::Dyadic),
    /// Heated by a game.
    Heat(Literal),
    /// Overheated from one game to another.
    Overheat(Literal, Literal),
    /// The Norton product by a game.
    Norton(Literal),
    /// Cooled by its own temperature.
    Freeze,
}

/// What is to be done to a value, as it is written.
#[derive(Clone, Debug, Default)]
pub struct WrittenChanges {
    /// The temperature by which it is cooled.
    pub cool: Option<String>,
    /// The game by which it is heated.
    pub heat: Option<String>,
    /// The games from which and to which it is overheated, with a comma between.
    pub overheat: Option<String>,
    /// The game by which it is multiplied.
    pub norton: Option<String>,
    /// Whether it is cooled by its own temperature.
    pub freeze: bool,
}

/// `value --find`.
#[derive(Clone, Debug, Default)]
pub struct FindQuestion {
    /// The name of a game on squares.
    pub game: String,
    /// The value, written as in `literal`.
    pub equals: String,
    /// Rows and columns, such as `3x4`, or the length of a strip.
    pub within: String,
    /// After how many positions it is enough.
    pub count: usize,
}

/// `value --random`.
#[derive(Clone, Debug, Default)]
pub struct TemperaturesQuestion {
    /// The name of a game on squares.
    pub game: String,
    /// Rows and columns, or the length of a strip.
    pub within: String,
    /// How many positions.
    pub count: u64,
    /// What they are drawn from: the same seed draws the same.
    pub seed: u64,
}

/// `value --born`.
#[derive(Clone, Debug, Default)]
pub struct BornQuestion {
    /// The day, from 0 to [`LAST`](crate::born::LAST).
    pub day: u32,
    /// Where their order is drawn.
    pub svg: Option<PathBuf>,
}

/// `compare`.
#[derive(Clone, Debug, Default)]
pub struct CompareQuestion {
    /// A position.
    pub first: String,
    /// Another.
    pub second: String,
    /// Normal or misère play.
    pub play: Play,
    /// How their difference is won.
    pub explain: bool,
    /// A file with values that were worked out before: it is read, and written with those that are new.
    pub table: Option<PathBuf>,
}

/// `nimber`.
#[derive(Clone, Debug, Default)]
pub struct NimberQuestion {
    /// The expression.
    pub expression: String,
    /// Whether it is told how the value comes about.
    pub explain: bool,
}

/// `help`.
#[derive(Clone, Debug, Default)]
pub struct HelpQuestion {
    /// The name of a game; without one all games are listed.
    pub game: Option<String>,
}

/// `exercises`.
#[derive(Clone, Debug, Default)]
pub struct ExercisesQuestion {
    /// The name of a game, or a position with free variables.
    pub game: String,
    /// The ranges of these variables, such as `n=3..12`.
    pub ranges: Vec<String>,
    /// Normal or misère play.
    pub play: Play,
    /// How many exercises.
    pub count: u64,
    /// How difficult they are, from 0 to [`HARDEST`](crate::practice::HARDEST).
    pub level: u8,
    /// What the positions are drawn from: the same seed gives the same sheet.
    pub seed: u64,
    /// Which part of the sheet people get.
    pub part: SheetPart,
}

/// The parts of a sheet of exercises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SheetPart {
    /// The questions, and the answers behind them.
    #[default]
    Both,
    /// The questions alone.
    Questions,
    /// The answers alone.
    Answers,
}

/// `draw`.
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
#[derive(Clone, Debug, Default)]
pub struct Draw {
    /// The position.
    pub source: PositionSource,
    /// Normal or misère play, which colours game graphs.
    pub play: Play,
    /// Whether the numbers of moves are written at edges.
    pub labels: bool,
    /// Whether the game graph is drawn.
    pub graph: bool,
    /// The form of the picture.
    pub form: Drawing,
    /// The file it goes to.
    pub svg: Option<PathBuf>,
    /// Whether the expression stands above it.
    pub title: bool,
    /// Whether winning moves are marked.
    pub winning: bool,
    /// Whether it is on dark ground.
    pub dark: bool,
    /// Whether moves without a place of their own have buttons.
    pub buttons: bool,
    /// Whether characters are ASCII alone.
    pub ascii: bool,
    /// The games whose thermographs are drawn in the place of a position.
    pub thermographs: Vec<String>,
}

/// The forms of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// SVG.
    #[default]
    Svg,
    /// The language of Graphviz.
    Dot,
    /// Characters, for a terminal.
    Terminal,
    /// TikZ, for LaTeX.
    Tikz,
}
