//! What a bus leaves on the disk, so that two can be compared.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use regex_lite::{Captures, Regex};

use crate::stage;

/// Every file below a directory, by path, byte for byte.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Reads a directory as it is.
pub fn read(dir: &Path) -> Result<Tree> {
    Ok(stage::files(dir, None)?.into_iter().collect())
}

/// Reads a directory with other words for what no two runs have in common: each time is the same, and ids are numbered
/// as they come. What was done in the same order by any host is then the same.
pub fn read_plain(dir: &Path) -> Result<BTreeMap<String, String>> {
    let mut plain = Plain::new();
    let files = stage::files(dir, None)?;
    // Ids carry the time, so the names of files come in the order of their making, and tell the numbers.
    let paths: Vec<String> = files.iter().map(|(path, _)| plain.text(path)).collect();
    let texts = files.iter().map(|(_, bytes)| plain.text(&String::from_utf8_lossy(bytes)));
    Ok(paths.into_iter().zip(texts).collect())
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
            ids: regex(r"\b[a-z]+_[0-9]{8}_[0-9]{6}_[0-9a-z]{10}"),
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
            let kind = id.split('_').next().unwrap_or_default();
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
    }
}
