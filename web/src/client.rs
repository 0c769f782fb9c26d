//! The page's side of the bridge: asks the worker, and hears what it tells.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::worker::{Spawnable, WorkerBridge};

use crate::bridge::{AsTheyAre, Letter};
use crate::protocol::{Answer, Ask, Tell, decode, encode};
use crate::worker::Librarian;

/// Where the file lies that starts the worker.
const LOADER: &str = "worker.js";

/// What is done with an answer.
pub type Then = Box<dyn FnOnce(Answer)>;

/// Asks the worker.
#[derive(Clone)]
pub struct Client {
    bridge: Rc<WorkerBridge<Librarian>>,
    /// What is to be done with answers that have not come yet, by the numbers of their questions.
    waiting: Rc<RefCell<Vec<(u32, Then)>>>,
    last: Rc<Cell<u32>>,
    /// Whether it was asked to open anything.
    has_opened: Rc<Cell<bool>>,
}

impl Client {
    /// Starts the worker; `hear` is called with what it tells without being asked.
    pub fn start(hear: impl Fn(Tell) + 'static) -> Self {
        let waiting: Rc<RefCell<Vec<(u32, Then)>>> = Rc::default();
        let expected = Rc::clone(&waiting);
        let receive = move |letter: Letter| {
            let bytes = letter.bytes.to_vec();
            if letter.number == 0 {
                decode(&bytes).into_iter().for_each(&hear);
                return;
            }
            let place = expected.borrow().iter().position(|(number, _)| *number == letter.number);
            let then = place.map(|place| expected.borrow_mut().remove(place).1);
            if let (Some(then), Some(answer)) = (then, decode(&bytes)) {
                then(answer);
            }
        };
        let bridge = Librarian::spawner().callback(receive).encoding::<AsTheyAre>().spawn_with_loader(LOADER);
        Self { bridge: Rc::new(bridge), waiting, last: Rc::default(), has_opened: Rc::default() }
    }

    /// Says whether the worker was asked to open anything.
    pub fn has_opened(&self) -> bool {
        self.has_opened.get()
    }

    /// Asks, with files or handles that go along, and calls `then` with the answer. Answers come in the order of the questions.
    pub fn ask(&self, ask: &Ask, things: js_sys::Array, then: Then) {
        let number = self.last.get().wrapping_add(1).max(1);
        self.last.set(number);
        self.has_opened.set(self.has_opened.get() || matches!(ask, Ask::Open { .. }));
        self.waiting.borrow_mut().push((number, then));
        let bytes = js_sys::Uint8Array::from(encode(ask).as_slice());
        self.bridge.send(Letter { number, bytes, things });
    }
}
