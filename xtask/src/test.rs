//! `cargo xtask test`: everything that must hold, from formatting to guests under wasmtime and the page in a browser.

use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::check::{self, NATIVE};
use crate::names::TestSources;
use crate::results::Results;
use crate::steps::Steps;
use crate::toolchain::{P1, P2};
use crate::wasm::{self, Program};
use crate::{browser, build, cargo, mongod, page, tools};

/// The sources of what is tested natively.
const NATIVE_SOURCES: [&str; 11] = [
    "core/src",
    "core/scan/src",
    "mongodb/src",
    "mongodb/tests",
    "tests/mongod/src",
    "view/src",
    "wasi-cli/src",
    "wasi-cli/tests",
    "web/model/src",
    "web/model/tests",
    "xtask/src",
];

/// The sources of what runs guests.
const GUEST_SOURCES: [&str; 2] = ["tests/src", "tests/tests"];

/// What is compiled for WASI as it is for the component, which has none of what is on by default.
const ON_WASI: [&str; 7] =
    ["--package", "huddle-scan", "--package", "huddle-core", "--package", "huddle", "--no-default-features"];

/// What to test.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A part of the names of tests: only those run, natively, as guests and in the browser, and only what they need is built.
    name: Option<String>,
    /// Run what takes long or concerns few, too: the other forms of the component, hosts that are not ours, large crowds, and
    /// kills after every host call.
    #[arg(long)]
    all: bool,
}

/// Which tests there are of that name, and what they need.
struct Plan {
    all: bool,
    /// Nothing for all tests.
    name: Option<String>,
    native: bool,
    guests: Vec<TestSources>,
    browser: bool,
    results: Arc<Results>,
}

/// Checks, builds and tests, or as much of it as a name asks for.
pub(crate) fn run(args: Args) -> Result<()> {
    let plan = Plan::new(args)?;
    let results = Arc::clone(&plan.results);
    plan.steps().run_tests(&results)
}

impl Plan {
    fn new(Args { name, all }: Args) -> Result<Self> {
        let word = name.as_deref().unwrap_or_default();
        let find = |folder: &&str| TestSources::in_folder(&cargo::root().join(folder), word);
        let native = NATIVE_SOURCES.iter().map(find).collect::<Result<Vec<_>>>()?.iter().any(TestSources::any);
        let guests = GUEST_SOURCES.iter().map(find).collect::<Result<Vec<_>>>()?;
        let browser = browser::has_test(word)?;
        ensure!(native || browser || guests.iter().any(TestSources::any), "no test has {word:?} in its name");
        Ok(Self { all, name, native, guests, browser, results: Arc::default() })
    }

    fn steps(&self) -> Steps {
        let mut steps = Steps::default();
        if self.name.is_none() {
            // A test that calls what is missing would fail much later.
            steps.add("Node", tools::require_node);
            steps.add("jq and Python", tools::require_jq_and_python);
            check::add_quick(&mut steps);
        }
        let (mut native, mut made) = (Steps::default(), Steps::default());
        self.add_native(&mut native);
        self.add_artifacts(&mut made);
        // What links on one core leaves the other to what compiles.
        steps.add_lanes([native, made]);
        if self.name.is_none() || self.all {
            self.add_on_wasi(&mut steps);
        }
        if self.guests.iter().any(TestSources::any) {
            self.add_guests(&mut steps);
        }
        if self.browser {
            browser::add(&mut steps, self.name.iter().cloned().collect(), &self.results);
        }
        steps
    }

    fn add_native(&self, steps: &mut Steps) {
        if self.native {
            self.add_tests(steps, "clippy and native tests", check::threads(), |more| {
                check::test(&[&NATIVE[..], more].concat())
            });
        }
        if self.name.is_none() {
            check::add_page(steps);
            check::add_documentation(steps);
        }
        if self.all {
            self.add_tests(steps, "the command as tools", check::threads(), |more| {
                check::test(
                    &[&["--package", "huddle", "--lib", "--no-default-features", "--features", "tools"], more].concat(),
                )
            });
        }
    }

    fn add_artifacts(&self, steps: &mut Steps) {
        if self.guests.iter().any(TestSources::any) {
            build::add_component(steps);
        }
        if self.browser || self.need("artifact::path(\"web") {
            page::add(steps, false);
        }
        if self.all && self.need("huddle-tools.wasm") {
            build::add_tools(steps);
        }
        if self.all && self.need("artifact::module()") {
            build::add_module(steps);
        }
        if self.all && self.need("huddle-mongodb.wasm") {
            build::add_mongodb(steps);
        }
    }

    /// Adds what is built for a WASI target and run by the reference host, each test in a temporary directory of its own.
    fn add_on_wasi(&self, steps: &mut Steps) {
        self.add_tests(steps, "core and command on wasm32-wasip2", 1, |more| {
            guest(P2, &[], &[&ON_WASI[..], more].concat())
        });
        if self.all {
            self.add_tests(steps, "core on wasm32-wasip1", 1, |more| guest(P1, &[], &[&ON_WASI[..4], more].concat()));
            self.add_tests(steps, "the bus in MongoDB on wasm32-wasip2", 1, |more| {
                let suite = ["--package", "huddle-mongodb", "--test", "suite", "--profile", wasm::NETWORK];
                let given = ["--network", "--env", mongod::SERVER];
                let mut command = guest(P2, &given, &[&suite[..], more].concat())?;
                // As the component is compiled, so that the driver is once.
                command.env_remove("RUSTC_WORKSPACE_WRAPPER");
                wasm::enable_network(&mut command)?;
                mongod::with_server(&command)
            });
        }
    }

    /// Adds what runs the artifacts under wasmtime, beside a server where one is asked for.
    fn add_guests(&self, steps: &mut Steps) {
        let (server, native) = (self.need(mongod::SERVER), self.need("artifact::native()"));
        if native {
            steps.add("the native command", || mongod::build("huddle", &[]).map(drop));
        }
        self.add_tests(steps, "guests under wasmtime", check::threads(), move |more| {
            let command = check::test(&[&["--package", "huddle-tests"], more].concat())?;
            if server { mongod::with_server(&command) } else { Ok(command) }
        });
    }

    /// Adds tests that a description gives when it is told what else they are selected by.
    fn add_tests(
        &self,
        steps: &mut Steps,
        name: &str,
        threads: usize,
        describe: impl FnOnce(&[&str]) -> Result<Command> + Send + 'static,
    ) {
        let (results, word, all) = (Arc::clone(&self.results), self.name.clone(), self.all);
        steps.add(name, move || {
            let mut more: Vec<&str> = word.iter().map(String::as_str).collect();
            if all {
                more.extend(["--", "--include-ignored"]);
            }
            let mut command = describe(&more)?;
            command.env("HUDDLE_ALL", if all { "1" } else { "0" });
            results.of_cargo(command, threads)
        });
    }

    /// Returns whether the guests' tests mention something.
    fn need(&self, what: &str) -> bool {
        self.guests.iter().any(|sources| sources.mentions(what))
    }
}

/// Describes tests that are built for a WASI target; the host gives them a temporary directory, and what else it is told.
fn guest(target: &str, given: &[&str], selection: &[&str]) -> Result<Command> {
    let host = wasm::build(Program::HOST)?;
    let host = host.to_str().context("the host's path is not text")?;
    let words = [&[host, "run", "--temp"], given].concat();
    // A list, not CARGO_TARGET_…_RUNNER, because that one splits a path at its spaces.
    let runner = format!("target.{target}.runner={words:?}");
    // After `test`, because cargo forgets what it is told before when it is told more after.
    check::test(&[&["--config", &runner, "--target", target], selection].concat())
}
