//! The least that a durable message costs on the machine at hand.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use tempfile::TempDir;

use super::{median, time};

/// Creates a durable file as the engine does, and nothing else: create, write, sync, link, unlink, sync the directory.
pub(super) fn durable_file(times: usize) -> Result<Duration> {
    let dir = tempfile::tempdir()?;
    let mut number = 0;
    median(times, || {
        number += 1;
        let (temp, name) = (dir.path().join("temp"), dir.path().join(number.to_string()));
        time(|| {
            let mut file = File::create_new(&temp)?;
            file.write_all(&[b'x'; 600])?;
            file.sync_all()?;
            fs::hard_link(&temp, name)?;
            fs::remove_file(&temp)?;
            File::open(dir.path())?.sync_all()?;
            Ok(())
        })
    })
}

/// How many syncs a send needs: content, entry, work directory, inbox, outbox, registry, and the registry's directory.
pub(super) const SYNCS: u32 = 7;

/// A directory in which the files of a send are made by hand: all that the engine makes, links, moves, removes and
/// syncs, in its order, and nothing that it reads, lists or thinks about.
pub(super) struct Posting {
    dir: TempDir,
    number: u32,
}

impl Posting {
    pub(super) fn new() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        for name in ["work", "inbox", "outbox", "leases"] {
            fs::create_dir(dir.path().join(name))?;
        }
        fs::write(dir.path().join("leases/0"), [])?;
        Ok(Self { dir, number: 0 })
    }

    /// Does what one send does.
    pub(super) fn send(&mut self) -> Result<Duration> {
        self.number += 1;
        let number = self.number;
        let at = |path: &str| self.dir.path().join(path);
        let (content, entry) = (at("work/content"), at("work/entry"));
        time(|| {
            write(&content, 500, true)?;
            write(&at("work/part"), 420, true)?;
            fs::rename(at("work/part"), &entry)?;
            sync(&at("work"))?;
            for dir in ["inbox", "outbox"] {
                fs::hard_link(&content, at(&format!("{dir}/{number}")))?;
            }
            sync(&at("inbox"))?;
            sync(&at("outbox"))?;
            self.lease(number)?;
            write(&at("work/registry"), 700, true)?;
            fs::rename(at("work/registry"), at("registry"))?;
            sync(self.dir.path())?;
            fs::remove_file(&content)?;
            fs::remove_file(&entry)?;
            write(&at("work/released"), 17, false)?;
            Ok(fs::rename(at("work/released"), at(&format!("leases/{number}")))?)
        })
    }

    fn lease(&self, number: u32) -> Result<()> {
        let at = |path: String| self.dir.path().join(path);
        let lease = at("work/lease".to_owned());
        write(&lease, 120, false)?;
        fs::hard_link(&lease, at(format!("leases/{number}")))?;
        fs::remove_file(&lease)?;
        Ok(fs::remove_file(at(format!("leases/{}", number - 1)))?)
    }
}

/// Reads all files of a directory, which is the least that an inbox check does.
pub(super) fn read_all(dir: &Path) -> Result<Duration> {
    time(|| {
        for entry in fs::read_dir(dir)? {
            fs::read(entry?.path())?;
        }
        Ok(())
    })
}

fn write(path: &Path, bytes: usize, synced: bool) -> Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(&vec![b'x'; bytes])?;
    if synced {
        file.sync_all()?;
    }
    Ok(())
}

fn sync(dir: &Path) -> Result<()> {
    Ok(File::open(dir)?.sync_all()?)
}
