//! For tests: what the protocol's own shell scripts leave behind, as an engine reads it.

use serde_json::json;

use crate::engine::MailSnapshot;
use crate::model::{
    Agent, AgentName, Delivery, Directory, EventName, Json, JsonMap, Message, MessageType, Place, Priority, Receipt,
    Recipient, Timestamp,
};

/// Creates a message; `to` is a name, `ALL`, or an event with a leading `!`. The time is of the day of the fixture.
pub(in crate::bus) fn message(id: &str, at: &str, from: &str, to: &str, kind: &str, body: Json) -> Message {
    let to = match to.strip_prefix('!') {
        Some(event) => Recipient::Subscribers(EventName::new(event).unwrap()),
        None if to == "ALL" => Recipient::All,
        None => Recipient::Agents(to.split(',').map(name).collect()),
    };
    Message {
        id: id.parse().unwrap(),
        kind: MessageType::new(kind),
        from: name(from),
        to,
        subject: id.to_owned(),
        body,
        priority: Priority::Normal,
        sent_at: time(at),
        thread: None,
        in_reply_to: None,
        requires_response: false,
        deadline: None,
        metadata: JsonMap::new(),
        extra: JsonMap::new(),
    }
}

/// Creates an answer in a conversation.
pub(in crate::bus) fn answer(message: Message, original: &str, thread: &str) -> Message {
    Message { in_reply_to: Some(original.parse().unwrap()), thread: Some(thread.parse().unwrap()), ..message }
}

pub(in crate::bus) fn name(name: &str) -> AgentName {
    name.parse().unwrap()
}

pub(in crate::bus) fn time(clock: &str) -> Timestamp {
    Timestamp::parse(&format!("2026-11-16T{clock}Z")).unwrap()
}

/// Writes a message into inboxes, read at a time or not, and into the logs where the scripts put it.
pub(in crate::bus) fn put(snapshot: &mut MailSnapshot, message: &Message, copies: &[(&str, Option<&str>)]) {
    let is_reply = message.kind.as_str() == MessageType::RESPONSE;
    match &message.to {
        Recipient::Agents(names) if !is_reply => {
            snapshot.sent.extend(names.iter().map(|to| (message.clone(), to.clone())));
        }
        Recipient::Agents(_) => {}
        Recipient::All | Recipient::Subscribers(_) => snapshot.records.push(message.clone()),
    }
    snapshot.deliveries.extend(copies.iter().map(|(recipient, read)| Delivery {
        recipient: name(recipient),
        message: message.clone(),
        receipt: Receipt { seen_at: read.map(time), ..Receipt::default() },
        place: Place::Inbox,
    }));
}

/// Returns the snapshot of `fixtures/mailbox-by-spec-scripts`.
pub(in crate::bus) fn snapshot() -> MailSnapshot {
    let mut snapshot = MailSnapshot::default();
    let methods = json!([{"name": "findById", "params": ["id: string"], "returns": "Promise<User>"}]);
    let proposal = json!({"interface": "IUserService", "methods": methods});
    let proposal = message("msg_025718", "02:57:18", "builder-1", "builder-2", "interface_contract", proposal);
    put(&mut snapshot, &proposal, &[("builder-2", Some("02:57:20"))]);
    let changes = json!([{"method": "findById", "change": "Return type should be nullable"}]);
    let changes = json!({"status": "modification_requested", "changes": changes});
    let changes = message("resp_025720", "02:57:20", "builder-2", "builder-1", "response", changes);
    put(&mut snapshot, &answer(changes, "msg_025718", "conv_025720"), &[("builder-1", None)]);
    let accepted = json!({"status": "accepted"});
    let accepted = message("resp_025721", "02:57:21", "builder-1", "builder-2", "response", accepted);
    put(&mut snapshot, &answer(accepted, "resp_025720", "conv_025720"), &[("builder-2", None)]);

    let decision = json!({"decision_id": "DEC-001", "decision": "Use RS256 for JWT signing"});
    let decision = message("bcast_025722", "02:57:22", "architect-1", "ALL", "decision_announcement", decision);
    let decision = Message { subject: "JWT Algorithm Decision: RS256".to_owned(), ..decision };
    let read = [("builder-1", Some("02:57:23")), ("builder-2", Some("02:57:24"))];
    put(&mut snapshot, &decision, &[read[0], read[1], ("orchestrator", None), ("validator-1", None)]);
    for (id, at, from) in [("msg_025723", "02:57:23", "builder-1"), ("msg_025724", "02:57:24", "builder-2")] {
        let complies = json!({"decision_id": "DEC-001", "will_comply": true});
        put(&mut snapshot, &message(id, at, from, "architect-1", "acknowledgment", complies), &[("architect-1", None)]);
    }

    let stuck = json!({"task_id": "pg2-task-1", "blocker_type": "missing_dependency", "description": "No User model"});
    let stuck = message("evt_025724", "02:57:24", "builder-1", "!BlockerEncountered", "BlockerEncountered", stuck);
    put(&mut snapshot, &stuck, &[("orchestrator", None)]);
    let urge = json!({"urgency": "high", "blocked_agent": "builder-1"});
    let urge = message("msg_025725", "02:57:25", "orchestrator", "builder-2", "priority_request", urge);
    put(&mut snapshot, &urge, &[("builder-2", None)]);
    let resolution = "Partial interface received from builder-2";
    let free = json!({"task_id": "pg2-task-1", "blocker_type": "missing_dependency", "resolution": resolution});
    put(
        &mut snapshot,
        &message("evt_025726a", "02:57:26", "builder-1", "!BlockerResolved", "BlockerResolved", free),
        &[],
    );
    let done = message("evt_025726m", "02:57:26", "builder-1", "!TaskCompleted", "TaskCompleted", Json::Null);
    put(&mut snapshot, &done, &[("orchestrator", None), ("validator-1", None)]);
    let package = json!({"handoff_id": "handoff_025726"});
    let package = message("msg_025726", "02:57:26", "architect-1", "builder-1", "handoff_request", package);
    put(&mut snapshot, &package, &[("builder-1", None)]);
    snapshot
}

/// Returns the directory of `fixtures/mailbox-by-spec-scripts`.
pub(in crate::bus) fn directory() -> Directory {
    let counts = [("architect-1", 2), ("builder-1", 1), ("builder-2", 2), ("orchestrator", 0), ("validator-1", 0)];
    let agents = counts.map(|(agent, message_count)| {
        let at = Some(time("02:57:18"));
        let entry = Agent {
            role: "builder".to_owned(),
            worktree: ".".to_owned(),
            capabilities: Vec::new(),
            registered_at: at,
            status: "active".to_owned(),
            last_seen: at,
            message_count,
            extra: JsonMap::new(),
        };
        (name(agent), entry)
    });
    let subscriptions = [
        ("BlockerEncountered".parse().unwrap(), vec![name("orchestrator")]),
        ("TaskCompleted".parse().unwrap(), vec![name("orchestrator"), name("validator-1")]),
    ];
    Directory {
        initialized_at: Some(time("02:57:18")),
        agents: agents.into(),
        subscriptions: subscriptions.into(),
        retention_hours: Directory::DEFAULT_RETENTION_HOURS,
        ..Directory::default()
    }
}
