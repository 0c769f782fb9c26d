//! What the server says of itself.

use huddle_core::model::Json;

use super::rpc::{OLDER, versions};

const INSTRUCTIONS: &str = "Agents of one project talk here. Call register once with your name. Call check_inbox before \
     and after each piece of work, read_message for what concerns you, and reply to what needs a reply. Give a retry the \
     same key: it is sent once. Errors have a hint: do what it says.";

const CAPABILITIES: &str = r#"{"tools":{},"resources":{"subscribe":true,"listChanged":true},"prompts":{}}"#;

/// Greets a client that begins with a handshake, in its own revision if it is known here.
pub(super) fn initialize(wanted: Option<&str>) -> String {
    let version = OLDER.iter().find(|version| Some(**version) == wanted).unwrap_or(&OLDER[0]);
    let instructions = Json::from(INSTRUCTIONS);
    format!(
        r#"{{"protocolVersion":"{version}","capabilities":{CAPABILITIES},"serverInfo":{},"instructions":{instructions}}}"#,
        server()
    )
}

/// Tells a client what is spoken here.
pub(super) fn discover() -> String {
    let (versions, instructions, server) = (versions(), Json::from(INSTRUCTIONS), server());
    format!(
        r#"{{"supportedVersions":{versions},"capabilities":{CAPABILITIES},"instructions":{instructions},"_meta":{{"io.modelcontextprotocol/serverInfo":{server}}}}}"#
    )
}

fn server() -> &'static str {
    concat!(r#"{"name":"huddle","title":"Huddle","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#)
}
