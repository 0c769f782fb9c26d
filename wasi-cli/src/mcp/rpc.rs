//! JSON-RPC: what a request is, and how it is answered.

use huddle_core::model::Json;

/// What a request is answered with: its result as JSON, or a fault.
pub(super) type Answer = Result<String, Fault>;

/// The revision in which every request speaks for itself.
pub(super) const CURRENT: &str = "2026-07-28";
/// The revisions that begin with a handshake, newest first.
pub(super) const OLDER: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The field in which a request names its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The field in which a request says what its client can do.
const CLIENT: &str = "io.modelcontextprotocol/clientCapabilities";

/// How long the id of a request may be, in bytes.
const MAX_ID: usize = 1024;

/// Says whether a message is an answer. Nothing is asked here, so nobody waits for one.
pub(super) fn is_answer(message: &Json) -> bool {
    message["method"].is_null() && !(message["result"].is_null() && message["error"].is_null())
}

/// A request, or a notification if it has no id.
pub(super) struct Request<'j> {
    pub(super) id: Option<&'j Json>,
    pub(super) method: &'j str,
    pub(super) params: &'j Json,
}

impl<'j> Request<'j> {
    /// Reads a message; what is no request is refused.
    pub(super) fn read(message: &'j Json) -> Result<Self, Fault> {
        let method = message["method"].as_str();
        let (Some(method), "2.0") = (method, message["jsonrpc"].as_str().unwrap_or_default()) else {
            return Err(Fault::new(
                -32600,
                "not a JSON-RPC 2.0 request: it needs \"jsonrpc\": \"2.0\" and a \"method\"",
            ));
        };
        let id = message.get("id").filter(|id| !id.is_null());
        // It is kept for as long as a subscription lasts.
        let is_fit = |id: &Json| (id.is_string() || id.is_number()) && id.to_string().len() <= MAX_ID;
        if id.is_some_and(|id| !is_fit(id)) {
            return Err(Fault::new(-32600, "an id is a number or a text, and not a long one"));
        }
        Ok(Self { id, method, params: &message["params"] })
    }

    /// Finds out which way of the protocol the request belongs to.
    pub(super) fn era(&self) -> Result<Era, Fault> {
        let meta = &self.params["_meta"];
        let version = match meta.get(VERSION) {
            None if self.method != "server/discover" => return Ok(Era::Handshake),
            None => return Err(Fault::params(&format!("_meta has no {VERSION:?}"))),
            Some(version) => version.as_str().ok_or_else(|| Fault::params(&format!("{VERSION:?} has to be a text")))?,
        };
        if version != CURRENT {
            let mut fault = Fault::new(-32022, &format!("revision {version:?} is not spoken here"));
            fault.data = Some(format!(r#"{{"requested":{},"supported":{}}}"#, Json::from(version), versions()));
            return Err(fault);
        }
        if !meta[CLIENT].is_object() {
            return Err(Fault::params(&format!("_meta has no {CLIENT:?}")));
        }
        Ok(Era::Current)
    }
}

/// Lists the revisions, newest first.
pub(super) fn versions() -> Json {
    [CURRENT].iter().chain(&OLDER).copied().collect()
}

/// A way of the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// It begins with a handshake.
    Handshake,
    /// Every request speaks for itself.
    Current,
}

impl Era {
    pub(super) fn is_current(self) -> bool {
        self == Self::Current
    }

    /// Adds what every result has to have.
    pub(super) fn finish(self, method: &str, result: String) -> String {
        if !self.is_current() {
            return result;
        }
        let kept = matches!(method, "server/discover" | "resources/read") || method.ends_with("/list");
        // Nothing is worth keeping for long: the next agent may change it at any time.
        let kept = if kept { r#","ttlMs":0,"cacheScope":"private""# } else { "" };
        let comma = if result == "{}" { "" } else { "," };
        format!(r#"{{"resultType":"complete"{kept}{comma}{}"#, &result[1..])
    }
}

/// Writes the answer to a request.
pub(super) fn result(id: &Json, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// Writes something that nobody asked for.
pub(super) fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
}

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Fault {
    code: i32,
    message: String,
    /// What else there is to say, as JSON.
    data: Option<String>,
}

impl Fault {
    pub(super) fn new(code: i32, message: &str) -> Self {
        Self { code, message: message.to_owned(), data: None }
    }

    /// What was sent is no JSON.
    pub(super) fn parse(message: &str) -> Self {
        Self::new(-32700, message)
    }

    /// Nothing has that name.
    pub(super) fn unknown(method: &str) -> Self {
        Self::new(-32601, &format!("there is no method {method:?}"))
    }

    /// A client wants more than it is given.
    pub(super) fn limit(message: &str) -> Self {
        Self::new(-32000, message)
    }

    /// What goes with the method is not what it needs.
    pub(super) fn params(message: &str) -> Self {
        Self::new(-32602, message)
    }

    /// Writes it as the answer to a request.
    pub(super) fn answer(&self, id: &Json) -> String {
        let data = self.data.as_ref().map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
        let (code, message) = (self.code, Json::from(self.message.as_str()));
        let is_fit = (id.is_string() || id.is_number()) && id.to_string().len() <= MAX_ID;
        let id = if is_fit { id } else { &Json::Null };
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}{data}}}}}"#)
    }
}
