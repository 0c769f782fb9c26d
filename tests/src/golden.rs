//! What was typed and what came back, beside the files of `tests/golden/` that say what should.
//!
//! After a change that is meant: run the test with `HUDDLE_BLESS=1`, and read the difference.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

/// Compares a text with the golden file of that name.
pub fn check(name: &str, text: &str) -> Result<()> {
    let file = folder().join(format!("{name}.txt"));
    if env::var_os("HUDDLE_BLESS").is_some() {
        fs::write(&file, text)?;
    }
    let golden = fs::read_to_string(&file).with_context(|| format!("reading {name}.txt; bless it to have it made"))?;
    let differs = golden.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
    if let Some((at, (old, new))) = differs {
        anyhow::bail!("{name}.txt differs in line {}; bless it if it is meant to\n old: {old}\n new: {new}", at + 1);
    }
    ensure!(text.len() == golden.len(), "one of {name}.txt and what was said goes on where the other ends:\n{text}");
    Ok(())
}

/// Names the golden files, without their ending.
pub fn names() -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.insert(name.strip_suffix(".txt").unwrap_or(&name).to_owned());
    }
    Ok(names)
}

/// Writes a command as it would be typed.
pub fn typed(args: &[&str]) -> String {
    let words: Vec<String> = args.iter().map(|word| quoted(word)).collect();
    format!("huddle {}", words.join(" "))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Quotes a word as a shell would want it.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=@:,".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
