//! The directory of agents: who is here, what they can do, and whether their mail is piling up.

use super::{Bus, Error, Result, limits};
use crate::engine::Unread;
use crate::model::{Agent, AgentName, Diagnostic, Directory, JsonMap, Severity, WithDiagnostics};

/// An agent's registration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewAgent {
    /// Its role.
    pub role: String,
    /// Its working directory.
    pub worktree: Option<String>,
    /// Its capabilities.
    pub capabilities: Vec<String>,
}

impl NewAgent {
    /// Starts with a role and nothing else.
    pub fn with_role(role: impl Into<String>) -> Self {
        Self { role: role.into(), ..Self::default() }
    }
}

/// An agent with the state of its inbox.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentView {
    /// Its name.
    pub name: AgentName,
    /// Its entry in the directory.
    pub agent: Agent,
    /// Its unread messages.
    pub unread: Unread,
}

impl Bus<'_> {
    /// Registers an agent, or brings its entry up to date; returns whether it is new.
    ///
    /// A new name must be portable and pass for no registered one; a name that is registered stays as it is.
    pub fn register(&self, name: &AgentName, new: &NewAgent) -> Result<bool> {
        if new.role.trim().is_empty() {
            return Err(Error::Usage {
                message: format!("{name} needs a role"),
                hint: "say what it does: --role builder".into(),
            }
            .into());
        }
        limits::check("role", &new.role, limits::WORD)?;
        limits::check("worktree", new.worktree.as_deref().unwrap_or_default(), limits::PATH)?;
        new.capabilities.iter().try_for_each(|word| limits::check("capability", word, limits::WORD))?;
        let now = self.now();
        let mut is_new = true;
        let mut refused = None;
        self.engine.edit_directory(&mut |directory| {
            let before = directory.agents.get(name);
            is_new = before.is_none();
            refused = if is_new { check_new(name, directory).err() } else { None };
            if refused.is_some() {
                return;
            }
            let known = before.cloned();
            let worktree = new.worktree.clone().or_else(|| known.as_ref().map(|agent| agent.worktree.clone()));
            let agent = Agent {
                role: new.role.clone(),
                worktree: worktree.unwrap_or_else(|| ".".to_owned()),
                capabilities: new.capabilities.clone(),
                registered_at: known.as_ref().and_then(|agent| agent.registered_at).or(Some(now)),
                status: "active".to_owned(),
                last_seen: Some(now),
                message_count: known.as_ref().map_or(0, |agent| agent.message_count),
                extra: known.map_or_else(JsonMap::new, |agent| agent.extra),
            };
            directory.agents.insert(name.clone(), agent);
        })?;
        refused.map_or(Ok(is_new), Err)
    }

    /// Lists the agents, or those with a capability, and what is wrong with the directory.
    pub fn agents(&self, capability: Option<&str>) -> Result<WithDiagnostics<Vec<AgentView>>> {
        let WithDiagnostics { value: directory, mut findings }: WithDiagnostics<_> = self.engine.directory()?;
        let mut views = Vec::new();
        for (name, agent) in directory.agents {
            if capability.is_none_or(|wanted| agent.capabilities.iter().any(|has| has == wanted)) {
                // One inbox that cannot be listed hides nobody else.
                let unread = self.engine.unread(&name).unwrap_or_else(|error| {
                    findings.push(unlisted(&name, &error));
                    Unread::default()
                });
                views.push(AgentView { name, agent, unread });
            }
        }
        Ok(WithDiagnostics { value: views, findings })
    }

    /// Notes that an agent is alive, and what it says it is doing.
    pub fn heartbeat(&self, name: &AgentName, status: Option<&str>) -> Result<Agent> {
        self.directory_with(&[name])?;
        limits::check("status", status.unwrap_or_default(), limits::WORD)?;
        let now = self.now();
        let mut left = None;
        self.engine.edit_directory(&mut |directory| {
            left = directory.agents.get_mut(name).map(|agent| {
                agent.last_seen = Some(now);
                if let Some(status) = status {
                    agent.status = status.to_owned();
                }
                agent.clone()
            });
        })?;
        // Somebody may have deregistered it in between.
        left.map_or_else(|| Err(Error::unknown_agent(name, &self.directory()?).into()), Ok)
    }

    /// Takes an agent off the directory and out of all subscriptions; its messages stay. Returns how many it had not read.
    pub fn deregister(&self, name: &AgentName) -> Result<usize> {
        self.directory_with(&[name])?;
        let unread = self.engine.unread(name)?;
        self.engine.edit_directory(&mut |directory| {
            directory.agents.remove(name);
            for subscribers in directory.subscriptions.values_mut() {
                subscribers.retain(|subscriber| subscriber != name);
            }
            directory.subscriptions.retain(|_, subscribers| !subscribers.is_empty());
        })?;
        Ok(unread.count)
    }

    /// Reports what is wrong with the directory itself, for commands that work on regardless.
    pub fn directory_findings(&self) -> Result<Vec<Diagnostic>> {
        Ok(self.engine.directory()?.findings)
    }
}

fn check_new(name: &AgentName, directory: &Directory) -> Result<()> {
    name.check_portable()?;
    match name.look_alike(directory.agents.keys()) {
        Some(registered) => Err(Error::Usage {
            message: format!("agent name {name:?} passes for {registered:?}, which is registered"),
            hint: format!(
                "if that agent is meant, use its name: {registered}; otherwise choose a name that looks different"
            ),
        }
        .into()),
        None => Ok(()),
    }
}

fn unlisted(agent: &AgentName, error: &crate::engine::Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "unreadable-inbox",
        place: format!("the inbox of {agent}"),
        message: format!("its unread messages cannot be counted: {error}"),
        hint: "look at the directory; the other agents are not affected".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::memory::MemoryEngine;
    use crate::host::FixedHost;

    #[test]
    fn a_new_name_is_portable_and_passes_for_no_other() {
        let host = FixedHost::at("2025-11-29T12:00:00Z");
        let engine = MemoryEngine::new(&host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        let register = |name: &str| bus.register(&name.parse().unwrap(), &NewAgent::with_role("builder"));
        for name in ["ann", "builder-1", "Ünï", "two words", "api.contracts"] {
            assert!(register(name).unwrap(), "{name}");
        }
        for name in ["аnn", "a\u{200b}nn", "\u{202e}nna", "CON", "con.txt", "a:b", "a.", "e\u{301}"] {
            assert!(matches!(*register(name).unwrap_err(), Error::Name(_)), "{name:?}");
        }
        for (name, registered) in [("ANN", "ann"), ("builder-l", "builder-1"), ("ünÏ", "Ünï")] {
            let error = register(name).unwrap_err();
            assert!(error.to_string().ends_with(&format!("passes for {registered:?}, which is registered")), "{error}");
            assert!(error.hint().contains(registered), "{error}");
        }
        assert_eq!(bus.agents(None).unwrap().value.len(), 5);

        let old: AgentName = "CON".parse().unwrap();
        engine.edit_directory(&mut |all| drop(all.agents.insert(old.clone(), Agent::unknown()))).unwrap();
        assert!(!register("CON").unwrap());
        let found = bus.check().unwrap().findings;
        assert_eq!(found.iter().filter(|one| one.code == "unportable-name").count(), 1, "{found:?}");
    }
}
