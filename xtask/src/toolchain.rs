//! Ensures that the toolchain has the targets and components we ask of it.
//!
//! `rust-toolchain.toml` names them all, but rustup fetches them by itself only where automatic
//! installation is on; where it is off the first cross build would end in "can't find crate for
//! `core`", which tells a newcomer nothing.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::cmd;

use crate::cargo;

/// The page's target.
pub(crate) const WEB: &str = "wasm32-unknown-unknown";
/// The core module's target, WASI 0.1.
pub(crate) const P1: &str = "wasm32-wasip1";
/// The component's target, WASI 0.2.
pub(crate) const P2: &str = "wasm32-wasip2";

/// Installs those of `targets` that the toolchain lacks.
pub(crate) fn ensure_targets(targets: &[&str]) -> Result<()> {
    let rustlib = sysroot()?.join("lib/rustlib");
    add_missing("target", targets, |target| rustlib.join(target).join("lib").is_dir())
}

/// Installs clippy and rustfmt when the toolchain lacks them.
fn ensure_lint_tools() -> Result<()> {
    let bin = sysroot()?.join("bin");
    let has = |tool: &str| has_program(&bin, tool);
    add_missing("component", &["clippy", "rustfmt"], |component| match component {
        "clippy" => has("cargo-clippy"),
        _ => has("rustfmt"),
    })
}

/// Returns the compiler that is clippy, which is installed when the toolchain lacks it.
pub(crate) fn clippy() -> Result<PathBuf> {
    ensure_lint_tools()?;
    Ok(sysroot()?.join("bin").join(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX)))
}

fn add_missing(kind: &str, wanted: &[&str], present: impl Fn(&str) -> bool) -> Result<()> {
    let missing: Vec<_> = wanted.iter().copied().filter(|name| !present(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    eprintln!("adding to the toolchain: {names}");
    let sh = cargo::shell()?;
    cmd!(sh, "rustup {kind} add {missing...}")
        .run()
        .with_context(|| format!("the toolchain lacks {names}; install rustup, or add each {kind} by other means"))
}

fn sysroot() -> Result<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sh = cargo::shell()?;
    Ok(cmd!(sh, "{rustc} --print sysroot").read()?.into())
}

fn has_program(bin: &Path, name: &str) -> bool {
    bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).exists()
}
