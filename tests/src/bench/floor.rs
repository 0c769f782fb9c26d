//! The least that a durable message costs on the machine at hand.

use std::fs::{self, File};
use std::io::Write;
use std::time::Duration;

use anyhow::Result;

use super::{median, time};

/// Makes a durable file as the engine does, and nothing else: create, write, sync, link, unlink, sync the directory.
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
