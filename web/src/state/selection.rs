//! The selected message, and stepping from it to others.

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{DatasetState, Feedback, RouteState};
use crate::protocol::{Details, Goal, Key, Request, RequestError, Response, RowPosition};
use huddle_web_model::panes::Pane;
use huddle_web_model::route::View;

/// The selected message.
#[derive(Debug, Clone, Copy)]
pub struct SelectionState {
    route: RouteState,
    dataset: DatasetState,
    feedback: Feedback,
    /// Its key.
    pub key: Memo<Option<Key>>,
    /// The whole message.
    pub details: RwSignal<Option<Arc<Details>>>,
    /// Whether it is not in what is open.
    pub absent: RwSignal<bool>,
    /// Where it stands in the conversation view's list.
    pub row: RwSignal<Option<RowPosition>>,
    /// Steps that were requested and are not done.
    steps: StoredValue<VecDeque<(Goal, bool)>>,
}

impl SelectionState {
    pub(super) fn new(route: RouteState, dataset: DatasetState, feedback: Feedback) -> Self {
        let selection = Self {
            route,
            dataset,
            feedback,
            key: Memo::new(move |_| route.route.with(|route| route.selected.clone())),
            details: RwSignal::new(None),
            absent: RwSignal::new(false),
            row: RwSignal::new(None),
            steps: StoredValue::default(),
        };
        selection.follow();
        selection
    }

    /// Keeps what is known of the selected message up to date.
    fn follow(self) {
        let details = self.dataset.live(move || self.key.get().map(Request::Details));
        Effect::new(move || {
            let (reply, wanted) = (details.get(), self.key.with(Option::is_some));
            let found = reply.as_deref().filter(|_| wanted).and_then(|reply| match reply {
                Ok(Response::Details(details)) => Some(Arc::new((**details).clone())),
                _ => None,
            });
            self.absent.set(wanted && matches!(reply.as_deref(), Some(Err(RequestError::Failed(_)))));
            self.details.set(found);
        });
        let list = self.route.list();
        let row = self.dataset.live(move || self.key.get().map(|key| Request::Find { list: list.get(), key }));
        Effect::new(move || {
            if let Some(Ok(Response::Index(found))) = row.get().as_deref() {
                self.row.set(found.clone());
            }
        });
    }

    /// Selects a message in every view.
    pub fn select(self, key: Key) {
        self.route.push(|route| route.selected = Some(key));
        self.dataset.settings.panes.update(|panes| panes.over = Some(Pane::Details));
    }

    /// Shows a message in the conversation view.
    pub fn show(self, key: Key) {
        self.route.push(|route| (route.view, route.selected) = (View::Conversation, Some(key)));
        self.dataset.settings.uncover();
    }

    /// Selects the message in a row, without a stop for Back.
    pub fn move_to(self, position: RowPosition) {
        self.route.replace(|route| route.selected = Some(position.key.clone()));
        self.row.set(Some(position));
    }

    /// Selects the next of something, from the selected message. Steps that are requested before the last one is done are
    /// taken after it.
    pub fn step(self, to: Goal, back: bool) {
        self.steps.update_value(|steps| steps.push_back((to, back)));
        if self.steps.with_value(VecDeque::len) == 1 {
            self.take_step(to, back);
        }
    }

    fn take_step(self, to: Goal, back: bool) {
        let from = self.row.with_untracked(|row| row.as_ref().map(|row| row.index));
        let list = self.route.route.get_untracked().list();
        let response = self.dataset.request(Request::Step { list, from, to, back });
        spawn_local(async move {
            match response.await {
                Ok(Response::Index(Some(position))) => self.move_to(position),
                Ok(_) if to == Goal::Hit && from.is_some() => self.wrap(back).await,
                Err(RequestError::WorkerStopped) => {}
                _ => self.feedback.notify(nothing_more(to, back)),
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

    /// Goes on with hits at the other end of the list.
    async fn wrap(self, back: bool) {
        let list = self.route.route.get_untracked().list();
        match self.dataset.request(Request::Step { list, from: None, to: Goal::Hit, back }).await {
            Ok(Response::Index(Some(position))) => {
                self.feedback.notify(if back {
                    "Continued from the last hit."
                } else {
                    "Continued from the first hit."
                });
                self.move_to(position);
            }
            _ => self.feedback.notify(nothing_more(Goal::Hit, back)),
        }
    }

    /// Forgets what is known of the selected message: nothing is open any more.
    pub(super) fn clear(self) {
        self.steps.set_value(VecDeque::new());
        self.details.set(None);
        self.row.set(None);
    }
}

fn nothing_more(goal: Goal, back: bool) -> String {
    let what = match goal {
        Goal::Message | Goal::Since(_) => "message",
        Goal::Thread => "conversation",
        Goal::Hit => "hit",
        Goal::Error => "error",
    };
    format!("No {} {what}.", if back { "earlier" } else { "further" })
}
