//! What the host keeps for one running guest, and the hook that counts and ends its host calls.

use wasmtime::{CallHook, ResourceLimiter, Store, StoreLimits, StoreLimitsBuilder};
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::{WasiCtxView, WasiView};

use crate::guest;

/// The store's data: one WASI context serves components and core modules alike.
pub(crate) struct State {
    wasi: WasiP1Ctx,
    limits: StoreLimits,
    host_calls: u64,
    stop_after: Option<u64>,
    stopped: bool,
}

impl State {
    /// Returns a store with limits and the host-call hook in place.
    pub(crate) fn store(wasi: WasiP1Ctx, memory_limit: Option<usize>, stop_after: Option<u64>) -> Store<Self> {
        let mut limits = StoreLimitsBuilder::new();
        if let Some(bytes) = memory_limit {
            limits = limits.memory_size(bytes);
        }
        let limits = limits.build();
        let state = Self { wasi, limits, host_calls: 0, stop_after, stopped: false };
        let mut store = Store::new(guest::engine(), state);
        store.limiter(State::limiter);
        store.call_hook(|mut context, hook| context.data_mut().on_transition(hook));
        store
    }

    pub(crate) fn wasi(&mut self) -> &mut WasiP1Ctx {
        &mut self.wasi
    }

    pub(crate) fn host_calls(&self) -> u64 {
        self.host_calls
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    fn limiter(&mut self) -> &mut dyn ResourceLimiter {
        &mut self.limits
    }

    /// Counts finished host calls and, after the chosen one, ends the guest.
    ///
    /// The effect of the call stays, its result never arrives: what a kill at that moment leaves.
    fn on_transition(&mut self, hook: CallHook) -> wasmtime::Result<()> {
        if !matches!(hook, CallHook::ReturningFromHost) {
            return Ok(());
        }
        self.host_calls += 1;
        if self.stop_after.is_some_and(|limit| self.host_calls >= limit) {
            self.stopped = true;
            wasmtime::bail!("stopped after host call {}", self.host_calls);
        }
        Ok(())
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.ctx()
    }
}
