//! The command run on fixtures at one fixed time, and directories that are removed again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::{env, fs};

use huddle::system_host::SystemHost;
use huddle_core::Host;
use huddle_core::host::FixedHost;
use serde_json::Value;

/// When all commands run: the fresh mailbox is some hours old, all other fixtures are long past.
const NOW: &str = "2026-11-16T12:00:00Z";

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns the directory of the fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
}

/// Names the fixtures, in order.
pub(crate) fn fixture_names() -> Vec<String> {
    let mut names = directories(&fixtures());
    names.sort();
    names
}

/// Names the directories in a directory.
pub(crate) fn directories(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("the directory can be listed").map(|entry| entry.expect("it can be read"));
    let directories = entries.filter(|entry| entry.path().is_dir());
    directories.map(|entry| entry.file_name().into_string().expect("names are text")).collect()
}

/// Runs the command where the fixtures are, so that their paths are the same everywhere.
pub(crate) fn run(args: &[&str]) -> Ran {
    static THERE: Once = Once::new();
    THERE.call_once(|| env::set_current_dir(fixtures()).expect("the fixtures are there"));
    let args = ["huddle"].iter().chain(args).map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = huddle::run_on(&FixedHost::at(NOW), args, &mut std::io::empty(), &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("output is text");
    Ran { code, out: text(out), err: text(err) }
}

/// Runs a command with `--json` that may only end well or because of bad data, and gives its one document.
pub(crate) fn json(args: &[&str]) -> Value {
    let ran = run(&[&["--json"], args].concat());
    assert!(matches!(ran.code, 0 | 6), "{args:?}: {ran:?}");
    assert_eq!(ran.out.lines().count(), 1, "one document on one line: {args:?}");
    serde_json::from_str(&ran.out).expect("the document is JSON")
}

/// Returns a list out of a document.
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

/// Returns a text out of a document.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}"))
}

/// A directory that is removed when dropped.
pub(crate) struct Scratch {
    root: PathBuf,
}

impl Scratch {
    /// Creates an empty directory.
    pub(crate) fn new() -> Self {
        let root = huddle_scratch::root().join(format!("huddle-history-{:032x}", SystemHost.random()));
        fs::create_dir(&root).expect("a new directory can be made");
        Self { root }
    }

    /// Creates a directory with what is in a fixture.
    pub(crate) fn of(fixture: &str) -> Self {
        let scratch = Self::new();
        for (path, bytes) in files(&fixtures().join(fixture)) {
            scratch.write(&path, &bytes);
        }
        scratch
    }

    /// Returns the directory's own path.
    pub(crate) fn root(&self) -> &str {
        self.root.to_str().expect("test paths are text")
    }

    /// Returns a path in it.
    pub(crate) fn path(&self, relative: &str) -> String {
        format!("{}/{relative}", self.root())
    }

    /// Writes a file, and the directories that it lies in.
    pub(crate) fn write(&self, relative: &str, bytes: &[u8]) -> String {
        let path = self.root.join(relative);
        fs::create_dir_all(path.parent().expect("a file lies in a directory")).expect("directories can be made");
        fs::write(&path, bytes).expect("the file can be written");
        self.path(relative)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in a temporary directory harms nobody.
        drop(fs::remove_dir_all(&self.root));
    }
}

/// Reads every file below a directory, by its path within it.
pub(crate) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("the directory can be listed") {
        let entry = entry.expect("the entry can be read");
        let name = entry.file_name().into_string().expect("names are text");
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("the file can be read"));
        }
    }
    found
}

/// Creates the log that `make_log.py` makes of some arguments.
pub(crate) fn made_log(args: &[&str]) -> Vec<u8> {
    let made = Command::new("python3").arg(fixtures().join("make_log.py")).args(args).output();
    let made = made.expect("python3 is on the machine: it makes the logs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}
