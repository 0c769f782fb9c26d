//! Who waits for whom: a graph, and the same in words.

use leptos::prelude::*;

use crate::components::name::{AgentLink, AgentLinks};
use crate::components::panels::{Panel, Scroll, state};
use crate::protocol::papers::AgentCard;
use crate::state::{SettingsState, use_store};
use huddle_web_model::agents::graph::{Edge, Graph, Node, laid_out};
use huddle_web_model::agents::waits::{EDGE, FIT, HEIGHT, SPACE, corner, path, wide};

/// How many boxes are drawn at most; of more, only the words are given.
const MOST: usize = 120;

/// Shows who waits for whom, if anybody does.
#[component]
pub(super) fn Waits(agents: Vec<AgentCard>) -> impl IntoView {
    let waits: Vec<(&str, &[String])> =
        agents.iter().map(|card| (card.name.as_str(), card.waits_for.as_slice())).collect();
    let graph = laid_out(&waits);
    (!graph.nodes.is_empty()).then(|| {
        let circle = graph.edges.iter().any(|edge| edge.circle).then(|| {
            view! { <p class="sign tone-bad">"Some wait for each other in a circle: none of them can go on."</p> }
        });
        let waiting = agents.iter().filter(|card| !card.waits_for.is_empty());
        let words = waiting.map(|card| {
            view! { <li><AgentLink name=card.name.clone() /> " waits for " <AgentLinks names=card.waits_for.clone() /></li> }
        });
        let words = words.collect_view();
        let drawing = (graph.nodes.len() <= MOST).then(|| drawing(&graph, &agents));
        view! { <Panel title="Who waits for whom">{circle} {drawing} <ul class="waits">{words}</ul></Panel> }
    })
}

/// Draws the graph; the words below it say the same.
fn drawing(graph: &Graph, agents: &[AgentCard]) -> impl IntoView + use<> {
    let wide = wide(graph);
    let width = graph.columns * (wide + SPACE.0) - SPACE.0 + 2 * EDGE;
    let height = graph.rows * (HEIGHT + SPACE.1) - SPACE.1 + 2 * EDGE;
    let state_of = |name: &str| agents.iter().find(|card| card.name == name).map_or("", |card| card.state.as_str());
    let line = |edge: &Edge| {
        let class = match (edge.circle, state_of(&graph.nodes[edge.first].name)) {
            (true, _) => "edge is-circle",
            (_, "completed") => "edge is-met",
            _ => "edge",
        };
        view! { <path class=class d=path(graph, wide, edge) marker-end="url(#waits-head)" /> }
    };
    let lines = graph.edges.iter().map(line).collect_view();
    let boxes = graph.nodes.iter().map(|node| node_box(node, wide, state_of(&node.name))).collect_view();
    view! {
        <p class="quiet">
            "An arrow leads from an agent to those who wait for it; it is dashed until that agent is done."
        </p>
        <Scroll label="Drawing of who waits for whom">
            <svg
                class="graph"
                width=width.to_string()
                height=height.to_string()
                viewBox=format!("0 0 {width} {height}")
                aria-hidden="true"
            >
                <defs>
                    <marker
                        id="waits-head"
                        viewBox="0 0 8 8"
                        refX="7"
                        refY="4"
                        markerWidth="7"
                        markerHeight="7"
                        orient="auto"
                    >
                        <path d="M0 0L8 4L0 8z" />
                    </marker>
                </defs>
                {lines}
                {boxes}
            </svg>
        </Scroll>
    }
}

fn node_box(node: &Node, wide: u32, word: &str) -> impl IntoView + use<> {
    let (x, y) = corner((node.column, node.row), wide);
    let (sign, middle) = (state(word), (y + HEIGHT / 2).to_string());
    let name = match node.name.chars().count() {
        0..=FIT => node.name.clone(),
        _ => node.name.chars().take(FIT - 1).chain(['…']).collect(),
    };
    let color = use_store::<SettingsState>().color(&node.name);
    view! {
        <g class=format!("node hue-{color}")>
            <title>{format!("{}: {}", node.name, sign.word)}</title>
            <rect x=x.to_string() y=y.to_string() width=wide.to_string() height=HEIGHT.to_string() rx="6" />
            <text class=format!("shape tone-{}", sign.tone) x=(x + 12).to_string() y=middle.clone() dominant-baseline="central">
                {sign.shape}
            </text>
            <text class="name" x=(x + 30).to_string() y=middle dominant-baseline="central">
                {name}
            </text>
        </g>
    }
}
