//! `cargo xtask web`: the page, which is its code and bindings, the shell, styles, scripts and the sample.

mod names;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::small::{self, Aim};
use crate::steps::Steps;
use crate::wasm::{self, Program};
use crate::{cargo, dist, sizes};

/// How the page is built. It has a name of its own because other commands take it among their arguments.
#[derive(clap::Args)]
pub(crate) struct Pace {
    /// Build soon rather than small, for working on the page.
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Makes dist/web and prints how much of it a reader has to fetch.
pub(crate) fn run(pace: &Pace) -> Result<()> {
    let mut steps = Steps::default();
    add(&mut steps, pace.quick);
    steps.add("sizes", || sizes::print(&dist::dir(), &["web"]));
    steps.run()
}

/// Adds the step that makes the page.
pub(crate) fn add(steps: &mut Steps, quick: bool) {
    steps.add("the page, dist/web", move || build(if quick { Program::QUICK_PAGE } else { Program::PAGE }));
}

/// Returns where the page comes to lie.
pub(crate) fn folder() -> PathBuf {
    dist::path("web")
}

/// Builds the page beside the one that is there, then puts it in its place: somebody may be looking at it.
fn build(program: Program) -> Result<()> {
    let code = wasm::build(program)?;
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
    if program.is_small() {
        make_small(&made.join("huddle_web_bg.wasm"), &made.join("huddle_web.js"))?;
    }
    copy_static(&cargo::root(), &made)?;
    let folder = folder();
    if folder.exists() {
        fs::rename(&folder, temp.path().join("old"))?;
    }
    fs::rename(&made, &folder).with_context(|| format!("placing failed: {}", folder.display()))
}

/// Makes the page's code and its bindings smaller.
fn make_small(code: &Path, bindings: &Path) -> Result<()> {
    let (module, script) = names::shorten(&fs::read(code)?, &fs::read_to_string(bindings)?)?;
    fs::write(bindings, script)?;
    Ok(fs::write(code, small::make("web", module, Aim::Fetched)?)?)
}

/// Copies what is not made: the shell, every style (bare) and script of `web/`, and the sample when there is one.
fn copy_static(root: &Path, to: &Path) -> Result<()> {
    copy(&root.join("index.html"), &to.join("index.html"))?;
    let web = root.join("web");
    for name in names_in(&web)? {
        let extension = Path::new(&name).extension().and_then(OsStr::to_str);
        match extension {
            Some("css") => fs::write(to.join(&name), bare(&read(&web.join(&name))?))?,
            Some("js") => copy(&web.join(&name), &to.join(&name))?,
            _ => {}
        }
    }
    if web.join("sample").is_dir() { copy_folder(&web.join("sample"), &to.join("sample")) } else { Ok(()) }
}

/// Takes comments and indents off a style: nobody reads them on their way.
fn bare(style: &str) -> String {
    let (mut bare, mut rest) = (String::with_capacity(style.len()), style);
    while let Some((before, comment)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
    }
    bare.push_str(rest);
    let lines = bare.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |style, line| style + line + "\n")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading failed: {}", path.display()))
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
    fn a_style_says_the_same_without_its_comments() {
        assert_eq!(
            bare("/* a\n b */\n.a {\n  top: 0; /* c */ }\n\n.b::after { content: \"x\"; }\n"),
            ".a {\ntop: 0;  }\n.b::after { content: \"x\"; }\n"
        );
        assert_eq!(bare(".a {}\n/* never ends"), ".a {}\n");
    }

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
