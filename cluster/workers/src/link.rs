//! A connection to another process: what the dataflow sends, signs of life, and why an end is an
//! end.
//!
//! Everything goes in frames: a kind (1 byte), a length (4 bytes, little-endian), and so many
//! bytes. The dataflow is handed a stream of what is in the frames of data. A process of which
//! nothing is heard for [`PATIENCE`] is lost, and so is one whose connection ends without a
//! farewell.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::loss::Losses;

/// A process that has been silent for so long is lost.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time between two signs of life.
const BEAT: Duration = Duration::from_secs(2);
/// A thread that waits looks around so often.
const LOOK: Duration = Duration::from_millis(500);
/// Most bytes in a frame.
const LONGEST: usize = 1 << 20;
/// Most bytes of a reason.
const LONGEST_REASON: usize = 1 << 12;

const DATA: u8 = 0;
const ALIVE: u8 = 1;
const FAREWELL: u8 = 2;
const FAILED: u8 = 3;
const MET: u8 = 4;

/// What is heard of a process before the work begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Nothing, or the first of its work.
    None,
    /// It has met all others.
    HasMetAll,
    /// It has ended: the losses say why.
    Gone,
}

/// One end of a connection, as the dataflow reads and writes it.
#[derive(Debug)]
pub(crate) struct Link {
    socket: TcpStream,
    writer: Arc<Mutex<TcpStream>>,
    process: usize,
    losses: Arc<Losses>,
    /// Bytes of data left in the frame that is being read.
    left: usize,
    ended: bool,
    heard: Instant,
}

impl Link {
    /// Returns a connection over which the other process has shown who it is.
    pub(crate) fn new(socket: TcpStream, process: usize, losses: &Arc<Losses>) -> io::Result<Self> {
        socket.set_read_timeout(Some(LOOK))?;
        socket.set_nodelay(true)?;
        Ok(Self {
            writer: Arc::new(Mutex::new(socket.try_clone()?)),
            socket,
            process,
            losses: Arc::clone(losses),
            left: 0,
            ended: false,
            heard: Instant::now(),
        })
    }

    /// Says that this process has met all others.
    pub(crate) fn has_met_all(&self) {
        // Where nobody listens any more, that is found out by reading.
        let _ = say(&self.writer, MET, &[]);
    }

    /// Says that this process ends before the work has begun.
    pub(crate) fn failed(&self, why: &str) {
        let _ = say(&self.writer, FAILED, reason(why));
    }

    /// What has been said before the work begins. Nobody is waited for.
    pub(crate) fn news(&mut self) -> News {
        let mut head = [0; 5];
        let looked = self.socket.set_nonblocking(true);
        let found = looked.and_then(|()| self.socket.peek(&mut head));
        let said = match (found, self.socket.set_nonblocking(false)) {
            (Ok(5), Ok(())) if head[0] == MET => {
                if self.socket.read_exact(&mut head).is_ok() {
                    return News::HasMetAll;
                }
                None
            }
            (Ok(5), Ok(())) if head[0] == FAILED => self.said().ok(),
            (Ok(1..), Ok(())) => return News::None,
            (Err(error), Ok(())) if error.kind() == io::ErrorKind::WouldBlock => {
                return News::None;
            }
            _ => None,
        };
        self.losses.lost(self.process, said.as_deref());
        News::Gone
    }

    /// Returns the reason that a process gives why it ends.
    fn said(&mut self) -> io::Result<String> {
        let mut head = [0; 5];
        self.socket.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut why = vec![0; length.min(LONGEST_REASON)];
        self.socket.read_exact(&mut why)?;
        Ok(String::from_utf8_lossy(&why).into_owned())
    }

    /// What says over this connection that this process lives, and how it ends.
    pub(crate) fn voice(&self) -> io::Result<Voice> {
        Ok(Voice {
            writer: Arc::clone(&self.writer),
            socket: self.socket.try_clone()?,
        })
    }

    /// Returns the thread that reads ends here when the other process has gone: quietly, once
    /// nobody waits for what it would have read.
    fn end(&self, said: Option<&str>) -> ! {
        self.losses.lost(self.process, said);
        while !self.losses.is_released() {
            thread::sleep(LOOK / 10);
        }
        panic::resume_unwind(Box::new("the other process has gone"))
    }

    /// Returns the other process has gone without a farewell: no matter where all work here has
    /// come to its end, for then so has theirs.
    fn gone(&self) -> Option<usize> {
        if self.losses.is_at_peace() {
            return None;
        }
        self.end(None)
    }

    /// Reads into a buffer, again and again until something comes; nothing where nothing is wanted
    /// any more.
    fn receive(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return self.gone(),
                Ok(read) => {
                    self.heard = Instant::now();
                    return Some(read);
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock
                            | io::ErrorKind::TimedOut
                            | io::ErrorKind::Interrupted
                    ) =>
                {
                    if self.losses.is_released() || self.heard.elapsed() > PATIENCE {
                        return self.gone();
                    }
                }
                Err(_) => return self.gone(),
            }
        }
    }

    fn receive_all(&mut self, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut read = 0;
        while read < length {
            read += self.receive(&mut bytes[read..])?;
        }
        Some(bytes)
    }

    /// Reads heads of frames until there is data, or the farewell.
    fn next_frame(&mut self) {
        while self.left == 0 && !self.ended {
            let Some(head) = self.receive_all(5) else {
                self.ended = true;
                return;
            };
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
            match head[0] {
                DATA if length <= LONGEST => self.left = length,
                ALIVE if length == 0 => {}
                FAREWELL if length == 0 => self.ended = true,
                FAILED if length <= LONGEST_REASON => match self.receive_all(length) {
                    Some(why) if !self.losses.is_at_peace() => {
                        self.end(Some(&String::from_utf8_lossy(&why)));
                    }
                    _ => self.ended = true,
                },
                _ => self.end(None),
            }
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.next_frame();
        if self.left == 0 {
            return Ok(0);
        }
        let most = self.left.min(buffer.len());
        let Some(read) = self.receive(&mut buffer[..most]) else {
            (self.left, self.ended) = (0, true);
            return Ok(0);
        };
        self.left -= read;
        Ok(read)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = &bytes[..bytes.len().min(LONGEST)];
        // Where nobody listens any more, that is found out by reading.
        let _ = say(&self.writer, DATA, sent);
        Ok(sent.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            socket: self.socket.try_clone()?,
            writer: Arc::clone(&self.writer),
            losses: Arc::clone(&self.losses),
            ..*self
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        // The dataflow ends in the same way where a worker fails: without a farewell the others
        // miss it.
        if self.losses.is_at_peace() {
            let _ = say(&self.writer, FAREWELL, &[]);
        }
        Ok(())
    }
}

/// Sends a frame.
fn say(writer: &Mutex<TcpStream>, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    writer.write_all(&head)?;
    writer.write_all(bytes)
}

/// As much of a reason as is said.
fn reason(why: &str) -> &[u8] {
    let mut most = why.len().min(LONGEST_REASON);
    while !why.is_char_boundary(most) {
        most -= 1;
    }
    &why.as_bytes()[..most]
}

/// What is said over a connection beside the data.
#[derive(Debug)]
pub(crate) struct Voice {
    writer: Arc<Mutex<TcpStream>>,
    /// The same connection, for whoever cannot wait until another has written.
    socket: TcpStream,
}

impl Voice {
    /// Says that this process cannot go on, and why. One that does not listen is not waited for.
    pub(crate) fn failed(&self, why: &str) {
        if let Ok(writer) = self.writer.try_lock() {
            let _ = writer.set_write_timeout(Some(BEAT));
        } else {
            return;
        }
        let _ = say(&self.writer, FAILED, reason(why));
    }

    /// Nothing more is sent: whoever still waits for one that does not listen is let go.
    pub(crate) fn cut(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Gives signs of life until the work is over.
    pub(crate) fn beat(&self, losses: &Losses) {
        let mut last = Instant::now();
        while !losses.is_released() {
            thread::park_timeout(LOOK);
            if last.elapsed() >= BEAT {
                if say(&self.writer, ALIVE, &[]).is_err() {
                    return;
                }
                last = Instant::now();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn only_who_has_come_to_the_end_says_farewell() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut there, _) = listener.accept().unwrap();
        let losses: Arc<Losses> = Arc::default();
        losses.begin(2);
        let link = Link::new(here, 1, &losses).unwrap();
        losses.leave();
        link.shutdown(Shutdown::Both).unwrap();
        losses.leave();
        link.has_met_all();
        link.shutdown(Shutdown::Both).unwrap();
        let mut said = [0; 10];
        there.read_exact(&mut said).unwrap();
        assert_eq!((said[0], said[5]), (MET, FAREWELL));
    }

    /// One process stands still and reads nothing: whoever writes to it, or waits until another has
    /// written, is let go by a cut.
    #[test]
    fn nobody_waits_for_one_that_does_not_listen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_still, _) = listener.accept().unwrap();
        let losses = Arc::default();
        let link = Link::new(here, 1, &losses).unwrap();
        let voice = Arc::new(link.voice().unwrap());
        let (sent, progress) = mpsc::channel();
        let writer = Arc::clone(&link.writer);
        let ended = sent.clone();
        thread::spawn(move || {
            let frame = vec![0; LONGEST];
            while say(&writer, DATA, &frame).is_ok() {
                sent.send("sent").unwrap();
            }
            sent.send("let go").unwrap();
        });
        // All that lies between is full once nothing more goes out.
        while progress.recv_timeout(BEAT) == Ok("sent") {}
        let (beating, of) = (Arc::clone(&voice), Arc::clone(&losses));
        thread::spawn(move || {
            beating.beat(&of);
            ended.send("let go").unwrap();
        });
        voice.failed("the work is over");
        voice.cut();
        losses.release();
        for _ in 0..2 {
            assert_eq!(progress.recv_timeout(10 * BEAT), Ok("let go"));
        }
    }
}
