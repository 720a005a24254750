//! The folder of a tablebase on a server that sends files: pieces of them are asked for, and what
//! comes is held against what was asked.
//!
//! A piece is asked for by a range of bytes and answered with status 206 and a `Content-Range` (R.
//! Fielding, M. Nottingham, J. Reschke, HTTP Semantics, RFC 9110, 2022, section 14). Only the
//! manifest is asked for as a whole.

use std::io::{self, Read as _};
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_base::{Diagnostic, Kind, Message, Stop, message};
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body, Error, Timeout};

use crate::damaged;
use crate::manifest;
use crate::place::{Place, has_scheme, missing, other_length, too_long};

/// So long a connection may take to come about.
const CONNECTING: Duration = Duration::from_secs(10);
/// So long a server may send nothing.
const STALLED: Duration = Duration::from_secs(10);
/// Time limit of one answer, redirections included. A server that sends a byte now and then never
/// stalls.
const WHOLE: Duration = Duration::from_secs(60);
/// How often somebody is asked whether to go on.
const LOOK: Duration = Duration::from_millis(20);
/// Redirections that are followed.
const REDIRECTIONS: u32 = 3;

/// Who is asked, while a server is waited for, whether to stop.
pub type Watch = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;

/// A folder on a server, by its address. Connections are kept between requests.
///
/// ```
/// use grundy_tablebase::{Place, Web};
/// let place = Web::new("http://example.org/chomp/")?;
/// assert_eq!(place.name("outcome.data"), "http://example.org/chomp/outcome.data");
/// assert!(Web::new("http://example.org/chomp?page=2").is_err());
/// # Ok::<(), grundy_base::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct Web {
    /// The address of the folder, without a slash at its end.
    address: String,
    agent: Agent,
    /// Time limit of a whole answer.
    whole: Duration,
    watch: Watched,
}

/// Whether to stop is asked of somebody else in each question.
struct Watched(Mutex<Watch>);

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watched").finish_non_exhaustive()
    }
}

/// What is wrong with an answer, for the error that names its file.
enum Fault {
    /// The file has another length.
    Length(u64),
    /// The file is longer than may be.
    TooLong,
    /// The answer does not come within its time limit.
    Slow,
    /// Anything else.
    Other(Message),
}

impl Web {
    /// Returns the folder with an address, `http://` or `https://`; that of its manifest may be
    /// said as well. Nothing is asked yet.
    ///
    /// # Errors
    /// What is no such address, and `https` where the program was built without it.
    pub fn new(address: &str) -> Result<Self, Diagnostic> {
        let refuse = |what: Message| {
            Diagnostic::new(
                Kind::Syntax,
                message!("{file}: {what}", file = address, what),
            )
        };
        if address.contains(['?', '#'])
            || address.contains(|c: char| c.is_whitespace() || c.is_control())
        {
            return Err(refuse(message!(
                "the address of a folder ends with its name"
            )));
        }
        if cfg!(not(feature = "https")) && has_scheme(address, "https://") {
            return Err(
                refuse(message!("this program was built without https")).help(message!(
                    "build it with the feature `https`, or fetch the folder and probe it on the disk"
                )),
            );
        }
        let folder = address.strip_suffix(manifest::FILE).unwrap_or(address);
        Ok(Self {
            address: folder.trim_end_matches('/').to_owned(),
            agent: agent(STALLED, WHOLE),
            whole: WHOLE,
            watch: Watched(Mutex::new(Arc::new(|| None))),
        })
    }

    /// Sets two time limits: one for a server that sends nothing (usually 10 seconds), and one for
    /// a whole answer (usually a minute).
    #[must_use]
    pub fn patient(self, stalled: Duration, whole: Duration) -> Self {
        Self {
            agent: agent(stalled, whole),
            whole,
            ..self
        }
    }

    /// Whoever is asked from now on whether to stop.
    pub fn watch(&self, watch: Watch) {
        *self.watch.0.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// Asks on a thread of its own and waits, looking up now and then. A request that is given up
    /// ends with its time.
    fn ask(&self, file: &str, wanted: Wanted) -> Result<Vec<u8>, Diagnostic> {
        let name = self.name(file);
        let (agent, address) = (self.agent.clone(), name.clone());
        let (tell, told) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("fetch".to_owned())
            // Whoever has given up does not listen.
            .spawn(move || drop(tell.send(wanted.fetch(&agent, &address))))
            .map_err(|error| Diagnostic::io(&name, &error))?;
        let watch = Arc::clone(&self.watch.0.lock().unwrap_or_else(PoisonError::into_inner));
        let found = loop {
            match told.recv_timeout(LOOK) {
                Ok(found) => break found,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(stop) = watch() {
                        return Err(stop.into());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Fault::Other(message!("the server could not be asked")));
                }
            }
        };
        found.map_err(|fault| match (fault, wanted) {
            (Fault::Length(found), Wanted::Piece { length, .. }) => {
                other_length(&name, found, length)
            }
            (Fault::TooLong, Wanted::Whole { most }) => too_long(&name, most),
            (Fault::Slow, _) => {
                let what = message!(
                    "the server is too slow: its answer is not complete after {seconds} s",
                    seconds = self.whole.as_secs()
                );
                damaged(&name, &what)
            }
            (Fault::Other(what), _) => damaged(&name, &what),
            (Fault::Length(_) | Fault::TooLong, _) => damaged(&name, &lies()),
        })
    }
}

impl Place for Web {
    fn name(&self, file: &str) -> String {
        format!("{}/{file}", self.address)
    }

    fn whole(&self, file: &str, most: u64) -> Result<Vec<u8>, Diagnostic> {
        self.ask(file, Wanted::Whole { most })
    }

    fn read(&self, file: &str, length: u64, range: Range<u64>) -> Result<Vec<u8>, Diagnostic> {
        // HTTP has no range without a byte.
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let Range { start, end } = range;
        self.ask(file, Wanted::Piece { length, start, end })
    }
}

fn agent(stalled: Duration, whole: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(REDIRECTIONS)
        .accept_encoding("identity")
        .user_agent(concat!("grundy/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(CONNECTING.min(stalled)))
        .timeout_resolve(Some(CONNECTING.min(stalled)))
        .timeout_per_read(Some(stalled))
        .timeout_per_write(Some(stalled))
        .timeout_global(Some(whole));
    #[cfg(feature = "https")]
    let config = config.tls_config(crate::trust::trusted());
    config.build().into()
}

/// What is asked for of a file.
#[derive(Clone, Copy)]
enum Wanted {
    /// All of it.
    Whole { most: u64 },
    /// The bytes from `start` up to `end` of `length`.
    Piece { length: u64, start: u64, end: u64 },
}

impl Wanted {
    fn fetch(self, agent: &Agent, address: &str) -> Result<Vec<u8>, Fault> {
        // A connection that was kept may have been closed by the other side just now: that is no
        // fault.
        let answer = self.request(agent, address).or_else(|error| match error {
            Error::Io(_) => self.request(agent, address),
            other => Err(other),
        });
        let mut answer = answer.map_err(|error| fault(&error))?;
        let encoding = answer.headers().get(header::CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding != "identity") {
            return Err(Fault::Other(lies()));
        }
        let most = match self {
            Self::Whole { most } => {
                status(answer.status(), StatusCode::OK)?;
                most
            }
            Self::Piece { length, start, end } => {
                status(answer.status(), StatusCode::PARTIAL_CONTENT)?;
                match content_range(&answer) {
                    Some((first, last, all)) if first == start && last == end - 1 => {
                        if all != length {
                            return Err(Fault::Length(all));
                        }
                    }
                    _ => return Err(Fault::Other(lies())),
                }
                end - start
            }
        };
        let mut bytes = Vec::new();
        let read = answer
            .body_mut()
            .as_reader()
            .take(most + 1)
            .read_to_end(&mut bytes);
        read.map_err(|error| broken_off(&error))?;
        let length = bytes.len() as u64;
        match self {
            Self::Whole { .. } if length > most => Err(Fault::TooLong),
            Self::Piece { .. } if length > most => Err(Fault::Other(lies())),
            Self::Piece { .. } if length < most => Err(Fault::Other(too_little())),
            _ => Ok(bytes),
        }
    }

    fn request(self, agent: &Agent, address: &str) -> Result<Response<Body>, Error> {
        let request = agent.get(address);
        match self {
            Self::Whole { .. } => request.call(),
            Self::Piece { start, end, .. } => {
                let range = format!("bytes={start}-{}", end - 1);
                request.header(header::RANGE, range).call()
            }
        }
    }
}

/// Returns the first and the last byte that came, and how many there are in all, as the answer says
/// it.
fn content_range(answer: &Response<Body>) -> Option<(u64, u64, u64)> {
    let mut all = answer.headers().get_all(header::CONTENT_RANGE).iter();
    let said = all.next()?.to_str().ok()?;
    if all.next().is_some() {
        return None;
    }
    let (range, length) = said.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    // Digits alone: no sign, no space.
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    Some((number(first)?, number(last)?, number(length)?))
}

fn status(found: StatusCode, expected: StatusCode) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    Err(Fault::Other(match found {
        StatusCode::OK => message!("this server does not answer range requests"),
        StatusCode::NOT_FOUND | StatusCode::GONE => missing(),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            message!("the server says that it has no such bytes: the file is cut off or another")
        }
        other => message!(
            "the server answers with status {status}",
            status = other.as_u16()
        ),
    }))
}

fn lies() -> Message {
    message!("the server sends something else than what was asked for")
}

fn too_little() -> Message {
    message!("the server sends less than what was asked for")
}

/// What went wrong before the first byte of a body.
fn fault(error: &Error) -> Fault {
    Fault::Other(match error {
        Error::Timeout(Timeout::Global) => return Fault::Slow,
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            message!("there is no connection to the server: it does not answer")
        }
        Error::Timeout(_) => stalls(),
        Error::HostNotFound => message!("there is no server of this name"),
        Error::ConnectionFailed => message!("there is no connection to the server"),
        Error::TooManyRedirects | Error::RedirectFailed => {
            message!("the server sends one from address to address")
        }
        Error::BadUri(_) => message!("this is no address"),
        Error::Io(error) => Message::from(error),
        other => message!(
            "the server answers with nonsense: {what}",
            what = other.to_string()
        ),
    })
}

/// What went wrong in the middle of a body.
fn broken_off(error: &io::Error) -> Fault {
    let timed_out = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>());
    Fault::Other(match (error.kind(), timed_out) {
        (_, Some(Error::Timeout(Timeout::Global))) => return Fault::Slow,
        (_, Some(Error::Timeout(_))) | (io::ErrorKind::TimedOut, _) => stalls(),
        (io::ErrorKind::UnexpectedEof, _) => too_little(),
        _ => message!("the connection broke off: {what}", what = error.to_string()),
    })
}

fn stalls() -> Message {
    message!("the server stalls: it sends nothing")
}
