//! A process that is suspended for a while and then goes on.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) is_confirmed: bool,
    pub(crate) was_suspended: bool,
}

/// Ends a process whatever happens to the test.
struct Process(Child);

impl Process {
    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a process has an id"), signal).expect("it is ours and was not waited for");
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("it is ours").is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and does not have to be; a suspended one can.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Runs a command, which is suspended for `pause` when it has run for `after`, if it runs so long.
pub(crate) fn run(mut command: Command, after: Option<Duration>, pause: Duration) -> Ended {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = Process(quiet.spawn().expect("the command was built"));
    let mut was_suspended = false;
    if let Some(after) = after {
        thread::sleep(after);
        if process.is_running() {
            process.signal(Signal::STOP);
            thread::sleep(pause);
            // One that had ended a moment before could not be suspended, and its id may be another's by now.
            was_suspended = process.is_running();
            if was_suspended {
                process.signal(Signal::CONT);
            }
        }
    }
    let status = process.0.wait().expect("it is ours");
    Ended { is_confirmed: status.success(), was_suspended }
}

/// Numbers that a seed decides (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }
}
