//! What the query finds.

use huddle_core::history::query::{Highlighter, Query};
use leptos::prelude::*;

use super::{DatasetState, Feedback, RouteState};
use crate::protocol::{QueryError, Request, RequestError, Response};

/// What the query comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Search {
    /// Nothing is searched for.
    #[default]
    Idle,
    /// So many messages are found.
    Found(u64),
    /// The query cannot be parsed, or searching failed.
    Misread(QueryError),
}

/// What the query finds.
#[derive(Debug, Clone, Copy)]
pub struct SearchState {
    /// What the query comes to.
    pub result: RwSignal<Search>,
    /// What the query looks for in texts.
    pub highlighter: Memo<Highlighter>,
}

impl SearchState {
    pub(super) fn new(route: RouteState, dataset: DatasetState, feedback: Feedback) -> Self {
        let query = route.query();
        let parse = move || query.with(|query| Query::parse(query).map(|query| Highlighter::new(&query)));
        let highlighter = Memo::new(move |_| parse().unwrap_or_default());
        let state = Self { result: RwSignal::default(), highlighter };
        let replies = dataset.live(move || query.with(|query| !query.is_empty()).then_some(Request::Search));
        Effect::new(move || {
            let reply = replies.get();
            let searching = query.with(|query| !query.is_empty());
            if !searching && reply.is_some() {
                // What the last query found is nothing to begin another with.
                replies.set(None);
            }
            state.result.set(match reply.as_deref().filter(|_| searching) {
                Some(Ok(Response::Found { count })) => Search::Found(*count),
                Some(Err(RequestError::Query(error))) => Search::Misread(error.clone()),
                Some(Err(RequestError::Failed(why))) => {
                    feedback.warn(why.clone());
                    let hint = "Search again, or open it anew.".to_owned();
                    Search::Misread(QueryError { at: u32::MAX, message: why.clone(), hint })
                }
                _ => Search::Idle,
            });
        });
        state
    }
}
