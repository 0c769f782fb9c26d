//! Handoffs, shared contexts and shared states.

use std::io;

use huddle_core::history::Paper;
use huddle_core::model::{Context, Handoff, HandoffStatus, Timestamp};
use huddle_core::order::{sort_by, sort_by_key};
use huddle_core::wire::mailbox::context::versions;

use super::details::body;
use crate::protocol::SharedView;
use crate::protocol::papers::{ContextCard, HandoffCard, StateCard};
use crate::worker::book::Book;

impl Book {
    /// Gives all that is shared or handed over.
    pub(super) fn shared(&mut self) -> io::Result<SharedView> {
        let mut handoffs: Vec<HandoffCard> = Vec::new();
        for place in 0..self.history.papers.handoffs.len() {
            handoffs.push(self.handoff(place)?);
        }
        sort_by_key(&mut handoffs, |handoff| handoff.at);
        let papers = &self.history.papers;
        let path = |file: u32| self.history.files[file as usize].path.clone();
        let mut contexts: Vec<ContextCard> =
            papers.contexts.iter().map(|paper| context(&paper.says, path(paper.file))).collect();
        sort_by(&mut contexts, |a, b| a.name.cmp(&b.name));
        let states = papers.states.iter().map(|paper| StateCard {
            version: paper.says.version(),
            objective: paper.says.objective().to_owned(),
            body: body(&paper.says.document()),
            file: path(paper.file),
        });
        let states = states.collect();
        Ok(SharedView { handoffs, contexts, states })
    }

    fn handoff(&mut self, place: usize) -> io::Result<HandoffCard> {
        let Paper { file, says, .. } = self.history.papers.handoffs[place].clone();
        let path = self.history.files[file as usize].path.clone();
        let package = path.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/"));
        let artifact =
            |stored: &str| self.artifact_of(says.from.as_str(), &format!("{package}artifacts/{stored}"), None);
        let artifacts = says.artifacts.iter().map(|artifact_| artifact(&artifact_.stored)).collect();
        let documents = self.documents(&package)?;
        Ok(card(&says, artifacts, documents, path))
    }

    /// Reads the texts of a package, each under its file's name.
    fn documents(&mut self, package: &str) -> io::Result<Vec<(String, String)>> {
        let texts = self.history.present.keys().filter_map(|path| {
            let name = path.strip_prefix(package)?.strip_suffix(".md")?;
            (!name.contains('/')).then(|| (name.to_owned(), path.clone()))
        });
        let mut documents = Vec::new();
        for (name, path) in texts.collect::<Vec<_>>() {
            documents.push((name, self.whole_text(&path)?));
        }
        Ok(documents)
    }
}

fn card(
    handoff: &Handoff,
    artifacts: Vec<crate::protocol::papers::Artifact>,
    documents: Vec<(String, String)>,
    file: String,
) -> HandoffCard {
    let decision = match &handoff.status {
        HandoffStatus::Pending => None,
        HandoffStatus::Accepted(decision) | HandoffStatus::Declined(decision) => Some(decision),
    };
    HandoffCard {
        id: handoff.id.as_str().to_owned(),
        from: handoff.from.as_str().to_owned(),
        to: handoff.to.as_str().to_owned(),
        task: handoff.task.clone(),
        at: handoff.created_at.map(Timestamp::micros),
        status: handoff.status.as_str().to_owned(),
        decided: decision.map(|decision| (decision.by.as_str().to_owned(), decision.at.map(Timestamp::micros))),
        notes: decision.map(|decision| decision.notes.clone()).unwrap_or_default(),
        artifacts,
        documents,
        file,
    }
}

fn context(context: &Context, file: String) -> ContextCard {
    let versions = versions(&context.text).into_iter();
    let versions = versions
        .map(|version| (version.author.to_owned(), version.at.map(Timestamp::micros), version.text.trim().to_owned()));
    ContextCard {
        name: context.name.as_str().to_owned(),
        version: context.version,
        updated: context.updated_at.map(Timestamp::micros),
        contributors: context.contributors.iter().map(|name| name.as_str().to_owned()).collect(),
        versions: versions.collect(),
        file,
    }
}
