//! The interface `sessions`.

use super::Component;
use super::bindings::exports::huddle::bus::sessions::{
    Datum, Event, EventFilter, Guest, LogOptions, Member, Merged, PlannedAgent, Readiness, Session, SharedData,
    StartOptions,
};
use super::bindings::exports::huddle::bus::types::Error;
use super::command::Command;

impl Guest for Component {
    fn start_session(agents: Vec<PlannedAgent>, options: Option<StartOptions>) -> Result<Session, Error> {
        let agents = agents.into_iter().map(|agent| format!("{}:{}", agent.name, agent.needs.join(","))).collect();
        let command = Command::new("session start").all("agent", Some(agents));
        let Some(options) = options else { return command.run(None) };
        let command = command.with("id", options.session_id).with("type", options.project_type);
        command.with("path", options.project_path).run(options.started_by)
    }

    fn list_sessions() -> Result<Vec<Session>, Error> {
        Command::new("session list").list("sessions")
    }

    fn session_status(session_id: String) -> Result<Session, Error> {
        Command::new("session status").with("id", session_id).run(None)
    }

    fn join_session(
        agent: String,
        session_id: String,
        needs: Option<Vec<String>>,
        without: Option<Vec<String>>,
    ) -> Result<Member, Error> {
        Command::new("session join").with("id", session_id).all("needs", needs).all("without", without).run(agent)
    }

    fn session_progress(agent: String, session_id: String, progress: String) -> Result<Member, Error> {
        Command::new("session progress").with("id", session_id).with("TEXT", progress).run(agent)
    }

    fn session_complete(
        agent: String,
        session_id: String,
        message: Option<String>,
        report: Option<String>,
    ) -> Result<Member, Error> {
        let command = Command::new("session complete").with("id", session_id);
        command.with("message", message).with("report", report).run(agent)
    }

    fn session_fail(agent: String, session_id: String, error: String) -> Result<Member, Error> {
        Command::new("session fail").with("id", session_id).with("error", error).run(agent)
    }

    fn ready(session_id: String) -> Result<Readiness, Error> {
        Command::new("session ready").with("id", session_id).run(None)
    }

    fn log_event(
        agent: String,
        session_id: String,
        type_: String,
        options: Option<LogOptions>,
    ) -> Result<Event, Error> {
        let command = Command::new("session log").with("id", session_id).with("TYPE", type_);
        let Some(options) = options else { return command.run(agent) };
        command
            .with("severity", options.severity)
            .with("message", options.message)
            .with("error", options.error)
            .with("data", options.data)
            .with("artifact", options.artifact)
            .with("description", options.description)
            .run(agent)
    }

    fn list_events(session_id: String, filter: Option<EventFilter>) -> Result<Vec<Event>, Error> {
        let command = Command::new("session events").with("id", session_id);
        let Some(filter) = filter else { return command.list("events") };
        let command = command.with("from", filter.from).with("type", filter.type_);
        command.with("severity", filter.severity).with("since", filter.since).list("events")
    }

    fn put_report(agent: String, session_id: String, report: String) -> Result<String, Error> {
        Command::new("session report put").with("id", session_id).with("REPORT", report).json(agent)
    }

    fn get_report(agent: String, session_id: String) -> Result<String, Error> {
        Command::new("session report show").with("id", session_id).json(agent)
    }

    fn merged_report(session_id: String, agents: Option<String>) -> Result<Merged, Error> {
        Command::new("session report merge").with("id", session_id).with("agents", agents).run(None)
    }

    fn put_data(
        agent: String,
        session_id: String,
        name: String,
        data: String,
        description: Option<String>,
        replace: Option<bool>,
    ) -> Result<Datum, Error> {
        let command = Command::new("session data put").with("id", session_id).with("NAME", name).with("DATA", data);
        command.with("description", description).flag("replace", replace).run(agent)
    }

    fn get_data(session_id: String, name: String) -> Result<SharedData, Error> {
        Command::new("session data get").with("id", session_id).with("NAME", name).run(None)
    }
}
