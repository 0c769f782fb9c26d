//! Histories that are opened once and asked often.

use huddle_tests::bindings::exports::huddle::bus::history::TimelineWindow;
use huddle_tests::bindings::exports::huddle::bus::types::Error;

use crate::interface::fixture::InterfaceFixture;

#[test]
fn a_history_is_read_once_and_asked_often() {
    let mut fixture = InterfaceFixture::new();
    for (from, to, subject) in [("ann", "bob", "First of all"), ("bob", "ann", "Second thoughts")] {
        fixture.project.json(from, &["send", to, subject, "--thread", "conv-1", "--needs-reply"]).unwrap();
    }
    let history = fixture.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap();
    let other = fixture.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap();
    let overview =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_overview(store, history)).unwrap();
    fixture.same(&overview, "ann", &["history", "."]);
    let threads =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_threads(store, history, None)).unwrap();
    fixture.same(&threads, "ann", &["threads", "."]);
    let thread = fixture
        .call(|huddle, store| huddle.huddle_bus_history().history().call_thread(store, history, "conv-1"))
        .unwrap();
    assert_eq!(thread.messages.len(), 2);
    fixture.same(&thread, "ann", &["thread", "conv-1", "."]);
    let none =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_thread(store, history, "absent"));
    assert!(matches!(none, Err(Error::NotFound(_))), "{none:?}");
    let timeline = fixture
        .call(|huddle, store| huddle.huddle_bus_history().history().call_timeline(store, history, None))
        .unwrap();
    fixture.same(&timeline, "ann", &["timeline", "."]);
    assert_eq!(timeline.lanes.len(), 2);
    let found = fixture
        .call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, history, "thoughts", None));
    fixture.same(&found.unwrap(), "ann", &["search", "thoughts", "."]);
    let bad =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, history, "from:", None));
    assert!(matches!(bad, Err(Error::Usage(_))), "{bad:?}");
    let checkup =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_check(store, history)).unwrap();
    fixture.same(&checkup, "ann", &["check", "."]);
    fixture.call(|_, store| history.resource_drop(store));
    let still =
        fixture.call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, other, "first", None));
    assert_eq!(still.unwrap().count, 1);
}

#[test]
fn a_part_of_a_timeline_is_what_the_command_says() {
    let mut fixture = InterfaceFixture::new();
    for (from, to) in [("ann", "bob"), ("bob", "ann"), ("ann", "bob")] {
        fixture.project.json(from, &["send", to, "Hello"]).unwrap();
    }
    let history = fixture.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap();
    let mut see = |after: &str, before: &str, lanes: Option<u32>| {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let window = TimelineWindow { after: given(after), before: given(before), columns: Some(20), lanes };
        let seen = fixture
            .call(|huddle, store| huddle.huddle_bus_history().history().call_timeline(store, history, Some(&window)));
        let lanes = lanes.unwrap_or(40).to_string();
        let mut args = vec!["timeline", ".", "--width", "20", "--lanes", &lanes];
        args.extend(given(after).is_some().then_some(["--after", after]).into_iter().flatten());
        args.extend(given(before).is_some().then_some(["--before", before]).into_iter().flatten());
        if let Ok(seen) = &seen {
            fixture.same(seen, "ann", &args);
        }
        seen
    };
    let whole = see("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", None).unwrap();
    assert_eq!((whole.columns, whole.lanes.len(), whole.messages), (20, 2, 3));
    assert_eq!(see("", "", Some(1)).unwrap().lanes.len(), 1);
    for (after, before) in [("2099-01-01T00:00:00Z", ""), ("", "2020-01-01T00:00:00Z")] {
        let nothing = see(after, before, None).unwrap();
        assert_eq!((nothing.cells.len(), nothing.messages), (0, 0), "{nothing:?}");
    }
    let wrong = see("yesterday", "", None);
    assert!(matches!(&wrong, Err(Error::Usage(told)) if told.message.contains("yesterday")), "{wrong:?}");
}
