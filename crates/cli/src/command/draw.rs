//! `grundy draw`: a picture of a position.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy_notation::Game;
use serde_json::json;

use crate::arguments::{Common, Draw};
use crate::failure::Failure;
use crate::session::Session;

pub(crate) fn run(
    arguments: &Draw,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let (game, _) = super::game(&arguments.source, session)?;
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
