//! The contract of the file system, kept by the real one.

use std::io::ErrorKind;

use huddle::std_fs::StdFs;
use huddle_core::engine::fs::{DirEntry, EntryKind, FileSystem, MAX_APPEND};

use crate::command::support::Project;

fn start() -> (Project, StdFs) {
    let project = Project::empty();
    let fs = StdFs::new(project.path("bus"));
    fs.create_dir("a/b").expect("directories can be made");
    (project, fs)
}

fn entry(name: &str, is_dir: bool) -> DirEntry {
    DirEntry::new(name, if is_dir { EntryKind::Dir } else { EntryKind::File })
}

#[test]
fn absent_files_are_none_and_no_error() {
    let project = Project::empty();
    let fs = StdFs::new(project.path("not/there"));
    assert_eq!(fs.read("x", u64::MAX).unwrap(), None);
    assert_eq!(fs.list("").unwrap(), []);
    assert_eq!(fs.list("x/y").unwrap(), []);
    assert!(!fs.exists("x").unwrap());
    fs.remove("x").unwrap();
    assert_eq!(fs.write_new("x", b"").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(project.files(), []);
}

#[test]
fn directories_are_made_with_those_above_and_may_be_there_already() {
    let (_project, fs) = start();
    fs.create_dir("a/b").unwrap();
    fs.create_dir("").unwrap();
    assert!(fs.exists("a/b").unwrap());
    fs.write_new("a/file", b"").unwrap();
    assert!(fs.create_dir("a/file").is_err());
    fs.sync_dir("a").unwrap();
    fs.sync_dir("").unwrap();
}

#[test]
fn a_new_file_never_replaces_another() {
    let (_project, fs) = start();
    for write in [StdFs::write_new, StdFs::write_scratch] {
        write(&fs, "a/x", b"one").unwrap();
        assert_eq!(write(&fs, "a/x", b"two").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs.read("a/x", u64::MAX).unwrap().as_deref(), Some(&b"one"[..]));
        fs.remove("a/x").unwrap();
    }
}

#[test]
fn many_files_are_synced_together() {
    let (_project, fs) = start();
    let paths: Vec<String> = (0..20).map(|number| format!("a/{number}")).collect();
    paths.iter().for_each(|path| fs.write_scratch(path, b"one").unwrap());
    fs.sync(&paths).unwrap();
    fs.sync(&[]).unwrap();
    fs.sync(&["a".to_owned(), "".to_owned()]).unwrap();
    let gone = [paths, vec!["a/gone".to_owned()]].concat();
    assert_eq!(fs.sync(&gone).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn listings_are_sorted_and_tell_directories() {
    let (_project, fs) = start();
    for name in ["z", "B", "ä", "a.json"] {
        fs.write_new(&format!("a/{name}"), b"").unwrap();
    }
    let names = [entry("B", false), entry("a.json", false), entry("b", true), entry("z", false), entry("ä", false)];
    assert_eq!(fs.list("a").unwrap(), names);
    assert_eq!(fs.list("").unwrap(), [entry("a", true)]);
}

#[test]
fn an_append_makes_the_file_and_has_a_limit() {
    let (_project, fs) = start();
    fs.append("log", b"one\n").unwrap();
    fs.append("log", b"two\n").unwrap();
    assert_eq!(fs.read("log", u64::MAX).unwrap().as_deref(), Some(&b"one\ntwo\n"[..]));
    fs.append("log", &[b'x'; MAX_APPEND]).unwrap();
    assert_eq!(fs.append("log", &[b'x'; MAX_APPEND + 1]).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(fs.read("log", u64::MAX).unwrap().unwrap().len(), 8 + MAX_APPEND);
}

#[test]
fn a_link_is_a_second_name_and_never_replaces() {
    let (_project, fs) = start();
    fs.write_new("x", b"one").unwrap();
    fs.link("x", "a/y").unwrap();
    assert_eq!(fs.link("x", "a/y").unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs.link("nothing", "z").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(fs.link("x", "nowhere/z").unwrap_err().kind(), ErrorKind::NotFound);
    fs.remove("x").unwrap();
    assert_eq!(fs.read("a/y", u64::MAX).unwrap().as_deref(), Some(&b"one"[..]));
}

#[test]
fn a_rename_replaces() {
    let (_project, fs) = start();
    fs.write_new("x", b"new").unwrap();
    fs.write_new("y", b"old").unwrap();
    fs.rename("x", "y").unwrap();
    assert!(!fs.exists("x").unwrap());
    assert_eq!(fs.read("y", u64::MAX).unwrap().as_deref(), Some(&b"new"[..]));
    assert_eq!(fs.rename("x", "y").unwrap_err().kind(), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed_out_of_the_bus() {
    use std::os::unix::fs::symlink;

    let (project, fs) = start();
    project.write("secret", "outside");
    std::fs::create_dir(project.path("elsewhere")).unwrap();
    symlink(project.path("secret"), project.path("bus/a/out")).unwrap();
    symlink(project.path("elsewhere"), project.path("bus/away")).unwrap();
    symlink("b", project.path("bus/a/in")).unwrap();
    let refused = ErrorKind::PermissionDenied;
    assert_eq!(fs.read("a/out", u64::MAX).unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(fs.append("a/out", b"x").unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(fs.list("away").unwrap_err().kind(), refused);
    assert_eq!(fs.write_new("away/x", b"x").unwrap_err().kind(), refused);
    assert_eq!(fs.create_dir("away/deep/er").unwrap_err().kind(), refused);
    fs.write_new("a/in/x", b"inside").unwrap();
    assert_eq!(fs.read("a/b/x", u64::MAX).unwrap().as_deref(), Some(&b"inside"[..]));
    // The root itself may be a link: worktrees share a bus that way.
    symlink(project.path("bus"), project.path("linked")).unwrap();
    let linked = StdFs::new(project.path("linked"));
    assert_eq!(linked.read("a/b/x", u64::MAX).unwrap().as_deref(), Some(&b"inside"[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_are_listed_all_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let (project, fs) = start();
    std::fs::write(project.path("bus/a/b").join(OsStr::from_bytes(b"\xff.json")), b"").unwrap();
    assert_eq!(fs.list("a/b").unwrap(), [DirEntry::new("\u{fffd}.json", EntryKind::Other)]);
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_not_appended_to() {
    use std::os::unix::fs::symlink;

    let (project, fs) = start();
    symlink(project.path("made"), project.path("bus/a/log")).unwrap();
    symlink("x", project.path("bus/a/within")).unwrap();
    for name in ["a/log", "a/within"] {
        let error = fs.append(name, b"x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "it is a symbolic link, not a regular file");
        assert_eq!(fs.write_new(name, b"x").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert!(fs.exists(name).unwrap());
    }
    assert!(!project.path("made").exists());
    assert!(!project.path("bus/a/x").exists());
}

#[cfg(unix)]
#[test]
fn irregular_files_are_neither_read_nor_waited_for() {
    use std::os::unix::{fs::symlink, net::UnixListener};

    let (project, fs) = start();
    let made = std::process::Command::new("mkfifo").arg(project.path("bus/a/pipe")).status().unwrap();
    assert!(made.success());
    let _socket = UnixListener::bind(project.path("bus/a/socket")).unwrap();
    symlink("loop", project.path("bus/a/loop")).unwrap();
    for name in ["a/pipe", "a/socket", "a/loop", "a/b"] {
        assert_eq!(fs.read(name, u64::MAX).unwrap_err().kind(), ErrorKind::InvalidData, "{name}");
    }
    for name in ["a/pipe", "a/socket", "a/loop"] {
        assert_eq!(fs.append(name, b"x").unwrap_err().kind(), ErrorKind::InvalidData, "{name}");
    }
    let other = |name: &str| DirEntry::new(name, EntryKind::Other);
    assert_eq!(fs.list("a").unwrap(), [entry("b", true), other("loop"), other("pipe"), other("socket")]);
}

#[test]
fn a_file_over_the_limit_is_refused_before_it_is_read() {
    let (project, fs) = start();
    std::fs::File::create(project.path("bus/a/huge")).unwrap().set_len(3 << 30).unwrap();
    let error = fs.read("a/huge", 64 << 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "it is too large: 3221225472 bytes, and the limit is 67108864");
    fs.write_new("a/x", b"four").unwrap();
    assert_eq!(fs.read("a/x", 4).unwrap().as_deref(), Some(&b"four"[..]));
    assert_eq!(fs.read("a/x", 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
}

#[cfg(unix)]
#[test]
fn a_directory_swapped_for_a_link_is_no_longer_written_to() {
    use std::os::unix::fs::symlink;

    let (project, fs) = start();
    std::fs::create_dir(project.path("elsewhere")).unwrap();
    fs.write_new("a/b/before", b"x").unwrap();
    std::fs::rename(project.path("bus/a/b"), project.path("bus/a/c")).unwrap();
    symlink(project.path("elsewhere"), project.path("bus/a/b")).unwrap();
    let refused = ErrorKind::PermissionDenied;
    assert_eq!(fs.write_new("a/b/after", b"x").unwrap_err().kind(), refused);
    assert_eq!(fs.append("a/b/after", b"x").unwrap_err().kind(), refused);
    assert_eq!(fs.rename("a/c/before", "a/b/after").unwrap_err().kind(), refused);
    assert_eq!(fs.link("a/c/before", "a/b/after").unwrap_err().kind(), refused);
    assert_eq!(fs.create_dir("a/b/deep").unwrap_err().kind(), refused);
    assert_eq!(fs.create_dir("none/../../elsewhere/deep").unwrap_err().kind(), refused);
    assert_eq!(fs.read("../bus/a/c/before", 10).unwrap_err().kind(), refused);
    assert!(std::fs::read_dir(project.path("elsewhere")).unwrap().next().is_none());
}

#[test]
fn a_root_that_is_made_later_or_anew_is_found() {
    let project = Project::empty();
    let (fs, other) = (StdFs::new(project.path("bus")), StdFs::new(project.path("bus")));
    assert!(!fs.exists("").unwrap());
    other.create_dir("").unwrap();
    fs.write_new("x", b"one").unwrap();
    assert!(fs.exists("").unwrap());
    std::fs::remove_dir_all(project.path("bus")).unwrap();
    assert_eq!(fs.read("x", 10).unwrap(), None);
    assert_eq!(fs.write_new("x", b"two").unwrap_err().kind(), ErrorKind::NotFound);
    fs.create_dir("").unwrap();
    fs.write_new("x", b"two").unwrap();
    assert_eq!(other.read("x", 10).unwrap().as_deref(), Some(&b"two"[..]));
}

#[test]
fn changes_are_dated() {
    let (_project, fs) = start();
    assert_eq!(fs.modified("a/x").unwrap(), None);
    fs.write_new("a/x", b"").unwrap();
    let made = fs.modified("a/x").unwrap().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    assert!(made.abs_diff(now) < 60_000_000_000, "{made} {now}");
    assert!(fs.modified("").unwrap().is_some());
}
