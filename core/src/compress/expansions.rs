//! Where the originals are kept that a compressed text refers to: files named by what is in them, written once.

mod labels;

use super::{Compressed, Reference, compress_with};
use crate::Host;
use crate::engine;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{Journal, rules};
use crate::model::{Diagnostic, ErrorKind, Remedy, Severity};

/// The directory of the files, below `.claude`.
const DIR: &str = "state/expand";
/// The file that names the parts of the texts.
const LABELS: &str = "labels.jsonl";
/// The directory of the files, in the project.
pub const EXPANSION_DIR: &str = ".claude/state/expand";

/// Why something could not be saved or expanded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is no reference.
    #[error("{text:?} is not a reference")]
    NotAReference {
        /// The text.
        text: String,
    },
    /// Nothing was saved under that reference.
    #[error("nothing is saved as {reference}{}", listing(.near))]
    NotFound {
        /// The reference.
        reference: Reference,
        /// What looks most like it.
        near: Vec<Reference>,
    },
    /// No saved text has such a part.
    #[error("no compressed text has a part {label:?}")]
    NoSuchLabel {
        /// The label.
        label: String,
    },
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] Box<engine::Error>),
}

impl Error {
    /// Returns which kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotAReference { .. } => ErrorKind::Usage,
            Self::NotFound { .. } | Self::NoSuchLabel { .. } => ErrorKind::NotFound,
            Self::Storage(_) => ErrorKind::Failed,
        }
    }

    /// Returns what to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::NotAReference { .. } => "give what stands in [expand:…] as it is in the text".into(),
            Self::NotFound { near, .. } if !near.is_empty() => "check the digits".into(),
            Self::NotFound { .. } => Remedy::ChooseProject,
            Self::NoSuchLabel { .. } => "give a label as in [expand:T1], [expand:full], or the digits".into(),
            Self::Storage(_) => "check the path, its permissions and the free space".into(),
        }
    }
}

/// What a reference stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The reference; of a passage, that of the text that it is from.
    pub reference: Reference,
    /// The label that was asked for.
    pub label: Option<String>,
    /// The text.
    pub bytes: Vec<u8>,
    /// Whether the saved file is not what was saved: somebody changed it.
    pub is_changed: bool,
}

impl Expansion {
    /// Describes that it was changed, if it was.
    pub fn finding(&self) -> Option<Diagnostic> {
        self.is_changed.then(|| changed(&self.reference, EXPANSION_DIR.to_owned()))
    }
}

fn listing(near: &[Reference]) -> String {
    let near: Vec<&str> = near.iter().map(Reference::as_str).collect();
    if near.is_empty() { String::new() } else { format!("; near it are {}", near.join(", ")) }
}

/// The saved originals of a project.
pub struct Expansions<F, H> {
    journal: Journal<F, H>,
}

impl<F: FileSystem, H: Host> Expansions<F, H> {
    /// Works on a file system whose root is the project's `.claude`.
    pub fn new(fs: F, host: H) -> Self {
        Self { journal: Journal::new(fs, host, ".claude", rules::claude) }
    }

    /// Compresses, and saves all that the result refers to: when this returns, every reference can be expanded.
    pub fn compress(&self, input: &[u8], limit: usize) -> Result<Compressed, Error> {
        self.save_with(input, &|digits| compress_with(input, limit, digits))
    }

    /// Saves a text whole, and returns the reference to it as it stands in a text.
    pub fn refer(&self, input: &[u8]) -> Result<String, Error> {
        let saved = self.save_with(input, &|digits| super::unchanged_with(input, digits))?;
        Ok(saved.parts[0].link())
    }

    fn save_with(&self, input: &[u8], compress: &dyn Fn(usize) -> Compressed) -> Result<Compressed, Error> {
        let mut digits = Reference::SHORT;
        loop {
            let compressed = compress(digits);
            if self.save(&compressed, input)? || digits >= Reference::LONG {
                self.save_labels(&compressed)?;
                return Ok(compressed);
            }
            // Two contents met in twelve digits: once in a million projects, and then they get longer names.
            digits += 3;
        }
    }

    /// Saves what a result refers to; `false` when a name is taken by something else.
    fn save(&self, compressed: &Compressed, input: &[u8]) -> Result<bool, Error> {
        let saved = self.references()?;
        for part in &compressed.parts {
            let bytes = &input[part.range.clone()];
            if let Some((_, file)) = saved.iter().find(|(reference, _)| *reference == part.reference) {
                if self.journal.read(&format!("{DIR}/{file}"))?.is_some_and(|there| there != bytes) {
                    return Ok(false);
                }
            } else {
                self.journal.publish_new(&format!("{DIR}/{}", part.file()), bytes)?;
            }
        }
        Ok(true)
    }

    /// Returns the exact bytes that a reference stands for.
    pub fn expand(&self, text: &str) -> Result<Vec<u8>, Error> {
        self.resolve(text).map(|expansion| expansion.bytes)
    }

    /// Returns what a reference or a label such as `T1` or `full` stands for.
    ///
    /// A label means the newest text that has it.
    pub fn resolve(&self, text: &str) -> Result<Expansion, Error> {
        if let Some(reference) = Reference::parse(text) {
            return self.read(reference, None);
        }
        let label = labels::parse(text).ok_or_else(|| Error::NotAReference { text: text.to_owned() })?;
        let log = self.journal.read(&format!("{DIR}/{LABELS}"))?.unwrap_or_default();
        for saved in labels::newest_first(&log) {
            if let Some(reference) = saved.named(&label) {
                return self.read(reference, Some(label));
            }
            // The text itself may be gone: then an older one may have the label.
            let Ok(whole) = self.read(saved.full, Some(label.clone())) else { continue };
            if let Some(bytes) = labels::passage(&whole.bytes, &label) {
                return Ok(Expansion { bytes, ..whole });
            }
        }
        Err(Error::NoSuchLabel { label })
    }

    fn read(&self, reference: Reference, label: Option<String>) -> Result<Expansion, Error> {
        let saved = self.references()?;
        let file = saved.iter().find(|(there, _)| *there == reference).map(|(_, file)| format!("{DIR}/{file}"));
        let bytes = file.map(|file| self.journal.read(&file)).transpose()?.flatten();
        let bytes =
            bytes.ok_or_else(|| Error::NotFound { near: nearest(&reference, &saved), reference: reference.clone() })?;
        let is_changed = Reference::to(&bytes, reference.as_str().len()) != reference;
        Ok(Expansion { reference, label, bytes, is_changed })
    }

    /// Notes the names of the parts of a text, unless the note that was made last says the same.
    fn save_labels(&self, compressed: &Compressed) -> Result<(), Error> {
        let path = format!("{DIR}/{LABELS}");
        let line = labels::line(compressed);
        let log = self.journal.read(&path)?.unwrap_or_default();
        if !log.ends_with(line.as_bytes()) {
            self.journal.append(&path, &line)?;
        }
        Ok(())
    }

    /// Finds saved originals that are not what their names say.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Error> {
        let mut findings = Vec::new();
        for (reference, file) in self.references()? {
            let place = format!("{EXPANSION_DIR}/{file}");
            match self.read(reference.clone(), None) {
                Ok(expansion) if expansion.is_changed => findings.push(changed(&reference, place)),
                Ok(_) | Err(Error::NotFound { .. }) => {}
                Err(error) => findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "unreadable-expansion",
                    place,
                    message: error.to_string(),
                    remedy: error.remedy(),
                }),
            }
        }
        Ok(findings)
    }

    /// Lists what is saved, with the names of the files.
    fn references(&self) -> Result<Vec<(Reference, String)>, Error> {
        let files = self.journal.list(DIR)?.into_iter().map(|entry| entry.name);
        let known = files.filter_map(|file| {
            let stem = file.split('.').next().unwrap_or_default();
            Reference::parse(stem).map(|reference| (reference, file))
        });
        Ok(known.collect())
    }
}

/// Warns of a saved original that is not what its name says.
pub(crate) fn changed(reference: &Reference, place: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "changed-expansion",
        place,
        message: format!("what is saved as {reference} was changed: it is not the text that was compressed"),
        remedy: "compress the original again, or remove the file".into(),
    }
}

/// Finds references that at least half of the digits agree with.
fn nearest(wanted: &Reference, saved: &[(Reference, String)]) -> Vec<Reference> {
    let alike = |known: &Reference| {
        let pairs = known.as_str().bytes().zip(wanted.as_str().bytes());
        pairs.filter(|(a, b)| a == b).count() * 2 >= Reference::SHORT
    };
    saved.iter().map(|(known, _)| known).filter(|known| alike(known)).take(3).cloned().collect()
}
