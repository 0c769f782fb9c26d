//! Where the boxes of the dependency graph stand: in columns, those who wait for nobody first.

/// A graph as it is drawn. The unit is a column or a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The lines: from the box that is waited for to the one that waits, and whether it goes back.
    pub edges: Vec<Edge>,
    /// How many columns there are.
    pub columns: u32,
    /// How many rows the fullest column has.
    pub rows: u32,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Whose it is.
    pub name: String,
    /// Its column: one more than that of the last of those it waits for.
    pub column: u32,
    /// Its row.
    pub row: u32,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The box of whom is waited for.
    pub first: usize,
    /// The box of who waits.
    pub then: usize,
    /// Whether it closes a circle: each waits for the other, so nobody can go on.
    pub circle: bool,
    /// The places that it goes through, where it passes columns: column and row.
    pub through: Vec<(u32, u32)>,
}

/// Lays out who waits for whom. `waits` has a name and those that it waits for; whoever neither waits nor is waited for is no
/// part of it.
pub fn laid_out(waits: &[(&str, &[String])]) -> Graph {
    let mut names: Vec<&str> = Vec::new();
    let mut place = |name| {
        names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let mut edges = Vec::new();
    for (name, others) in waits {
        for other in *others {
            let (first, then) = (place(other), place(name));
            if !edges.iter().any(|edge: &Edge| (edge.first, edge.then) == (first, then)) {
                edges.push(Edge { first, then, circle: false, through: Vec::new() });
            }
        }
    }
    let columns = columns(names.len(), &mut edges);
    let rows = rows(&columns, &mut edges);
    let through = edges.iter().flat_map(|edge| edge.through.iter().map(|(_, row)| row));
    let fullest = rows.iter().chain(through).map(|row| row + 1).max().unwrap_or_default();
    let wide = columns.iter().map(|column| column + 1).max().unwrap_or_default();
    let nodes = names.iter().zip(columns.iter().zip(&rows));
    let nodes = nodes.map(|(name, (column, row))| Node { name: (*name).to_owned(), column: *column, row: *row });
    Graph { nodes: nodes.collect(), edges, columns: wide, rows: fullest }
}

/// Gives each box its column. What closes a circle is marked, and moves nothing.
fn columns(count: usize, edges: &mut [Edge]) -> Vec<u32> {
    let mut columns = vec![None; count];
    let mut open = vec![false; count];
    for node in 0..count {
        column(node, edges, &mut columns, &mut open);
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}

/// Goes back from a box to all that it waits for, with a stack of its own: chains may be long.
fn column(start: usize, edges: &mut [Edge], columns: &mut [Option<u32>], open: &mut [bool]) {
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.pop() {
        if columns[node].is_some() {
            continue;
        }
        open[node] = true;
        let unseen = (next..edges.len()).find(|at| edges[*at].then == node && columns[edges[*at].first].is_none());
        match unseen {
            Some(at) if open[edges[at].first] => {
                edges[at].circle = true;
                stack.push((node, at + 1));
            }
            Some(at) => {
                stack.push((node, at + 1));
                stack.push((edges[at].first, 0));
            }
            None => {
                let before = edges.iter().filter(|edge| edge.then == node && !edge.circle);
                let last = before.filter_map(|edge| columns[edge.first]).max();
                columns[node] = Some(last.map_or(0, |last| last + 1));
                open[node] = false;
            }
        }
    }
}

/// What stands in a column: a box, or a line that passes.
#[derive(Debug, Clone, Copy)]
enum Place {
    Box(usize),
    Passing(usize),
}

/// Gives each box its row, and each line that passes a column a row there: near where it comes from, so that few lines cross.
fn rows(columns: &[u32], edges: &mut [Edge]) -> Vec<u32> {
    let mut rows = vec![0; columns.len()];
    for column in 0..=columns.iter().copied().max().unwrap_or_default() {
        let boxes = (0..columns.len()).filter(|node| columns[*node] == column).map(Place::Box);
        let passes = |edge: &Edge| !edge.circle && columns[edge.first] < column && column < columns[edge.then];
        let passing = (0..edges.len()).filter(|at| passes(&edges[*at])).map(Place::Passing);
        let mut here: Vec<Place> = boxes.chain(passing).collect();
        let came_by = |edge: &Edge| edge.through.last().map_or(rows[edge.first], |(_, row)| *row);
        // Sorting is stable: those without a wish stay as they were named.
        here.sort_by_key(|place| match place {
            Place::Passing(at) => came_by(&edges[*at]) * 1_000,
            Place::Box(node) => {
                let before = edges.iter().filter(|edge| edge.then == *node && columns[edge.first] < column);
                let before: Vec<u32> = before.map(came_by).collect();
                before.iter().sum::<u32>() * 1_000 / before.len().max(1) as u32
            }
        });
        for (place, row) in here.into_iter().zip(0..) {
            match place {
                Place::Box(node) => rows[node] = row,
                Place::Passing(at) => edges[at].through.push((column, row)),
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(waits: &[(&str, &[&str])]) -> Graph {
        let owned: Vec<(&str, Vec<String>)> = waits
            .iter()
            .map(|(name, others)| (*name, others.iter().map(|other| (*other).to_owned()).collect()))
            .collect();
        let borrowed: Vec<(&str, &[String])> = owned.iter().map(|(name, others)| (*name, others.as_slice())).collect();
        laid_out(&borrowed)
    }

    fn at(graph: &Graph, name: &str) -> (u32, u32) {
        let node = graph.nodes.iter().find(|node| node.name == name).unwrap();
        (node.column, node.row)
    }

    #[test]
    fn whoever_waits_stands_behind_all_that_it_waits_for() {
        let graph = graph(&[("dan", &["ann", "cleo"]), ("cleo", &["bob"]), ("bob", &["ann"]), ("eve", &[])]);
        assert_eq!(["ann", "bob", "cleo", "dan"].map(|name| at(&graph, name).0), [0, 1, 2, 3]);
        assert_eq!((graph.columns, graph.rows, graph.nodes.len()), (4, 2, 4));
        assert!(graph.edges.iter().all(|edge| !edge.circle));
    }

    #[test]
    fn boxes_of_a_column_have_rows_of_their_own_near_what_they_wait_for() {
        let graph = graph(&[("x", &["b"]), ("y", &["a"]), ("z", &["a", "b"]), ("a", &[]), ("b", &[])]);
        let (a, b) = (at(&graph, "a"), at(&graph, "b"));
        assert_eq!((a.0, b.0), (0, 0));
        let by_row = |first: &str, then: &str| at(&graph, first).1 < at(&graph, then).1;
        assert_eq!(by_row("a", "b"), by_row("y", "x"));
        assert_eq!(graph.rows, 3);
    }

    #[test]
    fn a_line_that_passes_columns_has_a_row_of_its_own_there() {
        let graph = graph(&[("b", &["a"]), ("c", &["b", "a"])]);
        let long = graph.edges.iter().find(|edge| !edge.through.is_empty()).unwrap();
        assert_eq!(long.through, [(1, 1)]);
        assert_eq!((at(&graph, "b"), graph.rows), ((1, 0), 2));
    }

    #[test]
    fn circles_are_marked_and_end() {
        let one = graph(&[("a", &["a"])]);
        assert_eq!((one.nodes.len(), one.edges[0].circle), (1, true));
        let three = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["a"])]);
        assert_eq!(three.edges.iter().filter(|edge| edge.circle).count(), 1);
        assert!(at(&three, "d").0 > at(&three, "a").0);
    }

    #[test]
    fn long_chains_and_nothing_are_laid_out() {
        let names: Vec<String> = (0..3_000).map(|number| format!("n{number}")).collect();
        let waits: Vec<(&str, &[String])> =
            (1..names.len()).map(|at| (names[at].as_str(), &names[at - 1..at])).collect();
        assert_eq!(laid_out(&waits).columns, 3_000);
        assert_eq!(laid_out(&[]), Graph::default());
    }
}
