//! The bus itself, which is on a server and has no files to read: what is in it goes through a mailbox in memory.

use huddle_core::engine::Engine;
use huddle_core::history::export::{ExportSource, Exported, to_documents, to_mailbox};
use huddle_core::migrate::BusSnapshot;
use huddle_core::model::{Timestamp, WithDiagnostics};

use crate::failure::Failure;
use crate::sources::{Past, Sources, changed};

/// Writes a bus in a format; none when that is not made of messages.
pub(super) fn export(
    engine: &dyn Engine,
    format: &str,
    now: Timestamp,
) -> Result<WithDiagnostics<Option<Exported>>, Failure> {
    let WithDiagnostics { value: whole, findings } = BusSnapshot::of(engine)?;
    let papers = whole.context_and_handoff_files();
    let letters = ExportSource { snapshot: &whole.snapshot, directory: &whole.directory, extra_files: &papers };
    let exported = match format {
        "documents" => Some(to_documents(&letters)),
        "mailbox" => Some(to_mailbox(&letters)),
        "jsonl" | "markdown" => Some(read_back(&whole, format, now)?),
        _ => None,
    };
    Ok(WithDiagnostics { value: exported, findings })
}

/// Reads a bus as if it lay in a directory, and writes that in another format.
fn read_back(whole: &BusSnapshot, format: &str, now: Timestamp) -> Result<Exported, Failure> {
    let (sources, losses) = Sources::of_whole(whole, "");
    let Past { history, derived, mut parts, .. } = Past::of(&sources, now)?;
    let exported = match format {
        "markdown" => history.to_markdown(&derived, &mut parts),
        _ => history.to_jsonl(&mut parts),
    };
    let mut exported = exported.map_err(|error| changed(&error))?;
    exported.losses.extend(losses);
    Ok(exported)
}

#[cfg(test)]
mod tests {
    use huddle_core::bus::{Bus, Draft, NewAgent};
    use huddle_core::engine::memory::MemoryEngine;
    use huddle_core::host::FixedHost;

    use super::*;

    #[test]
    fn a_bus_without_files_is_written_in_every_format_of_messages() {
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let engine = MemoryEngine::new(&host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        let (ann, bob) = ("ann".parse().unwrap(), "bob".parse().unwrap());
        for agent in [&ann, &bob] {
            bus.register(agent, &NewAgent::with_role("builder")).unwrap();
        }
        bus.send(&ann, &Draft::to(&bob, "Which port?")).unwrap();
        bus.create_context(&ann, &"api".parse().unwrap(), "# API").unwrap();
        for (format, files) in [("documents", 1), ("mailbox", 5), ("jsonl", 1), ("markdown", 1)] {
            let exported = export(&engine, format, Timestamp::default()).unwrap().value.unwrap();
            assert_eq!(exported.files.len(), files, "{format}: {:?}", exported.files);
            let text: String = exported.files.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
            assert!(text.contains("Which port?"), "{format}: {text}");
        }
        assert_eq!(export(&engine, "session", Timestamp::default()).unwrap().value, None);
    }
}
