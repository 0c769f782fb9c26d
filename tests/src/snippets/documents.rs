//! The snippets for shared contexts and handoffs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Shell, cp, jq, read, text, with_ending};

/// The snippet sleeps for a second between two looks at the lock; nobody here has that long.
const LOOK: Duration = Duration::from_millis(10);

impl Shell {
    /// Step 4.2: takes the lock, appends to the document, frees the lock, and tells everybody; returns the broadcast's id.
    pub fn update_shared_context(&self, name: &str, agent: &str, content: &str, max_wait: Duration) -> Result<String> {
        let file = self.bus(&format!("shared-context/{name}.md"));
        self.lock_context(name, agent, max_wait)?;
        let mut document = fs::read(&file).with_context(|| format!("reading failed: {}", file.display()))?;
        document.extend(format!("\n## Update: {} by {agent}\n{content}\n", self.now).bytes());
        let temp = with_ending(&file, ".tmp");
        fs::write(&temp, document)?;
        fs::rename(&temp, &file)?;
        self.sed_last_updated(&file)?;
        self.unlock_context(name)?;
        let subject = format!("Shared context '{name}' updated");
        self.broadcast_message(agent, "context_updated", &subject, &json!({ "context": name, "updated_by": agent }))
    }

    /// The first half of step 4.2: waits until the lock says that it is free, and says that it is taken.
    pub fn lock_context(&self, name: &str, agent: &str, max_wait: Duration) -> Result<()> {
        let lock = self.bus(&format!("shared-context/{name}.md.lock"));
        let began = Instant::now();
        loop {
            let locked = read(&lock)?.get("locked").and_then(Value::as_bool);
            if !locked.context(".locked is missing or no boolean")? {
                break;
            }
            ensure!(began.elapsed() < max_wait, "failed to acquire lock on {name}");
            thread::sleep(LOOK);
        }
        self.set_lock(name, [true.into(), agent.into(), self.now.as_str().into()])
    }

    /// The end of step 4.2, and what the protocol advises when an agent died: says that the lock is free.
    pub fn unlock_context(&self, name: &str) -> Result<()> {
        self.set_lock(name, [false.into(), Value::Null, Value::Null])
    }

    fn set_lock(&self, name: &str, values: [Value; 3]) -> Result<()> {
        jq(&self.bus(&format!("shared-context/{name}.md.lock")), |lock| {
            for (field, value) in ["locked", "locked_by", "locked_at"].into_iter().zip(values) {
                ensure!(lock.get(field).is_some(), ".{field} is missing: {lock}");
                lock[field] = value;
            }
            Ok(())
        })
    }

    /// `sed -i.bak "s/Last Updated:.*/Last Updated: …/"`, which leaves the old document beside the new one.
    fn sed_last_updated(&self, file: &Path) -> Result<()> {
        cp(file, &with_ending(file, ".bak"))?;
        let document = fs::read_to_string(file)?;
        let line = |line: &str| match line.split_once("Last Updated:") {
            Some((before, _)) => format!("{before}Last Updated: {}\n", self.now),
            None => line.to_owned(),
        };
        Ok(fs::write(file, document.split_inclusive('\n').map(line).collect::<String>())?)
    }

    /// Step 5.1: makes a handoff package of files and tells its receiver; returns the handoff's id.
    pub fn create_handoff_package(
        &self,
        route: [&str; 2],
        task: &str,
        artifacts: &[&str],
        context: &str,
    ) -> Result<String> {
        let [from, to] = route;
        let id = format!("handoff_{}", self.compact());
        let dir = self.bus(&format!("handoffs/{id}"));
        fs::create_dir_all(dir.join("artifacts"))?;
        let listed: String = artifacts.iter().map(|artifact| format!("- {artifact}\n")).collect();
        let document = format!(
            "# Handoff: {from}{to}\n\n\
             **Handoff ID**: {id}\n**Created**: {now}\n**From**: {from}\n**To**: {to}\n\n\
             ## Task Description\n{task}\n\n## Work Completed\n[Summary of completed work]\n\n\
             ## Artifacts Transferred\n{listed}\n## Context and Background\n{context}\n\n\
             ## Next Steps for Receiving Agent\n1. Review artifacts in `.agent-messages/handoffs/{id}/artifacts/`\n\n\
             ## Acceptance Criteria\n- [ ] All tests passing\n- [ ] Code reviewed and understood\n",
            now = self.now,
        );
        fs::write(dir.join("HANDOFF.md"), document)?;
        for artifact in artifacts {
            let name = Path::new(artifact).file_name().context("an artifact has a name")?;
            cp(&self.root.join(artifact), &dir.join("artifacts").join(name))?;
        }
        let metadata = json!({
            "handoff_id": id,
            "from_agent": from,
            "to_agent": to,
            "created_at": self.now,
            "status": "pending_acceptance",
            "artifacts": artifacts,
        });
        super::cat(&dir.join("metadata.json"), &metadata)?;
        let payload = json!({ "handoff_id": id, "handoff_dir": format!(".agent-messages/handoffs/{id}") });
        self.send_message(route, "handoff_request", &format!("Handoff ready: {task}"), &payload, "high")?;
        Ok(id)
    }

    /// Step 5.2: marks a handoff as accepted and tells its giver; returns that message's id.
    pub fn accept_handoff(&self, agent: &str, id: &str, notes: &str) -> Result<String> {
        let dir = self.bus(&format!("handoffs/{id}"));
        let metadata = dir.join("metadata.json");
        jq(&metadata, |metadata| {
            for field in ["handoff_id", "from_agent", "to_agent", "created_at", "status"] {
                text(metadata, field)?;
            }
            ensure!(metadata["artifacts"].is_array(), ".artifacts is no list: {metadata}");
            metadata["status"] = "accepted".into();
            metadata["accepted_by"] = agent.into();
            metadata["accepted_at"] = self.now.as_str().into();
            metadata["acceptance_notes"] = notes.into();
            Ok(())
        })?;
        let accepted = format!(
            "\n---\n\n## Handoff Accepted\n\n**Accepted by**: {agent}\n**Accepted at**: {}\n\n\
             ### Acceptance Notes\n{notes}\n\n### Acceptance Checklist\n- [x] All tests passing\n",
            self.now
        );
        let mut document = fs::OpenOptions::new().append(true).open(dir.join("HANDOFF.md"))?;
        document.write_all(accepted.as_bytes())?;
        let from = text(&read(&metadata)?, "from_agent")?;
        let payload = json!({ "handoff_id": id, "notes": notes });
        self.send_message([agent, &from], "handoff_accepted", &format!("Handoff {id} accepted"), &payload, "normal")
    }
}
