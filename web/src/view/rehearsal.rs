//! Drawing, for nobody, what will be drawn when something is opened. Browsers compile a program as it first runs, and that is
//! better done before somebody waits.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::conversation;
use super::shell::shell;
use crate::store::{Phase, Store};

/// How long the empty page has been there by then, in milliseconds.
const PAUSE: u32 = 300;

/// Draws the frame and a few rows, unless there is something better to do by then.
pub fn rehearse(store: Store) {
    let owner = Owner::new();
    let draw = move || {
        if store.phase.with_untracked(|phase| *phase == Phase::Empty) {
            owner.with(|| drop((shell(), conversation::rehearsed(store))));
            owner.cleanup();
        }
    };
    Timeout::new(PAUSE, draw).forget();
}
