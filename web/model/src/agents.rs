//! What the view of agents computes: the table, the matrix, and the graph of who waits for whom.

pub mod cards;
pub mod graph;
pub mod matrix;
pub mod waits;
