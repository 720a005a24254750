//! `grundy draw`: a picture of a position.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::partizan::Player;
use grundy::{GameGraph, Labelled, Outcome, Shape, Stop, game_graph};
use grundy_draw::{Edge, Verdict, Vertex};
use grundy_notation::{Diagnostic, Game};
use serde_json::json;

use crate::arguments::{Common, Draw};
use crate::failure::Failure;
use crate::session::Session;

/// Most positions of a game graph that is drawn.
const MOST_DRAWN: u64 = 400;

pub(crate) fn run(
    arguments: &Draw,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let (game, _) = super::game(&arguments.source, session)?;
    if !arguments.terminal && (arguments.graph || arguments.dot || is_graph(&game)) {
        return graph(&game, arguments.dot, common, session);
    }
    let terms: Vec<_> = match &game {
        Game::Impartial(position) => {
            let terms = position.terms.iter();
            terms.map(|term| (term.text(), term.picture())).collect()
        }
        Game::Partizan(position) => {
            let terms = position.terms.iter();
            terms.map(|term| (term.text(), term.picture())).collect()
        }
        Game::Ties(position) => vec![(position.text(), position.picture())],
    };
    let mut out = io::stdout().lock();
    if arguments.terminal {
        let text = grundy_draw::terminal(&terms, arguments.labels);
        out.write_all(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let svg = grundy_draw::svg(&terms, arguments.labels);
    if common.json {
        writeln!(out, "{}", json!({"game": game.to_string(), "svg": svg}))?;
    } else {
        out.write_all(svg.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a position has no other picture than its game graph: it was given as a graph, or by rules of one's own.
fn is_graph(game: &Game) -> bool {
    let own = |text: String| text.starts_with("game(");
    match game {
        Game::Impartial(position) => {
            matches!(&position.terms[..], [term] if term.network().is_some() || own(term.text()))
        }
        Game::Partizan(position) => matches!(&position.terms[..], [term] if own(term.text())),
        Game::Ties(position) => own(position.text()),
    }
}

/// The game graph in layers, as SVG or in the language of Graphviz.
fn graph(game: &Game, dot: bool, common: &Common, session: &Session) -> Result<ExitCode, Failure> {
    let mut limits = session.limits();
    limits.positions = limits.positions.min(MOST_DRAWN);
    let found = match game {
        Game::Impartial(position) => game_graph(position, &limits),
        Game::Partizan(position) => game_graph(position, &limits),
        Game::Ties(position) => game_graph(position, &limits),
    };
    let found = found.map_err(|stop| match stop {
        Stop::Positions(most) => Failure::from(Diagnostic::stopped(stop).help(format!(
            "game graphs of up to {most} positions are drawn; --terminal writes the position alone"
        ))),
        stop => stop.into(),
    })?;
    let labelled = Labelled::new(&found, common.play(), &limits)?;
    let mut drawn = drawn(game.to_string(), &found, &labelled);
    shorten(&mut drawn, session);
    let mut out = io::stdout().lock();
    if dot {
        out.write_all(grundy_draw::game_graph_dot(&drawn).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let svg = grundy_draw::game_graph(&drawn);
    if common.json {
        writeln!(out, "{}", json!({"game": drawn.title, "svg": svg}))?;
    } else {
        out.write_all(svg.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn drawn(title: String, found: &GameGraph, labelled: &Labelled) -> grundy_draw::GameGraph {
    let vertices = (0..found.positions()).map(|position| {
        let (verdict, remoteness) = match labelled.verdict(found, position) {
            grundy::Verdict::Impartial(label) => {
                (Verdict::Outcome(label.outcome), label.remoteness)
            }
            grundy::Verdict::Partizan(class, _) => (Verdict::from(class), None),
            grundy::Verdict::Ties(value, remoteness) => (Verdict::Value(value), remoteness),
        };
        Vertex {
            name: found.names.get(position).to_owned(),
            verdict,
            remoteness,
            value: labelled
                .value(found, position)
                .map(|value| value.to_string()),
        }
    });
    let ties = matches!(found.shape, Shape::Ties(_));
    let turns = found.shape.turns();
    let edge = |from: u32, to: u32| Edge {
        from: found.position(from) as usize,
        to: found.position(to) as usize,
        mover: (turns == 2).then(|| Player::BOTH[(from % turns) as usize]),
        best: match [from, to].map(|vertex| labelled.label(vertex).outcome) {
            [Outcome::N, Outcome::P] => true,
            [Outcome::D, Outcome::D] => ties,
            _ => false,
        },
    };
    let edges = (0..found.graph.vertices() as u32).flat_map(|from| {
        found
            .graph
            .options(from)
            .iter()
            .map(move |&to| edge(from, to))
    });
    grundy_draw::GameGraph {
        title,
        vertices: vertices.collect(),
        edges: edges.collect(),
    }
}

/// Gives the positions shorter names: what the title says already, `game(moves, ` and `)`, and the quotation marks of
/// strings are left out, and boards of games with ties are written in short.
fn shorten(graph: &mut grundy_draw::GameGraph, session: &Session) {
    let call = graph
        .title
        .split_once(", ")
        .map(|(call, _)| format!("{call}, "))
        .filter(|call| call.starts_with("game("));
    let Some(call) = call else {
        for Vertex { name, verdict, .. } in &mut graph.vertices {
            if let (Verdict::Value(_), Ok(Game::Ties(position))) =
                (verdict, super::read(name, session))
            {
                *name = position.caption();
            }
        }
        return;
    };
    let between = format!(") + {call}");
    for Vertex { name, .. } in &mut graph.vertices {
        let inside = name
            .strip_prefix(&call)
            .and_then(|name| name.strip_suffix(')'));
        let short = inside.map_or_else(|| name.clone(), |name| name.replace(&between, " + "));
        let bare = short
            .strip_prefix('"')
            .and_then(|name| name.strip_suffix('"'));
        *name = match bare {
            Some(bare) if !bare.contains(['"', '\\']) => bare.to_owned(),
            _ => short,
        };
    }
}
