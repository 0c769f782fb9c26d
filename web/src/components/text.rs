//! Text in which the words that the query finds are marked.

use leptos::prelude::*;

use crate::state::{SearchState, use_store};

/// A text with the matches of the query marked.
#[component]
pub fn Text(#[prop(into)] text: String) -> impl IntoView {
    let search: SearchState = use_store();
    let text = StoredValue::new(text);
    move || {
        search.highlighter.with(|highlighter| {
            text.with_value(|text| {
                let parts = highlighter.parts(text).into_iter();
                parts
                    .map(|(part, marked)| match marked {
                        true => leptos::either::Either::Left(view! { <mark>{part.to_owned()}</mark> }),
                        false => leptos::either::Either::Right(part.to_owned()),
                    })
                    .collect_view()
            })
        })
    }
}
