//! Owns the question "is this program fresh?": cargo is asked every time, and names the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{cargo, interface, toolchain, zig};

/// The profile of the component with MongoDB's driver, and of tests for it.
pub(crate) const NETWORK: &str = "network";

/// Tokio has sockets under WASI, but does not promise to keep them; the lock file names the version that we use them with.
const WITH_SOCKETS: &str = r#"rustflags=["--cfg","tokio_unstable"]"#;

/// One program, built one way.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    package: &'static str,
    name: &'static str,
    profile: &'static str,
    target: Option<&'static str>,
    /// The only features, or `None` for those that are on by default.
    features: Option<&'static str>,
}

impl Program {
    /// The component, WASI 0.2.
    pub(crate) const COMPONENT: Self = Self::wasi(toolchain::P2);
    /// The same for hosts that make a tool of each exported function.
    pub(crate) const TOOLS: Self = Self { features: Some("tools"), ..Self::COMPONENT };
    /// The component with the bus in MongoDB, too.
    pub(crate) const MONGODB: Self = Self { profile: NETWORK, features: Some("mongodb"), ..Self::COMPONENT };
    /// The core module, WASI 0.1.
    pub(crate) const MODULE: Self = Self::wasi(toolchain::P1);
    /// The page's code, before wasm-bindgen has seen it.
    pub(crate) const PAGE: Self = Self::page("page");
    /// The same, built faster and larger.
    pub(crate) const QUICK_PAGE: Self = Self::page("page-quick");
    /// The native command.
    pub(crate) const NATIVE: Self =
        Self { package: "huddle", name: "huddle", profile: "release", target: None, features: None };
    /// The host that runs tests built for WASI; never optimised, so that wasmtime is built once.
    pub(crate) const HOST: Self =
        Self { package: "huddle-tests", name: "huddle-host", profile: "dev", target: None, features: None };

    const fn page(profile: &'static str) -> Self {
        Self { package: "huddle-web", name: "huddle-web", profile, target: Some(toolchain::WEB), features: None }
    }

    const fn wasi(target: &'static str) -> Self {
        Self { package: "huddle", name: "huddle", profile: "wasm", target: Some(target), features: Some("") }
    }

    fn has_tools(self) -> bool {
        self.features == Some("tools")
    }
}

/// Brings a program up to date and returns the file that cargo made.
///
/// Everything that needs a program comes through here and takes the path from cargo's own
/// answer, so that no one ever runs a stale file or looks in the wrong target directory.
pub(crate) fn build(program: Program) -> Result<PathBuf> {
    let mut command = cargo::command(&["build", "--package", program.package, "--bin", program.name]);
    command.args(["--profile", program.profile, "--message-format=json-render-diagnostics"]);
    if let Some(features) = program.features {
        command.args(["--no-default-features", "--features", features]);
    }
    if let Some(target) = program.target {
        toolchain::ensure_targets(&[target])?;
        command.args(["--target", target]);
    }
    if program.profile == NETWORK {
        give_network(&mut command)?;
    }
    let messages = cargo::read(command)?;
    executable(&messages, program.name).with_context(|| format!("cargo built {} but named no file", program.name))
}

/// Adds what MongoDB's driver needs to be built for WASI 0.2. The component and its tests are built in the same way, so that
/// the driver is compiled once.
pub(crate) fn give_network(command: &mut Command) -> Result<()> {
    command.args(["--config", &format!("target.{}.{WITH_SOCKETS}", toolchain::P2)]);
    zig::give_to(command)
}

/// Brings a program up to date and puts a copy at `to`, in one step for whoever runs it meanwhile.
pub(crate) fn install(program: Program, to: &Path) -> Result<()> {
    let built = build(program)?;
    let folder = to.parent().context("an artifact has a folder")?;
    fs::create_dir_all(folder)?;
    let temp = tempfile::Builder::new().prefix(".new-").tempdir_in(folder)?;
    let copy = temp.path().join("copy");
    // fs::copy keeps the executable bit.
    fs::copy(&built, &copy)?;
    if program.has_tools() {
        let mut component = fs::read(&copy)?;
        interface::describe(&mut component)?;
        fs::write(&copy, component)?;
    }
    fs::rename(&copy, to).with_context(|| format!("placing failed: {}", to.display()))
}

/// Finds the program's file among cargo's messages, one JSON object a line.
pub(crate) fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_file_that_cargo_names() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"huddle"},"executable":null}
not json
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"/t/other.wasm"}
{"reason":"compiler-artifact","target":{"name":"huddle"},"executable":"/t/huddle.wasm"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "huddle"), Some(PathBuf::from("/t/huddle.wasm")));
        assert_eq!(executable(messages, "absent"), None);
    }
}
