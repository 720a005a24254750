//! `grundy draw`: a picture of a position.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use grundy::{Limits, Outcome, Play, Position, Stop, game_graph, partizan, ties};
use grundy_draw::{Edge, GameGraph, Verdict, Vertex};
use grundy_notation::{Diagnostic, Game};
use serde_json::json;

use super::label::Labelled;
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
    let play = common.play();
    let drawn =
        match game {
            Game::Impartial(position) => impartial(position, play, &limits),
            Game::Partizan(position) => partizan::Graph::of(position, play, &limits)
                .map(|graph| of_two_players(game, graph)),
            Game::Ties(position) => ties::Graph::of(Arc::clone(position), play, &limits)
                .map(|graph| with_ties(game, graph)),
        };
    let mut drawn = drawn.map_err(|stop| match stop {
        Stop::Positions(most) => Failure::from(Diagnostic::stopped(stop).help(format!(
            "game graphs of up to {most} positions are drawn; --terminal writes the position alone"
        ))),
        stop => stop.into(),
    })?;
    shorten(&mut drawn);
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

fn impartial(position: &Position, play: Play, limits: &Limits<'_>) -> Result<GameGraph, Stop> {
    let network = game_graph(position, limits)?;
    let labelled = Labelled::new(&network, play, limits)?;
    let outcome = |v: u32| labelled.label(v).outcome;
    let vertices = (0..network.graph.vertices() as u32).map(|v| Vertex {
        name: network.names.get(v).to_owned(),
        verdict: Verdict::Outcome(outcome(v)),
        remoteness: labelled.label(v).remoteness,
        value: labelled.value(&network, v).map(|value| value.to_string()),
    });
    let edges = (0..network.graph.vertices() as u32).flat_map(|from| {
        let options = network.graph.options(from).iter();
        options.map(move |&to| (from, to))
    });
    let edges = edges.map(|(from, to)| Edge {
        from: from as usize,
        to: to as usize,
        mover: None,
        best: outcome(from) == Outcome::N && outcome(to) == Outcome::P,
    });
    Ok(GameGraph {
        title: position.to_string(),
        vertices: vertices.collect(),
        edges: edges.collect(),
    })
}

fn of_two_players(game: &Game, graph: partizan::Graph) -> GameGraph {
    let edges = graph.moves.iter().map(|&step| Edge {
        from: step.0 as usize,
        to: step.1 as usize,
        mover: Some(step.2),
        best: graph.wins(step),
    });
    let edges = edges.collect();
    let classes = graph.classes.into_iter().map(Verdict::Class);
    GameGraph {
        title: game.to_string(),
        vertices: graph.names.into_iter().zip(classes).map(plain).collect(),
        edges,
    }
}

fn with_ties(game: &Game, graph: ties::Graph) -> GameGraph {
    let edges = graph.moves.iter().map(|&step| Edge {
        from: step.0 as usize,
        to: step.1 as usize,
        mover: None,
        best: graph.keeps(step),
    });
    let edges = edges.collect();
    let values = graph.values.into_iter().map(Verdict::Value);
    GameGraph {
        title: game.to_string(),
        vertices: graph.names.into_iter().zip(values).map(plain).collect(),
        edges,
    }
}

fn plain((name, verdict): (String, Verdict)) -> Vertex {
    Vertex {
        name,
        verdict,
        remoteness: None,
        value: None,
    }
}

/// Leaves out of the names what the title says already, `game(moves, ` and `)`, and the quotation marks of strings.
fn shorten(graph: &mut GameGraph) {
    let Some((call, _)) = graph.title.split_once(", ") else {
        return;
    };
    let call = format!("{call}, ");
    if !call.starts_with("game(") {
        return;
    }
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
