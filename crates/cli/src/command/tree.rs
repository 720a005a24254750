//! `grundy tree`: the tree of a small game, from the notation or from an `.efg` file.

mod json;
mod picture;
mod words;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use grundy::{Kind, Stop};
use grundy_notation::{Diagnostic, Game};
use grundy_tree::alpha_beta::{self, Replay};
use grundy_tree::strategy::{self, Numbered, Plan};
use grundy_tree::{BigUint, Counts, Tree, efg, values};

use crate::arguments::{self, Common, text};
use crate::failure::Failure;
use crate::session::Session;
use crate::whole_file;

/// Longest file: 256 MiB.
const LENGTH: u64 = 256 << 20;

/// Cut-offs that are kept, for pictures and programs.
const CUT_OFFS: usize = 10_000;

/// Everything that was asked about a tree.
struct Report {
    game: String,
    tree: Tree,
    counts: Counts,
    values: Vec<usize>,
    /// An optimal strategy of each player.
    tables: Option<[Plan; 2]>,
    /// The first strategies of each player, or the first that guarantee the value, numbered.
    listed: Option<[Vec<Plan>; 2]>,
    only_optimal: bool,
    versus: Option<Versus>,
    alpha_beta: Option<Replay>,
}

/// Two strategies against each other.
struct Versus {
    names: [String; 2],
    way: Vec<usize>,
    payoff: usize,
}

pub(crate) fn run(
    arguments: &arguments::Tree,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let (game, tree) = tree(arguments, common, session)?;
    let limits = session.limits();
    let counts = Counts::new(&tree, &limits)?;
    let report = Report {
        values: values(&tree),
        tables: tables(arguments, &tree)?,
        listed: listed(arguments, &tree, &counts)?,
        only_optimal: arguments.optimal,
        versus: versus(arguments, &tree, &counts)?,
        alpha_beta: arguments
            .alpha_beta
            .then(|| alpha_beta::replay(&tree, CUT_OFFS, &limits))
            .transpose()?,
        game,
        tree,
        counts,
    };
    if let Some(file) = &arguments.svg {
        let svg = picture::svg(&report, arguments.merge, common.language());
        whole_file::write(file, |out| out.write_all(svg.as_bytes()))?;
    }
    if let Some(file) = &arguments.efg {
        let name = |step: &grundy::step::Step| {
            grundy_notation::wording::words(step, grundy_notation::Language::En)
        };
        let written = efg::write(&report.tree, &report.game, name).ok_or_else(|| {
            let most = efg::MOST_NODES;
            let message = format!("a tree of more than {most} nodes is not written out");
            Diagnostic::new(Kind::Limit, message).help("take a smaller game")
        })?;
        whole_file::write(file, |out| out.write_all(written.as_bytes()))?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    if common.json {
        json::write(&mut out, &report, common)?;
    } else {
        words::write(&mut out, &report, common.language())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The tree that the arguments name, and the game in words.
fn tree(
    arguments: &arguments::Tree,
    common: &Common,
    session: &Session,
) -> Result<(String, Tree), Failure> {
    let path = Path::new(&arguments.expr);
    if path.extension().is_some_and(|ending| ending == "efg") {
        let content = content(path)?;
        let tree = efg::read(&content).map_err(|error| {
            let mut diagnostic = Diagnostic::new(error.kind, error.message).at(error.span);
            diagnostic.help = error.help.map(str::to_owned);
            Failure::input(diagnostic, &content)
        })?;
        return Ok((path.display().to_string(), tree));
    }
    let source = text(&arguments.expr)?;
    let fail = |diagnostic| Failure::input(diagnostic, source);
    let game = super::read(source, session).map_err(fail)?;
    let (play, limits) = (common.play(), session.limits());
    let tree = match &game {
        Game::Impartial(position) => Tree::of_impartial(position, play, &limits),
        Game::Partizan(position) => Tree::of_partizan(position, play, &limits),
        Game::Ties(position) => Tree::of_ties(position, play, &limits),
    };
    let tree = tree.map_err(|stop| {
        fail(match stop {
            Stop::NotImpartial => Diagnostic::stopped(stop).help(
                "whose turn it is belongs to the position of this game: it has no tree of its own",
            ),
            Stop::Cyclic => Diagnostic::stopped(stop).help("its tree would have no end"),
            stop => Diagnostic::stopped(stop),
        })
    })?;
    Ok((game.to_string(), tree))
}

fn content(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let failed = |error: io::Error| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LENGTH + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > LENGTH {
        let message = format!("{name}: the file is longer than 256 MiB");
        return Err(Diagnostic::new(Kind::Limit, message).into());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{name}: the file is not UTF-8");
        let content = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Failure::input(
            Diagnostic::new(Kind::Encoding, message).at(at..at + 1),
            &content,
        )
    })
}

fn too_long() -> Failure {
    let most = strategy::MOST_DECISIONS;
    let message = format!("a strategy of this game has more than {most} decisions");
    Diagnostic::new(Kind::Limit, message)
        .help("strategies are written out for smaller games")
        .into()
}

fn tables(arguments: &arguments::Tree, tree: &Tree) -> Result<Option<[Plan; 2]>, Failure> {
    if !arguments.table {
        return Ok(None);
    }
    let table = |player| strategy::optimal(tree, player).ok_or_else(too_long);
    Ok(Some([table(0)?, table(1)?]))
}

/// The strategies of a player by number, if their number can be written.
fn numbered<'a>(tree: &'a Tree, counts: &Counts, player: usize) -> Result<Numbered<'a>, Failure> {
    if counts.plans[player].is_none() {
        return Err(too_long());
    }
    Ok(Numbered::new(tree, player))
}

fn listed(
    arguments: &arguments::Tree,
    tree: &Tree,
    counts: &Counts,
) -> Result<Option<[Vec<Plan>; 2]>, Failure> {
    let Some(limit) = arguments.list else {
        return Ok(None);
    };
    let list = |player| -> Result<Vec<Plan>, Failure> {
        let mut numbered = numbered(tree, counts, player)?;
        if arguments.optimal {
            numbered = Numbered::optimal(tree, player);
        }
        let mut plans = Vec::new();
        let mut decisions = 0;
        for number in 0..u64::from(limit) {
            let number = BigUint::from(number);
            if number >= *numbered.count() {
                break;
            }
            let plan = numbered.get(&number).ok_or_else(too_long)?;
            decisions += plan.decisions.len();
            if decisions > strategy::MOST_DECISIONS {
                return Err(too_long());
            }
            plans.push(plan);
        }
        Ok(plans)
    };
    Ok(Some([list(0)?, list(1)?]))
}

fn versus(
    arguments: &arguments::Tree,
    tree: &Tree,
    counts: &Counts,
) -> Result<Option<Versus>, Failure> {
    let Some(written) = &arguments.versus else {
        return Ok(None);
    };
    let form = "write two numbers of strategies, or `best`: 0,5 or best,0";
    let names: Vec<&str> = written.split(',').map(str::trim).collect();
    let [first, second] = names[..] else {
        let message = format!("`{written}` does not name two strategies");
        return Err(Diagnostic::new(Kind::Syntax, message).help(form).into());
    };
    let plan = |player: usize, name: &str| -> Result<Plan, Failure> {
        if name == "best" {
            return strategy::optimal(tree, player).ok_or_else(too_long);
        }
        let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let number = Some(name)
            .filter(|_| digits && name.len() <= 10_000)
            .and_then(|name| name.parse::<BigUint>().ok())
            .ok_or_else(|| {
                let message = format!("`{name}` is no number of a strategy");
                Diagnostic::new(Kind::Syntax, message).help(form)
            })?;
        let numbered = numbered(tree, counts, player)?;
        if number >= *numbered.count() {
            let (player, count) = (&tree.players[player], numbered.count());
            let message = format!("{player} has {count} strategies, numbered from 0");
            return Err(Diagnostic::new(Kind::Range, message).into());
        }
        numbered.get(&number).ok_or_else(too_long)
    };
    let plans = [plan(0, first)?, plan(1, second)?];
    let (way, payoff) = strategy::against(tree, plans.each_ref())
        .ok_or_else(|| Diagnostic::new(Kind::Internal, "two strategies did not lead to an end"))?;
    Ok(Some(Versus {
        names: [first, second].map(str::to_owned),
        way,
        payoff,
    }))
}

/// The nodes and moves of a way from the root.
fn steps<'a>(tree: &'a Tree, way: &[usize]) -> Vec<(usize, &'a grundy::step::Step)> {
    let mut node = tree.root();
    way.iter()
        .map(|&branch| {
            let branch = &tree.nodes[node].branches[branch];
            let here = node;
            node = branch.to;
            (here, &branch.action)
        })
        .collect()
}
