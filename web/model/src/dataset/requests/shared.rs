//! Handoffs, shared contexts and shared states.

use std::io;

use huddle_core::history::StateFile;
use huddle_core::history::search::shown;
use huddle_core::model::{Context, Handoff, HandoffStatus, Timestamp};
use huddle_core::wire::mailbox::context::versions;

use super::details::body;
use crate::dataset::Dataset;
use crate::protocol::SharedView;
use crate::protocol::papers::{ContextCard, HandoffCard, StateCard};

/// How many messages are looked at for what they tell of handoffs and shared contexts.
const MOST_TOLD: usize = 1_000;

impl Dataset {
    /// Gives all that is shared or handed over.
    pub(super) fn shared(&mut self) -> io::Result<SharedView> {
        let told = self.told_of()?;
        let is_told = |name: &str| {
            let written = format!("\"{name}\"");
            told.iter().any(|text| text.contains(&written))
        };
        let mut handoffs: Vec<HandoffCard> = Vec::new();
        for place in 0..self.history.state_files.handoffs.len() {
            let mut card = self.handoff(place)?;
            card.hit = is_told(&card.id);
            handoffs.push(card);
        }
        handoffs.sort_by_key(|handoff| handoff.at);
        let papers = &self.history.state_files;
        let path = |file: u32| self.history.files[file as usize].path.clone();
        let mut contexts: Vec<ContextCard> =
            papers.contexts.iter().map(|paper| context(&paper.value, path(paper.file))).collect();
        contexts.iter_mut().for_each(|card| card.hit = is_told(&card.name));
        contexts.sort_by(|a, b| a.name.cmp(&b.name));
        let states = papers.states.iter().map(|paper| StateCard {
            version: paper.value.version(),
            objective: paper.value.objective().to_owned(),
            body: body(&paper.value.document()),
            file: path(paper.file),
        });
        let states = states.collect();
        Ok(SharedView { handoffs, contexts, states })
    }

    /// Gives what the messages say that the query finds and that tell of handoffs and shared contexts; of very many, the
    /// first.
    fn told_of(&mut self) -> io::Result<Vec<String>> {
        let table = &self.history.table;
        let tells = |row: &u32| {
            let kind = table.text(table.kind()[*row as usize]);
            kind.contains("handoff") || kind.contains("context")
        };
        let rows = self.found.positions.iter().map(|position| self.history.entries[*position as usize]);
        let rows: Vec<u32> = rows.filter(tells).take(MOST_TOLD).collect();
        rows.into_iter().map(|row| Ok(shown(&self.history.bytes(row, &mut self.texts)?))).collect()
    }

    fn handoff(&mut self, place: usize) -> io::Result<HandoffCard> {
        let StateFile { file, value: says, .. } = self.history.state_files.handoffs[place].clone();
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
        let texts = self.history.file_by_path.keys().filter_map(|path| {
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
        hit: false,
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
        hit: false,
    }
}
