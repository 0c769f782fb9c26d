//! Names of agents: people know them by name or type, not by number.

use std::collections::BTreeMap;

use huddle_scan::{Symbol, Table};

use super::Transcript;
use crate::history::formats::AgentKind;

/// The name of the person.
pub(super) const HUMAN: &str = "human";
/// The name of an agent of which nothing is known.
const SUB_AGENT: &str = "sub-agent";

/// Names agents that have no name; of several sub-agents of a type in one session, the later ones are numbered.
pub(super) fn name(found: &mut Transcript, table: &mut Table) {
    let unknown = table.symbols.intern(SUB_AGENT);
    let mut counts: BTreeMap<(Symbol, Symbol), u32> = BTreeMap::new();
    for agent in &mut found.agents {
        if agent.name.is_none() {
            agent.name = unknown;
        }
        if agent.kind == AgentKind::SubAgent {
            let count = counts.entry((agent.session, agent.name)).or_default();
            *count += 1;
            if *count > 1 {
                let numbered = format!("{} {count}", table.text(agent.name));
                agent.name = table.symbols.intern(&numbered);
            }
        }
    }
}
