//! A tablebase folder on a file server. Pieces of files are requested, and every response is
//! checked against its request.
//!
//! A piece is requested by a range of bytes and answered with status 206 and a `Content-Range` (R.
//! Fielding, M. Nottingham, J. Reschke, HTTP Semantics, RFC 9110, 2022, section 14). Only the
//! manifest is requested as a whole.

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

/// Timeout for establishing a connection.
const CONNECTING: Duration = Duration::from_secs(10);
/// Timeout for a server that sends nothing.
const STALLED: Duration = Duration::from_secs(10);
/// Timeout for a whole response, redirects included. It is needed because a server that sends a
/// byte now and then never stalls.
const WHOLE: Duration = Duration::from_secs(60);
/// The interval at which the stop callback is polled.
const LOOK: Duration = Duration::from_millis(20);
/// Number of redirects that are followed.
const REDIRECTIONS: u32 = 3;

/// The callback that is polled during a request. It returns a reason to stop, if there is one.
pub type Watch = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;

/// A folder on a server. Connections are kept alive between requests.
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
    /// The address of the folder, without a trailing slash.
    address: String,
    agent: Agent,
    /// Timeout for a whole response.
    whole: Duration,
    watch: Watched,
}

/// The stop callback, which may be replaced for each question.
struct Watched(Mutex<Watch>);

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watched").finish_non_exhaustive()
    }
}

/// The fault of a response, from which the error that names its file is made.
enum Fault {
    /// The file has another length.
    Length(u64),
    /// The file exceeds the size limit.
    TooLong,
    /// The response exceeded its timeout.
    Slow,
    /// Any other fault.
    Other(Message),
}

impl Web {
    /// Creates a place for the folder at an `http://` or `https://` address. The address of its
    /// manifest is accepted too. No request is sent yet.
    ///
    /// # Errors
    /// An invalid address, and `https` if the program was built without it.
    pub fn new(address: &str) -> Result<Self, Diagnostic> {
        let refuse = |what: Message| {
            Diagnostic::new(
                Kind::Syntax,
                message!("{file}: {what}", file = address, what),
            )
        };
        // A query or a fragment would end up in the middle of the address of each file.
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

    /// Sets two timeouts: one for a server that sends nothing (10 seconds by default), and one for
    /// a whole response (a minute by default).
    #[must_use]
    pub fn patient(self, stalled: Duration, whole: Duration) -> Self {
        Self {
            agent: agent(stalled, whole),
            whole,
            ..self
        }
    }

    /// Sets the stop callback for all further requests.
    pub fn watch(&self, watch: Watch) {
        *self.watch.0.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// Sends a request on a separate thread and polls the stop callback while it waits. An
    /// abandoned request ends with its timeout.
    fn ask(&self, file: &str, wanted: Wanted) -> Result<Vec<u8>, Diagnostic> {
        let name = self.name(file);
        let (agent, address) = (self.agent.clone(), name.clone());
        // Capacity 1, so that the thread of an abandoned request can send its result and exit.
        let (tell, told) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("fetch".to_owned())
            // An abandoned request has no receiver, so the result of sending is ignored.
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
            // These pairs of fault and request never occur; the match must be exhaustive.
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
        // An empty range cannot be expressed in HTTP.
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
        // Ranges count encoded bytes, so a compressed response would shift all offsets.
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

/// The requested part of a file.
#[derive(Clone, Copy)]
enum Wanted {
    /// The whole file.
    Whole { most: u64 },
    /// The bytes from `start` up to `end`, exclusive, of a file of `length` bytes.
    Piece { length: u64, start: u64, end: u64 },
}

impl Wanted {
    fn fetch(self, agent: &Agent, address: &str) -> Result<Vec<u8>, Fault> {
        // The server may have closed a kept connection just before this request. One retry on a new
        // connection is therefore not a fault.
        let answer = self.request(agent, address).or_else(|error| match error {
            Error::Io(_) => self.request(agent, address),
            other => Err(other),
        });
        let mut answer = answer.map_err(|error| fault(&error))?;
        // Some servers compress although `identity` was requested.
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
                // The range is compared with the request, because a cache or proxy may send another
                // one.
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
            // One byte more than expected detects a body that is too long without reading all of
            // it.
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

/// Returns the first byte, the last byte and the total length of `Content-Range`.
fn content_range(answer: &Response<Body>) -> Option<(u64, u64, u64)> {
    let mut all = answer.headers().get_all(header::CONTENT_RANGE).iter();
    let said = all.next()?.to_str().ok()?;
    // A response with two such headers is ambiguous.
    if all.next().is_some() {
        return None;
    }
    let (range, length) = said.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    // Digits only: `parse` would also accept a sign.
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

/// Returns the fault for an error before the first byte of a body.
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

/// Returns the fault for an error in the middle of a body.
fn broken_off(error: &io::Error) -> Fault {
    // A timeout of ureq is wrapped in an I/O error, whose own kind does not tell which timeout it
    // was.
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
