//! The few commands that a server needs before tests can use it, over the official driver.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use mongodb::Client;
use mongodb::bson::Document;
use mongodb::options::ClientOptions;

/// How long one command may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Has the server at an address, and no other of its set, run a command on its `admin` database.
pub(crate) fn run(address: &str, command: Document) -> Result<Document> {
    let name = command.keys().next().cloned().unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answer = runtime.block_on(async {
        let mut options = ClientOptions::parse(format!("mongodb://{address}/?directConnection=true")).await?;
        options.server_selection_timeout = Some(CONNECT_TIMEOUT);
        let client = Client::with_options(options)?;
        let answer = client.database("admin").run_command(command).await;
        client.shutdown().immediate(true).await;
        answer
    });
    answer.with_context(|| format!("the command {name} failed: {address}"))
}

/// Asks again and again until there is an answer other than `None`; `what` is what is waited for.
pub(crate) fn until<T>(what: &str, timeout: Duration, mut ask: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask()? {
            return Ok(answer);
        }
        if began.elapsed() > timeout {
            bail!("waiting for {what}: nothing within {timeout:?}");
        }
        thread::sleep(Duration::from_millis(50));
    }
}
