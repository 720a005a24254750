//! `grundy draw`: a picture of a position.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::{Labelled, Position, Stop, game_graph};
use grundy_draw::{GameGraph, Vertex};
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
    if let Game::Impartial(position) = &game {
        let given = matches!(&position.terms[..], [term] if term.network().is_some());
        if arguments.graph || arguments.dot || (given && !arguments.terminal) {
            return graph(position, arguments.dot, common, session);
        }
    } else if arguments.graph || arguments.dot {
        return Err(Diagnostic::stopped(Stop::NotImpartial)
            .help("`grundy tree --svg FILE` draws the tree of any game")
            .into());
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

/// The game graph in layers, as SVG or in the language of Graphviz.
fn graph(
    position: &Position,
    dot: bool,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut limits = session.limits();
    limits.positions = limits.positions.min(MOST_DRAWN);
    let game = game_graph(position, &limits).map_err(|stop| match stop {
        Stop::Positions(most) => Failure::from(
            Diagnostic::stopped(stop)
                .help(format!("game graphs of up to {most} positions are drawn")),
        ),
        stop => stop.into(),
    })?;
    let labelled = Labelled::new(&game, common.play(), &limits)?;
    let vertices = (0..game.graph.vertices() as u32).map(|v| {
        let label = labelled.label(v);
        Vertex {
            name: game.names.get(v).to_owned(),
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: labelled.value(&game, v).map(|value| value.to_string()),
        }
    });
    let edges = (0..game.graph.vertices() as u32).flat_map(|v| {
        let options = game.graph.options(v).iter();
        options.map(move |&w| (v as usize, w as usize))
    });
    let drawn = GameGraph {
        title: position.to_string(),
        vertices: vertices.collect(),
        edges: edges.collect(),
    };
    let mut out = io::stdout().lock();
    if dot {
        out.write_all(grundy_draw::game_graph_dot(&drawn).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let svg = grundy_draw::game_graph(&drawn);
    if common.json {
        writeln!(out, "{}", json!({"game": position.to_string(), "svg": svg}))?;
    } else {
        out.write_all(svg.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
