//! A process that is suspended at any of its calls while others go on.

use super::*;
use crate::engine::fs::memory::stalling::{StallingFs, at_every_call};
use crate::model::Span;
use crate::session::EventFilter;

#[test]
fn no_confirmed_move_is_lost() {
    at_every_call(|call, pause| {
        let bench = Bench::new();
        for name in ["sec", "perf"] {
            bench.sessions().join(&s(), &agent(name), &[], &[]).unwrap();
        }
        let stalling = StallingFs::new(&bench.fs, call, || {
            bench.host.advance(pause);
            bench.sessions().complete(&s(), &agent("perf"), None, Some("Done")).unwrap();
        });
        let slow = Sessions::new(&stalling, &bench.host);
        let confirmed = slow.fail(&s(), &agent("sec"), "broken").is_ok();
        if !stalling.has_stalled() {
            return false;
        }
        bench.host.advance(Span::from_seconds(61));
        // A line may stand in the log twice when two processes carried out one change; it counts once.
        let log = bench.sessions().events(&s(), &EventFilter::default()).unwrap().value;
        let told = |from: &str, kind: &str| {
            log.iter().filter(|event| event.text("from") == Some(from) && event.text("type") == Some(kind)).count()
        };
        let states = bench.coordination();
        assert_eq!(states["agents"]["perf"]["status"], "completed", "call {call}, pause {pause}");
        assert_eq!(states["agents"]["sec"]["status"] == "failed", confirmed, "call {call}, pause {pause}");
        assert_eq!((told("perf", "completed"), told("sec", "error")), (1, usize::from(confirmed)), "{log:?}");
        true
    });
}
