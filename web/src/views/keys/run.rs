//! Keys that are pressed, and what commands do.

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::table::{Command, called};
use crate::protocol::{Passage, Source};
use crate::state::{DatasetState, Dialog, Feedback, RouteState, SelectionState, SettingsState, use_store};
use crate::views::search;
use crate::views::{open, theme};

/// Runs commands, with the stores that they change.
#[derive(Clone, Copy)]
pub struct CommandRunner {
    pub(in crate::views) route: RouteState,
    pub(in crate::views) feedback: Feedback,
    dataset: DatasetState,
    selection: SelectionState,
    settings: SettingsState,
}

impl CommandRunner {
    /// Finds the stores of the page.
    pub fn of_page() -> Self {
        Self {
            route: use_store(),
            feedback: use_store(),
            dataset: use_store(),
            selection: use_store(),
            settings: use_store(),
        }
    }

    /// Listens to the keyboard for as long as the page is there.
    pub fn listen(self) {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&window(), "keydown", options, move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>()
                && let Some(command) = self.meant(event)
            {
                event.prevent_default();
                self.run(command);
            }
        })
        .forget();
    }

    /// Returns the command that a key is meant for, unless it is for something else.
    fn meant(self, event: &KeyboardEvent) -> Option<Command> {
        // Many keyboards have signs that are written with another key, which some systems tell of as Control and Alt.
        let key = event.key();
        let written = event.get_modifier_state("AltGraph") || event.alt_key() && matches!(key.as_str(), "[" | "]");
        if event.default_prevented() || event.alt_key() && !written || event.is_composing() {
            return None;
        }
        let command = called(&key, !written && (event.ctrl_key() || event.meta_key()))?;
        let dialog = self.feedback.dialog.get_untracked();
        let everywhere = command == Command::Palette;
        match (dialog, everywhere) {
            // A dialog closes itself.
            (Some(_), false) => None,
            (_, true) => Some(command),
            (None, false) => {
                let typing = document().active_element().is_some_and(|element| takes_text(&element));
                let open = self.dataset.overview.with_untracked(Option::is_some);
                ((!typing || command == Command::Leave) && (open || is_for_all(command))).then_some(command)
            }
        }
    }

    /// Runs a command.
    pub fn run(self, command: Command) {
        let Self { route, feedback, dataset, selection, settings } = self;
        let selected = || route.route.with_untracked(|route| route.selected.clone());
        match command {
            Command::Show(view) => route.push(|route| route.view = view),
            Command::Step(goal, back) => selection.step(goal, back),
            Command::Search => search::focus(),
            Command::Clear => route.search_for(""),
            Command::Threads => route.push(|route| route.flat = !route.flat),
            Command::Only => route.push(|route| route.only = !route.only),
            Command::Copy => self.copy(selected().map(Passage::Message)),
            Command::CopyThread => self.copy(selected().map(Passage::Thread)),
            Command::Save(format) => dataset.save(format),
            Command::Toggle(pane) => {
                if !settings.toggle(pane) {
                    feedback.notify("Nothing is selected.");
                }
            }
            Command::Theme => theme::choose(feedback, theme::chosen().next()),
            Command::OpenDirectory => open::pick_directory(dataset),
            Command::OpenFiles => open::pick_files(),
            Command::Sample => dataset.open(Source::Address(open::SAMPLE.to_owned()), js_sys::Array::new()),
            Command::Palette => feedback.dialog.set(Some(Dialog::Palette)),
            Command::Keys => feedback.dialog.set(Some(Dialog::Keys)),
            Command::Leave => self.leave(),
        }
    }

    fn copy(self, passage: Option<Passage>) {
        match passage {
            Some(passage) => self.dataset.copy(passage),
            None => self.feedback.notify("Nothing is selected."),
        }
    }

    /// Leaves one thing at a time: the box that is typed in, a pane that lies over the view, the selected message.
    fn leave(self) {
        let typing =
            document().active_element().filter(takes_text).and_then(|element| element.dyn_into::<HtmlElement>().ok());
        if let Some(element) = typing {
            let _ = element.blur();
        } else if self.settings.panes.with_untracked(|panes| panes.narrow && panes.over.is_some()) {
            self.settings.uncover();
        } else {
            self.route.push(|route| route.selected = None);
        }
    }
}

/// Returns whether a command makes sense when nothing is open.
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
