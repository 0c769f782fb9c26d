//! The same work as agents do it today: bash and jq, step by step as the mailbox protocol says.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::fixture::BODY;
use super::time;
use crate::tools;

/// Writes the message, counts it in the registry, and logs it for the sender.
const SEND: &str = r#"
deliver() {
  local sender=$1 receiver=$2 kind=$3 title=$4 content=$5 urgency=${6:-normal}
  local id stamp target
  id="msg_$(date +%Y%m%d_%H%M%S)_$(tr -dc a-z0-9 < /dev/urandom | head -c 6)"
  stamp=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  target=".agent-messages/inbox/$receiver/$id.json"
  cat > "$target" <<END
{
  "message_id": "$id",
  "protocol_version": "1.0",
  "timestamp": "$stamp",
  "from_agent": "$sender",
  "to_agent": "$receiver",
  "message_type": "$kind",
  "priority": "$urgency",
  "subject": "$title",
  "payload": $content,
  "requires_response": false,
  "status": "delivered",
  "delivered_at": "$stamp"
}
END
  jq --arg agent "$receiver" '.agents[$agent].message_count += 1' \
    .agent-messages/registry.json > .agent-messages/registry.json.tmp
  mv .agent-messages/registry.json.tmp .agent-messages/registry.json
  cp "$target" ".agent-messages/outbox/${id}_to_$receiver.json"
  echo "sent: $sender to $receiver ($kind) $id $title"
}
for _ in $(seq "$1"); do
  deliver writer reader interface_contract 'Interface of the user service' "$2"
done
"#;

/// Finds what has no marker, and asks jq for four fields of each message.
const LIST: &str = r#"
unread=()
for file in .agent-messages/inbox/reader/*.json; do
  if [ -f "$file" ] && [ ! -f "$file.read" ]; then unread+=("$file"); fi
done
echo "unread: ${#unread[@]}"
for file in "${unread[@]}"; do
  sender=$(jq -r '.from_agent' "$file")
  kind=$(jq -r '.message_type' "$file")
  title=$(jq -r '.subject' "$file")
  urgency=$(jq -r '.priority' "$file")
  echo "[$urgency] $sender: $title ($kind)"
done
printf '%s\n' "${unread[@]}"
"#;

/// Ensures that bash and jq are there; as root it installs jq with apt-get.
pub(super) fn require_tools() -> Result<()> {
    ensure!(tools::works("bash"), "the benchmark compares with shell snippets and needs bash: install it first");
    tools::require_jq()
}

/// Sends so many messages in one shell, as a script that sends one after the other would.
pub(super) fn send_message(root: &Path, messages: u32) -> Result<Duration> {
    time(|| {
        let said = finish(&mut bash(root, SEND, &[&messages.to_string(), BODY]))?;
        ensure!(said.matches("sent: ").count() == messages as usize, "the snippet did not send: {said}");
        Ok(())
    })
}

/// Lists the reader's unread messages, which are so many.
pub(super) fn check_inbox(root: &Path, messages: u32) -> Result<Duration> {
    time(|| {
        let said = finish(&mut bash(root, LIST, &[]))?;
        ensure!(said.starts_with(&format!("unread: {messages}\n")), "the snippet did not list: {said:.200}");
        Ok(())
    })
}

/// Has so many shells send at once. The snippet's writers overwrite each other's registry, and some fail over it.
pub(super) fn send_at_once(root: &Path, writers: u32, sends: u32) -> Result<Duration> {
    time(|| {
        let sends = sends.to_string();
        let mut shells = Vec::new();
        for _ in 0..writers {
            let mut shell = bash(root, SEND, &[&sends, BODY]);
            shells.push(shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
        }
        for mut shell in shells {
            shell.wait()?;
        }
        Ok(())
    })
}

fn bash(root: &Path, script: &str, args: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command.current_dir(root).args(["-c", script, "snippet"]).args(args);
    command
}

fn finish(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("the snippet failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
