//! Connections: so many at once, none that is slow on purpose, and an end that lets everybody
//! finish.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep, timeout};

/// Connections at once.
const CONNECTIONS: usize = 1_000;

/// How long the head of a request may take, and how long a connection may wait for its next.
const HEAD: Duration = Duration::from_secs(15);

/// How long whoever asked may take nothing of an answer.
const TAKING: Duration = Duration::from_secs(15);

/// The pause between two checks that the client is still connected.
const LOOK: Duration = Duration::from_millis(200);

/// How long the last answers may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(15);

/// Answers until the program is asked to stop.
pub(crate) async fn serve(listener: std::net::TcpListener, app: Router) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stopped()?);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let app = TowerToHyperService::new(app);
    loop {
        let (place, accepted) = tokio::select! {
            both = next(&listener, &places) => both,
            () = &mut stop => break,
        };
        let Ok((stream, client)) = accepted else {
            // Out of file descriptors, say: some will be given back.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Small answers go out at once; where that cannot be had they go out a little later.
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let stream = Arc::new(stream);
        let watched = Arc::clone(&stream);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(client));
            let (answer, stream) = (app.call(request), Arc::clone(&watched));
            async move {
                tokio::select! {
                    answer = answer => Ok(answer.unwrap_or_else(|never| match never {})),
                    () = hung_up(&stream) => Err(io::Error::from(io::ErrorKind::ConnectionReset)),
                }
            }
        });
        let connection = http.serve_connection(TokioIo::new(Impatient::new(stream)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A connection that breaks off has nobody who could be told.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Whoever is not answered by then is not answered.
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
    Ok(())
}

/// Waits until the client closes its side of a connection.
///
/// HTTP sees that by itself only if nothing follows the request: it reads no further before it has
/// answered. The operating system says it at once, whatever has not been read yet.
async fn hung_up(stream: &TcpStream) {
    loop {
        sleep(LOOK).await;
        let ready = stream.ready(Interest::READABLE).now_or_never();
        if ready.is_some_and(|ready| ready.is_ok_and(Ready::is_read_closed)) {
            return;
        }
    }
}

/// A connection that ends when nothing of an answer is taken for a while: else whoever does not
/// read would keep its place.
#[derive(Debug)]
struct Impatient {
    stream: Arc<TcpStream>,
    /// Until when something must be taken.
    patience: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    fn new(stream: Arc<TcpStream>) -> Self {
        Self {
            stream,
            patience: None,
        }
    }

    /// Writes as soon as the stream takes something.
    fn attempt<T>(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        loop {
            ready!(self.stream.poll_write_ready(context))?;
            match write(&self.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    /// What came of writing; an error where it has been in vain for too long.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self
            .patience
            .get_or_insert_with(|| Box::pin(sleep(TAKING)))
            .as_mut();
        patience
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Ok(length) => {
                    buffer.advance(length);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.attempt(context, |stream| stream.try_write(bytes));
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.attempt(context, |stream| stream.try_write_vectored(pieces));
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // What is written is with the operating system.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The connection is dropped next, which closes it.
        Poll::Ready(Ok(()))
    }
}

/// Returns the next connection, when there is a place for it.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (
    Option<tokio::sync::OwnedSemaphorePermit>,
    io::Result<(TcpStream, std::net::SocketAddr)>,
) {
    let place = Arc::clone(places).acquire_owned().await.ok();
    (place, listener.accept().await)
}

/// Waits until the program is asked to stop.
#[cfg(unix)]
fn stopped() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits until the program is asked to stop.
#[cfg(not(unix))]
fn stopped() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Where Ctrl-C cannot be listened to, it ends the program as ever.
        let _ = tokio::signal::ctrl_c().await;
    })
}
