//! The web page of grundy, and its interface over HTTP.
//!
//! A question comes as JSON, goes to the crate that answers questions, and comes back as the
//! contract's JSON: no game is known here. What is decided here is who may ask (`guard`), how much
//! at once and how long (`work`, `jobs`), and what is told of it (`metrics`). Processes of their
//! own answer (`crew`, `worker`), so that no question ends the server.

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

/// How the server is to be reached, and by whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address that is bound.
    pub address: IpAddr,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Where the page is seen from outside, through a proxy.
    pub public: Option<Origin>,
    /// Who may show the page inside their own.
    pub frame: Option<Origin>,
    /// The program that answers questions, in processes of its own.
    pub program: Program,
    /// Heavy questions at once.
    pub workers: usize,
    /// Bytes that all these processes may hold.
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
    /// What the operating system says: another program may have the port.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind((settings.address, settings.port))?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            settings,
        })
    }

    /// Where the page is, seen from this machine.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", guard::reached_at(self.address))
    }

    /// Answers until the program is asked to stop; what is being answered then is answered first.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let app = api::router(&self.settings, self.address);
            listen::serve(self.listener, app).await
        })
    }
}
