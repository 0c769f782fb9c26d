//! Remedies in the words of the faces.

use huddle_api::Remedy;

/// Words a remedy for the command line.
pub(crate) fn for_command(remedy: &Remedy) -> String {
    match remedy {
        Remedy::NameActor => "say who you are: --as AGENT, or set HUDDLE_AGENT".to_owned(),
        remedy => remedy.to_string(),
    }
}

/// Words a remedy for programs that call tools and functions.
pub(crate) fn for_tools(remedy: &Remedy) -> String {
    remedy.to_string()
}
