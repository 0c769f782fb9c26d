//! `orchestrator-settings.json`: one field of it is about communication, and the rest is not ours.

use crate::model::{Json, JsonMap, Span};
use crate::state::{Protocol, Settings};
use crate::wire::mailbox::parse_object;

/// Settings, and what in their file makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The settings: of a field that makes no sense, the strictest reading.
    pub settings: Settings,
    /// The faults, in the order of the fields.
    pub faults: Vec<Fault>,
}

/// A part of the settings that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The fault.
    pub message: String,
    /// How it is read.
    pub reading: &'static str,
}

/// Describes settings of which nothing can be read.
pub fn unreadable(fault: &str) -> Decoded {
    let message = format!("the settings cannot be read: {fault}");
    let reading = "no protocol is permitted and no state is shared";
    Decoded { settings: Settings::strictest(), faults: vec![Fault { message, reading }] }
}

/// Reads the settings; what is not said is as the protocol has it.
pub fn decode(bytes: &[u8]) -> Decoded {
    let file = match parse_object(bytes) {
        Ok(file) => file,
        Err(fault) => return unreadable(&fault),
    };
    let fields = match file.get("agentCommunication") {
        None | Some(Json::Null) => &JsonMap::new(),
        Some(Json::Object(fields)) => fields,
        Some(_) => return unreadable(&wrong("agentCommunication", "an object")),
    };
    let settings = Settings { is_configured: true, ..Settings::default() };
    let mut reader = Reader { fields, decoded: Decoded { settings, faults: Vec::new() } };
    let strictest = Settings::strictest();
    if let Some(listed) = reader.field("protocols") {
        reader.decoded.settings.protocols = reader.protocols(listed);
    }
    let (sharing, compression) = ("sharedStateEnabled", "contextCompression");
    if let Some(value) = reader.value(sharing, "true or false", "no state is shared", Json::as_bool) {
        reader.decoded.settings.shared_state = value.unwrap_or(strictest.shared_state);
    }
    if let Some(value) = reader.value(compression, "true or false", "contexts are compressed", Json::as_bool) {
        reader.decoded.settings.compression = value.unwrap_or(strictest.compression);
    }
    let reading = "a context has as few tokens as can be";
    if let Some(value) = reader.value("maxContextTokens", "a whole number above 0", reading, positive) {
        reader.decoded.settings.max_context_tokens = value.unwrap_or(strictest.max_context_tokens);
    }
    let expected = "a whole number of milliseconds above 0";
    let millis = |value: &Json| positive(value).and_then(|millis| i64::try_from(millis).ok()).map(Span::from_millis);
    if let Some(value) =
        reader.value("timeoutMs", expected, "an answer is waited for as long as the protocol says", millis)
    {
        reader.decoded.settings.timeout = value.unwrap_or(strictest.timeout);
    }
    reader.decoded
}

/// Reads fields, and notes what is wrong with them.
struct Reader<'a> {
    fields: &'a JsonMap,
    decoded: Decoded,
}

impl<'a> Reader<'a> {
    fn field(&self, name: &str) -> Option<&'a Json> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// Reads a field: none when it is absent, and nothing in it when it makes no sense.
    fn value<T>(
        &mut self,
        name: &str,
        expected: &str,
        reading: &'static str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Option<Option<T>> {
        let value = read(self.field(name)?);
        if value.is_none() {
            self.fault(wrong(name, expected), reading);
        }
        Some(value)
    }

    /// Reads the list of protocols; an entry that is none of them permits nothing.
    fn protocols(&mut self, listed: &Json) -> Vec<Protocol> {
        let reading = "it permits nothing";
        let Some(entries) = listed.as_array() else {
            self.fault(wrong("protocols", "a list"), "no protocol is permitted");
            return Vec::new();
        };
        let mut permitted = Vec::new();
        for entry in entries {
            let word = entry.as_str().unwrap_or_default();
            if let Some(protocol) = Protocol::parse(word) {
                permitted.push(protocol);
                continue;
            }
            let meant = Protocol::ALL.into_iter().find(|one| one.as_str().eq_ignore_ascii_case(word.trim()));
            let meant = meant.map_or_else(String::new, |one| format!("; {:?} may be meant", one.as_str()));
            self.fault(format!("field \"protocols\" lists {entry}, which is no protocol{meant}"), reading);
        }
        permitted
    }

    fn fault(&mut self, message: String, reading: &'static str) {
        self.decoded.faults.push(Fault { message, reading });
    }
}

fn positive(value: &Json) -> Option<usize> {
    value.as_u64().filter(|number| *number > 0).and_then(|number| usize::try_from(number).ok())
}

fn wrong(field: &str, expected: &str) -> String {
    format!("field {field:?} must be {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Settings {
        let decoded = decode(text.as_bytes());
        assert_eq!(decoded.faults, [], "{text}");
        decoded.settings
    }

    #[test]
    fn absent_settings_default_to_the_protocol() {
        // fixtures/state-by-spec-example
        let fixture = r#"{"agentCommunication": {"protocols": ["handoff", "broadcast", "query"],
            "sharedStateEnabled": true, "contextCompression": true, "maxContextTokens": 500, "timeoutMs": 30000}}"#;
        let expected = Settings { is_configured: true, ..Settings::default() };
        for text in [fixture, "{}", r#"{"agentCommunication": {"timeoutMs": null}, "hooks": {}}"#] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn settings_in_the_file_override_defaults() {
        let text = r#"{"agentCommunication": {"protocols": ["query"], "sharedStateEnabled": false,
            "contextCompression": false, "maxContextTokens": 80, "timeoutMs": 1500}}"#;
        let settings = read(text);
        assert_eq!(settings.protocols, [Protocol::Query]);
        assert_eq!((settings.shared_state, settings.compression), (false, false));
        assert_eq!((settings.max_context_tokens, settings.timeout), (80, Span::from_millis(1500)));
    }

    #[test]
    fn a_wrong_field_has_the_strictest_reading_and_the_others_count() {
        let check = |text: &str, expected: Settings, faults: &[&str]| {
            let decoded = decode(text.as_bytes());
            let messages: Vec<&str> = decoded.faults.iter().map(|fault| fault.message.as_str()).collect();
            assert_eq!((decoded.settings, messages.as_slice()), (expected, faults), "{text}");
        };
        let set = Settings { is_configured: true, ..Settings::default() };
        let strictest = Settings::strictest();
        check("", strictest.clone(), &["the settings cannot be read: the file is empty"]);
        check("[]", strictest.clone(), &["the settings cannot be read: it is not a JSON object"]);
        let text = r#"{"agentCommunication": 1}"#;
        check(text, strictest, &["the settings cannot be read: field \"agentCommunication\" must be an object"]);
        let text = r#"{"agentCommunication": {"protocols": "all"}}"#;
        check(text, Settings { protocols: Vec::new(), ..set }, &["field \"protocols\" must be a list"]);
        let text = r#"{"agentCommunication": {"protocols": ["handoff"], "timeoutMs": "1000"}}"#;
        let only_handoff = Settings { protocols: vec![Protocol::Handoff], ..set };
        check(text, only_handoff.clone(), &["field \"timeoutMs\" must be a whole number of milliseconds above 0"]);
        let text = r#"{"agentCommunication": {"protocols": ["handoff", "Query", 7]}}"#;
        let faults = [
            "field \"protocols\" lists \"Query\", which is no protocol; \"query\" may be meant",
            "field \"protocols\" lists 7, which is no protocol",
        ];
        check(text, only_handoff, &faults);
        let text =
            r#"{"agentCommunication": {"sharedStateEnabled": "no", "contextCompression": 0, "maxContextTokens": 0}}"#;
        let faults = [
            "field \"sharedStateEnabled\" must be true or false",
            "field \"contextCompression\" must be true or false",
            "field \"maxContextTokens\" must be a whole number above 0",
        ];
        check(text, Settings { shared_state: false, max_context_tokens: 50, ..set }, &faults);
    }
}
