//! The agent that acquires locks, and how long it waits for them.

use std::cell::{Cell, Ref, RefCell};

use crate::model::Span;

/// The owner and the timeout of the locks that a journal acquires.
#[derive(Debug)]
pub struct LockSettings {
    owner: RefCell<String>,
    timeout: Cell<Span>,
}

impl Default for LockSettings {
    fn default() -> Self {
        Self { owner: RefCell::new("an unnamed agent".to_owned()), timeout: Cell::new(Span::from_seconds(30)) }
    }
}

impl LockSettings {
    pub(crate) fn owner(&self) -> Ref<'_, String> {
        self.owner.borrow()
    }

    pub(crate) fn timeout(&self) -> Span {
        self.timeout.get()
    }
}

/// Something that acquires locks on behalf of an agent.
pub trait LockOwner {
    /// Returns the settings of the journal below.
    fn lock_settings(&self) -> &LockSettings;

    /// Sets the name that other processes see while they wait for a lock.
    fn set_lock_owner(&self, owner: &str) {
        self.lock_settings().owner.replace(owner.to_owned());
    }

    /// Sets how long to wait for a lock that another process holds; 30 seconds by default.
    #[must_use]
    fn with_lock_timeout(self, timeout: Span) -> Self
    where
        Self: Sized,
    {
        self.lock_settings().timeout.set(timeout);
        self
    }
}
