//! Who waits for whom: a graph, and the same in words.

use leptos::prelude::*;

use super::super::papers::{agent, heading, state};
use super::graph::{Edge, Graph, Node, laid_out};
use crate::protocol::papers::AgentCard;
use crate::store::Store;

/// How high a box is, and how much space there is between boxes.
const HEIGHT: u32 = 34;
const SPACE: (u32, u32) = (44, 12);
/// The space around the graph.
const EDGE: u32 = 6;
/// How many boxes are drawn at most; of more, only the words are given.
const MOST: usize = 120;
/// How many characters of a name are shown at most.
const FIT: usize = 20;

/// Draws who waits for whom.
pub(super) fn waits(store: Store, agents: &[AgentCard]) -> AnyView {
    let waits: Vec<(&str, &[String])> =
        agents.iter().map(|card| (card.name.as_str(), card.waits_for.as_slice())).collect();
    let graph = laid_out(&waits);
    if graph.nodes.is_empty() {
        return ().into_any();
    }
    let words = agents.iter().filter(|card| !card.waits_for.is_empty()).map(|card| {
        let others = card.waits_for.iter().enumerate().map(|(place, other)| {
            let joint = if place > 0 { ", " } else { "" };
            view! { {joint}{agent(store, other)} }
        });
        view! { <li>{agent(store, &card.name)}" waits for "{others.collect_view()}</li> }
    });
    let circle = graph.edges.iter().any(|edge| edge.circle).then(|| {
        view! { <p class="sign tone-bad">"Some wait for each other in a circle: nobody of them can go on."</p> }
    });
    view! {
        <section class="paper">
            {heading("Who waits for whom", None)}
            {circle}
            {drawing(store, &graph, agents)}
            <ul class="waits">{words.collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// Draws the graph; whoever cannot see it has the words below it.
fn drawing(store: Store, graph: &Graph, agents: &[AgentCard]) -> AnyView {
    if graph.nodes.len() > MOST {
        return ().into_any();
    }
    let wide = wide(graph);
    let width = graph.columns * (wide + SPACE.0) - SPACE.0 + 2 * EDGE;
    let height = graph.rows * (HEIGHT + SPACE.1) - SPACE.1 + 2 * EDGE;
    let state_of = |name: &str| agents.iter().find(|card| card.name == name).map_or("", |card| card.state.as_str());
    let edges = graph.edges.iter().map(|edge| line(graph, wide, edge, state_of(&graph.nodes[edge.first].name)));
    let nodes = graph.nodes.iter().map(|node| shape(store, node, wide, state_of(&node.name)));
    view! {
        <p class="quiet">"An arrow leads from an agent to those who wait for it; it is dashed until that agent is done."</p>
        <div class="scroll" tabindex="0" role="region" aria-label="Drawing of who waits for whom">
            <svg class="graph" width=width height=height viewBox=format!("0 0 {width} {height}") aria-hidden="true">
                <defs>
                    <marker id="waits-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                        <path d="M0 0L8 4L0 8z"/>
                    </marker>
                </defs>
                {edges.collect_view()}
                {nodes.collect_view()}
            </svg>
        </div>
    }
    .into_any()
}

/// Gives how wide boxes are: the longest name fits, as far as it is shown.
fn wide(graph: &Graph) -> u32 {
    let longest = graph.nodes.iter().map(|node| node.name.chars().count().min(FIT)).max().unwrap_or_default();
    (46 + 8 * longest as u32).max(96)
}

/// Gives where a box has its left upper corner.
fn corner((column, row): (u32, u32), wide: u32) -> (u32, u32) {
    (EDGE + column * (wide + SPACE.0), EDGE + row * (HEIGHT + SPACE.1))
}

fn line(graph: &Graph, wide: u32, edge: &Edge, state: &str) -> AnyView {
    let class = match (edge.circle, state) {
        (true, _) => "edge is-circle",
        (_, "completed") => "edge is-met",
        _ => "edge",
    };
    view! { <path class=class d=path(graph, wide, edge) marker-end="url(#waits-head)"/> }.into_any()
}

/// Writes the way of a line: out of a box to the right, past the boxes of the columns between, and into a box from the left.
fn path(graph: &Graph, wide: u32, edge: &Edge) -> String {
    let [first, then] = [edge.first, edge.then].map(|place| (graph.nodes[place].column, graph.nodes[place].row));
    let middle = |place| {
        let (x, y) = corner(place, wide);
        (x, y + HEIGHT / 2)
    };
    let (left, mut y) = middle(first);
    let (mut x, bend) = (left + wide, SPACE.0 / 2);
    let mut path = format!("M{x} {y}");
    for (place, passes) in edge.through.iter().map(|place| (*place, true)).chain([(then, false)]) {
        let (to, end) = middle(place);
        path += &format!("C{} {y} {} {end} {to} {end}", x + bend, i64::from(to) - i64::from(bend));
        (x, y) = (to, end);
        if passes {
            x += wide;
            path += &format!("H{x}");
        }
    }
    path
}

fn shape(store: Store, node: &Node, wide: u32, word: &str) -> AnyView {
    let (x, y) = corner((node.column, node.row), wide);
    let sign = state(word);
    let name = match node.name.chars().count() {
        0..=FIT => node.name.clone(),
        _ => node.name.chars().take(FIT - 1).chain(['…']).collect(),
    };
    let middle = y + HEIGHT / 2;
    view! {
        <g class=format!("node hue-{}", store.hue(&node.name))>
            <title>{format!("{}: {}", node.name, sign.word)}</title>
            <rect x=x y=y width=wide height=HEIGHT rx="6"/>
            <text class=format!("shape tone-{}", sign.tone) x=x + 12 y=middle dominant-baseline="central">{sign.shape}</text>
            <text class="name" x=x + 30 y=middle dominant-baseline="central">{name}</text>
        </g>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lead_from_side_to_side_and_past_boxes() {
        let (b, c) = (["a".to_owned()], ["a".to_owned(), "b".to_owned()]);
        let graph = laid_out(&[("b", &b), ("c", &c)]);
        assert_eq!(path(&graph, 100, &graph.edges[0]), "M106 23C128 23 128 23 150 23");
        assert_eq!(path(&graph, 100, &graph.edges[1]), "M106 23C128 23 128 69 150 69H250C272 69 272 23 294 23");
    }
}
