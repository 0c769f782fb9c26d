//! What the host keeps for one running guest, and the hook that counts and ends its host calls.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use wasmtime::{CallHook, ResourceLimiter, Store};
use wasmtime_wasi::clocks::WasiClocksView;
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::{WasiCtxView, WasiView};

use crate::changes::Changes;
use crate::clock::Monotonic;
use crate::{Clock, Guest, meter};

/// What a guest may use up; nothing is limited by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// Bytes of memory.
    pub(crate) memory: Option<usize>,
    /// Units of fuel, about one an instruction, for each call from the host.
    pub(crate) fuel: Option<u64>,
    /// The time that each call from the host may take.
    pub(crate) time: Option<Duration>,
    /// Calls into the host, after the last of which the guest is ended. Without a limit they are not counted either.
    pub(crate) host_calls: Option<u64>,
}

/// What a test does after a host call, which it is told the number of, before the guest goes on.
pub(crate) type Meanwhile = Arc<dyn Fn(u64) + Send + Sync>;

/// The store's data: one WASI context serves components and core modules alike.
pub struct State {
    wasi: WasiP1Ctx,
    clock: Clock,
    limits: Limits,
    meanwhile: Option<Meanwhile>,
    /// What notes after which calls something was different, when somebody wants to know.
    changes: Option<Changes>,
    memory: usize,
    host_calls: u64,
    stopped: bool,
}

impl State {
    /// Returns a store for a guest, with its limits in place.
    pub(crate) fn store(guest: &Guest, wasi: WasiP1Ctx, clock: Clock, limits: Limits) -> Result<Store<Self>> {
        let counted = limits.fuel.is_some() || limits.time.is_some();
        ensure!(guest.is_metered() || !counted, "fuel and deadlines are for guests of Guest::load_metered");
        let state =
            Self { wasi, clock, limits, meanwhile: None, changes: None, memory: 0, host_calls: 0, stopped: false };
        let mut store = Store::new(guest.engine(), state);
        store.limiter(|state| state);
        if limits.host_calls.is_some() {
            store.call_hook(|mut context, hook| context.data_mut().on_transition(hook));
        }
        if guest.is_metered() {
            refill(&mut store)?;
        }
        Ok(store)
    }

    /// Sets what happens after each host call; only for a store that counts them.
    pub(crate) fn set_meanwhile(&mut self, meanwhile: Option<Meanwhile>) {
        self.meanwhile = meanwhile;
    }

    pub(crate) fn wasi(&mut self) -> &mut WasiP1Ctx {
        &mut self.wasi
    }

    pub(crate) fn monotonic(&mut self) -> Monotonic<'_> {
        Monotonic { clock: self.clock, host: self.clocks() }
    }

    /// Has it noted after which host calls something was different.
    pub(crate) fn note(&mut self, changes: Changes) {
        self.changes = Some(changes);
    }

    /// Returns the host calls after which something was different, if they were noted.
    pub(crate) fn changes(&mut self) -> Vec<u64> {
        self.changes.take().map(Changes::into_calls).unwrap_or_default()
    }

    pub(crate) fn host_calls(&self) -> u64 {
        self.host_calls
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the most memory that the guest has had, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// Counts finished host calls and, after the chosen one, ends the guest.
    ///
    /// The effect of the call stays, its result never arrives: what a kill at that moment leaves.
    fn on_transition(&mut self, hook: CallHook) -> wasmtime::Result<()> {
        if !matches!(hook, CallHook::ReturningFromHost) {
            return Ok(());
        }
        self.host_calls += 1;
        if let Some(meanwhile) = &self.meanwhile {
            meanwhile(self.host_calls);
        }
        if let Some(changes) = &mut self.changes {
            changes.look(self.host_calls).map_err(wasmtime::Error::from_anyhow)?;
        }
        if self.limits.host_calls.is_some_and(|limit| self.host_calls >= limit) {
            self.stopped = true;
            wasmtime::bail!("stopped after host call {}", self.host_calls);
        }
        Ok(())
    }
}

/// Returns a metered guest the fuel and the time for one call.
pub(crate) fn refill(store: &mut Store<State>) -> Result<()> {
    let Limits { fuel, time, .. } = store.data().limits;
    store.set_fuel(fuel.unwrap_or(u64::MAX))?;
    // A guest without a deadline still needs one that never comes.
    store.set_epoch_deadline(time.map_or(u64::MAX / 2, meter::ticks));
    Ok(())
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, _now: usize, wanted: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let granted = self.limits.memory.is_none_or(|most| wanted <= most);
        if granted {
            self.memory = self.memory.max(wanted);
        }
        Ok(granted)
    }

    fn table_growing(&mut self, _now: usize, _wanted: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.ctx()
    }
}
