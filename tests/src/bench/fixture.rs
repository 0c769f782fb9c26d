//! A bus to measure on, and the commands that are measured.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::time;
use crate::{Project, artifact};

pub(super) const READER: &str = "reader";
pub(super) const WRITER: &str = "writer";

/// The two forms of the command that are measured.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// The component, compiled before, in a fresh instance each time.
    Component,
    /// The native program, in a process each time.
    Native,
}

/// A bus with a reader and a writer.
pub(super) struct BenchFixture {
    dir: TempDir,
    project: Project,
}

impl BenchFixture {
    pub(super) fn new() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let project = Project::with_agents(dir.path(), &[READER, WRITER])?;
        Ok(Self { dir, project })
    }

    pub(super) fn root(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    pub(super) fn project(&self) -> &Project {
        &self.project
    }

    /// Puts so many unread messages into the reader's inbox, all like one that was sent.
    pub(super) fn fill_inbox(&self, messages: u32) -> Result<()> {
        self.send(Form::Component)?;
        let inbox = self.project.path("inbox").join(READER);
        let sent = self.project.messages(&format!("inbox/{READER}"))?;
        let (first, _) = sent.iter().next().context("a message was sent")?;
        let text = fs::read_to_string(inbox.join(format!("{first}.json")))?;
        for number in 1..messages {
            let id = format!("msg_20250101_120000_{number:06}");
            fs::write(inbox.join(format!("{id}.json")), text.replace(first, &id))?;
        }
        Ok(())
    }

    /// Lists the reader's inbox, in one start.
    pub(super) fn list(&self, form: Form, messages: u32) -> Result<Duration> {
        // What was listed is noted: every listing is to find the same.
        let _ = fs::remove_file(self.project.path(".huddle/offered").join(format!("{READER}.log")));
        let wanted = format!("{{\"count\":{messages},");
        self.start(form, READER, &["inbox", "--json"], "", &|answer| answer.starts_with(&wanted))
    }

    /// Sends one message, in one start.
    pub(super) fn send(&self, form: Form) -> Result<Duration> {
        let args = ["send", READER, "Interface of the user service", "--type", "interface_contract", "--body", BODY];
        self.start(form, WRITER, &args, "", &|answer| answer.contains("ID: msg_"))
    }

    /// Sends many messages, in one start.
    pub(super) fn send_batch(&self, form: Form, messages: u32) -> Result<Duration> {
        let mut lines = String::new();
        for number in 0..messages {
            writeln!(lines, "{{\"to\":\"{READER}\",\"subject\":\"message {number}\",\"body\":{BODY}}}")?;
        }
        let wanted = messages as usize;
        self.start(form, WRITER, &["send", "--batch"], &lines, &|answer| answer.lines().count() == wanted)
    }

    /// Has so many writers send at once, and gives the time until the last is done.
    pub(super) fn send_at_once(&self, form: Form, writers: u32, sends: u32) -> Result<Duration> {
        let send_all = || (0..sends).try_for_each(|_| self.send(form).map(drop));
        time(|| {
            thread::scope(|scope| {
                let writers: Vec<_> = (0..writers).map(|_| scope.spawn(send_all)).collect();
                writers.into_iter().try_for_each(|writer| match writer.join() {
                    Ok(sent) => sent,
                    Err(_) => bail!("a writer panicked"),
                })
            })
        })
    }

    /// Returns how many messages the registry counts for the reader.
    pub(super) fn counted(&self) -> Result<u64> {
        let registry = self.project.registry()?;
        registry["agents"][READER]["message_count"].as_u64().context("the reader has a counter")
    }

    pub(super) fn ensure_counted(&self, messages: u32) -> Result<()> {
        let counted = self.counted()?;
        ensure!(counted == u64::from(messages), "the registry counts {counted} of {messages} messages");
        Ok(())
    }

    /// Starts the command and gives the time until its end, after which its answer is checked.
    fn start(
        &self,
        form: Form,
        agent: &str,
        args: &[&str],
        stdin: &str,
        is_right: &dyn Fn(&str) -> bool,
    ) -> Result<Duration> {
        let mut answer = String::new();
        let took = match form {
            Form::Component => {
                let run = self.project.run(agent, args)?.stdin(stdin);
                time(|| {
                    answer = run.start()?.stdout;
                    Ok(())
                })?
            }
            Form::Native => {
                let mut command = Command::new(artifact::shipped()?);
                command.current_dir(self.dir.path()).env("HUDDLE_AGENT", agent).env_remove("HUDDLE_ROOT").args(args);
                time(|| {
                    answer = finish(&mut command, stdin)?;
                    Ok(())
                })?
            }
        };
        ensure!(is_right(&answer), "`huddle {}` did not do what is measured: {answer:.200}", args.join(" "));
        Ok(took)
    }
}

/// Runs a process to its end, and gives what it printed.
fn finish(command: &mut Command, stdin: &str) -> Result<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut pipe = child.stdin.take().context("stdin is a pipe")?;
    let output = thread::scope(|scope| {
        // Both ends at once, or a full pipe would stop the one and then the other.
        scope.spawn(move || std::io::Write::write_all(&mut pipe, stdin.as_bytes()));
        child.wait_with_output()
    })?;
    Ok(String::from_utf8(output.stdout)?)
}

/// What the measured messages say: the same for everybody.
pub(super) const BODY: &str =
    r#"{"interface":"UserService","methods":["findById","create"],"note":"nobody else has looked at this yet"}"#;
