//! The worker: holds what was opened, and answers the page's questions about it.

mod answers;
pub mod book;
mod lists;
pub mod texts;

use gloo::worker::{HandlerId, Registrable, Worker, WorkerScope};
use wasm_bindgen::JsCast;

use crate::bridge::{AsTheyAre, Letter};

/// Holds what was opened.
pub struct Librarian;

impl Worker for Librarian {
    type Message = ();
    type Input = Letter;
    type Output = Letter;

    fn create(_scope: &WorkerScope<Self>) -> Self {
        Self
    }

    fn update(&mut self, _scope: &WorkerScope<Self>, _message: ()) {}

    fn received(&mut self, _scope: &WorkerScope<Self>, _letter: Letter, _page: HandlerId) {}
}

/// Says whether the program was started as a worker.
pub fn is_here() -> bool {
    js_sys::global().is_instance_of::<web_sys::DedicatedWorkerGlobalScope>()
}

/// Starts to listen to the page.
pub fn start() {
    Librarian::registrar().encoding::<AsTheyAre>().register();
}
