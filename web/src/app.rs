//! The page as a whole.

use leptos::prelude::*;

use crate::components::toast::Toasts;
use crate::protocol::Source;
use crate::state::{self, DatasetState, Dialog, Feedback, Phase, RouteState, requested_source, use_store};
use crate::views::file::FileDialog;
use crate::views::keys::KeysDialog;
use crate::views::keys::run::CommandRunner;
use crate::views::open::{DropTarget, OpenDialog, OpenPage, Pickers};
use crate::views::palette::PaletteDialog;
use crate::views::shell::Shell;
use crate::views::theme;

/// The page: what is open, or what could be, and what lies over it.
#[component]
pub fn App() -> impl IntoView {
    state::provide();
    theme::apply(theme::chosen());
    CommandRunner::of_page().listen();
    name_page();
    open_requested();
    let (dataset, feedback): (DatasetState, Feedback) = (use_store(), use_store());
    let open = Memo::new(move |_| dataset.overview.with(Option::is_some));
    let page = move || match open.get() {
        true => view! { <Shell /> }.into_any(),
        false => view! { <OpenPage /> }.into_any(),
    };
    view! {
        {page}
        {move || feedback.dialog.get().map(dialog)}
        <Pickers />
        <DropTarget />
        <Toasts />
    }
}

fn dialog(which: Dialog) -> AnyView {
    match which {
        Dialog::Keys => view! { <KeysDialog /> }.into_any(),
        Dialog::Palette => view! { <PaletteDialog /> }.into_any(),
        Dialog::Open => view! { <OpenDialog /> }.into_any(),
        Dialog::File(path, offset, length) => view! { <FileDialog path offset length /> }.into_any(),
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
