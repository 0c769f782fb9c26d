//! What mailboxes claim: the checks of a bus, on the files of one.

use std::io;

use crate::bus::check_stored;
use crate::history::record::ByteSource;
use crate::history::{History, RootKind};
use crate::model::{Diagnostic, Directory, Handoff, Timestamp};

pub(super) fn check(history: &History, now: Timestamp, from: &mut dyn ByteSource) -> io::Result<Vec<Diagnostic>> {
    let mut findings = Vec::new();
    for (root, _) in history.roots.iter().enumerate().filter(|(_, root)| root.kind == RootKind::Mailbox) {
        let snapshot = history.snapshot(root, from)?;
        findings.extend(snapshot.findings);
        let registry = history.state_files.registries.iter().find(|state_file| state_file.root == Some(root));
        let directory = registry.map_or_else(Directory::default, |state_file| state_file.value.clone());
        let handoffs = history.state_files.handoffs.iter().filter(|state_file| state_file.root == Some(root));
        let handoffs: Vec<Handoff> = handoffs.map(|state_file| state_file.value.clone()).collect();
        findings.extend(check_stored(&snapshot.value, &directory, &handoffs, now));
    }
    Ok(findings)
}
