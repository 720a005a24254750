//! The routes of the server: questions (requests for an answer), jobs (questions that are answered
//! later), the web page, and the metrics for the operator.

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
use grundy_analysis::questions::is_known;
use grundy_analysis::request::{JsonObject, Request as Question};
use grundy_core::{Diagnostic, Kind, Message, message};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::bucket::Buckets;
use crate::error::{defect_error, error};
use crate::guard::{ClientKind, Guard};
use crate::jobs::{JobId, JobState, Jobs};
use crate::metrics::Metrics;
use crate::protocol::AnswerKind;
use crate::work::{Unanswered, Work};
use crate::worker_pool::RawQuestion;
use crate::{Settings, assets};

/// Largest length of a question, in bytes.
const MAX_BODY: usize = 1 << 20;

/// Time limit for a client to send a whole question.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Names of the questions that can also be asked with GET.
const GET_QUESTIONS: [&str; 2] = ["probe", "tables"];

/// Value of the header `Retry-After`: seconds after which a rejected client may retry.
const RETRY_SECONDS: &str = "1";

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

/// The client of a request. The limit on jobs applies to each client separately. The rate limit
/// also applies to each client separately, but only to clients of the public host.
#[derive(Clone, Copy, Debug)]
struct Client {
    address: IpAddr,
    kind: ClientKind,
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
    tokio::spawn(Arc::clone(&jobs).clean_up_periodically());
    let app = Arc::new(App {
        guard: Guard::new(settings, address),
        work,
        jobs,
        metrics,
        buckets: Buckets::default(),
        log: settings.public.is_some(),
    });
    Router::new()
        .route("/api/v1/jobs", post(start_job))
        .route("/api/v1/jobs/{name}", get(job_state).delete(cancel))
        .route("/api/v1/jobs/{name}/events", get(events))
        .route("/api/v1/{question}", post(answer_post).get(answer_get))
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(metrics_text))
        .fallback(page)
        .layer(from_fn_with_state(Arc::clone(&app), guard_and_log))
        .with_state(app)
}

/// Handles every request. Checks the client and its request rate, calls the handler of the route,
/// then counts and logs the response.
async fn guard_and_log(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let start = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let kind = app.guard.client_kind(request.uri(), request.headers());
    let client = kind.map(|kind| Client {
        address: client_address(kind, peer, request.headers()),
        kind,
    });
    let mut answer = match client {
        None => {
            let message = message!("host or origin not allowed");
            error_response(StatusCode::FORBIDDEN, Kind::Io, message)
        }
        Some(client)
            if client.kind == ClientKind::Public && !app.buckets.take(client.address, start) =>
        {
            app.metrics.busy.fetch_add(1, Ordering::Relaxed);
            busy_response(message!("too many requests: retry in a moment"))
        }
        Some(client) => {
            request.extensions_mut().insert(client);
            app.metrics.in_progress.fetch_add(1, Ordering::Relaxed);
            let _in_progress = InProgress(&app.metrics);
            next.run(request).await
        }
    };
    // Rejections also get the security headers.
    app.guard.headers(answer.headers_mut());
    let elapsed = start.elapsed();
    app.metrics.count_answer(answer.status().as_u16(), elapsed);
    if app.log {
        log(&method, &path, answer.status(), elapsed, client);
    }
    answer
}

/// A guard that removes a request from the number of requests in progress when it is dropped. It is
/// also dropped if the client disconnects.
struct InProgress<'a>(&'a Metrics);

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.in_progress.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the address of the client. For a client of the public host, this is the last address in
/// the header `X-Forwarded-For`, which the proxy has appended.
fn client_address(kind: ClientKind, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    // Earlier addresses in the header come from the client and can be forged. Other clients have no
    // trusted proxy, so the header is ignored for them.
    let forwarded = || {
        let value = headers.get_all("x-forwarded-for").iter().next_back()?;
        value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    match kind {
        ClientKind::Public => forwarded().unwrap_or(peer.ip()),
        ClientKind::Local => peer.ip(),
    }
}

/// Writes a line of JSON about a request to the log. The line does not contain the question.
fn log(method: &Method, path: &str, status: StatusCode, elapsed: Duration, client: Option<Client>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    // Anyone with the id of a job has access to the job, so the id is not logged.
    let path = match path.strip_prefix("/api/v1/jobs/") {
        Some(_) => "/api/v1/jobs/...",
        None => path,
    };
    let line = json!({
        "time": now.map(|now| now.as_secs_f64()).unwrap_or_default(),
        "method": method.as_str(),
        "path": path.chars().take(100).collect::<String>(),
        "status": status.as_u16(),
        "ms": elapsed.as_micros() as f64 / 1000.0,
        "client": client.map(|client| client.address.to_string()),
    });
    eprintln!("{line}");
}

fn json_response(status: StatusCode, json: impl Into<Body>) -> Response<Body> {
    let mut answer = Response::new(json.into());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    let kind = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn error_response(status: StatusCode, kind: Kind, message: Message) -> Response<Body> {
    json_response(status, error(&Diagnostic::new(kind, message)))
}

fn busy_response(message: Message) -> Response<Body> {
    let mut answer = error_response(StatusCode::TOO_MANY_REQUESTS, Kind::Limit, message);
    let again = HeaderValue::from_static(RETRY_SECONDS);
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
        return Err(error_response(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Type,
            message,
        ));
    }
    let large = || {
        let message = message!("the request is larger than {most} bytes", most = MAX_BODY);
        error_response(StatusCode::PAYLOAD_TOO_LARGE, Kind::Limit, message)
    };
    // A declared length that is too large is rejected at once. The actual length is checked while
    // the body is read.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(large());
    }
    match timeout(BODY_TIMEOUT, to_bytes(request.into_body(), MAX_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(large()),
        Err(_) => {
            let message = message!("the request timed out");
            Err(error_response(
                StatusCode::REQUEST_TIMEOUT,
                Kind::Limit,
                message,
            ))
        }
    }
}

fn unanswered_response(why: &Unanswered, metrics: &Metrics) -> Response<Body> {
    match why {
        Unanswered::Busy => {
            metrics.busy.fetch_add(1, Ordering::Relaxed);
            busy_response(message!("the server is busy: retry in a moment"))
        }
        Unanswered::Broken => json_response(StatusCode::INTERNAL_SERVER_ERROR, defect_error()),
    }
}

/// Handles a question that is asked with POST.
async fn answer_post(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    if !is_known(&name) {
        return not_found();
    }
    let text = match body(request).await {
        Ok(text) => text,
        Err(refusal) => return refusal,
    };
    answer_response(&app, RawQuestion { name, text }).await
}

/// Answers a question and returns the response.
async fn answer_response(app: &App, question: RawQuestion) -> Response<Body> {
    match app.work.answer(&question).await {
        Ok((kind, json)) => {
            let status = match kind {
                AnswerKind::Answer => StatusCode::OK,
                AnswerKind::Error => StatusCode::BAD_REQUEST,
                AnswerKind::Defect => StatusCode::INTERNAL_SERVER_ERROR,
            };
            json_response(status, json)
        }
        Err(why) => unanswered_response(&why, &app.metrics),
    }
}

/// Handles a question about tablebases that is asked with GET.
async fn answer_get(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response<Body> {
    if !GET_QUESTIONS.contains(&name.as_str()) {
        return if is_known(&name) {
            method_not_allowed()
        } else {
            not_found()
        };
    }
    match query_object(request.uri().query().unwrap_or_default()) {
        Ok(text) => answer_response(&app, RawQuestion { name, text }).await,
        Err(diagnostic) => json_response(StatusCode::BAD_REQUEST, error(&diagnostic)),
    }
}

/// Converts the query part of a URL to a JSON object.
fn query_object(query: &str) -> Result<Bytes, Diagnostic> {
    let mut question = Map::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        // The key of the position is `position` in a URL, but `game` in a question.
        let key = if key == "position" { "game" } else { &*key };
        let value = match &*value {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => Value::from(text),
        };
        if question.insert(key.to_owned(), value).is_some() {
            let message = message!("duplicate key `{key}`", key);
            return Err(Diagnostic::new(Kind::Syntax, message));
        }
    }
    Ok(Value::Object(question).to_string().into())
}

/// Handles a request to start a job.
async fn start_job(
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
    let question = tokio::task::spawn_blocking(move || parse_job(&bytes)).await;
    let question = match question {
        Ok(Ok(question)) => question,
        Ok(Err(json)) => return json_response(StatusCode::BAD_REQUEST, json),
        Err(_) => return unanswered_response(&Unanswered::Broken, &app.metrics),
    };
    match app.jobs.start(question, client.address) {
        Ok(id) => {
            let started = json!({ "job": id.to_string() });
            json_response(StatusCode::ACCEPTED, format!("{started}\n"))
        }
        Err(why) => unanswered_response(&why, &app.metrics),
    }
}

/// Parses the question of a job. If it is invalid, returns an error object.
///
/// Jobs are parsed before they are started, so that an invalid question does not count towards the
/// limit on jobs.
fn parse_job(text: &[u8]) -> Result<RawQuestion, String> {
    let question = JsonObject::read(text).ok();
    let command = question.and_then(|mut question| {
        let command = question.remove("command")?;
        Some((command.as_str()?.to_owned(), question))
    });
    let Some((command, question)) = command else {
        let message =
            message!("a job must be an object whose key `command` contains the name of a command");
        return Err(error(&Diagnostic::new(Kind::Syntax, message)));
    };
    let text = question.text().into();
    match Question::of(&command, question) {
        Ok(_) => Ok(RawQuestion {
            name: command,
            text,
        }),
        Err(refusal) => Err(refusal.json()),
    }
}

fn not_found() -> Response<Body> {
    error_response(
        StatusCode::NOT_FOUND,
        Kind::UnknownName,
        message!("not found"),
    )
}

fn method_not_allowed() -> Response<Body> {
    let message = message!("method not allowed");
    error_response(StatusCode::METHOD_NOT_ALLOWED, Kind::UnknownName, message)
}

fn job_not_found() -> Response<Body> {
    let message = message!("no such job, or it has expired");
    error_response(StatusCode::NOT_FOUND, Kind::UnknownName, message)
}

/// Returns the key of the answer in the JSON of a finished job. The event with the answer has the
/// same name.
fn result_key(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Answer => "answer",
        AnswerKind::Error | AnswerKind::Defect => "failed",
    }
}

/// Handles a request for the state of a job.
async fn job_state(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    let state = JobId::read(&name).and_then(|id| app.jobs.follow(id));
    let Some(state) = state else {
        return job_not_found();
    };
    let state = state.borrow().clone();
    let json = match state {
        JobState::Running(progress) => {
            let object = json!({ "job": name, "state": "running", "progress": progress });
            format!("{object}\n")
        }
        JobState::Done(ended) => {
            let key = result_key(ended.kind);
            let answer = ended.json.trim();
            let name = json!(name);
            format!("{{\"job\":{name},\"state\":\"done\",\"{key}\":{answer}}}\n")
        }
    };
    json_response(StatusCode::OK, json)
}

/// Handles a request to cancel a job.
async fn cancel(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    match JobId::read(&name) {
        Some(id) if app.jobs.cancel(id) => json_response(
            StatusCode::OK,
            format!("{}\n", json!({ "job": name, "cancelled": true })),
        ),
        _ => job_not_found(),
    }
}

/// Handles a request for the progress of a job, which is sent as a stream of server-sent events.
async fn events(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response<Body> {
    let state = JobId::read(&name).and_then(|id| app.jobs.follow(id));
    match state {
        // A comment every 10 seconds keeps proxies from closing a stream without events.
        Some(state) => Sse::new(event_stream(state))
            .keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
            .into_response(),
        None => job_not_found(),
    }
}

/// The state of a stream of server-sent events about a job.
struct EventStream {
    state: watch::Receiver<JobState>,
    number: u64,
    ended: bool,
}

/// Returns the events of a job: its present state, each change of the state, and the answer.
fn event_stream(state: watch::Receiver<JobState>) -> impl Stream<Item = Result<Event, Infallible>> {
    let stream = EventStream {
        state,
        number: 0,
        ended: false,
    };
    unfold(stream, |mut stream| async move {
        if stream.ended {
            return None;
        }
        // The first event contains the present state, so it does not wait for a change.
        if stream.number > 0 && stream.state.changed().await.is_err() {
            return None;
        }
        let now = stream.state.borrow_and_update().clone();
        stream.number += 1;
        let event = Event::default().id(stream.number.to_string());
        let event = match now {
            JobState::Running(progress) => event.event("progress").data(progress.to_string()),
            JobState::Done(ended) => {
                stream.ended = true;
                let name = result_key(ended.kind);
                event.event(name).data(ended.json.trim())
            }
        };
        Some((Ok(event), stream))
    })
}

/// Handles a request for the metrics. For clients of the public host, the response has the status
/// 404 (not found).
async fn metrics_text(
    State(app): State<Arc<App>>,
    axum::Extension(client): axum::Extension<Client>,
) -> Response<Body> {
    match client.kind {
        ClientKind::Local => Response::new(Body::from(app.metrics.text())),
        ClientKind::Public => not_found(),
    }
}

/// Returns the file of the web page at the path of the request.
async fn page(request: Request) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return method_not_allowed();
    }
    assets::get(request.uri().path(), request.headers()).unwrap_or_else(not_found)
}
