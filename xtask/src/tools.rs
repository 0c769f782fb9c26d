//! Programs that we do not bring along: a browser, what drives it, and what the tests call.

use std::ffi::OsString;
use std::path::Path;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::cargo;

/// Names the variable that points at another browser than Debian's.
pub(crate) const CHROMIUM: &str = "HUDDLE_CHROMIUM";

/// The oldest Node whose test runner has all options that we give it, and which has `zlib.crc32`.
const NODE: (u32, u32) = (20, 15);

/// How a program shows that it is there, and the packages that Debian has it in.
type Called = (&'static [&'static str], &'static [&'static str]);

/// What the tests call by name. Debian's Python comes without what makes environments and without pip.
const CALLED: [Called; 2] = [
    (&["jq", "--version"], &["jq"]),
    (
        &["python3", "-c", "import sys, ensurepip, pip, venv; sys.exit(sys.version_info < (3, 11))"],
        &["python3", "python3-pip", "python3-venv"],
    ),
];

/// Finds Chromium; as root it installs it with apt-get where there is none.
pub(crate) fn chromium() -> Result<OsString> {
    let browser = env::var_os(CHROMIUM).unwrap_or_else(|| "/usr/bin/chromium".into());
    if version(&browser).is_some() {
        return Ok(browser);
    }
    let shown = browser.to_string_lossy();
    let advice = format!(
        "the page is tested in Chromium, and there is none: install it (apt-get install chromium), \
         or set {CHROMIUM} to one: {shown}"
    );
    ensure!(env::var_os(CHROMIUM).is_none(), "{advice}");
    install(&["chromium"], &advice)?;
    ensure!(version(&browser).is_some(), "{advice}");
    Ok(browser)
}

/// Ensures that jq and Python are there; as root it installs with apt-get what is missing.
pub(crate) fn require_jq_and_python() -> Result<()> {
    let packages = missing(&CALLED);
    if packages.is_empty() {
        return Ok(());
    }
    let advice = format!(
        "the tests call jq, and Python 3.11 or newer with pip and venv: install what is missing (apt-get install {})",
        packages.join(" ")
    );
    install(&packages, &advice)?;
    ensure!(missing(&CALLED).is_empty(), "{advice}");
    Ok(())
}

/// Lists the packages of those programs that do not show that they are there.
fn missing(called: &[Called]) -> Vec<&'static str> {
    let shows = |start: &[&str]| {
        let Ok(sh) = cargo::shell() else { return false };
        sh.cmd(start[0]).args(&start[1..]).quiet().ignore_stdout().ignore_stderr().run().is_ok()
    };
    called.iter().filter(|(start, _)| !shows(start)).flat_map(|(_, packages)| packages.iter().copied()).collect()
}

/// Installs packages with apt-get; whoever may not is told the advice instead.
fn install(packages: &[&str], advice: &str) -> Result<()> {
    ensure!(is_root(), "{advice}");
    eprintln!("installing {} with apt-get …", packages.join(" "));
    let sh = cargo::shell()?;
    sh.set_var("DEBIAN_FRONTEND", "noninteractive");
    for apt_get in [cmd!(sh, "apt-get update"), cmd!(sh, "apt-get install -y --no-install-recommends {packages...}")] {
        apt_get.ignore_stdout().run().with_context(|| advice.to_owned())?;
    }
    Ok(())
}

/// Ensures that Node and npm are there, and new enough.
pub(crate) fn require_node() -> Result<()> {
    let (major, minor) = NODE;
    let advice = format!("the page's tests run on Node {major}.{minor} or newer with npm: install both");
    let Some(found) = version(&"node".into()) else { bail!("{advice}; there is no `node`") };
    let is_new = numbers(&found).is_some_and(|found| found >= NODE);
    ensure!(is_new, "{advice}; `node --version` says {found}");
    ensure!(version(&"npm".into()).is_some(), "{advice}; there is no `npm`");
    Ok(())
}

/// Installs the packages of a folder's lock file, unless they are there already; `purpose` is what they are for.
pub(crate) fn install_packages(folder: &Path, purpose: &str) -> Result<()> {
    let changed = |path: &str| fs::metadata(folder.join(path)).and_then(|file| file.modified()).ok();
    let (lock, installed) = (changed("package-lock.json"), changed("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lock {
        return Ok(());
    }
    eprintln!("installing what {purpose} with npm …");
    let sh = cargo::shell()?;
    sh.change_dir(folder);
    let lock = folder.join("package-lock.json");
    let npm = cmd!(sh, "npm ci --ignore-scripts --loglevel=error");
    npm.run().with_context(|| format!("npm could not install the packages of {}", lock.display()))
}

/// Asks a program for its version; one that is not there or does not start has none.
fn version(program: &OsString) -> Option<String> {
    let sh = cargo::shell().ok()?;
    cmd!(sh, "{program} --version").ignore_stderr().read().ok()
}

/// Reads the first two numbers of a version such as `v20.11.1`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn is_root() -> bool {
    cargo::shell().is_ok_and(|sh| cmd!(sh, "id -u").read().is_ok_and(|user| user == "0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("v20.11.1"), Some((20, 11)));
        assert!(numbers("v20.9.0").is_some_and(|old| old < NODE));
        assert!(numbers("v100.0.0").is_some_and(|new| new > NODE));
        assert_eq!(numbers("twenty"), None);
    }

    #[test]
    fn programs_that_are_absent_or_fail_are_missing() {
        let called: [Called; 3] = [
            (&["cargo", "--version"], &["there"]),
            (&["no-such-program"], &["a", "b"]),
            (&["cargo", "no-such-command"], &["c"]),
        ];
        assert_eq!(missing(&called), ["a", "b", "c"]);
    }
}
