//! A file server for the tests, which can misbehave on request.

#![allow(dead_code, reason = "no test needs all of it")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// The way in which the server of a test misbehaves. Most variants describe the response that it
/// sends instead of the requested bytes.
#[derive(Clone, Debug)]
pub(crate) enum Misbehaviour {
    None,
    /// The response contains the whole file, whatever range is requested.
    NoRanges,
    /// The response contains the range that begins one byte later than requested, and its
    /// `Content-Range` header states this wrong range.
    OtherRange,
    /// The response contains the requested bytes, but no `Content-Range` header.
    NoRangeHeader,
    /// The response contains wrong bytes, although its `Content-Range` header states the requested
    /// range.
    OtherBytes,
    /// The `Content-Range` header states that the file is one byte longer than it is.
    OtherLength,
    /// The response ends after half of the announced body, and the server closes the connection.
    HalfAndClosed,
    /// The response contains half of the requested bytes, and its `Content-Length` is that of the
    /// half.
    Half,
    /// More than the requested bytes.
    More,
    /// A header that claims compression.
    Compressed,
    /// No response.
    Stalls,
    /// A response that stops in the middle.
    StallsHalfway,
    /// The server sends the body one byte at a time, with a pause after each byte.
    Trickles,
    /// The response has this status instead of the usual one, and no body.
    Status(u16),
    /// One bit of the requested bytes is flipped.
    Flipped,
    /// Bytes that are not HTTP.
    Garbage,
    /// An endless body.
    Endless,
    /// The response is a redirect to another path, at which the file is found.
    Moved,
    /// A redirect that leads to itself.
    MovedForEver,
}

struct Shared {
    folder: PathBuf,
    misbehaviour: Misbehaviour,
    /// The file for which the server misbehaves. `None` if it misbehaves for every file.
    about: Option<String>,
    stopped: AtomicBool,
    requests: AtomicU64,
    connections: AtomicU64,
}

pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts a server of the files in a folder.
    pub(crate) fn new(folder: &Path, misbehaviour: Misbehaviour) -> Self {
        Self::with(folder, misbehaviour, None)
    }

    /// Starts a server that misbehaves for one file only.
    pub(crate) fn misbehaving(folder: &Path, misbehaviour: Misbehaviour, file: &str) -> Self {
        Self::with(folder, misbehaviour, Some(file.to_owned()))
    }

    fn with(folder: &Path, misbehaviour: Misbehaviour, about: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            misbehaviour,
            about,
            stopped: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            connections: AtomicU64::new(0),
        });
        let own = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if own.stopped.load(Ordering::SeqCst) {
                    break;
                }
                own.connections.fetch_add(1, Ordering::SeqCst);
                let (own, stream) = (Arc::clone(&own), stream.unwrap());
                // A client that disconnects is not a failure of the server.
                thread::spawn(move || drop(own.serve(stream)));
            }
        });
        Self { address, shared }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/table", self.address)
    }

    pub(crate) fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::SeqCst)
    }

    pub(crate) fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts connections, so that it sees the flag.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let mut out = stream.try_clone()?;
        let mut lines = BufReader::new(stream).lines();
        loop {
            let Some(first) = lines.next().transpose()? else {
                return Ok(());
            };
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let mut range = None;
            for line in lines.by_ref() {
                let line = line?.to_ascii_lowercase();
                if line.is_empty() {
                    break;
                }
                if let Some(asked) = line.strip_prefix("range: bytes=") {
                    let (first, last) = asked.split_once('-').unwrap();
                    range = Some((first.parse().unwrap(), last.parse().unwrap()));
                }
            }
            self.requests.fetch_add(1, Ordering::SeqCst);
            if !self.answer(&mut out, &path, range)? {
                return Ok(());
            }
        }
    }

    /// Answers a request. Returns whether the connection is kept open.
    fn answer(
        &self,
        out: &mut TcpStream,
        path: &str,
        range: Option<(usize, usize)>,
    ) -> std::io::Result<bool> {
        let name = path.rsplit('/').next().unwrap_or_default();
        let misbehaves = self.about.as_deref().is_none_or(|about| about == name);
        let misbehaviour = if misbehaves {
            self.misbehaviour.clone()
        } else {
            Misbehaviour::None
        };
        let Ok(file) = fs::read(self.folder.join(name)) else {
            return plain(out, 404);
        };
        // A request without a range gets the whole file.
        let (mut first, mut last) = range.unwrap_or((0, file.len() - 1));
        match misbehaviour {
            Misbehaviour::Status(status) => return plain(out, status),
            Misbehaviour::Stalls => return hold(out),
            Misbehaviour::Garbage => {
                out.write_all(b"\x00\xff no HTTP at all\r\n\r\n")?;
                return Ok(false);
            }
            Misbehaviour::Moved if !path.starts_with("/moved") => {
                write!(
                    out,
                    "HTTP/1.1 302 Found\r\nLocation: /moved/{name}\r\nContent-Length: 0\r\n\r\n"
                )?;
                return Ok(true);
            }
            Misbehaviour::MovedForEver => {
                write!(
                    out,
                    "HTTP/1.1 302 Found\r\nLocation: {path}\r\nContent-Length: 0\r\n\r\n"
                )?;
                return Ok(true);
            }
            Misbehaviour::OtherRange => (first, last) = (first + 1, last + 1),
            _ => {}
        }
        let mut body = file[first.min(file.len())..(last + 1).min(file.len())].to_vec();
        let mut length = body.len();
        let mut all = file.len();
        let mut status = if range.is_some() {
            "206 Partial Content"
        } else {
            "200 OK"
        };
        let mut more = String::new();
        let mut has_range_header = range.is_some();
        match misbehaviour {
            Misbehaviour::NoRanges => {
                (status, has_range_header, body, length) = ("200 OK", false, file.clone(), all);
            }
            Misbehaviour::NoRangeHeader => has_range_header = false,
            Misbehaviour::OtherBytes => body.rotate_left(1),
            Misbehaviour::OtherLength => all += 1,
            Misbehaviour::HalfAndClosed | Misbehaviour::StallsHalfway => body.truncate(length / 2),
            Misbehaviour::Half => {
                body.truncate(length / 2);
                length = body.len();
            }
            Misbehaviour::More => {
                body.push(0);
                length += 1;
            }
            Misbehaviour::Compressed => more.push_str("Content-Encoding: gzip\r\n"),
            Misbehaviour::Flipped => body[length / 2] ^= 4,
            Misbehaviour::Endless => length = 1 << 40,
            _ => {}
        }
        if has_range_header {
            more = format!("{more}Content-Range: bytes {first}-{last}/{all}\r\n");
        }
        write!(
            out,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{more}\r\n"
        )?;
        if matches!(misbehaviour, Misbehaviour::Trickles) {
            for byte in body {
                out.write_all(&[byte])?;
                thread::sleep(Duration::from_millis(20));
            }
            return Ok(true);
        }
        out.write_all(&body)?;
        match misbehaviour {
            Misbehaviour::HalfAndClosed => Ok(false),
            Misbehaviour::StallsHalfway => hold(out),
            Misbehaviour::Endless => loop {
                out.write_all(&[b' '; 1 << 13])?;
            },
            _ => Ok(true),
        }
    }
}

fn plain(out: &mut TcpStream, status: u16) -> std::io::Result<bool> {
    write!(out, "HTTP/1.1 {status} Other\r\nContent-Length: 0\r\n\r\n")?;
    Ok(true)
}

/// Waits until the client disconnects.
fn hold(out: &mut TcpStream) -> std::io::Result<bool> {
    let mut rest = BufReader::new(out.try_clone()?);
    while !rest.fill_buf()?.is_empty() {
        let length = rest.buffer().len();
        rest.consume(length);
    }
    Ok(false)
}
