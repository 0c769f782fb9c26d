//! Data that agents of a session share.

use huddle_core::model::{ArtifactName, Json};
use huddle_core::session::DataFile;
use huddle_core::wire;
use serde::{Deserialize, Deserializer, Serialize};

use super::agent;
use crate::response::text;
use crate::{Context, Error, Operation};

/// Writes shared data.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutSharedData {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Their author; by default the acting agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Their name.
    pub name: String,
    /// The data, the text of a JSON value that is kept to the byte.
    #[serde(deserialize_with = "json_text")]
    pub data: String,
    /// What they hold.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether there may be data of that name.
    #[serde(default)]
    pub replace: bool,
}

/// Deserializes JSON that is given as its text or as it is.
fn json_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Json::deserialize(deserializer)? {
        Json::String(text) => text,
        other => other.to_string(),
    })
}

/// A file of shared data, and what the log knows of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataEntry {
    /// Its path, seen from the session's directory.
    pub artifact: String,
    /// Its author.
    pub from: Option<String>,
    /// When it was written.
    pub timestamp: Option<String>,
    /// What it holds.
    pub description: Option<String>,
}

impl From<DataFile> for DataEntry {
    fn from(DataFile { path, from, at, description }: DataFile) -> Self {
        Self { artifact: path, from, timestamp: text(at.as_ref()), description }
    }
}

impl Operation for PutSharedData {
    type Response = DataEntry;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<DataEntry, Error> {
        let from = agent(self.agent, context)?;
        let (id, name) = (context.session(self.session)?, ArtifactName::new(self.name)?);
        let sessions = &context.project().sessions;
        Ok(sessions.put_data(&id, &from, &name, &self.data, self.description.as_deref(), self.replace)?.into())
    }
}

/// Shows shared data.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowSharedData {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Their name, with or without its ending.
    pub name: String,
}

/// Shared data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedData {
    /// Their path, seen from the session's directory.
    pub artifact: String,
    /// What the file holds; text where that is no JSON.
    pub data: Json,
    /// The bytes of the file; not a part of the document.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

impl Operation for ShowSharedData {
    type Response = SharedData;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SharedData, Error> {
        let (id, name) = (context.session(self.session)?, ArtifactName::new(self.name)?);
        let (artifact, bytes) = context.project().sessions.data(&id, &name)?;
        let text = || Json::String(String::from_utf8_lossy(&bytes).into_owned());
        Ok(SharedData { artifact, data: wire::parse(&bytes).unwrap_or_else(|_| text()), bytes })
    }
}

/// Lists the shared data of a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListSharedData {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
}

/// The shared data of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataList {
    /// How many files there are.
    pub count: usize,
    /// Each of them, by name.
    pub data: Vec<DataEntry>,
}

impl Operation for ListSharedData {
    type Response = DataList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<DataList, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.data_list(&id)?;
        let data: Vec<_> = context.collect(found).into_iter().map(DataEntry::from).collect();
        Ok(DataList { count: data.len(), data })
    }
}
