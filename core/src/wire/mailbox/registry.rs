//! `registry.json` and `routing.json`.

use super::{parse_object, pretty};
use crate::model::{Agent, AgentName, Directory, EventName, Json, JsonMap, Limits, Timestamp, Usage, WhenFull};

/// The field in which changes that are counted already are noted, until their entries are gone.
const APPLIED_TX_IDS: &str = "huddle_counted";
/// The field of the quotas, which people set.
const LIMITS: &str = "huddle_limits";
/// The field of what the inboxes hold.
const USAGE: &str = "huddle_usage";

/// A registry as it stands in its file: the model, and the object it came from, so that a rewrite keeps what is unknown.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// What it says.
    pub directory: Directory,
    raw: JsonMap,
    /// The agents in whose entries something is to be written.
    changed: Vec<AgentName>,
}

impl Registry {
    /// Starts an empty registry.
    pub fn new(at: Timestamp) -> Self {
        let directory = Directory {
            initialized_at: Some(at.floor()),
            retention_hours: Directory::DEFAULT_RETENTION_HOURS,
            ..Directory::default()
        };
        Self::of(directory)
    }

    /// Creates the registry of a directory that comes from elsewhere.
    pub fn of(directory: Directory) -> Self {
        Self { directory, ..Self::default() }
    }

    /// Reads a registry; entries that make no sense are passed over and stay in the file.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let raw = parse_object(bytes)?;
        if raw.get("agents").is_some_and(|agents| !agents.is_object()) {
            return Err("its \"agents\" is not an object".to_owned());
        }
        let objects = |key: &str| raw.get(key).and_then(Json::as_object).into_iter().flatten();
        let agents = objects("agents")
            .filter_map(|(name, entry)| Some((AgentName::new(name.as_str()).ok()?, decode_entry(entry))));
        let subscriptions = objects("event_subscriptions").filter_map(|(event, names)| {
            let names = names.as_array()?.iter().filter_map(Json::as_str);
            Some((EventName::new(event.as_str()).ok()?, names.filter_map(|name| AgentName::new(name).ok()).collect()))
        });
        let retention = raw.get("message_retention_hours").and_then(Json::as_u64);
        let directory = Directory {
            initialized_at: time(&raw, "initialized_at"),
            agents: agents.collect(),
            subscriptions: subscriptions.collect(),
            retention_hours: retention
                .and_then(|hours| u32::try_from(hours).ok())
                .unwrap_or(Directory::DEFAULT_RETENTION_HOURS),
            limits: decode_limits(raw.get(LIMITS).and_then(Json::as_object)),
            usage: raw.get(USAGE).and_then(Json::as_object).and_then(decode_usage),
        };
        Ok(Self { directory, raw, changed: Vec::new() })
    }

    /// Writes the registry over what it was read from.
    pub fn encode(&mut self) -> String {
        let Self { directory, raw, .. } = self;
        if let Some(at) = directory.initialized_at {
            raw.insert("initialized_at".into(), at.to_string().into());
        }
        raw.entry("message_count").or_insert(0.into());
        let agents = object_in(raw, "agents");
        // Entries whose names we could not read are not ours to drop.
        agents
            .retain(|name, _| AgentName::new(name.as_str()).map_or(true, |name| directory.agents.contains_key(&name)));
        for (name, agent) in directory.agents.iter() {
            encode_agent(agent, object_in(agents, name.as_str()));
        }
        let events = object_in(raw, "event_subscriptions");
        events.retain(|event, _| {
            EventName::new(event.as_str()).map_or(true, |e| directory.subscriptions.contains_key(&e))
        });
        for (event, names) in directory.subscriptions.iter() {
            events.insert(event.to_string(), names.iter().map(|name| Json::from(name.as_str())).collect());
        }
        raw.insert("message_retention_hours".into(), directory.retention_hours.into());
        if directory.limits != decode_limits(raw.get(LIMITS).and_then(Json::as_object)) {
            encode_limits(&directory.limits, object_in(raw, LIMITS));
        }
        match directory.usage {
            Some(Usage { messages, bytes, delivered }) => {
                let usage = object!({"messages": messages, "bytes": bytes, "delivered": delivered});
                raw.insert(USAGE.into(), usage);
            }
            None => drop(raw.shift_remove(USAGE)),
        }
        self.encode_changed()
    }

    /// Does the same when only agents of [`Registry::change_agent`] were changed, which takes far less.
    pub fn encode_changed(&mut self) -> String {
        for name in self.changed.drain(..) {
            if let Some(agent) = self.directory.agents.get(&name) {
                encode_agent(agent, object_in(object_in(&mut self.raw, "agents"), name.as_str()));
            }
        }
        let whole = Json::Object(std::mem::take(&mut self.raw));
        let text = pretty(&whole);
        if let Json::Object(raw) = whole {
            self.raw = raw;
        }
        text
    }

    /// Returns an agent of whom something is to be noted.
    pub fn change_agent(&mut self, name: &str) -> Option<&mut Agent> {
        let name = AgentName::new(name).ok()?;
        let agent = self.directory.agents.get_mut(&name)?;
        self.changed.push(name);
        Some(agent)
    }

    /// Names the changes that are counted and whose entries may still be there.
    pub fn applied_tx_ids(&self) -> impl Iterator<Item = &str> {
        self.raw.get(APPLIED_TX_IDS).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
    }

    /// Records which changes are counted, in place of those that were noted before.
    pub fn set_applied_tx_ids(&mut self, txs: impl IntoIterator<Item = String>) {
        self.raw.insert(APPLIED_TX_IDS.into(), txs.into_iter().map(Json::from).collect());
    }

    /// Adds to the count of all messages, which the protocol keeps beside the agents' own.
    pub fn add_messages(&mut self, more: u64) {
        let before = self.raw.get("message_count").and_then(Json::as_u64).unwrap_or(0);
        self.raw.insert("message_count".into(), before.saturating_add(more).into());
    }
}

/// Returns the object in a field, which is made when it is not there.
fn object_in<'m>(map: &'m mut JsonMap, key: &str) -> &'m mut JsonMap {
    let field = map.entry(key).or_insert(Json::Null);
    if !field.is_object() {
        *field = Json::Object(JsonMap::new());
    }
    field.as_object_mut().expect("it was made an object")
}

fn time(map: &JsonMap, key: &str) -> Option<Timestamp> {
    map.get(key).and_then(Json::as_str).and_then(Timestamp::parse)
}

const AGENT_FIELDS: [&str; 7] =
    ["role", "worktree_path", "capabilities", "registered_at", "status", "last_seen", "message_count"];

/// Reads an agent's entry; one that makes no sense takes nobody off the directory.
fn decode_entry(entry: &Json) -> Agent {
    entry.as_object().map_or_else(Agent::unknown, decode_agent)
}

fn decode_agent(entry: &JsonMap) -> Agent {
    let text = |key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let capabilities = entry.get("capabilities").and_then(Json::as_array).into_iter().flatten();
    Agent {
        role: text("role"),
        worktree: text("worktree_path"),
        capabilities: capabilities.filter_map(Json::as_str).map(str::to_owned).collect(),
        registered_at: time(entry, "registered_at"),
        status: text("status"),
        last_seen: time(entry, "last_seen"),
        message_count: entry.get("message_count").and_then(Json::as_u64).unwrap_or(0),
        extra: entry
            .iter()
            .filter(|(key, _)| !AGENT_FIELDS.contains(&key.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
    }
}

fn encode_agent(agent: &Agent, entry: &mut JsonMap) {
    let shown = |at: Option<Timestamp>| at.map_or(Json::Null, |at| at.floor().to_string().into());
    let fields: [Json; AGENT_FIELDS.len()] = [
        agent.role.clone().into(),
        agent.worktree.clone().into(),
        agent.capabilities.clone().into(),
        shown(agent.registered_at),
        agent.status.clone().into(),
        shown(agent.last_seen),
        agent.message_count.into(),
    ];
    entry.retain(|key, _| AGENT_FIELDS.contains(&key.as_str()) || agent.extra.contains_key(key));
    for (key, value) in AGENT_FIELDS.into_iter().zip(fields) {
        *entry.entry(key).or_insert(Json::Null) = value;
    }
    entry.extend(agent.extra.clone());
}

fn decode_limits(limits: Option<&JsonMap>) -> Limits {
    let Some(limits) = limits else { return Limits::default() };
    let number = |key: &str| limits.get(key).and_then(Json::as_u64);
    Limits {
        max_messages: number("maxMessages"),
        max_bytes: number("maxBytes"),
        max_age_hours: number("maxAgeHours").and_then(|hours| u32::try_from(hours).ok()),
        when_full: limits.get("whenFull").and_then(Json::as_str).and_then(WhenFull::parse).unwrap_or_default(),
    }
}

fn encode_limits(limits: &Limits, fields: &mut JsonMap) {
    let number = |number: Option<u64>| number.map_or(Json::Null, Json::from);
    fields.insert("maxMessages".into(), number(limits.max_messages));
    fields.insert("maxBytes".into(), number(limits.max_bytes));
    fields.insert("maxAgeHours".into(), number(limits.max_age_hours.map(u64::from)));
    fields.insert("whenFull".into(), limits.when_full.as_str().into());
}

fn decode_usage(usage: &JsonMap) -> Option<Usage> {
    let number = |key: &str| usage.get(key).and_then(Json::as_u64);
    Some(Usage { messages: number("messages")?, bytes: number("bytes")?, delivered: number("delivered")? })
}

/// Writes the routing table that the protocol starts with.
pub fn routing() -> String {
    pretty(&object!({
        "routes": object!({
            "direct": "inbox/{recipient}/",
            "broadcast": "broadcasts/",
            "event": "events/{event_type}/",
            "archive": "archive/{date}/"
        }),
        "priority_queues": object!({ "critical": 1, "high": 2, "normal": 3, "low": 4 }),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewrite_keeps_what_is_unknown() {
        let text = r#"{"note":"ours","agents":{"a":{"role":"r","pid":7},"../x":{"role":"evil"}},"event_subscriptions":{"E":["a","b/c"]}}"#;
        let mut registry = Registry::decode(text.as_bytes()).unwrap();
        assert_eq!(registry.directory.names().len(), 1);
        registry.directory.agents.get_mut(&"a".parse().unwrap()).unwrap().message_count = 3;
        let again: Json = serde_json::from_str(&registry.encode()).unwrap();
        assert_eq!(again["note"], "ours");
        assert_eq!(again["agents"]["a"]["pid"], 7);
        assert_eq!(again["agents"]["a"]["message_count"], 3);
        assert_eq!(again["agents"]["../x"]["role"], "evil");
        assert_eq!(again["message_retention_hours"], 72);
    }

    #[test]
    fn a_new_registry_has_the_fields_of_the_protocol_in_its_order() {
        let mut registry = Registry::new(Timestamp::parse("2025-11-29T14:30:52Z").unwrap());
        let expected = "{\n  \"initialized_at\": \"2025-11-29T14:30:52Z\",\n  \"message_count\": 0,\n  \"agents\": {},\n  \
                        \"event_subscriptions\": {},\n  \"message_retention_hours\": 72\n}\n";
        assert_eq!(registry.encode(), expected);
    }

    #[test]
    fn what_changed_can_be_written_alone() {
        let text = r#"{"note":"ours","agents":{"a":{"pid":7,"role":"r"},"b":{"role":"s"}}}"#;
        let mut registry = Registry::decode(text.as_bytes()).unwrap();
        let whole = registry.encode();
        let mut registry = Registry::decode(whole.as_bytes()).unwrap();
        assert_eq!(registry.encode_changed(), whole);
        registry.change_agent("b").unwrap().message_count = 3;
        assert!(registry.change_agent("c").is_none());
        let text = registry.encode_changed();
        assert_ne!(text, whole);
        assert_eq!(text, registry.encode(), "nothing else had to be written");
    }

    #[test]
    fn limits_are_read_and_written_and_odd_ones_are_none() {
        let limits = Limits {
            max_messages: Some(5),
            max_bytes: Some(1 << 40),
            max_age_hours: Some(48),
            when_full: WhenFull::Archive,
        };
        let mut registry = Registry::new(Timestamp::default());
        assert_eq!(Registry::decode(registry.encode().as_bytes()).unwrap().directory.limits, Limits::default());
        registry.directory.limits = limits;
        registry.directory.usage = Some(Usage { messages: 1, bytes: 2, delivered: 3 });
        let again = Registry::decode(registry.encode().as_bytes()).unwrap().directory;
        assert_eq!((again.limits, again.usage), (limits, registry.directory.usage));
        let odd = r#"{"huddle_limits":{"maxMessages":-1,"maxBytes":"many","maxAgeHours":1e99,"whenFull":7},"huddle_usage":[]}"#;
        let odd = Registry::decode(odd.as_bytes()).unwrap().directory;
        assert_eq!((odd.limits, odd.usage), (Limits::default(), None));
    }

    #[test]
    fn counted_changes_are_noted_until_others_are() {
        let mut registry = Registry::new(Timestamp::default());
        registry.set_applied_tx_ids(["one", "two"].map(str::to_owned));
        let mut again = Registry::decode(registry.encode().as_bytes()).unwrap();
        assert_eq!(again.applied_tx_ids().collect::<Vec<_>>(), ["one", "two"]);
        again.set_applied_tx_ids(["three".to_owned()]);
        assert_eq!(again.applied_tx_ids().collect::<Vec<_>>(), ["three"]);
    }
}
