//! Describes what is being done, how far along it is, and how long it took.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::results::Results;

type Action = Box<dyn FnOnce() -> Result<()> + Send>;

/// A list of named steps that run in order until one fails.
#[derive(Default)]
pub(crate) struct Steps(Vec<Item>);

enum Item {
    Step(String, Action),
    /// Lists that run at the same time, each in order.
    Lanes(Vec<Steps>),
}

impl Steps {
    /// Adds a step to the end of the list.
    pub(crate) fn add(&mut self, name: impl Into<String>, action: impl FnOnce() -> Result<()> + Send + 'static) {
        self.0.push(Item::Step(name.into(), Box::new(action)));
    }

    /// Adds lists that run at the same time: what links on one core leaves the others to what compiles.
    pub(crate) fn add_lanes(&mut self, lanes: impl IntoIterator<Item = Self>) {
        self.0.push(Item::Lanes(lanes.into_iter().collect()));
    }

    /// Runs the steps and reports progress on stderr, which leaves stdout to what they show.
    pub(crate) fn run(self) -> Result<()> {
        let progress = Progress { total: self.count(), ..Progress::default() };
        let start = Instant::now();
        self.run_all(&progress)?;
        eprintln!("all {} steps done in {}", progress.total, show(start.elapsed()));
        Ok(())
    }

    /// Like the above with steps that test something, and shows at the end, whatever it is, how long everything took.
    pub(crate) fn run_tests(self, results: &Results) -> Result<()> {
        let progress = Progress { total: self.count(), ..Progress::default() };
        let start = Instant::now();
        let done = self.run_all(&progress);
        println!("\nstages");
        for (name, time) in progress.took.into_inner().unwrap_or_else(PoisonError::into_inner) {
            println!("{:>11}  {name}", show(time));
        }
        println!("{:>11}  in all\n\n{results}", show(start.elapsed()));
        done
    }

    fn count(&self) -> usize {
        let count = |item: &Item| match item {
            Item::Step(..) => 1,
            Item::Lanes(lanes) => lanes.iter().map(Self::count).sum(),
        };
        self.0.iter().map(count).sum()
    }

    fn run_all(self, progress: &Progress) -> Result<()> {
        for item in self.0 {
            match item {
                Item::Step(name, action) => progress.step(&name, action)?,
                Item::Lanes(lanes) => std::thread::scope(|scope| {
                    let lanes: Vec<_> = lanes.into_iter().map(|lane| scope.spawn(|| lane.run_all(progress))).collect();
                    let ended = lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| bail!("a step panicked")));
                    ended.collect::<Vec<_>>().into_iter().collect::<Result<()>>()
                })?,
            }
        }
        Ok(())
    }
}

/// How far along all lanes are.
#[derive(Default)]
struct Progress {
    total: usize,
    begun: AtomicUsize,
    failed: AtomicBool,
    took: Mutex<Vec<(String, Duration)>>,
}

impl Progress {
    /// Runs a step, unless one in another lane has failed: that one is reported.
    fn step(&self, name: &str, action: Action) -> Result<()> {
        if self.failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let label = format!("[{}/{}] {name}", self.begun.fetch_add(1, Ordering::Relaxed) + 1, self.total);
        eprintln!("{label} …");
        let begun = Instant::now();
        let done = action().with_context(|| format!("{label} failed after {}", show(begun.elapsed())));
        self.took.lock().unwrap_or_else(PoisonError::into_inner).push((name.to_owned(), begun.elapsed()));
        match &done {
            Ok(()) => eprintln!("{label}: {}", show(begun.elapsed())),
            Err(_) => self.failed.store(true, Ordering::Relaxed),
        }
        done
    }
}

/// Writes a time for people.
pub(crate) fn show(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn stops_at_the_first_failure_and_names_it() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut steps = Steps::default();
        for (name, fails) in [("one", false), ("two", true), ("three", false)] {
            steps.add(name, noted(&seen, name, fails));
        }
        let error = format!("{:#}", steps.run().unwrap_err());
        assert!(error.starts_with("[2/3] two failed after"), "{error}");
        assert!(error.ends_with("no luck"), "{error}");
        assert_eq!(*seen.lock().unwrap(), ["one", "two"]);
    }

    #[test]
    fn lanes_end_before_what_comes_after_them() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let lane = |names: &[&'static str], fails: bool| {
            let mut lane = Steps::default();
            for name in names {
                lane.add(*name, noted(&seen, name, fails));
            }
            lane
        };
        let mut steps = lane(&["first"], false);
        steps.add_lanes([lane(&["a", "b"], false), lane(&["c"], false)]);
        steps.add("last", noted(&seen, "last", false));
        steps.run().unwrap();
        let mut seen_now = std::mem::take(&mut *seen.lock().unwrap());
        assert_eq!((seen_now.remove(0), seen_now.pop()), ("first", Some("last")));
        let place = |name: &str| seen_now.iter().position(|seen| *seen == name);
        assert!(place("a") < place("b") && place("c").is_some(), "{seen_now:?}");

        let mut steps = Steps::default();
        steps.add_lanes([lane(&["a"], false), lane(&["bad"], true)]);
        steps.add("never", noted(&seen, "never", false));
        assert!(format!("{:#}", steps.run().unwrap_err()).contains("bad failed after"));
        assert!(!seen.lock().unwrap().contains(&"never"));
    }

    /// Creates a step that says that it ran.
    fn noted(
        seen: &Arc<Mutex<Vec<&'static str>>>,
        name: &'static str,
        fails: bool,
    ) -> impl FnOnce() -> Result<()> + Send + 'static {
        let seen = Arc::clone(seen);
        move || {
            seen.lock().unwrap().push(name);
            anyhow::ensure!(!fails, "no luck");
            Ok(())
        }
    }

    #[test]
    fn shows_times_for_people() {
        assert_eq!(show(Duration::from_millis(1_250)), "1.2 s");
        assert_eq!(show(Duration::from_secs(125)), "2 min 5 s");
    }
}
