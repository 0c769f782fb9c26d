//! Questions, which one instance asks and another answers meanwhile.

use std::path::Path;
use std::thread;

use huddle_tests::bindings::exports::huddle::bus::messages::{Asked, InboxFilter, Outcome, QuestionOptions, Urgency};
use huddle_tests::bindings::exports::huddle::bus::types::{Error, Priority};
use huddle_tests::{Run, artifact};

use crate::interface::fixture::InterfaceFixture;

/// Answers questions to bob, one after the other, in an instance of its own.
fn answer_all(root: &Path, answers: &[&str]) {
    let mut bob = Run::new(artifact::component().unwrap()).dir(root, ".").open().unwrap();
    let wait = InboxFilter {
        all: None,
        type_: None,
        from: Some("ann".to_owned()),
        min_priority: Some(Priority::High),
        thread_id: None,
        limit: None,
        wait_seconds: Some(60),
    };
    for answer in answers {
        let inbox =
            bob.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&wait))).unwrap();
        let id = inbox.unwrap().notifications.remove(0).id;
        let read = bob.call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, "bob", &id, None));
        assert!(read.unwrap().unwrap().content.contains("Which colour?"));
        bob.call(|huddle, store| huddle.huddle_bus_messages().call_answer(store, "bob", &id, answer)).unwrap().unwrap();
    }
}

fn options(format: &str, timeout: u32, fallback: Option<&str>) -> QuestionOptions {
    QuestionOptions {
        context: Some("for the door".to_owned()),
        format: Some(format.to_owned()),
        urgency: Some(Urgency::High),
        timeout_seconds: Some(timeout),
        fallback: fallback.map(str::to_owned),
        thread_id: None,
    }
}

/// Asks bob, and waits.
fn ask(fixture: &mut InterfaceFixture, options: &QuestionOptions) -> Result<Asked, Error> {
    fixture.call(|huddle, store| {
        huddle.huddle_bus_messages().call_ask(store, "ann", "bob", "Which colour?", Some(options))
    })
}

#[test]
fn a_question_is_answered_by_another_instance() {
    let mut fixture = InterfaceFixture::new();
    let root = fixture.project.root().to_owned();
    let bob = thread::spawn(move || answer_all(&root, &["blue", r#"{"red": 200}"#, "five", "5"]));
    let text = ask(&mut fixture, &options("string", 60, None)).unwrap();
    assert_eq!((text.outcome, text.answer.as_str(), text.clarified), (Outcome::Answered, r#""blue""#, false));
    let traced = fixture.project.json("ann", &["trace", &text.question_id]).unwrap();
    assert_eq!(traced["deliveries"][0]["step"], "answered", "{traced}");
    let read = fixture.project.json("ann", &["read", &text.answer_id.unwrap(), "--peek"]).unwrap();
    assert_eq!(read["threadId"].as_str(), text.thread_id.as_deref(), "{read}");
    let object = ask(&mut fixture, &options("object", 60, None)).unwrap();
    assert_eq!((object.outcome, object.answer.as_str()), (Outcome::Answered, r#"{"red":200}"#));
    let number = ask(&mut fixture, &options("number", 60, None)).unwrap();
    assert_eq!((number.outcome, number.answer.as_str(), number.clarified), (Outcome::Answered, "5", true));
    bob.join().unwrap();
}

#[test]
fn a_question_that_nobody_answers_ends_with_the_fallback_or_in_time() {
    let mut fixture = InterfaceFixture::new();
    for (fallback, answer) in [("grey", r#""grey""#), ("null", "null"), (r#"["grey"]"#, r#"["grey"]"#)] {
        let asked = ask(&mut fixture, &options("text", 0, Some(fallback))).unwrap();
        assert_eq!((asked.outcome, asked.answer.as_str(), asked.retried), (Outcome::Fallback, answer, true));
        assert_eq!(asked.answer_id, None);
    }
    let late = ask(&mut fixture, &options("text", 0, None));
    assert!(matches!(late, Err(Error::TimedOut(_))), "{late:?}");
}
