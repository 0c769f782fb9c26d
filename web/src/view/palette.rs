//! The palette: every command by its name.

pub mod offers;

use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::keys::{cap, run};
use super::modal::Modal;
use super::search::terms;
use super::theme;
use crate::store::{Dialog, Store};
use offers::{Act, Offer, everything, meant};

/// Draws the palette.
#[component]
pub fn PaletteDialog() -> impl IntoView {
    let store = Store::of_page();
    let node = NodeRef::<html::Input>::new();
    let typed = RwSignal::new(String::new());
    let active = RwSignal::new(0_usize);
    let all = StoredValue::new(store.overview.with_untracked(|overview| {
        everything(overview.as_deref(), |command| overview.is_some() || run::is_for_all(command))
    }));
    let listed = Memo::new(move |_| all.with_value(|all| meant(all, &typed.get())));
    Effect::new(move || node.get().iter().for_each(|input| _ = input.focus()));
    let input = move |event| {
        typed.set(event_target_value(&event));
        active.set(0);
    };
    let pressed = move |event: KeyboardEvent| {
        let many = listed.with_untracked(Vec::len).max(1);
        match event.key().as_str() {
            "ArrowDown" => active.update(|active| *active = (*active + 1) % many),
            "ArrowUp" => active.update(|active| *active = (*active + many - 1) % many),
            "Enter" => listed
                .with_untracked(|listed| listed.get(active.get_untracked()).cloned())
                .iter()
                .for_each(|offer| take(store, offer)),
            _ => return,
        }
        event.prevent_default();
        show(active.get_untracked());
    };
    let line = move |(place, offer): (usize, Offer)| {
        let key = (!offer.key.is_empty()).then(|| view! { <kbd>{cap(offer.key)}</kbd> });
        let name = offer.name.clone();
        let selected = move || (active.get() == place).to_string();
        view! {
            <li id=id(place) role="option" aria-selected=selected on:click=move |_| take(store, &offer)>
                <span>{name}</span> {key}
            </li>
        }
    };
    let lines = move || listed.get().into_iter().enumerate().map(line).collect_view();
    let none = move || {
        listed
            .with(Vec::is_empty)
            .then(|| view! { <p class="palette-none" role="status">"No command of that name."</p> })
    };
    view! {
        <Modal this=Dialog::Palette title="Commands" bare=true class="high">
            <input node_ref=node class="palette-box" type="text" role="combobox" aria-label="Command" placeholder="What do you want to do?"
                autocomplete="off" autocapitalize="off" spellcheck="false" aria-autocomplete="list" aria-expanded="true"
                aria-controls="offers" aria-activedescendant=move || id(active.get()) on:input=input on:keydown=pressed/>
            <ul id="offers" class="palette-list" role="listbox" aria-label="Commands" tabindex="-1" hidden=move || listed.with(Vec::is_empty)>{lines}</ul>
            {none}
        </Modal>
    }
}

fn id(place: usize) -> String {
    format!("offer-{place}")
}

fn show(place: usize) {
    if let Some(element) = gloo::utils::document().get_element_by_id(&id(place)) {
        let nearest = web_sys::ScrollIntoViewOptions::new();
        nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

/// Does what was chosen, after the palette has gone and the keyboard is back where it was.
fn take(store: Store, offer: &Offer) {
    store.dialog.set(None);
    match &offer.act {
        Act::Run(command) => run::run(store, *command),
        Act::Wear(theme) => theme::choose(store, *theme),
        Act::Ask(field, value) => {
            let query = store.place.with_untracked(|place| terms::toggled(&place.query, field, value));
            store.look_for(&query);
        }
    }
}
