//! A connection to another process. It transports the messages of the dataflow, heartbeats, and, if
//! one of the two processes fails, the reason for the failure.
//!
//! Data is sent in frames. A frame consists of its kind (1 byte), the length of the payload (4
//! bytes, little-endian), and the payload. The dataflow reads the concatenated payloads of the data
//! frames. A process counts as lost if no frame arrives from it for [`LOSS_TIMEOUT`], or if its
//! connection ends without a farewell frame.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::termination::Termination;

/// Time after which a process counts as lost if no frame arrives from it.
const LOSS_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Timeout of a read. After each timeout the waiting thread checks whether the computation has
/// ended.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Largest payload of a frame, in bytes.
const MAX_PAYLOAD: usize = 1 << 20;
/// Length limit in bytes for the text of a reason that is sent to another process.
const MAX_REASON: usize = 1 << 12;

const DATA: u8 = 0;
const HEARTBEAT: u8 = 1;
const FAREWELL: u8 = 2;
const FAILED: u8 = 3;
const CONNECTED: u8 = 4;

/// The event that [`Link::next_event`] reports before the computation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Nothing has arrived, or the computation of the other process has already begun.
    None,
    /// The other process is connected to all processes.
    AllConnected,
    /// The other process has ended. Its reason is recorded in the [`Termination`].
    Ended,
}

/// The connection to another process, as the dataflow reads and writes it.
#[derive(Debug)]
pub(crate) struct Link {
    socket: TcpStream,
    writer: Arc<Mutex<TcpStream>>,
    process: usize,
    termination: Arc<Termination>,
    /// Number of bytes of the current data frame that are not read yet.
    remaining: usize,
    ended: bool,
    last_received: Instant,
}

impl Link {
    /// Creates a link from an authenticated connection.
    pub(crate) fn new(
        socket: TcpStream,
        process: usize,
        termination: &Arc<Termination>,
    ) -> io::Result<Self> {
        socket.set_read_timeout(Some(POLL_INTERVAL))?;
        socket.set_nodelay(true)?;
        Ok(Self {
            writer: Arc::new(Mutex::new(socket.try_clone()?)),
            socket,
            process,
            termination: Arc::clone(termination),
            remaining: 0,
            ended: false,
            last_received: Instant::now(),
        })
    }

    /// Announces that this process is connected to all others.
    pub(crate) fn announce_connected(&self) {
        // A write error is ignored: a closed connection is detected by reading.
        let _ = send_frame(&self.writer, CONNECTED, &[]);
    }

    /// Sends the reason why this process ends before the computation begins.
    pub(crate) fn send_failure(&self, why: &str) {
        let _ = send_frame(&self.writer, FAILED, reason(why));
    }

    /// Returns the next event on the connection without waiting for one. It is called only before
    /// the computation begins.
    pub(crate) fn next_event(&mut self) -> Event {
        let mut head = [0; 5];
        let nonblocking_set = self.socket.set_nonblocking(true);
        // The head of the frame is read without removing it from the socket. If it belongs to data
        // of a faster process, the dataflow must read it.
        let found = nonblocking_set.and_then(|()| self.socket.peek(&mut head));
        let why = match (found, self.socket.set_nonblocking(false)) {
            (Ok(5), Ok(())) if head[0] == CONNECTED => {
                if self.socket.read_exact(&mut head).is_ok() {
                    return Event::AllConnected;
                }
                None
            }
            (Ok(5), Ok(())) if head[0] == FAILED => self.read_reason().ok(),
            (Ok(1..), Ok(())) => return Event::None,
            (Err(error), Ok(())) if error.kind() == io::ErrorKind::WouldBlock => {
                return Event::None;
            }
            _ => None,
        };
        self.termination.lost(self.process, why.as_deref());
        Event::Ended
    }

    /// Reads the reason for the failure of the other process.
    fn read_reason(&mut self) -> io::Result<String> {
        let mut head = [0; 5];
        self.socket.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut why = vec![0; length.min(MAX_REASON)];
        self.socket.read_exact(&mut why)?;
        Ok(String::from_utf8_lossy(&why).into_owned())
    }

    /// Returns a handle that can send heartbeats and reasons for failures on this connection.
    pub(crate) fn control_handle(&self) -> io::Result<ControlHandle> {
        Ok(ControlHandle {
            writer: Arc::clone(&self.writer),
            socket: self.socket.try_clone()?,
        })
    }

    /// Records that the other process is lost, blocks until no worker of this process waits for
    /// messages any more, and then ends the calling thread.
    ///
    /// The dataflow cannot return an error of its stream, so the thread ends by unwinding.
    /// `resume_unwind` does not run the panic hook, hence nothing is printed.
    fn end(&self, why: Option<&str>) -> ! {
        self.termination.lost(self.process, why);
        while !self.termination.is_released() {
            thread::sleep(POLL_INTERVAL / 10);
        }
        panic::resume_unwind(Box::new("the other process has gone"))
    }

    /// Handles the end of the connection. Returns nothing if all workers of this process have
    /// finished, because then all other workers have finished, too. Otherwise the other process is
    /// lost, and the calling thread ends.
    fn connection_ended(&self) -> Option<usize> {
        if self.termination.have_all_finished() {
            return None;
        }
        self.end(None)
    }

    /// Reads at least one byte into the buffer and returns the number of bytes. Returns nothing if
    /// the connection is no longer needed.
    fn receive(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return self.connection_ended(),
                Ok(read) => {
                    self.last_received = Instant::now();
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
                    // The read timeout `POLL_INTERVAL` is far shorter than `LOSS_TIMEOUT`, so the
                    // loop soon notices the end of the computation.
                    if self.termination.is_released() || self.last_received.elapsed() > LOSS_TIMEOUT
                    {
                        return self.connection_ended();
                    }
                }
                Err(_) => return self.connection_ended(),
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
        while self.remaining == 0 && !self.ended {
            let Some(head) = self.receive_all(5) else {
                self.ended = true;
                return;
            };
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
            match head[0] {
                DATA if length <= MAX_PAYLOAD => self.remaining = length,
                HEARTBEAT if length == 0 => {}
                FAREWELL if length == 0 => self.ended = true,
                FAILED if length <= MAX_REASON => match self.receive_all(length) {
                    Some(why) if !self.termination.have_all_finished() => {
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
        if self.remaining == 0 {
            return Ok(0);
        }
        let most = self.remaining.min(buffer.len());
        let Some(read) = self.receive(&mut buffer[..most]) else {
            (self.remaining, self.ended) = (0, true);
            return Ok(0);
        };
        self.remaining -= read;
        Ok(read)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = &bytes[..bytes.len().min(MAX_PAYLOAD)];
        // A write error is ignored: a closed connection is detected by reading. Returning the error
        // would end the sending thread by a panic.
        let _ = send_frame(&self.writer, DATA, sent);
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
            termination: Arc::clone(&self.termination),
            ..*self
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        // The dataflow also flushes its links after a failure. No farewell is sent then, so that
        // the other processes detect the loss.
        if self.termination.have_all_finished() {
            let _ = send_frame(&self.writer, FAREWELL, &[]);
        }
        Ok(())
    }
}

/// Sends a frame.
fn send_frame(writer: &Mutex<TcpStream>, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    writer.write_all(&head)?;
    writer.write_all(bytes)
}

/// Returns the reason, truncated to [`MAX_REASON`] at a character boundary.
fn reason(why: &str) -> &[u8] {
    let mut most = why.len().min(MAX_REASON);
    while !why.is_char_boundary(most) {
        most -= 1;
    }
    &why.as_bytes()[..most]
}

/// A handle that sends frames other than data on a connection.
#[derive(Debug)]
pub(crate) struct ControlHandle {
    writer: Arc<Mutex<TcpStream>>,
    /// A second handle of the connection, which can close it while another thread holds the lock of
    /// `writer`.
    socket: TcpStream,
}

impl ControlHandle {
    /// Sends the reason why this process fails. Sends nothing if another thread is writing to the
    /// same process.
    pub(crate) fn send_failure(&self, why: &str) {
        // `try_lock` is used because a thread that holds the lock may be blocked in writing to this
        // process.
        if let Ok(writer) = self.writer.try_lock() {
            let _ = writer.set_write_timeout(Some(HEARTBEAT_INTERVAL));
        } else {
            return;
        }
        let _ = send_frame(&self.writer, FAILED, reason(why));
    }

    /// Closes the connection for sending. A thread that is blocked in writing to it then returns
    /// with an error.
    pub(crate) fn close(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Sends a heartbeat in every interval until the computation ends.
    pub(crate) fn send_heartbeats(&self, termination: &Termination) {
        let mut last = Instant::now();
        while !termination.is_released() {
            thread::park_timeout(POLL_INTERVAL);
            if last.elapsed() >= HEARTBEAT_INTERVAL {
                if send_frame(&self.writer, HEARTBEAT, &[]).is_err() {
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
        let termination: Arc<Termination> = Arc::default();
        // There are two workers. After the first has finished, the process must not send a farewell
        // yet.
        termination.begin(2);
        let link = Link::new(here, 1, &termination).unwrap();
        termination.record_finished();
        link.shutdown(Shutdown::Both).unwrap();
        termination.record_finished();
        link.announce_connected();
        link.shutdown(Shutdown::Both).unwrap();
        let mut kinds = [0; 10];
        there.read_exact(&mut kinds).unwrap();
        assert_eq!((kinds[0], kinds[5]), (CONNECTED, FAREWELL));
    }

    /// Tests that closing the connection releases both a blocked writer and a thread that waits for
    /// the lock. The peer never reads.
    #[test]
    fn shutdown_releases_writers_if_the_peer_never_reads() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_still, _) = listener.accept().unwrap();
        let termination = Arc::default();
        let link = Link::new(here, 1, &termination).unwrap();
        let control_handle = Arc::new(link.control_handle().unwrap());
        let (sent, progress) = mpsc::channel();
        let writer = Arc::clone(&link.writer);
        let ended = sent.clone();
        thread::spawn(move || {
            let frame = vec![0; MAX_PAYLOAD];
            while send_frame(&writer, DATA, &frame).is_ok() {
                sent.send("sent").unwrap();
            }
            sent.send("let go").unwrap();
        });
        // No frame was sent for a whole interval, so all socket buffers are full.
        while progress.recv_timeout(HEARTBEAT_INTERVAL) == Ok("sent") {}
        let (beating, of) = (Arc::clone(&control_handle), Arc::clone(&termination));
        thread::spawn(move || {
            beating.send_heartbeats(&of);
            ended.send("let go").unwrap();
        });
        control_handle.send_failure("the work is over");
        control_handle.close();
        termination.release();
        for _ in 0..2 {
            assert_eq!(progress.recv_timeout(10 * HEARTBEAT_INTERVAL), Ok("let go"));
        }
    }
}
