//! Notices: telling a client that something it asked about has changed.
//!
//! Nothing tells us of a change, as other agents write files in processes of their own. So between requests we look.

use std::hash::{DefaultHasher, Hash, Hasher};

use huddle_core::model::{Json, Span, Timestamp};

use super::Server;
use super::resources::{self, Address};
use super::rpc::{Answer, Fault, notification};

/// How many addresses and requests a client may have watched at once.
pub(super) const MAX_SUBSCRIPTIONS: usize = 1000;

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
    /// What is watched, with a fingerprint of what was there when it was last looked at.
    watched: Vec<Watched>,
    /// What the list was, for those who want to know when it changes.
    pub(super) list: Option<u64>,
}

/// One address that is watched.
#[derive(Debug)]
struct Watched {
    /// The address as the client writes it.
    uri: String,
    address: Address,
    fingerprint: u64,
}

impl Listener {
    /// Says whether there is anything to look at.
    fn is_busy(&self) -> bool {
        self.list.is_some() || !self.watched.is_empty()
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
pub(super) fn fingerprint_all(listed: &[String]) -> u64 {
    listed.iter().fold(0, |sum, one| sum.wrapping_add(fingerprint(one)))
}

/// Returns a number that differs when a text differs; it is not kept longer than the process.
pub(super) fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
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
        let address = resources::known(uri)?;
        if self.older().watched.iter().any(|watched| watched.uri == uri) {
            return Ok("{}".to_owned());
        }
        self.make_room(1)?;
        let watched = self.watch(uri, address);
        self.older().watched.push(watched);
        Ok("{}".to_owned())
    }

    /// Watches it no longer.
    pub(super) fn unsubscribe(&mut self, uri: &str) -> String {
        self.older().watched.retain(|watched| watched.uri != uri);
        "{}".to_owned()
    }

    /// Watches all that a request asks for, until it is cancelled, and says what that is.
    pub(super) fn listen(&mut self, id: &Json, params: &Json) -> Answer {
        let wanted = &params["notifications"];
        let uris = wanted["resourceSubscriptions"].as_array().map_or(&[][..], Vec::as_slice);
        let uris = uris.iter().filter_map(Json::as_str);
        let known: Vec<_> = uris.filter_map(|uri| Some((uri, resources::known(uri).ok()?))).collect();
        // A request that comes again replaces what it asked for before.
        self.listeners.retain(|listener| listener.id.as_ref() != Some(id));
        self.make_room(1 + known.len())?;
        let list = wanted["resourcesListChanged"] == true;
        let uris: Json = known.iter().map(|(uri, _)| *uri).collect();
        let watched = known.into_iter().map(|(uri, address)| self.watch(uri, address)).collect();
        let list_before = list.then(|| fingerprint_all(&self.listed()));
        self.listeners.push(Listener { id: Some(id.clone()), watched, list: list_before });
        let mut accepted = Vec::new();
        accepted.extend(list.then(|| r#""resourcesListChanged":true"#.to_owned()));
        accepted.push(format!(r#""resourceSubscriptions":{uris}"#));
        let params = format!(r#"{{"_meta":{{"{SUBSCRIPTION}":{id}}},"notifications":{{{}}}}}"#, accepted.join(","));
        Ok(notification("notifications/subscriptions/acknowledged", &params))
    }

    /// Refuses so many more subscriptions when a client would have more than it may.
    fn make_room(&mut self, more: usize) -> Result<(), Fault> {
        let held: usize = self.listeners.iter().map(|listener| 1 + listener.watched.len()).sum();
        if held + more > MAX_SUBSCRIPTIONS {
            return Err(Fault::limit(&format!(
                "too many subscriptions: at most {MAX_SUBSCRIPTIONS} are kept; end some that are no longer needed"
            )));
        }
        // What was seen for others that are gone since may be long ago.
        if !self.has_listeners() {
            self.look_anew();
        }
        Ok(())
    }

    fn watch(&mut self, uri: &str, address: Address) -> Watched {
        let fingerprint = self.fingerprint_of(&address);
        Watched { uri: uri.to_owned(), address, fingerprint }
    }

    /// Looks once at everything that somebody waits for, and tells what has changed.
    pub(super) fn news(&mut self) -> Vec<String> {
        let mut news = Vec::new();
        self.look_anew();
        let mut listeners = std::mem::take(&mut self.listeners);
        let list = listeners.iter().any(|listener| listener.list.is_some()).then(|| fingerprint_all(&self.listed()));
        for listener in &mut listeners {
            if let (Some(before), Some(now)) = (listener.list, list)
                && before != now
            {
                listener.list = Some(now);
                news.push(listener.notice("notifications/resources/list_changed", None));
            }
            for place in 0..listener.watched.len() {
                let Watched { uri, address, fingerprint: before } = &listener.watched[place];
                let now = self.fingerprint_of(address);
                if now != *before {
                    news.push(listener.notice("notifications/resources/updated", Some(uri)));
                    listener.watched[place].fingerprint = now;
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
        assert_eq!(fingerprint_all(&[one.clone(), two.clone()]), fingerprint_all(&[two.clone(), one.clone()]));
        assert_ne!(fingerprint_all(std::slice::from_ref(&one)), fingerprint_all(&[one.clone(), two]));
    }
}
