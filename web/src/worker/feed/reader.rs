//! A thread that reads files: a worker of the worker's own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, Event, MessageEvent, Worker};

/// Where the file lies that starts the thread.
const PROGRAM: &str = "reader.js";

/// A thread that reads, and ends with this.
pub(in crate::worker) struct Reader {
    worker: Worker,
    /// What waits for pieces, in the order in which they were asked for; nobody waits for a thread that did not start.
    waiting: Rc<RefCell<Option<VecDeque<Function>>>>,
    _heard: Closure<dyn FnMut(Event)>,
}

impl Reader {
    /// Starts it, where the browser can.
    pub(in crate::worker) fn start() -> Option<Self> {
        let worker = Worker::new(PROGRAM).ok()?;
        let waiting = Rc::new(RefCell::new(Some(VecDeque::<Function>::new())));
        let expected = Rc::clone(&waiting);
        let heard = Closure::new(move |event: Event| match event.dyn_ref::<MessageEvent>() {
            Some(message) => {
                let first = expected.borrow_mut().as_mut().and_then(VecDeque::pop_front);
                first.iter().for_each(|resolve| give(resolve, &message.data()));
            }
            None => {
                let all = expected.borrow_mut().take();
                all.iter().flatten().for_each(|resolve| give(resolve, &JsValue::UNDEFINED));
            }
        });
        let hear: &Function = heard.as_ref().unchecked_ref();
        worker.set_onmessage(Some(hear));
        worker.set_onerror(Some(hear));
        Some(Self { worker, waiting, _heard: heard })
    }

    /// Asks for the bytes of a blob: they come as a buffer, or as a text that says why not. Nothing comes, and soon, when the
    /// thread did not start.
    pub(super) fn read(&self, blob: &Blob) -> Promise {
        Promise::new(&mut |resolve, _| match &mut *self.waiting.borrow_mut() {
            Some(waiting) if self.worker.post_message(blob).is_ok() => waiting.push_back(resolve),
            _ => give(&resolve, &JsValue::UNDEFINED),
        })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

fn give(resolve: &Function, value: &JsValue) {
    // Taking note of a value cannot fail.
    let _ = resolve.call1(&JsValue::UNDEFINED, value);
}
