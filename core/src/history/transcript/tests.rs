use super::{Prices, SessionSummary};
use crate::history::formats::Usage;
use crate::history::fuzzing::memory_files::{File, MemoryFiles};
use crate::history::query::Query;
use crate::history::{Agents, Derived, History, SessionAgent};
use crate::model::Timestamp;

macro_rules! fixture {
    ($path:literal) => {
        File {
            path: $path,
            explicit: false,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/", $path)).to_vec(),
        }
    };
}

fn load(files: Vec<File>) -> (MemoryFiles, History) {
    let memory_files = MemoryFiles(files);
    let history = memory_files.load(usize::MAX);
    (memory_files, history)
}

fn sub_agents() -> Vec<File> {
    vec![
        fixture!("sub-agents/projects/-home-dev-shop/c0ffee01-0000-4000-8000-000000000001.jsonl"),
        fixture!(
            "sub-agents/projects/-home-dev-shop/c0ffee01-0000-4000-8000-000000000001/subagents/agent-a1b2c3d.jsonl"
        ),
        fixture!(
            "sub-agents/projects/-home-dev-shop/c0ffee01-0000-4000-8000-000000000001/subagents/agent-a4e5f60.jsonl"
        ),
        fixture!(
            "sub-agents/projects/-home-dev-shop/c0ffee01-0000-4000-8000-000000000001/subagents/agent-a7a8b9c.jsonl"
        ),
    ]
}

#[test]
fn a_session_tells_what_it_was_about_and_what_it_took() {
    let (mut memory_files, history) = load(sub_agents());
    let [session] = &history.sessions(&mut memory_files).unwrap()[..] else { panic!("one session") };
    let SessionSummary { title, project, branch, prompts, answers, errors, compactions, .. } = session;
    assert_eq!(
        (title.as_str(), project.as_str(), branch.as_str()),
        ("Make the cart fast", "/home/dev/shop", "faster-cart")
    );
    // An answer of five rows counts once.
    assert_eq!((*prompts, *answers, *errors, *compactions), (1, 10, 2, 1));
    assert_eq!(session.tools.get("Task"), Some(&(3, 0)));
    assert_eq!(session.tools.get("Bash"), Some(&(1, 1)));
    assert!(session.changed_files.iter().eq(["/home/dev/shop/src/cart.rs"]));
    assert_eq!(session.models, ["claude-haiku-4-5", "claude-opus-4-6"]);
    assert_eq!(session.usage(), Usage { input: 100, output: 400, cache_read: 40_000, cache_write: 2000 });
    assert_eq!((session.sub_agents.len(), session.largest_context), (3, 4210));
    let cost = history.estimated_cost(session, &Prices::default()).unwrap();
    assert!((cost - 0.02236).abs() < 1e-9, "{cost}");
}

#[test]
fn sub_agents_hang_on_the_calls_that_started_them() {
    let (_, history) = load(sub_agents());
    let transcript = &history.transcript;
    let text = |symbol| history.table.text(symbol);
    let main = transcript.agents.iter().position(|agent| agent.parent.is_none()).unwrap() as u32;
    let children: Vec<_> = transcript.started_by(main).collect();
    let told: Vec<_> = children.iter().map(|(_, agent)| (text(agent.name), text(agent.task))).collect();
    let wanted = [
        ("Explore", "Look at the queries"),
        ("Explore 2", "Look at the templates"),
        ("reviewer", "Look at the network"),
    ];
    assert_eq!(told, wanted);
    for (number, SessionAgent { call, prompt, answer, .. }) in children {
        let call = &transcript.calls[call.unwrap() as usize];
        assert_eq!((call.child, call.result.is_some()), (Some(number), true));
        let (prompt, answer) = (history.table.row(prompt.unwrap()), history.table.row(answer.unwrap()));
        assert_eq!((text(prompt.from), text(answer.to)), ("claude", "claude"));
    }
    assert!(transcript.stray_results.is_empty() && transcript.calls.iter().all(|call| call.result.is_some()));
}

#[test]
fn a_search_for_an_agent_finds_what_it_sent_and_no_noise() {
    let (mut memory_files, history) = load(sub_agents());
    let derived = Derived::of(&history, Timestamp::from_seconds(0), &mut memory_files).unwrap();
    let mut count = |query: &str| {
        let query = Query::parse(query).unwrap();
        history.search(&query, &derived, 0, &mut memory_files).unwrap().count
    };
    for agent in &Agents::of(&history.table, &history.entries, &derived.deliveries).list {
        let name = history.table.text(agent.name);
        assert_eq!(count(&format!("from:\"{name}\"")), u64::from(agent.sent), "{name}");
    }
    let noise = count("role:noise");
    assert_eq!((noise > 0, count("from:claude role:noise"), count("from:\"\" role:noise")), (true, 0, noise));
}

#[test]
fn side_chains_in_one_file_are_linked_by_their_prompts() {
    let (_, history) = load(vec![fixture!("transcript/7b0c9f52-1d7e-4c55-9c1e-3f5b8f0f2a11.jsonl")]);
    let children: Vec<&SessionAgent> =
        history.transcript.agents.iter().filter(|agent| agent.parent.is_some()).collect();
    let [child] = children[..] else { panic!("{children:?}") };
    let call = &history.transcript.calls[child.call.unwrap() as usize];
    assert_eq!((history.table.text(call.name), history.table.text(child.task)), ("Task", "Find retry code"));
}

#[test]
fn rows_that_a_resumed_session_repeats_count_once() {
    let (mut memory_files, history) = load(vec![
        fixture!("troubled-transcript/bad00001-0000-4000-8000-000000000009.jsonl"),
        fixture!("troubled-transcript/bad00002-0000-4000-8000-000000000009.jsonl"),
    ]);
    assert_eq!((history.table.len(), history.entries.len(), history.transcript.copies), (18, 15, 3));
    let sessions = history.sessions(&mut memory_files).unwrap();
    assert_eq!(
        sessions.iter().map(|session| session.tools.values().map(|(calls, _)| calls).sum::<u64>()).sum::<u64>(),
        6
    );
}
