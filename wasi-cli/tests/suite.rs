//! The behaviour suite on real files: natively, and under wasmtime when built for WASI.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use huddle::std_fs::StdFs;
use huddle_core::engine::LockOwner;
use huddle_core::engine::files::FilesEngine;
use huddle_core::engine::fs::memory::MemoryFs;
use huddle_core::engine::fs::{FileSystem, MAX_APPEND};
use huddle_core::engine::suite::{self, Engines};
use huddle_core::host::FixedHost;

/// A directory of its own for each case, removed at the end.
struct TestDirectory(PathBuf);

impl TestDirectory {
    fn new() -> Self {
        static PLACES: AtomicU32 = AtomicU32::new(0);
        // WASI has neither process ids nor a temporary directory that is known without asking.
        let temp = env::var_os("TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let directory = temp.join(format!("huddle-suite-{since}-{}", PLACES.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&directory).unwrap();
        Self(directory)
    }

    /// Opens the place as another process would: with nothing known of it.
    fn open(&self) -> StdFs {
        StdFs::new(self.0.join(".agent-messages"))
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Creates a test of each theme of the suite, so that they run side by side where there are threads.
macro_rules! themes {
    ($($theme:ident)*) => {
        const THEMES: &[&str] = &[$(stringify!($theme)),*];
        $(#[test]
        fn $theme() {
            check(stringify!($theme));
        })*
    };
}

themes! { directory messages commits keys receipts moving importing documents leases }

#[test]
fn every_theme_is_run() {
    let themes: BTreeSet<&str> = suite::cases().iter().map(|case| theme(case.name)).collect();
    assert_eq!(themes, THEMES.iter().copied().collect());
}

fn theme(case: &'static str) -> &'static str {
    case.split("::").next().unwrap()
}

/// Runs a theme's cases, each on two engines that see the same files.
fn check(wanted: &str) {
    for case in suite::cases().iter().filter(|case| theme(case.name) == wanted) {
        eprintln!("{}", case.name);
        let directory = TestDirectory::new();
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let [one, two] = ["one", "two"].map(|owner| {
            let engine = FilesEngine::new(directory.open(), &host);
            engine.set_lock_owner(owner);
            engine
        });
        (case.run)(&Engines { one: &one, two: &two, host: &host, advance: &|span| host.advance(span) });
    }
}

#[test]
fn the_real_file_system_keeps_the_contract() {
    let directory = TestDirectory::new();
    keeps_the_contract(&directory.open());
}

#[test]
fn the_file_system_in_memory_keeps_the_same_contract() {
    keeps_the_contract(&MemoryFs::new());
}

/// Goes through the `# Behavior` lists of the file-system trait.
fn keeps_the_contract(fs: &dyn FileSystem) {
    nothing_is_there_before_it_is_made(fs);
    directories_are_made_with_those_above(fs);
    files_are_made_once(fs);
    appends_go_to_the_end(fs);
    links_refuse_what_is_taken(fs);
    renames_replace(fs);
    removing_is_done_when_it_is_gone(fs);
}

#[track_caller]
fn fails<T>(result: io::Result<T>, kind: ErrorKind) {
    assert_eq!(result.map(drop).map_err(|error| error.kind()), Err(kind));
}

fn names(fs: &dyn FileSystem, dir: &str) -> Vec<(String, bool)> {
    fs.list(dir).unwrap().into_iter().map(|entry| (entry.name.clone(), entry.is_dir())).collect()
}

fn nothing_is_there_before_it_is_made(fs: &dyn FileSystem) {
    assert_eq!(fs.read("a/b", u64::MAX).unwrap(), None);
    assert_eq!(names(fs, ""), []);
    assert_eq!(names(fs, "a/b"), []);
    assert!(!fs.exists("a").unwrap());
    fails(fs.write_new("a/b", b""), ErrorKind::NotFound);
    fails(fs.write_scratch("a/b", b""), ErrorKind::NotFound);
    fails(fs.append("a/b", b""), ErrorKind::NotFound);
}

fn directories_are_made_with_those_above(fs: &dyn FileSystem) {
    fs.create_dir("a/b/c").unwrap();
    fs.create_dir("a/b/c").unwrap();
    assert!(fs.exists("a/b").unwrap() && fs.exists("a/b/c").unwrap());
    assert_eq!(names(fs, "a"), [("b".to_owned(), true)]);
    fs.sync_dir("a/b").unwrap();
    fs.sync_dir("").unwrap();
}

fn files_are_made_once(fs: &dyn FileSystem) {
    let bytes: Vec<u8> = (0..=255).collect();
    fs.write_new("a/z", &bytes).unwrap();
    fs.write_scratch("a/é", b"").unwrap();
    assert_eq!(fs.read("a/z", u64::MAX).unwrap(), Some(bytes));
    assert_eq!(fs.read("a/é", u64::MAX).unwrap(), Some(Vec::new()));
    fails(fs.write_new("a/z", b"other"), ErrorKind::AlreadyExists);
    fails(fs.write_scratch("a/z", b"other"), ErrorKind::AlreadyExists);
    assert_eq!(fs.read("a/z", u64::MAX).unwrap().map(|bytes| bytes.len()), Some(256));
    let sorted = [("b".to_owned(), true), ("z".to_owned(), false), ("é".to_owned(), false)];
    assert_eq!(names(fs, "a"), sorted);
}

fn appends_go_to_the_end(fs: &dyn FileSystem) {
    fs.append("a/log", b"one\n").unwrap();
    fs.append("a/log", &vec![b'x'; MAX_APPEND]).unwrap();
    fs.append("a/log", b"\ntwo\n").unwrap();
    let log = fs.read("a/log", u64::MAX).unwrap().unwrap();
    assert_eq!(log.len(), MAX_APPEND + 9);
    assert!(log.starts_with(b"one\nx") && log.ends_with(b"x\ntwo\n"));
}

fn links_refuse_what_is_taken(fs: &dyn FileSystem) {
    fs.write_new("a/one", b"1").unwrap();
    fs.write_new("a/two", b"2").unwrap();
    fs.link("a/one", "a/b/second-name").unwrap();
    assert_eq!(fs.read("a/b/second-name", u64::MAX).unwrap(), Some(b"1".to_vec()));
    fails(fs.link("a/two", "a/b/second-name"), ErrorKind::AlreadyExists);
    fails(fs.link("a/absent", "a/new"), ErrorKind::NotFound);
    fails(fs.link("a/one", "absent/new"), ErrorKind::NotFound);
    fs.remove("a/one").unwrap();
    assert_eq!(fs.read("a/b/second-name", u64::MAX).unwrap(), Some(b"1".to_vec()));
}

fn renames_replace(fs: &dyn FileSystem) {
    fs.rename("a/two", "a/b/second-name").unwrap();
    assert_eq!(fs.read("a/b/second-name", u64::MAX).unwrap(), Some(b"2".to_vec()));
    assert!(!fs.exists("a/two").unwrap());
    fails(fs.rename("a/two", "a/b/second-name"), ErrorKind::NotFound);
    assert_eq!(fs.read("a/b/second-name", u64::MAX).unwrap(), Some(b"2".to_vec()));
}

fn removing_is_done_when_it_is_gone(fs: &dyn FileSystem) {
    fs.remove("a/b/second-name").unwrap();
    fs.remove("a/b/second-name").unwrap();
    fs.remove("absent/file").unwrap();
    assert!(!fs.exists("a/b/second-name").unwrap());
}
