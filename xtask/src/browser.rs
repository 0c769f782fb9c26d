//! The page in a real browser: its tests, its pictures and its speed, all driven by `tests/browser/`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use huddle_view::{Page, Server, Sources};

use crate::results::Results;
use crate::steps::Steps;
use crate::{cargo, mongod, page, tools};

/// How long a file of tests may take, in milliseconds.
const TEST_TIMEOUT_MS: u32 = 300_000;

/// The tests that run the command, which has the page in it.
const VIEW: &str = "view.test.mjs";

/// How many events the log has that the page's speed is measured with.
const EVENTS: &str = "1000000";

/// What to test.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A part of the name of a test file or of a test, instead of all.
    filter: Vec<String>,
    #[command(flatten)]
    profile: page::PageProfile,
}

/// Builds the page and tests it.
pub(crate) fn run(args: Args) -> Result<()> {
    let mut steps = Steps::default();
    page::add(&mut steps, args.profile.quick);
    let results = Arc::default();
    add(&mut steps, args.filter, &results);
    steps.run_tests(&results)
}

/// Returns whether a test, or a file of tests, has a word in its name.
pub(crate) fn has_test(word: &str) -> Result<bool> {
    for file in test_files()? {
        let text = fs::read_to_string(&file)?;
        let mut names = text.lines().filter(|line| line.trim_start().starts_with("test("));
        if file.file_name().is_some_and(|name| name.to_string_lossy().contains(word))
            || names.any(|name| name.contains(word))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds the step that tests the page that is there.
pub(crate) fn add(steps: &mut Steps, filter: Vec<String>, results: &Arc<Results>) {
    let results = Arc::clone(results);
    if runs_command(&filter) {
        steps.add("the native command with the viewer", || build_command().map(drop));
    }
    steps.add("the page in a browser", move || {
        let mut node = PageServer::new(&fixtures())?.node();
        if runs_command(&filter) {
            node.command.env("HUDDLE_COMMAND", build_command()?).env("HUDDLE_LOG", large_log()?);
        }
        node.command.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]);
        node.command.arg(format!("--test-timeout={TEST_TIMEOUT_MS}"));
        node.command.args(selected(&test_files()?, &filter));
        results.of_node(node.command)
    });
}

/// Returns whether some of the selected tests run the command.
fn runs_command(filter: &[String]) -> bool {
    let text = fs::read_to_string(folder().join(VIEW)).unwrap_or_default();
    let names = || text.lines().filter(|line| line.trim_start().starts_with("test("));
    filter.is_empty() || filter.iter().any(|part| VIEW.contains(part) || names().any(|name| name.contains(part)))
}

/// Builds the command with the page that is there, otherwise as for the native tests.
fn build_command() -> Result<PathBuf> {
    mongod::build("huddle", &["--features", "huddle/viewer"])
}

/// Builds the page and takes the pictures of the documentation.
pub(crate) fn shots(profile: &page::PageProfile) -> Result<()> {
    let mut steps = Steps::default();
    page::add(&mut steps, profile.quick);
    steps.add("pictures, docs/shots", || {
        let shots = cargo::root().join("docs/shots");
        fs::create_dir_all(&shots)?;
        let mut node = PageServer::new(&fixtures())?.node();
        node.command.arg(folder().join("shots.mjs")).env("HUDDLE_SHOTS", shots);
        node.run()
    });
    steps.run()
}

/// Measures the page that is there beside plain JavaScript; the numbers go to a file, too, when one is given.
pub(crate) fn bench(numbers: Option<&Path>) -> Result<()> {
    let log = large_log()?;
    let mut node = PageServer::new(&log)?.node();
    node.command.arg(folder().join("bench.mjs")).env("HUDDLE_LOG", &log);
    if let Some(file) = numbers {
        node.command.arg("--json").arg(file);
    }
    node.run()
}

/// A browser that is there, and a server that shows it the page.
struct PageServer {
    browser: std::ffi::OsString,
    server: Server,
}

/// A run of Node while the server runs.
struct Node {
    command: Command,
    _server: Server,
}

impl PageServer {
    /// Ensures the programs that are needed and serves the page with something to show.
    fn new(shown: &Path) -> Result<Self> {
        let browser = tools::chromium()?;
        tools::require_node()?;
        tools::install_packages(&folder(), "drives the browser")?;
        let server = Server::start(Page::in_dir(page::folder()), Sources::open(&[shown])?, 0)?;
        Ok(Self { browser, server })
    }

    /// Describes a start of Node that finds the page, the browser and the fixtures.
    fn node(self) -> Node {
        let mut command = Command::new("node");
        command.current_dir(cargo::root());
        command.env("HUDDLE_PAGE", self.server.url()).env("HUDDLE_FIXTURES", fixtures());
        command.env(tools::CHROMIUM, self.browser);
        Node { command, _server: self.server }
    }
}

impl Node {
    /// Runs it to its end; the server goes with it.
    fn run(self) -> Result<()> {
        cargo::finish(self.command)
    }
}

/// Writes the log that speed is measured with, unless it is there: the same for the same generator.
fn large_log() -> Result<PathBuf> {
    let log = cargo::target().join(format!("bench/events-{EVENTS}.jsonl"));
    if log.exists() {
        return Ok(log);
    }
    eprintln!("writing a log of {EVENTS} events …");
    let dir = log.parent().context("the log has a folder")?;
    fs::create_dir_all(dir)?;
    // One that is cut short must never be taken for the whole.
    let temp = tempfile::Builder::new().prefix(".new-").tempdir_in(dir)?;
    let new = temp.path().join("log");
    let mut python = Command::new("python3");
    python.arg(fixtures().join("make_log.py")).arg(EVENTS).stdout(File::create(&new)?);
    cargo::finish(python).context("the log is written by tests/fixtures/make_log.py: install python3 and try again")?;
    fs::rename(&new, &log).with_context(|| format!("placing failed: {}", log.display()))?;
    Ok(log)
}

/// Returns which files to run, and which tests of them: a filter that fits no file's name is for the names of tests.
fn selected(files: &[PathBuf], filter: &[String]) -> Vec<String> {
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_file = |filter: &&String| files.iter().any(|file| name(file).contains(filter.as_str()));
    let (for_files, for_tests): (Vec<&String>, Vec<&String>) = filter.iter().partition(of_file);
    let mut args: Vec<String> = for_tests.iter().map(|filter| format!("--test-name-pattern={filter}")).collect();
    let wanted =
        files.iter().filter(|file| for_files.is_empty() || for_files.iter().any(|part| name(file).contains(*part)));
    args.extend(wanted.map(|file| file.to_string_lossy().into_owned()));
    args
}

/// Lists the test files, sorted.
fn test_files() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    ensure!(!files.is_empty(), "looking for the page's tests: there is no *.test.mjs: {}", folder().display());
    files.sort();
    Ok(files)
}

fn folder() -> PathBuf {
    cargo::root().join("tests/browser")
}

fn fixtures() -> PathBuf {
    cargo::root().join("tests/fixtures")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_for_files_first_and_for_tests_otherwise() {
        let check = |filter: &[&str], wanted: &[&str]| {
            let filter: Vec<String> = filter.iter().map(|&part| part.to_owned()).collect();
            assert_eq!(selected(&["t/open.test.mjs".into(), "t/live.test.mjs".into()], &filter), wanted);
        };
        check(&[], &["t/open.test.mjs", "t/live.test.mjs"]);
        check(&["live"], &["t/live.test.mjs"]);
        check(&["drop"], &["--test-name-pattern=drop", "t/open.test.mjs", "t/live.test.mjs"]);
        check(&["live", "drop"], &["--test-name-pattern=drop", "t/live.test.mjs"]);
    }
}
