//! Three processes that change one session and one shared state in every order that a seed can think of.

use super::*;
use crate::Host;
use crate::engine::fs::memory::interleaving::{ProcessHandle, Rng, Simulation, with_seeds};
use crate::engine::journal::WORK;
use crate::model::{NewEvent, Span, Status};
use crate::session::EventFilter;
use crate::state::{Edit, State};

const AGENTS: [&str; 3] = ["sec", "perf", "doc"];

#[derive(Debug, Clone)]
enum Command {
    Progress(String),
    Complete,
    Fail(String),
    Data(String),
    Log(String),
    Decide(String),
    Note(String),
}

fn choose(process: usize, number: u64, rng: &mut Rng) -> Command {
    let text = format!("{process}-{number}");
    match rng.below(9) {
        0 | 1 => Command::Progress(text),
        2 => Command::Complete,
        3 => Command::Fail(text),
        4 => Command::Data(text),
        5 => Command::Log(text),
        6 => Command::Note(text),
        _ => Command::Decide(text),
    }
}

fn is_done<F: FileSystem + Copy, H: Host + Copy>(fs: F, host: H, process: usize, command: &Command) -> bool {
    let (sessions, state) = (Sessions::new(fs, host), State::new(fs, host));
    let me = agent(AGENTS[process]);
    match command {
        Command::Progress(text) => sessions.progress(&s(), &me, text).is_ok(),
        Command::Complete => sessions.complete(&s(), &me, Some(&report(&["high"])), None).is_ok(),
        Command::Fail(text) => sessions.fail(&s(), &me, text).is_ok(),
        Command::Data(text) => {
            let name = format!("data-{text}").parse().unwrap();
            sessions.put_data(&s(), &me, &name, "1", None, false).is_ok()
        }
        Command::Log(text) => sessions.log(&s(), &NewEvent::new(me.as_str(), "finding", text.as_str())).is_ok(),
        Command::Decide(text) => state.change(Some(&me), Edit::Decide(text), None).is_ok(),
        Command::Note(text) => state.change(Some(&me), Edit::Note(text), None).is_ok(),
    }
}

fn run(handle: ProcessHandle<'_>, (process, commands): (usize, Vec<Command>)) -> Vec<(usize, Command, bool)> {
    commands.into_iter().map(|command| (process, command.clone(), is_done(handle, handle, process, &command))).collect()
}

/// Checks that something is there once if somebody was told so, and at most once if nobody was.
#[track_caller]
fn check_once(command: &Command, times: usize, confirmed: bool) {
    assert!(times == 1 || !confirmed && times == 0, "{command:?}: {times} times, confirmed: {confirmed}");
}

fn check(seed: u64) {
    let bench = Bench::empty();
    bench.sessions().start(&plan(&AGENTS.map(|name| (name, &[][..])))).unwrap();
    AGENTS.iter().for_each(|name| drop(join(&bench.sessions(), name)));
    let mut rng = Rng::new(seed);
    let plans: Vec<(usize, Vec<Command>)> = (0..3)
        .map(|process| (process, (0..=rng.below(3)).map(|number| choose(process, number, &mut rng)).collect()))
        .collect();
    println!("{plans:?}");
    let simulation = Simulation::new(bench.fs, bench.host, seed);
    let told: Vec<(usize, Command, bool)> = simulation.run(plans, run).into_iter().flatten().collect();
    println!("confirmed: {told:?}");
    let (fs, host) = simulation.into_parts();
    let bench = Bench { fs, host };
    for _ in 0..2 {
        bench.host.advance(Span::from_seconds(61));
        bench.sessions().list().unwrap();
        State::new(&bench.fs, &bench.host).shared().unwrap();
    }
    let events = bench.sessions().events(&s(), &EventFilter::default()).unwrap().value;
    let logged = |kind: &str, text: &str| {
        events.iter().filter(|event| event.text("type") == Some(kind) && event.headline().contains(text)).count()
    };
    let shared = State::new(&bench.fs, &bench.host).shared().unwrap();
    let listed = |field: &str, text: &str| {
        let items = shared.iter().flat_map(|state| state.list(field));
        items.filter(|item| item.to_string().contains(&format!("\"{text}\""))).count()
    };
    let session = bench.sessions().status(&s()).unwrap().value.session;
    for (process, command, confirmed) in &told {
        let status = session.member(AGENTS[*process]).unwrap().status.clone();
        match command {
            Command::Progress(text) => check_once(command, logged("status", text), *confirmed),
            Command::Complete => {
                assert!(!confirmed || status == Status::Completed, "{status}");
                assert_eq!(
                    bench.text(&format!("reports/{}.json", AGENTS[*process])).is_empty(),
                    status != Status::Completed
                );
            }
            Command::Fail(text) => {
                check_once(command, logged("error", text), *confirmed);
                assert!(!confirmed || status == Status::Failed, "{status}");
            }
            Command::Data(text) => {
                let times = usize::from(!bench.text(&format!("data/data-{text}.json")).is_empty());
                check_once(command, times, *confirmed);
                let told =
                    events.iter().filter(|event| event.text("artifact") == Some(&format!("data/data-{text}.json")));
                assert_eq!(told.count(), times, "the log tells of it");
            }
            Command::Log(text) => check_once(command, logged("finding", text), *confirmed),
            Command::Decide(text) => check_once(command, listed("keyDecisions", text), *confirmed),
            Command::Note(text) => check_once(command, listed("notes", text), *confirmed),
        }
    }
    let changes =
        ["keyDecisions", "notes"].iter().map(|field| shared.iter().flat_map(|state| state.list(field)).count());
    assert_eq!(changes.sum::<usize>() as u64, shared.as_ref().map_or(0, |state| state.version()), "the version counts");
    let kept: Vec<String> = bench.fs.files().into_iter().filter(|path| path.starts_with(WORK)).collect();
    assert!(kept.is_empty(), "{kept:?}");
}

#[test]
fn no_confirmed_change_is_lost_in_any_order() {
    with_seeds(60, check);
}
