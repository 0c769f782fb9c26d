//! What the page knows, and how it changes. Components read signals of it and call its methods; nothing else is shared.

mod address;
mod hand;
mod panes;
mod stopped;

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use wasm_bindgen_futures::spawn_local;

use crate::client::Client;
use crate::dom::{after, memo};
use crate::limits::{Raise, UnpackLimits};
use crate::protocol::{Details, Event, Goal, Key, Overview, Reply, Request, RequestError, Response, Source};
use huddle_web_model::route::{Place, View};

pub use address::asked_for;
pub use hand::{keep, kept};
pub use huddle_web_model::panes::{Pane, Panes};

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
        /// Set when it can be opened with higher bounds.
        raise: Option<Raise>,
    },
    /// The worker failed, and another has taken its place; nothing is open.
    Stopped {
        /// What was open or being opened; empty when nothing was.
        name: String,
        /// What the browser says of the failure; empty when the page itself ended as well.
        reason: String,
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
    /// The ways to open something else.
    Open,
}

/// A source with all that it takes to open it again.
#[derive(Debug, Clone)]
struct Opening {
    source: Source,
    things: js_sys::Array,
    limits: UnpackLimits,
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
    /// Whether a message is selected that is not in what is open.
    pub absent: RwSignal<bool>,
    /// The row of the selected message in the conversation view's list.
    pub cursor: RwSignal<Option<u32>>,
    /// What was last done, for a moment, for all to see and hear.
    pub notice: RwSignal<String>,
    /// What could not be done, for a moment, for all to see and hear.
    pub alert: RwSignal<String>,
    /// What lies over the page.
    pub dialog: RwSignal<Option<Dialog>>,
    /// Which panes there are beside the view.
    pub panes: RwSignal<Panes>,
    /// Counts what was opened: views begin anew with each.
    pub opened: RwSignal<u32>,
    /// The colour of everybody, by name.
    hues: StoredValue<Vec<(String, usize)>>,
    /// How far each view was scrolled when it was last seen.
    scrolled: StoredValue<[i32; View::ALL.len()]>,
    /// How often something was asked to be opened, or given up.
    asked: StoredValue<u32>,
    /// What is being opened and has not been heard of yet: its number, and the address that it is at, empty if it has none.
    opening: StoredValue<Option<(u32, String)>>,
    /// What was last asked to be opened, whatever came of it.
    asked_source: StoredValue<Option<Opening>, LocalStorage>,
    /// What is open.
    open_source: StoredValue<Option<Opening>, LocalStorage>,
    /// The words about files that were left out, once the reader has dismissed them.
    pub dismissed: RwSignal<String>,
    /// Whether the reader gave up on it.
    stopped: StoredValue<bool>,
    /// The source that a link was made for, until it is known whether that is what was opened.
    linked: StoredValue<String>,
    /// Steps that were asked for and are not done.
    steps: StoredValue<VecDeque<(Goal, bool)>>,
    client: StoredValue<Option<Client>, LocalStorage>,
}

impl Store {
    /// Starts the worker, and goes where the page's address says.
    pub fn start() -> Self {
        let place = address::read();
        let store = Self {
            linked: StoredValue::new(place.source.clone()),
            place: RwSignal::new(place),
            phase: RwSignal::default(),
            overview: RwSignal::new(None),
            version: RwSignal::new(0),
            search: RwSignal::default(),
            details: RwSignal::new(None),
            absent: RwSignal::new(false),
            cursor: RwSignal::new(None),
            notice: RwSignal::default(),
            alert: RwSignal::default(),
            dialog: RwSignal::new(None),
            panes: RwSignal::new(panes::first()),
            opened: RwSignal::new(0),
            hues: StoredValue::default(),
            scrolled: StoredValue::default(),
            asked: StoredValue::default(),
            opening: StoredValue::default(),
            asked_source: StoredValue::new_local(None),
            open_source: StoredValue::new_local(None),
            dismissed: RwSignal::default(),
            stopped: StoredValue::default(),
            steps: StoredValue::default(),
            client: StoredValue::new_local(None),
        };
        stopped::watch(store);
        store.start_worker();
        store.follow();
        address::watch(store);
        panes::watch(store.panes);
        store
    }

    fn hear(self, tell: Event) {
        match tell {
            Event::Progress { bytes, total, rows } => self.phase.set(Phase::Loading { bytes, total, rows }),
            Event::Ready(ready) => self.arrived(*ready),
            Event::Failed { message, hint, raise } => {
                self.opening.set_value(None);
                stopped::survived();
                if self.stopped.get_value() {
                    self.rest();
                    self.notice.set(message);
                } else {
                    self.phase.set(Phase::Failed { message, hint, raise });
                }
            }
        }
    }

    /// Finds the store that the page was given.
    ///
    /// # Panics
    /// Outside of the page.
    pub fn of_page() -> Self {
        expect_context()
    }

    /// Sends a request to the worker.
    pub fn request(self, request: Request) -> impl Future<Output = Reply> + use<> {
        self.request_with(request, js_sys::Array::new())
    }

    /// Tells the worker, as long as it reads on, that what is there is drawn.
    pub fn drawn(self) {
        if self.overview.with_untracked(|it| it.as_ref().is_some_and(|it| it.partial)) {
            drop(self.request(Request::Drawn));
        }
    }

    fn request_with(self, request: Request, handles: js_sys::Array) -> impl Future<Output = Reply> + use<> {
        let response = self.client.with_value(|client| client.as_ref().map(|client| client.request(request, handles)));
        async move {
            match response {
                Some(response) => response.await,
                None => Err(RequestError::WorkerStopped),
            }
        }
    }

    /// Opens something. What is open stays until there is something to show of it.
    pub fn open(self, source: Source, things: js_sys::Array) {
        // The place is one in what was open when the worker failed.
        if self.phase.with_untracked(|phase| matches!(phase, Phase::Stopped { .. })) {
            self.go(|place| *place = Place { view: place.view, flat: place.flat, ..Place::default() });
        }
        self.open_with(Opening { source, things, limits: UnpackLimits::default() });
    }

    fn open_with(self, opening: Opening) {
        self.start_worker();
        let address = if let Source::Address(address) = &opening.source { address.clone() } else { String::new() };
        stopped::begin(&address);
        self.opening.set_value(Some((self.count(), address)));
        self.stopped.set_value(false);
        self.phase.set(Phase::Loading { bytes: 0, total: 0, rows: 0 });
        self.dialog.set(None);
        self.notice.set(String::new());
        self.dismissed.set(String::new());
        let ask = Request::Open { source: opening.source.clone(), limits: opening.limits };
        let things = opening.things.clone();
        self.asked_source.set_value(Some(opening));
        drop(self.request_with(ask, things));
    }

    /// Opens what is open again, with higher bounds on unpacking.
    pub fn raise_open(self, limits: UnpackLimits) {
        self.open_source.get_value().into_iter().for_each(|opening| self.open_with(Opening { limits, ..opening }));
    }

    /// Opens what could not be opened, with higher bounds on unpacking.
    pub fn raise_asked(self, limits: UnpackLimits) {
        self.asked_source.get_value().into_iter().for_each(|opening| self.open_with(Opening { limits, ..opening }));
    }

    /// Counts one more thing that is asked to be opened, or given up.
    fn count(self) -> u32 {
        self.asked.update_value(|asked| *asked += 1);
        self.asked.get_value()
    }

    /// Says why something is not even tried to be opened, and what to open instead.
    pub fn refuse(self, message: &str) {
        self.dialog.set(None);
        let hint = "Open a directory, a log, or a .gz or .zip of either.".to_owned();
        self.phase.set(Phase::Failed { message: message.to_owned(), hint, raise: None });
    }

    /// Gives up on what is being opened.
    pub fn cancel(self) {
        self.count();
        stopped::survived();
        drop(self.request(Request::Cancel));
        self.stopped.set_value(true);
        self.rest();
    }

    /// Goes back to what is open, if anything is.
    pub fn rest(self) {
        let open = self.overview.with_untracked(Option::is_some);
        self.phase.set(if open { Phase::Ready } else { Phase::Empty });
    }

    /// Sends a request whenever a signal changes that `request` reads, or what is open, or what is found; holds the newest
    /// reply. A request that is out of date is canceled.
    pub fn live(self, request: impl Fn() -> Option<Request> + 'static) -> RwSignal<Option<Arc<Reply>>> {
        let reply = RwSignal::new(None);
        after(move || {
            self.version.track();
            let Some(request) = request().filter(|_| self.overview.with_untracked(Option::is_some)) else { return };
            let response = self.request(request);
            spawn_local_scoped_with_cancellation(async move { _ = reply.try_set(Some(Arc::new(response.await))) });
        });
        reply
    }

    /// Gives the number of an agent's colour, which it keeps: see `.hue-0` and so on in the styles.
    pub fn hue(self, name: &str) -> usize {
        let found = |hues: &mut Vec<(String, usize)>| match hues.binary_search_by(|(known, _)| known.as_str().cmp(name))
        {
            Ok(place) => hues[place].1,
            Err(place) => {
                let hue = hues.len() % HUES;
                hues.insert(place, (name.to_owned(), hue));
                hue
            }
        };
        self.hues.try_update_value(found).unwrap_or_default()
    }

    /// Goes somewhere: the way back leads here.
    pub fn go(self, change: impl FnOnce(&mut Place)) {
        let mut place = self.place.get_untracked();
        change(&mut place);
        self.moved(place, true);
    }

    /// Moves a little: the way back does not stop here.
    pub fn shift(self, change: impl FnOnce(&mut Place)) {
        let mut place = self.place.get_untracked();
        change(&mut place);
        self.moved(place, false);
    }

    fn moved(self, place: Place, push: bool) {
        let before = self.place.get_untracked();
        if place.view != before.view {
            self.uncover();
        }
        if place != before {
            address::write(&place, push, self.opened.get_untracked());
            self.place.set(place);
        }
    }

    /// Selects a message in every view.
    pub fn select(self, key: Key) {
        self.go(|place| place.selected = Some(key));
        self.panes.update(|panes| panes.over = Some(Pane::Details));
    }

    /// Shows a message in the conversation view.
    pub fn show(self, key: Key) {
        self.go(|place| (place.view, place.selected) = (View::Conversation, Some(key)));
        self.uncover();
    }

    /// Goes on to the next of something, from the selected message. Steps that are asked for before the last one is
    /// done are taken after it.
    pub fn step(self, to: Goal, back: bool) {
        self.steps.update_value(|steps| steps.push_back((to, back)));
        if self.steps.with_value(VecDeque::len) == 1 {
            self.take_step(to, back);
        }
    }

    fn take_step(self, to: Goal, back: bool) {
        let from = self.cursor.get_untracked();
        let response = self.request(Request::Step { list: self.place.get_untracked().list(), from, to, back });
        spawn_local(async move {
            match response.await {
                Ok(Response::Index(Some((index, key)))) => {
                    self.cursor.set(Some(index));
                    self.shift(|place| place.selected = Some(key));
                }
                Err(RequestError::WorkerStopped) => {}
                _ => self.notice.set(nothing_more(to, back)),
            }
            let next = self.steps.try_update_value(|steps| {
                steps.pop_front();
                steps.front().copied()
            });
            if let Some((to, back)) = next.flatten() {
                self.take_step(to, back);
            }
        });
    }

    /// Searches for something else.
    pub fn look_for(self, query: &str) {
        self.go(|place| query.clone_into(&mut place.query));
    }

    /// Makes the way back lead to an earlier place, after moving away from it little by little.
    pub fn settle(self, before: &Place) {
        let place = self.place.get_untracked();
        if place.query != before.query {
            let opened = self.opened.get_untracked();
            address::write(&Place { query: before.query.clone(), ..place.clone() }, false, opened);
            address::write(&place, true, opened);
        }
    }

    /// Remembers how far a view is scrolled.
    pub fn keep_scroll(self, view: View, top: i32) {
        self.scrolled.update_value(|scrolled| scrolled[view as usize] = top);
    }

    /// Gives how far a view was scrolled when it was last seen.
    pub fn scroll_of(self, view: View) -> i32 {
        self.scrolled.with_value(|scrolled| scrolled[view as usize])
    }

    /// Keeps what follows from the place up to date: what the query finds, the selected message, and its row.
    fn follow(self) {
        let query = memo(move || self.place.with(|place| place.query.clone()));
        let opened = memo(move || self.overview.with(|it| it.as_ref().map(|it| it.generation)));
        after(move || {
            if opened.get().is_some() {
                let response = self.request(Request::Search(query.get()));
                spawn_local(async move {
                    self.search.set(match response.await {
                        Ok(Response::Found { count }) if !query.get_untracked().trim().is_empty() => {
                            Search::Found(count)
                        }
                        Err(RequestError::Query(error)) => Search::Misread(error.at, error.message, error.hint),
                        Err(RequestError::Failed(why)) => self.search_failed(why),
                        _ => Search::Idle,
                    });
                    self.version.update(|version| *version += 1);
                });
            }
        });
        let selected = memo(move || self.place.with(|place| place.selected.clone()));
        let details = self.live(move || selected.get().map(Request::Details));
        after(move || {
            let (reply, wanted) = (details.get(), selected.get().is_some());
            let found = reply.as_deref().filter(|_| wanted).and_then(|reply| match reply {
                Ok(Response::Details(details)) => Some(Arc::new((**details).clone())),
                _ => None,
            });
            self.absent.set(wanted && matches!(reply.as_deref(), Some(Err(RequestError::Failed(_)))));
            self.details.set(found);
        });
        let list = memo(move || self.place.with(Place::list));
        let row = self.live(move || selected.get().map(|key| Request::Find { list: list.get(), key }));
        after(move || {
            if let Some(Ok(Response::Index(found))) = row.get().as_deref() {
                self.cursor.set(found.as_ref().map(|(index, _)| *index));
            }
        });
    }

    /// Says that searching failed, also after a moment.
    fn search_failed(self, why: String) -> Search {
        self.alert.set(why.clone());
        Search::Misread(u32::MAX, why, "Search again, or open it anew.".to_owned())
    }

    /// Takes what has become ready, and says so when it is not what a link was made for.
    fn arrived(self, ready: Overview) {
        // News of what is still shown may come while something else is being opened.
        let is_new = self.opening.with_value(|opening| opening.as_ref().is_some_and(|it| it.0 == ready.opening));
        let is_busy = !is_new && self.opening.with_value(Option::is_some);
        if is_new && let Some((_, address)) = self.opening.try_update_value(Option::take).flatten() {
            self.begin(&address);
            self.open_source.set_value(self.asked_source.get_value());
        }
        // In the order of names, so that colours are the same wherever one begins to look.
        ready.agents.iter().for_each(|(name, _)| _ = self.hue(name));
        if !ready.partial {
            let linked = self.linked.try_update_value(std::mem::take).unwrap_or_default();
            if !linked.is_empty() && linked != ready.source {
                self.notice.set(OTHER_CONTENT.to_owned());
            }
            if !is_busy {
                stopped::survived();
                self.phase.set(Phase::Ready);
            }
            self.shift(|place| ready.source.clone_into(&mut place.source));
        }
        self.overview.set(Some(Arc::new(ready)));
        self.version.update(|version| *version += 1);
    }

    /// Leaves what was open before for something else.
    fn begin(self, address: &str) {
        if self.overview.with_untracked(Option::is_some) {
            self.linked.set_value(String::new());
            self.hues.set_value(Vec::new());
            self.scrolled.set_value(Default::default());
            self.opened.update(|opened| *opened += 1);
            self.go(|place| *place = Place { view: place.view, flat: place.flat, ..Place::default() });
        }
        // Only now: the way back leads to what was open before, under its own name.
        address::name_source(address, self.opened.get_untracked());
    }

    /// Goes where the page's address says. Back and Forward tell which of the sources that were opened the place is in; an
    /// address that was followed from elsewhere does not.
    fn went(self, mut place: Place, opened: Option<u32>) {
        let open = self.overview.with_untracked(|it| it.as_ref().filter(|it| !it.partial).map(|it| it.source.clone()));
        if let Some(open) = open {
            // What is followed becomes other content, and stays the same source.
            let same = place.source.is_empty() || place.source == open || opened == Some(self.opened.get_untracked());
            if !same {
                self.notice.set(if opened.is_some() { OTHER_SOURCE } else { OTHER_CONTENT }.to_owned());
            }
            place.source = open;
        } else {
            self.linked.set_value(place.source.clone());
        }
        if place.selected.is_none() {
            self.uncover();
        }
        self.place.set(place);
    }
}

const OTHER_SOURCE: &str = "This place is in what was open before: open that again to see it.";
const OTHER_CONTENT: &str = "The link was made for other content: this copy differs, so it may lead elsewhere.";

fn nothing_more(goal: Goal, back: bool) -> String {
    let what = match goal {
        Goal::Message | Goal::Since(_) => "message",
        Goal::Thread => "conversation",
        Goal::Hit => "hit",
        Goal::Error => "error",
    };
    format!("No {} {what}.", if back { "earlier" } else { "further" })
}
