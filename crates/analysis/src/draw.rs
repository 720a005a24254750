//! `draw`: a picture of a position.

mod vertices;

use std::io::{self, Write};

use grundy::{Diagnostic, Labelled, Position, Stop, game_graph};
use grundy_draw::Say;
use grundy_notation::Language;
use grundy_notation::answer::json_line;
use grundy_notation::wording::words;
use serde::Serialize;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::question::{Draw, Drawing};
use crate::report::Report;

/// Most positions of a game graph that is drawn.
const MOST_DRAWN: u64 = 400;

/// A picture.
#[derive(Clone, Debug, Serialize)]
pub struct Drawn {
    /// What it shows, in the notation.
    pub game: String,
    /// The picture, in the language asked for.
    #[serde(rename = "svg")]
    pub picture: String,
}

impl Report for Drawn {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        json_line(out, self)
    }

    fn plain(&self, _: Language) -> String {
        self.picture.clone()
    }
}

pub(crate) fn answer(asked: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    let position = analyst.position(&asked.source)?;
    let terminal = asked.form == Drawing::Terminal;
    if !terminal && (asked.graph || asked.form == Drawing::Dot || is_graph(&position)) {
        return graph(&position, asked, job);
    }
    let terms = position.terms().iter();
    let say: Say<'_> = &|step| words(step, asked.language);
    let terms: Vec<_> = terms.map(|term| (term.text(), term.picture())).collect();
    Ok(Drawn {
        game: position.to_string(),
        picture: if terminal {
            grundy_draw::terminal(&terms, asked.labels, say)
        } else {
            grundy_draw::svg(&terms, asked.labels, say)
        },
    })
}

/// The position in characters, as it stands on a board in a terminal.
#[must_use]
pub fn board(position: &Position, language: Language) -> String {
    let terms = position.terms().iter();
    let terms: Vec<_> = terms.map(|term| (term.text(), term.picture())).collect();
    grundy_draw::terminal(&terms, true, &|step| words(step, language))
}

/// Whether a position has no other picture than its game graph: it was given as a graph, or by rules of one's own.
fn is_graph(position: &Position) -> bool {
    let only = position.only_term();
    only.is_some_and(|term| term.network().is_some() || term.name() == OWN)
}

/// The constructor of games of one's own.
const OWN: &str = "game";

/// The game graph in layers, as SVG or in the language of Graphviz.
fn graph(position: &Position, asked: &Draw, job: &Job) -> Result<Drawn, Diagnostic> {
    let mut limits = job.limits();
    limits.positions = limits.positions.min(MOST_DRAWN);
    let found = game_graph(position, &limits);
    let found = found.map_err(|stop| match stop {
        Stop::Positions(most) => Diagnostic::from(stop).help(format!(
            "game graphs of up to {most} positions are drawn; --terminal writes the position alone"
        )),
        stop => stop.into(),
    })?;
    let labelled = Labelled::new(&found, asked.play, &limits)?;
    let drawn = vertices::drawn(position.to_string(), &found, &labelled);
    let say: Say<'_> = &|step| words(step, asked.language);
    let picture = match asked.form {
        Drawing::Dot => grundy_draw::game_graph_dot(&drawn, say),
        _ => grundy_draw::game_graph(&drawn, say),
    };
    Ok(Drawn {
        game: drawn.title,
        picture,
    })
}
