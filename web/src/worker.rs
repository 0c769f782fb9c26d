//! The worker: holds what was opened, and answers the page's questions about it.

mod archive;
mod feed;
mod listing;
mod net;
mod open;
mod shelf;

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use gloo::worker::{HandlerId, Registrable, Worker, WorkerScope};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, BlobPropertyBag, Url};

use crate::packet::{Packet, StructuredClone};
use crate::protocol::{FromWorker, Request, RequestError, Response, ToWorker};
use shelf::Shelf;

/// Holds what was opened.
pub struct ViewerWorker {
    shelf: Rc<Shelf>,
}

impl Worker for ViewerWorker {
    type Message = ();
    type Input = Packet;
    type Output = Packet;

    fn create(scope: &WorkerScope<Self>) -> Self {
        Self { shelf: Rc::new(Shelf::new(scope.clone())) }
    }

    fn update(&mut self, _scope: &WorkerScope<Self>, _message: ()) {}

    fn connected(&mut self, _scope: &WorkerScope<Self>, page: HandlerId) {
        let shelf = Rc::clone(&self.shelf);
        spawn_local(async move { shelf.hello(page).await });
    }

    fn received(&mut self, scope: &WorkerScope<Self>, packet: Packet, page: HandlerId) {
        let ToWorker { id, request } = match packet.message() {
            Ok(message) => message,
            Err(error) => wasm_bindgen::throw_str(&format!("the page and its worker differ; reload: {error}")),
        };
        let reply = match request {
            Request::Open { source, limits } => {
                let shelf = Rc::clone(&self.shelf);
                spawn_local(async move { shelf.open(source, limits, packet.handles).await });
                Ok(Response::Done)
            }
            Request::Cancel => Ok(self.shelf.cancel()),
            Request::Drawn => Ok(self.shelf.drawn()),
            Request::Save(format) => self.shelf.save(format).and_then(|(name, bytes)| save(name, &bytes)),
            request => self.shelf.respond(&request),
        };
        scope.respond(page, sealed(&FromWorker::Response(id, reply)));
    }
}

/// Has the browser hold a file that the page is to save, so that its bytes need not go to the page.
fn save(name: String, bytes: &[u8]) -> Result<Response, RequestError> {
    let no_room = |_| RequestError::Failed("the browser has no room for it: search for less and save that".to_owned());
    let url = url_of(bytes).map_err(no_room)?;
    // Not at once: the browser begins to read it when the page has received the response.
    let revoked = url.clone();
    Timeout::new(60_000, move || _ = Url::revoke_object_url(&revoked)).forget();
    Ok(Response::File { name, url })
}

fn url_of(bytes: &[u8]) -> Result<String, JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?)
}

/// Encodes a message for the page.
fn sealed(message: &FromWorker) -> Packet {
    Packet::new(message, js_sys::Array::new())
}

/// Says whether the program was started as a worker.
pub fn is_here() -> bool {
    js_sys::global().is_instance_of::<web_sys::DedicatedWorkerGlobalScope>()
}

/// Starts to listen to the page.
pub fn start() {
    ViewerWorker::registrar().encoding::<StructuredClone>().register();
}
