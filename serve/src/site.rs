//! What lies at which address: the page at `/`, what it shows at `/session/`.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::paths;
use super::request::Request;
use super::response::Response;
use super::session::Session;

/// What all is plain text for that has no type of its own.
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

/// The page, and what it can show.
#[derive(Debug)]
pub struct Site {
    page: PathBuf,
    session: Option<Session>,
}

impl Site {
    /// Takes the folder of the page, and what is to lie beside it.
    pub fn new(page: PathBuf, session: Option<Session>) -> Self {
        Self { page, session }
    }

    /// Answers a request.
    pub(super) fn answer(&self, request: &Request) -> Response {
        // A page of somebody else can give its own name this machine's address; its browser still sends that name.
        if !request.host.as_deref().is_some_and(is_ours) {
            return Response::refusal(403, "this is served to this machine only, as 127.0.0.1 or localhost");
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Response::refusal(405, "files can only be read here").with("Allow", "GET, HEAD");
        }
        let path = request.target.split(['?', '#']).next().unwrap_or_default();
        self.find(path, request.range.as_deref())
            .unwrap_or_else(|| Response::refusal(404, "there is no such file, or none that may be shown"))
    }

    fn find(&self, path: &str, range: Option<&str>) -> Option<Response> {
        let path = path.strip_prefix('/')?;
        if let Some(below) = path.strip_prefix("session/") {
            let session = self.session.as_ref()?;
            if below.is_empty() {
                return Some(Response::bytes(JSON, session.listing().to_string().into_bytes()));
            }
            let file = session.file(&paths::relative(below)?)?;
            return open(&file, kind_of_data(&file), range);
        }
        let path = if path.is_empty() { "index.html" } else { path };
        let file = paths::file_below(&self.page, &paths::relative(path)?)?;
        open(&file, kind_of_page(&file), range)
    }
}

fn open(file: &Path, kind: &'static str, range: Option<&str>) -> Option<Response> {
    Response::file(kind, File::open(file).ok()?, range).ok()
}

/// Says whether a client means this machine, whatever the port.
fn is_ours(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
}

/// Tells the type of a file of the page.
fn kind_of_page(file: &Path) -> &'static str {
    match extension(file) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        _ => kind_of_data(file),
    }
}

/// Tells the type of a file that is shown: whatever is in it, a browser never runs it.
fn kind_of_data(file: &Path) -> &'static str {
    if extension(file) == "json" { JSON } else { TEXT }
}

fn extension(file: &Path) -> &str {
    file.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_ours() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:1"] {
            assert!(is_ours(host), "{host}");
        }
        for host in ["", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost:a", "[::1]:80"] {
            assert!(!is_ours(host), "{host}");
        }
    }

    #[test]
    fn data_is_never_run() {
        assert_eq!(kind_of_page(Path::new("a.js")), "text/javascript; charset=utf-8");
        assert_eq!(kind_of_page(Path::new("a.json")), "application/json");
        assert_eq!(kind_of_page(Path::new("README")), TEXT);
        assert_eq!(kind_of_data(Path::new("a.html")), TEXT);
        assert_eq!(kind_of_data(Path::new("a.js")), TEXT);
    }
}
