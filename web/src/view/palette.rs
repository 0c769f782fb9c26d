//! The palette: every command by its name.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::keys::{cap, run};
use super::modal::{self, modal};
use super::search::{show, terms};
use super::theme;
use crate::dom::{El, el, memo};
use crate::store::{Dialog, Store};
use huddle_web_model::palette::{Act, Offer, everything, meant};

/// What is typed, and what it could mean.
#[derive(Clone, Copy)]
struct Palette {
    store: Store,
    /// Everything that is offered.
    all: StoredValue<Vec<Offer>>,
    typed: RwSignal<String>,
    /// The place of the offer that is pointed at.
    active: RwSignal<usize>,
}

/// Draws the palette.
pub fn palette_dialog() -> El {
    let store = Store::of_page();
    let all = store.overview.with_untracked(|overview| {
        everything(overview.as_deref(), |command| overview.is_some() || run::is_for_all(command))
    });
    let palette =
        Palette { store, all: StoredValue::new(all), typed: RwSignal::default(), active: RwSignal::default() };
    let list = el("ul")
        .attr("id", "offers")
        .class("palette-list")
        .attr("role", "listbox")
        .attr("aria-label", "Commands")
        .attr("tabindex", "-1");
    let none = memo(move || palette.listed().is_empty());
    let list = list.live_flag("hidden", move || none.get()).live(move || palette.lines());
    modal(Dialog::Palette, "Commands", "high", true, vec![palette.input(), list]).live_one(move || {
        none.get().then(|| el("p").class("palette-none").attr("role", "status").text("No command of that name."))
    })
}

impl Palette {
    fn listed(self) -> Vec<Offer> {
        self.all.with_value(|all| self.typed.with(|typed| meant(all, typed)))
    }

    /// Draws the box, which is the first in the dialog and so has the keyboard.
    fn input(self) -> El {
        let (typed, active) = (self.typed, self.active);
        el("input")
            .class("palette-box")
            .attr("type", "text")
            .attr("role", "combobox")
            .attr("aria-label", "Command")
            .attr("placeholder", "What do you want to do?")
            .attr("autocomplete", "off")
            .attr("autocapitalize", "off")
            .attr("spellcheck", "false")
            .attr("aria-autocomplete", "list")
            .attr("aria-expanded", "true")
            .attr("aria-controls", "offers")
            .live_attr("aria-activedescendant", move || Some(id(active.get())))
            .on("input", move |event| {
                typed.set(event_target_value(&event));
                active.set(0);
            })
            .on("keydown", move |event| self.pressed(event.unchecked_ref()))
    }

    fn pressed(self, event: &KeyboardEvent) {
        let listed = untrack(|| self.listed());
        let (active, many) = (self.active.get_untracked(), listed.len().max(1));
        match event.key().as_str() {
            "ArrowDown" => self.active.set((active + 1) % many),
            "ArrowUp" => self.active.set((active + many - 1) % many),
            "Enter" => listed.get(active).into_iter().for_each(|offer| take(self.store, offer)),
            _ => return,
        }
        event.prevent_default();
        show(&id(self.active.get_untracked()));
    }

    fn lines(self) -> Vec<El> {
        let mut lines = Vec::new();
        for offer in self.listed() {
            lines.push(self.line(lines.len(), offer));
        }
        lines
    }

    fn line(self, place: usize, offer: Offer) -> El {
        let (store, active) = (self.store, self.active);
        let key = (!offer.key.is_empty()).then(|| el("kbd").text(cap(offer.key)));
        el("li")
            .attr("id", &id(place))
            .attr("role", "option")
            .live_attr("aria-selected", move || Some((active.get() == place).to_string()))
            .with(el("span").text(&offer.name))
            .maybe(key)
            .press(move || take(store, &offer))
    }
}

fn id(place: usize) -> String {
    format!("offer-{place}")
}

/// Does what was chosen, after the palette has gone and the keyboard is back where it was.
fn take(store: Store, offer: &Offer) {
    store.dialog.set(None);
    modal::close();
    match &offer.act {
        Act::Run(command) => run::run(store, *command),
        Act::Wear(theme) => theme::choose(store, *theme),
        Act::Search(field, value) => {
            let query = store.place.with_untracked(|place| terms::toggled(&place.query, field, value));
            store.look_for(&query);
        }
    }
}
