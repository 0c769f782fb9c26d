//! The host itself, tried with guests small enough to read.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use huddle_tests::{Clock, Guest, Run};

/// Compiles a guest from WebAssembly text in a directory of its own.
fn guest(dir: &Path, text: &str) -> Guest {
    let path = dir.join("guest.wasm");
    fs::write(&path, wat::parse_str(text).unwrap()).unwrap();
    Guest::load(path).unwrap()
}

/// Wraps a body in a WASI 0.1 module with the imports that these tests need.
fn module(body: &str) -> String {
    format!(
        r#"(module
          (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "environ_sizes_get" (func $env_sizes (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
          (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "path_create_directory" (func $mkdir (param i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
          (memory (export "memory") 1)
          (data (i32.const 0) "\10\00\00\00\05\00\00\00")
          (data (i32.const 16) "hello")
          (func (export "_start") {body}))"#
    )
}

/// A component whose `wasi:cli/run` returns `result`.
fn component(result: i32) -> String {
    format!(
        r#"(component
          (core module $m (func (export "run") (result i32) (i32.const {result})))
          (core instance $i (instantiate $m))
          (func $run (result (result)) (canon lift (core func $i "run")))
          (instance (export "wasi:cli/run@0.2.0") (export "run" (func $run))))"#
    )
}

const SAY_HELLO: &str = "(drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))";

#[test]
fn captures_output_and_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module(&format!("{SAY_HELLO} (call $exit (i32.const 4))")));
    let outcome = Run::new(&guest).start().unwrap();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (4, "hello"));
    assert_eq!((outcome.host_calls, outcome.stopped), (2, false));
    assert!(!guest.is_component());
}

#[test]
fn runs_components() {
    let dir = tempfile::tempdir().unwrap();
    for result in [0, 1] {
        let guest = guest(dir.path(), &component(result));
        assert!(guest.is_component());
        assert_eq!(Run::new(&guest).start().unwrap().code, result);
    }
}

#[test]
fn hands_over_arguments_and_environment() {
    let dir = tempfile::tempdir().unwrap();
    let count_both = "(drop (call $args_sizes (i32.const 32) (i32.const 36)))
        (drop (call $env_sizes (i32.const 40) (i32.const 44)))
        (call $exit (i32.add (i32.mul (i32.const 10) (i32.load (i32.const 32))) (i32.load (i32.const 40))))";
    let guest = guest(dir.path(), &module(count_both));
    assert_eq!(Run::new(&guest).start().unwrap().code, 10);
    let run = Run::new(&guest).arg("inbox").args(["--all", "--json"]).env("HUDDLE_AGENT", "bob");
    assert_eq!(run.start().unwrap().code, 41);
}

#[test]
fn hands_over_stdin() {
    let dir = tempfile::tempdir().unwrap();
    let echo = format!("(drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))) {SAY_HELLO}");
    let guest = guest(dir.path(), &module(&echo));
    assert_eq!(Run::new(&guest).stdin("bytes").start().unwrap().stdout, "bytes");
}

#[test]
fn opens_only_the_directories_it_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let make_dir = "(call $exit (call $mkdir (i32.const 3) (i32.const 16) (i32.const 5)))";
    let guest = guest(dir.path(), &module(make_dir));
    assert_ne!(Run::new(&guest).start().unwrap().code, 0);
    let project = dir.path().join("project");
    fs::create_dir(&project).unwrap();
    assert_eq!(Run::new(&guest).dir(&project, ".").start().unwrap().code, 0);
    assert!(project.join("hello").is_dir());
    assert!(Run::new(&guest).dir(dir.path().join("absent"), ".").start().is_err());
}

#[test]
fn tells_the_time_it_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let minute = "(drop (call $clock (i32.const 0) (i64.const 1) (i32.const 32)))
        (call $exit (i32.wrap_i64 (i64.rem_u
            (i64.div_u (i64.load (i32.const 32)) (i64.const 60000000000)) (i64.const 100))))";
    let guest = guest(dir.path(), &module(minute));
    let at = |clock| Run::new(&guest).clock(clock).start().unwrap().code;
    assert_eq!(at(Clock::Fixed(Duration::from_secs(60 * 42))), 42);
    let passed = |from: i32, to: i32| (to - from).rem_euclid(100);
    let now = at(Clock::Host);
    assert!((30..=31).contains(&passed(now, at(Clock::Shifted(30 * 60)))));
    assert!((70..=71).contains(&passed(now, at(Clock::Shifted(-30 * 60)))));
}

#[test]
fn repeats_random_numbers_from_a_seed() {
    let dir = tempfile::tempdir().unwrap();
    let first_byte = "(drop (call $random (i32.const 32) (i32.const 4)))
        (call $exit (i32.and (i32.load (i32.const 32)) (i32.const 127)))";
    let guest = guest(dir.path(), &module(first_byte));
    let draw = |seed| Run::new(&guest).seed(seed).start().unwrap().code;
    assert_eq!(draw(1), draw(1));
    assert!((2..20).any(|seed| draw(seed) != draw(1)));
}

#[test]
fn stops_after_any_host_call() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module(&format!("(loop $again {SAY_HELLO} (br $again))")));
    for n in 1..=5 {
        let outcome = Run::new(&guest).stop_after_host_call(n).start().unwrap();
        assert!(outcome.stopped);
        assert_eq!((outcome.code, outcome.host_calls), (137, n));
        assert_eq!(outcome.stdout, "hello".repeat(usize::try_from(n).unwrap()));
    }
}

#[test]
fn does_not_stop_a_guest_that_ends_first() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module(SAY_HELLO));
    let outcome = Run::new(&guest).stop_after_host_call(9).start().unwrap();
    assert_eq!((outcome.code, outcome.stopped, outcome.host_calls), (0, false, 1));
}

#[test]
fn reports_a_trap_as_an_outcome() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module("unreachable"));
    let outcome = Run::new(&guest).start().unwrap();
    assert_eq!((outcome.code, outcome.stopped), (134, false));
    assert!(outcome.trap.unwrap().contains("unreachable"));
}

#[test]
fn limits_memory() {
    let dir = tempfile::tempdir().unwrap();
    let grow = "(call $exit (i32.lt_s (memory.grow (i32.const 32)) (i32.const 0)))";
    let guest = guest(dir.path(), &module(grow));
    assert_eq!(Run::new(&guest).start().unwrap().code, 0);
    assert_eq!(Run::new(&guest).memory_limit(1 << 20).start().unwrap().code, 1);
}

/// Compiles a guest whose code is counted, with one that never ends by itself.
fn endless(dir: &Path) -> Guest {
    let path = dir.join("endless.wasm");
    fs::write(&path, wat::parse_str(module("(loop $again (br $again))")).unwrap()).unwrap();
    Guest::load_metered(path).unwrap()
}

#[test]
fn ends_a_guest_that_has_no_fuel_left() {
    let dir = tempfile::tempdir().unwrap();
    let outcome = Run::new(&endless(dir.path())).fuel(1_000_000).start().unwrap();
    assert_eq!(outcome.code, 134);
    assert!(outcome.trap.unwrap().contains("all fuel consumed"));
}

#[test]
fn ends_a_guest_whose_time_is_up() {
    let dir = tempfile::tempdir().unwrap();
    let outcome = Run::new(&endless(dir.path())).deadline(Duration::from_millis(50)).start().unwrap();
    assert_eq!(outcome.code, 134);
    assert!(outcome.trap.unwrap().contains("interrupt"));
}

#[test]
fn a_guest_that_is_not_counted_is_given_no_fuel() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module(SAY_HELLO));
    let error = Run::new(&guest).fuel(1).start().unwrap_err().to_string();
    assert!(error.contains("Guest::load_metered"), "{error}");
}

#[test]
fn a_counted_guest_without_limits_runs_as_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("guest.wasm");
    fs::write(&path, wat::parse_str(module(SAY_HELLO)).unwrap()).unwrap();
    for _ in 0..2 {
        let (plain, metered) = (Guest::load(&path).unwrap(), Guest::load_metered(&path).unwrap());
        assert_eq!(Run::new(&plain).start().unwrap().stdout, "hello");
        assert_eq!(Run::new(&metered).start().unwrap().stdout, "hello");
    }
    // The wasm file, and one compilation of each kind.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}

#[test]
fn never_uses_stale_code() {
    let dir = tempfile::tempdir().unwrap();
    for code in [3, 4, 3] {
        let text = module(&format!("(call $exit (i32.const {code}))"));
        for _ in 0..2 {
            let guest = guest(dir.path(), &text);
            assert_eq!(Run::new(&guest).start().unwrap().code, code);
        }
        // The wasm file and its one compilation; nothing else is left lying about.
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}

#[test]
fn compiles_again_when_the_compiled_file_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let text = module(SAY_HELLO);
    guest(dir.path(), &text);
    for entry in fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "cwasm") {
            fs::write(path, b"not compiled code").unwrap();
        }
    }
    assert_eq!(Run::new(&guest(dir.path(), &text)).start().unwrap().stdout, "hello");
}

#[test]
fn runs_sixteen_guests_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let guest = guest(dir.path(), &module(SAY_HELLO));
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(Run::new(&guest).start().unwrap().stdout, "hello");
                }
            });
        }
    });
}
