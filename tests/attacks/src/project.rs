//! A project to attack, and what lies outside of it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::{Ran, Target};

/// What stands in the files outside of the project: no command may ever show or copy it.
pub const SECRET: &str = "canary-5d1f03c2e7";

/// The time in the id of planted transactions: long ago, so that they are carried out at once.
pub(crate) const TX: &str = "019ad00000007000800000000000000a";

/// A directory that is removed when dropped.
#[derive(Debug)]
struct TempDir(PathBuf);

impl TempDir {
    /// Creates a directory whose name is short enough for the path of a socket in it.
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let dir = huddle_scratch::root().join(format!("huddle-{}-{number}", std::process::id()));
        fs::create_dir(&dir).expect("a new directory can be made");
        Self(dir)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // What is left in a temporary directory harms nobody.
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A project with mail, documents and a session in it, of which as many copies are made as there are attacks.
#[derive(Debug)]
pub struct Template {
    dir: TempDir,
    ids: BTreeMap<&'static str, String>,
}

/// A copy of the template, and files outside of it that nobody may read or write.
#[derive(Debug)]
pub struct AttackedProject {
    dir: TempDir,
    ids: BTreeMap<&'static str, String>,
    outside: Tree,
}

/// What lies in a directory, no link followed.
type Tree = BTreeMap<PathBuf, Node>;

#[derive(Debug, PartialEq)]
enum Node {
    Dir,
    File(Vec<u8>),
    Other,
}

impl Template {
    /// Has a target make the project: agents ann, bob and cyd, mail of every kind, and session s1.
    pub fn new(target: &dyn Target) -> Self {
        let dir = TempDir::new();
        let root = dir.0.join("project");
        fs::create_dir_all(root.join(".git/hooks")).expect("a directory can be made");
        fs::write(root.join("notes.txt"), "notes").expect("a file can be written");
        let run = |words: &str| {
            let words = words.replace("{root}", &target.root(&root));
            let args: Vec<String> = words.split(' ').chain(["--json"]).map(str::to_owned).collect();
            let ran = target.run(&root, &args);
            assert_eq!(ran.code, 0, "{words}: {ran:?}");
            serde_json::from_str::<Value>(&ran.out).expect("the answer is JSON")
        };
        let id_of = |answer: &Value| answer["id"].as_str().expect("the answer has an id").to_owned();
        run("init");
        for agent in ["ann", "bob", "cyd"] {
            run(&format!("register {agent} --role builder"));
        }
        let old = id_of(&run("send bob Archived --as ann --body old"));
        run(&format!("read {old} --as bob"));
        run("archive --before 0s");
        let mut ids = BTreeMap::from([("{old}", old)]);
        ids.insert("{q}", id_of(&run("send bob Port? --as ann --needs-reply --body 8080?")));
        ids.insert("{m}", id_of(&run("send bob Plain --as ann --key k1")));
        ids.insert("{b}", id_of(&run("broadcast All --as ann --body all")));
        run("send ann Back --as bob");
        run("subscribe Done --as cyd");
        run("publish Done --as ann --data 1");
        run("context create api text --as ann");
        ids.insert("{h}", id_of(&run("handoff create bob --task Task --artifact {root}/notes.txt --as ann")));
        run("session start --id s1 --agent ann --agent bob --as ann");
        run("session join ann --id s1 --as ann");
        run("session log ann status --message working --id s1 --as ann");
        run(r#"session report put ann {"status":"partial","summary":"s","findings":[]} --id s1"#);
        run("session data put d {} --id s1 --from ann");
        run("state objective Ship --as ann");
        run("state decide Yes --as ann");
        run("inbox --as bob");
        Self { dir, ids }
    }

    /// Copies the project; what is in its journal counts as written in the copy.
    pub fn copy(&self) -> AttackedProject {
        let project = self.cloned();
        for root in [".agent-messages", ".claude"] {
            let stamps = project.root().join(root).join(".huddle/origin");
            for stamp in fs::read_dir(stamps).into_iter().flatten().flatten() {
                let nanos = stamp.file_name().to_string_lossy().parse().expect("a stamp is named by its time");
                let file = File::options().write(true).open(stamp.path()).expect("a stamp can be opened");
                file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_nanos(nanos)).expect("its time can be set");
            }
        }
        project
    }

    /// Copies the project as version control does: every file has the time of the copy.
    pub fn cloned(&self) -> AttackedProject {
        let dir = TempDir::new();
        copy_dir(&self.dir.0.join("project"), &dir.0.join("project"));
        let outside = dir.0.join("outside");
        fs::create_dir_all(outside.join("dir/bob")).expect("a directory can be made");
        for name in ["secret.json", "dir/secret.json", "dir/bob/msg_secret.json", "dir/coordination.json"] {
            fs::write(outside.join(name), secret_document().to_string()).expect("a file can be written");
        }
        let mut project = AttackedProject { dir, ids: self.ids.clone(), outside: Tree::new() };
        project.outside = project.surroundings();
        project
    }
}

/// Returns a document that passes for a message, a registry, a handoff, a session or a report, with the secret in it.
fn secret_document() -> Value {
    json!({
        "message_id": "msg_secret", "timestamp": "2025-11-29T14:30:52Z", "from_agent": "ann", "to_agent": "bob",
        "message_type": SECRET, "subject": SECRET, "payload": SECRET, "conversation_id": "conv_secret",
        "agents": {SECRET: {"role": SECRET, "status": SECRET}}, "session_id": SECRET, "summary": SECRET,
        "status": "completed", "findings": [], "message": SECRET, "from": "ann", "type": "status", "task": SECRET,
        "handoff_id": SECRET, "sharedContext": {"objective": SECRET, "notes": [SECRET]}, "taskId": SECRET,
    })
}

impl AttackedProject {
    /// Returns the project's directory.
    pub fn root(&self) -> PathBuf {
        self.dir.0.join("project")
    }

    /// Returns a path of the project, with ids in place of `{q}`, `{m}`, `{b}`, `{h}` and `{old}`.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(self.filled(relative))
    }

    /// Returns a path outside of the project.
    pub(crate) fn outside(&self, relative: &str) -> PathBuf {
        self.dir.0.join("outside").join(relative)
    }

    /// Returns a text with the template's ids filled in.
    pub fn filled(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id))
    }

    /// Runs a command, given as one word an argument.
    pub fn run(&self, target: &dyn Target, words: &[&str]) -> Ran {
        let root = self.root();
        let filled = |word: &&str| self.filled(word).replace("{root}", &target.root(&root));
        target.run(&root, &words.iter().map(filled).collect::<Vec<_>>())
    }

    /// Creates a place for something planted: its directory is there, and what was in its place is gone.
    fn clear(&self, relative: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a planted path has a parent")).expect("a directory can be made");
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&path).expect("a directory can be removed"),
            Ok(_) => fs::remove_file(&path).expect("a file can be removed"),
            Err(_) => {}
        }
        path
    }

    /// Plants a file.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.clear(relative), bytes).expect("a file can be written");
    }

    /// Plants a directory.
    pub fn make_dir(&self, relative: &str) {
        fs::create_dir(self.clear(relative)).expect("a directory can be made");
    }

    /// Plants a symbolic link.
    pub(crate) fn link(&self, relative: &str, target: impl AsRef<Path>) {
        symlink(target, self.clear(relative)).expect("a link can be made");
    }

    /// Plants a named pipe, at whose other end nobody is.
    pub(crate) fn make_fifo(&self, relative: &str) {
        let made = Command::new("mkfifo").arg(self.clear(relative)).status().expect("mkfifo can be started");
        assert!(made.success(), "mkfifo {relative}");
    }

    /// Plants a socket.
    pub(crate) fn make_socket(&self, relative: &str) {
        drop(UnixListener::bind(self.clear(relative)).expect("a socket can be made"));
    }

    /// Plants a file that says it is large, and takes no room.
    pub(crate) fn make_sparse(&self, relative: &str, bytes: u64) {
        let file = File::create(self.clear(relative)).expect("a file can be made");
        file.set_len(bytes).expect("a file can be extended");
    }

    /// Plants a file whose name is not UTF-8: `0xff` and the given ending.
    pub(crate) fn write_non_utf8(&self, dir: &str, ending: &str, bytes: &[u8]) {
        let name = [&b"\xff"[..], ending.as_bytes()].concat();
        let dir = self.clear(&format!("{dir}/x"));
        fs::write(dir.with_file_name(OsStr::from_bytes(&name)), bytes).expect("a file can be written");
    }

    /// Finds what a run changed outside of what Huddle keeps.
    pub(crate) fn escaped(&self) -> Option<String> {
        let now = self.surroundings();
        let changed = now.iter().find(|(path, node)| self.outside.get(*path) != Some(*node));
        let gone = self.outside.keys().find(|path| !now.contains_key(*path));
        changed.map(|(path, _)| path).or(gone).map(|path| path.display().to_string())
    }

    /// Finds a file within the project into which the secret was copied.
    pub(crate) fn leaked(&self) -> Option<String> {
        let mut tree = Tree::new();
        walk(&self.root(), &mut tree, &|_| true);
        let has_secret = |node: &Node| matches!(node, Node::File(bytes) if contains(bytes, SECRET.as_bytes()));
        tree.iter().find(|(_, node)| has_secret(node)).map(|(path, _)| path.display().to_string())
    }

    /// Reads everything but the directories that Huddle may write to.
    fn surroundings(&self) -> Tree {
        let kept = [".agent-messages", ".claude/agents", ".claude/state", ".claude/.huddle", ".claude/config"];
        let kept = kept.map(|dir| self.root().join(dir));
        let mut tree = Tree::new();
        walk(&self.dir.0, &mut tree, &|path| !kept.iter().any(|dir| dir == path));
        tree
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Files that are larger hold no copy of anything: they are planted, and full of zeros.
const LARGEST: u64 = 1 << 22;

fn walk(dir: &Path, tree: &mut Tree, wanted: &dyn Fn(&Path) -> bool) {
    for entry in fs::read_dir(dir).expect("the directory can be listed").flatten() {
        let path = entry.path();
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if !wanted(&path) {
            continue;
        }
        let node = if found.is_dir() {
            walk(&path, tree, wanted);
            Node::Dir
        } else if found.is_file() && found.len() <= LARGEST {
            Node::File(fs::read(&path).expect("the file can be read"))
        } else {
            Node::Other
        };
        tree.insert(path, node);
    }
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory can be made");
    for entry in fs::read_dir(from).expect("the directory can be listed").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("the file can be copied");
        }
    }
}
