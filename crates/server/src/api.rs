//! The routes of the server: questions, jobs, the web page, and the metrics for the operator.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{get, post};
use futures_util::stream::{Stream, unfold};
use grundy::{Diagnostic, Kind, Message, message};
use grundy_analysis::questions::is_known;
use grundy_analysis::request::{JsonObject, Request as Question};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::bucket::Buckets;
use crate::crew::RawQuestion;
use crate::error::{broken, error};
use crate::guard::{Asker, Guard};
use crate::jobs::{Jobs, Name, Stands};
use crate::metrics::Metrics;
use crate::protocol::CameTo;
use crate::work::{Unanswered, Work};
use crate::{Settings, assets};

/// Largest length of a question, in bytes.
const BODY: usize = 1 << 20;

/// Time limit for a client to send a whole question.
const ARRIVAL: Duration = Duration::from_secs(10);

/// Names of the questions that can also be asked with GET.
const LOOKED_UP: [&str; 2] = ["probe", "tables"];

/// Value of the header `Retry-After`: seconds after which a rejected client may retry.
const AGAIN: &str = "1";

/// The state that all handlers share.
struct App {
    guard: Guard,
    work: Arc<Work>,
    jobs: Arc<Jobs>,
    metrics: Arc<Metrics>,
    buckets: Buckets,
    /// `true` if each request is logged as a line on standard error.
    log: bool,
}

/// The client of a request. The rate limit and the limit on jobs apply to each client.
#[derive(Clone, Copy, Debug)]
struct Client {
    address: IpAddr,
    asker: Asker,
}

pub(crate) fn router(settings: &Settings, address: SocketAddr) -> Router {
    let metrics = Arc::new(Metrics::default());
    let work = Arc::new(Work::new(
        settings.program.clone(),
        settings.workers,
        settings.memory,
        Arc::clone(&metrics),
    ));
    let jobs = Arc::new(Jobs::new(Arc::clone(&work), Arc::clone(&metrics)));
    tokio::spawn(Arc::clone(&jobs).look_after());
    let app = Arc::new(App {
        guard: Guard::new(settings, address),
        work,
        jobs,
        metrics,
        buckets: Buckets::default(),
        log: settings.public.is_some(),
    });
    Router::new()
        .route("/api/v1/jobs", post(begin))
        .route("/api/v1/jobs/{name}", get(look).delete(cancel))
        .route("/api/v1/jobs/{name}/events", get(events))
        .route("/api/v1/{question}", post(ask).get(look_up))
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(metrics_text))
        .fallback(page)
        .layer(from_fn_with_state(Arc::clone(&app), watched))
        .with_state(app)
}

/// Wraps the handling of every request: first checks the client and its rate, then counts and logs
/// the answer.
async fn watched(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let begun = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let asker = app.guard.asker(request.uri(), request.headers());
    let client = asker.map(|asker| Client {
        address: client_address(asker, peer, request.headers()),
        asker,
    });
    let mut answer = match client {
        None => {
            let message = message!("host or origin not allowed");
            refusal(StatusCode::FORBIDDEN, Kind::Io, message)
        }
        Some(client)
            if client.asker == Asker::Public && !app.buckets.take(client.address, begun) =>
        {
            app.metrics.busy.fetch_add(1, Ordering::Relaxed);
            busy(message!("too many requests: retry in a moment"))
        }
        Some(client) => {
            request.extensions_mut().insert(client);
            app.metrics.under_way.fetch_add(1, Ordering::Relaxed);
            let _under_way = UnderWay(&app.metrics);
            next.run(request).await
        }
    };
    // Rejections also get the security headers.
    app.guard.headers(answer.headers_mut());
    let took = begun.elapsed();
    app.metrics.answered(answer.status().as_u16(), took);
    if app.log {
        log(&method, &path, answer.status(), took, client);
    }
    answer
}

/// A guard that counts a request in progress. If the client disconnects, the guard is dropped, so
/// the request is no longer counted.
struct UnderWay<'a>(&'a Metrics);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the address of the client. For a client of the public host, this is the last address in
/// the header, which the proxy has appended.
fn client_address(asker: Asker, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    // Earlier addresses in the header come from the client and can be forged. Other clients have no
    // trusted proxy, so the header is ignored for them.
    let forwarded = || {
        let said = headers.get_all("x-forwarded-for").iter().next_back()?;
        said.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    match asker {
        Asker::Public => forwarded().unwrap_or(peer.ip()),
        Asker::Near => peer.ip(),
    }
}

/// Writes a line of JSON about a request to the log. The line does not contain the question.
fn log(method: &Method, path: &str, status: StatusCode, took: Duration, client: Option<Client>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    // The name of a job is the only key to it, so it is not logged.
    let path = match path.strip_prefix("/api/v1/jobs/") {
        Some(_) => "/api/v1/jobs/...",
        None => path,
    };
    let line = json!({
        "time": now.map(|now| now.as_secs_f64()).unwrap_or_default(),
        "method": method.as_str(),
        "path": path.chars().take(100).collect::<String>(),
        "status": status.as_u16(),
        "ms": took.as_micros() as f64 / 1000.0,
        "client": client.map(|client| client.address.to_string()),
    });
    eprintln!("{line}");
}

fn object(status: StatusCode, json: impl Into<Body>) -> Response<Body> {
    let mut answer = Response::new(json.into());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    let kind = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn refusal(status: StatusCode, kind: Kind, message: Message) -> Response<Body> {
    object(status, error(&Diagnostic::new(kind, message)))
}

fn busy(message: Message) -> Response<Body> {
    let mut answer = refusal(StatusCode::TOO_MANY_REQUESTS, Kind::Limit, message);
    let again = HeaderValue::from_static(AGAIN);
    answer.headers_mut().insert(header::RETRY_AFTER, again);
    answer
}

/// Returns the body of a request. Fails if the body is not declared as JSON, arrives too slowly, or
/// is too long.
async fn body(request: Request) -> Result<Bytes, Response<Body>> {
    // A form on another site can send this content type only after a preflight request, which this
    // server rejects.
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let message = message!("the content type must be application/json");
        return Err(refusal(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Type,
            message,
        ));
    }
    let large = || {
        let message = message!("the question is larger than {most} bytes", most = BODY);
        refusal(StatusCode::PAYLOAD_TOO_LARGE, Kind::Limit, message)
    };
    // A declared length that is too large is rejected at once. The actual length is checked while
    // the body is read.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > BODY as u64) {
        return Err(large());
    }
    match timeout(ARRIVAL, to_bytes(request.into_body(), BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(large()),
        Err(_) => {
            let message = message!("the request timed out");
            Err(refusal(StatusCode::REQUEST_TIMEOUT, Kind::Limit, message))
        }
    }
}

fn unanswered(why: &Unanswered, metrics: &Metrics) -> Response<Body> {
    match why {
        Unanswered::Busy => {
            metrics.busy.fetch_add(1, Ordering::Relaxed);
            busy(message!("the server is busy: retry in a moment"))
        }
        Unanswered::Broken => object(StatusCode::INTERNAL_SERVER_ERROR, broken()),
    }
}

/// Handles a question that is asked with POST.
async fn ask(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    if !is_known(&name) {
        return nothing_here();
    }
    let text = match body(request).await {
        Ok(text) => text,
        Err(refusal) => return refusal,
    };
    answered(&app, RawQuestion { name, text }).await
}

/// Answers a question and returns the response.
async fn answered(app: &App, asked: RawQuestion) -> Response<Body> {
    match app.work.answer(&asked).await {
        Ok((came_to, json)) => {
            let status = match came_to {
                CameTo::Answer => StatusCode::OK,
                CameTo::Error => StatusCode::BAD_REQUEST,
                CameTo::Defect => StatusCode::INTERNAL_SERVER_ERROR,
            };
            object(status, json)
        }
        Err(why) => unanswered(&why, &app.metrics),
    }
}

/// Handles a question about tablebases that is asked with GET.
async fn look_up(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    if !LOOKED_UP.contains(&name.as_str()) {
        return if is_known(&name) {
            not_so()
        } else {
            nothing_here()
        };
    }
    match in_address(request.uri().query().unwrap_or_default()) {
        Ok(text) => answered(&app, RawQuestion { name, text }).await,
        Err(diagnostic) => object(StatusCode::BAD_REQUEST, error(&diagnostic)),
    }
}

/// Converts the query part of a URL to a JSON object.
fn in_address(query: &str) -> Result<Bytes, Diagnostic> {
    let mut asked = Map::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        // The key of the position is `position` in a URL, but `game` in a question.
        let key = if key == "position" { "game" } else { &*key };
        let value = match &*value {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => Value::from(text),
        };
        if asked.insert(key.to_owned(), value).is_some() {
            let message = message!("duplicate key `{key}`", key);
            return Err(Diagnostic::new(Kind::Syntax, message));
        }
    }
    Ok(Value::Object(asked).to_string().into())
}

/// Handles a request to start a job.
async fn begin(
    State(app): State<Arc<App>>,
    axum::Extension(client): axum::Extension<Client>,
    request: Request,
) -> Response<Body> {
    let bytes = match body(request).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal,
    };
    // Parsing a long question takes time. On the only thread of the server it would block all
    // requests.
    let question = tokio::task::spawn_blocking(move || commanded(&bytes)).await;
    let question = match question {
        Ok(Ok(question)) => question,
        Ok(Err(json)) => return object(StatusCode::BAD_REQUEST, json),
        Err(_) => return unanswered(&Unanswered::Broken, &app.metrics),
    };
    match app.jobs.begin(question, client.address) {
        Ok(name) => {
            let told = json!({ "job": name.to_string() });
            object(StatusCode::ACCEPTED, format!("{told}\n"))
        }
        Err(why) => unanswered(&why, &app.metrics),
    }
}

/// Parses the question of a job. If it is invalid, returns an error object.
///
/// This happens before the job is started, so that an invalid question occupies no place.
fn commanded(text: &[u8]) -> Result<RawQuestion, String> {
    let asked = JsonObject::read(text).ok();
    let command = asked.and_then(|mut asked| {
        let command = asked.remove("command")?;
        Some((command.as_str()?.to_owned(), asked))
    });
    let Some((command, asked)) = command else {
        let message =
            message!("a job must be an object with the key `command`, the name of a question");
        return Err(error(&Diagnostic::new(Kind::Syntax, message)));
    };
    let text = asked.text().into();
    match Question::of(&command, asked) {
        Ok(_) => Ok(RawQuestion {
            name: command,
            text,
        }),
        Err(refusal) => Err(refusal.json()),
    }
}

fn nothing_here() -> Response<Body> {
    refusal(
        StatusCode::NOT_FOUND,
        Kind::UnknownName,
        message!("not found"),
    )
}

fn not_so() -> Response<Body> {
    let message = message!("method not allowed");
    refusal(StatusCode::METHOD_NOT_ALLOWED, Kind::UnknownName, message)
}

fn no_job() -> Response<Body> {
    let message = message!("no such job, or it has expired");
    refusal(StatusCode::NOT_FOUND, Kind::UnknownName, message)
}

/// Returns the key of a result in the state of a job, which is also the name of its event.
fn named(came_to: CameTo) -> &'static str {
    match came_to {
        CameTo::Answer => "answer",
        CameTo::Error | CameTo::Defect => "failed",
    }
}

/// Handles a request for the state of a job.
async fn look(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    let stands = Name::read(&name).and_then(|name| app.jobs.follow(name));
    let Some(stands) = stands else {
        return no_job();
    };
    let stands = stands.borrow().clone();
    let json = match stands {
        Stands::Running(told) => {
            let told = json!({ "job": name, "state": "running", "progress": told });
            format!("{told}\n")
        }
        Stands::Done(ended) => {
            let key = named(ended.came_to);
            let answer = ended.json.trim();
            let name = json!(name);
            format!("{{\"job\":{name},\"state\":\"done\",\"{key}\":{answer}}}\n")
        }
    };
    object(StatusCode::OK, json)
}

/// Handles a request to cancel a job.
async fn cancel(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    match Name::read(&name) {
        Some(known) if app.jobs.cancel(known) => object(
            StatusCode::OK,
            format!("{}\n", json!({ "job": name, "cancelled": true })),
        ),
        _ => no_job(),
    }
}

/// Handles a request for the progress of a job, which is sent as a stream of server-sent events.
async fn events(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    let stands = Name::read(&name).and_then(|name| app.jobs.follow(name));
    match stands {
        // A comment every 10 seconds keeps proxies from closing a stream without events.
        Some(stands) => Sse::new(told(stands))
            .keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
            .into_response(),
        None => no_job(),
    }
}

/// The state of a stream of events.
struct Telling {
    stands: watch::Receiver<Stands>,
    number: u64,
    ended: bool,
}

/// Returns the events of a job: its present state, each change of the state, and the result.
fn told(stands: watch::Receiver<Stands>) -> impl Stream<Item = Result<Event, Infallible>> {
    let telling = Telling {
        stands,
        number: 0,
        ended: false,
    };
    unfold(telling, |mut telling| async move {
        if telling.ended {
            return None;
        }
        // The first event contains the present state, so it does not wait for a change.
        if telling.number > 0 && telling.stands.changed().await.is_err() {
            return None;
        }
        let now = telling.stands.borrow_and_update().clone();
        telling.number += 1;
        let event = Event::default().id(telling.number.to_string());
        let event = match now {
            Stands::Running(told) => event.event("progress").data(told.to_string()),
            Stands::Done(ended) => {
                telling.ended = true;
                let name = named(ended.came_to);
                event.event(name).data(ended.json.trim())
            }
        };
        Some((Ok(event), telling))
    })
}

/// Handles a request for the metrics. Clients of the public host get none.
async fn metrics_text(
    State(app): State<Arc<App>>,
    axum::Extension(client): axum::Extension<Client>,
) -> Response<Body> {
    match client.asker {
        Asker::Near => Response::new(Body::from(app.metrics.text())),
        Asker::Public => nothing_here(),
    }
}

/// Returns a file of the page.
async fn page(request: Request) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return not_so();
    }
    assets::get(request.uri().path(), request.headers()).unwrap_or_else(nothing_here)
}
