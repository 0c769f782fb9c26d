//! The page's address: its fragment is the place, its query may name a source.

use gloo::events::EventListener;
use gloo::utils::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{PopStateEvent, Url, UrlSearchParams};

use super::Store;
use huddle_web_model::route::Place;

/// Gives the source that the page was asked to open, by `?src=` in its address.
///
/// # Errors
/// Gives the address back when it is no address of this origin.
pub fn asked_for() -> Option<Result<String, String>> {
    let search = window().location().search().ok()?;
    let source = UrlSearchParams::new_with_str(&search).ok()?.get("src").filter(|source| !source.is_empty())?;
    Some(if is_ours(&source) { Ok(source) } else { Err(source) })
}

fn is_ours(source: &str) -> bool {
    let location = window().location();
    let (Ok(here), Ok(origin)) = (location.href(), location.origin()) else { return false };
    Url::new_with_base(source, &here).is_ok_and(|url| url.origin() == origin)
}

pub(super) fn read() -> Place {
    Place::of_fragment(&window().location().hash().unwrap_or_default())
}

/// Writes a place into the address: as a step that the way back stops at, or in place of the last one. `opened` tells which
/// of the sources that were opened it is in.
pub(super) fn write(place: &Place, push: bool, opened: u32) {
    let Ok(history) = window().history() else { return };
    let fragment = format!("#{}", place.to_fragment());
    // What we wrote has a state, so that a link that was followed can be told from it. A browser may refuse when there are
    // very many changes at once; the next one will do.
    let state = JsValue::from(opened);
    let _ = if push {
        history.push_state_with_url(&state, "", Some(&fragment))
    } else {
        history.replace_state_with_url(&state, "", Some(&fragment))
    };
}

/// Names what is open in the address if that can be opened again from there, so that a link leads to it.
pub(super) fn name_source(source: &str, opened: u32) {
    let location = window().location();
    let (Ok(history), Ok(path), Ok(hash)) = (window().history(), location.pathname(), location.hash()) else { return };
    let query =
        if source.is_empty() { String::new() } else { format!("?src={}", js_sys::encode_uri_component(source)) };
    let _ = history.replace_state_with_url(&JsValue::from(opened), "", Some(&format!("{path}{query}{hash}")));
}

/// Follows Back and Forward, and addresses that are typed in.
pub(super) fn watch(store: Store) {
    EventListener::new(&window(), "popstate", move |event| {
        let opened = event.dyn_ref::<PopStateEvent>().and_then(|event| event.state().as_f64());
        store.went(read(), opened.map(|opened| opened as u32));
    })
    .forget();
}
