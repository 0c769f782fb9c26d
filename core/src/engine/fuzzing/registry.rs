//! Registries of any content: what is unknown stays, and agents are listed, register and send.

use super::bus::{Tree, name};
use super::expect;
use super::planted::{Kind, Plant};
use crate::bus::{Draft, Error, NewAgent};
use crate::model::{AgentName, Directory, Json};
use crate::wire::mailbox::layout;
use crate::wire::mailbox::parse_object;
use crate::wire::mailbox::registry::Registry;

/// Puts the bytes in place of a bus's registry and has agents work.
pub fn registry(data: &[u8]) {
    rewritten(data);
    let plant = Plant { path: layout::REGISTRY.to_owned(), kind: Kind::File, bytes: data };
    let tree = Tree::with_planted(&[plant]);
    let listed = tree.act(|bus| expect("listing the agents", bus.agents(None)));
    let known = Registry::decode(data).map(|registry| registry.directory);
    assert_eq!(known.is_err(), listed.findings.iter().any(|one| one.code == "damaged-registry"));
    let ready: Vec<AgentName> =
        ["ann", "cyd"].map(name).into_iter().filter(|agent| is_registered(&tree, agent, known.as_ref().ok())).collect();
    if let [ann, cyd] = &ready[..] {
        let counted = tree.count(cyd);
        tree.send(ann, cyd, "after");
        assert_eq!(tree.count(cyd), counted.saturating_add(1));
        tree.act(|bus| expect("broadcasting", bus.broadcast(ann, &Draft::new("to all"))));
    }
    for agent in listed.value.iter().map(|one| &one.name) {
        tree.act(|bus| expect("heartbeat", bus.heartbeat(agent, Some("busy"))));
    }
    tree.act(|bus| expect("checking", bus.check()));
    if known.is_err() {
        let kept = tree.fs.files().into_iter().any(|path| path.starts_with("registry.json.damaged-"));
        assert!(kept, "a damaged registry is kept");
    }
}

/// Registers an agent; only another one that looks the same can be in its way.
fn is_registered(tree: &Tree, agent: &AgentName, directory: Option<&Directory>) -> bool {
    match tree.act(|bus| bus.register(agent, &NewAgent::with_role("builder"))) {
        Ok(_) => true,
        Err(error) => {
            let is_taken = directory.is_some_and(|all| agent.look_alike(all.agents.keys()).is_some());
            assert!(is_taken && matches!(*error, Error::Usage { .. }), "registering {agent}: {error}");
            false
        }
    }
}

/// A rewrite keeps what it does not know, and says the same as what it was made of.
fn rewritten(data: &[u8]) {
    let Ok(mut registry) = Registry::decode(data) else { return };
    let before = Json::Object(expect("parsing", parse_object(data)));
    let text = registry.encode();
    let mut again = expect("decoding", Registry::decode(text.as_bytes()));
    assert_eq!(again.directory, registry.directory);
    assert_eq!(again.encode(), text, "a second rewrite changes nothing");
    let after = Json::Object(expect("parsing", parse_object(text.as_bytes())));
    const WRITTEN: [&str; 5] =
        ["initialized_at", "message_count", "agents", "event_subscriptions", "message_retention_hours"];
    let unknown = before.as_object().into_iter().flatten().filter(|(key, _)| !WRITTEN.contains(&key.as_str()));
    unknown.for_each(|(key, value)| assert_eq!(&after[key], value, "{key}"));
    let known = |name: &str| AgentName::new(name).ok().filter(|name| registry.directory.agents.contains_key(name));
    for (agent, entry) in before["agents"].as_object().into_iter().flatten() {
        match known(agent) {
            Some(name) => {
                let extra = &registry.directory.agents[&name].extra;
                extra.iter().for_each(|(key, value)| assert_eq!(&after["agents"][agent][key], value, "{agent}: {key}"));
            }
            None if AgentName::new(agent.as_str()).is_err() => assert_eq!(&after["agents"][agent], entry, "{agent}"),
            None => {}
        }
    }
}
