//! Who waits for whom: a graph, and the same in words.

use super::super::papers::{agent, agents, paper, state};
use super::scroll;
use crate::dom::{El, el, svg};
use crate::protocol::papers::AgentCard;
use crate::store::Store;
use huddle_web_model::agents::graph::{Edge, Graph, Node, laid_out};
use huddle_web_model::agents::waits::{EDGE, FIT, HEIGHT, SPACE, corner, path, wide};

/// How many boxes are drawn at most; of more, only the words are given.
const MOST: usize = 120;

/// Draws who waits for whom.
pub(super) fn waits(store: Store, cards: &[AgentCard]) -> Option<El> {
    let waits: Vec<(&str, &[String])> =
        cards.iter().map(|card| (card.name.as_str(), card.waits_for.as_slice())).collect();
    let graph = laid_out(&waits);
    if graph.nodes.is_empty() {
        return None;
    }
    let words = cards
        .iter()
        .filter(|card| !card.waits_for.is_empty())
        .map(|card| el("li").maybe(agent(store, &card.name)).text(" waits for ").all(agents(store, &card.waits_for)));
    let circle = graph.edges.iter().any(|edge| edge.circle).then(|| {
        let told = "Some wait for each other in a circle: nobody of them can go on.";
        el("p").class("sign tone-bad").text(told)
    });
    let paper = paper("Who waits for whom", None).maybe(circle).all(drawing(store, &graph, cards));
    Some(paper.with(el("ul").class("waits").all(words)))
}

/// Draws the graph; whoever cannot see it has the words below it.
fn drawing(store: Store, graph: &Graph, agents: &[AgentCard]) -> Vec<El> {
    if graph.nodes.len() > MOST {
        return Vec::new();
    }
    let wide = wide(graph);
    let width = graph.columns * (wide + SPACE.0) - SPACE.0 + 2 * EDGE;
    let height = graph.rows * (HEIGHT + SPACE.1) - SPACE.1 + 2 * EDGE;
    let state_of = |name: &str| agents.iter().find(|card| card.name == name).map_or("", |card| card.state.as_str());
    let edges = graph.edges.iter().map(|edge| line(graph, wide, edge, state_of(&graph.nodes[edge.first].name)));
    let nodes = graph.nodes.iter().map(|node| shape(store, node, wide, state_of(&node.name)));
    let told = "An arrow leads from an agent to those who wait for it; it is dashed until that agent is done.";
    let drawn = number(number(svg("svg").class("graph"), "width", width), "height", height)
        .attr("viewBox", &format!("0 0 {width} {height}"))
        .attr("aria-hidden", "true")
        .with(svg("defs").with(head()))
        .all(edges)
        .all(nodes);
    vec![el("p").class("quiet").text(told), scroll("Drawing of who waits for whom").with(drawn)]
}

/// Draws the head of an arrow.
fn head() -> El {
    svg("marker")
        .attr("id", "waits-head")
        .attr("viewBox", "0 0 8 8")
        .attr("refX", "7")
        .attr("refY", "4")
        .attr("markerWidth", "7")
        .attr("markerHeight", "7")
        .attr("orient", "auto")
        .with(svg("path").attr("d", "M0 0L8 4L0 8z"))
}

/// Sets an attribute that is a number.
fn number(element: El, name: &str, number: u32) -> El {
    element.attr(name, &number.to_string())
}

fn line(graph: &Graph, wide: u32, edge: &Edge, state: &str) -> El {
    let class = match (edge.circle, state) {
        (true, _) => "edge is-circle",
        (_, "completed") => "edge is-met",
        _ => "edge",
    };
    svg("path").class(class).attr("d", &path(graph, wide, edge)).attr("marker-end", "url(#waits-head)")
}

fn shape(store: Store, node: &Node, wide: u32, word: &str) -> El {
    let (x, y) = corner((node.column, node.row), wide);
    let sign = state(word);
    let name = match node.name.chars().count() {
        0..=FIT => node.name.clone(),
        _ => node.name.chars().take(FIT - 1).chain(['…']).collect(),
    };
    let words = |class: &str, x: u32, words: &str| {
        let drawn = number(number(svg("text").class(class), "x", x), "y", y + HEIGHT / 2);
        drawn.attr("dominant-baseline", "central").text(words)
    };
    let frame = number(number(svg("rect"), "x", x), "y", y);
    let frame = number(number(frame, "width", wide), "height", HEIGHT).attr("rx", "6");
    svg("g")
        .class(&format!("node hue-{}", store.hue(&node.name)))
        .with(svg("title").text(&format!("{}: {}", node.name, sign.word)))
        .with(frame)
        .with(words(&format!("shape tone-{}", sign.tone), x + 12, sign.shape))
        .with(words("name", x + 30, &name))
}
