//! Notes after which of a guest's calls into the host something was different.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Result;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;

/// What a guest can change, how it was the last time, and the calls after which it was different.
pub(crate) struct Changes {
    dirs: Vec<PathBuf>,
    output: MemoryOutputPipe,
    last: (Vec<u64>, usize),
    calls: Vec<u64>,
}

impl Changes {
    /// Remembers how everything is before the guest runs.
    pub(crate) fn new(dirs: Vec<PathBuf>, output: &MemoryOutputPipe) -> Result<Self> {
        let mut changes = Self { dirs, output: output.clone(), last: Default::default(), calls: Vec::new() };
        changes.last = changes.now()?;
        Ok(changes)
    }

    /// Notes a call, if something is different after it.
    pub(crate) fn look(&mut self, call: u64) -> Result<()> {
        let now = self.now()?;
        if now != self.last {
            self.last = now;
            self.calls.push(call);
        }
        Ok(())
    }

    pub(crate) fn into_calls(self) -> Vec<u64> {
        self.calls
    }

    fn now(&self) -> Result<(Vec<u64>, usize)> {
        let dirs = self.dirs.iter().map(|dir| fingerprint(dir)).collect::<Result<_>>()?;
        Ok((dirs, self.output.contents().len()))
    }
}

/// Names the state of a directory: the same for two directories that hold the same files.
pub fn fingerprint(dir: &Path) -> Result<u64> {
    let mut files = BTreeMap::new();
    collect(dir, "", &mut files)?;
    // Stamps are named after the time of their making, which no two runs have in common.
    files.retain(|path, _| !path.contains("/.huddle/origin/"));
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    Ok(hasher.finish())
}

/// Reads everything below a directory, by path; directories end in a slash.
pub fn collect(dir: &Path, prefix: &str, into: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), into)?;
            into.insert(format!("{name}/"), Vec::new());
        } else {
            into.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}
