//! The interface `contexts`.

use super::Component;
use super::bindings::exports::huddle::bus::contexts::{Context, Guest};
use super::bindings::exports::huddle::bus::types::Error;
use super::command::Command;

impl Guest for Component {
    fn create_context(agent: String, name: String, content: Option<String>) -> Result<Context, Error> {
        Command::new("context create").with("NAME", name).with("TEXT", content).run(agent)
    }

    fn show_context(name: String) -> Result<Context, Error> {
        Command::new("context show").with("NAME", name).run(None)
    }

    fn list_contexts() -> Result<Vec<Context>, Error> {
        Command::new("context list").list("contexts")
    }

    fn update_context(
        agent: String,
        name: String,
        content: String,
        expected_version: Option<u64>,
    ) -> Result<Context, Error> {
        let expected = expected_version.map(|version| version.to_string());
        let command = Command::new("context update").with("NAME", name).with("TEXT", content);
        command.with("expect-version", expected).run(agent)
    }
}
