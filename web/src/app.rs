//! The page as a whole.

use gloo::utils::document;
use leptos::prelude::*;

use crate::dom::{El, after, body, memo};
use crate::protocol::Source;
use crate::store::{Dialog, Phase, Store, asked_for};
use crate::view::file::file_dialog;
use crate::view::keys::{keys_dialog, run};
use crate::view::open::{drop_anywhere, open_dialog, open_page, pickers};
use crate::view::palette::palette_dialog;
use crate::view::rehearsal::rehearse;
use crate::view::shell::shell;
use crate::view::theme;
use crate::view::toast::toast;

/// Draws the page: what is open, or what could be.
pub fn draw() {
    let store = Store::start();
    provide_context(store);
    theme::apply(theme::chosen());
    run::listen(store);
    name_page(store);
    open_asked_for(store);
    rehearse(store);
    let open = memo(move || store.overview.with(Option::is_some));
    let page = move || {
        let draw = if open.get() { shell } else { open_page };
        Some(untrack(draw))
    };
    let over = move || store.dialog.get().map(|which| untrack(|| dialog(&which)));
    // Everything is in the page's body already.
    drop(body().live_one(page).live_one(over).with(pickers(store)).live_one(drop_anywhere(store)).all(toast()));
}

/// Draws what lies over the page.
fn dialog(which: &Dialog) -> El {
    match which {
        Dialog::Keys => keys_dialog(),
        Dialog::Palette => palette_dialog(),
        Dialog::Open => open_dialog(),
        Dialog::File(path, offset, length) => file_dialog(path, *offset, *length),
    }
}

/// Opens what the page's address names.
fn open_asked_for(store: Store) {
    match asked_for() {
        Some(Ok(address)) if store.stopped_at(&address) => {}
        Some(Ok(address)) => store.open(Source::Address(address), js_sys::Array::new()),
        Some(Err(address)) => store.phase.set(Phase::Failed {
            message: format!("The page cannot read {address}"),
            hint: "It reads from its own address only, and this is another. Save a copy and open that.".to_owned(),
            raise: None,
        }),
        None => {}
    }
}

/// Keeps the title of the page: what is open, and the view.
fn name_page(store: Store) {
    let view = memo(move || store.place.with(|place| place.view));
    let name = memo(move || store.overview.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default()));
    after(move || {
        let name = name.get();
        let title =
            if name.is_empty() { "Huddle".to_owned() } else { format!("{} · {name} · Huddle", view.get().title()) };
        document().set_title(&title);
    });
}
