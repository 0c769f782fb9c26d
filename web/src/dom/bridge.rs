//! Between elements that are made one by one and Leptos views, as long as there are both.

use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::types;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, add_attr::AddAnyAttr};
use wasm_bindgen::JsCast;
use web_sys::Node;

use super::El;

/// Makes an element of a view, which updates itself as long as the owner lives that this is called in. A view of several
/// elements can be put somewhere, but not be drawn anew by itself.
pub fn from_view(view: impl IntoView + 'static) -> El {
    let fragment: Node = document().create_document_fragment().unchecked_into();
    let mut state = view.into_view().build();
    state.mount(fragment.unchecked_ref(), None);
    StoredValue::new_local(state);
    match fragment.first_child().filter(|child| child.next_sibling().is_none()) {
        Some(only) => El(only),
        None => El(fragment),
    }
}

/// What an element is in a view: one node, or those of a fragment.
pub struct Nodes(Vec<Node>);

impl Mountable for Nodes {
    fn unmount(&mut self) {
        self.0.iter_mut().for_each(Mountable::unmount);
    }

    fn mount(&mut self, parent: &types::Element, marker: Option<&types::Node>) {
        self.0.iter_mut().for_each(|node| node.mount(parent, marker));
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.0.first().is_some_and(|node| node.insert_before_this(child))
    }

    fn elements(&self) -> Vec<types::Element> {
        self.0.iter().filter_map(|node| node.dyn_ref().cloned()).collect()
    }
}

impl Render for El {
    type State = Nodes;

    fn build(self) -> Nodes {
        if self.0.node_type() != Node::DOCUMENT_FRAGMENT_NODE {
            return Nodes(vec![self.0]);
        }
        Nodes(std::iter::successors(self.0.first_child(), Node::next_sibling).collect())
    }

    fn rebuild(self, state: &mut Nodes) {
        let mut new = self.build();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

impl AddAnyAttr for El {
    type Output<NewAttr: leptos::attr::Attribute> = Self;

    fn add_any_attr<NewAttr: leptos::attr::Attribute>(self, _attribute: NewAttr) -> Self
    where
        Self::Output<NewAttr>: RenderHtml,
    {
        self
    }
}

impl RenderHtml for El {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _buffer: &mut String,
        _position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attributes: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _cursor: &Cursor, _position: &PositionState) -> Nodes {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}

/// Makes an icon.
pub fn drawn(path: &'static str) -> El {
    from_view(view! { <crate::components::icon::Icon path /> })
}
