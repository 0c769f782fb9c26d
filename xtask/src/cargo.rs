//! Calls cargo, the one that called us, and other programs from the workspace root.
//!
//! What is only run or read is a [`cmd!`]; a [`Command`] is described in one place and started in another, or read as it runs.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// Returns the workspace root.
pub(crate) fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// Returns the folder that cargo builds in.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns a cargo command that runs in the workspace root.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs cargo and fails when it fails.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let sh = shell()?;
    Ok(cmd!(sh, "cargo {args...}").quiet().run()?)
}

/// Returns a shell in the workspace root.
pub(crate) fn shell() -> Result<Shell> {
    let sh = Shell::new()?;
    sh.change_dir(root());
    Ok(sh)
}

/// Runs a command to its end and fails, naming it, when it fails.
pub(crate) fn finish(mut command: Command) -> Result<()> {
    let line = show(&command);
    let status = command.status().with_context(|| format!("starting failed: {line}"))?;
    ensure!(status.success(), "{status}: {line}");
    Ok(())
}

/// Runs a command and returns what it wrote to stdout; its stderr stays visible.
pub(crate) fn read(mut command: Command) -> Result<String> {
    let line = show(&command);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("starting failed: {line}"))?;
    ensure!(output.status.success(), "{}: {line}", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("output is not text: {line}"))
}

/// Writes a command for people to read.
pub(crate) fn show(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut line = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}
