//! Everything that runs guests, in one program: each module is one subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod artifacts;
mod ask;
mod attacks;
mod crowd;
mod embedding;
mod examples;
mod exit_codes;
mod history;
mod host;
mod host_command;
mod interface;
mod interop;
mod invoke;
mod kill;
mod mcp;
mod mongodb;
mod other_hosts;
mod sessions;
mod stalls;

/// Cargo no longer looks for test files here, so a file that nobody names would be a test that nobody runs.
#[test]
fn every_file_here_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let named = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(name == "main" || named.contains(&format!("\nmod {name};\n")), "tests/main.rs has no `mod {name};`");
    }
}
