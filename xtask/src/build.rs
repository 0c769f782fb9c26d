//! `cargo xtask build`: everything that is shipped, in dist/.

use anyhow::Result;

use crate::steps::Steps;
use crate::wasm::{self, Program};
use crate::{dist, page, sizes};

/// Makes all artifacts and prints their sizes.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add(&mut steps);
    steps.run()
}

/// Adds the steps that make and show all artifacts.
fn add(steps: &mut Steps) {
    add_all(steps);
    add_sizes(steps);
}

/// Adds the steps that make all artifacts.
pub(crate) fn add_all(steps: &mut Steps) {
    add_component(steps);
    add_others(steps);
    add_program(steps, "the component with MongoDB", Program::MONGODB, "huddle-mongodb.wasm");
    page::add(steps, false);
}

/// Adds the step that shows how large they are.
pub(crate) fn add_sizes(steps: &mut Steps) {
    steps.add("sizes", || {
        let names = ["huddle.wasm", "huddle-tools.wasm", "huddle-mongodb.wasm", "huddle-p1.wasm", NATIVE, "web"];
        sizes::print(&dist::dir(), &names)
    });
}

/// Adds the step that makes the component.
pub(crate) fn add_component(steps: &mut Steps) {
    add_program(steps, "the component", Program::COMPONENT, "huddle.wasm");
}

/// Adds the steps that make the command in its other forms.
pub(crate) fn add_others(steps: &mut Steps) {
    add_program(steps, "the component for hosts that make tools of functions", Program::TOOLS, "huddle-tools.wasm");
    add_program(steps, "the core module", Program::MODULE, "huddle-p1.wasm");
    add_program(steps, "the native command", Program::NATIVE, NATIVE);
}

const NATIVE: &str = if cfg!(windows) { "huddle.exe" } else { "huddle" };

fn add_program(steps: &mut Steps, what: &str, program: Program, name: &'static str) {
    steps.add(format!("{what}, dist/{name}"), move || wasm::install(program, &dist::path(name)));
}
