//! Reading a handoff and its files.

use huddle_core::engine;
use huddle_core::model::{HandoffId, Json};
use huddle_core::wire::orchestrator::package::FIELD;
use serde::{Deserialize, Serialize};

use super::Handoff;
use crate::response::lossy_text;
use crate::{Context, Error, Operation};

/// Reads a handoff.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadHandoff {
    /// The handoff.
    #[serde(alias = "handoffId")]
    pub id: String,
}

/// A handoff with its documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandoffPackage {
    /// The structured part.
    #[serde(flatten)]
    pub handoff: Handoff,
    /// The document that says what to do.
    pub document: String,
    /// The document that leads to its context.
    pub context_links: String,
    /// The document to check before accepting.
    pub checklist: String,
    /// The context package of a sequential handoff, or null.
    pub context_package: Json,
    /// The names of its files.
    pub files: Vec<String>,
}

impl From<engine::HandoffPackage> for HandoffPackage {
    fn from(mut package: engine::HandoffPackage) -> Self {
        Self {
            context_package: package.handoff.extra.shift_remove(FIELD).unwrap_or_default(),
            handoff: package.handoff.into(),
            document: package.document,
            context_links: package.context_links,
            checklist: package.checklist,
            files: package.files.into_iter().map(|(name, _)| name).collect(),
        }
    }
}

impl Operation for ReadHandoff {
    type Response = HandoffPackage;

    fn run(self, context: &mut Context<'_>) -> Result<HandoffPackage, Error> {
        Ok(context.bus().handoff(&HandoffId::new(self.id)?)?.into())
    }
}

/// Reads a file of a handoff.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadArtifact {
    /// The handoff.
    #[serde(alias = "handoffId")]
    pub id: String,
    /// The file's name in the package.
    pub name: String,
}

/// A file of a handoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandoffArtifact {
    /// Its name in the package.
    pub name: String,
    /// Its size in bytes.
    pub size: usize,
    /// Its content; in the document as text, even if it is none.
    #[serde(serialize_with = "lossy_text")]
    pub content: Vec<u8>,
}

impl Operation for ReadArtifact {
    type Response = HandoffArtifact;

    fn run(self, context: &mut Context<'_>) -> Result<HandoffArtifact, Error> {
        let content = context.bus().artifact(&HandoffId::new(self.id)?, &self.name)?;
        Ok(HandoffArtifact { name: self.name, size: content.len(), content })
    }
}
