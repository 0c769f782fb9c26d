//! Finds tests by their names in the sources: whoever asks for a few should not have to build all to learn where they are.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What the tests of some folder are called, and the sources that they are in.
pub(crate) struct TestSources {
    /// The text of each subject with a test of that name, which is a file and the folder beside it.
    texts: Vec<String>,
}

impl TestSources {
    /// Looks in the sources of a package for tests whose names contain a word, as Rust's test harness compares them.
    pub(crate) fn in_folder(folder: &Path, word: &str) -> Result<Self> {
        let mut subjects: Vec<(String, bool, String)> = Vec::new();
        for (path, text) in files(folder, "")? {
            let module = path.trim_end_matches(".rs").replace('/', "::");
            let subject = path.split(['/', '.']).next().unwrap_or_default().to_owned();
            let is_named = tests(&text).any(|test| format!("{module}::{test}").contains(word));
            match subjects.iter_mut().find(|(known, ..)| *known == subject) {
                Some((_, named, all)) => {
                    *named |= is_named;
                    all.push_str(&text);
                }
                None => subjects.push((subject, is_named, text)),
            }
        }
        Ok(Self { texts: subjects.into_iter().filter(|(_, named, _)| *named).map(|(.., text)| text).collect() })
    }

    /// Returns whether there is any test of that name.
    pub(crate) fn any(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Returns whether a subject with such a test mentions something.
    pub(crate) fn mentions(&self, what: &str) -> bool {
        self.texts.iter().any(|text| text.contains(what))
    }
}

/// Names the functions of a source that are tests.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let marked = text.split("#[test]").skip(1).chain(text.split("#[tokio::test").skip(1));
    marked.filter_map(|after| after.split_once("fn ")?.1.split('(').next())
}

/// Reads the Rust sources below a folder, by their paths.
fn files(folder: &Path, prefix: &str) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let listed = fs::read_dir(folder).with_context(|| format!("listing failed: {}", folder.display()))?;
    for entry in listed {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            found.extend(files(&path, &format!("{name}/"))?);
        } else if name.ends_with(".rs") {
            found.push((name, fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_found_by_its_module_and_its_name() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("kill")).unwrap();
        fs::write(folder.path().join("kill.rs"), "mod cases;\n#[test]\n#[ignore]\nfn send() {}\n").unwrap();
        fs::write(folder.path().join("kill/cases.rs"), "fn helper() { artifact::native() }").unwrap();
        fs::write(folder.path().join("host.rs"), "#[tokio::test(x)]\nasync fn runs() {}\nfn kill() {}").unwrap();
        let find = |word: &str| TestSources::in_folder(folder.path(), word).unwrap();
        assert!(find("kill").mentions("artifact::native") && !find("kill").mentions("runs"));
        assert!(find("kill::send").any() && find("runs").mentions("helper") != find("send").mentions("helper"));
        assert!(find("").mentions("async") && find("").mentions("helper"));
        assert!(!find("helper").any() && !find("cases::send").any());
    }
}
