//! `draw`: a picture of a position, of its game graph, or of thermographs.

mod vertices;

use std::io::Write;

use grundy::message::Setting;
use grundy::{Diagnostic, Kind, Labelled, Position, Solver, Stop, game_graph, message};
use grundy_draw::{Look, Say};
use grundy_wording::answer::Named;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};

pub use grundy_draw::TerminalLook;
pub use grundy_play::board::{board, shown};

use crate::analyst::{Analyst, Question, of_source};
use crate::answer::Answer;
use crate::files;
use crate::job::Job;
use crate::learned::Learned;
use crate::question::{Draw, Drawing, Quantity, Telling};
use crate::value::{refusal, valued};
use grundy_job::reader::about;

/// Largest number of positions in a game graph that is drawn.
const MOST_DRAWN: u64 = 400;

/// A picture as an answer.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The position or the games in the picture, in the notation.
    pub game: String,
    /// The picture. Its words are in the language of the analyst.
    pub picture: String,
    /// The format of the picture.
    pub form: Drawing,
}

impl Report for Drawn {
    /// Returns a JSON object with the picture. The name of the format is its key.
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        let form = match self.form {
            Drawing::Svg => "svg",
            Drawing::Dot => "dot",
            Drawing::Terminal => "text",
            Drawing::Tikz => "tikz",
        };
        Box::new(Named(vec![("game", &self.game), (form, &self.picture)]))
    }

    fn plain(&self, _: Audience) -> String {
        self.picture.clone()
    }
}

impl Question for Draw {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }
}

pub(crate) fn answer(asked: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    // If the file must not be written, the error is reported before the picture is computed.
    if let Some(file) = &asked.svg {
        analyst.files().allowed(file)?;
    }
    let mut drawn = if asked.thermographs.is_empty() {
        of_position(asked, analyst, job)?
    } else {
        thermographs(asked, analyst, job)?
    };
    if let Some(file) = &asked.svg {
        let picture = std::mem::take(&mut drawn.picture);
        files::write(analyst.files(), file, |out| {
            out.write_all(picture.as_bytes())
        })?;
    }
    Ok(drawn)
}

/// Draws a position or its game graph.
fn of_position(asked: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    let position = analyst.position(&asked.source)?;
    // In the formats for terminals and for TikZ, boards can be drawn, but not game graphs.
    let of_position = matches!(asked.form(), Drawing::Terminal | Drawing::Tikz);
    if !of_position && (asked.graph || asked.form() == Drawing::Dot || is_graph(&position)) {
        graph(&position, asked, analyst, job)
    } else {
        of_terms(&position, asked, analyst, job)
    }
}

/// Draws the thermographs of several games in one picture. The label of each is the value of the
/// game, if it is short.
fn thermographs(asked: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    let say: Say<'_> = &|step| words(step, analyst.language());
    if asked.thermographs.len() > grundy_draw::GRAPHS {
        let (count, most) = (asked.thermographs.len(), grundy_draw::GRAPHS);
        let message = message!("{count} thermographs are too many for one picture", count);
        let help = message!("the limit is {most}", most);
        return Err(Diagnostic::new(Kind::Range, message).help(help));
    }
    if !matches!(asked.form(), Drawing::Svg | Drawing::Tikz) {
        let message = message!("thermographs are available as SVG or TikZ");
        return Err(Diagnostic::new(Kind::Type, message));
    }
    let mut learned = Learned::default();
    let mut graphs = Vec::new();
    for text in &asked.thermographs {
        let position = analyst.read(text)?;
        let of_text = |stop| about(refusal(stop), text);
        // Only these quantities are drawn. The others are not computed, since some of them are
        // expensive.
        let telling = Telling {
            of: vec![Quantity::Form, Quantity::Thermograph],
            ..Telling::default()
        };
        let (valued, _) = valued(&position, &telling, &mut learned, job).map_err(&of_text)?;
        let short = valued.facts.value.clone();
        let short = short.filter(|value| value.chars().count() <= grundy_draw::NAME);
        let heat = valued.facts.heat.as_ref();
        let Some(walls) = heat.and_then(|heat| heat.thermograph.as_deref()) else {
            // A thermograph can be missing only because of a limit.
            return Err(of_text(valued.stopped.unwrap_or(Stop::Time)));
        };
        let name = short.unwrap_or_else(|| position.to_string());
        graphs.push((name, walls.clone()));
    }
    let picture = match asked.form() {
        Drawing::Tikz => grundy_draw::thermographs_tikz(&graphs, asked.dark, say),
        _ => grundy_draw::thermographs(&graphs, asked.dark, say),
    };
    Ok(Drawn {
        game: asked.thermographs.join(", "),
        picture,
        form: asked.form(),
    })
}

/// Draws the terms of a position.
fn of_terms(
    position: &Position,
    asked: &Draw,
    analyst: &Analyst,
    job: &Job,
) -> Result<Drawn, Diagnostic> {
    let say: Say<'_> = &|step| words(step, analyst.language());
    let solution = asked.winning.then(|| {
        let solved = Solver::default().solve(position, asked.play, &job.limits());
        solved.map_err(|stop| of_source(stop, &asked.source))
    });
    let terms = shown(position, solution.transpose()?.as_ref(), analyst.language());
    let look = Look {
        dark: asked.dark,
        title: asked.title,
        labels: asked.labels,
        buttons: asked.buttons,
        vertices: false,
    };
    let picture = match asked.form() {
        Drawing::Terminal => {
            let look = TerminalLook {
                ascii: asked.ascii,
                labels: asked.labels,
                title: asked.title,
                ..TerminalLook::default()
            };
            grundy_draw::terminal(&terms, &look, say)
        }
        Drawing::Tikz => grundy_draw::tikz(&terms, &look, say),
        Drawing::Svg | Drawing::Dot => grundy_draw::svg(&terms, &look, say),
    };
    Ok(Drawn {
        game: position.to_string(),
        picture,
        form: asked.form(),
    })
}

/// Returns whether a position can be drawn only as a game graph. This is so for graphs and for
/// games with user-defined rules.
fn is_graph(position: &Position) -> bool {
    let only = position.only_term();
    only.is_some_and(|term| term.network().is_some() || term.name() == OWN)
}

/// The name of the constructor of games with user-defined rules.
const OWN: &str = "game";

/// Draws the game graph in layers, in SVG or in the language of Graphviz.
fn graph(
    position: &Position,
    asked: &Draw,
    analyst: &Analyst,
    job: &Job,
) -> Result<Drawn, Diagnostic> {
    let mut limits = job.limits();
    // A larger graph would be unreadable, so the search for positions stops early.
    limits.positions = limits.positions.min(MOST_DRAWN);
    let found = game_graph(position, &limits);
    let found = found.map_err(|stop| match stop {
        Stop::Positions(most) => Diagnostic::from(stop).help(message!(
            "game graphs of up to {most} positions can be drawn; {option} draws the position only",
            most,
            option = Setting::new("form").set_to("terminal")
        )),
        stop => stop.into(),
    })?;
    let labelled = Labelled::new(&found, asked.play, &limits)?;
    let drawn = vertices::drawn(position.to_string(), &found, &labelled);
    let say: Say<'_> = &|step| words(step, analyst.language());
    let picture = match asked.form() {
        Drawing::Dot => grundy_draw::game_graph_dot(&drawn, say),
        _ => grundy_draw::game_graph(&drawn, asked.dark, say),
    };
    Ok(Drawn {
        game: drawn.title,
        picture,
        form: asked.form(),
    })
}
