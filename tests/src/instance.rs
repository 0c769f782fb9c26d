//! The component as a plugin: one instance, called by its typed interface as often as the host likes.

use anyhow::Result;
use wasmtime::Store;

use crate::Guest;
use crate::bindings::Huddle;
use crate::state::{self, State};

/// A running guest whose functions are called by their types; [`Run::open`](crate::Run::open) makes one.
///
/// A guest that trapped, or was ended, is not called again: open another. What it had confirmed is on the disk.
pub struct Instance {
    store: Store<State>,
    huddle: Huddle,
    metered: bool,
}

impl Instance {
    pub(crate) fn new(guest: &Guest, mut store: Store<State>) -> Result<Self> {
        let huddle = guest.typed()?.instantiate(&mut store)?;
        Ok(Self { store, huddle, metered: guest.is_metered() })
    }

    /// Calls a function of the guest, with fuel and time anew.
    ///
    /// The outer result says whether the call came back; what the function itself answers is inside of it.
    pub fn call<T>(&mut self, act: impl FnOnce(&Huddle, &mut Store<State>) -> wasmtime::Result<T>) -> Result<T> {
        if self.metered {
            state::refill(&mut self.store)?;
        }
        Ok(act(&self.huddle, &mut self.store)?)
    }

    /// Returns the most memory that the guest has had, in bytes.
    pub fn memory(&self) -> usize {
        self.store.data().memory()
    }
}
