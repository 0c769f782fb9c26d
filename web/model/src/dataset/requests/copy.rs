//! What is copied and saved.

use std::io;

use huddle_core::history::export::{MarkdownMessage as Written, message_to_markdown, to_files};
use huddle_core::history::record::ByteSource;
use huddle_core::history::search::shown;
use huddle_scan::clean;

use crate::dataset::Dataset;
use crate::format::size;
use crate::limits::{MAX_EXPORT_BYTES, MAX_SAVED_BYTES, MAX_TEXT_BYTES};
use crate::protocol::{Format, Passage, RequestError};

impl Dataset {
    /// Writes something as Markdown.
    pub(super) fn copied(&mut self, passage: &Passage) -> Result<String, RequestError> {
        let gone = || RequestError::Failed("what was to be copied is not there any more".to_owned());
        Ok(match passage {
            Passage::Message(key) => {
                let Some(position) = self.position(key) else { return Err(gone()) };
                self.history.markdown_of_one(&self.derived, position, &mut self.texts)?
            }
            Passage::Thread(key) => {
                let Some(position) = self.position(key) else { return Err(gone()) };
                let positions = match self.derived.threads.thread_of(position) {
                    Some(thread) => self.derived.threads.members(thread).to_vec(),
                    None => vec![position],
                };
                self.markdown_of(&positions, "Conversation")?
            }
            Passage::Problem(number, says) => {
                let found = self.findings.get(*number as usize).filter(|finding| finding.message == *says);
                let Some(finding) = found else { return Err(gone()) };
                let severity = finding.severity.to_string();
                message_to_markdown(&Written {
                    from: &finding.place,
                    kind: finding.code,
                    severity: &severity,
                    subject: finding.message.clone(),
                    body: finding.hint.clone(),
                    ..Written::default()
                })
            }
            Passage::Finding(number, says) => {
                let findings = self.findings_of_reports();
                let found = findings.get(*number as usize).filter(|finding| finding.title == *says);
                let Some(finding) = found else { return Err(gone()) };
                let parts = [&finding.location, &finding.description, &finding.recommendation, &finding.example];
                let body: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
                message_to_markdown(&Written {
                    from: &finding.agent,
                    kind: &finding.kind,
                    severity: &finding.severity,
                    subject: finding.title.clone(),
                    body: body.join("\n\n"),
                    ..Written::default()
                })
            }
        })
    }

    /// Writes what the query finds, or everything, as a file: its name and its content.
    ///
    /// # Errors
    /// When it is too large, or a file cannot be read any more.
    pub fn save(&mut self, format: Format) -> Result<(String, Vec<u8>), RequestError> {
        let positions = match self.found.searching {
            true => self.found.positions.clone(),
            false => (0..self.history.entries.len() as u32).collect(),
        };
        let lengths = self.history.table.length();
        let length_of = |position: &u32| u64::from(lengths[self.history.entries[*position as usize] as usize]);
        if positions.iter().map(length_of).sum::<u64>() > MAX_SAVED_BYTES {
            let limit = size(MAX_SAVED_BYTES);
            return Err(RequestError::Failed(format!("it has more than {limit}: search for less and save that")));
        }
        let (name, bytes) = match format {
            Format::Jsonl => {
                let mut bytes = Vec::new();
                for position in positions {
                    let row = self.history.entries[position as usize];
                    // Those of documents have line breaks, which mean nothing between tokens and are taken away, too.
                    bytes.extend_from_slice(&clean(&self.history.bytes(row, &mut self.texts)?));
                    bytes.push(b'\n');
                }
                ("huddle.jsonl", bytes)
            }
            Format::Markdown => ("huddle.md", self.markdown_of(&positions, "Found")?.into_bytes()),
        };
        Ok((name.to_owned(), bytes))
    }

    fn markdown_of(&mut self, positions: &[u32], title: &str) -> io::Result<String> {
        let written = self.history.markdown_of(&self.derived, title, positions, &mut self.texts)?;
        Ok(written.files.into_iter().map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect())
    }

    /// Reads a file as text; the end of a very long one is missing, and the text says so.
    pub(super) fn whole_text(&mut self, path: &str) -> io::Result<String> {
        let bytes = match path.split_once("!/") {
            Some((log, _)) if self.history.file_by_path.contains_key(log) => self.carried(log, path)?,
            _ => self.texts.read(path, 0, MAX_TEXT_BYTES as u64 + 1)?,
        };
        if bytes.len() <= MAX_TEXT_BYTES {
            return Ok(shown(&bytes));
        }
        let begun = shown(&bytes[..MAX_TEXT_BYTES]);
        Ok(format!("{begun}\n\n… only the first {} are shown: open the file for the rest", size(MAX_TEXT_BYTES as u64)))
    }

    /// Takes a file out of the log that carries it.
    pub(super) fn carried(&mut self, log: &str, path: &str) -> io::Result<Vec<u8>> {
        if self.size_of(log) > MAX_EXPORT_BYTES {
            return Err(io::Error::other(format!("{log} has more than {}", size(MAX_EXPORT_BYTES))));
        }
        let bundle = self.texts.read(log, 0, u64::MAX)?;
        let name = path.strip_prefix(log).and_then(|rest| rest.strip_prefix("!/")).unwrap_or_default();
        let files = to_files(&bundle, "").files;
        let found = files.into_iter().find(|(path, _)| path == name).map(|(_, bytes)| bytes);
        found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{path} is not in {log} any more")))
    }
}
