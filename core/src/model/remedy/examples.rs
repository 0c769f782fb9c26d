//! An example of every remedy, for tests of those who word them.

use super::Remedy;
use crate::model::{AgentName, Recipient};

/// Returns an example of every remedy.
///
/// # Panics
/// Never: the names in it are valid.
pub fn examples() -> Vec<Remedy> {
    let ann = || -> AgentName { "ann".parse().expect("a fixed name is valid") };
    let bob = || -> AgentName { "bob".parse().expect("a fixed name is valid") };
    let id = || "msg_1".parse().expect("a fixed name is valid");
    let session = || "s1".parse().expect("a fixed name is valid");
    vec![
        Remedy::Advice("look at the file".into()),
        Remedy::RegisterFirst,
        Remedy::Register(ann()),
        Remedy::RegisterOrUnsubscribe(ann(), "Done".parse().expect("a fixed name is valid")),
        Remedy::RegisterOrArchive(ann()),
        Remedy::UseAgent(ann()),
        Remedy::ChooseAgent,
        Remedy::GiveRole,
        Remedy::NameActor,
        Remedy::SendAsFile,
        Remedy::SendAsFileOrHandOff,
        Remedy::SendAsFileOrAllowLarge,
        Remedy::ListInbox(ann()),
        Remedy::CheckMessageId,
        Remedy::ListThreads,
        Remedy::ListHistoryThreads,
        Remedy::AskAgain { from: ann(), to: Recipient::Agents(vec![bob()]) },
        Remedy::ReadThread(id()),
        Remedy::RestoreCopy,
        Remedy::RestoreSentCopies,
        Remedy::AnswerOrRemind { agent: ann(), id: id() },
        Remedy::Answer { agent: ann(), id: id() },
        Remedy::Reply(id()),
        Remedy::Requeue(id()),
        Remedy::Acknowledge(id()),
        Remedy::Trace(id()),
        Remedy::ReadOrDeregister(ann()),
        Remedy::ListOrCreateContext,
        Remedy::UpdateContext("api".parse().expect("a fixed name is valid")),
        Remedy::ListHandoffs,
        Remedy::DecideHandoff { id: "handoff_1".parse().expect("a fixed name is valid"), to: ann() },
        Remedy::GiveTask,
        Remedy::GiveSummary,
        Remedy::CreateBus,
        Remedy::ChooseProject,
        Remedy::ArchiveOrRaiseQuota,
        Remedy::ArchiveOrSweep,
        Remedy::LimitArchive,
        Remedy::CheckBus,
        Remedy::RepairBus,
        Remedy::ShowState,
        Remedy::StartState,
        Remedy::StartOrListSessions,
        Remedy::StartSession,
        Remedy::NameSession(Some(session())),
        Remedy::NameSession(None),
        Remedy::JoinOrOmitId,
        Remedy::WaitOrForceClose,
        Remedy::JoinSession,
        Remedy::JoinEmptySession,
        Remedy::JoinSessionAs(session(), "ann".to_owned()),
        Remedy::StartByJoining,
        Remedy::RetryAgent,
        Remedy::ResetAgent,
        Remedy::ShowReportForm,
        Remedy::ListReportsAndData,
        Remedy::RenameOrReplaceData,
        Remedy::RecoverOrKeepGoing,
        Remedy::BreakDeadlock,
        Remedy::WaitOrRecover,
        Remedy::ShowSessionStatus,
        Remedy::PutData,
        Remedy::ExportSession,
        Remedy::ExportRecords,
        Remedy::ExportUnchanged,
        Remedy::CheckServer,
        Remedy::CheckCredentials,
        Remedy::CheckServerKind,
        Remedy::CheckNetworkAccess,
        Remedy::CheckCertificate,
        Remedy::CheckReplicaSet,
        Remedy::RetryWithSameKey,
        Remedy::CheckServerOrCreateBus,
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_remedy_has_an_example() {
        let source = include_str!("../remedy.rs");
        let variants = source.split("pub enum Remedy {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
        let is_name = |c: char| c.is_ascii_alphanumeric();
        let variants = variants.lines().filter_map(|line| line.strip_prefix("    "));
        let variants = variants.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
        let variants = BTreeSet::from_iter(variants.map(|line| line.split(|c| !is_name(c)).next().unwrap().to_owned()));
        let name = |remedy: &Remedy| format!("{remedy:?}").split(|c| !is_name(c)).next().unwrap().to_owned();
        assert_eq!(BTreeSet::from_iter(examples().iter().map(name)), variants);
    }

    #[test]
    fn no_remedy_names_an_interface() {
        for remedy in examples() {
            let text = remedy.to_string();
            assert!(!text.is_empty() && !text.contains("huddle ") && !text.contains("--"), "{remedy:?}: {text}");
        }
    }
}
