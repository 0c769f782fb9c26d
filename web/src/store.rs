//! All stores of [`crate::state`] in one, for views that are not components yet.

use std::sync::Arc;

use leptos::prelude::*;

use crate::limits::UnpackLimits;
use crate::protocol::{Details, Format, Goal, Key, Overview, Passage, Reply, Request, Source};
use crate::state::{DatasetState, Feedback, RouteState, SearchState, SelectionState, SettingsState, use_store};
use huddle_web_model::route::{Place, View};

pub use crate::state::{COLORS as HUES, Dialog, Pane, Panes, Phase, Search, remember as keep, remembered as kept};

/// All stores.
#[derive(Clone, Copy)]
pub struct Store {
    pub routes: RouteState,
    pub dataset: DatasetState,
    pub selection: SelectionState,
    pub settings: SettingsState,
    pub feedback: Feedback,
    pub place: RwSignal<Place>,
    pub phase: RwSignal<Phase>,
    pub overview: RwSignal<Option<Arc<Overview>>>,
    /// Counts changes of what responses depend on.
    pub version: Memo<u32>,
    pub search: RwSignal<Search>,
    pub details: RwSignal<Option<Arc<Details>>>,
    pub notice: RwSignal<String>,
    pub alert: RwSignal<String>,
    pub dialog: RwSignal<Option<Dialog>>,
    pub panes: RwSignal<Panes>,
    pub dismissed: RwSignal<String>,
}

impl Store {
    /// Collects the stores.
    ///
    /// # Panics
    /// Outside of the page.
    pub fn of_page() -> Self {
        let (routes, dataset): (RouteState, DatasetState) = (use_store(), use_store());
        let (selection, search): (SelectionState, SearchState) = (use_store(), use_store());
        let (settings, feedback): (SettingsState, Feedback) = (use_store(), use_store());
        let version = Memo::new(move |before: Option<&u32>| {
            dataset.version.track();
            before.map_or(0, |count| count + 1)
        });
        Self {
            routes,
            dataset,
            selection,
            settings,
            feedback,
            place: routes.route,
            phase: dataset.phase,
            overview: dataset.overview,
            version,
            search: search.result,
            details: selection.details,
            notice: feedback.notice,
            alert: feedback.alert,
            dialog: feedback.dialog,
            panes: settings.panes,
            dismissed: dataset.dismissed,
        }
    }

    pub fn request(self, request: Request) -> impl Future<Output = Reply> + use<> {
        self.dataset.request(request)
    }

    pub fn live(self, request: impl Fn() -> Option<Request> + 'static) -> RwSignal<Option<Arc<Reply>>> {
        self.dataset.live(request)
    }

    pub fn open(self, source: Source, handles: js_sys::Array) {
        self.dataset.open(source, handles);
    }

    pub fn open_again(self) {
        self.dataset.open_again();
    }

    pub fn raise_open(self, limits: UnpackLimits) {
        self.dataset.raise_open(limits);
    }

    pub fn raise_asked(self, limits: UnpackLimits) {
        self.dataset.raise_requested(limits);
    }

    pub fn refuse(self, message: &str) {
        self.dataset.refuse(message);
    }

    pub fn cancel(self) {
        self.dataset.cancel();
    }

    pub fn rest(self) {
        self.dataset.rest();
    }

    pub fn hue(self, name: &str) -> usize {
        self.settings.color(name)
    }

    pub fn go(self, change: impl FnOnce(&mut Place)) {
        self.routes.push(change);
    }

    pub fn shift(self, change: impl FnOnce(&mut Place)) {
        self.routes.replace(change);
    }

    pub fn look_for(self, query: &str) {
        self.routes.search_for(query);
    }

    pub fn select(self, key: Key) {
        self.selection.select(key);
    }

    pub fn show(self, key: Key) {
        self.selection.show(key);
    }

    pub fn step(self, to: Goal, back: bool) {
        self.selection.step(to, back);
    }

    pub fn uncover(self) {
        self.settings.uncover();
    }

    pub fn toggle(self, pane: Pane) {
        if !self.settings.toggle(pane) {
            self.feedback.notify("Nothing is selected.");
        }
    }

    pub fn keep_scroll(self, view: View, top: i32) {
        self.settings.keep_scroll(view, top);
    }

    pub fn scroll_of(self, view: View) -> i32 {
        self.settings.scroll_of(view)
    }

    pub fn copy(self, passage: Passage) {
        self.dataset.copy(passage);
    }

    pub fn copy_text(self, text: String, copied: &'static str) {
        self.dataset.copy_text(text, copied);
    }

    pub fn save(self, format: Format) {
        self.dataset.save(format);
    }
}
