//! The web page of grundy and its HTTP API.
//!
//! A question arrives as JSON, is passed to `grundy-analysis`, and is answered with JSON of the
//! public contract. This crate knows no games. It decides which clients may ask (`guard`), how many
//! questions they may ask, and how long these may take (`work`, `jobs`). The operator sees the
//! counters in `metrics`. Separate processes compute the answers (`worker_pool`, `worker`), so no
//! question can crash the server.
//!
//! This crate is an implementation detail of the program `grundy`.

mod api;
mod assets;
mod bucket;
mod error;
mod guard;
mod jobs;
mod listen;
mod metrics;
mod protocol;
mod scheduling;
mod stack;
mod work;
mod worker;
mod worker_pool;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

pub use guard::{Origin, WrongOrigin};
pub use work::WORKERS;
pub use worker::{Memory, work};
pub use worker_pool::Program;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to bind.
    pub address: IpAddr,
    /// The port, or 0 for any free port.
    pub port: u16,
    /// The public address of the page, if the server is behind a proxy.
    pub public: Option<Origin>,
    /// The origin of the site that may embed the page in a frame.
    pub frame: Option<Origin>,
    /// The program that worker processes run.
    pub program: Program,
    /// Number of heavy places. A heavy place is a permit to run a slow question, so at most this
    /// number of slow questions are answered at the same time.
    pub workers: usize,
    /// Largest number of bytes that all worker processes may allocate together.
    pub memory: u64,
}

/// A server that is bound to its address, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

impl Server {
    /// Binds the address.
    ///
    /// # Errors
    /// An error of the operating system, for example that the port is in use.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind((settings.address, settings.port))?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            settings,
        })
    }

    /// Returns the URL of the page on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", guard::reached_at(self.address))
    }

    /// Answers requests until the program is asked to stop. Questions in progress are then still
    /// answered.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn run(self) -> io::Result<()> {
        // One thread is enough, because other processes compute the answers.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let app = api::router(&self.settings, self.address);
            listen::serve(self.listener, app).await
        })
    }
}
