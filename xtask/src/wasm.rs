//! Owns the question "is this program fresh?": cargo is asked every time, and names the file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{cargo, check, interface, toolchain, zig};

/// The profile of the component with MongoDB's driver, and of tests for it.
pub(crate) const NETWORK: &str = "network";

/// Tokio has sockets under WASI, but does not promise to keep them; the lock file names the version that we use them with.
const TOKIO_UNSTABLE: &str = r#"rustflags=["--cfg","tokio_unstable"]"#;

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
    /// The native command, with the page that is there.
    pub(crate) const NATIVE: Self =
        Self { package: "huddle", name: "huddle", profile: "release", target: None, features: Some("mongodb viewer") };
    /// The host that runs tests built for WASI; as the tests are built, so that wasmtime is built once.
    pub(crate) const HOST: Self = Self::host("huddle-host");
    /// The story of the demo, and the host that plays it.
    pub(crate) const DEMO: Self = Self::host("huddle-demo");

    const fn host(name: &'static str) -> Self {
        Self { package: "huddle-tests", name, profile: "dev", target: None, features: None }
    }

    const fn page(profile: &'static str) -> Self {
        Self { package: "huddle-web", name: "huddle-web", profile, target: Some(toolchain::WEB), features: None }
    }

    const fn wasi(target: &'static str) -> Self {
        Self { package: "huddle", name: "huddle", profile: "wasm", target: Some(target), features: Some("") }
    }

    fn has_tools(self) -> bool {
        self.features == Some("tools")
    }

    /// Describes the build, whose messages name the file.
    pub(crate) fn command(self) -> Result<Command> {
        let mut command = cargo::command(&["build", "--bin", self.name, "--profile", self.profile]);
        command.arg("--message-format=json-render-diagnostics").args(self.selection());
        if let Some(target) = self.target {
            toolchain::ensure_targets(&[target])?;
        }
        match self.profile {
            NETWORK => enable_network(&mut command)?,
            "dev" => check::with_clippy_wrapper(&mut command)?,
            _ => {}
        }
        Ok(command)
    }

    /// Counts the packages that it is made of.
    pub(crate) fn packages(self) -> Result<usize> {
        let mut tree = cargo::command(&["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]);
        tree.args(self.selection());
        let listed = cargo::read(tree)?;
        Ok(listed.lines().map(|line| line.trim_end_matches(" (*)")).collect::<BTreeSet<_>>().len())
    }

    /// Finds its file among cargo's messages.
    pub(crate) fn executable(self, messages: &str) -> Result<PathBuf> {
        executable(messages, self.name).with_context(|| format!("cargo built {} but named no file", self.name))
    }

    /// Tells cargo what to build, and for which machine.
    fn selection(self) -> Vec<&'static str> {
        let features = self.features.map(|features| ["--no-default-features", "--features", features]);
        let target = self.target.map(|target| ["--target", target]);
        let parts = features.into_iter().flatten().chain(target.into_iter().flatten());
        ["--package", self.package].into_iter().chain(parts).collect()
    }
}

/// Brings a program up to date and returns the file that cargo made.
///
/// Everything that needs a program takes the path from cargo's own answer, so that no one ever runs a stale file or
/// looks in the wrong target directory.
pub(crate) fn build(program: Program) -> Result<PathBuf> {
    program.executable(&cargo::read(program.command()?)?)
}

/// Adds what MongoDB's driver needs to be built for WASI 0.2. The component and its tests are built in the same way, so that
/// the driver is compiled once.
pub(crate) fn enable_network(command: &mut Command) -> Result<()> {
    command.args(["--config", &format!("target.{}.{TOKIO_UNSTABLE}", toolchain::P2)]);
    zig::configure(command)
}

/// Brings a program up to date and puts a copy at `to`.
pub(crate) fn install(program: Program, to: &Path) -> Result<()> {
    place(program, &build(program)?, to)
}

/// Puts a copy of what was built at `to`, in one step for whoever runs it meanwhile.
pub(crate) fn place(program: Program, built: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("an artifact has a folder")?;
    fs::create_dir_all(folder)?;
    let temp = tempfile::Builder::new().prefix(".new-").tempdir_in(folder)?;
    let copy = temp.path().join("copy");
    // fs::copy keeps the executable bit.
    fs::copy(built, &copy)?;
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
