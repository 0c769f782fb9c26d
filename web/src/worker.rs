//! The worker: holds what was opened, and answers the page's questions about it.

mod answers;
mod archive;
pub mod book;
mod bounded;
mod feed;
mod listing;
mod lists;
mod net;
mod open;
mod shelf;
pub mod texts;
mod zip;

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use gloo::worker::{HandlerId, Registrable, Worker, WorkerScope};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, BlobPropertyBag, Url};

use crate::bridge::{AsTheyAre, Letter};
use crate::protocol::{Answer, Ask, Content, decode, encode};
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
        let shelf = Rc::clone(&self.shelf);
        spawn_local(async move { shelf.hello(page).await });
    }

    fn received(&mut self, scope: &WorkerScope<Self>, letter: Letter, page: HandlerId) {
        let ask: Option<Ask> = decode(&letter.bytes.to_vec());
        let answer = match ask {
            Some(Ask::Open { source, limits }) => {
                let shelf = Rc::clone(&self.shelf);
                spawn_local(async move { shelf.open(source, limits, letter.things).await });
                Answer::Done
            }
            Some(Ask::Cancel) => self.shelf.cancel(),
            Some(Ask::Drawn) => self.shelf.drawn(),
            Some(ask) => kept_here(self.shelf.answer(&ask)),
            None => Answer::Failed("the question cannot be read: the page and its worker differ; reload".to_owned()),
        };
        scope.respond(page, sealed(letter.number, &encode(&answer)));
    }
}

/// Keeps what is in a file here, where the browser finds it, so that the page has nothing to do with its bytes.
fn kept_here(answer: Answer) -> Answer {
    let Answer::File { name, content: Content::Held(bytes) } = answer else { return answer };
    match address_of(&bytes) {
        Ok(address) => {
            // Not at once: the browser begins to read it when the page has heard of it.
            let gone = address.clone();
            Timeout::new(60_000, move || _ = Url::revoke_object_url(&gone)).forget();
            Answer::File { name, content: Content::At(address) }
        }
        Err(_) => Answer::Failed("the browser has no room for it: search for less and save that".to_owned()),
    }
}

fn address_of(bytes: &[u8]) -> Result<String, JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?)
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
