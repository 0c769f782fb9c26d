//! Plays a story of four agents, every step of which is the component run under wasmtime.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use huddle_tests::{Guest, Run, artifact};
use serde_json::Value;

/// Play a story of four agents who share a project directory.
#[derive(Parser)]
struct Args {
    /// An empty directory to play in, instead of a new one among the temporary ones.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

fn main() -> Result<()> {
    let dir = match Args::parse().dir {
        Some(dir) => dir,
        None => tempfile::Builder::new().prefix("huddle-demo-").tempdir()?.keep(),
    };
    println!("Four agents share one project directory. Every command below is huddle.wasm under wasmtime,");
    println!("started anew each time, with nothing but that directory in reach.");
    let story = Story { guest: artifact::component()?, dir };
    story.arrive()?;
    story.assign()?;
    story.ask()?;
    story.slip()?;
    story.decide()?;
    story.hand_over()?;
    story.look_back()
}

/// A project directory, and the component that works in it.
struct Story {
    guest: &'static Guest,
    dir: PathBuf,
}

impl Story {
    fn arrive(&self) -> Result<()> {
        chapter("The agents arrive");
        self.play("lead", &["init"])?;
        self.play("lead", &["register", "lead", "--role", "architect", "--capability", "design"])?;
        self.play("lead", &["register", "ann", "--role", "builder", "--capability", "sql"])?;
        self.play("lead", &["register", "bob", "--role", "builder", "--capability", "typescript"])?;
        self.play("lead", &["register", "vera", "--role", "validator", "--capability", "testing"])?;
        self.play("vera", &["subscribe", "TaskCompleted"])
    }

    fn assign(&self) -> Result<()> {
        chapter("The lead gives Bob a task and wants an answer within two hours");
        let task =
            r#"{"taskId":"t-1","title":"JWT service","description":"Issue and verify tokens for logged-in users"}"#;
        let options = ["--type", "task", "--priority", "high", "--needs-reply", "--deadline", "2h", "--body", task];
        self.play("lead", &[&["send", "bob", "Build the JWT service"][..], &options].concat())?;
        self.play("bob", &["inbox"])?;
        let id = self.newest("bob")?;
        self.play("bob", &["read", &id])?;
        println!("  (Reading it told the lead so: see its inbox.)");
        self.play("lead", &["inbox"])
    }

    fn ask(&self) -> Result<()> {
        chapter("Bob needs to know something from Ann");
        let question = r#"{"question":"Can findById return null?"}"#;
        self.play("bob", &["send", "ann", "IUserService.findById", "--needs-reply", "--body", question])?;
        let id = self.newest("ann")?;
        self.play("ann", &["reply", &id, "--body", r#"{"status":"accepted","answer":"Yes: Promise<User | null>"}"#])?;
        self.play("ann", &["trace", &id])
    }

    fn slip(&self) -> Result<()> {
        chapter("A slip: nobody of that name is here, so nothing is sent and Bob is told");
        self.play_failing("bob", &["send", "anne", "Thanks"])
    }

    fn decide(&self) -> Result<()> {
        chapter("The lead decides for all, and it is written down where all can find it");
        let decision = r#"{"decision_id":"DEC-001","decision":"Sign tokens with RS256"}"#;
        let options = ["--type", "decision_announcement", "--body", decision];
        self.play("lead", &[&["broadcast", "Tokens are signed with RS256"][..], &options].concat())?;
        let id = self.newest("vera")?;
        for agent in ["ann", "bob", "vera"] {
            self.play(agent, &["ack", &id])?;
        }
        self.play("lead", &["context", "create", "decisions", "# Decisions so far"])?;
        self.play("lead", &["context", "update", "decisions", "DEC-001: tokens are signed with RS256."])?;
        self.play("lead", &["report", "broadcast", &id])
    }

    fn hand_over(&self) -> Result<()> {
        chapter("Bob is done and hands over to Vera, files and all");
        std::fs::write(self.dir.join("jwt.ts"), "export const algorithm = \"RS256\";\n")?;
        let options = ["--artifact", "jwt.ts", "--done", "Tokens are issued and verified", "--next", "Run the tests"];
        self.play(
            "bob",
            &[&["handoff", "create", "vera", "--task", "Validate the JWT service"][..], &options].concat(),
        )?;
        let id = self.handoff()?;
        self.play("vera", &["handoff", "accept", &id, "--notes", "Looks complete"])?;
        self.play("bob", &["publish", "TaskCompleted", "--data", r#"{"task_id":"t-1"}"#])?;
        let task = self.first_of_type("bob", "task")?;
        let result = r#"{"status":"complete","result":"JWT service is in review with Vera"}"#;
        self.play("bob", &["reply", &task, "--body", result])
    }

    fn look_back(&self) -> Result<()> {
        chapter("What is in the inboxes now");
        for agent in ["lead", "ann", "bob", "vera"] {
            self.play(agent, &["inbox"])?;
        }
        chapter("The conversation about the task, and who is who");
        let task = self.first_of_type("bob", "task")?;
        self.play("lead", &["thread", &task])?;
        self.play("lead", &["agents"])?;
        self.play("lead", &["check"])?;
        chapter("All of it, read back");
        self.play("lead", &["history"])?;
        self.play("lead", &["timeline", "--width", "90"])?;
        self.play("lead", &["search", "from:bob -type:acknowledgment"])?;
        chapter("Where it all is");
        println!("  Plain files, in the format that shell snippets of the protocol read and write too:\n");
        for line in tree(&self.dir.join(".agent-messages"))? {
            println!("    {line}");
        }
        println!("\n  Look at them: {}", self.dir.join(".agent-messages").display());
        println!("  Talk to them: cargo run -q -p huddle -- --root {} --as lead inbox", self.dir.display());
        Ok(())
    }

    /// Shows a command and what it prints; it must succeed.
    fn play(&self, agent: &str, args: &[&str]) -> Result<()> {
        let code = self.show(agent, args)?;
        ensure!(code == 0, "`huddle {}` failed with exit code {code}", args.join(" "));
        Ok(())
    }

    /// Shows a command that is refused.
    fn play_failing(&self, agent: &str, args: &[&str]) -> Result<()> {
        let code = self.show(agent, args)?;
        ensure!(code != 0, "`huddle {}` was to be refused", args.join(" "));
        Ok(())
    }

    fn show(&self, agent: &str, args: &[&str]) -> Result<i32> {
        let words: Vec<String> = args.iter().map(|word| quoted(word)).collect();
        println!("\n  {agent}$ huddle {}", words.join(" "));
        let outcome = self.run(agent, args).start()?;
        for line in outcome.stdout.lines().chain(outcome.stderr.lines()) {
            println!("    {line}");
        }
        Ok(outcome.code)
    }

    fn run(&self, agent: &str, args: &[&str]) -> Run<'static> {
        Run::new(self.guest).env("HUDDLE_AGENT", agent).dir(&self.dir, ".").args(args.iter().copied())
    }

    /// Asks the component for JSON, off stage.
    fn json(&self, agent: &str, args: &[&str]) -> Result<Value> {
        let outcome = self.run(agent, args).arg("--json").start()?;
        serde_json::from_str(&outcome.stdout)
            .with_context(|| format!("`huddle {}`: {}", args.join(" "), outcome.stderr))
    }

    fn newest(&self, agent: &str) -> Result<String> {
        let inbox = self.json(agent, &["inbox"])?;
        let ids = inbox["notifications"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str());
        ids.max().map(str::to_owned).with_context(|| format!("{agent} has no mail"))
    }

    fn first_of_type(&self, agent: &str, kind: &str) -> Result<String> {
        let inbox = self.json(agent, &["inbox", "--all", "--type", kind])?;
        Ok(inbox["notifications"][0]["id"].as_str().with_context(|| format!("{agent} has no {kind}"))?.to_owned())
    }

    fn handoff(&self) -> Result<String> {
        let list = self.json("vera", &["handoff", "list"])?;
        Ok(list["handoffs"][0]["id"].as_str().context("there is no handoff")?.to_owned())
    }
}

fn chapter(title: &str) {
    println!("\n{title}\n{}", "─".repeat(title.chars().count()));
}

/// Quotes a word as a shell would want it.
fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_alphanumeric() || "-_./=@:".contains(c));
    if plain { word.to_owned() } else { format!("'{word}'") }
}

/// Lists the files below a directory, without the engine's own.
fn tree(dir: &Path) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(dir)?.collect::<std::io::Result<_>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            lines.extend(tree(&entry.path())?.into_iter().map(|line| format!("{name}/{line}")));
        } else if !name.starts_with('.') {
            lines.push(name);
        }
    }
    Ok(lines)
}
