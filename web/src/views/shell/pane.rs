//! A pane beside the view, or over it where there is no room.

use leptos::html::Button;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::components::icon::{BACK, Icon};
use crate::state::{Pane, SettingsState, use_store};

/// A pane with a way back from it, which shows where it lies over the view.
#[component]
pub fn SidePane(pane: Pane, name: &'static str, class: &'static str, children: Children) -> impl IntoView {
    let settings: SettingsState = use_store();
    let shown = Memo::new(move |_| settings.shows(pane));
    let back = NodeRef::<Button>::new();
    follow_keyboard(settings, shown, back);
    view! {
        <aside class=class aria-label=name hidden=move || !shown.get()>
            <div class="pane-head">
                <button class="quiet-button" node_ref=back on:click=move |_| settings.uncover()><Icon path=BACK /> "Back"</button>
                <strong>{name}</strong>
            </div>
            <div class="pane-body" tabindex="-1">{children()}</div>
        </aside>
    }
}

/// Makes the keyboard go where the eyes go: into a pane that comes to lie over the view, and back when it is closed.
fn follow_keyboard(settings: SettingsState, shown: Memo<bool>, back: NodeRef<Button>) {
    let from = StoredValue::new_local(None::<HtmlElement>);
    Effect::new(move |before: Option<bool>| {
        let over = settings.panes.with(|panes| panes.narrow) && shown.get();
        match before {
            // As it is when it is first drawn, the keyboard stays where it is.
            Some(false) if over => {
                from.set_value(document().active_element().and_then(|element| element.dyn_into().ok()));
                // Not before it can be seen.
                back.get_untracked().into_iter().for_each(|back| focus_soon(back.unchecked_into()));
            }
            Some(true) if !over => from.try_update_value(Option::take).flatten().into_iter().for_each(focus_soon),
            _ => {}
        }
        over
    });
}

fn focus_soon(element: HtmlElement) {
    request_animation_frame(move || drop(element.focus()));
}
