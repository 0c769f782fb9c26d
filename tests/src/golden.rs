//! What was typed and what came back, beside the snapshots of `tests/golden/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;

/// Compares a text with the snapshot of that name.
pub fn check(name: &str, text: &str) {
    assert!(text.ends_with('\n'), "{name}: insta does not compare how a text ends");
    insta::with_settings!({
        snapshot_path => folder(), prepend_module_to_snapshot => false, omit_expression => true
    }, {
        insta::assert_snapshot!(name, text);
    });
}

/// Names the snapshots; what waits for a review is none.
pub fn names() -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".snap.new") {
            names.insert(name.strip_suffix(".snap").unwrap_or(&name).to_owned());
        }
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
