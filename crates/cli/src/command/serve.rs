//! `grundy serve`: the server of the web page.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, ExitCode, Stdio};

use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Message, message};
use grundy_server::{Program, Server, Settings};
use grundy_wording::words;

use crate::MEMORY;
use crate::arguments::{Common, ServeArgs};
use crate::failure::Failure;
use crate::output;

/// Runs the server until it is interrupted. With `--worker`, runs a worker process of a server
/// instead.
pub(crate) fn run(arguments: &ServeArgs, common: &Common) -> Result<ExitCode, Failure> {
    if let Some(tables) = &arguments.tables {
        // If the folder cannot be read, report it now and not in the answer to each request.
        std::fs::read_dir(tables).map_err(|error| Diagnostic::io(tables.display(), &error))?;
    }
    if arguments.worker {
        grundy_server::work(&MEMORY, arguments.tables.clone())?;
        return Ok(ExitCode::SUCCESS);
    }
    // The server runs this program as its worker processes. They open the same folder of
    // tablebases.
    let mut worker: Vec<OsString> = vec!["serve".into(), "--worker".into()];
    if let Some(tables) = &arguments.tables {
        worker.extend(["--tables".into(), tables.into()]);
    }
    let settings = Settings {
        address: arguments.bind,
        port: arguments.port,
        public: arguments.public_url.clone(),
        frame: arguments.frame_ancestor.clone(),
        program: Program::this(worker)?,
        workers: arguments.workers,
        memory: common.max_memory.saturating_mul(1 << 20),
    };
    let server = Server::bind(settings).map_err(|error| {
        let message = message!(
            "port {port} of {address}: {what}",
            port = arguments.port,
            address = arguments.bind,
            what = Message::from(&error)
        );
        let help = message!("--port 0 selects any free port");
        Diagnostic::new(Kind::Io, message).help(help)
    })?;
    let url = server.url();
    let mut out = output::stdout();
    // A script may read the address from standard output, so it is flushed before the server
    // starts.
    writeln!(out, "{url}")?;
    if let Some(public) = &arguments.public_url {
        writeln!(out, "{public}/")?;
    }
    out.flush()?;
    drop(out);
    let say = |code| format!("{}\n", words(&Step::new(code), common.language()));
    if !arguments.bind.is_loopback() && arguments.public_url.is_none() {
        output::write_message(&say("serve_open_to_all"));
    }
    // Without a terminal, the server was probably started by a script. Then no browser is opened.
    if io::stdout().is_terminal() {
        output::write_message(&say("serve_until"));
        if !arguments.no_open {
            open(&url);
        }
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

/// Opens a page in the browser. Ignores errors, since the terminal also shows the address.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(target_os = "windows") {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _ = quiet.spawn();
}
