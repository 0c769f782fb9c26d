//! `cargo xtask bench --mongodb`: how soon a waiting agent hears of a message, and what the bus costs beside a bare driver.
//!
//! Everything is measured on the machine at hand within one run, on servers that are started for it.

#[cfg(not(target_os = "wasi"))]
mod bare;
#[cfg(not(target_os = "wasi"))]
mod clock;
#[cfg(not(target_os = "wasi"))]
mod rates;
#[cfg(not(target_os = "wasi"))]
mod waking;

#[cfg(not(target_os = "wasi"))]
fn main() -> anyhow::Result<()> {
    use huddle_mongod::{ReplicaSet, Server};

    if waking::wait_if_told()? {
        return Ok(());
    }
    eprintln!("starting servers …");
    let (set, single) = (ReplicaSet::start(1)?, Server::standalone()?);
    eprintln!("measuring sends and inbox checks …");
    let rates = rates::measure(&set.url("ours"), &set.url("bare"))?;
    eprintln!("measuring waking …");
    let stream = waking::measure(&set.url("waking"))?;
    let polling = waking::measure(&single.url("waking"))?;
    println!("{rates}\n");
    println!("| from a send to the end of another process's wait | median | slowest |");
    println!("| --- | ---: | ---: |");
    println!("| through a change stream | {} | {} |", millis(stream.median()), millis(stream.slowest()));
    println!(
        "| by looking, on a server without replica set | {} | {} |",
        millis(polling.median()),
        millis(polling.slowest())
    );
    println!("\nWanted: at most 1.3 times the bare driver's time, and a median below 200 ms through a change stream.");
    Ok(())
}

/// Shows a time.
#[cfg(not(target_os = "wasi"))]
fn millis(time: std::time::Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Does nothing: a guest cannot start servers.
#[cfg(target_os = "wasi")]
fn main() {}
