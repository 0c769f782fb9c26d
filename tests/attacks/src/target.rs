//! What is attacked, and how a run of it ended.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A way to run Huddle.
pub trait Target {
    /// Runs a command in a project directory; [`within_time_limit`] tells hangs and panics.
    fn run(&self, root: &Path, args: &[String]) -> Ran;

    /// Returns what the project directory is called in arguments.
    fn root(&self, root: &Path) -> String {
        root.display().to_string()
    }
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The exit code; 101 for a panic, 134 for a trap, 124 for a hang.
    pub code: i32,
    /// What it wrote to standard output.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
}

const PANICKED: i32 = 101;
const TRAPPED: i32 = 134;
const HUNG: i32 = 124;

/// Far more than any command needs on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// What a main thread has on common systems.
const STACK: usize = 8 << 20;

impl Ran {
    /// Returns how the run went wrong, if it did not end by itself.
    pub(crate) fn crash(&self) -> Option<&'static str> {
        match self.code {
            HUNG => Some("hung"),
            PANICKED | TRAPPED => Some("crashed"),
            _ if self.err.contains("panicked at") => Some("crashed"),
            _ => None,
        }
    }
}

/// Runs a job on a thread of its own, and gives up on it when it takes far too long.
pub fn within_time_limit(job: impl FnOnce() -> Ran + Send + 'static) -> Ran {
    let (sender, receiver) = channel();
    // Who gave up has dropped the receiver.
    let work = move || drop(sender.send(job()));
    let started = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    match receiver.recv_timeout(LIMIT) {
        Ok(ran) => ran,
        Err(RecvTimeoutError::Timeout) => Ran { code: HUNG, out: String::new(), err: String::new() },
        Err(RecvTimeoutError::Disconnected) => {
            let panic = started.join().err();
            let message = panic.and_then(|panic| panic.downcast::<String>().ok()).unwrap_or_default();
            Ran { code: PANICKED, out: String::new(), err: *message }
        }
    }
}
