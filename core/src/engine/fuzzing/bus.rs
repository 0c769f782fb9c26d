//! A bus of three agents in memory, in which files are planted.

use super::expect;
use super::planted::Plant;
use crate::Host;
use crate::bus::{Bus, Draft, HandoffDraft, InboxFilter, NewAgent};
use crate::engine::files::FilesEngine;
use crate::engine::fs::memory::MemoryFs;
use crate::host::FixedHost;
use crate::model::{AgentName, ContextName, MessageId, Span};

/// When agents begin to work among planted files; the bus is some minutes old by then.
const BEGIN: &str = "2025-11-29T14:40:00Z";

thread_local! {
    static FRESH: MemoryFs = set_up();
}

pub(super) fn name(text: &str) -> AgentName {
    expect("parsing a name", text.parse())
}

/// Names the context that ann and cyd share.
pub(super) fn own_context() -> ContextName {
    expect("parsing a name", "own".parse())
}

fn set_up() -> MemoryFs {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let tree = Tree { fs, host };
    let [ann, bob, cyd] = ["ann", "bob", "cyd"].map(name);
    tree.act(|bus| {
        expect("making the bus", bus.init());
        for agent in [&ann, &bob, &cyd] {
            expect("registering", bus.register(agent, &NewAgent::with_role("builder")));
        }
        expect("creating", bus.create_context(&ann, &own_context(), "first"));
        expect("creating", bus.create_context(&ann, &expect("parsing a name", "api".parse()), "first"));
        let draft = |to: &AgentName| Draft { key: Some(format!("key-{to}")), ..Draft::to(to, "before") };
        expect("sending", bus.send(&ann, &draft(&bob)));
        expect("sending", bus.send(&ann, &draft(&cyd)));
    });
    tree.act(|bus| {
        expect("broadcasting", bus.broadcast(&cyd, &Draft::new("to all")));
        expect("handing over", bus.create_handoff(&ann, HandoffDraft::new(&bob, "a task")));
        expect("listing", bus.inbox(&cyd, &InboxFilter::default()));
    });
    tree.fs
}

/// A directory tree and a clock that processes share.
pub(super) struct Tree {
    pub(super) fs: MemoryFs,
    pub(super) host: FixedHost,
}

impl Tree {
    /// Returns a bus in use, with planted files.
    pub(super) fn with_planted(plants: &[Plant<'_>]) -> Self {
        let tree = Self { fs: FRESH.with(MemoryFs::fork), host: FixedHost::at(BEGIN) };
        plants.iter().for_each(|plant| plant.put(&tree.fs));
        tree
    }

    /// Has a new process act on the bus; a second later the next one can begin.
    pub(super) fn act<T>(&self, act: impl FnOnce(&Bus<'_>) -> T) -> T {
        let engine = FilesEngine::new(&self.fs, &self.host);
        let done = act(&Bus::new(&engine, &self.host));
        self.host.advance(Span::from_seconds(1));
        done
    }

    /// Has a new process act, and fails when it waits for longer than `limit`.
    #[track_caller]
    pub(super) fn act_within<T>(&self, limit: Span, act: impl FnOnce(&Bus<'_>) -> T) -> T {
        let began = self.host.now();
        let done = self.act(act);
        let took = self.host.now().since(began);
        assert!(took <= Span::from_millis(limit.millis() + 1000), "it took {took}, and {limit} are allowed");
        done
    }

    /// Sends a message and returns its id; it has to be in its recipient's inbox then.
    pub(super) fn send(&self, from: &AgentName, to: &AgentName, subject: &str) -> MessageId {
        let sent = self.act(|bus| expect("sending", bus.send(from, &Draft::to(to, subject))));
        let inbox = self.act(|bus| expect("listing the inbox", bus.inbox(to, &InboxFilter::default())));
        let is_there = inbox.shown.iter().any(|one| one.message.id == sent.id && one.message.subject == subject);
        assert!(is_there, "{subject:?} is not in the inbox of {to}");
        sent.id
    }

    /// Returns how many messages the registry counts for an agent.
    pub(super) fn count(&self, agent: &AgentName) -> u64 {
        let agents = self.act(|bus| expect("listing the agents", bus.agents(None)));
        let counts = agents.value.into_iter().find(|one| one.name == *agent).map(|one| one.agent.message_count);
        counts.unwrap_or_default()
    }
}
