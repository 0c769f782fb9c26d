//! What is left when a process dies at any step: everything or nothing, and the next one goes on.

use super::*;
use crate::engine::journal::WORK;
use crate::model::{NewEvent, Span};
use crate::session::{EventFilter, Result};

/// How a process ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Kill,
    Torn,
    PowerCut,
    PowerCutKeepingNames,
}

const ENDS: [End; 4] = [End::Kill, End::Torn, End::PowerCut, End::PowerCutKeepingNames];

/// Describes what others can see of the session: its agents, the ids in the log, reports and data.
fn seen(bench: &Bench, with_log: bool) -> Vec<String> {
    let sessions = bench.sessions();
    let Ok(status) = sessions.status(&s()) else { return vec!["no session".to_owned()] };
    assert!(status.findings.iter().all(|finding| finding.code == "no-coordination"), "{:?}", status.findings);
    let mut all = vec![status.value.coordination.document().to_string()];
    all.push(format!("{:?}", sessions.reports(&s(), "*").unwrap()));
    all.extend(sessions.data_list(&s()).unwrap().value.iter().map(|data_file| {
        let name = data_file.path.strip_prefix("data/").unwrap().parse().unwrap();
        format!("{:?}", sessions.data(&s(), &name).unwrap())
    }));
    if with_log {
        let log = sessions.events(&s(), &EventFilter::default()).unwrap();
        all.extend(log.value.iter().map(|event| format!("{:?} {}", event.text("type"), event.headline())));
    }
    all
}

/// Has a process end in every way at every step of `act`, and checks that what is left is the session before or after.
///
/// Lines of the log are not synced one by one: of them, a power cut may take what a kill cannot.
fn at_every_step(prepare: impl Fn(&Bench), act: impl Fn(&Real<'_>) -> Result<()>) {
    let whole = Bench::empty();
    prepare(&whole);
    let before = [seen(&whole, false), seen(&whole, true)];
    act(&whole.sessions()).unwrap();
    let after = [seen(&whole, false), seen(&whole, true)];
    assert_ne!(before, after);
    for end in ENDS {
        let with_log = matches!(end, End::Kill | End::Torn);
        for steps in 0.. {
            let bench = Bench::empty();
            prepare(&bench);
            match end {
                End::Torn => bench.fs.fail_torn_after(steps),
                _ => bench.fs.fail_after(steps),
            }
            let confirmed = act(&bench.sessions()).is_ok();
            let done = !bench.fs.is_killed();
            match end {
                End::Kill | End::Torn => {}
                End::PowerCut => bench.fs.power_cut(),
                End::PowerCutKeepingNames => bench.fs.power_cut_keeping_names(),
            }
            bench.fs.restart();
            bench.host.advance(Span::from_millis(600));
            let now = seen(&bench, with_log);
            let (before, after) = (&before[usize::from(with_log)], &after[usize::from(with_log)]);
            assert!(now == *after || !confirmed && now == *before, "{end:?} after {steps} steps: {now:#?}");
            bench.sessions().log(&s(), &NewEvent::new("next", "status", "goes on")).ok();
            bench.host.advance(Span::from_seconds(61));
            bench.sessions().list().unwrap();
            let left: Vec<String> = bench.fs.files().into_iter().filter(|path| path.starts_with(WORK)).collect();
            assert_eq!(left, [] as [&str; 0], "{end:?} after {steps} steps: the work directory is empty after a while");
            if done {
                break;
            }
            assert!(steps < 1000, "an operation takes less than a thousand steps");
        }
    }
}

/// Creates the example session, durable whatever becomes of the log later.
fn started(bench: &Bench) {
    bench.sessions().start(&plan(&[("sec", &[]), ("gen", &["sec"])])).unwrap();
    join(&bench.sessions(), "sec");
}

#[test]
fn a_start_is_whole_or_absent() {
    at_every_step(|_| {}, |sessions| sessions.start(&plan(&[("sec", &[])])).map(drop));
}

#[test]
fn a_completion_is_whole_or_absent() {
    at_every_step(started, |sessions| sessions.complete(&s(), &agent("sec"), Some(&report(&["high"])), None).map(drop));
}

#[test]
fn a_failure_is_whole_or_absent() {
    at_every_step(started, |sessions| sessions.fail(&s(), &agent("sec"), "no key").map(drop));
}

#[test]
fn a_report_is_whole_or_absent() {
    at_every_step(
        |bench| {
            started(bench);
            bench.sessions().put_report(&s(), &agent("sec"), &report(&["low"])).unwrap();
        },
        |sessions| sessions.put_report(&s(), &agent("sec"), &report(&["high"])).map(drop),
    );
}

#[test]
fn data_are_whole_or_absent() {
    let name = "holes".parse().unwrap();
    at_every_step(started, |sessions| {
        sessions.put_data(&s(), &agent("sec"), &name, r#"{"a":1}"#, None, false).map(drop)
    });
}

#[test]
fn a_long_record_and_its_file_are_whole_or_absent() {
    // Its file is named after its id, and ids are rolled: what is compared is what it says.
    let data = Some(json!({"blob": "x".repeat(70_000)}));
    let new = NewEvent { data, ..NewEvent::new("sec", "finding", "large") };
    at_every_step(started, |sessions| sessions.log(&s(), &new).map(drop));
}

#[test]
fn the_next_one_finds_what_was_committed_a_moment_ago() {
    for steps in 0..200 {
        let bench = Bench::empty();
        started(&bench);
        bench.fs.fail_after(steps);
        let confirmed = bench.sessions().complete(&s(), &agent("sec"), None, None).is_ok();
        let done = !bench.fs.is_killed();
        bench.fs.restart();
        // Another agent changes the session at once; what the dead one had committed must not go under.
        bench.sessions().join(&s(), &agent("late"), &[], &[]).unwrap();
        let states = bench.coordination();
        let completed = states["agents"]["sec"]["status"] == "completed";
        assert!(completed || !confirmed);
        assert_eq!(states["agents"]["late"]["status"], "in_progress");
        let told = bench.log().iter().filter(|line| line.starts_with("sec completed")).count();
        assert_eq!(told, usize::from(completed), "after {steps} steps");
        if done {
            return;
        }
    }
    panic!("it takes less than 200 steps");
}

#[test]
fn a_full_disk_leaves_a_change_whole_or_absent() {
    for room in (0..20_000).step_by(61) {
        let bench = Bench::empty();
        started(&bench);
        bench.fs.fill_up_after(room);
        let done = bench.sessions().complete(&s(), &agent("sec"), Some(&report(&["high"])), None).is_ok();
        bench.fs.make_room();
        bench.host.advance(Span::from_seconds(61));
        let status = bench.sessions().status(&s()).unwrap().value.session;
        // A change that was committed and could not be completed is an error, and is completed when there is room.
        let completed = status.is_completed("sec");
        assert!(completed || !done, "with room for {room} bytes");
        let found = bench.sessions().events(&s(), &EventFilter::default()).unwrap();
        let told = found.value.iter().filter(|event| event.text("type") == Some("completed")).count();
        assert_eq!(told, usize::from(completed), "with room for {room} bytes");
        if bench.fs.mutations() > 0 && done && room > 10_000 {
            return;
        }
    }
}
