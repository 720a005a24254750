//! A connection to another process. It transports the messages of the dataflow, heartbeats, and the
//! reason for a failure.
//!
//! Data is sent in frames. A frame consists of its kind (1 byte), the length of the payload (4
//! bytes, little-endian), and the payload. The dataflow reads the concatenated payloads of the data
//! frames. A process counts as lost if no frame arrives from it for [`PATIENCE`], or if its
//! connection ends without a farewell frame.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::loss::Losses;

/// Time after which a process counts as lost if no frame arrives from it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Interval between two heartbeats.
const BEAT: Duration = Duration::from_secs(2);
/// Timeout of a read. After it the waiting thread checks whether the computation has ended.
const LOOK: Duration = Duration::from_millis(500);
/// Largest payload of a frame, in bytes.
const LONGEST: usize = 1 << 20;
/// Longest reason for a failure that is sent, in bytes.
const LONGEST_REASON: usize = 1 << 12;

const DATA: u8 = 0;
const ALIVE: u8 = 1;
const FAREWELL: u8 = 2;
const FAILED: u8 = 3;
const MET: u8 = 4;

/// The event that [`Link::news`] reports before the computation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Nothing has arrived, or the computation of the other process has already begun.
    None,
    /// The other process is connected to all processes.
    HasMetAll,
    /// The other process has ended. Its reason is recorded in the [`Losses`].
    Gone,
}

/// The connection to another process, as the dataflow reads and writes it.
#[derive(Debug)]
pub(crate) struct Link {
    socket: TcpStream,
    writer: Arc<Mutex<TcpStream>>,
    process: usize,
    losses: Arc<Losses>,
    /// Number of bytes of the current data frame that are not read yet.
    left: usize,
    ended: bool,
    heard: Instant,
}

impl Link {
    /// Creates a link from an authenticated connection.
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

    /// Announces that this process is connected to all others.
    pub(crate) fn has_met_all(&self) {
        // A write error is ignored: a closed connection is detected by reading.
        let _ = say(&self.writer, MET, &[]);
    }

    /// Sends the reason why this process ends before the computation begins.
    pub(crate) fn failed(&self, why: &str) {
        let _ = say(&self.writer, FAILED, reason(why));
    }

    /// Returns the next event on the connection before the computation begins. It does not wait.
    pub(crate) fn news(&mut self) -> News {
        let mut head = [0; 5];
        let looked = self.socket.set_nonblocking(true);
        // The head of the frame is read without removing it from the socket. If it belongs to data
        // of a faster process, the dataflow must read it.
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

    /// Reads the reason for the failure of the other process.
    fn said(&mut self) -> io::Result<String> {
        let mut head = [0; 5];
        self.socket.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut why = vec![0; length.min(LONGEST_REASON)];
        self.socket.read_exact(&mut why)?;
        Ok(String::from_utf8_lossy(&why).into_owned())
    }

    /// Returns a handle that can send heartbeats and reasons for failures on this connection.
    pub(crate) fn voice(&self) -> io::Result<Voice> {
        Ok(Voice {
            writer: Arc::clone(&self.writer),
            socket: self.socket.try_clone()?,
        })
    }

    /// Records that the other process is lost, and ends the calling thread. Before that, it waits
    /// until no worker of this process waits for messages any more.
    ///
    /// The dataflow cannot return an error of its stream, so the thread ends by unwinding.
    /// `resume_unwind` does not run the panic hook, hence nothing is printed.
    fn end(&self, said: Option<&str>) -> ! {
        self.losses.lost(self.process, said);
        while !self.losses.is_released() {
            thread::sleep(LOOK / 10);
        }
        panic::resume_unwind(Box::new("the other process has gone"))
    }

    /// Handles the end of the connection. The other process is lost, unless all workers of this
    /// process have finished: then all other workers have finished, too.
    fn gone(&self) -> Option<usize> {
        if self.losses.is_at_peace() {
            return None;
        }
        self.end(None)
    }

    /// Reads at least one byte into the buffer and returns the number of bytes. Returns nothing if
    /// the connection is no longer needed.
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
                    // The read timeout is `LOOK`, which is far shorter than `PATIENCE`. So the loop
                    // soon notices the end of the computation.
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

    /// Reads frames until the head of a data frame or a farewell arrives.
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
                // An unknown kind or an excessive length means that the stream is damaged. No later
                // byte can be trusted.
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
        // A write error is ignored: a closed connection is detected by reading. Returning the error
        // would end the sending thread by a panic.
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
        // The dataflow also flushes its links after a failure. No farewell is sent then, so that
        // the other processes detect the loss.
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

/// Returns the reason, truncated to [`LONGEST_REASON`] at a character boundary.
fn reason(why: &str) -> &[u8] {
    let mut most = why.len().min(LONGEST_REASON);
    while !why.is_char_boundary(most) {
        most -= 1;
    }
    &why.as_bytes()[..most]
}

/// A handle that sends frames other than data on a connection.
#[derive(Debug)]
pub(crate) struct Voice {
    writer: Arc<Mutex<TcpStream>>,
    /// The same connection. It can be closed while another thread holds the lock of `writer`.
    socket: TcpStream,
}

impl Voice {
    /// Sends the reason why this process fails. Sends nothing if another thread is writing to the
    /// same process.
    pub(crate) fn failed(&self, why: &str) {
        // `try_lock` is used because a thread that holds the lock may be blocked in writing to this
        // process.
        if let Ok(writer) = self.writer.try_lock() {
            let _ = writer.set_write_timeout(Some(BEAT));
        } else {
            return;
        }
        let _ = say(&self.writer, FAILED, reason(why));
    }

    /// Closes the connection for sending. A thread that is blocked in writing to it then returns
    /// with an error.
    pub(crate) fn cut(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Sends a heartbeat in every interval until the computation ends.
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
    fn farewell_is_sent_only_after_all_workers_have_left() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut there, _) = listener.accept().unwrap();
        let losses: Arc<Losses> = Arc::default();
        // There are two workers. After the first has finished, the process must not send a farewell
        // yet.
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

    /// Tests that closing the connection releases both a blocked writer and a thread that waits for
    /// the lock. The peer never reads.
    #[test]
    fn shutdown_releases_writers_if_the_peer_never_reads() {
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
        // No frame was sent for a whole interval, so all socket buffers are full.
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
