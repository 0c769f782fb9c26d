//! What is open, and the way to the worker that holds it.

use std::sync::Arc;

use js_sys::Array;
use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use wasm_bindgen_futures::spawn_local;

use super::opening::Openings;
use super::{Feedback, RouteState, SelectionState, SettingsState, address, browser, recovery};
use crate::client::Client;
use crate::limits::Raise;
use crate::protocol::{
    Event, FirstRows, Format, List, Overview, Passage, Reply, Request, RequestError, Response, Rows,
};
use huddle_web_model::route::Place;

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

/// What responses depend on beside their requests: what is open, and the query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Version {
    /// Which state of which source; none when nothing is open.
    pub generation: Option<u32>,
    /// The query.
    pub query: String,
}

/// What is open.
#[derive(Debug, Clone, Copy)]
pub struct DatasetState {
    pub(super) route: RouteState,
    pub(super) feedback: Feedback,
    pub(super) settings: SettingsState,
    /// What is open, at a glance.
    pub overview: RwSignal<Option<Arc<Overview>>>,
    /// Where opening stands.
    pub phase: RwSignal<Phase>,
    /// What responses depend on.
    pub version: Memo<Version>,
    /// The words about files that were left out, once the reader has dismissed them.
    pub dismissed: RwSignal<String>,
    /// Rows that were announced together with what is open.
    first_rows: StoredValue<Option<(u32, FirstRows)>>,
    pub(super) openings: StoredValue<Openings, LocalStorage>,
    pub(super) client: StoredValue<Option<Client>, LocalStorage>,
}

impl DatasetState {
    pub(super) fn new(route: RouteState, feedback: Feedback, settings: SettingsState) -> Self {
        let overview = RwSignal::new(None::<Arc<Overview>>);
        let generation = Memo::new(move |_| overview.with(|it| it.as_ref().map(|it| it.generation)));
        let query = route.query();
        Self {
            route,
            feedback,
            settings,
            overview,
            phase: RwSignal::default(),
            version: Memo::new(move |_| Version { generation: generation.get(), query: query.get() }),
            dismissed: RwSignal::default(),
            first_rows: StoredValue::default(),
            openings: StoredValue::new_local(Openings::linked_to(route.route.get_untracked().source)),
            client: StoredValue::new_local(None),
        }
    }

    /// Starts the worker, and follows the page's address.
    pub(super) fn start(self, selection: SelectionState) {
        recovery::watch(self, selection);
        self.start_worker();
        address::watch(self);
    }

    /// Starts a worker if there is none.
    pub(super) fn start_worker(self) {
        if self.client.with_value(Option::is_none) {
            self.client.set_value(Some(Client::start(move |event| self.receive(event))));
        }
    }

    fn receive(self, event: Event) {
        match event {
            Event::Progress { bytes, total, rows } => self.phase.set(Phase::Loading { bytes, total, rows }),
            Event::Ready(overview, rows) => self.show(*overview, rows),
            Event::Failed { message, hint, raise } => self.opening_failed(message, &hint, raise),
        }
    }

    /// Sends a request to the worker, with the query as it is now.
    pub fn request(self, request: Request) -> impl Future<Output = Reply> + use<> {
        self.request_with(request, Array::new())
    }

    pub(super) fn request_with(self, request: Request, handles: Array) -> impl Future<Output = Reply> + use<> {
        let query = self.route.route.with_untracked(|route| route.query.trim().to_owned());
        let send = |client: &Option<Client>| client.as_ref().map(|client| client.request(query, request, handles));
        let response = self.client.with_value(send);
        async move {
            match response {
                Some(response) => response.await,
                None => Err(RequestError::WorkerStopped),
            }
        }
    }

    /// Sends a request whenever a signal changes that `request` reads, or the [`Version`]; holds the newest reply. A request
    /// that is out of date is canceled.
    pub fn live(self, request: impl Fn() -> Option<Request> + 'static) -> RwSignal<Option<Arc<Reply>>> {
        let reply = RwSignal::new(None);
        Effect::new(move || {
            let is_open = self.version.with(|version| version.generation.is_some());
            let Some(request) = request().filter(|_| is_open) else { return };
            let response = self.request(request);
            spawn_local_scoped_with_cancellation(async move { _ = reply.try_set(Some(Arc::new(response.await))) });
        });
        reply
    }

    /// Takes the rows that were announced with this version, if they are of this list; they are there once.
    pub fn take_first_rows(self, list: List, version: &Version) -> Option<Rows> {
        let (generation, first) = self.first_rows.try_update_value(Option::take).flatten()?;
        let fits = version.query.is_empty() && version.generation == Some(generation) && first.list == list;
        fits.then_some(first.rows)
    }

    /// Returns whether the query and the list are such that rows may be announced with what is opened.
    pub(super) fn first_list(self) -> Option<List> {
        self.route.route.with_untracked(|route| route.query.trim().is_empty().then(|| route.list()))
    }

    /// Takes what has become ready, and says so when it is not what a link was made for.
    fn show(self, overview: Overview, rows: Option<FirstRows>) {
        // News of what is still shown may come while something else is being opened.
        let address = self.openings.try_update_value(|it| it.arrived(overview.opening)).flatten();
        let is_busy = address.is_none() && self.openings.with_value(Openings::is_pending);
        if let Some(address) = address {
            self.leave_source(&address);
        }
        // In the order of their appearance, which more messages do not change: so that colors stay, also in the next visit.
        let names = overview.by_appearance.iter().chain(overview.agents.iter().map(|(name, _)| name));
        names.for_each(|name| _ = self.settings.color(name));
        if !overview.partial {
            let linked = self.openings.try_update_value(Openings::take_link).unwrap_or_default();
            if !linked.is_empty() && linked != overview.source {
                self.feedback.notify(OTHER_CONTENT);
            }
            if !is_busy {
                recovery::survived();
                self.phase.set(Phase::Ready);
            }
            self.route.replace(|route| overview.source.clone_into(&mut route.source));
        }
        self.first_rows.set_value(rows.map(|rows| (overview.generation, rows)));
        self.overview.set(Some(Arc::new(overview)));
    }

    /// Leaves what was open before for something else.
    fn leave_source(self, address: &str) {
        if self.overview.with_untracked(Option::is_some) {
            self.openings.update_value(|it| drop(it.take_link()));
            self.settings.forget_source();
            self.route.source_number.update(|number| *number += 1);
            self.route.push(|route| *route = route.at_start());
        }
        // Only now: Back leads to what was open before, under its own name.
        address::name_source(address, self.route.source_number.get_untracked());
    }

    /// Goes where the page's address says. Back and Forward tell which of the sources that were opened it is in; an address
    /// that was followed from elsewhere does not.
    pub(super) fn apply_route(self, mut route: Place, number: Option<u32>) {
        let open = self.overview.with_untracked(|it| it.as_ref().filter(|it| !it.partial).map(|it| it.source.clone()));
        if let Some(open) = open {
            // What is followed becomes other content, and stays the same source.
            let is_current = number == Some(self.route.source_number.get_untracked());
            if !(route.source.is_empty() || route.source == open || is_current) {
                self.feedback.notify(if number.is_some() { OTHER_SOURCE } else { OTHER_CONTENT });
            }
            route.source = open;
        } else {
            self.openings.update_value(|it| it.link_to(route.source.clone()));
        }
        if route.selected.is_none() {
            self.settings.uncover();
        }
        self.route.route.set(route);
    }

    /// Copies something as Markdown.
    pub fn copy(self, passage: Passage) {
        let copied = match &passage {
            Passage::Message(_) => "Copied the message.",
            Passage::Thread(_) => "Copied the conversation.",
            Passage::Problem(..) => "Copied the problem.",
            Passage::Finding(..) => "Copied the finding.",
        };
        spawn_local(async move {
            match self.request(Request::Markdown(passage)).await {
                Ok(Response::Text { text, .. }) => self.copy_text(text, copied),
                Err(RequestError::Failed(why)) => self.feedback.warn(format!("Nothing was copied: {why}")),
                _ => {}
            }
        });
    }

    /// Copies a text, and shows what was copied.
    pub fn copy_text(self, text: String, copied: &'static str) {
        spawn_local(async move {
            match browser::write_text(&text).await {
                Ok(()) => self.feedback.notify(copied),
                Err(_) => self.feedback.warn("Nothing was copied: the browser does not allow it here."),
            }
        });
    }

    /// Saves what the query finds, or everything without one.
    pub fn save(self, format: Format) {
        spawn_local(async move {
            match self.request(Request::Save(format)).await {
                Ok(Response::File { name, url }) => match browser::download(&name, &url) {
                    Ok(()) => self.feedback.notify(format!("Saved {name}.")),
                    Err(_) => self.feedback.warn(format!("{name} could not be saved.")),
                },
                Err(error @ (RequestError::Failed(_) | RequestError::Query(_))) => {
                    self.feedback.warn(format!("Nothing was saved: {error}"));
                }
                _ => {}
            }
        });
    }
}

const OTHER_SOURCE: &str = "This place is in what was open before: open that again to see it.";
const OTHER_CONTENT: &str = "The link was made for other content: this copy differs, so it may lead elsewhere.";
