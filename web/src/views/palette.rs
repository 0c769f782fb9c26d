//! The palette: every command by its name.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::keys::cap;
use super::keys::run::{CommandRunner, is_for_all};
use super::theme;
use crate::components::modal::{Modal, close_open_dialog};
use crate::state::{DatasetState, Dialog, use_store};
use crate::views::search::{show, terms};
use huddle_web_model::palette::{Act, Offer, everything, meant};

/// What is typed, and what it could mean.
#[derive(Clone, Copy)]
struct PaletteState {
    /// What fits what is typed.
    listed: Memo<Vec<Offer>>,
    /// The place of the offer that is pointed at.
    active: RwSignal<usize>,
    runner: CommandRunner,
}

/// Offers every command by its name.
#[component]
pub fn PaletteDialog() -> impl IntoView {
    let all = use_store::<DatasetState>().overview.with_untracked(|overview| {
        everything(overview.as_deref(), |command| overview.is_some() || is_for_all(command))
    });
    let (typed, active) = (RwSignal::new(String::new()), RwSignal::new(0));
    let listed = Memo::new(move |_| typed.with(|typed| meant(&all, typed)));
    let palette = PaletteState { listed, active, runner: CommandRunner::of_page() };
    let type_text = move |event| {
        typed.set(event_target_value(&event));
        active.set(0);
    };
    let none = Memo::new(move |_| listed.with(Vec::is_empty));
    let lines = move || listed.get().into_iter().enumerate().collect::<Vec<_>>();
    // The box is the first in the dialog, and so has the keyboard.
    view! {
        <Modal dialog=Dialog::Palette title="Commands" class="high" bare=true>
            <input
                class="palette-box"
                type="text"
                role="combobox"
                aria-label="Command"
                placeholder="What do you want to do?"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-autocomplete="list"
                aria-expanded="true"
                aria-controls="offers"
                aria-activedescendant=move || id(active.get())
                on:input=type_text
                on:keydown=move |event| palette.press(&event)
            />
            <ul
                id="offers"
                class="palette-list"
                role="listbox"
                aria-label="Commands"
                tabindex="-1"
                hidden=move || none.get()
            >
                <For each=lines key=|(place, offer)| (*place, offer.name.clone()) let((place, offer))>
                    <Line palette place offer />
                </For>
            </ul>
            <Show when=move || none.get()>
                <p class="palette-none" role="status">"No command of that name."</p>
            </Show>
        </Modal>
    }
}

#[component]
fn Line(palette: PaletteState, place: usize, offer: Offer) -> impl IntoView {
    let key = (!offer.key.is_empty()).then(|| view! { <kbd>{cap(offer.key)}</kbd> });
    let name = offer.name.clone();
    view! {
        <li
            id=id(place)
            role="option"
            aria-selected=move || (palette.active.get() == place).to_string()
            on:click=move |_| palette.take(&offer)
        >
            <span>{name}</span>
            {key}
        </li>
    }
}

fn id(place: usize) -> String {
    format!("offer-{place}")
}

impl PaletteState {
    fn press(self, event: &KeyboardEvent) {
        let (active, count) = (self.active.get_untracked(), self.listed.with_untracked(Vec::len).max(1));
        match event.key().as_str() {
            "ArrowDown" => self.active.set((active + 1) % count),
            "ArrowUp" => self.active.set((active + count - 1) % count),
            "Enter" => {
                let offer = self.listed.with_untracked(|listed| listed.get(active).cloned());
                offer.into_iter().for_each(|offer| self.take(&offer));
            }
            _ => return,
        }
        event.prevent_default();
        show(&id(self.active.try_get_untracked().unwrap_or_default()));
    }

    /// Does what was chosen, after the palette has gone and the keyboard is back where it was.
    fn take(self, offer: &Offer) {
        let CommandRunner { feedback, route, .. } = self.runner;
        feedback.dialog.set(None);
        close_open_dialog();
        match &offer.act {
            Act::Run(command) => self.runner.run(*command),
            Act::Wear(theme) => theme::choose(feedback, *theme),
            Act::Search(field, value) => {
                let query = route.route.with_untracked(|route| terms::toggled(&route.query, field, value));
                route.search_for(&query);
            }
        }
    }
}
