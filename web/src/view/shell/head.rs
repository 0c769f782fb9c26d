//! The header: what is open, the search box, and what the page itself can do.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, MouseEvent};

use crate::dom::{El, el, memo};
use crate::format::number;
use crate::store::{Dialog, Pane, Store};
use crate::view::icon::{self, DETAILS, FOLDER, KEYS, SIDE, THEME, drawn};
use crate::view::keys::run::run;
use crate::view::keys::table::Command;
use huddle_web_model::route::View;

/// Draws the first line, with the search box in it.
pub fn head(store: Store, search: El) -> [El; 3] {
    let name = memo(move || store.overview.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default()));
    let live = memo(move || store.overview.with(|it| it.as_ref().is_some_and(|it| it.is_followed())));
    let source =
        el("span").class("source-name").live_attr("title", move || Some(name.get())).live_text(move || name.get());
    let brand = el("div")
        .class("brand")
        .with(pane(store, Pane::Side, "Source and filters", "Source and filters: b", SIDE))
        .with(el("h1").text("Huddle"))
        .with(source)
        .live_one(move || live.get().then(|| el("span").class("live").text("live")));
    let open = button("Open something else", "Open something else", FOLDER);
    let theme = button("Theme", "Light, dark, or as the system: T", THEME);
    let keys = button("Keys", "Keys: ?", KEYS).class("quiet-button wide-only");
    let buttons = el("div")
        .class("top-buttons")
        .with(open.press(move || store.dialog.set(Some(Dialog::Open))))
        .with(theme.press(move || run(store, Command::Theme)))
        .with(keys.press(move || run(store, Command::Keys)))
        .with(pane(store, Pane::Details, "Details", "Details: i", DETAILS));
    [brand, search, buttons]
}

fn button(name: &str, title: &str, path: &str) -> El {
    el("button").class("quiet-button").attr("title", title).attr("aria-label", name).with(drawn(path))
}

/// Draws the button that shows or hides a pane.
fn pane(store: Store, pane: Pane, name: &str, title: &str, path: &str) -> El {
    button(name, title, path)
        .live_attr("aria-expanded", move || Some(store.shows(pane).to_string()))
        .press(move || store.toggle(pane))
}

/// Draws the ways to the views.
pub fn views(store: Store) -> Vec<El> {
    let current = memo(move || store.place.with(|place| place.view));
    View::ALL.iter().enumerate().map(|(place, view)| tab(store, current, *view, place + 1)).collect()
}

fn tab(store: Store, current: Memo<View>, view: View, key: usize) -> El {
    // A real address, so that a view can be opened in another tab.
    let address = move || {
        let mut there = store.place.get();
        there.view = view;
        Some(format!("#{}", there.to_fragment()))
    };
    let click = move |event: Event| {
        let mouse: &MouseEvent = event.unchecked_ref();
        if !(mouse.ctrl_key() || mouse.meta_key() || mouse.shift_key()) {
            event.prevent_default();
            store.go(|place| place.view = view);
        }
    };
    let tab = el("a")
        .live_attr("href", address)
        .live_attr("aria-current", move || (current.get() == view).then(|| "page".to_owned()))
        .attr("title", &format!("{}: {key}", view.title()))
        .on("click", click)
        .with(drawn(picture(view)))
        .text(view.title());
    if view == View::Problems { with_badge(store, tab) } else { tab }
}

/// Adds how many problems there are.
fn with_badge(store: Store, tab: El) -> El {
    let problems = memo(move || store.overview.with(|it| it.as_ref().map(|it| it.problems).unwrap_or_default()));
    tab.live_one(move || {
        let [errors, warnings, _] = problems.get();
        let (class, many, what) =
            if errors > 0 { ("badge bad", errors, "error") } else { ("badge", warnings, "warning") };
        let ending = if many == 1 { "" } else { "s" };
        let unseen = || el("span").class("unseen").text(&format!(" {what}{ending}"));
        (many > 0).then(|| el("span").class(class).text(&number(many.into())).with(unseen()))
    })
}

/// Gives the picture of a view, which stands above its name where names are small.
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
