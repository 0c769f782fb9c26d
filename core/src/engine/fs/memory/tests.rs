use std::io::ErrorKind;

use super::*;
use crate::engine::fs::EntryKind;

fn tree(files: &[&str]) -> MemoryFs {
    let fs = MemoryFs::new();
    fs.create_dir("a/b").unwrap();
    fs.create_dir("c").unwrap();
    for path in files {
        fs.write_new(path, path.as_bytes()).unwrap();
    }
    for dir in ["", "a", "a/b", "c"] {
        fs.sync_dir(dir).unwrap();
    }
    fs
}

fn text(fs: &MemoryFs, path: &str) -> Option<String> {
    fs.read(path, 1000).unwrap().map(|bytes| String::from_utf8(bytes).unwrap())
}

#[track_caller]
fn check_kind(result: io::Result<()>, kind: ErrorKind) {
    assert_eq!(result.map_err(|error| error.kind()), Err(kind));
}

#[test]
fn names_of_one_file_are_the_same_and_have_its_size() {
    let fs = MemoryFs::new();
    fs.write_new("a", b"four").unwrap();
    fs.write_new("b", b"four").unwrap();
    fs.link("a", "c").unwrap();
    assert_eq!((fs.size("a").unwrap(), fs.size("gone").unwrap()), (Some(4), None));
    assert!(fs.is_same("a", "c").unwrap());
    assert!(!fs.is_same("a", "b").unwrap() && !fs.is_same("gone", "gone").unwrap());
}

#[test]
fn only_an_empty_directory_is_removed() {
    let fs = MemoryFs::new();
    fs.create_dir("d/e").unwrap();
    fs.write_new("d/e/f", b"").unwrap();
    fs.remove_dir("d/e").unwrap();
    fs.remove_dir("gone").unwrap();
    assert!(fs.exists("d/e/f").unwrap());
    fs.remove("d/e/f").unwrap();
    fs.remove_dir("d").unwrap();
    assert!(fs.exists("d/e").unwrap());
    fs.remove_dir("d/e").unwrap();
    assert!(!fs.exists("d/e").unwrap());
}

#[test]
fn what_was_written_is_read() {
    let fs = tree(&["a/b/x"]);
    fs.write_scratch("c/y", b"why").unwrap();
    fs.append("c/y", b"?").unwrap();
    fs.append("c/z", b"new").unwrap();
    assert_eq!(text(&fs, "a/b/x").as_deref(), Some("a/b/x"));
    assert_eq!(text(&fs, "c/y").as_deref(), Some("why?"));
    assert_eq!(text(&fs, "c/z").as_deref(), Some("new"));
    assert_eq!(fs.files(), ["a/b/x", "c/y", "c/z"]);
}

#[test]
fn what_is_absent_is_none_or_empty() {
    let fs = tree(&[]);
    assert_eq!(fs.read("a/x", 1000).unwrap(), None);
    assert_eq!(fs.read("no/x", 1000).unwrap(), None);
    assert_eq!(fs.list("no").unwrap(), []);
    assert!(!fs.exists("no").unwrap());
    fs.remove("a/x").unwrap();
    fs.remove("no/x").unwrap();
}

#[test]
fn lists_are_sorted_and_tell_directories() {
    let fs = tree(&["a/z", "a/a"]);
    let shown: Vec<_> = fs.list("a").unwrap().into_iter().map(|entry| (entry.name.clone(), entry.is_dir())).collect();
    assert_eq!(shown, [("a".to_owned(), false), ("b".to_owned(), true), ("z".to_owned(), false)]);
    assert_eq!(fs.list("").unwrap().len(), 2);
    check_kind(fs.list("a/z").map(drop), ErrorKind::NotADirectory);
}

#[test]
fn a_taken_name_is_refused() {
    let fs = tree(&["a/x", "a/y"]);
    check_kind(fs.write_new("a/x", b""), ErrorKind::AlreadyExists);
    check_kind(fs.write_scratch("a/b", b""), ErrorKind::AlreadyExists);
    check_kind(fs.link("a/x", "a/y"), ErrorKind::AlreadyExists);
    check_kind(fs.create_dir("a/x"), ErrorKind::NotADirectory);
    check_kind(fs.create_dir("a/x/deeper"), ErrorKind::NotADirectory);
}

#[test]
fn a_missing_directory_or_file_is_not_found() {
    let fs = tree(&["a/x"]);
    check_kind(fs.write_new("no/x", b""), ErrorKind::NotFound);
    check_kind(fs.append("no/x", b""), ErrorKind::NotFound);
    check_kind(fs.link("a/x", "no/x"), ErrorKind::NotFound);
    check_kind(fs.link("a/no", "a/y"), ErrorKind::NotFound);
    check_kind(fs.rename("a/x", "no/x"), ErrorKind::NotFound);
    check_kind(fs.rename("a/no", "a/y"), ErrorKind::NotFound);
    check_kind(fs.sync_dir("no"), ErrorKind::NotFound);
    assert_eq!(fs.files(), ["a/x"]);
}

#[test]
fn directories_are_not_files() {
    let fs = tree(&["a/x"]);
    check_kind(fs.read("a", 1000).map(drop), ErrorKind::InvalidData);
    check_kind(fs.remove("a"), ErrorKind::IsADirectory);
    check_kind(fs.rename("a", "d"), ErrorKind::IsADirectory);
    check_kind(fs.rename("a/x", "c"), ErrorKind::IsADirectory);
    check_kind(fs.link("a", "d"), ErrorKind::IsADirectory);
    check_kind(fs.append("a", b""), ErrorKind::IsADirectory);
}

#[test]
fn only_regular_files_up_to_the_limit_are_read() {
    let fs = tree(&["a/x"]);
    fs.plant("a/pipe", "a FIFO").unwrap();
    let error = fs.read("a/pipe", 1000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "it is a FIFO, not a regular file");
    check_kind(fs.append("a/pipe", b"x"), ErrorKind::InvalidData);
    let kinds: Vec<_> = fs.list("a").unwrap().into_iter().map(|entry| (entry.name, entry.kind)).collect();
    let kind = |name: &str, kind| (name.to_owned(), kind);
    assert_eq!(kinds, [kind("b", EntryKind::Dir), kind("pipe", EntryKind::Other), kind("x", EntryKind::File)]);
    assert_eq!(fs.read("a/x", 3).unwrap().as_deref(), Some(&b"a/x"[..]));
    let error = fs.read("a/x", 2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "it is too large: 3 bytes, and the limit is 2");
    fs.remove("a/pipe").unwrap();
}

#[test]
fn changes_are_dated() {
    let fs = tree(&["a/x"]);
    assert_eq!(fs.modified("a/no").unwrap(), None);
    fs.set_clock(1000);
    fs.append("a/x", b"+").unwrap();
    assert_eq!(fs.modified("a/x").unwrap(), Some(1000));
    let before = fs.modified("c").unwrap();
    fs.rename("a/x", "c/y").unwrap();
    assert_eq!(fs.modified("c/y").unwrap(), Some(1000), "a file keeps its time when it is moved");
    assert!(fs.modified("c").unwrap() > before);
}

#[test]
fn linked_names_share_what_they_hold() {
    let fs = tree(&["a/x"]);
    fs.link("a/x", "c/y").unwrap();
    fs.append("a/x", b"+").unwrap();
    fs.remove("a/x").unwrap();
    assert_eq!(text(&fs, "c/y").as_deref(), Some("a/x+"));
}

#[test]
fn a_rename_replaces_and_does_nothing_between_names_of_one_file() {
    let fs = tree(&["a/x", "a/y"]);
    fs.rename("a/x", "a/y").unwrap();
    assert_eq!(fs.files(), ["a/y"]);
    assert_eq!(text(&fs, "a/y").as_deref(), Some("a/x"));
    fs.link("a/y", "a/z").unwrap();
    fs.rename("a/y", "a/z").unwrap();
    assert_eq!(fs.files(), ["a/y", "a/z"]);
}

#[test]
fn a_killed_process_does_nothing_more() {
    let fs = tree(&[]);
    let before = fs.mutations();
    fs.fail_after(1);
    fs.write_new("a/x", b"one").unwrap();
    assert!(fs.exists("a/x").unwrap(), "reads pass until the kill");
    check_kind(fs.write_new("a/y", b"two"), ErrorKind::Other);
    check_kind(fs.remove("a/x"), ErrorKind::Other);
    check_kind(fs.read("a/x", 1000).map(drop), ErrorKind::Other);
    check_kind(fs.list("a").map(drop), ErrorKind::Other);
    assert!(fs.is_killed());
    fs.restart();
    assert_eq!(fs.files(), ["a/x"]);
    assert_eq!(fs.mutations(), before + 3);
    fs.write_new("a/y", b"two").unwrap();
}

#[test]
fn a_torn_write_leaves_half() {
    let fs = tree(&["a/log"]);
    fs.fail_torn_after(0);
    check_kind(fs.write_new("a/x", b"12345678"), ErrorKind::Other);
    check_kind(fs.write_new("a/y", b"12345678"), ErrorKind::Other);
    fs.restart();
    assert_eq!(text(&fs, "a/x").as_deref(), Some("1234"));
    assert_eq!(text(&fs, "a/y"), None, "only the first to fail is torn");
    fs.fail_torn_after(0);
    check_kind(fs.append("a/log", b"+-"), ErrorKind::Other);
    fs.restart();
    assert_eq!(text(&fs, "a/log").as_deref(), Some("a/log+"));
    fs.fail_torn_after(0);
    check_kind(fs.rename("a/log", "a/z"), ErrorKind::Other);
    fs.restart();
    assert!(fs.exists("a/log").unwrap());
}

#[test]
fn a_power_cut_rolls_names_back_to_the_last_sync() {
    let fs = tree(&["a/old", "a/gone", "a/moved", "c/replaced"]);
    fs.create_dir("d").unwrap();
    fs.write_new("a/new", b"").unwrap();
    fs.link("a/old", "a/linked").unwrap();
    fs.remove("a/gone").unwrap();
    fs.rename("a/moved", "c/replaced").unwrap();
    fs.power_cut();
    assert_eq!(fs.files(), ["a/gone", "a/moved", "a/old", "c/replaced"]);
    assert_eq!(text(&fs, "c/replaced").as_deref(), Some("c/replaced"));
    assert!(fs.exists("d").unwrap(), "directories last");
}

#[test]
fn a_power_cut_leaves_what_was_synced() {
    let fs = tree(&["a/x"]);
    fs.write_new("c/new", b"new").unwrap();
    fs.rename("a/x", "c/x").unwrap();
    fs.sync_dir("c").unwrap();
    fs.power_cut();
    assert_eq!(fs.files(), ["a/x", "c/new", "c/x"], "the other directory was not synced");
    assert_eq!(text(&fs, "c/new").as_deref(), Some("new"));
}

#[test]
fn a_power_cut_empties_what_was_not_synced() {
    let fs = tree(&["a/log"]);
    fs.append("a/log", b"+more").unwrap();
    fs.write_scratch("a/scratch", b"scratch").unwrap();
    fs.append("a/fresh", b"fresh").unwrap();
    fs.sync_dir("a").unwrap();
    fs.power_cut();
    assert_eq!(text(&fs, "a/log").as_deref(), Some("a/log"), "what was synced before stays");
    assert_eq!(text(&fs, "a/scratch").as_deref(), Some(""));
    assert_eq!(text(&fs, "a/fresh").as_deref(), Some(""));
}

#[test]
fn many_files_can_be_synced_together() {
    let fs = tree(&["a/x"]);
    let paths = ["a/one", "a/two", "a"].map(str::to_owned);
    paths[..2].iter().for_each(|path| fs.write_scratch(path, b"scratch").unwrap());
    fs.sync(&paths).unwrap();
    fs.power_cut();
    assert_eq!(text(&fs, "a/two").as_deref(), Some("scratch"));
    check_kind(fs.sync(&["a/no".to_owned()]), ErrorKind::NotFound);
}

#[test]
fn a_lucky_power_cut_keeps_names_without_their_bytes() {
    let fs = tree(&["a/x"]);
    fs.write_scratch("a/scratch", b"scratch").unwrap();
    fs.remove("a/x").unwrap();
    fs.power_cut_keeping_names();
    assert_eq!(fs.files(), ["a/scratch"]);
    assert_eq!(text(&fs, "a/scratch").as_deref(), Some(""));
    fs.power_cut();
    assert_eq!(fs.files(), ["a/scratch"], "what a cut left is on the disk");
}

#[test]
fn a_full_disk_takes_what_fits() {
    let fs = tree(&[]);
    fs.fill_up_after(5);
    fs.write_new("a/x", b"123").unwrap();
    check_kind(fs.write_new("a/y", b"456"), ErrorKind::StorageFull);
    check_kind(fs.append("a/x", b"7"), ErrorKind::StorageFull);
    assert_eq!(text(&fs, "a/y").as_deref(), Some("45"));
    fs.link("a/x", "a/z").unwrap();
    fs.remove("a/y").unwrap();
    fs.make_room();
    fs.append("a/x", b"7").unwrap();
    assert_eq!(text(&fs, "a/z").as_deref(), Some("1237"));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "not a path inside the tree")]
fn a_path_that_leaves_the_tree_is_a_bug() {
    let _ = MemoryFs::new().write_new("../x", b"");
}
