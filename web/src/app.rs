//! The page as a whole.

use leptos::prelude::*;

use crate::content::{FEATURES, Feature, PRIVACY};

/// Draws the page: what Huddle's viewer is, what is there, and what comes.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <header class="masthead">
            <p class="name">"Huddle"</p>
            <h1>"See what your agents said to each other"</h1>
            <p class="lead">
                "Huddle lets agents talk through messages that people can read. "
                "This page is becoming its viewer: a calm place to follow who asked what, "
                "who answered, and what is still waiting."
            </p>
        </header>
        <main>
            <section aria-labelledby="parts">
                <h2 id="parts">"What there is, and what comes"</h2>
                <ul class="features">{FEATURES.iter().map(feature).collect_view()}</ul>
            </section>
            <section aria-labelledby="privacy">
                <h2 id="privacy">"Your data stays with you"</h2>
                <p>{PRIVACY}</p>
            </section>
            <section aria-labelledby="meanwhile">
                <h2 id="meanwhile">"Until then, in a terminal"</h2>
                <p>"The command reads the same messages. From a copy of the repository:"</p>
                <pre tabindex="0" aria-label="Commands to try">
                    <code>"cargo xtask demo\nwasmtime run --dir . dist/huddle.wasm threads"</code>
                </pre>
            </section>
        </main>
    }
}

fn feature(feature: &'static Feature) -> impl IntoView {
    let stage = feature.stage.label();
    view! {
        <li class="feature">
            <h3>{feature.title}</h3>
            <span class=format!("stage {stage}")>{stage}</span>
            <p>{feature.text}</p>
        </li>
    }
}
