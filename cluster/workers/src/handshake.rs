//! The handshake of the processes: each binds its own address and no other, calls those before it
//! and is called by those after it.
//!
//! Who calls says its number and a fresh nonce; who is called answers with a nonce of its own and a
//! keyed hash (BLAKE3) of both, which only somebody makes who knows the secret; the caller answers
//! in the same way. The secret itself is never sent. Then each tells the other what it labels, and
//! they go on only if it is the same. What follows is in clear.
//!
//! Whoever has met all others says so, and nobody begins before all have. Until then only that is
//! said, or why somebody ends: so one who has been met and goes again is missed at once.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Message, Stop, message};

use crate::link::{Link, News};
use crate::loss::Losses;

/// What a connection begins with: it names the protocol and its version.
const GREETING: [u8; 16] = *b"grundy cluster 2";
/// Processes that have not come after so long are not waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// Somebody who has connected has so long for each answer.
const ANSWER: Duration = Duration::from_secs(20);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);
/// Longest description of what is labelled.
const LONGEST: u32 = 1 << 25;

/// What all processes of a labelling have in common, and which of them this is.
#[derive(Clone, Copy, Debug)]
pub struct Handshake<'a> {
    /// The address of each process, by its number.
    pub hosts: &'a [String],
    /// The number of this process.
    pub process: usize,
    /// What only these processes know.
    pub secret: &'a [u8],
    /// What is labelled and how, as names and values: all processes have to have the same values.
    pub identity: &'a [(Message, String)],
}

/// Says who somebody is that called.
enum Caller {
    /// One of the processes.
    Process(usize, TcpStream),
    /// Somebody else.
    Stranger,
}

impl Handshake<'_> {
    /// Meets all other processes. Those that were met are told why, where it fails.
    pub(crate) fn meet(
        &self,
        losses: &Arc<Losses>,
        interrupted: &dyn Fn() -> Option<Stop>,
    ) -> Result<Vec<Option<Link>>, Diagnostic> {
        let mut links: Vec<Option<Link>> = self.hosts.iter().map(|_| None).collect();
        match self.gather(&mut links, losses, interrupted) {
            Ok(()) => Ok(links),
            Err(why) => {
                let met = links.iter().flatten();
                met.for_each(|link| link.failed(&why.message));
                Err(why)
            }
        }
    }

    fn gather(
        &self,
        links: &mut [Option<Link>],
        losses: &Arc<Losses>,
        interrupted: &dyn Fn() -> Option<Stop>,
    ) -> Result<(), Diagnostic> {
        let own = &self.hosts[self.process];
        let listener = TcpListener::bind(own).map_err(|error| Diagnostic::io(own, &error))?;
        listener
            .set_nonblocking(true)
            .map_err(|error| Diagnostic::io(own, &error))?;
        let begun = Instant::now();
        // Who has met all others, and whether this has said that it has.
        let (mut ready, mut said) = (vec![false; links.len()], false);
        loop {
            let mut quiet = true;
            for (process, slot) in links.iter_mut().enumerate().take(self.process) {
                if slot.is_none()
                    && let Some(socket) = self.call(process, losses)?
                {
                    *slot = Some(self.link(socket, process, losses)?);
                    quiet = false;
                }
            }
            match listener.accept() {
                Ok((socket, _)) => {
                    quiet = false;
                    if let Caller::Process(process, socket) = self.answer(socket, losses)? {
                        links[process] = Some(self.link(socket, process, losses)?);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(Diagnostic::io(own, &error)),
            }
            for (ready, link) in ready.iter_mut().zip(&mut *links) {
                match link.as_mut().map_or(News::None, Link::news) {
                    News::HasMetAll => *ready = true,
                    News::Gone => losses.check()?,
                    News::None => {}
                }
            }
            let others = || (0..links.len()).filter(|&process| process != self.process);
            if !said && others().all(|process| links[process].is_some()) {
                said = true;
                links.iter().flatten().for_each(Link::has_met_all);
            }
            let Some(missing) = others().find(|&process| !said || !ready[process]) else {
                return Ok(());
            };
            if let Some(stop) = interrupted() {
                return Err(stop.into());
            }
            if begun.elapsed() > PATIENCE {
                let missing = others()
                    .find(|&process| links[process].is_none())
                    .unwrap_or(missing);
                let message = message!(
                    "process {process} at {address} has not come",
                    process = missing,
                    address = self.hosts[missing]
                );
                return Err(Diagnostic::new(Kind::Lost, message).help(message!(
                    "start all processes within two minutes of each other"
                )));
            }
            if quiet {
                thread::sleep(LOOK);
            }
        }
    }

    fn link(
        &self,
        socket: TcpStream,
        process: usize,
        losses: &Arc<Losses>,
    ) -> Result<Link, Diagnostic> {
        Link::new(socket, process, losses)
            .map_err(|error| Diagnostic::io(&self.hosts[process], &error))
    }

    /// Calls a process; nothing where it is not there yet.
    fn call(&self, process: usize, losses: &Losses) -> Result<Option<TcpStream>, Diagnostic> {
        let address = &self.hosts[process];
        let Ok(mut places) = address.to_socket_addrs() else {
            // The name of a machine that is being started may not be known yet.
            return Ok(None);
        };
        let Some(place) = places.next() else {
            return Ok(None);
        };
        let Ok(mut socket) = TcpStream::connect_timeout(&place, ANSWER) else {
            return Ok(None);
        };
        let mine = nonce()?;
        let Ok(theirs) = self.introduce(&mut socket, &mine) else {
            // Whoever was there has gone again.
            return Ok(None);
        };
        let (nonce, theirs) = theirs.split_at(32);
        let proof = self.proof(b"caller", self.process, &mine, nonce);
        let sent = socket.write_all(proof.as_bytes());
        // Said after one's own proof, so that whoever was called knows what is wrong as well.
        let expected = self.proof(b"called", self.process, &mine, nonce);
        if <[u8; 32]>::try_from(theirs).map_or(true, |theirs| expected != theirs) {
            return Err(no_secret(process));
        }
        let told = sent.and_then(|()| self.compare(&mut socket, process));
        told.unwrap_or_else(|_| gone(process, losses))?;
        Ok(Some(socket))
    }

    fn introduce(&self, socket: &mut TcpStream, nonce: &[u8; 32]) -> io::Result<[u8; 64]> {
        socket.set_read_timeout(Some(ANSWER))?;
        socket.write_all(&GREETING)?;
        socket.write_all(&(self.process as u32).to_le_bytes())?;
        socket.write_all(nonce)?;
        let mut theirs = [0; 64];
        socket.read_exact(&mut theirs)?;
        Ok(theirs)
    }

    /// Answers somebody who called.
    fn answer(&self, mut socket: TcpStream, losses: &Losses) -> Result<Caller, Diagnostic> {
        let mine = nonce()?;
        let Ok((process, theirs, proof)) = self.hear(&mut socket, &mine) else {
            return Ok(Caller::Stranger);
        };
        if self.proof(b"caller", process, &theirs, &mine) != proof {
            return Err(no_secret(process));
        }
        let told = self.compare(&mut socket, process);
        told.unwrap_or_else(|_| gone(process, losses))?;
        Ok(Caller::Process(process, socket))
    }

    fn hear(
        &self,
        socket: &mut TcpStream,
        nonce: &[u8; 32],
    ) -> io::Result<(usize, [u8; 32], [u8; 32])> {
        socket.set_nonblocking(false)?;
        socket.set_read_timeout(Some(ANSWER))?;
        let mut head = [0; 52];
        socket.read_exact(&mut head)?;
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

    /// What shows that one knows the secret. Comparing it takes the same time whatever is wrong.
    fn proof(&self, role: &[u8], caller: usize, first: &[u8], second: &[u8]) -> blake3::Hash {
        let key = blake3::derive_key("grundy cluster: processes of one labelling", self.secret);
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(role);
        hasher.update(&(caller as u64).to_le_bytes());
        hasher.update(first);
        hasher.update(second);
        hasher.finalize()
    }

    /// Tells what is labelled here, hears what is labelled there, and refuses a difference.
    fn compare(
        &self,
        socket: &mut TcpStream,
        process: usize,
    ) -> io::Result<Result<(), Diagnostic>> {
        // Who one is: where lists of hosts name processes in other orders, somebody else was
        // called.
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
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut other = vec![0; length as usize];
        socket.read_exact(&mut other)?;
        let other = String::from_utf8_lossy(&other);
        let mut theirs = other.split_terminator('\u{1e}');
        if theirs.next() != Some(&process.to_string()) {
            let message = message!(
                "process {process} was started with another {what}",
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
                    "process {process} was started with another {what}",
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
        let message = message!("the system gives no random numbers");
        Diagnostic::new(Kind::Io, message)
    })?;
    Ok(nonce)
}

fn no_secret(process: usize) -> Diagnostic {
    let message = message!("process {process} does not know the secret", process);
    Diagnostic::new(Kind::Io, message).help(message!(
        "{option} names the same text everywhere",
        option = Setting::typed("secret_file")
    ))
}

/// A process that has shown that it knows the secret, and was gone before it had said what it
/// labels.
fn gone(process: usize, losses: &Losses) -> Result<(), Diagnostic> {
    losses.lost(process, None);
    losses.check()
}
