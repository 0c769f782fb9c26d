//! Looking needs no writing: every write is refused, as on a full or read-only disk, while a change waits in the journal.

use std::io::{self, ErrorKind};

use huddle::std_fs::StdFs;
use huddle::system_host::SystemHost;
use huddle_attacks::{AttackedProject, Template};
use huddle_core::bus::{Bus, Draft, InboxFilter};
use huddle_core::engine::files::FilesEngine;
use huddle_core::engine::fs::{DirEntry, FileSystem};
use huddle_core::model::AgentName;
use huddle_core::session::Sessions;
use huddle_core::state::State;

use super::Native;

/// A disk that refuses every write.
struct RefusingFs {
    fs: StdFs,
    refusal: ErrorKind,
}

impl RefusingFs {
    fn new(project: &AttackedProject, tree: &str, refusal: ErrorKind) -> Self {
        Self { fs: StdFs::new(project.path(tree)), refusal }
    }

    fn refuse(&self) -> io::Result<()> {
        Err(self.refusal.into())
    }
}

impl FileSystem for RefusingFs {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        self.fs.read(path, limit)
    }
    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        self.fs.modified(path)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        self.fs.list(dir)
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        self.fs.exists(path)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.fs.size(path)
    }
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        self.fs.is_same(one, other)
    }
    fn remove_dir(&self, _: &str) -> io::Result<()> {
        self.refuse()
    }
    fn create_dir(&self, _: &str) -> io::Result<()> {
        self.refuse()
    }
    fn write_new(&self, _: &str, _: &[u8]) -> io::Result<()> {
        self.refuse()
    }
    fn write_scratch(&self, _: &str, _: &[u8]) -> io::Result<()> {
        self.refuse()
    }
    fn append(&self, _: &str, _: &[u8]) -> io::Result<()> {
        self.refuse()
    }
    fn link(&self, _: &str, _: &str) -> io::Result<()> {
        self.refuse()
    }
    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        self.refuse()
    }
    fn remove(&self, _: &str) -> io::Result<()> {
        self.refuse()
    }
    fn sync(&self, _: &[String]) -> io::Result<()> {
        self.refuse()
    }
    fn sync_dir(&self, _: &str) -> io::Result<()> {
        self.refuse()
    }
}

/// Leaves a change in the journal: an inbox could not be written when it was made.
fn leave_entry(project: &AttackedProject) {
    project.write(".agent-messages/inbox/cyd", "in the way");
    let sent = project.run(&Native, &["send", "cyd", "Waiting", "--as", "ann"]);
    assert_ne!(sent.code, 0, "{sent:?}");
    project.make_dir(".agent-messages/inbox/cyd");
}

#[test]
fn looking_works_on_a_full_or_read_only_disk() {
    let template = Template::new(&Native);
    for refusal in [ErrorKind::StorageFull, ErrorKind::ReadOnlyFilesystem] {
        let project = template.copy();
        let [ann, bob]: [AgentName; 2] = ["ann", "bob"].map(|name| name.parse().expect("a valid name"));
        leave_entry(&project);
        // Older than any process that could still be at it.
        std::thread::sleep(std::time::Duration::from_millis(600));
        let (fs, claude) =
            (RefusingFs::new(&project, ".agent-messages", refusal), RefusingFs::new(&project, ".claude", refusal));
        let engine = FilesEngine::new(&fs, &SystemHost);
        let bus = Bus::new(&engine, &SystemHost);
        let plain = project.filled("{m}").parse().expect("a valid id");
        let listed =
            bus.inbox(&bob, &InboxFilter { peek: true, ..InboxFilter::default() }).expect("inbox --peek works");
        assert!(listed.total >= 3 && listed.findings.is_empty(), "{listed:?}");
        assert!(bus.unread(&bob).expect("inbox --count works").count >= 3);
        assert_eq!(bus.peek(&bob, &plain).expect("read --peek works").delivery.message.subject, "Plain");
        assert_eq!(bus.agents(None).expect("agents works").value.len(), 3);
        assert!(!bus.threads().expect("threads works").value.is_empty());
        assert_eq!(bus.contexts().expect("context list works").value.len(), 1);
        assert_eq!(bus.handoffs().expect("handoff list works").value.len(), 1);
        let findings = bus.check().expect("check works").findings;
        assert!(findings.iter().any(|finding| finding.code == "stuck-change"), "{findings:?}");
        let offered = bus.inbox(&ann, &InboxFilter::default()).expect("inbox works");
        assert!(offered.total > 0 && offered.findings[0].code == "listing-not-recorded", "{offered:?}");
        let sessions = Sessions::new(&claude, &SystemHost);
        assert_eq!(sessions.list().expect("session list works").value.len(), 1);
        assert!(State::new(&claude, &SystemHost).shared().expect("state show works").is_some());
        bus.send(&ann, &Draft::to(&bob, "Refused")).expect_err("nothing can be written");
    }
}
