//! What the reader did to a view: it stays so when the view is drawn anew.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::dom::{El, focus_still, soon};

/// Keeps what the reader did to something that is about to be drawn anew.
pub(in crate::view) fn hold(view: &El) {
    let (held, view) = (Held::by(view.element()), view.clone());
    soon(move || held.give_back(view.element()));
}

/// What the reader did: by place, because what is drawn anew is mostly what there was.
struct Held {
    /// Which parts are open.
    open: Vec<bool>,
    /// How far parts are moved sideways.
    moved: Vec<i32>,
    /// What has the focus.
    focus: Option<Focus>,
}

/// What has the focus: one of several elements that look the same.
struct Focus {
    looks: (String, String),
    number: usize,
}

impl Held {
    /// Looks at a view before it is drawn anew.
    fn by(view: &Element) -> Self {
        let open = named(view, "details").iter().map(|part| part.has_attribute("open")).collect();
        let moved = sliding(view).iter().map(Element::scroll_left).collect();
        Self { open, moved, focus: Focus::within(view) }
    }

    /// Does the same to the view as it is drawn now.
    fn give_back(&self, view: &Element) {
        for (part, open) in named(view, "details").iter().zip(&self.open) {
            if part.has_attribute("open") != *open {
                drop(part.toggle_attribute("open"));
            }
        }
        for (part, left) in sliding(view).iter().zip(&self.moved) {
            part.set_scroll_left(*left);
        }
        if let Some(focus) = &self.focus {
            focus.give_back(view);
        }
    }
}

impl Focus {
    fn within(view: &Element) -> Option<Self> {
        let focused = document().active_element().filter(|it| view.contains(Some(it)) && it != view)?;
        let looks = looks(&focused);
        let like = alike(view, &looks);
        Some(Self { number: like.iter().position(|it| *it == focused)?, looks })
    }

    fn give_back(&self, view: &Element) {
        // Whoever has gone elsewhere meanwhile stays there.
        if document().active_element().is_some_and(|it| it.tag_name() != "BODY") {
            return;
        }
        let alike = alike(view, &self.looks);
        // Where it is gone, the view around it is near; one that cannot have the focus does not take it.
        let element = alike.get(self.number).unwrap_or(view);
        focus_still(element.unchecked_ref());
    }
}

fn looks(element: &Element) -> (String, String) {
    (element.tag_name(), element.get_attribute("aria-label").or_else(|| element.text_content()).unwrap_or_default())
}

fn alike(view: &Element, looks: &(String, String)) -> Vec<Element> {
    let mut alike = named(view, &looks.0);
    alike.retain(|element| self::looks(element) == *looks);
    alike
}

fn named(view: &Element, tag: &str) -> Vec<Element> {
    listed(&view.get_elements_by_tag_name(tag))
}

fn sliding(view: &Element) -> Vec<Element> {
    listed(&view.get_elements_by_class_name("scroll"))
}

fn listed(found: &web_sys::HtmlCollection) -> Vec<Element> {
    (0..found.length()).filter_map(|at| found.item(at)).collect()
}
