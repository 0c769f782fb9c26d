//! Plays a story of four agents, every step of which is the component run under wasmtime.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use huddle_tests::{Clock, Guest, Run, artifact};
use serde_json::Value;

/// The session in which the agents work.
const JOB: &str = "jwt-service";

/// Play a story of four agents who share a project directory.
#[derive(Parser)]
struct Args {
    /// An empty directory to play in, instead of a new one among the temporary ones.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// How long the story lasts. It ends when it is played, so that it lies in the hour before.
const STORY: Duration = Duration::from_secs(62 * 60);
/// What passes between two commands: no two messages are of the same second.
const PAUSE: Duration = Duration::from_secs(11);

fn main() -> Result<()> {
    let dir = match Args::parse().dir {
        Some(dir) => dir,
        None => tempfile::Builder::new().prefix("huddle-demo-").tempdir()?.keep(),
    };
    println!("Four agents share one project directory for an hour. Every command below is huddle.wasm under wasmtime,");
    println!("started anew each time, with nothing but that directory in reach and the story's time for its clock.");
    let begin = SystemTime::now().duration_since(UNIX_EPOCH)?.saturating_sub(STORY);
    let story = Story { guest: artifact::component()?, dir, begin, passed: Cell::default() };
    story.arrive()?;
    let task = story.assign()?;
    let question = story.ask()?;
    story.slip()?;
    story.decide()?;
    story.answer_late(&question)?;
    story.hand_over()?;
    story.finish(&task)?;
    story.look_back(&task)
}

/// A project directory, the component that works in it, and how far the story has come.
struct Story {
    guest: &'static Guest,
    dir: PathBuf,
    /// When the story begins, as time since the Unix epoch.
    begin: Duration,
    /// How much of the story's time has passed.
    passed: Cell<Duration>,
}

impl Story {
    fn arrive(&self) -> Result<()> {
        self.chapter(0, "The agents arrive");
        self.play("lead", &["init"])?;
        self.play("lead", &["register", "lead", "--role", "architect", "--capability", "design"])?;
        self.play("ann", &["register", "ann", "--role", "builder", "--capability", "sql"])?;
        self.play("bob", &["register", "bob", "--role", "builder", "--capability", "typescript"])?;
        self.play("vera", &["register", "vera", "--role", "validator", "--capability", "testing"])?;
        self.play("vera", &["subscribe", "TaskCompleted"])?;
        let agents = ["--agent", "ann", "--agent", "bob:ann", "--agent", "vera:bob"];
        self.play("lead", &[&["session", "start", "--id", JOB, "--type", "web_app"][..], &agents].concat())
    }

    fn assign(&self) -> Result<String> {
        self.chapter(3, "The lead gives Bob a task and wants an answer within two hours");
        let task =
            r#"{"taskId":"t-1","title":"JWT service","description":"Issue and verify tokens for logged-in users"}"#;
        let options = ["--type", "task", "--priority", "high", "--needs-reply", "--deadline", "2h", "--body", task];
        self.play("lead", &[&["send", "bob", "Build the JWT service"][..], &options].concat())?;
        self.play("bob", &["inbox"])?;
        let id = self.newest("bob")?;
        self.play("bob", &["read", &id])?;
        println!("  (Reading it told the lead so: see its inbox.)");
        self.play("lead", &["inbox"])?;
        self.play("ann", &["session", "join", "ann", "--id", JOB])?;
        self.play("ann", &["session", "progress", "ann", "Writing the migration of the users table", "--id", JOB])?;
        println!("  (Bob waits for Ann, and Vera for Bob.)");
        self.play("lead", &["session", "status", "--id", JOB])?;
        Ok(id)
    }

    fn ask(&self) -> Result<String> {
        self.chapter(9, "Bob needs to know something from Ann within ten minutes");
        let question = r#"{"question":"Can findById return null?"}"#;
        let options = ["--type", "question", "--needs-reply", "--deadline", "10m", "--body", question];
        self.play("bob", &[&["send", "ann", "IUserService.findById"][..], &options].concat())?;
        let id = self.newest("ann")?;
        self.play("ann", &["session", "log", "ann", "status", "--message", "Two of five migrations run", "--id", JOB])?;
        Ok(id)
    }

    fn slip(&self) -> Result<()> {
        self.chapter(14, "A slip: nobody of that name is here, so nothing is sent and Bob is told");
        self.play_failing("bob", &["send", "anne", "Are you there?"])
    }

    fn decide(&self) -> Result<()> {
        self.chapter(19, "The lead decides for all, and it is written down where all can find it");
        let decision = r#"{"decision_id":"DEC-001","decision":"Sign tokens with RS256"}"#;
        let options = ["--type", "decision_announcement", "--body", decision];
        self.play("lead", &[&["broadcast", "Tokens are signed with RS256"][..], &options].concat())?;
        let id = self.newest("vera")?;
        for agent in ["bob", "vera"] {
            self.play(agent, &["ack", &id])?;
        }
        self.play("lead", &["context", "create", "decisions", "# Decisions so far"])?;
        self.play("lead", &["context", "update", "decisions", "DEC-001: tokens are signed with RS256."])?;
        self.play("lead", &["report", "broadcast", &id])
    }

    fn answer_late(&self, question: &str) -> Result<()> {
        self.chapter(27, "Ann has finished, sees Bob's question, and answers it late");
        self.play("lead", &["trace", question])?;
        self.play("ann", &["read", question])?;
        self.catch_up("ann")?;
        self.play(
            "ann",
            &["reply", question, "--body", r#"{"status":"accepted","answer":"Yes: Promise<User | null>"}"#],
        )?;
        let note = ["--message", "The migration is in", "--id", JOB];
        let report = r#"{"status":"completed","summary":"Users have a key for tokens. Old rows get one at the next login.",
            "findings":[{"type":"issue","severity":"medium","title":"Old rows have no key","location":"db/004_keys.sql:7",
            "description":"Rows of before the migration have none until somebody logs in."}]}"#;
        self.play("ann", &[&["session", "complete", "ann", "--report", report][..], &note].concat())?;
        self.play("bob", &["session", "join", "bob", "--id", JOB])
    }

    fn hand_over(&self) -> Result<()> {
        self.chapter(38, "Bob is done and hands over to Vera, files and all; she sends it back once");
        self.catch_up("bob")?;
        std::fs::write(self.dir.join("jwt.ts"), "export const algorithm = \"HS256\";\n")?;
        self.hand_to_vera("Tokens are issued and verified")?;
        let back = self.pending_handoff()?;
        self.pass(Duration::from_secs(4 * 60));
        self.catch_up("vera")?;
        let reason = "jwt.ts signs with HS256, and DEC-001 says RS256";
        self.play("vera", &["handoff", "decline", &back, "--reason", reason])?;
        let finding = r#"{"title":"jwt.ts ignores DEC-001","location":"jwt.ts:1"}"#;
        self.play(
            "vera",
            &["session", "log", "vera", "finding", "--severity", "high", "--data", finding, "--id", JOB],
        )?;
        self.pass(Duration::from_secs(3 * 60));
        self.catch_up("bob")?;
        std::fs::write(self.dir.join("jwt.ts"), "export const algorithm = \"RS256\";\n")?;
        self.hand_to_vera("Tokens are signed with RS256")?;
        let taken = self.pending_handoff()?;
        self.pass(Duration::from_secs(2 * 60));
        self.catch_up("vera")?;
        self.play("vera", &["handoff", "accept", &taken, "--notes", "Looks complete"])
    }

    fn hand_to_vera(&self, done: &str) -> Result<()> {
        let options = ["--artifact", "jwt.ts", "--done", done, "--next", "Run the tests"];
        let create = ["handoff", "create", "vera", "--task", "Validate the JWT service"];
        self.play("bob", &[&create[..], &options].concat())
    }

    fn finish(&self, task: &str) -> Result<()> {
        self.chapter(53, "The job is done, and everybody says so");
        let report = r#"{"status":"completed","summary":"Tokens are issued and verified with RS256.","findings":[]}"#;
        self.play("bob", &["session", "complete", "bob", "--report", report, "--id", JOB])?;
        self.play("bob", &["publish", "TaskCompleted", "--data", r#"{"task_id":"t-1"}"#])?;
        let result = r#"{"status":"complete","result":"JWT service is in review with Vera"}"#;
        self.play("bob", &["reply", task, "--body", result])?;
        self.play("vera", &["session", "join", "vera", "--id", JOB])?;
        let report = r#"{"status":"completed","summary":"All 24 tests pass. One open point for the next release.",
            "findings":[{"type":"recommendation","severity":"low","title":"Rotate keys","location":"jwt.ts:1",
            "description":"There is one key, for ever.","recommendation":"Name keys, and keep two"}],
            "metrics":{"tests":24},"next_actions":["Rotate keys"]}"#;
        self.play("vera", &["session", "complete", "vera", "--report", report, "--id", JOB])
    }

    fn look_back(&self, task: &str) -> Result<()> {
        self.chapter(58, "What is in the inboxes now");
        for agent in ["lead", "ann", "bob", "vera"] {
            self.play(agent, &["inbox"])?;
        }
        self.chapter(59, "The conversation about the task, and who is who");
        self.play("lead", &["thread", task])?;
        self.play("lead", &["agents"])?;
        self.play("lead", &["check"])?;
        self.chapter(60, "All of it, read back");
        self.play("lead", &["history"])?;
        self.play("lead", &["timeline", "--width", "90"])?;
        self.play("lead", &["search", "from:bob -type:acknowledgment"])?;
        self.chapter(61, "Where it all is");
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
        self.pass(PAUSE);
        println!("\n  {} {agent}$ huddle {}", self.shown(), words.join(" "));
        let outcome = self.run(agent, args).start()?;
        for line in outcome.stdout.lines().chain(outcome.stderr.lines()) {
            println!("    {line}");
        }
        Ok(outcome.code)
    }

    fn run(&self, agent: &str, args: &[&str]) -> Run<'static> {
        let clock = Clock::starting_at(self.begin + self.passed.get());
        Run::new(self.guest).env("HUDDLE_AGENT", agent).dir(&self.dir, ".").args(args.iter().copied()).clock(clock)
    }

    /// Begins a chapter so many minutes after the story began, or later if what came before took longer.
    fn chapter(&self, minutes: u64, title: &str) {
        self.passed.set(self.passed.get().max(Duration::from_secs(minutes * 60)));
        println!("\n{title}\n{}", "─".repeat(title.chars().count()));
    }

    /// Lets the story's time pass.
    fn pass(&self, time: Duration) {
        self.passed.set(self.passed.get() + time);
    }

    /// Shows how far the story has come, as hours, minutes and seconds.
    fn shown(&self) -> String {
        let seconds = self.passed.get().as_secs();
        format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
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

    /// Has an agent read all that waits for it, off stage.
    fn catch_up(&self, agent: &str) -> Result<()> {
        let inbox = self.json(agent, &["inbox"])?;
        for message in inbox["notifications"].as_array().into_iter().flatten() {
            self.pass(PAUSE);
            self.json(agent, &["read", message["id"].as_str().context("a message has an id")?])?;
        }
        Ok(())
    }

    /// Finds the handoff that nobody has answered yet.
    fn pending_handoff(&self) -> Result<String> {
        let list = self.json("vera", &["handoff", "list"])?;
        let mut handoffs = list["handoffs"].as_array().into_iter().flatten();
        let found = handoffs.find(|one| one["status"] == "pending_acceptance").and_then(|one| one["id"].as_str());
        found.map(str::to_owned).with_context(|| format!("no handoff waits for an answer: {list}"))
    }
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
