//! What the page knows, and how it changes. Components read signals of it and call its methods; nothing else is shared.

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;

use crate::client::Client;
use crate::place::{Place, View};
use crate::protocol::{Answer, Ask, Details, Goal, Key, Overview, Source, Tell};

/// Where opening stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Phase {
    /// Nothing was opened yet.
    #[default]
    Empty,
    /// Something is being read.
    Loading {
        /// How many bytes were taken.
        bytes: u64,
        /// How many there are to take.
        total: u64,
        /// How many records were found.
        rows: u64,
    },
    /// All is there.
    Ready,
    /// It could not be opened.
    Failed {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
}

/// What the query comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Search {
    /// Nothing is searched for.
    #[default]
    Idle,
    /// So many messages are found.
    Found(u64),
    /// The query cannot be understood: at which character, what is wrong, what to write instead.
    Misread(u32, String, String),
}

/// What lies over the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dialog {
    /// The list of keys.
    Keys,
    /// The palette of commands.
    Palette,
    /// A file: its path, the offset to begin at, and how many bytes matter there.
    File(String, u64, u32),
}

/// How many colours there are for agents.
pub const HUES: usize = 8;

/// What the page knows.
#[derive(Clone, Copy)]
pub struct Store {
    /// Where the reader is.
    pub place: RwSignal<Place>,
    /// Where opening stands.
    pub phase: RwSignal<Phase>,
    /// What is open.
    pub overview: RwSignal<Option<Arc<Overview>>>,
    /// Counts changes of what lists show: what is open, and what the query finds.
    pub version: RwSignal<u32>,
    /// What the query comes to.
    pub search: RwSignal<Search>,
    /// The selected message, whole.
    pub details: RwSignal<Option<Arc<Details>>>,
    /// The row of the selected message in the conversation view's list.
    pub cursor: RwSignal<Option<u32>>,
    /// What was last done, for a moment, for all to see and hear.
    pub notice: RwSignal<String>,
    /// What lies over the page.
    pub dialog: RwSignal<Option<Dialog>>,
    hues: StoredValue<HashMap<String, usize>>,
    client: StoredValue<Client, LocalStorage>,
}

impl Store {
    /// Starts the worker, and goes where the page's address says.
    pub fn start() -> Self {
        let (phase, version) = (RwSignal::new(Phase::Empty), RwSignal::new(0));
        let overview: RwSignal<Option<Arc<Overview>>> = RwSignal::new(None);
        let place = RwSignal::new(address::read());
        let notice = RwSignal::new(String::new());
        let hear = move |tell| match tell {
            Tell::Progress { bytes, total, rows } => phase.set(Phase::Loading { bytes, total, rows }),
            Tell::Ready(ready) => arrived(*ready, place, phase, overview, version, notice),
            Tell::Failed { message, hint } => phase.set(Phase::Failed { message, hint }),
        };
        let store = Self {
            place,
            phase,
            overview,
            version,
            search: RwSignal::default(),
            details: RwSignal::new(None),
            cursor: RwSignal::new(None),
            notice,
            dialog: RwSignal::new(None),
            hues: StoredValue::default(),
            client: StoredValue::new_local(Client::start(hear)),
        };
        // In the order of names, so that colours are the same wherever one begins to look.
        Effect::new(move || {
            let names = overview.with(|it| it.as_ref().map(|it| it.agents.clone())).unwrap_or_default();
            names.iter().for_each(|(name, _)| _ = store.hue(name));
        });
        store.follow();
        address::watch(place);
        store
    }

    /// Finds the store that the page was given.
    ///
    /// # Panics
    /// Outside of the page.
    pub fn of_page() -> Self {
        expect_context()
    }

    /// Asks the worker, once.
    pub fn ask(self, ask: &Ask, then: impl FnOnce(Answer) + 'static) {
        self.client.with_value(|client| client.ask(ask, then));
    }

    /// Opens something.
    pub fn open(self, source: Source, things: js_sys::Array) {
        self.phase.set(Phase::Loading { bytes: 0, total: 0, rows: 0 });
        self.client.with_value(|client| client.ask_with(&Ask::Open(source), things, |_| ()));
    }

    /// Asks the worker whenever what `ask` looks at changes, or what is open, or what is found; holds the newest answer.
    pub fn answer(self, ask: impl Fn() -> Option<Ask> + 'static) -> RwSignal<Option<Arc<Answer>>> {
        let answer = RwSignal::new(None);
        let stamp = StoredValue::new(0_u32);
        Effect::new(move || {
            self.version.track();
            let Some(ask) = ask().filter(|_| self.overview.with_untracked(Option::is_some)) else { return };
            stamp.update_value(|stamp| *stamp += 1);
            let asked = stamp.get_value();
            self.ask(&ask, move |got| {
                if stamp.try_get_value() == Some(asked) {
                    answer.try_set(Some(Arc::new(got)));
                }
            });
        });
        answer
    }

    /// Gives the number of an agent's colour, which it keeps: see `.hue-0` and so on in the styles.
    pub fn hue(self, name: &str) -> usize {
        if let Some(hue) = self.hues.with_value(|hues| hues.get(name).copied()) {
            return hue;
        }
        let hue = self.hues.with_value(HashMap::len) % HUES;
        self.hues.update_value(|hues| {
            hues.insert(name.to_owned(), hue);
        });
        hue
    }

    /// Goes somewhere: the way back leads here.
    pub fn go(self, change: impl FnOnce(&mut Place)) {
        self.moved(change, true);
    }

    /// Moves a little: the way back does not stop here.
    pub fn shift(self, change: impl FnOnce(&mut Place)) {
        self.moved(change, false);
    }

    fn moved(self, change: impl FnOnce(&mut Place), push: bool) {
        let mut place = self.place.get_untracked();
        change(&mut place);
        if place != self.place.get_untracked() {
            address::write(&place, push);
            self.place.set(place);
        }
    }

    /// Selects a message in every view.
    pub fn select(self, key: Key) {
        self.go(|place| place.selected = Some(key));
    }

    /// Shows a message in the conversation view.
    pub fn show(self, key: Key) {
        self.go(|place| (place.view, place.selected) = (View::Conversation, Some(key)));
    }

    /// Goes on to the next of something, from the selected message.
    pub fn step(self, to: Goal, back: bool) {
        let ask = Ask::Step { list: self.place.get_untracked().list(), from: self.cursor.get_untracked(), to, back };
        self.ask(&ask, move |answer| match answer {
            Answer::Index(Some((index, key))) => {
                self.cursor.set(Some(index));
                self.shift(|place| place.selected = Some(key));
            }
            _ => self.notice.set(nothing_more(to, back)),
        });
    }

    /// Searches for something else.
    pub fn look_for(self, query: &str) {
        self.go(|place| query.clone_into(&mut place.query));
    }

    /// Keeps what follows from the place up to date: what the query finds, the selected message, and its row.
    fn follow(self) {
        let query = Memo::new(move |_| self.place.with(|place| place.query.clone()));
        let opened = Memo::new(move |_| self.overview.with(|it| it.as_ref().map(|it| it.generation)));
        Effect::new(move || {
            if opened.get().is_some() {
                self.ask(&Ask::Search(query.get()), move |answer| {
                    self.search.set(match answer {
                        Answer::Found { count } if !query.get_untracked().trim().is_empty() => Search::Found(count),
                        Answer::Misread { at, message, hint } => Search::Misread(at, message, hint),
                        _ => Search::Idle,
                    });
                    self.version.update(|version| *version += 1);
                });
            }
        });
        let selected = Memo::new(move |_| self.place.with(|place| place.selected.clone()));
        let details = self.answer(move || selected.get().map(Ask::Details));
        Effect::new(move || {
            let found = details.get().and_then(|answer| match &*answer {
                Answer::Details(details) => Some(Arc::new((**details).clone())),
                _ => None,
            });
            self.details.set(found.filter(|_| selected.get().is_some()));
        });
        let list = Memo::new(move |_| self.place.with(Place::list));
        let row = self.answer(move || selected.get().map(|key| Ask::Find { list: list.get(), key }));
        Effect::new(move || {
            if let Some(Answer::Index(found)) = row.get().as_deref() {
                self.cursor.set(found.as_ref().map(|(index, _)| *index));
            }
        });
    }
}

/// Takes what has become ready, and says so when it is not what a link was made for.
fn arrived(
    ready: Overview,
    place: RwSignal<Place>,
    phase: RwSignal<Phase>,
    overview: RwSignal<Option<Arc<Overview>>>,
    version: RwSignal<u32>,
    notice: RwSignal<String>,
) {
    let first = overview.with_untracked(|before| before.as_ref().is_none_or(|before| before.partial));
    let wanted = place.with_untracked(|place| place.source.clone());
    if !ready.partial {
        if first && !wanted.is_empty() && wanted != ready.source {
            notice.set("The link was made for other content: this copy differs, so it may lead elsewhere.".to_owned());
        }
        phase.set(Phase::Ready);
        place.update(|place| ready.source.clone_into(&mut place.source));
        address::write(&place.get_untracked(), false);
    }
    overview.set(Some(Arc::new(ready)));
    version.update(|version| *version += 1);
}

fn nothing_more(goal: Goal, back: bool) -> String {
    let what = match goal {
        Goal::Message => "message",
        Goal::Thread => "conversation",
        Goal::Hit => "hit",
        Goal::Error => "error",
    };
    format!("No {} {what}.", if back { "earlier" } else { "further" })
}

mod address {
    //! The page's address, whose fragment is the place.

    use gloo::events::EventListener;
    use gloo::utils::window;
    use leptos::prelude::{RwSignal, Set};
    use wasm_bindgen::JsValue;

    use crate::place::Place;

    pub(super) fn read() -> Place {
        Place::of_fragment(&window().location().hash().unwrap_or_default())
    }

    pub(super) fn write(place: &Place, push: bool) {
        let Ok(history) = window().history() else { return };
        let fragment = format!("#{}", place.to_fragment());
        // A browser may refuse when there are very many changes at once; the next one will do.
        let _ = if push {
            history.push_state_with_url(&JsValue::NULL, "", Some(&fragment))
        } else {
            history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment))
        };
    }

    /// Follows Back and Forward, and addresses that are typed in.
    pub(super) fn watch(place: RwSignal<Place>) {
        for event in ["popstate", "hashchange"] {
            EventListener::new(&window(), event, move |_| place.set(read())).forget();
        }
    }
}
