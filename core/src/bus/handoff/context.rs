//! The context of a sequential handoff: given along, asked for, or put together from what agents share.

use crate::bus::ask::{Format, Question};
use crate::bus::orchestrator::{TokenUsage, tokens};
use crate::bus::{AskOutcome, Bus, Error, HandoffDraft, Orchestrator, Result};
use crate::model::{AgentName, Handoff, HandoffId, Json, JsonMap, MessageId, Span, ThreadId};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::orchestrator::layout::{SHARED_CONTEXT, from_project};
use crate::wire::orchestrator::package::{self, ContextPackage};
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
    /// Checks the context that a draft carries, makes it fit, and puts a snapshot of the shared state with it; gives how many
    /// tokens that has saved.
    pub(super) fn prepare_context(&self, draft: &mut HandoffDraft) -> Result<usize> {
        let Some(package) = &mut draft.package else { return Ok(0) };
        let rules = self.rules();
        rules.permit(Protocol::Handoff)?;
        if package.summary.trim().is_empty() {
            return Err(Error::Usage {
                message: "a sequential handoff needs a summary".into(),
                hint: "say what was done, in short: --summary TEXT".into(),
            }
            .into());
        }
        let whole = std::mem::take(&mut package.summary);
        let rest = TokenUsage::of_json(&package::encode(package)).tokens;
        package.summary = self.fitted(&whole, rules.max_context_tokens.saturating_sub(rest), &rules);
        let saved = tokens(&whole).saturating_sub(tokens(&package.summary));
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
        Ok(saved)
    }

    /// Returns the context of a handoff to its receiver: as it was given along, or else as the giver answers when asked for
    /// it, or else as it can be put together from the shared state.
    pub fn handoff_context(&self, agent: &AgentName, id: &HandoffId, timeout: Option<Span>) -> Result<HandoffContext> {
        let handoff = self.handoff(id)?.handoff;
        if let Some(package) = package::decode(&handoff.extra) {
            return Ok(HandoffContext { package, answered_by: None });
        }
        if handoff.to != *agent {
            return Err(Error::NotYours { id: id.clone(), to: handoff.to, agent: agent.clone() }.into());
        }
        let here = self.directory_with(&[agent])?.agents.contains_key(&handoff.from);
        match here.then(|| self.ask_for_context(&handoff, timeout)).transpose()?.flatten() {
            Some(context) => Ok(context),
            None => self.rebuild_context(&handoff),
        }
    }

    /// Asks the giver; none when no answer comes, or none that is of use.
    fn ask_for_context(&self, handoff: &Handoff, timeout: Option<Span>) -> Result<Option<HandoffContext>> {
        let question = Question {
            context: format!("Missing context of handoff {}: {}", handoff.id, handoff.task),
            format: Format::new(&package::schema())?,
            timeout,
            // Asking that ends in silence is no failure here: there is another way.
            fallback: Some(Json::Null),
            thread: Some(ThreadId::new(handoff.id.as_str())?),
            ..Question::to(&handoff.from, format!("What is the context of handoff {}?", handoff.id))
        };
        let asked = self.ask(&handoff.to, &question)?;
        let package = package::from_answer(&asked.answer);
        let of_use = asked.outcome != AskOutcome::FellBack && !package.summary.is_empty();
        Ok(of_use.then_some(HandoffContext { package, answered_by: asked.answered_by }))
    }

    fn rebuild_context(&self, handoff: &Handoff) -> Result<HandoffContext> {
        let shared = self.orchestrator.map_or(Ok(None), Orchestrator::shared)?.ok_or_else(|| {
            let Handoff { id, from, .. } = handoff;
            let message =
                format!("{from} gave no context for handoff {id}, and there is no shared state to rebuild it from");
            Error::TimedOut { message }
        })?;
        let package = rebuilt(handoff, &shared);
        let usage = TokenUsage::of_json(&package::encode(&package));
        let record = self.record_for(Protocol::Handoff, &handoff.from, Some(&handoff.to), usage);
        self.log(&CommunicationRecord { outcome: "reconstructed", ..record });
        Ok(HandoffContext { package, answered_by: None })
    }
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
