//! The typed interface (`wit/`): what hosts call is a command, and what they are given is its answer.
//!
//! Every function of the interface is one command (`table.rs` says which), every record one of the documents that commands
//! give with `--json`. So there is one conversion from memory to JSON (`lift.rs`) and one back (`lower.rs`), led by tables of
//! the interface's types that `build.rs` makes from `wit/`, where bindings would have code for every type of every function:
//! 150 KB of it.
//!
//! An instance opens the project with its first call and keeps it open for as long as the host keeps the instance.

#[cfg(not(feature = "tools"))]
mod held;
mod lift;
mod lower;
mod shape;
#[cfg_attr(feature = "tools", path = "component/tools.rs")]
mod table;

use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;

use huddle_core::bus::Settings;
use huddle_core::model::Json;

use self::shape::FUNCTIONS;
use crate::args::Global;
use crate::failure::Failure;
use crate::files::Reach;
use crate::project::{Places, Project};
use crate::system_host::SystemHost;

#[cfg(not(feature = "tools"))]
pub use self::held::let_go;

thread_local! {
    static GLOBAL: OnceCell<Global> = const { OnceCell::new() };
    static PROJECT: OnceCell<&'static Project<'static>> = const { OnceCell::new() };
    /// What the last call gave: it stays where it is until the next.
    static GIVEN: RefCell<Vec<lower::Block>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function by its number, with its parameters as the canonical ABI passes them, and gives where its result is.
pub fn call(number: usize, passed: &[u64]) -> *const u8 {
    GIVEN.take();
    let function = &FUNCTIONS[number];
    let answer = table::carry_out(function.name.text(), lift::params(function, passed));
    let (blocks, place) = lower::result(function.result.shape(), answer);
    GIVEN.set(blocks);
    place
}

/// Gives what every command of an agent has.
fn global(agent: Option<String>) -> Global {
    let common = GLOBAL.with(|global| global.get_or_init(read_global).clone());
    Global { agent, ..common }
}

fn read_global() -> Global {
    let told = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let root = told("HUDDLE_ROOT").map_or_else(|| PathBuf::from("."), PathBuf::from);
    // Tools are called by models; functions by the host's own code, which the sandbox confines.
    let reach = if cfg!(feature = "tools") { Reach::Project(Vec::new()) } else { Reach::Anywhere };
    Global {
        agent: None,
        root,
        bus: told("HUDDLE_BUS"),
        json: true,
        lock_wait: Settings::default().lock_timeout,
        reach,
    }
}

/// Gives the project. It is opened once, and the instance takes it with it when it goes.
fn project() -> Result<&'static Project<'static>, Failure> {
    if let Some(project) = PROJECT.with(|project| project.get().copied()) {
        return Ok(project);
    }
    let global = global(None);
    let places = Box::leak(Box::new(Places::of(&global)?));
    let open = &*Box::leak(Box::new(Project::open(places, &SystemHost, global.lock_wait)));
    Ok(PROJECT.with(|project| *project.get_or_init(|| open)))
}

/// Takes a text out of what was passed.
fn take_text(arguments: &mut Json, name: &str) -> Option<String> {
    match arguments.as_object_mut()?.shift_remove(name)? {
        Json::String(text) => Some(text),
        _ => None,
    }
}
