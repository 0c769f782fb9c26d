//! The one rule by which messages belong together.

use huddle_scan::Symbol;

use crate::history::{NO_POSITION, positions_by_id};

/// The links of a message to others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Its own id.
    pub(crate) id: Symbol,
    /// The conversation that it says it belongs to.
    pub(crate) thread: Symbol,
    /// The id of what it answers.
    pub(crate) reply_to: Symbol,
    /// The position of what it takes up without saying so, or [`NO_POSITION`].
    pub(crate) continues: u32,
}

/// Messages sorted by what they belong to.
#[derive(Debug)]
pub(crate) struct Groups {
    /// For each message the position of the first of its group.
    pub(crate) roots: Vec<u32>,
    /// For each message the position of what it answers or takes up, or [`NO_POSITION`]. There may be circles.
    pub(crate) parents: Vec<u32>,
}

/// Sorts messages into groups.
///
/// Messages of one conversation id belong together. An answer and its original do too, unless each carries an id of its
/// own: then somebody meant them to be apart. Sets are merged, links never followed, so a circle of answers does no harm.
pub(crate) fn group(links: &[Link]) -> Groups {
    let highest = links.iter().map(|link| link.id.max(link.thread).max(link.reply_to).index()).max();
    let symbols = highest.map_or(0, |index| index + 1);
    let by_id = positions_by_id(&mut links.iter().map(|link| link.id), symbols);
    let by_thread = positions_by_id(&mut links.iter().map(|link| link.thread), symbols);
    let mut roots: Vec<u32> = (0..links.len() as u32).collect();
    let mut parents = Vec::with_capacity(links.len());
    for (link, position) in links.iter().zip(0..) {
        if !link.thread.is_none() {
            merge(&mut roots, by_thread[link.thread.index()], position);
        }
        let parent = if link.reply_to.is_none() { link.continues } else { by_id[link.reply_to.index()] };
        parents.push(parent);
        if parent != NO_POSITION && (link.thread.is_none() || links[parent as usize].thread.is_none()) {
            merge(&mut roots, parent, position);
        }
    }
    for position in 0..links.len() as u32 {
        roots[position as usize] = root(&mut roots, position);
    }
    Groups { roots, parents }
}

fn merge(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(roots, a), root(roots, b));
    // The earlier one stands for both, so that groups keep the order of time.
    roots[a.max(b) as usize] = a.min(b);
}

fn root(roots: &mut [u32], mut position: u32) -> u32 {
    while roots[position as usize] != position {
        let above = roots[roots[position as usize] as usize];
        roots[position as usize] = above;
        position = above;
    }
    position
}

/// Cuts every circle of parents at its earliest message, and tells where, in order.
pub(super) fn break_cycles(parents: &mut [u32]) -> Vec<u32> {
    let mut walks = vec![NO_POSITION; parents.len()];
    let mut cuts = Vec::new();
    for walk in 0..parents.len() as u32 {
        let mut position = walk;
        while position != NO_POSITION && walks[position as usize] == NO_POSITION {
            walks[position as usize] = walk;
            position = parents[position as usize];
        }
        // A way that meets an older one has no new circle; one that meets itself has.
        if position != NO_POSITION && walks[position as usize] == walk {
            let cut = earliest_in_cycle(parents, position);
            parents[cut as usize] = NO_POSITION;
            cuts.push(cut);
        }
    }
    cuts.sort();
    cuts
}

fn earliest_in_cycle(parents: &[u32], start: u32) -> u32 {
    let (mut earliest, mut position) = (start, parents[start as usize]);
    while position != start {
        earliest = earliest.min(position);
        position = parents[position as usize];
    }
    earliest
}
