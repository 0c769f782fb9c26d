//! Notices: telling a client that something it asked about has changed.
//!
//! Nothing tells us of a change, as other agents write files in processes of their own. So between requests we look.

use huddle_core::model::{Json, Span, Timestamp};

use super::rpc::{Answer, notification};
use super::{Server, resources};

/// How many milliseconds to wait between two looks, at least.
const PAUSE: i64 = 400;
/// How many to wait at most, however slow looking is, or seems to be when the clock is set.
const LONGEST: i64 = 10_000;

/// When to look: now and then, however many requests come between.
#[derive(Debug)]
pub(super) struct Looks {
    last: Timestamp,
    pause: i64,
}

impl Looks {
    /// Begins to wait for the first look.
    pub(super) fn new(now: Timestamp) -> Self {
        Self { last: now, pause: PAUSE }
    }

    /// Gives how long it is until the next look; when the clock was set back, nobody knows, and it is now.
    pub(super) fn left(&self, now: Timestamp) -> Span {
        let left = if now < self.last { 0 } else { self.pause - now.since(self.last).millis() };
        Span::from_millis(left.max(0))
    }

    /// Notes a look; what is slow to look at is looked at less often.
    pub(super) fn took(&mut self, began: Timestamp, ended: Timestamp) {
        let pause = ended.since(began).millis().saturating_mul(10).clamp(PAUSE, LONGEST);
        *self = Self { last: ended, pause };
    }
}

/// What a client wants to be told about.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// The request that asked for it; the older way has no such request.
    pub(super) id: Option<Json>,
    /// Addresses, each with what was there when it was last looked at.
    uris: Vec<(String, u64)>,
    /// What the list was, for those who want to know when it changes.
    pub(super) list: Option<u64>,
}

impl Listener {
    /// Says whether there is anything to look at.
    fn is_busy(&self) -> bool {
        self.list.is_some() || !self.uris.is_empty()
    }

    /// Writes a notice, with the request that it belongs to.
    fn notice(&self, method: &str, uri: Option<&str>) -> String {
        let uri = uri.map(|uri| format!(r#""uri":{}"#, Json::from(uri)));
        let id = self.id.as_ref().map(|id| format!(r#""_meta":{{"{SUBSCRIPTION}":{id}}}"#));
        let params: Vec<_> = uri.into_iter().chain(id).collect();
        notification(method, &format!("{{{}}}", params.join(",")))
    }
}

/// The field by which a client knows what a notice belongs to.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Gives a number that differs when what is listed differs, in whatever order it is.
pub(super) fn mark_all(listed: &[String]) -> u64 {
    listed.iter().fold(0, |sum, one| sum.wrapping_add(mark(one)))
}

/// Gives a number that differs when a text differs.
fn mark(text: &str) -> u64 {
    // FNV-1a: these numbers never leave the process.
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Server<'_> {
    /// Says whether anybody wants to be told of changes.
    pub(super) fn has_listeners(&self) -> bool {
        self.listeners.iter().any(Listener::is_busy)
    }

    /// Gives what the older way has asked for so far.
    pub(super) fn older(&mut self) -> &mut Listener {
        let place = self.listeners.iter().position(|listener| listener.id.is_none()).unwrap_or_else(|| {
            self.listeners.push(Listener::default());
            self.listeners.len() - 1
        });
        &mut self.listeners[place]
    }

    /// Watches one address, in the older way.
    pub(super) fn subscribe(&mut self, uri: &str) -> Answer {
        resources::known(uri)?;
        let state = mark(&self.state(uri));
        let older = self.older();
        older.uris.retain(|(watched, _)| watched != uri);
        older.uris.push((uri.to_owned(), state));
        Ok("{}".to_owned())
    }

    /// Watches it no longer.
    pub(super) fn unsubscribe(&mut self, uri: &str) -> String {
        self.older().uris.retain(|(watched, _)| watched != uri);
        "{}".to_owned()
    }

    /// Watches all that a request asks for, until it is cancelled, and says what that is.
    pub(super) fn listen(&mut self, id: &Json, params: &Json) -> String {
        let wanted = &params["notifications"];
        let uris = wanted["resourceSubscriptions"].as_array().map_or(&[][..], Vec::as_slice);
        let uris: Vec<&str> =
            uris.iter().filter_map(Json::as_str).filter(|uri| resources::known(uri).is_ok()).collect();
        let list = wanted["resourcesListChanged"] == true;
        let mut listener = Listener { id: Some(id.clone()), ..Listener::default() };
        listener.uris = uris.iter().map(|uri| ((*uri).to_owned(), mark(&self.state(uri)))).collect();
        listener.list = list.then(|| mark_all(&self.listed()));
        self.listeners.push(listener);
        let mut accepted = Vec::new();
        accepted.extend(list.then(|| r#""resourcesListChanged":true"#.to_owned()));
        let uris: Json = uris.into_iter().collect();
        accepted.push(format!(r#""resourceSubscriptions":{uris}"#));
        let params = format!(r#"{{"_meta":{{"{SUBSCRIPTION}":{id}}},"notifications":{{{}}}}}"#, accepted.join(","));
        notification("notifications/subscriptions/acknowledged", &params)
    }

    /// Looks at everything that somebody waits for, and tells what has changed.
    pub(super) fn news(&mut self) -> Vec<String> {
        let mut news = Vec::new();
        let mut listeners = std::mem::take(&mut self.listeners);
        let list = listeners.iter().any(|listener| listener.list.is_some()).then(|| mark_all(&self.listed()));
        for listener in &mut listeners {
            if let (Some(before), Some(now)) = (listener.list, list)
                && before != now
            {
                listener.list = Some(now);
                news.push(listener.notice("notifications/resources/list_changed", None));
            }
            for place in 0..listener.uris.len() {
                let (uri, before) = &listener.uris[place];
                let now = mark(&self.state(uri));
                if now != *before {
                    news.push(listener.notice("notifications/resources/updated", Some(uri)));
                    listener.uris[place].1 = now;
                }
            }
        }
        self.listeners = listeners;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_to_look_at_is_looked_at_less_often_but_is_looked_at() {
        let start = Timestamp::parse("2025-11-29T14:30:52Z").unwrap();
        let check = |took: i64, left: i64| {
            let mut looks = Looks::new(start);
            let end = start.plus(Span::from_millis(took));
            looks.took(start, end);
            assert_eq!(looks.left(end).millis(), left, "{took}");
            assert_eq!(looks.left(end.plus(Span::from_millis(left - 1))).millis(), 1, "{took}");
            assert_eq!(looks.left(end.plus(Span::from_millis(left))).millis(), 0, "{took}");
            assert_eq!(looks.left(end.minus(Span::from_hours(1))).millis(), 0, "the clock was set back: {took}");
        };
        check(0, PAUSE);
        check(100, 1000);
        check(3_600_000, LONGEST);
    }

    #[test]
    fn a_list_in_another_order_is_the_same_list() {
        let [one, two] = ["one", "two"].map(str::to_owned);
        assert_eq!(mark_all(&[one.clone(), two.clone()]), mark_all(&[two.clone(), one.clone()]));
        assert_ne!(mark_all(std::slice::from_ref(&one)), mark_all(&[one.clone(), two]));
    }
}
