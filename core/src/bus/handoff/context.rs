//! The context of a sequential handoff: given along, asked for, or put together from what agents share.

use crate::bus::ask::{Format, Question};
use crate::bus::orchestrator::TokenUsage;
use crate::bus::{Bus, Error, HandoffDraft, Orchestrator, Result};
use crate::model::{AgentName, Handoff, HandoffId, Json, JsonMap, Message, MessageId, Remedy, Span, ThreadId};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::mailbox::handoff::background_in;
use crate::wire::orchestrator::layout::{SHARED_CONTEXT, from_project};
use crate::wire::orchestrator::package::{self, ContextPackage};
use crate::wire::orchestrator::query;
use crate::wire::orchestrator::shared_context::SharedContext;

use super::HandoffFile;

/// A context, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct HandoffContext {
    /// The context that the next agent needs.
    pub package: ContextPackage,
    /// The answer that brought it, when the previous agent had to be asked.
    pub answered_by: Option<MessageId>,
}

impl Bus<'_> {
    /// Checks the context that a draft carries, puts a snapshot of the shared state with it, and makes all that goes over fit;
    /// gives how many tokens that are.
    pub(super) fn prepare_context(&self, draft: &mut HandoffDraft) -> Result<TokenUsage> {
        let rules = self.rules();
        rules.permit(Protocol::Handoff)?;
        let Some(package) = &mut draft.package else { return Ok(self.fit(draft, &rules)) };
        if package.summary.trim().is_empty() {
            return Err(Error::Usage {
                message: "a sequential handoff needs a summary".into(),
                remedy: Remedy::GiveSummary,
            }
            .into());
        }
        // Whoever cannot read the shared state has none to give along; the command that shows it says why.
        let shared = self.orchestrator.and_then(|orchestrator| orchestrator.shared().ok().flatten());
        if let (None, Some(shared)) = (&package.state_snapshot, shared) {
            let source = from_project(SHARED_CONTEXT);
            package.state_snapshot = Some(source.clone());
            draft.files.push(HandoffFile { source, bytes: shared.encode().into_bytes() });
        }
        if let (true, Some(next)) = (draft.next.is_empty(), &package.next_action) {
            draft.next.push(next.clone());
        }
        Ok(self.fit(draft, &rules))
    }

    /// Returns the context of a handoff to its receiver: as it was given along, or else as the giver answered when asked for
    /// it, or else as the giver answers now, or else as it can be put together from the shared state.
    pub fn handoff_context(&self, agent: &AgentName, id: &HandoffId, timeout: Option<Span>) -> Result<HandoffContext> {
        let found = self.handoff(id)?;
        let handoff = found.handoff;
        if let Some(package) = package::decode(&handoff.extra).or_else(|| told(&found.document, &handoff)) {
            return Ok(HandoffContext { package, answered_by: None });
        }
        if handoff.to != *agent {
            return Err(Error::NotYours { id: id.clone(), to: handoff.to, agent: agent.clone() }.into());
        }
        if let Some(context) = self.answered_context(&handoff)? {
            return Ok(context);
        }
        let here = self.directory_with(&[agent])?.agents.contains_key(&handoff.from);
        match here.then(|| self.ask_for_context(&handoff, timeout)).transpose()?.flatten() {
            Some(context) => Ok(context),
            None => self.rebuild_context(&handoff),
        }
    }

    /// Finds what the giver answered when it was asked for the context before, however late.
    fn answered_context(&self, handoff: &Handoff) -> Result<Option<HandoffContext>> {
        let format = Format::new(&package::schema())?;
        let inbox = self.engine.inbox(&handoff.to, false)?.value;
        let is_answer = |message: &Message| {
            message.from == handoff.from
                && message.in_reply_to.is_some()
                && message.thread.as_ref().map(ThreadId::as_str) == Some(handoff.id.as_str())
        };
        let answers = inbox.into_iter().map(|delivery| delivery.message).filter(is_answer);
        let fitting = answers.filter(|message| format.misfit(&query::answer_in(message)).is_none());
        let Some(newest) = fitting.max_by_key(|message| message.sent_at) else { return Ok(None) };
        self.mark_seen(&handoff.to, &newest.id)?;
        let package = package::from_answer(&query::answer_in(&newest));
        Ok(Some(HandoffContext { package, answered_by: Some(newest.id) }))
    }

    /// Asks the giver; none when no answer comes, or none that is of use.
    fn ask_for_context(&self, handoff: &Handoff, timeout: Option<Span>) -> Result<Option<HandoffContext>> {
        let question = Question {
            context: format!("Missing context of handoff {}: {}", handoff.id, handoff.task),
            format: Format::new(&package::schema())?,
            timeout,
            thread: Some(ThreadId::new(handoff.id.as_str())?),
            ..Question::to(&handoff.from, format!("What is the context of handoff {}?", handoff.id))
        };
        let asked = match self.ask(&handoff.to, &question) {
            Ok(asked) => asked,
            // Asking that ends in silence is no failure here: there is another way.
            Err(error) if matches!(*error, Error::TimedOut { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let package = package::from_answer(&asked.answer);
        let of_use = !package.summary.is_empty();
        Ok(of_use.then_some(HandoffContext { package, answered_by: asked.answered_by }))
    }

    fn rebuild_context(&self, handoff: &Handoff) -> Result<HandoffContext> {
        let shared = self.orchestrator.map_or(Ok(None), Orchestrator::shared)?.ok_or_else(|| {
            let Handoff { id, from, .. } = handoff;
            let message =
                format!("{from} gave no context for handoff {id}, and there is no shared state to rebuild it from");
            Error::TimedOut { message }
        })?;
        let rules = self.rules();
        let mut draft = HandoffDraft { package: Some(rebuilt(handoff, &shared)), ..HandoffDraft::new(&handoff.to, "") };
        self.fit(&mut draft, &rules);
        let package = draft.package.unwrap_or_default();
        let usage = TokenUsage::of_json(&package::encode(&package));
        let record = self.record_for(Protocol::Handoff, &handoff.from, Some(&handoff.to), usage);
        self.log(&CommunicationRecord { outcome: "reconstructed", ..record });
        Ok(HandoffContext { package, answered_by: None })
    }
}

/// Takes the context from what the giver told in the handoff's document.
fn told(document: &str, handoff: &Handoff) -> Option<ContextPackage> {
    let (done, background) = background_in(document);
    let summary: Vec<&str> = done.into_iter().chain(background).collect();
    let next_action = Some(handoff.task.clone()).filter(|task| !task.is_empty());
    let package = ContextPackage { summary: summary.join("\n\n"), next_action, ..ContextPackage::default() };
    (!package.summary.is_empty()).then_some(package)
}

/// Puts a context together from what agents share and what the handoff itself says.
fn rebuilt(handoff: &Handoff, shared: &SharedContext) -> ContextPackage {
    let text = |item: &Json, field: &str| item.get(field).and_then(Json::as_str).map(str::to_owned);
    let by = |item: &Json| text(item, "by").map_or_else(String::new, |by| format!(" (by {by})"));
    let listed = |list: &str, field: &str, word: &str| -> Vec<String> {
        let items = shared.list(list).iter();
        items.filter_map(|item| Some(format!("{word}: {}{}", text(item, field)?, by(item)))).collect()
    };
    let mut key_findings = listed("keyDecisions", "decision", "Decision");
    key_findings.extend(listed("artifacts", "path", "Artifact"));
    key_findings.extend(listed("blockers", "blocker", "Blocker"));
    let giver = shared.agents().find(|(name, _)| *name == handoff.from.as_str()).map(|(_, state)| state);
    let status = giver.and_then(|state| text(state, "status"));
    let status = status.map_or_else(String::new, |status| format!(" {} is {status}.", handoff.from));
    let objective = Some(shared.objective()).filter(|text| !text.is_empty()).unwrap_or(&handoff.task);
    ContextPackage {
        summary: format!("Objective: {objective}.{status}"),
        output_ref: giver.and_then(|state| text(state, "output_ref")),
        tokens_used: None,
        key_findings,
        requires: Vec::new(),
        next_action: Some(handoff.task.clone()),
        state_snapshot: Some(from_project(SHARED_CONTEXT)),
        reconstructed: true,
    }
}

/// Returns what metadata says of a context; the snapshot by the name that it has in the package.
pub(super) fn metadata(package: Option<&ContextPackage>, files: &[crate::model::Artifact]) -> JsonMap {
    let Some(package) = package else { return JsonMap::new() };
    let mut package = package.clone();
    let stored = files.iter().find(|file| Some(&file.source) == package.state_snapshot.as_ref());
    if let Some(file) = stored {
        package.state_snapshot = Some(format!("artifacts/{}", file.stored));
    }
    JsonMap::from_iter([(package::FIELD.to_owned(), package::encode(&package))])
}

#[cfg(test)]
mod tests;
