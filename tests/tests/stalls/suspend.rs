//! Suspends a command after its host calls, has others work meanwhile, and looks at what is left of all of them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail, ensure};
use huddle_tests::{Clock, Outcome, Project, project};
use serde_json::Value;

use super::cases::Case;
use super::view::View;

/// Longer than the lease of a change.
const LEASE: Duration = Duration::from_secs(6);
/// Long enough for what is not committed to be taken for abandoned.
const ABANDONED: Duration = Duration::from_secs(61);
/// As long as a laptop sleeps.
const LONG: Duration = Duration::from_secs(24 * 3600);
/// Of the host calls that change nothing, every so many is one to be suspended at.
const SAMPLE: u64 = 12;
/// When nothing of a suspended or dead process is left in the work directory.
const MUCH_LATER: Duration = Duration::from_secs(130);

/// A prepared bus, the commands of a case, and the time at which they run.
struct SuspendFixture {
    case: &'static Case,
    id: String,
    template: Project,
    now: Duration,
}

/// What came of suspending a command everywhere.
pub(crate) struct SuspendSummary {
    name: &'static str,
    calls: u64,
    suspensions: usize,
    confirmed: usize,
}

impl fmt::Display for SuspendSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, calls, suspensions, confirmed } = self;
        write!(f, "| `{name}` | {calls} host calls | {suspensions} suspensions | {confirmed} confirmed | 0 lost |")
    }
}

/// Suspends a command at its host calls and checks what is left each time.
pub(crate) fn everywhere(case: &'static Case) -> Result<SuspendSummary> {
    let dir = tempfile::tempdir_in(huddle_scratch::root())?;
    let template = Project::at(dir.path().join("template"));
    fs::create_dir(template.root())?;
    let id = (case.prepare)(&template).context("preparing the bus")?;
    // Whole seconds, because that is what a clock shows that is moved by hand.
    let now = Duration::from_secs(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() + 1);
    let fixture = SuspendFixture { case, id, template, now };
    let (calls, changing) = profile(&fixture, &dir.path().join("profile"))?;
    let points = points(calls, &changing);
    let mut confirmed = 0;
    for (number, (call, pause)) in points.iter().enumerate() {
        let root = dir.path().join(number.to_string());
        let is_confirmed = suspend(&fixture, &root, *call, *pause)
            .with_context(|| format!("suspended after host call {call} of {calls} for {pause:?}"))?;
        confirmed += usize::from(is_confirmed);
        fs::remove_dir_all(&root)?;
    }
    ensure!(confirmed > 0, "it was never told that it is done");
    Ok(SuspendSummary { name: case.name, calls, suspensions: points.len(), confirmed })
}

/// Returns how many host calls the command makes, and which of them change files.
fn profile(fixture: &SuspendFixture, root: &Path) -> Result<(u64, BTreeSet<u64>)> {
    let project = fixture.template.copy_to(root)?;
    let seen = Arc::new(Mutex::new((View::of(root)?.fingerprint(), BTreeSet::new())));
    let (looked_at, root) = (Arc::clone(&seen), root.to_owned());
    let run = command(fixture, &project, fixture.case.agent, fixture.case.command)?.clock(Clock::Fixed(fixture.now));
    let outcome = run
        .after_each_host_call(move |call| {
            // A file that another call is about to name cannot be missed: it is there at the next look.
            let Ok(view) = View::of(&root) else { return };
            if let Ok(mut seen) = looked_at.lock() {
                let now = view.fingerprint();
                if now != seen.0 {
                    *seen = (now, std::mem::take(&mut seen.1));
                    seen.1.insert(call);
                }
            }
        })
        .start()?;
    ensure!(outcome.code == 0, "the command fails even if it is not suspended: {outcome:?}");
    let changing = seen.lock().map_err(|_| anyhow!("a look at the files panicked"))?.1.clone();
    ensure!(!changing.is_empty(), "the command changes nothing");
    Ok((outcome.host_calls, changing))
}

/// Chooses after which calls the command is suspended, and for how long.
fn points(calls: u64, changing: &BTreeSet<u64>) -> Vec<(u64, Duration)> {
    if std::env::var_os("HUDDLE_ALL").is_some() {
        return (1..=calls).flat_map(|call| [LEASE, ABANDONED, LONG].map(|pause| (call, pause))).collect();
    }
    let last = changing.last().copied().unwrap_or(calls);
    let pauses = |call: u64| -> &[Duration] {
        if changing.contains(&call) || changing.contains(&(call + 1)) {
            &[LEASE, ABANDONED]
        } else if call.is_multiple_of(SAMPLE) {
            &[LONG]
        } else {
            &[]
        }
    };
    (1..=last).flat_map(|call| pauses(call).iter().map(move |pause| (call, *pause)).collect::<Vec<_>>()).collect()
}

/// Suspends the command after one call; returns whether it was told that it is done.
fn suspend(fixture: &SuspendFixture, root: &Path, call: u64, pause: Duration) -> Result<bool> {
    let project = fixture.template.copy_to(root)?;
    let clock = Clock::Fixed(fixture.now).by_hand();
    let later = fixture.now + pause;
    let (case, id) = (fixture.case, fixture.id.clone());
    let told: Arc<Mutex<Option<Result<Vec<Outcome>>>>> = Arc::default();
    let (tell, place) = (Arc::clone(&told), project.clone());
    let run = command(fixture, &project, case.agent, case.command)?.clock(clock);
    let outcome = run
        .after_each_host_call(move |number| {
            if number == call {
                clock.turn_to(Clock::Fixed(later));
                // On a thread of its own, as another process is.
                let ended = thread::scope(|scope| scope.spawn(|| rivals(case, &id, &place, later)).join());
                if let Ok(mut told) = tell.lock() {
                    *told = Some(ended.unwrap_or_else(|_| bail!("another command panicked")));
                }
            }
        })
        .start()?;
    ensure!(outcome.trap.is_none(), "it trapped: {outcome:?}");
    let rivals =
        told.lock().map_err(|_| anyhow!("another command panicked"))?.take().context("it was not suspended")??;
    let is_confirmed = outcome.code == 0;
    let are_others_confirmed = rivals.iter().all(|rival| rival.code == 0);
    let answers: Result<Vec<Value>> =
        rivals.iter().chain([&outcome]).filter(|ended| ended.code == 0).map(project::answer).collect();
    look(case, &project, later, is_confirmed, are_others_confirmed, &answers?)
        .with_context(|| format!("it ended with {outcome:?}, others with {rivals:?}"))?;
    Ok(is_confirmed)
}

/// Runs what others do meanwhile.
fn rivals(case: &Case, id: &str, project: &Project, now: Duration) -> Result<Vec<Outcome>> {
    let fixture = |args: &[&str]| -> Vec<String> { args.iter().map(|arg| arg.replace("{id}", id)).collect() };
    let run = |(agent, args): &(&str, &[&str])| {
        let args = fixture(args);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        project.run(agent, &args)?.arg("--json").clock(Clock::starting_at(now)).start()
    };
    case.rivals.iter().map(run).collect()
}

/// Looks at the bus when everybody is done, and at what is left of unfinished work after a while.
fn look(
    case: &Case,
    project: &Project,
    now: Duration,
    is_confirmed: bool,
    are_others_confirmed: bool,
    answers: &[Value],
) -> Result<()> {
    for after in [MUCH_LATER / 2, MUCH_LATER] {
        let clock = Clock::starting_at(now + after);
        project.json_at(clock, "cid", &["inbox", "--peek"])?;
        project.json_at(clock, "cid", &["state", "show"]).or_else(|_| project.json_at(clock, "cid", &["agents"]))?;
    }
    let checkup = project.json_at(Clock::starting_at(now + MUCH_LATER), "cid", &["check"])?;
    let findings = checkup["findings"].as_array().context("a check has findings")?;
    // What nobody answered for a day is a warning, and rightly so.
    let bad: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] == "error").collect();
    ensure!(bad.is_empty(), "the check finds: {bad:?}");
    let view = View::of(project.root())?;
    view.ensure_sound()?;
    case.check(&view, is_confirmed, are_others_confirmed)?;
    (case.answers)(answers)
}

fn command(
    fixture: &SuspendFixture,
    project: &Project,
    agent: &str,
    args: &[&str],
) -> Result<huddle_tests::Run<'static>> {
    let args: Vec<String> = args.iter().map(|arg| arg.replace("{id}", &fixture.id)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // The dice are loaded, so that each start makes the same calls.
    Ok(project.run(agent, &args)?.arg("--json").seed(1))
}
