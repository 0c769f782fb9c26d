//! Who waits for whom: a graph, and the same in words.

use super::super::papers::{agent, agents, paper, state};
use super::graph::{Edge, Graph, Node, laid_out};
use super::scroll;
use crate::dom::{El, el, svg};
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

/// Gives how wide boxes are: the longest name fits, as far as it is shown.
fn wide(graph: &Graph) -> u32 {
    let longest = graph.nodes.iter().map(|node| node.name.chars().count().min(FIT)).max().unwrap_or_default();
    (46 + 8 * longest as u32).max(96)
}

/// Gives where a box has its left upper corner.
fn corner((column, row): (u32, u32), wide: u32) -> (u32, u32) {
    (EDGE + column * (wide + SPACE.0), EDGE + row * (HEIGHT + SPACE.1))
}

fn line(graph: &Graph, wide: u32, edge: &Edge, state: &str) -> El {
    let class = match (edge.circle, state) {
        (true, _) => "edge is-circle",
        (_, "completed") => "edge is-met",
        _ => "edge",
    };
    svg("path").class(class).attr("d", &path(graph, wide, edge)).attr("marker-end", "url(#waits-head)")
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
