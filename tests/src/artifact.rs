//! Finds what `cargo xtask build` made, and says so when it is not there.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::{Result, ensure};

use crate::Guest;

/// Names the variable that points at another `dist` folder than the workspace's own.
const DIST: &str = "HUDDLE_DIST";

/// Returns the path of an artifact under `dist/`, or an error that says how to make it.
///
/// A test that needs an artifact fails without it: a skipped test is a test nobody runs.
pub fn path(name: &str) -> Result<PathBuf> {
    let dist = match std::env::var_os(DIST) {
        Some(dist) => PathBuf::from(dist),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../dist"),
    };
    let path = dist.join(name);
    ensure!(path.exists(), "looking for {name}: not built yet; run `cargo xtask build` first: {}", path.display());
    Ok(path)
}

/// Returns `dist/huddle.wasm`, the component, compiled once per process.
pub fn component() -> Result<&'static Guest> {
    static GUEST: OnceLock<Result<Guest, String>> = OnceLock::new();
    load_once(&GUEST, "huddle.wasm")
}

/// Returns `dist/huddle-p1.wasm`, the core module, compiled once per process.
pub fn module() -> Result<&'static Guest> {
    static GUEST: OnceLock<Result<Guest, String>> = OnceLock::new();
    load_once(&GUEST, "huddle-p1.wasm")
}

/// Returns the path of `dist/huddle`, the native command as it is shipped: what is measured.
pub fn shipped() -> Result<PathBuf> {
    path(&format!("huddle{}", std::env::consts::EXE_SUFFIX))
}

/// Returns the path of the native command as `cargo build -p huddle` makes it: what is tested.
pub fn native() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"));
    let path = target.join(format!("debug/huddle{}", std::env::consts::EXE_SUFFIX));
    ensure!(path.exists(), "looking for the native command: run `cargo build -p huddle` first: {}", path.display());
    Ok(path)
}

fn load_once(slot: &'static OnceLock<Result<Guest, String>>, name: &str) -> Result<&'static Guest> {
    // Errors are kept as text because every later caller gets the same one.
    slot.get_or_init(|| path(name).and_then(Guest::load).map_err(|e| format!("{e:#}")))
        .as_ref()
        .map_err(|text| anyhow::anyhow!("{text}"))
}
