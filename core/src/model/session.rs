//! Sessions: several agents do one job, and each says how far it is.

use std::fmt;

use super::{AgentName, SessionId, Timestamp};

/// How far an agent of a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It has not started; it may wait for others.
    Waiting,
    /// It is at work.
    InProgress,
    /// It has finished.
    Completed,
    /// It met an error.
    Failed,
    /// Something that the protocol does not define, as others wrote it.
    Other(String),
}

impl Status {
    /// Reads the protocol's word.
    pub fn parse(word: &str) -> Self {
        match word {
            "waiting" => Self::Waiting,
            "in_progress" => Self::InProgress,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the protocol's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Waiting => "waiting",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Other(word) => word,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An agent of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who it is.
    pub name: AgentName,
    /// How far it is.
    pub status: Status,
    /// Whom it waits for, as the file names them: a name that cannot be anybody's is still waited for.
    pub dependencies: Vec<String>,
    /// Whom it went on without.
    pub without: Vec<String>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When it finished.
    pub completed_at: Option<Timestamp>,
    /// What it is doing.
    pub progress: Option<String>,
    /// Why it waits.
    pub reason: Option<String>,
    /// What went wrong.
    pub error: Option<String>,
    /// Where its report is, seen from the session's directory.
    pub report_path: Option<String>,
}

/// A session as its coordination file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its directory's name.
    pub id: SessionId,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
    /// What kind of project it works on.
    pub project_type: Option<String>,
    /// Where that project is.
    pub project_path: Option<String>,
    /// The agents, in the order of the file.
    pub members: Vec<Member>,
}

impl Session {
    /// Returns an agent's entry.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name.as_str() == name)
    }

    /// Names the agents.
    pub fn names(&self) -> Vec<AgentName> {
        self.members.iter().map(|member| member.name.clone()).collect()
    }

    /// Names the agents that are in a state.
    pub fn in_state(&self, status: &Status) -> Vec<AgentName> {
        let there = self.members.iter().filter(|member| member.status == *status);
        there.map(|member| member.name.clone()).collect()
    }

    /// Returns whether an agent has finished.
    pub fn is_completed(&self, name: &str) -> bool {
        self.member(name).is_some_and(|member| member.status == Status::Completed)
    }

    /// Names those whom an agent still waits for.
    pub fn open_needs(&self, member: &Member) -> Vec<String> {
        let open = |need: &&String| !self.is_completed(need) && !member.without.contains(need);
        member.dependencies.iter().filter(open).cloned().collect()
    }

    /// Lists who can start now.
    pub fn ready(&self) -> Vec<&Member> {
        let waiting = self.members.iter().filter(|member| member.status == Status::Waiting);
        waiting.filter(|member| self.open_needs(member).is_empty()).collect()
    }

    /// Names those who cannot start before an agent has finished, and those who cannot start before these.
    pub fn held_up_by(&self, name: &str) -> Vec<AgentName> {
        let mut held: Vec<AgentName> = Vec::new();
        let mut reached = 0;
        let mut behind = name.to_owned();
        loop {
            for member in self.members.iter().filter(|member| member.status == Status::Waiting) {
                let waits = self.open_needs(member).contains(&behind);
                if waits && member.name.as_str() != name && !held.contains(&member.name) {
                    held.push(member.name.clone());
                }
            }
            let Some(next) = held.get(reached) else { return held };
            behind = next.to_string();
            reached += 1;
        }
    }
}
