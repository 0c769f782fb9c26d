//! Says what is being done, how far along it is, and how long it took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

type Action = Box<dyn FnOnce() -> Result<()>>;

/// A list of named steps that run in order until one fails.
#[derive(Default)]
pub(crate) struct Steps(Vec<(String, Action)>);

impl Steps {
    /// Adds a step to the end of the list.
    pub(crate) fn add(&mut self, name: impl Into<String>, action: impl FnOnce() -> Result<()> + 'static) {
        self.0.push((name.into(), Box::new(action)));
    }

    /// Runs the steps and reports progress on stderr, which leaves stdout to what they show.
    pub(crate) fn run(self) -> Result<()> {
        let total = self.0.len();
        let start = Instant::now();
        for (index, (name, action)) in self.0.into_iter().enumerate() {
            let label = format!("[{}/{total}] {name}", index + 1);
            eprintln!("{label} …");
            let step = Instant::now();
            action().with_context(|| format!("{label} failed after {}", show(step.elapsed())))?;
            eprintln!("{label}: {}", show(step.elapsed()));
        }
        eprintln!("all {total} steps done in {}", show(start.elapsed()));
        Ok(())
    }
}

fn show(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn stops_at_the_first_failure_and_names_it() {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let mut steps = Steps::default();
        for (name, fails) in [("one", false), ("two", true), ("three", false)] {
            let seen = Rc::clone(&seen);
            steps.add(name, move || {
                seen.borrow_mut().push(name);
                anyhow::ensure!(!fails, "no luck");
                Ok(())
            });
        }
        let error = format!("{:#}", steps.run().unwrap_err());
        assert!(error.starts_with("[2/3] two failed after"), "{error}");
        assert!(error.ends_with("no luck"), "{error}");
        assert_eq!(*seen.borrow(), ["one", "two"]);
    }

    #[test]
    fn shows_times_for_people() {
        assert_eq!(show(Duration::from_millis(1_250)), "1.2 s");
        assert_eq!(show(Duration::from_secs(125)), "2 min 5 s");
    }
}
