//! Handoffs: a task with its files and its story, from one agent to another.

mod context;

pub use context::HandoffContext;

use super::orchestrator::TokenUsage;
use super::{Bus, Draft, Error, Result, limits};
use crate::engine::{self, Envelope, HandoffChange, HandoffPackage, Transaction};
use crate::model::handoff::Decision;
use crate::model::{
    AgentName, Artifact, Handoff, HandoffId, HandoffStatus, MessageId, MessageType, Priority, Recipient, ThreadId,
    WithDiagnostics,
};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::mailbox::handoff as package;
use crate::wire::orchestrator::package::{self as context_package, ContextPackage};

/// A file to hand over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffFile {
    /// Where it comes from, as the giver names it.
    pub source: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A handoff that has not been made. Start with [`HandoffDraft::new`] and set what there is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffDraft {
    /// The receiver.
    pub to: AgentName,
    /// The task.
    pub task: String,
    /// The files that belong to it.
    pub files: Vec<HandoffFile>,
    /// Background for the receiver.
    pub context: String,
    /// Completed work.
    pub done: String,
    /// Next steps, in order; by default those of the protocol.
    pub next: Vec<String>,
    /// Known issues.
    pub issues: Vec<String>,
    /// Open questions.
    pub questions: Vec<String>,
    /// When the receiver may accept; by default as the protocol has it.
    pub criteria: Vec<String>,
    /// The context that a sequential handoff carries.
    pub package: Option<ContextPackage>,
}

impl HandoffDraft {
    /// Starts a draft with a receiver and a task.
    pub fn new(to: &AgentName, task: impl Into<String>) -> Self {
        Self {
            to: to.clone(),
            task: task.into(),
            files: Vec::new(),
            context: String::new(),
            done: String::new(),
            next: Vec::new(),
            issues: Vec::new(),
            questions: Vec::new(),
            criteria: Vec::new(),
            package: None,
        }
    }

    fn briefing(&self) -> package::Briefing<'_> {
        package::Briefing {
            done: &self.done,
            context: &self.context,
            next: &self.next,
            issues: &self.issues,
            questions: &self.questions,
            criteria: &self.criteria,
        }
    }
}

/// The result of creating a handoff, which is durable.
#[derive(Debug, Clone, PartialEq)]
pub struct HandoffCreated {
    /// The handoff.
    pub handoff: Handoff,
    /// The message that tells the receiver.
    pub notice: MessageId,
}

impl Bus<'_> {
    /// Creates a handoff package and tells its receiver, both or neither.
    pub fn create_handoff(&self, from: &AgentName, mut draft: HandoffDraft) -> Result<HandoffCreated> {
        if draft.task.trim().is_empty() {
            return Err(Error::Usage {
                message: "a handoff needs a task".into(),
                hint: "say what is handed over: --task TEXT".into(),
            }
            .into());
        }
        limits::check("task", &draft.task, limits::TASK)?;
        self.directory_with(&[from, &draft.to])?;
        let saved = self.prepare_context(&mut draft)?;
        let (artifacts, files) = stored(std::mem::take(&mut draft.files));
        let extra = context::metadata(draft.package.as_ref(), &artifacts);
        if let Some(package) = context_package::decode(&extra) {
            let words = [draft.context.trim_end(), &context_package::markdown(&package)].join("\n\n");
            draft.context = words.trim_start().to_owned();
        }
        let handoff = Handoff {
            id: self.new_handoff_id(),
            from: from.clone(),
            to: draft.to.clone(),
            task: draft.task.trim().to_owned(),
            created_at: Some(self.now()),
            status: HandoffStatus::Pending,
            artifacts,
            extra,
        };
        let envelope = self.handoff_request(&handoff)?;
        let notice = envelope.message.id.clone();
        let created = HandoffPackage {
            document: package::document(&handoff, &draft.briefing()),
            context_links: package::context_links(&handoff, &self.engine.contexts()?.value),
            checklist: package::checklist(&handoff, &draft.criteria),
            files,
            handoff: handoff.clone(),
        };
        let usage = handoff
            .extra
            .get(context_package::FIELD)
            .map_or_else(|| TokenUsage::of(&created.document), TokenUsage::of_json);
        self.engine
            .commit(Transaction { handoff: Some(HandoffChange::Create(created)), ..Transaction::deliver(envelope) })?;
        let usage = TokenUsage { full: usage.tokens + saved, ..usage };
        let record = self.record_for(Protocol::Handoff, from, Some(&handoff.to), usage);
        let (message, always_logged) = (Some(notice.clone()), draft.package.is_some());
        self.log(&CommunicationRecord { outcome: "created", message, always_logged, ..record });
        Ok(HandoffCreated { handoff, notice })
    }

    /// Lists the handoffs by id.
    pub fn handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>> {
        let mut found = self.engine.handoffs()?;
        for handoff in found.value.iter_mut().filter(|handoff| handoff.task.is_empty()) {
            // The list has it without its task; if the document is gone too, it stays without.
            if let Ok(Some(package)) = self.engine.handoff(&handoff.id) {
                handoff.task = package::task_in(&package.document);
            }
        }
        Ok(found)
    }

    /// Reads a handoff package.
    pub fn handoff(&self, id: &HandoffId) -> Result<HandoffPackage> {
        let mut found = self.engine.handoff(id)?.ok_or_else(|| Error::NoSuchHandoff { id: id.clone() })?;
        if found.handoff.task.is_empty() {
            found.handoff.task = package::task_in(&found.document);
        }
        Ok(found)
    }

    /// Reads a file of a handoff, by the name that it is stored under.
    pub fn artifact(&self, id: &HandoffId, stored: &str) -> Result<Vec<u8>> {
        if let Some(bytes) = self.engine.artifact(id, stored)? {
            return Ok(bytes);
        }
        let names: Vec<String> = self.handoff(id)?.files.into_iter().map(|(name, _)| name).collect();
        let what = format!("file {stored:?} in handoff {id}");
        let hint = if names.is_empty() { "it has no files".into() } else { format!("it has {}", names.join(", ")) };
        Err(Error::NotFound { what, hint }.into())
    }

    /// Accepts a handoff and notifies its giver, atomically.
    pub fn accept_handoff(&self, agent: &AgentName, id: &HandoffId, notes: &str) -> Result<Handoff> {
        self.decide(agent, id, notes, HandoffStatus::Accepted)
    }

    /// Declines a handoff and notifies its giver, atomically.
    pub fn decline_handoff(&self, agent: &AgentName, id: &HandoffId, reason: &str) -> Result<Handoff> {
        self.decide(agent, id, reason, HandoffStatus::Declined)
    }

    fn decide(
        &self,
        agent: &AgentName,
        id: &HandoffId,
        notes: &str,
        status: fn(Decision) -> HandoffStatus,
    ) -> Result<Handoff> {
        let directory = self.directory_with(&[agent])?;
        let HandoffPackage { mut handoff, document, .. } = self.handoff(id)?;
        if handoff.to != *agent {
            return Err(Error::NotYours { id: id.clone(), to: handoff.to, agent: agent.clone() }.into());
        }
        if handoff.status != HandoffStatus::Pending {
            return Err(Error::Engine(engine::Error::Conflict {
                what: format!("handoff {id}"),
                expected: HandoffStatus::Pending.as_str().to_owned(),
                found: handoff.status.as_str().to_owned(),
            })
            .into());
        }
        let at = self.now();
        handoff.status = status(Decision { by: agent.clone(), at: Some(at), notes: notes.to_owned() });
        // Nobody is left to tell when the giver has gone.
        let told = directory.agents.contains_key(&handoff.from);
        let envelopes = if told { vec![self.handoff_decision(&handoff, notes)?] } else { Vec::new() };
        let message = envelopes.first().map(|envelope| envelope.message.id.clone());
        let document = package::with_decision(&document, &handoff);
        let decided = HandoffChange::Decide { handoff: handoff.clone(), document };
        let by = agent.clone();
        self.engine.commit(Transaction {
            by,
            at,
            key: None,
            envelopes,
            seen: None,
            context: None,
            handoff: Some(decided),
        })?;
        self.log_decision(&handoff, notes, message);
        Ok(handoff)
    }

    fn log_decision(&self, handoff: &Handoff, notes: &str, message: Option<MessageId>) {
        let record = self.record_for(Protocol::Handoff, &handoff.to, Some(&handoff.from), TokenUsage::of(notes));
        let success = matches!(handoff.status, HandoffStatus::Accepted(_));
        let always_logged = handoff.extra.contains_key(context_package::FIELD);
        self.log(&CommunicationRecord { outcome: handoff.status.as_str(), success, message, always_logged, ..record });
    }

    /// Composes the message that asks the receiver to decide.
    fn handoff_request(&self, handoff: &Handoff) -> Result<Envelope> {
        let mut body = object!({ "handoff_id": handoff.id.as_str(), "handoff_dir": package::directory(&handoff.id) });
        if let (Some(context), Some(fields)) = (handoff.extra.get(context_package::FIELD), body.as_object_mut()) {
            fields.extend(context.as_object().cloned().unwrap_or_default());
        }
        let draft = Draft {
            kind: Some(MessageType::new(MessageType::HANDOFF_REQUEST)),
            body,
            priority: Priority::High,
            ..Draft::to(&handoff.to, format!("Handoff ready: {}", first_line(&handoff.task)))
        };
        self.handoff_envelope(handoff, &handoff.from, draft)
    }

    /// Composes the message that tells the giver of the decision.
    fn handoff_decision(&self, handoff: &Handoff, notes: &str) -> Result<Envelope> {
        let accepted = matches!(handoff.status, HandoffStatus::Accepted(_));
        let kind = if accepted { MessageType::HANDOFF_ACCEPTED } else { MessageType::HANDOFF_DECLINED };
        let draft = Draft {
            kind: Some(MessageType::new(kind)),
            body: object!({ "handoff_id": handoff.id.as_str(), "notes": notes }),
            ..Draft::to(&handoff.from, format!("Handoff {} {}", handoff.id, handoff.status.as_str()))
        };
        self.handoff_envelope(handoff, &handoff.to, draft)
    }

    /// Writes a message into the conversation of its handoff, which goes by the handoff's id.
    fn handoff_envelope(&self, handoff: &Handoff, from: &AgentName, draft: Draft) -> Result<Envelope> {
        let draft = Draft { thread: Some(ThreadId::new(handoff.id.as_str())?), ..draft };
        let message = self.compose(from, &draft, "msg", Recipient::Agents(draft.to.clone()))?;
        Ok(Envelope { message, recipients: draft.to })
    }
}

/// Returns the first line of a text, fit for a subject.
pub(super) fn first_line(text: &str) -> String {
    text.trim().lines().next().map(limits::one_line).unwrap_or_default()
}

/// Finds a name in the package for each file: its own, or one with a number where another file has that already.
fn stored(files: Vec<HandoffFile>) -> (Vec<Artifact>, Vec<(String, Vec<u8>)>) {
    let (mut artifacts, mut contents): (Vec<Artifact>, Vec<_>) = (Vec::new(), Vec::new());
    for HandoffFile { source, bytes } in files {
        // A path that is given twice is one file all the same.
        if artifacts.iter().any(|artifact| artifact.source == source) {
            continue;
        }
        let stored = free_name(&package::base_name(&source), &artifacts);
        contents.push((stored.clone(), bytes));
        artifacts.push(Artifact { source, stored });
    }
    // A package that is read back lists its files by name: so does one that is made.
    contents.sort();
    (artifacts, contents)
}

fn free_name(base: &str, taken: &[Artifact]) -> String {
    // Some file systems do not tell `A` from `a`.
    let is_free = |name: &String| taken.iter().all(|other| !other.stored.eq_ignore_ascii_case(name));
    let (stem, ending) = match base.rfind('.') {
        Some(dot) if dot > 0 => base.split_at(dot),
        _ => (base, ""),
    };
    let numbered = (2..).map(|number: u32| format!("{stem}-{number}{ending}"));
    std::iter::once(base.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bus::{ErrorKind, NewAgent};
    use crate::engine::Engine;
    use crate::engine::memory::MemoryEngine;
    use crate::host::FixedHost;
    use crate::model::Message;

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    /// Runs a test on a bus where ann, bob and cid are.
    fn on_a_bus(test: impl Fn(&Bus<'_>, &dyn Engine)) {
        let host = FixedHost::at("2025-11-29T14:30:52.5Z");
        let engine = MemoryEngine::new(&host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        for name in ["ann", "bob", "cid"] {
            bus.register(&agent(name), &NewAgent::with_role("builder")).unwrap();
        }
        test(&bus, &engine);
    }

    fn file(source: &str) -> HandoffFile {
        HandoffFile { source: source.to_owned(), bytes: source.as_bytes().to_vec() }
    }

    fn create(bus: &Bus<'_>, task: &str) -> HandoffCreated {
        let files = vec![file("docs/jwt.md"), file("old/jwt.md")];
        bus.create_handoff(&agent("ann"), HandoffDraft { files, ..HandoffDraft::new(&agent("bob"), task) }).unwrap()
    }

    /// Returns the only message in an inbox.
    fn only(engine: &dyn Engine, name: &str) -> Message {
        let mut inbox = engine.inbox(&agent(name), true).unwrap().value;
        assert_eq!(inbox.len(), 1);
        inbox.remove(0).message
    }

    #[test]
    fn files_are_read_back_by_name() {
        on_a_bus(|bus, _| {
            let id = create(bus, "Implement JWT").handoff.id;
            assert_eq!(bus.artifact(&id, "jwt-2.md").unwrap(), b"old/jwt.md");
            let error = bus.artifact(&id, "../registry.json").unwrap_err();
            assert_eq!((error.kind(), error.hint().as_str()), (ErrorKind::NotFound, "it has jwt-2.md, jwt.md"));
            assert!(matches!(*bus.artifact(&"none".parse().unwrap(), "x").unwrap_err(), Error::NoSuchHandoff { .. }));
        });
    }

    #[test]
    fn package_and_notice_come_together() {
        on_a_bus(|bus, engine| {
            bus.create_context(&agent("ann"), &"api".parse().unwrap(), "# API").unwrap();
            let HandoffCreated { handoff, notice } = create(bus, " Implement JWT\n\nas designed\n");
            assert_eq!(handoff.task, "Implement JWT\n\nas designed");
            let found = bus.handoff(&handoff.id).unwrap();
            assert_eq!(found.handoff, handoff);
            assert!(found.is_pending());
            assert!(found.document.starts_with("# Handoff: ann → bob\n"));
            assert!(found.context_links.contains("shared-context/api.md"));
            assert!(found.checklist.contains("- [ ] All tests passing\n"));
            let names: Vec<_> = found.files.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["jwt-2.md", "jwt.md"]);
            assert_eq!(bus.handoffs().unwrap(), WithDiagnostics::clean(vec![handoff.clone()]));

            let message = only(engine, "bob");
            assert_eq!((&message.id, message.kind.as_str()), (&notice, "handoff_request"));
            assert_eq!((message.priority, message.requires_response), (Priority::High, false));
            assert_eq!(message.subject, "Handoff ready: Implement JWT");
            let id = handoff.id.as_str();
            let dir = format!(".agent-messages/handoffs/{id}");
            assert_eq!(message.body, json!({"handoff_id": id, "handoff_dir": dir}));
        });
    }

    #[test]
    fn the_receiver_decides_once_and_the_giver_is_told() {
        on_a_bus(|bus, engine| {
            let id = create(bus, "Implement JWT").handoff.id;
            let request = only(engine, "bob");
            let accepted = bus.accept_handoff(&agent("bob"), &id, "Design reviewed.").unwrap();
            let HandoffStatus::Accepted(decision) = &accepted.status else { panic!("{:?}", accepted.status) };
            assert_eq!((decision.by.as_str(), decision.notes.as_str()), ("bob", "Design reviewed."));
            let found = bus.handoff(&id).unwrap();
            assert_eq!(found.handoff, accepted);
            assert!(found.document.contains("\n## Handoff Accepted\n\n**Accepted by**: bob\n"));

            let told = only(engine, "ann");
            assert_eq!((told.kind.as_str(), told.from.as_str()), ("handoff_accepted", "bob"));
            assert_eq!(told.subject, format!("Handoff {id} accepted"));
            assert_eq!(told.body, json!({"handoff_id": id.as_str(), "notes": "Design reviewed."}));
            assert_eq!(told.thread, request.thread, "both are one conversation");

            let again = bus.decline_handoff(&agent("bob"), &id, "changed my mind").unwrap_err();
            assert_eq!(again.kind(), ErrorKind::Conflict);
            let record = format!("handoff {id} changed meanwhile: expected pending_acceptance, found accepted");
            assert_eq!(again.to_string(), record);
            assert_eq!(bus.handoff(&id).unwrap(), found);
        });
    }

    #[test]
    fn a_handoff_may_be_declined() {
        on_a_bus(|bus, engine| {
            let id = create(bus, "Implement JWT").handoff.id;
            let declined = bus.decline_handoff(&agent("bob"), &id, "no time").unwrap();
            assert_eq!(declined.status.as_str(), "declined");
            assert!(bus.handoff(&id).unwrap().document.ends_with("\n### Decline Reason\nno time\n"));
            let told = only(engine, "ann");
            assert_eq!((told.kind.as_str(), &told.body["notes"]), ("handoff_declined", &json!("no time")));
            assert_eq!(bus.accept_handoff(&agent("bob"), &id, "").unwrap_err().kind(), ErrorKind::Conflict);
        });
    }

    #[test]
    fn handoff_is_decided_by_its_receiver_only() {
        on_a_bus(|bus, engine| {
            let id = create(bus, "Implement JWT").handoff.id;
            for other in ["ann", "cid"] {
                let refused = bus.accept_handoff(&agent(other), &id, "").unwrap_err();
                assert!(matches!(*refused, Error::NotYours { .. }), "{refused}");
            }
            let stranger = bus.accept_handoff(&agent("zoe"), &id, "").unwrap_err();
            assert!(matches!(*stranger, Error::UnknownAgent { .. }), "{stranger}");
            let absent = bus.accept_handoff(&agent("bob"), &"handoff_1".parse().unwrap(), "").unwrap_err();
            assert!(matches!(*absent, Error::NoSuchHandoff { .. }), "{absent}");
            assert!(bus.handoff(&id).unwrap().is_pending());
            assert_eq!(engine.inbox(&agent("ann"), false).unwrap().value, []);
        });
    }

    #[test]
    fn handoff_decision_skips_deregistered_giver() {
        on_a_bus(|bus, engine| {
            let id = create(bus, "Implement JWT").handoff.id;
            bus.deregister(&agent("ann")).unwrap();
            bus.accept_handoff(&agent("bob"), &id, "").unwrap();
            assert_eq!(bus.handoff(&id).unwrap().handoff.status.as_str(), "accepted");
            assert_eq!(engine.inbox(&agent("ann"), false).unwrap().value, []);
        });
    }

    #[test]
    fn failed_handoff_leaves_nothing_behind() {
        on_a_bus(|bus, engine| {
            let blank = bus.create_handoff(&agent("ann"), HandoffDraft::new(&agent("bob"), " \n")).unwrap_err();
            assert_eq!(blank.kind(), ErrorKind::Usage);
            for (from, to) in [("ann", "zoe"), ("zoe", "bob")] {
                let refused = bus.create_handoff(&agent(from), HandoffDraft::new(&agent(to), "it")).unwrap_err();
                assert!(matches!(*refused, Error::UnknownAgent { .. }), "{refused}");
            }
            let id = create(bus, "Implement JWT").handoff.id;
            let long = "x".repeat(20_000);
            assert_eq!(bus.accept_handoff(&agent("bob"), &id, &long).unwrap_err().kind(), ErrorKind::Invalid);
            assert_eq!(bus.handoffs().unwrap().value.len(), 1);
            assert!(bus.handoff(&id).unwrap().is_pending());
            only(engine, "bob");
        });
    }

    #[test]
    fn the_task_of_a_package_made_by_the_script_is_read_from_its_document() {
        on_a_bus(|bus, engine| {
            let handoff = Handoff { task: String::new(), ..create(bus, "Implement JWT").handoff };
            let id: HandoffId = "handoff_by_script".parse().unwrap();
            let found = bus.handoff(&handoff.id).unwrap();
            let bare = HandoffPackage { handoff: Handoff { id: id.clone(), ..handoff }, ..found };
            let (by, at) = (agent("ann"), bus.now());
            let handoff = Some(HandoffChange::Create(bare));
            engine
                .commit(Transaction { by, at, key: None, envelopes: Vec::new(), seen: None, context: None, handoff })
                .unwrap();
            assert_eq!(bus.handoff(&id).unwrap().handoff.task, "Implement JWT");
            assert!(bus.handoffs().unwrap().value.iter().all(|handoff| handoff.task == "Implement JWT"));
        });
    }

    #[test]
    fn files_of_one_name_are_kept_apart() {
        let check = |sources: &[&str], names: &[&str]| {
            let (artifacts, contents) = stored(sources.iter().map(|source| file(source)).collect());
            let stored: Vec<_> = artifacts.iter().map(|artifact| artifact.stored.as_str()).collect();
            assert_eq!(stored, names);
            let of = |artifact: &Artifact| (artifact.stored.clone(), artifact.source.clone().into_bytes());
            let mut expected: Vec<_> = artifacts.iter().map(of).collect();
            expected.sort();
            assert_eq!(contents, expected);
        };
        check(&["a.rs", "x/a.rs", "y/A.rs", "a-2.rs"], &["a.rs", "a-2.rs", "A-3.rs", "a-2-2.rs"]);
        check(&["a.rs", "a.rs"], &["a.rs"]);
        check(&["x/.env", ".env", "y/Makefile", "Makefile"], &[".env", ".env-2", "Makefile", "Makefile-2"]);
        check(&["..", "/", "a\tb"], &["artifact", "artifact-2", "a_b"]);
    }

    #[test]
    fn a_subject_is_one_line() {
        let check = |task: &str, line: &str| assert_eq!(first_line(task), line);
        check("\n one\ttask \r\nmore", "one task ");
        check("one\rtask", "one task");
    }
}
