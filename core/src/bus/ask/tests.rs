//! Questions, on a host whose sleep lets other agents act.

use std::cell::RefCell;

use serde_json::json;

use super::*;
use crate::Host;
use crate::bus::{ErrorKind, NewAgent};
use crate::engine::Engine;
use crate::engine::fs::{FileSystem, memory::MemoryFs};
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{Message, Timestamp};
use crate::state::State;

pub(in crate::bus) fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// A bus with ann, bob and cyd on it, an orchestrator's files beside it, and a clock that nobody has to wait for.
#[derive(Clone, Copy)]
pub(in crate::bus) struct BusFixture {
    clock: &'static FixedHost,
    fs: &'static MemoryFs,
    engine: &'static MemoryEngine<&'static FixedHost>,
    pub(in crate::bus) state: &'static State<&'static MemoryFs, &'static FixedHost>,
}

/// What an agent does when its time has come.
type Act = Box<dyn FnOnce(&Bus<'_>)>;

/// A host on which waiting takes no time, and agents act while another waits.
struct Scripted {
    fixture: BusFixture,
    acts: RefCell<Vec<(Timestamp, Act)>>,
}

impl Host for Scripted {
    fn now(&self) -> Timestamp {
        self.fixture.clock.now()
    }

    fn random(&self) -> u128 {
        self.fixture.clock.random()
    }

    fn sleep(&self, span: Span) {
        self.fixture.clock.sleep(span);
        let due = |acts: &[(Timestamp, Act)]| acts.first().is_some_and(|(at, _)| *at <= self.now());
        while due(&self.acts.borrow()) {
            let (_, act) = self.acts.borrow_mut().remove(0);
            act(&self.fixture.bus());
        }
    }
}

impl BusFixture {
    pub(in crate::bus) fn new() -> Self {
        // Everything refers to everything else and is needed until the test is over.
        let clock: &FixedHost = Box::leak(Box::new(FixedHost::at("2025-11-29T14:30:00Z")));
        let fs: &MemoryFs = Box::leak(Box::default());
        let engine = Box::leak(Box::new(MemoryEngine::new(clock)));
        let state = Box::leak(Box::new(State::new(fs, clock)));
        let fixture = Self { clock, fs, engine, state };
        fixture.bus().init().unwrap();
        for agent in ["ann", "bob", "cyd"] {
            fixture.bus().register(&name(agent), &NewAgent::with_role("builder")).unwrap();
        }
        fixture
    }

    pub(in crate::bus) fn bus(&self) -> Bus<'_> {
        Bus::new(self.engine, self.clock).with_orchestrator(self.state)
    }

    /// Has ann do something that waits, while others act after so many seconds.
    pub(in crate::bus) fn meanwhile<T>(&self, acts: Vec<(i64, Act)>, run: impl FnOnce(&Bus<'_>) -> T) -> T {
        let began = self.clock.now();
        let acts = acts.into_iter().map(|(seconds, act)| (began.plus(Span::from_seconds(seconds)), act)).collect();
        let host = Scripted { fixture: *self, acts: RefCell::new(acts) };
        run(&Bus::new(self.engine, &host).with_orchestrator(self.state))
    }

    pub(in crate::bus) fn settings(&self, text: &str) {
        self.fs.create_dir("config").unwrap();
        self.fs.remove("config/orchestrator-settings.json").unwrap();
        self.fs.write_new("config/orchestrator-settings.json", text.as_bytes()).unwrap();
    }

    pub(in crate::bus) fn log(&self) -> Vec<Json> {
        let found = self.state.communications().unwrap();
        assert_eq!(found.findings, []);
        found.value
    }

    /// Returns what the log says of each communication.
    pub(in crate::bus) fn outcomes(&self) -> Vec<String> {
        let line = |line: &Json| {
            assert_eq!(line["type"], "agent_communication");
            assert!(line["tokensTransferred"].as_u64().unwrap() > 0);
            let text = |field: &str| line[field].as_str().unwrap().to_owned();
            let at = line["timestamp"].as_str().unwrap()[14..19].to_owned();
            format!("{at} {} {}→{} {} {}", text("protocol"), text("from"), text("to"), text("outcome"), line["success"])
        };
        self.log().iter().map(line).collect()
    }

    /// Returns what an agent has not read.
    pub(in crate::bus) fn unread(&self, agent: &str) -> Vec<Message> {
        let inbox = self.engine.inbox(&name(agent), true).unwrap().value;
        inbox.into_iter().map(|delivery| delivery.message).collect()
    }
}

/// Creates an agent answer the newest question that it has not read.
pub(in crate::bus) fn answers(agent: &'static str, body: Json) -> Act {
    Box::new(move |bus| {
        let wanted = crate::bus::InboxFilter::default();
        let inbox = bus.inbox(&name(agent), &wanted).unwrap();
        let newest = inbox.shown.last().expect("there is a question");
        bus.read(&name(agent), &newest.message.id).unwrap();
        bus.answer(&name(agent), &newest.message.id, &ReplyDraft { body, ..ReplyDraft::default() }).unwrap();
    })
}

fn question() -> Question {
    let schema = json!({"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}}});
    let format = Format::new(&schema).unwrap();
    Question { format, context: "Writing the client".into(), ..Question::to(&name("bob"), "Which port?") }
}

fn ask(fixture: &BusFixture, acts: Vec<(i64, Act)>, question: &Question) -> Result<AskResult> {
    fixture.meanwhile(acts, |bus| bus.ask(&name("ann"), question))
}

#[test]
fn an_answer_comes_back() {
    let fixture = BusFixture::new();
    fixture.bus().send(&name("cyd"), &crate::bus::Draft::to(&name("ann"), "by the way")).unwrap();
    let asked = ask(&fixture, vec![(5, answers("bob", json!({"port": 80})))], &question()).unwrap();
    assert_eq!((asked.outcome, &asked.answer), (AskOutcome::Answered, &json!({"port": 80})));
    assert!(!asked.retried && !asked.clarified && asked.misfit.is_none());
    assert_eq!(fixture.outcomes(), ["30:05 query bob→ann response true", "30:05 query ann→bob answered true"]);
    assert_eq!(fixture.log()[1]["messageId"], asked.question.as_str());

    let sent = fixture.bus().peek(&name("bob"), &asked.question).unwrap().delivery.message;
    assert_eq!((sent.kind.as_str(), sent.requires_response), ("query", true));
    assert_eq!(sent.deadline, Timestamp::parse("2025-11-29T14:30:30Z"));
    assert_eq!(sent.body["query_type"], "request");
    assert_eq!(sent.body["query"]["context"], "Writing the client");
    let left: Vec<String> = fixture.unread("ann").into_iter().map(|message| message.subject).collect();
    assert_eq!(left, ["by the way"], "answer and acknowledgment are seen, and nothing else is");
}

#[test]
fn unanswered_question_is_asked_once_more() {
    let fixture = BusFixture::new();
    let asked = ask(&fixture, vec![(40, answers("bob", json!({"port": 80})))], &question()).unwrap();
    assert_eq!((asked.outcome, asked.retried), (AskOutcome::Answered, true));
    let lines = ["30:30 query ann→bob timed_out false", "30:40 query bob→ann response true"];
    assert_eq!(fixture.outcomes(), [&lines[..], &["30:40 query ann→bob answered true"]].concat());
    let thread = fixture.bus().thread(asked.question.as_str()).unwrap().value;
    assert_eq!(Some(&thread.id), asked.thread.as_ref());
    let again = thread.messages.iter().find(|message| message.subject.starts_with("Asked again: ")).unwrap();
    assert_eq!(again.in_reply_to.as_ref(), Some(&asked.question));
    assert_eq!(again.body["retry_of"], asked.question.as_str());
}

#[test]
fn an_answer_to_the_first_question_counts_after_the_second() {
    let fixture = BusFixture::new();
    let late: Act = Box::new(|bus| {
        let inbox = bus.inbox(&name("bob"), &crate::bus::InboxFilter::default()).unwrap();
        assert_eq!(inbox.total, 2);
        let draft = ReplyDraft { body: json!({"port": 81}), ..ReplyDraft::default() };
        bus.reply(&name("bob"), &inbox.shown[0].message.id, &draft).unwrap();
    });
    let asked = ask(&fixture, vec![(31, late)], &question()).unwrap();
    assert_eq!(asked.answer, json!({"port": 81}), "and a plain reply is an answer");
}

#[test]
fn a_bad_answer_is_clarified() {
    let fixture = BusFixture::new();
    let acts = vec![(3, answers("bob", "eighty".into())), (7, answers("bob", json!({"port": "80"})))];
    let asked = ask(&fixture, acts, &Question { format: Format::Named("object"), ..question() }).unwrap();
    assert_eq!((asked.outcome, asked.clarified), (AskOutcome::Answered, true));
    assert_eq!((&asked.answer, asked.misfit), (&json!({"port": "80"}), None));
    assert_eq!(
        fixture.outcomes(),
        [
            "30:03 query bob→ann response true",
            "30:03 query ann→bob invalid_response false",
            "30:07 query bob→ann response true",
            "30:07 query ann→bob clarified true",
        ]
    );
    let thread = fixture.bus().thread(asked.question.as_str()).unwrap().value;
    let clarification = thread.messages.iter().find(|message| message.subject.starts_with("Clarification: ")).unwrap();
    assert_eq!(clarification.body["clarification"]["misfit"], "the answer must be an object, not \"eighty\"");
}

#[test]
fn a_bad_answer_that_stays_so_is_partial() {
    let bad = || answers("bob", json!({"port": "80"}));
    for (acts, end) in [(vec![(3, bad()), (7, bad())], "30:07"), (vec![(3, bad())], "30:33")] {
        let fixture = BusFixture::new();
        let asked = ask(&fixture, acts, &question()).unwrap();
        assert_eq!((asked.outcome, &asked.answer), (AskOutcome::Partial, &json!({"port": "80"})));
        assert_eq!(asked.misfit.as_deref(), Some("/port must be of type integer, not \"80\""));
        assert_eq!(*fixture.outcomes().last().unwrap(), format!("{end} query ann→bob partial false"));
    }
}

#[test]
fn a_fallback_takes_the_place_of_an_answer() {
    let fixture = BusFixture::new();
    let timeout = Some(Span::from_seconds(10));
    let with = Question { fallback: Some(json!({"port": 8080})), timeout, ..question() };
    let asked = ask(&fixture, vec![], &with).unwrap();
    assert_eq!((asked.outcome, &asked.answer), (AskOutcome::FellBack, &json!({"port": 8080})));
    assert_eq!((asked.answered_by, asked.retried), (None, true));
    assert_eq!(fixture.outcomes(), ["30:10 query ann→bob timed_out false", "30:20 query ann→bob fallback false"]);
    let error = ask(&fixture, vec![], &Question { fallback: None, ..with }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(error.to_string().starts_with("bob did not answer within 10 seconds, asked twice: msg_"), "{error}");
    assert_eq!(fixture.outcomes()[2..], ["30:30 query ann→bob timed_out false", "30:40 query ann→bob timed_out false"]);
    assert_eq!(fixture.unread("bob").len(), 4);
}

#[test]
fn settings_say_how_long_and_whether() {
    let fixture = BusFixture::new();
    fixture.settings(r#"{"agentCommunication": {"timeoutMs": 2000, "protocols": ["query"]}}"#);
    assert_eq!(ask(&fixture, vec![], &question()).unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(fixture.clock.now(), Timestamp::parse("2025-11-29T14:30:04Z").unwrap());
    fixture.settings(r#"{"agentCommunication": {"protocols": []}}"#);
    assert_eq!(ask(&fixture, vec![], &question()).unwrap_err().kind(), ErrorKind::Usage);
    fixture.settings("{");
    let error = fixture.meanwhile(vec![], |bus| {
        let error = bus.ask(&name("ann"), &question()).unwrap_err();
        let codes: Vec<&str> = bus.take_findings().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["damaged-settings"]);
        error
    });
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

#[test]
fn invalid_questions_and_answers_are_rejected() {
    let fixture = BusFixture::new();
    let kind = |question: &Question| ask(&fixture, vec![], question).unwrap_err().kind();
    assert_eq!(kind(&Question { to: name("ann"), ..question() }), ErrorKind::Usage);
    assert_eq!(kind(&Question { to: name("zoe"), ..question() }), ErrorKind::NotFound);
    assert_eq!(kind(&Question { text: " ".into(), ..question() }), ErrorKind::Usage);
    assert_eq!(fixture.log(), [] as [Json; 0], "what was never sent is not logged");
    let sent = fixture.bus().send(&name("ann"), &crate::bus::Draft::to(&name("bob"), "hello")).unwrap();
    let error = fixture.bus().answer(&name("bob"), &sent.id, &ReplyDraft::default()).unwrap_err();
    assert_eq!((error.kind(), error.hint()), (ErrorKind::Usage, format!("use huddle reply {}", sent.id)));
}

#[test]
fn mismatched_answer_is_reported_to_its_sender() {
    let fixture = BusFixture::new();
    let act: Act = Box::new(|bus| {
        answers("bob", "eighty".into())(bus);
        let codes: Vec<&str> = bus.take_findings().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["answer-misfit"]);
    });
    ask(&fixture, vec![(1, act)], &question()).unwrap();
}

#[test]
fn a_long_context_goes_over_compressed() {
    let fixture = BusFixture::new();
    let lines = (0..400).map(|number| format!("- The parser reads line {number} of the input and checks it.\n"));
    let context = format!("# Work\n\n## Objective\nFind the port.\n\n## Analysis\n{}", lines.collect::<String>());
    let long = Question { context: context.clone(), fallback: Some(Json::Null), ..question() };
    let asked = ask(&fixture, vec![], &long).unwrap();
    let sent = fixture.bus().peek(&name("bob"), &asked.question).unwrap().delivery.message;
    let short = sent.body["query"]["context"].as_str().unwrap().to_owned();
    assert!(short.len() < 2500 && short.contains("Find the port."), "{short}");
    let mut references = short.split("[expand:").skip(1).filter_map(|rest| rest.split(']').next());
    let is_whole = |reference: &str| fixture.state.expansions().expand(reference).unwrap() == context.as_bytes();
    assert!(references.any(is_whole), "{short}");
    let ratio = fixture.log()[0]["compressionRatio"].as_f64().unwrap();
    assert!(ratio > 0.0 && ratio < 0.2, "{ratio}");
    fixture.settings(r#"{"agentCommunication": {"contextCompression": false}}"#);
    let asked = ask(&fixture, vec![], &Question { context: "x ".repeat(1000), ..long }).unwrap();
    let sent = fixture.bus().peek(&name("bob"), &asked.question).unwrap().delivery.message;
    assert_eq!(sent.body["query"]["context"].as_str().unwrap().len(), 2000);
    assert_eq!(fixture.log()[2]["compressionRatio"], 1.0);
}
