//! The source of core without its comments and tests.

use std::path::Path;

/// A source file.
pub(crate) struct Source {
    /// Its path below `src/`.
    pub(crate) path: String,
    /// Its code: comments are left out, and everything from its unit tests on.
    pub(crate) code: String,
}

/// Reads all files that are compiled into the library as it is shipped.
pub(crate) fn all() -> Vec<Source> {
    let mut sources = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 100, "{}", sources.len());
    sources
}

fn collect(dir: &Path, below: &str, sources: &mut Vec<Source>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &path, sources);
        } else if path.ends_with(".rs") && !is_test(&path) {
            sources.push(Source { code: code(&std::fs::read_to_string(entry.path()).unwrap()), path });
        }
    }
}

/// Returns whether a file is only compiled for tests.
fn is_test(path: &str) -> bool {
    let parts = [
        "tests",
        "fixture",
        "fuzzing",
        "suite",
        "interleavings",
        "stalls",
        "hostile",
        "memory",
        "examples",
        "growth",
        "copies",
        "schemas",
    ];
    path.split('/').any(|part| parts.contains(&part.trim_end_matches(".rs")))
}

/// Returns the code of a file without comments and unit tests.
pub(crate) fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}
