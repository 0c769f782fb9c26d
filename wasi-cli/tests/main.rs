//! The command and what it stands on, in one program: each module is one subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod command;
mod suite;
// The rest needs processes, or files of the repository, which a component does not see.
#[cfg(not(target_family = "wasm"))]
mod attacks;
#[cfg(not(target_family = "wasm"))]
mod corpus;
#[cfg(not(target_family = "wasm"))]
mod history;
#[cfg(not(target_family = "wasm"))]
mod stalls;

/// Cargo no longer looks for test files here, so a file that nobody names would be a test that nobody runs.
#[cfg(not(target_family = "wasm"))]
#[test]
fn every_file_here_is_a_module() {
    let named = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_program = name == "main" || name == "sample";
        assert!(is_program || named.contains(&format!("\nmod {name};\n")), "tests/main.rs has no `mod {name};`");
    }
}
