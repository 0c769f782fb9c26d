//! Elements, made one by one.
//!
//! Leptos gives the page its signals, effects and contexts; its `view!` gives every shape of markup a type of its own, and the
//! code for all of them was half of the page's size. Here every element is of one type, and so is everything that changes one.
//! What is given to be shown is text, never markup: nothing here can read markup.

mod keyed;

pub use keyed::keyed;

use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, EventTarget, HtmlElement, Node};

const SVG: &str = "http://www.w3.org/2000/svg";

/// An element, or a text.
#[derive(Clone)]
pub struct El(Node);

/// Makes an element.
///
/// # Panics
/// When the name is none that an element can have.
pub fn el(tag: &str) -> El {
    made(document().create_element(tag))
}

/// Makes an element of a drawing.
///
/// # Panics
/// When the name is none that an element can have.
pub fn svg(tag: &str) -> El {
    made(document().create_element_ns(Some(SVG), tag))
}

fn made(element: Result<Element, JsValue>) -> El {
    match element {
        Ok(element) => El(element.unchecked_into()),
        // Names of elements are written in this program.
        Err(error) => wasm_bindgen::throw_val(error),
    }
}

/// Makes a text.
pub fn text(text: &str) -> El {
    El(document().create_text_node(text).unchecked_into())
}

/// Puts elements together that stand side by side wherever they are put. It holds them only until then, so it is nothing to be
/// drawn anew by itself.
pub fn together(elements: Vec<El>) -> El {
    El(document().create_document_fragment().unchecked_into()).all(elements)
}

/// Runs something now, and again whenever a signal that it reads has changed, until what it is made in is drawn anew.
pub fn effect(run: impl Fn() + 'static) {
    watch(Box::new(run));
}

fn watch(run: Box<dyn Fn()>) {
    StoredValue::new_local(RenderEffect::new(move |_: Option<()>| run()));
}

/// Runs something as [`effect`] does, but not before what is being made is in the page.
pub fn after(run: impl Fn() + 'static) {
    watch_after(Box::new(run));
}

fn watch_after(run: Box<dyn Fn()>) {
    Effect::new(run);
}

/// Keeps a value up to date that is told on only when it has become another. Compiled once for each type of value.
pub fn memo<T: PartialEq + Send + Sync + 'static>(of: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    memo_of(Box::new(of))
}

fn memo_of<T: PartialEq + Send + Sync + 'static>(of: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T> {
    Memo::new(move |_| of())
}

impl El {
    /// Gives the element to what needs more of it than can be done here.
    pub fn element(&self) -> &Element {
        self.0.unchecked_ref()
    }

    /// Gives the element as one of HTML.
    pub fn html(&self) -> &HtmlElement {
        self.0.unchecked_ref()
    }

    /// Sets the classes.
    #[must_use]
    pub fn class(self, classes: &str) -> Self {
        self.attr("class", classes)
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(self, name: &str, value: &str) -> Self {
        set(self.element(), name, Some(value));
        self
    }

    /// Sets an attribute, if there is a value for it.
    #[must_use]
    pub fn attr_if(self, name: &str, value: Option<&str>) -> Self {
        set(self.element(), name, value);
        self
    }

    /// Sets an attribute that has no value, if it is so.
    #[must_use]
    pub fn flag(self, name: &str, so: bool) -> Self {
        set(self.element(), name, so.then_some(""));
        self
    }

    /// Sets a property of the style.
    #[must_use]
    pub fn style(self, name: &str, value: &str) -> Self {
        // The policy forbids styles that are written as attributes; this is none.
        let _ = self.html().style().set_property(name, value);
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, words: &str) -> Self {
        self.with(text(words))
    }

    /// Adds an element.
    #[must_use]
    pub fn with(self, child: El) -> Self {
        self.maybe(Some(child))
    }

    /// Adds an element, if there is one.
    #[must_use]
    pub fn maybe(self, child: Option<El>) -> Self {
        child.into_iter().for_each(|child| append(&self.0, &child.0));
        self
    }

    /// Adds elements.
    #[must_use]
    pub fn all(self, children: impl IntoIterator<Item = El>) -> Self {
        children.into_iter().for_each(|child| append(&self.0, &child.0));
        self
    }

    /// Does something on an event, for as long as the element is there.
    #[must_use]
    pub fn on(self, event: &'static str, act: impl Fn(Event) + 'static) -> Self {
        listen(self.0.unchecked_ref(), event, Box::new(act));
        self
    }

    /// Does something when it is pressed.
    #[must_use]
    pub fn press(self, act: impl Fn() + 'static) -> Self {
        self.on("click", move |_| act())
    }

    /// Keeps an attribute up to date; without a value it is taken off.
    #[must_use]
    pub fn live_attr(self, name: &'static str, value: impl Fn() -> Option<String> + 'static) -> Self {
        let element = self.element().clone();
        watch(Box::new(move || set(&element, name, value().as_deref())));
        self
    }

    /// Keeps an attribute up to date that has no value.
    #[must_use]
    pub fn live_flag(self, name: &'static str, so: impl Fn() -> bool + 'static) -> Self {
        self.live_attr(name, move || so().then(String::new))
    }

    /// Keeps one of its classes up to date.
    #[must_use]
    pub fn live_class(self, class: &'static str, so: impl Fn() -> bool + 'static) -> Self {
        let classes = self.element().class_list();
        watch(Box::new(move || drop(classes.toggle_with_force(class, so()))));
        self
    }

    /// Keeps a property of the style up to date.
    #[must_use]
    pub fn live_style(self, name: &'static str, value: impl Fn() -> String + 'static) -> Self {
        let style = self.html().style();
        watch(Box::new(move || drop(style.set_property(name, &value()))));
        self
    }

    /// Adds a text and keeps it up to date.
    #[must_use]
    pub fn live_text(self, words: impl Fn() -> String + 'static) -> Self {
        let node = document().create_text_node("");
        append(&self.0, &node);
        watch(Box::new(move || {
            let words = words();
            // A text that is set anew is read aloud anew.
            if node.data() != words {
                node.set_data(&words);
            }
        }));
        self
    }

    /// Adds elements, and makes them anew whenever a signal that their making reads has changed.
    #[must_use]
    pub fn live(self, make: impl Fn() -> Vec<El> + 'static) -> Self {
        region(&self.0, Box::new(make));
        self
    }

    /// Adds an element that may be there, and makes it anew likewise.
    #[must_use]
    pub fn live_one(self, make: impl Fn() -> Option<El> + 'static) -> Self {
        self.live(move || make().into_iter().collect())
    }
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    // Names of attributes are written in this program, so nothing can be wrong with them.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

fn append(to: &Node, child: &Node) {
    let _ = to.append_child(child);
}

fn listen(target: &web_sys::EventTarget, event: &'static str, act: Box<dyn Fn(Event)>) {
    let act = Closure::<dyn Fn(Event)>::new(act);
    let _ = target.add_event_listener_with_callback(event, act.as_ref().unchecked_ref());
    // It lives as long as what the element was made in.
    StoredValue::new_local(Listening { target: target.clone(), event, act });
}

/// What listens, until it is dropped. An element that is taken away may still have something to tell: that it has lost the
/// keyboard, or was closed. By then nobody is there to hear it.
struct Listening {
    target: web_sys::EventTarget,
    event: &'static str,
    act: Closure<dyn Fn(Event)>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.event, self.act.as_ref().unchecked_ref());
    }
}

/// Does something on an event of the window or the like, until what this is called in is drawn anew.
pub fn hear(target: &EventTarget, event: &'static str, act: impl Fn(Event) + 'static) {
    listen(target, event, Box::new(act));
}

/// Does something as soon as what is being made is in the page.
pub fn soon(run: impl FnOnce() + 'static) {
    once(Box::new(run));
}

fn once(run: Box<dyn FnOnce()>) {
    queue_microtask(run);
}

/// Focuses without scrolling: what is in sight stays there.
pub fn focus_still(element: &web_sys::HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}

/// Keeps a part of an element's children up to date: those before a mark.
fn region(parent: &Node, make: Box<dyn Fn() -> Vec<El>>) {
    let mark: Node = document().create_comment("").unchecked_into();
    append(parent, &mark);
    let shown: StoredValue<Vec<El>, LocalStorage> = StoredValue::new_local(Vec::new());
    watch(Box::new(move || {
        let made = make();
        shown.update_value(|shown| {
            for old in shown.drain(..) {
                old.0.parent_node().into_iter().for_each(|parent| drop(parent.remove_child(&old.0)));
            }
            if let Some(parent) = mark.parent_node() {
                made.iter().for_each(|new| drop(parent.insert_before(&new.0, Some(&mark))));
            }
            *shown = made;
        });
    }));
}

/// Gives the element that everything is in.
///
/// # Panics
/// Where there is no page.
pub fn body() -> El {
    match document().body() {
        Some(body) => El(body.unchecked_into()),
        None => wasm_bindgen::throw_str("there is no page to draw in"),
    }
}
