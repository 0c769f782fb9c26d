//! Odd values for every argument and every option of every command, as its help lists them.

use crate::audit::{Audit, Expect};
use crate::commands::READING;
use crate::contents::ESCAPES;
use crate::{AttackedProject, Counts, Extent, Target, Template};

/// A call of each command that works; options are added to it, and its arguments replaced.
const CALLS: &[&str] = &[
    "register dan --role builder",
    "agents",
    "heartbeat --as ann",
    "deregister cyd",
    "send bob Subject --as ann",
    "broadcast Subject --as ann",
    "publish Done --as ann",
    "subscribe Done --as ann",
    "unsubscribe Done --as cyd",
    "inbox --as bob",
    "read {q} --as bob",
    "reply {q} --body x --as bob",
    "ack {q} --as bob",
    "ask bob Question --timeout 0 --as ann",
    "answer {q} --body x --as bob",
    "context create notes text --as ann",
    "context show api",
    "context list",
    "context update api text --as ann",
    "handoff create bob --task Task --as ann",
    "handoff list",
    "handoff show {h}",
    "handoff artifact {h} notes.txt",
    "handoff accept {h} --as bob",
    "handoff decline {h} --reason x --as bob",
    "session start --as ann",
    "session list",
    "session status ann --id s1",
    "session join bob --id s1",
    "session progress ann text --id s1",
    "session complete ann --id s1",
    "session fail ann --error x --id s1",
    "session retry ann --id s1",
    "session close --id s1",
    "session log ann status --id s1",
    "session events --id s1",
    "session ready --id s1",
    "session recover --id s1",
    "session wait --all --timeout 0 --id s1",
    "session report put ann {\"status\":\"partial\",\"summary\":\"s\",\"findings\":[]} --id s1",
    "session report show ann --id s1",
    "session report merge --id s1",
    "session data put e {} --id s1 --from ann",
    "session data get d --id s1",
    "protocol text",
    "state show",
    "state phase 1 --as ann",
    "state objective text --as ann",
    "state decide text --as ann",
    "state artifact path --as ann",
    "state block text --as ann",
    "state unblock text --as ann",
    "state note text --as ann",
    "state agent ann done --as ann",
    "thread {q}",
    "threads",
    "summary {q}",
    "report broadcast {b}",
    "report blocker {q}",
    "trace {q}",
    "history",
    "timeline",
    "search text",
    "export --to jsonl",
    "compress {root}/notes.txt",
    "expand 1",
    "sweep",
    "dead-letters",
    "dead-letters retry {q}",
    "archive",
    "check",
    "hooks",
];

/// Options that make a command wait, which is what it is asked for: they get nothing that is a time.
const WAITING: &[&str] = &["--timeout", "--wait", "--for", "--lock-wait"];

/// Options that every command has: the first call is tried with them.
const GLOBAL: &[&str] = &["--as", "--lock-wait"];

/// Options that would have a command follow, write to a path that the caller names, or use another bus.
const LEFT_OUT: &[&str] = &["--watch", "--follow", "--out", "--bus", "--root", "--batch", "--run", "--help"];

fn values() -> Vec<String> {
    let mut values: Vec<String> = [
        "",
        "-1",
        "0",
        "18446744073709551616",
        "1e309",
        "a\0b",
        "a\nb",
        "../../x",
        "@nothing",
        "\u{202e}x\u{200b}",
        "[[[[",
        "2h",
        "🦀",
    ]
    .map(str::to_owned)
    .into();
    values.extend([
        ESCAPES.to_owned(),
        "x".repeat(65_536),
        "日".repeat(70_000),
        format!("\"{}\"", "x".repeat(200_000)),
    ]);
    values
}

/// Returns every odd value to every argument and option of every command, and looks at everything afterwards.
pub fn fields(target: &dyn Target, extent: Extent) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    let mut row = 0;
    for call in CALLS {
        let project = template.copy();
        let mut input_positions = input_positions(&mut audit, &project, call);
        input_positions.retain(|position_of_value| !position_of_value.is_global() || *call == CALLS[0]);
        for position_of_value in &input_positions {
            row += 1;
            for (column, value) in values().iter().enumerate() {
                let is_time = value.starts_with(|first: char| first.is_ascii_digit());
                if (is_time && position_of_value.is_time_to_wait(call)) || !extent.includes(row, column) {
                    continue;
                }
                audit.begin(format!("{call}, {position_of_value:?}"));
                audit.run_words(&project, &position_of_value.fill(call, value), Expect::Any);
            }
        }
        audit.begin(format!("after all of {call}"));
        for (command, _) in READING.iter().filter(|(command, _)| is_listing(command)) {
            audit.run(&project, command, Expect::Success);
        }
        audit.check_leaks(&project);
    }
    audit.finish()
}

/// Listings work whatever was accepted; what names one thing may have lost it.
fn is_listing(command: &str) -> bool {
    ["agents", "inbox", "threads", "check", "history", "timeline", "search", "export"]
        .iter()
        .chain(&["context list", "handoff list", "session list", "session status", "state show", "dead-letters"])
        .any(|listing| command.starts_with(listing))
}

/// Where an odd value goes.
#[derive(Debug)]
enum InputPosition {
    /// In place of the word at this position.
    Argument(usize),
    Option(String),
}

impl InputPosition {
    /// Returns whether the command would wait as long as it is told here.
    fn is_time_to_wait(&self, call: &str) -> bool {
        match self {
            Self::Argument(position) => WAITING.contains(&call.split(' ').nth(position - 1).unwrap_or_default()),
            Self::Option(name) => WAITING.contains(&name.as_str()),
        }
    }

    fn is_global(&self) -> bool {
        matches!(self, Self::Option(name) if GLOBAL.contains(&name.as_str()))
    }

    fn fill<'a>(&'a self, call: &'a str, value: &'a str) -> Vec<&'a str> {
        let mut words: Vec<&str> = call.split(' ').collect();
        match self {
            Self::Argument(position) => words[*position] = value,
            Self::Option(name) => words.extend([name, value]),
        }
        words
    }
}

/// Lists the arguments of a call, and the options that the command's help lists.
fn input_positions(audit: &mut Audit<'_>, project: &AttackedProject, call: &str) -> Vec<InputPosition> {
    let words: Vec<&str> = call.split(' ').collect();
    let named = words.iter().take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')).count();
    let help = (1..=named.min(3))
        .rev()
        .map(|count| audit.run_words(project, &[&words[..count], &["--help"]].concat(), Expect::Any))
        .find(|ran| ran.code == 0)
        .expect("every command has a help text");
    let options = help.out.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|word| word.starts_with("--"))?;
        let takes_value = words.next().is_some_and(|word| word.chars().next().is_some_and(char::is_uppercase));
        (takes_value && !LEFT_OUT.contains(&name)).then(|| InputPosition::Option(name.to_owned()))
    });
    let arguments = (1..words.len()).filter(|at| !words[*at].starts_with("--")).map(InputPosition::Argument);
    arguments.chain(options).collect()
}
