//! A project directory with a bus in it: agents run the component there, and a test looks at the files they leave.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{Clock, Outcome, Run, artifact};

/// A project directory, which may be used from many threads at once.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// Takes a directory as it is.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Creates a bus in a directory, with these agents registered on it.
    pub fn with_agents(root: impl Into<PathBuf>, agents: &[&str]) -> Result<Self> {
        let project = Self::at(root);
        project.json("", &["init"])?;
        for agent in agents {
            project.json(agent, &["register", agent, "--role", "builder"])?;
        }
        Ok(project)
    }

    /// Copies everything into another directory, which is made for it, with the files' times: by its time a journal is
    /// known to have been written where it is.
    pub fn copy_to(&self, root: impl Into<PathBuf>) -> Result<Self> {
        let copy = Self::at(root);
        copy_dir(&self.root, &copy.root)?;
        Ok(copy)
    }

    /// Returns the project directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path below the bus's directory.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(".agent-messages").join(path)
    }

    /// Describes a start of the component by an agent, with the project directory as the only thing in reach.
    pub fn run(&self, agent: &str, args: &[&str]) -> Result<Run<'static>> {
        let run = Run::new(artifact::component()?).env("HUDDLE_AGENT", agent).dir(&self.root, ".");
        Ok(run.args(args.iter().copied()))
    }

    /// Runs a command that must succeed, and returns the one JSON document that it printed.
    pub fn json(&self, agent: &str, args: &[&str]) -> Result<Value> {
        self.json_at(Clock::Host, agent, args)
    }

    /// Like the above at a time of the caller's choice.
    pub fn json_at(&self, clock: Clock, agent: &str, args: &[&str]) -> Result<Value> {
        let outcome = self.run(agent, args)?.arg("--json").clock(clock).start()?;
        ensure!(outcome.code == 0, "`huddle {}` by {agent:?} failed: {outcome:?}", args.join(" "));
        answer(&outcome).with_context(|| format!("`huddle {}` by {agent:?}", args.join(" ")))
    }

    /// Reads the registry as it lies on disk.
    pub fn registry(&self) -> Result<Value> {
        read_json(&self.path("registry.json"))
    }

    /// Reads the messages in a folder of the bus, by id; what is no JSON file is passed over.
    pub fn messages(&self, folder: &str) -> Result<BTreeMap<String, Value>> {
        let mut messages = BTreeMap::new();
        for name in self.names(folder)? {
            if let Some(id) = name.strip_suffix(".json") {
                messages.insert(id.to_owned(), read_json(&self.path(folder).join(&name))?);
            }
        }
        Ok(messages)
    }

    /// Lists the names in a folder of the bus, sorted; a folder that is not there is empty.
    pub fn names(&self, folder: &str) -> Result<Vec<String>> {
        let path = self.path(folder);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).with_context(|| format!("listing failed: {}", path.display()))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }
}

/// Takes the one JSON document that a command printed with `--json`.
pub fn answer(outcome: &Outcome) -> Result<Value> {
    serde_json::from_str(&outcome.stdout).with_context(|| format!("not one JSON document: {outcome:?}"))
}

fn read_json(path: &Path) -> Result<Value> {
    let bytes = fs::read(path).with_context(|| format!("reading failed: {}", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("not JSON: {}", path.display()))
}

fn copy_dir(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("listing failed: {}", from.display()))? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_dir(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
            fs::File::options().write(true).open(&target)?.set_modified(fs::metadata(&path)?.modified()?)?;
        }
    }
    Ok(())
}
