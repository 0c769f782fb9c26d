//! Who waits for whom.

use std::collections::BTreeSet;

use super::error::{Error, Result};
use crate::model::AgentName;

/// An agent and its dependencies.
pub(super) type AgentDependencies = (AgentName, Vec<String>);

/// Fails if a new dependency is unknown, or if dependencies are cyclic.
pub(super) fn check(all: &[AgentDependencies], added: &[AgentDependencies]) -> Result<()> {
    for (agent, needs) in added {
        let is_there = |need: &String| all.iter().any(|(name, _)| name.as_str() == need);
        if let Some(need) = needs.iter().find(|need| !is_there(need)) {
            let known = all.iter().map(|(name, _)| name.to_string()).filter(|name| name != agent.as_str()).collect();
            return Err(Error::UnknownDependency { agent: agent.clone(), need: need.clone(), known }.into());
        }
    }
    cycle(all).map_or(Ok(()), |path| Err(Error::Circular { path }.into()))
}

/// Finds agents that wait for each other, the first of them named again at the end.
fn cycle(all: &[AgentDependencies]) -> Option<Vec<String>> {
    let mut left: Vec<&AgentDependencies> = all.iter().collect();
    loop {
        let names = BTreeSet::from_iter(left.iter().map(|(name, _)| name.as_str()));
        let before = left.len();
        left.retain(|(_, needs)| needs.iter().any(|need| names.contains(need.as_str())));
        if left.len() == before {
            break;
        }
    }
    // Everybody who is left waits for somebody who is left, so going from one to the next comes round.
    let mut path = vec![left.first()?.0.to_string()];
    loop {
        let (_, needs) = left.iter().find(|(name, _)| Some(name.as_str()) == path.last().map(String::as_str))?;
        let next = needs.iter().find(|need| left.iter().any(|(name, _)| name.as_str() == need.as_str()))?;
        let seen = path.iter().position(|name| name == next);
        path.push(next.clone());
        if let Some(seen) = seen {
            return Some(path.split_off(seen));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(needs: &[(&str, &[&str])]) -> Option<String> {
        let all: Vec<AgentDependencies> = needs
            .iter()
            .map(|(name, needs)| (name.parse().unwrap(), needs.iter().map(|need| (*need).to_owned()).collect()))
            .collect();
        check(&all, &all).err().map(|error| error.to_string())
    }

    #[test]
    fn cycles_are_named() {
        let check = |needs: &[(&str, &[&str])], wanted: &str| {
            let wanted = format!("agents would wait for each other: {wanted}");
            assert_eq!(faults(needs), Some(wanted), "{needs:?}");
        };
        check(&[("a", &["b"]), ("b", &["a"])], "a → b → a");
        check(&[("a", &["a"])], "a → a");
        check(&[("x", &["a"]), ("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("free", &[])], "a → b → c → a");
        assert_eq!(faults(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]), None);
        assert_eq!(faults(&[]), None);
    }

    #[test]
    fn strangers_are_named() {
        let fault = faults(&[("a", &[]), ("b", &["a", "z"])]).unwrap();
        assert_eq!(fault, "b cannot wait for \"z\", which is not in the session; there are a");
    }
}
