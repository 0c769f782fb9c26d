//! What must hold of sessions and the shared state among files that anybody can have written: for fuzzers, and for tests
//! that replay what they found.
//!
//! Planted files concern the session `s` and the shared state. Those who work in the session `t` must not notice them.

use super::{EventFilter, LogCursor, Plan, Sessions, WaitTarget, count_by, merge};
use crate::Host;
use crate::bus::ErrorKind;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fuzzing::planted::{Plant, contents, is_in, plants};
use crate::engine::fuzzing::{changed_by, expect};
use crate::engine::journal::{QUARANTINE, WORK, rules};
use crate::host::FixedHost;
use crate::model::{AgentName, Json, JsonMap, NewEvent, SessionId, Span};
use crate::state::{Edit, State};
use crate::wire::orchestrator::{layout as state, shared_context::SharedContext};
use crate::wire::session::coordination::Coordination;

type Files<'a> = (&'a MemoryFs, &'a FixedHost);

/// When agents begin to work among planted files.
const BEGIN: &str = "2025-11-29T14:40:00Z";
/// The longest time that a lease counts, and less than a process waits for one.
const LONGEST: Span = Span::from_seconds(29);

thread_local! {
    static FRESH: MemoryFs = set_up();
}

fn set_up() -> MemoryFs {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let sessions = Sessions::new(&fs, &host);
    for session in ["s", "t"].map(id) {
        let agents = vec![(name("ann"), Vec::new()), (name("cyd"), vec!["ann".to_owned()])];
        let plan = Plan { id: Some(session.clone()), agents, by: "ann".into(), ..Plan::default() };
        expect("starting", sessions.start(&plan));
        expect("joining", sessions.join(&session, &name("ann"), &[], &[]));
    }
    let state = State::new(&fs, &host);
    expect("deciding", state.change(Some(&name("ann")), Edit::Decide("first"), None));
    fs
}

fn name(text: &str) -> AgentName {
    expect("parsing a name", text.parse())
}

fn id(text: &str) -> SessionId {
    expect("parsing a name", text.parse())
}

/// Returns sessions in use, with planted files.
fn with_planted(plants: &[Plant<'_>]) -> (MemoryFs, FixedHost) {
    let (fs, host) = (FRESH.with(MemoryFs::fork), FixedHost::at(BEGIN));
    plants.iter().for_each(|plant| plant.put(&fs));
    (fs, host)
}

/// Has a new process act on the sessions, and fails when it waits for longer than `limit`.
#[track_caller]
fn act<T>((fs, host): Files<'_>, limit: Span, act: impl FnOnce(&Sessions<&MemoryFs, &FixedHost>) -> T) -> T {
    let began = host.now();
    let done = act(&Sessions::new(fs, host));
    let took = host.now().since(began);
    assert!(took <= limit, "it took {took}, and {limit} are allowed");
    host.advance(Span::from_seconds(1));
    done
}

/// Has a new process act on the shared state.
fn on_state<T>((fs, host): Files<'_>, act: impl FnOnce(&State<&MemoryFs, &FixedHost>) -> T) -> T {
    let done = act(&State::new(fs, host));
    host.advance(Span::from_seconds(1));
    done
}

/// Plants files in a session and beside the shared state, and has agents work.
pub fn session(data: &[u8]) {
    let mut plants = plants(data);
    plants.retain(|plant| !is_in(&plant.path, "agents/context/t") && !is_in(&plant.path, ".huddle"));
    plants.iter().for_each(decoded);
    let (fs, host) = with_planted(&plants);
    let files = (&fs, &host);
    others_work(files);
    looked_at(files);
    moved_on(files);
    state_changes(files);
    others_work(files);
}

/// What can be read is the same when it is written and read again.
fn decoded(plant: &Plant<'_>) {
    if let Ok(file) = Coordination::decode(plant.bytes) {
        assert_eq!(Coordination::decode(file.encode().as_bytes()).as_ref(), Ok(&file));
        drop(file.session(&id("s")));
    }
    if let Ok(shared) = SharedContext::decode(plant.bytes) {
        assert_eq!(SharedContext::decode(shared.encode().as_bytes()).as_ref(), Ok(&shared));
    }
}

/// Those who work in another session do not notice anything.
fn others_work(files: Files<'_>) {
    let (t, ann, limit) = (id("t"), name("ann"), Span::from_seconds(5));
    act(files, limit, |all| expect("telling the progress", all.progress(&t, &ann, "at it")));
    act(files, limit, |all| expect("logging", all.log(&t, &NewEvent::new("ann", "status", "logged"))));
    let events = act(files, limit, |all| expect("reading the log", all.events(&t, &EventFilter::default())));
    assert_eq!(events.findings, []);
    assert_eq!(events.value.last().and_then(|event| event.text("message")), Some("logged"));
    let status = act(files, limit, |all| expect("reading the status", all.status(&t)));
    let member = status.value.session.member("ann").cloned();
    assert_eq!(member.and_then(|member| member.progress).as_deref(), Some("at it"));
    act(files, limit, |all| expect("listing", all.list()));
}

/// A session with planted files can be looked at.
fn looked_at(files: Files<'_>) {
    let (s, limit) = (id("s"), Span::from_seconds(5));
    act(files, limit, |all| expect("reading the status", all.status(&s)));
    act(files, limit, |all| {
        let reports = expect("reading the reports", all.reports(&s, "*"));
        drop(merge(&reports.value));
        refused("reading a report", all.report(&s, &name("ann")));
        refused("reading data", all.data(&s, &expect("parsing a name", "x".parse())));
    });
    act(files, limit, |all| {
        // These read the log, which may be no file at all.
        if let Ok(events) = all.events(&s, &EventFilter { from: Some("a*".into()), ..EventFilter::default() }) {
            drop(count_by(&events.value, "type"));
            let mut cursor = LogCursor::default();
            let first = expect("following the log", all.poll_new(&s, &EventFilter::default(), &mut cursor));
            let again = expect("following the log", all.poll_new(&s, &EventFilter::default(), &mut cursor));
            assert!(again.value.is_empty(), "{} records are told twice", again.value.len().min(first.value.len()));
            expect("looking for trouble", all.recover(&s, Span::from_seconds(60)));
            expect("listing data", all.data_list(&s));
        }
    });
    let within = Span::from_seconds(2);
    act(files, limit, |all| refused("waiting", all.wait(&s, &WaitTarget::All, Some(within), false)));
    act(files, limit, |all| {
        refused("waiting", all.wait(&s, &WaitTarget::DependenciesOf(name("cyd")), Some(within), true));
    });
}

/// Ensures that an operation was done, or refused with a reason.
#[track_caller]
fn refused<T>(doing: &str, result: super::Result<T>) {
    if let Err(error) = result {
        assert!(!error.hint().is_empty() || error.kind() != ErrorKind::Failed, "{doing}: {error}");
    }
}

/// A session with planted files moves on, or says why not; nothing of its coordination is lost that nobody changed.
fn moved_on(files: Files<'_>) {
    let (s, limit) = (id("s"), Span::from_seconds(5));
    let view = act(files, limit, |all| expect("reading the status", all.status(&s))).value;
    let mut agents: Vec<AgentName> = view.session.members.iter().map(|member| member.name.clone()).collect();
    agents.truncate(4);
    agents.push(name("bob"));
    let report: JsonMap = [("summary".to_owned(), Json::from("done"))].into_iter().collect();
    for agent in &agents {
        act(files, limit, |all| refused("retrying", all.retry(&s, agent)));
        act(files, limit, |all| refused("joining", all.join(&s, agent, &[name("ann")], &[])));
        act(files, limit, |all| refused("telling the progress", all.progress(&s, agent, "at it")));
        act(files, limit, |all| refused("reporting", all.put_report(&s, agent, &report)));
        act(files, limit, |all| refused("completing", all.complete(&s, agent, None, Some("done"))));
        act(files, limit, |all| refused("failing", all.fail(&s, agent, "an error")));
        act(files, limit, |all| refused("retrying", all.retry(&s, agent)));
    }
    let data = expect("parsing a name", "x".parse());
    act(files, limit, |all| refused("putting data", all.put_data(&s, &name("ann"), &data, "1", None, true)));
    act(files, limit, |all| refused("logging", all.log(&s, &NewEvent::new("bob", "status", "x".repeat(70_000)))));
    act(files, limit, |all| refused("closing", all.close(&s, "ann", true)));
    let after = act(files, limit, |all| expect("reading the status", all.status(&s))).value;
    let [before, after] = [view.coordination.document(), after.coordination.document()];
    for (key, value) in before.as_object().into_iter().flatten().filter(|(key, _)| !is_written(key)) {
        assert_eq!(&after[key], value, "{key}");
    }
}

/// Returns whether changes to a session set a field of its coordination file.
fn is_written(field: &str) -> bool {
    matches!(field, "session_id" | "closed_at" | "agents")
}

/// The shared state changes, or says why not; what it did not know stays.
fn state_changes(files: Files<'_>) {
    let ann = name("ann");
    drop(on_state(files, |all| all.settings()));
    drop(on_state(files, |all| all.communications()));
    let before = on_state(files, |all| all.shared()).ok().flatten();
    let edits = [
        Edit::Phase("3a"),
        Edit::Objective { text: "an objective", task: Some("task") },
        Edit::Decide("second"),
        Edit::Artifact { kind: "file", path: "a/b" },
        Edit::Block("stuck"),
        Edit::Unblock("blocker-1"),
        Edit::Note("noted"),
        Edit::Agent { name: &ann, status: "busy", task: None, output_ref: None },
    ];
    for edit in edits {
        let changed = on_state(files, |all| all.change(Some(&ann), edit, None));
        if let Err(error) = changed {
            assert!(!error.hint().is_empty(), "{edit:?}: {error}");
        }
    }
    let after = on_state(files, |all| all.shared()).ok().flatten();
    if let (Some(before), Some(after)) = (before.map(|one| one.document()), after.map(|one| one.document())) {
        let is_kept =
            |key: &str| !matches!(key, "taskId" | "currentPhase" | "sharedContext" | "agentStates" | "version");
        for (key, value) in before.as_object().into_iter().flatten().filter(|(key, _)| is_kept(key)) {
            assert_eq!(&after[key], value, "{key}");
        }
    }
}

/// Has agents work among planted journal entries.
pub(crate) fn journal(plants: &[Plant<'_>]) {
    // Beside the journal, only what an entry of the other session can fail on.
    let dirs = [WORK, QUARANTINE, "agents/context/s"];
    let is_planted = |plant: &&Plant<'_>| dirs.iter().any(|dir| is_in(&plant.path, dir));
    let (fs, host) = with_planted(&[]);
    plants.iter().filter(is_planted).for_each(|plant| plant.put(&fs));
    let changed = changed_by(plants, rules::claude);
    let is_changed = |dir: &str| changed.iter().any(|path| is_in(path, dir));
    let before = contents(&fs);
    host.advance(Span::from_seconds(90));
    let files = (&fs, &host);
    if is_changed("agents/context/t") {
        act(files, Span::from_seconds(30), |all| expect("reading the status", all.status(&id("t"))));
    } else {
        others_work(files);
    }
    if !is_changed(state::SHARED_CONTEXT) {
        on_state(files, |all| expect("deciding", all.change(None, Edit::Decide("second"), None)));
    }
    let after = contents(&fs);
    let is_kept = |path: &str| {
        let is_ours = is_in(path, ".huddle") || is_in(path, "agents/context/t") || path == state::SHARED_CONTEXT;
        !is_ours && !changed.iter().any(|one| one == path)
    };
    for (path, bytes) in before.iter().filter(|(path, _)| is_kept(path)) {
        assert_eq!(after.get(path), Some(bytes), "{path} was changed");
    }
    let new = after.keys().find(|path| is_kept(path) && !before.contains_key(*path));
    assert!(new.is_none(), "{new:?} was made");
}

/// Has agents work among planted leases.
pub(crate) fn lease(plants: &[Plant<'_>]) {
    let (fs, host) = with_planted(plants);
    let files = (&fs, &host);
    act(files, LONGEST, |all| expect("telling the progress", all.progress(&id("t"), &name("ann"), "at it")));
    on_state(files, |all| expect("deciding", all.change(None, Edit::Decide("second"), None)));
    host.advance(LONGEST);
    others_work(files);
    on_state(files, |all| expect("deciding", all.change(None, Edit::Decide("second"), None)));
}
