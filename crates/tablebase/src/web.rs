//! A tablebase folder on a file server. The client requests only pieces of a file, and checks that
//! each response contains the requested piece.
//!
//! A piece is requested by its range of bytes. The response has status 206 and a `Content-Range`
//! header (R. Fielding, M. Nottingham, J. Reschke, HTTP Semantics, RFC 9110, 2022, section 14).
//! Only the manifest is requested as a whole.

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
use crate::storage::{Storage, has_scheme, missing, too_long, wrong_length};

/// Timeout for resolving the name of the server, and for establishing a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for a server that sends no further bytes.
const STALL_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for a whole response, including redirects. It is needed because a server that sends a
/// byte now and then never reaches [`STALL_TIMEOUT`].
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
/// The interval at which the stop callback, which can end the wait for a response, is polled during
/// a request.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Largest number of redirects that are followed.
const MAX_REDIRECTS: u32 = 3;

/// The stop callback of a [`Web`]: a function that is polled while a response is awaited. It
/// returns the reason to stop, if there is one.
pub type Watch = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;

/// A folder on a server. Connections stay open for further requests.
///
/// ```
/// use grundy_tablebase::{Storage, Web};
/// let storage = Web::new("http://example.org/chomp/")?;
/// assert_eq!(storage.name("outcome.data"), "http://example.org/chomp/outcome.data");
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
    watch: StopCallback,
}

/// The current stop callback, which is polled while a response is awaited. It may be replaced
/// between requests.
struct StopCallback(Mutex<Watch>);

impl std::fmt::Debug for StopCallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watched").finish_non_exhaustive()
    }
}

/// The fault of a response. [`Web::fetch`] converts it to an error that names the file.
enum Fault {
    /// The file on the server has another length than expected. The field is its actual length.
    Length(u64),
    /// The file exceeds the size limit.
    TooLong,
    /// The response did not arrive within its timeout.
    Slow,
    /// Any other fault.
    Other(Message),
}

impl Web {
    /// Creates the storage for the folder at an `http://` or `https://` address. The address of its
    /// manifest is also accepted. No request is sent.
    ///
    /// # Errors
    /// An invalid address, or `https` if the program was built without it.
    pub fn new(address: &str) -> Result<Self, Diagnostic> {
        let refuse = |what: Message| {
            Diagnostic::new(
                Kind::Syntax,
                message!("{file}: {what}", file = address, what),
            )
        };
        // A query or a fragment is rejected, because the name of a file is appended to the address.
        if address.contains(['?', '#'])
            || address.contains(|c: char| c.is_whitespace() || c.is_control())
        {
            return Err(refuse(message!(
                "the address of a folder cannot contain a query, a fragment or a space"
            )));
        }
        if cfg!(not(feature = "https")) && has_scheme(address, "https://") {
            return Err(
                refuse(message!("this program was built without the feature `https`")).help(message!(
                    "build the program with the cargo feature `full`, or download the folder and probe the local copy"
                )),
            );
        }
        let folder = address.strip_suffix(manifest::FILE).unwrap_or(address);
        Ok(Self {
            address: folder.trim_end_matches('/').to_owned(),
            agent: agent(STALL_TIMEOUT, RESPONSE_TIMEOUT),
            whole: RESPONSE_TIMEOUT,
            watch: StopCallback(Mutex::new(Arc::new(|| None))),
        })
    }

    /// Sets the timeout for a server that sends no further bytes (default: 10 seconds) and the
    /// timeout for a whole response (default: one minute).
    #[must_use]
    pub fn with_timeouts(self, stalled: Duration, whole: Duration) -> Self {
        Self {
            agent: agent(stalled, whole),
            whole,
            ..self
        }
    }

    /// Sets the stop callback for all later requests. It is polled while a response is awaited.
    pub fn watch(&self, watch: Watch) {
        *self.watch.0.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// Sends a request on a separate thread. While it waits for the response, polls the stop
    /// callback. If the callback returns a reason to stop, returns an error, and the thread ends
    /// after its timeout at the latest.
    fn fetch(&self, file: &str, part: RequestedPart) -> Result<Vec<u8>, Diagnostic> {
        let name = self.name(file);
        let (agent, address) = (self.agent.clone(), name.clone());
        // The channel has capacity 1. So the thread of an abandoned request can store its result
        // and end.
        let (sender, receiver) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("fetch".to_owned())
            // After an abandoned request there is no receiver, so an error of sending is ignored.
            .spawn(move || drop(sender.send(part.fetch(&agent, &address))))
            .map_err(|error| Diagnostic::io(&name, &error))?;
        let watch = Arc::clone(&self.watch.0.lock().unwrap_or_else(PoisonError::into_inner));
        let found = loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(found) => break found,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(stop) = watch() {
                        return Err(stop.into());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Fault::Other(message!("the request could not be sent")));
                }
            }
        };
        found.map_err(|fault| match (fault, part) {
            (Fault::Length(found), RequestedPart::Piece { length, .. }) => {
                wrong_length(&name, found, length)
            }
            (Fault::TooLong, RequestedPart::Whole { most }) => too_long(&name, most),
            (Fault::Slow, _) => {
                let what = message!(
                    "the server is too slow: the response is incomplete after {seconds} s",
                    seconds = self.whole.as_secs()
                );
                damaged(&name, &what)
            }
            (Fault::Other(what), _) => damaged(&name, &what),
            // These combinations of fault and request cannot occur, but the match must be
            // exhaustive.
            (Fault::Length(_) | Fault::TooLong, _) => damaged(&name, &unexpected_response()),
        })
    }
}

impl Storage for Web {
    fn name(&self, file: &str) -> String {
        format!("{}/{file}", self.address)
    }

    fn read_all(&self, file: &str, most: u64) -> Result<Vec<u8>, Diagnostic> {
        self.fetch(file, RequestedPart::Whole { most })
    }

    fn read(&self, file: &str, length: u64, range: Range<u64>) -> Result<Vec<u8>, Diagnostic> {
        // HTTP has no notation for an empty range.
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let Range { start, end } = range;
        self.fetch(file, RequestedPart::Piece { length, start, end })
    }
}

fn agent(stalled: Duration, whole: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(MAX_REDIRECTS)
        // Ranges count the bytes as sent, so compression would shift all offsets.
        .accept_encoding("identity")
        .user_agent(concat!("grundy/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(CONNECT_TIMEOUT.min(stalled)))
        .timeout_resolve(Some(CONNECT_TIMEOUT.min(stalled)))
        .timeout_per_read(Some(stalled))
        .timeout_per_write(Some(stalled))
        .timeout_global(Some(whole));
    #[cfg(feature = "https")]
    let config = config.tls_config(crate::trust::tls_config());
    config.build().into()
}

/// The requested part of a file.
#[derive(Clone, Copy)]
enum RequestedPart {
    /// The whole file.
    Whole { most: u64 },
    /// The bytes from `start` up to `end`, exclusive, of a file of `length` bytes.
    Piece { length: u64, start: u64, end: u64 },
}

impl RequestedPart {
    fn fetch(self, agent: &Agent, address: &str) -> Result<Vec<u8>, Fault> {
        // The server may have closed an open connection just before this request. So the request is
        // sent once more on a new connection.
        let answer = self.request(agent, address).or_else(|error| match error {
            Error::Io(_) => self.request(agent, address),
            other => Err(other),
        });
        let mut answer = answer.map_err(|error| fault(&error))?;
        // Some servers compress the response although `identity` was requested.
        let encoding = answer.headers().get(header::CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding != "identity") {
            return Err(Fault::Other(unexpected_response()));
        }
        let most = match self {
            Self::Whole { most } => {
                status(answer.status(), StatusCode::OK)?;
                most
            }
            Self::Piece { length, start, end } => {
                status(answer.status(), StatusCode::PARTIAL_CONTENT)?;
                // The range of the response is compared with the request, because a cache or a
                // proxy may send another range.
                match content_range(&answer) {
                    Some((first, last, all)) if first == start && last == end - 1 => {
                        if all != length {
                            return Err(Fault::Length(all));
                        }
                    }
                    _ => return Err(Fault::Other(unexpected_response())),
                }
                end - start
            }
        };
        let mut bytes = Vec::new();
        let read = answer
            .body_mut()
            .as_reader()
            // Reading one byte more than expected detects a body that is too long. It need not be
            // read completely.
            .take(most + 1)
            .read_to_end(&mut bytes);
        read.map_err(|error| body_fault(&error))?;
        let length = bytes.len() as u64;
        match self {
            Self::Whole { .. } if length > most => Err(Fault::TooLong),
            Self::Piece { .. } if length > most => Err(Fault::Other(unexpected_response())),
            Self::Piece { .. } if length < most => Err(Fault::Other(incomplete_response())),
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

/// Returns the first byte, the last byte and the total length that the `Content-Range` header
/// states.
fn content_range(answer: &Response<Body>) -> Option<(u64, u64, u64)> {
    let mut all = answer.headers().get_all(header::CONTENT_RANGE).iter();
    let value = all.next()?.to_str().ok()?;
    // A response with two such headers is ambiguous.
    if all.next().is_some() {
        return None;
    }
    let (range, length) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    // Only digits are allowed: `parse` would also accept a sign.
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
        StatusCode::OK => message!("the server does not support range requests"),
        StatusCode::NOT_FOUND | StatusCode::GONE => missing(),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            message!(
                "the server does not have the requested bytes: the file is cut off, or it is not the expected file"
            )
        }
        other => message!(
            "the server responded with status {status}",
            status = other.as_u16()
        ),
    }))
}

fn unexpected_response() -> Message {
    message!("unexpected response from the server")
}

fn incomplete_response() -> Message {
    message!("the response from the server is too short")
}

/// Returns the fault for an error that occurred before the first byte of the body.
fn fault(error: &Error) -> Fault {
    Fault::Other(match error {
        Error::Timeout(Timeout::Global) => return Fault::Slow,
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            message!("the connection to the server timed out")
        }
        Error::Timeout(_) => server_timed_out(),
        Error::HostNotFound => message!("host not found"),
        Error::ConnectionFailed => message!("could not connect to the server"),
        Error::TooManyRedirects | Error::RedirectFailed => {
            message!("too many redirects")
        }
        Error::BadUri(_) => message!("invalid address"),
        Error::Io(error) => Message::from(error),
        other => message!(
            "invalid response from the server: {what}",
            what = other.to_string()
        ),
    })
}

/// Returns the fault for an error that occurred while the body was read.
fn body_fault(error: &io::Error) -> Fault {
    // The library ureq wraps a timeout in an I/O error, whose own kind does not show which of the
    // timeouts it was.
    let timed_out = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>());
    Fault::Other(match (error.kind(), timed_out) {
        (_, Some(Error::Timeout(Timeout::Global))) => return Fault::Slow,
        (_, Some(Error::Timeout(_))) | (io::ErrorKind::TimedOut, _) => server_timed_out(),
        (io::ErrorKind::UnexpectedEof, _) => incomplete_response(),
        _ => message!("the connection was lost: {what}", what = error.to_string()),
    })
}

fn server_timed_out() -> Message {
    message!("the server timed out")
}
