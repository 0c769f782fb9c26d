//! The page as a whole.

use leptos::prelude::*;

use crate::components::toast::Toasts;
use crate::dom::from_view;
use crate::dom::{El, body, memo};
use crate::protocol::Source;
use crate::state::{self, DatasetState, Dialog, Phase, RouteState, requested_source, use_store};
use crate::store::Store;
use crate::view::shell::shell;
use crate::views::file::FileDialog;
use crate::views::keys::KeysDialog;
use crate::views::keys::run::CommandRunner;
use crate::views::open::{DropTarget, OpenDialog, OpenPage, Pickers};
use crate::views::palette::PaletteDialog;
use crate::views::theme;

/// Draws the page: what is open, or what could be.
pub fn draw() {
    state::provide();
    let store = Store::of_page();
    theme::apply(theme::chosen());
    CommandRunner::of_page().listen();
    name_page();
    open_requested();
    let open = memo(move || store.overview.with(Option::is_some));
    let page = move || {
        let is_open = open.get();
        Some(untrack(|| if is_open { shell() } else { from_view(view! { <OpenPage /> }) }))
    };
    let over = move || store.dialog.get().map(|which| untrack(|| dialog(&which)));
    // Everything is in the page's body already.
    let rest = view! { <Pickers /> <DropTarget /> <Toasts /> };
    drop(body().live_one(page).live_one(over).with(from_view(rest)));
}

/// Draws what lies over the page.
fn dialog(which: &Dialog) -> El {
    match which {
        Dialog::Keys => from_view(view! { <KeysDialog /> }),
        Dialog::Palette => from_view(view! { <PaletteDialog /> }),
        Dialog::Open => from_view(view! { <OpenDialog /> }),
        Dialog::File(path, offset, length) => {
            from_view(view! { <FileDialog path=path.clone() offset=*offset length=*length /> })
        }
    }
}

/// Opens what the page's address names.
fn open_requested() {
    let dataset: DatasetState = use_store();
    match requested_source() {
        Some(Ok(address)) if dataset.stopped_at(&address) => {}
        Some(Ok(address)) => dataset.open(Source::Address(address), js_sys::Array::new()),
        Some(Err(address)) => dataset.phase.set(Phase::Failed {
            message: format!("The page cannot read {address}"),
            hint: "It reads from its own address only, and this is another. Save a copy and open that.".to_owned(),
            raise: None,
        }),
        None => {}
    }
}

/// Keeps the title of the page: what is open, and the view.
fn name_page() {
    let (dataset, route): (DatasetState, RouteState) = (use_store(), use_store());
    let view = route.view();
    let name = Memo::new(move |_| dataset.overview.with(|it| it.as_ref().map(|it| it.name.clone())));
    Effect::new(move || {
        let title = name.get().map_or("Huddle".to_owned(), |name| format!("{} · {name} · Huddle", view.get().title()));
        document().set_title(&title);
    });
}
