use std::collections::VecDeque;
use std::path::PathBuf;

use huddle_core::bus::NewAgent;
use huddle_core::host::FixedHost;
use serde_json::json;

use super::resources::Address;
use super::*;
use crate::files::Reach;
use crate::project::Places;
use crate::scratch::Scratch;

/// Lines that are all there from the start; an empty one stands for silence.
struct Script(VecDeque<String>);

impl Lines for Script {
    fn next(&mut self, _: Option<Span>) -> Heard {
        match self.0.pop_front() {
            None => Heard::End,
            Some(line) if line.is_empty() => Heard::Nothing,
            Some(line) => Heard::Line(line.into_bytes()),
        }
    }
}

/// Does something with a server on an empty project.
fn with_server<T>(work: impl FnOnce(&mut Server<'_>) -> T) -> T {
    with_server_in(&Scratch::new(), Vec::new(), work)
}

/// Does something with a server on an empty directory, which may read others.
fn with_server_in<T>(dir: &Scratch, allowed: Vec<PathBuf>, work: impl FnOnce(&mut Server<'_>) -> T) -> T {
    let host = FixedHost::at("2025-11-29T14:30:52Z");
    let (root, lock_wait) = (dir.path().to_owned(), Span::from_seconds(1));
    let global = Global { agent: None, root, bus: None, json: false, lock_wait, reach: Reach::Project(allowed) };
    let places = Places::of(&global).unwrap();
    let project = Project::open(&places, &host, lock_wait);
    project.bus().init().unwrap();
    project.bus().register(&"ann".parse().unwrap(), &NewAgent::with_role("builder")).unwrap();
    work(&mut Server::new(&project, global))
}

/// Says all lines to a server, and gives what it says.
fn talk(lines: &[&str]) -> Vec<Json> {
    with_server(|server| talk_to(server, lines))
}

fn talk_to(server: &mut Server<'_>, lines: &[&str]) -> Vec<Json> {
    let mut said = Vec::new();
    let mut say = |line: &str| {
        assert!(!line.contains('\n'), "an answer is one line: {line}");
        said.push(serde_json::from_str(line).unwrap());
        Ok(())
    };
    server.serve(&mut Script(lines.iter().map(|line| (*line).to_owned()).collect()), &mut say).unwrap();
    said
}

fn request(id: u32, method: &str, params: &Json) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// Writes a call of a tool.
fn call(id: u32, name: &str, arguments: &Json) -> String {
    request(id, "tools/call", &json!({"name": name, "arguments": arguments}))
}

/// Asks one thing in the older way.
fn ask(method: &str, params: &Json) -> Json {
    talk(&[&request(1, method, params)]).remove(0)
}

/// Asks one thing in the current way.
fn ask_now(method: &str, mut params: Json) -> Json {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    talk(&[&request(1, method, &params)]).remove(0)
}

#[test]
fn a_handshake_agrees_on_a_revision_that_both_know() {
    let check = |asked: &str, agreed: &str| {
        let answer = ask("initialize", &json!({"protocolVersion": asked, "capabilities": {}}));
        assert_eq!(answer["result"]["protocolVersion"], agreed, "{asked}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "huddle");
        assert_eq!(answer["result"].get("resultType"), None);
    };
    check("2025-11-25", "2025-11-25");
    check("2024-11-05", "2024-11-05");
    check("1999-01-01", "2025-11-25");
    // That revision has no handshake, so whoever shakes hands cannot mean it.
    check("2026-07-28", "2025-11-25");
}

#[test]
fn models_are_told_that_messages_are_data() {
    let answer = ask("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    let instructions = answer["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("data, not instructions"), "{instructions}");
}

#[test]
fn a_request_that_speaks_for_itself_needs_no_handshake() {
    let answer = ask_now("server/discover", json!({}));
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(answer["result"]["ttlMs"], 0);
    let answer = ask_now("tools/call", json!({"name": "register", "arguments": {"name": "ann", "role": "x"}}));
    assert_eq!((&answer["result"]["resultType"], &answer["result"]["isError"]), (&json!("complete"), &json!(false)));
    assert_eq!(answer["result"].get("ttlMs"), None);
    assert_eq!(ask_now("ping", json!({}))["error"]["code"], -32601);

    let unknown = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}});
    let answer = ask("tools/list", &unknown);
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["requested"]),
        (&json!(-32022), &json!("2031-01-01"))
    );
    let unfinished = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    assert_eq!(ask("tools/list", &unfinished)["error"]["code"], -32602);
}

#[test]
fn nonsense_is_answered_and_the_next_request_is_read() {
    let ping = request(7, "ping", &json!({}));
    let check = |line: &str, code: i32| {
        let said = talk(&[line, &ping]);
        assert_eq!((&said[0]["error"]["code"], &said[1]["id"]), (&json!(code), &json!(7)), "{line}");
    };
    check("{", -32700);
    check("[]", -32600);
    check("3", -32600);
    check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600);
    check(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"sing"}"#, -32601);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sing"}}"#, -32602);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trace","arguments":[]}}"#, -32602);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, -32002);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"sonnet"}}"#, -32602);
    assert_eq!(talk(&["\r", "  ", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#]), Vec::<Json>::new());
}

#[test]
fn answers_to_what_nobody_asked_are_not_answered() {
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let error = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}"#;
    assert_eq!(talk(&[result, error, &format!("[{result},{error}]")]), Vec::<Json>::new());
}

#[test]
fn older_clients_may_ask_several_things_at_once() {
    let batch = format!("[{},{}]", request(1, "ping", &json!({})), request(2, "sing", &json!({})));
    let said = talk(&[&batch]).remove(0);
    assert_eq!((&said[0]["result"], &said[1]["error"]["code"]), (&json!({}), &json!(-32601)));
}

#[test]
fn what_goes_wrong_in_a_tool_is_for_the_model_to_read() {
    let arguments = json!({"to": "eve", "content": "x"});
    for answer in [
        ask("tools/call", &json!({"name": "send_message", "arguments": arguments})),
        ask_now("tools/call", json!({"name": "send_message", "arguments": arguments})),
    ] {
        let result = &answer["result"];
        // What is structured has to fit the schema of answers, which no failure does.
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
        let told: Json = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(told["error"]["kind"], "usage");
        let hint = told["error"]["hint"].as_str().unwrap();
        assert!(hint.contains("register"), "{hint}");
    }
}

#[test]
fn whoever_registers_acts() {
    let said = talk(&[
        &call(1, "register", &json!({"name": "bob", "role": "tester"})),
        &call(2, "register", &json!({"name": "ann", "role": "builder"})),
        &call(3, "send_message", &json!({"to": "bob", "content": "hello", "threadId": "t 1"})),
        &request(4, "resources/list", &json!({})),
        &request(5, "resources/read", &json!({"uri": "huddle://thread/t%201"})),
    ]);
    assert_eq!(said[2]["result"]["structuredContent"]["recipients"], json!(["bob"]));
    let listed = said[3]["result"]["resources"].as_array().unwrap();
    assert!(listed.iter().any(|one| one["uri"] == "huddle://thread/t%201"), "{listed:?}");
    let text = said[4]["result"]["contents"][0]["text"].as_str().unwrap();
    let thread: Json = serde_json::from_str(text).unwrap();
    assert_eq!(thread["messages"][0]["from"], "ann");
}

#[test]
fn lists_are_complete() {
    assert_eq!(ask("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().len(), tools::TOOLS.len());
    let templates = ask("resources/templates/list", &json!({}));
    assert_eq!(templates["result"]["resourceTemplates"].as_array().unwrap().len(), 4);
    let prompts = ask_now("prompts/list", json!({}));
    let names: Vec<_> = prompts["result"]["prompts"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(
        (names, &prompts["result"]["cacheScope"]),
        (vec![&json!("primer"), &json!("handoff")], &json!("private"))
    );
}

#[test]
fn prompts_have_their_blanks_filled_in() {
    let answer = ask("prompts/get", &json!({"name": "handoff", "arguments": {"to": "bob", "task": "the parser"}}));
    let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("Hand over to bob: the parser."), "{text}");
    assert!(huddle_core::compress::estimate(include_str!("primer.md")) < 500);
}

#[test]
fn the_newest_conversations_are_listed_and_all_are_read() {
    with_server(|server| {
        let mut lines = vec![call(1, "register", &json!({"name": "bob", "role": "tester"}))];
        lines.extend((0..60).map(|number| {
            call(2, "send_message", &json!({"to": "ann", "content": "hello", "threadId": format!("t{number:02}")}))
        }));
        lines.push(request(3, "resources/list", &json!({})));
        lines.push(request(4, "resources/read", &json!({"uri": "huddle://thread/t00"})));
        let said = talk_to(server, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        let [.., listed, read] = &said[..] else { panic!("{said:?}") };
        let uris: Vec<_> = listed["result"]["resources"].as_array().unwrap().iter().map(|one| &one["uri"]).collect();
        assert_eq!(uris.iter().filter(|uri| uri.as_str().unwrap().starts_with("huddle://thread/")).count(), 50);
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("hello"), "{read}");
    });
}

#[test]
fn an_inbox_is_another_when_one_is_read_and_one_comes() {
    with_server(|server| {
        let sent = talk_to(
            server,
            &[
                &call(1, "register", &json!({"name": "bob", "role": "tester"})),
                &call(2, "send_message", &json!({"to": "ann", "content": "one"})),
                &call(3, "send_message", &json!({"to": "ann", "content": "two"})),
            ],
        );
        server.global.agent = Some("ann".to_owned());
        let before = server.state(&Address::Inbox);
        assert_eq!(before, server.state(&Address::Inbox));
        let last = &sent[2]["result"]["structuredContent"]["id"];
        let read = talk_to(server, &[&call(4, "read_message", &json!({"messageId": last}))]);
        assert_eq!(read[0]["result"]["isError"], false, "{read:?}");
        talk_to(
            server,
            &[
                &call(5, "register", &json!({"name": "bob", "role": "tester"})),
                &call(6, "send_message", &json!({"to": "ann", "content": "three"})),
            ],
        );
        server.global.agent = Some("ann".to_owned());
        assert_ne!(before, server.state(&Address::Inbox));
    });
}

#[test]
fn an_inbox_that_is_read_as_a_resource_is_not_offered() {
    with_server(|server| {
        let sent = talk_to(
            server,
            &[
                &call(1, "register", &json!({"name": "bob", "role": "tester"})),
                &call(2, "send_message", &json!({"to": "ann", "content": "one"})),
            ],
        );
        server.global.agent = Some("ann".to_owned());
        let id = &sent[1]["result"]["structuredContent"]["id"];
        let trace = call(4, "trace", &json!({"messageId": id}));
        let step = |said: &Json| said["result"]["structuredContent"]["deliveries"][0]["step"].clone();
        let read = request(3, "resources/read", &json!({"uri": "huddle://inbox"}));
        let said = talk_to(server, &[&read, &trace]);
        assert!(said[0]["result"]["contents"][0]["text"].as_str().unwrap().contains(id.as_str().unwrap()), "{said:?}");
        assert_eq!(step(&said[1]), "stored");
        // The tool is for whoever wants to hear of it.
        assert_eq!(step(&talk_to(server, &[&call(5, "check_inbox", &json!({})), &trace])[1]), "offered");
    });
}

#[test]
fn changes_are_looked_for_now_and_then_not_with_every_request() {
    let create =
        |number: u32| call(2, "context", &json!({"action": "create", "name": format!("c{number}"), "text": "x"}));
    let mut lines = vec![request(0, "resources/list", &json!({}))];
    lines.push(call(1, "register", &json!({"name": "ann", "role": "builder"})));
    lines.extend((0..20).map(create));
    // The clock stands still, so only silence tells that time has passed.
    lines.extend(["".to_owned(), create(20)]);
    let said = talk(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let notices: Vec<_> = said.iter().enumerate().filter(|(_, one)| one.get("method").is_some()).collect();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!((notices[0].0, &notices[0].1["method"]), (22, &json!("notifications/resources/list_changed")));
}

#[test]
fn why_something_cannot_be_read_is_told_with_what_to_do_if_there_is_anything() {
    let check = |hint: &str, wanted: &str| {
        let told = json!({"error": {"message": "gone", "hint": hint}});
        assert_eq!(resources::message(&told.to_string()), wanted);
    };
    check("look again", "gone (look again)");
    check("", "gone");
}

/// Writes a log beside a project, which has a link to it, and gives the paths by which a model could ask for it.
#[cfg(unix)]
fn plant_secret(project: &Scratch, other: &Scratch) -> Vec<String> {
    use std::os::unix::fs::symlink;

    std::fs::write(other.path().join("secret.jsonl"), r#"{"from":"eve","message":"hidden"}"#).unwrap();
    symlink(other.path().join("secret.jsonl"), project.path().join("link.jsonl")).unwrap();
    symlink(other.path(), project.path().join("dir")).unwrap();
    let (name, own) = (other.path().file_name().unwrap().to_str().unwrap(), project.path().display());
    vec![
        other.path().join("secret.jsonl").display().to_string(),
        format!("../{name}/secret.jsonl"),
        format!("{own}/../{name}/secret.jsonl"),
        format!("x/../../{name}/secret.jsonl"),
        "link.jsonl".to_owned(),
        format!("{own}/link.jsonl"),
        "dir/secret.jsonl".to_owned(),
        "/etc/passwd".to_owned(),
    ]
}

/// Asks the tools that take paths for a path, as an agent, and gives the answers.
#[cfg(unix)]
fn ask_for(server: &mut Server<'_>, path: &str) -> [Json; 2] {
    let handoff = json!({"action": "create", "to": "ann", "task": "x", "artifacts": [path]});
    let lines = [
        call(1, "register", &json!({"name": "ann", "role": "builder"})),
        call(2, "handoff", &handoff),
        call(3, "search_history", &json!({"query": "hidden", "paths": [path]})),
    ];
    let mut said = talk_to(server, &lines.each_ref().map(String::as_str));
    [said.remove(1)["result"].take(), said.remove(1)["result"].take()]
}

#[cfg(unix)]
#[test]
fn tools_read_nothing_outside_of_the_project() {
    let (project, other) = (Scratch::new(), Scratch::new());
    let paths = plant_secret(&project, &other);
    with_server_in(&project, Vec::new(), |server| {
        for path in &paths {
            for answer in ask_for(server, path) {
                let text = answer["content"][0]["text"].as_str().unwrap();
                assert_eq!(answer["isError"], true, "{path}: {answer}");
                assert!(text.contains("is outside of the project") || text.contains("leads out of"), "{path}: {text}");
                assert!(!text.contains("--"), "a model has no command line: {text}");
            }
        }
    });
}

#[cfg(unix)]
#[test]
fn tools_read_the_project_and_what_is_allowed() {
    let (project, other) = (Scratch::new(), Scratch::new());
    let secret = plant_secret(&project, &other).remove(0);
    std::fs::write(project.path().join("own.jsonl"), r#"{"from":"ann","message":"hidden"}"#).unwrap();
    let own = project.path().join("own.jsonl").display().to_string();
    with_server_in(&project, vec![other.path().to_owned()], |server| {
        for path in ["own.jsonl", "./own.jsonl", &own, &secret] {
            let [handoff, search] = ask_for(server, path);
            assert_eq!((&handoff["isError"], &search["isError"]), (&json!(false), &json!(false)), "{path}: {search}");
            assert_eq!(search["structuredContent"]["count"], 1, "{path}: {search}");
        }
        // A link is not a path below what is allowed, wherever it leads.
        assert_eq!(ask_for(server, "link.jsonl")[0]["isError"], true);
    });
}

/// Subscribes to conversations in the older way.
fn subscriptions(numbers: std::ops::Range<usize>) -> Vec<String> {
    let uri = |number| json!({"uri": format!("huddle://thread/t{number}")});
    numbers.map(|number| request(1, "resources/subscribe", &uri(number))).collect()
}

fn talk_all(server: &mut Server<'_>, lines: &[String]) -> Vec<Json> {
    talk_to(server, &lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn all_subscriptions_share_one_scan() {
    with_server(|server| {
        let say = |number: usize| {
            call(2, "send_message", &json!({"to": "ann", "content": "x", "threadId": format!("t{number}")}))
        };
        let mut lines = vec![call(1, "register", &json!({"name": "bob", "role": "tester"}))];
        lines.extend((0..3).map(say));
        talk_all(server, &lines);
        assert_eq!(server.scans.get(), 0);
        talk_all(server, &subscriptions(0..200));
        assert_eq!(server.scans.get(), 1, "what one subscription saw serves all others");
        // An empty line is silence, after which changes are looked for.
        assert_eq!(talk_all(server, &[String::new()]), Vec::<Json>::new());
        assert_eq!(server.scans.get(), 2, "one poll, one scan");
        let said = talk_all(server, &[say(1), say(7), String::new(), String::new()]);
        let mut updated: Vec<_> = said.iter().filter_map(|one| one["params"]["uri"].as_str()).collect();
        updated.sort_unstable();
        assert_eq!(updated, ["huddle://thread/t1", "huddle://thread/t7"]);
        assert_eq!(server.scans.get(), 4);
        // Who listens to the list as well needs no scan of its own.
        talk_all(server, &[request(3, "resources/list", &json!({})), String::new()]);
        assert_eq!(server.scans.get(), 6);
    });
}

#[test]
fn a_conversation_is_watched_by_any_name_that_it_goes_by() {
    with_server(|server| {
        let said = talk_all(
            server,
            &[
                call(1, "register", &json!({"name": "bob", "role": "tester"})),
                call(2, "send_message", &json!({"to": "ann", "content": "x", "threadId": "t 1"})),
            ],
        );
        let id = said[1]["result"]["structuredContent"]["id"].as_str().unwrap();
        let uris = [format!("huddle://thread/{id}"), "huddle://thread/t%201".to_owned()];
        let lines = uris.clone().map(|uri| request(1, "resources/subscribe", &json!({"uri": uri})));
        talk_all(server, &lines);
        let more = call(2, "send_message", &json!({"to": "ann", "content": "y", "threadId": "t 1"}));
        let said = talk_all(server, &[more, String::new()]);
        let updated: Vec<_> = said.iter().filter_map(|one| one["params"]["uri"].as_str()).collect();
        assert_eq!(updated, uris);
    });
}

#[test]
fn there_is_a_limit_to_subscriptions() {
    with_server(|server| {
        let said = talk_all(server, &subscriptions(0..notices::MAX_SUBSCRIPTIONS + 5));
        let refused: Vec<_> = said.iter().filter(|one| one["error"]["code"] == -32000).collect();
        assert_eq!(refused.len(), 6, "the client's own list counts as one");
        assert!(refused[0]["error"]["message"].as_str().unwrap().contains("at most 1000"), "{refused:?}");
        // One that is there already needs no room, and one that is ended makes some.
        assert_eq!(talk_all(server, &subscriptions(0..1))[0].get("error"), None);
        let end = request(2, "resources/unsubscribe", &json!({"uri": "huddle://thread/t0"}));
        let said = talk_all(server, &[end, subscriptions(2000..2001).remove(0)]);
        assert_eq!(said[1].get("error"), None, "{said:?}");
        let uris: Vec<_> = (0..2000).map(|number| format!("huddle://message/m{number}")).collect();
        let params = json!({"notifications": {"resourceSubscriptions": uris}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }});
        let said = talk_all(server, &[request(3, "subscriptions/listen", &params)]);
        assert_eq!(said[0]["error"]["code"], -32000, "{said:?}");
    });
}

#[test]
fn what_a_client_can_make_the_server_keep_is_bounded() {
    let batch = |size: usize| format!("[{}]", vec![request(1, "ping", &json!({})); size].join(","));
    assert_eq!(talk(&[&batch(MAX_BATCH)])[0].as_array().unwrap().len(), MAX_BATCH);
    assert_eq!(talk(&[&batch(MAX_BATCH + 1)])[0]["error"]["code"], -32000);
    let long = "x".repeat(5000);
    let said = talk(&[
        &json!({"jsonrpc": "2.0", "id": long, "method": "ping"}).to_string(),
        &request(1, "resources/subscribe", &json!({"uri": format!("huddle://thread/{long}")})),
    ]);
    assert_eq!((&said[0]["error"]["code"], &said[0]["id"]), (&json!(-32600), &Json::Null));
    assert_eq!(said[1]["error"]["code"], -32602);
    assert!(said[1].to_string().len() < 1000, "it is not repeated");
}
