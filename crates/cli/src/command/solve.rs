//! `grundy solve`: one position, or one a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::process::ExitCode;

use grundy::solve::loopy::Loopy;
use grundy::solve::{Status, search};
use grundy::{Kind, Limits, Outcome, Play, Position, Solution, Solver, Stop, explain};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Game, Language, answer};
use serde_json::{Map, Value, json};

use crate::arguments::{Common, Solve};
use crate::failure::Failure;
use crate::session::Session;

/// Longest line of a batch; the rest of a longer one is skipped.
const LINE: u64 = 8 << 20;

pub(crate) fn run(solve: &Solve, common: &Common, session: &Session) -> Result<ExitCode, Failure> {
    if let Some(file) = &solve.jsonl {
        if file.as_os_str() == "-" {
            return batch(BufReader::new(io::stdin()), solve, common, session);
        }
        let opened = File::open(file)
            .map_err(|error| Diagnostic::new(Kind::Io, format!("{}: {error}", file.display())))?;
        return batch(BufReader::new(opened), solve, common, session);
    }
    let (game, source) = super::game(&solve.source, session)?;
    let fail = |diagnostic| Failure::input(diagnostic, &source);
    let play = common.play();
    let position = match game {
        Game::Impartial(position) => position,
        Game::Partizan(position) => {
            let limits = session.limits();
            let text = if common.json {
                let object = super::partizan::object(&position, play, &limits);
                format!("{}\n", Value::Object(object.map_err(fail)?))
            } else {
                let plain = super::partizan::plain(&position, play, &limits, common.language());
                plain.map_err(fail)?
            };
            io::stdout().lock().write_all(text.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Game::Ties(position) => {
            let limits = session.limits();
            let text = if common.json {
                let object = super::ties::object(&*position, play, &limits);
                format!("{}\n", Value::Object(object.map_err(fail)?))
            } else {
                super::ties::plain(&*position, play, &limits, common.language()).map_err(fail)?
            };
            io::stdout().lock().write_all(text.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let mut solver = Solver::default();
    let solution = answer_for(
        &position,
        play,
        solve.remoteness,
        &mut solver,
        &session.limits(),
    )
    .map_err(fail)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if common.json {
        writeln!(
            out,
            "{}",
            Value::Object(answer::solution(&position, play, &solution))
        )?;
    } else {
        write!(
            out,
            "{}",
            plain(&position, play, &solution, common.language())
        )?;
    }
    out.flush()?;
    let partial = solution.status == Status::Partial;
    Ok(ExitCode::from(if partial { 3 } else { 0 }))
}

/// The solution, with remoteness if wanted.
fn answer_for(
    position: &Position,
    play: Play,
    remoteness: bool,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Solution, Diagnostic> {
    let mut solution = solver
        .solve(position, play, limits)
        .map_err(Diagnostic::stopped)?;
    if remoteness {
        let label = search::label(position, play, limits).map_err(|stop| {
            let diagnostic = Diagnostic::stopped(stop);
            if stop == Stop::Interrupted {
                diagnostic
            } else {
                diagnostic.help("leave out --remoteness: the outcome is known")
            }
        })?;
        solution.remoteness = Some(label.remoteness);
    }
    Ok(solution)
}

/// Characters of a position that people are shown.
const BRIEF: usize = 2000;

/// Bytes of positions after which winning moves are listed without the positions they lead to.
const READABLE: usize = 16 << 20;

/// The text, cut where it gets too long to read.
pub(super) fn brief(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(BRIEF) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// The answer for people.
pub(crate) fn plain(
    position: &Position,
    play: Play,
    solution: &Solution,
    language: Language,
) -> String {
    use std::fmt::Write as _;
    let say = |code| phrase(code, language);
    let mut out = String::new();
    let outcome = match solution.outcome {
        Outcome::N => "outcome_n",
        Outcome::P => "outcome_p",
        Outcome::D => "outcome_d",
    };
    let _ = writeln!(out, "{}", brief(position.to_string()));
    let _ = writeln!(out, "  {}", say(outcome));
    if let Some(grundy) = solution.grundy {
        let _ = writeln!(out, "  {}: {grundy}", say("label_value"));
    }
    if let Some(set) = &solution.infinity {
        let value = Loopy::Infinite(set.clone());
        let _ = writeln!(out, "  {}: {value}", say("label_value"));
    }
    if let Some(Some(remoteness)) = solution.remoteness {
        let _ = writeln!(out, "  {}: {remoteness}", say("label_remoteness"));
    }
    let _ = writeln!(
        out,
        "  {}",
        words(&explain::kind_of_game(position, play), language)
    );
    for remark in position.terms.iter().flat_map(|term| term.remarks()) {
        let _ = writeln!(out, "  {}", words(&remark, language));
    }
    let _ = writeln!(
        out,
        "  {}: {}, {}: {}",
        say("label_method"),
        solution.method,
        say("label_status"),
        solution.status.name()
    );
    // In misère play an end is won without a move.
    let won_already = solution.winning_moves.is_empty() && solution.moves_complete;
    if solution.outcome != Outcome::N || won_already {
        return out;
    }
    let _ = writeln!(out, "  {}:", say("label_moves"));
    let mut written = 0;
    for winning in &solution.winning_moves {
        let mut action = words(&winning.mv.action, language);
        if position.terms.len() > 1 {
            let place = grundy::step::Step::new("label_component").with("index", winning.component);
            action = format!("{}: {action}", words(&place, language));
        }
        let _ = write!(out, "    {action}");
        if written < READABLE {
            let to = winning.to.to_string();
            written += to.len();
            let _ = write!(out, " -> {}", brief(to));
        }
        if let Some(repeats) = winning.repeats {
            let more = grundy::step::Step::new("more_in_steps")
                .with("count", repeats.count - 1)
                .with("step", repeats.step);
            let _ = write!(out, " {}", words(&more, language));
        }
        out.push('\n');
    }
    if !solution.moves_complete {
        let _ = writeln!(out, "    {}", say("label_more"));
    }
    out
}

/// One answer a line, in input order; a bad line becomes an error object and the rest goes on.
fn batch(
    mut input: BufReader<impl io::Read>,
    solve: &Solve,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut solver = Solver::default();
    let mut failed = false;
    let mut line = Vec::new();
    let mut first = true;
    loop {
        line.clear();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == LINE && !line.ends_with(b"\n") {
            skip_line(&mut input)?;
        }
        if std::mem::take(&mut first) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        let content = line.trim_ascii();
        if content.is_empty() {
            continue;
        }
        if session.interrupted() {
            break;
        }
        let object = one_line(content, solve, common, session, &mut solver);
        failed |= object.contains_key("error");
        writeln!(out, "{}", Value::Object(object))?;
        // Whoever feeds line by line gets answers line by line.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    let code = if session.interrupted() {
        130
    } else {
        u8::from(failed)
    };
    Ok(ExitCode::from(code))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

fn one_line(
    content: &[u8],
    solve: &Solve,
    common: &Common,
    session: &Session,
    solver: &mut Solver,
) -> Map<String, Value> {
    let mut out = Map::new();
    let request = match request(content, common.play()) {
        Ok(request) => request,
        Err((id, diagnostic, source)) => {
            out.extend(id.map(|id| ("id".to_owned(), id)));
            if source.len() <= 1000 {
                out.insert("game".into(), json!(source));
            }
            return with_error(out, &diagnostic, &source);
        }
    };
    out.extend(request.id.map(|id| ("id".to_owned(), id)));
    let limits = session.limits();
    let solved = super::read(&request.game, session).and_then(|game| {
        let position = match game {
            Game::Impartial(position) => position,
            Game::Partizan(position) => {
                return super::partizan::object(&position, request.play, &limits);
            }
            Game::Ties(position) => return super::ties::object(&*position, request.play, &limits),
        };
        let answer = answer_for(&position, request.play, solve.remoteness, solver, &limits);
        let answer = match answer {
            Err(diagnostic) if diagnostic.kind == Kind::Limit => {
                // What earlier lines left in memory must not change the answer of this one.
                *solver = Solver::default();
                answer_for(&position, request.play, solve.remoteness, solver, &limits)
            }
            answer => answer,
        }?;
        Ok(self::answer::solution(&position, request.play, &answer))
    });
    match solved {
        Ok(answer) => {
            out.extend(answer);
            out
        }
        Err(diagnostic) => {
            if request.game.len() <= 1000 {
                out.insert("game".into(), json!(request.game));
            }
            // What went wrong in a rule file says more than that it did.
            match session.rules_failed() {
                Some((diagnostic, source)) => with_error(out, &diagnostic, &source),
                None => with_error(out, &diagnostic, &request.game),
            }
        }
    }
}

fn with_error(
    mut out: Map<String, Value>,
    diagnostic: &Diagnostic,
    source: &str,
) -> Map<String, Value> {
    if let Value::Object(error) = diagnostic.to_json(source) {
        out.extend(error);
    }
    out
}

/// A line of a batch.
struct Request {
    id: Option<Value>,
    game: String,
    play: Play,
}

#[expect(
    clippy::result_large_err,
    reason = "made once a line at most, and used at once"
)]
fn request(content: &[u8], play: Play) -> Result<Request, (Option<Value>, Diagnostic, String)> {
    let Ok(line) = std::str::from_utf8(content) else {
        return Err((
            None,
            Diagnostic::new(Kind::Encoding, "the line is not UTF-8"),
            String::new(),
        ));
    };
    if !line.starts_with('{') {
        return Ok(Request {
            id: None,
            game: line.to_owned(),
            play,
        });
    }
    let refuse = |id, kind, message: String| (id, Diagnostic::new(kind, message), line.to_owned());
    let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        let column = error.column().saturating_sub(1).min(line.len());
        let place = (0..=column)
            .rev()
            .find(|&i| line.is_char_boundary(i))
            .unwrap_or(0);
        let diagnostic = Diagnostic::new(Kind::Syntax, "the line is not a JSON object")
            .help("write an object with the key \"game\", or a plain expression");
        (None, diagnostic.at(place..place), line.to_owned())
    })?;
    let id = object.get("id").cloned();
    let play = match object.get("play").map(|play| play.as_str()) {
        None => play,
        Some(Some("normal")) => Play::Normal,
        Some(Some("misere")) => Play::Misere,
        Some(_) => {
            let message = "`play` must be \"normal\" or \"misere\"".to_owned();
            return Err(refuse(id, Kind::Range, message));
        }
    };
    match object.get("game") {
        Some(Value::String(game)) => Ok(Request {
            id,
            game: game.clone(),
            play,
        }),
        Some(_) => Err(refuse(id, Kind::Type, "`game` must be a string".to_owned())),
        None => Err(refuse(
            id,
            Kind::Syntax,
            "the key `game` is missing".to_owned(),
        )),
    }
}
