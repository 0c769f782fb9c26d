//! Everybody.

use huddle_core::history::{Agent, Agents};
use huddle_core::model::{Member, Session};

use super::rows::time;
use crate::dataset::Dataset;
use crate::protocol::AgentsView;
use crate::protocol::papers::{AgentCard, SessionCard};

impl Dataset {
    /// Gives everybody: who said something, was written to, is registered, or is of a session.
    pub(super) fn agents(&self) -> AgentsView {
        let table = &self.history.table;
        let found = Agents::of(table, &self.history.entries, &self.derived.deliveries);
        let rows = self.found.positions.iter().map(|position| self.history.entries[*position as usize]);
        let hits = table.symbol_counts(table.from(), &rows.collect::<Vec<_>>());
        let mut cards: Vec<AgentCard> =
            found.list.iter().map(|agent| self.card(agent, hits[agent.name.index()])).collect();
        cards.extend(self.listed().into_iter().map(|name| AgentCard { name, ..AgentCard::default() }));
        // Equals stay in their order: of two cards of one agent, the one that says more stays.
        cards.sort_by(|a, b| a.name.cmp(&b.name));
        cards.dedup_by(|listed, card| listed.name == card.name);
        self.add_papers(&mut cards);
        let place = |symbol| place(&cards, table.text(symbol)).map(|place| place as u32);
        let talk = found.edges.iter().filter_map(|talk| Some((place(talk.from)?, place(talk.to)?, talk.count)));
        let talk = talk.collect();
        let sessions = self.history.state_files.sessions.iter().map(|paper| session(&paper.value)).collect();
        AgentsView { agents: cards, talk, sessions, searching: self.found.searching }
    }

    /// Names those that registries and sessions list.
    fn listed(&self) -> Vec<String> {
        let papers = &self.history.state_files;
        let registered = papers.registries.iter().flat_map(|paper| paper.value.names());
        let members = papers.sessions.iter().flat_map(|paper| paper.value.names());
        registered.chain(members).map(|name| name.as_str().to_owned()).collect()
    }

    fn card(&self, agent: &Agent, found: u32) -> AgentCard {
        let table = &self.history.table;
        AgentCard {
            name: table.text(agent.name).to_owned(),
            found,
            sent: agent.sent,
            received: agent.received,
            unread: agent.unread,
            overdue: agent.overdue,
            severities: [agent.findings.high, agent.findings.medium, agent.findings.low],
            kinds: agent.kinds.iter().map(|(kind, count)| (table.text(*kind).to_owned(), *count)).collect(),
            span: time(agent.first_at).zip(time(agent.last_at)),
            silence: agent.silences.first().map(|silence| (silence.start, silence.end)),
            ..AgentCard::default()
        }
    }

    /// Adds what registries and sessions say of agents; of several sessions, the last has the last word.
    fn add_papers(&self, cards: &mut [AgentCard]) {
        for (name, agent) in self.history.state_files.registries.iter().flat_map(|paper| &paper.value.agents) {
            if let Some(place) = place(cards, name.as_str()) {
                cards[place].role.clone_from(&agent.role);
                cards[place].state.clone_from(&agent.status);
            }
        }
        for member in self.history.state_files.sessions.iter().flat_map(|paper| &paper.value.members) {
            if let Some(place) = place(cards, member.name.as_str()) {
                let card = &mut cards[place];
                member.status.as_str().clone_into(&mut card.state);
                card.note = note(member);
                card.waits_for.clone_from(&member.dependencies);
            }
        }
    }
}

/// Finds an agent's card by its name.
fn place(cards: &[AgentCard], name: &str) -> Option<usize> {
    cards.binary_search_by(|card| card.name.as_str().cmp(name)).ok()
}

/// Says what an agent has to say about where it stands, the most pressing first.
fn note(member: &Member) -> String {
    let notes = [&member.error, &member.reason, &member.progress];
    notes.into_iter().flatten().next().cloned().unwrap_or_default()
}

fn session(session: &Session) -> SessionCard {
    let member = |member: &Member| {
        (member.name.as_str().to_owned(), member.status.as_str().to_owned(), member.dependencies.clone())
    };
    SessionCard {
        id: session.id.as_str().to_owned(),
        started: session.started_at.map(huddle_core::model::Timestamp::micros),
        closed: session.closed_at.map(huddle_core::model::Timestamp::micros),
        agents: session.members.iter().map(member).collect(),
    }
}
