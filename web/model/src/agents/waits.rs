//! Where the lines between agents that wait for each other are drawn.

use super::graph::{Edge, Graph};

/// How high a box is, and how much space there is between boxes.
pub const HEIGHT: u32 = 34;

/// How far boxes are apart, sideways and downwards.
pub const SPACE: (u32, u32) = (44, 12);

/// The space around the graph.
pub const EDGE: u32 = 6;

/// How many characters of a name are shown at most.
pub const FIT: usize = 20;

/// Gives how wide boxes are: the longest name fits, as far as it is shown.
pub fn wide(graph: &Graph) -> u32 {
    let longest = graph.nodes.iter().map(|node| node.name.chars().count().min(FIT)).max().unwrap_or_default();
    (46 + 8 * longest as u32).max(96)
}

/// Gives where a box has its left upper corner.
pub fn corner((column, row): (u32, u32), wide: u32) -> (u32, u32) {
    (EDGE + column * (wide + SPACE.0), EDGE + row * (HEIGHT + SPACE.1))
}

/// Writes the way of a line: out of a box to the right, past the boxes of the columns between, and into a box from the left.
pub fn path(graph: &Graph, wide: u32, edge: &Edge) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::graph::laid_out;
    use super::*;

    #[test]
    fn lines_lead_from_side_to_side_and_past_boxes() {
        let (b, c) = (["a".to_owned()], ["a".to_owned(), "b".to_owned()]);
        let graph = laid_out(&[("b", &b), ("c", &c)]);
        assert_eq!(path(&graph, 100, &graph.edges[0]), "M106 23C128 23 128 23 150 23");
        assert_eq!(path(&graph, 100, &graph.edges[1]), "M106 23C128 23 128 69 150 69H250C272 69 272 23 294 23");
    }
}
