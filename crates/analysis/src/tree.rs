//! `tree`: the game tree of a small game, which is given in the notation or as an `.efg` file.

mod json;
mod picture;
mod source;
mod words;

use std::io::Write;
use std::path::Path;

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Play, Stop, message};
use grundy_tree::alpha_beta::{self, Replay};
use grundy_tree::strategy::{self, Plan, PlanEnumeration};
use grundy_tree::{BigUint, Counts, efg, values};
use grundy_wording::report::{AnySerialize, Report, Words, to_text};
use grundy_wording::{Audience, Language, words};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::files;
use crate::job::Job;
use crate::picture::{self as pictures, Picture};
use crate::question::TreeQuestion;
use crate::result_cache::ResultCache;
use grundy_job::reader::with_source;
use json::TreeView;

/// Largest size of a file that is read: 256 MiB.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Largest number of alpha-beta cut-offs that are stored for pictures and JSON. A cut-off is a node
/// at which the remaining moves are skipped.
const CUT_OFFS: usize = 10_000;

/// A game tree, with the requested results about it.
#[derive(Debug)]
pub struct TreeReport {
    game: String,
    play: Play,
    /// `true` if the tree is from a file, which states the payoffs of both players.
    stated_payoffs: bool,
    tree: grundy_tree::Tree,
    counts: Counts,
    values: Vec<usize>,
    /// An optimal strategy of each player, if it was requested.
    tables: Option<[Plan; 2]>,
    /// The first strategies of each player in the order of their numbers, if they were requested.
    /// With `only_optimal`, only strategies that guarantee the value are listed.
    listed: Option<[Vec<Plan>; 2]>,
    only_optimal: bool,
    versus: Option<Versus>,
    alpha_beta: Option<Replay>,
}

/// A play of the game in which each player follows a given strategy.
#[derive(Debug)]
struct Versus {
    names: [String; 2],
    path: Vec<usize>,
    payoff: usize,
}

impl Report for TreeReport {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(TreeView::of(self, words.findings_language()))
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        to_text(|out| words::write(out, self, language))
    }
}

impl Question for TreeQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.source)
    }
}

fn answer(question: &TreeQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    for file in [&question.svg, &question.efg].into_iter().flatten() {
        pictures::allowed(analyst.files(), file)?;
    }
    // A mistyped name must not replace the file from which the tree is read.
    analyst.reader().check_distinct(
        [(message!("the tree"), Path::new(&question.source))],
        [
            (Setting::new("svg"), question.svg.as_ref()),
            (Setting::new("efg"), question.efg.as_ref()),
        ],
    )?;
    let (game, tree) = tree(question, analyst, job)?;
    let limits = job.limits();
    // The strategies can be numbered only if there are not too many. Hence they are counted first.
    let counts = Counts::new(&tree, &limits)?;
    let report = TreeReport {
        values: values(&tree),
        tables: tables(question, &tree)?,
        listed: listed(question, &tree, &counts)?,
        only_optimal: question.optimal,
        versus: versus(question, &tree, &counts)?,
        alpha_beta: question
            .alpha_beta
            .then(|| alpha_beta::replay(&tree, CUT_OFFS, &limits))
            .transpose()?,
        game,
        play: question.play,
        stated_payoffs: is_file(question),
        tree,
        counts,
    };
    if let Some(file) = &question.efg {
        // The file is in English whatever the reader's language, so that equal games give equal
        // files.
        let name = |step: &Step| words(step, Language::En);
        let written = efg::write(&report.tree, &report.game, name).ok_or_else(|| {
            let most = efg::MAX_NODES;
            let message = message!("the tree has more than {most} nodes", most);
            Diagnostic::new(Kind::Limit, message).help(message!("choose a smaller game"))
        })?;
        files::write(analyst.files(), file, |out| {
            out.write_all(written.as_bytes())
        })?;
    }
    let drawn = pictures::put(analyst.files(), question.svg.as_deref(), || {
        let svg = picture::svg(&report, question.merge, analyst.language());
        Ok(Picture::svg(&report.game, svg))
    })?;
    Ok(drawn.map_or_else(|| Answer::new(report), Answer::new))
}

/// Returns whether the question names a file with a tree.
fn is_file(question: &TreeQuestion) -> bool {
    (Path::new(&question.source).extension()).is_some_and(|ending| ending == "efg")
}

/// Returns the tree that the question asks for, and the name of the game.
fn tree(
    question: &TreeQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<(String, grundy_tree::Tree), Diagnostic> {
    let file = Path::new(&question.source);
    if is_file(question) {
        let content = analyst.files().text(file, MAX_FILE_BYTES)?;
        let tree = efg::read(&content).map_err(|error| with_source(error, &content))?;
        return Ok((file.display().to_string(), tree));
    }
    let source = &question.source;
    let position = analyst.read(source)?;
    // If the game has cycles, its tree is infinite, even if there are few positions.
    let tree = source::tree(&position, question.play, &job.limits()).map_err(|stop| {
        let diagnostic = match stop {
            Stop::Cyclic => Diagnostic::from(stop)
                .help(message!("a game with cycles has an infinite game tree")),
            stop => stop.into(),
        };
        with_source(diagnostic, source)
    })?;
    Ok((position.to_string(), tree))
}

fn too_long() -> Diagnostic {
    let most = strategy::MAX_DECISIONS;
    let message = message!(
        "a strategy in this game consists of more than {most} decisions",
        most
    );
    Diagnostic::new(Kind::Limit, message)
        .help(message!("choose a smaller game to list its strategies"))
}

fn tables(
    question: &TreeQuestion,
    tree: &grundy_tree::Tree,
) -> Result<Option<[Plan; 2]>, Diagnostic> {
    if !question.table {
        return Ok(None);
    }
    let table = |player| strategy::optimal(tree, player).ok_or_else(too_long);
    Ok(Some([table(0)?, table(1)?]))
}

/// Returns a numbered list of the strategies of a player. Fails if the number of strategies has too
/// many digits to be computed.
fn numbered<'a>(
    tree: &'a grundy_tree::Tree,
    counts: &Counts,
    player: usize,
) -> Result<PlanEnumeration<'a>, Diagnostic> {
    if counts.plans[player].is_none() {
        return Err(too_long());
    }
    Ok(PlanEnumeration::new(tree, player))
}

fn listed(
    question: &TreeQuestion,
    tree: &grundy_tree::Tree,
    counts: &Counts,
) -> Result<Option<[Vec<Plan>; 2]>, Diagnostic> {
    let Some(limit) = question.list else {
        return Ok(None);
    };
    let list = |player| -> Result<Vec<Plan>, Diagnostic> {
        let mut numbered = numbered(tree, counts, player)?;
        if question.optimal {
            numbered = PlanEnumeration::optimal(tree, player);
        }
        let mut plans = Vec::new();
        let mut decisions = 0;
        for number in 0..u64::from(limit) {
            let number = BigUint::from(number);
            if number >= *numbered.count() {
                break;
            }
            let plan = numbered.get(&number).ok_or_else(too_long)?;
            // A single strategy can contain many decisions. Hence the bound applies to the
            // decisions of the whole list.
            decisions += plan.decisions.len();
            if decisions > strategy::MAX_DECISIONS {
                return Err(too_long());
            }
            plans.push(plan);
        }
        Ok(plans)
    };
    Ok(Some([list(0)?, list(1)?]))
}

fn versus(
    question: &TreeQuestion,
    tree: &grundy_tree::Tree,
    counts: &Counts,
) -> Result<Option<Versus>, Diagnostic> {
    let Some(written) = &question.versus else {
        return Ok(None);
    };
    let form = || {
        message!(
            "write two strategies separated by a comma, each a number or `best`, such as 0,5 or best,0"
        )
    };
    let names: Vec<&str> = written.split(',').map(str::trim).collect();
    let [first, second] = names[..] else {
        let message = message!("expected two strategies, found `{written}`", written);
        return Err(Diagnostic::new(Kind::Syntax, message).help(form()));
    };
    let plan = |player: usize, name: &str| -> Result<Plan, Diagnostic> {
        if name == "best" {
            return strategy::optimal(tree, player).ok_or_else(too_long);
        }
        let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let number = Some(name)
            // Parsing takes quadratic time, so the number of digits is bounded.
            .filter(|_| digits && name.len() <= 10_000)
            .and_then(|name| name.parse::<BigUint>().ok())
            .ok_or_else(|| {
                let message = message!("`{name}` is not the number of a strategy", name);
                Diagnostic::new(Kind::Syntax, message).help(form())
            })?;
        let numbered = numbered(tree, counts, player)?;
        if number >= *numbered.count() {
            let (player, count) = (&tree.players[player], numbered.count());
            let message = message!(
                "{player} has {count} strategies, numbered from 0",
                player,
                count
            );
            return Err(Diagnostic::new(Kind::Range, message));
        }
        numbered.get(&number).ok_or_else(too_long)
    };
    let plans = [plan(0, first)?, plan(1, second)?];
    // The strategies have a move at every node that they can reach. Hence a play that does not end
    // is a defect.
    let (path, payoff) = strategy::play_out(tree, plans.each_ref()).ok_or_else(|| {
        Diagnostic::new(
            Kind::Internal,
            message!("the game did not end when the two strategies were played against each other"),
        )
    })?;
    Ok(Some(Versus {
        names: [first, second].map(str::to_owned),
        path,
        payoff,
    }))
}

/// Returns the nodes of a path from the root, each with the move that is made at it. The last node
/// is not included, since no move is made there. A path is a list of branch indices.
fn steps<'a>(tree: &'a grundy_tree::Tree, path: &[usize]) -> Vec<(usize, &'a Step)> {
    let mut node = tree.root();
    path.iter()
        .map(|&branch| {
            let branch = &tree.nodes[node].branches[branch];
            let here = node;
            node = branch.to;
            (here, &branch.action)
        })
        .collect()
}
