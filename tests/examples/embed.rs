//! Embeds the component in a program of one's own: `cargo run --package huddle-tests --example embed HUDDLE.WASM PROJECT`

use std::path::Path;
use std::thread;
use std::time::Duration;

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::error::Context as _;
use wasmtime::{Config, Engine, Result, Store, StoreLimits, StoreLimitsBuilder};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

// Types and functions, made from wit/. A path is seen from your Cargo.toml.
wasmtime::component::bindgen!({ path: "../wit", world: "huddle" });

/// What the component may use up: memory in all, and for each call fuel (about one unit an instruction) and time.
const MEMORY: usize = 256 << 20;
const FUEL: u64 = 10_000_000_000;
const SECONDS: u64 = 30;

/// What belongs to one instance.
struct State {
    wasi: WasiCtx,
    table: ResourceTable,
    limits: StoreLimits,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Creates an engine whose code counts what it does, and which looks at the clock every second.
fn engine() -> Result<Engine> {
    let engine = Engine::new(Config::new().consume_fuel(true).epoch_interruption(true))?;
    let ticking = engine.clone();
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            ticking.increment_epoch();
        }
    });
    Ok(engine)
}

/// Starts the component with one directory of the host's, or with none.
fn open(engine: &Engine, wasm: &Path, project: Option<&Path>) -> Result<(Store<State>, Huddle)> {
    let mut wasi = WasiCtx::builder();
    if let Some(project) = project {
        wasi.preopened_dir(project, ".", FsPerms::ReadWrite)?;
    }
    let limits = StoreLimitsBuilder::new().memory_size(MEMORY).build();
    let mut store = Store::new(engine, State { wasi: wasi.build(), table: ResourceTable::new(), limits });
    store.limiter(|state| &mut state.limits);
    refill(&mut store)?;

    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    let huddle = Huddle::instantiate(&mut store, &Component::from_file(engine, wasm)?, &linker)?;
    Ok((store, huddle))
}

/// Allows another call its fuel and its time.
fn refill(store: &mut Store<State>) -> Result<()> {
    store.set_epoch_deadline(SECONDS);
    store.set_fuel(FUEL)
}

/// Sends a message through one instance and sees it arrive; another instance, which is given no directory, sees nothing.
pub(crate) fn run(wasm: &Path, project: &Path) -> Result<()> {
    let engine = engine()?;
    let (mut store, huddle) = open(&engine, wasm, Some(project))?;
    huddle.huddle_bus_project().call_init_bus(&mut store)??;
    for agent in ["alice", "bob"] {
        refill(&mut store)?;
        huddle.huddle_bus_agents().call_register(&mut store, agent, "builder", None, None)??;
    }
    let messages = huddle.huddle_bus_messages();
    refill(&mut store)?;
    let sent = messages.call_send_message(&mut store, "alice", "bob", "Hello!", None, None, None, None)??;
    refill(&mut store)?;
    let inbox = messages.call_check_inbox(&mut store, "bob", None)??;
    println!("{} was sent, and bob has {} unread", sent.id, inbox.count);

    let (mut store, denied) = open(&engine, wasm, None)?;
    let refused = denied.huddle_bus_messages().call_check_inbox(&mut store, "bob", None)?;
    println!("without a directory: {}", refused.err().context("nothing was refused")?);
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, wasm, project] = &args[..] else { wasmtime::bail!("usage: embed HUDDLE.WASM PROJECT") };
    run(Path::new(wasm), Path::new(project))
}
