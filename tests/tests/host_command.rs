//! `huddle-host run`, as cargo uses it to run tests that are built for a WASI target.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `huddle-host run …` on a guest that makes directory `made` in its first directory.
fn run(dir: &Path, options: &[&str]) -> Output {
    let text = r#"(module
      (import "wasi_snapshot_preview1" "path_create_directory" (func $mkdir (param i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "args_sizes_get" (func $args (param i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
      (memory (export "memory") 1)
      (data (i32.const 0) "made")
      (func (export "_start")
        (if (call $mkdir (i32.const 3) (i32.const 0) (i32.const 4)) (then (call $exit (i32.const 9))))
        (drop (call $args (i32.const 8) (i32.const 12)))
        (call $exit (i32.load (i32.const 8)))))"#;
    let file = dir.join("guest.wasm");
    fs::write(&file, wat::parse_str(text).unwrap()).unwrap();
    Command::new(env!("CARGO_BIN_EXE_huddle-host"))
        .arg("run")
        .args(options)
        .arg(file)
        .args(["--help", "two"])
        .output()
        .unwrap()
}

#[test]
fn gives_no_directory_unasked() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &[]).status.code(), Some(9));
}

#[test]
fn forwards_arguments_and_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    fs::create_dir(&project).unwrap();
    let open = format!("{}::/project", project.display());
    assert_eq!(run(dir.path(), &["--dir", &open, "--env", "A=B"]).status.code(), Some(3));
    assert!(project.join("made").is_dir());
}

#[test]
fn gives_a_temporary_directory_on_request() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &["--temp"]).status.code(), Some(3));
    assert!(!dir.path().join("made").exists());
}

#[test]
fn says_what_is_wrong_with_its_own_arguments() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["--env", "nonsense"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--env names a variable that is not set: nonsense"));
}
