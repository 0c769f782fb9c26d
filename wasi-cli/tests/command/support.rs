//! A project in a temporary directory, and the command run on it.

use std::fs;
use std::path::{Path, PathBuf};

use huddle::system_host::SystemHost;
use huddle_core::Host;
use serde_json::Value;

/// A project with a bus, removed when dropped.
pub(crate) struct Project {
    root: PathBuf,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    /// Creates an empty directory.
    pub(crate) fn empty() -> Self {
        let root = scratch_root().join(format!("huddle-test-{:032x}", SystemHost.random()));
        fs::create_dir(&root).expect("a new directory can be made");
        Self { root }
    }

    /// Creates a project with a bus and the agents ann and bob.
    pub(crate) fn new() -> Self {
        let project = Self::empty();
        project.ok(&["init"]);
        project.ok(&["register", "ann", "--role", "architect", "--capability", "design"]);
        project.ok(&["register", "bob", "--role", "builder", "--worktree", "worktrees/bob"]);
        project
    }

    /// Returns a path in the project.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, relative: &str, text: &str) -> String {
        let path = self.path(relative);
        fs::write(&path, text).expect("the file can be written");
        path.to_str().expect("test paths are text").to_owned()
    }

    /// Runs the command with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    /// Runs the command.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Ran {
        let root = self.root.to_str().expect("test paths are text");
        let all = ["huddle", "--root", root].into_iter().chain(args.iter().copied());
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = huddle::run(all, &mut stdin.as_bytes(), &mut out, &mut err);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text").replace(root, "ROOT");
        Ran { code, out: text(out), err: text(err) }
    }

    /// Runs a command that must succeed without a word on standard error, and gives what it printed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}: {ran:?}");
        ran.out
    }

    /// Runs a command that must succeed with `--json`, and gives its one document.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let mut all = args.to_vec();
        all.push("--json");
        document(&self.ok(&all))
    }

    /// Sends a message from ann to bob and gives its id.
    pub(crate) fn send(&self, subject: &str, options: &[&str]) -> String {
        let mut args = vec!["send", "bob", subject, "--as", "ann"];
        args.extend(options);
        text(&self.json(&args)["id"])
    }

    /// Lists every file below the project with its content.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.root, &mut files);
        files.sort();
        files
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // What is left in a temporary directory harms nobody.
        drop(fs::remove_dir_all(&self.root));
    }
}

#[cfg(not(target_family = "wasm"))]
fn scratch_root() -> PathBuf {
    huddle_scratch::root()
}

/// Returns the directory that the host gives to tests.
#[cfg(target_family = "wasm")]
fn scratch_root() -> PathBuf {
    std::env::var_os("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from)
}

fn collect(dir: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(dir).expect("the directory can be listed") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files.push((path.clone(), Vec::new()));
            collect(&path, files);
        } else {
            let bytes = fs::read(&path).expect("the file can be read");
            files.push((path, bytes));
        }
    }
}

/// Reads the one document that a command printed.
pub(crate) fn document(out: &str) -> Value {
    assert_eq!(out.lines().count(), 1, "one document on one line: {out}");
    serde_json::from_str(out).expect("the document is JSON")
}

/// Returns a text out of a document.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Returns the names of an object's fields.
pub(crate) fn fields(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}
