//! The worker: holds what was opened, and answers the page's questions about it.

mod answers;
mod archive;
pub mod book;
mod feed;
mod listing;
mod lists;
mod net;
mod open;
mod shelf;
pub mod texts;
mod zip;

use std::rc::Rc;

use gloo::worker::{HandlerId, Registrable, Worker, WorkerScope};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use crate::bridge::{AsTheyAre, Letter};
use crate::protocol::{Answer, Ask, decode, encode};
use shelf::Shelf;

/// Holds what was opened.
pub struct Librarian {
    shelf: Rc<Shelf>,
}

impl Worker for Librarian {
    type Message = ();
    type Input = Letter;
    type Output = Letter;

    fn create(scope: &WorkerScope<Self>) -> Self {
        Self { shelf: Rc::new(Shelf::new(scope.clone())) }
    }

    fn update(&mut self, _scope: &WorkerScope<Self>, _message: ()) {}

    fn connected(&mut self, _scope: &WorkerScope<Self>, page: HandlerId) {
        self.shelf.hello(page);
    }

    fn received(&mut self, scope: &WorkerScope<Self>, letter: Letter, page: HandlerId) {
        let ask: Option<Ask> = decode(&letter.bytes.to_vec());
        let answer = match ask {
            Some(Ask::Open(source)) => {
                let shelf = Rc::clone(&self.shelf);
                spawn_local(async move { shelf.open(source, letter.things).await });
                Answer::Done
            }
            Some(Ask::Cancel) => self.shelf.cancel(),
            Some(Ask::Drawn) => self.shelf.drawn(),
            Some(ask) => self.shelf.answer(&ask),
            None => Answer::Failed("the question cannot be read: the page and its worker differ; reload".to_owned()),
        };
        scope.respond(page, sealed(letter.number, &encode(&answer)));
    }
}

/// Makes a letter of bytes.
fn sealed(number: u32, bytes: &[u8]) -> Letter {
    Letter { number, bytes: bytes.into(), things: js_sys::Array::new() }
}

/// Says whether the program was started as a worker.
pub fn is_here() -> bool {
    js_sys::global().is_instance_of::<web_sys::DedicatedWorkerGlobalScope>()
}

/// Starts to listen to the page.
pub fn start() {
    Librarian::registrar().encoding::<AsTheyAre>().register();
}
