//! Waiting that cannot end by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::{Session, Status};
use crate::model::AgentName;

/// So many agents of a cycle are named.
const MAX_SHOWN: usize = 10;

/// Why an agent that waits cannot start unless somebody intervenes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeadEnd {
    /// An agent that it waits for, directly or through others, has failed.
    Failed {
        /// The agent that failed.
        agent: AgentName,
        /// The error that it reported.
        error: String,
    },
    /// It waits for agents that wait for each other.
    Cycle {
        /// The cycle; the first agent is repeated at the end.
        path: Arc<[AgentName]>,
    },
}

impl fmt::Display for DeadEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { agent, error } => write!(f, "{agent} failed: {}", error.lines().next().unwrap_or_default()),
            Self::Cycle { path } => {
                let names: Vec<&str> = path.iter().take(MAX_SHOWN).map(AgentName::as_str).collect();
                let more = if path.len() > MAX_SHOWN { " → …" } else { "" };
                write!(f, "agents wait for each other: {}{more}", names.join(" → "))
            }
        }
    }
}

impl Session {
    /// Returns for each member, in their order, why it cannot start; none for one that can, or that does not wait.
    ///
    /// Takes time in proportion to the dependencies: anybody can have written them.
    pub fn dead_ends(&self) -> Vec<Option<DeadEnd>> {
        let needs = self.open_need_indices();
        let mut found = self.behind_failures(&needs);
        let mut next = successors_in_cycles(&needs, |member| {
            self.members[member].status == Status::Waiting && found[member].is_none()
        });
        for start in 0..next.len() {
            if let Some(path) = cycle_from(start, &mut next, &found) {
                match path {
                    Walk::Known(dead_end, walked) => {
                        walked.into_iter().for_each(|member| found[member] = Some(dead_end.clone()));
                    }
                    Walk::New(cycle, walked) => {
                        let path = cycle.iter().map(|member| self.members[*member].name.clone()).collect();
                        let dead_end = DeadEnd::Cycle { path };
                        walked.into_iter().for_each(|member| found[member] = Some(dead_end.clone()));
                    }
                }
            }
        }
        found
    }

    /// Returns why one member cannot start.
    pub fn dead_end_of(&self, name: &str) -> Option<DeadEnd> {
        let position = self.members.iter().position(|member| member.name.as_str() == name)?;
        self.dead_ends().swap_remove(position)
    }

    /// Returns each cycle of agents that wait for each other, once.
    pub fn cycles(&self) -> Vec<Arc<[AgentName]>> {
        let mut cycles: Vec<Arc<[AgentName]>> = Vec::new();
        let mut seen: BTreeSet<*const AgentName> = BTreeSet::new();
        for dead_end in self.dead_ends().into_iter().flatten() {
            if let DeadEnd::Cycle { path } = dead_end
                && seen.insert(path.as_ptr())
            {
                cycles.push(path);
            }
        }
        cycles
    }

    /// Returns for each waiting member the members that it still waits for.
    fn open_need_indices(&self) -> Vec<Vec<usize>> {
        let index: BTreeMap<&str, usize> =
            self.members.iter().enumerate().map(|(at, member)| (member.name.as_str(), at)).collect();
        let open = |member: &super::Member| {
            if member.status != Status::Waiting {
                return Vec::new();
            }
            let without = BTreeSet::from_iter(member.without.iter().map(String::as_str));
            let needs = member.dependencies.iter().filter(|need| !without.contains(need.as_str()));
            let needs = needs.filter_map(|need| index.get(need.as_str()).copied());
            needs.filter(|need| self.members[*need].status != Status::Completed).collect()
        };
        self.members.iter().map(open).collect()
    }

    /// Finds the waiting members that wait for one who failed, directly or through others.
    fn behind_failures(&self, needs: &[Vec<usize>]) -> Vec<Option<DeadEnd>> {
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
        for (member, needs) in needs.iter().enumerate() {
            needs.iter().for_each(|need| dependents[*need].push(member));
        }
        let mut found: Vec<Option<DeadEnd>> = vec![None; needs.len()];
        let failed = self.members.iter().enumerate().filter(|(_, member)| member.status == Status::Failed);
        for (at, member) in failed {
            let error = member.error.clone().unwrap_or_else(|| "it did not say why".to_owned());
            let dead_end = DeadEnd::Failed { agent: member.name.clone(), error };
            let mut reached = vec![at];
            while let Some(at) = reached.pop() {
                for dependent in &dependents[at] {
                    if found[*dependent].is_none() {
                        found[*dependent] = Some(dead_end.clone());
                        reached.push(*dependent);
                    }
                }
            }
        }
        found
    }
}

/// Finds the members that are in a cycle or wait for one, and for each the next on its way there.
fn successors_in_cycles(needs: &[Vec<usize>], is_candidate: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let candidates: Vec<bool> = (0..needs.len()).map(is_candidate).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
    let mut open = vec![0_usize; needs.len()];
    for (member, needs) in needs.iter().enumerate().filter(|(member, _)| candidates[*member]) {
        for need in needs.iter().filter(|need| candidates[**need]) {
            dependents[*need].push(member);
            open[member] += 1;
        }
    }
    let mut free: Vec<usize> = (0..needs.len()).filter(|member| candidates[*member] && open[*member] == 0).collect();
    let mut is_left = candidates;
    while let Some(member) = free.pop() {
        is_left[member] = false;
        for dependent in &dependents[member] {
            open[*dependent] -= 1;
            if open[*dependent] == 0 {
                free.push(*dependent);
            }
        }
    }
    let next = |member: usize| needs[member].iter().copied().find(|need| is_left[*need]);
    (0..needs.len()).map(|member| if is_left[member] { next(member) } else { None }).collect()
}

/// Where the way from a member leads, and the members on it.
enum Walk {
    /// To a dead end that was found before.
    Known(DeadEnd, Vec<usize>),
    /// Into a cycle, its first member repeated at the end.
    New(Vec<usize>, Vec<usize>),
}

/// Walks from a member to the cycle that it waits for; who was walked over is not walked over again.
fn cycle_from(start: usize, next: &mut [Option<usize>], found: &[Option<DeadEnd>]) -> Option<Walk> {
    next[start]?;
    let (mut walked, mut at) = (Vec::new(), start);
    let mut position: BTreeMap<usize, usize> = BTreeMap::new();
    loop {
        if let Some(dead_end) = &found[at] {
            return Some(Walk::Known(dead_end.clone(), walked));
        }
        if let Some(from) = position.get(&at) {
            let mut cycle = walked[*from..].to_vec();
            cycle.push(at);
            return Some(Walk::New(cycle, walked));
        }
        position.insert(at, walked.len());
        walked.push(at);
        // Everybody on the way waits for somebody on the way.
        at = next[at].take()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Member;

    fn session(members: &[(&str, &str, &[&str])]) -> Session {
        let member = |(name, status, needs): &(&str, &str, &[&str])| Member {
            dependencies: needs.iter().map(|need| (*need).to_owned()).collect(),
            status: Status::parse(status),
            ..Member::new(&name.parse().unwrap())
        };
        Session { members: members.iter().map(member).collect(), ..Session::new(&"s".parse().unwrap()) }
    }

    fn check(members: &[(&str, &str, &[&str])], expected: &[&str]) {
        let found = session(members).dead_ends();
        let shown = members.iter().zip(found).filter_map(|((name, ..), found)| Some(format!("{name}: {}", found?)));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{members:?}");
    }

    #[test]
    fn failures_and_cycles_are_dead_ends() {
        check(&[("a", "waiting", &["b"]), ("b", "in_progress", &[])], &[]);
        check(&[("a", "waiting", &["b"]), ("b", "in_progress", &["a"])], &[]);
        check(&[("a", "waiting", &["gone"])], &[]);
        let cycle = "agents wait for each other: a → b → a";
        check(&[("a", "waiting", &["b"]), ("b", "waiting", &["a"])], &[&format!("a: {cycle}"), &format!("b: {cycle}")]);
        check(&[("a", "waiting", &["a"])], &["a: agents wait for each other: a → a"]);
        check(
            &[("x", "waiting", &["y"]), ("y", "waiting", &["f", "z"]), ("f", "failed", &[]), ("z", "completed", &[])],
            &["x: f failed: it did not say why", "y: f failed: it did not say why"],
        );
        check(
            &[
                ("x", "waiting", &["done", "a"]),
                ("a", "waiting", &["b"]),
                ("b", "waiting", &["a"]),
                ("done", "completed", &[]),
            ],
            &[&format!("x: {cycle}"), &format!("a: {cycle}"), &format!("b: {cycle}")],
        );
    }

    #[test]
    fn a_cycle_is_listed_once_and_a_long_one_is_cut() {
        let two = session(&[
            ("a", "waiting", &["b"]),
            ("b", "waiting", &["a"]),
            ("c", "waiting", &["c"]),
            ("d", "waiting", &["c"]),
        ]);
        assert_eq!(two.cycles().iter().map(|path| path.len()).collect::<Vec<_>>(), [3, 2]);
        assert!(two.is_finished());
        let names: Vec<String> = (0..20_000).map(|number| format!("n{number}")).collect();
        let mut long = session(&[]);
        long.members = names.iter().map(|name| Member::new(&name.parse().unwrap())).collect();
        for (at, member) in long.members.iter_mut().enumerate() {
            member.dependencies = vec![names[(at + 1) % names.len()].clone()];
        }
        let found = long.dead_ends();
        assert!(found[7].as_ref().unwrap().to_string().ends_with("n9 → …"));
    }
}
