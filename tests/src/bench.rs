//! Measures the command under wasmtime and natively, beside the same work done by the protocol's shell snippets, and
//! reading back beside `jq`, `grep` and `wc`.
//!
//! Everything is measured on the machine at hand within one run, so that the ratios mean something even where the times
//! themselves do not.

mod fixture;
mod floor;
mod growth;
mod past;
mod plugin;
mod shell;
mod table;

use std::time::{Duration, Instant};

use anyhow::Result;

use fixture::{BenchFixture, Form};
pub use table::Table;
use table::{Cell, Row};

/// How large an inbox the listing is measured on.
const UNREAD: u32 = 10_000;
/// How large an inbox the snippet is measured on: it takes a time that grows with each message.
const UNREAD_FOR_SHELL: u32 = 40;
const SENDS: usize = 50;
const SHELL_SENDS: usize = 10;
const BATCH: u32 = 1000;
const WRITERS: u32 = 16;
const SENDS_EACH: u32 = 20;

/// Measures everything, saying on stderr what is being measured.
pub fn run() -> Result<Table> {
    shell::require_tools()?;
    let past = past::run()?;
    let plugin = plugin::run()?;
    let rows = vec![inbox()?, send()?, batch()?, writers()?];
    Ok(Table { rows, floor: floor::durable_file(200)?, past: Some(past), plugin: Some(plugin) })
}

/// Measures the component as a plugin, and nothing else.
pub fn run_plugin() -> Result<String> {
    Ok(plugin::run()?.to_string())
}

/// Measures commands on buses of different sizes, and nothing else.
pub fn run_growth() -> Result<String> {
    Ok(growth::run()?.to_string())
}

/// Lists an inbox of many unread messages, in one start.
fn inbox() -> Result<Row> {
    eprintln!("measuring inbox …");
    let (full, small) = (BenchFixture::new()?, BenchFixture::new()?);
    full.fill_inbox(UNREAD)?;
    small.fill_inbox(UNREAD_FOR_SHELL)?;
    let wasm = median(3, || full.list(Form::Component, UNREAD))?;
    let native = median(3, || full.list(Form::Native, UNREAD))?;
    let shell = median(3, || shell::check_inbox(&small.root(), UNREAD_FOR_SHELL))?;
    Ok(Row {
        name: format!("inbox of {UNREAD} unread messages, one start"),
        wasm,
        native,
        shell: Cell::scaled(shell, UNREAD_FOR_SHELL, UNREAD),
    })
}

/// Sends one message, in one start.
fn send() -> Result<Row> {
    eprintln!("measuring send …");
    let fixture = BenchFixture::new()?;
    let wasm = median(SENDS, || fixture.send(Form::Component))?;
    let native = median(SENDS, || fixture.send(Form::Native))?;
    let shell = median(SHELL_SENDS, || shell::send_message(&fixture.root(), 1))?;
    Ok(Row { name: "send, one start".to_owned(), wasm, native, shell: Cell::measured(shell) })
}

/// Sends many messages in one start, beside as many starts of the snippet.
fn batch() -> Result<Row> {
    eprintln!("measuring send --batch …");
    let fixture = BenchFixture::new()?;
    let wasm = fixture.send_batch(Form::Component, BATCH)?;
    let native = fixture.send_batch(Form::Native, BATCH)?;
    let few = BATCH / 50;
    let shell = shell::send_message(&fixture.root(), few)?;
    Ok(Row {
        name: format!("{BATCH} sends by send --batch, one start"),
        wasm,
        native,
        shell: Cell::scaled(shell, few, BATCH),
    })
}

/// Has many writers send at once, each message in a start of its own.
fn writers() -> Result<Row> {
    eprintln!("measuring many writers …");
    let measure = |form: Form| -> Result<Duration> {
        let fixture = BenchFixture::new()?;
        let took = fixture.send_at_once(form, WRITERS, SENDS_EACH)?;
        fixture.ensure_counted(WRITERS * SENDS_EACH)?;
        Ok(took)
    };
    let fixture = BenchFixture::new()?;
    let shell = shell::send_at_once(&fixture.root(), WRITERS, SENDS_EACH)?;
    // The snippet's writers share one temporary file: at times they leave a registry that nobody can read.
    let counted = match fixture.counted() {
        Ok(counted) => format!("counted {counted} of {}", WRITERS * SENDS_EACH),
        Err(_) => "left a damaged registry".to_owned(),
    };
    Ok(Row {
        name: format!("{WRITERS} writers at once, {SENDS_EACH} sends each, every send a start"),
        wasm: measure(Form::Component)?,
        native: measure(Form::Native)?,
        shell: Cell::with_note(shell, counted),
    })
}

/// Does something so often and gives the time it took half of the times.
fn median(times: usize, mut act: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    Ok(middle((0..times).map(|_| act()).collect::<Result<Vec<_>>>()?))
}

/// Returns the time that half of them do not exceed.
fn middle(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took[took.len() / 2]
}

/// Returns the time that something takes.
fn time(act: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let began = Instant::now();
    act()?;
    Ok(began.elapsed())
}
