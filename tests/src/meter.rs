//! The engine of guests that are not to be trusted with time: it counts what they do, and ends what takes too long.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use wasmtime::{Config, Engine};

/// How often the engine looks at the clock; a deadline is kept to within this.
const TICK: Duration = Duration::from_millis(10);

/// Returns the one engine of this process whose code burns fuel and looks at the clock.
pub(crate) fn engine() -> Result<&'static Engine> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    ENGINE.get_or_init(|| start().map_err(|error| format!("{error:#}"))).as_ref().map_err(|text| anyhow!("{text}"))
}

/// Returns how many looks at the clock a time lasts: one more, because the next may come at once.
pub(crate) fn ticks(time: Duration) -> u64 {
    let ticks = time.as_millis().div_ceil(TICK.as_millis());
    u64::try_from(ticks).unwrap_or(u64::MAX).saturating_add(1)
}

fn start() -> Result<Engine> {
    let mut config = Config::new();
    config.consume_fuel(true).epoch_interruption(true);
    let engine = Engine::new(&config).map_err(anyhow::Error::from).context("making a metered engine failed")?;
    let ticking = engine.clone();
    let clock = thread::Builder::new().name("epochs".to_owned());
    clock
        .spawn(move || {
            loop {
                thread::sleep(TICK);
                ticking.increment_epoch();
            }
        })
        .context("starting the clock of the metered engine failed")?;
    Ok(engine)
}
