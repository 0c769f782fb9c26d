//! Resources: the inbox, messages, threads, shared contexts and sessions, each under an address.

use huddle_core::model::{Json, MessageId};
use huddle_core::wire;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::rpc::{Answer, Fault};
use super::{Server, notices};
use crate::tools;

const SCHEME: &str = "huddle://";
const INBOX: &str = "huddle://inbox";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// How many conversations are listed: those that somebody said something in last. Any other is read by its address.
pub(super) const THREADS: usize = 50;

/// The longest address that is looked at: no name is a third as long.
const MAX_URI: usize = 4096;

/// What is escaped in a part of an address: all but the characters that RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What an address leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Address {
    Inbox,
    Message(String),
    Thread(String),
    Context(String),
    Session(String),
}

impl Address {
    fn parse(uri: &str) -> Option<Self> {
        if uri == INBOX {
            return Some(Self::Inbox);
        }
        if uri.len() > MAX_URI {
            return None;
        }
        let (kind, name) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        let name = plain(name);
        match kind {
            "message" => Some(Self::Message(name)),
            "thread" => Some(Self::Thread(name)),
            "context" => Some(Self::Context(name)),
            "session" => Some(Self::Session(name)),
            _ => None,
        }
    }
}

/// The addresses of what there is too much of to list.
pub(super) const TEMPLATES: &str = concat!(
    r#"{"resourceTemplates":["#,
    r#"{"uriTemplate":"huddle://message/{id}","name":"message","description":"A message of yours; looking leaves no trace","mimeType":"application/json"},"#,
    r#"{"uriTemplate":"huddle://thread/{id}","name":"thread","description":"A conversation, first message first","mimeType":"application/json"},"#,
    r#"{"uriTemplate":"huddle://context/{name}","name":"context","description":"A shared context","mimeType":"text/markdown"},"#,
    r#"{"uriTemplate":"huddle://session/{id}","name":"session","description":"Where a session stands","mimeType":"application/json"}]}"#,
);

impl Server<'_> {
    /// Lists what there is; from then on, a client of the older way is told when that changes.
    pub(super) fn resources(&mut self, current: bool) -> String {
        self.look_anew();
        let listed = self.listed();
        if !current {
            self.older().list = Some(notices::fingerprint_all(&listed));
        }
        format!(r#"{{"resources":[{}]}}"#, listed.join(","))
    }

    /// Lists what there is, an entry each.
    pub(super) fn listed(&mut self) -> Vec<String> {
        let mut all = vec![entry(INBOX, "inbox", "What you have not read", JSON)];
        for (words, list, field, kind, mime) in [
            ("context list", "contexts", "name", "context", MARKDOWN),
            ("session list", "sessions", "session_id", "session", JSON),
        ] {
            // Before the first agent registers there is no bus, and nothing to list.
            let told = tools::run(self.project, &self.global, words, Vec::new()).unwrap_or_default();
            let told: Json = wire::parse(told.as_bytes()).unwrap_or_default();
            for one in told[list].as_array().map_or(&[][..], Vec::as_slice) {
                let name = one[field].as_str().unwrap_or_default();
                let title = one["subject"].as_str().unwrap_or(name);
                all.push(entry(&format!("{SCHEME}{kind}/{}", escaped(name)), name, title, mime));
            }
        }
        all.extend_from_slice(self.listed_threads());
        all
    }

    /// Reads what has an address.
    pub(super) fn read(&self, uri: &str, current: bool) -> Answer {
        let content = Address::parse(uri).ok_or_else(|| "there is no such resource".to_owned());
        let (text, mime) = content.and_then(|address| self.content(&address)).map_err(|message| {
            // Each way has a number of its own for it.
            Fault::new(if current { -32602 } else { -32002 }, &format!("reading {uri} failed: {message}"))
        })?;
        let (uri, text) = (Json::from(uri), Json::from(text));
        Ok(format!(r#"{{"contents":[{{"uri":{uri},"mimeType":"{mime}","text":{text}}}]}}"#))
    }

    /// Gives what has an address as text, and its kind; or says why it cannot be read.
    fn content(&self, address: &Address) -> Result<(String, &'static str), String> {
        let (words, take) = match address {
            Address::Inbox => ("inbox", None),
            Address::Message(id) => ("read", Some(("ID", id))),
            Address::Thread(id) => ("thread", Some(("ID", id))),
            Address::Context(name) => ("context show", Some(("NAME", name))),
            Address::Session(id) => ("session status", Some(("id", id))),
        };
        let mut given: Vec<_> = take.map(|(take, name)| (take, name.clone())).into_iter().collect();
        // A program that reads a resource need not show it to anybody.
        if matches!(address, Address::Message(_) | Address::Inbox) {
            given.push(("peek", String::new()));
        }
        let told = tools::run(self.project, &self.global, words, given).map_err(|told| message(&told))?;
        if !matches!(address, Address::Context(_)) {
            return Ok((told, JSON));
        }
        let told: Json = wire::parse(told.as_bytes()).unwrap_or_default();
        Ok((told["content"].as_str().unwrap_or_default().to_owned(), MARKDOWN))
    }

    /// Gives a text that differs when what has an address differs. Of an inbox these are the names of what is unread: to
    /// list it would be to read every message, each time that somebody looks.
    pub(super) fn state(&self, address: &Address) -> String {
        if *address == Address::Inbox {
            let me = self.global.agent.as_deref().and_then(|me| me.parse().ok());
            let unread = me.and_then(|me| self.project.bus().unread_ids(&me).ok()).unwrap_or_default();
            return unread.iter().map(MessageId::as_str).collect::<Vec<_>>().join("/");
        }
        self.content(address).map_or_else(|fault| fault, |(text, _)| text)
    }
}

/// Makes sure that an address can lead to something.
pub(super) fn known(uri: &str) -> Result<Address, Fault> {
    Address::parse(uri).ok_or_else(|| {
        let shown: String = uri.chars().take(100).collect();
        Fault::params(&format!("there is no resource {shown:?}"))
    })
}

/// Writes the entry of a conversation.
pub(super) fn thread_entry(name: &str, subject: &str) -> String {
    entry(&format!("{SCHEME}thread/{}", escaped(name)), name, subject, JSON)
}

fn entry(uri: &str, name: &str, title: &str, mime: &str) -> String {
    let (uri, name, title) = (Json::from(uri), Json::from(name), Json::from(title));
    format!(r#"{{"uri":{uri},"name":{name},"title":{title},"mimeType":"{mime}"}}"#)
}

/// Takes the message out of a failure's document.
pub(super) fn message(told: &str) -> String {
    let told: Json = wire::parse(told.as_bytes()).unwrap_or_default();
    let [message, hint] = ["message", "hint"].map(|field| told["error"][field].as_str().unwrap_or_default());
    if hint.is_empty() { message.to_owned() } else { format!("{message} ({hint})") }
}

/// Escapes a name so that it is one part of an address, whatever is in it.
fn escaped(name: &str) -> String {
    utf8_percent_encode(name, ESCAPED).to_string()
}

/// Reads a name as [`escaped`] writes it; what was not written so stays as it is.
fn plain(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_a_part_of_an_address() {
        for name in ["plain", "two words", "50%", "a#b?c", "Änderung", "%41"] {
            let part = escaped(name);
            assert!(part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)), "{part}");
            assert_eq!(plain(&part), name);
        }
        assert_eq!(plain("100%"), "100%");
    }
}
