//! The page as a whole.

use gloo::utils::document;
use leptos::prelude::*;

use crate::protocol::Source;
use crate::store::{Dialog, Phase, Store, asked_for};
use crate::view::file::FileDialog;
use crate::view::keys::{KeysDialog, run};
use crate::view::open::{DropAnywhere, OpenDialog, OpenPage, Pickers};
use crate::view::palette::PaletteDialog;
use crate::view::shell::Shell;
use crate::view::theme;
use crate::view::toast::Toast;

/// Draws the page: what is open, or what could be.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::start();
    provide_context(store);
    theme::apply(theme::chosen());
    run::listen(store);
    name_page(store);
    open_asked_for(store);
    let open = Memo::new(move |_| store.overview.with(Option::is_some));
    let page = move || if open.get() { view! { <Shell/> }.into_any() } else { view! { <OpenPage/> }.into_any() };
    let over = move || {
        Some(match store.dialog.get()? {
            Dialog::Keys => view! { <KeysDialog/> }.into_any(),
            Dialog::Palette => view! { <PaletteDialog/> }.into_any(),
            Dialog::Open => view! { <OpenDialog/> }.into_any(),
            Dialog::File(path, offset, length) => view! { <FileDialog path offset length/> }.into_any(),
        })
    };
    view! {
        {page}
        {over}
        <Pickers/>
        <DropAnywhere/>
        <Toast/>
    }
}

/// Opens what the page's address names.
fn open_asked_for(store: Store) {
    match asked_for() {
        Some(Ok(address)) => store.open(Source::Address(address), js_sys::Array::new()),
        Some(Err(address)) => store.phase.set(Phase::Failed {
            message: format!("The page cannot read {address}"),
            hint: "It reads from its own address only, and this is another. Save a copy and open that.".to_owned(),
        }),
        None => {}
    }
}

/// Keeps the title of the page: what is open, and the view.
fn name_page(store: Store) {
    let view = Memo::new(move |_| store.place.with(|place| place.view));
    let name = Memo::new(move |_| store.overview.with(|it| it.as_ref().map(|it| it.name.clone())));
    Effect::new(move || {
        let title = name.get().map(|name| format!("{} · {name} · Huddle", view.get().title()));
        document().set_title(title.as_deref().unwrap_or("Huddle"));
    });
}
