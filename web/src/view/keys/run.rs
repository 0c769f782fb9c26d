//! Keys that are pressed, and what commands do.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::{document, window};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::table::{Command, called};
use crate::protocol::{Passage, Source};
use crate::store::{Dialog, Store};
use crate::view::{open, search, theme};

/// Listens to the keyboard for as long as the page is there.
pub fn listen(store: Store) {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), "keydown", options, move |event| {
        if let Some(event) = event.dyn_ref::<KeyboardEvent>()
            && let Some(command) = meant(store, event)
        {
            event.prevent_default();
            run(store, command);
        }
    })
    .forget();
}

/// Gives the command that a key is meant for, unless it is somebody else's.
fn meant(store: Store, event: &KeyboardEvent) -> Option<Command> {
    // Many keyboards have signs that are written with another key, which some systems tell of as Control and Alt.
    let key = event.key();
    let written = event.get_modifier_state("AltGraph") || event.alt_key() && matches!(key.as_str(), "[" | "]");
    if event.default_prevented() || event.alt_key() && !written || event.is_composing() {
        return None;
    }
    let command = called(&key, !written && (event.ctrl_key() || event.meta_key()))?;
    let dialog = store.dialog.get_untracked();
    let everywhere = command == Command::Palette;
    match (dialog, everywhere) {
        // A dialog closes itself.
        (Some(_), false) => None,
        (_, true) => Some(command),
        (None, false) => {
            let typing = document().active_element().is_some_and(|element| takes_text(&element));
            let open = store.overview.with_untracked(Option::is_some);
            ((!typing || command == Command::Leave) && (open || is_for_all(command))).then_some(command)
        }
    }
}

/// Says whether a command makes sense when nothing is open.
pub fn is_for_all(command: Command) -> bool {
    use Command::{Keys, OpenDirectory, OpenFiles, Palette, Sample, Theme};
    matches!(command, Keys | Palette | Theme | OpenDirectory | OpenFiles | Sample)
}

fn takes_text(element: &Element) -> bool {
    let kind = || element.get_attribute("type").unwrap_or_default();
    match element.tag_name().as_str() {
        "INPUT" => !matches!(kind().as_str(), "checkbox" | "radio" | "button" | "file" | "range"),
        "TEXTAREA" | "SELECT" => true,
        _ => element.has_attribute("contenteditable"),
    }
}

/// Does what a command says.
pub fn run(store: Store, command: Command) {
    let selected = || store.place.with_untracked(|place| place.selected.clone());
    match command {
        Command::Show(view) => store.go(|place| place.view = view),
        Command::Step(goal, back) => store.step(goal, back),
        Command::Search => search::focus(),
        Command::Clear => store.look_for(""),
        Command::Threads => store.go(|place| place.flat = !place.flat),
        Command::Only => store.go(|place| place.only = !place.only),
        Command::Copy => copy(store, selected().map(Passage::Message)),
        Command::CopyThread => copy(store, selected().map(Passage::Thread)),
        Command::Save(format) => store.save(format),
        Command::Toggle(pane) => store.toggle(pane),
        Command::Theme => theme::choose(store, theme::chosen().next()),
        Command::OpenDirectory => open::pick_directory(store),
        Command::OpenFiles => open::pick_files(),
        Command::Sample => store.open(Source::Address(open::SAMPLE.to_owned()), js_sys::Array::new()),
        Command::Palette => store.dialog.set(Some(Dialog::Palette)),
        Command::Keys => store.dialog.set(Some(Dialog::Keys)),
        Command::Leave => leave(store),
    }
}

fn copy(store: Store, passage: Option<Passage>) {
    match passage {
        Some(passage) => store.copy(passage),
        None => store.notice.set("Nothing is selected.".to_owned()),
    }
}

/// Leaves one thing at a time: the box that is typed in, a pane that lies over the view, the selected message.
fn leave(store: Store) {
    let typing =
        document().active_element().filter(takes_text).and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = typing {
        let _ = element.blur();
    } else if store.panes.with_untracked(|panes| panes.narrow && panes.over.is_some()) {
        store.uncover();
    } else {
        store.go(|place| place.selected = None);
    }
}
