//! Questions under wasmtime: one guest asks and waits, others read and answer meanwhile, and the test turns the clock.
//!
//! `tests/golden/ask-*.snap` has what was typed, what came back, and what the log of decisions says. Ids are numbered as
//! they appear.

use std::collections::BTreeSet;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use huddle_tests::test_project::at;
use huddle_tests::{Clock, Outcome, Project, golden};
use serde_json::Value;
use tempfile::TempDir;

/// What the frontend's expert asks; the protocol's own example.
const QUESTION: &str = "What's the API endpoint schema for /users?";
const FRONTEND: &str = "frontend-expert";
const BACKEND: &str = "backend-expert";
const FORMAT: &str = r#"{"type":"object","required":["schema"],"properties":{"schema":{"type":"object"}}}"#;
const ANSWER: &str = r#"{"schema":{"id":"integer","email":"string"},"additional_info":"Auth required"}"#;
/// Who does nothing for so long will do nothing any more: the test is over, not slow.
const TEST_TIMEOUT: Duration = Duration::from_secs(120);

#[test]
fn a_question_is_answered() {
    play("ask-answered", &[], |fixture| {
        fixture.wait_for_questions(1)?;
        fixture.turn_to("14:30:05");
        let question = fixture.newest_question()?;
        fixture.run(BACKEND, &["inbox"])?;
        fixture.run(BACKEND, &["read", &question])?;
        fixture.run(BACKEND, &["answer", &question, "--body", ANSWER])
    });
}

#[test]
fn a_question_that_nobody_heard_is_asked_again() {
    play("ask-retried", &[], |fixture| {
        fixture.let_time_run_out("14:30:30", 1)?;
        fixture.wait_for_questions(2)?;
        fixture.turn_to("14:30:40");
        fixture.run(BACKEND, &["inbox"])?;
        let question = fixture.newest_question()?;
        fixture.run(BACKEND, &["answer", &question, "--body", ANSWER])
    });
}

#[test]
fn a_bad_answer_is_clarified() {
    play("ask-clarified", &[], |fixture| {
        fixture.wait_for_questions(1)?;
        fixture.turn_to("14:30:05");
        let question = fixture.newest_question()?;
        fixture.run(BACKEND, &["answer", &question, "--body", r#"{"schema":"see the wiki"}"#])?;
        fixture.wait_for_questions(2)?;
        fixture.turn_to("14:30:09");
        fixture.run(BACKEND, &["inbox"])?;
        let clarification = fixture.newest_question()?;
        fixture.run(BACKEND, &["answer", &clarification, "--body", ANSWER])
    });
}

#[test]
fn fallback_is_used_without_an_answer() {
    play("ask-fallback", &["--fallback", r#"{"schema":{}}"#], |fixture| {
        fixture.let_time_run_out("14:30:30", 1)?;
        fixture.let_time_run_out("14:31:00", 2)
    });
}

#[test]
fn every_golden_file_belongs_to_a_test() {
    let found: Vec<String> = golden::names().unwrap().into_iter().filter(|name| name.starts_with("ask-")).collect();
    assert_eq!(found, ["ask-answered", "ask-clarified", "ask-fallback", "ask-retried"]);
}

/// A bus on which one agent waits for an answer while others act.
struct AskFixture {
    project: Project,
    clock: Clock,
    time: String,
    starts: u64,
    transcript: String,
    _dir: TempDir,
}

/// Has the question asked and the script played meanwhile, and compares what was said with the golden file.
fn play(name: &str, options: &[&str], script: fn(&mut AskFixture) -> Result<()>) {
    let mut fixture = AskFixture::new().unwrap();
    let asking = fixture.ask(options).unwrap();
    let played = script(&mut fixture).and_then(|()| fixture.ensure_ends(&asking));
    if let Err(error) = played {
        // Who waits is not left waiting, or this process would never end.
        fixture.run_clock_until_done(&asking);
        panic!("{error:#}\n{}", fixture.transcript);
    }
    let outcome = asking.join().unwrap().unwrap();
    fixture.hear(FRONTEND, &outcome).unwrap();
    fixture.run(FRONTEND, &["threads"]).unwrap();
    fixture.tell_decisions().unwrap();
    golden::check(name, &numbered(&fixture.transcript));
}

impl AskFixture {
    fn new() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let mut fixture = Self {
            project: Project::at(dir.path()),
            clock: at("2025-11-29T14:30:00Z").by_hand(),
            time: "14:30:00".to_owned(),
            starts: 0,
            transcript: String::new(),
            _dir: dir,
        };
        fixture.run(FRONTEND, &["init"])?;
        for agent in [FRONTEND, BACKEND] {
            fixture.run(agent, &["register", agent, "--role", "expert"])?;
        }
        Ok(fixture)
    }

    /// Begins a command as an agent, with random numbers of its own.
    fn start(&mut self, agent: &str, args: &[&str]) -> Result<JoinHandle<Result<Outcome>>> {
        self.starts += 1;
        self.transcript += &format!("{} {agent}$ {}\n", self.time, golden::typed(args));
        let (project, clock, seed) = (self.project.clone(), self.clock, self.starts);
        let (agent, args) = (agent.to_owned(), args.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        Ok(thread::spawn(move || project.run(&agent, &[])?.args(args).clock(clock).seed(seed).start()))
    }

    /// Runs a command to its end.
    fn run(&mut self, agent: &str, args: &[&str]) -> Result<()> {
        let outcome = self.start(agent, args)?.join().map_err(|_| anyhow::anyhow!("the host panicked"))??;
        ensure!(outcome.code == 0, "it failed: {outcome:?}");
        self.transcript += &format!("{}{}\n", outcome.stdout, outcome.stderr);
        Ok(())
    }

    /// Asks, and returns while the asking guest waits.
    fn ask(&mut self, options: &[&str]) -> Result<JoinHandle<Result<Outcome>>> {
        let ask = ["ask", BACKEND, QUESTION, "--context", "Building frontend form", "--format", FORMAT, "--json"];
        let asking = self.start(FRONTEND, &[&ask, options].concat())?;
        self.transcript += "… and waits\n\n";
        Ok(asking)
    }

    /// Writes down what a guest that was begun earlier has said.
    fn hear(&mut self, agent: &str, outcome: &Outcome) -> Result<()> {
        ensure!(outcome.code == 0, "{agent} failed: {outcome:?}");
        let answer: Value = serde_json::from_str(&outcome.stdout)?;
        self.transcript += &format!("{} {agent} goes on\n{answer:#}\n{}\n", self.time, outcome.stderr);
        Ok(())
    }

    /// Returns the ids of the questions in the backend's inbox, the newest last.
    fn questions(&self) -> Result<Vec<String>> {
        let all = self.project.messages(&format!("inbox/{BACKEND}"))?;
        let mut asked: Vec<(String, String)> = all
            .into_iter()
            .filter(|(_, message)| message["message_type"] == "query")
            .map(|(id, message)| (message["timestamp"].as_str().unwrap_or_default().to_owned(), id))
            .collect();
        asked.sort();
        Ok(asked.into_iter().map(|(_, id)| id).collect())
    }

    fn newest_question(&self) -> Result<String> {
        self.questions()?.pop().context("there is no question")
    }

    /// Waits until so many questions are there and who asked them is done with sending.
    fn wait_for_questions(&self, count: usize) -> Result<()> {
        until("the question comes", || {
            let settled = self.project.names(".huddle/work")?.is_empty();
            Ok(settled && self.questions()?.len() == count)
        })
    }

    /// Lets nobody answer until the time for the question of that number is up.
    fn let_time_run_out(&mut self, time: &str, question: usize) -> Result<()> {
        self.wait_for_questions(question)?;
        // The question is sent; in a moment it is waited for. Only then can its time run out.
        thread::sleep(Duration::from_secs(1));
        self.turn_to(time);
        self.transcript += &format!("{time} nobody has answered\n\n");
        Ok(())
    }

    fn ensure_ends(&self, asking: &JoinHandle<Result<Outcome>>) -> Result<()> {
        until("the asking guest ends", || Ok(asking.is_finished()))
    }

    fn run_clock_until_done(&mut self, asking: &JoinHandle<Result<Outcome>>) {
        for hour in 15..24 {
            self.turn_to(&format!("{hour}:00:00"));
            thread::sleep(Duration::from_secs(1));
            if asking.is_finished() {
                return;
            }
        }
    }

    fn turn_to(&mut self, time: &str) {
        self.clock.turn_to(at(&format!("2025-11-29T{time}Z")));
        time.clone_into(&mut self.time);
    }

    /// Writes down the log. Two who act at the same moment may be in it either way round.
    fn tell_decisions(&mut self) -> Result<()> {
        let log = std::fs::read_to_string(self.project.root().join(".claude/state/decisions.jsonl"))?;
        let mut lines: Vec<(String, String, &str)> = Vec::new();
        for line in log.lines() {
            let said: Value = serde_json::from_str(line).with_context(|| format!("not a whole line: {line}"))?;
            let text = |field: &str| said[field].as_str().unwrap_or_default().to_owned();
            lines.push((text("timestamp"), text("from"), line));
        }
        lines.sort();
        self.transcript += ".claude/state/decisions.jsonl\n";
        lines.iter().for_each(|(_, _, line)| self.transcript += &format!("{line}\n"));
        Ok(())
    }
}

/// Waits until something has happened.
fn until(what: &str, happened: impl Fn() -> Result<bool>) -> Result<()> {
    let began = Instant::now();
    while !happened()? {
        ensure!(began.elapsed() < TEST_TIMEOUT, "waiting in vain until {what}");
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Numbers ids as they appear: who comes first where two act at once is not part of the story.
fn numbered(text: &str) -> String {
    let ids: BTreeSet<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| ["msg_2", "resp_2", "conv_2"].iter().any(|kind| word.starts_with(kind)))
        .collect();
    let mut by_place: Vec<&str> = ids.into_iter().collect();
    by_place.sort_by_key(|id| text.find(id));
    let mut text = text.to_owned();
    for (number, id) in by_place.iter().enumerate() {
        let kind = id.split('_').next().unwrap_or_default();
        text = text.replace(id, &format!("{kind}-{}", number + 1));
    }
    text
}
