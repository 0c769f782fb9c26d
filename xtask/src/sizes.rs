//! A table of what was built and how much a reader has to fetch.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Prints name, size and gzipped size of each artifact; a folder counts as the sum of its files.
pub(crate) fn print(dist: &Path, names: &[&str]) -> Result<()> {
    println!("{:<22}{:>12}{:>12}", "file", "bytes", "gzipped");
    for name in names {
        let mut sizes = (0, 0);
        for file in files(&dist.join(name))? {
            let bytes = fs::read(file)?;
            sizes.0 += bytes.len();
            sizes.1 += gzipped(&bytes)?;
        }
        println!("{:<22}{:>12}{:>12}", format!("dist/{name}"), sizes.0, sizes.1);
    }
    Ok(())
}

/// Lists the files of a folder, unsorted; a file is the only one of its own.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path)? {
        found.extend(files(&entry?.path())?);
    }
    Ok(found)
}

fn gzipped(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}
