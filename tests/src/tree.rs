//! What a bus leaves on the disk, so that two can be compared.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use regex_lite::{Captures, Regex};

use crate::test_project;

/// Every file below a directory, by path, byte for byte.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Reads a directory as it is, but for the stamps of journals: they are named after the time of their making, which the
/// file system chooses.
pub fn read(dir: &Path) -> Result<Tree> {
    Ok(test_project::files(dir, None)?.into_iter().map(|(path, bytes)| (unstamped(path), bytes)).collect())
}

fn unstamped(path: String) -> String {
    match path.split_once("/.huddle/origin/") {
        Some((root, _)) => format!("{root}/.huddle/origin/a time"),
        None => path,
    }
}

/// Reads a directory with other words for what no two runs have in common: each time is the same, and ids are numbered
/// as they come. What was done in the same order by any host is then the same.
pub fn read_plain(dir: &Path) -> Result<Tree> {
    let mut plain = Plain::new();
    // What is for agents comes first, and by that the numbers: its names carry the time of its making.
    let (inner, mut files): (Vec<_>, Vec<_>) =
        test_project::files(dir, None)?.into_iter().partition(|(path, _)| path.contains("/.huddle/"));
    files.extend(inner);
    let paths: Vec<String> = files.iter().map(|(path, _)| unstamped(plain.text(path))).collect();
    let texts = files.iter().map(|(_, bytes)| plain.text(&String::from_utf8_lossy(bytes)).into_bytes());
    Ok(paths.into_iter().zip(texts).collect())
}

/// Ensures that two directories have the same files with the same bytes, and says where they differ.
pub fn ensure_same(one: &Tree, other: &Tree) -> Result<()> {
    let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    ensure!(names(one) == names(other), "there are different files:\n{:#?}\n{:#?}", names(one), names(other));
    for (path, bytes) in one {
        let (bytes, others) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&other[path]));
        ensure!(bytes == others, "{path} differs:\n{bytes}\n{others}");
    }
    Ok(())
}

struct Plain {
    ids: Regex,
    times: Regex,
    known: BTreeMap<String, usize>,
}

impl Plain {
    fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        Self {
            ids: regex(r"\b([a-z]+_[0-9]{8}_[0-9]{6}_[0-9a-z]{10}|[0-9a-f]{32})"),
            times: regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z"),
            known: BTreeMap::new(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let known = &mut self.known;
        let text = self.ids.replace_all(text, |found: &Captures<'_>| {
            let id = &found[0];
            let next = known.len();
            let number = *known.entry(id.to_owned()).or_insert(next);
            let kind = id.split_once('_').map_or("uuid", |(kind, _)| kind);
            format!("{kind}_{number}")
        });
        self.times.replace_all(&text, "a time").into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_numbered_and_times_are_alike() {
        let mut plain = Plain::new();
        let text = "2026-11-16T19:11:14Z msg_20261116_191114_3lmlm6cdf4 in conv_20261116_191114_3lmyekk6rj";
        assert_eq!(plain.text(text), "a time msg_0 in conv_1");
        assert_eq!(plain.text("msg_20261116_191114_3lmlm6cdf4_to_bob.json"), "msg_0_to_bob.json");
        assert_eq!(plain.text("\"2026-11-16T19:11:14.206605Z\""), "\"a time\"");
        assert_eq!(plain.text("work/01a1e5f03fd4787fb233c2485875592a.0"), "work/uuid_2.0");
    }
}
