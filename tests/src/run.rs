//! One start of a guest: what it is given, and how it ended.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use wasmtime::{Store, component};
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::p2::pipe::{MemoryInputPipe, MemoryOutputPipe};
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{FsPerms, I32Exit, WasiCtxBuilder};

use crate::changes::Changes;
use crate::guest::Code;
use crate::state::{Limits, Meanwhile, State};
use crate::{Clock, Guest, Instance};

/// Exit code reported for a guest that trapped, as a shell reports an aborted process.
const TRAPPED: i32 = 134;
/// Exit code reported for a guest that was stopped, as a shell reports a killed process.
const STOPPED: i32 = 137;
/// More output than this is a runaway guest, not something a test wants to read.
const OUTPUT_LIMIT: usize = 256 << 20;

/// Describes one start of a [`Guest`].
///
/// A fresh run has no directory, no environment, no network, an empty stdin, and captures its output.
#[derive(Clone)]
#[must_use = "a run does nothing until it is started"]
pub struct Run<'a> {
    guest: &'a Guest,
    args: Vec<String>,
    env: Vec<(String, String)>,
    dirs: Vec<(PathBuf, String, FsPerms)>,
    stdin: Vec<u8>,
    inherit_stdio: bool,
    network: bool,
    clock: Clock,
    seed: Option<u64>,
    limits: Limits,
    meanwhile: Option<Meanwhile>,
    notes_changes: bool,
}

/// How a guest ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The exit code; 134 after a trap and 137 after a stop, as a shell would say it.
    pub code: i32,
    /// What the guest wrote to stdout; empty when stdio was inherited.
    pub stdout: String,
    /// What the guest wrote to stderr; empty when stdio was inherited.
    pub stderr: String,
    /// Whether [`Run::stop_after_host_call`] ended the guest before it was done.
    pub stopped: bool,
    /// What the guest trapped on, when it did not end by itself.
    pub trap: Option<String>,
    /// How many calls into the host the guest made, WASI calls and memory growth alike.
    pub host_calls: u64,
    /// After which of those calls a file or the output was different; empty unless [`Run::note_changes`] asked for it.
    pub changes: Vec<u64>,
}

impl<'a> Run<'a> {
    /// Describes a start of `guest` that is given nothing yet but its name.
    pub fn new(guest: &'a Guest) -> Self {
        Self {
            guest,
            args: vec!["huddle".to_owned()],
            env: Vec::new(),
            dirs: Vec::new(),
            stdin: Vec::new(),
            inherit_stdio: false,
            network: false,
            clock: Clock::Host,
            seed: None,
            limits: Limits::default(),
            meanwhile: None,
            notes_changes: false,
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets one environment variable.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Opens a directory of the host to the guest, for reading and writing, under another name.
    pub fn dir(mut self, host: impl Into<PathBuf>, guest: impl Into<String>) -> Self {
        self.dirs.push((host.into(), guest.into(), FsPerms::ReadWrite));
        self
    }

    /// Opens a directory of the host to the guest for reading alone, as one on a read-only disk.
    pub fn dir_to_read(mut self, host: impl Into<PathBuf>, guest: impl Into<String>) -> Self {
        self.dirs.push((host.into(), guest.into(), FsPerms::ReadOnly));
        self
    }

    /// Passes the guest these bytes on stdin.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Lets the guest use the host's stdin, stdout and stderr instead of captured ones.
    pub fn inherit_stdio(mut self) -> Self {
        self.inherit_stdio = true;
        self
    }

    /// Lets the guest use the host's network and look up names, as `wasmtime run -S inherit-network
    /// -S allow-ip-name-lookup` does.
    pub fn network(mut self) -> Self {
        self.network = true;
        self
    }

    /// Chooses the guest's clock.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Makes the guest's random numbers a fixed sequence, so that ids repeat from run to run.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Refuses the guest more memory than this many bytes.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Passes the guest so much fuel for each call into it, about one unit an instruction; without more, it traps.
    ///
    /// Only for guests of [`Guest::load_metered`].
    pub fn fuel(mut self, units: u64) -> Self {
        self.limits.fuel = Some(units);
        self
    }

    /// Ends a call into the guest that takes longer than this.
    ///
    /// A guest that waits in the host is ended when it comes back from there. Only for guests of
    /// [`Guest::load_metered`].
    pub fn deadline(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Ends the guest right after its `n`-th call into the host, counting from 1.
    ///
    /// The call has had its effect and the guest executes no further instruction, which is what
    /// a kill at that moment leaves behind. Files change only in host calls, so stopping after
    /// each one in turn visits every state that a kill can leave.
    pub fn stop_after_host_call(mut self, n: u64) -> Self {
        self.limits.host_calls = Some(n);
        self
    }

    /// Does something after each call into the host, which it is told the number of, counting from 1; the guest goes on
    /// when it is done, as a process does that was suspended meanwhile.
    pub fn after_each_host_call(mut self, meanwhile: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.meanwhile = Some(Arc::new(meanwhile));
        self
    }

    /// Looks at all directories and at the output after each call into the host, and notes after which something was
    /// different.
    ///
    /// A write to a stream may be seen only after the next call, or the one after that: the host carries it out beside the
    /// guest.
    pub fn note_changes(mut self) -> Self {
        self.notes_changes = true;
        self
    }

    /// Starts the guest and waits for its end.
    ///
    /// A failing guest is an [`Outcome`]; an error means that it could not be started at all.
    pub fn start(&self) -> Result<Outcome> {
        let stdout = MemoryOutputPipe::new(OUTPUT_LIMIT);
        let stderr = MemoryOutputPipe::new(OUTPUT_LIMIT);
        let wasi = self.wasi(&stdout, &stderr)?;
        let counted = Limits { host_calls: self.limits.host_calls.or(Some(u64::MAX)), ..self.limits };
        let mut store = State::store(self.guest, wasi, self.clock, counted)?;
        store.data_mut().set_meanwhile(self.meanwhile.clone());
        if self.notes_changes {
            store.data_mut().note(Changes::new(self.dirs.iter().map(|(host, ..)| host.clone()).collect(), &stdout)?);
        }
        let ended = call(self.guest.code(), &mut store);

        let stopped = store.data().stopped();
        let (code, trap) = match ended {
            Ok(code) => (code, None),
            Err(_) if stopped => (STOPPED, None),
            Err(error) => match error.downcast_ref::<I32Exit>() {
                Some(exit) => (exit.0, None),
                None => (TRAPPED, Some(format!("{error:?}"))),
            },
        };
        Ok(Outcome {
            code,
            stdout: String::from_utf8_lossy(&stdout.contents()).into_owned(),
            stderr: String::from_utf8_lossy(&stderr.contents()).into_owned(),
            stopped,
            trap,
            host_calls: store.data().host_calls(),
            changes: store.data_mut().changes(),
        })
    }

    /// Starts the guest as a plugin, whose functions are called as often as one likes.
    ///
    /// What it prints is kept and shown to nobody, unless stdio is inherited.
    pub fn open(&self) -> Result<Instance> {
        let wasi = self.wasi(&MemoryOutputPipe::new(OUTPUT_LIMIT), &MemoryOutputPipe::new(OUTPUT_LIMIT))?;
        Instance::new(self.guest, State::store(self.guest, wasi, self.clock, self.limits)?)
    }

    /// Like the above with a component of any interface, whose functions are looked up by their names.
    pub fn instantiate(&self) -> Result<(Store<State>, component::Instance)> {
        let wasi = self.wasi(&MemoryOutputPipe::new(OUTPUT_LIMIT), &MemoryOutputPipe::new(OUTPUT_LIMIT))?;
        let mut store = State::store(self.guest, wasi, self.clock, self.limits)?;
        let Code::Component(pre) = self.guest.code() else {
            bail!("a core module has no functions to call: {}", self.guest.path().display())
        };
        let instance = pre.instance_pre().instantiate(&mut store)?;
        Ok((store, instance))
    }

    fn wasi(&self, stdout: &MemoryOutputPipe, stderr: &MemoryOutputPipe) -> Result<WasiP1Ctx> {
        let mut wasi = WasiCtxBuilder::new();
        // The thread belongs to this guest alone, so blocking it is the cheapest way to wait.
        wasi.allow_blocking_current_thread(true);
        wasi.args(&self.args).envs(&self.env).wall_clock(self.clock);
        if self.inherit_stdio {
            wasi.inherit_stdio();
        } else {
            wasi.stdin(MemoryInputPipe::new(self.stdin.clone()));
            wasi.stdout(stdout.clone()).stderr(stderr.clone());
        }
        if self.network {
            // Any address, but over TCP only: names are looked up by the host.
            wasi.inherit_network().allow_tcp(true).allow_ip_name_lookup(true);
        }
        if let Some(seed) = self.seed {
            wasi.secure_random(Deterministic::new(random_bytes(seed)));
            wasi.insecure_random(Deterministic::new(random_bytes(seed)));
            wasi.insecure_random_seed(seed.into());
        }
        for (host, guest, permissions) in &self.dirs {
            wasi.preopened_dir(host, guest, *permissions)
                .map_err(anyhow::Error::from)
                .with_context(|| format!("opening a directory failed: {}", host.display()))?;
        }
        Ok(wasi.build_p1())
    }
}

fn call(code: &Code, store: &mut Store<State>) -> wasmtime::Result<i32> {
    match code {
        Code::Component(pre) => {
            let command = pre.instantiate(&mut *store)?;
            let ended = command.wasi_cli_run().call_run(store)?;
            Ok(i32::from(ended.is_err()))
        }
        Code::Module(pre) => {
            let instance = pre.instantiate(&mut *store)?;
            let start = instance.get_typed_func::<(), ()>(&mut *store, "_start")?;
            start.call(store, ()).map(|()| 0)
        }
    }
}

/// Expands a seed into enough bytes (splitmix64) that a guest does not see them repeat.
fn random_bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    (0..8192)
        .flat_map(|_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)).to_le_bytes()
        })
        .collect()
}
