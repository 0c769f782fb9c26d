//! Many processes at one bus: what was confirmed is there once, and each message has one reader, whatever happens to
//! the servers meanwhile.
//!
//! The processes are this test's own program, started again with what to be in a variable.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use huddle_core::bus::{Bus, Draft, NewAgent};
use huddle_core::engine::Engine;
use huddle_core::model::{AgentName, Span};
use huddle_core::{Host, bus};
use huddle_mongod::ReplicaSet;
use serde_json::json;

use crate::clock::Clock;
use crate::support::{name, new_database, open};

const SENDERS: usize = 16;
/// How many messages each of them sends.
const EACH: usize = 500;
const READERS: usize = 4;
const READER: &str = "reader";

/// How long a process tries before it gives up: longer than any election takes.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// How many messages a reader takes of a list before it lists anew.
const AT_A_TIME: usize = 500;

/// Says what a process is to be: `send NUMBER COUNT` or `read NUMBER`.
const PART: &str = "HUDDLE_CROWD_PART";
const ADDRESS: &str = "HUDDLE_CROWD_ADDRESS";

#[test]
fn eight_thousand_messages_of_sixteen_processes_are_each_read_once() {
    let address = new_database();
    let result = run(&address, EACH, |_| {});
    result.check_sent(EACH);
    assert_eq!(result.troubles, 0, "nothing went wrong on the way");
    assert!(result.late > 0, "readers met at some messages");
    assert_eq!(result.claimed.keys().collect::<Vec<_>>(), result.sent.keys().collect::<Vec<_>>(), "all are read");
    check_kept(&address, &result);
    let count = open(&address).directory().unwrap().value.agents.get(&name(READER)).unwrap().message_count;
    assert_eq!(count, 8000, "each is counted once");
}

#[test]
fn nothing_is_lost_or_doubled_when_the_primary_is_killed() {
    let mut set = ReplicaSet::start(3).unwrap();
    let address = set.url("crowd");
    let mut primaries = Vec::new();
    let result = run(&address, EACH, |confirmed| {
        if confirmed == SENDERS * EACH / 3 {
            primaries.push(set.kill_primary().unwrap());
        }
    });
    assert_ne!(primaries, [set.wait_for_primary().unwrap()], "another took over");
    result.check_sent(EACH);
    assert_eq!(result.of_senders, 0, "senders wait for the next primary, and are told of nothing else");
    // A reader whose answer was lost with the server does not know that it was the first.
    assert!(
        result.claimed.len() + result.troubles >= result.sent.len(),
        "{} of {}",
        result.claimed.len(),
        result.sent.len()
    );
    check_kept(&address, &result);
}

/// What the processes told of themselves.
#[derive(Default)]
struct CrowdResult {
    /// What was confirmed: which send it was, by message id.
    sent: BTreeMap<String, String>,
    /// Who was told to be the first reader of a message.
    claimed: BTreeMap<String, String>,
    /// How often a reader was not the first.
    late: usize,
    /// How often anything failed and was tried again.
    troubles: usize,
    /// How often that was a send.
    of_senders: usize,
}

impl CrowdResult {
    /// Takes a line that a process printed: `sent ID KEY`, `claimed ID READER`, `late ID READER`, or `trouble WITH WHAT`.
    fn take(&mut self, line: &str) {
        let mut words = line.splitn(3, ' ');
        let (Some(what), Some(id), Some(rest)) = (words.next(), words.next(), words.next()) else { return };
        let before = match what {
            "sent" => self.sent.insert(id.to_owned(), rest.to_owned()),
            "claimed" => self.claimed.insert(id.to_owned(), rest.to_owned()),
            "late" => return self.late += 1,
            "trouble" => {
                self.troubles += 1;
                self.of_senders += usize::from(id == "sending");
                eprintln!("{line}");
                return;
            }
            // What the test runner prints is none of ours.
            _ => return,
        };
        assert_eq!(before, None, "{line}: that was told before");
    }

    /// Checks that each send was confirmed, each as a message of its own.
    fn check_sent(&self, each: usize) {
        let keys: BTreeSet<&String> = self.sent.values().collect();
        assert_eq!((self.sent.len(), keys.len()), (SENDERS * each, SENDERS * each), "all are confirmed, each once");
    }
}

/// Checks that what is kept is what was confirmed, once, and that all of it was read.
fn check_kept(address: &str, result: &CrowdResult) {
    let engine = open(address);
    let snapshot = engine.snapshot().unwrap();
    assert_eq!(snapshot.findings, []);
    let copies = &snapshot.value.deliveries;
    let kept: BTreeMap<String, String> =
        copies.iter().map(|copy| (copy.message.id.to_string(), copy.message.subject.clone())).collect();
    assert_eq!(copies.len(), kept.len(), "no message is there twice");
    assert!(kept == result.sent, "what is kept is what was confirmed: {} and {}", kept.len(), result.sent.len());
    assert_eq!(engine.unread(&name(READER)).unwrap().count, 0, "all is read");
    assert!(result.claimed.keys().all(|id| kept.contains_key(id)), "nothing was read that is not there");
}

/// Has all processes do their part. `watch` is told how many messages are confirmed, after each.
fn run(address: &str, each: usize, mut watch: impl FnMut(usize)) -> CrowdResult {
    let engine = open(address);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    let names = (0..SENDERS).map(sender).chain([name(READER)]);
    names.for_each(|name| assert!(bus.register(&name, &NewAgent::with_role("builder")).unwrap()));

    let (lines, result) = mpsc::channel();
    let mut readers: Vec<Part> = (0..READERS).map(|number| Part::start(address, &format!("read {number}"))).collect();
    let mut senders: Vec<Part> =
        (0..SENDERS).map(|number| Part::start(address, &format!("send {number} {each}"))).collect();
    for part in readers.iter_mut().chain(&mut senders) {
        part.listen(lines.clone());
    }
    drop(lines);
    let mut all = CrowdResult::default();
    let mut waiting = senders.len();
    while let Ok(heard) = result.recv() {
        match heard {
            PartOutput::Line(line) => {
                let before = all.sent.len();
                all.take(&line);
                if all.sent.len() > before {
                    watch(all.sent.len());
                }
            }
            // The readers are told by their input's end when nothing more will come.
            PartOutput::End(part) if part.starts_with("send") => {
                waiting -= 1;
                if waiting == 0 {
                    readers.iter_mut().for_each(|reader| drop(reader.input.take()));
                }
            }
            PartOutput::End(_) => {}
        }
    }
    for mut part in readers.into_iter().chain(senders) {
        let status = part.child.wait().unwrap();
        assert!(status.success(), "{}: {status}", part.name);
    }
    all
}

/// A process, as the one that started it has it.
struct Part {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
}

enum PartOutput {
    Line(String),
    End(String),
}

impl Part {
    fn start(address: &str, part: &str) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "crowd::plays_its_part", "--nocapture"]).env(PART, part).env(ADDRESS, address);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        Self { name: part.to_owned(), child, input }
    }

    /// Passes on what the process prints.
    fn listen(&mut self, lines: mpsc::Sender<PartOutput>) {
        let (name, output) = (self.name.clone(), self.child.stdout.take().unwrap());
        let pass = move |output: ChildStdout| {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = lines.send(PartOutput::Line(line));
            }
            let _ = lines.send(PartOutput::End(name));
        };
        thread::spawn(move || pass(output));
    }
}

impl Drop for Part {
    /// Ends a process that is still running because the test failed.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Is no test but one of the processes, when the variable says so.
#[test]
fn plays_its_part() {
    let (Ok(part), Ok(address)) = (env::var(PART), env::var(ADDRESS)) else { return };
    // A line of its own: the test runner may have left one open.
    tell("");
    match part.split(' ').collect::<Vec<_>>()[..] {
        ["send", number, each] => send(&address, number.parse().unwrap(), each.parse().unwrap()),
        ["read", number] => read(&address, number.parse().unwrap()),
        _ => panic!("there is no such part: {part}"),
    }
}

fn sender(number: usize) -> AgentName {
    name(&format!("sender-{number}"))
}

fn tell(line: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

/// Sends messages, each as often as it takes until it is confirmed. The key makes that harmless.
fn send(address: &str, number: usize, each: usize) {
    let (from, to) = (sender(number), name(READER));
    let engine = open(address);
    let bus = Bus::new(&engine, &Clock);
    for message in 0..each {
        let key = format!("{from}/{message}");
        let draft = Draft { key: Some(key.clone()), body: json!({ "number": message }), ..Draft::to(&to, &key) };
        let sent = retry("sending", || bus.send(&from, &draft));
        tell(&format!("sent {} {key}", sent.id));
    }
}

/// Reads what comes until nothing is left and nobody sends any more.
fn read(address: &str, number: usize) {
    let reader = name(READER);
    let engine = open(address);
    let bus = Bus::new(&engine, &Clock);
    let done = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&done);
    thread::spawn(move || {
        let _ = stdin().read_to_end(&mut Vec::new());
        ended.store(true, Ordering::SeqCst);
    });
    loop {
        // Looked at first: what was sent before it turned true is in the list.
        let is_last = done.load(Ordering::SeqCst);
        let mut unread = retry("reading", || Ok(engine.inbox(&reader, true)?.value));
        if unread.is_empty() {
            if is_last {
                return;
            }
            Clock.sleep(Span::from_millis(50));
        }
        // Each begins elsewhere, and goes far enough to meet the next one's messages when there are few.
        let start = number * unread.len() / READERS;
        unread.rotate_left(start);
        for delivery in unread.iter().take(AT_A_TIME) {
            let id = &delivery.message.id;
            let claim = if retry("reading", || bus.read(&reader, id)).first { "claimed" } else { "late" };
            tell(&format!("{claim} {id} reader-{number}"));
        }
    }
}

/// Does something again and again until it works.
fn retry<T>(doing: &str, mut act: impl FnMut() -> bus::Result<T>) -> T {
    let began = Instant::now();
    loop {
        match act() {
            Ok(done) => return done,
            Err(error) => {
                tell(&format!("trouble {doing} {error}"));
                assert!(began.elapsed() < TEST_TIMEOUT, "{error:?}");
                Clock.sleep(Span::from_millis(100));
            }
        }
    }
}
