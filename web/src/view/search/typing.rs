//! What happens while a query is typed: it is completed, and after a short pause looked for.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{choice_id, show, the_box};
use crate::dom::{after, memo};
use crate::protocol::{Request, Response};
use crate::store::Store;
use huddle_web_model::route::Place;
use huddle_web_model::search::cursor::{chars_of, filled_in, units_of};

/// How long a pause in typing is.
const PAUSE: u32 = 150;

/// A query that is being typed.
#[derive(Clone, Copy)]
pub(super) struct Typing {
    pub(super) store: Store,
    /// What is in the box.
    pub(super) text: RwSignal<String>,
    /// What it could be made into.
    pub(super) choices: RwSignal<Vec<String>>,
    /// The choice that is pointed at.
    pub(super) active: RwSignal<Option<usize>>,
    /// Whether the box is used.
    pub(super) inside: RwSignal<bool>,
    /// The character from which on a choice takes the place of what is typed.
    start: StoredValue<u32>,
    /// Where the reader was before.
    before: StoredValue<Option<Place>>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Typing {
    pub(super) fn new(store: Store) -> Self {
        let typing = Self {
            store,
            text: RwSignal::default(),
            choices: RwSignal::default(),
            active: RwSignal::new(None),
            inside: RwSignal::new(false),
            start: StoredValue::default(),
            before: StoredValue::default(),
            timer: StoredValue::new_local(None),
        };
        let query = memo(move || store.place.with(|place| place.query.clone()));
        // What was changed elsewhere is shown in the box, unless something is being typed there.
        after(move || {
            let query = query.get();
            if typing.timer.with_value(Option::is_none) && typing.text.with_untracked(|text| text.trim() != query) {
                typing.text.set(query);
            }
        });
        typing
    }

    /// Takes what is in the box now.
    pub(super) fn typed(self) {
        let Some(input) = the_box() else { return };
        self.begin();
        self.text.set(input.value());
        self.complete();
        let timer = Timeout::new(PAUSE, move || {
            self.timer.set_value(None);
            self.look();
        });
        self.timer.set_value(Some(timer));
    }

    fn begin(self) {
        self.inside.set(true);
        if self.before.with_value(Option::is_none) {
            self.before.set_value(Some(self.store.place.get_untracked()));
        }
    }

    fn look(self) {
        self.timer.set_value(None);
        let text = self.text.with_untracked(|text| text.trim().to_owned());
        self.store.shift(|place| place.query = text);
    }

    /// Looks at once, and makes the way back lead to what was looked for before.
    pub(super) fn enter(self) {
        self.inside.set(true);
        self.close();
        self.look();
        if let Some(before) = self.before.try_update_value(Option::take).flatten() {
            self.store.settle(&before);
        }
    }

    pub(super) fn left(self) {
        if self.before.with_value(Option::is_some) {
            self.enter();
        }
        self.close();
        self.inside.set(false);
    }

    /// Asks what could stand at the cursor.
    pub(super) fn complete(self) {
        let Some(input) = the_box() else { return };
        let text = self.text.get_untracked();
        let units = input.selection_start().ok().flatten().unwrap_or_default();
        let cursor = chars_of(&text, units);
        if text.trim().is_empty() && self.before.with_value(Option::is_some) {
            return self.close();
        }
        let response = self.store.request(Request::Complete { text: text.clone(), cursor });
        spawn_local(async move {
            // By now there may be something else in the box, or the reader elsewhere.
            if let Ok(Response::Choices { start, choices }) = response.await
                && self.text.try_get_untracked().as_deref() == Some(&text)
            {
                let typed: String =
                    text.chars().skip(start as usize).take((cursor - start.min(cursor)) as usize).collect();
                self.start.set_value(start);
                self.offer(if choices == [typed] { Vec::new() } else { choices });
            }
        });
    }

    /// Lists other choices. Whoever already points at one that is still there goes on pointing at it: an answer may
    /// come after the key that was meant for the list before it.
    fn offer(self, choices: Vec<String>) {
        let pointed = self.active.get_untracked();
        let pointed = pointed.and_then(|place| self.choices.with_untracked(|old| old.get(place).cloned()));
        let place = pointed.and_then(|pointed| choices.iter().position(|choice| *choice == pointed));
        self.choices.set(choices);
        self.active.set(place);
    }

    pub(super) fn close(self) {
        self.offer(Vec::new());
    }

    /// Points at a choice.
    pub(super) fn point(self, place: usize) -> bool {
        self.active.set(Some(place));
        show(&choice_id(place));
        true
    }

    /// Puts a choice into the query.
    pub(super) fn take(self, place: usize) {
        let Some(choice) = self.choices.with_untracked(|choices| choices.get(place).cloned()) else { return };
        let Some(input) = the_box() else { return };
        self.begin();
        let text = self.text.get_untracked();
        // More may have been typed since it was asked what could stand there.
        let end = chars_of(&text, input.selection_start().ok().flatten().unwrap_or_default());
        let start = self.start.get_value().min(end);
        let (text, after) = filled_in(&text, start, end, &choice);
        let units = units_of(&text, after);
        input.set_value(&text);
        let _ = input.set_selection_range(units, units);
        self.text.set(text);
        self.close();
        if choice.ends_with(':') {
            self.complete();
        } else {
            self.look();
        }
    }
}
