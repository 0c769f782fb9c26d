//! Where the reader is: a signal that the page's address follows.

use leptos::prelude::*;

use super::address;
use huddle_web_model::protocol::List;
use huddle_web_model::route::{Place, View};

/// Where the reader is.
#[derive(Debug, Clone, Copy)]
pub struct RouteState {
    /// The route.
    pub route: RwSignal<Place>,
    /// Numbers the sources that were opened, one after the other: the browser's history says which one an address is in.
    pub source_number: RwSignal<u32>,
}

impl RouteState {
    pub(super) fn new() -> Self {
        Self { route: RwSignal::new(address::read()), source_number: RwSignal::new(0) }
    }

    /// Goes somewhere: the browser's Back leads here.
    pub fn push(self, change: impl FnOnce(&mut Place)) {
        self.change(change, true);
    }

    /// Moves a little: the browser's Back does not stop here.
    pub fn replace(self, change: impl FnOnce(&mut Place)) {
        self.change(change, false);
    }

    fn change(self, change: impl FnOnce(&mut Place), push: bool) {
        let before = self.route.get_untracked();
        let mut route = before.clone();
        change(&mut route);
        if route != before {
            address::write(&route, push, self.source_number.get_untracked());
            self.route.set(route);
        }
    }

    /// Searches for something else.
    pub fn search_for(self, query: &str) {
        self.push(|route| query.clone_into(&mut route.query));
    }

    /// Makes Back lead to an earlier query, after [`Self::replace`] left it little by little.
    pub fn commit_query(self, before: &Place) {
        let route = self.route.get_untracked();
        if route.query != before.query {
            let number = self.source_number.get_untracked();
            address::write(&Place { query: before.query.clone(), ..route.clone() }, false, number);
            address::write(&route, true, number);
        }
    }

    /// Returns the view, as a memo.
    pub fn view(self) -> Memo<View> {
        Memo::new(move |_| self.route.with(|route| route.view))
    }

    /// Returns the query, as a memo.
    pub fn query(self) -> Memo<String> {
        Memo::new(move |_| self.route.with(|route| route.query.trim().to_owned()))
    }

    /// Returns the list that the conversation view shows, as a memo.
    pub fn list(self) -> Memo<List> {
        Memo::new(move |_| self.route.with(Place::list))
    }
}
