//! Shared contexts: Markdown documents that agents extend together.

use huddle_core::bus::ContextUpdated;
use huddle_core::model::{self, ContextName};
use serde::{Deserialize, Serialize};

use crate::response::{text, texts};
use crate::{Context, Error, Operation};

/// Creates a shared context.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateContext {
    /// Its name.
    pub name: String,
    /// What it begins with, in Markdown.
    #[serde(default, alias = "content")]
    pub text: String,
}

/// Reads a shared context.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadContext {
    /// Its name.
    pub name: String,
}

/// Lists the shared contexts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListContexts {}

/// Appends to a shared context and tells everybody else.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateContext {
    /// Its name.
    pub name: String,
    /// What to append, in Markdown.
    #[serde(alias = "content")]
    pub text: String,
    /// The version that it must still have.
    #[serde(default, rename = "expectVersion", alias = "expectedVersion")]
    pub expected_version: Option<u64>,
}

/// A shared context without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextEntry {
    /// Its name.
    pub name: String,
    /// One for a new document, and one more for each update.
    pub version: u64,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// The agents that have updated it, in the order of their first updates.
    pub contributors: Vec<String>,
}

/// A shared context with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextDocument {
    /// What is known of it.
    #[serde(flatten)]
    pub entry: ContextEntry,
    /// The whole document.
    pub content: String,
}

/// The shared contexts of a bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextList {
    /// How many there are.
    pub count: usize,
    /// Each of them, by name.
    pub contexts: Vec<ContextEntry>,
}

/// A shared context that was updated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpdatedContext {
    /// What is known of it after the update.
    #[serde(flatten)]
    pub entry: ContextEntry,
    /// The broadcast that tells of it.
    pub notice: String,
    /// The agents that have the broadcast in their inboxes.
    pub told: Vec<String>,
}

impl From<&model::Context> for ContextEntry {
    fn from(context: &model::Context) -> Self {
        Self {
            name: context.name.to_string(),
            version: context.version,
            updated_at: text(context.updated_at.as_ref()),
            contributors: texts(&context.contributors),
        }
    }
}

impl From<model::Context> for ContextDocument {
    fn from(context: model::Context) -> Self {
        Self { entry: ContextEntry::from(&context), content: context.text }
    }
}

impl Operation for CreateContext {
    type Response = ContextDocument;

    fn run(self, context: &mut Context<'_>) -> Result<ContextDocument, Error> {
        let agent = context.actor()?;
        let name = ContextName::new(self.name)?;
        Ok(context.bus().create_context(&agent, &name, &self.text)?.into())
    }
}

impl Operation for ReadContext {
    type Response = ContextDocument;

    fn run(self, context: &mut Context<'_>) -> Result<ContextDocument, Error> {
        Ok(context.bus().context(&ContextName::new(self.name)?)?.into())
    }
}

impl Operation for ListContexts {
    type Response = ContextList;

    fn run(self, context: &mut Context<'_>) -> Result<ContextList, Error> {
        let contexts = context.bus().contexts()?;
        let contexts: Vec<_> = context.collect(contexts).iter().map(ContextEntry::from).collect();
        Ok(ContextList { count: contexts.len(), contexts })
    }
}

impl Operation for UpdateContext {
    type Response = UpdatedContext;

    fn run(self, context: &mut Context<'_>) -> Result<UpdatedContext, Error> {
        let agent = context.actor()?;
        let name = ContextName::new(self.name)?;
        let updated = context.bus().update_context(&agent, &name, &self.text, self.expected_version)?;
        let ContextUpdated { context, notice, told } = updated;
        Ok(UpdatedContext { entry: ContextEntry::from(&context), notice: notice.to_string(), told: texts(&told) })
    }
}
