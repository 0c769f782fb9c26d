//! Beginning and ending a session together with its bus, as the mailbox protocol's `/start-session` and `/close-session`.

use crate::Host;
use crate::bus::{Bus, Error, Result};
use crate::engine::fs::FileSystem;
use crate::model::{Session, SessionId, Span};
use crate::session::{self, Plan, Sessions};

/// The result of starting a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionStarted {
    /// The session.
    pub session: Session,
    /// Whether there was no bus before.
    pub is_bus_new: bool,
}

/// The result of closing a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionClosed {
    /// The session.
    pub session: Session,
    /// How many messages were archived.
    pub archived: usize,
}

/// Starts a session, and makes the bus that its agents talk over if there is none.
pub fn start_session<F, H>(bus: &Bus<'_>, sessions: &Sessions<F, H>, plan: &Plan) -> Result<SessionStarted>
where
    F: FileSystem,
    H: Host,
{
    let is_bus_new = bus.init()?;
    let session = sessions.start(plan).map_err(as_bus_error)?;
    Ok(SessionStarted { session, is_bus_new })
}

/// Closes a session, and puts away what was read on the bus. What nobody has read stays.
///
/// With agents at work only with `force`.
pub fn close_session<F, H>(
    bus: &Bus<'_>,
    sessions: &Sessions<F, H>,
    id: &SessionId,
    by: &str,
    force: bool,
) -> Result<SessionClosed>
where
    F: FileSystem,
    H: Host,
{
    let session = sessions.close(id, by, force).map_err(as_bus_error)?;
    // What was sent in this second belongs to the session.
    let before = session.closed_at.map(|at| at.plus(Span::from_seconds(1)));
    let archived = bus.archive(before, false)?;
    Ok(SessionClosed { session, archived })
}

fn as_bus_error(error: Box<session::Error>) -> Box<Error> {
    Error::Session(error).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Draft, NewAgent};
    use crate::engine::files::FilesEngine;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;
    use crate::model::AgentName;
    use crate::model::ErrorKind;

    #[test]
    fn a_session_begins_and_ends_with_its_bus() {
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let (mail, claude) = (MemoryFs::new(), MemoryFs::new());
        let engine = FilesEngine::new(&mail, &host);
        let (bus, sessions) = (Bus::new(&engine, &host), Sessions::new(&claude, &host));
        let [ann, bob]: [AgentName; 2] = ["ann", "bob"].map(|name| name.parse().unwrap());
        let plan = Plan { agents: vec![(ann.clone(), Vec::new())], ..Plan::default() };
        let started = start_session(&bus, &sessions, &plan).unwrap();
        assert!(started.is_bus_new);
        let again = start_session(&bus, &sessions, &Plan { id: Some(started.session.id.clone()), ..plan });
        assert_eq!(again.unwrap_err().kind(), ErrorKind::Conflict);
        for name in [&ann, &bob] {
            bus.register(name, &NewAgent::with_role("builder")).unwrap();
        }
        let read = bus.send(&ann, &Draft::to(&bob, "read")).unwrap().id;
        bus.send(&ann, &Draft::to(&bob, "unread")).unwrap();
        bus.read(&bob, &read).unwrap();
        sessions.join(&started.session.id, &ann, &[], &[]).unwrap();
        let close = |force| close_session(&bus, &sessions, &started.session.id, "ann", force);
        assert_eq!(close(false).unwrap_err().kind(), ErrorKind::Conflict);
        let closed = close(true).unwrap();
        assert!(closed.session.closed_at.is_some() && closed.archived >= 1, "{closed:?}");
        let left = bus.inbox(&bob, &crate::bus::InboxFilter::default()).unwrap();
        assert_eq!(left.total, 1, "what nobody has read stays");
    }
}
