//! `orchestrator-settings.json`: one field of it is about communication, and the rest is not ours.

use crate::model::{Json, JsonMap, Span};
use crate::state::{Protocol, Settings};
use crate::wire::mailbox::parse_object;

/// Reads the settings; what is not said is as the protocol has it. The error names the field that makes no sense.
pub fn decode(bytes: &[u8]) -> Result<Settings, String> {
    let file = parse_object(bytes)?;
    let mut settings = Settings::default();
    let fields = match file.get("agentCommunication") {
        None | Some(Json::Null) => return Ok(settings),
        Some(Json::Object(fields)) => fields,
        Some(_) => return Err(wrong("agentCommunication", "an object")),
    };
    if let Some(listed) = non_null(fields, "protocols") {
        settings.protocols = protocols(listed)?;
    }
    set(&mut settings.shared_state, fields, "sharedStateEnabled", Json::as_bool, "true or false")?;
    set(&mut settings.compression, fields, "contextCompression", Json::as_bool, "true or false")?;
    set(&mut settings.max_context_tokens, fields, "maxContextTokens", positive, "a whole number above 0")?;
    let millis = |value: &Json| positive(value).and_then(|millis| i64::try_from(millis).ok()).map(Span::from_millis);
    set(&mut settings.timeout, fields, "timeoutMs", millis, "a whole number of milliseconds above 0")?;
    Ok(settings)
}

fn non_null<'a>(fields: &'a JsonMap, field: &str) -> Option<&'a Json> {
    fields.get(field).filter(|value| !value.is_null())
}

fn set<T>(
    target: &mut T,
    fields: &JsonMap,
    field: &str,
    read: impl Fn(&Json) -> Option<T>,
    expected: &str,
) -> Result<(), String> {
    if let Some(value) = non_null(fields, field) {
        *target = read(value).ok_or_else(|| wrong(field, expected))?;
    }
    Ok(())
}

fn positive(value: &Json) -> Option<usize> {
    value.as_u64().filter(|number| *number > 0).and_then(|number| usize::try_from(number).ok())
}

/// Reads the list of protocols; one that this version does not know is somebody else's.
fn protocols(listed: &Json) -> Result<Vec<Protocol>, String> {
    let names = listed.as_array().ok_or_else(|| wrong("protocols", "a list"))?;
    Ok(names.iter().filter_map(Json::as_str).filter_map(Protocol::parse).collect())
}

fn wrong(field: &str, expected: &str) -> String {
    format!("field {field:?} must be {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        decode(text.as_bytes())
    }

    #[test]
    fn absent_settings_default_to_the_protocol() {
        // fixtures/state-by-spec-example
        let fixture = r#"{"agentCommunication": {"protocols": ["handoff", "broadcast", "query"],
            "sharedStateEnabled": true, "contextCompression": true, "maxContextTokens": 500, "timeoutMs": 30000}}"#;
        for text in [fixture, "{}", r#"{"agentCommunication": {"timeoutMs": null}, "hooks": {}}"#] {
            assert_eq!(read(text).unwrap(), Settings::default(), "{text}");
        }
    }

    #[test]
    fn settings_in_the_file_override_defaults() {
        let text = r#"{"agentCommunication": {"protocols": ["query", "telepathy"], "sharedStateEnabled": false,
            "contextCompression": false, "maxContextTokens": 80, "timeoutMs": 1500}}"#;
        let settings = read(text).unwrap();
        assert_eq!(settings.protocols, [Protocol::Query]);
        assert_eq!((settings.shared_state, settings.compression), (false, false));
        assert_eq!((settings.max_context_tokens, settings.timeout), (80, Span::from_millis(1500)));
    }

    #[test]
    fn a_fault_names_its_field() {
        for (text, fault) in [
            ("", "the file is empty"),
            ("[]", "it is not a JSON object"),
            (r#"{"agentCommunication": 1}"#, "field \"agentCommunication\" must be an object"),
            (r#"{"agentCommunication": {"protocols": "all"}}"#, "field \"protocols\" must be a list"),
            (
                r#"{"agentCommunication": {"sharedStateEnabled": "no"}}"#,
                "field \"sharedStateEnabled\" must be true or false",
            ),
            (
                r#"{"agentCommunication": {"maxContextTokens": 0}}"#,
                "field \"maxContextTokens\" must be a whole number above 0",
            ),
            (
                r#"{"agentCommunication": {"timeoutMs": -1}}"#,
                "field \"timeoutMs\" must be a whole number of milliseconds above 0",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), fault, "{text}");
        }
    }
}
