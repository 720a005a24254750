//! Accepting connections: a limit on their number, timeouts for slow clients, and a graceful
//! shutdown.

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

/// Largest number of open connections.
const MAX_CONNECTIONS: usize = 1_000;

/// Time limit for receiving the head of a request. An idle connection is closed after the same
/// time.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Longest time for which a client may read nothing of its answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);

/// Interval between two checks whether the client is still connected.
const DISCONNECT_POLL: Duration = Duration::from_millis(200);

/// When the server stops, time limit for the answers that are still being computed or sent.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(15);

/// Serves requests until the program is asked to stop.
pub(crate) async fn serve(listener: std::net::TcpListener, app: Router) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop_signal()?);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    let app = TowerToHyperService::new(app);
    loop {
        let (permit, accepted) = tokio::select! {
            both = accept(&listener, &permits) => both,
            () = &mut stop => break,
        };
        let Ok((stream, client)) = accepted else {
            // For example, the process has no free file descriptor. Other connections will soon
            // free some, so the server only pauses.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        // This option sends small answers without delay. If it cannot be set, they are only slower.
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let stream = Arc::new(stream);
        let watched = Arc::clone(&stream);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(client));
            let (answer, stream) = (app.call(request), Arc::clone(&watched));
            async move {
                // When the client disconnects, the future that computes the answer is dropped. This
                // kills the process that computes it.
                tokio::select! {
                    answer = answer => Ok(answer.unwrap_or_else(|never| match never {})),
                    () = client_closed(&stream) => Err(io::Error::from(io::ErrorKind::ConnectionReset)),
                }
            }
        });
        let connection = http.serve_connection(TokioIo::new(TimeoutStream::new(stream)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // If the connection broke, no client can receive the error.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    // Answers that take longer than this limit are aborted.
    let _ = timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    Ok(())
}

/// Waits until the client closes its side of the connection.
///
/// The HTTP library reads nothing more before it has answered. If there are unread data, the
/// library therefore does not notice that the stream has ended. The operating system reports the
/// end at once.
async fn client_closed(stream: &TcpStream) {
    loop {
        sleep(DISCONNECT_POLL).await;
        let ready = stream.ready(Interest::READABLE).now_or_never();
        if ready.is_some_and(|ready| ready.is_ok_and(Ready::is_read_closed)) {
            return;
        }
    }
}

/// A stream that fails if the client reads nothing of an answer for `WRITE_TIMEOUT`. Such a client
/// would otherwise occupy its connection forever.
#[derive(Debug)]
struct TimeoutStream {
    stream: Arc<TcpStream>,
    /// The timer, which runs only while a write is blocked.
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimeoutStream {
    fn new(stream: Arc<TcpStream>) -> Self {
        Self {
            stream,
            timer: None,
        }
    }

    /// Calls `write` as soon as the stream is ready for it.
    fn attempt<T>(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        loop {
            ready!(self.stream.poll_write_ready(context))?;
            match write(&self.stream) {
                // The stream was reported as ready, but is not. `try_write` has cleared this
                // report, so the loop waits again.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    /// Returns the result of a write. If writing has been blocked for too long, returns a timeout
    /// error.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            // The client has read something, so the timer is reset. A slow client is accepted, a
            // stalled one is not.
            self.timer = None;
            return written;
        }
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)))
            .as_mut();
        timer
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimeoutStream {
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

impl AsyncWrite for TimeoutStream {
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
        // There is no buffer that would have to be flushed.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The connection is closed when it is dropped.
        Poll::Ready(Ok(()))
    }
}

/// Waits until fewer than `MAX_CONNECTIONS` connections are open, then accepts the next one.
/// Returns the permit for the connection, and the connection.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> (
    Option<tokio::sync::OwnedSemaphorePermit>,
    io::Result<(TcpStream, std::net::SocketAddr)>,
) {
    // A connection is accepted only when a permit is free. Until then, it waits in the queue of the
    // operating system and needs no file descriptor.
    let permit = Arc::clone(permits).acquire_owned().await.ok();
    (permit, listener.accept().await)
}

/// Returns a future that ends when the program is asked to stop.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
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

/// Returns a future that ends when the program is asked to stop.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // If Ctrl-C cannot be handled, it ends the program at once.
        let _ = tokio::signal::ctrl_c().await;
    })
}
