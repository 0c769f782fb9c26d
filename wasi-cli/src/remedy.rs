//! Remedies in the words of a face: commands and options for those who type, tools and their parameters for models.

use huddle_core::model::Remedy;
use huddle_core::session::RecoveryStep;
use huddle_core::state::Protocol;

/// Who reads the hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// Somebody who types commands.
    Command,
    /// A program that calls tools.
    Tools,
}

impl Face {
    /// Words what to do; empty when there is nothing to advise.
    pub(crate) fn hint(self, remedy: &Remedy) -> String {
        match self {
            Self::Command => for_command(remedy),
            Self::Tools => for_tools(remedy),
        }
    }

    /// Words what a delivery waits for, and what can be done about it.
    pub(crate) fn waits_for(self, waits_for: &str, remedy: &Remedy) -> String {
        match (self, remedy) {
            (Self::Command, Remedy::Requeue(id)) => format!("{waits_for} (huddle dead-letters retry {id})"),
            (Self::Command, Remedy::CheckBus) => format!("{waits_for}: huddle check says more"),
            _ => waits_for.to_owned(),
        }
    }
}

fn for_command(remedy: &Remedy) -> String {
    let hint = match remedy {
        Remedy::RegisterFirst => "register it first: huddle register AGENT --role ROLE",
        Remedy::Register(agent) => return format!("register the agent: huddle register {agent} --role ROLE"),
        Remedy::RegisterOrUnsubscribe(agent, event) => {
            return format!(
                "register it: huddle register {agent} --role ROLE; then keep it or huddle unsubscribe {event} --as {agent}"
            );
        }
        Remedy::RegisterOrArchive(agent) => {
            return format!(
                "register it: huddle register {agent} --role ROLE, or put the messages away: huddle archive"
            );
        }
        Remedy::ChooseAgent => "name another agent; huddle agents lists them",
        Remedy::GiveRole => "say what it does: --role builder",
        Remedy::NameActor => "say who you are: --as AGENT, or set HUDDLE_AGENT",
        Remedy::SendAsFile => "put it into a file and send its path with --file",
        Remedy::SendAsFileOrHandOff => {
            "put it into a file and send its path with --file, or hand it over with huddle handoff create"
        }
        Remedy::SendAsFileOrAllowLarge => {
            "put it into a file and send its path with --file, hand it over with huddle handoff create, or insist \
             with --large"
        }
        Remedy::ListInbox(agent) => return format!("list what is there: huddle inbox --all --as {agent}"),
        Remedy::CheckMessageId => "check the id; huddle threads lists all conversations",
        Remedy::ListThreads => "list the conversations: huddle threads",
        Remedy::ListHistoryThreads => "huddle threads PATH lists the conversations",
        Remedy::AskAgain { from, to } => {
            return format!("ask again with a deadline to come: huddle send {to} … --deadline 2h --as {from}");
        }
        Remedy::ReadThread(id) => return format!("nothing is lost of the answer itself: huddle thread {id}"),
        Remedy::RestoreCopy => "restore it from what the bus recorded: huddle check --mend",
        Remedy::RestoreSentCopies => "give everybody again what the sender sent: huddle check --mend",
        Remedy::AnswerOrRemind { agent, id } => {
            return format!("answer: huddle reply {id} --as {agent}; or remind it: huddle sweep");
        }
        Remedy::Answer { agent, id } => return format!("answer: huddle reply {id} --as {agent}"),
        Remedy::Reply(id) => return format!("use huddle reply {id}"),
        Remedy::Requeue(id) => return format!("try again: huddle dead-letters retry {id}"),
        Remedy::Acknowledge(id) => return format!("use huddle ack {id}"),
        Remedy::Trace(id) => return format!("see how far it has come: huddle trace {id}"),
        Remedy::ReadOrDeregister(agent) => {
            return format!(
                "read them: huddle inbox --as {agent}, or deregister an agent that is gone: huddle deregister {agent}"
            );
        }
        Remedy::ListOrCreateContext => "list them: huddle context list, or make it: huddle context create NAME",
        Remedy::UpdateContext(name) => return format!("add to it: huddle context update {name}"),
        Remedy::ListHandoffs => "list them: huddle handoff list",
        Remedy::DecideHandoff { id, to } => {
            return format!("decide: huddle handoff accept {id} --as {to}, or huddle handoff decline {id} --as {to}");
        }
        Remedy::GiveTask => "say what is handed over: --task TEXT",
        Remedy::GiveSummary => "say what was done, in short: --summary TEXT",
        Remedy::CreateBus => "make one here with huddle init, or point --root or --bus at the one that is meant",
        Remedy::ChooseProject => "point --root at the project where the text was compressed",
        Remedy::ArchiveOrRaiseQuota => {
            "archive what is read (huddle archive --before 0s), or raise huddle_limits in registry.json; answers are \
             not refused"
        }
        Remedy::ArchiveOrSweep => {
            "archive what is read: huddle archive --before 0s; huddle sweep does what the quota's policy says"
        }
        Remedy::LimitArchive => {
            "have huddle sweep remove what is older than 90 days: \"huddle_limits\": {\"maxAgeHours\": 2160} in \
             registry.json; or remove it once: huddle archive --prune 90d"
        }
        Remedy::CheckBus => "huddle check says how to mend it",
        Remedy::RepairBus => "move it away: huddle check --mend",
        Remedy::ShowState => "list them: huddle state show",
        Remedy::StartState => "start it: huddle state objective TEXT",
        Remedy::ExportSession => "take the file out with huddle export --to session, and look at it",
        Remedy::ExportRecords => "--to jsonl keeps them",
        Remedy::ExportUnchanged => "--to jsonl keeps it as it is",
        Remedy::StartOrListSessions => "start one: huddle session start, or list them: huddle session list",
        Remedy::StartSession => "start another: huddle session start",
        Remedy::NameSession(Some(newest)) => {
            return format!("give --id or set HUDDLE_SESSION; the newest open session is {newest}");
        }
        Remedy::NameSession(None) => "start one: huddle session start",
        Remedy::JoinOrOmitId => "join it, or leave --id out to get a new one",
        Remedy::WaitOrForceClose => "wait for them: huddle session wait --all, or close with --force",
        Remedy::JoinSession => "agents come into a session with huddle session join AGENT",
        Remedy::JoinEmptySession => "agents come in with huddle session join AGENT",
        Remedy::StartByJoining => "it starts with huddle session join AGENT",
        Remedy::RetryAgent => "let it start over: huddle session retry AGENT",
        Remedy::ResetAgent => "put it back to waiting: huddle session retry AGENT",
        Remedy::ShowReportForm => "huddle session report put --help shows the form of a report",
        Remedy::ListReportsAndData => "huddle session report list and huddle session data list show what there is",
        Remedy::RenameOrReplaceData => "choose another name, or put it with --replace",
        Remedy::RecoverOrKeepGoing => "huddle session recover says what can be done; --keep-going goes on without it",
        Remedy::BreakDeadlock => {
            "have one of them fail, then another join without it; huddle session recover names the commands"
        }
        Remedy::WaitOrRecover => "wait longer; huddle session recover tells who is silent",
        Remedy::ShowSessionStatus => "huddle session status shows who waits for whom",
        Remedy::PutData => "put it: huddle session data put NAME",
        Remedy::CheckServer => {
            "check that mongod is running, and that host and port in --bus are right and can be reached"
        }
        Remedy::CheckCredentials => "check user, password and authSource in --bus",
        Remedy::CheckServerKind => "check host and port in --bus: something else than MongoDB may be listening there",
        Remedy::CheckNetworkAccess => "check the address in --bus, and what the host lets the component do",
        Remedy::CheckCertificate => "check tlsCAFile in --bus, and that the certificate is for the host that it names",
        Remedy::CheckReplicaSet => "check replicaSet in --bus: rs.status() shows what the servers call it",
        Remedy::RetryWithSameKey => {
            "check with rs.status() that a majority of the replica set is up; then try again, a send with the same \
             --key as before"
        }
        Remedy::CheckServerOrCreateBus => "see what the server says; huddle init makes what a bus needs",
        Remedy::JoinSessionAs(session, agent) => {
            return format!("have it join: huddle session join {agent} --id {session}");
        }
        Remedy::Advice(_) | Remedy::UseAgent(_) => return remedy.to_string(),
    };
    hint.to_owned()
}

fn for_tools(remedy: &Remedy) -> String {
    let hint = match remedy {
        Remedy::RegisterFirst | Remedy::Register(_) => "an agent registers itself: register",
        Remedy::RegisterOrUnsubscribe(agent, _) => return format!("have {agent} call register"),
        Remedy::ChooseAgent => "name another agent; list_agents lists them",
        Remedy::GiveRole => "say what you do: role",
        Remedy::NameActor => "register first: say who you are",
        Remedy::SendAsFile | Remedy::SendAsFileOrHandOff => {
            "put it into a file and send its path, or pass the file on: handoff with action create and artifacts"
        }
        Remedy::SendAsFileOrAllowLarge => {
            "put it into a file and send its path, pass the file on with handoff, or insist with large"
        }
        Remedy::ListInbox(_) => "list what is there: check_inbox with all",
        Remedy::CheckMessageId => "check the messageId; search_history finds messages",
        Remedy::ListThreads => "find the conversation: search_history",
        Remedy::AskAgain { to, .. } => return format!("ask again with a deadline to come: send_message to {to}"),
        Remedy::Reply(id) => return format!("answer with reply: messageId {id}"),
        Remedy::Trace(id) => return format!("see how far it has come: trace, messageId {id}"),
        Remedy::ListOrCreateContext => "list them with action list, or make it with action create",
        Remedy::UpdateContext(_) => "add to it: action update",
        Remedy::ListHandoffs => "list them: handoff with action list",
        Remedy::DecideHandoff { id, to } => {
            return format!("{to} decides: handoff with action accept or decline, id {id}");
        }
        Remedy::GiveTask => "say what is handed over: task",
        Remedy::GiveSummary => "say what was done, in short: done",
        Remedy::CreateBus => "call register, which makes the bus",
        Remedy::JoinOrOmitId => "join it: session_update with action join",
        Remedy::JoinSession | Remedy::JoinEmptySession => "join it: session_update with action join",
        Remedy::StartByJoining => "it starts with session_update, action join",
        Remedy::ShowReportForm => "a report has status, summary, findings and next_actions",
        Remedy::WaitOrRecover => "wait longer; session_status shows who is at work",
        Remedy::ShowSessionStatus => "session_status shows who waits for whom",
        neutral => return neutral.to_string(),
    };
    hint.to_owned()
}

/// Returns the command that takes a step of a recovery.
pub(crate) fn recovery_command(session: &str, step: &RecoveryStep) -> String {
    let words = match step {
        RecoveryStep::Fail { agent, error } => format!("fail {agent} --error {error:?}"),
        RecoveryStep::Retry(agent) => format!("retry {agent}"),
        RecoveryStep::JoinWithout { agent, without } => format!("join {agent} --without {without}"),
        RecoveryStep::ListEvents(agent) => format!("events --from {agent}"),
        RecoveryStep::ShowReport(agent) => format!("report show {agent}"),
    };
    format!("huddle session {words} --id {session}")
}

/// Returns the command that speaks a protocol.
pub(crate) fn protocol_command(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Handoff => "huddle handoff create TO --task TEXT --summary TEXT --next-action TEXT",
        Protocol::Broadcast => "huddle broadcast SUBJECT --type context_update",
        Protocol::Query => "huddle ask TO QUESTION",
    }
}

#[cfg(test)]
mod tests {
    use huddle_core::model::remedy::examples;

    use super::*;

    /// Returns what a text has that only somebody at a command line can use.
    fn command_words(text: &str) -> Option<&str> {
        ["huddle ", "--"].into_iter().find(|words| text.contains(words))
    }

    #[test]
    fn tools_are_told_of_no_command_line() {
        for remedy in examples() {
            let hint = Face::Tools.hint(&remedy);
            assert_eq!(command_words(&hint), None, "{remedy:?}: {hint}");
            assert!(remedy == Remedy::NONE || !hint.is_empty(), "{remedy:?}");
        }
    }

    #[test]
    fn commands_are_named_whole() {
        let check = |remedy: Remedy, expected: &str| assert_eq!(Face::Command.hint(&remedy), expected);
        check(Remedy::NONE, "");
        check("look at the file".into(), "look at the file");
        check(Remedy::Register("ann".parse().unwrap()), "register the agent: huddle register ann --role ROLE");
        check(Remedy::UseAgent("ann".parse().unwrap()), "did you mean ann?");
        let worded = examples().iter().filter(|one| command_words(&Face::Command.hint(one)).is_some()).count();
        assert!(worded > 50, "{worded}");
    }
}
