//! The typed interface (`wit/`): a host's call becomes a request, and the response becomes the record that the host is given.
//!
//! wit-bindgen makes the types and the exports. [`convert`] fills a record from the document of a response, which is what
//! `--json` prints, so that both say the same.
//!
//! An instance opens the project with its first call and keeps it open for as long as the host keeps the instance.

#[cfg(not(feature = "tools"))]
mod agents;
#[cfg(not(feature = "tools"))]
mod command;
#[cfg(not(feature = "tools"))]
mod contexts;
#[cfg(not(feature = "tools"))]
mod convert;
#[cfg(not(feature = "tools"))]
mod execute;
#[cfg(not(feature = "tools"))]
mod handoffs;
#[cfg(not(feature = "tools"))]
mod history;
#[cfg(not(feature = "tools"))]
mod messages;
#[cfg(not(feature = "tools"))]
mod sessions;
#[cfg(feature = "tools")]
mod tools;

use std::cell::OnceCell;
use std::path::PathBuf;

use huddle_core::bus::Settings;

use crate::args::Global;
use crate::failure::Failure;
use crate::files::Reach;
use crate::project::{self, Places};
use crate::system_host::SystemHost;
use huddle_api::Project;

/// What wit-bindgen makes of `wit/`.
#[expect(missing_docs, reason = "the types of `wit/`, which has their documentation")]
#[expect(unsafe_code, reason = "the canonical ABI passes values in raw memory, which wit-bindgen reads and writes")]
pub mod bindings {
    #[cfg(not(feature = "tools"))]
    wit_bindgen::generate!({
        world: "huddle",
        path: "../wit",
        additional_derives: [serde::Deserialize],
        pub_export_macro: true,
    });

    #[cfg(feature = "tools")]
    wit_bindgen::generate!({
        world: "tools",
        path: "../wit",
        pub_export_macro: true,
    });
}

/// The component, whose functions the program exports.
#[derive(Debug)]
pub struct Component;

thread_local! {
    static GLOBAL: OnceCell<Global> = const { OnceCell::new() };
    static PROJECT: OnceCell<&'static Project<'static>> = const { OnceCell::new() };
}

/// Returns the options of a call.
fn global(agent: Option<String>) -> Global {
    let common = GLOBAL.with(|global| global.get_or_init(read_global).clone());
    Global { agent, ..common }
}

fn read_global() -> Global {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let root = variable("HUDDLE_ROOT").map_or_else(|| PathBuf::from("."), PathBuf::from);
    // Tools are called by models; functions by the host's own code, which the sandbox confines.
    let reach = if cfg!(feature = "tools") { Reach::Project(Vec::new()) } else { Reach::Anywhere };
    Global {
        agent: None,
        root,
        bus: variable("HUDDLE_BUS"),
        json: true,
        lock_wait: Settings::default().lock_timeout,
        reach,
    }
}

/// Returns the project. It is opened once, and the instance takes it with it when it goes.
fn project() -> Result<&'static Project<'static>, Failure> {
    if let Some(project) = PROJECT.with(|project| project.get().copied()) {
        return Ok(project);
    }
    let global = global(None);
    let places = Box::leak(Box::new(Places::of(&global)?));
    let open = &*Box::leak(Box::new(project::open(places, &SystemHost, global.lock_wait)));
    Ok(PROJECT.with(|project| *project.get_or_init(|| open)))
}
