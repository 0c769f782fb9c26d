//! The page's side of the protocol: sends requests to the worker, and passes its events on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use gloo::worker::{Spawnable, WorkerBridge};

use crate::packet::{Packet, StructuredClone};
use crate::protocol::{Event, FromWorker, Reply, Request, RequestError, ToWorker};
use crate::worker::ViewerWorker;

/// The script that starts the worker.
const LOADER: &str = "worker.js";

/// The requests that wait for their responses, by id.
type Pending = Rc<RefCell<BTreeMap<u32, oneshot::Sender<Reply>>>>;

/// A worker that was started.
#[derive(Clone)]
pub struct Client {
    bridge: Rc<WorkerBridge<ViewerWorker>>,
    pending: Pending,
    last_id: Rc<Cell<u32>>,
    has_opened: Rc<Cell<bool>>,
}

impl Client {
    /// Starts the worker; `on_event` receives its events.
    pub fn start(on_event: impl Fn(Event) + 'static) -> Self {
        let pending = Pending::default();
        let waiting = Rc::clone(&pending);
        let receive = move |packet: Packet| match packet.message() {
            Ok(FromWorker::Event(event)) => on_event(event),
            Ok(FromWorker::Response(id, reply)) => {
                let sender = waiting.borrow_mut().remove(&id);
                // Nobody waits for a response that was canceled.
                if let Some(sender) = sender {
                    drop(sender.send(reply));
                }
            }
            Err(error) => wasm_bindgen::throw_str(&format!("the page and its worker differ; reload: {error}")),
        };
        let bridge = ViewerWorker::spawner().callback(receive).encoding::<StructuredClone>().spawn_with_loader(LOADER);
        Self { bridge: Rc::new(bridge), pending, last_id: Rc::default(), has_opened: Rc::default() }
    }

    /// Returns whether the worker was requested to open anything.
    pub fn has_opened(&self) -> bool {
        self.has_opened.get()
    }

    /// Sends a request, with the files or handles that it is about, and waits for the response.
    ///
    /// Requests are sent at once, and responses come in their order. Dropping the future cancels the request: its response is
    /// ignored.
    pub fn request(&self, request: Request, handles: js_sys::Array) -> impl Future<Output = Reply> + use<> {
        let id = self.last_id.get().wrapping_add(1);
        self.last_id.set(id);
        self.has_opened.set(self.has_opened.get() || matches!(request, Request::Open { .. }));
        let (sender, receiver) = oneshot::channel();
        self.pending.borrow_mut().insert(id, sender);
        self.bridge.send(Packet::new(&ToWorker { id, request }, handles));
        let waiting = Waiting { id, pending: Rc::clone(&self.pending) };
        async move {
            let reply = receiver.await;
            drop(waiting);
            reply.unwrap_or(Err(RequestError::WorkerStopped))
        }
    }

    /// Fails all requests that wait for a response of a worker that has stopped.
    pub fn stop(&self) {
        self.pending.borrow_mut().clear();
    }
}

/// A request that waits for its response until this is dropped.
struct Waiting {
    id: u32,
    pending: Pending,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.pending.borrow_mut().remove(&self.id);
    }
}
