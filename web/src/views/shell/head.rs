//! The header: what is open, and what the page itself can do.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use crate::components::icon::{self, DETAILS, FOLDER, Icon, KEYS, SIDE, THEME};
use crate::format::number;
use crate::state::{DatasetState, Dialog, Feedback, Pane, RouteState, SettingsState, use_store};
use crate::views::keys::run::CommandRunner;
use crate::views::keys::table::Command;
use huddle_web_model::route::View;

/// The name of the page, and of what is open.
#[component]
pub fn Brand() -> impl IntoView {
    let dataset: DatasetState = use_store();
    let name =
        Memo::new(move |_| dataset.overview.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default()));
    let live = Memo::new(move |_| dataset.overview.with(|it| it.as_ref().is_some_and(|it| it.is_followed())));
    view! {
        <div class="brand">
            <PaneButton pane=Pane::Side name="Source and filters" title="Source and filters: b" path=SIDE />
            <h1>"Huddle"</h1>
            <span class="source-name" title=move || name.get()>{move || name.get()}</span>
            <Show when=move || live.get()>
                <span class="live">"live"</span>
            </Show>
        </div>
    }
}

/// What the page itself can do.
#[component]
pub fn PageButtons() -> impl IntoView {
    let runner = CommandRunner::of_page();
    let feedback: Feedback = use_store();
    view! {
        <div class="top-buttons">
            <button
                class="quiet-button"
                title="Open something else"
                aria-label="Open something else"
                on:click=move |_| feedback.dialog.set(Some(Dialog::Open))
            >
                <Icon path=FOLDER />
            </button>
            <button
                class="quiet-button"
                title="Theme: light, dark or system (T)"
                aria-label="Theme"
                on:click=move |_| runner.run(Command::Theme)
            >
                <Icon path=THEME />
            </button>
            <button
                class="quiet-button wide-only"
                title="Keys: ?"
                aria-label="Keys"
                on:click=move |_| runner.run(Command::Keys)
            >
                <Icon path=KEYS />
            </button>
            <PaneButton pane=Pane::Details name="Details" title="Details: i" path=DETAILS />
        </div>
    }
}

/// The button that shows or hides a pane.
#[component]
fn PaneButton(pane: Pane, name: &'static str, title: &'static str, path: &'static str) -> impl IntoView {
    let (settings, feedback): (SettingsState, Feedback) = (use_store(), use_store());
    view! {
        <button
            class="quiet-button"
            title=title
            aria-label=name
            aria-expanded=move || settings.shows(pane).to_string()
            on:click=move |_| if !settings.toggle(pane) { feedback.notify("Nothing is selected.") }
        >
            <Icon path />
        </button>
    }
}

/// The ways to the views.
#[component]
pub fn Tabs() -> impl IntoView {
    let current = use_store::<RouteState>().view();
    View::ALL.into_iter().zip(1..).map(|(view, key)| view! { <Tab view key current /> }).collect_view()
}

#[component]
fn Tab(view: View, key: usize, current: Memo<View>) -> impl IntoView {
    let route: RouteState = use_store();
    // A real address, so that a view can be opened in another tab.
    let address = move || {
        let mut there = route.route.get();
        there.view = view;
        format!("#{}", there.to_fragment())
    };
    let click = move |event: MouseEvent| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            route.push(|route| route.view = view);
        }
    };
    view! {
        <a
            href=address
            aria-current=move || (current.get() == view).then_some("page")
            title=format!("{}: {key}", view.title())
            on:click=click
        >
            <Icon path=picture(view) />
            {view.title()}
            {(view == View::Problems).then(|| view! { <ProblemsBadge /> })}
        </a>
    }
}

/// How many problems there are.
#[component]
fn ProblemsBadge() -> impl IntoView {
    let dataset: DatasetState = use_store();
    let problems =
        Memo::new(move |_| dataset.overview.with(|it| it.as_ref().map(|it| it.problems).unwrap_or_default()));
    move || {
        let [errors, warnings, _] = problems.get();
        let (class, count, what) =
            if errors > 0 { ("badge bad", errors, "error") } else { ("badge", warnings, "warning") };
        let ending = if count == 1 { "" } else { "s" };
        (count > 0).then(|| {
            view! { <span class=class>{number(count.into())}<span class="unseen">{format!(" {what}{ending}")}</span></span> }
        })
    }
}

/// Returns the picture of a view, which stands above its name where names are small.
const fn picture(view: View) -> &'static str {
    match view {
        View::Conversation => icon::TALK,
        View::Timeline => icon::LANES,
        View::Agents => icon::PEOPLE,
        View::Reports => icon::REPORT,
        View::Shared => icon::SHARED,
        View::Problems => icon::WARNING,
    }
}
