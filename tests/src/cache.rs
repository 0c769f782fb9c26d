//! Keeps compiled guests beside their wasm file, so that only the first start pays for compiling.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasmtime::Engine;

const SUFFIX: &str = ".cwasm";

/// Names the compiled form of one wasm file for one engine.
///
/// The name carries a hash of the wasm's bytes and of everything in the engine that shapes
/// compiled code, so a rebuilt wasm or another wasmtime never meets an old compilation.
pub(crate) struct Slot {
    path: PathBuf,
    prefix: OsString,
}

impl Slot {
    /// Returns the slot for `wasm`, the contents of the file at `source`, as one kind of engine compiles it.
    ///
    /// Each kind keeps its own compilation: two kinds in turn would otherwise remove each other's.
    pub(crate) fn new(engine: &Engine, kind: &str, source: &Path, wasm: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        wasm.hash(&mut hasher);
        engine.precompile_compatibility_hash().hash(&mut hasher);

        let mut prefix = source.file_name().unwrap_or_default().to_owned();
        prefix.push(format!(".{kind}"));
        let mut name = prefix.clone();
        name.push(format!("{:016x}{SUFFIX}", hasher.finish()));
        Self { path: source.with_file_name(name), prefix }
    }

    /// Returns the file of compiled code, whether or not it is there.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Stores compiled code and removes older compilations of the same wasm file.
    pub(crate) fn store(&self, compiled: &[u8]) -> Result<()> {
        let folder = self.path.parent().context("a wasm file has a folder")?;
        // Another process may be storing the same code: each writes its own file, the last rename wins.
        let mut temp = tempfile::NamedTempFile::new_in(folder)?;
        temp.write_all(compiled)?;
        temp.persist(&self.path)?;
        self.remove_older(folder)
    }

    fn remove_older(&self, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path != self.path && self.is_sibling(&path) {
                // Whoever has it mapped keeps it; whoever wanted to open it compiles again.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    fn is_sibling(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        name.strip_prefix(self.prefix.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
            .is_some_and(|hash| hash.len() == 16 && hash.iter().all(u8::is_ascii_hexdigit))
    }
}
