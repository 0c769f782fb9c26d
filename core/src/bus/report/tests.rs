use serde_json::json;

use super::*;
use crate::bus::thread::fixture::{answer, message, name, put, snapshot, time};
use crate::bus::{Draft, ErrorKind, NewAgent};
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::Message;

fn check(report: &dyn fmt::Display, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).skip(1).collect();
    assert_eq!(report.to_string(), expected.join("\n").trim_end());
}

fn summary_of(snapshot: &MailSnapshot, wanted: &str) -> ThreadSummary {
    summarize(&find_thread(snapshot, wanted).unwrap(), snapshot)
}

fn broadcast_of(snapshot: &MailSnapshot) -> BroadcastReport {
    let message = snapshot.records.iter().find(|message| message.to == Recipient::All).unwrap();
    broadcast_in(snapshot, message)
}

fn context_updated(by: &str, context: &str, at: &str) -> Message {
    let body = json!({"context": context, "updated_by": by});
    message(&format!("bcast_{at}").replace(':', ""), at, by, "ALL", "context_updated", body)
}

/// The protocol's first example: a proposal, a change asked for, an agreement written down.
#[test]
fn a_negotiated_interface_is_summed_up() {
    let mut snapshot = MailSnapshot::default();
    let methods =
        |returns: &str| json!([{"name": "findById", "returns": returns}, {"name": "create", "returns": "User"}]);
    let body = json!({"interface": "IUserService", "methods": methods("Promise<User>")});
    put(
        &mut snapshot,
        &message("m1", "14:30:52", "builder-1", "builder-2", "interface_contract", body),
        &[("builder-2", None)],
    );
    let change = "Return type should be Promise<User | null> to handle not found";
    let body = json!({"status": "modification_requested", "changes": [{"method": "findById", "change": change}]});
    let reply = message("m2", "14:34:00", "builder-2", "builder-1", "response", body);
    put(&mut snapshot, &answer(reply, "m1", "conv_auth_contracts_001"), &[("builder-1", None)]);
    check(
        &summary_of(&snapshot, "m1"),
        "
        Conversation Summary:
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

        Conversation ID: conv_auth_contracts_001
        Participants: builder-1, builder-2
        Messages: 2
        Duration: 3 minutes
        Status: ⏳ OPEN (waiting for builder-1)

        Outcome:
        - IUserService interface proposed
        - Method signature change requested (findById: Return type should be Promise<User | null> to handle not found)",
    );
    let updated = json!({"interface": "IUserService", "methods": methods("Promise<User | null>")});
    let body = json!({"status": "accepted", "updated_interface": updated});
    let reply = message("m3", "14:39:10", "builder-1", "builder-2", "response", body);
    put(&mut snapshot, &answer(reply, "m2", "conv_auth_contracts_001"), &[("builder-2", None)]);
    put(&mut snapshot, &context_updated("builder-1", "api-contracts", "14:40:00"), &[]);
    put(&mut snapshot, &context_updated("validator-1", "test-plan", "14:41:00"), &[]);
    put(&mut snapshot, &context_updated("builder-2", "earlier", "14:30:00"), &[]);
    check(
        &summary_of(&snapshot, "conv_auth_contracts_001"),
        "
        Conversation Summary:
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

        Conversation ID: conv_auth_contracts_001
        Participants: builder-1, builder-2
        Messages: 3
        Duration: 8 minutes
        Status: ✅ RESOLVED

        Outcome:
        - IUserService interface defined
        - Method signature modified (findById returns nullable)
        - Agreement documented in shared context (api-contracts)
        - Both agents ready to implement",
    );
}

#[test]
fn a_question_is_open_until_everybody_has_answered() {
    let mut snapshot = MailSnapshot::default();
    let ask = message("q", "10:00:00", "ann", "bob", "question", Json::Null);
    let ask = Message { requires_response: true, subject: "Which port?".to_owned(), ..ask };
    put(&mut snapshot, &ask, &[("bob", None)]);
    let ack = answer(message("k", "10:00:01", "bob", "ann", "acknowledgment", Json::Null), "q", "t");
    put(&mut snapshot, &ack, &[("ann", None)]);
    let summary = summary_of(&snapshot, "q");
    assert_eq!(summary.status.to_string(), "⏳ OPEN (waiting for bob)");
    assert_eq!(summary.outcome, ["Which port?: no answer yet from bob"]);
    let reply = answer(message("r", "10:00:09", "bob", "ann", "response", json!("8080")), "q", "t");
    put(&mut snapshot, &reply, &[("ann", None)]);
    let summary = summary_of(&snapshot, "q");
    assert_eq!(summary.status, ReportStatus::Resolved);
    assert_eq!(summary.outcome, ["Which port?: answered by bob"]);
    assert_eq!(summary.duration.to_string(), "9 seconds");
}

/// The protocol's second example, as the scripts leave it: two of four have acknowledged, by the decision's id.
#[test]
fn a_decision_is_followed_to_each_recipient() {
    let mut snapshot = snapshot();
    snapshot.deliveries.iter_mut().filter(|copy| copy.recipient == name("validator-1")).for_each(|copy| {
        copy.receipt.seen_at = Some(time("02:59:00"));
    });
    put(&mut snapshot, &context_updated("architect-1", "architecture-decisions", "03:00:00"), &[]);
    put(&mut snapshot, &context_updated("builder-1", "api-contracts", "03:00:01"), &[]);
    check(
        &broadcast_of(&snapshot),
        "
        Broadcast Report:
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

        Decision: DEC-001 (JWT Algorithm: RS256)
        Broadcast at: 2026-11-16T02:57:22Z
        Recipients: 4 agents

        Acknowledgments:
        ✅ builder-1 (received: 02:57, acknowledged: 02:57)
        ✅ builder-2 (received: 02:57, acknowledged: 02:57)
        ✉ orchestrator (not yet seen)
        ⏳ validator-1 (received: 02:59, not yet acknowledged)

        Status: Partly acknowledged (2/4)
        Shared context updated: architecture-decisions.md",
    );
}

#[test]
fn a_broadcast_without_a_decision_and_with_replies() {
    let mut snapshot = MailSnapshot::default();
    let news = message("bcast_1", "23:59:00", "ann", "ALL", "progress_update", Json::Null);
    put(&mut snapshot, &Message { subject: "Freeze at noon".to_owned(), ..news }, &[("bob", Some("23:59:30"))]);
    let reply = message("r", "23:59:40", "bob", "ann", "response", json!("fine"));
    put(&mut snapshot, &answer(reply, "bcast_1", "t"), &[("ann", None)]);
    let mut report = broadcast_of(&snapshot);
    report.recipients[0].acked_at = Some(time("23:59:40").plus(Span::from_seconds(60)));
    check(
        &report,
        "
        Broadcast Report:
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

        Broadcast: Freeze at noon
        Broadcast at: 2026-11-16T23:59:00Z
        Recipients: 1 agent

        Acknowledgments:
        ✅ bob (received: 23:59, acknowledged: 2026-11-17 00:00)

        Status: Fully acknowledged (1/1)",
    );
    report.recipients.clear();
    assert!(report.to_string().ends_with("\nStatus: Nobody to acknowledge (0/0)"));
}

/// The protocol's third example, with its times.
#[test]
fn a_blocker_is_told_from_beginning_to_end() {
    let mut snapshot = MailSnapshot::default();
    let body = json!({
        "task_id": "pg2-task-1",
        "blocker_type": "missing_dependency",
        "dependency": {"required_artifact": "User model", "responsible_agent": "builder-2"},
    });
    let event = message("evt_1", "15:30:00", "builder-1", "!BlockerEncountered", "BlockerEncountered", body);
    put(&mut snapshot, &event, &[("orchestrator", Some("15:32:15"))]);
    let body = json!({"urgency": "high", "blocked_agent": "builder-1"});
    let urge = message("msg_1", "15:33:42", "orchestrator", "builder-2", "priority_request", body);
    put(&mut snapshot, &urge, &[("builder-2", Some("15:34:00"))]);
    let other = json!({"note": "builder-10 is fine"});
    put(
        &mut snapshot,
        &message("msg_0", "15:33:43", "validator-1", "builder-3", "note", other),
        &[("builder-3", None)],
    );
    let body = json!({"status": "acknowledged", "partial_delivery": "Can provide interface definition immediately"});
    let reply = message("resp_1", "15:35:18", "builder-2", "orchestrator", "response", body);
    put(&mut snapshot, &answer(reply, "msg_1", "conv"), &[("orchestrator", None)]);

    let open = blocker_in(&snapshot, "pg2-task-1", time("17:31:00")).unwrap();
    assert_eq!(open.status.to_string(), "⏳ OPEN (waiting for builder-2)");
    assert_eq!(open.impact(), "Severe (still blocked)");
    assert!(open.to_string().contains("\nResolution time: not yet, after 2 hours 1 minute\n"));

    let part =
        message("msg_2", "15:54:32", "builder-2", "builder-1", "interface_contract", json!({"interface": "User"}));
    let part = Message { subject: "Partial User interface (full implementation coming soon)".to_owned(), ..part };
    put(&mut snapshot, &part, &[("builder-1", None)]);
    let body =
        json!({"task_id": "pg2-task-1", "blocker_type": "missing_dependency", "resolution": "Partial interface"});
    put(&mut snapshot, &message("evt_2", "15:55:05", "builder-1", "!BlockerResolved", "BlockerResolved", body), &[]);
    for wanted in ["pg2-task-1", "evt_1", "blocker_pg2_task1_001"] {
        check(
            &blocker_in(&snapshot, wanted, time("18:00:00")).unwrap(),
            "
            Blocker Resolution Report:
            ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

            Blocker ID: blocker_pg2_task1_001
            Reported by: builder-1
            Blocker type: missing_dependency

            Timeline:
            15:30:00 - Blocker encountered
            15:32:15 - Orchestrator notified
            15:33:42 - builder-2 contacted
            15:35:18 - builder-2 acknowledged
            15:54:32 - Partial interface delivered
            15:55:05 - Blocker resolved

            Resolution time: 25 minutes
            Impact: Minimal (partial unblocking achieved)
            Status: ✅ RESOLVED",
        );
    }
}

#[test]
fn a_second_blocker_of_a_task_has_a_number_and_an_end_of_its_own() {
    let mut snapshot = snapshot();
    let body = json!({"task_id": "pg2-task-1", "blocker_type": "review"});
    let event = message("evt_9", "09:00:00", "builder-1", "!BlockerEncountered", "BlockerEncountered", body);
    put(&mut snapshot, &event, &[("orchestrator", None)]);
    let body = json!({"task": "pg2-task-1", "please": "review"});
    put(
        &mut snapshot,
        &message("msg_9", "09:01:00", "builder-1", "validator-1", "question", body),
        &[("validator-1", None)],
    );
    let second = blocker_in(&snapshot, "pg2-task-1", time("09:10:00")).unwrap();
    assert_eq!((second.id.as_str(), second.event.as_str()), ("blocker_pg2_task1_002", "evt_9"));
    let told: Vec<&str> = second.timeline.iter().map(|entry| entry.what.as_str()).collect();
    let expected =
        ["Blocker encountered", "Orchestrator notified (not yet seen)", "validator-1 contacted by builder-1"];
    assert_eq!(told, expected);
    assert_eq!(second.status, ReportStatus::Open { waits_for: vec![name("validator-1")] });

    let first = blocker_in(&snapshot, "evt_025724", time("09:10:00")).unwrap();
    let told: Vec<&str> = first.timeline.iter().map(|entry| entry.what.as_str()).collect();
    let expected = ["Blocker encountered", "Orchestrator notified", "builder-2 contacted", "Blocker resolved"];
    assert_eq!(told, expected);
    assert_eq!(
        (first.impact().as_str(), first.blocked_for.to_string().as_str()),
        ("Minimal (partial unblocking achieved)", "2 seconds")
    );
    assert_eq!(blocker_in(&snapshot, "evt_025726a", time("09:10:00")), None);
}

#[test]
fn reports_on_the_wrong_thing_say_so() {
    let host = FixedHost::at("2025-11-29T14:30:00Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    let [ann, bob] = ["ann", "bob"].map(name);
    for agent in [&ann, &bob] {
        bus.register(agent, &NewAgent::with_role("builder")).unwrap();
    }
    let letter = bus.send(&ann, &Draft::to(&bob, "Hello")).unwrap().id;
    let event = bus.publish(&ann, &"TaskCompleted".parse().unwrap(), Json::Null, false).unwrap().id;
    let kind = |error: Box<Error>| error.kind();
    assert_eq!(bus.broadcast_report(&letter).map_err(kind).unwrap_err(), ErrorKind::Usage);
    assert_eq!(bus.broadcast_report(&"bcast_x".parse().unwrap()).map_err(kind).unwrap_err(), ErrorKind::NotFound);
    assert_eq!(bus.blocker_report(event.as_str()).map_err(kind).unwrap_err(), ErrorKind::Usage);
    assert_eq!(bus.blocker_report("no-such-task").map_err(kind).unwrap_err(), ErrorKind::NotFound);
    assert_eq!(bus.summary("conv_x").map_err(kind).unwrap_err(), ErrorKind::NotFound);
    assert_eq!(bus.summary(letter.as_str()).unwrap().value.status, ReportStatus::Resolved);
}
