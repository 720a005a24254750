//! `draw`: a picture of a position, of its game graph, or of thermographs.

mod vertices;

use std::io::Write;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Labelled, Position, Solver, Stop, game_graph, message};
use grundy_draw::{PictureStyle, Wording};
use grundy_wording::answer::OrderedMap;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};

pub use grundy_draw::TerminalStyle;
pub use grundy_play::board::{board, shown};

use crate::analyst::{Analyst, Question, attach_source};
use crate::answer::Answer;
use crate::files;
use crate::job::Job;
use crate::question::{Draw, Drawing, Quantity, ValueRequest};
use crate::result_cache::ResultCache;
use crate::value::{no_value_error, valued};
use grundy_job::reader::with_source;

/// Largest number of positions in a game graph that is drawn.
const MAX_DRAWN_POSITIONS: u64 = 400;

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
    /// Returns a JSON object with the picture. The key of the picture is the name of its format.
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        let form = match self.form {
            Drawing::Svg => "svg",
            Drawing::Dot => "dot",
            Drawing::Terminal => "text",
            Drawing::Tikz => "tikz",
        };
        Box::new(OrderedMap(vec![
            ("game", &self.game),
            (form, &self.picture),
        ]))
    }

    fn plain(&self, _: Audience) -> String {
        self.picture.clone()
    }
}

impl Question for Draw {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }
}

pub(crate) fn answer(question: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    // If the file must not be written, the error is reported before the picture is computed.
    if let Some(file) = &question.svg {
        analyst.files().allowed(file)?;
    }
    let mut drawn = if question.thermographs.is_empty() {
        of_position(question, analyst, job)?
    } else {
        thermographs(question, analyst, job)?
    };
    if let Some(file) = &question.svg {
        let picture = std::mem::take(&mut drawn.picture);
        files::write(analyst.files(), file, |out| {
            out.write_all(picture.as_bytes())
        })?;
    }
    Ok(drawn)
}

/// Draws a position or its game graph.
fn of_position(question: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    let position = analyst.position(&question.source)?;
    // In the formats for terminals and for TikZ, boards can be drawn, but not game graphs.
    let draws_board = matches!(question.form(), Drawing::Terminal | Drawing::Tikz);
    if !draws_board && (question.graph || question.form() == Drawing::Dot || is_graph(&position)) {
        graph(&position, question, analyst, job)
    } else {
        of_terms(&position, question, analyst, job)
    }
}

/// Draws the thermographs of several games in one picture. Each thermograph is labelled with the
/// value of its game, or with the game itself if the value is long.
fn thermographs(question: &Draw, analyst: &Analyst, job: &Job) -> Result<Drawn, Diagnostic> {
    let say: Wording<'_> = &|step| words(step, analyst.language());
    if question.thermographs.len() > grundy_draw::MAX_THERMOGRAPHS {
        let (count, most) = (question.thermographs.len(), grundy_draw::MAX_THERMOGRAPHS);
        let message = message!("{count} thermographs are too many for one picture", count);
        let help = message!("the limit is {most}", most);
        return Err(Diagnostic::new(Kind::Range, message).help(help));
    }
    if !matches!(question.form(), Drawing::Svg | Drawing::Tikz) {
        let message = message!("thermographs are available as SVG or TikZ");
        return Err(Diagnostic::new(Kind::Type, message));
    }
    let mut cache = ResultCache::default();
    let mut graphs = Vec::new();
    for text in &question.thermographs {
        let position = analyst.read(text)?;
        let of_text = |stop| with_source(no_value_error(stop), text);
        // Only these quantities are drawn. The others are not computed, since some of them are
        // expensive.
        let request = ValueRequest {
            quantities: vec![Quantity::Form, Quantity::Thermograph],
            ..ValueRequest::default()
        };
        let (valued, _) = valued(&position, &request, &mut cache, job).map_err(&of_text)?;
        let short = valued.facts.value.clone();
        let short = short.filter(|value| value.chars().count() <= grundy_draw::MAX_NAME_LETTERS);
        let heat = valued.facts.heat.as_ref();
        let Some(walls) = heat.and_then(|heat| heat.thermograph.as_deref()) else {
            // A thermograph can be missing only because of a limit.
            return Err(of_text(valued.stopped.unwrap_or(Stop::Time)));
        };
        let name = short.unwrap_or_else(|| position.to_string());
        graphs.push((name, walls.clone()));
    }
    let picture = match question.form() {
        Drawing::Tikz => grundy_draw::thermographs_tikz(&graphs, question.dark, say),
        _ => grundy_draw::thermographs(&graphs, question.dark, say),
    };
    Ok(Drawn {
        game: question.thermographs.join(", "),
        picture,
        form: question.form(),
    })
}

/// Draws the terms of a position.
fn of_terms(
    position: &Position,
    question: &Draw,
    analyst: &Analyst,
    job: &Job,
) -> Result<Drawn, Diagnostic> {
    let say: Wording<'_> = &|step| words(step, analyst.language());
    let solution = question.winning.then(|| {
        let solved = Solver::default().solve(position, question.play, &job.limits());
        solved.map_err(|stop| attach_source(stop, &question.source))
    });
    let terms = shown(position, solution.transpose()?.as_ref(), analyst.language());
    let look = PictureStyle {
        dark: question.dark,
        title: question.title,
        labels: question.labels,
        buttons: question.buttons,
        vertices: false,
    };
    let picture = match question.form() {
        Drawing::Terminal => {
            let look = TerminalStyle {
                ascii: question.ascii,
                labels: question.labels,
                title: question.title,
                ..TerminalStyle::default()
            };
            grundy_draw::terminal(&terms, &look, say)
        }
        Drawing::Tikz => grundy_draw::tikz(&terms, &look, say),
        Drawing::Svg | Drawing::Dot => grundy_draw::svg(&terms, &look, say),
    };
    Ok(Drawn {
        game: position.to_string(),
        picture,
        form: question.form(),
    })
}

/// Returns whether a position can be drawn only as a game graph. This is so for graphs and for
/// games with user-defined rules.
fn is_graph(position: &Position) -> bool {
    let only = position.only_term();
    only.is_some_and(|term| term.network().is_some() || term.name() == USER_DEFINED)
}

/// The name of the constructor of games with user-defined rules.
const USER_DEFINED: &str = "game";

/// Draws the game graph in layers, in SVG or in the language of Graphviz.
fn graph(
    position: &Position,
    question: &Draw,
    analyst: &Analyst,
    job: &Job,
) -> Result<Drawn, Diagnostic> {
    let mut limits = job.limits();
    // A larger graph would be unreadable, so the search for positions stops early.
    limits.positions = limits.positions.min(MAX_DRAWN_POSITIONS);
    let found = game_graph(position, &limits);
    let found = found.map_err(|stop| match stop {
        Stop::Positions(most) => Diagnostic::from(stop).help(message!(
            "game graphs of more than {most} positions cannot be drawn; use {option} to draw the position without its game graph",
            most,
            option = Setting::new("form").set_to("terminal")
        )),
        stop => stop.into(),
    })?;
    let labelled = Labelled::new(&found, question.play, &limits)?;
    let drawn = vertices::graph_picture(position.to_string(), &found, &labelled);
    let say: Wording<'_> = &|step| words(step, analyst.language());
    let picture = match question.form() {
        Drawing::Dot => grundy_draw::game_graph_dot(&drawn, say),
        _ => grundy_draw::game_graph(&drawn, question.dark, say),
    };
    Ok(Drawn {
        game: drawn.title,
        picture,
        form: question.form(),
    })
}
