//! The handshake of the processes of a labelling. Each process listens on its own address, connects
//! to the processes with smaller numbers, and accepts those with larger numbers.
//!
//! The caller sends its number and a fresh nonce. The callee replies with its own nonce and a hash
//! of both nonces (BLAKE3, keyed with the secret), which proves that it knows the secret. The
//! caller replies with its own such proof. The secret itself is never sent. Then both exchange the
//! identity of their labelling, and continue only if the two are equal. The traffic after the
//! handshake is neither encrypted nor authenticated.
//!
//! A process that is connected to all others announces this to them. No process starts the
//! computation before all have announced it. Until then, only announcements and reasons for
//! failures are sent. So the loss of a connected process is noticed at once.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Message, Stop, message};

use crate::link::{Event, Link};
use crate::termination::Termination;

/// The first bytes on every connection: the protocol and its version.
const GREETING: [u8; 16] = *b"grundy cluster 2";
/// Time limit for the whole handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(120);
/// Time limit for each message of a process that has connected.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(20);
/// Sleep between two rounds of polling the connections of the other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Largest size of an encoded identity, in bytes.
const MAX_IDENTITY: u32 = 1 << 25;

/// The common settings of all processes of a labelling, and the number of this process.
#[derive(Clone, Copy, Debug)]
pub struct Handshake<'a> {
    /// The address of each process, by its number.
    pub hosts: &'a [String],
    /// The number of this process.
    pub process: usize,
    /// The shared secret.
    pub secret: &'a [u8],
    /// The identity of the labelling, as names and values. The values must agree between all
    /// processes.
    pub identity: &'a [(Message, String)],
}

/// The result of accepting a connection.
enum Caller {
    /// A process of this labelling.
    Process(usize, TcpStream),
    /// An unknown peer, which is ignored.
    Unknown,
}

impl Handshake<'_> {
    /// Connects to all other processes. On failure, the processes connected so far receive the
    /// reason.
    pub(crate) fn connect_all(
        &self,
        termination: &Arc<Termination>,
        interrupted: &dyn Fn() -> Option<Stop>,
    ) -> Result<Vec<Option<Link>>, Diagnostic> {
        let mut links: Vec<Option<Link>> = self.hosts.iter().map(|_| None).collect();
        match self.complete_links(&mut links, termination, interrupted) {
            Ok(()) => Ok(links),
            Err(why) => {
                let connected = links.iter().flatten();
                connected.for_each(|link| link.send_failure(&why.message));
                Err(why)
            }
        }
    }

    fn complete_links(
        &self,
        links: &mut [Option<Link>],
        termination: &Arc<Termination>,
        interrupted: &dyn Fn() -> Option<Stop>,
    ) -> Result<(), Diagnostic> {
        let own = &self.hosts[self.process];
        let listener = TcpListener::bind(own).map_err(|error| Diagnostic::io(own, &error))?;
        listener
            .set_nonblocking(true)
            .map_err(|error| Diagnostic::io(own, &error))?;
        let begun = Instant::now();
        // `ready` marks the processes that have announced that they are connected to all others.
        // `announced` is `true` once this process has announced the same.
        let (mut ready, mut announced) = (vec![false; links.len()], false);
        loop {
            let mut quiet = true;
            // A process calls only processes with smaller numbers, so that each pair has exactly
            // one connection.
            for (process, slot) in links.iter_mut().enumerate().take(self.process) {
                if slot.is_none()
                    && let Some(socket) = self.call(process, termination)?
                {
                    *slot = Some(self.link(socket, process, termination)?);
                    quiet = false;
                }
            }
            match listener.accept() {
                Ok((socket, _)) => {
                    quiet = false;
                    // An unknown peer may be a port scanner or another job, so it must not end the
                    // handshake.
                    if let Caller::Process(process, socket) = self.answer(socket, termination)? {
                        links[process] = Some(self.link(socket, process, termination)?);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(Diagnostic::io(own, &error)),
            }
            for (ready, link) in ready.iter_mut().zip(&mut *links) {
                match link.as_mut().map_or(Event::None, Link::next_event) {
                    Event::AllConnected => *ready = true,
                    Event::Ended => termination.check()?,
                    Event::None => {}
                }
            }
            let others = || (0..links.len()).filter(|&process| process != self.process);
            if !announced && others().all(|process| links[process].is_some()) {
                announced = true;
                links.iter().flatten().for_each(Link::announce_connected);
            }
            let Some(missing) = others().find(|&process| !announced || !ready[process]) else {
                return Ok(());
            };
            if let Some(stop) = interrupted() {
                return Err(stop.into());
            }
            if begun.elapsed() > HANDSHAKE_TIMEOUT {
                let missing = others()
                    .find(|&process| links[process].is_none())
                    .unwrap_or(missing);
                let message = message!(
                    "process {process} at {address} did not connect",
                    process = missing,
                    address = self.hosts[missing]
                );
                return Err(Diagnostic::new(Kind::Lost, message).help(message!(
                    "start all processes within two minutes of each other"
                )));
            }
            if quiet {
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    fn link(
        &self,
        socket: TcpStream,
        process: usize,
        termination: &Arc<Termination>,
    ) -> Result<Link, Diagnostic> {
        Link::new(socket, process, termination)
            .map_err(|error| Diagnostic::io(&self.hosts[process], &error))
    }

    /// Connects to another process as the caller. Returns nothing if that process does not listen
    /// yet.
    fn call(
        &self,
        process: usize,
        termination: &Termination,
    ) -> Result<Option<TcpStream>, Diagnostic> {
        let address = &self.hosts[process];
        let Ok(mut places) = address.to_socket_addrs() else {
            // The host name of a machine that is starting may not resolve yet.
            return Ok(None);
        };
        let Some(place) = places.next() else {
            return Ok(None);
        };
        let Ok(mut socket) = TcpStream::connect_timeout(&place, MESSAGE_TIMEOUT) else {
            return Ok(None);
        };
        let mine = nonce()?;
        let Ok(theirs) = self.exchange_greeting(&mut socket, &mine) else {
            // The peer has closed the connection, so it is called again later.
            return Ok(None);
        };
        let (nonce, theirs) = theirs.split_at(32);
        let proof = self.proof(b"caller", self.process, &mine, nonce);
        let sent = socket.write_all(proof.as_bytes());
        // The proof of the peer is checked only after this process has sent its own. So the peer
        // can report a different secret, too.
        let expected = self.proof(b"called", self.process, &mine, nonce);
        if <[u8; 32]>::try_from(theirs).map_or(true, |theirs| expected != theirs) {
            return Err(no_secret(process));
        }
        let compared = sent.and_then(|()| self.compare(&mut socket, process));
        compared.unwrap_or_else(|_| report_lost(process, termination))?;
        Ok(Some(socket))
    }

    fn exchange_greeting(&self, socket: &mut TcpStream, nonce: &[u8; 32]) -> io::Result<[u8; 64]> {
        socket.set_read_timeout(Some(MESSAGE_TIMEOUT))?;
        socket.write_all(&GREETING)?;
        socket.write_all(&(self.process as u32).to_le_bytes())?;
        socket.write_all(nonce)?;
        let mut theirs = [0; 64];
        socket.read_exact(&mut theirs)?;
        Ok(theirs)
    }

    /// Performs the callee's side of the handshake on an accepted connection.
    fn answer(
        &self,
        mut socket: TcpStream,
        termination: &Termination,
    ) -> Result<Caller, Diagnostic> {
        let mine = nonce()?;
        let Ok((process, theirs, proof)) = self.receive_proof(&mut socket, &mine) else {
            return Ok(Caller::Unknown);
        };
        if self.proof(b"caller", process, &theirs, &mine) != proof {
            return Err(no_secret(process));
        }
        let compared = self.compare(&mut socket, process);
        compared.unwrap_or_else(|_| report_lost(process, termination))?;
        Ok(Caller::Process(process, socket))
    }

    fn receive_proof(
        &self,
        socket: &mut TcpStream,
        nonce: &[u8; 32],
    ) -> io::Result<(usize, [u8; 32], [u8; 32])> {
        socket.set_nonblocking(false)?;
        socket.set_read_timeout(Some(MESSAGE_TIMEOUT))?;
        let mut head = [0; 52];
        socket.read_exact(&mut head)?;
        // Only processes with larger numbers may call. This also rejects a process that was started
        // with the same number as this one.
        let process = u32::from_le_bytes([head[16], head[17], head[18], head[19]]) as usize;
        if head[..16] != GREETING || process <= self.process || process >= self.hosts.len() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut theirs = [0; 32];
        theirs.copy_from_slice(&head[20..]);
        socket.write_all(nonce)?;
        let proof = self.proof(b"called", process, &theirs, nonce);
        socket.write_all(proof.as_bytes())?;
        let mut proof = [0; 32];
        socket.read_exact(&mut proof)?;
        Ok((process, theirs, proof))
    }

    /// Returns the proof that a process knows the secret. Comparison of two proofs takes constant
    /// time.
    fn proof(&self, role: &[u8], caller: usize, first: &[u8], second: &[u8]) -> blake3::Hash {
        let key = blake3::derive_key("grundy cluster: processes of one labelling", self.secret);
        // The role and the process number are part of the hash. Otherwise a proof could be sent
        // back to its sender, or could be used for another process.
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(role);
        hasher.update(&(caller as u64).to_le_bytes());
        hasher.update(first);
        hasher.update(second);
        hasher.finalize()
    }

    /// Exchanges identities with a process and rejects it if the two differ.
    fn compare(
        &self,
        socket: &mut TcpStream,
        process: usize,
    ) -> io::Result<Result<(), Diagnostic>> {
        // The process number comes first. If the lists of hosts differ in their order, the process
        // at this address has another number than expected.
        let mut own = format!("{}\u{1e}", self.process);
        for (_, value) in self.identity {
            own.push_str(value);
            own.push('\u{1e}');
        }
        socket.write_all(&(own.len() as u32).to_le_bytes())?;
        socket.write_all(own.as_bytes())?;
        let mut length = [0; 4];
        socket.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_IDENTITY {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut other = vec![0; length as usize];
        socket.read_exact(&mut other)?;
        let other = String::from_utf8_lossy(&other);
        let mut theirs = other.split_terminator('\u{1e}');
        if theirs.next() != Some(&process.to_string()) {
            let message = message!(
                "process {process} was started with a different {what}",
                process,
                what = message!("list of hosts")
            );
            return Ok(Err(Diagnostic::new(Kind::Io, message).help(message!(
                "start all processes with the same program, rules, files and options"
            ))));
        }
        for (name, value) in self.identity {
            if theirs.next() != Some(value) {
                let message = message!(
                    "process {process} was started with a different {what}",
                    process,
                    what = name.clone()
                );
                return Ok(Err(Diagnostic::new(Kind::Io, message).help(message!(
                    "start all processes with the same program, rules, files and options"
                ))));
            }
        }
        Ok(Ok(()))
    }
}

fn nonce() -> Result<[u8; 32], Diagnostic> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce).map_err(|_| {
        let message = message!("the operating system provides no random numbers");
        Diagnostic::new(Kind::Io, message)
    })?;
    Ok(nonce)
}

fn no_secret(process: usize) -> Diagnostic {
    let message = message!("process {process} does not know the secret", process);
    Diagnostic::new(Kind::Io, message).help(message!(
        "pass the same secret to every process: {option}",
        option = Setting::command_line("secret_file")
    ))
}

/// Records the loss of a process that knows the secret but disconnected before it sent its
/// identity. Returns the recorded error.
fn report_lost(process: usize, termination: &Termination) -> Result<(), Diagnostic> {
    termination.lost(process, None);
    termination.check()
}
