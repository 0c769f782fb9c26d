//! What is served at which address, and the headers of every response.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, RANGE,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;

use crate::page::{self, Page};
use crate::range::{self, Part};
use crate::sources::{self, Sources};
use crate::tree::leads_down;

/// The number of bytes of a file that are read at once.
const CHUNK: usize = 256 << 10;

/// What a browser may do with everything but the page: show it as text.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

#[derive(Debug)]
struct Site {
    page: Page,
    sources: Sources,
}

/// Routes requests; methods other than GET and HEAD are refused.
pub(crate) fn router(page: Page, sources: Sources) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/{*path}", get(page_file))
        .route("/session/", get(listing))
        .route("/session/{*path}", get(source_file))
        .fallback(|| async { not_found() })
        .layer(middleware::from_fn(check_host))
        .layer(middleware::map_response(add_headers))
        .with_state(Arc::new(Site { page, sources }))
}

/// Refuses requests that name another host: a page elsewhere can have its name resolve to this machine, but its browser
/// still sends that name.
async fn check_host(request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(HOST).iter();
    let is_named_local = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(is_local),
        _ => false,
    };
    if is_named_local && request.uri().authority().is_none_or(|authority| is_local(authority.as_str())) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "this is served to this machine only, as 127.0.0.1 or localhost\n").into_response()
    }
}

/// Returns whether a host, with or without a port, is this machine.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
}

async fn add_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(DATA_POLICY));
    response
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "there is no such file, or none that may be shown\n").into_response()
}

async fn index(state: State<Arc<Site>>) -> Response {
    page_file(state, Path("index.html".to_owned())).await
}

async fn page_file(State(site): State<Arc<Site>>, Path(path): Path<String>) -> Response {
    if !leads_down(&path) {
        return not_found();
    }
    let media_type = page::media_type(&path);
    match blocking(move || site.page.read(&path)).await.flatten() {
        Some(bytes) => ([(CONTENT_TYPE, media_type), (CONTENT_SECURITY_POLICY, page::POLICY)], bytes).into_response(),
        None => not_found(),
    }
}

async fn listing(State(site): State<Arc<Site>>) -> Response {
    match blocking(move || serde_json::to_vec(&site.sources.list())).await {
        Some(Ok(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn source_file(State(site): State<Arc<Site>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    if !leads_down(&path) {
        return not_found();
    }
    let media_type = sources::media_type(&path);
    let range = headers.get(RANGE).and_then(|range| Some(range.to_str().ok()?.to_owned()));
    let opened = blocking(move || Opened::part(site.sources.open_file(&path)?, range.as_deref()).ok()).await.flatten();
    let Some(Opened { file, size, part }) = opened else { return not_found() };
    let (status, Range { start, end }) = match part {
        Part::Whole => (StatusCode::OK, 0..size),
        Part::Bytes(range) => (StatusCode::PARTIAL_CONTENT, range),
        Part::Unsatisfiable => {
            let unsatisfied = [(CONTENT_RANGE, format!("bytes */{size}"))];
            return (StatusCode::RANGE_NOT_SATISFIABLE, unsatisfied, "the file has no such part\n").into_response();
        }
    };
    // A file that gets shorter meanwhile ends the connection, because its length has been sent.
    let bytes = tokio::fs::File::from_std(file).take(end - start);
    let body = Body::from_stream(ReaderStream::with_capacity(bytes, CHUNK));
    let headers = [(CONTENT_TYPE, media_type), (ACCEPT_RANGES, "bytes")];
    let mut response = (status, headers, [(CONTENT_LENGTH, end - start)], body).into_response();
    if status == StatusCode::PARTIAL_CONTENT
        && let Ok(value) = HeaderValue::try_from(format!("bytes {start}-{}/{size}", end - 1))
    {
        response.headers_mut().insert(CONTENT_RANGE, value);
    }
    response
}

/// A file at the beginning of the part that is wanted of it.
struct Opened {
    file: File,
    size: u64,
    part: Part,
}

impl Opened {
    fn part(mut file: File, range: Option<&str>) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let part = range::parse(range, size);
        if let Part::Bytes(range) = &part {
            file.seek(SeekFrom::Start(range.start))?;
        }
        Ok(Self { file, size, part })
    }
}

/// Runs what waits for the disk on a thread for that; returns nothing if it panics.
async fn blocking<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(action).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:1"] {
            assert!(is_local(host), "{host}");
        }
        let others = ["", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost:a", "[::1]:80"];
        for host in others.into_iter().chain(["localhost@evil.example:80", "localhost:80@evil.example", "localhost."]) {
            assert!(!is_local(host), "{host}");
        }
    }
}
