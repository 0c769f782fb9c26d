//! What was measured, for people and for programs.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::past::Past;
use super::plugin::Plugin;

/// What was measured.
pub struct Table {
    pub(super) rows: Vec<Row>,
    pub(super) floor: Duration,
    pub(super) past: Option<Past>,
    pub(super) plugin: Option<Plugin>,
}

/// The same work done in three ways.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) wasm: Duration,
    pub(super) native: Duration,
    pub(super) shell: Cell,
}

/// A time, and what there is to say about how it came about.
pub(super) struct Cell {
    time: Duration,
    note: String,
}

impl Cell {
    pub(super) fn measured(time: Duration) -> Self {
        Self { time, note: String::new() }
    }

    pub(super) fn with_note(time: Duration, note: String) -> Self {
        Self { time, note }
    }

    /// Makes a guess for much from what was measured on a little of it.
    pub(super) fn scaled(time: Duration, measured: u32, wanted: u32) -> Self {
        let note = format!("extrapolated from {measured}: {}", shown(time));
        Self { time: time * wanted / measured, note }
    }
}

impl Table {
    /// Returns the numbers, in seconds.
    pub fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "name": row.name,
                "wasmtime": row.wasm.as_secs_f64(),
                "native": row.native.as_secs_f64(),
                "shell": row.shell.time.as_secs_f64(),
                "shellNote": row.shell.note,
                "shellPerWasmtime": ratio(row.shell.time, row.wasm),
            })
        });
        json!({
            "rows": rows.collect::<Vec<Value>>(),
            "durableFile": self.floor.as_secs_f64(),
            "history": self.past.as_ref().map(Past::to_json),
            "plugin": self.plugin.as_ref().map(Plugin::to_json),
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | huddle.wasm under wasmtime | native | bash and jq | bash and jq / huddle.wasm |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: |")?;
        for Row { name, wasm, native, shell } in &self.rows {
            let note = if shell.note.is_empty() { String::new() } else { format!(" ({})", shell.note) };
            let times = ratio(shell.time, *wasm);
            let (wasm, native, shell) = (shown(*wasm), shown(*native), shown(shell.time));
            writeln!(f, "| {name} | {wasm} | {native} | {shell}{note} | {times:.1} × |")?;
        }
        write!(
            f,
            "\nThe floor for a durable message here (create, write 600 bytes, sync, link, unlink, sync the directory): {}",
            shown(self.floor)
        )?;
        if let Some(plugin) = &self.plugin {
            write!(f, "\n\n{plugin}")?;
        }
        match &self.past {
            Some(past) => write!(f, "\n\n{past}"),
            None => Ok(()),
        }
    }
}

pub(super) fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

pub(super) fn shown(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 0.01 => format!("{:.2} ms", seconds * 1000.0),
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1000.0),
        seconds if seconds < 120.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_says_that_it_is_one() {
        let cell = Cell::scaled(Duration::from_secs(2), 40, 10_000);
        assert_eq!((cell.time, cell.note.as_str()), (Duration::from_secs(500), "extrapolated from 40: 2.0 s"));
    }

    #[test]
    fn the_table_has_times_and_ratios() {
        let (wasm, native) = (Duration::from_millis(20), Duration::from_micros(5500));
        let shell = Cell::measured(Duration::from_millis(90));
        let row = Row { name: "send".to_owned(), wasm, native, shell };
        let table = Table { rows: vec![row], floor: Duration::from_micros(640), past: None, plugin: None };
        let text = table.to_string();
        assert!(text.contains("| send | 20 ms | 5.50 ms | 90 ms | 4.5 × |"), "{text}");
        assert!(text.ends_with("0.64 ms"), "{text}");
        assert_eq!(table.to_json()["rows"][0]["shellPerWasmtime"], 4.5);
    }
}
