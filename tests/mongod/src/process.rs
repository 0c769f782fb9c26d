//! One process of `mongod`, which ends with whoever started it.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::install;

/// How long a start may take on a machine that has much else to do.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How often a start is tried when somebody else takes the port first.
const TRIES: usize = 5;

/// The exit code by which `mongod` says that its port is taken.
const PORT_TAKEN: i32 = 48;

/// Waits for the end of its input, which is the end of its parent, however that came. Then it ends the server and removes
/// what it kept: a static value is never dropped, and a killed test drops nothing.
const GUARD: &str = r#"read _; kill -9 "$1"; sleep 0.2; rm -rf -- "$2""#;

/// What is written to the log when connections are taken.
const READY: &str = "\"Waiting for connections\"";

/// A running `mongod` with its data.
#[derive(Debug)]
pub(crate) struct Process {
    server: Child,
    guard: Child,
    port: u16,
    /// Removed last, when nothing is running in it any more.
    _dir: TempDir,
}

impl Process {
    /// Starts a server on a free port, with further arguments, and waits until it takes connections.
    pub(crate) fn start(args: &[&str]) -> Result<Self> {
        let program = install::mongod()?;
        for _ in 0..TRIES {
            if let Some(process) = Self::try_start(&program, args)? {
                return Ok(process);
            }
        }
        bail!("starting mongod: of {TRIES} free ports each was taken before it was used; try again")
    }

    /// Starts a server; none when its port was taken meanwhile.
    fn try_start(program: &Path, args: &[&str]) -> Result<Option<Self>> {
        let dir = TempDir::with_prefix("huddle-mongod-")?;
        let port = free_port()?;
        let log = dir.path().join("log");
        let mut command = Command::new(program);
        command.arg("--dbpath").arg(dir.path()).arg("--logpath").arg(&log).args(["--port", &port.to_string()]);
        command.args(["--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"]);
        // Small and calm: several of them share a machine with the tests.
        command.args(["--wiredTigerCacheSizeGB", "0.25"]);
        command.args(["--wiredTigerEngineConfigString", "log=(prealloc=false,file_max=1MB)"]);
        // What waits for the next turn of the journal, such as removing a database, waits for tenths of seconds otherwise.
        command.args(["--journalCommitInterval", "10"]);
        command.args(["--setParameter", "diagnosticDataCollectionEnabled=false"]).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = command.spawn().with_context(|| format!("starting mongod failed: {}", program.display()))?;
        let mut process = match guard(&server, dir.path()) {
            Ok(guard) => Self { server, guard, port, _dir: dir },
            Err(error) => {
                end(server);
                return Err(error);
            }
        };
        Ok(process.wait_until_ready(&log)?.then_some(process))
    }

    /// Waits until connections are taken; `false` when the port was somebody else's.
    fn wait_until_ready(&mut self, log: &Path) -> Result<bool> {
        let began = Instant::now();
        // The log tells, not the port: on that, another server may be listening.
        while !fs::read_to_string(log).unwrap_or_default().contains(READY) {
            if let Some(status) = self.server.try_wait()? {
                if status.code() == Some(PORT_TAKEN) {
                    return Ok(false);
                }
                bail!(
                    "mongod ended at once, {status}; it needs Linux on x86-64 with AVX, and room for its data in {}; \
                     its log ends:\n{}",
                    std::env::temp_dir().display(),
                    tail(log)
                );
            }
            if began.elapsed() > START_TIMEOUT {
                bail!("mongod took no connections within {START_TIMEOUT:?}; its log ends:\n{}", tail(log));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(true)
    }

    /// Returns the port that the server listens on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the server's process id.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for Process {
    /// Kills the server and waits for its end.
    fn drop(&mut self) {
        // The guard first, as afterwards the server's process id may be another's.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn guard(server: &Child, dir: &Path) -> Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", GUARD, "guard", &server.id().to_string()]).arg(dir);
    // Nobody writes to its input: what counts is that it ends when this process does.
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().context("starting a shell failed, which would end mongod after this process")
}

fn end(mut child: Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port failed")?;
    Ok(listener.local_addr()?.port())
}

/// Returns the last lines of a log.
fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::path::PathBuf;

    use super::*;

    /// Has the test below, in a process of its own, start a server and wait to be killed.
    const VICTIM: &str = "HUDDLE_MONGOD_VICTIM";

    #[test]
    fn a_killed_test_leaves_nothing_behind() {
        if std::env::var_os(VICTIM).is_some() {
            let process = Process::start(&[]).unwrap();
            println!("\nstarted {} {}", process.id(), process._dir.path().display());
            thread::sleep(START_TIMEOUT);
            return;
        }
        let mut victim = Command::new(std::env::current_exe().unwrap());
        victim.args(["--exact", "process::tests::a_killed_test_leaves_nothing_behind", "--nocapture"]);
        let mut victim = victim.env(VICTIM, "1").stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with("started ")).unwrap();
        let [_, id, dir] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let left = [PathBuf::from(format!("/proc/{id}/exe")), PathBuf::from(dir)];
        assert!(left.iter().all(|path| path.exists()), "{line}");
        end(victim);
        let began = Instant::now();
        // What is left in /proc of a process that nobody waits for has no program any more.
        while left.iter().any(|path| path.exists()) {
            assert!(began.elapsed() < Duration::from_secs(10), "still there after ten seconds: {line}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}
