//! `cargo xtask web`: the page, which is its code and bindings, the shell, styles, scripts and the sample.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::steps::Steps;
use crate::wasm::{self, Program};
use crate::{cargo, dist, sizes};

/// How the page is built. It has a name of its own because other commands take it among their arguments.
#[derive(clap::Args)]
pub(crate) struct PageProfile {
    /// Build faster, and larger, for working on the page.
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Makes dist/web and prints how much of it a reader has to fetch.
pub(crate) fn run(profile: &PageProfile) -> Result<()> {
    let mut steps = Steps::default();
    add(&mut steps, profile.quick);
    steps.add("sizes", || sizes::print(&dist::dir(), &["web"]));
    steps.run()
}

/// Adds the step that makes the page.
pub(crate) fn add(steps: &mut Steps, quick: bool) {
    steps.add("the page, dist/web", move || {
        assemble(&wasm::build(if quick { Program::QUICK_PAGE } else { Program::PAGE })?)
    });
}

/// Returns where the page comes to lie.
pub(crate) fn folder() -> PathBuf {
    dist::path("web")
}

/// Makes the page of its code beside the one that is there, then puts it in its place: somebody may be looking at it.
pub(crate) fn assemble(code: &Path) -> Result<()> {
    fs::create_dir_all(dist::dir())?;
    let temp = tempfile::Builder::new().prefix(".new-").tempdir_in(dist::dir())?;
    let made = temp.path().join("web");
    fs::create_dir(&made)?;
    Bindgen::new()
        .input_path(code)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("huddle_web")
        .generate(&made)
        .context("making the page's bindings failed")?;
    copy_static(&cargo::root(), &made)?;
    let folder = folder();
    // Whatever embeds the page is compiled again when its files are new.
    if contents(&folder)? == contents(&made)? {
        return Ok(());
    }
    if folder.exists() {
        fs::rename(&folder, temp.path().join("old"))?;
    }
    fs::rename(&made, &folder).with_context(|| format!("placing failed: {}", folder.display()))
}

/// Reads all files of a folder, by path; one that does not exist has none.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut read = BTreeMap::new();
    if folder.is_dir() {
        for path in sizes::files(folder)? {
            read.insert(path.strip_prefix(folder)?.to_owned(), fs::read(&path)?);
        }
    }
    Ok(read)
}

/// Copies what is not made: the shell, every style and script of `web/`, and the sample when there is one.
fn copy_static(root: &Path, to: &Path) -> Result<()> {
    copy(&root.join("index.html"), &to.join("index.html"))?;
    let web = root.join("web");
    for name in names_in(&web)? {
        let extension = Path::new(&name).extension().and_then(OsStr::to_str);
        if matches!(extension, Some("css" | "js")) {
            copy(&web.join(&name), &to.join(&name))?;
        }
    }
    if web.join("sample").is_dir() { copy_folder(&web.join("sample"), &to.join("sample")) } else { Ok(()) }
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for name in names_in(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() { copy_folder(&from, &to)? } else { copy(&from, &to)? }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("copying failed: {}", from.display()))?;
    Ok(())
}

/// Lists what is in a folder, sorted.
fn names_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_dir(folder).with_context(|| format!("listing failed: {}", folder.display()))?;
    let mut names = listed.map(|entry| Ok(PathBuf::from(entry?.file_name()))).collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_scripts_and_the_sample_are_copied_and_nothing_else() {
        let (root, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(root.path().join("web/sample/.agent-messages/inbox")).unwrap();
        let files =
            ["index.html", "web/a.css", "web/b.js", "web/Cargo.toml", "web/sample/.agent-messages/inbox/m.json"];
        for file in files {
            fs::write(root.path().join(file), file).unwrap();
        }
        copy_static(root.path(), to.path()).unwrap();
        let there = |name: &str| to.path().join(name).is_file();
        assert!(there("index.html") && there("a.css") && there("b.js"));
        assert!(there("sample/.agent-messages/inbox/m.json"));
        assert!(!there("Cargo.toml"));
    }
}
