//! Three processes in every order that a seed can think of, suspended at any call for up to a day, against a model.

use super::FilesEngine;
use crate::Host;
use crate::bus::{Bus, Draft, HandoffDraft, NewAgent, SweepRules};
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::memory::interleaving::{ProcessHandle, Rng, Simulation, with_seeds};
use crate::engine::journal::{TAKEN, WORK};
use crate::engine::{Engine, MailSnapshot};
use crate::host::FixedHost;
use crate::model::{
    AgentName, ContextName, Delivery, HandoffId, MessageId, MessageType, Recipient, Severity, Span, Timestamp,
};

const AGENTS: [&str; 3] = ["ann", "bob", "cyd"];
/// When the bus is prepared and the processes begin.
const BEGUN: &str = "2025-11-29T14:30:53Z";

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn api() -> ContextName {
    "api".parse().unwrap()
}

/// One command of a process.
#[derive(Debug, Clone)]
enum Command {
    Send { to: &'static str, subject: String },
    SendOnce { key: String, subject: String },
    Update { text: String },
    Read { id: MessageId },
    Register { agent: String },
    Decide { id: HandoffId, accept: bool },
    Archive { unread_too: bool },
    Sweep,
    Retry { id: MessageId },
}

/// A command that somebody was told is done; and, of a reader, whether it was told to be the first.
type Confirmed = (Command, bool);

/// A bus with a question that waits for an answer, a message that does not, and a handoff, all for bob.
struct Prepared {
    fs: MemoryFs,
    host: FixedHost,
    question: MessageId,
    plain: MessageId,
    handoff: HandoffId,
}

fn with_bus<F: FileSystem, H: Host + Copy, T>(fs: F, host: H, act: impl FnOnce(&Bus<'_>) -> T) -> T {
    let engine = FilesEngine::new(fs, host);
    act(&Bus::new(&engine, &host))
}

fn prepared() -> Prepared {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let (question, plain, handoff) = with_bus(&fs, &host, |bus| {
        bus.init().unwrap();
        for agent in AGENTS {
            bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
        }
        bus.create_context(&name("ann"), &api(), "first").unwrap();
        let question = Draft { needs_reply: true, ..Draft::to(&name("bob"), "question") };
        let question = bus.send(&name("ann"), &question).unwrap().id;
        let plain = bus.send(&name("cyd"), &Draft::to(&name("bob"), "plain")).unwrap().id;
        let handoff = bus.create_handoff(&name("ann"), HandoffDraft::new(&name("bob"), "the task")).unwrap();
        (question, plain, handoff.handoff.id)
    });
    host.advance(Span::from_seconds(1));
    Prepared { fs, host, question, plain, handoff }
}

/// Decides what a process does: sending and updating always, and what else the scene is about.
fn plan(scene: u64, prepared: &Prepared, process: usize, rng: &mut Rng) -> Vec<Command> {
    let length = 1 + rng.below(3);
    let one = |number: u64, rng: &mut Rng| {
        let text = format!("{process}-{number}");
        let id = if rng.below(2) == 0 { prepared.question.clone() } else { prepared.plain.clone() };
        match (rng.below(8), scene) {
            (0, _) => Command::Send { to: AGENTS[rng.below(3) as usize], subject: text },
            (1, _) => Command::SendOnce { key: format!("k{}", rng.below(2)), subject: "keyed".to_owned() },
            (2, _) => Command::Update { text },
            (3, _) => Command::Register { agent: format!("new-{text}") },
            (4, 0 | 1) => Command::Decide { id: prepared.handoff.clone(), accept: rng.below(2) == 0 },
            (5, 1) => Command::Archive { unread_too: false },
            (4, 2) => Command::Archive { unread_too: true },
            (5 | 6, 2) => Command::Sweep,
            (7, 2) => Command::Retry { id: prepared.question.clone() },
            _ => Command::Read { id },
        }
    };
    (0..length).map(|number| one(number, rng)).collect()
}

fn perform(bus: &Bus<'_>, process: usize, command: &Command) -> Option<bool> {
    let me = name(AGENTS[process]);
    match command {
        Command::Send { to, subject } => bus.send(&me, &Draft::to(&name(to), subject)).ok().map(|_| false),
        Command::SendOnce { key, subject } => {
            // Of one sender, so that all of them are tries of one message.
            let draft = Draft { key: Some(key.clone()), ..Draft::to(&name("cyd"), subject) };
            bus.send(&name("ann"), &draft).ok().map(|_| false)
        }
        Command::Update { text } => bus.update_context(&me, &api(), text, None).ok().map(|_| false),
        Command::Read { id } => bus.read(&name("bob"), id).ok().map(|read| read.first),
        Command::Register { agent } => bus.register(&name(agent), &NewAgent::with_role("new")).ok().map(|_| false),
        Command::Decide { id, accept: true } => bus.accept_handoff(&name("bob"), id, "").ok().map(|_| true),
        Command::Decide { id, accept: false } => bus.decline_handoff(&name("bob"), id, "no").ok().map(|_| false),
        // What was prepared, and nothing else: keys of before that time are forgotten.
        Command::Archive { unread_too } => bus.archive(Timestamp::parse(BEGUN), *unread_too).ok().map(|_| false),
        Command::Sweep => {
            let rules =
                SweepRules { timeout: Span::from_seconds(1), attempts: 1, retention: Some(Span::from_hours(10_000)) };
            bus.sweep(None, &rules).ok().map(|_| false)
        }
        Command::Retry { id } => bus.retry_dead_letter(id).ok().map(|_| false),
    }
}

/// Runs a process, which keeps what it knows between its commands, or starts anew for each.
fn run(handle: ProcessHandle<'_>, (process, commands, is_long): (usize, Vec<Command>, bool)) -> Vec<Confirmed> {
    let confirm = |bus: &Bus<'_>, command: &Command| perform(bus, process, command).map(|told| (command.clone(), told));
    if is_long {
        return with_bus(handle, handle, |bus| commands.iter().filter_map(|command| confirm(bus, command)).collect());
    }
    commands.iter().filter_map(|command| with_bus(handle, handle, |bus| confirm(bus, command))).collect()
}

/// What can be seen of a bus when all is done.
struct Left {
    confirmed: Vec<Confirmed>,
    snapshot: MailSnapshot,
    context: String,
    version: u64,
}

impl Left {
    fn told(&self, is_it: impl Fn(&Command) -> bool) -> usize {
        self.confirmed.iter().filter(|(command, _)| is_it(command)).count()
    }

    fn copies(&self, agent: &str, is_it: impl Fn(&Delivery) -> bool) -> usize {
        self.snapshot.deliveries.iter().filter(|copy| copy.recipient == name(agent) && is_it(copy)).count()
    }

    /// Checks that something is there once if somebody was told so, and at most once if nobody was.
    #[track_caller]
    fn check_once(&self, what: &str, times: usize, told: usize) {
        assert!(times == 1 || told == 0 && times == 0, "{what}: {times} times, confirmed {told} times");
    }

    fn check_commands(&self, all: &[Command]) {
        for command in all {
            match command {
                Command::Send { to, subject } => {
                    let told =
                        self.told(|other| matches!(other, Command::Send { subject: other, .. } if other == subject));
                    let times = self.copies(to, |copy| copy.message.subject == *subject);
                    self.check_once(subject, times, told);
                }
                Command::Update { text } => {
                    let told = self.told(|other| matches!(other, Command::Update { text: other } if other == text));
                    self.check_once(text, self.context.lines().filter(|line| line == text).count(), told);
                }
                _ => {}
            }
        }
        let keys = all.iter().filter_map(|command| match command {
            Command::SendOnce { key, .. } => Some(key),
            _ => None,
        });
        let keys: std::collections::BTreeSet<&String> = keys.collect();
        let used = self.told(|command| matches!(command, Command::SendOnce { .. }));
        let sent = self.copies("cyd", |copy| copy.message.subject == "keyed");
        assert!(sent <= keys.len() && (sent > 0 || used == 0), "{sent} messages under {} keys", keys.len());
        let updates = self.context.matches("\n## Update: ").count() as u64;
        assert_eq!(self.version, 1 + updates, "the version counts the updates: {}", self.context);
    }

    fn check_reading(&self, id: &MessageId) {
        let first = self
            .confirmed
            .iter()
            .filter(|(command, first)| *first && matches!(command, Command::Read { id: read } if read == id));
        let told = self.told(|command| matches!(command, Command::Read { id: read } if read == id));
        assert!(first.count() <= 1, "two readers were told to be the first");
        let copy = self.snapshot.deliveries.iter().find(|copy| copy.message.id == *id).unwrap();
        assert!(told == 0 || copy.receipt.seen_at.is_some(), "it was read, and counts as unread: {copy:?}");
    }
}

fn check(scene: u64, seed: u64) {
    let prepared = prepared();
    let (question, plain, handoff) = (prepared.question.clone(), prepared.plain.clone(), prepared.handoff.clone());
    let mut rng = Rng::new(seed);
    let plans: Vec<_> =
        (0..3).map(|process| (process, plan(scene, &prepared, process, &mut rng), rng.below(2) == 0)).collect();
    let all: Vec<Command> = plans.iter().flat_map(|(_, commands, _)| commands.clone()).collect();
    println!("{plans:?}");
    let simulation = Simulation::new(prepared.fs, prepared.host, seed);
    let confirmed: Vec<Confirmed> = simulation.run(plans, run).into_iter().flatten().collect();
    println!("confirmed: {confirmed:?}");
    let (fs, host) = simulation.into_parts();
    for _ in 0..2 {
        host.advance(Span::from_seconds(61));
        with_bus(&fs, &host, |bus| drop(bus.agents(None).unwrap()));
    }
    let engine = FilesEngine::new(&fs, &host);
    let bus = Bus::new(&engine, &host);
    let context = bus.context(&api()).unwrap();
    let snapshot = engine.snapshot().unwrap().value;
    let left = Left { confirmed, snapshot, context: context.text, version: context.version };
    left.check_commands(&all);
    for id in [&question, &plain] {
        assert_eq!(left.copies("bob", |copy| copy.message.id == *id), 1, "in one place");
        if scene < 2 {
            left.check_reading(id);
        }
    }
    let decisions: Vec<bool> = left
        .confirmed
        .iter()
        .filter(|(command, _)| matches!(command, Command::Decide { .. }))
        .map(|(_, told)| *told)
        .collect();
    let status = bus.handoff(&handoff).unwrap().handoff.status;
    match decisions[..] {
        [] => {}
        [accepted] => assert_eq!(status.as_str() == "accepted", accepted),
        _ => panic!("a handoff was decided on more than once: {decisions:?}"),
    }
    let agents = bus.agents(None).unwrap().value;
    for agent in agents.iter() {
        let counts = |copy: &Delivery| {
            matches!(copy.message.to, Recipient::Agents(_)) && copy.message.kind.as_str() != MessageType::RESPONSE
        };
        assert_eq!(agent.agent.message_count as usize, left.copies(agent.name.as_str(), counts), "{}", agent.name);
    }
    for (command, _) in &left.confirmed {
        if let Command::Register { agent } = command {
            assert!(agents.iter().any(|one| one.name == name(agent)), "{agent} was registered");
        }
    }
    let findings = bus.check().unwrap().findings;
    // A shared bus keeps what nobody answered, and says so.
    let bad = findings.iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!(bad.collect::<Vec<_>>(), Vec::<&crate::model::Diagnostic>::new());
    let kept: Vec<String> =
        fs.files().into_iter().filter(|path| path.starts_with(WORK) || path.starts_with(TAKEN)).collect();
    assert!(kept.is_empty(), "{kept:?}");
}

#[test]
fn sending_reading_and_updating() {
    with_seeds(60, |seed| check(0, seed));
}

#[test]
fn archiving_meanwhile() {
    with_seeds(60, |seed| check(1, seed));
}

#[test]
fn sweeping_and_reviving_meanwhile() {
    with_seeds(60, |seed| check(2, seed));
}
