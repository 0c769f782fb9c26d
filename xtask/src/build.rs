//! `cargo xtask build`: everything that is shipped, in dist/.

use anyhow::Result;

use crate::steps::Steps;
use crate::wasm::{self, Program};
use crate::{dist, page, sizes};

/// Makes all artifacts and prints their sizes.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_component(&mut steps);
    page::add(&mut steps, false);
    add_others(&mut steps);
    add_mongodb(&mut steps);
    steps.add("sizes", || {
        let names = ["huddle.wasm", "huddle-tools.wasm", "huddle-mongodb.wasm", "huddle-p1.wasm", NATIVE, "web"];
        sizes::print(&dist::dir(), &names)
    });
    steps.run()
}

/// Adds the step that makes the component.
pub(crate) fn add_component(steps: &mut Steps) {
    add_program(steps, "the component", Program::COMPONENT, "huddle.wasm");
}

/// Adds the steps that make the command in its other forms. The native one embeds the page, which has to be there.
pub(crate) fn add_others(steps: &mut Steps) {
    add_tools(steps);
    add_module(steps);
    add_program(steps, "the native command", Program::NATIVE, NATIVE);
}

/// Adds the step that makes the component with the flat world.
pub(crate) fn add_tools(steps: &mut Steps) {
    add_program(steps, "the component for hosts that make tools of functions", Program::TOOLS, "huddle-tools.wasm");
}

/// Adds the step that makes the core module.
pub(crate) fn add_module(steps: &mut Steps) {
    add_program(steps, "the core module", Program::MODULE, "huddle-p1.wasm");
}

/// Adds the step that makes the component with MongoDB's driver.
pub(crate) fn add_mongodb(steps: &mut Steps) {
    add_program(steps, "the component with MongoDB", Program::MONGODB, "huddle-mongodb.wasm");
}

const NATIVE: &str = if cfg!(windows) { "huddle.exe" } else { "huddle" };

fn add_program(steps: &mut Steps, what: &str, program: Program, name: &'static str) {
    steps.add(format!("{what}, dist/{name}"), move || wasm::install(program, &dist::path(name)));
}
