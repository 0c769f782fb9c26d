//! Shared data: named JSON files.

use super::Sessions;
use super::change::NewFile;
use super::error::{Error, Result};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, ArtifactName, Event, NewEvent, SessionId, Timestamp, WithDiagnostics};
use crate::wire;
use crate::wire::session::layout;

/// A file of shared data, with the metadata from the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Its path, seen from the session's directory.
    pub path: String,
    /// Its author.
    pub from: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// Its contents.
    pub description: Option<String>,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Writes shared data, byte for byte, and logs that they are there. Names are unique unless `replace` says otherwise.
    pub fn put_data(
        &self,
        id: &SessionId,
        from: &AgentName,
        name: &ArtifactName,
        text: &str,
        description: Option<&str>,
        replace: bool,
    ) -> Result<DataFile> {
        if let Err(error) = wire::parse(text.as_bytes()) {
            let message = format!("shared data must be JSON: {error}");
            return Err(Error::Invalid { message, hint: "data of another form can be put as a JSON text" }.into());
        }
        let path = layout::artifact(name.as_str());
        let edit = self.change(id, &mut |edit| {
            let exists = self.journal.exists(&layout::within(id, &path))?;
            if exists && !replace {
                return Err(Error::DataExists { id: id.clone(), path: path.clone() }.into());
            }
            if !exists {
                name.check_portable()?;
            }
            let end = if text.ends_with('\n') { "" } else { "\n" };
            edit.files.push(NewFile { path: path.clone(), bytes: format!("{text}{end}").into_bytes() });
            edit.events.push(NewEvent {
                from: from.to_string(),
                kind: "data".to_owned(),
                artifact: Some(path.clone()),
                description: description.map(str::to_owned),
                ..NewEvent::default()
            });
            Ok(())
        })?;
        Ok(data_file(path, edit.logged.last()))
    }

    /// Reads shared data, and gives where they are. The name's ending may be left out.
    pub fn data(&self, id: &SessionId, name: &ArtifactName) -> Result<(String, Vec<u8>)> {
        self.open(id)?;
        for path in [format!("{}/{name}", layout::DATA), layout::artifact(name.as_str())] {
            if let Some(bytes) = self.journal.read(&layout::within(id, &path))? {
                return Ok((path, bytes));
            }
        }
        Err(Error::NotFound { id: id.clone(), what: format!("data {name:?}") }.into())
    }

    /// Lists the shared data by name, with what the log tells of them.
    pub fn data_list(&self, id: &SessionId) -> Result<WithDiagnostics<Vec<DataFile>>> {
        self.open(id)?;
        let log = self.read_log(id)?;
        let files = self.journal.list(&layout::within(id, layout::DATA))?;
        let told = |path: &str| log.value.iter().rev().find(|event| event.text("artifact") == Some(path));
        let all = files.into_iter().filter(|file| !file.is_dir()).map(|file| {
            let path = format!("{}/{}", layout::DATA, file.name);
            let event = told(&path);
            data_file(path, event)
        });
        Ok(WithDiagnostics { value: all.collect(), findings: log.findings })
    }
}

fn data_file(path: String, event: Option<&Event>) -> DataFile {
    let text = |field: &str| event.and_then(|event| event.text(field)).map(str::to_owned);
    DataFile { path, from: text("from"), at: event.and_then(Event::at), description: text("description") }
}
