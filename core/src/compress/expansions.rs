//! Where the originals are kept that a compressed text refers to: files named by what is in them, written once.

use super::{Compressed, Reference, compress_with};
use crate::Host;
use crate::bus::ErrorKind;
use crate::engine;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{Journal, rules};

/// The directory of the files, below `.claude`.
const DIR: &str = "state/expand";
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
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] Box<engine::Error>),
}

impl Error {
    /// Returns which kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotAReference { .. } => ErrorKind::Usage,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Storage(_) => ErrorKind::Failed,
        }
    }

    /// Describes what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NotAReference { .. } => "give the digits of [expand:DIGITS] as they stand in the text".into(),
            Self::NotFound { near, .. } if !near.is_empty() => "check the digits".into(),
            Self::NotFound { .. } => "point --root at the project where the text was compressed".into(),
            Self::Storage(_) => "check the path, its permissions and the free space".into(),
        }
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
        let mut digits = Reference::SHORT;
        loop {
            let compressed = compress_with(input, limit, digits);
            if self.save(&compressed, input)? || digits >= Reference::LONG {
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
        let reference = Reference::parse(text).ok_or_else(|| Error::NotAReference { text: text.to_owned() })?;
        let saved = self.references()?;
        let file = saved.iter().find(|(there, _)| *there == reference).map(|(_, file)| format!("{DIR}/{file}"));
        let bytes = file.map(|file| self.journal.read(&file)).transpose()?.flatten();
        bytes.ok_or_else(|| Error::NotFound { near: nearest(&reference, &saved), reference })
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

/// Finds references that at least half of the digits agree with.
fn nearest(wanted: &Reference, saved: &[(Reference, String)]) -> Vec<Reference> {
    let alike = |known: &Reference| {
        let pairs = known.as_str().bytes().zip(wanted.as_str().bytes());
        pairs.filter(|(a, b)| a == b).count() * 2 >= Reference::SHORT
    };
    saved.iter().map(|(known, _)| known).filter(|known| alike(known)).take(3).cloned().collect()
}
