//! The web page of grundy and its HTTP API.
//!
//! A question arrives as JSON, is passed to `grundy-analysis`, and returns as JSON of the public
//! contract. No game is known here. This crate decides who may ask (`guard`), how much and how long
//! (`work`, `jobs`), and what is reported (`metrics`). Separate processes answer (`crew`,
//! `worker`), so no question can crash the server.

mod api;
mod assets;
mod bucket;
mod crew;
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

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

pub use crew::Program;
pub use guard::{Origin, WrongOrigin};
pub use work::WORKERS;
pub use worker::{Memory, work};

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to bind.
    pub address: IpAddr,
    /// The port. 0 selects a free one.
    pub port: u16,
    /// The public address of the page, behind a proxy.
    pub public: Option<Origin>,
    /// The origin that may embed the page in a frame.
    pub frame: Option<Origin>,
    /// The program to run as a worker process.
    pub program: Program,
    /// Number of heavy questions that run at the same time.
    pub workers: usize,
    /// Most bytes allocated by all worker processes.
    pub memory: u64,
}

/// A server that is bound and does not answer yet.
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

    /// Serves until the program is asked to stop. Questions that are being answered are completed
    /// first.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn run(self) -> io::Result<()> {
        // One thread is enough, because the work is done in other processes.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let app = api::router(&self.settings, self.address);
            listen::serve(self.listener, app).await
        })
    }
}
