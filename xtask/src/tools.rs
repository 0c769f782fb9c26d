//! Programs that we do not bring along: a browser, and what drives it.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo;

/// Names the variable that points at another browser than Debian's.
pub(crate) const CHROMIUM: &str = "HUDDLE_CHROMIUM";

/// The oldest Node whose test runner has all options that we give it.
const NODE: (u32, u32) = (20, 11);

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
    ensure!(env::var_os(CHROMIUM).is_none() && is_root(), "{advice}");
    eprintln!("installing chromium with apt-get …");
    for args in [&["update"][..], &["install", "-y", "--no-install-recommends", "chromium"]] {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        cargo::finish(command).with_context(|| advice.clone())?;
    }
    ensure!(version(&browser).is_some(), "{advice}");
    Ok(browser)
}

/// Makes sure that Node and npm are there, and new enough.
pub(crate) fn require_node() -> Result<()> {
    let (major, minor) = NODE;
    let advice = format!(
        "making the shipped files small and the page's tests run on Node {major}.{minor} or newer with npm: install both"
    );
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
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--loglevel=error"]).current_dir(folder);
    let lock = folder.join("package-lock.json");
    cargo::finish(npm).with_context(|| format!("npm could not install the packages of {}", lock.display()))
}

/// Asks a program for its version; one that is not there or does not start has none.
fn version(program: &OsString) -> Option<String> {
    let asked = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).trim().to_owned())
}

/// Reads the first two numbers of a version such as `v20.11.1`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|user| user.stdout.trim_ascii() == b"0")
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
}
