//! Ticking off what is done.

use std::io;

use super::read::{boxed, field};
use super::{FILE, TaskStatus};
use crate::Host;
use crate::engine::fs::{FileSystem, MAX_DOCUMENT};
use crate::host;
use crate::model::Status;

/// So often, an update starts over because somebody else has changed the plan.
const TRIES: usize = 4;

/// The result of bringing a plan up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanUpdate {
    /// The tasks, by name, that were ticked off now.
    pub ticked: Vec<String>,
    /// How far all tasks are.
    pub tasks: Vec<TaskStatus>,
}

/// Ticks off the tasks of a plan that are completed; every other byte stays. Gives the tasks that were not ticked before.
pub fn ticked(text: &str, tasks: &[TaskStatus]) -> (String, Vec<String>) {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut now = Vec::new();
    for TaskStatus { task, status, .. } in tasks {
        if *status != Status::Completed || task.status == Status::Completed {
            continue;
        }
        let Some(line) = task.status_line.and_then(|number| lines.get_mut(number.wrapping_sub(1))) else { continue };
        if boxed(line.trim()).is_some_and(|(is_done, _)| !is_done) {
            *line = line.replacen("[ ]", "[x]", 1);
        } else if let Some((_, value)) = field(line.trim()) {
            let at = line.rfind(value).unwrap_or(line.len());
            *line = format!("{}Completed{}", &line[..at], &line[at + value.len()..]);
        } else {
            continue;
        }
        now.push(task.name().to_owned());
    }
    (lines.concat(), now)
}

/// Ticks off what is done in the plan of a project; none when there is no plan. The file system's root is the project's.
///
/// `status` tells how far the tasks of the plan are. What others write meanwhile is kept.
pub fn update(
    fs: &dyn FileSystem,
    host: &dyn Host,
    status: &dyn Fn(&str) -> Vec<TaskStatus>,
) -> io::Result<Option<PlanUpdate>> {
    let read = || fs.read(FILE, MAX_DOCUMENT);
    for attempt in 1.. {
        let Some(bytes) = read()? else { return Ok(None) };
        let text = String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the plan is not UTF-8"))?;
        let tasks = status(&text);
        let (updated, ticked) = ticked(&text, &tasks);
        if ticked.is_empty() {
            return Ok(Some(PlanUpdate { ticked, tasks }));
        }
        let scratch = format!(".{FILE}.{}", host::new_uuid(&host).simple());
        fs.write_new(&scratch, updated.as_bytes())?;
        if read()?.as_deref() == Some(text.as_bytes()) {
            fs.rename(&scratch, FILE)?;
            return Ok(Some(PlanUpdate { ticked, tasks }));
        }
        fs.remove(&scratch)?;
        if attempt >= TRIES {
            break;
        }
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, "others keep changing the plan"))
}
