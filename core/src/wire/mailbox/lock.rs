//! The lock beside a shared context: a note in JSON that the protocol's snippets test and set.

use super::{parse_object, pretty};
use crate::model::{Json, JsonMap, Timestamp};

/// The field that says that the holder has a lease besides; the protocol does not know it.
const LEASED: &str = "leased";

/// Who holds a lock, as the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The agent.
    pub agent: String,
    /// Since when, if that can be read.
    pub since: Option<Timestamp>,
    /// Whether one of ours set it, who has a lease besides.
    pub is_huddle: bool,
}

/// Reads who holds the lock; a lock that cannot be read is held by nobody.
pub fn holder(bytes: &[u8]) -> Option<Holder> {
    let map = parse_object(bytes).ok()?;
    if map.get("locked") != Some(&Json::Bool(true)) {
        return None;
    }
    let text = |key: &str| map.get(key).and_then(Json::as_str);
    Some(Holder {
        agent: text("locked_by").unwrap_or("an unnamed agent").to_owned(),
        since: text("locked_at").and_then(Timestamp::parse),
        is_huddle: map.contains_key(LEASED),
    })
}

/// Writes a lock that `agent` holds, as well as the lease.
pub fn held(agent: &str, at: Timestamp) -> String {
    lock(true, agent.into(), at.floor().to_string().into(), true)
}

/// Writes a lock that nobody holds.
pub fn free() -> String {
    lock(false, Json::Null, Json::Null, false)
}

fn lock(locked: bool, by: Json, at: Json, leased: bool) -> String {
    let fields = [("locked", Json::Bool(locked)), ("locked_by", by), ("locked_at", at)];
    let mark = leased.then_some((LEASED, Json::Bool(true)));
    let fields = fields.into_iter().chain(mark).map(|(key, value)| (key.to_owned(), value));
    pretty(&Json::Object(fields.collect::<JsonMap>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_go_both_ways() {
        let at = Timestamp::parse("2025-11-29T14:30:52Z").unwrap();
        assert_eq!(
            holder(held("ann", at).as_bytes()),
            Some(Holder { agent: "ann".into(), since: Some(at), is_huddle: true })
        );
        assert_eq!(holder(free().as_bytes()), None);
        assert_eq!(free(), "{\n  \"locked\": false,\n  \"locked_by\": null,\n  \"locked_at\": null\n}\n");
        assert_eq!(holder(b"{\"locked\": tr"), None);
    }
}
